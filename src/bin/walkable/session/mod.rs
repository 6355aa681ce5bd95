//! What the editor works on: the document with its undo history, the level, the bake's results, the
//! path, and what is shown and selected. Knows no window; only `dispatch` changes it.

mod bake_state;
mod document;
mod history;
mod level;
mod path_state;
mod stage_view;

pub(crate) use bake_state::{BakeProgress, BakeState, Revision, StageFigure, TileResult};
pub(crate) use document::{Document, Edit};
pub(crate) use history::History;
pub(crate) use level::{LevelSource, LoadedLevel};
pub(crate) use path_state::{PathAnswer, PathShow, PathState};
pub(crate) use stage_view::StageView;

use glam::Vec3;
use walkable::ids::TileCoord;

use crate::command::ToolKind;

/// Everything about one open level.
#[derive(Debug)]
pub(crate) struct Session {
    /// What is saved and undone.
    pub(crate) history: History<Document>,
    /// The level, once one is loaded.
    pub(crate) level: Option<LoadedLevel>,
    /// Results of the bake.
    pub(crate) bake: BakeState,
    /// The path tool's two points and its answer.
    pub(crate) path: PathState,
    /// The stage that the 3D view shows.
    pub(crate) stage: StageView,
    /// The one tile that the stage strip and the inspector speak of; `None` for all.
    pub(crate) chosen_tile: Option<TileCoord>,
    /// The active tool.
    pub(crate) tool: ToolKind,
    /// Where the cursor is on the level.
    pub(crate) hover: Option<Hover>,
    /// What the inspector shows when nothing is under the cursor.
    pub(crate) selection: Option<Hover>,
    /// Whether the level's own triangles are drawn.
    pub(crate) show_level: bool,
    /// What happened, oldest first.
    pub(crate) log: Vec<LogEntry>,
}

/// A place on the level's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hover {
    /// Where, in world space.
    pub(crate) point: Vec3,
    /// Index of the triangle hit, where known.
    pub(crate) triangle: Option<u32>,
}

/// How much attention a message wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// Good to know.
    Info,
    /// Odd, but work goes on.
    Warning,
    /// Something did not work.
    Error,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogEntry {
    /// How bad it is.
    pub(crate) severity: Severity,
    /// What happened.
    pub(crate) text: String,
}

/// What panels may read while they are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SessionView<'a> {
    /// The open level and all about it.
    pub(crate) session: &'a Session,
    /// Whether a change of settings starts a bake by itself.
    pub(crate) auto_bake: bool,
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
            history: History::new(Document::default()),
            level: None,
            bake: BakeState::default(),
            path: PathState::default(),
            stage: StageView::Navmesh,
            chosen_tile: None,
            tool: ToolKind::Select,
            hover: None,
            selection: None,
            show_level: true,
            log: Vec::new(),
        }
    }
}

impl Session {
    /// The document as it is now, open transaction included.
    pub(crate) fn document(&self) -> &Document {
        self.history.present()
    }

    /// Whether what is shown was baked from older settings or an older level than the present ones.
    pub(crate) fn is_stale(&self) -> bool {
        self.bake.is_stale(self.revision())
    }

    /// Number of the present state of everything a bake depends on.
    pub(crate) fn revision(&self) -> Revision {
        Revision {
            document: self.history.revision(),
            level: self.level.as_ref().map_or(0, |level| level.serial),
        }
    }

    /// Adds a line to the log.
    pub(crate) fn log(&mut self, severity: Severity, text: impl Into<String>) {
        self.log.push(LogEntry { severity, text: text.into() });
    }
}
