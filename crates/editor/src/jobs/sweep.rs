//! Runs a sweep in the background.

use std::sync::{Arc, atomic::AtomicBool};

use walkable::sweep::{Combination, SweepOutcome};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    lang::tr,
    path_tests::Volumes,
    session::Session,
    sweep::{Outcomes, Sweep, SweepInput, cases_of_agent},
    text,
};

/// How to raise the limits of memory and of time.
const RAISE: [&str; 2] = [
    text!("raise the memory limit in the preferences"),
    text!("raise the time limit in the Bake menu"),
];

/// A message of a sweep, with its serial number.
#[derive(Debug)]
pub enum SweepMessage {
    /// The fingerprints of all combinations.
    Planned(u64, Vec<u64>),
    /// The bake with this fingerprint has an outcome.
    Done(u64, u64, SweepOutcome),
}

/// The combinations to bake.
#[derive(Clone, Debug)]
pub struct SweepRequest {
    /// The serial number.
    pub serial: u64,
    /// The level.
    pub input: SweepInput,
    /// The combinations.
    pub combinations: Vec<Combination>,
    /// The outcomes that are known.
    pub known: Outcomes,
}

impl SweepRequest {
    /// Returns the level of the session for a sweep, and the number of path tests of other agents.
    ///
    /// # Errors
    /// Returns a message if the level cannot be swept.
    pub fn input_of(session: &Session) -> Result<(SweepInput, usize), String> {
        let level = session.level.as_ref().ok_or("There is no level to bake.")?;
        let document = session.document();
        if document.obstacles_on_layers().is_some() {
            return Err(tr!("A level with runtime obstacles cannot be swept.").to_owned());
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
        let sweep = Sweep::new(input, &combinations);
        let fingerprints = sweep.planned.iter().map(|planned| planned.fingerprint).collect();
        send(SweepMessage::Planned(serial, fingerprints));
        sweep.run(&known, cancel, &|fingerprint, outcome| {
            send(SweepMessage::Done(serial, fingerprint, outcome));
        });
    }
}

/// Runs one sweep at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct SweepJob {
    slot: JobSlot<SweepMessage>,
}

impl SweepJob {
    /// Creates an idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("sweep", wake) }
    }

    /// Starts a sweep.
    pub(super) fn start(&mut self, request: SweepRequest) {
        self.slot.request(move |report| {
            request.run(report.cancel_flag(), &|message| report.send(message));
        });
    }

    /// Cancels the sweep; the outcomes so far stay.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Whether a sweep is running.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<SweepMessage>> {
        self.slot.poll()
    }
}
