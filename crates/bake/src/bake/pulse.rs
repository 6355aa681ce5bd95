//! Asking a monitor often enough to stop in time, and seldom enough to cost nothing.

use walkable_runtime::monitor::{Cancelled, Monitor};

/// Steps between two looks at the monitor. A step is the work on one cell or span, at most about a
/// microsecond, so a bake stops within some ten milliseconds.
const PERIOD: u32 = 8192;

/// Counts steps of work and looks at the monitor once in a while.
pub(super) struct Pulse<'m> {
    monitor: &'m dyn Monitor,
    left: u32,
}

impl<'m> Pulse<'m> {
    pub(super) fn new(monitor: &'m dyn Monitor) -> Self {
        Self { monitor, left: 0 }
    }

    /// One step of work.
    pub(super) fn step(&mut self) -> Result<(), Cancelled> {
        if self.left == 0 {
            self.left = PERIOD;
            return self.monitor.check();
        }
        self.left -= 1;
        Ok(())
    }

    /// So many steps of work at once.
    pub(super) fn steps(&mut self, n: u32) -> Result<(), Cancelled> {
        if self.left < n {
            self.left = PERIOD;
            return self.monitor.check();
        }
        self.left -= n;
        Ok(())
    }
}
