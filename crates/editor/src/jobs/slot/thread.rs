//! Runs the job of a slot on a thread of its own.

use std::{
    any::Any,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::{Builder, JoinHandle, park_timeout},
    time::Duration,
};

use walkable_workspace::{
    lang::{language, set_language},
    units::{set_units, units},
};

use super::{JobStep, Reporter, Wake, Work};

/// Pause of a job that waits for news from elsewhere.
const PAUSE: Duration = Duration::from_millis(2);

pub(super) type Sender<T> = SyncSender<T>;

pub(super) fn channel<T>(capacity: usize) -> (Sender<T>, Receiver<T>) {
    sync_channel(capacity)
}

pub(super) struct Runner<T> {
    thread: JoinHandle<Result<(), String>>,
    of: std::marker::PhantomData<T>,
}

impl<T: Send + 'static> Runner<T> {
    /// Starts `work`; returns `None` if the system cannot start a thread.
    pub(super) fn start(
        name: &'static str,
        mut work: Work<T>,
        reporter: Reporter<T>,
    ) -> Option<Self> {
        let (language, units) = (language(), units());
        let run = move || {
            set_language(language);
            set_units(units);
            loop {
                match work(&reporter) {
                    _ if reporter.is_cancelled() => return Ok(()),
                    JobStep::Next => {}
                    JobStep::Wait => park_timeout(PAUSE),
                    JobStep::Done => return Ok(()),
                    JobStep::Failed(why) => return Err(why),
                }
            }
        };
        let thread = Builder::new().name(name.to_owned()).spawn(run).ok()?;
        Some(Self { thread, of: std::marker::PhantomData })
    }

    /// Does nothing: the thread takes its steps itself.
    #[expect(clippy::unused_self, clippy::needless_pass_by_ref_mut, reason = "as in a page")]
    pub(super) const fn take_steps(&mut self, _wake: &Wake) {}

    /// Waits for the end of the job; the error is why it failed, or the message of its panic.
    pub(super) fn join(self) -> Result<(), String> {
        self.thread.join().unwrap_or_else(|panic| Err(panic_text(&*panic)))
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
