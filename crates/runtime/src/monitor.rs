//! How long work reports what it does and learns that it should stop.
//!
//! The library has no clock and no log: whoever calls decides what a stage change means (a timer, a
//! progress bar, nothing).

use crate::stage::Stage;

/// The caller asked for the work to stop. Nothing was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Receiver of progress and source of cancellation. Called from worker threads.
pub trait Monitor: Sync {
    /// The work enters `stage`; the stage before it, if any, has ended.
    fn enter(&self, stage: Stage) {
        let _ = stage;
    }

    /// Whether the work should stop at the next opportunity.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// `Err` when the work should stop, for use with `?`.
    ///
    /// # Errors
    /// [`Cancelled`] when [`Monitor::is_cancelled`] holds.
    fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// Listens to nothing and never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unmonitored;

impl Monitor for Unmonitored {}
