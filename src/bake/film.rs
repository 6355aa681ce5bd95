//! A stage of one tile stopped on its way, to be watched as it happens.
//!
//! Nothing is recorded while baking: what a stage had made after some steps is made again from the
//! stages before it, by the same code with fewer steps to go.

use super::{
    BakeError, BakePlan, ContourSet, Heightfield, Intermediates, PolyMesh, Stage, TriangleSlopes,
    adjacency::Adjacency,
    bound::keep_within,
    contour::{n_corners_added, simplified_until},
    erode::erode,
    filter::{self, Filters},
    limit::StageError,
    polymesh::{merged_until, n_merges},
    rasterize::rasterize,
    region::{Ground, basins_until, n_levels},
};
use crate::{
    ids::{AreaId, RegionId, TileCoord},
    monitor::Monitor,
};

/// What a stage had made of a tile when it was stopped.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unfinished {
    /// Solid spans of the first triangles.
    Spans(Heightfield),
    /// Solid spans after the first filters.
    Filtered(Heightfield),
    /// Areas, one per open span, after erosion by fewer cells.
    Eroded(Vec<AreaId>),
    /// Regions, one per open span, when the water had risen so far: numbers are not the final ones.
    Regions(Vec<RegionId>),
    /// Outlines with the first corners. Holes are outlines of their own.
    Contours(ContourSet),
    /// Triangles and polygons after the first merges. Corners at the border are still there.
    Polygons(PolyMesh),
}

/// Steps in which `stage` can be watched, on the tile of which `made` is what each stage made; 0 where it is not
/// made in steps. After the last one the stage is as `made` holds it.
///
/// A step is a triangle for the spans, a filter for the filtered spans, a cell of radius for the eroded areas, a
/// level of water for the regions of the watershed, a corner for the outlines, a merge for the polygons. The last
/// step of the last four is what comes after all of these: volumes, small regions joined, holes, corners at
/// the border.
pub fn film_steps(plan: &BakePlan, made: &Intermediates, stage: Stage) -> usize {
    let params = plan.params();
    match stage {
        Stage::Spans => made.slopes.triangles.len(),
        Stage::Filtered => filters_of(plan).len(),
        Stage::Eroded => 1 + params.walkable_radius_vx as usize,
        Stage::Regions => made.distance.as_ref().map_or(0, |distance| 1 + n_levels(distance)),
        Stage::Contours => 1 + n_corners_added(&made.contours, params.max_edge_len_vx),
        Stage::Polygons => 1 + n_merges(&made.contours, made.polygons.max_verts_per_poly),
        Stage::Slope | Stage::Compact | Stage::Distance | Stage::Detail | Stage::Tile => 0,
    }
}

/// What `stage` of the tile at `tile` had made after `n` of its [`film_steps`]; `None` where it is not made in
/// steps, and from the last step on.
///
/// # Errors
/// [`BakeError::Cancelled`] soon after the monitor cancels. [`BakeError::Limit`] where `made` is of another plan
/// and the tile does not fit the formats.
pub fn film_frame(
    plan: &BakePlan,
    tile: TileCoord,
    made: &Intermediates,
    stage: Stage,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<Option<Unfinished>, BakeError> {
    if n >= film_steps(plan, made, stage) {
        return Ok(None);
    }
    frame(plan, made, stage, n, monitor).map_err(|error| error.at(tile))
}

fn frame(
    plan: &BakePlan,
    made: &Intermediates,
    stage: Stage,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<Option<Unfinished>, StageError> {
    let (input, params) = (plan.input(), plan.params());
    let Intermediates { slopes, spans, compact, compact_areas, eroded_areas, contours, .. } = made;
    Ok(Some(match (stage, &made.distance) {
        (Stage::Spans, _) => {
            let first = TriangleSlopes {
                triangles: slopes.triangles.iter().take(n).copied().collect(),
                areas: slopes.areas.iter().take(n).copied().collect(),
            };
            let climb_vx = params.walkable_climb_vx;
            let made = rasterize(&input.mesh, &first, spans.frame, climb_vx, monitor)?;
            Unfinished::Spans(keep_within(made, &input.bounds, monitor)?)
        }
        (Stage::Filtered, _) => {
            let chosen = |number: usize| filters_of(plan).iter().take(n).any(|&it| it == number);
            let filters = Filters {
                low_hanging_obstacles: chosen(0),
                ledges: chosen(1),
                low_ceilings: chosen(2),
            };
            let agent = [params.walkable_height_vx, params.walkable_climb_vx];
            Unfinished::Filtered(filter::apply(spans.clone(), filters, agent, monitor)?)
        }
        (Stage::Eroded, _) => {
            let radius_vx = u32::try_from(n).unwrap_or(u32::MAX);
            let adjacency = Adjacency::new(compact, monitor)?;
            Unfinished::Eroded(erode(compact_areas.clone(), &adjacency, radius_vx, monitor)?)
        }
        (Stage::Regions, Some(distance)) => {
            let adjacency = Adjacency::new(compact, monitor)?;
            let ground = Ground { field: compact, adjacency: &adjacency, areas: eroded_areas };
            Unfinished::Regions(basins_until(ground, distance, n, monitor)?)
        }
        (Stage::Contours, _) => {
            Unfinished::Contours(simplified_until(contours, params.max_edge_len_vx, n))
        }
        (Stage::Polygons, _) => {
            let max_corners = made.polygons.max_verts_per_poly;
            Unfinished::Polygons(merged_until(contours, max_corners, n))
        }
        _ => return Ok(None),
    }))
}

/// The filters that are on, in the order in which they work: 0 low obstacles, 1 ledges, 2 low ceilings.
fn filters_of(plan: &BakePlan) -> Vec<usize> {
    let settings = &plan.input().settings;
    let on = [
        settings.filter_low_hanging_obstacles,
        settings.filter_ledge_spans,
        settings.filter_low_height_spans,
    ];
    (0..on.len()).filter(|&number| on[number]).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        bake::{BakeInput, BakeSettings, Keep, Partition, bake_tile},
        level::{LevelKind, generate},
        monitor::Unmonitored,
    };

    const STAGES: [Stage; 6] = [
        Stage::Spans,
        Stage::Filtered,
        Stage::Eroded,
        Stage::Regions,
        Stage::Contours,
        Stage::Polygons,
    ];

    fn baked(partition: Partition) -> (BakePlan, Intermediates) {
        let level = generate(LevelKind::Sample, 3, 30.0).unwrap();
        let settings = BakeSettings { partition, ..BakeSettings::default() };
        let plan = BakePlan::new(BakeInput::new(Arc::new(level.mesh), settings)).unwrap();
        let bake = bake_tile(&plan, TileCoord::new(0, 0), Keep::Stages, &Unmonitored).unwrap();
        (plan, *bake.stages.unwrap())
    }

    fn at(plan: &BakePlan, made: &Intermediates, stage: Stage, n: usize) -> Option<Unfinished> {
        film_frame(plan, TileCoord::new(0, 0), made, stage, n, &Unmonitored).unwrap()
    }

    #[test]
    fn every_film_begins_ends_and_is_never_shown_twice_alike_from_end_to_end() {
        let (plan, made) = baked(Partition::Watershed);
        for stage in STAGES {
            let n = film_steps(&plan, &made, stage);
            assert!(n > 1, "{stage:?} has {n} steps");
            let [first, last] = [0, n - 1].map(|n| at(&plan, &made, stage, n).unwrap());
            assert_ne!(first, last, "{stage:?}");
            assert_eq!(at(&plan, &made, stage, n), None);
        }
        assert_eq!(film_steps(&plan, &made, Stage::Distance), 0);
        assert_eq!(at(&plan, &made, Stage::Distance, 0), None);
    }

    /// The frame before the end differs from the stage only by what the last step is said to do.
    #[test]
    fn films_lead_to_what_the_bake_made() {
        let (plan, made) = baked(Partition::Watershed);
        let whole = |stage| film_steps(&plan, &made, stage);
        let params = plan.params();
        let spans = rasterize(
            &plan.input().mesh,
            &made.slopes,
            made.spans.frame,
            params.walkable_climb_vx,
            &Unmonitored,
        );
        assert_eq!(spans.unwrap(), made.spans);
        let filtered = at(&plan, &made, Stage::Filtered, whole(Stage::Filtered) - 1).unwrap();
        let Unfinished::Filtered(filtered) = filtered else { panic!("{filtered:?}") };
        let taken = |field: &Heightfield| {
            field.spans.iter().zip(&made.spans.spans).filter(|(a, b)| a.area != b.area).count()
        };
        assert!(taken(&filtered) <= taken(&made.filtered));
        let contours = at(&plan, &made, Stage::Contours, whole(Stage::Contours) - 1).unwrap();
        let Unfinished::Contours(contours) = contours else { panic!("{contours:?}") };
        for (shown, made) in contours.contours.iter().zip(&made.contours.contours) {
            // Holes are joined to others in the last step.
            let is_joined = made.vertices.is_empty() || made.vertices.len() > shown.vertices.len();
            assert!(is_joined || shown.vertices == made.vertices, "region {}", made.region.0);
        }
        let polygons = at(&plan, &made, Stage::Polygons, whole(Stage::Polygons) - 1).unwrap();
        let Unfinished::Polygons(polygons) = polygons else { panic!("{polygons:?}") };
        assert_eq!(polygons.polygons, made.polygons.polygons, "no tile border, no corners to go");
    }

    #[test]
    fn each_step_goes_a_little_further() {
        let (plan, made) = baked(Partition::Watershed);
        let ground = |n| match at(&plan, &made, Stage::Regions, n) {
            Some(Unfinished::Regions(ids)) => ids.iter().filter(|id| id.is_ground()).count(),
            other => panic!("{other:?}"),
        };
        let flooded: Vec<_> = (0..film_steps(&plan, &made, Stage::Regions)).map(ground).collect();
        assert_eq!(flooded[0], 0);
        assert!(flooded.is_sorted() && flooded.last() > flooded.first(), "{flooded:?}");
        let pieces = |n| match at(&plan, &made, Stage::Polygons, n) {
            Some(Unfinished::Polygons(mesh)) => mesh.polygons.len(),
            other => panic!("{other:?}"),
        };
        let n_merges = film_steps(&plan, &made, Stage::Polygons) - 1;
        for n in 0..n_merges {
            assert_eq!(pieces(n), pieces(n + 1) + 1, "a merge makes one of two");
        }
        let corners = |n| match at(&plan, &made, Stage::Contours, n) {
            Some(Unfinished::Contours(set)) => {
                set.contours.iter().map(|contour| contour.vertices.len()).sum::<usize>()
            }
            other => panic!("{other:?}"),
        };
        let n_corners = film_steps(&plan, &made, Stage::Contours) - 1;
        assert!((0..n_corners).all(|n| corners(n) <= corners(n + 1)));
    }

    #[test]
    fn only_the_watershed_rises() {
        for partition in [Partition::Monotone, Partition::Layers] {
            let (plan, made) = baked(partition);
            assert_eq!(film_steps(&plan, &made, Stage::Regions), 0);
            assert_eq!(at(&plan, &made, Stage::Regions, 0), None);
        }
    }
}
