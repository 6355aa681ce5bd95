//! Grips of a shape: points that the user drags to change it.

use glam::Vec3;
use walkable::{bake::VolumeShape, diagnostic::Phrase, geom::Aabb, phrase};

use super::{
    shifted, turned_to,
    volume::{BELOW, SMALLEST, between, flat, middle, yaw},
};

/// Distance of the grips for rotation, top and bottom from a shape, as a fraction of its horizontal extent.
const ARM: f32 = 0.35;
/// Minimum and maximum of this distance, in meters.
const ARM_LIMITS: [f32; 2] = [0.7, 3.0];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    Middle,
    /// Moves this corner; for a cylinder, changes the radius.
    Corner(usize),
    /// Rotates the shape around the vertical axis.
    Turn,
    Top,
    Bottom,
}

impl Grip {
    pub const fn is_vertical(self) -> bool {
        matches!(self, Self::Top | Self::Bottom)
    }

    /// Returns what a drag of the grip does, for the name of the undo step.
    pub fn verb(self) -> Phrase {
        match self {
            Self::Middle => phrase!("Move"),
            Self::Corner(_) => phrase!("Reshape"),
            Self::Turn => phrase!("Turn"),
            Self::Top => phrase!("Change top of"),
            Self::Bottom => phrase!("Change bottom of"),
        }
    }
}

/// Returns all grips of `shape`, the center first. Grips that move the shape along the ground are close to its center.
pub fn grips(shape: &VolumeShape) -> Vec<(Grip, Vec3)> {
    let bounds = shape.bounds();
    let ground = bounds.min.y + BELOW.min(bounds.size().y * 0.5);
    let middle = middle(shape);
    let rim = match *shape {
        VolumeShape::Cylinder { base, radius, .. } => vec![base + Vec3::X * radius],
        VolumeShape::Prism { .. } | VolumeShape::Box(_) | VolumeShape::TurnedBox { .. } => {
            shape.outline()
        }
    };
    let turn = yaw(shape).map(|yaw| {
        let ahead = Vec3::new(yaw.sin(), 0.0, yaw.cos());
        (Grip::Turn, middle + ahead * (reach(shape, &rim, middle) + arm(shape)))
    });
    let corners = rim.iter().enumerate().map(|(number, &at)| (Grip::Corner(number), at));
    let along = [(Grip::Middle, middle)].into_iter().chain(corners).chain(turn);
    let along = along.map(|(grip, at)| (grip, at.with_y(ground)));
    let up = (Grip::Top, middle.with_y(bounds.max.y + arm(shape)));
    let down = (Grip::Bottom, middle.with_y(bounds.min.y - arm(shape)));
    along.chain([up, down]).collect()
}

/// Returns the length of the arrows of `shape`, in meters. Neither turning nor raising it changes that.
pub fn arm(shape: &VolumeShape) -> f32 {
    let middle = middle(shape);
    let reach = match shape {
        VolumeShape::Cylinder { radius, .. } => *radius,
        VolumeShape::Prism { .. } | VolumeShape::Box(_) | VolumeShape::TurnedBox { .. } => {
            shape.outline().iter().map(|&at| flat(at - middle).length()).fold(0.0, f32::max)
        }
    };
    (ARM * reach).clamp(ARM_LIMITS[0], ARM_LIMITS[1])
}

/// Returns the distance of the side of `shape` from its center, in the direction of its [`yaw`].
fn reach(shape: &VolumeShape, rim: &[Vec3], middle: Vec3) -> f32 {
    match shape {
        VolumeShape::TurnedBox { half_extents, .. } => half_extents.z,
        VolumeShape::Box(bounds) => bounds.size().z * 0.5,
        VolumeShape::Prism { .. } | VolumeShape::Cylinder { .. } => {
            rim.first().map_or(0.0, |&first| flat(first - middle).length())
        }
    }
}

/// Returns `shape` with `grip` dragged to `to`. Vertical grips use only the height of `to`.
pub fn pulled(shape: &VolumeShape, grip: Grip, to: Vec3) -> VolumeShape {
    let bounds = shape.bounds();
    match grip {
        Grip::Middle => {
            let from = grips(shape)[0].1;
            shifted(shape, to - from)
        }
        Grip::Corner(corner) => with_corner(shape, corner, to),
        Grip::Turn => {
            let ahead = to - middle(shape);
            turned_to(shape, ahead.x.atan2(ahead.z))
        }
        Grip::Top => between(shape, bounds.min.y, to.y - arm(shape)),
        Grip::Bottom => {
            between(shape, (to.y + arm(shape)).min(bounds.max.y - SMALLEST), bounds.max.y)
        }
    }
}

fn with_corner(shape: &VolumeShape, corner: usize, to: Vec3) -> VolumeShape {
    // The opposite corner of a box stays in place.
    let fixed = shape.outline().get((corner + 2) % 4).copied().unwrap_or_default();
    let mut shape = shape.clone();
    match &mut shape {
        VolumeShape::Prism { outline, .. } => {
            if let Some(corner) = outline.get_mut(corner) {
                *corner = to.with_y(corner.y);
            }
        }
        VolumeShape::Box(bounds) => {
            let flat = Aabb::around([fixed, to]);
            bounds.min = flat.min.with_y(bounds.min.y);
            bounds.max = flat.max.with_y(bounds.max.y);
        }
        VolumeShape::TurnedBox { center, half_extents, yaw } => {
            *center = fixed.midpoint(to).with_y(center.y);
            let (sin, cos) = yaw.sin_cos();
            let half = flat(to - *center);
            let along = [cos * half.x - sin * half.z, sin * half.x + cos * half.z];
            let [x, z] = along.map(|length| length.abs().max(SMALLEST));
            *half_extents = Vec3::new(x, half_extents.y, z);
        }
        VolumeShape::Cylinder { base, radius, .. } => {
            *radius = flat(to - *base).length().max(SMALLEST);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{ShapeKind, volume::tests::all};

    fn place(shape: &VolumeShape, wanted: Grip) -> Vec3 {
        let found = grips(shape).into_iter().find(|(grip, _)| *grip == wanted);
        found.unwrap_or_else(|| panic!("{shape:?} has no {wanted:?}")).1
    }

    #[test]
    fn every_grip_follows_the_pointer() {
        for shape in all() {
            for (grip, at) in grips(&shape) {
                let to = match grip {
                    Grip::Middle => at + Vec3::new(2.0, 1.0, -3.0),
                    Grip::Top | Grip::Bottom => at + Vec3::Y * 0.25,
                    Grip::Corner(_) => at + Vec3::new(0.25, 0.0, 0.0),
                    // The distance from the center does not change.
                    Grip::Turn => {
                        let around = glam::Quat::from_rotation_y(0.8);
                        let middle = middle(&shape).with_y(at.y);
                        middle + around * (at - middle)
                    }
                };
                let now = place(&pulled(&shape, grip, to), grip);
                assert!(now.distance(to) < 1e-4, "{grip:?} of {shape:?}: {now}, not {to}");
            }
        }
    }

    #[test]
    fn the_middle_moves_all_of_it() {
        for shape in all() {
            let by = Vec3::new(2.0, 1.0, -3.0);
            let moved = pulled(&shape, Grip::Middle, place(&shape, Grip::Middle) + by);
            let moved = moved.bounds().min - shape.bounds().min;
            assert!(moved.distance(by) < 1e-5, "{shape:?}: {moved}");
        }
    }

    #[test]
    fn arrows_change_one_height_and_nothing_else() {
        for shape in all() {
            let before = shape.bounds();
            let up = place(&shape, Grip::Top) + Vec3::Y * 2.0;
            let taller = pulled(&shape, Grip::Top, up).bounds();
            assert!((taller.max.y - before.max.y - 2.0).abs() < 1e-5, "{shape:?}");
            assert!((taller.min - before.min).length() < 1e-5);
            let down = place(&shape, Grip::Bottom) - Vec3::Y * 2.0;
            let deeper = pulled(&shape, Grip::Bottom, down).bounds();
            assert!((deeper.min.y - before.min.y + 2.0).abs() < 1e-5, "{shape:?}");
            assert!((deeper.max - before.max).length() < 1e-5);
            // The top cannot go below the bottom.
            for (grip, to) in [(Grip::Top, -50.0), (Grip::Bottom, 50.0)] {
                let flat = pulled(&shape, grip, Vec3::Y * to).bounds();
                assert!((flat.size().y - SMALLEST).abs() < 1e-4, "{grip:?} of {shape:?}");
            }
        }
    }

    #[test]
    fn the_corner_across_stays_where_a_box_is_pulled() {
        let bounds = Aabb::new(Vec3::ZERO, Vec3::new(4.0, 2.0, 2.0));
        let turned = VolumeShape::TurnedBox {
            center: Vec3::ONE,
            half_extents: Vec3::new(2.0, 1.0, 1.0),
            yaw: 0.7,
        };
        for shape in [VolumeShape::Box(bounds), turned] {
            let (before, held) = (place(&shape, Grip::Corner(0)), Grip::Corner(2));
            let to = place(&shape, held) + Vec3::new(0.3, 0.0, 0.4);
            let after = place(&pulled(&shape, held, to), Grip::Corner(0));
            assert!(before.distance(after) < 1e-5, "{before:?} {after:?}");
        }
    }

    #[test]
    fn all_shapes_but_cylinders_can_be_rotated() {
        for shape in all() {
            let turns = grips(&shape).iter().any(|(grip, _)| *grip == Grip::Turn);
            assert_eq!(turns, ShapeKind::of(&shape) != ShapeKind::Cylinder);
        }
    }
}
