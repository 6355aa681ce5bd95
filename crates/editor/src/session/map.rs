//! A map of Moving AI's benchmarks that is open as a level: a cell or voxel is a cube of a meter.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_workspace::searches::{Map, Place, Query};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenMap {
    pub map: Map,
    /// Queries of the scenario, if one was opened.
    pub queries: Vec<Query>,
}

impl OpenMap {
    /// Returns the center of a cell's floor, or of a voxel; the origin if the place is not a cell.
    #[expect(clippy::cast_precision_loss, reason = "maps have at most 2^19 cells along a side")]
    pub fn middle(place: &Place) -> Vec3 {
        let Place::Cell(cell) = place else { return Vec3::ZERO };
        match **cell {
            [x, y] => Vec3::new(x as f32 + 0.5, 0.0, y as f32 + 0.5),
            [x, y, z] => Vec3::new(x as f32, y as f32, z as f32) + 0.5,
            _ => Vec3::ZERO,
        }
    }
}
