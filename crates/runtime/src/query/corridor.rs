//! The cheapest corridor between two points: A* over polygons.

use super::{
    CorridorOutcome, Filter, HeldBack, MeshPoint, QueryError, Scratch,
    best_first::{Current, Ends, Search, Way, find},
    rules::Rules,
};
use crate::navmesh::{INSIDE, Link, Marks, NavMesh, PolyRef, Portal};

/// Finds the cheapest corridor from `start` to `end` and puts its polygons into `corridor`.
///
/// The search measures from midpoint to midpoint of the edges crossed. A polygon keeps the midpoint over
/// which it was met first, even where a cheaper way into it is found later, as in Detour; so the
/// corridor is nearly the cheapest, and its cost can be a little less than the length of a path in it.
///
/// # Errors
/// [`QueryError`] where a polygon is stale, a point not finite, or a cost of the filter negative or not
/// finite.
///
/// Source: `dtNavMeshQuery::findPath`.
pub fn find_corridor(
    mesh: &NavMesh,
    [start, end]: [MeshPoint; 2],
    filter: &Filter,
    max_nodes: usize,
    scratch: &mut Scratch,
    corridor: &mut Vec<PolyRef>,
) -> Result<CorridorOutcome, QueryError> {
    find(mesh, &Ends::new(mesh, [start, end], filter, max_nodes)?, scratch, corridor)
}

impl<R: Rules> Search<'_, R> {
    /// Reaches the neighbors of the polygon of a node over its links.
    pub(super) fn expand(&mut self, current: &Current) {
        let graph = self.graph;
        for (&link, portal) in graph.links(current.poly).iter().zip(self.portals.of(current.poly)) {
            if current.before != Some(link.to) {
                self.follow(current, link, portal);
            }
        }
    }

    /// Reaches a neighbor over a link, and keeps the way if it is the cheapest so far.
    #[inline]
    fn follow(&mut self, current: &Current, link: Link, portal: &Portal) {
        let Marks { flags, area, .. } = self.graph.marks(link.to);
        let filter = self.ends.filter;
        if !filter.passes_flags(flags) || !self.rules.admits(self.mesh, link) {
            self.note(HeldBack::Filter);
            return;
        }
        // A polygon has a node for each pair of tile borders over which it is entered.
        let state = if link.side == INSIDE { 0 } else { link.side >> 1 };
        let Some((node, position)) = self.meet(current, link.to, state, portal) else { return };
        let here = current.cost + current.position.distance(position) * current.cost_per_meter;
        let here = self.rules.entered(here, current.area, area);
        let to_end = position.distance(self.ends.goal.point);
        let is_end = link.to == self.ends.goal_at;
        let cost = if is_end { here + to_end * filter.cost_in(area) } else { here };
        let estimate = if is_end { 0.0 } else { self.rules.estimate(to_end) };
        self.keep(current, node, Way { position, cost, estimate, may_be_last: true });
    }
}
