//! The background tasks. To add one, add a row to the table below and implement [`Task`] for its request.

use std::sync::Arc;

use walkable_workspace::path_why::PathWhyRequest;

use crate::{
    jobs::{
        changes::ChangesRequest,
        check::CheckWork,
        fixes::FixRequest,
        game_answer::GameAnswerRequest,
        job_workers::{self, JobWorkers},
        lab::LabRequest,
        other_agents::OtherAgentsRequest,
        path_tests::PathTestRequest,
        pieces::SortRequest,
        prepare::PrepareRequest,
        propose::ProposeRequest,
        scenario::ScenarioRequest,
        slot::{JobEvent, JobSlot, Wake},
        soak::SoakRequest,
        store_export::StoreExportRequest,
        sweep::SweepRequest,
        task::{FollowUp, Job, Task, TaskProblem, TaskResources},
        tile_sizes::TileSizeRequest,
    },
    session::{FrameRequest, Session},
    task::{TaskId, TaskSet},
};

/// Starts a task: in a worker if there are workers and the request can be sent, or here.
macro_rules! start {
    (workers, $tasks:ident, $slot:ident, $id:expr, $request:ident) => {
        job_workers::request(&mut $tasks.$slot, $tasks.workers.as_ref(), $id.into(), *$request)
    };
    (here, $tasks:ident, $slot:ident, $id:expr, $request:ident) => {
        $tasks.$slot.request(move |report| $request.carry_out(report))
    };
}

macro_rules! run_in_worker {
    (workers, $Request:ty, $request:ident, $send:ident) => {
        job_workers::run_as::<$Request>($request, $send)
    };
    (here, $Request:ty, $request:ident, $send:ident) => {
        None
    };
}

macro_rules! tasks {
    ($($Name:ident($slot:ident): $Request:ty, $place:ident;)*) => {
        #[derive(Debug)]
        pub enum TaskRequest {
            $($Name(Box<$Request>),)*
        }

        #[derive(Debug)]
        pub enum TaskMessage {
            $($Name(JobEvent<<$Request as Job>::Message>),)*
        }

        #[derive(Debug)]
        pub(super) struct Tasks {
            /// Workers; without them, tasks run in this program.
            pub(super) workers: Option<Arc<dyn JobWorkers>>,
            pub(super) resources: TaskResources,
            $($slot: JobSlot<<$Request as Job>::Message>,)*
        }

        const _: () = assert!([$(TaskId::$Name),*].len() <= TaskSet::MAX);

        impl TaskRequest {
            pub const fn id(&self) -> TaskId {
                match self {
                    $(Self::$Name(_) => TaskId::$Name,)*
                }
            }

            /// Returns the tasks that are cancelled when the level or navmesh is closed.
            pub(crate) fn of_level() -> TaskSet {
                let all = [$((TaskId::$Name, <$Request as Task>::ENDS_WITH_LEVEL),)*];
                all.into_iter().filter(|(_, ends)| *ends).map(|(task, _)| task).collect()
            }
        }

        impl TaskMessage {
            /// Applies the message to the session. Returns what else has to be done.
            pub(crate) fn apply(self, session: &mut Session) -> Vec<FollowUp> {
                match self {
                    $(Self::$Name(event) => applied::<$Request>(session, event),)*
                }
            }
        }

        impl Tasks {
            pub(super) fn new(wake: &Wake) -> Self {
                Self {
                    workers: None,
                    resources: TaskResources::default(),
                    $($slot: JobSlot::new(<$Request as Task>::THREAD, Arc::clone(wake)),)*
                }
            }

            pub(super) fn start(&mut self, request: TaskRequest) {
                match request {
                    $(TaskRequest::$Name(mut request) => {
                        request.set_resources(&self.resources);
                        start!($place, self, $slot, TaskId::$Name, request);
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
                $(TaskId::$Name => run_in_worker!($place, $Request, request, send),)*
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
    Lab(lab): LabRequest, workers;
    OtherAgents(other_agents): OtherAgentsRequest, workers;
    Scenario(scenario): ScenarioRequest, workers;
    Propose(propose): ProposeRequest, workers;
    ExplainPath(explain_path): PathWhyRequest, workers;
    PathTests(path_tests): PathTestRequest, workers;
    Soak(soak): SoakRequest, workers;
    Changes(changes): ChangesRequest, workers;
    Check(check): CheckWork, workers;
    TileSizes(tile_sizes): TileSizeRequest, workers;
    Sweep(sweep): SweepRequest, workers;
    Fixes(fixes): FixRequest, workers;
    Frames(frames): FrameRequest, here;
    PrepareQueries(prepare_queries): PrepareRequest, here;
    SortPieces(sort_pieces): SortRequest, here;
    ExportStore(export_store): StoreExportRequest, here;
    AnswerGame(answer_game): GameAnswerRequest, here;
}

/// Applies an event of a task to the session. Returns what else has to be done.
fn applied<T: Task>(session: &mut Session, event: JobEvent<T::Message>) -> Vec<FollowUp> {
    match event {
        JobEvent::Message(message) => T::apply(session, message).into_iter().collect(),
        JobEvent::Finished => T::end(session).into_iter().collect(),
        JobEvent::Panicked(why) => {
            let bug = FollowUp::Problem(TaskProblem::bug(T::what(), why));
            T::end(session).into_iter().chain([bug]).collect()
        }
    }
}
