//! Runs a sweep in the background.

use std::sync::{Arc, atomic::AtomicBool};

use serde::{Deserialize, Serialize};
use walkable::{
    diagnostic::Phrase,
    phrase,
    sweep::{Combination, SweepOutcome},
};
use walkable_workspace::{
    path_tests::Volumes,
    sweep::{Outcomes, Sweep, SweepInput, cases_of_agent},
    text,
};

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::Session,
};

/// How to raise the limits of memory and of time.
const RAISE: [&str; 2] = [
    text!("raise the memory limit in the preferences"),
    text!("raise the time limit in the Bake menu"),
];

#[derive(Debug, Serialize, Deserialize)]
pub enum SweepMessage {
    /// The fingerprints of all combinations.
    Planned(u64, Vec<u64>),
    Done(u64, u64, SweepOutcome),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SweepRequest {
    pub serial: u64,
    pub input: SweepInput,
    pub combinations: Vec<Combination>,
    pub known: Outcomes,
}

impl SweepRequest {
    /// Returns the input of a sweep, and how many path tests are left out because they are for other agents. The error
    /// says why the level cannot be swept.
    pub fn input_of(session: &Session) -> Result<(SweepInput, usize), Phrase> {
        let no_level = || phrase!("There is no level to bake.");
        let level = session.opened.level.as_ref().ok_or_else(no_level)?;
        let document = session.document();
        if document.obstacles_on_layers().is_some() {
            return Err(phrase!("A level with runtime obstacles cannot be swept."));
        }
        let active = document.agents.active().map(|agent| &*agent.name);
        let (cases, n_others) = cases_of_agent(&document.path_tests, active);
        let input = SweepInput {
            mesh: Arc::clone(&level.mesh),
            part: level.part(),
            config: document.config(),
            finish: document.finish(),
            cases,
            volumes: Volumes::of(&document.volumes),
            raise: RAISE,
        };
        Ok((input, n_others))
    }

    /// Runs the sweep, and sends its messages from several threads.
    pub fn run(self, cancel: &AtomicBool, send: &(dyn Fn(SweepMessage) + Sync)) {
        let Self { serial, input, combinations, known } = self;
        let sweep = Sweep::new(SweepInput { raise: RAISE, ..input }, &combinations);
        let fingerprints = sweep.planned.iter().map(|planned| planned.fingerprint).collect();
        send(SweepMessage::Planned(serial, fingerprints));
        sweep.run(&known, cancel, &|fingerprint, outcome| {
            send(SweepMessage::Done(serial, fingerprint, outcome));
        });
    }
}

impl Job for SweepRequest {
    type Message = SweepMessage;

    fn carry_out(self, report: &Reporter<SweepMessage>) {
        self.run(report.cancel_flag(), &|message| report.send(message));
    }
}

impl Task for SweepRequest {
    const THREAD: &'static str = "sweep";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("The sweep")
    }

    fn apply(session: &mut Session, message: SweepMessage) -> Option<FollowUp> {
        let sweep = &mut session.sweep;
        match message {
            SweepMessage::Planned(serial, fingerprints) => {
                sweep.land_plan(serial, &fingerprints);
            }
            SweepMessage::Done(serial, fingerprint, outcome) => {
                sweep.land(serial, fingerprint, &outcome);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use walkable::{
        bake::{AreaTable, BakeConfig},
        sweep::{SweepResult, VariedSetting, grid},
    };
    use walkable_workspace::{
        document::Finish,
        lang::{self, Language},
        wire,
    };

    use super::*;
    use crate::{jobs::job_worker::testing::here_and_in_worker, task::TaskId, testing::baked};

    #[test]
    fn why_a_sweep_or_a_bake_fails_follows_the_language() {
        let Err(why) = SweepRequest::input_of(&Session::default()) else { panic!("no level") };
        let bake = phrase!(
            "{error}, or {remedy}",
            error = "too large",
            remedy = Phrase::new(RAISE[0], Vec::new())
        );
        let message = SweepMessage::Done(1, 2, SweepOutcome::Failed(bake));
        let bytes = wire::to_bytes(&message).unwrap();
        let SweepMessage::Done(1, 2, SweepOutcome::Failed(bake)) =
            wire::from_bytes(&bytes).unwrap()
        else {
            panic!("another message");
        };
        let texts = || [&why, &bake].map(lang::phrase);
        let english = "too large, or raise the memory limit in the preferences";
        assert_eq!(texts(), ["There is no level to bake.", english]);
        lang::set_language(Language::Chinese);
        assert_eq!(texts()[0], "没有可烘焙的关卡。");
        assert!(texts()[1].starts_with("too large，或"), "{}", texts()[1]);
        lang::set_language(Language::English);
    }

    #[test]
    fn a_worker_measures_the_same() {
        let session = baked();
        let level = session.bake.plan.as_ref().unwrap().input();
        let varied = VariedSetting::parse("agent_radius=0.4,0.6,1.5").unwrap();
        let combinations =
            grid(&[varied, VariedSetting::parse("tile_size=0,48").unwrap()]).unwrap();
        let (settings, areas) = (level.settings.clone(), AreaTable::default());
        let request = |known: Outcomes| SweepRequest {
            serial: 3,
            input: SweepInput {
                mesh: Arc::clone(&level.mesh),
                part: None,
                config: BakeConfig {
                    settings: settings.clone(),
                    areas: areas.clone(),
                    ..BakeConfig::default()
                },
                finish: Finish::default(),
                cases: Vec::new(),
                volumes: Volumes::default(),
                raise: RAISE,
            },
            combinations: combinations.clone(),
            known,
        };
        let without_times = |messages: Vec<SweepMessage>| {
            let done = messages.into_iter().map(|message| match message {
                SweepMessage::Planned(serial, bakes) => (serial, None, bakes),
                SweepMessage::Done(serial, bake, outcome) => {
                    let result =
                        outcome.result().map(|&result| SweepResult { seconds: 0.0, ..result });
                    (serial, Some(result.expect("every bake succeeds")), vec![bake])
                }
            });
            let mut done: Vec<_> = done.collect();
            done.sort_by_key(|(_, result, bakes)| (result.is_some(), bakes.clone()));
            done
        };
        let [here, there] =
            here_and_in_worker(TaskId::Sweep, || request(Outcomes::new())).map(without_times);
        assert_eq!(here, there);
        assert_eq!(here.len(), 1 + 6);
        // Known outcomes are not measured again.
        let known = here[1..3]
            .iter()
            .map(|(_, _, bakes)| (bakes[0], SweepOutcome::Failed(Phrase::verbatim(""))));
        let known: Outcomes = known.collect();
        let [here, there] =
            here_and_in_worker(TaskId::Sweep, || request(known.clone())).map(without_times);
        assert_eq!(here, there);
        assert_eq!(here.len(), 1 + 4);
    }
}
