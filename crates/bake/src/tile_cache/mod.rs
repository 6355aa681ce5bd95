//! Obstacles at run time: compressed layers of the ground, from which single tiles of a navmesh are rebuilt when an
//! obstacle is added or removed, without rasterizing the level again.
//!
//! A [`LayerTile`] is a compressed heightfield layer of a tile. A [`TileCache`] holds the layers of a level and the
//! [`Obstacle`]s, finds the layers that an obstacle touches, and rebuilds their tiles:
//!
//! ```
//! # use std::sync::Arc;
//! # use walkable::{bake::*, level::*, monitor::Unmonitored, query::*};
//! use walkable::tile_cache::{Obstacle, TileCache};
//!
//! # let level = generate(LevelKind::Sample, 1, 30.0)?;
//! # let (start, end, filter, mut scratch) = (level.start, level.end, Filter::default(), Scratch::default());
//! let settings = BakeSettings { tile_size: 48, ..BakeSettings::default() };
//! let plan = BakePlan::new(BakeInput::new(Arc::new(level.mesh), settings))?;
//! let mut cache = TileCache::bake(&plan, LayerCut::Sweep, &Unmonitored)?.cache;
//! let mut mesh = cache.build(&Unmonitored)?.mesh;
//! let request = PathRequest::new(start, end, &filter);
//! let free = find_path(&mesh, &request, &mut scratch)?;
//!
//! // A barrel rolls onto the first corner of the path.
//! let barrel = Obstacle::Cylinder { base: free.points[1], radius: 0.5, height: 1.0 };
//! let (id, touched) = cache.add_obstacle(barrel)?;
//! cache.update(&mut mesh, &touched, &Unmonitored)?;
//! let blocked = find_path(&mesh, &request, &mut scratch)?;
//! assert_ne!(blocked.points, free.points);
//!
//! let touched = cache.remove_obstacle(id)?;
//! cache.update(&mut mesh, &touched, &Unmonitored)?;
//! assert_eq!(find_path(&mesh, &request, &mut scratch)?.points, free.points);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`TileCache::to_bytes`] writes the file format of `RecastDemo` (`TSET`).

mod cache;
mod findings;
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
    /// Layer at that coordinate.
    pub layer: u32,
}

impl LayerKey {
    /// Creates the key of layer `layer` of the tile at `coord`.
    pub const fn new(coord: TileCoord, layer: u32) -> Self {
        Self { z: coord.z, x: coord.x, layer }
    }

    /// Returns the tile.
    pub const fn coord(self) -> TileCoord {
        TileCoord::new(self.x, self.z)
    }
}

impl std::fmt::Display for LayerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} layer {}", self.coord(), self.layer)
    }
}
