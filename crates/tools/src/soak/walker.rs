//! Decides whether an agent is stuck.

use glam::Vec3;
use walkable_runtime::{
    crowd::{Agent, AgentId, AgentState, TargetState},
    navmesh::NavMesh,
    query::{MeshPoint, PathCorridor, closest_point},
};

use super::StuckKind;

/// Distance from its polygon at which an agent is off its corridor, in meters.
const BESIDE: f32 = 0.05;
/// Number of successive checks in which an agent must be off its corridor.
const N_BESIDE: u8 = 2;
/// Share of the possible distance above which a stuck agent oscillates instead of standing still.
const MOVING: f32 = 0.15;

/// An agent on a trip.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    pub(super) id: AgentId,
    pub(super) from: MeshPoint,
    pub(super) to: MeshPoint,
    /// Position that the agent has not left by more than the standing distance since `anchored`.
    anchor: Vec3,
    /// Sample at which the agent reached the anchor.
    anchored: u32,
    /// Distance moved since `anchored`.
    moved: f32,
    last: Vec3,
    /// Sample at which the remaining path was measured, and its length.
    pub(super) measured: (u32, f32),
    /// Distance moved since that measurement.
    pub(super) moved_since: f32,
    n_beside: u8,
    /// Whether the last path that was found ends before the target.
    is_partial: bool,
}

impl Walker {
    pub(super) fn new(id: AgentId, [from, to]: [MeshPoint; 2], distance: f32, sample: u32) -> Self {
        Self {
            id,
            from,
            to,
            anchor: from.point,
            anchored: sample,
            moved: 0.0,
            last: from.point,
            measured: (sample, distance),
            moved_since: 0.0,
            n_beside: 0,
            is_partial: false,
        }
    }

    /// Starts the next trip.
    pub(super) fn go_on(&mut self, to: MeshPoint, distance: f32, sample: u32) {
        let from = MeshPoint { poly: self.to.poly, point: self.last };
        *self = Self::new(self.id, [from, to], distance, sample);
    }

    /// Updates the position of the agent. Returns the distance that it moved.
    pub(super) fn sample(&mut self, agent: &Agent, standing: f32, sample: u32) -> f32 {
        let position = agent.position();
        let moved = self.last.distance(position);
        self.last = position;
        self.moved += moved;
        self.moved_since += moved;
        let mut is_waiting = is_waiting_for_path(agent);
        if !is_waiting {
            self.is_partial = agent.is_partial();
        }
        // At the end of a partial path an agent plans again every second; it stands there all the same.
        is_waiting &= !self.is_partial;
        if is_waiting {
            self.measured.0 = self.measured.0.max(sample);
        }
        let has_left = self.anchor.distance(position) > standing;
        if has_left || agent.state() == AgentState::OffMesh || is_waiting {
            self.anchor = position;
            self.anchored = sample;
            self.moved = 0.0;
        }
        moved
    }

    /// Returns the number of samples for which the agent has been near its anchor.
    pub(super) fn n_standing(&self, sample: u32) -> u32 {
        sample.saturating_sub(self.anchored)
    }

    /// Returns how the agent lost the navmesh, its corridor or its path; `None` if it did not.
    pub(super) fn is_lost(&mut self, mesh: &NavMesh, agent: &Agent) -> Option<StuckKind> {
        if agent.state() == AgentState::Invalid {
            return Some(StuckKind::OffNavmesh);
        }
        if matches!(agent.target_state(), TargetState::Failed | TargetState::None) {
            return Some(StuckKind::NoPath);
        }
        let is_walking = agent.state() == AgentState::Walking;
        let first = agent.corridor().filter(|_| is_walking).map(PathCorridor::first);
        let surface = first.and_then(|poly| closest_point(mesh, poly, agent.position()).ok());
        let is_beside = surface.is_some_and(|at| at.point.distance(agent.position()) > BESIDE);
        self.n_beside = if is_beside { self.n_beside.saturating_add(1) } else { 0 };
        (self.n_beside >= N_BESIDE).then_some(StuckKind::OffCorridor)
    }

    /// Returns whether the agent has moved enough near its anchor during `seconds` to count as moving.
    pub(super) fn is_moving(&self, agent: &Agent, seconds: f32) -> bool {
        self.moved > MOVING * agent.params().max_speed * seconds
    }
}

/// Returns whether the crowd is still searching for a path for the agent.
fn is_waiting_for_path(agent: &Agent) -> bool {
    match agent.target_state() {
        TargetState::Requesting | TargetState::WaitingForQueue | TargetState::WaitingForPath => {
            true
        }
        TargetState::None | TargetState::Failed | TargetState::Valid | TargetState::Velocity => {
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use walkable_bake::bake::{BakeInput, BakeSettings, bake};
    use walkable_mesh::TriMesh;
    use walkable_runtime::{
        crowd::{AgentParams, Crowd, CrowdParams},
        monitor::Unmonitored,
        query::{Filter, NearestRequest, nearest},
    };

    use super::*;

    /// Returns a square of ground at height `y`.
    fn ground(y: f32) -> NavMesh {
        let corners = [[0.0, 0.0], [0.0, 9.0], [9.0, 9.0], [9.0, 0.0]];
        let vertices = corners.map(|[x, z]| Vec3::new(x, y, z)).to_vec();
        let level = TriMesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        bake(BakeInput::new(Arc::new(level), BakeSettings::default()), &Unmonitored).unwrap()
    }

    #[test]
    fn an_agent_is_lost_without_its_polygon_or_its_path() {
        let (mesh, lower) = (ground(0.0), ground(-0.5));
        let mut crowd = Crowd::new(CrowdParams { max_agents: 1, max_agent_radius: 0.6 }).unwrap();
        let params = AgentParams::of_size(0.6, 2.0);
        let id = crowd.add_agent(&mesh, Vec3::new(2.0, 0.2, 2.0), params).unwrap();
        let filter = Filter::default();
        let center = Vec3::new(7.0, 0.2, 7.0);
        let half_extents = NearestRequest::HALF_EXTENTS;
        let request = NearestRequest { center, half_extents, filter: &filter };
        let to = nearest(&mesh, &request).unwrap().unwrap();
        let mut walker = Walker::new(id, [to, to], 5.0, 0);
        let agent = crowd.agent(id).unwrap();
        assert_eq!(walker.is_lost(&mesh, agent), Some(StuckKind::NoPath));
        crowd.set_target(id, to).unwrap();
        crowd.update(&mesh, 0.1);
        let agent = crowd.agent(id).unwrap();
        assert_eq!(walker.is_lost(&mesh, agent), None);
        // The agent is half a meter above its polygon.
        assert_eq!(walker.is_lost(&lower, agent), None);
        assert_eq!(walker.is_lost(&lower, agent), Some(StuckKind::OffCorridor));
        let empty = NavMesh::new(*mesh.params()).unwrap();
        crowd.update(&empty, 0.1);
        let agent = crowd.agent(id).unwrap();
        assert_eq!(walker.is_lost(&empty, agent), Some(StuckKind::OffNavmesh));
    }
}
