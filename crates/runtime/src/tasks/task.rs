//! Tasks and their rules.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::crowd::AgentId;

/// A moving target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskTarget {
    /// Another agent of the same crowd.
    Agent(AgentId),
    /// An entity of the game, with a number that the game chooses. The game supplies its position in each update.
    Entity(u32),
}

/// A task of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MovementTask {
    /// Goes to within `radius` of `point`, and stops.
    GoTo {
        /// The point, on or near the navmesh.
        point: Vec3,
        /// The distance at which the agent has arrived. A quarter of the agent's radius is used if that is larger.
        radius: f32,
    },
    /// Goes to within `radius` of a moving target, and stops.
    Approach {
        /// The target.
        target: TaskTarget,
        /// The distance at which the agent has arrived. Distances are measured between centers, so with obstacle
        /// avoidance it should be larger than the sum of both radii.
        radius: f32,
    },
    /// Stays between two distances from a moving target: the agent comes closer if the target is farther than
    /// `farthest`, and steps back if it is nearer than `nearest`; both until the target is in the middle of the band.
    Follow {
        /// The target.
        target: TaskTarget,
        /// Smallest distance; 0 to never step back.
        nearest: f32,
        /// Largest distance.
        farthest: f32,
    },
}

impl MovementTask {
    /// Returns the moving target, if the task has one.
    pub fn target(&self) -> Option<TaskTarget> {
        match *self {
            Self::GoTo { .. } => None,
            Self::Approach { target, .. } | Self::Follow { target, .. } => Some(target),
        }
    }

    /// Returns whether the task ends when the agent arrives.
    pub fn ends_on_arrival(&self) -> bool {
        match self {
            Self::GoTo { .. } | Self::Approach { .. } => true,
            Self::Follow { .. } => false,
        }
    }

    /// Checks that all numbers are valid.
    ///
    /// # Errors
    /// Returns [`TaskError::BadNumber`] or [`TaskError::EmptyBand`].
    pub fn check(&self) -> Result<(), TaskError> {
        match *self {
            Self::GoTo { point, radius } => {
                if let Some(value) = point.to_array().into_iter().find(|x| !x.is_finite()) {
                    return Err(TaskError::BadNumber { what: "target point", value });
                }
                check_number("radius", radius)
            }
            Self::Approach { radius, .. } => check_number("radius", radius),
            Self::Follow { nearest, farthest, .. } => {
                check_number("smallest distance", nearest)?;
                check_number("largest distance", farthest)?;
                if nearest >= farthest {
                    return Err(TaskError::EmptyBand { nearest, farthest });
                }
                Ok(())
            }
        }
    }
}

/// What arrival requires in addition to the distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Nothing: an agent on the other side of a wall has arrived. This is the only reach with which an agent can arrive
    /// at a target that no path leads to.
    #[default]
    Distance,
    /// A straight line over the navmesh to the target, without walls or off-mesh links in between.
    LineOfSight,
    /// A path to the target that is no longer than the distance. It is the funnel path of the cheapest corridor.
    WalkingDistance,
}

/// When a task searches a new path, and when it ends. Times are in seconds, distances in meters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskRules {
    /// What arrival requires in addition to the distance.
    pub reach: Reach,
    /// A new path is searched if the target has moved farther than this since the last search, and ...
    pub replan_distance: f32,
    /// ... farther than this fraction of the distance to it. Far targets cause fewer searches.
    pub replan_fraction: f32,
    /// An agent that has moved less than its radius in this time is blocked: the event
    /// [`Blocked`](super::TaskEventKind::Blocked) is reported, and a new path is searched.
    pub blocked_after: f32,
    /// An agent that has moved less than its radius in this time gives up; `None` if it never does.
    pub give_up_after: Option<f32>,
    /// A moving target is lost if it is off the navmesh for longer than this. Until then, the agent goes to where it
    /// was.
    pub lost_after: f32,
    /// Maximum time of the task; `None` if there is none.
    pub timeout: Option<f32>,
}

impl Default for TaskRules {
    /// Arrival by distance; replans after 0.5 m and a tenth of the distance; blocked after 2 s, gives up after 20 s;
    /// lost after 2 s; no timeout.
    fn default() -> Self {
        Self {
            reach: Reach::Distance,
            replan_distance: 0.5,
            replan_fraction: 0.1,
            blocked_after: 2.0,
            give_up_after: Some(20.0),
            lost_after: 2.0,
            timeout: None,
        }
    }
}

impl TaskRules {
    /// Checks that all numbers are valid.
    ///
    /// # Errors
    /// Returns [`TaskError::BadNumber`] for a number that is negative or not finite.
    pub fn check(&self) -> Result<(), TaskError> {
        let numbers = [
            ("replan distance", Some(self.replan_distance)),
            ("replan fraction", Some(self.replan_fraction)),
            ("time until blocked", Some(self.blocked_after)),
            ("time until giving up", self.give_up_after),
            ("time until lost", Some(self.lost_after)),
            ("timeout", self.timeout),
        ];
        numbers.into_iter().try_for_each(|(what, value)| check_number(what, value.unwrap_or(0.0)))
    }
}

fn check_number(what: &'static str, value: f32) -> Result<(), TaskError> {
    let is_valid = value.is_finite() && value >= 0.0;
    if is_valid { Ok(()) } else { Err(TaskError::BadNumber { what, value }) }
}

/// An error of a task.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// A number is negative or not finite.
    #[error("the {what} of the task is {value}; it must be finite and not negative")]
    BadNumber {
        /// Name of the number.
        what: &'static str,
        /// The value.
        value: f32,
    },
    /// The band of distances is empty.
    #[error("the smallest distance, {nearest} m, must be below the largest, {farthest} m")]
    EmptyBand {
        /// Smallest distance.
        nearest: f32,
        /// Largest distance.
        farthest: f32,
    },
    /// The crowd has no such agent.
    #[error("the crowd has no agent {agent}")]
    NoAgent {
        /// Id of the agent.
        agent: AgentId,
    },
    /// The agent is its own target.
    #[error("agent {agent} cannot be its own target")]
    OwnTarget {
        /// Id of the agent.
        agent: AgentId,
    },
}
