//! Reads levels and navmeshes from files.

use std::{
    cell::{Cell, RefCell},
    io::Cursor,
    path::{Component, Path, PathBuf},
};

use walkable::{
    mesh::{LevelFile, read_gltf, read_obj},
    monitor::Unmonitored,
    navmesh::NavMesh,
    store::TileStore,
    tile_cache::TileCache,
};

use crate::files::{self, FileKind, Format};

/// Parses the level in the `bytes` of the file `path`. Also returns the other files that it refers to. The size limit
/// of levels applies to all of them together.
///
/// # Errors
/// Returns the reason without the name of the level's file.
pub fn parse_level(path: &Path, bytes: &[u8]) -> anyhow::Result<(LevelFile, Vec<PathBuf>)> {
    match FileKind::of(path, bytes) {
        Some(FileKind::Obj) => Ok((read_obj(bytes)?, Vec::new())),
        Some(FileKind::Gltf) => parse_gltf(path, bytes),
        Some(other) => Err(NotALevel::Other(other).into()),
        None => Err(NotALevel::Unknown.into()),
    }
}

/// The error for a file that is not a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotALevel {
    /// A file of another kind.
    #[error("it is {}, not a level (OBJ or glTF)", .0.name())]
    Other(FileKind),
    /// A file of unknown kind.
    #[error("neither its content nor its name is that of a level (OBJ or glTF)")]
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

/// Parses a navmesh from a file of tiles (MSET), a tile store, or a file of tile cache layers (TSET).
///
/// # Errors
/// Returns the reason if it cannot be read.
pub fn parse_navmesh(bytes: &[u8]) -> anyhow::Result<NavMesh> {
    let kind = FileKind::of(Path::new(""), bytes);
    if kind == Some(FileKind::TileStore) {
        let mut file = Cursor::new(bytes);
        return Ok(TileStore::read(&mut file)?.nav_mesh(&mut file)?);
    }
    if kind == Some(FileKind::Layers) {
        // Polygon references are the same as in a game that loads the file.
        return Ok(TileCache::from_bytes(bytes)?.loaded_nav_mesh(&Unmonitored)?);
    }
    Ok(NavMesh::from_bytes(bytes)?)
}

/// Path of the file that a level refers to as `name`.
fn file_beside(level: &Path, name: &str) -> Result<PathBuf, String> {
    let relative = Path::new(name);
    let leaves = |part| !matches!(part, Component::Normal(_) | Component::CurDir);
    if relative.components().any(leaves) || name.contains("://") {
        return Err(format!("\"{name}\" is not in the level's folder or a folder below it"));
    }
    Ok(files::folder_of(level).join(relative))
}
