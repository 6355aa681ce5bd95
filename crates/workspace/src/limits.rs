//! Memory and time limits of bakes and searches. They are global to the process, because all code that bakes has to
//! check them.

use std::{
    fs,
    sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
};

use walkable::{
    bake::{BakeError, BakeEstimate, BakeLimits, BakePlan},
    monitor::Monitor as _,
};

use crate::runner;
pub use crate::time_limit::{InTime, start_clock, stop_clock, time_error};

/// The default memory limit, in bytes: enough for 2 km in tiles, and small enough that a damaged or malicious level
/// cannot freeze the machine.
pub const DEFAULT_MEMORY: u64 = 1_000_000_000;
/// The default time limit, in seconds: an hour, in which two cores bake some 40 km by 40 km.
pub const DEFAULT_SECS: u32 = 3600;
/// Memory that is not accounted for: code, stacks of threads, and what the allocator keeps.
const OVERHEAD: u64 = 200_000_000;
/// Minimum of the limit, so that small levels can be baked anywhere.
const LEAST: u64 = 100_000_000;
/// Number of steps of a search after which the time is checked.
const STEPS_PER_CHECK: u64 = 4096;
/// Approximate memory per recorded step of a search.
const BYTES_PER_STEP: u64 = 96;

static MEMORY: AtomicU64 = AtomicU64::new(DEFAULT_MEMORY);
static SECS: AtomicU32 = AtomicU32::new(DEFAULT_SECS);
static COUNTS_READING: AtomicBool = AtomicBool::new(false);
static READING: AtomicU64 = AtomicU64::new(0);

pub fn set_memory(n_bytes: u64) {
    MEMORY.store(n_bytes, Ordering::Relaxed);
}

/// Sets the time limit, in seconds.
pub fn set_time(secs: u32) {
    SECS.store(secs, Ordering::Relaxed);
}

/// Makes the memory limit apply to files that are read, too: where the user can raise it.
pub fn count_reading() {
    COUNTS_READING.store(true, Ordering::Relaxed);
}

/// Returns the limits as they were set: memory in bytes, time in seconds.
pub fn as_set() -> (u64, u32) {
    (MEMORY.load(Ordering::Relaxed), SECS.load(Ordering::Relaxed))
}

pub fn of_bakes() -> BakeLimits {
    BakeLimits { n_bytes: memory(), secs: SECS.load(Ordering::Relaxed).into() }
}

/// Returns the memory limit, in bytes: the user's, or less if the process is limited to less.
fn memory() -> u64 {
    let own = MEMORY.load(Ordering::Relaxed);
    // Only the default is reduced; a limit that the user has set is kept.
    if own == DEFAULT_MEMORY { own.min(of_process().unwrap_or(u64::MAX)) } else { own }
}

/// Returns the memory limit of reading files, in bytes. If reading does not count towards the user's limit, only the
/// limit of the process applies.
pub fn of_reading() -> u64 {
    if COUNTS_READING.load(Ordering::Relaxed) { memory() } else { of_process().unwrap_or(u64::MAX) }
}

pub(crate) fn record_reading(n_bytes: u64) {
    READING.fetch_max(n_bytes, Ordering::Relaxed);
}

/// Returns the largest estimate of the memory for reading a file and all that it names, in bytes.
pub fn recorded_reading() -> u64 {
    READING.load(Ordering::Relaxed)
}

/// Returns the memory limit of the process, as `ulimit -v` sets it; `None` if unlimited or unknown.
fn of_process() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let n_bytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    // Threads reserve address space that they do not use, so only part of the limit is used.
    Some((n_bytes / 4 * 3).saturating_sub(OVERHEAD).max(LEAST))
}

/// Parses a number of bytes: `4GB`, `500MB`, `1.5 GB`, or without a unit.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let start = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(start);
    let unit = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 1e0,
        "K" | "KB" => 1e3,
        "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        "T" | "TB" => 1e12,
        _ => 0.0,
    };
    let n = number.trim().parse().map_or(0.0, |n: f64| n * unit);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be in range"
    )]
    if (1.0..1e18).contains(&n) {
        Ok(n as u64)
    } else {
        Err("expected a size above zero, as in 4GB or 500MB".to_owned())
    }
}

/// Parses a time in seconds: `90s`, `30min`, `1.5 h`, `2d`, or without a unit; at least one second.
pub fn parse_time(text: &str) -> Result<u32, String> {
    let text = text.trim();
    let start = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(start);
    let unit = match unit.to_ascii_lowercase().as_str() {
        "" | "s" => 1e0,
        "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => 0.0,
    };
    let secs = number.trim().parse().map_or(0.0, |n: f64| n * unit);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be in range"
    )]
    if (1.0..4e9).contains(&secs) {
        Ok(secs as u32)
    } else {
        Err("expected a time of at least a second, as in 90s, 30min or 2h".to_owned())
    }
}

/// Returns the estimate of a bake on all cores; fails if it exceeds the limits.
pub fn admit(plan: &BakePlan) -> Result<BakeEstimate, BakeError> {
    plan.check_limits(runner::default_threads(), of_bakes())
}

/// Like [`admit`], for a bake that is always in one piece.
pub fn admit_in_one_piece(plan: &BakePlan) -> Result<(), String> {
    match admit(plan) {
        Ok(_) => Ok(()),
        Err(BakeError::TooMuchMemory { needed, limit, .. }) => Err(format!(
            "the level in one piece needs {needed} of memory, more than the limit of {limit}; set a larger \
             cell_size, or raise the limit (--max-memory)"
        )),
        Err(BakeError::TooMuchTime { needed, limit, .. }) => Err(format!(
            "the level in one piece takes {needed}, more than the limit of {limit}; set a larger cell_size, or raise \
             the limit (--max-time)"
        )),
        Err(error) => Err(error.to_string()),
    }
}

/// Checks the memory of tables that a search computes before it starts, in bytes.
pub fn admit_tables(n_bytes: usize) -> Result<(), String> {
    let limit = memory();
    if n_bytes as u64 <= limit {
        return Ok(());
    }
    let [needed, limit] = [n_bytes as u64, limit].map(|n| n / 1_000_000);
    Err(format!(
        "the search needs {needed} MB of memory for its tables, more than the limit of {limit} MB; use another \
         --algorithm, or raise --max-memory"
    ))
}

/// Stops a search that has recorded more steps than fit in memory, or whose time is over.
#[derive(Debug)]
pub struct Bounded {
    n_steps: u64,
    max_steps: u64,
    is_late: bool,
}

impl Default for Bounded {
    fn default() -> Self {
        Self::new()
    }
}

impl Bounded {
    pub fn new() -> Self {
        Self { n_steps: 0, max_steps: memory() / BYTES_PER_STEP, is_late: false }
    }

    /// Checks that the search was not stopped, and is in time.
    pub fn check(&self) -> Result<(), String> {
        if let Some(why) = time_error().filter(|_| self.is_late) {
            return Err(why);
        }
        if self.n_steps <= self.max_steps {
            return Ok(());
        }
        let limit = memory() / 1_000_000;
        Err(format!(
            "the search needs more memory than the limit of {limit} MB; use places closer together, another \
             --algorithm, or raise --max-memory"
        ))
    }
}

impl walkable::search::Watch for Bounded {
    fn step(&mut self, _: impl FnOnce() -> walkable::search::SearchStep) {
        self.n_steps += 1;
    }

    fn goes_on(&mut self) -> bool {
        if self.n_steps.is_multiple_of(STEPS_PER_CHECK) {
            self.is_late = InTime.is_cancelled();
        }
        self.n_steps <= self.max_steps && !self.is_late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        for (text, n_bytes) in
            [("4GB", 4_000_000_000), ("1.5 gb", 1_500_000_000), ("500M", 500_000_000), ("7", 7)]
        {
            assert_eq!(parse_size(text), Ok(n_bytes), "{text}");
        }
        for bad in ["", "GB", "-1GB", "0", "1e30", "4 cows", "nan"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times_are_read_with_their_units() {
        for (text, secs) in [("90", 90), ("90 s", 90), ("1.5min", 90), ("2H", 7200), ("1d", 86_400)]
        {
            assert_eq!(parse_time(text), Ok(secs), "{text}");
        }
        for bad in ["", "h", "-1h", "0.5s", "1e30", "4 cows", "nan"] {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
    }
}
