//! The agents of the crowd tool.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// An agent of the crowd scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneAgent {
    /// Where it starts, in world space.
    pub at: Vec3,
    /// Its target; `None` for an agent that stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Vec3>,
}

impl SceneAgent {
    /// Maximum number of agents that the editor simulates; others of the scene are left out.
    pub const MAX: usize = 200;
}
