use crate::{
    bake::{BakeInput, SettingsError, VoxelParams},
    geom::Aabb,
    ids::TileCoord,
    monitor::Cancelled,
    navmesh::NavMeshParams,
};

/// Why a tile has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// The settings cannot be baked.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A limit of the data format was exceeded.
    #[error("tile {tile}: {what} is {value}, more than the limit of {limit}; {remedy}")]
    Limit {
        /// Where.
        tile: TileCoord,
        /// What there was too much of.
        what: &'static str,
        /// How much.
        value: u64,
        /// How much there may be.
        limit: u64,
        /// What to change.
        remedy: &'static str,
    },
}

/// A bake made ready: settings in cells, the level cut into tiles. Cheap to share between threads.
#[derive(Clone, Debug)]
pub struct BakePlan {
    input: BakeInput,
    params: VoxelParams,
    n_tiles: [u32; 2],
}

impl BakePlan {
    /// Checks the settings and lays out the tiles.
    ///
    /// # Errors
    /// [`BakeError::Settings`] or [`BakeError::Limit`].
    pub fn new(input: BakeInput) -> Result<Self, BakeError> {
        let _ = input;
        todo!("bake helper")
    }

    /// What is baked.
    pub fn input(&self) -> &BakeInput {
        &self.input
    }

    /// Settings in cells.
    pub fn params(&self) -> &VoxelParams {
        &self.params
    }

    /// Cells of the whole level along x and z, borders left out.
    pub fn grid_size(&self) -> [u32; 2] {
        todo!("bake helper")
    }

    /// Tiles along x and z; `[1, 1]` for solo.
    pub fn n_tiles(&self) -> [u32; 2] {
        self.n_tiles
    }

    /// Coordinates of all tiles, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = TileCoord> + use<> {
        let [n_x, n_z] = self.n_tiles;
        (0..n_z).flat_map(move |z| (0..n_x).map(move |x| TileCoord::new(x, z)))
    }

    /// World box of a tile, border left out.
    pub fn tile_bounds(&self, tile: TileCoord) -> Aabb {
        let _ = tile;
        todo!("bake helper")
    }

    /// Parameters of the navmesh that takes the tiles. A solo mesh takes them from its one tile:
    /// see [`NavMeshParams::solo`].
    pub fn nav_mesh_params(&self) -> NavMeshParams {
        todo!("bake helper")
    }
}
