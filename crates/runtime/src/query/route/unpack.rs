//! The polygons of a route.

use std::ops::Range;

use glam::Vec3;

use super::{
    Route, RouteCrossing,
    cells::{N_LEVELS, NONE},
    check_state,
    local::{Labels, Local},
    number,
    overlay::RouteOverlay,
    search::{Memory, Region, RouteSearch},
};
use crate::{
    navmesh::{NavMesh, PolyRef, TilePlace, TilePoly},
    query::{MeshPoint, QueryError, Scratch},
};

/// Finds the polygons of some legs of a route: leg 0 begins at its start, each other leg with the polygon that the
/// crossing before it enters. Together, the legs `0..route.n_legs()` are a corridor.
///
/// The tiles of the cells through which these legs lead must be loaded. [`Route::split`] divides legs through large cells
/// into short ones, and [`Route::tiles`] lists the tiles of a leg.
///
/// # Errors
/// Returns a [`QueryError`] if the navmesh has changed since the last update of the overlay, a tile is not loaded
/// ([`QueryError::TileNotLoaded`]), or the route has changed since it was found ([`QueryError::StaleRoute`]).
///
/// # Panics
/// Panics if the route has fewer legs.
pub fn route_corridor(
    mesh: &NavMesh,
    overlay: &RouteOverlay,
    route: &Route,
    legs: Range<usize>,
    scratch: &mut Scratch,
) -> Result<Vec<PolyRef>, QueryError> {
    check_state(mesh, overlay)?;
    assert!(legs.end <= route.n_legs(), "the route has {} legs, not {}", route.n_legs(), legs.end);
    let [start, end] = [(route.ends[0], route.start.point), (route.ends[1], route.end.point)];
    let entered = |crossing| {
        let RouteCrossing { to, point, .. } = RouteCrossing::new(overlay, crossing);
        (to, point)
    };
    let mut unpacking = Unpacking { mesh, overlay, labels: Labels::default(), polys: Vec::new() };
    for leg in legs {
        let [before, next] = route.ends_of(overlay, leg)?;
        match (before, next) {
            (None, None) => unpacking.within(start, end)?,
            (None, Some(next)) => unpacking.leave_leaf(start, next)?,
            (Some(before), None) => unpacking.within(entered(before), end)?,
            (Some(before), Some(next)) => {
                let level = route.levels[leg - 1];
                for (from, to) in steps(overlay, level, before, next, &mut scratch.route)? {
                    unpacking.leave_leaf(entered(from), to)?;
                }
            }
        }
    }
    Ok(unpacking.polys)
}

impl Route {
    /// Divides legs through large cells into legs through cells of 4 by 4 tiles, so that [`route_corridor`] needs few
    /// tiles for each. Returns the numbers that these legs have now; later legs move back. Tiles need not be loaded.
    ///
    /// # Errors
    /// Returns [`QueryError::StaleRoute`] if the route has changed since it was found.
    ///
    /// # Panics
    /// Panics if the route has fewer legs.
    pub fn split(
        &mut self,
        overlay: &RouteOverlay,
        legs: Range<usize>,
        scratch: &mut Scratch,
    ) -> Result<Range<usize>, QueryError> {
        assert!(
            legs.end <= self.n_legs(),
            "the route has {} legs, not {}",
            self.n_legs(),
            legs.end
        );
        let mut n = legs.len();
        for leg in legs.clone().rev() {
            let [Some(before), Some(next)] = self.ends_of(overlay, leg)? else { continue };
            let steps = steps(overlay, self.levels[leg - 1], before, next, &mut scratch.route)?;
            let new = steps.iter().skip(1).map(|&(from, _)| RouteCrossing::new(overlay, from));
            self.crossings.splice(leg..leg, new);
            self.levels.splice(leg - 1..leg, steps.iter().map(|_| 0));
            n += steps.len().saturating_sub(1);
        }
        Ok(legs.start..legs.start + n)
    }

    /// Returns the tiles through which a leg may lead: those of its cell, which [`route_corridor`] needs.
    ///
    /// # Panics
    /// Panics if the route has fewer legs.
    pub fn tiles(&self, overlay: &RouteOverlay, leg: usize) -> Vec<TilePlace> {
        assert!(leg < self.n_legs(), "the route has {} legs, not {leg}", self.n_legs());
        let before = leg.checked_sub(1);
        let tile = before.map_or(self.ends[0], |before| self.crossings[before].to).tile;
        let level = match (before, leg < self.crossings.len()) {
            (Some(before), true) => self.levels[before],
            _ => 0,
        };
        let Some(leaf) = overlay.leaf_at(tile) else { return Vec::new() };
        let [min, max] = overlay.extent(level, overlay.ancestors(leaf)[level] as usize);
        overlay.cells_between(min, max).flat_map(|leaf| overlay.tiles_of(leaf)).collect()
    }

    /// Returns the crossings before and after a leg.
    fn ends_of(&self, overlay: &RouteOverlay, leg: usize) -> Result<[Option<u32>; 2], QueryError> {
        let number =
            |crossing: &RouteCrossing| crossing.number(overlay).ok_or(QueryError::StaleRoute);
        let before = leg.checked_sub(1).map(|before| number(&self.crossings[before]));
        let next = self.crossings.get(leg).map(number);
        Ok([before.transpose()?, next.transpose()?])
    }
}

/// Returns the cheapest path from one crossing to another through a cell, as pairs of crossings through cells of the
/// lowest level.
fn steps(
    overlay: &RouteOverlay,
    level: usize,
    from: u32,
    to: u32,
    memory: &mut Memory,
) -> Result<Vec<(u32, u32)>, QueryError> {
    let mut steps = Vec::new();
    // The last steps come first.
    let mut open = vec![(level, from, to)];
    while let Some((level, from, to)) = open.pop() {
        let leaf = overlay.crossings[from as usize].enters;
        if leaf == NONE || level >= N_LEVELS {
            return Err(QueryError::StaleRoute);
        }
        if level == 0 {
            steps.push((from, to));
            continue;
        }
        let cell = overlay.ancestors(leaf)[level];
        let mut search = RouteSearch::new(overlay, Region::Within { level, cell }, memory);
        search.start_at(from);
        search.run();
        let mut at = to;
        while let Some((before, level)) = search.before(at) {
            open.push((level, before, at));
            at = before;
        }
        if at != from {
            return Err(QueryError::StaleRoute);
        }
    }
    Ok(steps)
}

/// A point of a polygon that need not be loaded.
type PolyPoint = (TilePoly, Vec3);

struct Unpacking<'a> {
    mesh: &'a NavMesh,
    overlay: &'a RouteOverlay,
    labels: Labels,
    polys: Vec<PolyRef>,
}

impl Unpacking<'_> {
    /// Appends the polygons from one point to another in the same cell of the lowest level.
    fn within(&mut self, start: PolyPoint, end: PolyPoint) -> Result<(), QueryError> {
        let (local, first) = self.search_from(start)?;
        let [number, last] = [number(self.mesh, first)?, number(self.mesh, self.locate(end)?)?];
        let filter_costs = &self.overlay.filter_costs;
        let to = local.local(last).ok_or(QueryError::StaleRoute)?;
        let over_links = local.cost_at(filter_costs, to, end.1, &self.labels);
        let area = self.mesh.graph().marks(number).area;
        let straight = (number == last).then(|| filter_costs.line_cost(start.1, end.1, area));
        let link = over_links.filter(|&(cost, _)| straight.is_none_or(|straight| cost < straight));
        if link.is_none() && straight.is_none() {
            return Err(QueryError::StaleRoute);
        }
        self.add(&local, first.poly, link.map(|(_, link)| link));
        Ok(())
    }

    /// Appends the polygons from a point to a crossing out of its cell of the lowest level.
    fn leave_leaf(&mut self, start: PolyPoint, crossing: u32) -> Result<(), QueryError> {
        let (local, first) = self.search_from(start)?;
        let leaf = self.overlay.crossings[crossing as usize].leaves;
        let exits = &self.overlay.levels[0].cells[leaf as usize].exits;
        let exit = exits.iter().position(|&exit| exit == crossing);
        let link = exit.and_then(|exit| local.exit_link(exit, &self.labels));
        self.add(&local, first.poly, Some(link.ok_or(QueryError::StaleRoute)?));
        Ok(())
    }

    /// Searches the cell of the lowest level around a point.
    fn search_from(&mut self, start: PolyPoint) -> Result<(Local, MeshPoint), QueryError> {
        let leaf = self.overlay.loaded_leaf(self.mesh, start.0.tile)?;
        let first = self.locate(start)?;
        let local = self.overlay.local(self.mesh, leaf);
        let poly = local.local(number(self.mesh, first)?).ok_or(QueryError::StaleRoute)?;
        local.search(&self.overlay.filter_costs, poly, start.1, &mut self.labels);
        Ok((local, first))
    }

    /// Returns a point of the route in the navmesh, whose tile must be loaded.
    fn locate(&self, (poly, point): PolyPoint) -> Result<MeshPoint, QueryError> {
        let poly = self.mesh.find_poly(poly).ok_or(QueryError::StaleRoute)?;
        Ok(MeshPoint { poly, point })
    }

    /// Appends the polygons from `first` over `link`, as far as they are in the cell.
    fn add(&mut self, local: &Local, first: PolyRef, link: Option<u32>) {
        self.polys.push(first);
        let start = self.polys.len();
        let after = link.into_iter().flat_map(|link| local.polys_to(link, &self.labels));
        self.polys.extend(after.map(|number| self.mesh.ref_of(number)));
        self.polys[start..].reverse();
    }
}
