//! Drawing volumes, and changing their numbers.

use std::f32::consts::FRAC_PI_3;

use glam::{Quat, Vec3};
use walkable::{bake::VolumeShape, debug_draw::ground_plan, geom::Aabb};
use walkable_workspace::lang::tr;

/// Distance by which a new volume extends below and above the ground on which it was drawn, in meters.
pub(super) const BELOW: f32 = 1.0;
const ABOVE: f32 = 3.0;
/// Distance by which a dropped obstacle extends into the ground, and its height above, in meters: the height of floors
/// is only known to within a voxel.
const SUNK: f32 = 0.5;
const HIGH: f32 = 1.5;
/// Minimum length of a side of a volume, in meters.
pub(super) const SMALLEST: f32 = 0.05;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShapeKind {
    #[default]
    Prism,
    Box,
    /// Box rotated about the vertical.
    TurnedBox,
    Cylinder,
}

impl ShapeKind {
    /// All kinds; the simplest to draw is the last.
    pub const ALL: [Self; 4] = [Self::Prism, Self::Box, Self::TurnedBox, Self::Cylinder];

    /// The shapes of obstacles, the simplest first.
    pub const OBSTACLES: [Self; 4] = [Self::Cylinder, Self::Box, Self::TurnedBox, Self::Prism];

    pub fn name(self) -> &'static str {
        match self {
            Self::Prism => tr!("Prism"),
            Self::Box => tr!("Box"),
            Self::TurnedBox => tr!("Rotated box"),
            Self::Cylinder => tr!("Cylinder"),
        }
    }

    pub const fn of(shape: &VolumeShape) -> Self {
        match shape {
            VolumeShape::Prism { .. } => Self::Prism,
            VolumeShape::Box(_) => Self::Box,
            VolumeShape::TurnedBox { .. } => Self::TurnedBox,
            VolumeShape::Cylinder { .. } => Self::Cylinder,
        }
    }

    /// Returns the shape of this kind that is drawn by clicks on `corners`; `None` if there are too few.
    pub fn drawn(self, corners: &[Vec3]) -> Option<VolumeShape> {
        let ground = Aabb::around(corners.iter().copied());
        let (min_y, max_y) = (ground.min.y - BELOW, ground.max.y + ABOVE);
        let enough = if self == Self::Prism { 3 } else { 2 };
        if corners.len() < enough {
            return None;
        }
        let bounds = Aabb { min: ground.min.with_y(min_y), max: ground.max.with_y(max_y) };
        Some(match self {
            Self::Prism => VolumeShape::Prism { min_y, max_y, outline: corners.to_vec() },
            Self::Box => VolumeShape::Box(bounds),
            Self::TurnedBox => turned(bounds),
            Self::Cylinder => VolumeShape::Cylinder {
                base: corners[0].with_y(min_y),
                radius: flat(corners[0] - corners[1]).length().max(SMALLEST),
                height: max_y - min_y,
            },
        })
    }

    /// Returns an obstacle of this kind and of a usual size, on the ground at `at`.
    pub fn dropped(self, at: Vec3) -> Option<VolumeShape> {
        let reach = Vec3::new(0.75, 0.0, 0.75);
        let shape = match self {
            Self::Cylinder => self.drawn(&[at, at + Vec3::X])?,
            Self::Prism => {
                let side = |n: u8| Quat::from_rotation_y(f32::from(n) * FRAC_PI_3);
                let corners: Vec<Vec3> = (0..6).map(|n| at + side(n) * Vec3::Z).collect();
                self.drawn(&corners)?
            }
            Self::Box | Self::TurnedBox => self.drawn(&[at - reach, at + reach])?,
        };
        Some(between(&shape, at.y - SUNK, at.y + HIGH))
    }

    pub fn with_extent_of(self, shape: &VolumeShape) -> VolumeShape {
        let bounds = shape.bounds();
        let (center, half) = (bounds.center(), bounds.size() * 0.5);
        match self {
            _ if Self::of(shape) == self => shape.clone(),
            Self::Prism => VolumeShape::Prism {
                min_y: bounds.min.y,
                max_y: bounds.max.y,
                outline: ground_plan(shape),
            },
            Self::Box => VolumeShape::Box(bounds),
            Self::TurnedBox => turned(bounds),
            Self::Cylinder => VolumeShape::Cylinder {
                base: center.with_y(bounds.min.y),
                radius: half.x.min(half.z).max(SMALLEST),
                height: bounds.size().y,
            },
        }
    }
}

fn turned(bounds: Aabb) -> VolumeShape {
    let half_extents = bounds.size() * 0.5;
    VolumeShape::TurnedBox { center: bounds.center(), half_extents, yaw: 0.0 }
}

pub(super) fn flat(v: Vec3) -> Vec3 {
    v.with_y(0.0)
}

/// Returns the point about which `shape` is rotated, at half its height. Rotation does not move it.
pub fn middle(shape: &VolumeShape) -> Vec3 {
    let center = shape.bounds().center();
    match shape {
        VolumeShape::Prism { outline, .. } if !outline.is_empty() => {
            #[expect(clippy::cast_precision_loss, reason = "an outline has few corners")]
            let mean = outline.iter().sum::<Vec3>() / outline.len() as f32;
            mean.with_y(center.y)
        }
        VolumeShape::Prism { .. }
        | VolumeShape::Box(_)
        | VolumeShape::TurnedBox { .. }
        | VolumeShape::Cylinder { .. } => center,
    }
}

/// Returns the rotation about the vertical axis, in radians from +z toward +x. For a prism, it is the direction from
/// its middle to its first corner. `None` for a cylinder.
pub fn yaw(shape: &VolumeShape) -> Option<f32> {
    match shape {
        VolumeShape::Prism { outline, .. } => {
            let ahead = *outline.first()? - middle(shape);
            Some(ahead.x.atan2(ahead.z))
        }
        VolumeShape::Box(_) => Some(0.0),
        VolumeShape::TurnedBox { yaw, .. } => Some(*yaw),
        VolumeShape::Cylinder { .. } => None,
    }
}

/// Returns `shape` rotated so that its [`yaw`] is `wanted`. An axis-aligned box becomes a rotated one.
pub fn turned_to(shape: &VolumeShape, wanted: f32) -> VolumeShape {
    match shape {
        VolumeShape::Prism { min_y, max_y, outline } => {
            let (pivot, by) = (middle(shape), wanted - yaw(shape).unwrap_or(wanted));
            let turn = Quat::from_rotation_y(by);
            let outline = outline.iter().map(|&corner| pivot + turn * (corner - pivot)).collect();
            VolumeShape::Prism { min_y: *min_y, max_y: *max_y, outline }
        }
        VolumeShape::Box(bounds) => VolumeShape::TurnedBox {
            center: bounds.center(),
            half_extents: bounds.size() * 0.5,
            yaw: wanted,
        },
        VolumeShape::TurnedBox { center, half_extents, .. } => {
            VolumeShape::TurnedBox { center: *center, half_extents: *half_extents, yaw: wanted }
        }
        VolumeShape::Cylinder { .. } => shape.clone(),
    }
}

/// Returns width and depth of `shape`, in meters; for a rotated box, along its own axes.
pub fn width_and_depth(shape: &VolumeShape) -> [f32; 2] {
    let size = match shape {
        VolumeShape::TurnedBox { half_extents, .. } => *half_extents * 2.0,
        VolumeShape::Prism { .. } | VolumeShape::Box(_) | VolumeShape::Cylinder { .. } => {
            shape.bounds().size()
        }
    };
    [size.x, size.z]
}

/// Returns `shape` scaled about its [`middle`] to another width and depth.
pub fn resized(shape: &VolumeShape, wanted: [f32; 2]) -> VolumeShape {
    let [width, depth] = wanted.map(|side| side.max(SMALLEST));
    let mut shape = shape.clone();
    let [old_width, old_depth] = width_and_depth(&shape).map(|side| side.max(SMALLEST));
    let pivot = middle(&shape);
    match &mut shape {
        VolumeShape::Prism { outline, .. } => {
            let scale = Vec3::new(width / old_width, 1.0, depth / old_depth);
            for corner in outline {
                *corner = pivot + (*corner - pivot) * scale;
            }
        }
        VolumeShape::Box(bounds) => {
            let half = Vec3::new(width, bounds.size().y, depth) * 0.5;
            *bounds = Aabb { min: pivot - half, max: pivot + half };
        }
        VolumeShape::TurnedBox { half_extents, .. } => {
            *half_extents = Vec3::new(width * 0.5, half_extents.y, depth * 0.5);
        }
        VolumeShape::Cylinder { radius, .. } => *radius = width.max(SMALLEST) * 0.5,
    }
    shape
}

pub fn shifted(shape: &VolumeShape, by: Vec3) -> VolumeShape {
    let mut shape = shape.clone();
    match &mut shape {
        VolumeShape::Prism { min_y, max_y, outline } => {
            *min_y += by.y;
            *max_y += by.y;
            for corner in outline {
                *corner += by;
            }
        }
        VolumeShape::Box(bounds) => {
            bounds.min += by;
            bounds.max += by;
        }
        VolumeShape::TurnedBox { center, .. } => *center += by,
        VolumeShape::Cylinder { base, .. } => *base += by,
    }
    shape
}

/// Returns `shape` between other heights; the top is at least the bottom.
pub fn between(shape: &VolumeShape, bottom: f32, top: f32) -> VolumeShape {
    let top = top.max(bottom + SMALLEST);
    let mut shape = shape.clone();
    match &mut shape {
        VolumeShape::Prism { min_y, max_y, .. } => (*min_y, *max_y) = (bottom, top),
        VolumeShape::Box(bounds) => (bounds.min.y, bounds.max.y) = (bottom, top),
        VolumeShape::TurnedBox { center, half_extents, .. } => {
            center.y = f32::midpoint(bottom, top);
            half_extents.y = (top - bottom) * 0.5;
        }
        VolumeShape::Cylinder { base, height, .. } => {
            base.y = bottom;
            *height = top - bottom;
        }
    }
    shape
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const CLICKS: [Vec3; 3] =
        [Vec3::new(1.0, 0.0, 1.0), Vec3::new(5.0, 0.5, 3.0), Vec3::new(2.0, 0.0, 6.0)];

    pub(in crate::session) fn all() -> Vec<VolumeShape> {
        ShapeKind::ALL.iter().map(|kind| kind.drawn(&CLICKS).unwrap()).collect()
    }

    #[test]
    fn a_drawn_shape_is_of_its_kind_and_reaches_from_below_the_ground_to_above() {
        for (kind, shape) in ShapeKind::ALL.into_iter().zip(all()) {
            assert_eq!(ShapeKind::of(&shape), kind);
            let bounds = shape.bounds();
            assert_eq!((bounds.min.y, bounds.max.y), (-1.0, 3.5), "{kind:?}");
            assert_eq!(kind.drawn(&CLICKS[..1]), None);
        }
    }

    #[test]
    fn turning_keeps_the_middle_and_the_size() {
        for shape in all() {
            let Some(before) = yaw(&shape) else { continue };
            for degrees in [-150.0_f32, -20.0, 0.0, 65.0, 170.0] {
                let wanted = degrees.to_radians();
                let turned = turned_to(&shape, wanted);
                let now = yaw(&turned).unwrap();
                assert!((now - wanted).abs() < 1e-4, "{shape:?}: {now} after {before}");
                assert!(middle(&turned).distance(middle(&shape)) < 1e-4);
                let back = turned_to(&turned, before);
                for (a, b) in shape.outline().iter().zip(back.outline()) {
                    assert!(a.distance(b) < 1e-4, "{shape:?}: {back:?}");
                }
            }
        }
    }

    #[test]
    fn sizes_are_as_wanted_and_the_middle_stays() {
        for shape in all() {
            let other = resized(&shape, [3.0, 3.0]);
            for side in width_and_depth(&other) {
                assert!((side - 3.0).abs() < 1e-4, "{other:?}");
            }
            assert!(middle(&other).distance(middle(&shape)) < 1e-4);
            let none = resized(&shape, [-1.0, 0.0]);
            assert!(width_and_depth(&none).iter().all(|side| *side >= SMALLEST * 0.999));
        }
    }

    #[test]
    fn another_kind_takes_up_about_the_same_space() {
        for shape in all() {
            for kind in ShapeKind::ALL {
                let other = kind.with_extent_of(&shape);
                assert_eq!(ShapeKind::of(&other), kind);
                let (a, b) = (shape.bounds(), other.bounds());
                assert!(a.center().distance(b.center()) < 0.1, "{shape:?} {other:?}");
                assert!((a.size().y - b.size().y).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn heights_never_cross() {
        for shape in all() {
            let bounds = between(&shape, 4.0, 2.0).bounds();
            assert!(bounds.max.y > bounds.min.y && (bounds.min.y - 4.0).abs() < 1e-5);
        }
    }
}
