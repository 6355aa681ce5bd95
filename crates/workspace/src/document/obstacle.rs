//! Temporary obstacles on the navmesh.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use walkable::{
    bake::{BakeSettings, VolumeShape},
    tile_cache,
};

use super::{Document, Named};

/// Tile size for a level whose tiles cannot be split into layers, in voxels. Source: RecastDemo.
pub const OBSTACLE_TILE_SIZE: u32 = 48;
/// Tile sizes that can be split into layers, in voxels.
const TILE_SIZES: RangeInclusive<u32> = 1..=255;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    /// Its shape. [`tile_cache::Obstacle`] defines which cells it covers.
    pub shape: VolumeShape,
}

impl Obstacle {
    pub fn on_layers(&self) -> tile_cache::Obstacle {
        match self.shape {
            VolumeShape::Cylinder { base, radius, height } => {
                tile_cache::Obstacle::Cylinder { base, radius, height }
            }
            VolumeShape::TurnedBox { center, half_extents, yaw } => {
                tile_cache::Obstacle::TurnedBox { center, half_size: half_extents, yaw }
            }
            VolumeShape::Box(bounds) => tile_cache::Obstacle::Box(bounds),
            VolumeShape::Prism { min_y, max_y, ref outline } => {
                let outline = outline.as_slice().into();
                tile_cache::Obstacle::Prism { min_y, max_y, outline }
            }
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Obstacles {
    /// Whether the level is baked in layers, so that obstacles can come and go.
    pub prepared: bool,
    pub list: Vec<Named<Obstacle>>,
}

pub fn has_layer_tiles(settings: &BakeSettings) -> bool {
    TILE_SIZES.contains(&settings.tile_size)
}

impl Document {
    /// Prepares the level for obstacles. If its tile size is not possible with layers, as for a level that is one tile,
    /// it gets another one.
    pub fn prepare_for_obstacles(&mut self) {
        self.obstacles.prepared = true;
        let agents = self.agents.list.iter_mut().map(|agent| &mut agent.settings);
        for settings in agents.chain([&mut self.settings]) {
            if !has_layer_tiles(settings) {
                settings.tile_size = OBSTACLE_TILE_SIZE;
            }
        }
    }

    /// Returns the obstacles as the tile cache represents them; `None` if the level is not prepared for obstacles.
    pub fn obstacles_on_layers(&self) -> Option<Vec<tile_cache::Obstacle>> {
        let Obstacles { prepared, list } = &self.obstacles;
        prepared.then(|| list.iter().map(|obstacle| obstacle.on_layers()).collect())
    }
}
