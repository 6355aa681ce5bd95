//! Runs a soak run in the background.

use std::{sync::Arc, time::Duration};

use walkable::{
    navmesh::NavMesh,
    query::Filter,
    soak::{SoakReport, SoakRun, SoakSettings},
};
use web_time::Instant;

use crate::{
    crowd_scene::DISABLED,
    jobs::slot::{JobEvent, JobSlot, Reporter, Wake},
    path_tests::filter_of,
    session::{Session, SoakInput, SoakProgress},
};

/// Minimum time between two messages of progress.
const PERIOD: Duration = Duration::from_millis(100);

/// The navmesh and the agents of a soak run.
#[derive(Clone, Debug)]
pub struct SoakRequest {
    navmesh: Arc<NavMesh>,
    filter: Filter,
    input: SoakInput,
}

/// What a soak run reports.
#[derive(Debug)]
pub enum SoakMessage {
    /// Progress.
    Progress(SoakProgress),
    /// The result, or why there is none.
    Done(Result<Box<SoakReport>, String>),
}

impl SoakRequest {
    /// Creates the request for the session's navmesh; `None` without one.
    pub fn of(session: &Session) -> Option<Self> {
        let mut filter = filter_of(&session.document().areas);
        filter.exclude_flags |= DISABLED;
        let navmesh = Arc::clone(session.bake.navmesh.as_ref()?);
        Some(Self { navmesh, filter, input: session.soak.input })
    }

    /// Simulates on the calling thread. Returns `None` if `is_cancelled` returns true.
    pub fn run(
        self,
        mut progress: impl FnMut(SoakProgress),
        is_cancelled: impl Fn() -> bool,
    ) -> Option<Result<Box<SoakReport>, String>> {
        let Self { navmesh, filter, input } = self;
        let settings = SoakSettings {
            n_agents: input.n_agents,
            minutes: input.minutes,
            seed: input.seed.into(),
            filter,
            ..SoakSettings::new(&navmesh)
        };
        let mut run = match SoakRun::new(&navmesh, &settings) {
            Ok(run) => run,
            Err(error) => return Some(Err(error.to_string())),
        };
        let mut told = Instant::now();
        while run.advance() {
            if is_cancelled() {
                return None;
            }
            if told.elapsed() >= PERIOD {
                told = Instant::now();
                let done = run.seconds() / (input.minutes * 60.0);
                progress(SoakProgress { done, n_findings: run.n_findings() });
            }
        }
        Some(Ok(Box::new(run.report())))
    }
}

/// Handles one soak run at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct SoakJob {
    slot: JobSlot<SoakMessage>,
}

impl SoakJob {
    /// Creates an idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("soak", wake) }
    }

    /// Starts a run.
    pub(super) fn start(&mut self, request: SoakRequest) {
        self.slot.request(move |report: &Reporter<_>| {
            let progress = |progress| report.send(SoakMessage::Progress(progress));
            if let Some(result) = request.run(progress, || report.is_cancelled()) {
                report.send(SoakMessage::Done(result));
            }
        });
    }

    /// Stops the run.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Whether agents are being simulated.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Messages since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<SoakMessage>> {
        self.slot.poll()
    }
}
