//! File system operations other than reading and writing files.

use std::{
    collections::BTreeSet,
    fs::{self, DirBuilder, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use anyhow::Context as _;

use super::{NamedBy, check_replaceable, opened::open_regular};

const MAX_ENTRIES: usize = 10_000;

pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

pub fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Returns the paths of the files in `folder`, in no particular order; none if it cannot be listed.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_ENTRIES);
    entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
}

pub fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

/// Creates a folder and its missing parents.
pub fn create_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Creates a folder that the program named, and its missing parents. Fails if there is a link or a file in its place.
pub fn create_own_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    let is_folder = fs::symlink_metadata(path)?.is_dir();
    if is_folder { Ok(()) } else { Err(io::ErrorKind::NotADirectory.into()) }
}

/// Creates a folder that only its owner may enter, and its missing parents.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Opens and locks a file that the program named. Creates the file if it does not exist, and keeps its content if it
/// does. `None` if it cannot be locked because another process has locked it. Fails if there is a link, or something
/// other than a regular file.
pub fn lock(path: &Path) -> anyhow::Result<Option<File>> {
    check_replaceable(path, NamedBy::Program)?;
    let options = &mut File::options();
    options.read(true).write(true).create(true).truncate(false);
    let opened = open_regular(path, options, NamedBy::Program);
    let (file, _) = opened.with_context(|| format!("cannot write {}", path.display()))?;
    Ok(file.try_lock().is_ok().then_some(file))
}

pub fn named_in(folder: &Path, name: &Path) -> PathBuf {
    folder.join(name)
}

/// Returns the folder of names that are not relative to the file in `folder` that has them.
pub fn working_folder(_folder: &Path) -> PathBuf {
    PathBuf::new()
}

/// Folders of recovery files, canonical.
static RECOVERY_FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Declares a folder in which the program keeps recovery files.
pub fn declare_recovery_folder(folder: &Path) {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    RECOVERY_FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).insert(folder);
}

/// Returns whether the program keeps recovery files in `folder`. A recovery file says which project "Save" writes, so
/// one from elsewhere must not be trusted.
pub fn may_have_recovery_files(folder: &Path) -> bool {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    RECOVERY_FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).contains(&folder)
}

/// Returns false: only a web page has files of links.
pub const fn is_of_link(_path: &Path) -> bool {
    false
}

/// Does nothing: a project refers to its level where it is.
#[expect(clippy::unnecessary_wraps, reason = "as on a page")]
pub const fn copy_level(_path: &Path) -> anyhow::Result<()> {
    Ok(())
}

pub fn copy_of_level(path: &Path) -> PathBuf {
    path.to_owned()
}
