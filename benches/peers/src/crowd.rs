//! `walkable::crowd` and C++ `DetourCrowd` on the same mesh, with the same commands.

pub mod cases;
pub mod levels;
pub mod profile;

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    crowd::{self, AgentId, AgentParams, AvoidanceParams, CrowdParams, TargetState},
    navmesh::{NavMesh, Tile},
    query::{Filter, MeshPoint},
};

use crate::detour::{self, crowd::AgentState};

/// A command for both crowds.
#[derive(Clone, Debug)]
pub enum Command {
    /// Adds an agent.
    Add(Vec3, AgentParams),
    /// Removes an agent.
    Remove(AgentId),
    /// Sends an agent to a point on the navmesh.
    Target(AgentId, MeshPoint),
    /// Makes an agent keep a velocity.
    Velocity(AgentId, Vec3),
    /// Removes the target of an agent.
    Reset(AgentId),
    /// Changes the parameters of an agent.
    Params(AgentId, AgentParams),
    /// Replaces the tile of a column, a row and a layer.
    Tile([u32; 3], Option<Vec<u8>>),
}

/// Both crowds, each with its mesh.
#[derive(Debug)]
pub struct Both {
    /// The mesh of Walkable.
    pub mesh: NavMesh,
    /// The crowd of Walkable.
    pub ours: crowd::Crowd,
    /// The crowd of C++.
    pub theirs: detour::crowd::Crowd,
}

impl Both {
    /// Creates empty crowds on the mesh with these bytes.
    ///
    /// # Panics
    /// Panics if one of the libraries rejects the input.
    pub fn new(bytes: &[u8], params: CrowdParams) -> Self {
        let mesh = NavMesh::from_bytes(bytes).expect("a baked mesh is sound");
        let theirs = detour::Mesh::load(bytes);
        let CrowdParams { max_agents, max_agent_radius } = params;
        let mut both = Self {
            mesh,
            ours: crowd::Crowd::new(params).expect("the parameters are sound"),
            theirs: detour::crowd::Crowd::new(theirs, max_agents, max_agent_radius),
        };
        for (index, preset) in (0..).zip(AvoidanceParams::PRESETS) {
            both.theirs.set_avoidance(index, &preset);
        }
        both.set_filter(0, Filter { exclude_flags: 0x10, ..Filter::default() });
        both
    }

    /// Sets a filter of both.
    pub fn set_filter(&mut self, index: usize, filter: Filter) {
        self.theirs.set_filter(index, &filter);
        self.ours.filters_mut()[index] = filter;
    }

    /// Sets avoidance settings of both.
    pub fn set_avoidance(&mut self, index: u8, params: AvoidanceParams) {
        self.theirs.set_avoidance(index, &params);
        self.ours.avoidance_mut()[usize::from(index)] = params;
    }

    /// Carries out a command on both.
    ///
    /// # Panics
    /// Panics if the command is not valid or the crowds number a new agent differently.
    pub fn tell(&mut self, command: &Command) {
        let Self { mesh, ours, theirs } = self;
        let is_valid = "the command is valid";
        match command {
            Command::Add(position, params) => {
                let slot = ours.add_agent(mesh, *position, *params).ok().map(|id| id.0);
                assert_eq!(slot, theirs.add_agent(*position, params), "slots of new agents");
            }
            Command::Remove(agent) => {
                ours.remove_agent(*agent);
                theirs.remove_agent(agent.0);
            }
            Command::Target(agent, target) => {
                ours.set_target(*agent, *target).expect(is_valid);
                theirs.set_target(agent.0, *target);
            }
            Command::Velocity(agent, velocity) => {
                ours.set_velocity(*agent, *velocity).expect(is_valid);
                theirs.set_velocity(agent.0, *velocity);
            }
            Command::Reset(agent) => {
                ours.reset_target(*agent).expect(is_valid);
                theirs.reset_target(agent.0);
            }
            Command::Params(agent, params) => {
                ours.set_params(*agent, *params).expect(is_valid);
                theirs.set_params(agent.0, params);
            }
            Command::Tile([x, z, layer], bytes) => {
                mesh.remove_tile(walkable::ids::TileCoord::new(*x, *z), *layer);
                if let Some(bytes) = bytes {
                    let tile = Tile::from_bytes(bytes).expect("a baked tile is sound");
                    mesh.add_tile(Arc::new(tile)).expect("the place is empty");
                }
                let place = [x, z, layer].map(|n| i32::try_from(*n).expect("meshes are small"));
                theirs.mesh_mut().replace_tile(place, bytes.as_deref());
            }
        }
    }

    /// Returns the first agent that differs, with its state in Walkable and in C++.
    pub fn first_difference(&self) -> Option<(AgentId, [Option<AgentState>; 2])> {
        let n = u32::try_from(self.ours.params().max_agents).expect("crowds are small");
        (0..n).map(AgentId).find_map(|id| {
            let states = [self.ours.agent(id).map(state_of), self.theirs.agent(id.0)];
            (states[0] != states[1]).then_some((id, states))
        })
    }
}

fn state_of(agent: &crowd::Agent) -> AgentState {
    AgentState {
        bits: AgentState::bits_of(agent.position().to_array(), agent.velocity().to_array()),
        state: match agent.state() {
            crowd::AgentState::Invalid => 0,
            crowd::AgentState::Walking => 1,
            crowd::AgentState::OffMesh => 2,
        },
        target_state: match agent.target_state() {
            TargetState::None => 0,
            TargetState::Failed => 1,
            TargetState::Valid => 2,
            TargetState::Requesting => 3,
            TargetState::WaitingForQueue => 4,
            TargetState::WaitingForPath => 5,
            TargetState::Velocity => 6,
        },
        is_partial: agent.is_partial(),
        n_neighbors: agent.neighbors().len(),
    }
}
