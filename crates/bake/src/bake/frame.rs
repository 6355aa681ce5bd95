use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::geom::Aabb;

/// A voxel grid in world space.
///
/// A cell `(x, z)` has index `x + z * n_x`. The border, if any, is included in `n_x`, `n_z` and `bounds`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridFrame {
    /// Bounds of the grid in world space, border included; `bounds.min` is the corner of cell (0, 0).
    pub bounds: Aabb,
    /// Size of a cell along x and z, in meters.
    pub cell_size: f32,
    /// Height of a cell, in meters.
    pub cell_height: f32,
    /// Number of cells along x, border included.
    pub n_x: u32,
    /// Number of cells along z, border included.
    pub n_z: u32,
    /// Width of the border, in cells.
    pub border_vx: u32,
}

impl GridFrame {
    /// Returns the number of cells.
    pub const fn n_cells(&self) -> usize {
        self.n_x as usize * self.n_z as usize
    }

    /// Returns the index of the cell in column `x` and row `z`.
    pub const fn cell_index(&self, x: u32, z: u32) -> usize {
        x as usize + z as usize * self.n_x as usize
    }

    /// Converts a grid point, in cells from the minimum corner, to world space.
    pub fn world_from_grid(&self, x: f32, y: f32, z: f32) -> Vec3 {
        self.bounds.min + Vec3::new(x * self.cell_size, y * self.cell_height, z * self.cell_size)
    }

    /// Returns the bounds of the grid without its border.
    pub fn inner_bounds(&self) -> Aabb {
        let pad = to_float(self.border_vx) * self.cell_size;
        let Aabb { mut min, mut max } = self.bounds;
        if self.border_vx > 0 {
            min.x += pad;
            min.z += pad;
            max.x -= pad;
            max.z -= pad;
        }
        Aabb { min, max }
    }

    /// Returns the center of cell `(x, z)` in world space, at height 0.
    pub(super) fn cell_middle(&self, x: u32, z: u32) -> Vec3 {
        let origin = self.bounds.min;
        let middle = |cell: u32, origin: f32| origin + (to_float(cell) + 0.5) * self.cell_size;
        Vec3::new(middle(x, origin.x), 0.0, middle(z, origin.z))
    }
}

#[expect(clippy::cast_precision_loss, reason = "grids have at most 65535 cells along a side")]
fn to_float(cell: u32) -> f32 {
    cell as f32
}
