//! Progress and cancellation of long work.
//!
//! The library has no clock and no log: the caller decides what to do at a new stage, such as to update a progress bar.

use crate::stage::Stage;

/// The work was cancelled by the caller and has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Receives progress and can cancel the work. Called from worker threads.
pub trait Monitor: Sync {
    /// Called when the work enters `stage`; the previous stage has ended.
    fn enter(&self, stage: Stage) {
        let _ = stage;
    }

    /// Returns whether the work should stop as soon as possible.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Checks whether the work should stop, for use with `?`.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if [`Monitor::is_cancelled`] is true.
    fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// Ignores progress and never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unmonitored;

impl Monitor for Unmonitored {}
