//! Compares the pinned bake with the current one in the background.

use std::sync::Arc;

use walkable::{
    compare::{CompareSettings, CompareSide, compare},
    navmesh::NavMesh,
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    session::FoundChanges,
};

/// The differences, or the reason why there are none.
pub type ChangesAnswer = Result<FoundChanges, String>;

/// Two navmeshes to compare: the pinned one and the current one.
#[derive(Clone, Debug)]
pub struct ChangesRequest(pub [Arc<NavMesh>; 2]);

/// Handles one comparison at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct ChangesJob {
    slot: JobSlot<ChangesAnswer>,
}

impl ChangesJob {
    /// Creates an idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("compare bakes", wake) }
    }

    /// Starts a comparison.
    pub(super) fn start(&mut self, request: ChangesRequest) {
        self.slot.request(move |report| {
            let ChangesRequest(meshes) = request;
            let sides = meshes.each_ref().map(|mesh| CompareSide::of(mesh));
            let found = compare(sides, &CompareSettings::default(), report);
            report.send(found.map(FoundChanges::new).map_err(|error| error.to_string()));
        });
    }

    /// Whether bakes are being compared.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<ChangesAnswer>> {
        self.slot.poll()
    }
}
