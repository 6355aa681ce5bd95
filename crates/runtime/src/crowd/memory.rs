//! Memory that a crowd reuses between updates.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use glam::Vec3;
use rayon::prelude::*;

use super::{
    Agent, AgentParams, AgentState, AvoidanceMethod, CrowdNeighbor, UpdateFlags,
    agent::MAX_NEIGHBORS,
    avoidance::{Avoidance, Obstacles, Pattern},
    boundary::WallScratch,
    mover::{Mover, PathAhead},
    proximity::ProximityGrid,
};
use crate::{
    navmesh::PolyRef,
    query::{PathPoint, Scratch, SlicedPath, SurfaceMove},
};

/// Minimum number of agents for more than one thread.
const MANY: usize = 128;
/// Like [`MANY`], for work that only compares an agent's position with those of its neighbors.
const MANY_IF_QUICK: usize = 512;
/// Maximum number of polygons of a move.
const MAX_PASSED: usize = 64;
/// Number of agents per task of a thread.
const BATCH: usize = 16;

/// Position and size of an agent, by which others find it. The default is that of an inactive agent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) position: Vec3,
    pub(super) radius: f32,
    pub(super) height: f32,
    pub(super) is_active: bool,
}

impl Body {
    pub(super) fn of(agent: &Agent) -> Self {
        Self {
            position: agent.position,
            radius: agent.params.radius,
            height: agent.params.height,
            is_active: agent.is_active,
        }
    }
}

impl Mover {
    fn of(agent: &Agent, avoidance: &[Avoidance; AgentParams::N_AVOIDANCE]) -> Self {
        let params = avoidance[usize::from(agent.params.avoidance)].params();
        let avoids = agent.state == AgentState::Walking
            && agent.params.update_flags.has(UpdateFlags::OBSTACLE_AVOIDANCE);
        let is_reciprocal = avoids && params.method == AvoidanceMethod::Reciprocal;
        Self {
            position: agent.position,
            radius: agent.params.radius,
            velocity: agent.velocity,
            desired_velocity: agent.desired_velocity,
            priority: avoids.then_some(params.priority.max(0.0)),
            path_ahead: if is_reciprocal { PathAhead::of(agent) } else { PathAhead::default() },
        }
    }
}

/// The neighbors that an agent may overlap.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Contacts {
    /// Slots of the neighbors; the remaining entries are the agent's own slot.
    pub(super) slots: [u32; MAX_NEIGHBORS],
    /// The agent's radius plus that of each neighbor.
    pub(super) reaches: [f32; MAX_NEIGHBORS],
    /// Number of neighbors; 0 if the agent does not walk.
    pub(super) n: u32,
    /// Desired velocity, along x and z.
    pub(super) desired_velocity: [f32; 2],
}

impl Contacts {
    fn of((slot, agent): (usize, &Agent), bodies: &[Body]) -> Self {
        let Vec3 { x, z, .. } = agent.desired_velocity;
        let mut contacts = Self {
            slots: [u32::try_from(slot).unwrap_or(u32::MAX); MAX_NEIGHBORS],
            reaches: [0.0; MAX_NEIGHBORS],
            n: 0,
            desired_velocity: [x, z],
        };
        if agent.state == AgentState::Walking {
            let own = agent.params.radius;
            let places = contacts.slots.iter_mut().zip(&mut contacts.reaches);
            for (CrowdNeighbor { agent, .. }, (slot, reach)) in agent.neighbors.iter().zip(places) {
                *slot = agent.0;
                *reach = own + bodies[agent.slot()].radius;
                contacts.n += 1;
            }
        }
        contacts
    }
}

/// The state of an agent after it has chosen where to go.
#[derive(Clone, Debug, Default)]
pub(super) struct SteeredAgent {
    pub(super) mover: Mover,
    pub(super) contacts: Contacts,
}

impl SteeredAgent {
    pub(super) fn of(
        (slot, agent): (usize, &Agent),
        bodies: &[Body],
        avoidance: &[Avoidance; AgentParams::N_AVOIDANCE],
    ) -> Self {
        Self { mover: Mover::of(agent, avoidance), contacts: Contacts::of((slot, agent), bodies) }
    }
}

/// The position of an agent while agents are moved apart.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AgentPlace {
    pub(super) position: Vec3,
    /// Whether the position has just changed.
    pub(super) is_new: bool,
}

/// Memory for the work on one agent.
#[derive(Debug, Default)]
pub(super) struct AgentScratch {
    pub(super) query: Scratch,
    pub(super) search: Option<SlicedPath>,
    pub(super) path: Vec<PolyRef>,
    /// Polygons of a move or a ray.
    pub(super) passed: Vec<PolyRef>,
    pub(super) moved: SurfaceMove,
    pub(super) corners: Vec<PathPoint>,
    pub(super) walls: WallScratch,
    pub(super) obstacles: Obstacles,
    pub(super) pattern: Pattern,
    pub(super) serial_work: SerialWork,
}

/// The work left for a single thread after the parallel work on each agent, by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct SerialWork {
    /// Agents that want to queue a search.
    pub(super) to_queue: Vec<usize>,
    /// Agents that wait for the result of a search.
    pub(super) waiting: Vec<usize>,
    /// The agent whose corridor was not optimized for the longest time, and this time in seconds; among equals the one
    /// with the lowest slot.
    pub(super) topology: Option<(f32, usize)>,
}

impl SerialWork {
    fn clear(&mut self) {
        self.to_queue.clear();
        self.waiting.clear();
        self.topology = None;
    }

    /// Adds an agent whose corridor was not optimized for some time.
    pub(super) fn add_topology(&mut self, time: f32, slot: usize) {
        let is_first =
            |&(other, before): &(f32, usize)| time > other || (time >= other && slot < before);
        if self.topology.as_ref().is_none_or(is_first) {
            self.topology = Some((time, slot));
        }
    }

    /// Appends the entries that another thread has collected.
    fn append(&mut self, other: &mut Self) {
        self.to_queue.append(&mut other.to_queue);
        self.waiting.append(&mut other.waiting);
        if let Some((time, slot)) = other.topology.take() {
            self.add_topology(time, slot);
        }
    }
}

/// Memory for an update. Lists are by slot.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) bodies: Vec<Body>,
    pub(super) steered: Vec<SteeredAgent>,
    pub(super) places: Vec<AgentPlace>,
    pub(super) next_places: Vec<AgentPlace>,
    pub(super) grid: ProximityGrid,
    pub(super) threads: Threads,
}

/// A copy is empty.
impl Clone for Memory {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

/// The memory of each thread.
#[derive(Default)]
pub(super) struct Threads(Vec<Mutex<AgentScratch>>);

impl Threads {
    /// Prepares the memory of each thread of the pool for an update of `n_agents` agents.
    pub(super) fn prepare(&mut self, n_agents: usize) {
        let n = rayon::current_num_threads().max(1);
        if self.0.len() < n {
            self.0.resize_with(n, Mutex::default);
        }
        for scratch in &mut self.0 {
            let AgentScratch { serial_work, moved, .. } =
                scratch.get_mut().unwrap_or_else(PoisonError::into_inner);
            serial_work.clear();
            serial_work.to_queue.reserve(n_agents);
            moved.visited.clear();
            moved.visited.reserve(MAX_PASSED);
        }
    }

    /// Returns the memory for work on one thread, with what remains to be done for agents according to all threads,
    /// sorted by slot.
    pub(super) fn gather(&mut self) -> Option<&mut AgentScratch> {
        let (first, others) = self.0.split_first_mut()?;
        let first = first.get_mut().unwrap_or_else(PoisonError::into_inner);
        for other in others {
            let other = other.get_mut().unwrap_or_else(PoisonError::into_inner);
            first.serial_work.append(&mut other.serial_work);
        }
        first.serial_work.to_queue.sort_unstable();
        first.serial_work.waiting.sort_unstable();
        Some(first)
    }

    /// Calls `work` for each active agent with its slot and its entry of `results`, on all threads if there are many
    /// agents. The work on an agent does not depend on the work on others. Entries of inactive agents are reset.
    pub(super) fn on_each<T: Default + Send>(
        &self,
        agents: &mut [Agent],
        results: &mut Vec<T>,
        work: impl Fn(usize, &mut Agent, &mut T, &mut AgentScratch) + Sync,
    ) {
        results.resize_with(agents.len(), T::default);
        let on_batch = |first: usize, batch: &mut [Agent], results: &mut [T]| {
            let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len().max(1);
            let Some(scratch) = self.0.get(thread) else { return };
            let mut scratch = scratch.lock().unwrap_or_else(PoisonError::into_inner);
            for (slot, (agent, result)) in (first..).zip(batch.iter_mut().zip(results)) {
                if agent.is_active {
                    work(slot, agent, result, &mut scratch);
                } else {
                    *result = T::default();
                }
            }
        };
        if is_work_for_many(agents.len()) {
            let batches = agents.par_chunks_mut(BATCH).zip(results.par_chunks_mut(BATCH));
            let batches = batches.enumerate();
            batches.for_each(|(batch, (agents, results))| on_batch(batch * BATCH, agents, results));
        } else {
            on_batch(0, agents, results);
        }
    }
}

/// Returns whether work on `n_agents` agents uses more than one thread.
pub(super) fn is_work_for_many(n_agents: usize) -> bool {
    n_agents >= MANY && rayon::current_num_threads() > 1
}

/// Like [`is_work_for_many`], for work that only compares an agent's position with those of its neighbors.
pub(super) fn is_quick_work_for_many(n_agents: usize) -> bool {
    n_agents >= MANY_IF_QUICK && is_work_for_many(n_agents)
}
