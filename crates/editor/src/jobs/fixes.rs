//! Looks for what would make a place walkable, in the background.

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

/// What came of it: the answer with its fixes, or why there is none.
pub type FixAnswer = Result<PlaceAnswer, String>;

/// The place to look at, and what it was baked from.
#[derive(Clone, Debug)]
pub struct FixRequest {
    plan: Arc<BakePlan>,
    question: PlaceQuestion,
}

impl FixRequest {
    /// The request for the selected place; `None` where nothing is selected or baked.
    pub fn of(session: &Session) -> Option<(Hover, Self)> {
        let place = session.selection?;
        let plan = Arc::clone(session.bake.plan.as_ref()?);
        let question = PlaceQuestion { at: place.point, triangle: place.triangle };
        Some((place, Self { plan, question }))
    }
}

/// One search at a time; the newest wins.
#[derive(Debug)]
pub(super) struct FixJob {
    slot: JobSlot<FixAnswer>,
}

impl FixJob {
    /// Nothing to look for yet.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("find fixes", wake) }
    }

    /// Looks for fixes.
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

    /// What was found since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<FixAnswer>> {
        self.slot.poll()
    }
}
