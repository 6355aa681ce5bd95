//! What agents read of their neighbors when they choose a velocity.

use glam::Vec3;

/// The state of an agent that others avoid. It fits into one cache line, because each agent reads those of its neighbors.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Mover {
    pub(super) position: Vec3,
    pub(super) radius: f32,
    pub(super) velocity: Vec3,
    pub(super) desired_velocity: Vec3,
    /// Priority if the agent avoids others, by the reciprocal method or by sampling; `None` if it does not avoid
    /// others.
    pub(super) priority: Option<f32>,
    pub(super) path_ahead: PathAhead,
}

/// How far an agent is from its next corner, and how much space it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathAhead {
    /// Distance to the next corner, in radii; infinite if no corner is before the target.
    pub(super) to_corner: f32,
    /// Width of the passage in which the agent is, in radii.
    pub(super) width: f32,
}

impl Default for PathAhead {
    /// Returns the path ahead of an agent on open ground.
    fn default() -> Self {
        Self { to_corner: f32::INFINITY, width: f32::INFINITY }
    }
}
