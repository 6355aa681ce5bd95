//! C++ `DetourCrowd`, with the state of its agents in plain Rust.

use glam::Vec3;
use recastnavigation_sys::{
    dtAllocCrowd, dtCrowd, dtCrowd_addAgent, dtCrowd_getAgent, dtCrowd_init, dtCrowd_removeAgent,
    dtCrowd_requestMoveTarget, dtCrowd_requestMoveVelocity, dtCrowd_resetMoveTarget,
    dtCrowd_setObstacleAvoidanceParams, dtCrowd_update, dtCrowd_updateAgentParameters,
    dtCrowdAgentParams, dtFreeCrowd, dtObstacleAvoidanceParams, dtPolyRef,
};
use walkable::{
    crowd::{AgentParams, AvoidanceParams},
    query::{Filter, MeshPoint},
};

use super::Mesh;

/// The state of an agent as far as both libraries have it. All NaN are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentState {
    /// Position and velocity, as bits.
    pub bits: [u32; 6],
    /// Detour's number of the mode of movement.
    pub state: u8,
    /// Detour's number of the progress of the request for a target.
    pub target_state: u8,
    /// Whether the path ends before the target.
    pub is_partial: bool,
    /// Number of neighbors.
    pub n_neighbors: usize,
}

impl AgentState {
    /// Returns the bits of a position and a velocity.
    pub fn bits_of(position: [f32; 3], velocity: [f32; 3]) -> [u32; 6] {
        let mut bits = [0; 6];
        for (bits, value) in bits.iter_mut().zip(position.into_iter().chain(velocity)) {
            *bits = if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() };
        }
        bits
    }
}

/// A crowd and its mesh.
#[derive(Debug)]
pub struct Crowd {
    crowd: *mut dtCrowd,
    mesh: Mesh,
}

impl Crowd {
    /// Creates a crowd without agents.
    ///
    /// # Panics
    /// Panics if Detour cannot allocate memory.
    pub fn new(mesh: Mesh, max_agents: usize, max_agent_radius: f32) -> Self {
        let max_agents = i32::try_from(max_agents).expect("crowds are small");
        // SAFETY: the mesh is live for as long as the crowd.
        let crowd = unsafe {
            let crowd = dtAllocCrowd();
            assert!(!crowd.is_null() && dtCrowd_init(crowd, max_agents, max_agent_radius, mesh.0));
            crowd
        };
        Self { crowd, mesh }
    }

    /// Returns the mesh, to replace tiles.
    pub fn mesh_mut(&mut self) -> &mut Mesh {
        &mut self.mesh
    }

    /// Sets the avoidance settings with this index. The method and the priority do not exist in Detour and are ignored.
    pub fn set_avoidance(&mut self, index: u8, params: &AvoidanceParams) {
        let params = dtObstacleAvoidanceParams {
            velBias: params.velocity_bias,
            weightDesVel: params.desired_velocity_weight,
            weightCurVel: params.current_velocity_weight,
            weightSide: params.side_weight,
            weightToi: params.impact_weight,
            horizTime: params.horizon,
            gridSize: params.grid_size,
            adaptiveDivs: params.adaptive_divisions,
            adaptiveRings: params.adaptive_rings,
            adaptiveDepth: params.adaptive_depth,
        };
        // SAFETY: here and below, the crowd is live and vectors are three floats.
        unsafe { dtCrowd_setObstacleAvoidanceParams(self.crowd, index.into(), &raw const params) };
    }

    /// Sets the filter with this index.
    pub fn set_filter(&mut self, index: usize, filter: &Filter) {
        unsafe {
            let theirs = &mut (*self.crowd).m_filters[index];
            theirs.m_includeFlags = filter.include_flags;
            theirs.m_excludeFlags = filter.exclude_flags;
            theirs.m_areaCost = filter.area_cost;
        }
    }

    /// Adds an agent; returns its slot, or `None` if the crowd is full.
    pub fn add_agent(&mut self, position: Vec3, params: &AgentParams) -> Option<u32> {
        let (position, params) = (position.to_array(), their_params(params));
        let slot = unsafe { dtCrowd_addAgent(self.crowd, position.as_ptr(), &raw const params) };
        u32::try_from(slot).ok()
    }

    /// Removes an agent.
    pub fn remove_agent(&mut self, slot: u32) {
        unsafe { dtCrowd_removeAgent(self.crowd, signed(slot)) };
    }

    /// Sets the parameters of an agent.
    pub fn set_params(&mut self, slot: u32, params: &AgentParams) {
        let params = their_params(params);
        unsafe { dtCrowd_updateAgentParameters(self.crowd, signed(slot), &raw const params) };
    }

    /// Sets the target of an agent.
    ///
    /// # Panics
    /// Panics if the reference has more bits than Detour's.
    pub fn set_target(&mut self, slot: u32, target: MeshPoint) {
        let poly =
            dtPolyRef::try_from(target.poly.0.get()).expect("Detour is built for this width");
        let point = target.point.to_array();
        unsafe { dtCrowd_requestMoveTarget(self.crowd, signed(slot), poly, point.as_ptr()) };
    }

    /// Makes an agent keep a velocity.
    pub fn set_velocity(&mut self, slot: u32, velocity: Vec3) {
        let velocity = velocity.to_array();
        unsafe { dtCrowd_requestMoveVelocity(self.crowd, signed(slot), velocity.as_ptr()) };
    }

    /// Removes the target of an agent.
    pub fn reset_target(&mut self, slot: u32) {
        unsafe { dtCrowd_resetMoveTarget(self.crowd, signed(slot)) };
    }

    /// Moves all agents.
    pub fn update(&mut self, seconds: f32) {
        unsafe { dtCrowd_update(self.crowd, seconds, std::ptr::null_mut()) };
    }

    /// Returns the state of an agent; `None` if there is none.
    pub fn agent(&self, slot: u32) -> Option<AgentState> {
        // SAFETY: the pointer is null or to an agent of the crowd.
        let agent = unsafe { dtCrowd_getAgent(self.crowd, signed(slot)).as_ref() };
        let agent = agent.filter(|agent| agent.active)?;
        Some(AgentState {
            bits: AgentState::bits_of(agent.npos, agent.vel),
            state: agent.state,
            target_state: agent.targetState,
            is_partial: agent.partial,
            n_neighbors: usize::try_from(agent.nneis).unwrap_or(0),
        })
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        // SAFETY: allocated by Detour and freed once, before its mesh.
        unsafe { dtFreeCrowd(self.crowd) };
    }
}

fn their_params(params: &AgentParams) -> dtCrowdAgentParams {
    dtCrowdAgentParams {
        radius: params.radius,
        height: params.height,
        maxAcceleration: params.max_acceleration,
        maxSpeed: params.max_speed,
        collisionQueryRange: params.collision_query_range,
        pathOptimizationRange: params.path_optimization_range,
        separationWeight: params.separation_weight,
        updateFlags: params.update_flags.bits(),
        obstacleAvoidanceType: params.avoidance,
        queryFilterType: params.filter,
        userData: std::ptr::null_mut(),
    }
}

fn signed(slot: u32) -> i32 {
    i32::try_from(slot).unwrap_or(-1)
}
