use std::fmt;

use super::Tile;

/// Column, row and layer of a tile. Ordered by row, then column, then layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TilePlace {
    /// Row.
    pub z: i32,
    /// Column.
    pub x: i32,
    /// Layer.
    pub layer: i32,
}

impl TilePlace {
    /// Returns the place of `tile`.
    pub fn of(tile: &Tile) -> Self {
        let header = &tile.header;
        Self { z: header.z, x: header.x, layer: header.layer }
    }
}

/// A polygon of a tile. Unlike a [`PolyRef`](super::PolyRef), it is known while the tile is not loaded, and does not
/// change when the tile is replaced. See [`NavMesh::find_poly`](super::NavMesh::find_poly).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TilePoly {
    /// The tile.
    pub tile: TilePlace,
    /// Index of the polygon in the tile.
    pub poly: u32,
}

/// Column and row, and the layer if it is not 0.
impl fmt::Display for TilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { z, x, layer } = self;
        match layer {
            0 => write!(f, "{x},{z}"),
            layer => write!(f, "{x},{z} layer {layer}"),
        }
    }
}
