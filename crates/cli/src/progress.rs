//! How far a bake is, on a terminal.

use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use walkable::bake::Stage;

/// Least time between two changes of the line.
const PERIOD: Duration = Duration::from_millis(100);

/// A line that tells the stage, tiles done and time left; nothing where nobody watches.
pub(super) struct Progress {
    n_tiles: usize,
    watched: bool,
    state: Mutex<State>,
}

struct State {
    n_done: usize,
    started: Instant,
    shown: Option<Instant>,
}

impl Progress {
    pub(super) fn new(n_tiles: usize) -> Self {
        let state = State { n_done: 0, started: Instant::now(), shown: None };
        Self { n_tiles, watched: io::stderr().is_terminal(), state: Mutex::new(state) }
    }

    /// Counts a tile.
    pub(super) fn tile_done(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).n_done += 1;
    }

    /// Shows that some tile enters a stage.
    pub(super) fn stage_entered(&self, stage: Stage) {
        if !self.watched {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if state.shown.is_none_or(|shown| now - shown >= PERIOD) {
            state.shown = Some(now);
            let line = line(stage, state.n_done, self.n_tiles, now - state.started);
            write!(io::stderr(), "\r\x1b[K{line}").ok();
        }
    }

    /// Takes the line away and tells how long it all took.
    pub(super) fn finish(self) -> Duration {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if self.watched {
            write!(io::stderr(), "\r\x1b[K").ok();
        }
        state.started.elapsed()
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
