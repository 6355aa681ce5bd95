//! Creates temporary files, and removes those that killed processes left behind.
//!
//! A temporary file is locked as long as its writer lives, and the system releases the lock however the writer ends. So
//! a temporary file that is not locked is a leftover.

use std::{
    collections::BTreeSet,
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tempfile::NamedTempFile;

use super::{NamedBy, identity::is_declared, opened};

const PREFIX: &str = ".walkable-";
/// Number of random letters and digits after it: more than a name that a person chooses has.
const N_RANDOM: usize = 16;
const SUFFIX: &str = ".tmp";
/// If files cannot be locked, a temporary file that was not written for this long has no writer.
const ABANDONED: Duration = Duration::from_hours(24);
/// Maximum number of attempts to create a temporary file. Another process may delete the file as a leftover before it
/// is locked.
const MAX_TRIES: usize = 8;

/// Creates an empty temporary file in `folder`, and locks it.
pub(super) fn create(
    folder: &Path,
    make: impl Fn(&mut tempfile::Builder<'_, '_>),
) -> io::Result<NamedTempFile> {
    for _ in 0..MAX_TRIES {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(N_RANDOM);
        make(&mut builder);
        let file = builder.tempfile_in(folder)?;
        match file.as_file().try_lock() {
            // Another process has locked the file to clean it up, so it will be gone.
            Err(TryLockError::WouldBlock) => {}
            // The file may have been removed before it was locked. Where files cannot be locked, it is too new to be
            // removed.
            Ok(()) | Err(TryLockError::Error(_)) => {
                if file.path().exists() {
                    return Ok(file);
                }
            }
        }
    }
    Err(io::Error::other("its temporary file keeps disappearing"))
}

/// Removes the temporary files that killed processes left in `folder`; does this only once in each run of the program.
pub(super) fn clean_up_once(folder: &Path) {
    static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

    let canonical = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    if CLEANED.lock().unwrap_or_else(PoisonError::into_inner).insert(canonical) {
        clean_up(folder);
    }
}

/// Removes the temporary files that killed processes left in `folder`. Ignores files that cannot be examined or
/// removed.
fn clean_up(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && name.to_str().is_some_and(is_temporary) {
            remove_if_left(&entry.path());
        }
    }
}

fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
    let random = random.unwrap_or_default();
    random.len() == N_RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn remove_if_left(path: &Path) {
    if is_declared(path) {
        return;
    }
    let options = &mut File::options();
    let opened = opened::open_regular(path, options.read(true).write(true), NamedBy::Program);
    let Ok((file, _)) = opened else { return };
    let is_left = match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => is_abandoned(&file),
    };
    if is_left {
        // The file is removed while it is locked, so that a writer that has just created it notices the removal.
        fs::remove_file(path).ok();
    }
}

fn is_abandoned(file: &File) -> bool {
    let written = file.metadata().and_then(|metadata| metadata.modified());
    written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age > ABANDONED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_of_a_killed_write_are_removed_and_other_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let left = ".walkable-a1B2c3d4E5f6g7H8.tmp";
        let others =
            [".walkable-config", ".walkable-backup.tmp", "walkable-a1B2c3d4E5f6g7H8.tmp", "x.tmp"];
        for name in [&others[..], &[left]].concat() {
            fs::write(at(name), "half a file").unwrap();
        }
        let busy = create(folder.path(), |_| ()).unwrap();
        clean_up(folder.path());
        assert!(!at(left).exists());
        assert!(others.iter().all(|name| at(name).exists()));
        assert!(busy.path().exists(), "it is being written");
    }

    #[test]
    fn leftovers_are_recognized_by_age_where_files_cannot_be_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".walkable-abcdef");
        let file = File::create(&path).unwrap();
        assert!(!is_abandoned(&file));
        let long_ago = std::time::SystemTime::now() - 2 * ABANDONED;
        file.set_modified(long_ago).unwrap();
        assert!(is_abandoned(&file));
    }
}
