//! Volumes as they are drawn and changed by hand: their handles, and what moving one makes of them.

use glam::Vec3;
use walkable::{bake::VolumeShape, debug_draw::ground_plan, geom::Aabb};

/// How far a new volume reaches below the ground it was drawn on, and above, in metres.
const BELOW: f32 = 1.0;
const ABOVE: f32 = 3.0;
/// How far a dropped obstacle reaches into the ground, and above, in metres: floors are known to a
/// voxel only.
const SUNK: f32 = 0.5;
const HIGH: f32 = 1.5;
/// How far before a box the handle is that turns it, in metres, and its number: after the middle and
/// four corners.
const ARM: f32 = 1.0;
const TURN: usize = 5;
/// No side of a volume is shorter, in metres.
const SMALLEST: f32 = 0.05;

/// The kinds of shapes, to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ShapeKind {
    /// Any outline.
    #[default]
    Prism,
    /// Along the axes.
    Box,
    /// Turned about the vertical.
    TurnedBox,
    /// Round.
    Cylinder,
}

impl ShapeKind {
    /// All, simplest to draw last.
    pub(crate) const ALL: [Self; 4] = [Self::Prism, Self::Box, Self::TurnedBox, Self::Cylinder];

    /// Those that obstacles can have.
    pub(crate) const OBSTACLES: [Self; 3] = [Self::Cylinder, Self::Box, Self::TurnedBox];

    /// Name for people.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Prism => "Prism",
            Self::Box => "Box",
            Self::TurnedBox => "Turned box",
            Self::Cylinder => "Cylinder",
        }
    }

    /// What `shape` is.
    pub(crate) const fn of(shape: &VolumeShape) -> Self {
        match shape {
            VolumeShape::Prism { .. } => Self::Prism,
            VolumeShape::Box(_) => Self::Box,
            VolumeShape::TurnedBox { .. } => Self::TurnedBox,
            VolumeShape::Cylinder { .. } => Self::Cylinder,
        }
    }

    /// The shape of this kind that is drawn by clicks on `corners`; `None` while there are too few.
    pub(crate) fn drawn(self, corners: &[Vec3]) -> Option<VolumeShape> {
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

    /// An obstacle of this kind and of a usual size, on the ground at `at`.
    pub(crate) fn dropped(self, at: Vec3) -> Option<VolumeShape> {
        let reach = Vec3::new(0.75, 0.0, 0.75);
        let corners = match self {
            Self::Cylinder => [at, at + Vec3::X],
            _ => [at - reach, at + reach],
        };
        let shape = self.drawn(&corners)?;
        Some(between(&shape, at.y - SUNK, at.y + HIGH))
    }

    /// The shape of this kind that takes up about the same space as `shape`.
    pub(crate) fn instead_of(self, shape: &VolumeShape) -> VolumeShape {
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

fn flat(v: Vec3) -> Vec3 {
    v.with_y(0.0)
}

/// Places to take hold of: first the middle, then the corners, or a place on the rim, last one to turn
/// it by, where it can be turned. They lie about where the ground is.
pub(crate) fn handles(shape: &VolumeShape) -> Vec<Vec3> {
    let bounds = shape.bounds();
    let y = bounds.min.y + BELOW.min(bounds.size().y * 0.5);
    let rim = match *shape {
        VolumeShape::Cylinder { base, radius, .. } => vec![base + Vec3::X * radius],
        _ => shape.outline(),
    };
    let turn = match *shape {
        VolumeShape::TurnedBox { center, half_extents, yaw } => {
            Some(center + Vec3::new(yaw.sin(), 0.0, yaw.cos()) * (half_extents.z + ARM))
        }
        _ => None,
    };
    [bounds.center()].into_iter().chain(rim).chain(turn).map(|at| at.with_y(y)).collect()
}

/// Whether handle number `handle` of `shape` turns it.
pub(crate) const fn turns(shape: &VolumeShape, handle: usize) -> bool {
    matches!(shape, VolumeShape::TurnedBox { .. }) && handle == TURN
}

/// `shape` with its handle number `handle` pulled to `to`.
pub(crate) fn pulled(shape: &VolumeShape, handle: usize, to: Vec3) -> VolumeShape {
    let Some(&from) = handles(shape).get(handle) else { return shape.clone() };
    let Some(corner) = handle.checked_sub(1) else { return shifted(shape, to - from) };
    let mut shape = shape.clone();
    match &mut shape {
        VolumeShape::Prism { outline, .. } => {
            outline[corner] = Vec3::new(to.x, outline[corner].y, to.z);
        }
        VolumeShape::Box(bounds) => {
            let fixed = opposite(&VolumeShape::Box(*bounds), corner);
            let flat = Aabb::around([fixed, to]);
            bounds.min = flat.min.with_y(bounds.min.y);
            bounds.max = flat.max.with_y(bounds.max.y);
        }
        VolumeShape::TurnedBox { center, yaw, .. } if handle == TURN => {
            let ahead = to - *center;
            *yaw = ahead.x.atan2(ahead.z);
        }
        VolumeShape::TurnedBox { center, half_extents, yaw } => {
            let (center_y, half_y) = (center.y, half_extents.y);
            let as_it_is =
                VolumeShape::TurnedBox { center: *center, half_extents: *half_extents, yaw: *yaw };
            let fixed = opposite(&as_it_is, corner);
            *center = (fixed.midpoint(to)).with_y(center_y);
            let (sin, cos) = yaw.sin_cos();
            let half = (to - *center).with_y(0.0);
            let along = [cos * half.x - sin * half.z, sin * half.x + cos * half.z];
            let [x, z] = along.map(|length| length.abs().max(SMALLEST));
            *half_extents = Vec3::new(x, half_y, z);
        }
        VolumeShape::Cylinder { base, radius, .. } => {
            *radius = flat(to - *base).length().max(SMALLEST);
        }
    }
    shape
}

/// The corner of a box across from corner number `corner`.
fn opposite(shape: &VolumeShape, corner: usize) -> Vec3 {
    let corners = shape.outline();
    corners.get((corner + 2) % 4).copied().unwrap_or_default()
}

/// `shape` moved by `by`.
pub(crate) fn shifted(shape: &VolumeShape, by: Vec3) -> VolumeShape {
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

/// `shape` between other heights, the higher one no lower than the other.
pub(crate) fn between(shape: &VolumeShape, bottom: f32, top: f32) -> VolumeShape {
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
mod tests {
    use super::*;

    const CLICKS: [Vec3; 3] =
        [Vec3::new(1.0, 0.0, 1.0), Vec3::new(5.0, 0.5, 3.0), Vec3::new(2.0, 0.0, 6.0)];

    fn all() -> Vec<VolumeShape> {
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
    fn the_middle_moves_all_of_it_and_a_corner_only_itself() {
        for shape in all() {
            let to = handles(&shape)[0] + Vec3::new(2.0, 1.0, -3.0);
            let moved = pulled(&shape, 0, to);
            let by = moved.bounds().min - shape.bounds().min;
            assert!(by.distance(Vec3::new(2.0, 1.0, -3.0)) < 1e-5, "{shape:?}: {by}");
            let to = handles(&shape)[1] + Vec3::new(0.25, 0.0, 0.0);
            let pulled = handles(&pulled(&shape, 1, to))[1];
            assert!(pulled.distance(to) < 1e-5, "{shape:?}: {pulled} {to}");
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
            let before = handles(&shape);
            let after = handles(&pulled(&shape, 3, before[3] + Vec3::new(0.3, 0.0, 0.4)));
            assert!(before[1].distance(after[1]) < 1e-5, "{before:?} {after:?}");
        }
    }

    #[test]
    fn the_last_handle_turns_a_box_about_its_middle() {
        let shape = ShapeKind::TurnedBox.drawn(&CLICKS).unwrap();
        let middle = handles(&shape)[0];
        for degrees in [-150.0_f32, -20.0, 0.0, 65.0, 170.0] {
            let yaw = degrees.to_radians();
            let turned = pulled(&shape, TURN, middle + Vec3::new(yaw.sin(), 0.0, yaw.cos()) * 7.0);
            let VolumeShape::TurnedBox { yaw: now, .. } = turned else { panic!("still a box") };
            assert!((now - yaw).abs() < 1e-5, "{degrees}°: {now}");
            assert!(turns(&turned, TURN) && handles(&turned)[0].distance(middle) < 1e-4);
            let handle = handles(&turned)[TURN] - middle;
            assert!((handle.x.atan2(handle.z) - yaw).abs() < 1e-5);
        }
        assert!(!turns(&ShapeKind::Box.drawn(&CLICKS).unwrap(), TURN));
    }

    #[test]
    fn another_kind_takes_up_about_the_same_space() {
        for shape in all() {
            for kind in ShapeKind::ALL {
                let other = kind.instead_of(&shape);
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
