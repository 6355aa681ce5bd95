//! Memory that a crowd reuses between updates.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use arrayvec::ArrayVec;
use glam::Vec3;
use rayon::prelude::*;

use super::{
    Agent, AgentParams, AgentState, UpdateFlags,
    agent::MAX_NEIGHBORS,
    avoidance::{Avoidance, Pattern},
    boundary::WallScratch,
    proximity::ProximityGrid,
};
use crate::{
    navmesh::PolyRef,
    query::{PathPoint, Scratch, SlicedPath},
};

/// Minimum number of agents for more than one thread.
const MANY: usize = 128;
/// Number of agents per task of a thread.
const BATCH: usize = 16;

/// The state of an agent that others use.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) position: Vec3,
    pub(super) radius: f32,
    pub(super) height: f32,
    pub(super) velocity: Vec3,
    /// Its priority if it avoids others by the reciprocal method or by sampling; `None` if it does not avoid others.
    pub(super) priority: Option<f32>,
}

impl Body {
    pub(super) fn of(agent: &Agent, avoidance: &[Avoidance; AgentParams::N_AVOIDANCE]) -> Self {
        let avoids = agent.state == AgentState::Walking
            && agent.params.update_flags.has(UpdateFlags::OBSTACLE_AVOIDANCE);
        let priority = avoidance[usize::from(agent.params.avoidance)].params().priority;
        Self {
            position: agent.position,
            radius: agent.params.radius,
            height: agent.params.height,
            velocity: agent.velocity,
            priority: avoids.then_some(priority.max(0.0)),
        }
    }
}

/// What an agent wants, and whom it may touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Steered {
    pub(super) desired_velocity: Vec3,
    pub(super) radius: f32,
    /// Slots of its neighbors; empty if it does not walk.
    pub(super) neighbors: ArrayVec<u32, MAX_NEIGHBORS>,
}

impl Steered {
    pub(super) fn of(agent: &Agent) -> Self {
        let is_walking = agent.state == AgentState::Walking;
        let neighbors = agent.neighbors.iter().filter(|_| is_walking);
        Self {
            desired_velocity: agent.desired_velocity,
            radius: agent.params.radius,
            neighbors: neighbors.map(|neighbor| neighbor.agent.0).collect(),
        }
    }
}

/// The position of an agent while agents are moved apart.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) position: Vec3,
    /// Whether it has just changed.
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
    pub(super) corners: Vec<PathPoint>,
    pub(super) walls: WallScratch,
    pub(super) pattern: Pattern,
}

/// Memory for an update. Lists are by slot.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) bodies: Vec<Body>,
    pub(super) steered: Vec<Steered>,
    pub(super) places: Vec<Place>,
    pub(super) next_places: Vec<Place>,
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
    /// Creates the memory for each thread of the pool.
    pub(super) fn prepare(&mut self) {
        let n = rayon::current_num_threads().max(1);
        if self.0.len() < n {
            self.0.resize_with(n, Mutex::default);
        }
    }

    /// Returns the memory for work on one thread.
    pub(super) fn first(&mut self) -> Option<&mut AgentScratch> {
        self.0.first_mut().map(|scratch| scratch.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// Calls `work` for each active agent with its slot and its entry of `results`, on all threads if there are many
    /// agents. The work on an agent does not depend on the work on others. Entries of inactive agents stay unchanged.
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
