//! Limits of memory and time on the command line, and the estimate printed before a bake starts.

use std::{
    fmt::Write as _,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use walkable::{
    bake::{BakeError, BakeEstimate},
    monitor::{Cancelled, Monitor},
};
use walkable_workspace::limits::{self, InTime};

use super::{Failure, interrupt, load::LevelArg, output::eprint_line};

/// Limits of memory and time for a bake or a search.
#[derive(clap::Args, Debug)]
pub(crate) struct LimitArgs {
    /// Maximum memory for the bake or search, and for reading its files, estimated before; by default 1GB, or less if the
    /// process cannot get that much.
    #[arg(long, value_name = "SIZE", value_parser = limits::parse_size)]
    max_memory: Option<u64>,
    /// Maximum time, for example 30min or 2h: bakes that are estimated to take longer do not start, and the command ends
    /// when the time is over. By default, only the estimate is limited, to 1h.
    #[arg(long, value_name = "TIME", value_parser = limits::parse_time)]
    max_time: Option<u32>,
}

impl LimitArgs {
    /// Sets them as the limits of the process, which ends when the time is over. Call it before files are read.
    pub(crate) fn apply(&self) {
        self.apply_to_estimates();
        if let Some(secs) = self.max_time {
            end_after(secs, MAX_TIME);
        }
    }

    /// Sets them as the limits of reading files and of the estimates of bakes.
    pub(crate) fn apply_to_estimates(&self) {
        limits::count_reading();
        if let Some(n_bytes) = self.max_memory {
            limits::set_memory(n_bytes);
        }
        if let Some(secs) = self.max_time {
            limits::set_time(secs);
        }
    }

    /// Runs one of several bakes of the process, and ends it when the time is over.
    pub(crate) fn timed<T>(&self, bake: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        if let Some(secs) = self.max_time {
            limits::start_clock(secs, MAX_TIME);
        }
        let baked = bake().map_err(|failure| match failure {
            Failure::Failed(error) => Failure::Failed(anyhow::Error::msg(error_text(&error))),
            failure @ (Failure::Usage(_) | Failure::Negative(_)) => failure,
        });
        limits::stop_clock();
        baked
    }
}

const MAX_TIME: &str = "--max-time";
/// Time that work has to stop and to report what it did, before the process ends anyway.
const GRACE: Duration = Duration::from_secs(5);

/// Ends the work of the process after `secs` seconds. Work that checks [`InTime`] stops and reports what it did; if the
/// process is still running after a grace period, it exits. Files are replaced only when they are complete, and tile
/// stores keep their tiles.
pub(crate) fn end_after(secs: u32, option: &'static str) {
    limits::start_clock(secs, option);
    let wait_and_exit = move || {
        thread::sleep(Duration::from_secs(secs.into()) + GRACE);
        exit_late();
    };
    thread::Builder::new().name("time limit".to_owned()).spawn(wait_and_exit).ok();
}

#[expect(clippy::exit, reason = "the time that the user allowed is over")]
fn exit_late() {
    if let Some(why) = limits::time_error() {
        eprint_line(&format!("error: {why}"));
    }
    std::process::exit(1);
}

/// Returns the text of an error. If the error is that work was cancelled because its time is over, it says so.
pub(crate) fn error_text(error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    match (limits::time_error(), text.strip_suffix(&Cancelled.to_string())) {
        (Some(why), Some(context)) => format!("{context}{why}"),
        _ => text,
    }
}

/// Cancels work at a point in time, or when the time of the process is over.
pub(crate) struct Deadline {
    at: Instant,
    interrupted: Option<&'static AtomicBool>,
}

impl Deadline {
    pub(crate) fn after(time: Duration) -> Self {
        Self { at: Instant::now() + time, interrupted: None }
    }

    /// Also cancels on Ctrl-C.
    pub(crate) fn or_interrupt(self) -> Self {
        Self { interrupted: Some(interrupt::flag()), ..self }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl Monitor for Deadline {
    fn is_cancelled(&self) -> bool {
        self.is_interrupted() || Instant::now() >= self.at || InTime.is_cancelled()
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
        let mut text = format!("{level}: the bake needs {estimate}");
        let reading = limits::recorded_reading();
        if reading > estimate.n_bytes {
            let megabytes = reading.div_ceil(1_000_000);
            let _ = write!(text, "; reading the files needed up to {megabytes} MB");
        }
        eprint_line(&text);
    }
    Ok(())
}
