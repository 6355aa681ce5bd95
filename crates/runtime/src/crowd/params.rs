//! Parameters of a crowd and its agents.

use serde::{Deserialize, Serialize};

use super::agent_id::AgentId;

/// Parameters of a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrowdParams {
    /// Maximum number of agents.
    pub max_agents: usize,
    /// Largest radius of any agent, in meters. It determines the half-extents of searches for the navmesh.
    pub max_agent_radius: f32,
}

/// What an agent does in an update in addition to walking toward its corners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UpdateFlags(u8);

impl UpdateFlags {
    /// No flags.
    pub const NONE: Self = Self(0);
    /// Walks in a curve around a corner, instead of straight to it.
    pub const ANTICIPATE_TURNS: Self = Self(1);
    /// Chooses a velocity that avoids neighbors and walls.
    pub const OBSTACLE_AVOIDANCE: Self = Self(2);
    /// Keeps away from neighbors.
    pub const SEPARATION: Self = Self(4);
    /// Shortens the corridor to polygons that are visible.
    pub const OPTIMIZE_VISIBILITY: Self = Self(8);
    /// Searches a shorter beginning of the corridor from time to time.
    pub const OPTIMIZE_TOPOLOGY: Self = Self(16);
    /// All flags.
    pub const ALL: Self = Self(31);

    /// Creates flags from bits; unknown bits are dropped.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Returns the bits, as in Detour.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns whether all flags of `other` are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the union with `other`.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the flags that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// Parameters of an agent. They can be changed while the agent walks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentParams {
    /// Radius, in meters.
    pub radius: f32,
    /// Height, in meters.
    pub height: f32,
    /// Maximum acceleration, in meters per second squared.
    pub max_acceleration: f32,
    /// Maximum speed, in meters per second.
    pub max_speed: f32,
    /// Range within which neighbors and walls are considered, in meters.
    pub collision_query_range: f32,
    /// Range within which the corridor is optimized, in meters.
    pub path_optimization_range: f32,
    /// How strongly the agent keeps away from neighbors.
    pub separation_weight: f32,
    /// What the agent does in an update.
    pub update_flags: UpdateFlags,
    /// Index of the crowd's avoidance settings for the agent, below [`AgentParams::N_AVOIDANCE`].
    pub avoidance: u8,
    /// Index of the crowd's filter for the agent, below [`AgentParams::N_FILTERS`].
    pub filter: u8,
}

impl AgentParams {
    /// Number of avoidance settings of a crowd.
    pub const N_AVOIDANCE: usize = 8;
    /// Number of filters of a crowd.
    pub const N_FILTERS: usize = 16;

    /// Returns an agent of this size with RecastDemo's settings: it walks 3.5 m/s, anticipates turns, avoids obstacles
    /// at the highest quality and optimizes its corridor.
    pub fn of_size(radius: f32, height: f32) -> Self {
        Self {
            radius,
            height,
            max_acceleration: 8.0,
            max_speed: 3.5,
            collision_query_range: radius * 12.0,
            path_optimization_range: radius * 30.0,
            separation_weight: 2.0,
            update_flags: UpdateFlags::ALL.without(UpdateFlags::SEPARATION),
            avoidance: 3,
            filter: 0,
        }
    }

    /// Checks that all numbers are valid.
    ///
    /// # Errors
    /// Returns a [`CrowdError`] that names the invalid number.
    pub fn check(&self) -> Result<(), CrowdError> {
        let lengths = [
            ("radius", self.radius),
            ("height", self.height),
            ("maximum acceleration", self.max_acceleration),
            ("maximum speed", self.max_speed),
            ("collision query range", self.collision_query_range),
            ("path optimization range", self.path_optimization_range),
        ];
        for (what, value) in lengths {
            if !value.is_finite() || value < 0.0 {
                return Err(CrowdError::BadNumber { what, value });
            }
        }
        if !self.separation_weight.is_finite() {
            let value = self.separation_weight;
            return Err(CrowdError::BadNumber { what: "separation weight", value });
        }
        let (avoidance, filter) = (self.avoidance, self.filter);
        if usize::from(avoidance) >= Self::N_AVOIDANCE {
            return Err(CrowdError::NoAvoidance { avoidance });
        }
        if usize::from(filter) >= Self::N_FILTERS {
            return Err(CrowdError::NoFilter { filter });
        }
        Ok(())
    }
}

/// An error of the crowd.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// The crowd is full.
    #[error("the crowd has its {max_agents} agents; remove one or make it for more")]
    Full {
        /// Maximum number of agents.
        max_agents: usize,
    },
    /// A number is not finite, or negative although it must not be.
    #[error("the {what} is {value}, which is not valid")]
    BadNumber {
        /// Name of the parameter.
        what: &'static str,
        /// Value of the parameter.
        value: f32,
    },
    /// The crowd has no avoidance settings with this index.
    #[error(
        "there are no settings of obstacle avoidance with number {avoidance}; use 0 to {}",
        AgentParams::N_AVOIDANCE - 1
    )]
    NoAvoidance {
        /// The index.
        avoidance: u8,
    },
    /// The crowd has no filter with this index.
    #[error("there is no filter with number {filter}; use 0 to {}", AgentParams::N_FILTERS - 1)]
    NoFilter {
        /// The index.
        filter: u8,
    },
    /// The crowd has no such agent.
    #[error("the crowd has no agent {agent}")]
    NoAgent {
        /// Id of the agent.
        agent: AgentId,
    },
}
