//! Settings of a soak run, and their limits.

use glam::Vec3;
use walkable_runtime::{
    crowd::{AgentParams, CrowdError},
    monitor::Cancelled,
    navmesh::NavMesh,
    query::Filter,
};

/// Maximum number of agents.
pub const MAX_AGENTS: usize = 10_000;
/// Maximum simulated time, in minutes: a week.
pub const MAX_MINUTES: f32 = 10_080.0;
/// Estimated memory per agent in a crowd, in bytes.
const BYTES_PER_AGENT: usize = 8192;
/// Memory per agent and second of recorded positions, in bytes.
const BYTES_PER_SECOND: f32 = 160.0;

/// Settings of a soak run.
#[derive(Clone, Debug)]
pub struct SoakSettings {
    /// Number of agents.
    pub n_agents: usize,
    /// Simulated time, in minutes.
    pub minutes: f32,
    /// Seed of all random choices.
    pub seed: u64,
    /// The agents.
    pub agent: AgentParams,
    /// The polygons that agents may use, and their costs.
    pub filter: Filter,
    /// Places between which agents walk; random places if empty.
    pub places: Vec<Vec3>,
    /// Length of an update of the crowd, in seconds.
    pub seconds_per_update: f32,
    /// Time without progress after which an agent is stuck, in seconds.
    pub stuck_after: f32,
    /// Maximum memory of the run, in bytes.
    pub max_bytes: usize,
}

impl SoakSettings {
    /// Returns settings for 100 agents of the size for which `mesh` was baked, which walk between random places for 10
    /// minutes.
    pub fn new(mesh: &NavMesh) -> Self {
        let header = mesh.tiles().next().map(|tile| tile.header);
        let size =
            header.map_or([0.6, 2.0], |header| [header.walkable_radius, header.walkable_height]);
        // A navmesh may be baked for a point without size.
        let [radius, height] = [size[0].max(0.05), size[1].max(0.1)];
        Self {
            n_agents: 100,
            minutes: 10.0,
            seed: 0,
            agent: AgentParams::of_size(radius, height),
            filter: Filter::default(),
            places: Vec::new(),
            seconds_per_update: 1.0 / 30.0,
            stuck_after: 15.0,
            max_bytes: 1 << 30,
        }
    }

    /// Estimates the memory of the run, in bytes.
    pub fn n_bytes(&self) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a few kilobytes, and casts saturate"
        )]
        let recorded = (self.recorded_seconds() * BYTES_PER_SECOND) as usize;
        self.n_agents.saturating_mul(BYTES_PER_AGENT + recorded)
    }

    /// Returns the length of the recording before an agent counts as stuck, in seconds.
    pub(super) fn recorded_seconds(&self) -> f32 {
        self.stuck_after + 10.0
    }

    /// Returns the distance from its target within which an agent has arrived, in meters.
    pub(super) fn arrival_distance(&self) -> f32 {
        (self.agent.radius * 2.0).max(0.5)
    }

    /// Returns the distance within which an agent makes no progress, in meters.
    pub(super) fn standing_distance(&self) -> f32 {
        (self.agent.radius * 3.0).max(1.0)
    }

    /// Checks that the settings are within the limits.
    ///
    /// # Errors
    /// Returns a [`SoakError`] that names the invalid setting.
    pub(super) fn check(&self) -> Result<(), SoakError> {
        if self.n_agents == 0 || self.n_agents > MAX_AGENTS {
            return Err(SoakError::Agents { n: self.n_agents });
        }
        let is_in = |value: f32, max: f32| value > 0.0 && value <= max;
        for (what, value, max) in [
            ("simulated time in minutes", self.minutes, MAX_MINUTES),
            ("length of an update in seconds", self.seconds_per_update, 1.0),
            ("time without progress in seconds", self.stuck_after, 600.0),
            ("radius of an agent in meters", self.agent.radius, 1000.0),
            ("maximum speed in meters per second", self.agent.max_speed, 1000.0),
        ] {
            if !is_in(value, max) {
                return Err(SoakError::Number { what, value, max });
            }
        }
        self.agent.check()?;
        let (needed, max) = (self.n_bytes(), self.max_bytes);
        if needed > max {
            return Err(SoakError::TooMuchMemory { needed: needed >> 20, max: max >> 20 });
        }
        Ok(())
    }
}

/// An error of a soak run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SoakError {
    /// The number of agents is zero or too large.
    #[error("a soak run with {n} agents is not possible; use 1 to {MAX_AGENTS}")]
    Agents {
        /// Number of agents.
        n: usize,
    },
    /// A number is out of range.
    #[error("the {what} is {value}; it must be above 0 and at most {max}")]
    Number {
        /// Name of the setting.
        what: &'static str,
        /// The value.
        value: f32,
        /// The maximum.
        max: f32,
    },
    /// The parameters of the agents are invalid.
    #[error(transparent)]
    Agent(#[from] CrowdError),
    /// The run was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The run needs too much memory.
    #[error("the soak run needs about {needed} MB, and the limit is {max} MB; use fewer agents")]
    TooMuchMemory {
        /// Estimated memory, in megabytes.
        needed: usize,
        /// The limit, in megabytes.
        max: usize,
    },
    /// No two places are connected by a path.
    #[error(
        "no random place of the navmesh can be reached from another one; give places, or check the filter"
    )]
    NoGround {},
    /// Only one place is listed.
    #[error("only one place is listed; agents need two or more")]
    OnePlace {},
    /// A listed place is not on the navmesh.
    #[error("place {number} ({x}, {y}, {z}) is not on the navmesh")]
    PlaceOffMesh {
        /// Number of the place, from 1.
        number: usize,
        /// Coordinate.
        x: f32,
        /// Coordinate.
        y: f32,
        /// Coordinate.
        z: f32,
    },
    /// No path leads from a listed place to any other.
    #[error("no path leads from place {number} ({x}, {y}, {z}) to another place")]
    PlaceCutOff {
        /// Number of the place, from 1.
        number: usize,
        /// Coordinate.
        x: f32,
        /// Coordinate.
        y: f32,
        /// Coordinate.
        z: f32,
    },
    /// All places to which a path leads from a listed place are too near to it.
    #[error(
        "place {number} ({x}, {y}, {z}) is less than {min} m from every place that can be reached from it; list places \
         that are farther apart"
    )]
    PlacesNear {
        /// Number of the place, from 1.
        number: usize,
        /// Coordinate.
        x: f32,
        /// Coordinate.
        y: f32,
        /// Coordinate.
        z: f32,
        /// Minimum length of a trip, in meters.
        min: f32,
    },
}
