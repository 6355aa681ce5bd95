//! Runs the path tests in the background.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use walkable::{
    diagnostic::Phrase,
    monitor::{Cancelled, Monitor},
    navmesh::NavMesh,
    phrase,
    suite::PathCase,
};
use walkable_workspace::path_tests::{CaseState, SuiteInput};

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::{CaseRun, Session, Severity, World},
};

/// The cases, and the navmeshes to run them on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathTestRequest {
    suite: SuiteInput,
    /// The navmesh of the active agent.
    navmesh: Arc<NavMesh>,
    /// The navmeshes of other agents by name, or why there is none.
    others: Vec<(String, Result<Arc<NavMesh>, Phrase>)>,
    /// The level, if it is larger than memory. Cases outside its loaded part are not run.
    #[serde(skip)]
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
            CaseState::NotRun(if is_loaded(case) {
                Phrase::verbatim("")
            } else {
                phrase!("it starts or ends outside the loaded part of the level")
            })
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

impl Job for PathTestRequest {
    type Message = Vec<CaseRun>;

    fn carry_out(self, report: &Reporter<Vec<CaseRun>>) {
        if let Ok(runs) = self.run(report) {
            report.send(runs);
        }
    }

    fn can_be_sent(&self) -> bool {
        // A navmesh file does not store which part of the level is loaded.
        self.world.is_none()
    }
}

impl Task for PathTestRequest {
    const THREAD: &'static str = "path tests";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("Running the path tests")
    }

    fn apply(session: &mut Session, runs: Vec<CaseRun>) -> Option<FollowUp> {
        let broken = session.path_tests.land(runs);
        if !broken.is_empty() {
            let tests = broken.join(", ");
            let text = phrase!("The bake broke path tests: {tests}", tests);
            session.add_to_log(Severity::Warning, text);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::suite::{Expectation, Outcome};

    use super::*;
    use crate::{jobs::job_worker::testing::here_and_in_worker, task::TaskId, testing::baked};

    #[test]
    fn a_worker_runs_the_same_tests() {
        let mut session = baked();
        let near = PathCase::new(Vec3::new(3.0, 0.0, 20.0), Vec3::new(20.0, 0.0, 20.0));
        let far = PathCase::new(Vec3::new(3.0, 0.0, 20.0), Vec3::new(90.0, 0.0, 20.0));
        let expects = vec![Expectation::Outcome(Outcome::Reachable)];
        let named =
            PathCase { name: "out".to_owned(), agent: Some("nobody".to_owned()), ..far.clone() };
        let cases = [near, far, named].map(|case| PathCase { expects: expects.clone(), ..case });
        session
            .history
            .change(Phrase::verbatim("tests"), |document| document.path_tests = cases.to_vec());
        let [here, there] =
            here_and_in_worker(TaskId::PathTests, || PathTestRequest::of(&session).unwrap());
        assert_eq!(here, there);
        let [runs] = &here[..] else { panic!("one message") };
        assert!(runs[0].state.is_passed(), "{:?}", runs[0].state);
        assert_eq!(runs[1].state.failures().len(), 1, "{:?}", runs[1].state);
        assert!(
            matches!(&runs[2].state, CaseState::NotRun(why) if why.to_string().contains("nobody"))
        );
    }
}
