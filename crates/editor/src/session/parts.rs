//! The parts of the session that many features share.

use std::path::PathBuf;

use glam::Vec3;
use walkable::{diagnostic::Phrase, ids::TileCoord};
use walkable_workspace::stage_view::StageView;

use super::{
    AnimationFrames, AnimationState, DisplaySettings, Document, GizmoSettings, Hover, LevelSource,
    LoadedLevel, Look, NewStroke, NewVolume, OpenStore, OverviewState, PiecesState, PngPicture,
    QueryState, SelectedItems, ShapeKind, Slice, StoreExportProgress, ToolKind,
};

/// The project file and what it contains.
#[derive(Debug)]
pub struct ProjectState {
    pub path: Option<PathBuf>,
    /// The document as it was last saved, or as it was when the level was opened. `None` for unsaved work that was
    /// recovered, and for a repro file.
    pub saved: Option<Document>,
    /// Fingerprint of the file when it was last read or written.
    pub on_disk: Option<u64>,
    /// The file that the work was recovered from; deleted once the work is saved elsewhere.
    pub recovered: Option<PathBuf>,
}

impl Default for ProjectState {
    fn default() -> Self {
        Self::without_changes(Document::default())
    }
}

impl ProjectState {
    /// Returns the state of an unchanged document that has no file.
    pub(super) const fn without_changes(document: Document) -> Self {
        Self { path: None, saved: Some(document), on_disk: None, recovered: None }
    }
}

/// The level or navmesh that is open.
#[derive(Debug, Default)]
pub struct Opened {
    pub level: Option<LoadedLevel>,
    /// The overview of the level, if it is larger than memory.
    pub overview: OverviewState,
    /// A level in pieces that is being sorted into one file.
    pub pieces: PiecesState,
    /// Where the navmesh was opened from; `None` if it was baked.
    pub imported: Option<LevelSource>,
    /// The tile store from which the navmesh was opened, if it was one.
    pub store: Option<OpenStore>,
    /// The progress of an export of all tiles, while it is running.
    pub store_export: Option<StoreExportProgress>,
    /// Why automatic baking is suspended. It resumes when the user starts a bake.
    pub hold_bake: Option<Phrase>,
}

/// What the 3D view shows, and from where.
#[derive(Debug)]
pub struct Shown {
    /// The camera.
    pub look: Option<Look>,
    pub stage: StageView,
    /// The animation of the stage; see [`Session::animation`](super::Session::animation).
    pub animation: Option<AnimationState>,
    pub animation_frames: AnimationFrames,
    pub playing: bool,
    pub display: DisplaySettings,
    /// The tile that the stage strip and the inspector describe; `None` for all.
    pub chosen_tile: Option<TileCoord>,
    pub show_level: bool,
    pub show_backs: bool,
    /// The last picture that was taken, until it is saved.
    pub picture: Option<PngPicture>,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            look: None,
            stage: StageView::Navmesh,
            animation: None,
            animation_frames: AnimationFrames::default(),
            playing: false,
            display: DisplaySettings::default(),
            chosen_tile: None,
            show_level: true,
            show_backs: false,
            picture: None,
        }
    }
}

impl Shown {
    /// Clears what belongs to the open level.
    pub(super) fn forget(&mut self) {
        (self.chosen_tile, self.animation) = (None, None);
        let display = &mut self.display;
        (display.slice, display.story, display.part, display.datum) =
            (Slice::ALL, None, None, None);
    }
}

/// The current tool, the selection, and the options of tools.
#[derive(Debug)]
pub struct ToolState {
    pub tool: ToolKind,
    /// The point of the level under the cursor.
    pub hover: Option<Hover>,
    /// The point that the inspector shows when nothing is under the cursor.
    pub selection: Option<Hover>,
    /// The selected objects of the level; see [`Session::items`](super::Session::items).
    pub selected_items: SelectedItems,
    pub measured: Option<[Vec3; 2]>,
    pub query_tool: QueryState,
    pub island: Option<Vec3>,
    /// Settings of the handles that move, rotate and scale the selected objects.
    pub gizmo: GizmoSettings,
    pub new_volume: NewVolume,
    pub new_obstacle: ShapeKind,
    pub new_stroke: NewStroke,
}

impl Default for ToolState {
    fn default() -> Self {
        Self {
            tool: ToolKind::Select,
            hover: None,
            selection: None,
            selected_items: SelectedItems::default(),
            measured: None,
            query_tool: QueryState::default(),
            island: None,
            gizmo: GizmoSettings::default(),
            new_volume: NewVolume::default(),
            new_obstacle: ShapeKind::Cylinder,
            new_stroke: NewStroke::default(),
        }
    }
}

impl ToolState {
    /// Clears what belongs to the open level.
    pub(super) fn forget(&mut self) {
        (self.hover, self.selection, self.measured, self.island) = (None, None, None, None);
        self.selected_items = SelectedItems::default();
        self.query_tool.forget();
    }
}
