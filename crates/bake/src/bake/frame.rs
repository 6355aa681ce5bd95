use glam::Vec3;
use walkable_runtime::geom::Aabb;

/// Where a voxel grid lies in the world.
///
/// A cell `(x, z)` has index `x + z * n_x`. The border, if any, is included in `n_x`, `n_z` and `bounds`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridFrame {
    /// World box of the grid, border included; `bounds.min` is the corner of cell (0, 0).
    pub bounds: Aabb,
    /// Side of a cell along x and z, in meters.
    pub cell_size: f32,
    /// Height of a cell, in meters.
    pub cell_height: f32,
    /// Cells along x, border included.
    pub n_x: u32,
    /// Cells along z, border included.
    pub n_z: u32,
    /// Cells of border on each side.
    pub border_vx: u32,
}

impl GridFrame {
    /// Number of cells.
    pub const fn n_cells(&self) -> usize {
        self.n_x as usize * self.n_z as usize
    }

    /// Index of the cell in column `x` and row `z`.
    pub const fn cell_index(&self, x: u32, z: u32) -> usize {
        x as usize + z as usize * self.n_x as usize
    }

    /// World position of the grid point `(x, y, z)`, counted in cells from the minimum corner.
    pub fn world_from_grid(&self, x: f32, y: f32, z: f32) -> Vec3 {
        self.bounds.min + Vec3::new(x * self.cell_size, y * self.cell_height, z * self.cell_size)
    }

    /// World box of the grid, the border left out.
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

    /// World position of the middle of cell `(x, z)` seen from above, at height 0.
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
