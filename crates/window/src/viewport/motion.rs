//! A camera that eases from where it is to where it is sent.

use super::camera::Camera;

/// How long a camera takes to get somewhere, in seconds.
const DURATION: f32 = 0.15;

/// A move under way.
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

    /// Where it ends.
    pub(super) fn goal(&self) -> Camera {
        self.to
    }

    /// The camera `secs` later, and the rest of the move.
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
    use glam::Vec3;

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
