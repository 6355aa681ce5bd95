//! Files that are written piece by piece and continued after a kill.

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};

use super::{folder_of, identity, keep_owner, replace::check_replaceable, sync_folder};

/// Number of attempts to open a file that other processes rename as soon as it is opened.
const MAX_TRIES: usize = 8;

/// A file that is being written. Its name ends in `.unfinished`; when it is complete, it replaces the file without that
/// ending. It is locked, so only one process writes it.
#[derive(Debug)]
pub struct UnfinishedFile {
    file: File,
    path: PathBuf,
    target: PathBuf,
}

impl UnfinishedFile {
    /// Extension added to the name of a file until it is complete.
    pub const ENDING: &'static str = "unfinished";

    /// Opens the unfinished file for `path`, which is created if there is none.
    ///
    /// # Errors
    /// Returns an error that names the file if it cannot be opened, or if another process is writing it.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        check_replaceable(path)?;
        let context = || format!("cannot write {}", path.display());
        let target = identity::followed(path).with_context(context)?;
        let mut name = target.clone().into_os_string();
        name.push(".");
        name.push(Self::ENDING);
        let path = PathBuf::from(name);
        check_replaceable(&path)?;
        for _ in 0..MAX_TRIES {
            let mut options = File::options();
            let file = options.read(true).write(true).create(true).truncate(false).open(&path);
            let file = file.with_context(|| format!("cannot write {}", path.display()))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    bail!("another process is writing {}", target.display())
                }
                Err(TryLockError::Error(error)) => {
                    let text = format!("cannot lock {}", path.display());
                    return Err(anyhow::Error::from(error).context(text));
                }
            }
            // Another process may have completed and renamed it before it was locked.
            if is_at(&file, &path) {
                return Ok(Self { file, path, target });
            }
        }
        bail!("another process keeps completing {}", target.display())
    }

    /// Returns the open file. Dropping it does not unlock the file.
    ///
    /// # Errors
    /// Returns an error that names the file if the system has no more handles.
    pub fn file(&self) -> anyhow::Result<File> {
        self.file.try_clone().with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Returns the path of the unfinished file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Syncs the file to disk and gives it its final name.
    ///
    /// # Errors
    /// Returns an error that names the file; the unfinished file remains.
    pub fn finish(self) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", self.target.display());
        if let Ok(existing) = fs::metadata(&self.target) {
            let permissions = keep_owner(&self.file, &existing).with_context(context)?;
            self.file.set_permissions(permissions).with_context(context)?;
        }
        self.file.sync_all().with_context(context)?;
        fs::rename(&self.path, &self.target).with_context(context)?;
        sync_folder(&folder_of(&self.target)).with_context(context)
    }

    /// Removes the file.
    pub fn discard(self) {
        fs::remove_file(&self.path).ok();
    }
}

/// Returns whether `path` is the name of the open `file`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    let named = fs::metadata(path).ok().map(identity);
    named.is_some() && named == file.metadata().ok().map(identity)
}

/// Returns whether `path` is the name of the open `file`.
#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn the_file_gets_its_name_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("world.tiles");
        fs::write(&path, "old").unwrap();
        let unfinished = UnfinishedFile::open(&path).unwrap();
        unfinished.file().unwrap().write_all(b"half").unwrap();
        let busy = UnfinishedFile::open(&path).unwrap_err().to_string();
        assert!(busy.starts_with("another process is writing ") && busy.contains("world.tiles"));
        drop(unfinished);
        assert_eq!(fs::read(&path).unwrap(), b"old");

        let unfinished = UnfinishedFile::open(&path).unwrap();
        assert_eq!(fs::read(unfinished.path()).unwrap(), b"half");
        unfinished.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"half");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
