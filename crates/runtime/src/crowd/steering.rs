//! Computes an agent's surroundings, corners, off-mesh links and desired velocity.

use glam::Vec3;

use super::{
    Agent, AgentState, TargetState, UpdateFlags,
    agent::{LinkTraversal, MAX_CORNERS, optimized_corner},
    memory::{AgentScratch, Body},
    neighbors,
    world::{Surroundings, World},
};
use crate::{
    navmesh::NavMesh,
    query::{MeshPoint, PathCorridor, PathPoint, PointKind},
};

/// An off-mesh link is entered from this many radii away.
const LINK_REACH: f32 = 2.25;
/// An agent slows down this many radii before the end of its path.
const SLOW_DOWN: f32 = 2.0;

/// Computes the surroundings of an agent and its desired velocity.
///
/// Source: the middle of `dtCrowd::update`.
pub(super) fn steer(
    slot: usize,
    agent: &mut Agent,
    (world, around): (&World<'_>, &Surroundings<'_>),
    scratch: &mut AgentScratch,
) {
    if agent.state != AgentState::Walking {
        return;
    }
    find_walls(agent, world, scratch);
    if world.is_reciprocal(agent) {
        neighbors::find_nearest(slot, agent, around.grid);
    } else {
        neighbors::find(slot, agent, around.grid);
    }
    if agent.target.is_place() {
        find_corners(agent, world, scratch);
        if take_link(agent, world.mesh) {
            return;
        }
    }
    if agent.target.state != TargetState::None {
        agent.desired_velocity = desired_velocity(agent, around);
        if world.is_reciprocal(agent) {
            agent.desired_velocity *= agent.progress();
        }
    }
}

/// Updates the nearby walls if the agent has moved away from the known ones.
fn find_walls(agent: &mut Agent, world: &World<'_>, scratch: &mut AgentScratch) {
    let Some(first) = agent.corridor.as_ref().map(PathCorridor::first) else { return };
    let filter = &world.filters[usize::from(agent.params.filter)];
    let range = agent.params.collision_query_range;
    let checked = (filter, world.checked_for(agent));
    if !agent.boundary.is_current(world.mesh, agent.position, range * 0.25, checked) {
        let at = MeshPoint { poly: first, point: agent.position };
        agent.boundary.find(world.mesh, at, range, filter, &mut scratch.walls);
    }
}

/// Finds the next corners, and removes unneeded polygons from the corridor.
fn find_corners(agent: &mut Agent, world: &World<'_>, scratch: &mut AgentScratch) {
    let filter = &world.filters[usize::from(agent.params.filter)];
    agent.corners.clear();
    let Some(corridor) = &mut agent.corridor else { return };
    let AgentScratch { query, corners, passed, .. } = scratch;
    // A corridor whose last polygon is gone has no corners.
    if corridor.next_corners_into(world.mesh, MAX_CORNERS, query, corners).is_ok() {
        agent.corners.extend(corners.iter().copied().take(MAX_CORNERS));
    }
    if let Some(next) = optimized_corner(&agent.params, &agent.corners) {
        let range = agent.params.path_optimization_range;
        // If the corner is not visible, the corridor stays unchanged.
        corridor.using(passed, |corridor| {
            corridor.optimize_visibility(world.mesh, next, range, filter).ok()
        });
    }
}

/// Enters the off-mesh link to which the corners lead, if the agent is close enough; returns whether it did.
fn take_link(agent: &mut Agent, mesh: &NavMesh) -> bool {
    let reach = agent.params.radius * LINK_REACH;
    let Some(&PathPoint { position, kind: PointKind::Connection, poly: Some(poly) }) =
        agent.corners.last()
    else {
        return false;
    };
    if flat_distance_sqr(agent.position, position) >= reach * reach {
        return false;
    }
    let Some(corridor) = &mut agent.corridor else { return false };
    // The path check detects an off-mesh link that leads nowhere.
    let Some(ends) = corridor.move_over_connection(mesh, poly) else { return false };
    agent.traversal = Some(LinkTraversal {
        from: agent.position,
        ends,
        time: 0.0,
        duration: flat_distance_sqr(ends[0], ends[1]).sqrt() / agent.params.max_speed * 0.5,
    });
    agent.state = AgentState::OffMesh;
    agent.corners.clear();
    agent.neighbors.clear();
    true
}

/// Returns the velocity that an agent would have without obstacles.
fn desired_velocity(agent: &mut Agent, around: &Surroundings<'_>) -> Vec3 {
    let mut desired = if agent.target.state == TargetState::Velocity {
        agent.desired_speed = agent.target.point.length();
        agent.target.point
    } else {
        let direction = direction(agent);
        let slow_down = agent.params.radius * SLOW_DOWN;
        let share = distance_to_end(agent, slow_down) / slow_down;
        agent.desired_speed = agent.params.max_speed;
        direction * (agent.desired_speed * share)
    };
    if agent.params.update_flags.has(UpdateFlags::SEPARATION)
        && let Some(push) = separation(agent, around.bodies)
    {
        desired += push;
        let speed_sqr = length_sqr(desired);
        let most_sqr = agent.desired_speed * agent.desired_speed;
        if speed_sqr > most_sqr {
            desired *= most_sqr / speed_sqr;
        }
    }
    desired
}

/// Returns the direction toward the first corner, or, when anticipating turns, along a curve that also considers the
/// second.
fn direction(agent: &Agent) -> Vec3 {
    let Agent { position, corners, params, .. } = agent;
    let Some(first) = corners.first() else { return Vec3::ZERO };
    let level = |corner: &PathPoint| (corner.position - position).with_y(0.0);
    let to_first = level(first);
    if !params.update_flags.has(UpdateFlags::ANTICIPATE_TURNS) {
        return unit(to_first);
    }
    let mut to_second = level(corners.get(1).unwrap_or(first));
    let (near, far) = (to_first.length(), to_second.length());
    if far > 0.001 {
        to_second *= 1.0 / far;
    }
    let curved = |ahead: f32, beyond: f32| ahead - beyond * near * 0.5;
    unit(Vec3::new(curved(to_first.x, to_second.x), 0.0, curved(to_first.z, to_second.z)))
}

/// Returns the distance to the end of the path, if it is among the corners; at most `range`.
fn distance_to_end(agent: &Agent, range: f32) -> f32 {
    match agent.corners.last() {
        Some(&PathPoint { position, kind: PointKind::End, .. }) => {
            let distance = flat_distance_sqr(agent.position, position).sqrt();
            if distance < range { distance } else { range }
        }
        _ => range,
    }
}

/// Returns the separation velocity of an agent, if any neighbor is close.
fn separation(agent: &Agent, bodies: &[Body]) -> Option<Vec3> {
    let range = agent.params.collision_query_range;
    let per_range = 1.0 / range;
    let mut push = Vec3::ZERO;
    let mut n_near: f32 = 0.0;
    for neighbor in &agent.neighbors {
        let away = (agent.position - bodies[neighbor.agent.slot()].position).with_y(0.0);
        let distance_sqr = length_sqr(away);
        if distance_sqr < 0.00001 || distance_sqr > range * range {
            continue;
        }
        let distance = distance_sqr.sqrt();
        let share = distance * per_range;
        let weight = agent.params.separation_weight * (1.0 - share * share);
        push += away * (weight / distance);
        n_near += 1.0;
    }
    (n_near > 0.0001).then(|| push * (1.0 / n_near))
}

/// Normalizes a vector; NaN for the zero vector.
fn unit(vector: Vec3) -> Vec3 {
    vector * (1.0 / length_sqr(vector).sqrt())
}

fn length_sqr(vector: Vec3) -> f32 {
    vector.x * vector.x + vector.y * vector.y + vector.z * vector.z
}

fn flat_length_sqr(vector: Vec3) -> f32 {
    vector.x * vector.x + vector.z * vector.z
}

fn flat_distance_sqr(a: Vec3, b: Vec3) -> f32 {
    flat_length_sqr(b - a)
}
