//! Runs jobs in workers with memory of their own, such as Web Workers. Requests and messages are sent as bytes.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_bytes::ByteBuf;
use walkable_workspace::{
    lang::{Language, language, set_language},
    limits,
    units::{Units, set_units, units},
    wire,
};

use crate::{
    jobs::{
        slot::{JobSlot, JobStep, Reporter},
        task::Job,
    },
    task::TaskId,
};

pub trait JobWorkers: fmt::Debug + Send + Sync {
    /// Starts the job of a request; returns its number. The job is polled when there are messages.
    fn start(&self, request: &[u8]) -> u32;

    /// Returns the messages of a job since the last call. Each was sent by
    /// [`run_in_worker`](super::job_worker::run_in_worker) or made by [`failure`].
    fn take(&self, job: u32) -> Vec<Vec<u8>>;

    /// Ends a job with its worker, whether or not it is done.
    fn stop(&self, job: u32);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobKind {
    Task(TaskId),
    BakeEnd,
}

impl From<TaskId> for JobKind {
    fn from(task: TaskId) -> Self {
        Self::Task(task)
    }
}

pub trait SentJob:
    Job<Message: Serialize + DeserializeOwned> + Serialize + DeserializeOwned
{
}

impl<J: Job<Message: Serialize + DeserializeOwned> + Serialize + DeserializeOwned> SentJob for J {}

/// A request as it is sent, and what its job inherits from the window.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Sent {
    pub(super) kind: JobKind,
    pub(super) request: ByteBuf,
    language: Language,
    units: Units,
    limits: (u64, u32),
}

impl Sent {
    fn new(kind: JobKind, request: &impl SentJob) -> anyhow::Result<Self> {
        let request = ByteBuf::from(wire::to_bytes(request)?);
        let (language, units, limits) = (language(), units(), limits::as_set());
        Ok(Self { kind, request, language, units, limits })
    }

    /// Takes over the window's language, units and limits.
    pub(super) fn adopt(&self) {
        set_language(self.language);
        set_units(self.units);
        let (n_bytes, secs) = self.limits;
        limits::set_memory(n_bytes);
        limits::set_time(secs);
    }
}

/// The first byte of a message.
const MESSAGE: u8 = 0;
pub(super) const DONE: u8 = 1;
const FAILED: u8 = 2;

pub fn failure(why: &str) -> Vec<u8> {
    [&[FAILED], why.as_bytes()].concat()
}

/// A job in a worker. The worker ends when this is dropped.
pub(super) struct WorkerJob {
    workers: Arc<dyn JobWorkers>,
    number: u32,
}

impl WorkerJob {
    /// Starts the job of `request`; returns `None` if the request cannot be sent.
    pub(super) fn start(
        workers: &Arc<dyn JobWorkers>,
        kind: JobKind,
        request: &impl SentJob,
    ) -> Option<Self> {
        let bytes = to_bytes(kind, request)?;
        Some(Self { workers: Arc::clone(workers), number: workers.start(&bytes) })
    }

    /// Calls `take` with the messages since the last call; returns how the job continues.
    pub(super) fn take<M: DeserializeOwned>(&self, mut take: impl FnMut(M)) -> JobStep {
        for message in self.workers.take(self.number) {
            let Some((&tag, rest)) = message.split_first() else { continue };
            match tag {
                MESSAGE => match wire::from_bytes(rest) {
                    Ok(message) => take(message),
                    Err(error) => return JobStep::Failed(format!("{error:#}")),
                },
                DONE => return JobStep::Done,
                _ => return JobStep::Failed(String::from_utf8_lossy(rest).into_owned()),
            }
        }
        JobStep::Wait
    }
}

impl Drop for WorkerJob {
    fn drop(&mut self) {
        self.workers.stop(self.number);
    }
}

/// Returns a request as bytes; `None` if it cannot be sent.
fn to_bytes(kind: JobKind, request: &impl SentJob) -> Option<Vec<u8>> {
    let sent = request.can_be_sent().then(|| Sent::new(kind, request))?;
    wire::to_bytes(&sent.ok()?).ok()
}

/// Runs the job in a worker, if there are workers and the request can be sent; otherwise, as [`JobSlot::request`] does.
pub(super) fn request<J: SentJob>(
    slot: &mut JobSlot<J::Message>,
    workers: Option<&Arc<dyn JobWorkers>>,
    kind: JobKind,
    request: J,
) {
    let sent = workers.and_then(|workers| Some((Arc::clone(workers), to_bytes(kind, &request)?)));
    let Some((workers, bytes)) = sent else {
        return slot.request(move |report| request.carry_out(report));
    };
    let mut job = None;
    slot.request_steps(move |report| {
        let job = job.get_or_insert_with(|| {
            let number = workers.start(&bytes);
            WorkerJob { workers: Arc::clone(&workers), number }
        });
        job.take(|message| report.send(message))
    });
}

/// Does the work of a request in this worker, and calls `send` with its messages; `None` if the request is damaged.
pub(super) fn run_as<J: SentJob>(
    request: &[u8],
    send: impl Fn(Vec<u8>) + Send + Sync + 'static,
) -> Option<()> {
    let request: J = wire::from_bytes(request).ok()?;
    request.carry_out(&Reporter::to(move |message: J::Message| {
        let bytes = wire::to_bytes(&message).map(|bytes| [&[MESSAGE], &bytes[..]].concat());
        send(bytes.unwrap_or_else(|error| failure(&format!("{error:#}"))));
    }));
    Some(())
}
