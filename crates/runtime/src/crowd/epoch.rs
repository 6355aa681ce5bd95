//! Epochs of the navmesh and the filters. Agents check their polygons once per epoch.

use super::params::AgentParams;
use crate::{
    navmesh::{NavMesh, Revision},
    query::Filter,
};

/// The epoch and the filter with which an agent last found all its polygons to be valid. They are not checked again
/// while both are current. The default is equal to no current value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Checked {
    epoch: u64,
    filter: u8,
}

impl Checked {
    /// Returns the value for a check in `epoch` with the filter of index `filter`.
    pub(super) const fn new(epoch: u64, filter: u8) -> Self {
        Self { epoch, filter }
    }
}

/// Counts epochs: a new one begins when the navmesh or a filter changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Epochs {
    number: u64,
    /// The navmesh's revision and the filters of the current epoch.
    seen: Option<(Revision, Box<[Filter; AgentParams::N_FILTERS]>)>,
}

impl Epochs {
    /// Returns the number of the current epoch, at least 1. Begins a new epoch if the navmesh or a filter differs from
    /// that of the previous call.
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
