//! Looks for jumps and drops in the background.

use std::sync::Arc;

use walkable::links::{LinkProposal, propose_links};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    session::Session,
};

/// What came of it: proposals, or why there are none.
pub type Proposed = Result<Vec<LinkProposal>, String>;

/// One search at a time; the newest wins.
#[derive(Debug)]
pub struct ProposeJob {
    slot: JobSlot<Proposed>,
}

impl ProposeJob {
    /// Nothing to look for yet.
    pub fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("propose links", wake) }
    }

    /// Looks for links in what `session` has baked.
    ///
    /// # Errors
    /// What is to be done first.
    pub fn start(&mut self, session: &Session) -> Result<(), &'static str> {
        let level = session.level.as_ref().ok_or("Open a level first.")?;
        let navmesh = session.bake.navmesh.as_ref().ok_or("Bake the level first.")?;
        let (mesh, navmesh) = (Arc::clone(&level.mesh), Arc::clone(navmesh));
        let filter = session.path.filter.clone();
        let settings = session.link_settings();
        self.slot.request(move |report| {
            let found = propose_links(&navmesh, &mesh, &filter, &settings, report);
            report.send(found.map_err(|error| error.to_string()));
        });
        Ok(())
    }

    /// Whether links are being looked for.
    pub fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// What was found since the last poll.
    pub fn poll(&mut self) -> Vec<JobEvent<Proposed>> {
        self.slot.poll()
    }
}
