//! What the searches that spread around a point have in common.

use super::{
    Filter, PathEnd, QueryError, Scratch,
    error::{check_finite, check_length},
    scratch::{Node, Status},
};
use crate::{
    navmesh::{NavMesh, PolyAt},
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
        radius: f32,
        filter: &'a Filter,
        max_nodes: usize,
        scratch: &'a mut Scratch,
    ) -> Result<Self, QueryError> {
        check_finite("the start", start.point)?;
        check_length("the radius", radius)?;
        let at = mesh.locate(start.poly).ok_or(QueryError::StalePolygon { poly: start.poly })?;
        scratch.reset(mesh, max_nodes.max(1));
        let mut spread = Self { mesh, filter, scratch };
        if let Some(node) = spread.node(at) {
            spread.scratch.nodes[node].position = start.point;
            spread.offer(node, None, 0.0);
        }
        Ok(spread)
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
