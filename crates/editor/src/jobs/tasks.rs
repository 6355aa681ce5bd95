//! The background tasks: a row of the table below and the [`Task`] of its request are all that a task needs.

use std::sync::Arc;

use walkable::diagnostic::Phrase;
use walkable_workspace::path_why::PathWhyRequest;

use crate::{
    jobs::{
        changes::ChangesRequest,
        check::CheckWork,
        fixes::FixRequest,
        job_workers::{self, JobWorkers, WorkerRequest},
        lab::LabRequest,
        other_agents::OtherAgentsRequest,
        path_tests::PathTestRequest,
        propose::ProposeRequest,
        scenario::ScenarioRequest,
        slot::{JobEvent, JobSlot, Wake},
        soak::SoakRequest,
        store_source::SourceFolders,
        sweep::SweepRequest,
        tile_sizes::TileSizeRequest,
        work::{JobMessage, Work},
    },
    reducer::{Editor, Effect},
    task::{TaskId, TaskSet},
};

/// The request of a background task. It is self-contained: no task reads the session.
pub trait Task: WorkerRequest + std::fmt::Debug {
    /// Name of its thread.
    const THREAD: &'static str;

    /// Returns what it does, for the report of a bug.
    fn what() -> Phrase;

    /// Sets the folders that bakes of whole levels use.
    fn set_folders(&mut self, _: &SourceFolders) {}

    /// Applies a message to the editor.
    fn apply(editor: &mut Editor, message: Self::Message) -> Option<Effect>;
}

macro_rules! tasks {
    ($($Name:ident($slot:ident): $Request:ty,)*) => {
        /// A task to start.
        #[derive(Debug)]
        pub enum TaskRequest {
            $($Name(Box<$Request>),)*
        }

        /// A message of a task.
        #[derive(Debug)]
        pub enum TaskMessage {
            $($Name(JobEvent<<$Request as WorkerRequest>::Message>),)*
        }

        /// All tasks.
        #[derive(Debug)]
        pub(super) struct Tasks {
            /// Workers; without them, tasks run in this program.
            pub(super) workers: Option<Arc<dyn JobWorkers>>,
            pub(super) folders: SourceFolders,
            $($slot: JobSlot<<$Request as WorkerRequest>::Message>,)*
        }

        impl TaskRequest {
            pub const fn id(&self) -> TaskId {
                match self {
                    $(Self::$Name(_) => TaskId::$Name,)*
                }
            }
        }

        impl TaskMessage {
            pub(crate) fn apply(self, editor: &mut Editor) -> Option<Effect> {
                match self {
                    $(Self::$Name(event) => applied::<$Request>(editor, event),)*
                }
            }
        }

        impl Tasks {
            pub(super) fn new(wake: &Wake) -> Self {
                Self {
                    workers: None,
                    folders: SourceFolders::default(),
                    $($slot: JobSlot::new(<$Request as Task>::THREAD, Arc::clone(wake)),)*
                }
            }

            pub(super) fn start(&mut self, request: TaskRequest) {
                match request {
                    $(TaskRequest::$Name(mut request) => {
                        request.set_folders(&self.folders);
                        job_workers::request(&mut self.$slot, self.workers.as_ref(), *request);
                    })*
                }
            }

            pub(super) fn cancel(&mut self, tasks: TaskSet) {
                $(if tasks.contains(TaskId::$Name) {
                    self.$slot.cancel();
                })*
            }

            pub(super) fn running(&self) -> TaskSet {
                let all = [$((TaskId::$Name, self.$slot.is_busy()),)*];
                all.into_iter().filter(|(_, is_busy)| *is_busy).map(|(task, _)| task).collect()
            }

            pub(super) fn poll(&mut self, messages: &mut Vec<JobMessage>) {
                $(
                    let events = self.$slot.poll().into_iter().map(TaskMessage::$Name);
                    messages.extend(events.map(JobMessage::Task));
                )*
            }
        }

        $(impl From<$Request> for Work {
            fn from(request: $Request) -> Self {
                Self::Run(TaskRequest::$Name(Box::new(request)))
            }
        })*
    };
}

tasks! {
    Lab(lab): LabRequest,
    OtherAgents(other_agents): OtherAgentsRequest,
    Scenario(scenario): ScenarioRequest,
    Propose(propose): ProposeRequest,
    ExplainPath(explain_path): PathWhyRequest,
    PathTests(path_tests): PathTestRequest,
    Soak(soak): SoakRequest,
    Changes(changes): ChangesRequest,
    Check(check): CheckWork,
    TileSizes(tile_sizes): TileSizeRequest,
    Sweep(sweep): SweepRequest,
    Fixes(fixes): FixRequest,
}

/// Applies an event of a task to the editor.
fn applied<T: Task>(editor: &mut Editor, event: JobEvent<T::Message>) -> Option<Effect> {
    match event {
        JobEvent::Message(message) => T::apply(editor, message),
        JobEvent::Panicked(why) => {
            editor.bug(T::what(), why);
            None
        }
        JobEvent::Finished => None,
    }
}
