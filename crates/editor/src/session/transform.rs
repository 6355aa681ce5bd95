//! Moving, turning and scaling objects, and the settings of the handles for that.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use walkable::{bake::VolumeShape, diagnostic::Phrase, geom::Aabb};
use walkable_workspace::{lang::tr, table, text};

use super::{
    Document, SceneItem, middle, shifted, turned_to,
    volume::{SMALLEST, between, yaw},
};

struct Row {
    name: &'static str,
    command: &'static str,
    tooltip: &'static str,
    key: char,
}

table! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum GizmoMode of Row {
        #[default]
        Move {
            name: text!("Move"),
            command: text!("Move objects"),
            tooltip: text!("Shows arrows in the 3D view that move the selected objects"),
            key: 'W',
        }
        /// Turns the selected objects about the vertical axis.
        Turn {
            name: text!("Turn"),
            command: text!("Turn objects"),
            tooltip: text!("Shows a ring in the 3D view that turns the selected objects"),
            key: 'E',
        }
        Scale {
            name: text!("Scale"),
            command: text!("Scale objects"),
            tooltip: text!("Shows boxes in the 3D view that change the size of the selected objects"),
            key: 'R',
        }
    }
}

impl GizmoMode {
    pub fn name(self) -> &'static str {
        tr(self.row().name)
    }

    pub fn phrase(self) -> Phrase {
        Phrase::new(self.row().name, Vec::new())
    }

    pub fn command(self) -> &'static str {
        tr(self.row().command)
    }

    pub fn tooltip(self) -> &'static str {
        tr(self.row().tooltip)
    }

    pub const fn key(self) -> char {
        self.row().key
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GizmoSettings {
    /// What the handles do; not saved in the preferences.
    #[serde(skip)]
    pub mode: GizmoMode,
    /// Whether drags snap without Ctrl. Ctrl switches to the opposite.
    pub snaps: bool,
    /// Spacing of the grid to which objects snap, in meters.
    pub step: f32,
}

impl Default for GizmoSettings {
    fn default() -> Self {
        Self { mode: GizmoMode::default(), snaps: false, step: 0.5 }
    }
}

impl GizmoSettings {
    /// Limits of the spacing of the grid, in meters.
    pub const STEPS: [f32; 2] = [0.01, 100.0];
    /// Step of rotations that snap, in radians: 15°.
    pub const TURN_STEP: f32 = PI / 12.0;
    /// Step of the factor of sizes that snap.
    pub const SCALE_STEP: f32 = 0.1;

    #[must_use]
    pub fn limited(self) -> Self {
        let [least, most] = Self::STEPS;
        Self { step: self.step.clamp(least, most), ..self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transform {
    /// Moves by this vector, in meters.
    Move(Vec3),
    Turn {
        pivot: Vec3,
        /// Angle in radians, from +z toward +x.
        by: f32,
    },
    Scale {
        pivot: Vec3,
        /// Rotation of the axes about the vertical, in radians from +z toward +x.
        yaw: f32,
        factors: Vec3,
    },
}

impl Transform {
    pub fn point(self, point: Vec3) -> Vec3 {
        match self {
            Self::Move(by) => point + by,
            Self::Turn { pivot, by } => pivot + Quat::from_rotation_y(by) * (point - pivot),
            Self::Scale { pivot, yaw, factors } => {
                let turn = Quat::from_rotation_y(yaw);
                pivot + turn * (factors * (turn.inverse() * (point - pivot)))
            }
        }
    }

    /// Returns the transformed `shape`. A rotated axis-aligned box becomes a rotated box; a cylinder stays round.
    pub fn shape(self, shape: &VolumeShape) -> VolumeShape {
        match self {
            Self::Move(by) => shifted(shape, by),
            Self::Turn { by: 0.0, .. } => shape.clone(),
            Self::Turn { by, .. } => {
                let turned = yaw(shape).map(|yaw| turned_to(shape, wrapped(yaw + by)));
                self.brought(turned.as_ref().unwrap_or(shape), middle(shape))
            }
            Self::Scale { yaw: axes, factors, .. } => self.scaled(shape, axes, factors),
        }
    }

    /// Moves `shape` like the point `at`.
    fn brought(self, shape: &VolumeShape, at: Vec3) -> VolumeShape {
        shifted(shape, self.point(at) - at)
    }

    fn scaled(self, shape: &VolumeShape, axes: f32, factors: Vec3) -> VolumeShape {
        let bounds = shape.bounds();
        let [bottom, top] = [bounds.min, bounds.max].map(|at| self.point(at).y);
        let own = match shape {
            VolumeShape::TurnedBox { yaw, .. } => *yaw,
            VolumeShape::Prism { .. } | VolumeShape::Box(_) | VolumeShape::Cylinder { .. } => 0.0,
        };
        let (sin, cos) = (own - axes).sin_cos();
        // How much lengths along the shape's own axes change.
        let own = Vec3::new(
            (factors.x * cos).hypot(factors.z * sin),
            factors.y,
            (factors.x * sin).hypot(factors.z * cos),
        );
        let mut scaled = self.brought(shape, middle(shape));
        match &mut scaled {
            VolumeShape::Prism { outline, .. } => {
                if let VolumeShape::Prism { outline: before, .. } = shape {
                    *outline = before.iter().map(|&corner| self.point(corner)).collect();
                }
            }
            VolumeShape::Box(bounds) => {
                let center = bounds.center();
                let half = (bounds.size() * 0.5 * own).max(Vec3::splat(SMALLEST * 0.5));
                *bounds = Aabb { min: center - half, max: center + half };
            }
            VolumeShape::TurnedBox { half_extents, .. } => {
                *half_extents = (*half_extents * own).max(Vec3::splat(SMALLEST * 0.5));
            }
            VolumeShape::Cylinder { radius, .. } => {
                let changes_more = own.x.ln().abs() > own.z.ln().abs();
                let factor = if changes_more { own.x } else { own.z };
                *radius = (*radius * factor).max(SMALLEST);
            }
        }
        between(&scaled, bottom.min(top), bottom.max(top))
    }
}

fn wrapped(angle: f32) -> f32 {
    (angle + PI).rem_euclid(2.0 * PI) - PI
}

impl SceneItem {
    /// Moves the object by a distance in meters. A camera view stays.
    pub fn move_in(self, document: &mut Document, by: Vec3) {
        self.transform_in(document, Transform::Move(by));
    }

    /// Transforms the object. A camera view stays, and a bake box is not rotated itself.
    pub fn transform_in(self, document: &mut Document, transform: Transform) {
        match self {
            Self::Volume(index) => {
                if let Some(volume) = document.volumes.get_mut(index) {
                    volume.shape = transform.shape(&volume.shape);
                }
            }
            Self::Bound(index) => {
                if let Some(bound) = document.bounds.get_mut(index) {
                    let shape = VolumeShape::Box(bound.of);
                    bound.of = match transform {
                        Transform::Turn { .. } => transform.brought(&shape, bound.center()),
                        Transform::Move(_) | Transform::Scale { .. } => transform.shape(&shape),
                    }
                    .bounds();
                }
            }
            Self::Obstacle(index) => {
                if let Some(obstacle) = document.obstacles.list.get_mut(index) {
                    obstacle.shape = transform.shape(&obstacle.shape);
                }
            }
            Self::Link(index) => {
                if let Some(link) = document.off_mesh.get_mut(index) {
                    (link.start, link.end) =
                        (transform.point(link.start), transform.point(link.end));
                }
            }
            Self::Path(index) => {
                if let Some(path) = document.paths.get_mut(index) {
                    (path.start, path.end) =
                        (transform.point(path.start), transform.point(path.end));
                }
            }
            Self::Place(index) => {
                if let Some(place) = document.places.get_mut(index) {
                    place.at = transform.point(place.at);
                }
            }
            Self::View(_) => {}
        }
    }

    /// Returns whether the handles of `mode` are shown for the object if it is selected alone.
    pub fn can(self, mode: GizmoMode, document: &Document) -> bool {
        match (mode, self) {
            (_, Self::View(_) | Self::Path(_))
            | (GizmoMode::Turn | GizmoMode::Scale, Self::Place(_))
            | (GizmoMode::Turn, Self::Bound(_)) => false,
            (GizmoMode::Turn, Self::Volume(_) | Self::Obstacle(_)) => {
                self.shape(document).is_some_and(|shape| yaw(&shape).is_some())
            }
            (
                GizmoMode::Move | GizmoMode::Scale,
                Self::Volume(_) | Self::Bound(_) | Self::Obstacle(_),
            )
            | (GizmoMode::Move, Self::Place(_))
            | (_, Self::Link(_)) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{ShapeKind, volume::tests::all};

    const PIVOT: Vec3 = Vec3::new(1.0, 2.0, -3.0);

    fn scale(yaw: f32, factors: [f32; 3]) -> Transform {
        Transform::Scale { pivot: PIVOT, yaw, factors: factors.into() }
    }

    fn assert_near(a: Vec3, b: Vec3, what: &VolumeShape) {
        assert!(a.distance(b) < 1e-3, "{a} instead of {b}: {what:?}");
    }

    #[test]
    fn shapes_and_points_are_transformed_alike() {
        let transforms = [
            Transform::Move(Vec3::new(2.0, 1.0, -3.0)),
            Transform::Turn { pivot: PIVOT, by: 0.7 },
            scale(0.0, [2.0, 2.0, 2.0]),
            scale(0.0, [2.0, 0.5, 3.0]),
        ];
        for transform in transforms {
            for shape in all() {
                let after = transform.shape(&shape);
                assert_near(middle(&after), transform.point(middle(&shape)), &after);
                let has_exact_corners = ShapeKind::of(&shape) != ShapeKind::Cylinder;
                let corners = shape.outline().into_iter().zip(after.outline());
                for (before, after_corner) in corners.filter(|_| has_exact_corners) {
                    let expected = transform.point(before).with_y(after_corner.y);
                    assert_near(after_corner, expected, &after);
                }
            }
        }
    }

    #[test]
    fn turning_back_restores_the_shape() {
        for shape in all() {
            let there = Transform::Turn { pivot: PIVOT, by: 2.5 }.shape(&shape);
            let back = Transform::Turn { pivot: PIVOT, by: -2.5 }.shape(&there);
            for (a, b) in shape.outline().into_iter().zip(back.outline()) {
                assert_near(a.with_y(0.0), b.with_y(0.0), &back);
            }
            assert_eq!(Transform::Turn { pivot: PIVOT, by: 0.0 }.shape(&shape), shape);
        }
    }

    #[test]
    fn heights_scale_from_the_pivot_and_sizes_stay_positive() {
        for shape in all() {
            let bounds = shape.bounds();
            let taller = scale(0.0, [1.0, 2.0, 1.0]).shape(&shape).bounds();
            assert!((taller.size().y - 2.0 * bounds.size().y).abs() < 1e-4, "{shape:?}");
            assert!((taller.max.y - (PIVOT.y + 2.0 * (bounds.max.y - PIVOT.y))).abs() < 1e-4);
            let tiny = scale(0.0, [1e-6, 1e-6, 1e-6]).shape(&shape).bounds();
            assert!(tiny.size().y >= SMALLEST * 0.9 && !tiny.is_empty(), "{tiny:?}");
        }
    }

    #[test]
    fn rotated_boxes_scale_along_the_axes_of_the_handles() {
        let half_extents = Vec3::new(2.0, 1.0, 0.5);
        let shape = VolumeShape::TurnedBox { center: PIVOT, half_extents, yaw: 0.4 };
        let along = scale(0.4, [3.0, 1.0, 1.0]).shape(&shape);
        let VolumeShape::TurnedBox { half_extents: wide, .. } = along else { panic!("a box") };
        assert!(wide.distance(Vec3::new(6.0, 1.0, 0.5)) < 1e-4, "{wide}");
        // With the world's axes, a box that is rotated by 90° grows along its other side.
        let across = VolumeShape::TurnedBox {
            center: PIVOT,
            half_extents,
            yaw: std::f32::consts::FRAC_PI_2,
        };
        let VolumeShape::TurnedBox { half_extents: deep, .. } =
            scale(0.0, [3.0, 1.0, 1.0]).shape(&across)
        else {
            panic!("a box")
        };
        assert!(deep.distance(Vec3::new(2.0, 1.0, 1.5)) < 1e-4, "{deep}");
    }

    #[test]
    fn a_bake_box_stays_aligned() {
        let mut document = Document::default();
        let bounds = Aabb::new(Vec3::ZERO, Vec3::new(4.0, 2.0, 2.0));
        document.bounds = vec![bounds.into()];
        let by = std::f32::consts::FRAC_PI_2;
        SceneItem::Bound(0).transform_in(&mut document, Transform::Turn { pivot: Vec3::ZERO, by });
        let after = document.bounds[0].of;
        assert!(after.size().distance(bounds.size()) < 1e-4);
        assert!(after.center().distance(Vec3::new(1.0, 1.0, -2.0)) < 1e-4, "{after:?}");
        assert!(!SceneItem::Bound(0).can(GizmoMode::Turn, &document));
        assert!(SceneItem::Bound(0).can(GizmoMode::Scale, &document));
    }
}
