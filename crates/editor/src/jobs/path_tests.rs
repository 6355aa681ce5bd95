//! Runs the path tests in the background.

use std::sync::Arc;

use walkable::{
    monitor::{Cancelled, Monitor},
    navmesh::NavMesh,
    suite::PathCase,
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Reporter, Wake},
    lang::tr,
    path_tests::{CaseState, SuiteInput},
    session::{CaseRun, Session, World},
};

/// The cases, and the navmeshes to run them on.
#[derive(Clone, Debug)]
pub struct PathTestRequest {
    suite: SuiteInput,
    /// The navmesh of the active agent.
    navmesh: Arc<NavMesh>,
    /// The navmeshes of other agents by name, or why there is none.
    others: Vec<(String, Result<Arc<NavMesh>, String>)>,
    /// The level, if it is larger than memory. Cases outside its loaded part are not run.
    world: Option<World>,
}

impl PathTestRequest {
    /// Creates the request for the tests of the session's document; `None` without a navmesh.
    pub fn of(session: &Session) -> Option<Self> {
        let navmesh = Arc::clone(session.bake.navmesh.as_ref()?);
        let suite = SuiteInput::of(session.document());
        let (others, world) = (session.navmeshes_of_tests(), session.world().cloned());
        Some(Self { suite, navmesh, others, world })
    }

    /// Runs the cases on the calling thread.
    ///
    /// # Errors
    /// [`Cancelled`] if the monitor cancels.
    pub fn run(self, monitor: &dyn Monitor) -> Result<Vec<CaseRun>, Cancelled> {
        let Self { suite, navmesh, others, world } = self;
        let is_loaded = |case: &PathCase| {
            let mut ends = [case.start, case.end].into_iter();
            world.as_ref().is_none_or(|world| ends.all(|end| world.is_loaded(end)))
        };
        let not_run = |case: &PathCase| {
            let why = tr!("it starts or ends outside the loaded part of the level");
            CaseState::NotRun(if is_loaded(case) { String::new() } else { why.to_owned() })
        };
        let mut states: Vec<_> = suite.cases.iter().map(not_run).collect();
        let is_active = |case: &PathCase| suite.is_of_active(case) && is_loaded(case);
        suite.run(&navmesh, is_active, &mut states, monitor)?;
        for (agent, navmesh) in others {
            let is_own = |wanted: Option<&str>| wanted == Some(&*agent);
            match navmesh {
                Ok(navmesh) => {
                    let is_included =
                        |case: &PathCase| is_own(case.agent.as_deref()) && is_loaded(case);
                    suite.run(&navmesh, is_included, &mut states, monitor)?;
                }
                Err(why) => {
                    let cases = suite.cases.iter().zip(&mut states);
                    for (_, state) in cases.filter(|(case, _)| is_own(case.agent.as_deref())) {
                        *state = CaseState::NotRun(why.clone());
                    }
                }
            }
        }
        let runs = suite.cases.into_iter().zip(states);
        Ok(runs.map(|(case, state)| CaseRun::new(case, state)).collect())
    }
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
            if let Ok(runs) = request.run(report) {
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
