//! The camera of the 3D view, as it is saved.

use glam::Vec3;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    pub target: Vec3,
    /// Rotation around the y axis, in radians; 0 looks along −z, and positive angles turn left.
    pub yaw: f32,
    /// Height above the horizon, in radians.
    pub pitch: f32,
    /// Distance from the target, in meters.
    pub distance: f32,
    pub parallel: bool,
}

impl Look {
    pub fn forward(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        -Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    }

    pub fn eye(&self) -> Vec3 {
        self.target - self.forward() * self.distance
    }
}
