//! The time limit of the work of the process.

use std::{
    sync::{
        LazyLock, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use walkable::monitor::Monitor;
use web_time::Instant;

/// When the process started to measure time.
static STARTED: LazyLock<Instant> = LazyLock::new(Instant::now);
/// When work ends, in milliseconds after [`STARTED`].
static END_MS: AtomicU64 = AtomicU64::new(u64::MAX);
static CLOCK: Mutex<Option<ClockLimit>> = Mutex::new(None);

#[derive(Clone, Copy, Debug)]
struct ClockLimit {
    secs: u32,
    option: &'static str,
}

/// Ends all work that [`InTime`] monitors `secs` seconds from now, if it does not end before. `option` is the option of
/// the command line that sets the limit.
pub fn start_clock(secs: u32, option: &'static str) {
    let now = STARTED.elapsed().as_millis();
    let end = u64::try_from(now).unwrap_or(u64::MAX).saturating_add(u64::from(secs) * 1000);
    if END_MS.fetch_min(end, Ordering::Relaxed) > end {
        *CLOCK.lock().unwrap_or_else(PoisonError::into_inner) = Some(ClockLimit { secs, option });
    }
}

pub fn stop_clock() {
    END_MS.store(u64::MAX, Ordering::Relaxed);
}

/// Returns why work ended, once the time is over.
pub fn time_error() -> Option<String> {
    let ClockLimit { secs, option } = (*CLOCK.lock().unwrap_or_else(PoisonError::into_inner))?;
    InTime.is_cancelled().then(|| format!("stopped at the time limit of {secs} s; raise {option}"))
}

/// Cancels work once the time set by [`start_clock`] is over.
#[derive(Clone, Copy, Debug)]
pub struct InTime;

impl Monitor for InTime {
    fn is_cancelled(&self) -> bool {
        let end = END_MS.load(Ordering::Relaxed);
        end < u64::MAX && Duration::from_millis(end) <= STARTED.elapsed()
    }
}
