//! Checks the paths of agents, and finds new ones.

use arrayvec::ArrayVec;
use glam::Vec3;

use super::{
    Agent, AgentState, TargetState, UpdateFlags,
    epoch::Checked,
    memory::{AgentScratch, SerialWork},
    path_queue::{MAX_PATH, PathQueue, RequestState},
    search,
    world::World,
};
use crate::{
    navmesh::PolyRef,
    query::{MeshPoint, NearestRequest, PathCorridor, closest_point, is_usable, nearest},
};

/// Number of polygons ahead of an agent that must be valid.
const LOOK_AHEAD: usize = 10;
/// Time between two attempts to find a path that ends nearer to the target, in seconds.
const REPLAN_DELAY: f32 = 1.0;
/// Time between two attempts to shorten a corridor, in seconds.
const TOPOLOGY_DELAY: f32 = 0.5;
/// Maximum number of agents that queue for a search in an update.
const MAX_QUEUED: usize = 8;
/// Maximum number of polygons that queued searches expand in an update.
const SEARCH_BUDGET: usize = 100;

/// Checks whether an agent and its target are still on the navmesh and its path is valid. If not, requests a new path.
///
/// Source: `dtCrowd::checkPathValidity`.
pub(super) fn check_path(agent: &mut Agent, world: &World<'_>) {
    let checked = world.checked_for(agent);
    if agent.corridor_checked != checked {
        agent.corridor_checked = Checked::default();
    }
    if agent.state != AgentState::Walking {
        return;
    }
    agent.replan_time += world.seconds;
    let (mesh, filter) = (world.mesh, world.filter_of(agent));
    // A point that is not finite has no polygon nearby.
    let near = |center: Vec3| {
        let half_extents = world.half_extents;
        nearest(mesh, &NearestRequest { center, half_extents, filter }).ok().flatten()
    };
    let is_known = agent.corridor_checked == checked;
    let first = agent.corridor.as_ref().map(PathCorridor::first);
    let first = first.filter(|&first| is_known || is_usable(mesh, first, filter));
    let mut replans = first.is_none();
    let on = match first {
        Some(poly) => MeshPoint { poly, point: agent.position },
        None => match near(agent.position) {
            Some(on) => {
                set_down(agent, on);
                on
            }
            None => return agent.lose_ground(),
        },
    };
    if !agent.target.is_place() {
        return;
    }
    if agent.target.state != TargetState::Failed {
        if !agent.target.poly.is_some_and(|poly| is_usable(mesh, poly, filter)) {
            let found = near(agent.target.point);
            agent.target.poly = found.map(|found| found.poly);
            agent.target.point = found.map_or(agent.target.point, |found| found.point);
            replans = true;
        }
        if agent.target.poly.is_none() {
            agent.stay_at(on);
            agent.target.state = TargetState::None;
            return;
        }
    }
    let Some(corridor) = &agent.corridor else { return };
    if agent.corridor_checked != checked {
        replans |= !corridor.is_usable(mesh, LOOK_AHEAD, filter);
        if corridor.is_usable(mesh, usize::MAX, filter) {
            // Polygons that are added to the corridor later are usable, too, except those added by `lead_on`.
            agent.corridor_checked = checked;
        }
    }
    // The end of the path is near, but not the target.
    replans |= agent.target.state == TargetState::Valid
        && agent.replan_time > REPLAN_DELAY
        && corridor.polys().len() < LOOK_AHEAD
        && Some(corridor.last()) != agent.target.poly;
    if replans {
        agent.target.is_replan = true;
        agent.target.request();
    }
}

/// Moves an agent to `on`, because its polygon does not exist any more.
fn set_down(agent: &mut Agent, on: MeshPoint) {
    match &mut agent.corridor {
        Some(corridor) => corridor.fix_start(on),
        None => agent.stay_at(on),
    }
    agent.boundary.clear();
    agent.position = on.point;
}

/// Finds the beginning of a requested path.
///
/// Source: the first part of `dtCrowd::updateMoveRequest`.
pub(super) fn find_beginning(agent: &mut Agent, world: &World<'_>, scratch: &mut AgentScratch) {
    let is_asked =
        agent.state != AgentState::Invalid && agent.target.state == TargetState::Requesting;
    let (Some(corridor), Some(target)) = (&mut agent.corridor, agent.target.poly) else { return };
    if !is_asked {
        return;
    }
    let filter = &world.filters[usize::from(agent.params.filter)];
    let ends = [
        MeshPoint { poly: corridor.first(), point: agent.position },
        MeshPoint { poly: target, point: agent.target.point },
    ];
    let existing = agent.target.is_replan.then(|| corridor.polys());
    let AgentScratch { search, path, .. } = scratch;
    let found = search::find_beginning(search, world.mesh, (ends, filter), existing, path);
    let end = found.and_then(|()| {
        let &last = path.last()?;
        let nearest = || closest_point(world.mesh, last, agent.target.point).ok();
        if last == target { Some(agent.target.point) } else { Some(nearest()?.point) }
    });
    if let Some(end) = end {
        corridor.set(end, path);
    } else {
        let first = corridor.first();
        corridor.set(agent.position, &[first]);
    }
    agent.boundary.clear();
    agent.is_partial = false;
    if corridor.last() == target {
        agent.target.state = TargetState::Valid;
        agent.replan_time = 0.0;
    } else {
        agent.target.state = TargetState::WaitingForQueue;
    }
}

/// Notes what remains to be done for an agent after the beginning of its path was found.
pub(super) fn note_serial_work(
    slot: usize,
    agent: &mut Agent,
    world: &World<'_>,
    serial_work: &mut SerialWork,
) {
    match agent.target.state {
        TargetState::WaitingForQueue if agent.state != AgentState::Invalid => {
            serial_work.to_queue.push(slot);
        }
        TargetState::WaitingForPath => serial_work.waiting.push(slot),
        TargetState::WaitingForQueue
        | TargetState::None
        | TargetState::Failed
        | TargetState::Valid
        | TargetState::Requesting
        | TargetState::Velocity => {}
    }
    let takes_part = agent.params.update_flags.has(UpdateFlags::OPTIMIZE_TOPOLOGY);
    if takes_part && agent.walks_to_place() {
        agent.topology_time += world.seconds;
        if agent.topology_time >= TOPOLOGY_DELAY {
            serial_work.add_topology(agent.topology_time, slot);
        }
    }
}

/// Queues searches for agents, continues the queued searches, and passes the results to the agents.
///
/// Source: the rest of `dtCrowd::updateMoveRequest`.
pub(super) fn find_long_paths(
    agents: &mut [Agent],
    queue: &mut PathQueue,
    world: &World<'_>,
    scratch: &mut AgentScratch,
) {
    let mut longest: Longest<MAX_QUEUED> = Longest::default();
    let AgentScratch { serial_work: SerialWork { to_queue, waiting, .. }, path, .. } = scratch;
    for &slot in &*to_queue {
        longest.add(agents[slot].replan_time, slot);
    }
    for &(_, slot) in &longest.list {
        let agent = &mut agents[slot];
        let (Some(corridor), Some(poly)) = (&agent.corridor, agent.target.poly) else { continue };
        let ends = [
            MeshPoint { poly: corridor.last(), point: corridor.target() },
            MeshPoint { poly, point: agent.target.point },
        ];
        agent.target.request = queue.request(ends, agent.params.filter);
        if agent.target.request.is_some() {
            agent.target.state = TargetState::WaitingForPath;
            waiting.push(slot);
        }
    }
    queue.update(world.mesh, world.filters, SEARCH_BUDGET);
    for &slot in &*waiting {
        take_result(&mut agents[slot], queue, world, path);
    }
}

/// Takes the result of an agent's search, if it is complete.
fn take_result(
    agent: &mut Agent,
    queue: &mut PathQueue,
    world: &World<'_>,
    path: &mut Vec<PolyRef>,
) {
    let request = agent.target.request;
    match request.map_or(RequestState::Failed, |request| queue.state(request)) {
        RequestState::Waiting | RequestState::Searching => {}
        RequestState::Failed => {
            // The search begins again if the target still exists.
            agent.target.request();
            agent.replan_time = 0.0;
        }
        RequestState::Done { is_partial } => {
            if let Some(request) = request {
                queue.take(request, path);
            }
            agent.is_partial = is_partial;
            let has_path = lead_on(agent, world, path).is_some();
            agent.target.state = if has_path { TargetState::Valid } else { TargetState::Failed };
            agent.replan_time = 0.0;
        }
    }
}

/// Extends the corridor of an agent by `path`, which begins at its end. Returns `None` if it does not, because the
/// agent has moved on since.
fn lead_on(agent: &mut Agent, world: &World<'_>, path: &mut Vec<PolyRef>) -> Option<()> {
    let corridor = agent.corridor.as_mut().filter(|_| agent.state != AgentState::Invalid)?;
    if *path.first()? != corridor.last() {
        return None;
    }
    let before = &corridor.polys()[..corridor.polys().len() - 1];
    if !before.is_empty() {
        path.splice(..0, before.iter().copied());
        path.truncate(MAX_PATH);
        cut_returns(path);
    }
    let &last = path.last()?;
    let end = if Some(last) == agent.target.poly {
        agent.target.point
    } else {
        closest_point(world.mesh, last, agent.target.point).ok()?.point
    };
    corridor.set(end, path);
    agent.corridor_checked = Checked::default();
    agent.boundary.clear();
    Some(())
}

/// Removes trackbacks from a path: polygons that are entered and left again by the same neighbor.
fn cut_returns(path: &mut Vec<PolyRef>) {
    let mut at = 1;
    while at + 1 < path.len() {
        if path[at - 1] == path[at + 1] {
            path.drain(at - 1..=at);
            at = at.saturating_sub(1).max(1);
        } else {
            at += 1;
        }
    }
}

/// Shortens the corridor of the agent that has waited longest for it.
///
/// Source: `dtCrowd::updateTopologyOptimization`.
pub(super) fn optimize_topology(
    agents: &mut [Agent],
    world: &World<'_>,
    scratch: &mut AgentScratch,
) {
    let Some((_, slot)) = scratch.serial_work.topology else { return };
    let agent = &mut agents[slot];
    let filter = world.filter_of(agent);
    if let Some(corridor) = &mut agent.corridor {
        // If an end of the corridor does not exist any more, the corridor is unchanged until the next check.
        let AgentScratch { search, passed, .. } = scratch;
        corridor
            .using(passed, |corridor| corridor.optimize_topology(world.mesh, filter, search).ok());
    }
    agent.topology_time = 0.0;
}

/// The agents with the longest waiting times, in descending order. Of equal ones, the last is first, but does not
/// replace others.
#[derive(Default)]
struct Longest<const N: usize> {
    list: ArrayVec<(f32, usize), N>,
}

impl<const N: usize> Longest<N> {
    fn add(&mut self, time: f32, slot: usize) {
        let is_last = self.list.last().is_none_or(|&(shortest, _)| time <= shortest);
        if is_last {
            // The list is full, and this time is the shortest.
            let _ = self.list.try_push((time, slot));
            return;
        }
        let place = self.list.iter().position(|&(other, _)| time >= other);
        if self.list.is_full() {
            self.list.pop();
        }
        let place = place.unwrap_or(self.list.len()).min(self.list.len());
        self.list.insert(place, (time, slot));
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;

    fn path(numbers: &[u64]) -> Vec<PolyRef> {
        numbers.iter().map(|&number| PolyRef(NonZeroU64::new(number).unwrap())).collect()
    }

    #[test]
    fn trackbacks_are_removed() {
        for (before, after) in [
            (&[1, 2, 3][..], &[1, 2, 3][..]),
            (&[1, 2, 1, 3], &[1, 3]),
            (&[1, 2, 3, 2, 1, 4], &[1, 4]),
            (&[1, 2, 1], &[1]),
            (&[5, 1, 2, 3, 2, 1, 2, 6], &[5, 1, 2, 6]),
        ] {
            let mut found = path(before);
            cut_returns(&mut found);
            assert_eq!(found, path(after), "{before:?}");
        }
    }

    #[test]
    fn the_agent_that_waits_longest_is_first() {
        let mut longest: Longest<3> = Longest::default();
        for (time, slot) in [(1.0, 0), (1.0, 1), (2.0, 2), (1.0, 3), (2.0, 4), (0.5, 5)] {
            longest.add(time, slot);
        }
        assert_eq!(longest.list[..], [(2.0, 4), (2.0, 2), (1.0, 0)]);
    }
}
