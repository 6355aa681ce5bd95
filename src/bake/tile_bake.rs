use serde::Serialize;

use crate::{
    bake::{
        BakeError, BakePlan, CompactField, ContourSet, DetailMesh, DistanceField, Heightfield,
        PolyMesh, Regions, TriangleSlopes,
    },
    ids::{AreaId, TileCoord},
    monitor::Monitor,
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
    let _ = (plan, coord, keep, monitor);
    todo!("bake helper")
}
