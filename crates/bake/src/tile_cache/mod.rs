//! Layers of the level's ground, kept packed, from which tiles of a navmesh are made again whenever an obstacle
//! comes or goes: without triangles and spans, and only where something changed.
//!
//! A [`LayerTile`] is a heightfield layer in its place. A [`TileCache`] holds those of a level and the
//! [`Obstacle`]s, knows which tiles each obstacle touches, and makes tile data. [`TileCache::to_bytes`] writes
//! what `RecastDemo` saves (`TSET`).

mod cache;
mod format;
mod layer_tile;
mod obstacle;
mod packing;
mod params;
mod stats;

pub use cache::{CacheBake, CacheMesh, ObstacleId, TileCache, TileCacheError};
pub use layer_tile::LayerTile;
pub use obstacle::Obstacle;
pub use params::TileCacheParams;
pub use stats::TileCacheStats;

use walkable_runtime::ids::TileCoord;

/// A layer of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerKey {
    /// Row of the tile.
    pub z: u32,
    /// Column of the tile.
    pub x: u32,
    /// Layer at that place.
    pub layer: u32,
}

impl LayerKey {
    /// Layer `layer` of the tile at `coord`.
    pub const fn new(coord: TileCoord, layer: u32) -> Self {
        Self { z: coord.z, x: coord.x, layer }
    }

    /// The tile.
    pub const fn coord(self) -> TileCoord {
        TileCoord::new(self.x, self.z)
    }
}

impl std::fmt::Display for LayerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} layer {}", self.coord(), self.layer)
    }
}
