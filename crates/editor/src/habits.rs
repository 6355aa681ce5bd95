//! The preferences file, which also contains the layout of the window. It is written atomically.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use walkable_workspace::files::{self, Format};

use crate::{
    prefs::Prefs,
    ranges::{self, Corrected, NumberKind, NumberRange},
};

const FILE: &str = "preferences.json";

const MAX_GROUPS: usize = 1000;
/// Sizes of a window, in points.
const WINDOW: NumberKind = NumberKind::Real(64.0, 16_384.0);

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Habits {
    pub prefs: Prefs,
    /// Layout of the panels, in a format that only the window knows.
    pub layout: Option<String>,
    pub window: Option<WindowState>,
    /// Ids of the groups in panels that are closed.
    pub closed_groups: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowState {
    /// Width and height while it is not maximized, in points at a scale of 1.
    pub size: [f32; 2],
    pub is_maximized: bool,
}

impl Habits {
    /// Parses the text of a preferences file, and limits its numbers to their ranges. Fails if it is not a preferences
    /// file.
    pub fn parse(text: &str) -> serde_json::Result<(Self, Corrected)> {
        let window = NumberRange { path: "window.size.*", kind: WINDOW };
        let ranges: Vec<_> = Prefs::RANGES.into_iter().chain([window]).collect();
        let (mut habits, corrected) = ranges::read::<Self>(text, &ranges)?;
        habits.prefs.limit_lists();
        while habits.closed_groups.len() > MAX_GROUPS {
            habits.closed_groups.pop_last();
        }
        Ok((habits, corrected))
    }
}

#[derive(Debug)]
pub struct HabitsFile {
    path: PathBuf,
    /// The content as it was last read or written.
    on_disk: Option<Habits>,
    /// Whether the user has been notified that the file cannot be written.
    is_reported: bool,
    corrected: Corrected,
}

impl HabitsFile {
    /// Refers to the file in `folder`, which need not exist.
    pub fn new(folder: &Path) -> Self {
        let path = folder.join(FILE);
        Self { path, on_disk: None, is_reported: false, corrected: Corrected::default() }
    }

    /// Reads the file; returns `None` if it does not exist. Errors name the file.
    pub fn read(&mut self) -> anyhow::Result<Option<Habits>> {
        if !files::exists(&self.path) {
            return Ok(None);
        }
        let text = files::read_text(&self.path, Format::Settings)?;
        let read = Habits::parse(&text);
        let (habits, corrected) =
            read.with_context(|| format!("cannot read {}", self.path.display()))?;
        // A file with wrong numbers is replaced.
        self.on_disk = corrected.is_empty().then(|| habits.clone());
        self.corrected = corrected;
        Ok(Some(habits))
    }

    pub fn corrected(&self) -> &Corrected {
        &self.corrected
    }

    /// Writes `habits` if they differ from the file. On an error, returns a message for the user, but not again until a
    /// write has succeeded.
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
    use glam::Vec3;
    use serde_json::Value;

    use super::*;
    use crate::{
        prefs::RecentLevel,
        session::{LevelSource, Look},
    };

    fn habits(scale: f32) -> Habits {
        let prefs = Prefs { scale, ..Prefs::default() };
        Habits { prefs, layout: Some("left".to_owned()), ..Habits::default() }
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

    /// Returns preferences in which no number is missing.
    fn full() -> Habits {
        let look = Look {
            target: Vec3::new(1.0, -2.0, 3.0),
            yaw: 0.5,
            pitch: -0.5,
            distance: 7.0,
            parallel: true,
        };
        let source = LevelSource::Builtin("maze".to_owned());
        let recent = vec![RecentLevel { source: source.clone(), opened: Some(1_700_000_000) }];
        let last = Some((source, Some(look)));
        let prefs = Prefs { recent, last, tour: Some(3), ..Prefs::default() };
        let window = Some(WindowState { size: [1440.0, 900.0], is_maximized: true });
        let closed_groups = ["a".to_owned()].into();
        Habits { prefs, layout: Some("left".to_owned()), window, closed_groups }
    }

    /// Returns `value` with the number at each place replaced by `number`, one at a time.
    fn with_numbers(value: &Value, number: &Value) -> Vec<Value> {
        match value {
            Value::Number(_) => vec![number.clone()],
            Value::Null | Value::Bool(_) | Value::String(_) => Vec::new(),
            Value::Array(values) => {
                let at = |at: usize| {
                    with_numbers(&values[at], number).into_iter().map(move |inner| {
                        let mut all = values.clone();
                        all[at] = inner;
                        Value::Array(all)
                    })
                };
                (0..values.len()).flat_map(at).collect()
            }
            Value::Object(values) => {
                let at = |key: &String| {
                    let inner = with_numbers(&values[key], number).into_iter();
                    let with = |inner| {
                        let mut all = values.clone();
                        all.insert(key.clone(), inner);
                        Value::Object(all)
                    };
                    inner.map(with).collect::<Vec<_>>()
                };
                values.keys().flat_map(at).collect()
            }
        }
    }

    #[test]
    fn every_number_has_a_range() {
        let written = serde_json::to_value(full()).unwrap();
        assert_eq!(Habits::parse(&written.to_string()).unwrap(), (full(), Corrected::default()));
        for number in ["0", "-1", "1e38", "1e300", "-1e300", "9223372036854775808", "0.3"] {
            let number: Value = serde_json::from_str(number).unwrap();
            for hostile in with_numbers(&written, &number) {
                let (habits, _) = Habits::parse(&hostile.to_string()).unwrap();
                assert!((0.8..=2.0).contains(&habits.prefs.scale), "{hostile}");
                let text = serde_json::to_string(&habits).unwrap();
                let (again, corrected) = Habits::parse(&text).unwrap();
                assert!(corrected.is_empty() && again == habits, "{hostile}: {corrected:?}");
            }
        }
    }

    #[test]
    fn a_file_with_numbers_out_of_range_is_corrected_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        std::fs::write(&path, r#"{"prefs": {"scale": 1e38, "tour": 99}}"#).unwrap();
        let mut file = HabitsFile::new(folder.path());
        let habits = file.read().unwrap().unwrap();
        assert_eq!((habits.prefs.scale, habits.prefs.tour), (2.0, Some(4)));
        let said = file.corrected().phrase().to_string();
        assert_eq!(said, "Changed: prefs.scale: 1e+38 -> 2.0; prefs.tour: 99 -> 4.");
        assert_eq!(file.write(&habits), None);
        let mut next = HabitsFile::new(folder.path());
        assert_eq!(next.read().unwrap(), Some(habits));
        assert!(next.corrected().is_empty());
    }

    #[test]
    fn lists_are_limited() {
        let many =
            |text: &dyn Fn(usize) -> String| (0..5000).map(text).collect::<Vec<_>>().join(",");
        let recent = many(&|n| format!(r#"{{"source":{{"Builtin":"{n}"}},"opened":null}}"#));
        let own = many(&|n| format!(r#"{{"name":"{n}","panels":""}}"#));
        let groups = many(&|n| format!(r#""{n}""#));
        let text = format!(
            r#"{{"prefs":{{"recent":[{recent}],"layouts":{{"own":[{own}]}}}},"closed_groups":[{groups}]}}"#
        );
        let (habits, _) = Habits::parse(&text).unwrap();
        let n_lists = (habits.prefs.recent.len(), habits.prefs.layouts.own().len());
        assert_eq!((n_lists, habits.closed_groups.len()), ((10, 50), MAX_GROUPS));
    }
}
