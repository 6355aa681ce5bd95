//! What a crowd knows of an agent.

use arrayvec::ArrayVec;
use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{
    agent_id::AgentId, boundary::LocalBoundary, params::AgentParams, path_queue::RequestId,
};
use crate::{
    navmesh::PolyRef,
    query::{CorridorBounds, MeshPoint, PathCorridor, PathPoint},
};

/// Most neighbors that an agent minds.
pub(super) const MAX_NEIGHBORS: usize = 6;
/// Most corners that an agent knows.
pub(super) const MAX_CORNERS: usize = 4;

/// How an agent moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentState {
    /// Not at all: it is not on the navmesh.
    Invalid,
    /// On the navmesh.
    Walking,
    /// Along an off-mesh link.
    OffMesh,
}

/// What has become of an agent's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetState {
    /// It has none.
    None,
    /// No path to it was found.
    Failed,
    /// The agent is on its way.
    Valid,
    /// A path is looked for in the next update.
    Requesting,
    /// A longer search is needed, which has not been queued yet.
    WaitingForQueue,
    /// The search is queued or on its way.
    WaitingForPath,
    /// The agent keeps a velocity instead.
    Velocity,
}

/// Another agent nearby.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrowdNeighbor {
    /// Who.
    pub agent: AgentId,
    /// How far away, squared and seen from above.
    pub distance_sqr: f32,
}

/// Where an agent goes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Target {
    pub(super) state: TargetState,
    pub(super) poly: Option<PolyRef>,
    /// The place, or the velocity to keep.
    pub(super) point: Vec3,
    /// Whether the agent had a way there, which was lost.
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

    /// Whether the agent walks along its corridor, as far as it has one.
    pub(super) fn is_place(&self) -> bool {
        !matches!(self.state, TargetState::None | TargetState::Velocity)
    }

    /// Has a path looked for.
    pub(super) fn request(&mut self) {
        self.request = None;
        self.state =
            if self.poly.is_some() { TargetState::Requesting } else { TargetState::Failed };
    }
}

/// An agent on its way along an off-mesh link.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct LinkRide {
    /// Where it was when it took the link.
    pub(super) from: Vec3,
    /// Both ends of the link.
    pub(super) ends: [Vec3; 2],
    /// Seconds since.
    pub(super) time: f32,
    /// Seconds in all.
    pub(super) duration: f32,
}

/// An agent.
///
/// Source: `dtCrowdAgent`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Agent {
    pub(super) is_active: bool,
    pub(super) state: AgentState,
    pub(super) is_partial: bool,
    pub(super) params: AgentParams,
    pub(super) position: Vec3,
    pub(super) velocity: Vec3,
    pub(super) desired_velocity: Vec3,
    pub(super) planned_velocity: Vec3,
    pub(super) desired_speed: f32,
    /// Seconds since its corridor was optimized.
    pub(super) topology_time: f32,
    /// Seconds since its path was found.
    pub(super) replan_time: f32,
    pub(super) target: Target,
    /// `None` where it is not on the navmesh.
    pub(super) corridor: Option<PathCorridor>,
    pub(super) ride: Option<LinkRide>,
    pub(super) neighbors: ArrayVec<CrowdNeighbor, MAX_NEIGHBORS>,
    pub(super) corners: ArrayVec<PathPoint, MAX_CORNERS>,
    pub(super) boundary: LocalBoundary,
}

impl Agent {
    /// An agent at `position`; `on` is that place on the navmesh, if it is there.
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
            ride: None,
            neighbors: ArrayVec::new(),
            corners: ArrayVec::new(),
            boundary: LocalBoundary::default(),
        }
    }

    /// Where it is.
    pub fn position(&self) -> Vec3 {
        self.position
    }

    /// How it moves, in meters per second.
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// How it would move without obstacles.
    pub fn desired_velocity(&self) -> Vec3 {
        self.desired_velocity
    }

    /// The velocity that it chose to avoid obstacles.
    pub fn planned_velocity(&self) -> Vec3 {
        self.planned_velocity
    }

    /// How it moves.
    pub fn state(&self) -> AgentState {
        self.state
    }

    /// What has become of its target.
    pub fn target_state(&self) -> TargetState {
        self.target.state
    }

    /// Where it goes, if that is a place.
    pub fn target(&self) -> Option<MeshPoint> {
        let poly = self.target.poly.filter(|_| self.target.is_place())?;
        Some(MeshPoint { poly, point: self.target.point })
    }

    /// Whether its path ends as near to the target as one can get, but not there.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// What it is like.
    pub fn params(&self) -> &AgentParams {
        &self.params
    }

    /// The polygons that it passes, `None` where it is not on the navmesh.
    pub fn corridor(&self) -> Option<&PathCorridor> {
        self.corridor.as_ref()
    }

    /// The next corners of its path, as of the last update.
    pub fn corners(&self) -> &[PathPoint] {
        &self.corners
    }

    /// The agents nearby that it minds, the nearest first, as of the last update.
    pub fn neighbors(&self) -> &[CrowdNeighbor] {
        &self.neighbors
    }

    /// The walls nearby that it minds, the nearest first.
    pub fn walls(&self) -> impl Iterator<Item = [Vec3; 2]> {
        self.boundary.walls()
    }

    /// Whether it walks towards a place.
    pub(super) fn walks_to_place(&self) -> bool {
        self.state == AgentState::Walking && self.target.is_place()
    }

    /// Lets it stay at `on`, without a path.
    pub(super) fn stay_at(&mut self, on: MeshPoint) {
        match &mut self.corridor {
            Some(corridor) => corridor.reset(on),
            None => self.corridor = Some(corridor_at(on)),
        }
        self.is_partial = false;
    }

    /// Gives it up: it is not on the navmesh any more.
    pub(super) fn lose_ground(&mut self) {
        self.corridor = None;
        self.is_partial = false;
        self.boundary.clear();
        self.state = AgentState::Invalid;
    }
}

/// The corridor of an agent that stays where it is.
pub(super) fn corridor_at(on: MeshPoint) -> PathCorridor {
    PathCorridor::new(on).with_bounds(CorridorBounds::CROWD)
}
