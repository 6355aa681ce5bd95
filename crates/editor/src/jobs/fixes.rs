//! Looks in the background for what would make a place walkable, or have a path lead to its end.

use std::sync::Arc;

use walkable::{
    bake::{BakeError, BakePlan},
    explain::{Fix, FixLimits, PlaceQuestion, why_here_reporting},
    monitor::Monitor,
    route::{PathFixes, RouteBreak},
};

use crate::{
    jobs::{
        path_why::PathWhyRequest,
        slot::{JobEvent, JobSlot, Wake},
    },
    limits,
    session::{FixTarget, FoundFixes, Session},
};

/// What a search for fixes says.
#[derive(Debug)]
pub enum FixMessage {
    /// A fix was found; there may be more.
    Found(Fix),
    /// The search has ended with all of these, or failed.
    Done(Result<FoundFixes, String>),
}

/// What to look for, and the bake that is to be changed.
#[derive(Clone, Debug)]
pub enum FixRequest {
    /// What makes a place walkable.
    Place(Arc<BakePlan>, PlaceQuestion),
    /// What has a path lead to its end, and what is in its way.
    Path(Box<PathWhyRequest>, Box<RouteBreak>),
}

impl FixRequest {
    /// The request for `target`; `None` where there is nothing to look for, or the bake is out of date.
    pub fn of(session: &Session, target: FixTarget) -> Option<Self> {
        if !session.can_find_fixes() {
            return None;
        }
        match target {
            FixTarget::Place => {
                let place = session.selection?;
                let question = PlaceQuestion { at: place.point, triangle: place.triangle };
                Some(Self::Place(Arc::clone(session.bake.plan.as_ref()?), question))
            }
            FixTarget::Path => {
                let found = Box::new(session.present_break()?.clone());
                Some(Self::Path(Box::new(PathWhyRequest::of(session)?), found))
            }
        }
    }

    /// Looks for fixes; calls `found` with each as soon as it is known to work.
    ///
    /// # Errors
    /// [`BakeError`] where the level cannot be baked with the present settings, or the monitor cancels.
    pub fn search(
        &self,
        found: &mut dyn FnMut(Fix),
        monitor: &dyn Monitor,
    ) -> Result<FoundFixes, BakeError> {
        match self {
            Self::Place(plan, question) => {
                let limits = FixLimits { bake: limits::of_bakes(), ..FixLimits::default() };
                let answer = why_here_reporting(plan, *question, limits, found, monitor)?;
                let then = answer.chain.into_iter().skip(1).map(|next| next.text).collect();
                let (fixes, is_cut_short) = (answer.fixes, answer.is_cut_short);
                Ok(FoundFixes { fixes, then, is_cut_short })
            }
            Self::Path(path, first) => {
                let PathFixes { fixes, then, is_cut_short } =
                    path.find_fixes(first, found, monitor)?;
                let then = then.into_iter().map(|next| next.text).collect();
                Ok(FoundFixes { fixes, then, is_cut_short })
            }
        }
    }
}

/// One search at a time; the newest wins.
#[derive(Debug)]
pub(super) struct FixJob {
    slot: JobSlot<FixMessage>,
}

impl FixJob {
    /// Nothing to look for yet.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("find fixes", wake) }
    }

    /// Looks for fixes.
    pub(super) fn start(&mut self, request: FixRequest) {
        self.slot.request(move |report| {
            let found = request.search(&mut |fix| report.send(FixMessage::Found(fix)), report);
            report.send(FixMessage::Done(found.map_err(|error| error.to_string())));
        });
    }

    /// Gives up the search.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Whether fixes are being looked for.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// What was found since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<FixMessage>> {
        self.slot.poll()
    }
}
