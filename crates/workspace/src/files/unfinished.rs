//! Files that are written piece by piece and continued after a kill.

use std::{
    fs::{self, File, Metadata, TryLockError},
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};

use super::{
    NamedBy, folder_of, identity, keep_owner,
    opened::{found_at, open_regular},
    replace::check_replaceable,
    sync_folder,
};

/// Number of attempts to open a file that other processes rename as soon as it is opened.
const MAX_TRIES: usize = 8;

/// A locked file whose name ends in `.unfinished`. When it is complete, it replaces the file with the same name without
/// this ending.
#[derive(Debug)]
pub struct UnfinishedFile {
    file: File,
    path: PathBuf,
    target: PathBuf,
}

impl UnfinishedFile {
    pub const ENDING: &'static str = identity::UNFINISHED;

    /// Opens the unfinished file for `path`, or creates it with the permissions of the file that it will replace. Fails
    /// if it is not a regular file or has other names (hard links), or if another process is writing it.
    pub fn open(path: &Path, named: NamedBy) -> anyhow::Result<Self> {
        check_replaceable(path, named)?;
        let context = || format!("cannot write {}", path.display());
        let target = match named {
            NamedBy::User => identity::followed(path).with_context(context)?,
            NamedBy::Program => path.to_owned(),
        };
        let existing = found_at(&target, named).with_context(context)?;
        let path = identity::unfinished(&target);
        let context = || format!("cannot write {}", path.display());
        check_replaceable(&path, NamedBy::Program)?;
        for _ in 0..MAX_TRIES {
            let file = create(&path, existing.as_ref()).with_context(context)?;
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
                if let Some(existing) = &existing {
                    take_over(&file, existing).with_context(context)?;
                }
                return Ok(Self { file, path, target });
            }
        }
        bail!("another process keeps completing {}", target.display())
    }

    /// Returns the open file. Dropping it does not unlock the file.
    pub fn file(&self) -> anyhow::Result<File> {
        self.file.try_clone().with_context(|| format!("cannot write {}", self.path.display()))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Syncs the file to disk and gives it its final name. If it cannot be renamed, the unfinished file remains.
    pub fn finish(self) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", self.target.display());
        if let Ok(existing) = fs::metadata(&self.target) {
            take_over(&self.file, &existing).with_context(context)?;
        }
        self.file.sync_all().with_context(context)?;
        fs::rename(&self.path, &self.target).with_context(context)?;
        sync_folder(&folder_of(&self.target)).with_context(context)
    }

    pub fn discard(self) {
        fs::remove_file(&self.path).ok();
    }
}

/// Opens the file at `path`, or creates it with at most the permissions of the file that it will replace.
fn create(path: &Path, existing: Option<&Metadata>) -> anyhow::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    if let Some(existing) = existing {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};

        options.mode(existing.permissions().mode() & 0o777);
    }
    #[cfg(not(unix))]
    let _ = existing;
    let (file, found) = open_regular(path, &mut options, NamedBy::Program)?;
    if n_names(&found) > 1 {
        bail!("it has other names (hard links), and writing would change all of them");
    }
    Ok(file)
}

/// Gives `file` the permissions of the file that it will replace, and its owner and group if the system allows it.
fn take_over(file: &File, existing: &Metadata) -> io::Result<()> {
    file.set_permissions(keep_owner(file, existing)?)
}

/// Returns the number of names of a file: writing to it changes what all of them contain.
#[cfg(unix)]
fn n_names(found: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(found)
}

#[cfg(not(unix))]
fn n_names(_found: &Metadata) -> u64 {
    1
}

/// Returns whether `path` is the name of the open `file`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    let identity = |found: Metadata| (found.dev(), found.ino());
    let named = fs::symlink_metadata(path).ok().map(identity);
    named.is_some() && named == file.metadata().ok().map(identity)
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_of_another_name_is_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("other"), "other").unwrap();
        fs::hard_link(at("other"), at("hard.unfinished")).unwrap();
        std::os::unix::fs::symlink("other", at("soft.unfinished")).unwrap();
        for (name, kind) in [("hard", "it has other names"), ("soft", "it is a symbolic link")] {
            let why = format!("{:#}", UnfinishedFile::open(&at(name), NamedBy::User).unwrap_err());
            assert!(why.contains(kind), "{why}");
        }
    }

    #[test]
    fn the_file_gets_its_name_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("world.tiles");
        fs::write(&path, "old").unwrap();
        let unfinished = UnfinishedFile::open(&path, NamedBy::User).unwrap();
        unfinished.file().unwrap().write_all(b"half").unwrap();
        let busy = UnfinishedFile::open(&path, NamedBy::User).unwrap_err().to_string();
        assert!(busy.starts_with("another process is writing ") && busy.contains("world.tiles"));
        drop(unfinished);
        assert_eq!(fs::read(&path).unwrap(), b"old");

        let unfinished = UnfinishedFile::open(&path, NamedBy::User).unwrap();
        assert_eq!(fs::read(unfinished.path()).unwrap(), b"half");
        unfinished.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"half");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn it_has_the_permissions_of_the_file_that_it_replaces() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("world.tiles");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        fs::write(&path, "old").unwrap();
        for (wanted, expected) in [(0o600, 0o600), (0o640, 0o640), (0o4666, 0o666)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).unwrap();
            // The second time it is continued, after others could read it.
            for _ in 0..2 {
                let unfinished = UnfinishedFile::open(&path, NamedBy::User).unwrap();
                assert_eq!(mode(unfinished.path()), expected);
                let all = fs::Permissions::from_mode(0o644);
                fs::set_permissions(unfinished.path(), all).unwrap();
            }
            UnfinishedFile::open(&path, NamedBy::User).unwrap().finish().unwrap();
            assert_eq!(mode(&path), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_only_if_the_user_named_it() {
        let folder = tempfile::tempdir().unwrap();
        let [path, theirs] = ["world.tiles", "theirs"].map(|name| folder.path().join(name));
        fs::write(&theirs, "theirs").unwrap();
        std::os::unix::fs::symlink("theirs", &path).unwrap();
        let why = UnfinishedFile::open(&path, NamedBy::Program).unwrap_err().to_string();
        assert!(why.contains("world.tiles: it is a symbolic link"), "{why}");
        let unfinished = UnfinishedFile::open(&path, NamedBy::User).unwrap();
        assert!(unfinished.path().ends_with("theirs.unfinished"));
        unfinished.discard();
        assert_eq!(fs::read(&theirs).unwrap(), b"theirs");
    }
}
