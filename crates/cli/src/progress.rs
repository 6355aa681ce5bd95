//! The progress of a bake or a search: on a terminal, a line that changes; elsewhere, a line from time to time.

use std::{
    io::Write,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use walkable::bake::Stage;

use super::output::{is_watched, stderr, write_line, write_over};

/// Minimum time between two changes of the line on a terminal.
const PERIOD: Duration = Duration::from_millis(100);
/// Minimum time between two lines elsewhere, such as in the log of a scheduler.
const LOG_PERIOD: Duration = Duration::from_secs(30);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    /// Each text overwrites the one before it, until it is removed.
    Terminal,
    /// Each text stays, on its own line.
    Log,
}

pub(super) struct Line {
    output: Output,
    period: Duration,
    /// When a text was written, or when the work began if the output is a log.
    shown: Mutex<Option<Instant>>,
}

impl Line {
    pub(super) fn new() -> Self {
        if is_watched() {
            Self::with(Output::Terminal, PERIOD)
        } else {
            Self::with(Output::Log, LOG_PERIOD)
        }
    }

    fn with(output: Output, period: Duration) -> Self {
        let shown = (output == Output::Log).then(Instant::now);
        Self { output, period, shown: Mutex::new(shown) }
    }

    /// Writes the text, unless one was written a moment ago.
    pub(super) fn show(&self, text: impl FnOnce() -> String) {
        self.show_on(&mut stderr(), text);
    }

    fn show_on(&self, to: &mut impl Write, text: impl FnOnce() -> String) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.is_none_or(|shown| shown.elapsed() >= self.period) {
            *shown = Some(Instant::now());
            match self.output {
                Output::Terminal => write_over(to, &text()).ok(),
                Output::Log => write_line(to, &text()).ok(),
            };
        }
    }

    pub(super) fn clear(&self) {
        if self.output == Output::Terminal {
            write_over(&mut stderr(), "").ok();
        }
    }
}

/// Shows the progress of a bake: the number of finished tiles, the stage of one of the others, and the remaining time.
pub(super) struct Progress {
    n_tiles: usize,
    n_done: AtomicUsize,
    started: Instant,
    line: Line,
}

impl Progress {
    pub(super) fn new(n_tiles: usize) -> Self {
        Self::on(n_tiles, Line::new())
    }

    fn on(n_tiles: usize, line: Line) -> Self {
        Self { n_tiles, n_done: AtomicUsize::new(0), started: Instant::now(), line }
    }

    pub(super) fn tile_done(&self) {
        self.tile_done_on(&mut stderr());
    }

    fn tile_done_on(&self, to: &mut impl Write) {
        let n_done = self.n_done.fetch_add(1, Ordering::Relaxed) + 1;
        // Tiles that are read instead of baked enter no stage.
        self.line.show_on(to, || line(None, n_done, self.n_tiles, self.started.elapsed()));
    }

    pub(super) fn stage_entered(&self, stage: Stage) {
        if self.line.output == Output::Terminal {
            let n_done = self.n_done.load(Ordering::Relaxed);
            self.line.show(|| line(Some(stage), n_done, self.n_tiles, self.started.elapsed()));
        }
    }

    /// Removes the line and returns the time since the start.
    pub(super) fn finish(self) -> Duration {
        self.line.clear();
        self.started.elapsed()
    }
}

fn line(stage: Option<Stage>, n_done: usize, n_tiles: usize, elapsed: Duration) -> String {
    let percent = n_done * 100 / n_tiles.max(1);
    let stage = stage.map(|stage| format!(" ({})", stage.key())).unwrap_or_default();
    let done = format!("baking: {n_done} of {n_tiles} tiles, {percent} %");
    // The time per tile is unknown until the first tile is done.
    let per_tile = u32::try_from(n_done).ok().and_then(|n| elapsed.checked_div(n));
    let Some(per_tile) = per_tile else { return format!("{done}{stage}") };
    let n_left = u32::try_from(n_tiles.saturating_sub(n_done)).unwrap_or(u32::MAX);
    let left = per_tile.saturating_mul(n_left).as_secs_f32();
    format!("{done}, {left:.0} s left{stage}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_tiles_left() {
        let text = line(Some(Stage::Regions), 10, 40, Duration::from_secs(5));
        assert_eq!(text, "baking: 10 of 40 tiles, 25 %, 15 s left (regions)");
        let text = line(Some(Stage::Spans), 0, 1, Duration::from_secs(5));
        assert_eq!(text, "baking: 0 of 1 tiles, 0 % (spans)");
    }

    #[test]
    fn a_log_gets_whole_lines_once_a_period_has_passed() {
        let mut log = Vec::new();
        let progress = Progress::on(4, Line::with(Output::Log, Duration::from_hours(1)));
        (0..4).for_each(|_| progress.tile_done_on(&mut log));
        assert!(log.is_empty(), "short bakes say nothing");

        let progress = Progress::on(2, Line::with(Output::Log, Duration::ZERO));
        (0..2).for_each(|_| progress.tile_done_on(&mut log));
        let log = String::from_utf8(log).unwrap();
        let lines: Vec<_> = log.split_inclusive('\n').collect();
        let starts = ["baking: 1 of 2 tiles, 50 %, ", "baking: 2 of 2 tiles, 100 %, 0 s left\n"];
        assert!(
            lines.len() == 2 && lines.iter().zip(starts).all(|(a, b)| a.starts_with(b)),
            "{log}"
        );
    }

    #[test]
    fn a_terminal_gets_a_text_that_is_overwritten() {
        let mut screen = Vec::new();
        let line = Line::with(Output::Terminal, Duration::from_hours(1));
        (1..4).for_each(|n| line.show_on(&mut screen, || n.to_string()));
        assert_eq!(screen, b"\r\x1b[K1");
    }
}
