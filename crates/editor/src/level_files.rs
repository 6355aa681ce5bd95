//! Files of levels: OBJ, and glTF with what lies beside it.

use std::{
    cell::{Cell, RefCell},
    path::{Component, Path, PathBuf},
};

use walkable::mesh::{LevelFile, read_gltf, read_obj};

use crate::files::{self, Format};

/// Endings of the files that hold a level's triangles.
pub const LEVEL_ENDINGS: [&str; 3] = ["obj", "gltf", "glb"];

/// Whether `path` names a file of triangles, by its ending.
pub fn is_level(path: &Path) -> bool {
    LEVEL_ENDINGS.iter().any(|ending| has_ending(path, ending))
}

/// Files are told apart by the ending of their names, in any case.
pub fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|other| other.eq_ignore_ascii_case(ending))
}

/// Understands the `bytes` of the file `path`: glTF where its ending or its first bytes say so, else OBJ.
/// Comes with the files that were read besides it. All of them together are as large as a level may be.
///
/// # Errors
/// Why the level cannot be read, without the name of its file.
pub fn parse_level(path: &Path, bytes: &[u8]) -> anyhow::Result<(LevelFile, Vec<PathBuf>)> {
    let is_gltf = has_ending(path, "gltf") || has_ending(path, "glb") || bytes.starts_with(b"glTF");
    if !is_gltf {
        return Ok((read_obj(bytes)?, Vec::new()));
    }
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

/// The file that a level calls `name`.
fn file_beside(level: &Path, name: &str) -> Result<PathBuf, String> {
    let relative = Path::new(name);
    let leaves = |part| !matches!(part, Component::Normal(_) | Component::CurDir);
    if relative.components().any(leaves) || name.contains("://") {
        return Err(format!("\"{name}\" does not lie beside the level: in its folder or below"));
    }
    Ok(files::folder_of(level).join(relative))
}
