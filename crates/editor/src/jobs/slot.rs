//! A slot for one kind of background work: at most one job runs, at most one waits, and the newest replaces the others.

#[cfg(target_family = "wasm")]
mod page;
#[cfg(not(target_family = "wasm"))]
mod thread;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
    mpsc::{Receiver, TryRecvError},
};

use walkable::monitor::Monitor;

#[cfg(target_family = "wasm")]
use self::page as runner;
#[cfg(not(target_family = "wasm"))]
use self::thread as runner;

/// Called from background threads when there is something to poll.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Default number of messages that can wait to be polled; a job with more messages waits.
const CAPACITY: usize = 256;

type Work<T> = Box<dyn FnMut(&Reporter<T>) -> JobStep + Send>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobStep {
    /// Another step follows.
    Next,
    /// Another step follows when there may be news from elsewhere.
    Wait,
    Done,
    /// The job has ended because of a bug, or because its worker has ended.
    Failed(String),
}

/// Runs jobs of one kind, one at a time: on a thread, or in a web page in steps between frames. A request cancels the
/// running job and waits until it has ended; a newer request replaces the waiting one.
pub struct JobSlot<T> {
    name: &'static str,
    wake: Wake,
    capacity: usize,
    running: Option<Running<T>>,
    waiting: Option<Work<T>>,
}

struct Running<T> {
    cancel: Arc<AtomicBool>,
    messages: Receiver<T>,
    runner: runner::Runner<T>,
}

/// Sends messages of a job, and tells it whether it was cancelled.
pub struct Reporter<T> {
    // Fields drop in this order: the channel must close before the last wake-up, or the end of the
    // job would be seen one repaint late.
    messages: Outlet<T>,
    _last_wake: WakeOnDrop,
    wake: Wake,
    cancel: Arc<AtomicBool>,
}

enum Outlet<T> {
    Slot(runner::Sender<T>),
    Worker(Box<dyn Fn(T) + Send + Sync>),
}

impl<T> std::fmt::Debug for Reporter<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reporter").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

struct WakeOnDrop(Wake);

impl Drop for WakeOnDrop {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum JobEvent<T> {
    Message(T),
    Finished,
    /// The job has a bug: it panicked with this message.
    Panicked(String),
}

impl<T> Reporter<T> {
    /// Creates the reporter of a job that runs without a slot: it calls `send` with each message.
    pub fn to(send: impl Fn(T) + Send + Sync + 'static) -> Self {
        let wake: Wake = Arc::new(|| {});
        Self {
            messages: Outlet::Worker(Box::new(send)),
            _last_wake: WakeOnDrop(Arc::clone(&wake)),
            wake,
            cancel: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Sends a message. Messages of a cancelled job are dropped.
    pub fn send(&self, message: T) {
        if self.is_cancelled() {
            return;
        }
        match &self.messages {
            // The receiver is closed only when the program ends, and then the message is not needed.
            Outlet::Slot(messages) => {
                if messages.send(message).is_ok() {
                    (self.wake)();
                }
            }
            Outlet::Worker(send) => send(message),
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    pub fn cancel_flag(&self) -> &AtomicBool {
        &self.cancel
    }
}

impl<T: Send> Monitor for Reporter<T> {
    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

impl<T: Send + 'static> JobSlot<T> {
    pub fn new(name: &'static str, wake: Wake) -> Self {
        Self { name, wake, capacity: CAPACITY, running: None, waiting: None }
    }

    #[must_use]
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity;
        self
    }

    /// Runs `work` as soon as the job before it has stopped.
    pub fn request(&mut self, work: impl FnOnce(&Reporter<T>) + Send + 'static) {
        let mut work = Some(work);
        self.request_steps(move |report| {
            if let Some(work) = work.take() {
                work(report);
            }
            JobStep::Done
        });
    }

    /// Like [`JobSlot::request`], for work in steps: a web page draws frames between them.
    pub fn request_steps(&mut self, step: impl FnMut(&Reporter<T>) -> JobStep + Send + 'static) {
        self.waiting = Some(Box::new(step));
        match &self.running {
            Some(running) => running.cancel.store(true, Ordering::Relaxed),
            None => self.start_waiting(),
        }
    }

    /// Stops the running job and forgets the waiting one.
    pub fn cancel(&mut self) {
        self.waiting = None;
        if let Some(running) = &self.running {
            running.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Returns whether a job that is not cancelled runs or waits.
    pub fn is_busy(&self) -> bool {
        let runs = |running: &Running<T>| !running.cancel.load(Ordering::Relaxed);
        self.waiting.is_some() || self.running.as_ref().is_some_and(runs)
    }

    /// Returns whether a thread is still at work, cancelled or not.
    pub fn has_thread(&self) -> bool {
        self.running.is_some()
    }

    /// Returns what happened since the last poll. A cancelled job reports nothing, unless it panicked.
    pub fn poll(&mut self) -> Vec<JobEvent<T>> {
        let mut events = Vec::new();
        let Some(running) = &mut self.running else { return events };
        running.runner.take_steps(&self.wake);
        let cancelled = running.cancel.load(Ordering::Relaxed);
        let ended = loop {
            match running.messages.try_recv() {
                Ok(message) if !cancelled => events.push(JobEvent::Message(message)),
                Ok(_) => {}
                Err(TryRecvError::Empty) => break false,
                Err(TryRecvError::Disconnected) => break true,
            }
        };
        if ended && let Some(running) = self.running.take() {
            match running.runner.join() {
                Ok(()) if cancelled => {}
                Ok(()) => events.push(JobEvent::Finished),
                Err(panic) => events.push(JobEvent::Panicked(panic)),
            }
            self.start_waiting();
        }
        events
    }

    fn start_waiting(&mut self) {
        let Some(work) = self.waiting.take() else { return };
        let cancel = Arc::new(AtomicBool::new(false));
        let (sender, messages) = runner::channel(self.capacity);
        let reporter = Reporter {
            messages: Outlet::Slot(sender),
            _last_wake: WakeOnDrop(Arc::clone(&self.wake)),
            wake: Arc::clone(&self.wake),
            cancel: Arc::clone(&cancel),
        };
        let runner = runner::Runner::start(self.name, work, reporter);
        // If the system cannot start a thread, the job is dropped; the window would not work there either.
        self.running = runner.map(|runner| Running { cancel, messages, runner });
    }
}

impl<T> Drop for JobSlot<T> {
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            running.cancel.store(true, Ordering::Relaxed);
        }
    }
}

impl<T> std::fmt::Debug for JobSlot<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JobSlot")
            .field("name", &self.name)
            .field("running", &self.running.is_some())
            .field("waiting", &self.waiting.is_some())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Barrier, mpsc::sync_channel};

    use super::*;

    /// Returns a slot and the wake-ups of its jobs, so that tests wait without sleeping.
    fn slot<T: Send + 'static>() -> (JobSlot<T>, Receiver<()>) {
        let (sender, wakes) = sync_channel(1000);
        let wake: Wake = Arc::new(move || sender.try_send(()).unwrap_or_default());
        (JobSlot::new("test job", wake), wakes)
    }

    /// Polls at each wake-up until no thread is left.
    fn drain<T: Send + 'static>(slot: &mut JobSlot<T>, wakes: &Receiver<()>) -> Vec<JobEvent<T>> {
        let mut events = slot.poll();
        while slot.has_thread() {
            wakes.recv().unwrap();
            events.extend(slot.poll());
        }
        events
    }

    #[test]
    fn messages_come_in_order_and_then_the_end() {
        let (mut slot, wakes) = slot();
        slot.request(|report| (1..=3).for_each(|n| report.send(n)));
        let events = drain(&mut slot, &wakes);
        let expected = [1, 2, 3].map(JobEvent::Message).into_iter().chain([JobEvent::Finished]);
        assert_eq!(events, expected.collect::<Vec<_>>());
        assert!(!slot.is_busy());
    }

    #[test]
    fn the_newest_request_wins_and_the_running_one_is_cancelled() {
        let (mut slot, wakes) = slot();
        let started = Arc::new(Barrier::new(2));
        let at_start = Arc::clone(&started);
        slot.request(move |report| {
            at_start.wait();
            while !report.is_cancelled() {
                std::thread::yield_now();
            }
            report.send("first");
        });
        started.wait();
        slot.request(|report| report.send("second"));
        slot.request(|report| report.send("third"));
        let events = drain(&mut slot, &wakes);
        assert_eq!(events, [JobEvent::Message("third"), JobEvent::Finished]);
    }

    #[test]
    fn steps_follow_until_the_job_is_done_or_cancelled() {
        let (mut slot, wakes) = slot();
        let mut n = 0;
        slot.request_steps(move |report| {
            n += 1;
            report.send(n);
            [JobStep::Next, JobStep::Wait, JobStep::Done][n - 1].clone()
        });
        let events = drain(&mut slot, &wakes);
        let expected = [1, 2, 3].map(JobEvent::Message).into_iter().chain([JobEvent::Finished]);
        assert_eq!(events, expected.collect::<Vec<_>>());
        slot.request_steps(|_| JobStep::Wait);
        slot.cancel();
        assert_eq!(drain(&mut slot, &wakes), []);
    }

    #[test]
    fn a_job_that_fails_says_why() {
        let (mut slot, wakes) = slot();
        slot.request_steps(|report: &Reporter<i32>| {
            report.send(1);
            JobStep::Failed("out of memory".to_owned())
        });
        let failed = JobEvent::Panicked("out of memory".to_owned());
        assert_eq!(drain(&mut slot, &wakes), [JobEvent::Message(1), failed]);
        let told = Arc::new(std::sync::Mutex::new(Vec::new()));
        let to = Arc::clone(&told);
        Reporter::to(move |n| to.lock().unwrap().push(n)).send(7);
        assert_eq!(*told.lock().unwrap(), [7]);
    }

    #[test]
    fn a_cancelled_job_is_silent() {
        let (mut slot, wakes) = slot();
        slot.request(|report| {
            report.send(1);
            while !report.is_cancelled() {
                std::thread::yield_now();
            }
        });
        slot.cancel();
        assert!(!slot.is_busy());
        assert_eq!(drain(&mut slot, &wakes), []);
    }

    #[test]
    fn a_panic_is_an_event_and_the_slot_works_on() {
        let (mut slot, wakes) = slot();
        slot.request(|_| panic!("told you"));
        assert_eq!(drain(&mut slot, &wakes), [JobEvent::<i32>::Panicked("told you".to_owned())]);
        slot.request(|report| report.send(7));
        assert_eq!(drain(&mut slot, &wakes), [JobEvent::Message(7), JobEvent::Finished]);
    }
}
