//! Keeps agents with reciprocal avoidance from overlapping.
//!
//! After all agents have chosen velocities, each has a place to which it wants to move. These places are moved apart in
//! several steps and clipped at walls. If two agents would still overlap by more than a tolerance, one of them stays at its
//! place of the previous update, or both do. There they did not overlap, so agents that start apart never overlap by more
//! than the tolerance.
//!
//! Of agents that meet and block each other, those going in one direction back off after a while.

use std::fmt;

use arrayvec::ArrayVec;
use glam::{Vec2, Vec3, Vec3Swizzles as _};
use rayon::prelude::*;

use super::{
    Agent, AvoidanceMethod,
    avoidance::Avoidance,
    memory::{AgentPlace, AgentScratch, Body, SteeredAgent, Threads, is_work_for_many},
    mover::Mover,
    proximity::ProximityGrid,
    right_of_way::RightOfWay,
    world::World,
};
use crate::query::{MeshPoint, MoveAlongRequest, move_along_into};

/// Maximum depth of an overlap, in radii of the smaller agent.
const TOLERANCE: f32 = 0.1;
/// Pairs that already overlap by more than this many tolerances are not kept apart here: like pairs of sampling agents, they
/// are only pushed apart, a part of the overlap in each update.
const PILED: f32 = 1.5;
/// Maximum number of agents that an agent may touch in an update.
const MAX_CONTACTS: usize = 24;
/// An agent may be pushed by this many radii in an update.
const PUSH: f32 = 0.25;
/// Number of times that places are clipped at walls.
const N_ROUNDS: usize = 3;
/// Number of times that places are moved apart before each clip.
const N_STEPS: usize = 4;
/// Pushes of `n` neighbors are divided by `n - 1` plus this, and multiplied by it.
const RELAXATION: f32 = 1.6;
/// Share of an overlap that an agent with the right of way removes.
const LITTLE: f32 = 0.15;
/// An agent counts as standing if it wants to walk at less than this share of the speed of the other one.
const STANDING: f32 = 0.2;
/// An agent counts as held up if it moves at less than this share of its velocity.
const HELD_UP: f32 = 0.5;
/// An agent counts as blocked if it moves less than this share of the movement that it wants.
const BLOCKED: f32 = 0.2;
/// An agent that wants less than this share of its maximum speed is not blocked.
const WALKING: f32 = 0.3;
/// Time after which a blocked agent backs off, and for how long it does, in seconds.
const PATIENCE: f32 = 1.0;
const RETREAT: f32 = 2.0;
/// Speed of an agent that backs off, as a share of the speed at which it wants to go forward.
const RETREAT_SPEED: f32 = 0.7;
/// Agents with a smaller gap block each other, in radii.
const TOUCH: f32 = 0.3;

/// Another agent that an agent may touch in this update.
#[derive(Clone, Copy, Debug)]
struct Contact {
    slot: u32,
    /// Sum of the radii.
    reach: f32,
    /// Gap at the beginning of the update; negative if they overlap.
    gap: f32,
    /// Maximum depth of an overlap at the end of the update.
    deepest: f32,
    /// Share of an overlap that this agent removes.
    share: f32,
}

/// An agent that is kept apart from others.
#[derive(Clone, Debug, Default)]
struct SpacedAgent {
    /// Position at the beginning of the update.
    from: Vec2,
    /// How far the agent may be from that position at the end; `None` if it is not kept apart from others.
    limit: Option<f32>,
    contacts: ArrayVec<Contact, MAX_CONTACTS>,
}

/// The other agents.
#[derive(Clone, Copy, Debug)]
pub(super) struct OtherAgents<'a> {
    pub(super) grid: &'a ProximityGrid,
    pub(super) bodies: &'a [Body],
    pub(super) steered: &'a [SteeredAgent],
}

/// Memory for keeping agents apart. Lists are by slot, and empty if no agent is kept apart from others.
#[derive(Default)]
pub(super) struct Spacing {
    limits: Vec<Option<f32>>,
    spaced: Vec<SpacedAgent>,
    to: Vec<Vec2>,
    next: Vec<Vec2>,
    overlaps: Vec<bool>,
    waiting: Vec<usize>,
}

/// A copy is empty.
impl Clone for Spacing {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Spacing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spacing").finish_non_exhaustive()
    }
}

impl Spacing {
    /// Changes the new places of agents so that they do not overlap.
    pub(super) fn keep_apart(
        &mut self,
        (agents, places): (&mut [Agent], &mut [AgentPlace]),
        others: &OtherAgents<'_>,
        world: &World<'_>,
        threads: &Threads,
    ) {
        let is_reciprocal =
            |avoidance: &Avoidance| avoidance.params().method == AvoidanceMethod::Reciprocal;
        self.limits.clear();
        if world.avoidance.iter().any(is_reciprocal) {
            self.limits.extend(agents.iter().map(|agent| limit_of(agent, world)));
        }
        let Some(farthest) = self.limits.iter().copied().flatten().reduce(f32::max) else {
            self.spaced.clear();
            return;
        };
        let widest = others.bodies.iter().map(|body| body.radius).fold(0.0, f32::max);
        let limits = &self.limits;
        threads.on_each(agents, &mut self.spaced, |slot, _, one, _| {
            one.find_contacts(slot, limits, others, widest + farthest);
        });
        self.to.clear();
        let wanted = places.iter().map(|place| place.position.xz());
        self.to.extend(self.spaced.iter().zip(wanted).map(|(one, to)| one.within_limit(to)));
        for round in 0..N_ROUNDS {
            let is_changed = self.push_apart();
            if !is_changed && round > 0 {
                break;
            }
            let spaced = &self.spaced;
            threads.on_each(agents, &mut self.to, |slot, agent, to, scratch| {
                clip(agent, &spaced[slot], to, world, scratch);
            });
        }
        self.stop_overlaps();
        for ((one, place), to) in self.spaced.iter().zip(places).zip(&self.to) {
            if !one.contacts.is_empty() {
                place.position = Vec3::new(to.x, place.position.y, to.y);
            }
        }
    }

    /// Moves places apart, without regard to walls. Returns whether any has changed.
    fn push_apart(&mut self) -> bool {
        let Self { spaced, to, next, .. } = self;
        next.clone_from(to);
        for step in 0..N_STEPS {
            on_each(next, |slot, next| *next = spaced[slot].pushed(slot, to));
            if to == next {
                return step > 0;
            }
            std::mem::swap(to, next);
        }
        true
    }

    /// Makes agents stay where they were until none overlaps another one too deeply.
    fn stop_overlaps(&mut self) {
        let Self { spaced, to, overlaps, waiting, .. } = self;
        overlaps.clear();
        overlaps.resize(spaced.len(), false);
        waiting.clear();
        waiting.reserve(3 * spaced.len());
        loop {
            on_each(overlaps, |slot, overlaps| *overlaps = spaced[slot].overlaps(slot, to));
            let found = overlaps.iter().enumerate().filter(|(_, overlaps)| **overlaps);
            waiting.extend(found.map(|(slot, _)| slot));
            if waiting.is_empty() {
                return;
            }
            while let Some(slot) = waiting.pop() {
                stop(slot, spaced, to, waiting);
            }
        }
    }

    /// Notes whether an agent is blocked. If others hold it up, its velocity approaches that with which it really moves.
    pub(super) fn note_progress(
        &self,
        (slot, agent): (usize, &mut Agent),
        steered: &[SteeredAgent],
        seconds: f32,
    ) {
        let Some((one, to)) = self.spaced.get(slot).zip(self.to.get(slot)) else { return };
        if one.limit.is_none() || seconds <= 0.0 {
            return;
        }
        let moved = (to - one.from) / seconds;
        let velocity = agent.velocity.xz();
        if !one.contacts.is_empty() && moved.length() < HELD_UP * velocity.length() {
            let Vec2 { x, y } = velocity.midpoint(moved);
            agent.velocity = Vec3::new(x, 0.0, y);
        }
        if agent.is_retreating() {
            agent.blocked_time = (agent.blocked_time + seconds).min(0.0);
            return;
        }
        let desired = agent.desired_velocity.xz();
        let speed = desired.length();
        let is_blocked = speed > WALKING * agent.params.max_speed
            && moved.dot(desired) < BLOCKED * speed * speed;
        let change = if is_blocked { seconds } else { -seconds };
        agent.blocked_time = (agent.blocked_time + change).max(0.0);
        if agent.blocked_time > PATIENCE {
            // Of two agents that meet, the one going toward +x stays.
            let blocks = |contact: &Contact| {
                let other = steered[contact.slot as usize].mover.desired_velocity.xz();
                let Vec2 { x, y } = desired - other;
                contact.gap < TOUCH * agent.params.radius
                    && other.dot(desired) < 0.0
                    && (x, y) < (0.0, 0.0)
            };
            if one.contacts.iter().any(blocks) {
                agent.blocked_time = -RETREAT;
            }
        }
    }
}

impl Agent {
    /// Returns whether the agent backs off, because others who go first block it.
    fn is_retreating(&self) -> bool {
        self.blocked_time < 0.0
    }

    /// Returns the factor of the desired velocity; negative while the agent backs off.
    pub(super) fn progress(&self) -> f32 {
        if self.is_retreating() { -RETREAT_SPEED } else { 1.0 }
    }
}

/// Calls `work` for each entry with its slot, on all threads if there are many.
fn on_each<T: Send>(list: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    let work = |(slot, entry): (usize, &mut T)| work(slot, entry);
    if is_work_for_many(list.len()) {
        list.par_iter_mut().enumerate().with_min_len(64).for_each(work);
    } else {
        list.iter_mut().enumerate().for_each(work);
    }
}

/// Returns how far an agent may be from its place at the end of the update; `None` if it is not kept apart from others.
fn limit_of(agent: &Agent, world: &World<'_>) -> Option<f32> {
    let is_spaced = agent.is_active && agent.corridor.is_some() && world.is_reciprocal(agent);
    is_spaced.then(|| agent.velocity.length() * world.seconds + agent.params.radius * PUSH)
}

/// Moves the place of an agent to the nearest one that it reaches over the navmesh.
fn clip(
    agent: &Agent,
    one: &SpacedAgent,
    to: &mut Vec2,
    world: &World<'_>,
    scratch: &mut AgentScratch,
) {
    let Some(corridor) = agent.corridor.as_ref().filter(|_| !one.contacts.is_empty()) else {
        return;
    };
    let start = MeshPoint { poly: corridor.first(), point: corridor.position() };
    let end = Vec3::new(to.x, agent.position.y, to.y);
    let request = MoveAlongRequest::new(start, end, world.filter_of(agent));
    let moved = move_along_into(world.mesh, &request, &mut scratch.moved);
    *to = moved.map_or(one.from, |()| scratch.moved.position.xz());
}

impl SpacedAgent {
    /// Finds the agents that this one may touch, of those within `range` in addition to its radius and limit.
    fn find_contacts(
        &mut self,
        slot: usize,
        limits: &[Option<f32>],
        others: &OtherAgents<'_>,
        range: f32,
    ) {
        let body = others.bodies[slot];
        self.contacts.clear();
        self.from = body.position.xz();
        self.limit = limits[slot];
        let Some(limit) = self.limit else { return };
        let mut nearest_dropped = f32::INFINITY;
        let range = body.radius + limit + range;
        others.grid.find_all(self.from.to_array(), range, |found| {
            let other = found.agent as usize;
            let away_y = found.position.y - body.position.y;
            let is_level = away_y.abs() < (body.height + found.height) * 0.5;
            let Some(other_limit) = limits[other].filter(|_| other != slot && is_level) else {
                return;
            };
            let radius = others.bodies[other].radius;
            let reach = body.radius + radius;
            let gap = self.from.distance(found.position.xz()) - reach;
            if gap > limit + other_limit {
                return;
            }
            let tolerance = TOLERANCE * body.radius.min(radius);
            if gap < -PILED * tolerance {
                return;
            }
            let deepest = tolerance.max(-gap);
            let contact = Contact { slot: found.agent, reach, gap, deepest, share: 0.5 };
            nearest_dropped = nearest_dropped.min(self.add(contact));
        });
        if nearest_dropped.is_finite() {
            // Two agents that both dropped the other one do not touch: each moves at most half the gap.
            self.limit = Some(limit.min((nearest_dropped * 0.5).max(body.radius * PUSH)));
        }
        let own = &others.steered[slot].mover;
        for contact in &mut self.contacts {
            let other = contact.slot as usize;
            contact.share = share([(slot, own), (other, &others.steered[other].mover)]);
        }
    }

    /// Adds a contact. If there are too many, drops the one with the widest gap, and returns this gap; infinity otherwise.
    fn add(&mut self, contact: Contact) -> f32 {
        if self.contacts.try_push(contact).is_ok() {
            return f32::INFINITY;
        }
        let mut dropped = contact;
        for kept in &mut self.contacts {
            if kept.gap > dropped.gap {
                std::mem::swap(kept, &mut dropped);
            }
        }
        dropped.gap
    }

    fn within_limit(&self, to: Vec2) -> Vec2 {
        match self.limit {
            Some(limit) if !self.contacts.is_empty() => {
                self.from + (to - self.from).clamp_length_max(limit)
            }
            _ => to,
        }
    }

    /// Returns the place of the agent after it was moved away from those that it overlaps.
    fn pushed(&self, slot: usize, to: &[Vec2]) -> Vec2 {
        let own = to[slot];
        let (mut push, mut n) = (Vec2::ZERO, 0.0f32);
        for contact in &self.contacts {
            let other = contact.slot as usize;
            let away = own - to[other];
            let distance_sqr = away.length_squared();
            if distance_sqr >= contact.reach * contact.reach {
                continue;
            }
            let distance = distance_sqr.sqrt();
            // At the same place, the two agents move to different sides.
            let aside = if slot > other { Vec2::X } else { Vec2::NEG_X };
            let direction = away.try_normalize().unwrap_or(aside);
            push += direction * ((contact.reach - distance) * contact.share);
            n += 1.0;
        }
        if n > 0.0 {
            self.within_limit(own + push * (RELAXATION / (n - 1.0 + RELAXATION)))
        } else {
            own
        }
    }

    /// Returns whether the agent overlaps another one too deeply.
    fn overlaps(&self, slot: usize, to: &[Vec2]) -> bool {
        let overlaps = |contact: &Contact| {
            contact.overlaps([slot, contact.slot as usize].map(|slot| to[slot]))
        };
        self.contacts.iter().any(overlaps)
    }
}

impl Contact {
    /// Returns whether the two agents overlap too deeply at these places.
    fn overlaps(&self, [own, other]: [Vec2; 2]) -> bool {
        self.reach - own.distance(other) > self.deepest
    }
}

/// Makes agents stay where they were until the agent of `slot` overlaps no other one too deeply. Adds those that stay to
/// `waiting`.
fn stop(slot: usize, spaced: &[SpacedAgent], to: &mut [Vec2], waiting: &mut Vec<usize>) {
    for contact in &spaced[slot].contacts {
        let pair = [slot, contact.slot as usize];
        let places = pair.map(|slot| to[slot]);
        if !contact.overlaps(places) {
            continue;
        }
        let from = pair.map(|slot| spaced[slot].from);
        let (one_stays, other_stays) = ([from[0], places[1]], [places[0], from[1]]);
        // Preferably, the agent stays that moves faster toward the other one.
        let away = from[1] - from[0];
        let is_other_faster = (from[1] - places[1]).dot(away) > (places[0] - from[0]).dot(away);
        let results = if is_other_faster {
            [other_stays, one_stays, from]
        } else {
            [one_stays, other_stays, from]
        };
        let result = results.into_iter().find(|&result| !contact.overlaps(result)).unwrap_or(from);
        for (slot, (before, after)) in pair.into_iter().zip(places.into_iter().zip(result)) {
            if before != after {
                to[slot] = after;
                waiting.push(slot);
            }
        }
    }
}

/// Returns the share of an overlap that the first of two agents removes.
fn share([own, other]: [(usize, &Mover); 2]) -> f32 {
    let [priority, other_priority] =
        [own.1, other.1].map(|mover| mover.priority.unwrap_or_default());
    if (priority - other_priority).abs() > 0.0 {
        return other_priority / (priority + other_priority);
    }
    // Agents at their target make room for those that walk.
    let [speed, other_speed] = [own.1, other.1].map(|mover| mover.desired_velocity.length());
    if speed < STANDING * other_speed {
        return 1.0 - LITTLE;
    } else if other_speed < STANDING * speed {
        return LITTLE;
    }
    match RightOfWay::between([own, other]) {
        RightOfWay::Shared => 0.5,
        RightOfWay::Own => LITTLE,
        RightOfWay::Other => 1.0 - LITTLE,
    }
}
