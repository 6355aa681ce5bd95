//! Prepares a navmesh for queries in the background.

use std::sync::Arc;

use walkable::navmesh::NavMesh;

use crate::jobs::slot::{JobSlot, Reporter, Wake};

/// Handles one navmesh at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct PrepareJob {
    slot: JobSlot<()>,
}

impl PrepareJob {
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("prepare queries", wake) }
    }

    /// Prepares a navmesh. Meanwhile, queries on it wait for what they need.
    pub(super) fn start(&mut self, navmesh: Arc<NavMesh>) {
        self.slot.request(move |_: &Reporter<_>| navmesh.prepare_queries());
    }

    /// Returns whether a navmesh is being prepared.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Ends the job if it is done. Its messages carry nothing, so they are dropped.
    pub(super) fn poll(&mut self) {
        self.slot.poll();
    }
}
