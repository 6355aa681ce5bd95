//! What the program remembers between sessions, in a file that is written atomically.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::{
    files::{self, Format},
    prefs::Prefs,
};

/// Name of the file.
const FILE: &str = "preferences.json";

/// What the program remembers between sessions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Habits {
    /// The preferences.
    pub prefs: Prefs,
    /// Layout of the panels, in a format that only the window knows.
    pub layout: Option<String>,
}

/// The file that holds the [`Habits`].
#[derive(Debug)]
pub struct HabitsFile {
    path: PathBuf,
    /// The content as it was last read or written.
    on_disk: Option<Habits>,
    /// Whether the user has been notified that the file cannot be written.
    is_reported: bool,
}

impl HabitsFile {
    /// Refers to the file in `folder`, which need not exist.
    pub fn new(folder: &Path) -> Self {
        Self { path: folder.join(FILE), on_disk: None, is_reported: false }
    }

    /// Reads the file; returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error that names the file if it exists but cannot be read or parsed.
    pub fn read(&mut self) -> anyhow::Result<Option<Habits>> {
        if !files::exists(&self.path) {
            return Ok(None);
        }
        let text = files::read_text(&self.path, Format::Settings)?;
        let habits = serde_json::from_str(&text);
        let habits = habits.with_context(|| format!("cannot read {}", self.path.display()))?;
        self.on_disk = Some(habits);
        Ok(self.on_disk.clone())
    }

    /// Writes `habits` if they differ from the file. Returns a message if that fails, once until writing succeeds
    /// again.
    pub fn write(&mut self, habits: &Habits) -> Option<String> {
        if self.on_disk.as_ref() == Some(habits) {
            return None;
        }
        match self.replace(habits) {
            Ok(()) => {
                self.on_disk = Some(habits.clone());
                self.is_reported = false;
                None
            }
            Err(error) => {
                (!std::mem::replace(&mut self.is_reported, true)).then(|| format!("{error:#}"))
            }
        }
    }

    fn replace(&self, habits: &Habits) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", self.path.display());
        let text = serde_json::to_string(habits).with_context(context)?;
        files::create_folder(&files::folder_of(&self.path)).with_context(context)?;
        files::write_atomically(&self.path, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn habits(scale: f32) -> Habits {
        Habits { prefs: Prefs { scale, ..Prefs::default() }, layout: Some("left".to_owned()) }
    }

    #[test]
    fn what_is_written_is_read_by_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("walkable");
        let mut file = HabitsFile::new(&below);
        assert_eq!(file.read().unwrap(), None, "the first day");
        assert_eq!(file.write(&habits(1.5)), None);
        assert_eq!(HabitsFile::new(&below).read().unwrap(), Some(habits(1.5)));
        // Unchanged habits are not written.
        std::fs::remove_file(below.join(FILE)).unwrap();
        assert_eq!(file.write(&habits(1.5)), None);
        assert!(!below.join(FILE).exists());
    }

    #[test]
    fn a_file_that_cannot_be_read_or_written_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        std::fs::write(&path, "{\"prefs\": {\"sca").unwrap();
        let mut file = HabitsFile::new(folder.path());
        let why = format!("{:#}", file.read().unwrap_err());
        assert!(why.contains(FILE) && why.contains("line 1"), "{why}");
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        let why = file.write(&habits(1.5)).unwrap();
        assert!(why.contains(FILE) && why.contains("folder"), "{why}");
        assert_eq!(file.write(&habits(1.25)), None, "the user knows");
        std::fs::remove_dir(&path).unwrap();
        assert_eq!(file.write(&habits(1.25)), None);
        assert_eq!(HabitsFile::new(folder.path()).read().unwrap(), Some(habits(1.25)));
    }
}
