//! Dijkstra's algorithm, for the queries that search around a point.

use super::{
    Filter, MeshPoint, QueryError, Scratch,
    error::check_finite,
    node::{Node, Status},
    trace::Observer,
};
use crate::{
    geom::from_above::point_between,
    ids::AreaId,
    navmesh::{NavMesh, PolyAt, Portal},
    search::NodeIdx,
};

/// A search that expands polygons in the order of their cost from the start.
pub(super) struct Spread<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: &'a Filter,
    pub(super) scratch: &'a mut Scratch,
}

impl<'a> Spread<'a> {
    pub(super) fn new(
        mesh: &'a NavMesh,
        start: MeshPoint,
        filter: &'a Filter,
        max_nodes: usize,
        scratch: &'a mut Scratch,
    ) -> Result<Self, QueryError> {
        check_finite("the start", start.point)?;
        let at = mesh.locate(start.poly).ok_or(QueryError::StalePolygon { poly: start.poly })?;
        scratch.reset(mesh, max_nodes.max(1));
        let mut spread = Self { mesh, filter, scratch };
        if let Some(node) = spread.node(mesh.number_of(at)) {
            spread.scratch.nodes[node].position = start.point;
            spread.offer(node, None, 0.0);
        }
        Ok(spread)
    }

    /// Visits all polygons that can be reached over portals that `touches` accepts, the cheapest first: calls `visit`
    /// with the polygon, its parent and its cost. Crossing a polygon costs the length times its `cost_per_meter`.
    /// Returns whether the nodes were sufficient.
    pub(super) fn run(
        &mut self,
        touches: impl Fn(&Portal) -> bool,
        cost_per_meter: impl Fn(AreaId) -> f32,
        mut visit: impl FnMut(PolyAt, Option<PolyAt>, f32),
        observer: &mut impl Observer,
    ) -> bool {
        let (mesh, graph, filter) = (self.mesh, self.mesh.graph(), self.filter);
        let portals = mesh.portals();
        let mut is_all = true;
        while let Some(node) = self.next(observer) {
            let Node { poly: from, position, total, .. } = self.scratch.nodes[node];
            let parent = self.parent_of(node);
            visit(mesh.at(from), parent.map(|parent| mesh.at(parent)), total);
            let poly = graph.marks(from);
            let per_meter = cost_per_meter(poly.area);
            for (link, portal) in graph.links(from).iter().zip(portals.of(from)) {
                let to_poly = graph.marks(link.to);
                if parent == Some(link.to)
                    || !filter.passes_flags(to_poly.flags)
                    || !filter.rules.admits(mesh, *link)
                    || !touches(portal)
                {
                    continue;
                }
                let Some(neighbor) = self.node(link.to) else {
                    is_all = false;
                    continue;
                };
                let known = &mut self.scratch.nodes[neighbor];
                match known.status {
                    Status::Closed => continue,
                    Status::New => {
                        known.position = point_between(portal.left, portal.right, 0.5);
                    }
                    Status::Open => {}
                }
                let step = position.distance(known.position) * per_meter;
                let entering = filter.rules.entering(poly.area, to_poly.area);
                self.offer(neighbor, Some(node), total + step + entering);
            }
        }
        is_all
    }

    /// Removes the cheapest polygon from the open list.
    pub(super) fn next(&mut self, observer: &mut impl Observer) -> Option<NodeIdx> {
        let node = self.scratch.open.pop()?;
        observer.expanded(self.mesh, &self.scratch.nodes, node);
        self.scratch.nodes[node].status = Status::Closed;
        Some(node)
    }

    /// Returns the node of a polygon, or `None` if all nodes are in use.
    pub(super) fn node(&mut self, poly: u32) -> Option<NodeIdx> {
        self.scratch.nodes.find_or_add(poly, 0, || Node::new(poly))
    }

    /// Puts a node that is not closed into the open list, unless it was reached at a lower cost.
    pub(super) fn offer(&mut self, node: NodeIdx, parent: Option<NodeIdx>, total: f32) {
        let known = &mut self.scratch.nodes[node];
        let is_open = known.status == Status::Open;
        if is_open && total >= known.total {
            return;
        }
        known.parent = parent;
        (known.cost, known.total) = (total, total);
        known.status = Status::Open;
        if is_open {
            self.scratch.open.lower(node, total);
        } else {
            self.scratch.open.push(node, total);
        }
    }

    /// Returns the polygon from which a node was reached.
    pub(super) fn parent_of(&self, node: NodeIdx) -> Option<u32> {
        self.scratch.nodes[node].parent.map(|parent| self.scratch.nodes[parent].poly)
    }
}
