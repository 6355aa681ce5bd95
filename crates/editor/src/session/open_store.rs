//! The tile store of the open navmesh: its tiles as the index lists them, and which of them are loaded.

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    geom::Aabb,
    ids::TileCoord,
    navmesh::{NavMesh, NavMeshParams, TilePlace},
    store::TileStore,
};

use super::{HeightMap, LevelSource, Session, World};

#[derive(Clone, Debug)]
pub struct OpenStore {
    pub index: Arc<TileStore>,
    /// The part whose tiles are loaded; `None` if all are.
    pub world: Option<World>,
    /// Where it has tiles, seen from above, without their heights.
    pub plan: Arc<HeightMap>,
    /// Number of tiles that were left out because they are damaged.
    pub n_damaged: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreExportPhase {
    Baking,
    Writing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreExportProgress {
    pub phase: StoreExportPhase,
    pub file: String,
    pub n_done: usize,
    pub n_tiles: usize,
}

impl OpenStore {
    #[expect(clippy::cast_precision_loss, reason = "tiles are not that many")]
    pub fn square(params: &NavMeshParams, TilePlace { x, z, .. }: TilePlace) -> Aabb {
        let at = |by: f32| Vec3::new(x as f32 + by, 0.0, z as f32 + by);
        let side = Vec3::new(params.tile_width, 0.0, params.tile_height);
        let origin = params.origin.with_y(0.0);
        Aabb { min: origin + at(0.0) * side, max: origin + at(1.0) * side }
    }

    /// Returns the middle of a tile, with a height of 0; `None` if the store has none there.
    pub fn middle_of(&self, tile: TileCoord) -> Option<Vec3> {
        self.square_of(tile).map(|square| square.center())
    }

    /// Returns the square of a tile, with heights of 0; `None` if the store has none there.
    pub fn square_of(&self, TileCoord { x, z }: TileCoord) -> Option<Aabb> {
        let [x, z] = [x, z].map(|at| i32::try_from(at).ok());
        let (x, z) = x.zip(z)?;
        let entry = self.index.entries_in(x..=x, z..=z).next()?;
        Some(Self::square(self.index.params(), entry.place))
    }
}

impl Session {
    pub fn open_store(&mut self, source: LevelSource, navmesh: NavMesh, store: OpenStore) {
        self.open_navmesh(source, navmesh);
        self.opened.store = Some(store);
    }

    /// Shows another part of the open tile store. The path's ends, the selection and all settings stay.
    pub fn move_store(&mut self, navmesh: NavMesh, store: OpenStore) {
        self.bake.show_imported(navmesh);
        self.tools.hover = None;
        self.opened.store = Some(store);
    }
}
