//! Routes across worlds: the cheapest path between two distant points, found with precomputed costs.
//!
//! The tiles are grouped into squares, called cells, on several levels. A [`RouteOverlay`] stores the costs from border
//! to border of each cell. A search uses the largest cells that contain neither start nor end, so it visits few
//! crossings. Source: Delling, Goldberg, Pajor, Werneck: "Customizable Route Planning", 2011.

mod bytes;
mod cell_graph;
mod cells;
mod clusters;
mod costs;
mod hash;
mod leaf;
mod local;
mod matrix;
mod overlay;
mod reachable;
#[cfg(test)]
mod reachable_tests;
mod search;
#[cfg(test)]
mod tests;
mod unpack;
mod update;

pub use bytes::RouteFileError;
use glam::Vec3;
pub use overlay::RouteOverlay;
pub use reachable::{RouteCluster, nearest_reachable};
pub(super) use search::Memory;
pub use search::SearchedCell;
pub use unpack::route_corridor;
pub use update::RouteUpdate;

use self::{
    cells::{CellPoly, Crossing, NONE},
    costs::{MAX_COST, UNREACHED, in_meters},
    local::Labels,
    search::{Goal, Region, RouteSearch},
};
use super::{
    HeldBack, MeshPoint, NavPath, PathRequest, PathStatus, QueryError, Scratch,
    error::check_finite,
    find_path,
    path::{find_ends, pull},
    why,
};
use crate::navmesh::{NavMesh, TilePlace, TilePoly};

/// Parameters of [`find_route`].
#[derive(Clone, Copy, Debug)]
pub struct RouteRequest<'a> {
    /// The start.
    pub start: MeshPoint,
    /// The end.
    pub end: MeshPoint,
    /// The costs of the cells.
    pub overlay: &'a RouteOverlay,
    /// Whether to find the route to the reachable point nearest to the end, see [`nearest_reachable`], if the end
    /// cannot be reached.
    pub allows_partial: bool,
}

impl<'a> RouteRequest<'a> {
    /// Requests the cheapest route from `start` to `end`, and none if the end cannot be reached.
    pub fn new(start: MeshPoint, end: MeshPoint, overlay: &'a RouteOverlay) -> Self {
        Self { start, end, overlay, allows_partial: false }
    }
}

/// The cheapest path between two points, as the links over which it passes from cell to cell. [`route_corridor`] finds
/// the polygons between two of them.
///
/// It stays valid when tiles are loaded and dropped, and as long as the parts that the agent has not walked yet do not
/// change.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The start.
    pub start: MeshPoint,
    /// The end; for a partial route, the point to which it leads.
    pub end: MeshPoint,
    /// Whether the route leads to the requested end or is partial.
    pub status: PathStatus,
    /// The cost, see [`RouteOverlay`].
    pub cost: f32,
    /// The links over which the route passes from cell to cell.
    pub crossings: Vec<RouteCrossing>,
    /// Number of cells that the search visited.
    pub n_cells: usize,
    /// The cost in the units of the overlay.
    exact_cost: costs::Cost,
    /// The levels of the cells between the crossings.
    levels: Vec<usize>,
    /// The polygons of start and end. Unlike references, they stay the same when their tiles are loaded again.
    ends: [TilePoly; 2],
}

impl Route {
    /// Returns the number of legs: the parts from the start over the crossings to the end.
    pub fn n_legs(&self) -> usize {
        self.crossings.len() + 1
    }
}

/// A link over which a route passes from one cell into another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RouteCrossing {
    /// The polygon that the route leaves. Its tile need not be loaded.
    pub from: TilePoly,
    /// The polygon that the route enters. Its tile need not be loaded.
    pub to: TilePoly,
    /// The midpoint of the portal.
    pub point: Vec3,
}

impl RouteCrossing {
    fn new(overlay: &RouteOverlay, number: u32) -> Self {
        let Crossing { from, to, at, leaves, enters, .. } = overlay.crossings[number as usize];
        let [from, to] = [(from, leaves), (to, enters)].map(|(cell_poly, leaf)| {
            let place = overlay.levels[0].cells[leaf as usize].place;
            TilePoly { tile: cell_poly.place(place), poly: cell_poly.poly() }
        });
        Self { from, to, point: at }
    }

    /// Returns the number of the crossing; `None` if the overlay does not have it any more.
    fn number(&self, overlay: &RouteOverlay) -> Option<u32> {
        let leaf = overlay.leaf_at(self.from.tile)?;
        let exits = &overlay.levels[0].cells[leaf as usize].exits;
        exits.iter().copied().find(|&exit| {
            let crossing = &overlay.crossings[exit as usize];
            crossing.row != NONE
                && crossing.from == CellPoly::of(self.from)
                && crossing.to == CellPoly::of(self.to)
                && crossing.at == self.point
                && Self::new(overlay, exit) == *self
        })
    }
}

/// Finds the cheapest route between two points; `None` if there is none, unless the request allows a partial one.
///
/// ```
/// # use std::sync::Arc;
/// # use walkable::{bake::*, level::*, monitor::Unmonitored};
/// # use walkable::query::*;
/// # let level = generate(LevelKind::Sample, 1, 30.0)?;
/// # let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
/// # let mesh = bake(BakeInput::new(Arc::new(level.mesh), settings), &Unmonitored)?;
/// # let (filter, mut scratch) = (Filter::default(), Scratch::default());
/// # let on = |point| nearest(&mesh, &NearestRequest::new(point, &filter)).map(Option::unwrap);
/// # let (start, end) = (on(level.start)?, on(level.end)?);
/// let overlay = RouteOverlay::new(&mesh, &filter)?; // once, then `update` after changes of the navmesh
/// let route = find_route(&mesh, &RouteRequest::new(start, end, &overlay), &mut scratch)?.ok_or("unreachable")?;
/// assert!(route.cost >= start.point.distance(end.point));
/// // As the agent walks, one leg after the other:
/// let polys = route_corridor(&mesh, &overlay, &route, 0..1, &mut scratch)?;
/// assert_eq!(polys[0], start.poly);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The tiles between the cells of start and end need not be loaded.
///
/// # Errors
/// Returns a [`QueryError`] if a polygon of the request is stale, a point is not finite, the navmesh has changed since
/// the last update of the overlay, a tile of the cells of start and end is not loaded
/// ([`QueryError::TileNotLoaded`]), or the route costs more than 524,287 meters of area cost 1.
pub fn find_route(
    mesh: &NavMesh,
    request: &RouteRequest<'_>,
    scratch: &mut Scratch,
) -> Result<Option<Route>, QueryError> {
    let RouteRequest { start, end, overlay, allows_partial } = *request;
    check_state(mesh, overlay)?;
    check_finite("the start", start.point)?;
    check_finite("the end", end.point)?;
    scratch.route.clear_trace();
    let ends = [RouteEnd::new(mesh, start)?, RouteEnd::new(mesh, end)?];
    let [first_leaf, last_leaf] = ends.map(|end| overlay.loaded_leaf(mesh, end.place.tile));
    let mut leaves = [first_leaf?, last_leaf?];
    if overlay.can_reach(ends[0].place, ends[1].place) != Some(false) {
        return search_route(mesh, overlay, (ends, leaves), scratch);
    }
    let nearest = allows_partial.then(|| nearest_reachable(mesh, overlay, start, end.point));
    let Some(nearest) = nearest.transpose()?.flatten() else { return Ok(None) };
    let end = RouteEnd::new(mesh, nearest)?;
    leaves[1] = overlay.loaded_leaf(mesh, end.place.tile)?;
    let route = search_route(mesh, overlay, ([ends[0], end], leaves), scratch)?;
    Ok(route.map(|route| Route { status: PathStatus::Partial, ..route }))
}

/// An end of a route.
#[derive(Clone, Copy, Debug)]
struct RouteEnd {
    at: MeshPoint,
    /// Number of the end's polygon in the navmesh.
    number: u32,
    place: TilePoly,
}

impl RouteEnd {
    fn new(mesh: &NavMesh, at: MeshPoint) -> Result<Self, QueryError> {
        let number = number(mesh, at)?;
        let poly = mesh.graph().poly(number);
        let tile = TilePlace::of(&mesh.live(poly.tile).tile);
        Ok(Self { at, number, place: TilePoly { tile, poly: poly.poly } })
    }
}

/// Searches the route between two points, given with their cells of the lowest level.
fn search_route(
    mesh: &NavMesh,
    overlay: &RouteOverlay,
    ([from, to], [first_leaf, last_leaf]): ([RouteEnd; 2], [u32; 2]),
    scratch: &mut Scratch,
) -> Result<Option<Route>, QueryError> {
    let [start, end] = [from.at, to.at];
    let filter_costs = &overlay.filter_costs;
    let mut labels = Labels::default();

    let local = overlay.local(mesh, first_leaf);
    let mut inside = UNREACHED;
    let from_local = local.local(from.number).unwrap_or(0);
    local.search(filter_costs, from_local, start.point, &mut labels);
    if let Some(to_local) = local.local(to.number) {
        let found = local.cost_at(filter_costs, to_local, end.point, &labels);
        inside = found.map_or(UNREACHED, |(cost, _)| cost);
        if from.number == to.number {
            let area = mesh.graph().marks(from.number).area;
            inside = inside.min(filter_costs.line_cost(start.point, end.point, area));
        }
    }
    let first = &overlay.levels[0].cells[first_leaf as usize];
    let starts: Vec<_> = first.exits.iter().copied().zip(local.exit_costs(&labels)).collect();

    let last = &overlay.levels[0].cells[last_leaf as usize];
    let end_local = overlay.local(mesh, last_leaf);
    let entries = last.entries.iter().map(|&entry| {
        let Crossing { to, at, .. } = overlay.crossings[entry as usize];
        Some((end_local.at(to)?, at))
    });
    let to_local = end_local.local(to.number).unwrap_or(0);
    let costs = end_local.costs_to(filter_costs, (to_local, end.point), entries, &mut labels);

    let region =
        Region::Between { start: overlay.ancestors(first_leaf), end: overlay.ancestors(last_leaf) };
    let mut search = RouteSearch::new(overlay, region, &mut scratch.route);
    search.set_goal(Goal { leaf: last_leaf, point: end.point, costs, best: (inside, None) });
    search.trace_ends([first_leaf, last_leaf]);
    for &(exit, cost) in &starts {
        if cost <= MAX_COST {
            search.offer(exit, cost);
        }
    }
    search.run();
    let Some(&Goal { best: (exact_cost, last), .. }) = search.goal() else { return Ok(None) };
    if exact_cost >= UNREACHED {
        let may_be_too_high = search.has_overflown || filter_costs.are_high();
        return if may_be_too_high { Err(QueryError::RouteTooExpensive) } else { Ok(None) };
    }
    let is_first = |crossing: u32, cost| {
        overlay.crossings[crossing as usize].leaves == first_leaf
            && starts.contains(&(crossing, cost))
    };
    let (crossings, levels) = passed(overlay, &search, last, is_first);
    let (cost, n_cells) = (in_meters(exact_cost), search.n_cells);
    let (status, ends) = (PathStatus::Complete, [from.place, to.place]);
    Ok(Some(Route { start, end, status, cost, crossings, n_cells, exact_cost, levels, ends }))
}

/// Returns the crossings of a route up to `last`, and the levels of the cells between them.
fn passed(
    overlay: &RouteOverlay,
    search: &RouteSearch<'_>,
    last: Option<u32>,
    is_first: impl Fn(u32, costs::Cost) -> bool,
) -> (Vec<RouteCrossing>, Vec<usize>) {
    let (mut crossings, mut levels) = (Vec::new(), Vec::new());
    let mut at = last;
    while let Some(crossing) = at {
        crossings.push(RouteCrossing::new(overlay, crossing));
        let before = search.before(crossing).filter(|_| !is_first(crossing, search.cost(crossing)));
        levels.extend(before.map(|(_, level)| level));
        at = before.map(|(before, _)| before);
    }
    crossings.reverse();
    levels.reverse();
    (crossings, levels)
}

/// Like [`find_path`](super::find_path), but with the corridor of the cheapest route. [`NavPath::n_expanded`] is the
/// number of cells that the search visited. If the end cannot be reached, or is off the navmesh and the request allows
/// that, the path leads to [`nearest_reachable`]. The result is that of `find_path` if the request searches backwards
/// and there is no complete route, or if it is not known what can be reached.
///
/// # Errors
/// See [`find_route`] and [`route_corridor`]: all tiles on the route must be loaded.
pub fn find_route_path(
    mesh: &NavMesh,
    request: &PathRequest<'_>,
    overlay: &RouteOverlay,
    scratch: &mut Scratch,
) -> Result<NavPath, QueryError> {
    let mut path = NavPath::unreachable();
    let Some(ends) = find_ends(mesh, request, &mut path)? else { return Ok(path) };
    let allows_partial = !request.backwards;
    let end = match path.why {
        None => Some(ends[1]),
        Some(_) if request.backwards => None,
        Some(_) => nearest_reachable(mesh, overlay, ends[0], ends[1].point)?,
    };
    let to = |end| RouteRequest { allows_partial, ..RouteRequest::new(ends[0], end, overlay) };
    let route = end.map(|end| find_route(mesh, &to(end), scratch)).transpose()?.flatten();
    let Some(route) = route else { return find_path(mesh, request, scratch) };
    path.corridor = route_corridor(mesh, overlay, &route, 0..route.n_legs(), scratch)?;
    (path.cost, path.n_expanded) = (route.cost, route.n_cells);
    if route.status == PathStatus::Partial {
        let incomplete = || why::incomplete(mesh, ends, Some(HeldBack::Filter), scratch);
        path.why = Some(path.why.unwrap_or_else(incomplete));
    }
    path.status = if path.why.is_none() { PathStatus::Complete } else { PathStatus::Partial };
    pull(mesh, [route.start.point, route.end.point], scratch, &mut path)?;
    Ok(path)
}

/// Rejects an overlay of another state of the navmesh.
fn check_state(mesh: &NavMesh, overlay: &RouteOverlay) -> Result<(), QueryError> {
    if overlay.state.is(mesh.state()) { Ok(()) } else { Err(QueryError::StaleOverlay) }
}

fn number(mesh: &NavMesh, end: MeshPoint) -> Result<u32, QueryError> {
    mesh.number(end.poly).ok_or(QueryError::StalePolygon { poly: end.poly })
}

/// Converts an index in a list of links or polygons; far fewer than 2³² fit in memory.
fn index(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
