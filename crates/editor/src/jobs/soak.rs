//! Runs a soak run in the background.

use std::{sync::Arc, time::Duration};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    diagnostic::Phrase,
    monitor::Monitor,
    navmesh::NavMesh,
    phrase,
    query::Filter,
    soak::{SoakError, SoakReport, SoakRun, SoakSettings},
};
use walkable_workspace::{crowd_scene::DISABLED, path_tests::filter_of};
use web_time::Instant;

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::{Session, SoakInput, SoakPlaces, SoakProgress},
};

/// Minimum time between two messages of progress.
const PERIOD: Duration = Duration::from_millis(100);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SoakRequest {
    navmesh: Arc<NavMesh>,
    filter: Filter,
    input: SoakInput,
    /// The places between which agents walk; empty for random places.
    places: Vec<Vec3>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub enum SoakMessage {
    Progress(SoakProgress),
    Done(Result<Box<SoakReport>, String>),
}

impl SoakRequest {
    /// Creates the request; `None` without a navmesh, or without enough saved places if agents walk between saved
    /// places.
    pub fn of(session: &Session) -> Option<Self> {
        let mut filter = filter_of(&session.document().areas);
        filter.exclude_flags |= DISABLED;
        let navmesh = Arc::clone(session.bake.navmesh.as_ref()?);
        let (input, saved) = (session.soak.input, &session.document().places);
        let places = match input.places {
            SoakPlaces::Random => Vec::new(),
            SoakPlaces::Saved => saved.iter().map(|place| place.at).collect(),
        };
        input.is_possible(saved.len()).then_some(Self { navmesh, filter, input, places })
    }

    /// Simulates on the calling thread. Returns `None` if the monitor cancels.
    pub fn run(
        self,
        mut progress: impl FnMut(SoakProgress),
        monitor: &dyn Monitor,
    ) -> Option<Result<Box<SoakReport>, String>> {
        let Self { navmesh, filter, input, places } = self;
        let settings = SoakSettings {
            n_agents: input.n_agents,
            minutes: input.minutes,
            seed: input.seed.into(),
            filter,
            places,
            ..SoakSettings::new(&navmesh)
        };
        let mut run = match SoakRun::new(&navmesh, &settings, monitor) {
            Ok(run) => run,
            Err(SoakError::Cancelled(_)) => return None,
            Err(error) => return Some(Err(error.to_string())),
        };
        let mut told = Instant::now();
        while run.advance(monitor).ok()? {
            if told.elapsed() >= PERIOD {
                told = Instant::now();
                let done = run.seconds() / (input.minutes * 60.0);
                progress(SoakProgress { done, n_findings: run.n_findings() });
            }
        }
        Some(Ok(Box::new(run.report())))
    }
}

impl Job for SoakRequest {
    type Message = SoakMessage;

    fn carry_out(self, report: &Reporter<SoakMessage>) {
        let progress = |progress| report.send(SoakMessage::Progress(progress));
        if let Some(result) = self.run(progress, report) {
            report.send(SoakMessage::Done(result));
        }
    }
}

impl Task for SoakRequest {
    const THREAD: &'static str = "soak";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("The soak run")
    }

    fn apply(session: &mut Session, message: SoakMessage) -> Option<FollowUp> {
        match message {
            SoakMessage::Progress(progress) => {
                session.soak.progress = progress;
            }
            SoakMessage::Done(result) => session.soak.land(result),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use walkable::{diagnostic::Phrase, monitor::Unmonitored};
    use walkable_workspace::{document::SavedPlace, wire};

    use super::*;
    use crate::{jobs::job_worker::testing::here_and_in_worker, task::TaskId, testing};

    fn report(request: Option<SoakRequest>) -> SoakReport {
        let result = request.expect("a run is possible").run(|_| {}, &Unmonitored);
        *result.expect("the run is not cancelled").expect("the run succeeds")
    }

    #[test]
    fn a_worker_finds_the_same_places() {
        let mut session = testing::baked();
        let crowded = SoakInput { n_agents: 60, minutes: 1.0, seed: 3, places: SoakPlaces::Saved };
        session.soak.input = crowded;
        session.history.change(Phrase::verbatim("Save"), |document| {
            let places = [Vec3::new(3.0, 0.0, 20.0), Vec3::new(20.0, 0.0, 20.0)];
            document.places = places.map(|at| SavedPlace { at }.into()).to_vec();
        });
        let result = |messages: Vec<SoakMessage>| {
            let mut results: Vec<_> = messages
                .into_iter()
                .filter_map(|message| match message {
                    // When they are sent depends on the clock.
                    SoakMessage::Progress(_) => None,
                    SoakMessage::Done(result) => Some(result),
                })
                .collect();
            assert_eq!(results.len(), 1);
            results.remove(0)
        };
        let runs = |session: &Session| {
            here_and_in_worker(TaskId::Soak, || SoakRequest::of(session).unwrap()).map(result)
        };
        let [here, there] = runs(&session);
        assert_eq!(here, there);
        let report = here.unwrap();
        let recorded = report.findings.iter().flat_map(|finding| &finding.replay.agents);
        assert!(recorded.count() > 1, "{:?}", report.findings);
        assert!(report.heat.cells().count() > 10, "{:?}", report.heat);
        let far = Vec3::new(900.0, 0.0, 900.0);
        session.history.change(Phrase::verbatim("Save"), |document| {
            document.places.push(SavedPlace { at: far }.into());
        });
        let [here, there] = runs(&session);
        assert_eq!(here, there);
        assert!(here.unwrap_err().contains("900"));
        let progress = SoakMessage::Progress(SoakProgress { done: 0.25, n_findings: 3 });
        let sent = wire::to_bytes(&progress).unwrap();
        assert_eq!(wire::from_bytes::<SoakMessage>(&sent).unwrap(), progress);
    }

    #[test]
    fn agents_walk_between_the_saved_places_if_requested() {
        let mut session = testing::baked();
        let input = SoakInput { n_agents: 12, minutes: 0.5, seed: 3, ..session.soak.input };
        session.soak.input = SoakInput { places: SoakPlaces::Saved, ..input };
        assert!(SoakRequest::of(&session).is_none(), "there are no places");
        let places = [Vec3::new(3.0, 0.0, 20.0), Vec3::new(20.0, 0.0, 20.0)];
        session.history.change(Phrase::verbatim("Save"), |document| {
            document.places = vec![SavedPlace { at: places[0] }.into()];
        });
        assert!(SoakRequest::of(&session).is_none(), "there is one place");
        session.history.change(Phrase::verbatim("Save"), |document| {
            document.places.push(SavedPlace { at: places[1] }.into());
        });
        let between = report(SoakRequest::of(&session));
        assert!(between.n_trips > 20, "{}", between.n_trips);
        // The same run as that of `walkable soak --places`.
        let navmesh = session.bake.navmesh.clone().expect("the level is baked");
        let mut filter = filter_of(&session.document().areas);
        filter.exclude_flags |= DISABLED;
        let settings = SoakSettings {
            n_agents: 12,
            minutes: 0.5,
            seed: 3,
            filter,
            places: places.to_vec(),
            ..SoakSettings::new(&navmesh)
        };
        let mut run =
            SoakRun::new(&navmesh, &settings, &Unmonitored).expect("the settings are valid");
        while run.advance(&Unmonitored).unwrap() {}
        assert_eq!(between, run.report());
        session.soak.input = input;
        assert_ne!(between, report(SoakRequest::of(&session)));
    }
}
