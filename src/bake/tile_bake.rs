use serde::Serialize;

use crate::{
    bake::{
        BakeError, BakePlan, BakeSettings, CompactField, ContourSet, DetailMesh, DistanceField,
        Heightfield, MAX_VERTS_PER_POLY, OpenSpan, Partition, PolyMesh, Regions, Stage,
        TriangleSlopes,
        adjacency::Adjacency,
        compact::{Compacted, compact},
        distance,
        erode::erode,
        filter,
        limit::StageError,
        mark::mark_volume,
        rasterize::rasterize,
        region::{Cut, Ground, Grouped, SizeLimits, group},
        slope::mark_slopes,
    },
    ids::{AreaId, TileCoord},
    monitor::{Cancelled, Monitor},
    navmesh::Tile,
};

/// Whether a bake keeps what each stage made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Only the tile.
    Tile,
    /// Every stage.
    Stages,
}

/// Something odd that a stage met and went on from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BakeWarning {
    /// What and where, for people.
    pub text: String,
}

/// What every stage of one tile made.
#[derive(Clone, Debug, PartialEq)]
pub struct Intermediates {
    /// Triangles that touch the tile, marked by slope.
    pub slopes: TriangleSlopes,
    /// Solid spans as rasterized.
    pub spans: Heightfield,
    /// Solid spans after the filters.
    pub filtered: Heightfield,
    /// Open spans and links.
    pub compact: CompactField,
    /// Areas of the open spans before erosion.
    pub compact_areas: Vec<AreaId>,
    /// Areas after erosion and volumes.
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
    pub warnings: Vec<BakeWarning>,
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
    let voxels = recipe.voxels().map_err(|error| error.at(coord))?;
    let grouped = recipe.regions(&voxels).map_err(|error| error.at(coord))?;

    let stages = (keep == Keep::Stages).then(|| {
        let contours = ContourSet {
            frame: voxels.compact.frame,
            max_error: plan.params().max_edge_error_vx,
            contours: Vec::new(),
        };
        let polygons = PolyMesh {
            origin: voxels.compact.frame.bounds.min,
            bounds_max: voxels.compact.frame.bounds.max,
            cell_size: plan.params().cell_size,
            cell_height: plan.params().cell_height,
            max_verts_per_poly: MAX_VERTS_PER_POLY,
            border_vx: plan.params().border_vx,
            max_edge_error: plan.params().max_edge_error_vx,
            vertices: Vec::new(),
            polygons: Vec::new(),
        };
        Box::new(Intermediates {
            slopes: voxels.slopes,
            spans: voxels.spans,
            filtered: voxels.filtered,
            compact: voxels.compact,
            compact_areas: voxels.compact_areas,
            eroded_areas: voxels.areas,
            distance: grouped.distance,
            regions: grouped.regions,
            contours,
            polygons,
            detail: DetailMesh::default(),
        })
    });
    Ok(TileBake { coord, tile: None, stages, warnings: recipe.warnings })
}

/// One bake of one tile: what its stages share.
struct Recipe<'a> {
    plan: &'a BakePlan,
    coord: TileCoord,
    keep: Keep,
    monitor: &'a dyn Monitor,
    warnings: Vec<BakeWarning>,
}

/// From triangles to open spans. What later stages do not need is empty unless asked for.
struct Voxels {
    slopes: TriangleSlopes,
    spans: Heightfield,
    filtered: Heightfield,
    compact: CompactField,
    compact_areas: Vec<AreaId>,
    adjacency: Adjacency,
    areas: Vec<AreaId>,
}

/// Regions and what they were made from.
struct TileRegions {
    distance: Option<DistanceField>,
    regions: Regions,
}

impl Recipe<'_> {
    /// Slope, spans, filters, open spans, erosion and volumes.
    fn voxels(&mut self) -> Result<Voxels, StageError> {
        let Self { plan, monitor, .. } = *self;
        let (input, params) = (plan.input(), plan.params());
        let BakeSettings { agent_max_slope, .. } = input.settings;
        let climb_vx = params.walkable_climb_vx;
        let frame = plan.tile_frame(self.coord);

        monitor.enter(Stage::Slope);
        let triangles = plan.tile_triangles(self.coord);
        let slopes = mark_slopes(&input.mesh, triangles, agent_max_slope, monitor)?;

        monitor.enter(Stage::Spans);
        let spans = rasterize(&input.mesh, &slopes, frame, climb_vx, monitor)?;
        let kept_spans = self.kept(&spans);

        monitor.enter(Stage::Filtered);
        let filtered = self.filtered(spans)?;

        monitor.enter(Stage::Compact);
        let compacted = compact(&filtered, params.walkable_height_vx, climb_vx, monitor)?;
        self.warn_of_lost_links(compacted.n_lost_links);
        let Compacted { field: compact, areas: compact_areas, .. } = compacted;
        let adjacency = Adjacency::new(&compact, monitor)?;

        monitor.enter(Stage::Eroded);
        let mut areas = compact_areas.clone();
        areas = erode(areas, &adjacency, params.walkable_radius_vx, monitor)?;
        for volume in &input.volumes {
            mark_volume(&compact, &mut areas, volume, monitor)?;
        }
        let spans = kept_spans;
        Ok(Voxels { slopes, spans, filtered, compact, compact_areas, adjacency, areas })
    }

    /// A copy of `field` if stages are kept, else an empty one.
    fn kept(&self, field: &Heightfield) -> Heightfield {
        match self.keep {
            Keep::Stages => field.clone(),
            Keep::Tile => Heightfield { frame: field.frame, starts: Vec::new(), spans: Vec::new() },
        }
    }

    fn filtered(&self, mut field: Heightfield) -> Result<Heightfield, Cancelled> {
        let (settings, params) = (&self.plan.input().settings, self.plan.params());
        let (height_vx, climb_vx) = (params.walkable_height_vx, params.walkable_climb_vx);
        if settings.filter_low_hanging_obstacles {
            field = filter::raise_low_hanging_obstacles(field, climb_vx, self.monitor)?;
        }
        if settings.filter_ledge_spans {
            field = filter::clear_ledges(field, height_vx, climb_vx, self.monitor)?;
        }
        if settings.filter_low_height_spans {
            field = filter::clear_low_ceilings(field, height_vx, self.monitor)?;
        }
        Ok(field)
    }

    /// Distance field, where the partition needs one, and regions.
    fn regions(&mut self, voxels: &Voxels) -> Result<TileRegions, StageError> {
        let Self { plan, monitor, .. } = *self;
        let Voxels { compact, adjacency, areas, .. } = voxels;
        let partition = plan.input().settings.partition;
        let distance = match partition {
            Partition::Watershed => {
                monitor.enter(Stage::Distance);
                Some(distance::measure(areas, adjacency, monitor)?)
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
        let ground = Ground { field: compact, adjacency, areas };
        let Grouped { regions, n_overlapping } = group(ground, cut, sizes, monitor)?;
        if n_overlapping > 0 {
            self.warn(format!("{n_overlapping} regions lie partly above themselves"));
        }
        Ok(TileRegions { distance, regions })
    }

    fn warn_of_lost_links(&mut self, n: usize) {
        if n > 0 {
            self.warn(format!(
                "{n} steps between cells were left out, because they lead to a floor with more than {} \
                 walkable floors below it",
                OpenSpan::NO_LINK - 1
            ));
        }
    }

    fn warn(&mut self, text: String) {
        self.warnings.push(BakeWarning { text });
    }
}
