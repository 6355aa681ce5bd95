//! State shared by all agents of an update.

use glam::Vec3;

use super::{
    agent::Agent, avoidance::Avoidance, memory::Body, params::AgentParams, proximity::ProximityGrid,
};
use crate::{
    navmesh::{NavMesh, Revision},
    query::Filter,
};

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

    /// The state of the mesh for an agent.
    pub(super) fn checked_for(&self, agent: &Agent) -> Checked {
        Checked { epoch: self.epoch, filter: agent.params.filter }
    }
}

/// A state of mesh and filters in which all polygons of an agent were found to be usable. As long as it lasts, they
/// need not be checked again. The default is before all states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Checked {
    epoch: u64,
    filter: u8,
}

/// Detects whether a mesh or filters have changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Epochs {
    number: u64,
    /// The state of the mesh, and the filters.
    seen: Option<(Revision, Box<[Filter; AgentParams::N_FILTERS]>)>,
}

impl Epochs {
    /// The number of the present state; never 0.
    pub(super) fn of(&mut self, mesh: &NavMesh, filters: &[Filter; AgentParams::N_FILTERS]) -> u64 {
        match &mut self.seen {
            Some((state, seen)) if state.is(mesh.state()) && **seen == *filters => {}
            Some((state, seen)) => {
                self.number += 1;
                *state = mesh.state().clone();
                seen.clone_from_slice(filters);
            }
            None => {
                self.number += 1;
                self.seen = Some((mesh.state().clone(), Box::new(filters.clone())));
            }
        }
        self.number
    }
}

/// The other agents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings<'a> {
    pub(super) grid: &'a ProximityGrid,
    /// Positions and sizes of all agents, by slot.
    pub(super) bodies: &'a [Body],
}
