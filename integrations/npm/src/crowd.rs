//! Agents that walk and avoid one another.

use js_sys::Error;
use walkable_runtime::crowd::{self, AgentId, AgentParams, AgentState, CrowdParams};
use wasm_bindgen::prelude::*;

use crate::{
    filter::Filter,
    navmesh::{NavMesh, NavmeshPoint},
    to_error, vec3,
};

/// A crowd, as that of Detour.
#[wasm_bindgen]
pub struct Crowd(crowd::Crowd);

#[wasm_bindgen]
impl Crowd {
    /// Creates a crowd of at most `maxAgents` agents with at most this radius, in meters.
    #[wasm_bindgen(constructor)]
    pub fn new(max_agents: usize, max_agent_radius: f32) -> Result<Self, Error> {
        let crowd = crowd::Crowd::new(CrowdParams { max_agents, max_agent_radius });
        Ok(Self(crowd.map_err(|error| to_error(&error))?))
    }

    /// Adds an agent at the place nearest to `position`. Returns its id, which is reused after the agent is removed.
    #[wasm_bindgen(js_name = addAgent)]
    pub fn add_agent(
        &mut self,
        mesh: &NavMesh,
        position: &[f32],
        params: &AgentOptions,
    ) -> Result<u32, Error> {
        let id = self.0.add_agent(&mesh.mesh, vec3("position", position)?, params.0);
        Ok(id.map_err(|error| to_error(&error))?.0)
    }

    /// Removes an agent. Returns whether it existed.
    #[wasm_bindgen(js_name = removeAgent)]
    pub fn remove_agent(&mut self, id: u32) -> bool {
        self.0.remove_agent(AgentId(id))
    }

    /// Sets the place that an agent walks to.
    #[wasm_bindgen(js_name = setTarget)]
    pub fn set_target(&mut self, id: u32, target: &NavmeshPoint) -> Result<(), Error> {
        self.0.set_target(AgentId(id), target.0).map_err(|error| to_error(&error))
    }

    /// Makes an agent walk with this velocity, in meters per second.
    #[wasm_bindgen(js_name = setVelocity)]
    pub fn set_velocity(&mut self, id: u32, velocity: &[f32]) -> Result<(), Error> {
        let velocity = vec3("velocity", velocity)?;
        self.0.set_velocity(AgentId(id), velocity).map_err(|error| to_error(&error))
    }

    /// Stops an agent.
    #[wasm_bindgen(js_name = resetTarget)]
    pub fn reset_target(&mut self, id: u32) -> Result<(), Error> {
        self.0.reset_target(AgentId(id)).map_err(|error| to_error(&error))
    }

    /// Sets the filter with this index, from 0 to 15. Agents use filter 0.
    #[wasm_bindgen(js_name = setFilter)]
    pub fn set_filter(&mut self, index: usize, filter: &Filter) -> Result<(), Error> {
        let filters = self.0.filters_mut();
        let Some(slot) = filters.get_mut(index) else {
            let text = format!("there is no filter {index}; filters are 0 to 15");
            return Err(Error::new(&text));
        };
        slot.clone_from(&filter.0);
        Ok(())
    }

    /// Moves all agents by this time, in seconds. Equal calls have equal results on every machine.
    pub fn update(&mut self, mesh: &NavMesh, seconds: f32) {
        self.0.update(&mesh.mesh, seconds);
    }

    /// Returns the ids of all agents, ascending.
    pub fn agents(&self) -> Vec<u32> {
        self.0.agents().map(|(id, _)| id.0).collect()
    }

    /// Returns the positions of all agents, three numbers for each, in the order of `agents()`.
    pub fn positions(&self) -> Vec<f32> {
        self.0.agents().flat_map(|(_, agent)| agent.position().to_array()).collect()
    }

    /// Returns the velocities of all agents, three numbers for each, in the order of `agents()`.
    pub fn velocities(&self) -> Vec<f32> {
        self.0.agents().flat_map(|(_, agent)| agent.velocity().to_array()).collect()
    }

    /// Returns what an agent does: `walking`, `off-mesh` (on an off-mesh link) or `invalid` (off the navmesh);
    /// `undefined` if there is no such agent.
    pub fn state(&self, id: u32) -> Option<String> {
        let name = match self.0.agent(AgentId(id))?.state() {
            AgentState::Walking => "walking",
            AgentState::OffMesh => "off-mesh",
            AgentState::Invalid => "invalid",
        };
        Some(name.to_owned())
    }
}

/// Size and speed of an agent.
#[wasm_bindgen]
pub struct AgentOptions(AgentParams);

#[wasm_bindgen]
impl AgentOptions {
    /// An agent of this size that walks 3.5 m/s, avoids others and optimizes its path.
    #[wasm_bindgen(constructor)]
    pub fn new(radius: f32, height: f32) -> Self {
        Self(AgentParams::of_size(radius, height))
    }

    /// Maximum speed, in meters per second.
    #[wasm_bindgen(getter, js_name = maxSpeed)]
    pub fn max_speed(&self) -> f32 {
        self.0.max_speed
    }

    #[wasm_bindgen(setter, js_name = maxSpeed)]
    pub fn set_max_speed(&mut self, speed: f32) {
        self.0.max_speed = speed;
    }

    /// Maximum acceleration, in meters per second squared.
    #[wasm_bindgen(getter, js_name = maxAcceleration)]
    pub fn max_acceleration(&self) -> f32 {
        self.0.max_acceleration
    }

    #[wasm_bindgen(setter, js_name = maxAcceleration)]
    pub fn set_max_acceleration(&mut self, acceleration: f32) {
        self.0.max_acceleration = acceleration;
    }
}
