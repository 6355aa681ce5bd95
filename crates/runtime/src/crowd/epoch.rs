//! Detects changes of navmesh and filters, so that polygons are checked again only after one.

use super::params::AgentParams;
use crate::{
    navmesh::{NavMesh, Revision},
    query::Filter,
};

/// A state of mesh and filters in which all polygons of an agent were found to be usable. As long as it lasts, they
/// need not be checked again. The default is before all states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Checked {
    epoch: u64,
    filter: u8,
}

impl Checked {
    /// Creates the state `epoch` for agents that use the filter with index `filter`.
    pub(super) const fn new(epoch: u64, filter: u8) -> Self {
        Self { epoch, filter }
    }
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
