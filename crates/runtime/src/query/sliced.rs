//! A corridor search that is spread over several calls, with a few polygons per call.
//!
//! With shortcuts, it tests for each reached polygon whether there is a straight line from the entry point of its
//! grandparent. Corridors then cross open ground like a ray.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{
    Corridor, CorridorOutcome, Expansion, Filter, HeldBack, MAX_NODES, MeshPoint, QueryError,
    Scratch,
    best_first::add_start,
    error::check_finite,
    node::{Node, Status},
    raycast::{Raycast, RaycastRequest, raycast_into},
    rules::{AsDetour, Extended, Rules},
    trace::{Observer as _, Trace},
    why,
};
use crate::{
    navmesh::{Link, Marks, NavMesh, PolyAt, PolyRef, Portal, Revision},
    search::{NodeIdx, NodePool, OpenList},
};

/// Maximum length of a shortcut, as a multiple of the agent's radius.
const SHORTCUT_REACH: f32 = 50.0;

/// Whether a sliced search looks for any-angle shortcuts over several polygons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shortcuts {
    /// No shortcuts.
    #[default]
    None,
    /// Like Detour's `DT_FINDPATH_ANY_ANGLE`: rays end where they leave the first polygon, so few shortcuts are found.
    AsDetour,
    /// Shortcuts over any number of polygons. Corridors are slightly shorter, and the search takes longer.
    Far,
}

/// State of a sliced search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SlicedState {
    /// The search is not finished.
    Searching,
    /// The end was reached, or all reachable polygons were expanded.
    Done,
}

/// A polygon that a sliced search has encountered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchNode {
    /// The polygon.
    pub poly: PolyRef,
    /// The point where it was first entered.
    pub position: Vec3,
    /// Index of its parent in the list of nodes.
    pub parent: Option<usize>,
    /// Whether it is on the open list; else it was expanded.
    pub is_open: bool,
}

/// Parameters of [`SlicedPath`].
#[derive(Clone, Copy, Debug)]
pub struct SlicedRequest {
    /// Start of the corridor.
    pub start: MeshPoint,
    /// End of the corridor.
    pub end: MeshPoint,
    /// Whether the search looks for straight lines over several polygons.
    pub shortcuts: Shortcuts,
    /// Maximum number of nodes of the search.
    pub max_nodes: usize,
}

impl SlicedRequest {
    /// Requests the corridor from `start` to `end` without shortcuts, with Detour's maximum number of nodes.
    pub fn new(start: MeshPoint, end: MeshPoint) -> Self {
        Self { start, end, shortcuts: Shortcuts::None, max_nodes: MAX_NODES }
    }
}

/// A corridor search that runs step by step. It keeps its scratch, and with a traced scratch also a trace.
///
/// ```no_run
/// # use walkable::{navmesh::NavMesh, query::*};
/// # fn a_frame(mesh: &NavMesh, [start, end]: [MeshPoint; 2]) -> Result<Corridor, QueryError> {
/// let filter = Filter::default();
/// let mut search = SlicedPath::new(mesh, &SlicedRequest::new(start, end), Scratch::default())?;
/// while search.step(mesh, &filter, 50)? == SlicedState::Searching {
///     // Here a game would wait for its next frame.
/// }
/// search.corridor(mesh, &filter)
/// # }
/// ```
///
/// Tiles may be added and removed between steps. The search fails only if it encounters a polygon of a removed tile.
/// The corridor so far is available at any time, unless one of its polygons was removed.
///
/// Source: `dtNavMeshQuery::initSlicedFindPath` and the related functions. Differs: a search can continue after its
/// corridor was requested; it may visit as many polygons as [`find_corridor`](super::find_corridor) with the same
/// number of nodes, but like Detour has only one node per polygon.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SlicedPath {
    ends: [MeshPoint; 2],
    shortcuts: Shortcuts,
    max_nodes: usize,
    /// Squared maximum length of a shortcut.
    reach_sqr: f32,
    state: SlicedState,
    /// Why the search failed, if it did.
    #[serde(with = "super::as_list::failure")]
    failure: Option<QueryError>,
    /// The revision of the tiles for which `nodes` are numbered.
    #[serde(skip)]
    structure: Revision,
    nodes: NodePool<Node>,
    /// Polygon of each node.
    polys: Vec<PolyRef>,
    open: OpenList,
    best: Option<NodeIdx>,
    least_estimate: f32,
    held_back: Option<HeldBack>,
    n_expanded: usize,
    /// Buffers for a sequence of nodes, and for a ray.
    #[serde(skip)]
    chain: Vec<NodeIdx>,
    #[serde(skip)]
    ray: Raycast,
    #[serde(skip)]
    trace: Option<Trace>,
}

impl SlicedPath {
    /// Creates a search, which takes the memory of `scratch`, without running it.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if a polygon is stale or a point not finite.
    pub fn new(
        mesh: &NavMesh,
        request: &SlicedRequest,
        scratch: Scratch,
    ) -> Result<Self, QueryError> {
        let Scratch { nodes, open, trace, .. } = scratch;
        let ends = [request.start, request.end];
        let mut search = Self {
            ends,
            shortcuts: request.shortcuts,
            max_nodes: request.max_nodes,
            reach_sqr: 0.0,
            state: SlicedState::Done,
            failure: None,
            structure: mesh.structure().clone(),
            nodes,
            polys: Vec::new(),
            open,
            best: None,
            least_estimate: 0.0,
            held_back: None,
            n_expanded: 0,
            chain: Vec::new(),
            ray: Raycast::default(),
            trace,
        };
        search.restart(mesh, ends)?;
        Ok(search)
    }

    /// Returns what was expanded so far, in order; empty if the scratch keeps no trace.
    pub fn expanded(&self) -> &[Expansion] {
        self.trace.as_ref().map_or(&[], |trace| &trace.expanded)
    }

    /// Restarts the search with other ends. Reuses its allocations.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if a polygon is stale or a point is not finite. The search is then finished.
    pub fn restart(&mut self, mesh: &NavMesh, ends: [MeshPoint; 2]) -> Result<(), QueryError> {
        self.state = SlicedState::Done;
        self.best = None;
        let begun = self.begin(mesh, ends);
        self.failure = begun.err();
        begun
    }

    fn begin(&mut self, mesh: &NavMesh, ends: [MeshPoint; 2]) -> Result<(), QueryError> {
        let [start, end] = ends;
        check_finite("the start", start.point)?;
        check_finite("the end", end.point)?;
        let [at, _] = locate(mesh, ends)?;
        self.ends = ends;
        self.structure = mesh.structure().clone();
        self.nodes.reset(mesh.n_nodes(), self.max_nodes.max(1));
        self.open.clear();
        self.polys.clear();
        self.trace.iter_mut().for_each(Trace::clear);
        (self.held_back, self.n_expanded) = (None, 0);
        let reach = mesh.live(at.tile).tile.header.walkable_radius * SHORTCUT_REACH;
        self.reach_sqr = reach * reach;
        if start.poly != end.poly {
            self.state = SlicedState::Searching;
        }
        Ok(())
    }

    /// Returns whether all node indices are valid. In a search that was read from a file, they may not be.
    pub(crate) fn is_sound(&self) -> bool {
        let is_there = |node: NodeIdx| node.position() < self.nodes.len();
        let mut nodes = (0..self.nodes.len()).filter_map(|place| self.nodes.nth(place));
        self.polys.len() == self.nodes.len()
            && self.best.is_none_or(is_there)
            && self.open.nodes().all(is_there)
            && nodes.all(|node| self.nodes[node].parent.is_none_or(is_there))
    }

    /// Returns the ends of the search.
    pub fn ends(&self) -> [MeshPoint; 2] {
        self.ends
    }

    /// Returns the state of the search.
    pub fn state(&self) -> SlicedState {
        self.state
    }

    /// Returns the number of polygons expanded so far.
    pub fn n_expanded(&self) -> usize {
        self.n_expanded
    }

    /// Returns the number of polygons encountered so far, whether expanded or open.
    pub fn n_nodes(&self) -> usize {
        self.polys.len()
    }

    /// Returns the polygons encountered so far, in the order in which they were first reached.
    pub fn nodes(&self) -> impl Iterator<Item = SearchNode> {
        let node = |(place, &poly): (usize, &PolyRef)| {
            let Node { position, parent, status, .. } = self.nodes[self.nodes.nth(place)?];
            let parent = parent.map(NodeIdx::position);
            Some(SearchNode { poly, position, parent, is_open: status == Status::Open })
        };
        self.polys.iter().enumerate().filter_map(node)
    }

    /// Expands up to `n` more polygons.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if the polygon of an end, or one that the search encounters again, was removed, or if
    /// a cost of the filter is invalid. The search is then finished.
    pub fn step(
        &mut self,
        mesh: &NavMesh,
        filter: &Filter,
        n: usize,
    ) -> Result<SlicedState, QueryError> {
        if self.state == SlicedState::Searching {
            let stepped = filter.check().and_then(|()| {
                if filter.is_as_detour() {
                    self.advance(mesh, filter, AsDetour, n)
                } else {
                    self.advance(mesh, filter, Extended::new(filter), n)
                }
            });
            if let Err(error) = stepped {
                self.state = SlicedState::Done;
                self.best = None;
                self.failure = Some(error);
                return stepped;
            }
        }
        Ok(self.state)
    }

    /// Returns the corridor from the start to the end, or to the polygon with the smallest heuristic so far. The cost
    /// is that of [`find_corridor`](super::find_corridor).
    ///
    /// # Errors
    /// Returns a [`QueryError`] if a polygon of the corridor was removed, or the search failed.
    ///
    /// Source: `dtNavMeshQuery::finalizeSlicedFindPath`.
    pub fn corridor(&mut self, mesh: &NavMesh, filter: &Filter) -> Result<Corridor, QueryError> {
        let mut corridor = Corridor::default();
        self.corridor_into(mesh, filter, &mut corridor)?;
        Ok(corridor)
    }

    /// Like [`SlicedPath::corridor`], but reuses the memory of an earlier corridor.
    ///
    /// # Errors
    /// See [`SlicedPath::corridor`]. `corridor` is then empty.
    pub fn corridor_into(
        &mut self,
        mesh: &NavMesh,
        filter: &Filter,
        corridor: &mut Corridor,
    ) -> Result<(), QueryError> {
        corridor.clear();
        let outcome = self.find_polys(mesh, filter, &mut corridor.polys)?;
        corridor.set(outcome);
        Ok(())
    }

    /// Like [`SlicedPath::corridor`], but leads to the last polygon of `existing` that the search has encountered, so
    /// that the result can replace the beginning of that corridor.
    ///
    /// # Errors
    /// See [`SlicedPath::corridor`].
    ///
    /// Source: `dtNavMeshQuery::finalizeSlicedFindPathPartial`.
    pub fn corridor_along(
        &mut self,
        mesh: &NavMesh,
        filter: &Filter,
        existing: &[PolyRef],
    ) -> Result<Corridor, QueryError> {
        let mut corridor = Corridor::default();
        self.corridor_along_into(mesh, filter, existing, &mut corridor)?;
        Ok(corridor)
    }

    /// Like [`SlicedPath::corridor_along`], but reuses the memory of an earlier corridor.
    ///
    /// # Errors
    /// See [`SlicedPath::corridor`]. `corridor` is then empty.
    pub fn corridor_along_into(
        &mut self,
        mesh: &NavMesh,
        filter: &Filter,
        existing: &[PolyRef],
        corridor: &mut Corridor,
    ) -> Result<(), QueryError> {
        corridor.clear();
        let outcome = self.find_polys_along(mesh, filter, existing, &mut corridor.polys)?;
        corridor.set(outcome);
        Ok(())
    }

    /// Stores the polygons of [`SlicedPath::corridor`] in `corridor`; none on error.
    pub(crate) fn find_polys(
        &mut self,
        mesh: &NavMesh,
        filter: &Filter,
        corridor: &mut Vec<PolyRef>,
    ) -> Result<CorridorOutcome, QueryError> {
        self.follow_tiles(mesh);
        self.row_to((self.best, Removed::Refused), mesh, filter, corridor)
    }

    /// Like [`SlicedPath::find_polys`], but the corridor may contain polygons that were removed after the search had
    /// expanded their successors, as in Detour.
    pub(crate) fn find_polys_with_removed(
        &mut self,
        mesh: &NavMesh,
        filter: &Filter,
        corridor: &mut Vec<PolyRef>,
    ) -> Result<CorridorOutcome, QueryError> {
        self.follow_tiles(mesh);
        self.row_to((self.best, Removed::Kept), mesh, filter, corridor)
    }

    /// Stores the polygons of [`SlicedPath::corridor_along`] in `corridor`; none on error.
    pub(crate) fn find_polys_along(
        &mut self,
        mesh: &NavMesh,
        filter: &Filter,
        existing: &[PolyRef],
        corridor: &mut Vec<PolyRef>,
    ) -> Result<CorridorOutcome, QueryError> {
        self.follow_tiles(mesh);
        let met = existing.iter().rev().find_map(|&poly| {
            let place = self.polys.iter().position(|&met| met == poly)?;
            self.nodes.nth(place)
        });
        self.row_to((met.or(self.best), Removed::Refused), mesh, filter, corridor)
    }

    /// Renumbers nodes after tiles were added or removed.
    fn follow_tiles(&mut self, mesh: &NavMesh) {
        if self.structure.is(mesh.structure()) {
            return;
        }
        self.structure = mesh.structure().clone();
        let polys = &self.polys;
        self.nodes.renumber(mesh.n_nodes(), |node, value| {
            let at = polys.get(node.position()).and_then(|&poly| mesh.locate(poly))?;
            value.poly = mesh.number_of(at);
            Some(value.poly)
        });
    }

    fn advance<R: Rules>(
        &mut self,
        mesh: &NavMesh,
        filter: &Filter,
        rules: R,
        n: usize,
    ) -> Result<SlicedState, QueryError> {
        let [start_at, end_at] = locate(mesh, self.ends)?.map(|at| mesh.number_of(at));
        self.follow_tiles(mesh);
        if self.best.is_none() {
            let start = add_start(start_at, self.ends, rules, (&mut self.nodes, &mut self.open));
            self.polys.push(self.ends[0].poly);
            self.best = start;
            self.least_estimate = start.map_or(0.0, |start| self.nodes[start].total);
        }
        for _ in 0..n {
            if self.n_expanded >= rules.max_expansions() {
                self.held_back = self.held_back.max(Some(HeldBack::LoopBound));
                self.state = SlicedState::Done;
            }
            let Some(node) = self.open.pop().filter(|_| self.state == SlicedState::Searching)
            else {
                break;
            };
            self.n_expanded += 1;
            self.still_there(mesh, node)?;
            if let Some(trace) = &mut self.trace {
                trace.expanded(mesh, &self.nodes, node);
            }
            self.nodes[node].status = Status::Closed;
            if self.polys[node.position()] == self.ends[1].poly {
                self.best = Some(node);
                self.state = SlicedState::Done;
                break;
            }
            self.expand(mesh, filter, rules, (node, end_at))?;
        }
        if self.open.is_empty() {
            self.state = SlicedState::Done;
        }
        Ok(self.state)
    }

    /// Returns the polygon of a node, or an error if it was removed.
    fn still_there(&self, mesh: &NavMesh, node: NodeIdx) -> Result<u32, QueryError> {
        let poly = self.polys[node.position()];
        let at = mesh.locate(poly).ok_or(QueryError::StalePolygon { poly })?;
        Ok(mesh.number_of(at))
    }

    fn expand<R: Rules>(
        &mut self,
        mesh: &NavMesh,
        filter: &Filter,
        rules: R,
        (node, end_at): (NodeIdx, u32),
    ) -> Result<(), QueryError> {
        let from = self.still_there(mesh, node)?;
        let parent = self.nodes[node].parent;
        let parent_poly = parent.map(|parent| self.still_there(mesh, parent)).transpose()?;
        if let Some(grandparent) = parent.and_then(|parent| self.nodes[parent].parent) {
            self.still_there(mesh, grandparent)?;
        }
        let graph = mesh.graph();
        let poly = graph.marks(from);
        let position = self.nodes[node].position;
        let casts_from = parent.filter(|&parent| {
            self.shortcuts != Shortcuts::None
                && self.nodes[parent].position.distance_squared(position) < self.reach_sqr
        });
        let current = Current { mesh, filter, node, poly, parent, casts_from, end_at };
        for (&link, portal) in graph.links(from).iter().zip(mesh.portals().of(from)) {
            if parent_poly != Some(link.to) {
                self.follow(&current, (link, portal), rules)?;
            }
        }
        Ok(())
    }

    /// Follows a link to a neighbor, and updates the neighbor if that path is the cheapest so far.
    fn follow<R: Rules>(
        &mut self,
        current: &Current<'_>,
        (link, portal): (Link, &Portal),
        rules: R,
    ) -> Result<(), QueryError> {
        let poly = current.mesh.graph().marks(link.to);
        if !current.filter.passes_flags(poly.flags) || !rules.admits(current.mesh, link) {
            self.held_back = self.held_back.max(Some(HeldBack::Filter));
            return Ok(());
        }
        let Some(neighbor) = self.meet(current.mesh, link.to) else {
            self.held_back = self.held_back.max(Some(HeldBack::NodeLimit));
            return Ok(());
        };
        let known = self.nodes[neighbor].clone();
        // The parent has already reached it.
        let is_sibling = known.parent.is_some() && known.parent == current.parent;
        if is_sibling || known.status == Status::Closed && rules.skips_closed() {
            return Ok(());
        }
        let position = if known.status == Status::New || rules.moves_entries() {
            portal.midpoint()
        } else {
            known.position
        };
        if known.status == Status::New {
            self.nodes[neighbor].position = position;
        }
        let shortcut = self.shortcut(current, position)?;
        let from = &self.nodes[current.node];
        let here = shortcut.unwrap_or_else(|| {
            let step = from.position.distance(position) * current.filter.cost_in(current.poly.area);
            rules.entered(from.cost + step, current.poly.area, poly.area)
        });
        let to_end = position.distance(self.ends[1].point);
        let (cost, estimate) = if link.to == current.end_at {
            (here + to_end * current.filter.cost_in(poly.area), 0.0)
        } else {
            (here, rules.estimate(to_end))
        };
        let total = cost + estimate;
        let was_reached = known.status != Status::New;
        if was_reached && (total >= known.total || rules.moves_entries() && cost >= known.cost) {
            return Ok(());
        }
        if rules.exceeds_cost_limit(total) {
            self.held_back = self.held_back.max(Some(HeldBack::CostLimit));
            return Ok(());
        }
        let is_detached = shortcut.is_some();
        let parent = if is_detached { current.parent } else { Some(current.node) };
        let (poly, status) = (link.to, Status::Open);
        self.nodes[neighbor] = Node { poly, position, cost, total, parent, status, is_detached };
        if known.status == Status::Open {
            self.open.lower(neighbor, total);
        } else {
            self.open.push(neighbor, total);
        }
        if estimate < self.least_estimate {
            self.least_estimate = estimate;
            self.best = Some(neighbor);
        }
        Ok(())
    }

    /// Returns the node of a polygon; `None` if the node limit is reached.
    fn meet(&mut self, mesh: &NavMesh, poly: u32) -> Option<NodeIdx> {
        let node = self.nodes.find_or_add(poly, 0, || Node::new(poly))?;
        if node.position() == self.polys.len() {
            self.polys.push(mesh.ref_of(poly));
        }
        Some(node)
    }

    /// Returns the cost of the straight line from the parent to `to`, if it is walkable and shortcuts are enabled.
    fn shortcut(&mut self, current: &Current<'_>, to: Vec3) -> Result<Option<f32>, QueryError> {
        let Some(parent) = current.casts_from else { return Ok(None) };
        let node = &self.nodes[parent];
        let from = MeshPoint { poly: self.polys[parent.position()], point: node.position };
        let max_polys = if self.shortcuts == Shortcuts::Far { usize::MAX } else { 0 };
        let request = RaycastRequest { max_polys, ..RaycastRequest::new(from, to, current.filter) };
        raycast_into(current.mesh, &request, &mut self.ray)?;
        let hit = self.ray.hit;
        Ok(hit.t.is_none_or(|t| t >= 1.0).then_some(node.cost + hit.cost))
    }

    /// Stores in `corridor` the polygons from the start to `last`, including those that rays passed; empty on error.
    fn row_to(
        &mut self,
        last: (Option<NodeIdx>, Removed),
        mesh: &NavMesh,
        filter: &Filter,
        corridor: &mut Vec<PolyRef>,
    ) -> Result<CorridorOutcome, QueryError> {
        corridor.clear();
        let outcome = match self.failure {
            Some(failure) => Err(failure),
            None => self.append_row(last, mesh, filter, corridor),
        };
        if outcome.is_err() {
            corridor.clear();
        }
        outcome
    }

    fn append_row(
        &mut self,
        (last, removed): (Option<NodeIdx>, Removed),
        mesh: &NavMesh,
        filter: &Filter,
        corridor: &mut Vec<PolyRef>,
    ) -> Result<CorridorOutcome, QueryError> {
        let (held_back, n_expanded) = (self.held_back, self.n_expanded);
        let [start, end] = self.ends;
        let Some(last) = last else {
            return self.row_of_one(mesh, filter, corridor);
        };
        self.chain.clear();
        let mut next = Some(last);
        // A search that was read from a file could contain a cycle.
        while let Some(node) = next.filter(|_| self.chain.len() < self.nodes.len()) {
            self.chain.push(node);
            next = self.nodes[node].parent;
        }
        self.chain.reverse();
        if removed == Removed::Refused {
            self.chain.iter().try_for_each(|&node| self.still_there(mesh, node).map(drop))?;
        }
        for (index, &node) in self.chain.iter().enumerate() {
            let poly = self.polys[node.position()];
            let after = self.chain.get(index + 1).filter(|after| self.nodes[**after].is_detached);
            let Some(&after) = after else {
                corridor.push(poly);
                continue;
            };
            let from = MeshPoint { poly, point: self.nodes[node].position };
            let to = self.nodes[after].position;
            raycast_into(mesh, &RaycastRequest::new(from, to, filter), &mut self.ray)?;
            corridor.extend_from_slice(&self.ray.visited);
            // The ray may have entered the next polygon.
            if corridor.last() == Some(&self.polys[after.position()]) {
                corridor.pop();
            }
        }
        let is_complete = self.polys[last.position()] == end.poly && start.poly != end.poly;
        let is_numbered = self.structure.is(mesh.structure());
        let held_back = if is_complete || !is_numbered {
            held_back
        } else {
            why::held_back_at_edge(mesh, &self.nodes, held_back)
        };
        Ok(CorridorOutcome { is_complete, held_back, cost: self.nodes[last].cost, n_expanded })
    }

    /// Sets the result if nothing has been searched: only the first polygon, which may also be the last.
    fn row_of_one(
        &self,
        mesh: &NavMesh,
        filter: &Filter,
        corridor: &mut Vec<PolyRef>,
    ) -> Result<CorridorOutcome, QueryError> {
        let [start, end] = self.ends;
        let [at, _] = locate(mesh, self.ends)?;
        corridor.push(start.poly);
        let is_complete = start.poly == end.poly;
        let poly = &mesh.live(at.tile).tile.polys[at.poly as usize];
        let cost = start.point.distance(end.point) * filter.cost_per_meter(poly);
        let cost = if is_complete { cost } else { 0.0 };
        Ok(CorridorOutcome { is_complete, held_back: None, cost, n_expanded: 0 })
    }
}

/// How to handle polygons of a corridor that were removed during the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Removed {
    /// Returns an error.
    Refused,
    /// Keeps them in the corridor.
    Kept,
}

/// The node being expanded.
struct Current<'a> {
    mesh: &'a NavMesh,
    filter: &'a Filter,
    node: NodeIdx,
    poly: Marks,
    parent: Option<NodeIdx>,
    /// The parent, if a shortcut from it may be tested.
    casts_from: Option<NodeIdx>,
    /// Number of the end's polygon.
    end_at: u32,
}

fn locate(mesh: &NavMesh, ends: [MeshPoint; 2]) -> Result<[PolyAt; 2], QueryError> {
    let at =
        |end: MeshPoint| mesh.locate(end.poly).ok_or(QueryError::StalePolygon { poly: end.poly });
    Ok([at(ends[0])?, at(ends[1])?])
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, sync::Arc};

    use glam::Vec3;

    use super::*;
    use crate::{
        ids::TileCoord,
        navmesh::sample::{mesh, solo, tile},
        query::{CorridorRequest, NearestRequest, find_corridor, nearest},
    };

    fn ends(mesh: &NavMesh, places: [[f32; 2]; 2]) -> [MeshPoint; 2] {
        places.map(|[x, z]| {
            let (center, half_extents) = (Vec3::new(x, 0.0, z), Vec3::splat(0.1));
            let request = NearestRequest { center, half_extents, filter: &Filter::default() };
            nearest(mesh, &request).unwrap().unwrap()
        })
    }

    fn sliced(mesh: &NavMesh, [start, end]: [MeshPoint; 2], scratch: Scratch) -> SlicedPath {
        let request = SlicedRequest { max_nodes: 99, ..SlicedRequest::new(start, end) };
        SlicedPath::new(mesh, &request, scratch).unwrap()
    }

    const WALL: [&str; 5] = [".....", ".###.", ".....", "####.", "....."];

    #[test]
    fn small_steps_find_what_one_search_finds() {
        let (mesh, filter) = (solo(&WALL), Filter::default());
        let ends = ends(&mesh, [[0.5, 4.5], [0.5, 2.5]]);
        let request = CorridorRequest::new(ends[0], ends[1], &filter);
        let whole = find_corridor(&mesh, &request, &mut Scratch::default()).unwrap();
        let mut search = sliced(&mesh, ends, Scratch::traced());
        let mut lengths = Vec::new();
        while search.step(&mesh, &filter, 1).unwrap() == SlicedState::Searching {
            let corridor = search.corridor(&mesh, &filter).unwrap().polys;
            assert_eq!(crate::query::n_usable(&mesh, &corridor, &filter), corridor.len());
            lengths.push(corridor.len());
            assert!(search.n_nodes() > search.n_expanded(), "some wait");
        }
        let corridor = search.corridor(&mesh, &filter).unwrap();
        assert_eq!(corridor, whole);
        assert_eq!(search.n_expanded(), lengths.len() + 1);
        assert_eq!(search.expanded().len(), search.n_expanded());
        let nodes: Vec<_> = search.nodes().collect();
        assert_eq!(nodes.len(), search.n_nodes());
        let closed: BTreeSet<_> = search.expanded().iter().map(|node| node.poly).collect();
        assert!(nodes.iter().all(|node| node.is_open != closed.contains(&node.poly)));
        let mut node = nodes.iter().find(|node| node.poly == ends[1].poly);
        let mut back = Vec::new();
        while let Some(SearchNode { poly, parent, .. }) = node {
            back.push(*poly);
            node = parent.and_then(|parent| nodes.get(parent));
        }
        back.reverse();
        assert_eq!(back, whole.polys);
        assert_eq!(search.expanded().last().map(|last| last.poly), whole.polys.last().copied());
        search.restart(&mesh, [ends[0]; 2]).unwrap();
        assert_eq!(search.step(&mesh, &filter, 1), Ok(SlicedState::Done));
        let corridor = search.corridor(&mesh, &filter).unwrap();
        assert_eq!((corridor.is_complete, corridor.polys), (true, vec![ends[0].poly]));
    }

    #[test]
    fn shortcuts_cross_open_ground_in_a_connected_row() {
        let mut open = tile(0, 0, &["........"; 8]);
        open.header.walkable_radius = 0.5;
        let (mesh, filter) = (mesh([open]), Filter::default());
        let ends = ends(&mesh, [[0.5, 0.5], [7.5, 4.5]]);
        let cost = |shortcuts| {
            let request = SlicedRequest { shortcuts, ..SlicedRequest::new(ends[0], ends[1]) };
            let mut search = SlicedPath::new(&mesh, &request, Scratch::default()).unwrap();
            while search.step(&mesh, &filter, 3).unwrap() == SlicedState::Searching {}
            let Corridor { polys, is_complete, cost, .. } =
                search.corridor(&mesh, &filter).unwrap();
            assert!(is_complete && polys.last() == Some(&ends[1].poly));
            assert_eq!(crate::query::n_usable(&mesh, &polys, &filter), polys.len());
            cost
        };
        let straight = ends[0].point.distance(ends[1].point);
        let (far, none) = (cost(Shortcuts::Far), cost(Shortcuts::None));
        assert!(far < none && far > straight - 1e-3 && far < straight + 0.1, "{far} {none}");
    }

    #[test]
    fn tiles_may_come_and_go_between_steps() {
        let filter = Filter::default();
        let all: Vec<_> = (0..4).map(|x| tile(x, 0, &["..", ".."])).collect();
        let mut mesh = mesh(all.clone());
        let ends = ends(&mesh, [[0.5, 0.5], [5.5, 1.5]]);
        let mut search = sliced(&mesh, ends, Scratch::default());
        search.step(&mesh, &filter, 2).unwrap();
        // Removes a tile that contains no polygon of the search; the others are renumbered.
        mesh.remove_tiles_at(TileCoord::new(3, 0));
        while search.step(&mesh, &filter, 2).unwrap() == SlicedState::Searching {}
        let Corridor { polys, is_complete, .. } = search.corridor(&mesh, &filter).unwrap();
        assert!(is_complete);
        assert_eq!(crate::query::n_usable(&mesh, &polys, &filter), polys.len());

        // Removes and restores a tile that the search needs: its polygons have new references.
        search.restart(&mesh, ends).unwrap();
        search.step(&mesh, &filter, 4).unwrap();
        mesh.remove_tiles_at(TileCoord::new(1, 0));
        mesh.add_tile(Arc::new(all[1].clone())).unwrap();
        let mut stepped = search.step(&mesh, &filter, 1);
        while stepped == Ok(SlicedState::Searching) {
            stepped = search.step(&mesh, &filter, 1);
        }
        assert!(matches!(stepped, Err(QueryError::StalePolygon { .. })), "{stepped:?}");
        assert_eq!(search.step(&mesh, &filter, 1), Ok(SlicedState::Done));
    }

    #[test]
    fn corridors_over_tiles_that_are_gone_are_errors() {
        let filter = Filter::default();
        let all: Vec<_> = (0..4).map(|x| tile(x, 0, &["..", ".."])).collect();
        let mut mesh = mesh(all.clone());
        let ends = ends(&mesh, [[0.5, 0.5], [7.5, 1.5]]);
        let mut done = sliced(&mesh, ends, Scratch::default());
        let mut begun = done.clone();
        begun.step(&mesh, &filter, 2).unwrap();
        while done.step(&mesh, &filter, 2).unwrap() == SlicedState::Searching {}
        let existing = done.corridor(&mesh, &filter).unwrap().polys;

        // Replaces a tile in the middle of the corridor by another one.
        mesh.remove_tiles_at(TileCoord::new(1, 0));
        mesh.add_tile(Arc::new(all[1].clone())).unwrap();
        let gone = existing.iter().copied().find(|&poly| mesh.locate(poly).is_none()).unwrap();
        let stale = Err(QueryError::StalePolygon { poly: gone });
        let mut kept = vec![gone];
        done.find_polys_with_removed(&mesh, &filter, &mut kept).unwrap();
        assert_eq!(kept, existing, "as in Detour");
        let mut corridor = Corridor { polys: vec![gone], ..Corridor::default() };
        let stale_into = stale.clone().map(|_| ());
        assert_eq!(done.corridor_into(&mesh, &filter, &mut corridor), stale_into);
        assert_eq!(corridor.polys, [], "no row with a hole in it");
        let along = done.corridor_along_into(&mesh, &filter, &existing, &mut corridor);
        assert_eq!((along, corridor.polys), (stale_into, vec![]));

        // A search that failed there has no corridor, not even one with only the start.
        let mut stepped = begun.step(&mesh, &filter, 1);
        while stepped == Ok(SlicedState::Searching) {
            stepped = begun.step(&mesh, &filter, 1);
        }
        let Err(error) = stepped else { unreachable!("it must cross the tile that is gone") };
        assert_eq!(begun.corridor(&mesh, &filter), Err(error));
        assert_eq!(begun.corridor_along(&mesh, &filter, &existing), Err(error));

        // The next search is independent, unless it cannot be started.
        begun.restart(&mesh, [ends[0]; 2]).unwrap();
        assert!(begun.corridor(&mesh, &filter).unwrap().is_complete);
        let lost = MeshPoint { poly: gone, ..ends[1] };
        assert_eq!(begun.restart(&mesh, [ends[0], lost]), stale.clone().map(|_| ()));
        assert_eq!(begun.corridor(&mesh, &filter), stale);
    }
}
