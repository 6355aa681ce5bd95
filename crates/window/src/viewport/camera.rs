//! The camera and its projection to the screen.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Mat4, Vec2, Vec3, vec2, vec3};
use walkable::geom::{Aabb, Ray};
use walkable_editor::session::{Look, Side};

/// Vertical field of view, in radians: 45°, wide enough for rooms, without much distortion at the corners.
const FIELD_OF_VIEW: f32 = 0.785;
/// Factor by which a framed view is larger than the bounds.
const MARGIN: f32 = 1.07;
/// Range of the distance of the camera from its target, in meters.
const DISTANCES: std::ops::RangeInclusive<f32> = 0.02..=200_000.0;
/// Largest coordinates of the target of a saved look, in meters.
const FARTHEST: Vec3 = Vec3::splat(1e7);

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    pub target: Vec3,
    /// Rotation around the y axis, in radians; 0 looks along −z, and positive angles turn to the left.
    pub yaw: f32,
    /// Angle of the camera above the horizon, in radians; π / 2 looks straight down.
    pub pitch: f32,
    /// Distance from the target, in meters.
    pub distance: f32,
    pub is_orthographic: bool,
}

/// Unit vectors of the view's axes in world space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    pub right: Vec3,
    pub up: Vec3,
    pub forward: Vec3,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Projection {
    pub camera: Camera,
    pub aspect: f32,
    /// Largest distance of anything drawn from the target, in meters.
    pub reach: f32,
}

impl Camera {
    /// Returns the camera of a saved look, clamped to valid values.
    pub(super) fn of(look: Look) -> Self {
        Self {
            target: look.target.clamp(-FARTHEST, FARTHEST),
            yaw: look.yaw,
            pitch: look.pitch.clamp(-FRAC_PI_2, FRAC_PI_2),
            distance: look.distance.clamp(*DISTANCES.start(), *DISTANCES.end()),
            is_orthographic: look.parallel,
        }
    }

    pub fn to_look(self) -> Look {
        let Self { target, yaw, pitch, distance, is_orthographic: parallel } = self;
        Look { target, yaw, pitch, distance, parallel }
    }

    /// The initial camera: from the front, the right and above.
    pub const START: Self =
        Self { target: Vec3::ZERO, yaw: 0.6, pitch: 0.7, distance: 40.0, is_orthographic: false };

    pub(super) fn axes(&self) -> Axes {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        let forward = -vec3(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch);
        let right = vec3(cos_yaw, 0.0, -sin_yaw);
        Axes { right, up: right.cross(forward), forward }
    }

    pub fn eye(&self) -> Vec3 {
        self.target - self.axes().forward * self.distance
    }

    /// Returns the height of the view at the target, in meters.
    pub fn seen_height(&self) -> f32 {
        2.0 * (FIELD_OF_VIEW * 0.5).tan() * self.distance
    }

    /// Orbits the target, by radians.
    pub fn orbit(&mut self, turn: Vec2) {
        self.yaw = wrapped(self.yaw - turn.x);
        self.pitch = (self.pitch + turn.y).clamp(-FRAC_PI_2, FRAC_PI_2);
    }

    /// Turns the camera in place, by radians.
    pub fn look(&mut self, turn: Vec2) {
        // Rounding would move the target.
        if turn == Vec2::ZERO {
            return;
        }
        let eye = self.eye();
        self.orbit(turn);
        self.target = eye + self.axes().forward * self.distance;
    }

    /// Moves the camera by meters to the right, up and forward.
    pub fn shift(&mut self, by: Vec3) {
        let axes = self.axes();
        self.target += axes.right * by.x + axes.up * by.y + axes.forward * by.z;
    }

    /// Multiplies the distance by `factor`, and keeps `anchor` at the same position on the screen.
    pub fn zoom(&mut self, factor: f32, anchor: Vec3) {
        let distance = (self.distance * factor).clamp(*DISTANCES.start(), *DISTANCES.end());
        let factor = distance / self.distance;
        self.target = anchor + (self.target - anchor) * factor;
        self.distance = distance;
    }

    /// Returns this camera, moved to show all of `bounds`; unchanged if they are empty.
    #[must_use]
    pub fn framing(mut self, bounds: &Aabb, aspect: f32) -> Self {
        if bounds.is_empty() {
            return self;
        }
        self.target = bounds.center();
        self.distance = bounds.size().length().max(*DISTANCES.start());
        // Under perspective, the center of the projection is not the projection of the center; a few iterations
        // converge.
        for _ in 0..6 {
            let view = Projection { camera: self, aspect, reach: 0.0 };
            let (low, high) = view.extent_of(bounds);
            let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
            let half_height = self.seen_height() * 0.5;
            self.shift(vec3(middle.x * aspect * half_height, middle.y * half_height, 0.0));
            let size = half.max_element();
            if size > 0.0 {
                self.distance *= size * MARGIN;
            }
        }
        self.distance = self.distance.clamp(*DISTANCES.start(), *DISTANCES.end());
        self
    }

    #[must_use]
    pub fn turned_to(mut self, side: Side) -> Self {
        (self.yaw, self.pitch) = match side {
            Side::Right => (FRAC_PI_2, 0.0),
            Side::Left => (-FRAC_PI_2, 0.0),
            Side::Front => (0.0, 0.0),
            Side::Back => (PI, 0.0),
            Side::Top => (0.0, FRAC_PI_2),
            Side::Bottom => (0.0, -FRAC_PI_2),
        };
        self
    }

    /// Interpolates between this camera and `to` by `part`, from 0 to 1, with the smaller of both rotations.
    #[must_use]
    pub fn mixed(&self, to: &Self, part: f32) -> Self {
        let turn = wrapped(to.yaw - self.yaw);
        Self {
            target: self.target.lerp(to.target, part),
            yaw: wrapped(self.yaw + turn * part),
            pitch: self.pitch + (to.pitch - self.pitch) * part,
            // Interpolates the logarithm, so that both directions look the same.
            distance: self.distance * (to.distance / self.distance).powf(part),
            is_orthographic: to.is_orthographic,
        }
    }
}

impl Projection {
    /// Returns the matrix from world space to clip space. Depth is 1 at the near plane and decreases towards 0
    /// (reversed z), so that distant depths have enough precision.
    pub(super) fn clip_from_world(&self) -> Mat4 {
        let Axes { right, up, forward } = self.camera.axes();
        let eye = if self.camera.is_orthographic { self.camera.target } else { self.camera.eye() };
        let row = |axis: Vec3| axis.extend(-axis.dot(eye));
        let view_from_world =
            Mat4::from_cols(row(right), row(up), row(-forward), glam::Vec4::W).transpose();
        let half_height = self.camera.seen_height() * 0.5;
        let clip_from_view = if self.camera.is_orthographic {
            let half_width = half_height * self.aspect;
            let (near, far) = (-self.reach, self.reach);
            glam::camera::rh::proj::directx::orthographic(
                -half_width,
                half_width,
                -half_height,
                half_height,
                far,
                near,
            )
        } else {
            glam::camera::rh::proj::directx::perspective_infinite_reverse(
                FIELD_OF_VIEW,
                self.aspect,
                self.near(),
            )
        };
        clip_from_view * view_from_world
    }

    /// Returns the distance of the near plane: a hundredth of the distance to the target, at most 5 cm; 0 for an
    /// orthographic projection.
    pub(super) fn near(&self) -> f32 {
        if self.camera.is_orthographic { 0.0 } else { (self.camera.distance * 0.01).min(0.05) }
    }

    /// Returns the ray through a point of the view, from −1 to 1 with y up.
    pub(super) fn ray(&self, place: Vec2) -> Option<Ray> {
        let Axes { right, up, forward } = self.camera.axes();
        let half_height = self.camera.seen_height() * 0.5;
        let on_target =
            right * (place.x * half_height * self.aspect) + up * (place.y * half_height);
        if self.camera.is_orthographic {
            return Ray::new(self.camera.target + on_target - forward * self.reach, forward);
        }
        Ray::new(self.camera.eye(), forward * self.camera.distance + on_target)
    }

    /// Returns the part of the view that `bounds` covers. Corners behind the camera count as far outside.
    fn extent_of(&self, bounds: &Aabb) -> (Vec2, Vec2) {
        let places = corners_of(bounds).map(|c| self.place_of(c).unwrap_or(Vec2::splat(4.0)));
        places.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), place| {
            (low.min(place), high.max(place))
        })
    }

    /// Projects `point` to the view, from −1 to 1 with y up; `None` behind the camera.
    pub(super) fn place_of(&self, point: Vec3) -> Option<Vec2> {
        let Axes { right, up, forward } = self.camera.axes();
        let offset = point - self.camera.target;
        let depth = self.camera.distance + offset.dot(forward);
        let scale = if self.camera.is_orthographic { 1.0 } else { self.camera.distance / depth };
        let seen = vec2(offset.dot(right) / self.aspect, offset.dot(up)) * scale;
        (self.camera.is_orthographic || depth > self.near())
            .then(|| seen / (self.camera.seen_height() * 0.5))
    }
}

fn corners_of(bounds: &Aabb) -> impl Iterator<Item = Vec3> {
    let Aabb { min, max } = *bounds;
    let from = move |low_or_high: u8, bit: u8, axis: usize| {
        if low_or_high & bit == 0 { min[axis] } else { max[axis] }
    };
    (0..8).map(move |corner| vec3(from(corner, 1, 0), from(corner, 2, 1), from(corner, 4, 2)))
}

fn wrapped(angle: f32) -> f32 {
    (angle + PI).rem_euclid(2.0 * PI) - PI
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Aabb = Aabb { min: vec3(-20.0, -1.0, 5.0), max: vec3(30.0, 12.0, 25.0) };

    fn views() -> impl Iterator<Item = Projection> {
        let turns = [(0.0, 0.0), (0.6, 0.7), (-2.5, -0.4), (3.0, FRAC_PI_2)];
        turns.into_iter().flat_map(|(yaw, pitch)| {
            [false, true].map(|is_orthographic| {
                let camera = Camera { yaw, pitch, is_orthographic, ..Camera::START };
                let camera = camera.framing(&BOX, 1.6);
                Projection { camera, aspect: 1.6, reach: 200.0 }
            })
        })
    }

    #[test]
    fn matrix_place_and_ray_agree() {
        for view in views() {
            for point in [BOX.center(), BOX.max, vec3(1.0, 2.0, 7.0)] {
                let place = view.place_of(point).unwrap();
                let clip = view.clip_from_world() * point.extend(1.0);
                assert!((clip.truncate() / clip.w).truncate().distance(place) < 1e-3, "{view:?}");
                let depth = clip.z / clip.w;
                assert!((0.0..=1.0).contains(&depth), "depth {depth} of {point} in {view:?}");
                let ray = view.ray(place).unwrap();
                let t = (point - ray.origin).dot(ray.direction);
                assert!(t > 0.0 && ray.at(t).distance(point) < 0.01, "{view:?}");
            }
        }
    }

    #[test]
    fn framing_shows_all_of_the_box_and_little_more() {
        for view in views() {
            let (low, high) = view.extent_of(&BOX);
            let farthest = low.abs().max(high.abs()).max_element();
            assert!((0.9..0.97).contains(&farthest), "reaches {farthest} in {view:?}");
        }
    }

    #[test]
    fn zoom_keeps_the_anchor_in_place() {
        for mut view in views() {
            let anchor = vec3(10.0, 3.0, 12.0);
            let before = view.place_of(anchor).unwrap();
            view.camera.zoom(0.5, anchor);
            assert!(view.place_of(anchor).unwrap().distance(before) < 1e-3, "{view:?}");
        }
    }

    #[test]
    fn zoom_ends_at_the_nearest_distance() {
        let mut camera = Camera::START;
        (0..100).for_each(|_| camera.zoom(0.5, vec3(1.0, 0.0, 0.0)));
        assert!((camera.distance - DISTANCES.start()).abs() < 1e-6);
        assert!(camera.target.is_finite());
    }

    #[test]
    fn looking_turns_the_head_and_orbiting_moves_it() {
        let mut camera = Camera::START;
        let eye = camera.eye();
        camera.look(vec2(0.3, 0.1));
        assert!(camera.eye().distance(eye) < 1e-4);
        let target = camera.target;
        for _ in 0..100 {
            camera.orbit(vec2(0.1, 0.005));
            camera.look(Vec2::ZERO);
            assert_eq!(camera.target, target);
        }
        camera.orbit(vec2(0.3, 9.0));
        assert_eq!(camera.target, target);
        assert!(camera.eye().distance(eye) > 1.0);
        assert!((camera.pitch - FRAC_PI_2).abs() < 1e-6, "stops straight above");
        assert!(camera.axes().up.is_finite());
    }

    #[test]
    fn panning_moves_the_view() {
        let mut camera = Camera::START.turned_to(Side::Front);
        camera.shift(vec3(2.0, 3.0, 4.0));
        assert!(camera.target.distance(vec3(2.0, 3.0, -4.0)) < 1e-5);
    }

    #[test]
    fn sides_look_where_they_say() {
        let sides = [
            (Side::Right, Vec3::NEG_X),
            (Side::Left, Vec3::X),
            (Side::Top, Vec3::NEG_Y),
            (Side::Bottom, Vec3::Y),
            (Side::Front, Vec3::NEG_Z),
            (Side::Back, Vec3::Z),
        ];
        for (side, forward) in sides {
            assert!(Camera::START.turned_to(side).axes().forward.distance(forward) < 1e-6);
        }
    }

    #[test]
    fn mixing_turns_the_short_way() {
        let from = Camera { yaw: 3.0, distance: 10.0, ..Camera::START };
        let to = Camera { yaw: -3.0, distance: 40.0, ..Camera::START };
        let half = from.mixed(&to, 0.5);
        assert!(half.yaw.abs() > 3.1 && (half.distance - 20.0).abs() < 1e-4, "{half:?}");
        assert!(from.mixed(&to, 1.0).axes().forward.distance(to.axes().forward) < 1e-5);
    }
}
