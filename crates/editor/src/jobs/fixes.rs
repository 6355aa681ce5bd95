//! Looks for fixes of a point or a path, in the background.

use std::sync::Arc;

use walkable::{
    bake::{BakeError, BakePlan},
    explain::{Fix, FixLimits, PlaceQuestion, why_here_reporting},
    monitor::Monitor,
    route::{PathFixes, RouteBreak},
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    limits,
    path_why::PathWhyRequest,
    session::{FixTarget, FoundFixes, Session},
};

/// A message of the search for fixes.
#[derive(Debug)]
pub enum FixMessage {
    /// A fix was verified; the search goes on.
    Found(Fix),
    /// The search ended with these results, or failed.
    Done(Result<FoundFixes, String>),
}

/// The target of the search, and the bake that it changes.
#[derive(Clone, Debug)]
pub enum FixRequest {
    /// A point that is not walkable.
    Place(Arc<BakePlan>, PlaceQuestion),
    /// A broken path, and the obstacle on it.
    Path(Box<PathWhyRequest>, Box<RouteBreak>),
}

impl FixRequest {
    /// Creates the request for `target`; `None` if there is nothing to fix, or if the bake is out of date.
    pub fn of(session: &Session, target: FixTarget) -> Option<Self> {
        if !session.can_find_fixes() {
            return None;
        }
        match target {
            FixTarget::Place => {
                let place = session.selection?;
                let question = PlaceQuestion { at: place.point, triangle: place.triangle };
                Some(Self::Place(Arc::clone(session.current_bake().plan.as_ref()?), question))
            }
            FixTarget::Path => {
                let found = Box::new(session.present_break()?.clone());
                Some(Self::Path(Box::new(PathWhyRequest::of(session)?), found))
            }
        }
    }

    /// Runs the search, and calls `found` with each fix as soon as it is verified.
    ///
    /// # Errors
    /// [`BakeError`] if the level cannot be baked with the current settings, or if the monitor cancels.
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

/// Handles one search at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct FixJob {
    slot: JobSlot<FixMessage>,
}

impl FixJob {
    /// An idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("find fixes", wake) }
    }

    /// Starts looking for fixes.
    pub(super) fn start(&mut self, request: FixRequest) {
        self.slot.request(move |report| {
            let found = request.search(&mut |fix| report.send(FixMessage::Found(fix)), report);
            report.send(FixMessage::Done(found.map_err(|error| error.to_string())));
        });
    }

    /// Cancels the search.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Whether fixes are being looked for.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<FixMessage>> {
        self.slot.poll()
    }
}
