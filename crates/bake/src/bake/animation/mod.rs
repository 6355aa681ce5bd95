//! Animations of a stage of one tile, which show the stage at any step.
//!
//! Nothing is recorded while baking: an intermediate state is computed from the results of the previous stages, by the
//! same code with fewer steps.

#[cfg(test)]
mod tests;

use walkable_runtime::{
    ids::{RegionId, TileCoord},
    monitor::{Cancelled, Monitor},
};

use super::{
    BakeError, BakePlan, CompactField, ContourSet, DetailMesh, HeightLayerSet, Heightfield,
    Intermediates, LayerCut, PolyMesh, Stage, TriangleSlopes,
    bound::keep_within,
    compact::linked_until,
    contour::{Contour, n_corners_added, simplified_until},
    detail, distance,
    erode::erode,
    filter::{self, SpanFilter},
    height_layers,
    limit::StageError,
    polymesh::{merged_until, n_merges},
    rasterize::rasterize,
    region::{self, Cut, Ground},
};
use crate::bake::RawArea;

/// The unfinished result of a stage that was stopped at some step.
#[derive(Clone, Debug, PartialEq)]
pub enum Unfinished {
    /// The first triangles, marked by slope.
    Slope(TriangleSlopes),
    /// Solid spans of the first triangles.
    Spans(Heightfield),
    /// Solid spans after the first filters.
    Filtered(Heightfield),
    /// Open spans, with the first columns linked to the next ones.
    Compact(CompactField),
    /// Areas, one per open span, after erosion by a smaller radius.
    Eroded(Vec<RawArea>),
    /// Distances, one per open span, after a part of the two sweeps and the blur; `u16::MAX` for spans not yet reached
    /// from a border.
    Distance(Vec<u16>),
    /// Regions, one per open span, after a part of the flooding or sweep; the region ids are not final.
    Regions(Vec<RegionId>),
    /// Layers of the first patches, before they are split.
    Layers(HeightLayerSet),
    /// Contours with the first vertices, or the first contours without vertices. Holes are contours of their own.
    Contours(ContourSet),
    /// Triangles and polygons after the first merges. Removable border vertices are still there.
    Polygons(PolyMesh),
    /// Detail meshes of the first polygons, the last of them with its first interior samples.
    Detail(DetailMesh),
}

/// An animation of a stage, or of a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimatedStage {
    /// Triangles are marked by slope, one by one.
    Slope,
    /// Triangles are rasterized, one by one.
    Spans,
    /// Filters are applied, one by one.
    Filtered,
    /// Columns are linked to the next along x and z, one by one.
    Compact,
    /// The border grows cell by cell; the last step applies volumes and the median filter.
    Eroded,
    /// Distances are computed row by row: two sweeps, then the blur. Only for partitions that need them.
    Distance,
    /// The watershed rises level by level, or the ground is swept row by row; the last step merges small regions.
    Regions,
    /// Patches of ground are added to layers, one by one, then layers are merged.
    Layers,
    /// Contours are traced, one by one.
    RawContours,
    /// Vertices are added to the contours; the last step merges holes.
    Contours,
    /// Pairs of polygons are merged; the last step removes border vertices.
    Polygons,
    /// Samples are added to polygons, first along their edges and then inside, one by one.
    Detail,
}

impl AnimatedStage {
    /// Returns the animations of `stage`, in the order in which the stage does these parts of its work.
    pub const fn of(stage: Stage) -> &'static [Self] {
        match stage {
            Stage::Slope => &[Self::Slope],
            Stage::Spans => &[Self::Spans],
            Stage::Filtered => &[Self::Filtered],
            Stage::Compact => &[Self::Compact],
            Stage::Eroded => &[Self::Eroded],
            Stage::Distance => &[Self::Distance],
            Stage::Regions => &[Self::Regions, Self::Layers],
            Stage::Contours => &[Self::RawContours, Self::Contours],
            Stage::Polygons => &[Self::Polygons],
            Stage::Detail => &[Self::Detail],
            // The stage only converts the polygons and the detail to the format of a tile.
            Stage::Tile => &[],
        }
    }

    /// Returns all animations, in the order of [`Stage::ALL`].
    pub fn all() -> impl Iterator<Item = Self> {
        Stage::ALL.into_iter().flat_map(Self::of).copied()
    }
}

/// The animation of one stage of one tile, which can show any step.
#[derive(Debug)]
pub struct StageAnimation<'a> {
    plan: &'a BakePlan,
    tile: TileCoord,
    made: &'a Intermediates,
    of: AnimatedStage,
    n_steps: usize,
    /// Steps per polygon, for stages that process polygons.
    polygon_steps: Vec<usize>,
}

impl<'a> StageAnimation<'a> {
    /// Creates the animation of a stage of `tile`; `made` holds the results of all stages.
    ///
    /// # Errors
    /// Returns [`BakeError::Cancelled`] soon after the monitor is cancelled, and [`BakeError::Limit`] if `made` belongs
    /// to another plan and the tile does not fit the formats, or if the ground is in too many pieces for layers.
    pub fn new(
        plan: &'a BakePlan,
        tile: TileCoord,
        made: &'a Intermediates,
        of: AnimatedStage,
        monitor: &dyn Monitor,
    ) -> Result<Self, BakeError> {
        let prepared = || {
            let (n_steps, polygon_steps) = (0, Vec::new());
            let mut animation = Self { plan, tile, made, of, n_steps, polygon_steps };
            animation.polygon_steps = animation.steps_of_polygons(monitor)?;
            animation.n_steps = animation.count_steps(monitor)?;
            Ok(animation)
        };
        prepared().map_err(|error: StageError| error.at(tile))
    }

    /// Returns the number of steps; 0 if the stage cannot be animated. After the last step the result equals that of
    /// the bake.
    ///
    /// For eroded areas, regions, contours and polygons, the last step does the remaining work of the stage: see
    /// [`AnimatedStage`].
    pub const fn n_steps(&self) -> usize {
        self.n_steps
    }

    /// Returns the display name of a step.
    pub fn step_name(&self) -> &'static str {
        match self.of {
            AnimatedStage::Slope | AnimatedStage::Spans => "triangle",
            AnimatedStage::Filtered => "filter",
            AnimatedStage::Compact => "column",
            AnimatedStage::Eroded => "cell",
            AnimatedStage::Distance => "row",
            AnimatedStage::Regions => match self.cut() {
                Cut::Watershed(_) => "level",
                Cut::Monotone | Cut::Layers => "row",
            },
            AnimatedStage::Layers => "patch",
            AnimatedStage::RawContours => "outline",
            AnimatedStage::Contours => "corner",
            AnimatedStage::Polygons => "merge",
            AnimatedStage::Detail => "sample",
        }
    }

    /// Computes the result after `n` steps; `None` for the last step and beyond.
    ///
    /// # Errors
    /// See [`StageAnimation::new`].
    pub fn frame(&self, n: usize, monitor: &dyn Monitor) -> Result<Option<Unfinished>, BakeError> {
        let stopped = (n < self.n_steps).then(|| self.stopped(n, monitor)).transpose();
        stopped.map_err(|error| error.at(self.tile))
    }

    fn count_steps(&self, monitor: &dyn Monitor) -> Result<usize, StageError> {
        let (params, made) = (self.plan.params(), self.made);
        let frame = &made.compact.frame;
        Ok(match self.of {
            AnimatedStage::Slope | AnimatedStage::Spans => made.slopes.triangles.len(),
            AnimatedStage::Filtered => SpanFilter::enabled(&self.plan.input().settings).count(),
            AnimatedStage::Compact => frame.n_cells(),
            AnimatedStage::Eroded => 1 + params.walkable_radius_vx as usize,
            AnimatedStage::Distance => made.distance.as_ref().map_or(0, |_| 3 * frame.n_z as usize),
            AnimatedStage::Regions => 1 + region::n_steps(frame, self.cut()),
            AnimatedStage::Layers => {
                height_layers::n_steps(&made.compact, &made.eroded_areas, LAYER_CUT, monitor)?
            }
            AnimatedStage::RawContours => made.contours.contours.len(),
            AnimatedStage::Contours => 1 + n_corners_added(&made.contours, params.max_edge_len_vx),
            AnimatedStage::Polygons => {
                1 + n_merges(&made.contours, made.polygons.max_verts_per_poly, monitor)?
            }
            AnimatedStage::Detail => self.polygon_steps.iter().sum(),
        })
    }

    fn steps_of_polygons(&self, monitor: &dyn Monitor) -> Result<Vec<usize>, Cancelled> {
        if self.of != AnimatedStage::Detail {
            return Ok(Vec::new());
        }
        let Intermediates { polygons, detail, .. } = self.made;
        detail::steps(polygons, detail, self.detail_ground(), self.sampling(), monitor)
    }

    fn stopped(&self, n: usize, monitor: &dyn Monitor) -> Result<Unfinished, StageError> {
        let Self { made, .. } = self;
        let params = self.plan.params();
        let Intermediates { compact, eroded_areas, contours, polygons, .. } = made;
        Ok(match self.of {
            AnimatedStage::Slope => Unfinished::Slope(self.first_slopes(n)),
            AnimatedStage::Spans => Unfinished::Spans(self.spans(n, monitor)?),
            AnimatedStage::Filtered => Unfinished::Filtered(self.filtered(n, monitor)?),
            AnimatedStage::Compact => Unfinished::Compact(linked_until(compact, n, monitor)?),
            AnimatedStage::Eroded => Unfinished::Eroded(self.eroded(n, monitor)?),
            AnimatedStage::Distance => Unfinished::Distance(self.distances(n, monitor)?),
            AnimatedStage::Regions => Unfinished::Regions(self.regions(n, monitor)?),
            AnimatedStage::Layers => Unfinished::Layers(
                height_layers::layers_until(compact, eroded_areas, LAYER_CUT, n, monitor)?.0,
            ),
            AnimatedStage::RawContours => Unfinished::Contours(first_outlines(contours, n)),
            AnimatedStage::Contours => {
                Unfinished::Contours(simplified_until(contours, params.max_edge_len_vx, n))
            }
            AnimatedStage::Polygons => {
                let max_corners = polygons.max_verts_per_poly;
                Unfinished::Polygons(merged_until(contours, max_corners, n, monitor)?)
            }
            AnimatedStage::Detail => Unfinished::Detail(self.detail(n, monitor)?),
        })
    }

    fn first_slopes(&self, n: usize) -> TriangleSlopes {
        let TriangleSlopes { triangles, areas } = &self.made.slopes;
        TriangleSlopes {
            triangles: triangles.iter().take(n).copied().collect(),
            areas: areas.iter().take(n).copied().collect(),
        }
    }

    fn spans(&self, n: usize, monitor: &dyn Monitor) -> Result<Heightfield, StageError> {
        let (input, first) = (self.plan.input(), self.first_slopes(n));
        let (frame, climb_vx) = (self.made.spans.frame, self.plan.params().walkable_climb_vx);
        let (spans, _) = rasterize(&input.mesh, &first, frame, climb_vx, monitor)?;
        Ok(keep_within(spans, &input.bounds, monitor)?)
    }

    fn filtered(&self, n: usize, monitor: &dyn Monitor) -> Result<Heightfield, Cancelled> {
        let params = self.plan.params();
        let filters = SpanFilter::enabled(&self.plan.input().settings).take(n).collect();
        let agent = [params.walkable_height_vx, params.walkable_climb_vx];
        filter::apply(self.made.spans.clone(), filters, agent, monitor)
    }

    fn eroded(&self, n: usize, monitor: &dyn Monitor) -> Result<Vec<RawArea>, Cancelled> {
        let areas = self.made.compact_areas.clone();
        erode(areas, &self.made.compact.adjacency, u32::try_from(n).unwrap_or(u32::MAX), monitor)
    }

    fn distances(&self, n: usize, monitor: &dyn Monitor) -> Result<Vec<u16>, Cancelled> {
        let Intermediates { compact, eroded_areas, .. } = self.made;
        let n_passed = spans_passed(compact, n);
        Ok(distance::measure_until(eroded_areas, &compact.adjacency, n_passed, monitor)?.distances)
    }

    fn regions(&self, n: usize, monitor: &dyn Monitor) -> Result<Vec<RegionId>, StageError> {
        let Intermediates { compact, eroded_areas, .. } = self.made;
        let ground = Ground { field: compact, areas: eroded_areas };
        region::pieces_until(ground, self.cut(), n, monitor)
    }

    fn cut(&self) -> Cut<'a> {
        self.made.distance.as_ref().map_or(Cut::Monotone, Cut::Watershed)
    }

    fn detail(&self, n: usize, monitor: &dyn Monitor) -> Result<DetailMesh, Cancelled> {
        let Intermediates { polygons, detail, .. } = self.made;
        let made = (detail, self.polygon_steps.as_slice());
        detail::built_until(polygons, made, self.detail_ground(), self.sampling(), n, monitor)
    }

    fn detail_ground(&self) -> detail::Ground<'_> {
        let Intermediates { compact, regions, .. } = self.made;
        detail::Ground { field: compact, regions: &regions.ids }
    }

    fn sampling(&self) -> [f32; 2] {
        let params = self.plan.params();
        [params.detail_sample_dist, params.detail_sample_max_error]
    }
}

/// How layers are split.
const LAYER_CUT: LayerCut = LayerCut::Sweep;

/// Returns the number of spans processed by three passes over `field`, forward, backward and forward again, after
/// `n_rows` rows.
fn spans_passed(field: &CompactField, n_rows: usize) -> usize {
    let (n_x, n_z) = (field.frame.n_x as usize, field.frame.n_z as usize);
    let spans_before = |row: usize| field.starts.get(row * n_x).map_or(0, |&n| n as usize);
    let (pass, row) = (n_rows / n_z.max(1), n_rows % n_z.max(1));
    let n_spans = field.spans.len();
    pass * n_spans + if pass == 1 { n_spans - spans_before(n_z - row) } else { spans_before(row) }
}

/// Returns the first `n` contours of `set` before simplification.
fn first_outlines(set: &ContourSet, n: usize) -> ContourSet {
    let traced = |contour: &Contour| Contour { vertices: Vec::new(), ..contour.clone() };
    ContourSet { contours: set.contours.iter().take(n).map(traced).collect(), ..*set }
}
