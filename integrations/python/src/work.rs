//! Runs long work without the interpreter's lock. Ctrl-C cancels the work.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use pyo3::prelude::*;
use walkable::monitor::Monitor;

/// Time between two checks for signals.
const CHECK_EVERY: Duration = Duration::from_millis(50);

/// Cancels the work once Python has received a signal.
#[derive(Default)]
struct Interruptible {
    is_interrupted: AtomicBool,
}

impl Monitor for Interruptible {
    fn is_cancelled(&self) -> bool {
        self.is_interrupted.load(Ordering::Relaxed)
    }
}

/// Runs `work` on another thread. Meanwhile, other Python threads run, and signal handlers run on this thread. An
/// exception of a handler, such as `KeyboardInterrupt`, cancels the work and is raised.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&dyn Monitor) -> R + Send,
) -> PyResult<R> {
    let monitor = Interruptible::default();
    let is_done = AtomicBool::new(false);
    let waiting = thread::current();
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work(&monitor);
            is_done.store(true, Ordering::Release);
            waiting.unpark();
            result
        });
        let mut interrupt = Ok(());
        while !is_done.load(Ordering::Acquire) && !worker.is_finished() {
            py.detach(|| thread::park_timeout(CHECK_EVERY));
            if interrupt.is_ok() {
                interrupt = py.check_signals();
                monitor.is_interrupted.store(interrupt.is_err(), Ordering::Relaxed);
            }
        }
        let result = py.detach(|| worker.join());
        interrupt?;
        Ok(result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
