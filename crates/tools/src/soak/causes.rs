//! Examines the navmesh and the other agents around a stuck agent.

use glam::Vec3;
use walkable_runtime::{
    crowd::{Agent, Crowd},
    navmesh::NavMesh,
    query::{
        CorridorRequest, Filter, HeldBack, MeshPoint, NearestRequest, PathCorridor, PointKind,
        Raycast, RaycastRequest, Scratch, find_corridor, nearest, raycast_into,
    },
};

use super::StuckCause;

/// Length of the path that is examined, in meters.
const AHEAD: f32 = 3.0;
/// Distance between two examined points of the path, in meters.
const SPACING: f32 = 0.2;
/// Maximum width that is measured, in meters to each side.
const SIDE: f32 = 5.0;
/// Slope above which ground is a step: rise over run.
const STEEP: f32 = 1.2;
/// Smallest change of direction at a corner, in degrees.
const SHARP: f32 = 45.0;

/// The surroundings of a stuck agent.
pub(super) struct Surroundings<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: &'a Filter,
    pub(super) agent: &'a Agent,
    /// Number of agents in contact.
    pub(super) n_touching: usize,
}

impl Surroundings<'_> {
    /// Returns the most specific cause and its position.
    pub(super) fn cause(&self) -> (StuckCause, Vec3) {
        let radius = self.agent.params().radius;
        let here = self.agent.position();
        if let Some((distance, start)) = self.link_ahead() {
            return (StuckCause::OffMeshLink { distance }, start);
        }
        let corridor_end = self.agent.corridor().map(PathCorridor::last);
        if let Some(target) = self.agent.target()
            && Some(target.poly) != corridor_end
            && self.is_at_end()
        {
            return (self.why_path_ends(target), here);
        }
        let line = self.line();
        let needed = radius * 4.0;
        if let Some((width, middle)) = self.narrowest(&line)
            && width + radius * 2.0 < needed
        {
            return (StuckCause::Narrow { width: width + radius * 2.0, needed }, middle);
        }
        if self.n_touching > 0 {
            return (StuckCause::Crowding { n_agents: self.n_touching }, here);
        }
        if let Some(height) = step(&line) {
            return (StuckCause::Step { height }, here);
        }
        if let Some(degrees) = self.turn() {
            return (StuckCause::Corner { degrees }, here);
        }
        (if self.enters_tile() { StuckCause::TileSeam } else { StuckCause::Unknown }, here)
    }

    /// Returns the distance to the start of the off-mesh link to which the path leads, and that start, if it is near.
    pub(super) fn link_ahead(&self) -> Option<(f32, Vec3)> {
        let corner = self.agent.corners().last()?;
        let distance = flat(corner.position - self.agent.position()).length();
        let is_near = distance < AHEAD.max(self.agent.params().radius * 5.0);
        (corner.kind == PointKind::Connection && is_near).then_some((distance, corner.position))
    }

    /// Returns why the path ends before the target.
    fn why_path_ends(&self, target: MeshPoint) -> StuckCause {
        let from = self
            .agent
            .corridor()
            .map(|corridor| MeshPoint { poly: corridor.first(), point: self.agent.position() });
        let max_nodes = Crowd::MAX_NODES;
        let is_limit = from.is_some_and(|from| {
            let request = CorridorRequest::new(from, target, self.filter);
            let request = CorridorRequest { max_nodes, ..request };
            let found = find_corridor(self.mesh, &request, &mut Scratch::default());
            found.is_ok_and(|found| found.held_back == Some(HeldBack::NodeLimit))
        });
        if is_limit { StuckCause::NodeLimit { limit: max_nodes } } else { StuckCause::PathEnds }
    }

    fn is_at_end(&self) -> bool {
        let near = self.agent.params().radius * 3.0;
        self.agent
            .corridor()
            .is_some_and(|corridor| flat(corridor.target() - self.agent.position()).length() < near)
    }

    /// Returns points on the navmesh along the next meters of the path, with the direction of the path.
    fn line(&self) -> Vec<(MeshPoint, Vec3)> {
        let mut points = Vec::new();
        let mut from = self.agent.position();
        let mut left = AHEAD;
        for corner in self.agent.corners() {
            let leg = corner.position - from;
            let length = flat(leg).length();
            let direction = flat(leg).normalize_or_zero();
            let mut along = 0.0;
            while along < length.min(left) {
                points
                    .extend(self.on_mesh(from + leg * (along / length)).map(|at| (at, direction)));
                along += SPACING;
            }
            left -= length;
            if left <= 0.0 {
                break;
            }
            from = corner.position;
        }
        points
    }

    fn on_mesh(&self, center: Vec3) -> Option<MeshPoint> {
        let half_extents = Vec3::new(0.1, self.agent.params().height * 0.5, 0.1);
        let request = NearestRequest { center, half_extents, filter: self.filter };
        nearest(self.mesh, &request).ok().flatten()
    }

    /// Returns the smallest width of the navmesh across the path, in meters, and the middle between its walls.
    fn narrowest(&self, line: &[(MeshPoint, Vec3)]) -> Option<(f32, Vec3)> {
        let mut ray = Raycast::default();
        let across = line.iter().map(|&(start, direction)| {
            let side = Vec3::new(-direction.z, 0.0, direction.x);
            let [left, right] = [side, -side].map(|side| {
                let request = RaycastRequest::new(start, start.point + side * SIDE, self.filter);
                let is_cast = raycast_into(self.mesh, &request, &mut ray).is_ok();
                if is_cast { ray.hit.t.unwrap_or(1.0) * SIDE } else { SIDE }
            });
            (left + right, start.point + side * ((left - right) * 0.5))
        });
        across.reduce(|known, next| if next.0 < known.0 { next } else { known })
    }

    /// Returns the change of direction at the next corner, if the corner is near and sharp.
    fn turn(&self) -> Option<f32> {
        let [first, second, ..] = self.agent.corners() else { return None };
        let to_first = flat(first.position - self.agent.position());
        let to_second = flat(second.position - first.position);
        if to_first.length() > self.agent.params().radius * 4.0 {
            return None;
        }
        let degrees = to_first.angle_between(to_second).to_degrees();
        (degrees > SHARP).then_some(degrees)
    }

    /// Returns whether the corridor leaves the agent's tile near the agent.
    fn enters_tile(&self) -> bool {
        let near = self.agent.params().radius * 3.0;
        let Some(&[here, next, ..]) = self.agent.corridor().map(PathCorridor::polys) else {
            return false;
        };
        let Some((tile, _)) = self.mesh.resolve(here) else { return false };
        let (bounds, at) = (tile.header.bounds, self.agent.position());
        let sides =
            [at.x - bounds.min.x, bounds.max.x - at.x, at.z - bounds.min.z, bounds.max.z - at.z];
        self.mesh.slot_of(here) != self.mesh.slot_of(next) && sides.iter().any(|side| *side < near)
    }
}

/// Returns the height difference of the steepest piece of the line, if it is steep.
fn step(line: &[(MeshPoint, Vec3)]) -> Option<f32> {
    let pieces = line.windows(2).filter_map(|pair| {
        let away = pair[1].0.point - pair[0].0.point;
        let is_steep = away.y.abs() > flat(away).length() * STEEP && away.y.abs() > 0.05;
        is_steep.then_some(away.y.abs())
    });
    pieces.reduce(f32::max)
}

fn flat(vector: Vec3) -> Vec3 {
    vector.with_y(0.0)
}
