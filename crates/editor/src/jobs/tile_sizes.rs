//! Measures tile sizes in the background.

use walkable::bake::BakeInput;

use crate::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    limits,
    tile_sizes::{TileSizeAdvice, measure_tile_sizes},
};

/// A message of the comparison of tile sizes.
#[derive(Debug)]
pub enum TileSizeMessage {
    /// Tiles of this size, in voxels, are measured now.
    Entered(u32),
    /// The comparison ended with this result, or failed.
    Done(Result<TileSizeAdvice, String>),
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
    pub(super) fn start(&mut self, input: BakeInput) {
        self.slot.request(move |report| {
            let entered = &mut |tile_size| report.send(TileSizeMessage::Entered(tile_size));
            let advice = measure_tile_sizes(&input, limits::of_bakes(), entered, report);
            report.send(TileSizeMessage::Done(advice.map_err(|error| error.to_string())));
        });
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
