//! What is said of a crowd and its agents before they move.

use serde::{Deserialize, Serialize};

use super::agent_id::AgentId;

/// What a crowd is made for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrowdParams {
    /// Most agents at a time.
    pub max_agents: usize,
    /// Largest radius of any agent, in meters. It decides how far from a point the navmesh is looked for.
    pub max_agent_radius: f32,
}

/// What an agent does in an update in addition to walking to its corners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UpdateFlags(u8);

impl UpdateFlags {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Walks in a curve around a corner, instead of straight to it.
    pub const ANTICIPATE_TURNS: Self = Self(1);
    /// Chooses a velocity that avoids neighbors and walls.
    pub const OBSTACLE_AVOIDANCE: Self = Self(2);
    /// Keeps away from neighbors.
    pub const SEPARATION: Self = Self(4);
    /// Leaves polygons out of its corridor where it can see past them.
    pub const OPTIMIZE_VISIBILITY: Self = Self(8);
    /// Now and then searches a shorter beginning of its corridor.
    pub const OPTIMIZE_TOPOLOGY: Self = Self(16);
    /// Everything.
    pub const ALL: Self = Self(31);

    /// The flags with these bits; other bits are dropped.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Their bits, as in Detour.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether all of `other` are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// These and `other`.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These without `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// What an agent is like. It can be changed while the agent walks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentParams {
    /// In meters.
    pub radius: f32,
    /// In meters.
    pub height: f32,
    /// In meters per second, per second.
    pub max_acceleration: f32,
    /// In meters per second.
    pub max_speed: f32,
    /// How far around it neighbors and walls count, in meters.
    pub collision_query_range: f32,
    /// How far it looks for a way past corners, in meters.
    pub path_optimization_range: f32,
    /// How strongly it keeps away from neighbors.
    pub separation_weight: f32,
    /// What it does in an update.
    pub update_flags: UpdateFlags,
    /// Which of the crowd's settings of obstacle avoidance it uses, below [`AgentParams::N_AVOIDANCE`].
    pub avoidance: u8,
    /// Which of the crowd's filters it uses, below [`AgentParams::N_FILTERS`].
    pub filter: u8,
}

impl AgentParams {
    /// How many settings of obstacle avoidance a crowd has.
    pub const N_AVOIDANCE: usize = 8;
    /// How many filters a crowd has.
    pub const N_FILTERS: usize = 16;

    /// An agent of this size as RecastDemo makes it: it walks 3.5 m/s, anticipates turns, avoids obstacles
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

    /// Refuses numbers that make no sense.
    ///
    /// # Errors
    /// [`CrowdError`] which says which.
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

/// Why a crowd does not do what it is asked.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// There are as many agents as the crowd was made for.
    #[error("the crowd has its {max_agents} agents; remove one or make it for more")]
    Full {
        /// How many.
        max_agents: usize,
    },
    /// A number is infinite, not a number, or negative where it must not be.
    #[error("the {what} is {value}, which makes no sense")]
    BadNumber {
        /// Which.
        what: &'static str,
        /// The number.
        value: f32,
    },
    /// The crowd has no such settings of obstacle avoidance.
    #[error(
        "there are no settings of obstacle avoidance with number {avoidance}; use 0 to {}",
        AgentParams::N_AVOIDANCE - 1
    )]
    NoAvoidance {
        /// Their number.
        avoidance: u8,
    },
    /// The crowd has no such filter.
    #[error("there is no filter with number {filter}; use 0 to {}", AgentParams::N_FILTERS - 1)]
    NoFilter {
        /// Its number.
        filter: u8,
    },
    /// The crowd has no such agent.
    #[error("the crowd has no agent {agent}")]
    NoAgent {
        /// Its number.
        agent: AgentId,
    },
}
