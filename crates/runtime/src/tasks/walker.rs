//! The agents of a crowd as movers.

use glam::{Vec3, Vec3Swizzles as _};

use super::mover::{Mover, PathOutcome, PathProgress};
use crate::{
    crowd::{Agent, AgentId, AgentState, Crowd, TargetState},
    navmesh::NavMesh,
    query::{
        Corridor, CorridorRequest, Filter, MeshPoint, MoveAlongRequest, NavPath, NearestRequest,
        PathPoint, PathRequest, PathStatus, Raycast, RaycastRequest, Scratch, StraightPathRequest,
        SurfaceMove, WhyNot, closest_point, find_corridor_into, find_path_into, move_along_into,
        nearest, raycast_into, straight_path_into,
    },
};

/// Maximum number of whole paths that are searched in an update to find out whether targets are unreachable.
const MAX_SEARCHES: usize = 2;
/// An agent ahead blocks another if the gap between them is at most this many radii.
const BLOCKING_GAP: f32 = 1.0;
/// A step back of fewer radii than this is not worth a path.
const SHORTEST_RETREAT: f32 = 0.5;

/// Memory for the queries of all walkers.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    scratch: Scratch,
    path: NavPath,
    corridor: Corridor,
    points: Vec<PathPoint>,
    ray: Raycast,
    moved: SurfaceMove,
    /// Whole paths that may still be searched in this update.
    n_searches_left: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            scratch: Scratch::default(),
            path: NavPath::unreachable(),
            corridor: Corridor::default(),
            points: Vec::new(),
            ray: Raycast::default(),
            moved: SurfaceMove::default(),
            n_searches_left: 0,
        }
    }
}

impl Memory {
    /// Prepares for an update.
    pub(super) fn start_update(&mut self) {
        self.n_searches_left = MAX_SEARCHES;
    }
}

/// An agent of a crowd.
#[derive(Debug)]
pub(super) struct Walker<'a> {
    pub(super) crowd: &'a mut Crowd,
    pub(super) mesh: &'a NavMesh,
    pub(super) id: AgentId,
    pub(super) memory: &'a mut Memory,
}

impl Walker<'_> {
    fn agent(&self) -> Option<&Agent> {
        self.crowd.agent(self.id)
    }

    /// Returns the position on the navmesh, if the agent walks on it.
    fn on_mesh(&self) -> Option<MeshPoint> {
        let agent = self.agent().filter(|agent| agent.state() == AgentState::Walking)?;
        let poly = agent.corridor()?.first();
        Some(MeshPoint { poly, point: agent.position() })
    }
}

/// Returns the filter of an agent.
fn filter_of(crowd: &Crowd, id: AgentId) -> &Filter {
    let index = crowd.agent(id).map_or(0, |agent| usize::from(agent.params().filter));
    &crowd.filters()[index]
}

impl Mover for Walker<'_> {
    type Place = MeshPoint;

    fn position(&self) -> Vec3 {
        self.agent().map_or(Vec3::ZERO, Agent::position)
    }

    fn radius(&self) -> f32 {
        self.agent().map_or(0.0, |agent| agent.params().radius)
    }

    fn progress(&self) -> PathProgress {
        let Some(agent) = self.agent() else { return PathProgress::OffMesh };
        match (agent.state(), agent.target_state()) {
            (AgentState::Invalid, _) => PathProgress::OffMesh,
            (AgentState::OffMesh, _) => PathProgress::OnLink,
            (AgentState::Walking, TargetState::None | TargetState::Velocity) => PathProgress::Idle,
            (AgentState::Walking, TargetState::Failed) => PathProgress::Failed,
            (AgentState::Walking, TargetState::Valid) => {
                PathProgress::Following { is_partial: agent.is_partial() }
            }
            (
                AgentState::Walking,
                TargetState::Requesting
                | TargetState::WaitingForQueue
                | TargetState::WaitingForPath,
            ) => PathProgress::Searching,
        }
    }

    fn distance(&self, from: Vec3, to: Vec3) -> f32 {
        let height = self.agent().map_or(0.0, |agent| agent.params().height);
        let is_level = (from.y - to.y).abs() <= height;
        if is_level { from.xz().distance(to.xz()) } else { f32::INFINITY }
    }

    fn place_near(&self, point: Vec3, range: f32) -> Result<MeshPoint, Option<WhyNot>> {
        let [filter, any] = [filter_of(self.crowd, self.id), &Filter::default()];
        let half_extents = self.crowd.query_half_extents().max(Vec3::new(range, 0.0, range));
        let near =
            |filter| nearest(self.mesh, &NearestRequest { center: point, half_extents, filter });
        // A target that is not finite is not on the navmesh.
        let found = near(filter).ok().flatten();
        found.ok_or_else(|| match near(any) {
            Ok(Some(_)) => Some(WhyNot::EndFiltered),
            Ok(None) | Err(_) => Some(WhyNot::EndOffMesh),
        })
    }

    fn place_away_from(&mut self, point: Vec3, distance: f32) -> Option<MeshPoint> {
        let start = self.on_mesh()?;
        let away = (start.point - point).with_y(0.0).try_normalize().unwrap_or(Vec3::X);
        let filter = filter_of(self.crowd, self.id);
        let request = MoveAlongRequest::new(start, start.point + away * distance, filter);
        move_along_into(self.mesh, &request, &mut self.memory.moved).ok()?;
        let poly = self.memory.moved.visited.last().copied().unwrap_or(start.poly);
        let point = closest_point(self.mesh, poly, self.memory.moved.position).ok()?.point;
        let is_far = point.xz().distance(start.point.xz()) > self.radius() * SHORTEST_RETREAT;
        is_far.then_some(MeshPoint { poly, point })
    }

    fn point_of(&self, place: MeshPoint) -> Vec3 {
        place.point
    }

    fn go(&mut self, place: MeshPoint) {
        // An agent that was removed cannot be sent.
        self.crowd.set_target(self.id, place).ok();
    }

    fn stop(&mut self) {
        self.crowd.reset_target(self.id).ok();
    }

    fn sees(&mut self, place: MeshPoint) -> bool {
        let Some(start) = self.on_mesh() else { return false };
        let request = RaycastRequest::new(start, place.point, filter_of(self.crowd, self.id));
        let ray = &mut self.memory.ray;
        if raycast_into(self.mesh, &request, ray).is_err() || ray.hit.t.is_some() {
            return false;
        }
        // A ray over another floor ends above or below the place.
        let last = ray.visited.last().copied().unwrap_or(start.poly);
        let end = closest_point(self.mesh, last, place.point);
        end.is_ok_and(|end| self.distance(end.point, place.point) <= self.radius())
    }

    fn path_length(&mut self, place: MeshPoint) -> Option<f32> {
        let start = self.on_mesh()?;
        let request = CorridorRequest::new(start, place, filter_of(self.crowd, self.id));
        let Memory { scratch, corridor, points, .. } = &mut *self.memory;
        find_corridor_into(self.mesh, &request, scratch, corridor).ok()?;
        if !corridor.is_complete {
            return None;
        }
        let request = StraightPathRequest::new(start.point, place.point, &corridor.polys);
        straight_path_into(self.mesh, &request, scratch, points).ok()?;
        Some(points.windows(2).map(|two| two[0].position.distance(two[1].position)).sum())
    }

    fn search_path(&mut self, place: MeshPoint) -> Option<PathOutcome> {
        self.memory.n_searches_left = self.memory.n_searches_left.checked_sub(1)?;
        let half_extents = self.crowd.query_half_extents();
        let filter = filter_of(self.crowd, self.id);
        let request = PathRequest::new(self.position(), place.point, filter);
        let request = PathRequest { half_extents, ..request };
        let Memory { scratch, path, .. } = &mut *self.memory;
        // A search can only fail if a cost of the filter is invalid.
        let is_searched = find_path_into(self.mesh, &request, scratch, path).is_ok();
        let NavPath { status, why, points, .. } = &*path;
        Some(match (status, points.last()) {
            (PathStatus::Complete, _) => PathOutcome::Complete,
            (PathStatus::Partial, Some(&end)) if is_searched => {
                PathOutcome::Partial { end, why: *why }
            }
            (PathStatus::Partial | PathStatus::Unreachable, _) => {
                PathOutcome::Unreachable { why: *why }
            }
        })
    }

    fn blocker(&self) -> Option<AgentId> {
        let agent = self.agent()?;
        let blocks = |&id: &AgentId| {
            self.crowd.agent(id).is_some_and(|other| {
                let away = (other.position() - agent.position()).with_y(0.0);
                let reach = agent.params().radius * (1.0 + BLOCKING_GAP) + other.params().radius;
                away.length() <= reach && away.dot(agent.desired_velocity()) > 0.0
            })
        };
        agent.neighbors().iter().map(|neighbor| neighbor.agent).find(blocks)
    }
}
