//! The open level.

use std::{path::PathBuf, sync::Arc};

use walkable::mesh::TriMesh;

/// Where a level comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LevelSource {
    /// A file.
    File(PathBuf),
    /// One of the program's own, by name.
    Builtin(String),
}

impl LevelSource {
    /// Name for titles and lists: the file's name without its folder.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(path) => path.file_name().map_or_else(
                || path.display().to_string(),
                |name| name.to_string_lossy().into_owned(),
            ),
            Self::Builtin(name) => name.clone(),
        }
    }
}

/// A level in memory.
#[derive(Clone, Debug)]
pub(crate) struct LoadedLevel {
    /// Its triangles, import options applied.
    pub(crate) mesh: Arc<TriMesh>,
    /// Where it comes from.
    pub(crate) source: LevelSource,
    /// What was odd about the file.
    pub(crate) warnings: Vec<String>,
    /// Tells this load from all others of this run of the program.
    pub(crate) serial: u64,
}
