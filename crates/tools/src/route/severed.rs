//! Explains why two sides are separate although their voxels are connected: ground without a region, contours, tile
//! borders.

use std::collections::BTreeSet;

use glam::Vec3;
use walkable_bake::bake::{BakeError, BakeOutput, BakePlan, Intermediates, Stage, bake_tile};
use walkable_runtime::{
    ids::{Dir, RegionId},
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, PolyRef},
    phrase,
    query::{Filter, NearestRequest, nearest},
};

use super::{
    RouteAnswer, RouteBreak,
    costs::Costs,
    crossing::{CrossingRequest, Sides, cheapest_crossing},
    places::Places,
    price::{ObstaclePrice, float},
    relaxed::Relaxed,
    sides::{MeshSides, Side},
};
use crate::explain::{Cause, Explanation, Obstacle, Reason, Remedy, Verdict, explain, tile_at};

/// Maximum number of tiles to bake again to find the stage that lost the ground.
const MAX_TILES: usize = 8;

/// Returns the positions along a walkable path over the voxels from one side to the other; `None` if there is none.
pub(super) fn path_between(
    strict: &Relaxed<'_>,
    places: &Places,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Vec3>>, Cancelled> {
    path_between_floors(strict, Side::ALL.map(|side| floors(strict, places.of(side))), monitor)
}

/// Returns the floors at places of a navmesh.
fn floors(strict: &Relaxed<'_>, places: &[(PolyRef, Vec3)]) -> Vec<usize> {
    let reach = strict.costs.reach();
    let floor = |(_, place): &(PolyRef, Vec3)| {
        strict.costs.terrain.floor_at(*place, reach, |floor| strict.holds(floor))
    };
    places.iter().filter_map(floor).collect()
}

/// Returns the positions along a walkable path from some floors to others; `None` if there is none.
fn path_between_floors(
    strict: &Relaxed<'_>,
    ends: [Vec<usize>; 2],
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Vec3>>, Cancelled> {
    let terrain = strict.costs.terrain;
    let sides = Sides::of_floors(ends, terrain.len());
    let request = CrossingRequest::new(ObstaclePrice::FREE.and_more());
    let crossing = cheapest_crossing(strict, &sides, &request, monitor)?;
    Ok(crossing
        .map(|crossing| crossing.floors.into_iter().map(|floor| terrain.place(floor)).collect()))
}

/// The sides of a navmesh whose voxels are connected.
#[derive(Clone, Copy)]
pub(super) struct Connected<'a> {
    pub(super) plan: &'a BakePlan,
    pub(super) mesh: &'a NavMesh,
    pub(super) sides: &'a MeshSides,
    pub(super) strict: &'a Relaxed<'a>,
}

impl Connected<'_> {
    /// Finds what separates the sides although their voxels are connected.
    pub(super) fn between(
        self,
        places: &Places,
        monitor: &dyn Monitor,
    ) -> Result<RouteAnswer, BakeError> {
        let Some(path) = path_between(self.strict, places, monitor)? else {
            return Ok(RouteAnswer::default());
        };
        let polys = self.polys(&path);
        let is_on = |i: usize, side| {
            polys[i].is_some_and(|poly: PolyRef| self.sides.is_on(self.mesh, poly, side))
        };
        let first_end = (0..path.len()).find(|&i| is_on(i, Side::End)).unwrap_or(path.len() - 1);
        let last_start = (0..=first_end).rev().find(|&i| is_on(i, Side::Start)).unwrap_or(0);
        self.answer(&path[last_start..=first_end], monitor)
    }

    /// Finds what separates the ground of a `side` from the rest of the navmesh, although its voxels are connected to
    /// the floors `outside`. Returns `None` if no polygon on that path is on other ground.
    pub(super) fn around(
        self,
        (side, places): (Side, &Places),
        outside: Vec<usize>,
        monitor: &dyn Monitor,
    ) -> Result<Option<RouteAnswer>, BakeError> {
        let inside = floors(self.strict, places.of(side));
        let Some(mut path) = path_between_floors(self.strict, [inside, outside], monitor)? else {
            return Ok(None);
        };
        let polys = self.polys(&path);
        let is_inside = |poly: &Option<PolyRef>| {
            poly.is_some_and(|poly| self.sides.is_on(self.mesh, poly, side))
        };
        let last_inside = polys.iter().rposition(is_inside).unwrap_or(0);
        let Some(beyond) = polys[last_inside + 1..].iter().position(Option::is_some) else {
            return Ok(None);
        };
        path.truncate(last_inside + beyond + 2);
        path.drain(..last_inside);
        if side == Side::End {
            path.reverse();
        }
        self.answer(&path, monitor).map(Some)
    }

    /// Returns the polygons at the positions along a path.
    fn polys(&self, path: &[Vec3]) -> Vec<Option<PolyRef>> {
        let Costs { agent, .. } = self.strict.costs;
        let reach = self.strict.costs.reach();
        let half = Vec3::new(0.5 * agent.cell_size, reach, 0.5 * agent.cell_size);
        let everything = Filter { include_flags: u16::MAX, ..Filter::default() };
        let poly_at = |&center: &Vec3| {
            let request = NearestRequest { center, half_extents: half, filter: &everything };
            nearest(self.mesh, &request).ok().flatten().map(|end| end.poly)
        };
        path.iter().map(poly_at).collect()
    }

    /// Explains why the polygons at both ends of a path are not connected.
    fn answer(self, path: &[Vec3], monitor: &dyn Monitor) -> Result<RouteAnswer, BakeError> {
        let Self { plan, .. } = self;
        let (Some(&start), Some(&end)) = (path.first(), path.last()) else {
            return Ok(RouteAnswer::default());
        };
        let middle = path[path.len() / 2];
        let ends = [start, end];
        let mut lost = lost_ground(plan, path, monitor)?.into_iter();
        if let Some(lost_first) = lost.next() {
            let first = Some(RouteBreak { ends, ..lost_first });
            return Ok(RouteAnswer { first, also: lost.collect(), ..RouteAnswer::default() });
        }
        let [from, to] = ends.map(|place| tile_at(plan, place));
        let first = if from != to || touches_border(plan, middle) {
            let text = phrase!("the polygons on both sides of this tile border are not linked");
            let settings = &plan.input().settings;
            let sizes =
                [0, settings.tile_size.saturating_mul(2), settings.tile_size.saturating_add(16)];
            let mut seam = RouteBreak::plain(Cause::Seam, middle, text);
            seam.remedies = vec![
                Remedy::integers("tile_size", &sizes),
                Remedy::smaller(settings, "edge_max_error", f32::MAX, 0.1),
                Remedy::finer(settings, "cell_size"),
            ];
            seam
        } else {
            RouteBreak::plain(
                Cause::Unexplained,
                middle,
                phrase!("the polygons here are not linked, though the ground is"),
            )
        };
        Ok(RouteAnswer { first: Some(RouteBreak { ends, ..first }), ..RouteAnswer::default() })
    }
}

/// Returns whether a place is within two cells of a tile's border.
fn touches_border(plan: &BakePlan, place: Vec3) -> bool {
    let near = 2.0 * plan.params().cell_size;
    tile_at(plan, place).is_some_and(|tile| {
        let bounds = plan.tile_bounds(tile);
        let off = (place - bounds.min).min(bounds.max - place);
        !plan.is_solo() && off.x.min(off.z) <= near
    })
}

/// Finds ground on the path that stages after voxelization removed: an obstacle for each cause.
fn lost_ground(
    plan: &BakePlan,
    path: &[Vec3],
    monitor: &dyn Monitor,
) -> Result<Vec<RouteBreak>, BakeError> {
    let mut tiles: Vec<_> = path.iter().filter_map(|place| tile_at(plan, *place)).collect();
    tiles.dedup();
    let mut lost: Vec<(Obstacle, Vec<Vec3>)> = Vec::new();
    for tile in tiles.into_iter().take(MAX_TILES) {
        let Some(stages) = bake_tile(plan, tile, BakeOutput::Stages, monitor)?.stages else {
            continue;
        };
        for &place in path.iter().filter(|place| tile_at(plan, **place) == Some(tile)) {
            let Verdict::Lost { stage, reason } = explain(plan, &stages, place, None).verdict
            else {
                continue;
            };
            if stage < Stage::Regions && !matches!(reason, Reason::Volume { .. }) {
                continue;
            }
            let found = reason.obstacle(plan, stage);
            match lost.iter_mut().find(|(known, _)| known.cause == found.cause) {
                Some((_, places)) => places.push(place),
                None => lost.push((found, vec![place])),
            }
        }
    }
    let told = |(found, places): (Obstacle, Vec<Vec3>)| {
        let place = places[places.len() / 2];
        let is_island = found.cause == Cause::RegionTooSmall;
        let cause = if is_island { Cause::IslandRemoved } else { found.cause };
        RouteBreak {
            measure: found.measure,
            remedies: found.remedies,
            ..RouteBreak::plain(cause, place, found.text)
        }
    };
    Ok(lost.into_iter().map(told).collect())
}

/// Returns the center of the ground without a region around an explained place.
pub(super) fn island_middle(stages: &Intermediates, explained: &Explanation) -> Option<Vec3> {
    let start = explained.column.get(explained.focus?)?.open?;
    let field = &stages.compact;
    let frame = &field.frame;
    let [x, z] = explained.cell;
    let mut seen = BTreeSet::from([start]);
    let mut stack = vec![(start, (x, z))];
    let (mut sum, mut n) = (Vec3::ZERO, 0.0);
    while let Some((span, (x, z))) = stack.pop() {
        let floor = f32::from(field.spans[span].floor_vx);
        sum += frame.world_from_grid(float(x) + 0.5, floor, float(z) + 0.5);
        n += 1.0;
        for next in Dir::ALL.into_iter().filter_map(|dir| field.neighbor((x, z), span, dir)) {
            let is_lost = stages.eroded_areas[next.span].is_walkable()
                && stages.regions.ids[next.span] == RegionId::NONE;
            if is_lost && seen.insert(next.span) {
                stack.push((next.span, (next.x, next.z)));
            }
        }
    }
    Some(sum / n)
}
