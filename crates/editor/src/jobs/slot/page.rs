//! Runs the job of a slot in a web page, which has no threads: step by step, while the slot is polled.

use std::{
    sync::mpsc::{self, Receiver},
    time::Duration,
};

use web_time::Instant;

use super::{JobStep, Reporter, Wake, Work};

/// Time for steps in one frame. A step that takes longer delays the frame.
const BUDGET: Duration = Duration::from_millis(8);

pub(super) type Sender<T> = mpsc::Sender<T>;

/// Creates a queue without a limit: a job that waits for room would wait for itself.
#[expect(clippy::disallowed_methods, reason = "nothing empties the queue while a job runs")]
pub(super) fn channel<T>(_capacity: usize) -> (Sender<T>, Receiver<T>) {
    mpsc::channel()
}

pub(super) struct Runner<T> {
    job: Option<(Work<T>, Reporter<T>)>,
    /// Whether a frame has been drawn since the request, which shows that the job is running.
    is_shown: bool,
    failure: Option<String>,
}

impl<T: Send + 'static> Runner<T> {
    /// Begins `work` with the poll after the next.
    #[expect(clippy::unnecessary_wraps, reason = "as with threads")]
    pub(super) fn start(_name: &'static str, work: Work<T>, reporter: Reporter<T>) -> Option<Self> {
        (reporter.wake)();
        Some(Self { job: Some((work, reporter)), is_shown: false, failure: None })
    }

    /// Runs steps of the job for a part of a frame.
    pub(super) fn take_steps(&mut self, wake: &Wake) {
        let started = Instant::now();
        let was_shown = std::mem::replace(&mut self.is_shown, true);
        while let Some((work, reporter)) = &mut self.job {
            if !was_shown && !reporter.is_cancelled() {
                return wake();
            }
            match work(reporter) {
                _ if reporter.is_cancelled() => self.job = None,
                JobStep::Done => self.job = None,
                JobStep::Failed(why) => (self.job, self.failure) = (None, Some(why)),
                JobStep::Wait => return,
                JobStep::Next if started.elapsed() < BUDGET => {}
                JobStep::Next => return wake(),
            }
        }
    }

    /// Returns an error if the job failed. A panic ends the page.
    pub(super) fn join(self) -> Result<(), String> {
        self.failure.map_or(Ok(()), Err)
    }
}
