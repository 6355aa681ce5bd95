//! Checks a monitor often enough to stop in time, and seldom enough to cost nothing.

use walkable_runtime::monitor::{Cancelled, Monitor};

/// Number of steps between two checks of the monitor. A step is the work on one cell or span, at most about a
/// microsecond, so a bake stops within some ten milliseconds.
const PERIOD: u32 = 8192;

/// Counts steps of work and checks the monitor from time to time.
pub(super) struct Pulse<'m> {
    monitor: &'m dyn Monitor,
    left: u32,
}

impl<'m> Pulse<'m> {
    pub(super) fn new(monitor: &'m dyn Monitor) -> Self {
        Self { monitor, left: 0 }
    }

    /// Counts one step of work.
    pub(super) fn step(&mut self) -> Result<(), Cancelled> {
        if self.left == 0 {
            self.left = PERIOD;
            return self.monitor.check();
        }
        self.left -= 1;
        Ok(())
    }

    /// Counts `n` steps of work.
    pub(super) fn steps(&mut self, n: u32) -> Result<(), Cancelled> {
        if self.left < n {
            self.left = PERIOD;
            return self.monitor.check();
        }
        self.left -= n;
        Ok(())
    }
}
