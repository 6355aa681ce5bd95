//! Temporary obstacles on the navmesh.

use serde::{Deserialize, Serialize};
use walkable::{bake::VolumeShape, tile_cache};

use super::{Document, Named};

/// A temporary obstacle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    /// Its shape. [`tile_cache::Obstacle`] defines which cells it covers.
    pub shape: VolumeShape,
}

impl Obstacle {
    /// As the layers know it.
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

/// The obstacles of a document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Obstacles {
    /// Whether the level is baked in layers, so that obstacles can come and go.
    pub prepared: bool,
    /// The obstacles.
    pub list: Vec<Named<Obstacle>>,
}

impl Document {
    /// The obstacles as the layers know them; `None` where the level is not prepared for any.
    pub fn obstacles_on_layers(&self) -> Option<Vec<tile_cache::Obstacle>> {
        let Obstacles { prepared, list } = &self.obstacles;
        prepared.then(|| list.iter().map(|obstacle| obstacle.on_layers()).collect())
    }
}
