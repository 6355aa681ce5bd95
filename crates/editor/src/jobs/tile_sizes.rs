//! Measures tile sizes in the background.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use walkable::bake::BakeInput;
use walkable_workspace::{
    limits,
    tile_sizes::{TileSizeAdvice, measure_tile_sizes},
    wire,
};

use crate::jobs::{
    bake_workers::{input_from, level_from_bytes, plan_to_parts},
    job_workers::{self, JobKind, JobWorkers, WorkerRequest},
    slot::{JobEvent, JobSlot, Reporter, Wake},
};

/// A message of the comparison of tile sizes.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub enum TileSizeMessage {
    /// Tiles of this size, in voxels, are measured now.
    Entered(u32),
    /// The comparison ended with this result, or failed.
    Done(#[serde(with = "wire::formed")] Result<TileSizeAdvice, String>),
}

/// The bake whose tile sizes are compared.
#[derive(Debug)]
pub(super) struct TileSizeRequest(BakeInput);

impl WorkerRequest for TileSizeRequest {
    type Message = TileSizeMessage;
    const KIND: JobKind = JobKind::TileSizes;

    fn carry_out(self, report: &Reporter<TileSizeMessage>) {
        let Self(input) = self;
        let entered = &mut |tile_size| report.send(TileSizeMessage::Entered(tile_size));
        let advice = measure_tile_sizes(&input, limits::of_bakes(), entered, report);
        report.send(TileSizeMessage::Done(advice.map_err(|error| error.to_string())));
    }

    fn to_parts(&self) -> Option<Vec<Vec<u8>>> {
        Some(plan_to_parts(&self.0).to_vec())
    }

    fn from_parts(parts: &[&[u8]]) -> Option<Self> {
        let [input, level] = parts else { return None };
        let level = Arc::new(level_from_bytes(level)?);
        Some(Self(input_from(level, std::str::from_utf8(input).ok()?).ok()?))
    }
}

/// Handles one comparison at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct TileSizeJob {
    slot: JobSlot<TileSizeMessage>,
}

impl TileSizeJob {
    /// Creates an idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("measure tile sizes", wake) }
    }

    /// Starts a comparison.
    pub(super) fn start(&mut self, input: BakeInput, workers: Option<&Arc<dyn JobWorkers>>) {
        job_workers::request(&mut self.slot, workers, TileSizeRequest(input));
    }

    /// Cancels the comparison.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Returns whether tiles are being measured.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Returns the results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<TileSizeMessage>> {
        self.slot.poll()
    }
}

#[cfg(test)]
mod tests {
    use walkable::bake::BakeSettings;

    use super::*;
    use crate::{jobs::job_worker::testing::here_and_in_worker, testing::baked};

    /// Replaces what depends on the time that the bakes take.
    fn without_times(messages: Vec<TileSizeMessage>) -> Vec<TileSizeMessage> {
        let mut messages = messages;
        for message in &mut messages {
            if let TileSizeMessage::Done(Ok(advice)) = message {
                advice.best = advice.best.map(|_| 0);
                for row in &mut advice.rows {
                    (row.seconds, row.tile_seconds) = (0.0, 0.0);
                }
            }
        }
        messages
    }

    #[test]
    fn a_worker_measures_the_same() {
        let session = baked();
        let level = session.bake.plan.as_ref().unwrap().input();
        let [here, there] = here_and_in_worker(|| TileSizeRequest(level.clone()));
        let [here, there] = [here, there].map(without_times);
        assert_eq!(here, there);
        let [entered @ .., TileSizeMessage::Done(Ok(advice))] = &here[..] else {
            panic!("{here:?}")
        };
        assert_eq!(entered[0], TileSizeMessage::Entered(16));
        assert_eq!(entered.len(), advice.rows.len() + advice.skipped.len());
        assert!(advice.rows.len() > 1, "{advice:?}");
        let settings = BakeSettings { cell_size: -1.0, ..level.settings.clone() };
        let [here, there] = here_and_in_worker(|| {
            TileSizeRequest(BakeInput { settings: settings.clone(), ..level.clone() })
        });
        assert_eq!(here, there);
        assert!(matches!(here.last(), Some(TileSizeMessage::Done(Err(_)))), "{here:?}");
    }
}
