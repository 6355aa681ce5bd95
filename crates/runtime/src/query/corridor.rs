//! The cheapest corridor between two points: A* over polygons.

use super::{
    Corridor, Filter, HeldBack, MAX_NODES, MeshPoint, QueryError, Scratch,
    best_first::{BestFirstSearch, Current, NeighborEntry, SearchInput, search},
    rules::Rules,
};
use crate::navmesh::{INSIDE, Link, Marks, NavMesh, Portal};

/// Parameters of [`find_corridor`].
#[derive(Clone, Copy, Debug)]
pub struct CorridorRequest<'a> {
    /// Start of the corridor.
    pub start: MeshPoint,
    /// End of the corridor.
    pub end: MeshPoint,
    /// The polygons that may be used, and their costs.
    pub filter: &'a Filter,
    /// Maximum number of nodes of the search.
    pub max_nodes: usize,
    /// Whether to search from the end, following links in reverse. Off by default. The corridor is still meant to be
    /// walked from start to end: one-way off-mesh links are only used in their direction, and the entering cost of an
    /// area applies where the walker enters it.
    ///
    /// - If there is a path, both searches find one. Their corridors and costs can differ, because each measures
    ///   between the edge midpoints that it reaches first. If all links are bidirectional, the result equals that of a
    ///   search from the start for the way back.
    /// - If the end cannot be reached from the start, the corridor begins at the ground polygon nearest to the start
    ///   from which it can. (A search from the start ends at the reachable polygon nearest to the end.) Its cost is
    ///   measured from where this polygon is left. If the filter rejects the end's own polygon, nothing leads there and
    ///   the corridor is empty.
    /// - A trace lists the polygon of the end first; positions are where polygons are left, and `g` is the cost from
    ///   there to the end.
    ///
    /// Use it if few polygons lead to the end: the search from the end is then much smaller than the search from the
    /// start. The first such search after tiles were added or removed lists the links of the whole navmesh by target,
    /// with 8 bytes per link.
    ///
    /// Source: the backtracking search of Unreal's navmesh. Differs: Detour has no such search. Unreal's result starts
    /// where the search began; this one is in walking order.
    pub backwards: bool,
}

impl<'a> CorridorRequest<'a> {
    /// Requests the corridor from `start` to `end`, with Detour's maximum number of nodes, searched from the start.
    pub fn new(start: MeshPoint, end: MeshPoint, filter: &'a Filter) -> Self {
        Self { start, end, filter, max_nodes: MAX_NODES, backwards: false }
    }
}

/// Finds the cheapest corridor between two points of the mesh.
///
/// The search measures between the midpoints of the edges crossed. As in Detour, a polygon keeps the midpoint over
/// which it was first reached, even if a cheaper one is found later. So the corridor is nearly the cheapest, and its
/// cost can be slightly less than the length of a path in it.
///
/// # Errors
/// Returns a [`QueryError`] if a polygon is stale, a point not finite, or a cost of the filter negative or not
/// finite.
///
/// Source: `dtNavMeshQuery::findPath`.
pub fn find_corridor(
    mesh: &NavMesh,
    request: &CorridorRequest<'_>,
    scratch: &mut Scratch,
) -> Result<Corridor, QueryError> {
    let mut corridor = Corridor::default();
    find_corridor_into(mesh, request, scratch, &mut corridor)?;
    Ok(corridor)
}

/// Like [`find_corridor`], but reuses the memory of an earlier corridor: if both were used before, nothing is
/// allocated.
///
/// # Errors
/// See [`find_corridor`]. `corridor` is then empty.
pub fn find_corridor_into(
    mesh: &NavMesh,
    request: &CorridorRequest<'_>,
    scratch: &mut Scratch,
    corridor: &mut Corridor,
) -> Result<(), QueryError> {
    let CorridorRequest { start, end, filter, max_nodes, backwards } = *request;
    corridor.clear();
    let outcome = scratch.with_trace(|scratch, trace| {
        let input = SearchInput::new(mesh, [start, end], filter, max_nodes)?;
        let input = if backwards { input.backwards() } else { input };
        search(mesh, &input, (scratch, trace), &mut corridor.polys)
    })?;
    corridor.set(outcome);
    Ok(())
}

impl<R: Rules> BestFirstSearch<'_, R> {
    /// Expands a node: reaches the neighbors of its polygon over the links.
    pub(super) fn expand(&mut self, current: &Current) {
        let graph = self.graph;
        for (&link, portal) in graph.links(current.poly).iter().zip(self.portals.of(current.poly)) {
            if current.before != Some(link.to) {
                self.follow(current, link, portal);
            }
        }
    }

    /// Reaches a neighbor over a link, and updates its node if this is the cheapest path so far.
    #[inline]
    fn follow(&mut self, current: &Current, link: Link, portal: &Portal) {
        let Marks { flags, area, .. } = self.graph.marks(link.to);
        let filter = self.input.filter;
        if !filter.passes_flags(flags) || !self.rules.admits(self.mesh, link) {
            self.note(HeldBack::Filter);
            return;
        }
        // A polygon has a node for each pair of tile borders over which it is entered.
        let state = if link.side == INSIDE { 0 } else { link.side >> 1 };
        let Some((node, position)) = self.meet(current, link.to, state, portal) else { return };
        let here = current.cost + current.position.distance(position) * current.cost_per_meter;
        let here = self.rules.entered(here, current.area, area);
        let to_end = position.distance(self.input.goal.point);
        let is_end = link.to == self.input.goal_at;
        let cost = if is_end { here + to_end * filter.cost_in(area) } else { here };
        let estimate = if is_end { 0.0 } else { self.rules.estimate(to_end) };
        self.keep(current, node, NeighborEntry { position, cost, estimate, may_be_last: true });
    }
}
