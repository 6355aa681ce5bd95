//! Counts the ground that is left after each stage, to find the stage that removed it.

use std::{fmt, ops::AddAssign};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use walkable_runtime::{
    diagnostic::{Finding, Phrase},
    ids::TileCoord,
    monitor::{Cancelled, Monitor},
    phrase,
};

use crate::bake::{BakePlan, GridFrame, Intermediates, RawArea, TileBake, erode::erode};

/// The ground that is left after each stage of a bake, without the borders of tiles. Counts of several tiles can be
/// added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroundLeft {
    /// Triangles that touch the tiles.
    pub triangles: usize,
    /// Triangles flat enough to walk on.
    pub walkable_triangles: usize,
    /// Walkable spans after rasterization, within the bounds.
    pub rasterized: usize,
    /// Walkable spans after the filters.
    pub filtered: usize,
    /// Walkable open spans after erosion by the agent's radius.
    pub eroded: usize,
    /// Walkable open spans after volumes and the median filter.
    pub marked: usize,
    /// Open spans that belong to a region.
    pub in_regions: usize,
    /// Polygons.
    pub polygons: usize,
}

/// The stage that removed most of the ground, and the amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GroundRemoval {
    /// There were no triangles.
    NoTriangles,
    /// All triangles are too steep.
    Slope {
        /// Number of triangles.
        triangles: usize,
    },
    /// No walkable triangle is within the bounds.
    Bounds {
        /// Number of walkable triangles.
        triangles: usize,
    },
    /// A stage removed more walkable spans than any other stage.
    Spans {
        /// The stage.
        by: GroundRemover,
        /// Number of spans removed.
        n_removed: usize,
        /// Number of walkable spans after rasterization.
        of: usize,
    },
}

/// A stage that removes walkable spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GroundRemover {
    /// The filters for ledges and low ceilings.
    Filters,
    /// Erosion by the agent's radius.
    Radius,
    /// Volumes, and the median filter.
    Volumes,
    /// Regions that are too small, or ground that the watershed assigns to no region.
    Regions,
    /// Contours that became empty when they were simplified.
    Contours,
}

impl GroundLeft {
    /// Counts the ground that is left after the stages of a tile of `plan`.
    ///
    /// # Errors
    /// Returns [`Cancelled`] soon after the monitor cancels.
    pub fn of(
        stages: &Intermediates,
        plan: &BakePlan,
        monitor: &dyn Monitor,
    ) -> Result<Self, Cancelled> {
        let Intermediates { slopes, spans, filtered, compact, compact_areas, .. } = stages;
        let frame = &compact.frame;
        let radius_vx = plan.params().walkable_radius_vx;
        let eroded = erode(compact_areas.clone(), &compact.adjacency, radius_vx, monitor)?;
        let in_fields = |field: &crate::bake::Heightfield| {
            let walkable =
                |cell| field.column(cell).iter().filter(|s| s.area.is_walkable()).count();
            inner_cells(frame).map(walkable).sum()
        };
        let in_compact = |is_left: &dyn Fn(usize) -> bool| {
            inner_cells(frame)
                .flat_map(|cell| compact.cell(cell))
                .filter(|&span| is_left(span))
                .count()
        };
        let walkable = |areas: &[RawArea]| in_compact(&|span| areas[span].is_walkable());
        Ok(Self {
            triangles: slopes.areas.len(),
            walkable_triangles: slopes.areas.iter().filter(|area| area.is_walkable()).count(),
            rasterized: in_fields(spans),
            filtered: in_fields(filtered),
            eroded: walkable(&eroded),
            marked: walkable(&stages.eroded_areas),
            in_regions: in_compact(&|span| stages.regions.ids[span].is_ground()),
            polygons: stages.polygons.polygons.len(),
        })
    }

    /// Returns what removed all ground, or the most of it if some is left; `None` if nothing was removed.
    pub fn removal(&self) -> Option<GroundRemoval> {
        if self.triangles == 0 {
            return Some(GroundRemoval::NoTriangles);
        }
        if self.walkable_triangles == 0 {
            return Some(GroundRemoval::Slope { triangles: self.triangles });
        }
        if self.rasterized == 0 {
            return Some(GroundRemoval::Bounds { triangles: self.walkable_triangles });
        }
        let in_contours = if self.polygons == 0 { 0 } else { self.in_regions };
        let steps = [
            (GroundRemover::Filters, self.rasterized, self.filtered),
            (GroundRemover::Radius, self.filtered, self.eroded),
            (GroundRemover::Volumes, self.eroded, self.marked),
            (GroundRemover::Regions, self.marked, self.in_regions),
            (GroundRemover::Contours, self.in_regions, in_contours),
        ];
        let removed = steps.map(|(by, before, after)| (by, before.saturating_sub(after)));
        // If several removed the same number, the first of them.
        let (by, n_removed) = removed.into_iter().rev().max_by_key(|(_, n)| *n)?;
        (n_removed > 0).then_some(GroundRemoval::Spans { by, n_removed, of: self.rasterized })
    }
}

impl AddAssign for GroundLeft {
    fn add_assign(&mut self, other: Self) {
        self.triangles += other.triangles;
        self.walkable_triangles += other.walkable_triangles;
        self.rasterized += other.rasterized;
        self.filtered += other.filtered;
        self.eroded += other.eroded;
        self.marked += other.marked;
        self.in_regions += other.in_regions;
        self.polygons += other.polygons;
    }
}

/// Finds what removed the ground of a level that has none, by baking all tiles again with `again`, which keeps the
/// stages. Returns `None` if nothing removed ground.
///
/// # Errors
/// Returns [`Cancelled`] if `monitor` cancels.
pub fn ground_removal(
    plan: &BakePlan,
    again: &(dyn Fn(TileCoord) -> Option<TileBake> + Sync),
    monitor: &dyn Monitor,
) -> Result<Option<GroundRemoval>, Cancelled> {
    let of_tile = |coord| GroundLeft::of(again(coord)?.stages.as_deref()?, plan, monitor).ok();
    let tiles = plan.tiles();
    let of_index = |index| tiles.get(index).and_then(of_tile);
    let left = (0..tiles.len()).into_par_iter().filter_map(of_index);
    let all = left.reduce(GroundLeft::default, |mut sum, left| {
        sum += left;
        sum
    });
    monitor.check()?;
    Ok(all.removal())
}

/// Returns why no tile has a navmesh, given what [`ground_removal`] found.
pub fn nothing_walkable(removal: Option<GroundRemoval>) -> Finding {
    let why = removal.map_or_else(
        || phrase!("no tile could be made of its polygons"),
        |removal| removal.phrase(),
    );
    Finding::NothingWalkable { why }
}

/// Returns the indices of the cells inside the border.
fn inner_cells(frame: &GridFrame) -> impl Iterator<Item = usize> + use<> {
    let (frame, border) = (*frame, frame.border_vx);
    let columns = border..frame.n_x.saturating_sub(border);
    let rows = border..frame.n_z.saturating_sub(border);
    rows.flat_map(move |z| columns.clone().map(move |x| frame.cell_index(x, z)))
}

impl GroundRemoval {
    /// Returns what happened and a remedy, for users.
    pub fn phrase(&self) -> Phrase {
        match *self {
            Self::NoTriangles => phrase!(
                "the level has no triangles there; check bounds, and rules that leave objects or materials out"
            ),
            Self::Slope { triangles } => phrase!(
                "all {triangles} triangles are steeper than agent_max_slope or face down; check the up axis and the winding, or use a larger agent_max_slope",
                triangles
            ),
            Self::Bounds { triangles } => phrase!(
                "none of the {triangles} walkable triangles is within the bounds and the level's size in voxels; check the bounds and the unit scale",
                triangles
            ),
            Self::Spans { by, n_removed, of } => {
                let [what, remedy] = by.in_words();
                phrase!(
                    "of {of} walkable spans, {what} removed {n_removed}; {remedy}",
                    of,
                    what,
                    n_removed,
                    remedy
                )
            }
        }
    }
}

impl fmt::Display for GroundRemoval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl GroundRemover {
    /// Returns the name and a remedy.
    fn in_words(self) -> [Phrase; 2] {
        match self {
            Self::Filters => [
                phrase!("the filters for ledges and low ceilings"),
                phrase!(
                    "use a larger agent_max_climb, a smaller agent_height or a smaller cell_height"
                ),
            ],
            Self::Radius => [
                phrase!("erosion by agent_radius"),
                phrase!(
                    "use a smaller agent_radius, or a smaller cell_size where passages are narrow"
                ),
            ],
            Self::Volumes => {
                [phrase!("volumes and the median filter"), phrase!("check the volumes of area 0")]
            }
            Self::Regions => [
                phrase!("the minimum region size"),
                phrase!(
                    "use a smaller region_min_size or, where ground is at most two voxels wide, a smaller cell_size or partition=monotone"
                ),
            ],
            Self::Contours => [
                phrase!("the simplification of outlines"),
                phrase!("use a smaller edge_max_error or cell_size"),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;
    use walkable_mesh::TriMesh;
    use walkable_runtime::{geom::Aabb, monitor::Unmonitored};

    use super::*;
    use crate::bake::{
        AreaVolume, BakeError, BakeInput, BakeOutput, BakeSettings, VolumeShape, bake, bake_tile,
    };

    /// Returns what removed the ground of a square of 8 m whose far side is `rise` higher.
    fn removal(rise: f32, change: impl FnOnce(&mut BakeInput)) -> Option<GroundRemoval> {
        let corners = [[0.0, 0.0], [0.0, 8.0], [8.0, 8.0], [8.0, 0.0]];
        let corners = corners.map(|[x, z]| Vec3::new(x, x / 8.0 * rise, z)).to_vec();
        let mesh = TriMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        let settings = BakeSettings {
            cell_size: 0.5,
            tile_size: 8,
            filter_ledge_spans: false,
            ..BakeSettings::default()
        };
        let mut input = BakeInput::new(Arc::new(mesh), settings);
        change(&mut input);
        let plan = BakePlan::new(input).unwrap();
        let again = |coord| bake_tile(&plan, coord, BakeOutput::Stages, &Unmonitored).ok();
        let removal = ground_removal(&plan, &again, &Unmonitored).unwrap();
        match bake(plan.input().clone(), &Unmonitored) {
            Ok(mesh) => assert!(mesh.tiles().next().is_some(), "an empty navmesh"),
            Err(error) => assert_eq!(error, BakeError::NothingWalkable(nothing_walkable(removal))),
        }
        removal
    }

    fn spans(by: GroundRemover, n_removed: usize) -> GroundRemoval {
        GroundRemoval::Spans { by, n_removed, of: 256 }
    }

    #[test]
    fn the_stage_that_removed_the_ground_is_named() {
        // Each triangle touches all four tiles; one of them is at the box.
        assert_eq!(removal(80.0, |_| ()), Some(GroundRemoval::Slope { triangles: 8 }));
        let far = Aabb::new(Vec3::splat(90.0), Vec3::splat(99.0));
        let bounded = removal(0.0, |input| input.bounds.push(far));
        assert_eq!(bounded, Some(GroundRemoval::Bounds { triangles: 2 }));
        let flat = |input: &mut BakeInput| input.settings.agent_radius = 0.0;
        assert_eq!(removal(0.0, flat), None);
        let radius = removal(0.0, |input| input.settings.agent_radius = 5.0);
        assert_eq!(radius, Some(spans(GroundRemover::Radius, 256)));
        let filtered = removal(7.0, |input| {
            flat(input);
            input.settings.filter_ledge_spans = true;
            input.settings.agent_max_climb = 0.0;
        });
        assert!(matches!(filtered, Some(GroundRemoval::Spans { by: GroundRemover::Filters, .. })));
        let hole = Aabb::new(Vec3::splat(-9.0), Vec3::splat(99.0));
        let volume = AreaVolume::new(RawArea::NULL, VolumeShape::Box(hole));
        let marked = removal(0.0, |input| {
            flat(input);
            input.volumes.push(volume);
        });
        assert_eq!(marked, Some(spans(GroundRemover::Volumes, 256)));
        let small = removal(0.0, |input| {
            flat(input);
            input.settings.tile_size = 0;
            input.settings.region_min_size = 100.0;
        });
        assert_eq!(small, Some(spans(GroundRemover::Regions, 256)));
    }
}
