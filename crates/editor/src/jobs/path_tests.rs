//! Runs the path tests in the background.

use std::sync::Arc;

use walkable::{
    navmesh::NavMesh,
    query::{Filter, Scratch},
    suite::{PathCase, SuiteWorld, search_case},
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Reporter, Wake},
    path_tests::{Volumes, filter_of, run_timed},
    session::{CaseRun, CaseState, Session},
};

/// The cases, and the navmesh to run them on.
#[derive(Clone, Debug)]
pub struct PathTestRequest {
    navmesh: Arc<NavMesh>,
    filter: Filter,
    volumes: Volumes,
    cases: Vec<PathCase>,
    /// Name of the agent of the navmesh.
    agent: Option<String>,
}

impl PathTestRequest {
    /// Creates the request for the tests of the session's document; `None` without a navmesh.
    pub fn of(session: &Session) -> Option<Self> {
        let document = session.document();
        Some(Self {
            navmesh: Arc::clone(session.bake.navmesh.as_ref()?),
            filter: filter_of(&document.areas),
            volumes: Volumes::of(&document.volumes),
            cases: document.path_tests.clone(),
            agent: document.agents.active().map(|agent| agent.name.clone()),
        })
    }

    /// Runs the cases on the calling thread. Returns `None` if `is_cancelled` returns true.
    pub fn run(self, is_cancelled: impl Fn() -> bool) -> Option<Vec<CaseRun>> {
        let Self { navmesh, filter, volumes, cases, agent } = self;
        let run = |world: &SuiteWorld<'_>| run_all(world, cases, agent.as_deref(), is_cancelled);
        volumes.in_world(&navmesh, &filter, run)
    }
}

/// Runs the cases of the active agent. Returns `None` if `is_cancelled` returns true.
fn run_all(
    world: &SuiteWorld<'_>,
    cases: Vec<PathCase>,
    agent: Option<&str>,
    is_cancelled: impl Fn() -> bool,
) -> Option<Vec<CaseRun>> {
    let mut scratch = Scratch::default();
    if let Some(first) = cases.first() {
        // The first search prepares the polygons of the navmesh, which is not part of the time of a case.
        search_case(world, first, &mut scratch).ok();
    }
    let mut runs = Vec::with_capacity(cases.len());
    for case in cases {
        if is_cancelled() {
            return None;
        }
        let state = match &case.agent {
            Some(wanted) if agent != Some(wanted) => {
                CaseState::NotRun(format!("agent {wanted} is not active"))
            }
            Some(_) | None => match run_timed(world, &case, &mut scratch) {
                Ok(timed) => CaseState::Run(timed.result),
                Err(error) => CaseState::NotRun(error.to_string()),
            },
        };
        runs.push(CaseRun::new(case, state));
    }
    Some(runs)
}

/// Runs one suite at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct PathTestJob {
    slot: JobSlot<Vec<CaseRun>>,
}

impl PathTestJob {
    /// Creates an idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("path tests", wake) }
    }

    /// Starts a run.
    pub(super) fn start(&mut self, request: PathTestRequest) {
        self.slot.request(move |report: &Reporter<_>| {
            if let Some(runs) = request.run(|| report.is_cancelled()) {
                report.send(runs);
            }
        });
    }

    /// Whether tests are running.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<Vec<CaseRun>>> {
        self.slot.poll()
    }
}
