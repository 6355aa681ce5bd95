//! Handles bake results: at once if there are few, in batches during a long bake, because redraws slow it down.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use eframe::egui;
use walkable_editor::jobs::{Results, slot::Wake};
use web_time::Instant;

#[derive(Debug)]
pub(super) struct ResultClock {
    start: Instant,
    taken: Instant,
    next: Arc<Next>,
}

#[derive(Debug, Default)]
struct Next {
    /// Milliseconds since the start of the clock.
    due: AtomicU64,
    is_requested: AtomicBool,
}

impl ResultClock {
    pub(super) fn new() -> Self {
        let start = Instant::now();
        Self { start, taken: start, next: Arc::default() }
    }

    pub(super) fn wake(&self, ctx: egui::Context) -> Wake {
        let (start, next) = (self.start, Arc::clone(&self.next));
        Arc::new(move || {
            let due = Duration::from_millis(next.due.load(Ordering::Relaxed));
            let left = due.saturating_sub(start.elapsed());
            // The window may drop a request for a frame, so requests for an immediate frame are never skipped.
            if left.is_zero() || !next.is_requested.swap(true, Ordering::Relaxed) {
                ctx.request_repaint_after(left);
            }
        })
    }

    /// Returns whether to handle the results of a bake now. During a long bake, that is the case only if the time
    /// `between` has passed since the last time.
    pub(super) fn results(&mut self, now: Instant, between: Option<Duration>) -> Results {
        let between = between.unwrap_or_default();
        let is_due = now - self.taken >= between;
        if is_due {
            self.taken = now;
        }
        let due = (self.taken + between - self.start).as_millis();
        self.next.due.store(u64::try_from(due).unwrap_or(0), Ordering::Relaxed);
        self.next.is_requested.store(false, Ordering::Relaxed);
        if is_due { Results::Take } else { Results::Leave }
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
