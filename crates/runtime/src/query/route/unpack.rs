//! The polygons of a route.

use std::ops::Range;

use super::{
    Route, check_state,
    local::{Labels, Local},
    number,
    overlay::{Crossing, RouteOverlay},
    search::{Memory, Region, Search},
};
use crate::{
    navmesh::{NavMesh, PolyRef},
    query::{MeshPoint, QueryError, Scratch},
};

/// Finds the polygons of some legs of a route: leg 0 begins at its start, each other leg with the polygon that the
/// crossing before it enters. Together, the legs `0..route.n_legs()` are a corridor.
///
/// # Errors
/// Returns a [`QueryError`] if a polygon of the route is stale or the navmesh has changed since the last update of the
/// overlay.
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
    let mut unpacking = Unpacking { mesh, overlay, labels: Labels::default(), polys: Vec::new() };
    for leg in legs {
        let next = route.crossings.get(leg);
        match (leg.checked_sub(1).map(|before| &route.crossings[before]), next) {
            (None, None) => unpacking.within(route.start, route.end)?,
            (None, Some(next)) => unpacking.leave_leaf(route.start, next.number)?,
            (Some(before), None) => {
                unpacking.within(MeshPoint { poly: before.to, point: before.point }, route.end)?;
            }
            (Some(before), Some(next)) => {
                let (level, cell) = route.cells[leg - 1];
                unpacking.through(level, cell, before.number, next.number, &mut scratch.route)?;
            }
        }
    }
    Ok(unpacking.polys)
}

struct Unpacking<'a> {
    mesh: &'a NavMesh,
    overlay: &'a RouteOverlay,
    labels: Labels,
    polys: Vec<PolyRef>,
}

impl Unpacking<'_> {
    /// From one point to another in the same cell of the lowest level.
    fn within(&mut self, start: MeshPoint, end: MeshPoint) -> Result<(), QueryError> {
        let (local, from) = self.search_from(start)?;
        let [number, last] = [start, end].map(|end| number(self.mesh, end));
        let (number, last) = (number?, last?);
        let prices = &self.overlay.prices;
        let to = local.local(last).unwrap_or(from);
        let over_links = local.cost_at(prices, to, end.point, &self.labels);
        let area = self.mesh.graph().marks(number).area;
        let straight = (number == last).then(|| prices.way(start.point, end.point, area));
        let link = over_links.filter(|&(cost, _)| straight.is_none_or(|straight| cost < straight));
        self.add(&local, start.poly, link.map(|(_, link)| link));
        Ok(())
    }

    /// Adds the polygons from a point to a crossing out of its cell of the lowest level.
    fn leave_leaf(&mut self, start: MeshPoint, crossing: u32) -> Result<(), QueryError> {
        let (local, _) = self.search_from(start)?;
        let leaf = self.overlay.crossings[crossing as usize].leaves;
        let exits = &self.overlay.levels[0].cells[leaf as usize].exits;
        let exit = exits.iter().position(|&exit| exit == crossing);
        self.add(&local, start.poly, exit.map(|exit| local.exit_link(exit)));
        // The next leg begins with the polygon behind the crossing.
        self.polys.pop();
        Ok(())
    }

    /// Adds the polygons from one crossing to another through a cell.
    fn through(
        &mut self,
        level: usize,
        cell: u32,
        from: u32,
        to: u32,
        memory: &mut Memory,
    ) -> Result<(), QueryError> {
        if level == 0 {
            let Crossing { to: poly, at: point, .. } = self.overlay.crossings[from as usize];
            return self.leave_leaf(MeshPoint { poly, point }, to);
        }
        let mut search = Search::new(self.overlay, Region::Within { level, cell }, memory);
        search.start_at(from);
        search.run();
        let mut steps = Vec::new();
        let mut at = to;
        while let Some((before, level, cell)) = search.before(at) {
            steps.push((level, cell, before, at));
            at = before;
        }
        for &(level, cell, from, to) in steps.iter().rev() {
            self.through(level, cell, from, to, memory)?;
        }
        Ok(())
    }

    /// Searches the cell of the lowest level around a point.
    fn search_from(&mut self, start: MeshPoint) -> Result<(Local, u32), QueryError> {
        let number = number(self.mesh, start)?;
        let local = self.overlay.local(self.mesh, self.overlay.leaf_of(self.mesh, number));
        let poly = local.local(number).unwrap_or(0);
        local.search(&self.overlay.prices, poly, start.point, &mut self.labels);
        Ok((local, poly))
    }

    /// Adds the polygons from `first` over `link`.
    fn add(&mut self, local: &Local, first: PolyRef, link: Option<u32>) {
        self.polys.push(first);
        let start = self.polys.len();
        let after = link.into_iter().flat_map(|link| local.polys_to(link, &self.labels));
        self.polys.extend(after.map(|number| self.mesh.ref_of(number)));
        self.polys[start..].reverse();
    }
}
