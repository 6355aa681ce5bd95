//! The handles at the center of the selected objects, which move, turn or scale them.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use walkable::{
    bake::VolumeShape,
    debug_draw::{self, DrawList, Paint},
    geom::{Aabb, Ray},
};

use crate::{
    session::{GizmoMode, GizmoSettings, SceneItem, SessionView, Transform, middle, yaw},
    tools::handle,
};

/// Length of an axis, as a fraction of the distance from the camera.
const LENGTH: f32 = 0.12;
/// Where an axis begins, as a fraction of its length: the center stays free for the object's own handle.
const START: f32 = 0.2;
/// Corners of the square that moves along the ground, as a fraction of an axis.
const SQUARE: [f32; 2] = [0.3, 0.55];
/// Distance at which the pointer grabs a part, as a fraction of an axis.
const REACH: f32 = 0.1;
/// An axis that points to the camera is neither drawn nor grabbed: the cosine of the angle, about 12°.
const END_ON: f32 = 0.978;
/// Maximum distance of a drag from the center, as a multiple of an axis.
const FARTHEST: f32 = 60.0;
/// Limits of the factor of one drag.
const FACTORS: [f32; 2] = [0.01, 100.0];
const N_SIDES: u8 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GizmoPart {
    /// An axis: 0 for x, 1 for y, 2 for z.
    Axis(u8),
    Ground,
    Ring,
    /// The box that scales all axes.
    Center,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gizmo {
    mode: GizmoMode,
    pivot: Vec3,
    /// Length of an axis, in meters.
    size: f32,
    /// Rotation of the axes about the vertical.
    yaw: f32,
    ahead: Vec3,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GizmoDrag {
    pub part: GizmoPart,
    gizmo: Gizmo,
    from: Grabbed,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Grabbed {
    /// Distance from the center along an axis, in meters.
    Along(f32),
    At(Vec3),
    /// Angle about the vertical, in radians.
    Angle(f32),
}

impl Gizmo {
    /// Returns the handles of the selected objects; `None` if the mode changes none of them.
    pub fn of(view: &SessionView<'_>) -> Option<Self> {
        let document = view.document();
        let mode = view.tools.gizmo.mode;
        let items: Vec<SceneItem> =
            view.items().into_iter().filter(|item| item.bounds_in(document).is_some()).collect();
        let (pivot, yaw) = match items[..] {
            [] => return None,
            [item] => {
                let shape = item.can(mode, document).then(|| item.shape(document))?;
                let center = shape.as_ref().map(middle);
                let pivot = center.or_else(|| Some(item.bounds_in(document)?.center()))?;
                let is_turned = matches!(shape, Some(VolumeShape::TurnedBox { .. }));
                let own = shape.filter(|_| is_turned && mode == GizmoMode::Scale);
                (pivot, own.and_then(|shape| yaw(&shape)).unwrap_or_default())
            }
            _ => {
                let all = items.iter().filter_map(|item| item.bounds_in(document));
                let around =
                    |a: Aabb, b: Aabb| Aabb { min: a.min.min(b.min), max: a.max.max(b.max) };
                (all.reduce(around)?.center(), 0.0)
            }
        };
        let (ahead, distance) = seen(view, pivot);
        Some(Self { mode, pivot, size: LENGTH * distance, yaw, ahead })
    }

    fn axis(&self, axis: u8) -> Vec3 {
        let along = [Vec3::X, Vec3::Y, Vec3::Z][usize::from(axis.min(2))];
        Quat::from_rotation_y(self.yaw) * along
    }

    /// Returns the axes that do not point to the camera.
    fn axes(&self) -> impl Iterator<Item = u8> {
        (0..3).filter(|&axis| self.axis(axis).dot(self.ahead).abs() < END_ON)
    }

    fn ring_corner(&self, side: u8) -> Vec3 {
        let angle = TAU * f32::from(side) / f32::from(N_SIDES);
        self.pivot + Quat::from_rotation_y(angle) * Vec3::Z * self.size
    }

    fn square(&self) -> [Vec3; 4] {
        let [near, far] = SQUARE;
        [[near, near], [far, near], [far, far], [near, far]]
            .map(|[x, z]| self.pivot + Vec3::new(x, 0.0, z) * self.size)
    }

    pub fn under(&self, ray: Ray) -> Option<GizmoPart> {
        let near = |[a, b]: [Vec3; 2]| distance(ray, a, b);
        let axes = self.axes().map(|axis| {
            let along = self.axis(axis) * self.size;
            (GizmoPart::Axis(axis), near([self.pivot + along * START, self.pivot + along]))
        });
        let parts: Vec<_> = match self.mode {
            GizmoMode::Move if self.is_on_square(ray) => return Some(GizmoPart::Ground),
            GizmoMode::Move => axes.collect(),
            GizmoMode::Turn => {
                let sides = (0..N_SIDES).map(|side| [side, side + 1]);
                let sides = sides.map(|side| near(side.map(|at| self.ring_corner(at))));
                sides.map(|distance| (GizmoPart::Ring, distance)).collect()
            }
            GizmoMode::Scale => axes.chain([(GizmoPart::Center, near([self.pivot; 2]))]).collect(),
        };
        let taken = parts.into_iter().filter(|(_, distance)| *distance <= REACH * self.size);
        taken.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(part, _)| part)
    }

    fn is_on_square(&self, ray: Ray) -> bool {
        let [low, high] = SQUARE;
        let at = ray.hit_horizontal_plane(self.pivot.y).map(|at| (at - self.pivot) / self.size);
        at.is_some_and(|at| [at.x, at.z].iter().all(|side| (low..=high).contains(side)))
    }

    /// Returns a point by which `part` can be grabbed.
    pub fn place_of(&self, part: GizmoPart) -> Vec3 {
        match part {
            GizmoPart::Axis(axis) => self.pivot + self.axis(axis) * (0.8 * self.size),
            GizmoPart::Ground => self.square().iter().sum::<Vec3>() * 0.25,
            GizmoPart::Ring => self.ring_corner(0),
            GizmoPart::Center => self.pivot,
        }
    }

    /// Begins a drag of `part`; `None` if the pointer is too far from it.
    pub fn grab(self, part: GizmoPart, ray: Ray) -> Option<GizmoDrag> {
        let from = self.grabbed(part, ray)?;
        Some(GizmoDrag { part, gizmo: self, from })
    }

    fn grabbed(&self, part: GizmoPart, ray: Ray) -> Option<Grabbed> {
        Some(match part {
            GizmoPart::Axis(axis) => {
                let along = nearest_on_line(ray, self.pivot, self.axis(axis))?;
                Grabbed::Along(Some(along).filter(|along| along.abs() <= FARTHEST * self.size)?)
            }
            GizmoPart::Ground => Grabbed::At(handle::at_height(ray, self.pivot)?),
            GizmoPart::Ring => {
                let at = handle::at_height(ray, self.pivot)? - self.pivot;
                Grabbed::Angle(at.x.atan2(at.z))
            }
            GizmoPart::Center => {
                let depth = (self.pivot - ray.origin).dot(self.ahead);
                let along = ray.direction.dot(self.ahead);
                Grabbed::At((along > 1e-3).then(|| ray.origin + ray.direction * (depth / along))?)
            }
        })
    }

    /// Draws the handles. `held` is the part under the pointer or dragged.
    pub fn picture(&self, held: Option<GizmoPart>) -> DrawList {
        let mut list = DrawList::default();
        let look = |part: GizmoPart, paint: Paint| {
            if held == Some(part) { (Paint::Accent, 5.0) } else { (paint, 3.0) }
        };
        if self.mode == GizmoMode::Turn {
            let (paint, width) = look(GizmoPart::Ring, Paint::Axis(1));
            let corners: Vec<_> = (0..N_SIDES).map(|side| self.ring_corner(side)).collect();
            list.ring(&corners, width, paint);
            list.point(self.pivot, 6.0, paint);
            return list;
        }
        for axis in self.axes() {
            let (paint, width) = look(GizmoPart::Axis(axis), Paint::Axis(axis));
            let along = self.axis(axis) * self.size;
            let end = self.pivot + along;
            list.line([self.pivot + along * START, end], width, paint);
            if self.mode == GizmoMode::Scale {
                list.append(self.cube(end, paint));
            } else {
                self.barbs(&mut list, axis, width, paint);
            }
        }
        if self.mode == GizmoMode::Scale {
            let (paint, _) = look(GizmoPart::Center, Paint::Bounds);
            list.append(self.cube(self.pivot, paint));
        } else {
            let (paint, width) = look(GizmoPart::Ground, Paint::Axis(1));
            list.fill(&self.square(), paint);
            list.ring(&self.square(), width - 1.0, paint);
        }
        list
    }

    fn barbs(&self, list: &mut DrawList, axis: u8, width: f32, paint: Paint) {
        const HEAD: f32 = 0.16;
        let end = self.pivot + self.axis(axis) * self.size;
        let back = self.axis(axis) * (-HEAD * self.size);
        for aside in [(axis + 1) % 3, (axis + 2) % 3].map(|aside| self.axis(aside)) {
            for side in [-0.4, 0.4] {
                list.line([end, end + back + aside * (side * HEAD * self.size)], width, paint);
            }
        }
    }

    fn cube(&self, at: Vec3, paint: Paint) -> DrawList {
        let half = Vec3::splat(0.05 * self.size);
        debug_draw::edges(&Aabb { min: at - half, max: at + half }, 2.5, paint)
    }
}

impl GizmoDrag {
    /// Returns a drag that moves along the ground from a handle at `at`.
    pub fn along_ground(view: &SessionView<'_>, at: Vec3, ray: Ray) -> Option<Self> {
        let (ahead, distance) = seen(view, at);
        let size = LENGTH * distance;
        let gizmo = Gizmo { mode: GizmoMode::Move, pivot: at, size, yaw: 0.0, ahead };
        gizmo.grab(GizmoPart::Ground, ray)
    }

    pub const fn mode(&self) -> GizmoMode {
        self.gizmo.mode
    }

    /// Returns the change of the selected objects since the drag began, with the pointer at `ray`; `None` if it points
    /// to nothing. With the spacing of a `grid`, the center snaps to it, and angles and factors to their steps.
    pub fn transform(&self, ray: Ray, grid: Option<f32>) -> Option<Transform> {
        let snaps = grid.is_some();
        let Gizmo { mode, pivot, yaw, .. } = self.gizmo;
        let to = self.gizmo.grabbed(self.part, ray)?;
        let rounded =
            |value: f32, step: f32| if snaps { (value / step).round() * step } else { value };
        let rounded_factor = |value: f32| {
            let step = GizmoSettings::SCALE_STEP;
            factor(if snaps { rounded(value, step).max(step) } else { value })
        };
        let change = match (self.from, to) {
            (Grabbed::At(from), Grabbed::At(to)) if mode == GizmoMode::Move => {
                Transform::Move(snapped_move(pivot, to - from, grid))
            }
            (Grabbed::At(from), Grabbed::At(to)) => {
                let right = self.gizmo.ahead.cross(Vec3::Y).normalize_or(Vec3::X);
                let up = right.cross(self.gizmo.ahead);
                let by = (to - from).dot(right + up) / self.gizmo.size;
                Transform::Scale { pivot, yaw, factors: Vec3::splat(rounded_factor(by.exp2())) }
            }
            (Grabbed::Along(from), Grabbed::Along(to)) => {
                let GizmoPart::Axis(axis) = self.part else { return None };
                if mode == GizmoMode::Move {
                    let by = self.gizmo.axis(axis) * (to - from);
                    Transform::Move(snapped_move(pivot, by, grid))
                } else {
                    let mut factors = Vec3::ONE;
                    factors[usize::from(axis.min(2))] = rounded_factor(to / from);
                    Transform::Scale { pivot, yaw, factors }
                }
            }
            (Grabbed::Angle(from), Grabbed::Angle(to)) => {
                Transform::Turn { pivot, by: rounded(to - from, GizmoSettings::TURN_STEP) }
            }
            (Grabbed::At(_) | Grabbed::Along(_) | Grabbed::Angle(_), _) => return None,
        };
        Some(change)
    }

    /// Draws the handles during the drag. `view` contains the changed objects.
    pub fn picture(&self, view: &SessionView<'_>) -> DrawList {
        let shown = match self.gizmo.mode {
            GizmoMode::Move => Gizmo::of(view).filter(|_| view.tools.gizmo.mode == GizmoMode::Move),
            GizmoMode::Turn | GizmoMode::Scale => Some(self.gizmo),
        };
        shown.map(|gizmo| gizmo.picture(Some(self.part))).unwrap_or_default()
    }
}

/// Returns a move by `by`. With a `step`, each coordinate of `pivot` that changes snaps to a multiple of it.
fn snapped_move(pivot: Vec3, by: Vec3, step: Option<f32>) -> Vec3 {
    let Some(step) = step.filter(|step| *step > 0.0) else { return by };
    let snapped = ((pivot + by) / step).round() * step - pivot;
    Vec3::select(by.cmpne(Vec3::ZERO), snapped, Vec3::ZERO)
}

fn factor(wanted: f32) -> f32 {
    let [least, most] = FACTORS;
    if wanted.is_finite() { wanted.clamp(least, most) } else { 1.0 }
}

/// Returns the direction from the camera to `at`, and the distance that decides the size on the screen.
fn seen(view: &SessionView<'_>, at: Vec3) -> (Vec3, f32) {
    let Some(look) = view.shown.look else { return (Vec3::NEG_Y, 10.0) };
    let ahead = (at - look.eye()).try_normalize().filter(|_| !look.parallel);
    let distance = if look.parallel { look.distance } else { at.distance(look.eye()) };
    (ahead.unwrap_or_else(|| look.forward()), distance.max(1e-3))
}

/// Returns the distance between a line of sight and the line from `a` to `b`.
fn distance(ray: Ray, a: Vec3, b: Vec3) -> f32 {
    let length = a.distance(b);
    let along = (b - a).normalize_or_zero();
    let on_line = nearest_on_line(ray, a, along).unwrap_or(0.0).clamp(0.0, length);
    let at = a + along * on_line;
    let ahead = (at - ray.origin).dot(ray.direction);
    if ahead <= 0.0 { f32::INFINITY } else { at.distance(ray.origin + ray.direction * ahead) }
}

/// Returns the point of a line that is nearest to `ray`, as the distance from `start` along `direction`, in meters.
/// `None` if the two are nearly parallel.
fn nearest_on_line(ray: Ray, start: Vec3, direction: Vec3) -> Option<f32> {
    let offset = start - ray.origin;
    let cosine = direction.dot(ray.direction);
    let apart = 1.0 - cosine * cosine;
    (apart > 1e-3).then(|| (cosine * ray.direction.dot(offset) - direction.dot(offset)) / apart)
}
