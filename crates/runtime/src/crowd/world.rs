//! State shared by all agents of an update.

use glam::Vec3;

use super::{
    AvoidanceMethod, UpdateFlags,
    agent::{Agent, AgentState},
    avoidance::Avoidance,
    epoch::Checked,
    memory::Body,
    params::AgentParams,
    proximity::ProximityGrid,
};
use crate::{navmesh::NavMesh, query::Filter};

/// The navmesh and the settings shared by all agents of an update.
#[derive(Clone, Copy, Debug)]
pub(super) struct World<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filters: &'a [Filter; AgentParams::N_FILTERS],
    pub(super) avoidance: &'a [Avoidance; AgentParams::N_AVOIDANCE],
    /// Half-extents of the search for the navmesh around a lost agent or target.
    pub(super) half_extents: Vec3,
    /// Length of the update, in seconds.
    pub(super) seconds: f32,
    /// Identifies the state of mesh and filters.
    pub(super) epoch: u64,
}

impl<'a> World<'a> {
    pub(super) fn filter_of(&self, agent: &Agent) -> &'a Filter {
        &self.filters[usize::from(agent.params.filter)]
    }

    /// Returns whether an agent walks and avoids others by the reciprocal method.
    pub(super) fn is_reciprocal(&self, agent: &Agent) -> bool {
        let params = self.avoidance[usize::from(agent.params.avoidance)].params();
        params.method == AvoidanceMethod::Reciprocal
            && agent.state == AgentState::Walking
            && agent.params.update_flags.has(UpdateFlags::OBSTACLE_AVOIDANCE)
    }

    /// Returns the value for a check of the polygons of `agent` in this update.
    pub(super) fn checked_for(&self, agent: &Agent) -> Checked {
        Checked::new(self.epoch, agent.params.filter)
    }
}

/// The other agents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings<'a> {
    pub(super) grid: &'a ProximityGrid,
    /// Positions and sizes of all agents, by slot.
    pub(super) bodies: &'a [Body],
}
