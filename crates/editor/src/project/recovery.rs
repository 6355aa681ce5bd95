//! Unsaved work, kept on disk while it is unsaved, so that a kill or a crash loses seconds only.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use super::{ENDING, Project};
use crate::files;

/// Most programs at a time that keep their work.
const MAX_PROGRAMS: usize = 16;

/// A place on disk that belongs to this run of the program.
#[derive(Debug)]
pub struct Recovery {
    file: PathBuf,
    /// Held while the program runs; the system lets go of it however the program ends.
    _lock: fs::File,
}

impl Recovery {
    /// Takes a place in `folder`, and moves aside what a run that did not end well left there: its path
    /// comes back.
    ///
    /// # Errors
    /// Where the folder cannot be written.
    pub fn start(folder: &Path) -> anyhow::Result<(Self, Option<PathBuf>)> {
        let context = || format!("cannot keep unsaved work in {}", folder.display());
        fs::create_dir_all(folder).with_context(context)?;
        for number in 0..MAX_PROGRAMS {
            let lock = folder.join(format!("running-{number}.lock"));
            let lock = fs::File::create(&lock).with_context(context)?;
            if lock.try_lock().is_err() {
                continue;
            }
            let file = folder.join(format!("running-{number}.{ENDING}"));
            let found = move_aside(&file, folder).with_context(context)?;
            return Ok((Self { file, _lock: lock }, found));
        }
        anyhow::bail!("{MAX_PROGRAMS} programs keep their unsaved work in {}", folder.display())
    }

    /// Where the work is kept.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Writes `project`.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn keep(file: &Path, project: &Project) -> anyhow::Result<()> {
        let folder = files::folder_of(file);
        files::write_atomically(file, project.to_text(&folder)?.as_bytes())
    }

    /// Removes what was kept: it is saved, or not wanted.
    pub fn forget(&self) {
        // What is not there need not be removed, and what cannot be is offered once more.
        fs::remove_file(&self.file).ok();
    }
}

/// Gives the file of a run that did not end well a name of its own, so that it stays until it is read.
fn move_aside(file: &Path, folder: &Path) -> std::io::Result<Option<PathBuf>> {
    if !file.is_file() {
        return Ok(None);
    }
    let free = |number: &u32| !folder.join(format!("recovered-{number}.{ENDING}")).exists();
    let number = (1..1000).find(free).unwrap_or(1000);
    let aside = folder.join(format!("recovered-{number}.{ENDING}"));
    fs::rename(file, &aside)?;
    Ok(Some(aside))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Document, LevelSource};

    fn project() -> Project {
        Project {
            level: LevelSource::Builtin("sample".to_owned()),
            document: Document::default(),
            look: None,
            unsaved_of: None,
            is_recovered: true,
        }
    }

    #[test]
    fn what_a_killed_program_kept_is_found_once_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let (first, found) = Recovery::start(folder.path()).unwrap();
        assert_eq!(found, None);
        Recovery::keep(first.file(), &project()).unwrap();
        let (second, found) = Recovery::start(folder.path()).unwrap();
        assert_eq!(found, None, "the first still runs");
        assert_ne!(first.file(), second.file());
        // Killed: nothing is removed, the lock is gone.
        drop(first);
        let (third, found) = Recovery::start(folder.path()).unwrap();
        let text = fs::read_to_string(found.unwrap()).unwrap();
        assert_eq!(Project::parse(&text, folder.path()).unwrap(), project());
        drop(third);
        assert_eq!(Recovery::start(folder.path()).unwrap().1, None);
    }

    #[test]
    fn saved_work_is_not_offered() {
        let folder = tempfile::tempdir().unwrap();
        let (first, _) = Recovery::start(folder.path()).unwrap();
        Recovery::keep(first.file(), &project()).unwrap();
        first.forget();
        drop(first);
        assert_eq!(Recovery::start(folder.path()).unwrap().1, None);
    }
}
