//! The state of an agent of a crowd.

use arrayvec::ArrayVec;
use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{
    agent_id::AgentId,
    boundary::LocalBoundary,
    epoch::Checked,
    params::{AgentParams, UpdateFlags},
    path_queue::RequestId,
};
use crate::{
    navmesh::PolyRef,
    query::{MeshPoint, PathCorridor, PathPoint},
};

/// Maximum number of neighbors of an agent.
pub(super) const MAX_NEIGHBORS: usize = 6;
/// Maximum number of corners of an agent.
pub(super) const MAX_CORNERS: usize = 4;

/// The mode of movement of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentState {
    /// The agent is not on the navmesh and does not move.
    Invalid,
    /// The agent is on the navmesh.
    Walking,
    /// The agent moves along an off-mesh link.
    OffMesh,
}

/// The progress of an agent's request for a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetState {
    /// The agent has no target.
    None,
    /// No path to the target was found.
    Failed,
    /// The agent has a path to the target.
    Valid,
    /// The next update will search for a path.
    Requesting,
    /// A longer search is necessary and not queued yet.
    WaitingForQueue,
    /// The search is queued or running.
    WaitingForPath,
    /// The agent keeps a velocity and has no target.
    Velocity,
}

/// Another agent nearby.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrowdNeighbor {
    /// The neighbor.
    pub agent: AgentId,
    /// Squared horizontal distance, in square meters.
    pub distance_sqr: f32,
}

/// The target of an agent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Target {
    pub(super) state: TargetState,
    pub(super) poly: Option<PolyRef>,
    /// The point, or the velocity to keep.
    pub(super) point: Vec3,
    /// Whether the agent had a path to the target that became invalid.
    pub(super) is_replan: bool,
    pub(super) request: Option<RequestId>,
}

impl Target {
    const NONE: Self = Self {
        state: TargetState::None,
        poly: None,
        point: Vec3::ZERO,
        is_replan: false,
        request: None,
    };

    /// Returns whether the target is a point on the navmesh.
    pub(super) fn is_place(&self) -> bool {
        !matches!(self.state, TargetState::None | TargetState::Velocity)
    }

    /// Requests a search for a path.
    pub(super) fn request(&mut self) {
        self.request = None;
        self.state =
            if self.poly.is_some() { TargetState::Requesting } else { TargetState::Failed };
    }
}

/// An agent on its way along an off-mesh link.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct LinkTraversal {
    /// Position of the agent when it reached the link.
    pub(super) from: Vec3,
    /// Ends of the link, the near one first.
    pub(super) ends: [Vec3; 2],
    /// Time since then, in seconds.
    pub(super) time: f32,
    /// Duration of the whole traversal, in seconds.
    pub(super) duration: f32,
}

/// An agent of a crowd.
///
/// Source: `dtCrowdAgent`.
// Ordered so that each step of an update touches few cache lines.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[repr(C, align(64))]
pub struct Agent {
    pub(super) is_active: bool,
    pub(super) state: AgentState,
    pub(super) is_partial: bool,
    pub(super) position: Vec3,
    pub(super) velocity: Vec3,
    pub(super) desired_velocity: Vec3,
    pub(super) planned_velocity: Vec3,
    pub(super) desired_speed: f32,
    /// Time since the corridor was optimized, in seconds.
    pub(super) topology_time: f32,
    /// Time since the path was found, in seconds.
    pub(super) replan_time: f32,
    pub(super) params: AgentParams,
    pub(super) target: Target,
    /// The state in which all polygons of the corridor are usable.
    #[serde(skip)]
    pub(super) corridor_checked: Checked,
    /// `None` if the agent is not on the navmesh.
    pub(super) corridor: Option<PathCorridor>,
    pub(super) boundary: LocalBoundary,
    pub(super) neighbors: ArrayVec<CrowdNeighbor, MAX_NEIGHBORS>,
    pub(super) corners: ArrayVec<PathPoint, MAX_CORNERS>,
    // The key in serialized crowds.
    #[serde(rename = "ride")]
    pub(super) traversal: Option<LinkTraversal>,
    /// Time for which others with reciprocal avoidance have blocked the agent, in seconds; negative while it backs off.
    #[serde(default)]
    pub(super) blocked_time: f32,
}

impl Agent {
    /// Creates an agent at `position`; `on` is the corresponding point on the navmesh, if there is one.
    pub(super) fn new(params: AgentParams, position: Vec3, on: Option<MeshPoint>) -> Self {
        Self {
            is_active: true,
            state: if on.is_some() { AgentState::Walking } else { AgentState::Invalid },
            is_partial: false,
            params,
            position: on.map_or(position, |on| on.point),
            velocity: Vec3::ZERO,
            desired_velocity: Vec3::ZERO,
            planned_velocity: Vec3::ZERO,
            desired_speed: 0.0,
            topology_time: 0.0,
            replan_time: 0.0,
            target: Target::NONE,
            corridor: on.map(corridor_at),
            corridor_checked: Checked::default(),
            traversal: None,
            blocked_time: 0.0,
            neighbors: ArrayVec::new(),
            corners: ArrayVec::new(),
            boundary: LocalBoundary::default(),
        }
    }

    /// Returns the position, in meters.
    pub fn position(&self) -> Vec3 {
        self.position
    }

    /// Returns the current velocity, in meters per second.
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// Returns the velocity that the agent would have without obstacles, in meters per second.
    pub fn desired_velocity(&self) -> Vec3 {
        self.desired_velocity
    }

    /// Returns the velocity that the agent chose to avoid obstacles, in meters per second.
    pub fn planned_velocity(&self) -> Vec3 {
        self.planned_velocity
    }

    /// Returns the mode of movement.
    pub fn state(&self) -> AgentState {
        self.state
    }

    /// Returns the progress of the request for a target.
    pub fn target_state(&self) -> TargetState {
        self.target.state
    }

    /// Returns the target; `None` if the agent has none or keeps a velocity.
    pub fn target(&self) -> Option<MeshPoint> {
        let poly = self.target.poly.filter(|_| self.target.is_place())?;
        Some(MeshPoint { poly, point: self.target.point })
    }

    /// Returns whether the target cannot be reached, so that the path ends at the nearest reachable polygon.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Returns the parameters.
    pub fn params(&self) -> &AgentParams {
        &self.params
    }

    /// Returns the corridor of the path; `None` if the agent is not on the navmesh.
    pub fn corridor(&self) -> Option<&PathCorridor> {
        self.corridor.as_ref()
    }

    /// Returns the next corners of the path, as of the last update.
    pub fn corners(&self) -> &[PathPoint] {
        &self.corners
    }

    /// Returns the corner toward which the corridor is optimized for visibility, as of the last update: the second one,
    /// or the only one. `None` without corners or without [`UpdateFlags::OPTIMIZE_VISIBILITY`].
    pub fn optimized_corner(&self) -> Option<Vec3> {
        optimized_corner(&self.params, &self.corners)
    }

    /// Returns the agents nearby that the agent considers, the nearest first, as of the last update.
    pub fn neighbors(&self) -> &[CrowdNeighbor] {
        &self.neighbors
    }

    /// Returns the walls nearby that the agent considers, the nearest first.
    pub fn walls(&self) -> impl Iterator<Item = [Vec3; 2]> {
        self.boundary.walls()
    }

    /// Returns whether the agent walks to a target on the navmesh.
    pub(super) fn walks_to_place(&self) -> bool {
        self.state == AgentState::Walking && self.target.is_place()
    }

    /// Clears the path; the agent stays at `on`.
    pub(super) fn stay_at(&mut self, on: MeshPoint) {
        match &mut self.corridor {
            Some(corridor) => corridor.reset(on),
            None => self.corridor = Some(corridor_at(on)),
        }
        self.is_partial = false;
    }

    /// Marks the agent as no longer on the navmesh.
    pub(super) fn lose_ground(&mut self) {
        self.corridor = None;
        self.is_partial = false;
        self.boundary.clear();
        self.state = AgentState::Invalid;
    }
}

/// See [`Agent::optimized_corner`].
pub(super) fn optimized_corner(params: &AgentParams, corners: &[PathPoint]) -> Option<Vec3> {
    let corner = corners.get(1).or_else(|| corners.first());
    let is_optimized = params.update_flags.has(UpdateFlags::OPTIMIZE_VISIBILITY);
    corner.filter(|_| is_optimized).map(|corner| corner.position)
}

/// Returns the corridor of an agent that stays at `on`.
pub(super) fn corridor_at(on: MeshPoint) -> PathCorridor {
    PathCorridor::of_crowd(on)
}
