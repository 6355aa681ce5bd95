use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Tile, TileError};

/// Where tiles lie and how many there may be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavMeshParams {
    /// Minimum corner of tile (0, 0).
    pub origin: Vec3,
    /// Side of a tile along x, in meters.
    pub tile_width: f32,
    /// Side of a tile along z, in meters.
    pub tile_height: f32,
    /// Most tiles.
    pub max_tiles: u32,
    /// Most polygons a tile.
    pub max_polys: u32,
}

impl NavMeshParams {
    /// Parameters for a mesh of the one tile `tile`.
    pub fn solo(tile: &Tile) -> Self {
        let size = tile.header.bounds.size();
        Self {
            origin: tile.header.bounds.min,
            tile_width: size.x,
            tile_height: size.z,
            max_tiles: 1,
            max_polys: tile.n_polys(),
        }
    }
}

/// Why a mesh was not made or a tile not added.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NavMeshError {
    /// There is a tile already.
    #[error("there is already a tile at {x},{z} layer {layer}")]
    Occupied {
        /// Column.
        x: i32,
        /// Row.
        z: i32,
        /// Layer.
        layer: i32,
    },
    /// Tiles and polygons need more bits than a reference has.
    #[error("{tile_bits} bits for tiles and {poly_bits} for polygons leave too few of a reference")]
    RefBits {
        /// Bits to tell tiles apart.
        tile_bits: u32,
        /// Bits to tell polygons apart.
        poly_bits: u32,
    },
    /// A parameter is infinite, not a number, or not above zero.
    #[error("{what} of the mesh is not valid")]
    BadParameter {
        /// Which.
        what: &'static str,
    },
    /// All tile numbers are taken.
    #[error("the mesh is full: it has {max_tiles} tiles")]
    Full {
        /// Tiles allowed.
        max_tiles: u32,
    },
    /// The number of a tile that should get a certain number is taken or too large.
    #[error("tile number {number} with salt {salt} cannot be given out")]
    BadSlot {
        /// The number.
        number: u32,
        /// Its salt.
        salt: u32,
    },
    /// The tile has more polygons than a reference can name.
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
        /// Polygons of the tile.
        found: usize,
        /// Polygons that can be named.
        limit: u64,
    },
    /// Linking the tile to those around it would take too long.
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
    /// The tile is not sound.
    #[error("the tile at {x},{z} layer {layer} is unsound: {error}")]
    Unsound {
        /// Column.
        x: i32,
        /// Row.
        z: i32,
        /// Layer.
        layer: i32,
        /// Why.
        error: TileError,
    },
}
