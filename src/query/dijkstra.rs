//! What the searches that spread around a point have in common.

use super::{
    Filter, PathEnd, QueryError, Scratch,
    error::check_finite,
    scratch::{Node, Status},
};
use crate::{
    geom::from_above::point_between,
    navmesh::{NavMesh, Poly, PolyAt, Portal},
    search::NodeIdx,
};

/// A search that takes polygons by their cost from the start.
pub(super) struct Spread<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: &'a Filter,
    pub(super) scratch: &'a mut Scratch,
}

impl<'a> Spread<'a> {
    pub(super) fn new(
        mesh: &'a NavMesh,
        start: PathEnd,
        filter: &'a Filter,
        max_nodes: usize,
        scratch: &'a mut Scratch,
    ) -> Result<Self, QueryError> {
        check_finite("the start", start.point)?;
        let at = mesh.locate(start.poly).ok_or(QueryError::StalePolygon { poly: start.poly })?;
        scratch.reset(mesh, max_nodes.max(1));
        let mut spread = Self { mesh, filter, scratch };
        if let Some(node) = spread.node(at) {
            spread.scratch.nodes[node].position = start.point;
            spread.offer(node, None, 0.0);
        }
        Ok(spread)
    }

    /// Reaches all polygons that it can over portals that `touches` accepts, and tells `visit` of each,
    /// the cheapest first: where it is, from where it was reached, and its cost. A way through a polygon
    /// costs its length times what `cost_per_metre` says. The answer is whether there were nodes enough.
    pub(super) fn run(
        &mut self,
        touches: impl Fn(&Portal) -> bool,
        cost_per_metre: impl Fn(&Poly) -> f32,
        mut visit: impl FnMut(PolyAt, Option<PolyAt>, f32),
    ) -> bool {
        let (mesh, filter) = (self.mesh, self.filter);
        let mut is_all = true;
        while let Some(node) = self.next() {
            let Node { at, position, total, .. } = self.scratch.nodes[node];
            let parent_at = self.parent_at(node);
            visit(at, parent_at, total);
            let live = mesh.live(at.tile);
            let poly = &live.tile.polys[at.poly as usize];
            let per_metre = cost_per_metre(poly);
            for link in live.links.of(at.poly as usize) {
                let to = PolyAt::from(link);
                let to_live = mesh.live(to.tile);
                let to_poly = &to_live.tile.polys[to.poly as usize];
                if parent_at == Some(to)
                    || !filter.passes(to_poly)
                    || !filter.rules.admits(link, to_live)
                    || !touches(&link.portal)
                {
                    continue;
                }
                let Some(neighbor) = self.node(to) else {
                    is_all = false;
                    continue;
                };
                let known = &mut self.scratch.nodes[neighbor];
                match known.status {
                    Status::Closed => continue,
                    Status::New => {
                        known.position = point_between(link.portal.left, link.portal.right, 0.5);
                    }
                    Status::Open => {}
                }
                let step = position.distance(known.position) * per_metre;
                let entering = filter.rules.entering(poly, to_poly);
                self.offer(neighbor, Some(node), total + step + entering);
            }
        }
        is_all
    }

    /// Takes the cheapest polygon from the open list.
    pub(super) fn next(&mut self) -> Option<NodeIdx> {
        let node = self.scratch.open.pop()?;
        self.scratch.nodes[node].status = Status::Closed;
        Some(node)
    }

    /// The node of a polygon; `None` where it would be one too many.
    pub(super) fn node(&mut self, at: PolyAt) -> Option<NodeIdx> {
        let vertex = self.mesh.live(at.tile).first_node + at.poly;
        self.scratch.nodes.find_or_add(vertex, 0, || Node::new(at))
    }

    /// Puts a node that is not closed into the open list, unless it was reached for less.
    pub(super) fn offer(&mut self, node: NodeIdx, parent: Option<NodeIdx>, total: f32) {
        let known = &mut self.scratch.nodes[node];
        let is_open = known.status == Status::Open;
        if is_open && total >= known.total {
            return;
        }
        known.parent = parent;
        known.total = total;
        known.status = Status::Open;
        if is_open {
            self.scratch.open.lower(node, total);
        } else {
            self.scratch.open.push(node, total);
        }
    }

    /// The polygon from which a node was reached.
    pub(super) fn parent_at(&self, node: NodeIdx) -> Option<PolyAt> {
        self.scratch.nodes[node].parent.map(|parent| self.scratch.nodes[parent].at)
    }
}
