//! Files of levels: OBJ, and glTF with what lies beside it.

use std::{
    cell::RefCell,
    path::{Component, Path, PathBuf},
};

use walkable::mesh::{LevelFile, read_gltf, read_obj};

use crate::files;

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
/// Comes with the files that were read besides it.
///
/// # Errors
/// Why the level cannot be read, without the name of its file.
pub fn parse_level(path: &Path, bytes: &[u8]) -> anyhow::Result<(LevelFile, Vec<PathBuf>)> {
    let is_gltf = has_ending(path, "gltf") || has_ending(path, "glb") || bytes.starts_with(b"glTF");
    if !is_gltf {
        return Ok((read_obj(bytes)?, Vec::new()));
    }
    let beside = RefCell::new(Vec::new());
    let side_file = |name: &str| {
        let file = file_beside(path, name)?;
        let bytes = files::read(&file).map_err(|error| format!("{error:#}"))?;
        beside.borrow_mut().push(file);
        Ok(bytes)
    };
    let level = read_gltf(bytes, &side_file)?;
    Ok((level, beside.into_inner()))
}

/// The file that a level calls `name`.
fn file_beside(level: &Path, name: &str) -> Result<PathBuf, String> {
    let relative = Path::new(name);
    let stays = relative.components().all(|step| matches!(step, Component::Normal(_)));
    if !stays || name.contains("://") {
        return Err(format!("\"{name}\" does not lie beside the level"));
    }
    let file = files::folder_of(level).join(relative);
    // What is no regular file may never end.
    if file.is_file() { Ok(file) } else { Err(format!("there is no file {}", file.display())) }
}
