//! How far a bake is, on a terminal.

use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Least time between two changes of the line.
const PERIOD: Duration = Duration::from_millis(100);

/// A line that tells tiles done and time left; nothing where nobody watches.
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
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.n_done += 1;
        let now = Instant::now();
        let due = state.shown.is_none_or(|shown| now - shown >= PERIOD);
        if self.watched && due {
            state.shown = Some(now);
            let line = line(state.n_done, self.n_tiles, now - state.started);
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

fn line(n_done: usize, n_tiles: usize, elapsed: Duration) -> String {
    let percent = n_done * 100 / n_tiles.max(1);
    let n_left = u32::try_from(n_tiles.saturating_sub(n_done)).unwrap_or(u32::MAX);
    let per_tile = elapsed / u32::try_from(n_done.max(1)).unwrap_or(u32::MAX);
    let left = per_tile.saturating_mul(n_left).as_secs_f32();
    format!("baking: {n_done} of {n_tiles} tiles, {percent} %, {left:.0} s left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_tiles_left() {
        let text = line(10, 40, Duration::from_secs(5));
        assert_eq!(text, "baking: 10 of 40 tiles, 25 %, 15 s left");
        assert_eq!(line(0, 0, Duration::ZERO), "baking: 0 of 0 tiles, 0 %, 0 s left");
    }
}
