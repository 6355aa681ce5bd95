use super::{SearchStep, Watch};
use crate::monitor::{Cancelled, Monitor};

/// Forwards to another watch, and ends the search once its monitor is cancelled.
#[derive(Debug)]
pub struct Cancellable<'a, W, M: ?Sized> {
    watch: &'a mut W,
    monitor: &'a M,
    is_cancelled: bool,
}

impl<W: Watch, M: Monitor + ?Sized> Watch for Cancellable<'_, W, M> {
    fn step(&mut self, step: impl FnOnce() -> SearchStep) {
        self.watch.step(step);
    }

    fn goes_on(&mut self) -> bool {
        self.is_cancelled |= self.monitor.is_cancelled();
        !self.is_cancelled && self.watch.goes_on()
    }
}

/// Runs `search` until it ends or `monitor` is cancelled. The search gets a watch that checks the monitor and forwards
/// each step to `watch`.
///
/// # Errors
/// Returns [`Cancelled`] if the monitor was cancelled.
pub fn cancellable<W: Watch, M: Monitor + ?Sized, A>(
    monitor: &M,
    watch: &mut W,
    search: impl FnOnce(&mut Cancellable<'_, W, M>) -> A,
) -> Result<A, Cancelled> {
    let mut watch = Cancellable { watch, monitor, is_cancelled: false };
    let answer = search(&mut watch);
    if watch.is_cancelled { Err(Cancelled) } else { Ok(answer) }
}
