//! The agents of a navmesh for several agents.

use serde::{Deserialize, Serialize};
use walkable_runtime::ids::AreaId;

use crate::bake::{AreaFlags, BakeSettings, SettingsError, VoxelParams};

/// Maximum number of agents of a navmesh: each takes one of the 16 flags of a polygon.
pub const MAX_BAKED_AGENTS: usize = 16;

/// An agent of a navmesh for several agents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BakedAgent {
    /// Radius, in meters.
    pub radius: f32,
    /// Height, in meters.
    pub height: f32,
    /// Highest step, in meters.
    pub max_climb: f32,
    /// Steepest ground, in degrees.
    pub max_slope: f32,
    /// The flag of polygons that are open to the agent: one bit.
    pub flag: u16,
}

impl BakedAgent {
    /// Returns the agent with these settings.
    #[must_use]
    pub const fn new(settings: &BakeSettings, flag: u16) -> Self {
        Self {
            radius: settings.agent_radius,
            height: settings.agent_height,
            max_climb: settings.agent_max_climb,
            max_slope: settings.agent_max_slope,
            flag,
        }
    }

    /// Returns the settings of a bake for this agent alone, which otherwise are `settings`.
    #[must_use]
    pub fn alone(&self, settings: &BakeSettings) -> BakeSettings {
        BakeSettings {
            agent_radius: self.radius,
            agent_height: self.height,
            agent_max_climb: self.max_climb,
            agent_max_slope: self.max_slope,
            ..settings.clone()
        }
    }
}

/// Why agents cannot share a navmesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentsError {
    /// A polygon has too few flags.
    #[error("{n} agents need a flag each, more than the {MAX_BAKED_AGENTS} of a polygon")]
    TooMany {
        /// Number of agents.
        n: usize,
    },
    /// The flag of an agent is not a single bit.
    #[error("agent {index}: its flag is {flag:#06x}, which is not one bit")]
    NotOneBit {
        /// Index of the agent, from 0.
        index: usize,
        /// The flag.
        flag: u16,
    },
    /// Two agents, or an agent and an area, have the same flag.
    #[error("agent {index}: its flag {flag:#06x} is also that of {other}")]
    FlagTaken {
        /// Index of the agent, from 0.
        index: usize,
        /// The flag.
        flag: u16,
        /// The area or agent, in words.
        other: String,
    },
    /// Heightfield layers are for one agent.
    #[error("heightfield layers are for one agent, not for {n}")]
    Layers {
        /// Number of agents.
        n: usize,
    },
    /// The size of an agent is invalid.
    #[error("agent {index}: {error}")]
    Size {
        /// Index of the agent, from 0.
        index: usize,
        /// Why.
        error: SettingsError,
    },
}

/// Checks agents that share the other `settings` and the flags of areas. Returns the width of the border that the largest
/// one needs, in cells; `None` without agents.
pub(super) fn check_agents(
    agents: &[BakedAgent],
    settings: &BakeSettings,
    area_flags: &AreaFlags,
) -> Result<Option<u32>, AgentsError> {
    let n = agents.len();
    if n > MAX_BAKED_AGENTS {
        return Err(AgentsError::TooMany { n });
    }
    let mut border_vx = None;
    for (index, agent) in agents.iter().enumerate() {
        let flag = agent.flag;
        if flag.count_ones() != 1 {
            return Err(AgentsError::NotOneBit { index, flag });
        }
        let taken = |other| Err(AgentsError::FlagTaken { index, flag, other });
        if let Some(other) = agents[..index].iter().position(|other| other.flag == flag) {
            return taken(format!("agent {other}"));
        }
        if let Some(area) = areas().find(|&area| area_flags.of(area) & flag != 0) {
            return taken(format!("area {}", area.0));
        }
        let params = VoxelParams::new(&agent.alone(settings))
            .map_err(|error| AgentsError::Size { index, error })?;
        border_vx = border_vx.max(Some(params.border_vx));
    }
    Ok(border_vx)
}

fn areas() -> impl Iterator<Item = AreaId> {
    (0..AreaId::COUNT).filter_map(|area| u8::try_from(area).ok()).map(AreaId)
}
