//! The movement of agents: choice of velocity, collisions, movement on the navmesh and along off-mesh links.

use glam::Vec3;

use super::{
    Agent, AgentState, AvoidanceMethod, AvoidanceParams, UpdateFlags,
    agent::LinkRide,
    avoidance::{Chooser, Mover, Obstacles},
    memory::Body,
    reciprocal::Permitted,
    world::World,
};
use crate::{geom::from_above::point_between, query::MeshPoint};

/// Share of an overlap that is removed at a time.
const RESOLVE: f32 = 0.7;
/// Speed in meters per second below which an agent counts as standing.
const STANDING: f32 = 0.0001;
/// Distance in meters below which two agents count as being at the same position.
const SAME_PLACE: f32 = 0.0001;
/// Share of the duration of a ride after which the agent is at the start of the link.
const RUN_UP: f32 = 0.15;

/// Chooses the velocity of an agent, and moves it without regard to collisions and the navmesh.
pub(super) fn advance(agent: &mut Agent, bodies: &[Body], world: &World<'_>) {
    if agent.state != AgentState::Walking {
        return;
    }
    agent.planned_velocity = if agent.params.update_flags.has(UpdateFlags::OBSTACLE_AVOIDANCE) {
        avoid(agent, bodies, world)
    } else {
        agent.desired_velocity
    };
    let most = agent.params.max_acceleration * world.seconds;
    let mut change = agent.planned_velocity - agent.velocity;
    let size = change.length();
    if size > most {
        change *= most / size;
    }
    agent.velocity += change;
    if agent.velocity.length() > STANDING {
        agent.position += agent.velocity * world.seconds;
    } else {
        agent.velocity = Vec3::ZERO;
    }
}

/// Returns the velocity that avoids neighbors and walls.
fn avoid(agent: &Agent, bodies: &[Body], world: &World<'_>) -> Vec3 {
    let avoidance = &world.avoidance[usize::from(agent.params.avoidance)];
    let chooser = Chooser {
        position: agent.position,
        radius: agent.params.radius,
        max_speed: agent.desired_speed,
        velocity: agent.velocity,
        desired_velocity: agent.desired_velocity,
    };
    let neighbors = agent.neighbors.iter().map(|neighbor| &bodies[neighbor.agent.slot()]);
    match avoidance.params().method {
        AvoidanceMethod::Sampled => {
            let mut obstacles = Obstacles::new(chooser);
            for &Body { position, radius, velocity, desired_velocity, .. } in neighbors {
                obstacles.add_mover(&Mover { position, radius, velocity, desired_velocity });
            }
            agent.boundary.walls().for_each(|wall| obstacles.add_wall(wall));
            obstacles.choose(avoidance)
        }
        AvoidanceMethod::Reciprocal => {
            let AvoidanceParams { priority, horizon, .. } = *avoidance.params();
            let mut permitted = Permitted::new(chooser, priority, horizon);
            neighbors.for_each(|body| permitted.add_neighbor(body));
            agent.boundary.walls().for_each(|wall| permitted.add_wall(wall));
            permitted.choose()
        }
    }
}

/// Returns the position of the agent of `slot` after it was moved away from the agents that it overlaps.
pub(super) fn give_way(slot: usize, agent: &Agent, positions: &[Vec3], bodies: &[Body]) -> Vec3 {
    let own = positions[slot];
    if agent.state != AgentState::Walking {
        return own;
    }
    let mut push = Vec3::ZERO;
    let mut n_near: f32 = 0.0;
    for neighbor in &agent.neighbors {
        let other = neighbor.agent.slot();
        let mut away = (own - positions[other]).with_y(0.0);
        let distance_sqr = away.x * away.x + away.z * away.z;
        let reach = agent.params.radius + bodies[other].radius;
        if distance_sqr > reach * reach {
            continue;
        }
        let distance = distance_sqr.sqrt();
        let overlap = reach - distance;
        let share = if distance < SAME_PLACE {
            // At the same position, the two agents move to different sides.
            let Vec3 { x, z, .. } = agent.desired_velocity;
            away = if slot > other { Vec3::new(-z, 0.0, x) } else { Vec3::new(z, 0.0, -x) };
            0.01
        } else {
            (1.0 / distance) * (overlap * 0.5) * RESOLVE
        };
        push += away * share;
        n_near += 1.0;
    }
    if n_near > 0.0001 {
        push *= 1.0 / n_near;
    }
    own + push
}

/// Moves an agent back onto the navmesh, or along its off-mesh link.
pub(super) fn settle(agent: &mut Agent, world: &World<'_>) {
    if agent.state == AgentState::Walking {
        keep_to_ground(agent, world);
    }
    if let Some(ride) = &mut agent.ride {
        ride.time += world.seconds;
        if ride.time > ride.duration {
            agent.ride = None;
            agent.state = AgentState::Walking;
        } else {
            agent.position = place_on(ride);
            agent.velocity = Vec3::ZERO;
            agent.desired_velocity = Vec3::ZERO;
        }
    }
}

/// Moves an agent along the surface toward its new position, as far as the surface extends.
fn keep_to_ground(agent: &mut Agent, world: &World<'_>) {
    let filter = world.filter_of(agent);
    let Some(corridor) = &mut agent.corridor else { return };
    // If its polygon was removed, the agent stays at its old position until the next check of its path.
    corridor.move_position(world.mesh, agent.position, filter).ok();
    agent.position = corridor.position();
    if !agent.target.is_place() {
        corridor.reset(MeshPoint { poly: corridor.first(), point: agent.position });
        agent.is_partial = false;
    }
}

/// Returns the position of an agent on an off-mesh link: it moves to the start first, then along the link.
fn place_on(ride: &LinkRide) -> Vec3 {
    let run_up = ride.duration * RUN_UP;
    let [start, end] = ride.ends;
    if ride.time < run_up {
        point_between(ride.from, start, share(ride.time, 0.0, run_up))
    } else {
        point_between(start, end, share(ride.time, run_up, ride.duration))
    }
}

/// Position of `time` between `from` and `to`, from 0 to 1.
fn share(time: f32, from: f32, to: f32) -> f32 {
    ((time - from) / (to - from)).clamp(0.0, 1.0)
}
