//! Looks for jumps and drops in the background.

use std::sync::Arc;

use walkable::{
    links::{LinkProposal, LinkSettings, propose_links},
    mesh::TriMesh,
    navmesh::NavMesh,
    query::Filter,
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    session::Session,
    text,
};

/// The result: proposals, or the reason why there are none.
pub type Proposed = Result<Vec<LinkProposal>, String>;

/// Where to look for off-mesh links, and for which.
#[derive(Clone, Debug)]
pub struct ProposeRequest {
    mesh: Arc<TriMesh>,
    navmesh: Arc<NavMesh>,
    filter: Filter,
    settings: LinkSettings,
}

impl ProposeRequest {
    /// The request of `session`.
    ///
    /// # Errors
    /// What the user has to do first, as a template of a phrase.
    pub fn of(session: &Session) -> Result<Self, &'static str> {
        let level = session.level.as_ref().ok_or(text!("Open a level first."))?;
        let navmesh = session.bake.navmesh.as_ref().ok_or(text!("Bake the level first."))?;
        Ok(Self {
            mesh: Arc::clone(&level.mesh),
            navmesh: Arc::clone(navmesh),
            filter: session.path.filter.clone(),
            settings: session.link_settings(),
        })
    }
}

/// One search at a time; the newest wins.
#[derive(Debug)]
pub(super) struct ProposeJob {
    slot: JobSlot<Proposed>,
}

impl ProposeJob {
    /// Nothing to look for yet.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("propose links", wake) }
    }

    /// Looks for off-mesh links.
    pub(super) fn start(&mut self, request: ProposeRequest) {
        self.slot.request(move |report| {
            let ProposeRequest { mesh, navmesh, filter, settings } = request;
            let found = propose_links(&navmesh, &mesh, &filter, &settings, report);
            report.send(found.map_err(|error| error.to_string()));
        });
    }

    /// Whether links are being looked for.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// The results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<Proposed>> {
        self.slot.poll()
    }
}
