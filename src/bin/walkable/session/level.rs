//! The open level.

use std::{path::PathBuf, sync::Arc};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    geom::Bvh,
    mesh::{ImportOptions, TriMesh},
};

/// Where a level comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LevelSource {
    /// A file.
    File(PathBuf),
    /// One of the program's own, by name.
    Builtin(String),
}

impl LevelSource {
    /// Name for titles and lists: a file's without its folder, a built-in level's with a capital.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(path) => path.file_name().map_or_else(
                || path.display().to_string(),
                |name| name.to_string_lossy().into_owned(),
            ),
            Self::Builtin(name) => {
                let mut chars = name.chars();
                let first = chars.next().map(|first| first.to_ascii_uppercase());
                first.into_iter().chain(chars).collect()
            }
        }
    }
}

/// A level in memory.
#[derive(Clone, Debug)]
pub(crate) struct LoadedLevel {
    /// Its triangles, import options applied.
    pub(crate) mesh: Arc<TriMesh>,
    /// Tree over the triangles, for picking.
    pub(crate) bvh: Arc<Bvh>,
    /// Edges worth drawing: sharp bends and open borders.
    pub(crate) edges: Arc<Vec<[Vec3; 2]>>,
    /// Whether most of it faces down: its winding is probably wrong.
    pub(crate) faces_down: bool,
    /// How its file was read.
    pub(crate) import: ImportOptions,
    /// Where it comes from.
    pub(crate) source: LevelSource,
    /// What was odd about the file.
    pub(crate) warnings: Vec<String>,
    /// Tells this load from all others of this run of the program.
    pub(crate) serial: u64,
}
