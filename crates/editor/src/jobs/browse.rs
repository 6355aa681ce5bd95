//! The model of the file dialog that is shown if the desktop has none.

use std::{
    io,
    path::{Component, MAIN_SEPARATOR, Path, PathBuf},
};

use walkable::{diagnostic::Phrase, phrase};
use walkable_workspace::{
    files::{self, FileKind, Folder, FolderEntry, FoundAtPath},
    format,
};

use super::{
    ask_file::{Proposal, Purpose},
    slot::{JobEvent, JobSlot, Wake},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    List,
    /// Choose it; list it if it is a folder.
    Choose,
}

#[derive(Debug)]
struct Look {
    aim: Aim,
    path: PathBuf,
    found: io::Result<FoundAtPath>,
}

/// The state of a file dialog: the listed folder and the typed name. Folders are read in the background.
#[derive(Debug)]
pub struct FileBrowser {
    purpose: Purpose,
    folder: Folder,
    /// The typed name, or a path relative to the folder.
    pub name: String,
    /// Whether files of all kinds are listed, not only those of known kinds.
    pub lists_all: bool,
    problem: Option<Phrase>,
    slot: JobSlot<Look>,
}

impl FileBrowser {
    /// Lists the folder of `proposal`. `wake` is called when there is something to poll.
    pub fn new(wake: Wake, purpose: Purpose, proposal: &Proposal) -> Self {
        let mut browser = Self {
            purpose,
            folder: Folder::default(),
            name: proposal.name.clone(),
            lists_all: false,
            problem: None,
            slot: JobSlot::new("file browser", wake),
        };
        browser.list(&Path::new(".").join(&proposal.folder));
        browser
    }

    pub const fn purpose(&self) -> Purpose {
        self.purpose
    }

    pub const fn folder(&self) -> &Folder {
        &self.folder
    }

    pub const fn problem(&self) -> Option<&Phrase> {
        self.problem.as_ref()
    }

    pub fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Returns the entries to show: folders, and files of known kinds or all files. To open a file, only those whose
    /// name contains the typed text.
    pub fn entries(&self) -> Vec<&FolderEntry> {
        let typed = self.name.to_lowercase();
        let is_exact = self.folder.entries.iter().any(|entry| entry.name == self.name);
        let searches = self.purpose == Purpose::Open && !is_exact && !has_separator(&typed);
        let is_kind = |entry: &FolderEntry| match self.purpose {
            Purpose::Open => entry.is_known(),
            Purpose::Pieces => FileKind::is_piece_name(Path::new(&entry.name)),
            Purpose::Export(kind) => {
                let ending = Path::new(&entry.name).extension();
                ending.is_some_and(|ending| ending.eq_ignore_ascii_case(kind.ending()))
            }
        };
        let shown = |entry: &&FolderEntry| {
            (self.lists_all || entry.is_folder || is_kind(entry))
                && (!searches || entry.name.to_lowercase().contains(&typed))
        };
        self.folder.entries.iter().filter(shown).collect()
    }

    /// Lists `path`, which is relative to the listed folder.
    pub fn list(&mut self, path: &Path) {
        self.look(Aim::List, self.folder.path.join(path));
    }

    pub fn list_parent(&mut self) {
        if let Some(parent) = self.folder.path.parent() {
            self.look(Aim::List, parent.to_owned());
        }
    }

    /// Handles an edit of the name: lists a path that ends in a separator.
    pub fn name_changed(&mut self) {
        self.problem = None;
        if self.name.ends_with(['/', MAIN_SEPARATOR]) {
            self.look(Aim::List, self.typed_path());
        }
    }

    /// Lists the typed folder or chooses the typed file, which [`FileBrowser::poll`] returns. If a folder is to be chosen,
    /// chooses the typed one, or else the listed one.
    pub fn accept(&mut self) {
        if self.can_accept() {
            self.look(Aim::Choose, self.typed_path());
        }
    }

    pub fn can_accept(&self) -> bool {
        self.purpose == Purpose::Pieces || !self.name.trim().is_empty()
    }

    pub fn enter(&mut self, name: &str) {
        self.name.clear();
        self.list(Path::new(name));
    }

    /// Completes the typed name with the longest common beginning of the entries that start with it.
    pub fn complete(&mut self) {
        let typed = self.name.to_lowercase();
        let shown = self.entries();
        let mut fits = shown.iter().filter(|entry| entry.name.to_lowercase().starts_with(&typed));
        let Some(first) = fits.next() else { return };
        let mut common = first.name.as_str();
        let mut is_only = true;
        for entry in fits {
            is_only = false;
            let same = common.chars().zip(entry.name.chars()).take_while(|(a, b)| a == b);
            common = &common[..same.map(|(a, _)| a.len_utf8()).sum()];
        }
        let enters = is_only && first.is_folder;
        if common.len() > self.name.len() || enters {
            self.name = common.to_owned();
        }
        if enters {
            self.name.push(MAIN_SEPARATOR);
            self.name_changed();
        }
    }

    pub fn select_next(&mut self) {
        self.select(|at, last| at.map_or(0, |at| (at + 1).min(last)));
    }

    pub fn select_previous(&mut self) {
        self.select(|at, last| at.map_or(last, |at| at.saturating_sub(1)));
    }

    fn select(&mut self, moved: impl FnOnce(Option<usize>, usize) -> usize) {
        let shown = self.entries();
        let at = shown.iter().position(|entry| entry.name == self.name);
        if let Some(entry) = shown.get(moved(at, shown.len().saturating_sub(1))) {
            self.name = entry.name.clone();
            self.problem = None;
        }
    }

    pub fn create_folder(&mut self, name: &str) {
        let is_name =
            matches!(Path::new(name).components().collect::<Vec<_>>()[..], [Component::Normal(_)]);
        if !is_name {
            self.problem = Some(phrase!("“{name}” cannot be the name of a folder", name));
            return;
        }
        let path = self.folder.path.join(name);
        match files::create_folder(&path) {
            Ok(()) => self.look(Aim::List, path),
            Err(error) => {
                let (path, error) = (path.display().to_string(), error.to_string());
                self.problem = Some(phrase!("Cannot create {path}: {error}", path, error));
            }
        }
    }

    /// Returns the chosen file, once one is chosen.
    pub fn poll(&mut self) -> Option<PathBuf> {
        let mut chosen = None;
        for event in self.slot.poll() {
            match event {
                JobEvent::Message(look) => chosen = self.looked(look).or(chosen),
                JobEvent::Finished => {}
                JobEvent::Panicked(panic) => self.problem = Some(panic.into()),
            }
        }
        chosen
    }

    fn look(&mut self, aim: Aim, path: PathBuf) {
        self.slot.request(move |report| {
            let found = files::look_at(&path);
            report.send(Look { aim, path, found });
        });
    }

    fn looked(&mut self, look: Look) -> Option<PathBuf> {
        let Look { aim, path, found } = look;
        let shown = path.display().to_string();
        self.problem = match (found, aim) {
            (Err(error), _) => {
                let error = error.to_string();
                Some(phrase!("Cannot list {shown}: {error}", shown, error))
            }
            (Ok(FoundAtPath::Folder(_)), Aim::Choose) if self.purpose == Purpose::Pieces => {
                return Some(path);
            }
            (Ok(FoundAtPath::File), Aim::Choose) if self.purpose == Purpose::Pieces => {
                Some(phrase!("{shown} is a file: choose the folder that contains it", shown))
            }
            (Ok(FoundAtPath::Folder(folder)), _) => {
                let is_typed = aim == Aim::Choose || has_separator(&self.name);
                if is_typed || !self.writes() {
                    self.name.clear();
                }
                self.folder = folder;
                None
            }
            (Ok(FoundAtPath::File), Aim::Choose) => return Some(path),
            (Ok(FoundAtPath::Nothing), Aim::Choose) if self.writes() => return Some(path),
            (Ok(FoundAtPath::NoFolder), Aim::Choose) if self.writes() => {
                let folder = path.parent().unwrap_or(&path).display().to_string();
                Some(phrase!("There is no folder {folder}", folder))
            }
            (Ok(FoundAtPath::Nothing | FoundAtPath::NoFolder), Aim::Choose)
                if self.purpose == Purpose::Open =>
            {
                Some(phrase!("There is no file {shown}", shown))
            }
            (Ok(FoundAtPath::File | FoundAtPath::Nothing | FoundAtPath::NoFolder), _) => {
                Some(phrase!("There is no folder {folder}", folder = shown))
            }
        };
        None
    }

    fn writes(&self) -> bool {
        match self.purpose {
            Purpose::Open | Purpose::Pieces => false,
            Purpose::Export(_) => true,
        }
    }

    /// Returns the typed path, with `~` as the home folder.
    fn typed_path(&self) -> PathBuf {
        let typed = Path::new(self.name.trim());
        match (typed.strip_prefix("~"), std::env::home_dir()) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => self.folder.path.join(typed),
        }
    }
}

fn has_separator(name: &str) -> bool {
    name.contains(['/', MAIN_SEPARATOR])
}

/// Formats the size of a file. Returns an empty string for a folder.
pub fn size_text(entry: &FolderEntry) -> String {
    if entry.is_folder {
        return String::new();
    }
    format::bytes(usize::try_from(entry.bytes).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        sync::{Arc, mpsc},
    };

    use tempfile::TempDir;

    use super::*;
    use crate::session::ExportKind;

    struct Fixture {
        folder: TempDir,
        browser: FileBrowser,
        woken: mpsc::Receiver<()>,
    }

    impl Fixture {
        fn new(purpose: Purpose, name: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            for file in ["town.obj", "tower.obj", "notes.doc", "tiles.bin"] {
                fs::write(folder.path().join(file), "1").unwrap();
            }
            fs::create_dir(folder.path().join("levels")).unwrap();
            fs::write(folder.path().join("levels/maze.obj"), "1").unwrap();
            let (wake, woken) = mpsc::sync_channel(16);
            let wake: Wake = Arc::new(move || {
                wake.try_send(()).ok();
            });
            let browser = {
                let (folder, name) = (folder.path().to_owned(), name.to_owned());
                FileBrowser::new(wake, purpose, &Proposal { folder, name })
            };
            let mut fixture = Self { folder, browser, woken };
            assert_eq!(fixture.answer(), None);
            fixture
        }

        /// Waits for the work in the background.
        fn answer(&mut self) -> Option<PathBuf> {
            let mut chosen = None;
            while self.browser.is_busy() {
                self.woken.recv().unwrap();
                chosen = self.browser.poll().or(chosen);
            }
            chosen
        }

        fn accept(&mut self, name: &str) -> Option<PathBuf> {
            self.browser.name = name.to_owned();
            self.browser.accept();
            self.answer()
        }

        fn names(&self) -> Vec<&str> {
            self.browser.entries().iter().map(|entry| entry.name.as_str()).collect()
        }
    }

    #[test]
    fn a_file_to_open_is_found_by_parts_of_its_name_and_completed() {
        let mut fixture = Fixture::new(Purpose::Open, "");
        assert_eq!(fixture.names(), ["levels", "tiles.bin", "tower.obj", "town.obj"]);
        fixture.browser.lists_all = true;
        assert_eq!(fixture.names().len(), 5);
        fixture.browser.name = "TO".to_owned();
        assert_eq!(fixture.names(), ["tower.obj", "town.obj"]);
        fixture.browser.complete();
        assert_eq!(fixture.browser.name, "tow", "the names agree no further");
        fixture.browser.select_next();
        assert_eq!(fixture.browser.name, "tower.obj");
        let path = fixture.folder.path().join("tower.obj");
        assert_eq!(fixture.accept("tower.obj"), Some(path));
    }

    #[test]
    fn a_typo_keeps_the_text_and_says_what_is_missing() {
        let mut fixture = Fixture::new(Purpose::Open, "");
        assert_eq!(fixture.accept("tovn.obj"), None);
        assert!(fixture.browser.problem().unwrap().to_string().contains("There is no file"));
        assert_eq!(fixture.browser.name, "tovn.obj");
        fixture.browser.name = "none/".to_owned();
        fixture.browser.name_changed();
        fixture.answer();
        assert!(fixture.browser.problem().unwrap().to_string().contains("There is no folder"));
    }

    #[test]
    fn folders_are_entered_by_typing_completing_and_accepting() {
        let mut fixture = Fixture::new(Purpose::Open, "");
        fixture.browser.name = "lev".to_owned();
        fixture.browser.complete();
        assert_eq!(fixture.answer(), None);
        assert_eq!(fixture.names(), ["maze.obj"]);
        assert_eq!(fixture.browser.name, "");
        fixture.browser.list_parent();
        fixture.answer();
        assert_eq!(fixture.accept("levels"), None);
        assert_eq!(fixture.names(), ["maze.obj"]);
    }

    #[test]
    fn a_file_to_write_may_be_new_but_its_folder_must_exist() {
        let purpose = Purpose::Export(ExportKind::NAVMESH);
        let mut fixture = Fixture::new(purpose, "level.bin");
        assert_eq!(fixture.names(), ["levels", "tiles.bin"]);
        assert_eq!(fixture.browser.name, "level.bin");
        let new = fixture.folder.path().join("level.bin");
        assert_eq!(fixture.accept("level.bin"), Some(new));
        assert_eq!(fixture.accept("none/level.bin"), None);
        assert!(fixture.browser.problem().unwrap().to_string().contains("There is no folder"));

        fixture.browser.name = "level.bin".to_owned();
        fixture.browser.create_folder("baked");
        fixture.answer();
        assert!(fixture.browser.folder().path.ends_with("baked"));
        assert_eq!(fixture.browser.name, "level.bin", "the name is kept");
        fixture.browser.create_folder("../other");
        assert!(fixture.browser.problem().unwrap().to_string().contains("cannot be the name"));
    }
}
