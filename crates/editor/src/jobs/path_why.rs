//! Explains the path in the background.

use walkable::route::{RouteAnswer, RouteDepth};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    path_why::PathWhyRequest,
};

/// The explanation, or the reason why there is none.
pub type PathWhyAnswer = Result<RouteAnswer, String>;

/// Handles one path at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct PathWhyJob {
    slot: JobSlot<PathWhyAnswer>,
}

impl PathWhyJob {
    /// Creates an idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("explain path", wake) }
    }

    /// Starts the explanation of a path.
    pub(super) fn start(&mut self, request: PathWhyRequest) {
        self.slot.request(move |report| {
            let answer = request.answer(RouteDepth::Alternatives, report);
            report.send(answer.map(|(_, answer)| answer));
        });
    }

    /// Whether a path is being explained.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<PathWhyAnswer>> {
        self.slot.poll()
    }
}
