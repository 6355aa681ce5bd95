//! What the agents of an update share.

use glam::Vec3;

use super::{
    agent::Agent, avoidance::Avoidance, memory::Body, params::AgentParams, proximity::ProximityGrid,
};
use crate::{navmesh::NavMesh, query::Filter};

/// What all agents of an update share.
#[derive(Clone, Copy, Debug)]
pub(super) struct World<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filters: &'a [Filter; AgentParams::N_FILTERS],
    pub(super) avoidance: &'a [Avoidance; AgentParams::N_AVOIDANCE],
    /// Half the size of the box in which a lost agent or target looks for the navmesh.
    pub(super) half_extents: Vec3,
    /// Length of the update.
    pub(super) seconds: f32,
}

impl<'a> World<'a> {
    pub(super) fn filter_of(&self, agent: &Agent) -> &'a Filter {
        &self.filters[usize::from(agent.params.filter)]
    }
}

/// Who is around.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings<'a> {
    pub(super) grid: &'a ProximityGrid,
    /// By slot.
    pub(super) bodies: &'a [Body],
}
