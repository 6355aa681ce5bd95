//! What the editor works on: the document with its undo history, the level, the bake results, the path, and what is
//! shown and selected. Independent of the window; only `Editor::reduce` changes it.

mod agent_heat;
mod animation;
mod animation_frames;
mod bake_state;
mod brush;
mod budgets;
mod cache;
mod changes;
mod check;
mod click_task;
mod coarse_level;
mod crowd;
mod crowd_drawing;
mod crowd_run;
mod datum;
mod display;
mod edit;
mod export_kind;
mod finish;
mod fixes;
mod focus;
mod found;
mod game;
mod grip;
mod history;
mod island;
mod lab;
mod layers;
mod level;
mod limits;
mod log;
mod map;
mod new_volume;
mod open_store;
mod other_agents;
mod overlay;
mod parts;
mod path;
mod path_tests;
mod path_why;
mod pieces;
mod png_picture;
mod preview;
mod proposals;
mod query;
mod replay;
mod saved;
mod scene_item;
mod selected_items;
mod side;
mod soak;
mod stage_view;
mod sweep;
mod tile_sizes;
mod tool_kind;
mod transform;
mod volume;
mod world;
mod world_route;

#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, sync::Arc};

pub use agent_heat::{HeatSource, ShownHeat};
pub use animation::{AnimationState, FrameRequest};
pub use animation_frames::{AnimationFrames, list_bytes};
pub use bake_state::{
    BakeProgress, BakeState, Base, Before, Leftover, Prepared, Revision, StageCache, StageCounts,
    StageFigure, TileKey, TileResult, TileResults, Totals, n_walkable_polys,
};
pub use brush::{NewStroke, Touch};
pub use budgets::{BUDGETS, Budget, Excess, exceeded};
pub use cache::{Cache, LastUse};
pub use changes::Changes;
pub use check::{CheckFilter, CheckProgress, NavmeshCheck, has_place};
pub use click_task::ClickTask;
pub use coarse_level::CoarseLevel;
pub use crowd::{AgentReport, CrowdMember, CrowdPlay, state_name};
pub use crowd_drawing::{CrowdCell, CrowdDrawing};
pub use datum::{DataList, Datum, middle_of, polygon_of_triangle};
pub use display::{ColorBy, DisplaySettings, Hover, LabelKind, Slice, SliceDirection, stories};
pub use edit::Edit;
pub use export_kind::ExportKind;
pub use fixes::{FixTarget, Fixes, FoundFixes};
pub use focus::{BLOCK, MANY_TILES};
pub use game::{
    FailedPath, FoundPath, GameAnswer, GameLine, GameLink, GameQuestion, GameState, PendingQuestion,
};
use glam::Vec3;
pub use grip::{Grip, arm, grips, pulled};
pub use history::{Bakes, History};
pub use island::island_picture;
pub use lab::{
    Batch, BatchRow, Effort, Event, LabQuestion, LabRow, LabSettings, LabState, LabTab, Measure,
    Medium, Mismatch, NodeState, Recording, ReplayState, Searcher, Shape, Speed, SweepPoint,
};
pub use level::LoadedLevel;
pub use limits::{Limit, limits};
pub use log::{Log, LogEntry, LogLine, LogPlace, Severity};
pub use map::OpenMap;
pub use new_volume::NewVolume;
pub use open_store::{OpenStore, StoreExportPhase, StoreExportProgress};
pub use other_agents::{AgentsExport, OtherAgentBake, OtherAgentToBake, OtherAgents};
pub use overlay::{LayerDisplay, LayerShow, Overlay, is_one_cell, most_layers};
pub use parts::{Opened, ProjectState, Shown, ToolState};
pub use path::{PathAnswer, PathShow, PathState, ReachAnswer, Second, WALK_STEP};
pub use path_tests::{CaseRun, PathTestCounts, PathTestQuestion, PathTests};
pub use path_why::{PathBreaks, PathFinding, PathQuestion, PathWhy, break_picture, pole};
pub use pieces::{PiecesState, SortProgress};
pub use png_picture::PngPicture;
pub use preview::Preview;
pub(crate) use preview::PreviewInput;
pub use proposals::{JUMP_LIMITS, JumpLimitRow, Proposals, kind_name, usual_jumps};
pub use query::{
    Played, QueryFlow, QueryMode, QueryOption, QueryOptions, QueryResult, QueryState, Slices,
};
pub use replay::Replay;
pub use scene_item::{
    SceneItem, item_names, new_link, prepared_for_obstacles, with_link, with_obstacle,
};
pub use selected_items::{CopiedItems, PasteError, SelectedItems, remove};
pub use side::Side;
pub use soak::{RecordedAgent, SoakInput, SoakNavmesh, SoakPlaces, SoakProgress, SoakState};
pub use sweep::{
    SweepColumn, SweepEntry, SweepMethod, SweepPlan, SweepSetting, SweepShow, SweepState, SweepTab,
    SweepValues,
};
pub use tile_sizes::TileSizes;
pub use tool_kind::{RightClick, ToolKind};
pub use transform::{GizmoMode, GizmoSettings, Transform};
pub use volume::{ShapeKind, between, middle, resized, shifted, turned_to, width_and_depth, yaw};
use walkable::{
    bake::{AreaFlags, BakeConfig, BakeInput},
    diagnostic::Phrase,
    explain::{floor_below, polygon_below},
    geom::Aabb,
    mesh::ImportOptions,
    navmesh::NavMesh,
    phrase,
    query::Filter,
};
pub use walkable_workspace::{
    document::{
        Agents, AreaTable, Avoidance, Brush, Budgets, Document, Islands, LevelSource, Look, Named,
        Obstacle, Obstacles, OwnPreset, PathFilter, SavedPath, SavedPlace, SceneAgent, SceneTask,
        Spawner, Stroke, are_alike, erased,
    },
    path_tests::CaseState,
};
use walkable_workspace::{
    files::FileKind,
    positions::{Placed, Positions},
    stage_view::StageView,
};
pub use world::{HeightMap, Overview, OverviewState, World};
pub use world_route::{NoRoute, RouteQuestion, RouteState};

use crate::task::{TaskId, TaskSet};

/// The state of one open level: parts that many features share, and one field per feature.
#[derive(Debug, Default)]
pub struct Session {
    pub running: TaskSet,
    /// The document, which is saved and can be undone.
    pub history: History<Document>,
    pub project: ProjectState,
    pub opened: Opened,
    pub shown: Shown,
    pub tools: ToolState,
    /// Past messages, oldest first.
    pub log: Log,
    last_level: u64,
    opening: u64,
    /// The document revision at the last call of [`Session::follow_document`].
    followed: Option<u64>,

    pub bake: BakeState,
    pub changes: Changes,
    pub check: NavmeshCheck,
    pub crowd: CrowdPlay,
    pub fixes: Fixes,
    pub game: GameState,
    pub lab: LabState,
    pub other_agents: OtherAgents,
    pub path: PathState,
    pub path_tests: PathTests,
    pub path_why: PathWhy,
    pub preview: Option<Box<Preview>>,
    n_previews: u64,
    pub proposals: Proposals,
    /// The route across a level or tile store larger than memory.
    pub route: RouteState,
    pub soak: SoakState,
    pub sweep: SweepState,
    pub tile_sizes: TileSizes,
}

/// The state that panels may read while they are drawn.
#[derive(Clone, Copy, Debug)]
pub struct SessionView<'a> {
    pub session: &'a Session,
    pub auto_bake: bool,
}

impl std::ops::Deref for SessionView<'_> {
    type Target = Session;

    fn deref(&self) -> &Session {
        self.session
    }
}

impl Session {
    pub const fn runs(&self, task: TaskId) -> bool {
        self.running.contains(task)
    }

    /// Returns the selected object whose properties are shown, if it still exists.
    pub fn item(&self) -> Option<SceneItem> {
        self.tools.selected_items.main(self.document())
    }

    /// Returns all selected objects that still exist.
    pub fn items(&self) -> BTreeSet<SceneItem> {
        self.tools.selected_items.all(self.document())
    }

    /// Returns the current document, including an open transaction.
    pub fn document(&self) -> &Document {
        self.history.present()
    }

    pub fn name(&self) -> Option<String> {
        let level = self.opened.level.as_ref().map(|level| level.source.name());
        level.or_else(|| self.opened.imported.as_ref().map(LevelSource::name))
    }

    /// Returns the bounds of everything in the 3D view.
    pub fn bounds(&self) -> Aabb {
        let level = self.opened.level.as_ref().map(|level| level.mesh.bounds());
        let navmesh = || self.bake.navmesh.as_deref().map(NavMesh::bounds);
        let nothing = || Aabb::new(Vec3::splat(-10.0), Vec3::splat(10.0));
        level.or_else(navmesh).filter(|bounds| !bounds.is_empty()).unwrap_or_else(nothing)
    }

    /// Returns the current revision of everything a bake depends on.
    pub fn revision(&self) -> Revision {
        Revision {
            document: self.history.bake_revision(),
            level: self.opened.level.as_ref().map_or(0, |level| level.serial),
        }
    }

    /// Returns whether the results were baked from older settings or an older level.
    pub fn is_stale(&self) -> bool {
        self.opened.level.is_some() && self.bake.is_stale(self.revision())
    }

    pub fn bake_input(&self) -> Option<BakeInput> {
        let level = self.opened.level.as_ref()?;
        let input = self.document().config().with_mesh(Arc::clone(&level.mesh));
        let input = input.of_part(level.part());
        // Flags are assigned after the bake, so that changing a flag requires no new bake.
        Some(BakeInput { area_flags: AreaFlags::default(), ..input })
    }

    /// Returns the places of the open level that positions of a log refer to.
    pub fn placed(&self, log: Positions) -> Placed {
        let level = self.opened.level.as_ref().map(|level| (level.import, level.mesh.bounds()));
        log.placed(level, |at| match (&self.bake.plan, &self.bake.navmesh) {
            (Some(plan), _) => floor_below(plan, at),
            (None, Some(mesh)) => polygon_below(mesh, at),
            (None, None) => None,
        })
    }

    /// Returns the positions in the open level, as [`Positions::in_level`] does.
    pub fn in_level(&self, positions: Positions) -> Positions<Vec3> {
        match &self.opened.level {
            Some(level) => positions.in_level(level.import, &level.mesh.bounds()),
            None => positions.as_they_are(),
        }
    }

    /// Returns the import options with which the level has to be imported again, if they have changed.
    pub fn wanted_import(&self) -> Option<ImportOptions> {
        let level = self.opened.level.as_ref()?;
        let wanted = self.document().import;
        // The options of sorted triangles were applied when they were sorted; undo cannot take them back.
        if level.source.path().and_then(FileKind::of_name) == Some(FileKind::Triangles) {
            return None;
        }
        (wanted != level.import && !self.history.in_transaction()).then_some(wanted)
    }

    /// Opens a level that was read, with its companion settings, if any. Clears the undo history and everything of the
    /// previous level, unless it is the same level with other import options.
    pub fn open(&mut self, mut level: LoadedLevel, config: Option<BakeConfig>) {
        let same = self.opened.level.as_ref().is_some_and(|old| old.source == level.source);
        self.last_level += 1;
        level.serial = self.last_level;
        if !same {
            self.begin(Document::new(config.unwrap_or_default(), level.import));
        }
        self.opened.imported = None;
        self.opened.level = Some(level);
        // The triangles have other indices now.
        self.tools.selection = self.tools.selection.map(|place| Hover { triangle: None, ..place });
        (self.tools.hover, self.shown.display.part) = (None, None);
        // If the same level was read again, unchanged tiles need no new bake.
        if !same {
            self.shown.look = None;
            self.forget_results();
        }
    }

    /// Starts over with `document`, without unsaved work.
    fn begin(&mut self, document: Document) {
        self.project = ProjectState::without_changes(document.clone());
        self.opened.hold_bake = None;
        self.history = History::new(document);
        self.log.forget_places();
        // Costs and flags belong to the areas of the previous level.
        (self.path.filter, self.path.areas) = (Filter::default(), AreaTable::default());
        self.path.changes = PathFilter::default();
        self.followed = None;
        self.follow_document();
    }

    /// Returns whether neither a level nor a navmesh is open.
    pub const fn is_empty(&self) -> bool {
        self.opened.level.is_none() && self.opened.imported.is_none()
    }

    /// Closes the level or navmesh. Clears the undo history.
    pub fn close(&mut self) {
        self.forget_results();
        self.begin(Document::default());
        (self.opened.level, self.opened.imported, self.shown.look) = (None, None, None);
        self.shown.playing = false;
    }

    /// Opens a navmesh that was read from a file.
    pub fn open_navmesh(&mut self, source: LevelSource, navmesh: NavMesh) {
        self.forget_results();
        self.begin(Document::default());
        if self.opened.level.take().is_some() || self.opened.imported.as_ref() != Some(&source) {
            self.shown.look = None;
        }
        self.opened.imported = Some(source);
        self.bake.show_imported(navmesh);
        self.shown.stage = StageView::Navmesh;
    }

    /// Restores the import options of the last import.
    pub fn give_up_import(&mut self) {
        if let Some(import) = self.opened.level.as_ref().map(|level| level.import) {
            self.history
                .change(phrase!("Keep import options"), |document| document.import = import);
        }
    }

    /// Returns a number that changes when a level or navmesh is opened or closed, but not when the same level is read
    /// again.
    pub const fn opening(&self) -> u64 {
        self.opening
    }

    fn forget_results(&mut self) {
        self.opening += 1;
        self.discard_preview();
        self.bake.clear();
        self.path.forget();
        self.path_why.forget();
        self.route.forget();
        self.path_tests.forget();
        self.crowd = CrowdPlay::default();
        self.soak.forget();
        self.changes.forget();
        self.check.forget();
        self.tile_sizes.forget();
        self.fixes = Fixes::default();
        self.sweep.forget();
        self.lab.forget_level();
        self.other_agents.forget();
        self.proposals = Proposals::default();
        self.shown.forget();
        self.tools.forget();
        (self.opened.overview, self.opened.store) = (OverviewState::default(), None);
    }

    /// Updates the path and the query result; fast enough for every frame of a drag.
    pub fn update_path(&mut self) {
        let second = self.second_mesh();
        self.path.update(self.bake.navmesh.as_deref(), second.as_deref());
        self.tools.query_tool.update(self.bake.navmesh.as_deref(), &self.path.filter);
    }

    pub fn add_to_log(&mut self, severity: Severity, text: Phrase) {
        self.log.push(LogLine::new(severity, text));
    }
}
