//! File system operations other than reading and writing files.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Maximum number of entries of a folder that [`files_in`] reads.
const MAX_ENTRIES: usize = 10_000;

/// Returns whether `path` is a regular file.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Returns whether `path` is a folder.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// Returns whether there is anything at `path`.
pub fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Returns the paths of the files in `folder`, in no particular order; none if it cannot be listed.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_ENTRIES);
    entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
}

/// Removes a file.
///
/// # Errors
/// Returns an error if it cannot be removed.
pub fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

/// Creates a folder and its missing parents.
///
/// # Errors
/// Returns an error if it cannot be created.
pub fn create_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}
