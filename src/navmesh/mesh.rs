use glam::Vec3;

use crate::{
    geom::Aabb,
    ids::TileCoord,
    navmesh::{PolyRef, Tile},
};

/// Where tiles lie and how many there may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavMeshParams {
    /// Minimum corner of tile (0, 0).
    pub origin: Vec3,
    /// Side of a tile along x, in metres.
    pub tile_width: f32,
    /// Side of a tile along z, in metres.
    pub tile_height: f32,
    /// Most tiles.
    pub max_tiles: u32,
    /// Most polygons a tile.
    pub max_polys: u32,
}

impl NavMeshParams {
    /// Parameters for a mesh of the one tile `tile`.
    pub fn solo(tile: &Tile) -> Self {
        let _ = tile;
        todo!("navmesh helper")
    }
}

/// Why a tile or file was refused.
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
}

/// Tiles in a grid, linked.
#[derive(Clone, Debug)]
pub struct NavMesh {
    params: NavMeshParams,
}

impl NavMesh {
    /// An empty mesh.
    ///
    /// # Errors
    /// [`NavMeshError`] where the numbers of tiles and polygons do not fit a reference.
    pub fn new(params: NavMeshParams) -> Result<Self, NavMeshError> {
        Ok(Self { params })
    }

    /// Where tiles lie.
    pub fn params(&self) -> &NavMeshParams {
        &self.params
    }

    /// Adds a tile and links it to its neighbours.
    ///
    /// # Errors
    /// [`NavMeshError`] where the place is taken or the mesh full.
    pub fn add_tile(&mut self, tile: std::sync::Arc<Tile>) -> Result<(), NavMeshError> {
        let _ = tile;
        todo!("navmesh helper")
    }

    /// Removes the tiles of all layers at `coord`; `false` where there was none.
    pub fn remove_tiles_at(&mut self, coord: TileCoord) -> bool {
        let _ = coord;
        todo!("navmesh helper")
    }

    /// All tiles, by slot.
    pub fn tiles(&self) -> impl Iterator<Item = &Tile> {
        std::iter::empty()
    }

    /// Tile and polygon index that `poly` names, `None` where it is stale.
    pub fn resolve(&self, poly: PolyRef) -> Option<(&Tile, usize)> {
        let _ = poly;
        todo!("navmesh helper")
    }

    /// The polygon with index `poly` of the tile in slot `slot`.
    pub fn poly_ref(&self, slot: usize, poly: usize) -> Option<PolyRef> {
        let _ = (slot, poly);
        todo!("navmesh helper")
    }

    /// Box around all tiles.
    pub fn bounds(&self) -> Aabb {
        todo!("navmesh helper")
    }
}
