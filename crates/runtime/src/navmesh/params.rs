use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Tile, TileError};

/// The grid of tiles, and limits of a navmesh.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavMeshParams {
    /// Minimum corner of tile (0, 0).
    pub origin: Vec3,
    /// Size of a tile along x, in meters.
    pub tile_width: f32,
    /// Size of a tile along z, in meters.
    pub tile_height: f32,
    /// Maximum number of tiles.
    pub max_tiles: u32,
    /// Maximum number of polygons per tile.
    pub max_polys: u32,
}

impl NavMeshParams {
    /// Returns parameters for a navmesh of one tile. Differs: Detour's origin is that of the tile, so that queries find a
    /// tile only at column and row 0.
    #[expect(clippy::cast_precision_loss, reason = "a tile too far away is refused")]
    pub fn solo(tile: &Tile) -> Self {
        let header = &tile.header;
        let size = header.bounds.size();
        let to_tile = Vec3::new(header.x as f32 * size.x, 0.0, header.z as f32 * size.z);
        Self {
            origin: header.bounds.min - to_tile,
            tile_width: size.x,
            tile_height: size.z,
            max_tiles: 1,
            max_polys: tile.n_polys(),
        }
    }
}

/// An error when a navmesh is created or a tile added.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NavMeshError {
    /// There is already a tile at this coordinate and layer.
    #[error("there is already a tile at {x},{z} layer {layer}")]
    Occupied {
        /// Column.
        x: i32,
        /// Row.
        z: i32,
        /// Layer.
        layer: i32,
    },
    /// The maximum numbers of tiles and polygons need more bits than a reference has.
    #[error("{tile_bits} bits for tiles and {poly_bits} for polygons leave too few of a reference")]
    RefBits {
        /// Bits for the slot of a tile.
        tile_bits: u32,
        /// Bits for the index of a polygon.
        poly_bits: u32,
    },
    /// A parameter is infinite, not a number, or not above zero.
    #[error("{what} of the mesh is not valid")]
    BadParameter {
        /// Name of the parameter.
        what: &'static str,
    },
    /// All slots are in use.
    #[error("the mesh is full: it has {max_tiles} tiles")]
    Full {
        /// Maximum number of tiles.
        max_tiles: u32,
    },
    /// The slot requested for a tile is in use or too large.
    #[error("tile number {number} with salt {salt} cannot be given out")]
    BadSlot {
        /// The slot.
        number: u32,
        /// The salt.
        salt: u32,
    },
    /// The tile has more polygons than the navmesh allows.
    #[error(
        "the tile at {x},{z} layer {layer} has {found} polygons, more than the {limit} that references \
         have room for; use references of 64 bits (refs=64), or fewer, larger tiles (tile_size), which leave \
         more room for polygons"
    )]
    TooManyPolys {
        /// Column.
        x: i32,
        /// Row.
        z: i32,
        /// Layer.
        layer: i32,
        /// Number of polygons of the tile.
        found: usize,
        /// Maximum number of polygons.
        limit: u64,
    },
    /// Linking the tile to the tiles around it would take too long.
    #[error(
        "the tile at {x},{z} layer {layer} has too many edges on its borders, or too many off-mesh links, to be \
         linked to those around it; bake smaller tiles"
    )]
    TooMuchWork {
        /// Column.
        x: i32,
        /// Row.
        z: i32,
        /// Layer.
        layer: i32,
    },
    /// The tile's data is not valid.
    #[error("the tile at {x},{z} layer {layer} is unsound: {error}")]
    Unsound {
        /// Column.
        x: i32,
        /// Row.
        z: i32,
        /// Layer.
        layer: i32,
        /// The first error.
        error: TileError,
    },
}
