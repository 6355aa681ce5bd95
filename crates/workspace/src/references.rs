//! Declares the files that inputs refer to as inputs, too, so that no output replaces them even if they are not read.

use std::path::{Path, PathBuf};

use walkable::mesh::LevelFormat;

use crate::files::{self, FileKind, Format, OutputClash, beside};

/// Maximum length of a chain of references: project, scene, level.
const MAX_DEPTH: usize = 3;
/// Maximum size of a glTF file whose references are looked up, and of a file that is read only for that, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Declares the files that the input `path` with this `content` refers to. Fails if one of them is an output.
pub fn declare(path: &Path, content: &[u8]) -> Result<(), OutputClash> {
    if files::runs_command() { refer(path, content, MAX_DEPTH) } else { Ok(()) }
}

/// Declares a file that the command does not read, and the files that it refers to. Fails if one of them is an output.
pub fn declare_file(path: &Path) -> Result<(), OutputClash> {
    if files::runs_command() { follow(path, MAX_DEPTH) } else { Ok(()) }
}

fn refer(path: &Path, content: &[u8], depth: usize) -> Result<(), OutputClash> {
    let is_gltf = FileKind::of_name(path) == Some(FileKind::Level(LevelFormat::Gltf));
    if is_gltf && u64::try_from(content.len()).is_ok_and(|n_bytes| n_bytes > MAX_BYTES) {
        return Ok(());
    }
    let beside = files::folder_of(path);
    let folders = [files::working_folder(&beside), beside];
    for reference in beside::references(path, content) {
        let name = PathBuf::from(reference.name());
        folders.iter().try_for_each(|folder| follow(&files::named_in(folder, &name), depth))?;
    }
    Ok(())
}

fn follow(path: &Path, depth: usize) -> Result<(), OutputClash> {
    files::declare_input(path)?;
    let leads_on = matches!(FileKind::of_name(path), Some(FileKind::Project | FileKind::Scene));
    if leads_on && depth > 0 && files::is_file(path) {
        // What cannot be read refers to nothing.
        let content = files::read_within(path, Format::Scene, MAX_BYTES).unwrap_or_default();
        refer(path, &content, depth - 1)?;
    }
    Ok(())
}
