use std::ops::RangeInclusive;

use walkable_runtime::{
    diagnostic::{Diagnostic, Finding},
    ids::TileCoord,
    monitor::Monitor,
    navmesh::Tile,
};

use crate::bake::{
    AgentsError, BakeError, BakePlan, CompactField, ContourSet, DetailMesh, DistanceField,
    Heightfield, Intermediates, Partition, PolyMesh, RawArea, Regions, Stage, TileCounts,
    TriangleSlopes,
    agent_ground::{self, AgentGround},
    bound::keep_within,
    class::{Classes, PolygonKinds},
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

/// What the bake of a tile returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BakeOutput {
    /// The tile only.
    Tile,
    /// The tile and the results of all stages. Those of a bake for several agents are never kept.
    Stages,
}

/// Result of one tile.
#[derive(Clone, Debug)]
pub struct TileBake {
    /// Coordinate of the tile.
    pub coord: TileCoord,
    /// Tile data; `None` if nothing is walkable.
    pub tile: Option<Tile>,
    /// Results of all stages, if they were kept.
    pub stages: Option<Box<Intermediates>>,
    /// Findings of the bake.
    pub warnings: Vec<Diagnostic>,
    /// Number of elements that each stage produced, if the stages were kept.
    pub counts: TileCounts,
}

/// Bakes one tile of `plan`, stage by stage. The same input gives the same bytes.
///
/// # Errors
/// Returns [`BakeError::Cancelled`] soon after the monitor is cancelled, and [`BakeError::Limit`] if the tile does not
/// fit the format.
pub fn bake_tile(
    plan: &BakePlan,
    coord: TileCoord,
    keep: BakeOutput,
    monitor: &dyn Monitor,
) -> Result<TileBake, BakeError> {
    TileBakeRun::new(plan, coord, keep, monitor).tile().map_err(|error| error.at(coord))
}

/// Layers of one tile.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerBake {
    /// The layers.
    pub set: HeightLayerSet,
    /// Findings of the bake.
    pub warnings: Vec<Diagnostic>,
}

/// Bakes the heightfield layers of one tile of `plan`: the stages of [`bake_tile`] up to erosion and volumes, then
/// [`Intermediates::height_layers`].
///
/// # Errors
/// See [`bake_tile`].
pub fn bake_layers(
    plan: &BakePlan,
    coord: TileCoord,
    cut: LayerCut,
    monitor: &dyn Monitor,
) -> Result<LayerBake, BakeError> {
    let n = plan.input().agents.len();
    if n > 0 {
        return Err(AgentsError::Layers { n }.into());
    }
    TileBakeRun::new(plan, coord, BakeOutput::Tile, monitor)
        .layers(cut)
        .map_err(|error| error.at(coord))
}

/// Returns the open spans of one tile of `plan`, and the area of each after erosion, volumes and the median filter.
/// Used by searches on grids and graphs.
///
/// # Errors
/// See [`bake_tile`].
pub fn bake_ground(
    plan: &BakePlan,
    coord: TileCoord,
    monitor: &dyn Monitor,
) -> Result<(CompactField, Vec<RawArea>), BakeError> {
    let mut bake = TileBakeRun::new(plan, coord, BakeOutput::Tile, monitor);
    bake.run(Stage::Slope..=GROUND).map_err(|error| error.at(coord))?;
    Ok((ready(bake.results.compact), ready(bake.results.areas)))
}

/// The ground of several agents.
#[derive(Clone, Debug)]
pub struct AgentSpans {
    /// The open spans of all agents.
    pub field: CompactField,
    /// Area of each span after erosion, volumes and the median filter; that of ground that is open to no agent is
    /// [`RawArea::NULL`].
    pub areas: Vec<RawArea>,
    /// Flags of the agents to which each span is open.
    pub agents: Vec<u16>,
}

/// Returns the ground of all agents in one tile of `plan`. Without agents, it is that of the agent in the settings, whose flag
/// is 1.
///
/// # Errors
/// See [`bake_tile`].
pub fn bake_agent_ground(
    plan: &BakePlan,
    coord: TileCoord,
    monitor: &dyn Monitor,
) -> Result<AgentSpans, BakeError> {
    let ground = agent_ground::ground(plan, coord, monitor).map_err(|error| error.at(coord))?;
    let AgentGround { field, areas, classes, .. } = ground;
    let (areas, agents) = areas.into_iter().map(|class| classes.get(class)).unzip();
    Ok(AgentSpans { field, areas, agents })
}

/// The stage after which the ground is final.
const GROUND: Stage = Stage::Eroded;
const AFTER_GROUND: Stage = Stage::Distance;

/// The state of a bake of one tile.
struct TileBakeRun<'a> {
    plan: &'a BakePlan,
    coord: TileCoord,
    keep: BakeOutput,
    monitor: &'a dyn Monitor,
    warnings: Vec<Diagnostic>,
    results: StageResults,
    /// What areas stand for in a bake for several agents.
    classes: Option<Classes>,
}

/// The results of the stages that have run. Unless all are kept, a result is dropped when no later stage needs it.
#[derive(Default)]
struct StageResults {
    slopes: Option<TriangleSlopes>,
    spans: Option<Heightfield>,
    filtered: Option<Heightfield>,
    compact: Option<CompactField>,
    compact_areas: Option<Vec<RawArea>>,
    areas: Option<Vec<RawArea>>,
    distance: Option<DistanceField>,
    regions: Option<Regions>,
    contours: Option<ContourSet>,
    polygons: Option<PolyMesh>,
    detail: Option<DetailMesh>,
    tile: Option<Tile>,
}

impl StageResults {
    /// Returns the results of all stages; `None` if they were not kept.
    fn into_intermediates(self) -> Option<Box<Intermediates>> {
        Some(Box::new(Intermediates {
            slopes: self.slopes?,
            spans: self.spans?,
            filtered: self.filtered?,
            compact: self.compact?,
            compact_areas: self.compact_areas?,
            eroded_areas: self.areas?,
            distance: self.distance,
            regions: self.regions?,
            contours: self.contours?,
            polygons: self.polygons?,
            detail: self.detail?,
        }))
    }
}

/// Returns the result of an earlier stage.
fn ready<T>(result: Option<T>) -> T {
    result.expect("Stage::ALL lists a stage after those whose results it uses")
}

impl<'a> TileBakeRun<'a> {
    fn new(
        plan: &'a BakePlan,
        coord: TileCoord,
        keep: BakeOutput,
        monitor: &'a dyn Monitor,
    ) -> Self {
        let (warnings, results) = (Vec::new(), StageResults::default());
        Self { plan, coord, keep, monitor, warnings, results, classes: None }
    }

    fn tile(mut self) -> Result<TileBake, StageError> {
        if self.plan.input().agents.is_empty() {
            self.run(Stage::Slope..=Stage::Tile)?;
        } else {
            self.keep = BakeOutput::Tile;
            self.share_ground()?;
            self.run(AFTER_GROUND..=Stage::Tile)?;
        }
        let Self { coord, warnings, mut results, .. } = self;
        let tile = results.tile.take();
        let stages = results.into_intermediates();
        let counts = TileCounts::new(tile.as_ref(), stages.as_deref());
        Ok(TileBake { coord, tile, stages, warnings, counts })
    }

    /// Finds the ground of all agents, in place of the stages up to [`GROUND`].
    fn share_ground(&mut self) -> Result<(), StageError> {
        self.monitor.enter(Stage::Slope);
        let ground = agent_ground::ground(self.plan, self.coord, self.monitor)?;
        self.warnings.extend(ground.warnings);
        self.results.compact = Some(ground.field);
        self.results.areas = Some(ground.areas);
        self.classes = Some(ground.classes);
        Ok(())
    }

    /// Splits the ground into heightfield layers.
    fn layers(mut self, cut: LayerCut) -> Result<LayerBake, StageError> {
        self.run(Stage::Slope..=GROUND)?;
        let StageResults { compact, areas, .. } = self.results;
        let set = height_layers(&ready(compact), &ready(areas), cut, self.monitor)?;
        if set.n_hidden > 0 {
            self.warnings.push(Finding::FloorsInNoLayer { n: set.n_hidden }.into());
        }
        Ok(LayerBake { set, warnings: self.warnings })
    }

    /// Runs `stages`, in the order of [`Stage::ALL`].
    fn run(&mut self, stages: RangeInclusive<Stage>) -> Result<(), StageError> {
        for stage in Stage::ALL.into_iter().filter(|stage| stages.contains(stage)) {
            if self.has(stage) {
                self.monitor.enter(stage);
                self.run_stage(stage)?;
            }
        }
        Ok(())
    }

    /// Returns whether the settings need a stage.
    fn has(&self, stage: Stage) -> bool {
        stage != Stage::Distance || self.plan.input().settings.partition == Partition::Watershed
    }

    fn run_stage(&mut self, stage: Stage) -> Result<(), StageError> {
        match stage {
            Stage::Slope => self.mark_slopes(),
            Stage::Spans => self.rasterize(),
            Stage::Filtered => self.filter(),
            Stage::Compact => self.compact(),
            Stage::Eroded => self.erode(),
            Stage::Distance => self.measure_distances(),
            Stage::Regions => self.group_regions(),
            Stage::Contours => self.build_contours(),
            Stage::Polygons => self.build_polygons(),
            Stage::Detail => self.build_detail(),
            Stage::Tile => self.build_tile(),
        }
    }

    /// Returns `value` if the results of the stages are kept.
    fn if_kept<T>(&self, value: impl FnOnce() -> T) -> Option<T> {
        match self.keep {
            BakeOutput::Stages => Some(value()),
            BakeOutput::Tile => None,
        }
    }

    fn mark_slopes(&mut self) -> Result<(), StageError> {
        let (input, triangles) = (self.plan.input(), self.plan.tile_triangles(self.coord));
        let limit_deg = input.settings.agent_max_slope;
        let mut slopes = mark_slopes(&input.mesh, triangles, limit_deg, self.monitor)?;
        self.plan.part_uses().paint(&mut slopes);
        self.results.slopes = Some(slopes);
        Ok(())
    }

    fn rasterize(&mut self) -> Result<(), StageError> {
        let (input, climb_vx) = (self.plan.input(), self.plan.params().walkable_climb_vx);
        let (frame, slopes) = (self.plan.tile_frame(self.coord), ready(self.results.slopes.take()));
        let (spans, n_raised) = rasterize(&input.mesh, &slopes, frame, climb_vx, self.monitor)?;
        let raised = (n_raised > 0).then(|| Finding::AreaFromBelow { n: n_raised }.into());
        self.warnings.extend(raised);
        self.results.slopes = self.if_kept(|| slopes);
        self.results.spans = Some(keep_within(spans, &input.bounds, self.monitor)?);
        Ok(())
    }

    fn filter(&mut self) -> Result<(), StageError> {
        let spans = ready(self.results.spans.take());
        self.results.spans = self.if_kept(|| spans.clone());
        let (settings, params) = (&self.plan.input().settings, self.plan.params());
        let filters = SpanFilter::enabled(settings).collect();
        let agent = [params.walkable_height_vx, params.walkable_climb_vx];
        self.results.filtered = Some(filter::apply(spans, filters, agent, self.monitor)?);
        Ok(())
    }

    fn compact(&mut self) -> Result<(), StageError> {
        let params = self.plan.params();
        let (height_vx, climb_vx) = (params.walkable_height_vx, params.walkable_climb_vx);
        let filtered = ready(self.results.filtered.take());
        let open = compact::open(&filtered, height_vx, climb_vx, self.monitor)?;
        self.results.filtered = self.if_kept(|| filtered);
        let Compacted { field, areas, n_lost_links } = compact::link(open, self.monitor)?;
        if n_lost_links > 0 {
            let limit = u32::from(CompactField::NO_LINK) - 1;
            let lost = Finding::NeighborFloorTooHigh { n: n_lost_links, limit };
            self.warnings.push(lost.into());
        }
        self.results.compact = Some(field);
        self.results.compact_areas = self.if_kept(|| areas.clone());
        self.results.areas = Some(areas);
        Ok(())
    }

    /// Erodes the ground, marks it by volumes, and applies the median filter to the areas.
    fn erode(&mut self) -> Result<(), StageError> {
        let (input, monitor) = (self.plan.input(), self.monitor);
        let (field, areas) =
            (ready(self.results.compact.as_ref()), ready(self.results.areas.take()));
        let radius_vx = self.plan.params().walkable_radius_vx;
        let mut areas = erode(areas, &field.adjacency, radius_vx, monitor)?;
        for volume in &input.volumes {
            mark_volume(field, &mut areas, volume, input.settings.agent_radius, monitor)?;
        }
        if input.settings.filter_median {
            areas = median(&areas, &field.adjacency, monitor)?;
        }
        self.results.areas = Some(areas);
        Ok(())
    }

    fn measure_distances(&mut self) -> Result<(), StageError> {
        let StageResults { compact, areas, .. } = &self.results;
        let (field, areas) = (ready(compact.as_ref()), ready(areas.as_ref()));
        self.results.distance = Some(distance::measure(areas, &field.adjacency, self.monitor)?);
        Ok(())
    }

    fn group_regions(&mut self) -> Result<(), StageError> {
        let (params, distance) = (self.plan.params(), self.results.distance.take());
        let cut = match self.plan.input().settings.partition {
            Partition::Watershed => Cut::Watershed(ready(distance.as_ref())),
            Partition::Monotone => Cut::Monotone,
            Partition::Layers => Cut::Layers,
        };
        // Small islands of several agents are gone already, those of each agent.
        let has_islands = self.classes.is_none();
        let sizes = SizeLimits {
            min_area_vx: if has_islands { params.min_region_area_vx } else { 0 },
            merge_area_vx: params.merge_region_area_vx,
        };
        let StageResults { compact, areas, .. } = &self.results;
        let (field, areas) = (ready(compact.as_ref()), ready(areas.as_ref()));
        let ground = Ground { field, areas };
        let Grouped { regions, n_overlapping } = group(ground, cut, sizes, self.monitor)?;
        if n_overlapping > 0 {
            self.warnings.push(Finding::RegionsOverlapThemselves { n: n_overlapping }.into());
        }
        self.results.distance = self.if_kept(|| distance).flatten();
        self.results.regions = Some(regions);
        Ok(())
    }

    fn build_contours(&mut self) -> Result<(), StageError> {
        let params = self.plan.params();
        let (max_error, max_edge_len_vx) = (params.max_edge_error_vx, params.max_edge_len_vx);
        let StageResults { compact, areas, regions, .. } = &self.results;
        let (field, areas) = (ready(compact.as_ref()), ready(areas.as_ref()));
        let regions = &ready(regions.as_ref()).ids;
        let ground = contour::Ground { field, areas, regions };
        let (contours, warnings) =
            build_contours(ground, max_error, max_edge_len_vx, self.monitor)?;
        self.warnings.extend(warnings);
        self.results.contours = Some(contours);
        Ok(())
    }

    fn build_polygons(&mut self) -> Result<(), StageError> {
        let max_corners = self.plan.input().settings.verts_per_poly as usize;
        let contours = ready(self.results.contours.as_ref());
        let (mesh, warnings) = build_polymesh(contours, max_corners, self.monitor)?;
        self.warnings.extend(warnings);
        self.results.polygons = Some(mesh);
        Ok(())
    }

    fn build_detail(&mut self) -> Result<(), StageError> {
        let params = self.plan.params();
        let sampling = [params.detail_sample_dist, params.detail_sample_max_error];
        let StageResults { compact, regions, polygons, .. } = &self.results;
        let (field, regions) = (ready(compact.as_ref()), &ready(regions.as_ref()).ids);
        let (mesh, ground) = (ready(polygons.as_ref()), detail::Ground { field, regions });
        let (detail, warnings) = build_detail(mesh, ground, sampling, self.monitor)?;
        self.warnings.extend(warnings);
        self.results.detail = Some(detail);
        Ok(())
    }

    /// Builds the tile data, unless nothing is walkable.
    fn build_tile(&mut self) -> Result<(), StageError> {
        let input = self.plan.input();
        if self.keep == BakeOutput::Tile {
            let StageResults { polygons, detail, .. } = std::mem::take(&mut self.results);
            self.results = StageResults { polygons, detail, ..StageResults::default() };
        }
        let agent = TileAgent {
            height: input.settings.agent_height,
            radius: input.settings.agent_radius,
            max_climb: input.settings.agent_max_climb,
        };
        let StageResults { polygons, detail, .. } = &self.results;
        let (mesh, place) = (ready(polygons.as_ref()), self.coord.into());
        let kinds = match &self.classes {
            None => PolygonKinds::by_area(&input.area_flags),
            Some(classes) => PolygonKinds::by_class(&input.area_flags, classes, &input.agents),
        };
        let (tile, warnings) =
            build_tile(mesh, detail.as_ref(), (&input.off_mesh, kinds), agent, place)?;
        self.warnings.extend(warnings);
        self.results.tile = tile;
        Ok(())
    }
}
