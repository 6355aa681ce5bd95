//! Compares the pinned bake with the current one in the background.

use std::sync::Arc;

use walkable::{
    compare::{CompareSettings, CompareSide, compare},
    diagnostic::Phrase,
    monitor::Monitor,
    navmesh::NavMesh,
};

use crate::{
    changes::path_changes,
    jobs::slot::{JobEvent, JobSlot, Reporter, Wake},
    path_tests::{CaseState, SuiteInput},
    session::FoundChanges,
};

/// The differences, or the reason why there are none.
pub type ChangesAnswer = Result<FoundChanges, String>;

/// Two navmeshes to compare, the pinned one and the current one, and the path tests to run on them.
#[derive(Clone, Debug)]
pub struct ChangesRequest(pub [Arc<NavMesh>; 2], pub SuiteInput);

impl ChangesRequest {
    /// Compares the navmeshes on the calling thread.
    ///
    /// # Errors
    /// Returns a message if the navmeshes cannot be compared.
    pub fn run(self, monitor: &dyn Monitor) -> ChangesAnswer {
        let Self(meshes, suite) = self;
        let sides = meshes.each_ref().map(|mesh| CompareSide::of(mesh));
        let comparison = compare(sides, &CompareSettings::default(), monitor);
        let comparison = comparison.map_err(|error| error.to_string())?;
        // The pinned bake has no navmeshes of other agents.
        let not_run = || CaseState::NotRun(Phrase::verbatim(""));
        let mut states = meshes.each_ref().map(|_| vec![not_run(); suite.cases.len()]);
        for (mesh, states) in meshes.iter().zip(&mut states) {
            let run = suite.run(mesh, |case| suite.is_of_active(case), states, monitor);
            run.map_err(|error| error.to_string())?;
        }
        let [before, after] = &states;
        Ok(FoundChanges::new(comparison, path_changes(&suite.cases, before, after)))
    }
}

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
        self.slot.request(move |report: &Reporter<_>| {
            report.send(request.run(report));
        });
    }

    /// Returns whether bakes are being compared.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Returns the results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<ChangesAnswer>> {
        self.slot.poll()
    }
}
