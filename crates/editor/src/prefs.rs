//! User preferences.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use walkable::diagnostic::Phrase;
use walkable_workspace::{files, format, lang::Language, limits, units::Units};
use web_time::SystemTime;

use crate::{
    jobs::AutoSaveRule,
    keymap::Keymap,
    layouts::Layouts,
    level_colors::LevelColors,
    memory_budget::MemoryBudget,
    navigation::Navigation,
    ranges::{
        NumberKind::{self, Real, Whole},
        NumberRange,
    },
    session::{GizmoSettings, LevelSource, Look},
};

pub const N_TOUR_STEPS: usize = 5;
const MAX_RECENT: usize = 10;
/// Scales of the user interface, in percent.
pub const SCALES: [u16; 7] = [80, 90, 100, 110, 125, 150, 200];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewQuality {
    pub anti_aliasing: bool,
    /// Whether everything is drawn while the view moves, even if that is slow.
    pub moves_whole: bool,
}

impl Default for ViewQuality {
    fn default() -> Self {
        Self { anti_aliasing: true, moves_whole: false }
    }
}

/// A level that was opened before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentLevel {
    pub source: LevelSource,
    /// When it was opened or saved last, in seconds since 1970; `None` if unknown.
    pub opened: Option<u64>,
}

impl RecentLevel {
    pub fn age(&self) -> Option<Phrase> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        format::when(Duration::from_secs(self.opened?), now)
    }
}

/// Preferences of the user, except the current layout of the panels, which the dock keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Prefs {
    /// Recently opened levels, newest first.
    pub recent: Vec<RecentLevel>,
    /// Whether the program starts without a level, because the last one was closed.
    pub starts_empty: bool,
    /// The level that was open when the program ended, and the camera.
    pub last: Option<(LevelSource, Option<Look>)>,
    pub light: bool,
    /// Language of the window; `None` for that of the system.
    pub language: Option<Language>,
    pub units: Units,
    /// Scale of the user interface, 1 for normal.
    pub scale: f32,
    pub auto_bake: bool,
    /// Memory limit of bakes, in bytes, compared with the estimate.
    pub max_memory: u64,
    /// Time limit of bakes, in seconds, compared with the estimate.
    pub max_secs: u32,
    pub caches_tiles: bool,
    /// Whether the panels are shown, not collapsed.
    pub panels: bool,
    pub layouts: Layouts,
    pub grid: bool,
    /// Whether corners and creases of the level are drawn darker.
    pub ambient_occlusion: bool,
    pub quality: ViewQuality,
    pub auto_save: AutoSaveRule,
    pub level_colors: LevelColors,
    pub legend: bool,
    /// Whether the loaded part of a level larger than memory follows the camera.
    pub part_follows: bool,
    pub memory: MemoryBudget,
    pub navigation: Navigation,
    pub keys: Keymap,
    pub gizmo: GizmoSettings,
    pub tour: Option<usize>,
}

impl Default for Prefs {
    fn default() -> Self {
        Self {
            recent: Vec::new(),
            starts_empty: false,
            last: None,
            light: false,
            language: None,
            units: Units::default(),
            scale: 1.0,
            auto_bake: true,
            max_memory: limits::DEFAULT_MEMORY,
            max_secs: limits::DEFAULT_SECS,
            caches_tiles: false,
            panels: true,
            layouts: Layouts::default(),
            grid: true,
            ambient_occlusion: true,
            quality: ViewQuality::default(),
            auto_save: AutoSaveRule::default(),
            level_colors: LevelColors::default(),
            legend: true,
            part_follows: false,
            memory: MemoryBudget::default(),
            navigation: Navigation::default(),
            keys: Keymap::default(),
            gizmo: GizmoSettings::default(),
            tour: None,
        }
    }
}

impl Prefs {
    /// Range of each number, by its path in the preferences file. A number without a range is not read.
    pub(crate) const RANGES: [NumberRange; 12] = {
        const fn range(path: &'static str, kind: NumberKind) -> NumberRange {
            NumberRange { path, kind }
        }
        let [least_mib, most_mib] = MemoryBudget::LIMITS;
        let [least_step, most_step] = GizmoSettings::STEPS;
        [
            // Seconds up to the year 10000.
            range("prefs.recent.*.opened", Whole(0, 253_402_300_799)),
            range("prefs.last.1.target.*", Real(-1e7, 1e7)),
            range("prefs.last.1.yaw", Real(-1e3, 1e3)),
            range("prefs.last.1.pitch", Real(-1.571, 1.571)),
            range("prefs.last.1.distance", Real(0.01, 1e6)),
            range("prefs.scale", Real(0.8, 2.0)),
            range("prefs.max_memory", Whole(10_000_000, 1 << 50)),
            range("prefs.max_secs", Whole(1, 31_536_000)),
            range("prefs.auto_save.every_secs", Whole(0, 3600)),
            range("prefs.memory.mib", Whole(least_mib as u64, most_mib as u64)),
            range("prefs.gizmo.step", Real(least_step as f64, most_step as f64)),
            range("prefs.tour", Whole(0, N_TOUR_STEPS as u64 - 1)),
        ]
    };

    pub(crate) fn limit_lists(&mut self) {
        self.recent.truncate(MAX_RECENT);
        self.layouts.limit();
    }

    /// Puts `source` at the top of the recent levels, unless it is a file of a link, which is not stored.
    pub fn remember(&mut self, source: LevelSource) {
        if source.path().is_some_and(files::is_of_link) {
            return;
        }
        self.recent.retain(|other| other.source != source);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let opened = now.ok().map(|since| since.as_secs());
        self.recent.insert(0, RecentLevel { source, opened });
        self.recent.truncate(MAX_RECENT);
        self.starts_empty = false;
    }

    pub fn zoom_in(&mut self) {
        let larger = scales().find(|&s| s > self.scale + 0.01);
        self.scale = larger.unwrap_or(self.scale);
    }

    pub fn zoom_out(&mut self) {
        let smaller = scales().rev().find(|&s| s < self.scale - 0.01);
        self.scale = smaller.unwrap_or(self.scale);
    }
}

fn scales() -> impl DoubleEndedIterator<Item = f32> {
    SCALES.into_iter().map(|percent| f32::from(percent) / 100.0)
}

#[cfg(test)]
mod tests {
    use walkable::phrase;

    use super::*;
    use crate::level_appearance::TextureReading;

    #[test]
    fn recent_levels_are_listed_once_newest_first() {
        let mut prefs = Prefs::default();
        let level = |n: usize| LevelSource::Builtin(format!("level {n}"));
        (0..20).for_each(|n| prefs.remember(level(n % 12)));
        let expected: Vec<_> = [7, 6, 5, 4, 3, 2, 1, 0, 11, 10].map(level).into();
        let recent: Vec<_> = prefs.recent.iter().map(|recent| recent.source.clone()).collect();
        assert_eq!(recent, expected);
        assert_eq!(prefs.recent[0].age(), Some(phrase!("less than a minute ago")));
        let text = serde_json::to_string(&prefs).unwrap();
        assert_eq!(serde_json::from_str::<Prefs>(&text).unwrap(), prefs);
    }

    #[test]
    fn textures_have_the_same_budget_before_the_preferences_are_known() {
        assert_eq!(MemoryBudget::default().textures(), TextureReading::DEFAULT_BYTES);
    }

    #[test]
    fn sizes_stop_at_both_ends() {
        let mut prefs = Prefs::default();
        (0..9).for_each(|_| prefs.zoom_in());
        assert!((prefs.scale - 2.0).abs() < 1e-6);
        (0..9).for_each(|_| prefs.zoom_out());
        assert!((prefs.scale - 0.8).abs() < 1e-6);
    }

    #[test]
    fn what_a_file_leaves_out_has_its_default() {
        let read: Prefs = serde_json::from_str(r#"{"light": true}"#).unwrap();
        assert_eq!(read, Prefs { light: true, ..Prefs::default() });
    }
}
