//! Levels and navmeshes in files.

use std::{
    cell::{Cell, RefCell},
    path::{Component, Path, PathBuf},
};

use walkable::{
    mesh::{LevelFile, read_gltf, read_obj},
    monitor::Unmonitored,
    navmesh::NavMesh,
    tile_cache::TileCache,
};

use crate::files::{self, FileKind, Format};

/// Reads the level in the `bytes` of the file `path`. Also returns the other files that were read for it. All
/// of them together are as large as a level may be.
///
/// # Errors
/// Why the level cannot be read, without the name of its file.
pub fn parse_level(path: &Path, bytes: &[u8]) -> anyhow::Result<(LevelFile, Vec<PathBuf>)> {
    match FileKind::of(path, bytes) {
        Some(FileKind::Obj) => Ok((read_obj(bytes)?, Vec::new())),
        Some(FileKind::Gltf) => parse_gltf(path, bytes),
        Some(other) => Err(NotALevel::Other(other).into()),
        None => Err(NotALevel::Unknown.into()),
    }
}

/// A file that holds no triangles of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotALevel {
    /// It holds something else.
    #[error("it is {}, not a level (OBJ or glTF)", .0.name())]
    Other(FileKind),
    /// Nobody can say what it holds.
    #[error("neither its content nor its name tells that it is a level (OBJ or glTF)")]
    Unknown,
}

fn parse_gltf(path: &Path, bytes: &[u8]) -> anyhow::Result<(LevelFile, Vec<PathBuf>)> {
    let beside = RefCell::new(Vec::new());
    let n_bytes = |bytes: &[u8]| u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let left = Cell::new(Format::Level.max_bytes().saturating_sub(n_bytes(bytes)));
    let side_file = |name: &str| {
        let file = file_beside(path, name)?;
        let read = files::read_within(&file, Format::Level, left.get());
        let bytes = read.map_err(|error| format!("{error:#}"))?;
        left.set(left.get().saturating_sub(n_bytes(&bytes)));
        beside.borrow_mut().push(file);
        Ok(bytes)
    };
    let level = read_gltf(bytes, &side_file)?;
    Ok((level, beside.into_inner()))
}

/// The navmesh in the bytes of a file of tiles (MSET) or of tile cache layers (TSET).
///
/// # Errors
/// Why it cannot be read.
pub fn parse_navmesh(bytes: &[u8]) -> anyhow::Result<NavMesh> {
    if FileKind::of(Path::new(""), bytes) == Some(FileKind::Layers) {
        // References are those of a game that loads the file.
        return Ok(TileCache::from_bytes(bytes)?.loaded_nav_mesh(&Unmonitored)?);
    }
    Ok(NavMesh::from_bytes(bytes)?)
}

/// The file that a level calls `name`.
fn file_beside(level: &Path, name: &str) -> Result<PathBuf, String> {
    let relative = Path::new(name);
    let leaves = |part| !matches!(part, Component::Normal(_) | Component::CurDir);
    if relative.components().any(leaves) || name.contains("://") {
        return Err(format!("\"{name}\" does not lie beside the level: in its folder or below"));
    }
    Ok(files::folder_of(level).join(relative))
}
