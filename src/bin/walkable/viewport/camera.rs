//! Where the view looks from.

use glam::Vec3;

/// A side to look from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// From +x.
    Right,
    /// From −x.
    Left,
    /// From above.
    Top,
    /// From below.
    Bottom,
    /// From +z.
    Front,
    /// From −z.
    Back,
}

/// A camera that turns around a target.
#[derive(Clone, Debug)]
pub(crate) struct Camera {
    /// What it looks at.
    pub(crate) target: Vec3,
    /// Turn around the y axis, in radians; 0 looks along −z.
    pub(crate) yaw: f32,
    /// Height above the horizon, in radians.
    pub(crate) pitch: f32,
    /// Distance from the target, in metres.
    pub(crate) distance: f32,
}

impl Camera {
    /// Where the eye is.
    pub(crate) fn eye(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        self.target + Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch) * self.distance
    }
}
