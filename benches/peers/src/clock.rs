//! Processor time instead of elapsed time, so that other programs do not affect it.

use std::sync::{Mutex, Once, PoisonError};

use walkable::{monitor::Monitor, stage::Stage};

/// Returns the processor time of the calling thread so far, in nanoseconds. From the first call on, parallel work runs
/// on the calling thread, so that none of it is missed; unless some work was parallel before.
pub fn thread_nanoseconds() -> u64 {
    ALONE.call_once(|| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        let _too_late = pool.build_global();
    });
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a local of the right type.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(failed, 0, "this machine has no clock for threads");
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

static ALONE: Once = Once::new();

/// Returns the nanoseconds between two successive readings of that clock, to be subtracted from the time of work that
/// takes microseconds.
pub fn reading_nanoseconds() -> u64 {
    let readings = (0..1000).map(|_| {
        let start = thread_nanoseconds();
        thread_nanoseconds() - start
    });
    readings.min().unwrap_or(0)
}

/// Nanoseconds per stage, in the order of [`Stage::ALL`].
pub type StageTimes = [u64; Stage::ALL.len()];

/// Returns the index of a stage in [`Stage::ALL`].
pub fn stage_index(stage: Stage) -> usize {
    Stage::ALL.iter().position(|other| *other == stage).expect("all stages are listed")
}

/// Records when a bake on one thread enters each stage.
#[derive(Debug)]
pub struct StageClock {
    start: u64,
    entered: Mutex<Vec<(Stage, u64)>>,
}

impl StageClock {
    /// Creates a clock for a bake that begins now.
    pub fn start() -> Self {
        let entered = Mutex::new(Vec::with_capacity(Stage::ALL.len()));
        Self { start: thread_nanoseconds(), entered }
    }

    /// Returns the time of the bake before its first stage, and of each stage if the bake ends now.
    pub fn finish(self) -> (u64, StageTimes) {
        let end = thread_nanoseconds();
        let entered = self.entered.into_inner().unwrap_or_else(PoisonError::into_inner);
        let before = entered.first().map_or(end, |(_, first)| *first) - self.start;
        let ends = entered.iter().skip(1).map(|(_, time)| *time).chain([end]);
        let mut times = StageTimes::default();
        for ((stage, start), end) in entered.iter().zip(ends) {
            times[stage_index(*stage)] += end - start;
        }
        (before, times)
    }
}

impl Monitor for StageClock {
    fn enter(&self, stage: Stage) {
        let mut entered = self.entered.lock().unwrap_or_else(PoisonError::into_inner);
        entered.push((stage, thread_nanoseconds()));
    }
}
