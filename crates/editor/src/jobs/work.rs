//! Requests to background threads, and their messages.

use std::{path::PathBuf, sync::Arc};

use glam::Vec3;
use walkable::{
    bake::{BakeInput, BakePlan, LevelPart},
    mesh::{ImportOptions, TriMesh},
    navmesh::NavMesh,
};
use walkable_workspace::{document::Finish, path_why::PathWhyRequest};

use crate::{
    jobs::{
        animation::AnimationMessage,
        answer::AnswerStages,
        ask_file::{DialogOutcome, Proposal, Purpose},
        bake::{BakeMessage, BakeRequest},
        changes::{ChangesAnswer, ChangesRequest},
        check::{CheckMessage, CheckWork},
        export::{Export, ExportMessage, Target},
        fixes::{FixMessage, FixRequest},
        game::{GameMessage, ListenRequest},
        game_answer::GameAnswerRequest,
        lab::{LabMessage, LabRequest},
        open::Opened,
        other_agents::OtherAgentBaked,
        overview_message::{OverviewMessage, OverviewRequest},
        path_tests::PathTestRequest,
        path_why::PathWhyAnswer,
        pieces::{SortMessage, SortRequest},
        propose::{ProposeRequest, Proposed},
        scenario::{ScenarioMessage, ScenarioRequest},
        slot::JobEvent,
        soak::{SoakMessage, SoakRequest},
        store_export::{StoreExportMessage, StoreExportRequest},
        sweep::{SweepMessage, SweepRequest},
        tile_sizes::TileSizeMessage,
        world_route::{RouteMessage, WorldRouteRequest},
    },
    session::{
        BakeProgress, CaseRun, FrameRequest, GameAnswer, GameLine, LevelSource, OtherAgentToBake,
        TileKey,
    },
};

/// A request to a background thread. It is self-contained: no job reads the session.
#[derive(Debug)]
pub enum Work {
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
    /// Bake the level.
    Bake(Box<BakeRequest>),
    /// Stop the bake.
    CancelBake,
    /// Prepare a navmesh for queries.
    PrepareQueries(Arc<NavMesh>),
    /// Bake these tiles again for their stages, the most urgent first.
    Stages(Vec<(Arc<BakePlan>, TileKey)>),
    /// Bake the navmeshes of the other agents on a level, or the loaded part of one.
    OtherAgents((Arc<TriMesh>, Option<LevelPart>), Vec<OtherAgentToBake>, Box<Finish>),
    /// Make frames of a stage animation.
    Frames(Box<FrameRequest>),
    /// Stop making frames.
    CancelFrames,
    /// Compare search algorithms.
    Lab(Box<LabRequest>),
    /// Stop comparing search algorithms and answering the scenario.
    CancelLab,
    /// Answer the queries of the open map's scenario.
    Scenario(Box<ScenarioRequest>),
    /// Look for off-mesh links to propose.
    Propose(Box<ProposeRequest>),
    /// Explain the path.
    ExplainPath(Box<PathWhyRequest>),
    /// Find a route across a tile store.
    FindRoute(Box<WorldRouteRequest>),
    /// Stop finding a route; what is computed is used by the next search.
    CancelRoute,
    /// Stop finding a route, and free what was computed for it.
    ForgetRoute,
    /// Run the path tests.
    RunPathTests(Box<PathTestRequest>),
    /// Let agents walk, to find where they get stuck.
    Soak(Box<SoakRequest>),
    /// Stop the soak run.
    CancelSoak,
    /// Let games connect.
    Listen(ListenRequest),
    /// Disconnect all games.
    StopListening,
    /// Answer a question of a game.
    AnswerGame(Box<GameAnswerRequest>),
    /// Send a line to a game.
    TellGame(GameLine),
    /// Compare the pinned bake with the current one.
    FindChanges(Box<ChangesRequest>),
    /// Check the navmesh.
    Check(Box<CheckWork>),
    /// Stop the check.
    CancelCheck,
    /// Compare tile sizes.
    MeasureTileSizes(Box<BakeInput>),
    /// Stop comparing tile sizes.
    CancelTileSizes,
    /// Look for fixes of a point or a path.
    FindFixes(Box<FixRequest>),
    /// Stop looking for fixes.
    CancelFixes,
    /// Bake the level with combinations of settings.
    Sweep(Box<SweepRequest>),
    /// Stop the sweep.
    CancelSweep,
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

/// A message of a background job.
#[derive(Debug)]
pub enum JobMessage {
    /// From reading a file.
    Opened(JobEvent<Opened>),
    /// From reading for the overview.
    Overview(JobEvent<OverviewMessage>),
    /// From sorting pieces.
    Sorted(JobEvent<SortMessage>),
    /// From the bake.
    Baked(JobEvent<BakeMessage>),
    /// A file of the open level has changed on disk.
    LevelChanged,
    /// From baking tiles again for their stages.
    Answered(JobEvent<AnswerStages>),
    /// From comparing search algorithms.
    Compared(JobEvent<LabMessage>),
    /// From baking the other agents.
    OtherAgentBaked(JobEvent<OtherAgentBaked>),
    /// From making frames.
    Animation(JobEvent<AnimationMessage>),
    /// From answering the scenario.
    ScenarioAnswered(JobEvent<ScenarioMessage>),
    /// From looking for off-mesh links.
    Proposed(JobEvent<Proposed>),
    /// From the explanation of the path.
    PathExplained(JobEvent<PathWhyAnswer>),
    /// From finding a route.
    RouteFound(JobEvent<RouteMessage>),
    /// From running the path tests.
    PathTestsRun(JobEvent<Vec<CaseRun>>),
    /// From the soak run.
    Soaked(JobEvent<SoakMessage>),
    /// From the socket to which games connect.
    Game(JobEvent<GameMessage>),
    /// From answering a question of a game.
    GameAnswered(JobEvent<GameAnswer>),
    /// From comparing bakes.
    FoundChanges(JobEvent<ChangesAnswer>),
    /// From the check of the navmesh.
    Checked(JobEvent<CheckMessage>),
    /// From comparing tile sizes.
    MeasuredTileSizes(JobEvent<TileSizeMessage>),
    /// From looking for fixes.
    FoundFixes(JobEvent<FixMessage>),
    /// From the sweep.
    Swept(JobEvent<SweepMessage>),
    /// From the bake of a preview.
    Previewed(JobEvent<BakeMessage>),
    /// From writing a file.
    Exported(JobEvent<ExportMessage>),
    /// From writing all tiles of a tile store.
    StoreExported(JobEvent<StoreExportMessage>),
    /// The file dialog was closed.
    DialogClosed(DialogOutcome),
}

/// What the jobs are doing.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a job of its own")]
pub struct JobStatus {
    /// The file that is being read.
    pub reading: Option<(LevelSource, ImportOptions)>,
    /// Whether a level is read for its overview.
    pub reads_overview: bool,
    /// Whether the pieces of a level are being sorted.
    pub sorts_pieces: bool,
    /// Progress of the bake.
    pub bake: Option<BakeProgress>,
    /// Whether search algorithms are being compared.
    pub compares: bool,
    /// Whether a scenario is being answered.
    pub answers_scenario: bool,
    /// Whether off-mesh links are being looked for.
    pub proposes: bool,
    /// Whether the path is being explained.
    pub explains_path: bool,
    /// Whether a route is being found.
    pub finds_route: bool,
    /// Whether the path tests are running.
    pub runs_path_tests: bool,
    /// Whether a soak is running.
    pub runs_soak: bool,
    /// Whether a question of a game is being answered.
    pub answers_game: bool,
    /// Whether a navmesh is being prepared for queries.
    pub prepares: bool,
    /// Whether bakes are being compared.
    pub finds_changes: bool,
    /// Whether the navmesh is being checked.
    pub checks: bool,
    /// Whether tile sizes are being compared.
    pub measures_tile_sizes: bool,
    /// Whether fixes are being looked for.
    pub finds_fixes: bool,
    /// Whether a sweep is running.
    pub sweeps: bool,
    /// Progress of the bake of a preview.
    pub preview: Option<BakeProgress>,
    /// Whether frames are being made.
    pub animations: bool,
    /// Whether tiles are being baked again for their stages.
    pub answers: bool,
    /// Whether other agents are being baked.
    pub bakes_other_agents: bool,
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
            reading,
            reads_overview,
            sorts_pieces,
            bake,
            compares,
            answers_scenario,
            proposes,
            explains_path,
            finds_route,
            runs_path_tests,
            runs_soak,
            answers_game,
            prepares,
            finds_changes,
            checks,
            measures_tile_sizes,
            finds_fixes,
            sweeps,
            preview,
            animations,
            answers,
            bakes_other_agents,
            exports_store,
            saves: _,
            writes: _,
        } = self;
        reading.is_some()
            || *reads_overview
            || *sorts_pieces
            || bake.is_some()
            || *compares
            || *answers_scenario
            || *proposes
            || *explains_path
            || *finds_route
            || *runs_path_tests
            || *runs_soak
            || *answers_game
            || *prepares
            || *finds_changes
            || *checks
            || *measures_tile_sizes
            || *finds_fixes
            || *sweeps
            || preview.is_some()
            || *animations
            || *answers
            || *bakes_other_agents
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
