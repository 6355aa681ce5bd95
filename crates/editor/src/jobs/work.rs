//! Requests to background threads, and their messages.

use std::{path::PathBuf, sync::Arc};

use glam::Vec3;
use walkable::{bake::BakePlan, mesh::ImportOptions};

use crate::{
    jobs::{
        answer::AnswerStages,
        ask_file::{DialogOutcome, Proposal, Purpose},
        bake::{BakeMessage, BakeRequest},
        export::{Export, ExportMessage, Target},
        game::{GameMessage, ListenRequest},
        open::Opened,
        overview_message::{OverviewMessage, OverviewRequest},
        slot::JobEvent,
        tasks::{TaskMessage, TaskRequest},
        world_route::{RouteMessage, WorldRouteRequest},
    },
    session::{BakeProgress, GameLine, LevelSource, TileKey},
    task::TaskSet,
};

/// A request to a background thread. It is self-contained: no job reads the session.
#[derive(Debug)]
pub enum Work {
    Run(TaskRequest),
    Cancel(TaskSet),
    AskFile(Purpose, Proposal),
    /// Read a file. If the level is larger than memory, read only the part around the point.
    Open(LevelSource, ImportOptions, Option<Vec3>),
    Overview(OverviewRequest),
    CancelOverview,
    Watch(Vec<PathBuf>),
    Bake(Box<BakeRequest>),
    CancelBake,
    /// Bake these tiles again for their stages, the most urgent first.
    Stages(Vec<(Arc<BakePlan>, TileKey)>),
    FindRoute(Box<WorldRouteRequest>),
    /// Stop finding a route; what is computed is used by the next search.
    CancelRoute,
    /// Stop finding a route, and free what was computed for it.
    ForgetRoute,
    Listen(ListenRequest),
    StopListening,
    TellGame(GameLine),
    Preview(Box<BakeRequest>),
    CancelPreview,
    Export(Box<Export>, Box<Target>),
}

impl Work {
    pub fn run(request: impl Into<TaskRequest>) -> Self {
        Self::Run(request.into())
    }
}

#[derive(Debug)]
pub enum JobMessage {
    Task(Box<TaskMessage>),
    Opened(JobEvent<Opened>),
    Overview(JobEvent<OverviewMessage>),
    Baked(JobEvent<BakeMessage>),
    LevelChanged,
    Answered(JobEvent<AnswerStages>),
    RouteFound(JobEvent<RouteMessage>),
    Game(JobEvent<GameMessage>),
    Previewed(JobEvent<BakeMessage>),
    Exported(JobEvent<ExportMessage>),
    DialogClosed(DialogOutcome),
}

#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a job of its own")]
pub struct JobStatus {
    pub running: TaskSet,
    pub reading: Option<(LevelSource, ImportOptions)>,
    pub reads_overview: bool,
    pub bake: Option<BakeProgress>,
    pub finds_route: bool,
    pub preview: Option<BakeProgress>,
    /// Whether tiles are being baked again for their stages.
    pub answers: bool,
    /// Whether a file dialog is shown or a file is being written.
    pub saves: bool,
    /// Whether a file is being written or is queued for writing.
    pub writes: bool,
}

impl JobStatus {
    /// Returns whether work is running that will change the session.
    pub fn is_busy(&self) -> bool {
        let Self {
            running,
            reading,
            reads_overview,
            bake,
            finds_route,
            preview,
            answers,
            saves: _,
            writes: _,
        } = self;
        !running.is_empty()
            || reading.is_some()
            || *reads_overview
            || bake.is_some()
            || *finds_route
            || preview.is_some()
            || *answers
    }
}

#[derive(Debug, Default)]
pub struct WorkReport {
    /// Messages, in the order in which they take effect.
    pub messages: Vec<JobMessage>,
    pub status: JobStatus,
}
