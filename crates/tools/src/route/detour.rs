//! Explains why a path that reaches its end takes a long detour.

use walkable_bake::bake::{BakeError, BakePlan};
use walkable_runtime::{geom::Aabb, monitor::Monitor, phrase};

use super::{
    AnsweredPath, RouteAnswer,
    costs::Costs,
    crossing::{Crossing, Sides, direct_crossing},
    describe::describe,
    price::ObstaclePrice,
    relaxed::Relaxed,
    terrain::{Terrain, TileRect, survey_plan},
};
use crate::explain::meters;

/// Minimum ratio of the length of a detour to the distance between its ends.
const TIMES_LONGER: f32 = 3.0;
/// Minimum additional length of a detour over the distance between its ends, in meters.
const MUCH_LONGER: f32 = 10.0;
/// Margin around the two ends within which a direct path is searched for, in meters.
const AROUND: f32 = 12.0;
/// Maximum number of voxel columns to search for a direct path.
const MAX_COLUMNS: u64 = 2_000_000;

/// Finds the obstacles on the direct path between the ends of a complete path. The answer is empty if the complete path
/// is not much longer than the direct one.
pub(super) fn detour(
    answered: AnsweredPath<'_>,
    plan: &BakePlan,
    monitor: &dyn Monitor,
) -> Result<RouteAnswer, BakeError> {
    let nothing = RouteAnswer::default();
    let (Some(start), Some(end)) = (answered.path.start, answered.path.end) else {
        return Ok(nothing);
    };
    let straight = start.point.distance(end.point);
    let length = answered.path.length;
    if length < TIMES_LONGER * straight || length < straight + MUCH_LONGER {
        return Ok(nothing);
    }
    let survey = survey_plan(plan)?;
    let around = Aabb::new(start.point, end.point);
    let margin = glam::Vec3::splat(AROUND);
    let rect =
        TileRect::over(&survey, &Aabb { min: around.min - margin, max: around.max + margin });
    if rect.n_columns(&survey) > MAX_COLUMNS {
        return Ok(nothing);
    }
    let terrain = Terrain::new((&survey, &plan.input().bounds), rect, monitor)?;
    let costs = Costs::new(&terrain, &survey, monitor)?;
    let strict = Relaxed::new(&costs, ObstaclePrice::FREE, &[], monitor)?;
    let floor = |at| terrain.floor_at(at, costs.reach(), |floor| strict.holds(floor));
    let (Some(from), Some(to)) = (floor(start.point), floor(end.point)) else { return Ok(nothing) };
    let sides = Sides::of_floors([vec![from], vec![to]], terrain.len());
    let crossing = direct_crossing(&strict, &sides, ObstaclePrice::MOST, monitor)?;
    let direct_of = |crossing: &Crossing| {
        let places: Vec<_> = crossing.floors.iter().map(|&floor| terrain.place(floor)).collect();
        places.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f32>()
    };
    let crossing = crossing
        .map(|crossing| (direct_of(&crossing), crossing))
        .filter(|(direct, crossing)| !crossing.breaks.is_empty() && direct * 2.0 < length);
    let Some((direct, crossing)) = crossing else {
        let [length, straight] = [length, straight].map(meters);
        let detour = Some(phrase!(
            "the path is a detour of {length}; between the ends, {straight} apart, there are walls or no ground",
            length,
            straight
        ));
        return Ok(RouteAnswer { detour, ..nothing });
    };
    let others =
        crossing.breaks.iter().map(|found| describe(plan, &costs, &crossing, found)).collect();
    let [length, direct] = [length, direct].map(meters);
    let detour = Some(phrase!(
        "the path is a detour of {length}; the direct way of {direct} is not walkable",
        length,
        direct
    ));
    Ok(RouteAnswer { others, detour, ..nothing })
}
