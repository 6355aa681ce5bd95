//! A smooth movement of the camera.

use glam::Vec3;

use super::camera::Camera;

/// Duration of a movement, in seconds.
const DURATION: f32 = 0.15;

#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    from: Camera,
    to: Camera,
    elapsed: f32,
}

impl Motion {
    pub(super) fn new(from: Camera, to: Camera) -> Self {
        Self { from, to, elapsed: 0.0 }
    }

    pub(super) fn goal(&self) -> Camera {
        self.to
    }

    /// Returns the same movement, with both ends moved by `by`.
    pub(super) fn shifted(self, by: Vec3) -> Self {
        let shifted = |camera: Camera| Camera { target: camera.target + by, ..camera };
        Self { from: shifted(self.from), to: shifted(self.to), ..self }
    }

    /// Returns the camera after `secs` more seconds, and the rest of the movement; `None` if it has ended.
    pub(super) fn advanced(self, secs: f32) -> (Camera, Option<Self>) {
        let elapsed = self.elapsed + secs;
        if elapsed >= DURATION {
            return (self.to, None);
        }
        let left = 1.0 - elapsed / DURATION;
        let camera = self.from.mixed(&self.to, 1.0 - left * left * left);
        (camera, Some(Self { elapsed, ..self }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_fast_and_ends_at_the_goal() {
        let to = Camera { target: Vec3::X, ..Camera::START };
        let motion = Motion::new(Camera::START, to);
        let (half, rest) = motion.advanced(DURATION * 0.5);
        assert!(half.target.x > 0.8 && half.target.x < 1.0);
        let (end, rest) = rest.unwrap().advanced(DURATION * 0.6);
        assert_eq!(end, to);
        assert!(rest.is_none());
    }
}
