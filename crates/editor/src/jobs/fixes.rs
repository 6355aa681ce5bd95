//! Looks for fixes of a point or a path, in the background.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use walkable::{
    bake::{BakeError, BakePlan},
    diagnostic::Phrase,
    explain::{Fix, FixLimits, PlaceQuestion, why_here_reporting},
    monitor::Monitor,
    phrase,
    route::{PathFixes, RouteBreak},
};
use walkable_workspace::{limits, path_why::PathWhyRequest};

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::{FixTarget, FoundFixes, Session},
};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub enum FixMessage {
    Found(Fix),
    Done(Result<FoundFixes, String>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum FixRequest {
    Place(Arc<BakePlan>, PlaceQuestion),
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
                let place = session.tools.selection?;
                let question = PlaceQuestion { at: place.point, triangle: place.triangle };
                Some(Self::Place(Arc::clone(session.current_bake().plan.as_ref()?), question))
            }
            FixTarget::Path => {
                let found = Box::new(session.present_break()?.clone());
                Some(Self::Path(Box::new(session.path_why_request()?), found))
            }
        }
    }

    /// Runs the search, and calls `found` with each fix as soon as it is verified. Fails if the level cannot be baked
    /// with the current settings, or if the monitor cancels.
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

impl Job for FixRequest {
    type Message = FixMessage;

    fn carry_out(self, report: &Reporter<FixMessage>) {
        let found = self.search(&mut |fix| report.send(FixMessage::Found(fix)), report);
        report.send(FixMessage::Done(found.map_err(|error| error.to_string())));
    }

    fn can_be_sent(&self) -> bool {
        match self {
            Self::Place(..) => true,
            Self::Path(path, _) => path.can_be_sent(),
        }
    }
}

impl Task for FixRequest {
    const THREAD: &'static str = "find fixes";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("Finding fixes")
    }

    fn apply(session: &mut Session, message: FixMessage) -> Option<FollowUp> {
        match message {
            FixMessage::Found(fix) => session.fixes.add(fix),
            FixMessage::Done(found) => session.fixes.land(found),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{jobs::job_worker::testing::here_and_in_worker, task::TaskId, testing::baked};

    #[test]
    fn a_worker_finds_the_same_fixes() {
        let mut session = baked();
        let plan = Arc::clone(session.bake.plan.as_ref().unwrap());
        // On the ramp of 60°.
        let place = PlaceQuestion { at: Vec3::new(13.0, 1.7, 6.0), triangle: None };
        let [here, there] =
            here_and_in_worker(TaskId::Fixes, || FixRequest::Place(Arc::clone(&plan), place));
        assert_eq!(here, there);
        assert!(matches!(here[0], FixMessage::Found(Fix::Settings(_))), "{here:?}");
        session.path.start = Some(Vec3::new(3.0, 0.0, 20.0));
        session.path.end = Some(Vec3::new(5.5, 1.0, 5.5));
        session.update_path();
        let path = session.path_why_request().unwrap();
        let (_, answer) = path
            .answer(walkable::route::RouteDepth::First, &walkable::monitor::Unmonitored)
            .unwrap();
        let first = answer.first.unwrap();
        let [here, there] = here_and_in_worker(TaskId::Fixes, || {
            FixRequest::Path(Box::new(path.clone()), Box::new(first.clone()))
        });
        assert_eq!(here, there);
        assert!(matches!(here.last(), Some(FixMessage::Done(Ok(_)))), "{here:?}");
    }
}
