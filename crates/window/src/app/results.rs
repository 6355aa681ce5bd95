//! Schedules the handling of bake results: immediately if there are few, in batches during a long bake, since each
//! redraw costs time that the bake needs.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use eframe::egui;
use walkable_editor::jobs::{Results, slot::Wake};
use web_time::Instant;

/// When results were handled last, and when they will be handled next.
#[derive(Debug)]
pub(super) struct ResultClock {
    taken: Instant,
    /// Milliseconds from a result to the frame that it requests.
    delay: Arc<AtomicU64>,
}

impl ResultClock {
    pub(super) fn new() -> Self {
        Self { taken: Instant::now(), delay: Arc::default() }
    }

    /// The callback for new results of a bake.
    pub(super) fn wake(&self, ctx: egui::Context) -> Wake {
        let delay = Arc::clone(&self.delay);
        Arc::new(move || {
            ctx.request_repaint_after(Duration::from_millis(delay.load(Ordering::Relaxed)));
        })
    }

    /// Whether results are handled at `now`; those of a long bake only after the time `between`.
    pub(super) fn results(&mut self, now: Instant, between: Option<Duration>) -> Results {
        let between = between.unwrap_or_default();
        let left = between.saturating_sub(now - self.taken);
        let delay = if left.is_zero() { between } else { left };
        self.delay.store(u64::try_from(delay.as_millis()).unwrap_or(0), Ordering::Relaxed);
        if !left.is_zero() {
            return Results::Leave;
        }
        self.taken = now;
        Results::Take
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_a_long_bake_are_taken_in_many_at_a_time() {
        let mut clock = ResultClock::new();
        let between = Some(Duration::from_millis(100));
        let at = |millis| clock.taken + Duration::from_millis(millis);
        let times = [50, 120, 150, 219, 220, 330].map(at);
        let taken = times.map(|now| clock.results(now, between) == Results::Take);
        assert_eq!(taken, [false, true, false, false, true, true]);
        assert_eq!(clock.results(times[5], None), Results::Take, "the bake is over");
    }
}
