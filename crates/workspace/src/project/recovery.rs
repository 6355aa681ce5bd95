//! Recovery files: unsaved work on disk, so that a crash loses only seconds.

#[cfg(not(target_family = "wasm"))]
use std::io;
use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use super::{ENDING, Project};
use crate::{
    document::LevelSource,
    files::{self, Durability, Format},
};

const RECOVERED: &str = "recovered-";
#[cfg(not(target_family = "wasm"))]
const MAX_PROGRAMS: usize = 16;

/// Maximum number of recovery files of crashed runs.
const MAX_FOUND: u32 = 10_000;

/// A slot for recovery files that belongs to this run of the program.
#[derive(Debug)]
pub struct Recovery {
    file: PathBuf,
    /// File that lists what is open. It exists while the program runs.
    marker: PathBuf,
    /// Folder of the recovery files; on a page, the folder that contains those of all tabs.
    folder: PathBuf,
    /// Locked while the program runs; the system unlocks it however the program ends.
    #[cfg(not(target_family = "wasm"))]
    _lock: fs::File,
}

#[derive(Debug, Default, PartialEq)]
pub struct LeftBehind {
    /// Recovery files that were not opened since, oldest first.
    pub files: Vec<PathBuf>,
    pub open: Vec<LevelSource>,
}

impl Recovery {
    /// Reserves a slot in `folder`, and moves aside the recovery files of crashed runs.
    #[cfg(not(target_family = "wasm"))]
    pub fn start(folder: &Path) -> anyhow::Result<(Self, LeftBehind)> {
        let context = || format!("cannot keep unsaved work in {}", folder.display());
        files::create_private_folder(folder).with_context(context)?;
        files::declare_recovery_folder(folder);
        let (mut own, mut open) = (None, Vec::new());
        // Checks all slots that no program has locked, not only the reserved one.
        for number in 0..MAX_PROGRAMS {
            let lock = folder.join(format!("running-{number}.lock"));
            if own.is_some() && !lock.exists() {
                continue;
            }
            let Some(lock) = files::lock(&lock).with_context(context)? else { continue };
            let file = folder.join(format!("running-{number}.{ENDING}"));
            let marker = folder.join(format!("running-{number}.open"));
            move_aside(&file, folder).with_context(context)?;
            open.extend(read_marker(&marker));
            fs::remove_file(&marker).ok();
            own.get_or_insert(Self { file, marker, folder: folder.to_owned(), _lock: lock });
        }
        let own = own.with_context(|| {
            format!("{MAX_PROGRAMS} programs keep their unsaved work in {}", folder.display())
        })?;
        let files = own.found().with_context(context)?;
        Ok((own, LeftBehind { files, open }))
    }

    /// Moves aside the work that an earlier run of the page left in `folder`, which no other page uses. Also finds the
    /// work that closed tabs left in the folders beside it. The page adds only files of closed tabs. Fails if there are
    /// too many such files.
    #[cfg(target_family = "wasm")]
    pub fn start(folder: &Path) -> anyhow::Result<(Self, LeftBehind)> {
        let file = folder.join(format!("running.{ENDING}"));
        let marker = folder.join("running.open");
        let own = Self { marker, file, folder: files::folder_of(folder) };
        if let Ok(bytes) = files::read(&own.file, Format::Project) {
            let names = (1..=MAX_FOUND).map(|n| folder.join(format!("{RECOVERED}{n}.{ENDING}")));
            let aside = names.into_iter().find(|name| !files::exists(name));
            let aside = aside.context("there is too much lost work")?;
            files::write_own(&aside, &bytes, Durability::Synced)?;
            own.forget();
        }
        let all = files::page::files_below(&own.folder).into_iter();
        let files = all.filter(|path| own.is_left_behind(path)).collect();
        Ok((own, LeftBehind { files, open: Vec::new() }))
    }

    /// Records what is open, for the next run if this one crashes. A page does not: its start page has the same levels.
    pub fn note_open(&self, sources: &[LevelSource]) {
        if cfg!(target_family = "wasm") {
            return;
        }
        // Not synced: written data survives the end of the process, and the record is not essential.
        if let Ok(text) = serde_json::to_string(sources) {
            files::write_own(&self.marker, text.as_bytes(), Durability::Unsynced).ok();
        }
    }

    pub fn end(&self) {
        fs::remove_file(&self.marker).ok();
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Writes unsaved work to a recovery file. If the level is from a link, a page also stores the files of the link.
    pub fn keep(file: &Path, project: &Project) -> anyhow::Result<()> {
        let folder = files::folder_of(file);
        let text = project.to_text(&folder)?;
        files::write_own(file, text.as_bytes(), Durability::Synced)?;
        #[cfg(target_family = "wasm")]
        if let LevelSource::File(level) = &project.level {
            files::page::store_link_of(level)?;
        }
        Ok(())
    }

    pub fn forget(&self) {
        // The file may not exist. If it cannot be removed, it is offered again.
        files::remove(&self.file).ok();
    }

    /// Removes a recovery file of a crashed run. Fails if `file` is not a recovery file of a crashed run.
    pub fn discard(&self, file: &Path) -> anyhow::Result<()> {
        let context = || format!("cannot remove {}", file.display());
        anyhow::ensure!(
            self.is_left_behind(file),
            "{} is not unsaved work of a crashed run",
            file.display()
        );
        files::remove(file).with_context(context)
    }

    #[cfg(not(target_family = "wasm"))]
    fn is_left_behind(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_here = path.parent() == Some(&self.folder) && files::is_file(path);
        is_here && name.starts_with(RECOVERED) && super::is_project(path)
    }

    /// Returns whether `path` is a recovery file of a run that ended.
    #[cfg(target_family = "wasm")]
    fn is_left_behind(&self, path: &Path) -> bool {
        let is_here = path.starts_with(&self.folder) && files::is_file(path);
        is_here && path != self.file && super::is_project(path)
    }

    /// Returns the recovery files that were moved aside and not opened since, oldest first.
    #[cfg(not(target_family = "wasm"))]
    fn found(&self) -> io::Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if self.is_left_behind(&path) {
                let written = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok();
                all.push((written, path));
            }
        }
        all.sort();
        Ok(all.into_iter().map(|(_, path)| path).collect())
    }
}

/// Renames the recovery file of a crashed run, so that it stays until it is read.
#[cfg(not(target_family = "wasm"))]
fn move_aside(file: &Path, folder: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(file).is_ok_and(|found| found.is_file()) {
        return Ok(());
    }
    for number in 1..=MAX_FOUND {
        let aside = folder.join(format!("{RECOVERED}{number}.{ENDING}"));
        // Unlike a rename, a link never replaces a file, even if another process creates it at the same time.
        match fs::hard_link(file, &aside) {
            Ok(()) => return fs::remove_file(file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(_) if !aside.exists() => return fs::rename(file, &aside),
            Err(_) => {}
        }
    }
    Err(io::Error::other(format!("there are {MAX_FOUND} files of lost work")))
}

#[cfg(not(target_family = "wasm"))]
fn read_marker(marker: &Path) -> Vec<LevelSource> {
    let text = files::read_text(marker, Format::OpenLevels).ok();
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Document, LevelSource};

    fn project() -> Project {
        Project {
            level: LevelSource::Builtin("sample".to_owned()),
            document: Document::default(),
            look: None,
            ends: [None; 2],
            part: None,
            unsaved_of: None,
            on_disk: None,
            is_recovered: true,
        }
    }

    /// Starts a program in `folder`; returns its slot and the recovery files that it is offered.
    fn start(folder: &tempfile::TempDir) -> (Recovery, Vec<PathBuf>) {
        let (place, left) = Recovery::start(folder.path()).unwrap();
        (place, left.files)
    }

    #[test]
    fn what_a_killed_program_kept_is_found_until_it_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let (first, found) = start(&folder);
        assert!(found.is_empty());
        Recovery::keep(first.file(), &project()).unwrap();
        let (second, found) = start(&folder);
        assert!(found.is_empty(), "the first still runs");
        assert_ne!(first.file(), second.file());
        // Killed: no file is removed, but the lock is released.
        drop(first);
        for _ in 0..2 {
            let (third, found) = start(&folder);
            let [found] = &found[..] else { panic!("{found:?}") };
            let text = fs::read_to_string(found).unwrap();
            assert_eq!(Project::parse(&text, folder.path()).unwrap(), project());
            drop(third);
        }
        fs::remove_file(&start(&folder).1[0]).unwrap();
        assert!(start(&folder).1.is_empty());
    }

    #[test]
    fn only_work_of_crashed_runs_is_discarded() {
        let folder = tempfile::tempdir().unwrap();
        let (first, _) = start(&folder);
        Recovery::keep(first.file(), &project()).unwrap();
        let own = first.file().to_owned();
        assert!(first.discard(&own).is_err() && own.is_file());
        drop(first);
        let (second, found) = start(&folder);
        // A project elsewhere is not removed, whatever its name and content.
        let elsewhere = tempfile::tempdir().unwrap();
        let copy = elsewhere.path().join("recovered-1.walkable");
        fs::copy(&found[0], &copy).unwrap();
        assert!(second.discard(&copy).is_err() && copy.is_file());
        second.discard(&found[0]).unwrap();
        assert!(!found[0].exists());
        assert!(second.discard(&found[0]).is_err(), "it is gone");
    }

    #[test]
    fn one_program_finds_what_two_lost() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (start(&folder).0, start(&folder).0);
        Recovery::keep(first.file(), &project()).unwrap();
        Recovery::keep(second.file(), &project()).unwrap();
        drop((first, second));
        let (third, found) = start(&folder);
        assert_eq!(found.len(), 2);
        Recovery::keep(third.file(), &project()).unwrap();
        let (_fourth, found) = start(&folder);
        assert_eq!(found.len(), 2, "the third still runs");
    }

    #[test]
    fn what_was_open_in_a_crashed_run_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let open = [LevelSource::Builtin("maze".to_owned())];
        let (first, _) = start(&folder);
        first.note_open(&open);
        assert_eq!(Recovery::start(folder.path()).unwrap().1.open, [], "the first still runs");
        drop(first);
        assert_eq!(Recovery::start(folder.path()).unwrap().1.open, open);
        let (next, left) = Recovery::start(folder.path()).unwrap();
        assert_eq!(left.open, []);
        next.note_open(&open);
        next.end();
        drop(next);
        assert_eq!(Recovery::start(folder.path()).unwrap().1.open, []);
    }

    #[test]
    fn saved_work_is_not_offered() {
        let folder = tempfile::tempdir().unwrap();
        let (first, _) = start(&folder);
        Recovery::keep(first.file(), &project()).unwrap();
        first.forget();
        drop(first);
        assert!(start(&folder).1.is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_utf_8_is_kept() {
        use std::os::unix::ffi::OsStrExt as _;

        let folder = tempfile::tempdir().unwrap();
        let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"y\xffrd"));
        let level = LevelSource::File(odd.join("yard.obj"));
        let unsaved_of = Some(odd.join("yard.walkable"));
        let project = Project { level, unsaved_of, ..project() };
        let (first, _) = start(&folder);
        Recovery::keep(first.file(), &project).unwrap();
        let text = fs::read_to_string(first.file()).unwrap();
        assert_eq!(Project::parse(&text, folder.path()).unwrap(), project);
    }

    #[cfg(unix)]
    #[test]
    fn links_in_the_folder_are_not_followed() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let unsaved = folder.path().join("unsaved");
        drop(Recovery::start(&unsaved).unwrap());
        assert_eq!(fs::metadata(&unsaved).unwrap().permissions().mode() & 0o777, 0o700);
        let mine = folder.path().join("mine.walkable");
        let text = project().to_text(folder.path()).unwrap();
        fs::write(&mine, &text).unwrap();
        for name in ["running-0.walkable", "running-0.open"] {
            symlink(&mine, unsaved.join(name)).unwrap();
        }
        let (place, left) = Recovery::start(&unsaved).unwrap();
        assert_eq!(left, LeftBehind::default());
        place.note_open(&[LevelSource::Builtin("maze".to_owned())]);
        let why = format!("{:#}", Recovery::keep(place.file(), &project()).unwrap_err());
        assert!(why.contains("running-0.walkable: it is a symbolic link"), "{why}");
        drop(place);
        let lock = unsaved.join("running-0.lock");
        fs::remove_file(&lock).unwrap();
        symlink(&mine, &lock).unwrap();
        let why = format!("{:#}", Recovery::start(&unsaved).unwrap_err());
        assert!(why.contains("running-0.lock: it is a symbolic link"), "{why}");
        assert_eq!(fs::read_to_string(&mine).unwrap(), text);
    }
}
