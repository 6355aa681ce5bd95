//! The movement of agents: choice of velocity, collisions, movement on the navmesh and along off-mesh links.

use glam::Vec3;

use super::{
    Agent, AgentState, AvoidanceMethod, AvoidanceParams, UpdateFlags,
    agent::{LinkTraversal, MAX_NEIGHBORS},
    avoidance::{Chooser, Obstacles, VelocitySample},
    memory::{AgentPlace, AgentScratch, Contacts, SteeredAgent},
    reciprocal::Permitted,
    right_of_way::RightOfWay,
    world::World,
};
use crate::{geom::from_above::point_between, navmesh::PolyRef, query::MeshPoint};

/// Share of an overlap that is removed at a time.
const RESOLVE: f32 = 0.7;
/// Speed in meters per second below which an agent counts as standing.
const STANDING: f32 = 0.0001;
/// Distance in meters below which two agents count as being at the same position.
const SAME_PLACE: f32 = 0.0001;
/// Share of the duration of a traversal after which the agent is at the start of the link.
const RUN_UP: f32 = 0.15;

/// Chooses the velocity of an agent, and moves it without regard to collisions and the navmesh.
pub(super) fn advance(
    slot: usize,
    agent: &mut Agent,
    others: &[SteeredAgent],
    world: &World<'_>,
    scratch: &mut AgentScratch,
) {
    if agent.state != AgentState::Walking {
        return;
    }
    agent.planned_velocity = if agent.params.update_flags.has(UpdateFlags::OBSTACLE_AVOIDANCE) {
        avoid((slot, agent), others, world, scratch)
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
fn avoid(
    (slot, agent): (usize, &Agent),
    others: &[SteeredAgent],
    world: &World<'_>,
    scratch: &mut AgentScratch,
) -> Vec3 {
    let avoidance = &world.avoidance[usize::from(agent.params.avoidance)];
    match avoidance.params().method {
        AvoidanceMethod::Sampled => {
            let AgentScratch { obstacles, pattern, .. } = scratch;
            find_obstacles(agent, others, obstacles);
            obstacles.choose(avoidance, pattern)
        }
        AvoidanceMethod::Reciprocal => {
            let AvoidanceParams { priority, horizon, .. } = *avoidance.params();
            let mut permitted = Permitted::new(chooser_of(agent), priority, horizon);
            let mover = |slot: usize| (slot, &others[slot].mover);
            for neighbor in agent.neighbors.iter().map(|neighbor| mover(neighbor.agent.slot())) {
                let right_of_way = RightOfWay::between([mover(slot), neighbor]);
                permitted.add_neighbor(neighbor.1, right_of_way);
            }
            agent.boundary.walls().for_each(|wall| permitted.add_wall(wall));
            permitted.choose()
        }
    }
}

/// Returns the velocities that an agent considers in [`advance`]; none if it does not sample velocities.
pub(super) fn samples(
    agent: &Agent,
    others: &[SteeredAgent],
    world: &World<'_>,
) -> Vec<VelocitySample> {
    let avoidance = &world.avoidance[usize::from(agent.params.avoidance)];
    let avoids = agent.params.update_flags.has(UpdateFlags::OBSTACLE_AVOIDANCE)
        && agent.state == AgentState::Walking;
    match avoidance.params().method {
        AvoidanceMethod::Sampled if avoids => {
            let mut obstacles = Obstacles::default();
            find_obstacles(agent, others, &mut obstacles);
            obstacles.samples(avoidance).0
        }
        AvoidanceMethod::Sampled | AvoidanceMethod::Reciprocal => Vec::new(),
    }
}

fn chooser_of(agent: &Agent) -> Chooser {
    Chooser {
        position: agent.position,
        radius: agent.params.radius,
        max_speed: agent.desired_speed,
        velocity: agent.velocity,
        desired_velocity: agent.desired_velocity,
    }
}

/// Stores the neighbors and walls that an agent avoids.
fn find_obstacles(agent: &Agent, others: &[SteeredAgent], obstacles: &mut Obstacles) {
    obstacles.reset(chooser_of(agent));
    for slot in agent.neighbors.iter().map(|neighbor| neighbor.agent.slot()) {
        obstacles.add_mover(&others[slot].mover);
    }
    agent.boundary.walls().for_each(|wall| obstacles.add_wall(wall));
}

/// Returns the place of the agent of `slot` after it was moved away from the agents that it overlaps.
pub(super) fn give_way(slot: usize, contacts: &Contacts, places: &[AgentPlace]) -> AgentPlace {
    let AgentPlace { position: own, is_new } = places[slot];
    // No branches per neighbor, because the processor could not predict them.
    let mut is_any_new = is_new;
    let mut near = 0_u32;
    for (at, (&other, &reach)) in contacts.slots.iter().zip(&contacts.reaches).enumerate() {
        let AgentPlace { position, is_new } = places[other as usize];
        is_any_new |= is_new;
        // A distance that is not a number counts as near, as in Detour.
        let is_far = flat_length_sqr(own - position) > reach * reach;
        near |= u32::from(!is_far) << at;
    }
    near &= (1 << contacts.n) - 1;
    // Without any change, the agent stays where it is.
    near = if is_any_new { near } else { 0 };
    let mut push = Vec3::ZERO;
    let mut n_near: f32 = 0.0;
    while near != 0 {
        let at = near.trailing_zeros() as usize % MAX_NEIGHBORS;
        near &= near - 1;
        let (other, reach) = (contacts.slots[at] as usize, contacts.reaches[at]);
        let mut away = (own - places[other].position).with_y(0.0);
        let distance = flat_length_sqr(away).sqrt();
        let overlap = reach - distance;
        let share = if distance < SAME_PLACE {
            // At the same position, the two agents move to different sides.
            let [x, z] = contacts.desired_velocity;
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
    AgentPlace { position: own + push, is_new: push != Vec3::ZERO }
}

fn flat_length_sqr(vector: Vec3) -> f32 {
    vector.x * vector.x + vector.z * vector.z
}

/// Moves an agent to `position` and back onto the navmesh, or along its off-mesh link.
pub(super) fn settle(
    agent: &mut Agent,
    position: Vec3,
    world: &World<'_>,
    scratch: &mut AgentScratch,
) {
    if agent.state == AgentState::Walking {
        keep_to_ground(agent, position, world, &mut scratch.passed);
    }
    if let Some(traversal) = &mut agent.traversal {
        traversal.time += world.seconds;
        if traversal.time > traversal.duration {
            agent.traversal = None;
            agent.state = AgentState::Walking;
        } else {
            agent.position = place_on(traversal);
            agent.velocity = Vec3::ZERO;
            agent.desired_velocity = Vec3::ZERO;
        }
    }
}

/// Moves an agent along the surface toward its new position, as far as the surface extends.
fn keep_to_ground(agent: &mut Agent, position: Vec3, world: &World<'_>, passed: &mut Vec<PolyRef>) {
    let filter = world.filter_of(agent);
    let Some(corridor) = &mut agent.corridor else {
        agent.position = position;
        return;
    };
    // If its polygon was removed, the agent stays at its old position until the next check of its path.
    corridor.using(passed, |corridor| corridor.move_position(world.mesh, position, filter).ok());
    agent.position = corridor.position();
    if !agent.target.is_place() {
        corridor.reset(MeshPoint { poly: corridor.first(), point: agent.position });
        agent.is_partial = false;
    }
}

/// Returns the position of an agent on an off-mesh link: it moves to the start first, then along the link.
fn place_on(traversal: &LinkTraversal) -> Vec3 {
    let run_up = traversal.duration * RUN_UP;
    let [start, end] = traversal.ends;
    if traversal.time < run_up {
        point_between(traversal.from, start, share(traversal.time, 0.0, run_up))
    } else {
        point_between(start, end, share(traversal.time, run_up, traversal.duration))
    }
}

/// Returns the position of `time` between `from` and `to`, from 0 to 1.
fn share(time: f32, from: f32, to: f32) -> f32 {
    ((time - from) / (to - from)).clamp(0.0, 1.0)
}
