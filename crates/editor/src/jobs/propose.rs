//! Looks for jumps and drops in the background.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use walkable::{
    diagnostic::Phrase,
    links::{LinkProposal, LinkSettings, propose_links},
    mesh::TriMesh,
    navmesh::NavMesh,
    phrase,
    query::Filter,
};
use walkable_workspace::text;

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::Session,
};

pub type Proposed = Result<Vec<LinkProposal>, String>;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProposeRequest {
    mesh: Arc<TriMesh>,
    navmesh: Arc<NavMesh>,
    filter: Filter,
    settings: LinkSettings,
}

impl ProposeRequest {
    /// Creates the request, or returns what the user has to do first, as a template of a phrase.
    pub fn of(session: &Session) -> Result<Self, &'static str> {
        let level = session.opened.level.as_ref().ok_or(text!("Open a level first."))?;
        let navmesh = session.bake.navmesh.as_ref().ok_or(text!("Bake the level first."))?;
        Ok(Self {
            mesh: Arc::clone(&level.mesh),
            navmesh: Arc::clone(navmesh),
            filter: session.path.filter.clone(),
            settings: session.link_settings(),
        })
    }
}

impl Job for ProposeRequest {
    type Message = Proposed;

    fn carry_out(self, report: &Reporter<Proposed>) {
        let Self { mesh, navmesh, filter, settings } = self;
        let found = propose_links(&navmesh, &mesh, &filter, &settings, report);
        report.send(found.map_err(|error| error.to_string()));
    }
}

impl Task for ProposeRequest {
    const THREAD: &'static str = "propose links";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("Proposing off-mesh links")
    }

    fn apply(session: &mut Session, found: Proposed) -> Option<FollowUp> {
        session.proposals.land(found);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        jobs::job_worker::testing::here_and_in_worker, task::TaskId, testing::baked_with_island,
    };

    #[test]
    fn a_worker_proposes_the_same_links() {
        let session = baked_with_island();
        let level = session.bake.plan.as_ref().unwrap().input();
        let request = |include_flags, max_distance| ProposeRequest {
            mesh: Arc::clone(&level.mesh),
            navmesh: Arc::clone(session.bake.navmesh.as_ref().unwrap()),
            filter: Filter { include_flags, ..Filter::default() },
            settings: LinkSettings { max_distance, ..LinkSettings::for_agent(2.0, 0.3, 0.9) },
        };
        let [here, there] = here_and_in_worker(TaskId::Propose, || request(1, 4.0));
        assert_eq!(here, there);
        let [Ok(proposals)] = &here[..] else { panic!("{here:?}") };
        assert_ne!(proposals[..], []);
        // No ground has this flag.
        let [here, there] = here_and_in_worker(TaskId::Propose, || request(2, 4.0));
        assert_eq!(here, there);
        assert_eq!(here, [Ok(Vec::new())]);
        let [here, there] = here_and_in_worker(TaskId::Propose, || request(1, -1.0));
        assert_eq!(here, there);
        assert!(here[0].is_err(), "{here:?}");
    }
}
