//! The project file: a level by its path, and all that was authored for it, as JSON for people. Knows
//! no window.

mod format;
mod paths;
mod recovery;

use std::path::{Path, PathBuf};

pub use self::format::ProjectError;
pub(crate) use self::format::has_finite_numbers;
pub(crate) use self::paths::relative;
pub use self::recovery::{LeftBehind, Recovery, discard_work};
use crate::{
    document::{Document, LevelSource, Look},
    files::FileKind,
};

/// Ending of project files.
pub const ENDING: &str = "walkable";

/// A level and what was authored for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// The level.
    pub level: LevelSource,
    /// What was authored.
    pub document: Document,
    /// Where the 3D view looked from.
    pub look: Option<Look>,
    /// The file that this is unsaved work of: only in what is recovered.
    pub unsaved_of: Option<PathBuf>,
    /// The fingerprint that this file had then.
    pub on_disk: Option<u64>,
    /// Whether this is unsaved work of a run that did not end well.
    pub is_recovered: bool,
}

impl Project {
    /// The text of a project file in `folder`: paths are written as seen from there.
    pub fn to_text(&self, folder: &Path) -> Result<String, ProjectError> {
        format::write(self, folder)
    }

    /// Reads the text of a project file in `folder`.
    ///
    /// # Errors
    /// [`ProjectError`] that names the line, or the version that is too new.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, ProjectError> {
        format::read(text, folder)
    }
}

/// Whether `path` names a project file.
pub fn is_project(path: &Path) -> bool {
    FileKind::of_name(path) == Some(FileKind::Project)
}
