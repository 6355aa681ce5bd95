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

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

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
pub use coarse_level::CoarseLevel;
pub use crowd::{AgentReport, ClickTask, CrowdMember, CrowdPlay, state_name};
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
pub use tool_kind::ToolKind;
pub use transform::{GizmoMode, GizmoSettings, Transform};
pub use volume::{ShapeKind, between, middle, resized, shifted, turned_to, width_and_depth, yaw};
use walkable::{
    bake::{AreaFlags, BakeConfig, BakeInput},
    diagnostic::Phrase,
    explain::{floor_below, polygon_below},
    geom::Aabb,
    ids::TileCoord,
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

/// The state of one open level.
#[derive(Debug)]
pub struct Session {
    pub running: TaskSet,
    /// The document, which is saved and can be undone.
    pub history: History<Document>,
    /// Path of the project file, if there is one.
    pub project: Option<PathBuf>,
    /// Content of the project file, or of the document when the level was opened; `None` for recovered unsaved work.
    saved: Option<Document>,
    /// Fingerprint of the project file when it was last read or written.
    pub on_disk: Option<u64>,
    /// The file that the work was recovered from; deleted once the work is saved elsewhere.
    pub recovered: Option<PathBuf>,
    /// The camera of the 3D view.
    pub look: Option<Look>,
    /// The level, if one is open.
    pub level: Option<LoadedLevel>,
    /// The overview of the level, if it is larger than memory.
    pub overview: OverviewState,
    /// A level in pieces that is being sorted into one file.
    pub pieces: PiecesState,
    /// The origin of the navmesh if it was opened instead of baked.
    pub imported: Option<LevelSource>,
    /// The tile store of that navmesh, if it was opened from one.
    pub store: Option<OpenStore>,
    /// The export of all tiles of a tile store that is being written.
    pub store_export: Option<StoreExportProgress>,
    /// Why automatic baking is suspended until the user bakes.
    pub hold_bake: Option<Phrase>,
    pub bake: BakeState,
    pub path: PathState,
    pub other_agents: OtherAgents,
    pub proposals: Proposals,
    pub path_why: PathWhy,
    /// The route across a level or tile store larger than memory.
    pub route: RouteState,
    pub path_tests: PathTests,
    pub crowd: CrowdPlay,
    pub soak: SoakState,
    pub game: GameState,
    /// The differences between the pinned bake and the current one.
    pub changes: Changes,
    pub check: NavmeshCheck,
    pub tile_sizes: TileSizes,
    pub fixes: Fixes,
    pub preview: Option<Box<Preview>>,
    n_previews: u64,
    pub sweep: SweepState,
    pub lab: LabState,
    pub query_tool: QueryState,
    pub stage: StageView,
    /// The animation of the stage; see [`Session::animation`].
    pub animation: Option<AnimationState>,
    pub animation_frames: AnimationFrames,
    /// Display options of the 3D view.
    pub display: DisplaySettings,
    /// The tile that the stage strip and the inspector describe; `None` for all.
    pub chosen_tile: Option<TileCoord>,
    pub tool: ToolKind,
    /// The point of the level under the cursor.
    pub hover: Option<Hover>,
    /// The point that the inspector shows when nothing is under the cursor.
    pub selection: Option<Hover>,
    pub show_level: bool,
    /// The selected objects of the level; see [`Session::items`].
    pub selected_items: SelectedItems,
    pub measured: Option<[Vec3; 2]>,
    /// Settings of the handles that move, turn and scale the selected objects.
    pub gizmo: GizmoSettings,
    pub new_volume: NewVolume,
    pub new_obstacle: ShapeKind,
    pub new_stroke: NewStroke,
    pub island: Option<Vec3>,
    pub show_backs: bool,
    pub playing: bool,
    /// Past messages, oldest first.
    pub log: Log,
    /// The picture of the 3D view that was taken last, to be saved.
    pub picture: Option<PngPicture>,
    last_level: u64,
    /// The document revision at the last call of [`Session::follow_document`].
    followed: Option<u64>,
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

impl Default for Session {
    fn default() -> Self {
        Self {
            running: TaskSet::default(),
            history: History::new(Document::default()),
            project: None,
            saved: Some(Document::default()),
            on_disk: None,
            recovered: None,
            look: None,
            level: None,
            overview: OverviewState::default(),
            pieces: PiecesState::default(),
            imported: None,
            store: None,
            store_export: None,
            hold_bake: None,
            bake: BakeState::default(),
            path: PathState::default(),
            other_agents: OtherAgents::default(),
            proposals: Proposals::default(),
            path_why: PathWhy::default(),
            route: RouteState::default(),
            path_tests: PathTests::default(),
            crowd: CrowdPlay::default(),
            soak: SoakState::default(),
            game: GameState::default(),
            changes: Changes::default(),
            check: NavmeshCheck::default(),
            tile_sizes: TileSizes::default(),
            fixes: Fixes::default(),
            preview: None,
            n_previews: 0,
            sweep: SweepState::default(),
            lab: LabState::default(),
            query_tool: QueryState::default(),
            stage: StageView::Navmesh,
            animation: None,
            animation_frames: AnimationFrames::default(),
            display: DisplaySettings::default(),
            chosen_tile: None,
            tool: ToolKind::Select,
            hover: None,
            selection: None,
            selected_items: SelectedItems::default(),
            measured: None,
            gizmo: GizmoSettings::default(),
            new_volume: NewVolume::default(),
            new_obstacle: ShapeKind::Cylinder,
            new_stroke: NewStroke::default(),
            island: None,
            show_level: true,
            show_backs: false,
            playing: false,
            log: Log::default(),
            picture: None,
            last_level: 0,
            followed: None,
        }
    }
}

impl Session {
    pub const fn runs(&self, task: TaskId) -> bool {
        self.running.contains(task)
    }

    /// Returns the selected object whose properties are shown, if it still exists.
    pub fn item(&self) -> Option<SceneItem> {
        self.selected_items.main(self.document())
    }

    /// Returns all selected objects that still exist.
    pub fn items(&self) -> BTreeSet<SceneItem> {
        self.selected_items.all(self.document())
    }

    /// Returns the current document, including an open transaction.
    pub fn document(&self) -> &Document {
        self.history.present()
    }

    pub fn name(&self) -> Option<String> {
        let level = self.level.as_ref().map(|level| level.source.name());
        level.or_else(|| self.imported.as_ref().map(LevelSource::name))
    }

    /// Returns the bounds of everything in the 3D view.
    pub fn bounds(&self) -> Aabb {
        let level = self.level.as_ref().map(|level| level.mesh.bounds());
        let navmesh = || self.bake.navmesh.as_deref().map(NavMesh::bounds);
        let nothing = || Aabb::new(Vec3::splat(-10.0), Vec3::splat(10.0));
        level.or_else(navmesh).filter(|bounds| !bounds.is_empty()).unwrap_or_else(nothing)
    }

    /// Returns the current revision of everything a bake depends on.
    pub fn revision(&self) -> Revision {
        Revision {
            document: self.history.bake_revision(),
            level: self.level.as_ref().map_or(0, |level| level.serial),
        }
    }

    /// Returns whether the results were baked from older settings or an older level.
    pub fn is_stale(&self) -> bool {
        self.level.is_some() && self.bake.is_stale(self.revision())
    }

    pub fn bake_input(&self) -> Option<BakeInput> {
        let level = self.level.as_ref()?;
        let input = self.document().config().with_mesh(Arc::clone(&level.mesh));
        let input = input.of_part(level.part());
        // Flags are assigned after the bake, so that changing a flag requires no new bake.
        Some(BakeInput { area_flags: AreaFlags::default(), ..input })
    }

    /// Returns the places of the open level that positions of a log refer to.
    pub fn placed(&self, log: Positions) -> Placed {
        let level = self.level.as_ref().map(|level| (level.import, level.mesh.bounds()));
        log.placed(level, |at| match (&self.bake.plan, &self.bake.navmesh) {
            (Some(plan), _) => floor_below(plan, at),
            (None, Some(mesh)) => polygon_below(mesh, at),
            (None, None) => None,
        })
    }

    /// Returns the positions in the open level, as [`Positions::in_level`] does.
    pub fn in_level(&self, positions: Positions) -> Positions<Vec3> {
        match &self.level {
            Some(level) => positions.in_level(level.import, &level.mesh.bounds()),
            None => positions.as_they_are(),
        }
    }

    /// Returns the import options with which the level has to be imported again, if they have changed.
    pub fn wanted_import(&self) -> Option<ImportOptions> {
        let level = self.level.as_ref()?;
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
        let same = self.level.as_ref().is_some_and(|old| old.source == level.source);
        self.last_level += 1;
        level.serial = self.last_level;
        if !same {
            self.begin(Document::new(config.unwrap_or_default(), level.import));
        }
        self.imported = None;
        self.level = Some(level);
        // The triangles have other indices now.
        self.selection = self.selection.map(|place| Hover { triangle: None, ..place });
        (self.hover, self.display.part) = (None, None);
        // If the same level was read again, unchanged tiles need no new bake.
        if !same {
            self.look = None;
            self.forget_results();
        }
    }

    /// Starts over with `document`, without unsaved work.
    fn begin(&mut self, document: Document) {
        (self.project, self.saved) = (None, Some(document.clone()));
        (self.on_disk, self.recovered, self.hold_bake) = (None, None, None);
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
        self.level.is_none() && self.imported.is_none()
    }

    /// Closes the level or navmesh. Clears the undo history.
    pub fn close(&mut self) {
        self.forget_results();
        self.begin(Document::default());
        (self.level, self.imported, self.look) = (None, None, None);
        self.playing = false;
    }

    /// Opens a navmesh that was read from a file.
    pub fn open_navmesh(&mut self, source: LevelSource, navmesh: NavMesh) {
        self.forget_results();
        self.begin(Document::default());
        if self.level.take().is_some() || self.imported.as_ref() != Some(&source) {
            self.look = None;
        }
        self.imported = Some(source);
        self.bake.show_imported(navmesh);
        self.stage = StageView::Navmesh;
    }

    /// Restores the import options of the last import.
    pub fn give_up_import(&mut self) {
        if let Some(import) = self.level.as_ref().map(|level| level.import) {
            self.history
                .change(phrase!("Keep import options"), |document| document.import = import);
        }
    }

    fn forget_results(&mut self) {
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
        self.query_tool.forget();
        self.sweep.forget();
        self.lab.forget_level();
        self.other_agents.forget();
        self.proposals = Proposals::default();
        (self.chosen_tile, self.hover) = (None, None);
        (self.display.slice, self.display.story) = (Slice::ALL, None);
        (self.display.part, self.display.datum, self.animation) = (None, None, None);
        (self.selection, self.measured) = (None, None);
        self.selected_items = SelectedItems::default();
        self.island = None;
        self.overview = OverviewState::default();
        self.store = None;
    }

    /// Updates the path and the query result; fast enough for every frame of a drag.
    pub fn update_path(&mut self) {
        let second = self.second_mesh();
        self.path.update(self.bake.navmesh.as_deref(), second.as_deref());
        self.query_tool.update(self.bake.navmesh.as_deref(), &self.path.filter);
    }

    pub fn add_to_log(&mut self, severity: Severity, text: Phrase) {
        self.log.push(LogLine::new(severity, text));
    }
}
