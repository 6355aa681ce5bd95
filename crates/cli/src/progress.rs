//! The progress of a bake or a search, on a terminal.

use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use walkable::bake::Stage;

/// Minimum time between two changes of the line.
const PERIOD: Duration = Duration::from_millis(100);

/// A line on the terminal that is overwritten as work goes on; nothing is written if the standard error is no terminal.
pub(super) struct Line {
    is_watched: bool,
    shown: Mutex<Option<Instant>>,
}

impl Line {
    pub(super) fn new() -> Self {
        Self { is_watched: io::stderr().is_terminal(), shown: Mutex::new(None) }
    }

    /// Replaces the text, unless it was replaced a moment ago.
    pub(super) fn show(&self, text: impl FnOnce() -> String) {
        if !self.is_watched {
            return;
        }
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.is_none_or(|shown| shown.elapsed() >= PERIOD) {
            *shown = Some(Instant::now());
            write!(io::stderr(), "\r\x1b[K{}", text()).ok();
        }
    }

    /// Removes the text.
    pub(super) fn clear(&self) {
        if self.is_watched {
            write!(io::stderr(), "\r\x1b[K").ok();
        }
    }
}

/// A line that shows the stage of a bake, the number of finished tiles and the remaining time.
pub(super) struct Progress {
    n_tiles: usize,
    n_done: AtomicUsize,
    started: Instant,
    line: Line,
}

impl Progress {
    pub(super) fn new(n_tiles: usize) -> Self {
        Self { n_tiles, n_done: AtomicUsize::new(0), started: Instant::now(), line: Line::new() }
    }

    /// Counts a tile.
    pub(super) fn tile_done(&self) {
        self.n_done.fetch_add(1, Ordering::Relaxed);
    }

    /// Shows that some tile enters a stage.
    pub(super) fn stage_entered(&self, stage: Stage) {
        let n_done = self.n_done.load(Ordering::Relaxed);
        self.line.show(|| line(stage, n_done, self.n_tiles, self.started.elapsed()));
    }

    /// Removes the line and returns the time since the start.
    pub(super) fn finish(self) -> Duration {
        self.line.clear();
        self.started.elapsed()
    }
}

fn line(stage: Stage, n_done: usize, n_tiles: usize, elapsed: Duration) -> String {
    let percent = n_done * 100 / n_tiles.max(1);
    let stage = stage.key();
    let done = format!("baking {stage}: {n_done} of {n_tiles} tiles, {percent} %");
    // Nothing is known of the time that tiles take before the first one is done.
    let per_tile = u32::try_from(n_done).ok().and_then(|n| elapsed.checked_div(n));
    let Some(per_tile) = per_tile else { return done };
    let n_left = u32::try_from(n_tiles.saturating_sub(n_done)).unwrap_or(u32::MAX);
    let left = per_tile.saturating_mul(n_left).as_secs_f32();
    format!("{done}, {left:.0} s left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_tiles_left() {
        let text = line(Stage::Regions, 10, 40, Duration::from_secs(5));
        assert_eq!(text, "baking regions: 10 of 40 tiles, 25 %, 15 s left");
        let text = line(Stage::Spans, 0, 1, Duration::from_secs(5));
        assert_eq!(text, "baking spans: 0 of 1 tiles, 0 %");
    }
}
