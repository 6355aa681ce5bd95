//! A crowd and the order of its update.

use std::array;

use glam::Vec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    Agent, AgentId, AgentParams, AvoidanceParams, CrowdError, CrowdParams, TargetState,
    avoidance::{Avoidance, VelocitySample},
    epoch::Epochs,
    memory::{AgentPlace, Body, Memory, SteeredAgent, is_quick_work_for_many, is_work_for_many},
    motion,
    path_queue::{MAX_NODES, PathQueue},
    planning,
    proximity::{NearbyAgent, ProximityCell, ProximityGrid},
    spacing::{OtherAgents, Spacing},
    steering,
    world::{Surroundings, World},
};
use crate::{
    navmesh::NavMesh,
    query::{Filter, MeshPoint, NearestRequest, SlicedPath, nearest},
};

/// Number of times that agents are moved apart in an update.
const N_RESOLVES: usize = 4;
/// Maximum average number of cells of the proximity grid per agent.
const CELLS_PER_AGENT: usize = 4;

/// Agents that walk on a navmesh, follow their paths and avoid each other.
///
/// Results are those of the C++ library `DetourCrowd` to the last bit, on any number of threads.
///
/// Source: `dtCrowd`. Differs: memory and time depend on the number of agents and not on the maximum, which may exceed
/// 16,383.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "SavedCrowd")]
pub struct Crowd {
    params: CrowdParams,
    avoidance: [AvoidanceParams; AgentParams::N_AVOIDANCE],
    filters: Box<[Filter; AgentParams::N_FILTERS]>,
    /// The agents, by slot. Slots of removed agents are reused.
    agents: Vec<Agent>,
    /// All slots before this one are in use.
    #[serde(skip)]
    n_full: usize,
    queue: PathQueue,
    #[serde(skip)]
    epochs: Epochs,
    #[serde(skip)]
    memory: Memory,
    #[serde(skip)]
    spacing: Spacing,
}

/// A deserialized crowd before it is checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedCrowd {
    params: CrowdParams,
    avoidance: [AvoidanceParams; AgentParams::N_AVOIDANCE],
    filters: Box<[Filter; AgentParams::N_FILTERS]>,
    agents: Vec<Agent>,
    queue: PathQueue,
}

impl TryFrom<SavedCrowd> for Crowd {
    type Error = String;

    fn try_from(saved: SavedCrowd) -> Result<Self, String> {
        let SavedCrowd { params, avoidance, filters, agents, queue } = saved;
        let empty = Self::new(params).map_err(|error| error.to_string())?;
        if agents.len() > params.max_agents {
            return Err(format!("there are {} agents, more than allowed", agents.len()));
        }
        for (number, agent) in agents.iter().enumerate() {
            agent.params.check().map_err(|error| format!("agent {number}: {error}"))?;
            if agent.corridor.as_ref().is_some_and(|corridor| corridor.polys().is_empty()) {
                return Err(format!("agent {number}: its corridor is empty"));
            }
        }
        if !queue.is_sound() {
            return Err("the search for a path names nodes that it does not have".to_owned());
        }
        Ok(Self { avoidance, filters, agents, queue, ..empty })
    }
}

impl Crowd {
    /// Maximum number of nodes of a path search.
    pub const MAX_NODES: usize = MAX_NODES;

    /// Creates a crowd without agents. Its first four avoidance settings are [`AvoidanceParams::PRESETS`]; its filters
    /// include all polygons with flags.
    ///
    /// # Errors
    /// Returns a [`CrowdError`] if the largest radius is not positive.
    pub fn new(params: CrowdParams) -> Result<Self, CrowdError> {
        let value = params.max_agent_radius;
        if !value.is_finite() || value <= 0.0 {
            return Err(CrowdError::BadNumber { what: "largest radius", value });
        }
        let preset = |index| AvoidanceParams::PRESETS.get(index).copied().unwrap_or_default();
        Ok(Self {
            params,
            avoidance: array::from_fn(preset),
            filters: Box::new(array::from_fn(|_| Filter::default())),
            agents: Vec::new(),
            n_full: 0,
            queue: PathQueue::default(),
            epochs: Epochs::default(),
            memory: Memory::default(),
            spacing: Spacing::default(),
        })
    }

    /// Returns the parameters of the crowd.
    pub fn params(&self) -> &CrowdParams {
        &self.params
    }

    /// Returns the avoidance settings, by the index in [`AgentParams`].
    pub fn avoidance(&self) -> &[AvoidanceParams; AgentParams::N_AVOIDANCE] {
        &self.avoidance
    }

    /// Returns the avoidance settings, to change them.
    pub fn avoidance_mut(&mut self) -> &mut [AvoidanceParams; AgentParams::N_AVOIDANCE] {
        &mut self.avoidance
    }

    /// Returns the filters, by the index in [`AgentParams`].
    pub fn filters(&self) -> &[Filter; AgentParams::N_FILTERS] {
        &self.filters
    }

    /// Returns the filters, to change them.
    pub fn filters_mut(&mut self) -> &mut [Filter; AgentParams::N_FILTERS] {
        &mut self.filters
    }

    /// Returns the half-extents of the box in which the crowd searches for the polygon nearest to a point, in meters.
    pub fn query_half_extents(&self) -> Vec3 {
        let radius = self.params.max_agent_radius;
        Vec3::new(radius * 2.0, radius * 1.5, radius * 2.0)
    }

    /// Adds an agent at the point on the navmesh nearest to `position`. If no polygon is near, the agent is added at
    /// `position`, but is [`Invalid`](super::AgentState::Invalid).
    ///
    /// # Errors
    /// Returns a [`CrowdError`] if the crowd is full, a parameter is not valid or the position is not finite.
    ///
    /// Source: `dtCrowd::addAgent`. As in Detour, if the slot is that of an agent that was removed on an off-mesh link,
    /// the new agent continues along this link.
    pub fn add_agent(
        &mut self,
        mesh: &NavMesh,
        position: Vec3,
        params: AgentParams,
    ) -> Result<AgentId, CrowdError> {
        params.check()?;
        let slot = self.first_free();
        let max_agents = self.params.max_agents;
        let number = u32::try_from(slot).ok().filter(|_| slot < max_agents);
        let id = AgentId(number.ok_or(CrowdError::Full { max_agents })?);
        let filter = &self.filters[usize::from(params.filter)];
        let half_extents = self.query_half_extents();
        let on = nearest(mesh, &NearestRequest { center: position, half_extents, filter });
        let on = on.map_err(|_not_finite| CrowdError::BadNumber {
            what: "position of an agent",
            value: position.to_array().into_iter().find(|x| !x.is_finite()).unwrap_or(position.x),
        })?;
        let agent = Agent::new(params, position, on);
        match self.agents.get_mut(slot) {
            Some(old) => *old = Agent { traversal: old.traversal, ..agent },
            None => self.agents.push(agent),
        }
        self.n_full = slot + 1;
        Ok(id)
    }

    /// Returns the first slot that is not in use.
    fn first_free(&self) -> usize {
        let rest = self.agents.iter().skip(self.n_full);
        self.n_full + rest.take_while(|agent| agent.is_active).count()
    }

    /// Removes an agent. Returns whether it existed.
    pub fn remove_agent(&mut self, id: AgentId) -> bool {
        let is_there = self.agent_mut(id).map(|agent| agent.is_active = false).is_ok();
        if is_there {
            self.n_full = self.n_full.min(id.slot());
        }
        is_there
    }

    /// Returns an agent; `None` if it does not exist.
    pub fn agent(&self, id: AgentId) -> Option<&Agent> {
        self.agents.get(id.slot()).filter(|agent| agent.is_active)
    }

    /// Returns all agents, by id.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, &Agent)> {
        (0..).map(AgentId).zip(&self.agents).filter(|(_, agent)| agent.is_active)
    }

    /// Returns the cells of the grid in which agents find each other that contain agents at their current positions,
    /// row by row. The grid is filled for this call.
    pub fn proximity_cells(&self) -> Vec<ProximityCell> {
        let mut grid = ProximityGrid::default();
        fill_grid(&mut grid, &self.params, &self.agents.iter().map(Body::of).collect::<Vec<_>>());
        grid.cells()
    }

    /// Returns the queued search that expands polygons, or the last one if none is running; `None` if there was none.
    pub fn queued_search(&self) -> Option<&SlicedPath> {
        self.queue.search()
    }

    fn agent_mut(&mut self, id: AgentId) -> Result<&mut Agent, CrowdError> {
        let agent = self.agents.get_mut(id.slot()).filter(|agent| agent.is_active);
        agent.ok_or(CrowdError::NoAgent { agent: id })
    }

    /// Sets the parameters of an agent.
    ///
    /// # Errors
    /// Returns a [`CrowdError`] if the agent does not exist or a parameter is not valid.
    pub fn set_params(&mut self, id: AgentId, params: AgentParams) -> Result<(), CrowdError> {
        params.check()?;
        self.agent_mut(id)?.params = params;
        Ok(())
    }

    /// Sets the target of an agent: a point on the navmesh, such as a result of [`nearest`]. The next update searches
    /// for the path.
    ///
    /// # Errors
    /// Returns a [`CrowdError`] if the agent does not exist.
    ///
    /// Source: `dtCrowd::requestMoveTarget`.
    pub fn set_target(&mut self, id: AgentId, target: MeshPoint) -> Result<(), CrowdError> {
        let agent = self.agent_mut(id)?;
        agent.target.poly = Some(target.poly);
        agent.target.point = target.point;
        agent.target.is_replan = false;
        agent.target.request();
        Ok(())
    }

    /// Makes an agent keep a velocity, as far as obstacles and the navmesh allow.
    ///
    /// # Errors
    /// Returns a [`CrowdError`] if the agent does not exist or the velocity is not finite.
    ///
    /// Source: `dtCrowd::requestMoveVelocity`.
    pub fn set_velocity(&mut self, id: AgentId, velocity: Vec3) -> Result<(), CrowdError> {
        let target = &mut self.agent_mut(id)?.target;
        if !velocity.is_finite() {
            let value = velocity.element_sum();
            return Err(CrowdError::BadNumber { what: "velocity", value });
        }
        target.poly = None;
        target.point = velocity;
        target.is_replan = false;
        target.request = None;
        target.state = TargetState::Velocity;
        Ok(())
    }

    /// Removes the target of an agent, which stops.
    ///
    /// # Errors
    /// Returns a [`CrowdError`] if the agent does not exist.
    ///
    /// Source: `dtCrowd::resetMoveTarget`.
    pub fn reset_target(&mut self, id: AgentId) -> Result<(), CrowdError> {
        let agent = self.agent_mut(id)?;
        agent.desired_velocity = Vec3::ZERO;
        agent.target.poly = None;
        agent.target.point = Vec3::ZERO;
        agent.target.is_replan = false;
        agent.target.request = None;
        agent.target.state = TargetState::None;
        Ok(())
    }

    /// Moves all agents by a time step of `seconds`. Tiles may have been added and removed since the last update. Does
    /// nothing if `seconds` is negative or not finite.
    ///
    /// Source: `dtCrowd::update`.
    pub fn update(&mut self, mesh: &NavMesh, seconds: f32) {
        self.advance(mesh, seconds, None);
    }

    /// Like [`update`](Self::update), with the same positions; also returns the velocities that `agent` considered to
    /// avoid others. Returns none if the agent does not exist, is on an off-mesh link or not on the navmesh, or does
    /// not sample velocities.
    pub fn update_with_samples(
        &mut self,
        mesh: &NavMesh,
        seconds: f32,
        agent: AgentId,
    ) -> Vec<VelocitySample> {
        self.advance(mesh, seconds, Some(agent))
    }

    /// Moves all agents; returns the velocities that `observed` considered.
    fn advance(
        &mut self,
        mesh: &NavMesh,
        seconds: f32,
        observed: Option<AgentId>,
    ) -> Vec<VelocitySample> {
        if !seconds.is_finite() || seconds < 0.0 {
            return Vec::new();
        }
        if is_work_for_many(self.agents.len()) {
            // A thread outside of the pool enters it once, not for each step of the update.
            rayon::scope(|_| self.advance_in_steps(mesh, seconds, observed))
        } else {
            self.advance_in_steps(mesh, seconds, observed)
        }
    }

    fn advance_in_steps(
        &mut self,
        mesh: &NavMesh,
        seconds: f32,
        observed: Option<AgentId>,
    ) -> Vec<VelocitySample> {
        let half_extents = self.query_half_extents();
        let Self { params, avoidance, filters, agents, queue, epochs, memory, spacing, .. } = self;
        let avoidance = avoidance.each_ref().map(Avoidance::new);
        let epoch = epochs.of(mesh, filters);
        let world = World { mesh, filters, avoidance: &avoidance, half_extents, seconds, epoch };
        memory.threads.prepare(agents.len());
        memory.threads.on_each(agents, &mut memory.bodies, |slot, agent, body, scratch| {
            planning::check_path(agent, &world);
            planning::find_beginning(agent, &world, scratch);
            planning::note_serial_work(slot, agent, &world, &mut scratch.serial_work);
            *body = Body::of(agent);
        });
        let Memory { bodies, steered, places, grid, threads, .. } = memory;
        let mut find_paths = || {
            if let Some(scratch) = threads.gather() {
                planning::find_long_paths(agents, queue, &world, scratch);
                planning::optimize_topology(agents, &world, scratch);
            }
        };
        let mut fill_grid = || fill_grid(grid, params, bodies);
        if is_quick_work_for_many(bodies.len()) {
            rayon::join(find_paths, fill_grid);
        } else {
            find_paths();
            fill_grid();
        }
        let around = Surroundings { grid, bodies };
        threads.on_each(agents, steered, |slot, agent, steered, scratch| {
            steering::steer(slot, agent, (&world, &around), scratch);
            *steered = SteeredAgent::of((slot, agent), bodies, &avoidance);
        });
        let others: &[SteeredAgent] = steered;
        let observed =
            observed.and_then(|id| agents.get(id.slot())).filter(|agent| agent.is_active);
        let samples = observed.map(|agent| motion::samples(agent, others, &world));
        threads.on_each(agents, places, |slot, agent, place, scratch| {
            motion::advance(slot, agent, others, &world, scratch);
            *place = AgentPlace { position: agent.position, is_new: true };
        });
        memory.resolve_overlaps();
        let Memory { places, threads, bodies, steered, grid, .. } = memory;
        let around = OtherAgents { grid, bodies, steered };
        spacing.keep_apart((agents, places), &around, &world, threads);
        let spacing = &*spacing;
        threads.on_each(agents, places, |slot, agent, place, scratch| {
            spacing.note_progress((slot, agent), steered, seconds);
            motion::settle(agent, place.position, &world, scratch);
        });
        samples.unwrap_or_default()
    }
}

/// Fills the proximity grid with the active agents.
fn fill_grid(grid: &mut ProximityGrid, params: &CrowdParams, bodies: &[Body]) {
    let active = (0..).zip(bodies).filter(|(_, body)| body.is_active);
    let places = active.map(|(agent, body)| {
        let Body { position, radius, height, .. } = *body;
        (NearbyAgent { agent, position, height }, radius)
    });
    let max_items = params.max_agents.saturating_mul(CELLS_PER_AGENT);
    grid.fill(params.max_agent_radius * 3.0, max_items, places);
}

impl Memory {
    /// Moves agents apart that overlap.
    fn resolve_overlaps(&mut self) {
        let Self { steered, places, next_places, .. } = self;
        next_places.clone_from(places);
        for _ in 0..N_RESOLVES {
            let given = |(slot, next): (usize, &mut AgentPlace)| {
                *next = motion::give_way(slot, &steered[slot].contacts, places);
            };
            if is_quick_work_for_many(places.len()) {
                next_places.par_iter_mut().enumerate().with_min_len(64).for_each(given);
            } else {
                next_places.iter_mut().enumerate().for_each(given);
            }
            std::mem::swap(places, next_places);
        }
    }
}
