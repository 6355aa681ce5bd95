//! Requests to background threads, and their messages.

use std::{path::PathBuf, sync::Arc};

use glam::Vec3;
use walkable::{bake::BakePlan, mesh::ImportOptions, navmesh::NavMesh};

use crate::{
    jobs::{
        animation::AnimationMessage,
        answer::AnswerStages,
        ask_file::{DialogOutcome, Proposal, Purpose},
        bake::{BakeMessage, BakeRequest},
        export::{Export, ExportMessage, Target},
        game::{GameMessage, ListenRequest},
        game_answer::GameAnswerRequest,
        open::Opened,
        overview_message::{OverviewMessage, OverviewRequest},
        pieces::{SortMessage, SortRequest},
        slot::JobEvent,
        store_export::{StoreExportMessage, StoreExportRequest},
        tasks::{TaskMessage, TaskRequest},
        world_route::{RouteMessage, WorldRouteRequest},
    },
    session::{BakeProgress, FrameRequest, GameAnswer, GameLine, LevelSource, TileKey},
    task::TaskSet,
};

/// A request to a background thread. It is self-contained: no job reads the session.
#[derive(Debug)]
pub enum Work {
    Run(TaskRequest),
    Cancel(TaskSet),
    /// Show a file dialog that proposes this name.
    AskFile(Purpose, Proposal),
    /// Read a level, project, navmesh or settings file; if the level is larger than memory, only the part around a
    /// point.
    Open(LevelSource, ImportOptions, Option<Vec3>),
    /// Read a level larger than memory for its overview.
    Overview(OverviewRequest),
    /// Stop reading for the overview.
    CancelOverview,
    /// Sort the pieces of a level into one file.
    SortPieces(Box<SortRequest>),
    /// Stop sorting pieces.
    CancelSort,
    /// Watch exactly these files for changes.
    Watch(Vec<PathBuf>),
    Bake(Box<BakeRequest>),
    CancelBake,
    PrepareQueries(Arc<NavMesh>),
    /// Bake these tiles again for their stages, the most urgent first.
    Stages(Vec<(Arc<BakePlan>, TileKey)>),
    /// Make frames of a stage animation.
    Frames(Box<FrameRequest>),
    /// Stop making frames.
    CancelFrames,
    /// Find a route across a tile store.
    FindRoute(Box<WorldRouteRequest>),
    /// Stop finding a route; what is computed is used by the next search.
    CancelRoute,
    /// Stop finding a route, and free what was computed for it.
    ForgetRoute,
    /// Let games connect.
    Listen(ListenRequest),
    /// Disconnect all games.
    StopListening,
    AnswerGame(Box<GameAnswerRequest>),
    TellGame(GameLine),
    /// Bake the level with a fix that is tried out.
    Preview(Box<BakeRequest>),
    /// Stop that bake.
    CancelPreview,
    /// Write a file, after those that were requested before.
    Export(Box<Export>, Box<Target>),
    /// Write all tiles of a tile store.
    ExportStore(Box<StoreExportRequest>),
    /// Stop writing the tiles of a tile store.
    CancelStoreExport,
}

impl Work {
    /// Starts a background task.
    pub fn run(request: impl Into<TaskRequest>) -> Self {
        Self::Run(request.into())
    }
}

#[derive(Debug)]
pub enum JobMessage {
    Task(Box<TaskMessage>),
    /// From reading a file.
    Opened(JobEvent<Opened>),
    Overview(JobEvent<OverviewMessage>),
    Sorted(JobEvent<SortMessage>),
    Baked(JobEvent<BakeMessage>),
    /// A file of the open level has changed on disk.
    LevelChanged,
    /// From baking tiles again for their stages.
    Answered(JobEvent<AnswerStages>),
    /// From making frames.
    Animation(JobEvent<AnimationMessage>),
    RouteFound(JobEvent<RouteMessage>),
    /// From the socket to which games connect.
    Game(JobEvent<GameMessage>),
    GameAnswered(JobEvent<GameAnswer>),
    Previewed(JobEvent<BakeMessage>),
    /// From writing a file.
    Exported(JobEvent<ExportMessage>),
    /// From writing all tiles of a tile store.
    StoreExported(JobEvent<StoreExportMessage>),
    DialogClosed(DialogOutcome),
}

#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a job of its own")]
pub struct JobStatus {
    pub running: TaskSet,
    /// The file that is being read.
    pub reading: Option<(LevelSource, ImportOptions)>,
    /// Whether a level is read for its overview.
    pub reads_overview: bool,
    /// Whether the pieces of a level are being sorted.
    pub sorts_pieces: bool,
    pub bake: Option<BakeProgress>,
    /// Whether a route is being found.
    pub finds_route: bool,
    /// Whether a question of a game is being answered.
    pub answers_game: bool,
    /// Whether a navmesh is being prepared for queries.
    pub prepares: bool,
    pub preview: Option<BakeProgress>,
    /// Whether frames are being made.
    pub animations: bool,
    /// Whether tiles are being baked again for their stages.
    pub answers: bool,
    /// Whether all tiles of a tile store are being written.
    pub exports_store: bool,
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
            sorts_pieces,
            bake,
            finds_route,
            answers_game,
            prepares,
            preview,
            animations,
            answers,
            exports_store,
            saves: _,
            writes: _,
        } = self;
        !running.is_empty()
            || reading.is_some()
            || *reads_overview
            || *sorts_pieces
            || bake.is_some()
            || *finds_route
            || *answers_game
            || *prepares
            || preview.is_some()
            || *animations
            || *answers
            || *exports_store
    }
}

/// Messages from all jobs since the last report.
#[derive(Debug, Default)]
pub struct WorkReport {
    /// Messages, in the order in which they take effect.
    pub messages: Vec<JobMessage>,
    /// State of the jobs after these messages.
    pub status: JobStatus,
}
