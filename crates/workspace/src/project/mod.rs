//! The project file: readable JSON with the path of a level and the document.

mod format;
mod paths;
mod recovery;

use std::path::{Path, PathBuf};

use glam::Vec3;

pub(crate) use self::paths::relative;
pub use self::{
    format::{ProjectError, has_finite_numbers},
    recovery::{LeftBehind, Recovery},
};
use crate::{
    document::{Document, LevelSource, Look},
    files::FileKind,
};

pub const ENDING: &str = "walkable";

#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    pub level: LevelSource,
    pub document: Document,
    pub look: Option<Look>,
    pub ends: [Option<Vec3>; 2],
    /// The point around which the level is loaded, if it is larger than memory.
    pub part: Option<Vec3>,
    /// The project file that this is unsaved work of; only in recovery files.
    pub unsaved_of: Option<PathBuf>,
    /// The fingerprint of that file when the work was saved.
    pub on_disk: Option<u64>,
    /// Whether this is unsaved work of a run that crashed.
    pub is_recovered: bool,
}

impl Project {
    pub fn to_text(&self, folder: &Path) -> Result<String, ProjectError> {
        format::write(self, folder)
    }

    /// Reads the text of a project file in `folder`. Errors name the line, or the version that is too new.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, ProjectError> {
        format::read(text, folder)
    }
}

pub fn is_project(path: &Path) -> bool {
    FileKind::of_name(path) == Some(FileKind::Project)
}
