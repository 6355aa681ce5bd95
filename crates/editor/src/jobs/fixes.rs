//! Looks for settings that make a point walkable, in the background.

use std::sync::Arc;

use walkable::{
    bake::BakePlan,
    explain::{FixLimits, PlaceAnswer, PlaceQuestion, why_here},
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    limits,
    session::{Hover, Session},
};

/// The answer with its fixes, or the reason why there is none.
pub type FixAnswer = Result<PlaceAnswer, String>;

/// A point, and the bake that it belongs to.
#[derive(Clone, Debug)]
pub struct FixRequest {
    plan: Arc<BakePlan>,
    question: PlaceQuestion,
}

impl FixRequest {
    /// Creates the request for the selected point; `None` if nothing is selected or baked.
    pub fn of(session: &Session) -> Option<(Hover, Self)> {
        let place = session.selection?;
        let plan = Arc::clone(session.bake.plan.as_ref()?);
        let question = PlaceQuestion { at: place.point, triangle: place.triangle };
        Some((place, Self { plan, question }))
    }
}

/// Handles one search at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct FixJob {
    slot: JobSlot<FixAnswer>,
}

impl FixJob {
    /// An idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("find fixes", wake) }
    }

    /// Starts looking for fixes.
    pub(super) fn start(&mut self, request: FixRequest) {
        self.slot.request(move |report| {
            let FixRequest { plan, question } = request;
            let limits = FixLimits { bake: limits::of_bakes(), ..FixLimits::default() };
            let found = why_here(&plan, question, limits, report);
            report.send(found.map_err(|error| error.to_string()));
        });
    }

    /// Whether fixes are being looked for.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<FixAnswer>> {
        self.slot.poll()
    }
}
