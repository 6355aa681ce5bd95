//! Limits of memory and time on the command line, and the estimate printed before a bake starts.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use walkable::{
    bake::{BakeError, BakeEstimate},
    monitor::Monitor,
};
use walkable_editor::limits;

use super::{interrupt, load::LevelArg, output::eprint_line};

/// Limits of memory and time for a bake or a search.
#[derive(clap::Args, Debug)]
pub(crate) struct LimitArgs {
    /// Maximum memory for the bake or search, and for reading its files, estimated before; by default 1GB, or less if the
    /// process cannot get that much.
    #[arg(long, value_name = "SIZE", value_parser = limits::parse_size)]
    max_memory: Option<u64>,
    /// Maximum time for a bake, estimated before it starts, for example 30min or 2h; 1h by default.
    #[arg(long, value_name = "TIME", value_parser = limits::parse_time)]
    max_time: Option<u32>,
}

impl LimitArgs {
    /// Sets them as the limits of the process. Call it before files are read.
    pub(crate) fn apply(&self) {
        limits::count_reading();
        if let Some(n_bytes) = self.max_memory {
            limits::set_memory(n_bytes);
        }
        if let Some(secs) = self.max_time {
            limits::set_time(secs);
        }
    }
}

/// Cancels work at a point in time.
pub(crate) struct Deadline {
    at: Instant,
    /// Also cancels when this flag is set.
    interrupted: Option<&'static AtomicBool>,
}

impl Deadline {
    /// Cancels after `time` from now.
    pub(crate) fn after(time: Duration) -> Self {
        Self { at: Instant::now() + time, interrupted: None }
    }

    /// Also cancels on Ctrl-C.
    pub(crate) fn or_interrupt(self) -> Self {
        Self { interrupted: Some(interrupt::flag()), ..self }
    }

    /// Returns whether the user pressed Ctrl-C.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl Monitor for Deadline {
    fn is_cancelled(&self) -> bool {
        self.is_interrupted() || Instant::now() >= self.at
    }
}

/// Bakes that need less than this much memory and time are not announced.
const QUIET: BakeEstimate = BakeEstimate { n_bytes: 100_000_000, secs: 5.0 };

/// Prints the memory and time that a bake needs if they are large, or returns an error if they exceed the limits.
pub(crate) fn admit(
    level: &LevelArg,
    estimate: Result<BakeEstimate, BakeError>,
) -> anyhow::Result<()> {
    let estimate = estimate.map_err(|error| match error {
        BakeError::TooMuchMemory { .. } => anyhow::anyhow!("{error}, or raise --max-memory"),
        BakeError::TooMuchTime { .. } => anyhow::anyhow!("{error}, or raise --max-time"),
        error => error.into(),
    });
    let estimate = estimate.with_context(|| level.to_string())?;
    if estimate.n_bytes > QUIET.n_bytes || estimate.secs > QUIET.secs {
        eprint_line(&format!("{level}: the bake needs {estimate}"));
    }
    Ok(())
}
