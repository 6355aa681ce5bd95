//! Compares the pinned bake with the current one in the background.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use walkable::{
    compare::{CompareSettings, CompareSide, compare},
    diagnostic::Phrase,
    monitor::Monitor,
    navmesh::NavMesh,
    phrase,
};
use walkable_workspace::{
    changes::{FoundChanges, path_changes},
    path_tests::{CaseState, SuiteInput},
};

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::Session,
};

pub type ChangesAnswer = Result<FoundChanges, String>;

/// Two navmeshes to compare, the pinned one and the current one, and the path tests to run on them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChangesRequest(pub [Arc<NavMesh>; 2], pub SuiteInput);

impl ChangesRequest {
    /// Compares the navmeshes on the calling thread.
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

impl Job for ChangesRequest {
    type Message = ChangesAnswer;

    fn carry_out(self, report: &Reporter<ChangesAnswer>) {
        report.send(self.run(report));
    }
}

impl Task for ChangesRequest {
    const THREAD: &'static str = "compare bakes";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("Comparing bakes")
    }

    fn apply(session: &mut Session, found: ChangesAnswer) -> Option<FollowUp> {
        session.changes.land(found);
        None
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::{
        bake::{BakeInput, BakeSettings, OffMeshLink, bake},
        compare::Comparison,
        ids::AreaId,
        monitor::Unmonitored,
        suite::{Expectation, Outcome, PathCase},
    };
    use walkable_workspace::changes::Change;

    use super::*;
    use crate::{
        jobs::job_worker::testing::here_and_in_worker, task::TaskId, testing::baked_with_island,
    };

    #[test]
    fn a_worker_finds_the_same_differences() {
        let mut session = baked_with_island();
        let case = PathCase::new(Vec3::new(3.0, 0.0, 20.0), Vec3::new(13.0, 0.0, 6.0));
        let expects = vec![Expectation::Outcome(Outcome::Reachable)];
        session.history.change(Phrase::verbatim("tests"), |document| {
            document.path_tests = vec![PathCase { name: "out".to_owned(), expects, ..case }];
        });
        let suite = SuiteInput::of(session.document());
        let level = session.bake.plan.as_ref().unwrap().input();
        let link = OffMeshLink {
            start: Vec3::new(3.0, 0.0, 3.0),
            end: Vec3::new(5.5, 1.0, 5.5),
            radius: 1.0,
            bidirectional: true,
            area: AreaId::GROUND,
            flags: 1,
            user_id: 7,
        };
        let baked = |off_mesh: Vec<OffMeshLink>, agent_radius| {
            let settings = BakeSettings { agent_radius, ..level.settings.clone() };
            let input = BakeInput { settings, off_mesh, ..level.clone() };
            Arc::new(bake(input, &Unmonitored).unwrap())
        };
        let meshes = [baked(vec![link], 0.3), baked(vec![link], 1.6)];
        let [here, there] =
            here_and_in_worker(TaskId::Changes, || ChangesRequest(meshes.clone(), suite.clone()));
        let [[Ok(here)], [Ok(there)]] = [&here[..], &there[..]] else { panic!("{here:?}") };
        assert_eq!(here.comparison, there.comparison);
        assert_eq!(here.list, there.list);
        let Comparison { lost, islands, off_mesh_links, .. } = &here.comparison;
        assert!(!lost.patches.is_empty() && !islands.is_empty(), "{here:?}");
        assert_ne!(off_mesh_links[0].findings, []);
        assert!(here.list.iter().any(|change| change.path_states().is_some()), "{here:?}");
        let texts = |list: &[Change]| list.iter().map(Change::text).collect::<Vec<_>>();
        assert_eq!(texts(&here.list), texts(&there.list));
    }
}
