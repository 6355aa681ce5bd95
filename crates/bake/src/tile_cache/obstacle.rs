use std::{
    ops::{Range, RangeInclusive},
    sync::Arc,
};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::geom::Aabb;

use crate::bake::{HeightLayer, RawArea, carve_prism, prism_bounds};

/// A temporary obstacle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Obstacle {
    /// An upright cylinder.
    Cylinder {
        /// Center of the base.
        base: Vec3,
        /// Radius, in meters.
        radius: f32,
        /// Height, in meters.
        height: f32,
    },
    /// An axis-aligned box.
    Box(Aabb),
    /// A box rotated around y.
    TurnedBox {
        /// Center.
        center: Vec3,
        /// Half extents along the axes of the box, in meters.
        half_size: Vec3,
        /// Rotation, in radians.
        yaw: f32,
    },
    /// An upright prism. It removes exactly the cells whose center is inside its outline and whose ground is between
    /// its heights, like [`VolumeShape::Prism`](crate::bake::VolumeShape::Prism) in a bake.
    ///
    /// Differs: Detour's tile cache has no such obstacle.
    Prism {
        /// Lowest height, in meters.
        min_y: f32,
        /// Highest height, in meters.
        max_y: f32,
        /// Corners of the outline, which may be concave; y is ignored.
        outline: Arc<[Vec3]>,
    },
}

/// The longer side of a rotated box is multiplied by this to reach its corners; slightly less than the square root of
/// 2. Source: `dtTileCache::getObstacleBounds`.
const CORNER_REACH: f32 = 1.41;

impl Obstacle {
    /// Returns a box around the obstacle; for a rotated box, around all its rotations; for a prism without corners,
    /// empty.
    pub fn bounds(&self) -> Aabb {
        match *self {
            Self::Cylinder { base, radius, height } => Aabb {
                min: base - Vec3::new(radius, 0.0, radius),
                max: base + Vec3::new(radius, height, radius),
            },
            Self::Box(bounds) => bounds,
            Self::TurnedBox { center, half_size, .. } => {
                let reach = CORNER_REACH * half_size.x.max(half_size.z);
                let reach = Vec3::new(reach, half_size.y, reach);
                Aabb { min: center - reach, max: center + reach }
            }
            Self::Prism { min_y, max_y, ref outline } => prism_bounds([min_y, max_y], outline),
        }
    }

    /// Returns whether all numbers are finite, no size is negative, and a prism has corners.
    pub fn is_sound(&self) -> bool {
        let Aabb { min, max } = self.bounds();
        let turn = match *self {
            Self::TurnedBox { yaw, .. } => yaw,
            Self::Cylinder { .. } | Self::Box(_) | Self::Prism { .. } => 0.0,
        };
        min.is_finite() && max.is_finite() && turn.is_finite() && min.cmple(max).all()
    }

    /// Removes the ground under the obstacle from `layer`.
    ///
    /// Cylinders and rotated boxes remove half a cell more on each side. Rotated boxes are compared with the corners of
    /// cells instead of their centers.
    ///
    /// Source: `dtMarkCylinderArea`, `dtMarkBoxArea`.
    pub(super) fn carve(&self, layer: &mut HeightLayer) {
        let grid = Grid::of(layer);
        match *self {
            Self::Cylinder { base, radius, .. } => {
                let [x, z] = grid.cells_of(base);
                let reach = radius / layer.cell_size + 0.5;
                carve(layer, grid.cells_in(&self.bounds()), |[cell_x, cell_z]| {
                    let (dx, dz) = (cell_x + 0.5 - x, cell_z + 0.5 - z);
                    dx * dx + dz * dz <= reach * reach
                });
            }
            Self::Box(bounds) => carve(layer, grid.cells_in(&bounds), |_cell| true),
            Self::TurnedBox { center, half_size, yaw } => {
                let [x, z] = grid.cells_of(center);
                let turn = HalfTurn::new(yaw);
                let half = [half_size.x, half_size.z].map(|half| half * grid.per_meter + 0.5);
                carve(layer, grid.cells_around(center, half_size), |[cell_x, cell_z]| {
                    let along = turn.apply([2.0 * (cell_x - x), 2.0 * (cell_z - z)]);
                    along.iter().zip(half).all(|(along, half)| -half <= *along && *along <= half)
                });
            }
            Self::Prism { min_y, max_y, ref outline } => {
                carve_prism(layer, [min_y, max_y], outline);
            }
        }
    }
}

/// A rotation that halves lengths, from the cosine and sine of half the angle.
struct HalfTurn {
    cross: f32,
    straight: f32,
}

impl HalfTurn {
    fn new(yaw: f32) -> Self {
        let (cos, sin) = ((0.5 * yaw).cos(), (-0.5 * yaw).sin());
        Self { cross: cos * sin, straight: cos * cos - 0.5 }
    }

    fn apply(&self, [x, z]: [f32; 2]) -> [f32; 2] {
        [self.straight * x + self.cross * z, self.straight * z - self.cross * x]
    }
}

/// Converts from world space to cells of a layer.
struct Grid {
    origin: Vec3,
    per_meter: f32,
    per_meter_up: f32,
    n_x: u32,
    n_z: u32,
}

/// A range of cells of a layer and of heights above its lowest ground.
struct CellBox {
    x: Range<u32>,
    z: Range<u32>,
    heights: RangeInclusive<i32>,
}

impl Grid {
    fn of(layer: &HeightLayer) -> Self {
        Self {
            origin: layer.bounds.min,
            per_meter: 1.0 / layer.cell_size,
            per_meter_up: 1.0 / layer.cell_height,
            n_x: layer.n_x,
            n_z: layer.n_z,
        }
    }

    fn cells_of(&self, point: Vec3) -> [f32; 2] {
        let offset = point - self.origin;
        [offset.x * self.per_meter, offset.z * self.per_meter]
    }

    fn heights(&self, min_y: f32, max_y: f32) -> RangeInclusive<i32> {
        let height = |y: f32| floor((y - self.origin.y) * self.per_meter_up);
        height(min_y)..=height(max_y)
    }

    fn cells_in(&self, bounds: &Aabb) -> CellBox {
        let ([min_x, min_z], [max_x, max_z]) =
            (self.cells_of(bounds.min), self.cells_of(bounds.max));
        CellBox {
            x: within(min_x, max_x, self.n_x),
            z: within(min_z, max_z, self.n_z),
            heights: self.heights(bounds.min.y, bounds.max.y),
        }
    }

    /// Like [`Grid::cells_in`], with Detour's rounding for rotated boxes.
    fn cells_around(&self, center: Vec3, half_size: Vec3) -> CellBox {
        let [x, z] = self.cells_of(center);
        let reach = CORNER_REACH * half_size.x.max(half_size.z) * self.per_meter;
        CellBox {
            x: within(x - reach, x + reach, self.n_x),
            z: within(z - reach, z + reach, self.n_z),
            heights: self.heights(center.y - half_size.y, center.y + half_size.y),
        }
    }
}

/// Returns the cells from that of `min` to that of `max`, clamped to a grid of `n`.
fn within(min: f32, max: f32, n: u32) -> Range<u32> {
    match u32::try_from(floor(max)) {
        Ok(last) => u32::try_from(floor(min)).unwrap_or(0)..last.saturating_add(1).min(n),
        Err(_) => 0..0,
    }
}

/// Removes the ground of `cells` for which `is_inside` returns true for column and row.
fn carve(layer: &mut HeightLayer, cells: CellBox, is_inside: impl Fn([f32; 2]) -> bool) {
    for z in cells.z {
        for x in cells.x.clone() {
            let cell = layer.cell_index(x, z);
            let is_level = cells.heights.contains(&i32::from(layer.heights[cell]));
            if is_level && is_inside([to_float(x), to_float(z)]) {
                layer.areas[cell] = RawArea::NULL;
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "what is out of range saturates")]
fn floor(value: f32) -> i32 {
    value.floor() as i32
}

#[expect(clippy::cast_precision_loss, reason = "a layer has at most 255 cells along a side")]
const fn to_float(cell: u32) -> f32 {
    cell as f32
}
