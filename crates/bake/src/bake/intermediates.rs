use serde::{Deserialize, Serialize};
use walkable_runtime::{ids::TileCoord, monitor::Monitor};

use crate::bake::{
    BakeError, CompactField, ContourSet, DetailMesh, DistanceField, Heightfield, PolyMesh, RawArea,
    Regions, TriangleSlopes,
    height_layers::{HeightLayerSet, LayerCut, height_layers},
};

/// The results of all stages of one tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub compact_areas: Vec<RawArea>,
    /// Areas after erosion, volumes and the median filter.
    pub eroded_areas: Vec<RawArea>,
    /// Distance field, if the partition needs one.
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
    /// Splits the ground of this tile, whose coordinate is `coord`, into layers. No later stage needs them, so they are
    /// computed on demand.
    ///
    /// # Errors
    /// Returns [`BakeError::Cancelled`] soon after the monitor is cancelled, and [`BakeError::Limit`] if the ground is
    /// in too many pieces.
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
