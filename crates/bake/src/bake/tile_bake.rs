use walkable_runtime::{
    diagnostic::{Diagnostic, Finding},
    ids::{AreaId, TileCoord},
    monitor::{Cancelled, Monitor},
    navmesh::Tile,
};

use crate::bake::{
    BakeError, BakePlan, BakeSettings, CompactField, ContourSet, DetailMesh, DistanceField,
    GridFrame, Heightfield, Partition, PolyMesh, Regions, Stage, TriangleSlopes,
    bound::keep_within,
    compact::{self, Compacted},
    contour::{self, build_contours},
    detail::{self, build_detail},
    distance,
    erode::erode,
    filter::{self, SpanFilter},
    height_layers::{HeightLayerSet, LayerCut, height_layers},
    limit::StageError,
    mark::mark_volume,
    median::median,
    polymesh::build_polymesh,
    rasterize::rasterize,
    region::{Cut, Ground, Grouped, SizeLimits, group},
    slope::mark_slopes,
    tile::{TileAgent, build_tile},
};

/// Whether a bake keeps what each stage made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Only the tile.
    Tile,
    /// Every stage.
    Stages,
}

/// What every stage of one tile made.
#[derive(Clone, Debug, PartialEq)]
pub struct Intermediates {
    /// Triangles that touch the tile, marked by slope.
    pub slopes: TriangleSlopes,
    /// Solid spans as rasterized, within the bounds.
    pub spans: Heightfield,
    /// Solid spans after the filters.
    pub filtered: Heightfield,
    /// Open spans and links.
    pub compact: CompactField,
    /// Areas of the open spans before erosion.
    pub compact_areas: Vec<AreaId>,
    /// Areas after erosion, volumes and the median filter.
    pub eroded_areas: Vec<AreaId>,
    /// Distance field, where the partition needs one.
    pub distance: Option<DistanceField>,
    /// Regions.
    pub regions: Regions,
    /// Outlines.
    pub contours: ContourSet,
    /// Polygons.
    pub polygons: PolyMesh,
    /// Height detail.
    pub detail: DetailMesh,
}

impl Intermediates {
    /// The ground of this tile, which is that at `coord`, in layers. No later stage needs them, so they are
    /// made when asked for.
    ///
    /// # Errors
    /// [`BakeError::Cancelled`] soon after the monitor cancels; [`BakeError::Limit`] where the ground is in
    /// too many pieces.
    pub fn height_layers(
        &self,
        coord: TileCoord,
        cut: LayerCut,
        monitor: &dyn Monitor,
    ) -> Result<HeightLayerSet, BakeError> {
        height_layers(&self.compact, &self.eroded_areas, cut, monitor)
            .map_err(|error| error.at(coord))
    }
}

/// Result of one tile.
#[derive(Clone, Debug)]
pub struct TileBake {
    /// Which tile.
    pub coord: TileCoord,
    /// Tile data, absent where nothing is walkable.
    pub tile: Option<Tile>,
    /// Every stage, where asked for.
    pub stages: Option<Box<Intermediates>>,
    /// What was odd.
    pub warnings: Vec<Diagnostic>,
}

/// Bakes one tile of `plan`, stage by stage. The same input gives the same bytes, whatever else runs.
///
/// # Errors
/// [`BakeError::Cancelled`] soon after the monitor cancels; [`BakeError::Limit`] where the tile does
/// not fit the formats.
pub fn bake_tile(
    plan: &BakePlan,
    coord: TileCoord,
    keep: Keep,
    monitor: &dyn Monitor,
) -> Result<TileBake, BakeError> {
    let mut recipe = Recipe { plan, coord, keep, monitor, warnings: Vec::new() };
    recipe.run().map_err(|error| error.at(coord))
}

/// Layers of one tile.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerBake {
    /// The layers.
    pub set: HeightLayerSet,
    /// What was odd.
    pub warnings: Vec<Diagnostic>,
}

/// Bakes the heightfield layers of one tile of `plan`: what [`bake_tile`] does up to the erosion and the
/// volumes, then [`Intermediates::height_layers`].
///
/// # Errors
/// As [`bake_tile`].
pub fn bake_layers(
    plan: &BakePlan,
    coord: TileCoord,
    cut: LayerCut,
    monitor: &dyn Monitor,
) -> Result<LayerBake, BakeError> {
    let mut recipe = Recipe { plan, coord, keep: Keep::Tile, monitor, warnings: Vec::new() };
    recipe.layers(cut).map_err(|error| error.at(coord))
}

/// Open spans of one tile of `plan`, and what area each has after erosion, volumes and the median filter:
/// what [`bake_tile`] does up to there. Searches of grids and graphs need no more.
///
/// # Errors
/// As [`bake_tile`].
pub fn bake_ground(
    plan: &BakePlan,
    coord: TileCoord,
    monitor: &dyn Monitor,
) -> Result<(CompactField, Vec<AreaId>), BakeError> {
    let mut recipe = Recipe { plan, coord, keep: Keep::Tile, monitor, warnings: Vec::new() };
    let voxels = recipe.voxels().map_err(|error| error.at(coord))?;
    Ok((voxels.compact, voxels.areas))
}

/// One bake of one tile: what its stages share.
struct Recipe<'a> {
    plan: &'a BakePlan,
    coord: TileCoord,
    keep: Keep,
    monitor: &'a dyn Monitor,
    warnings: Vec<Diagnostic>,
}

/// From triangles to open spans. What later stages do not need is empty unless asked for.
struct Voxels {
    slopes: TriangleSlopes,
    spans: Heightfield,
    filtered: Heightfield,
    compact: CompactField,
    compact_areas: Vec<AreaId>,
    areas: Vec<AreaId>,
}

/// Regions and what they were made from.
struct TileRegions {
    distance: Option<DistanceField>,
    regions: Regions,
}

/// From outlines to detail.
struct Polygons {
    contours: ContourSet,
    mesh: PolyMesh,
    detail: DetailMesh,
}

impl Recipe<'_> {
    fn run(&mut self) -> Result<TileBake, StageError> {
        let voxels = self.voxels()?;
        let grouped = self.regions(&voxels)?;
        let polygons = self.polygons(&voxels, &grouped.regions)?;
        let kept = self.if_kept(|| Some((voxels, grouped)), None);
        let tile = self.tile(&polygons)?;
        let stages = kept.map(|(voxels, grouped)| {
            Box::new(Intermediates {
                slopes: voxels.slopes,
                spans: voxels.spans,
                filtered: voxels.filtered,
                compact: voxels.compact,
                compact_areas: voxels.compact_areas,
                eroded_areas: voxels.areas,
                distance: grouped.distance,
                regions: grouped.regions,
                contours: polygons.contours,
                polygons: polygons.mesh,
                detail: polygons.detail,
            })
        });
        let warnings = std::mem::take(&mut self.warnings);
        Ok(TileBake { coord: self.coord, tile, stages, warnings })
    }

    /// Slope, spans, filters, open spans, erosion, volumes and median.
    fn voxels(&mut self) -> Result<Voxels, StageError> {
        let Self { plan, monitor, .. } = *self;
        let (input, params) = (plan.input(), plan.params());
        let BakeSettings { agent_max_slope, .. } = input.settings;
        let climb_vx = params.walkable_climb_vx;
        let frame = plan.tile_frame(self.coord);

        let triangles = plan.tile_triangles(self.coord);
        monitor.enter(Stage::Slope);
        let mut slopes = mark_slopes(&input.mesh, triangles, agent_max_slope, monitor)?;
        plan.part_uses().paint(&mut slopes);

        monitor.enter(Stage::Spans);
        let spans = rasterize(&input.mesh, &slopes, frame, climb_vx, monitor)?;
        let slopes = self.if_kept(|| slopes, TriangleSlopes::default());
        let spans = keep_within(spans, &input.bounds, monitor)?;
        let kept_spans = self.if_kept(|| spans.clone(), empty(frame));

        monitor.enter(Stage::Filtered);
        let filtered = self.filtered(spans)?;

        monitor.enter(Stage::Compact);
        let open = compact::open(&filtered, params.walkable_height_vx, climb_vx, monitor)?;
        let filtered = self.if_kept(|| filtered, empty(frame));
        let compacted = compact::link(open, monitor)?;
        self.warn_of_lost_links(compacted.n_lost_links);
        let Compacted { field: compact, mut areas, .. } = compacted;
        let compact_areas = self.if_kept(|| areas.clone(), Vec::new());

        monitor.enter(Stage::Eroded);
        areas = erode(areas, &compact.adjacency, params.walkable_radius_vx, monitor)?;
        for volume in &input.volumes {
            mark_volume(&compact, &mut areas, volume, monitor)?;
        }
        if input.settings.filter_median {
            areas = median(&areas, &compact.adjacency, monitor)?;
        }
        let spans = kept_spans;
        Ok(Voxels { slopes, spans, filtered, compact, compact_areas, areas })
    }

    /// `value` if stages are kept, else `nothing`; what `value` holds is freed early then.
    fn if_kept<T>(&self, value: impl FnOnce() -> T, nothing: T) -> T {
        match self.keep {
            Keep::Stages => value(),
            Keep::Tile => nothing,
        }
    }

    fn filtered(&self, field: Heightfield) -> Result<Heightfield, Cancelled> {
        let (settings, params) = (&self.plan.input().settings, self.plan.params());
        let filters = SpanFilter::enabled(settings).collect();
        let agent = [params.walkable_height_vx, params.walkable_climb_vx];
        filter::apply(field, filters, agent, self.monitor)
    }

    /// Distance field, where the partition needs one, and regions.
    fn regions(&mut self, voxels: &Voxels) -> Result<TileRegions, StageError> {
        let Self { plan, monitor, .. } = *self;
        let Voxels { compact, areas, .. } = voxels;
        let partition = plan.input().settings.partition;
        let distance = match partition {
            Partition::Watershed => {
                monitor.enter(Stage::Distance);
                Some(distance::measure(areas, &compact.adjacency, monitor)?)
            }
            Partition::Monotone | Partition::Layers => None,
        };

        monitor.enter(Stage::Regions);
        let cut = match (partition, &distance) {
            (Partition::Watershed, Some(distance)) => Cut::Watershed(distance),
            (Partition::Layers, _) => Cut::Layers,
            _ => Cut::Monotone,
        };
        let sizes = SizeLimits {
            min_area_vx: plan.params().min_region_area_vx,
            merge_area_vx: plan.params().merge_region_area_vx,
        };
        let ground = Ground { field: compact, areas };
        let Grouped { regions, n_overlapping } = group(ground, cut, sizes, monitor)?;
        if n_overlapping > 0 {
            self.warnings.push(Finding::RegionsOverlapThemselves { n: n_overlapping }.into());
        }
        let distance = self.if_kept(|| distance, None);
        Ok(TileRegions { distance, regions })
    }

    /// Outlines, polygons and their height detail.
    fn polygons(&mut self, voxels: &Voxels, regions: &Regions) -> Result<Polygons, StageError> {
        let Self { plan, monitor, .. } = *self;
        let (settings, params) = (&plan.input().settings, plan.params());
        let Voxels { compact: field, areas, .. } = voxels;
        let regions = &regions.ids;

        monitor.enter(Stage::Contours);
        let (max_error, max_edge_len_vx) = (params.max_edge_error_vx, params.max_edge_len_vx);
        let ground = contour::Ground { field, areas, regions };
        let (contours, warnings) = build_contours(ground, max_error, max_edge_len_vx, monitor)?;
        self.warnings.extend(warnings);

        monitor.enter(Stage::Polygons);
        let (mesh, warnings) =
            build_polymesh(&contours, settings.verts_per_poly as usize, monitor)?;
        self.warnings.extend(warnings);

        monitor.enter(Stage::Detail);
        let sampling = [params.detail_sample_dist, params.detail_sample_max_error];
        let ground = detail::Ground { field, regions };
        let (detail, warnings) = build_detail(&mesh, ground, sampling, monitor)?;
        self.warnings.extend(warnings);
        Ok(Polygons { contours, mesh, detail })
    }

    /// Tile data, `None` where nothing can be walked on.
    fn tile(&mut self, polygons: &Polygons) -> Result<Option<Tile>, StageError> {
        let input = self.plan.input();
        self.monitor.enter(Stage::Tile);
        let agent = TileAgent {
            height: input.settings.agent_height,
            radius: input.settings.agent_radius,
            max_climb: input.settings.agent_max_climb,
        };
        let Polygons { mesh, detail, .. } = polygons;
        let place = self.coord.into();
        let (tile, warnings) =
            build_tile(mesh, Some(detail), (&input.off_mesh, &input.area_flags), agent, place)?;
        self.warnings.extend(warnings);
        Ok(tile)
    }

    /// Heightfield layers of the voxels.
    fn layers(&mut self, cut: LayerCut) -> Result<LayerBake, StageError> {
        let voxels = self.voxels()?;
        let set = height_layers(&voxels.compact, &voxels.areas, cut, self.monitor)?;
        if set.n_hidden > 0 {
            self.warnings.push(Finding::FloorsInNoLayer { n: set.n_hidden }.into());
        }
        Ok(LayerBake { set, warnings: std::mem::take(&mut self.warnings) })
    }

    fn warn_of_lost_links(&mut self, n: usize) {
        if n > 0 {
            let limit = u32::from(CompactField::NO_LINK) - 1;
            self.warnings.push(Finding::NeighborFloorTooHigh { n, limit }.into());
        }
    }
}

/// Stands for a field that is not kept.
const fn empty(frame: GridFrame) -> Heightfield {
    Heightfield { frame, starts: Vec::new(), spans: Vec::new() }
}
