use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::geom::Aabb;

use crate::bake::RawArea;

/// A volume that sets the area of the walkable spans inside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AreaVolume {
    /// The area; [`RawArea::NULL`] for "not walkable".
    pub area: RawArea,
    /// The shape.
    pub shape: VolumeShape,
    /// Whether a volume that is not walkable also takes the ground within the agent's radius around it, so that the
    /// agent's body stays out, not only its center. Has no effect for other areas.
    #[serde(default, skip_serializing_if = "is_false")]
    pub erode: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_false(value: &bool) -> bool {
    !value
}

impl AreaVolume {
    /// Returns a volume without a margin.
    pub fn new(area: RawArea, shape: VolumeShape) -> Self {
        Self { area, shape, erode: false }
    }

    /// Returns the width of the ground around the shape that the volume also covers, for an agent of this radius, in
    /// meters.
    pub fn margin(&self, agent_radius: f32) -> f32 {
        if self.erode && !self.area.is_walkable() { agent_radius } else { 0.0 }
    }

    /// Distance from the shape within which the volume takes cells by their centers, for an agent of this radius and
    /// cells of this size, in meters; `None` if the volume has no margin.
    pub fn margin_reach(&self, agent_radius: f32, cell_size: f32) -> Option<f32> {
        let margin = self.margin(agent_radius);
        (margin > 0.0).then(|| reach(margin, cell_size))
    }
}

/// The shape of an [`AreaVolume`]. Bottom and top are horizontal in all shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VolumeShape {
    /// An upright prism. It contains the cells whose center is inside its outline.
    Prism {
        /// Lowest height, in meters.
        min_y: f32,
        /// Highest height, in meters.
        max_y: f32,
        /// Corners of its outline, which may be concave; only x and z count.
        outline: Vec<Vec3>,
    },
    /// An axis-aligned box. It contains every cell that it touches, as in Recast.
    Box(Aabb),
    /// A box rotated about the vertical. It contains the cells whose center is inside.
    TurnedBox {
        /// Center.
        center: Vec3,
        /// Half-extents along the axes of the box.
        half_extents: Vec3,
        /// Rotation, in radians; positive from +z toward +x.
        yaw: f32,
    },
    /// An upright cylinder. It contains the cells whose center is nearer to its axis than the radius.
    Cylinder {
        /// Center of the bottom.
        base: Vec3,
        /// Radius, in meters.
        radius: f32,
        /// Height, in meters.
        height: f32,
    },
}

impl VolumeShape {
    /// Returns the bounding box; an empty one for a prism without corners.
    pub fn bounds(&self) -> Aabb {
        match self {
            Self::Prism { min_y, max_y, outline } => prism_bounds([*min_y, *max_y], outline),
            Self::Box(bounds) => *bounds,
            Self::TurnedBox { center, half_extents, .. } => {
                let corners = Aabb::around(self.outline());
                let (bottom, top) = (center.y - half_extents.y, center.y + half_extents.y);
                Aabb { min: corners.min.with_y(bottom), max: corners.max.with_y(top) }
            }
            Self::Cylinder { base, radius, height } => {
                let around = Vec3::new(*radius, 0.0, *radius);
                let top = Vec3::new(0.0, *height, 0.0);
                Aabb { min: base - around, max: base + around + top }
            }
        }
    }

    /// Returns the corners seen from above, at the height of the bottom; none for a cylinder.
    pub fn outline(&self) -> Vec<Vec3> {
        match self {
            Self::Prism { min_y, outline, .. } => {
                outline.iter().map(|corner| corner.with_y(*min_y)).collect()
            }
            Self::Box(Aabb { min, max }) => [[min, min], [min, max], [max, max], [max, min]]
                .map(|[x, z]| Vec3::new(x.x, min.y, z.z))
                .to_vec(),
            Self::TurnedBox { center, half_extents, yaw } => {
                let (sine, cosine) = sine_and_cosine(*yaw);
                let bottom = Vec3::new(0.0, -half_extents.y, 0.0);
                let corner = |[x, z]: [f32; 2]| {
                    let (x, z) = (x * half_extents.x, z * half_extents.z);
                    let turned = Vec3::new(cosine * x + sine * z, 0.0, cosine * z - sine * x);
                    center + turned + bottom
                };
                [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]].map(corner).to_vec()
            }
            Self::Cylinder { .. } => Vec::new(),
        }
    }

    /// Returns every number of the shape, for validation.
    pub(super) fn numbers(&self) -> Vec<f32> {
        match self {
            Self::Prism { min_y, max_y, outline } => {
                let corners = outline.iter().flat_map(Vec3::to_array);
                [*min_y, *max_y].into_iter().chain(corners).collect()
            }
            Self::Box(Aabb { min, max }) => [min.to_array(), max.to_array()].concat(),
            Self::TurnedBox { center, half_extents, yaw } => {
                [&center.to_array()[..], &half_extents.to_array(), &[*yaw]].concat()
            }
            Self::Cylinder { base, radius, height } => {
                [&base.to_array()[..], &[*radius, *height]].concat()
            }
        }
    }
}

/// Returns the distance from a shape within which the center of a cell is in a margin: half a cell more than the
/// margin, so that no cell outside has a side that is nearer to a side of the shape than the margin.
pub(super) fn reach(margin: f32, cell_size: f32) -> f32 {
    margin + 0.5 * cell_size
}

/// Returns the bounding box of an upright prism; an empty one if it has no corners.
pub(crate) fn prism_bounds([min_y, max_y]: [f32; 2], outline: &[Vec3]) -> Aabb {
    let Aabb { min, max } = Aabb::around(outline.iter().copied());
    Aabb { min: min.with_y(min_y), max: max.with_y(max_y) }
}

/// Returns sine and cosine, rounded from double precision: the same on every platform.
#[expect(clippy::cast_possible_truncation, reason = "rounding to single precision is the point")]
fn sine_and_cosine(radians: f32) -> (f32, f32) {
    let (sine, cosine) = f64::from(radians).sin_cos();
    (sine as f32, cosine as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(shape: &VolumeShape, min: [f32; 3], max: [f32; 3]) {
        let Aabb { min: found_min, max: found_max } = shape.bounds();
        let is_near = |a: Vec3, b: [f32; 3]| a.distance(Vec3::from(b)) < 1e-5;
        assert!(is_near(found_min, min) && is_near(found_max, max), "{found_min} {found_max}");
    }

    #[test]
    fn bounds_hold_the_shape() {
        let outline = vec![Vec3::new(3.0, 9.0, 1.0), Vec3::new(-1.0, 9.0, 4.0), Vec3::ZERO];
        let prism = VolumeShape::Prism { min_y: 1.0, max_y: 2.0, outline };
        check(&prism, [-1.0, 1.0, 0.0], [3.0, 2.0, 4.0]);
        let base = Vec3::new(5.0, 1.0, 6.0);
        let cylinder = VolumeShape::Cylinder { base, radius: 2.0, height: 3.0 };
        check(&cylinder, [3.0, 1.0, 4.0], [7.0, 4.0, 8.0]);
    }

    #[test]
    fn a_box_turns_from_z_towards_x() {
        let turned = |yaw| VolumeShape::TurnedBox {
            center: Vec3::new(10.0, 1.0, 20.0),
            half_extents: Vec3::new(4.0, 1.0, 1.0),
            yaw,
        };
        check(&turned(0.0), [6.0, 0.0, 19.0], [14.0, 2.0, 21.0]);
        check(&turned(std::f32::consts::FRAC_PI_2), [9.0, 0.0, 16.0], [11.0, 2.0, 24.0]);
        // The corner at +x +z goes toward +x and −z.
        let corner = turned(std::f32::consts::FRAC_PI_4).outline()[2];
        let side = std::f32::consts::FRAC_1_SQRT_2;
        let expected = Vec3::new(10.0 + 5.0 * side, 0.0, 20.0 - 3.0 * side);
        assert!(corner.distance(expected) < 1e-5, "{corner}");
    }

    #[test]
    fn outlines_run_one_way() {
        let level = Aabb::new(Vec3::ZERO, Vec3::ONE);
        let turned =
            VolumeShape::TurnedBox { center: Vec3::ZERO, half_extents: Vec3::ONE, yaw: 0.0 };
        let doubled_area = |outline: &[Vec3]| -> f32 {
            let next = outline.iter().cycle().skip(1);
            outline.iter().zip(next).map(|(a, b)| a.z * b.x - a.x * b.z).sum()
        };
        assert!(doubled_area(&VolumeShape::Box(level).outline()) > 0.0);
        assert!(doubled_area(&turned.outline()) > 0.0);
    }
}
