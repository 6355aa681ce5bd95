//! The background tasks. To add one, add a row to the table below and implement [`Task`] for its request.

use std::sync::Arc;

use walkable_workspace::path_why::PathWhyRequest;

use crate::{
    jobs::{
        changes::ChangesRequest,
        check::CheckWork,
        fixes::FixRequest,
        job_worker,
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
        task::{Task, TaskProblem},
        tile_sizes::TileSizeRequest,
    },
    session::Session,
    task::{TaskId, TaskSet},
};

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

        const _: () = assert!([$(TaskId::$Name),*].len() <= TaskSet::MAX);

        impl TaskRequest {
            pub const fn id(&self) -> TaskId {
                match self {
                    $(Self::$Name(_) => TaskId::$Name,)*
                }
            }
        }

        impl TaskMessage {
            pub(crate) fn apply(self, session: &mut Session) -> Option<TaskProblem> {
                match self {
                    $(Self::$Name(event) => applied::<$Request>(session, event),)*
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

            pub(super) fn poll(&mut self) -> Vec<TaskMessage> {
                let mut messages = Vec::new();
                $(messages.extend(self.$slot.poll().into_iter().map(TaskMessage::$Name));)*
                messages
            }
        }

        /// Runs a task in this worker; `None` if its request is damaged.
        pub(super) fn run_in_worker(
            task: TaskId,
            request: &[u8],
            send: impl Fn(Vec<u8>) + Send + Sync + 'static,
        ) -> Option<()> {
            match task {
                $(TaskId::$Name => job_worker::run_as::<$Request>(request, send),)*
            }
        }

        $(impl From<$Request> for TaskRequest {
            fn from(request: $Request) -> Self {
                Self::$Name(Box::new(request))
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

/// Applies an event of a task to the session. Returns a problem to show the user.
fn applied<T: Task>(session: &mut Session, event: JobEvent<T::Message>) -> Option<TaskProblem> {
    match event {
        JobEvent::Message(message) => T::apply(session, message),
        JobEvent::Panicked(why) => Some(TaskProblem::bug(T::what(), why)),
        JobEvent::Finished => None,
    }
}
