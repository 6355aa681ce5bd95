//! What happened, as the log lists it.

use std::{collections::VecDeque, ops::Range, path::PathBuf, time::Duration};

use glam::Vec3;
use walkable::{
    diagnostic::{self, Diagnostic, Location},
    ids::TileCoord,
};

use super::SceneItem;

/// Maximum number of lines; the oldest are dropped.
const MAX_LINES: usize = 2000;
/// Maximum length of a line, in bytes; the rest is cut off.
const MAX_BYTES: usize = 8192;

/// How much attention a message wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Info,
    /// Odd, but work goes on.
    Warning,
    /// Something did not work.
    Error,
}

impl From<diagnostic::Severity> for Severity {
    fn from(severity: diagnostic::Severity) -> Self {
        match severity {
            diagnostic::Severity::Note => Self::Info,
            diagnostic::Severity::Warning => Self::Warning,
            diagnostic::Severity::Error => Self::Error,
        }
    }
}

/// The place that a line of the log speaks of.
#[derive(Clone, Debug, PartialEq)]
pub enum LogPlace {
    /// A tile.
    Tile(TileCoord),
    /// A polygon, by its reference.
    Polygon(u64),
    /// A point in world space.
    Point(Vec3),
    /// An object placed in the level.
    SceneItem(SceneItem),
    /// A file.
    File(PathBuf),
}

impl LogPlace {
    /// Returns the most precise place of a finding.
    pub fn of(found: &Diagnostic) -> Option<Self> {
        let exactness = |place: &Self| match place {
            Self::File(_) => 0,
            Self::Tile(_) => 1,
            Self::Polygon(_) => 2,
            Self::SceneItem(_) => 3,
            Self::Point(_) => 4,
        };
        let place = |location: &Location| match location {
            Location::Tile(tile) => Some(Self::Tile(*tile)),
            Location::Polygon(reference) => Some(Self::Polygon(*reference)),
            Location::Point(point) => Some(Self::Point(*point)),
            Location::OffMeshLink(number) => {
                number.checked_sub(1).map(|index| Self::SceneItem(SceneItem::Link(index)))
            }
            _ => None,
        };
        found.locations().iter().filter_map(place).max_by_key(exactness)
    }

    /// Whether the place belongs to the open level, not to the disk.
    const fn is_in_level(&self) -> bool {
        !matches!(self, Self::File(_))
    }
}

/// A line to be added to the log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLine {
    /// Severity of the message.
    pub severity: Severity,
    /// What happened.
    pub text: String,
    /// The place that the line speaks of.
    pub place: Option<LogPlace>,
}

impl LogLine {
    /// Creates a line without a place.
    pub fn new(severity: Severity, text: impl Into<String>) -> Self {
        Self { severity, text: text.into(), place: None }
    }

    /// Sets the place that the line speaks of.
    #[must_use]
    pub fn at(self, place: impl Into<Option<LogPlace>>) -> Self {
        Self { place: place.into(), ..self }
    }
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// Identifies the line.
    pub serial: u64,
    /// How bad it is.
    pub severity: Severity,
    /// What happened.
    pub text: String,
    /// When it happened last, since the Unix epoch; `None` if the clock is unknown.
    pub at: Option<Duration>,
    /// How many times it happened.
    pub count: usize,
    /// The place that the line speaks of.
    pub place: Option<LogPlace>,
    /// The text as it is searched: in lower case.
    lower: String,
}

impl LogEntry {
    /// Whether the text holds `words`, which are in lower case.
    pub fn contains(&self, words: &str) -> bool {
        self.lower.contains(words)
    }

    fn is_like(&self, line: &LogLine) -> bool {
        self.severity == line.severity && self.place == line.place && self.text == line.text
    }
}

/// The newest lines, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Log {
    lines: VecDeque<LogEntry>,
    n_dropped: usize,
    /// Serial of the next line.
    next: u64,
    /// The current time, since the Unix epoch, in whole seconds.
    clock: Option<Duration>,
    /// Serials of the lines about the file that was opened last.
    file_lines: Range<u64>,
    /// The lines to show, and how many times lines were requested.
    shown: (Range<u64>, u64),
}

impl Log {
    /// Sets the current time, since the Unix epoch, in whole seconds.
    pub fn set_clock(&mut self, now: Duration) {
        self.clock = Some(now);
    }

    /// Adds a line. It is counted instead if it repeats the newest line, or one of the same second.
    pub fn push(&mut self, mut line: LogLine) {
        if line.text.len() > MAX_BYTES {
            let end = (0..=MAX_BYTES).rev().find(|&end| line.text.is_char_boundary(end));
            line.text.truncate(end.unwrap_or(0));
            line.text.push('…');
        }
        let clock = self.clock;
        let newest = self.lines.len().saturating_sub(1);
        let candidates =
            self.lines.iter_mut().enumerate().rev().take_while(|(index, old)| {
                *index == newest || (clock.is_some() && old.at == clock)
            });
        let repeated = candidates.map(|(_, old)| old).find(|old| old.is_like(&line));
        if let Some(old) = repeated {
            (old.count, old.at) = (old.count + 1, clock);
            return;
        }
        let LogLine { severity, text, place } = line;
        let (serial, lower) = (self.next, text.to_lowercase());
        let entry = LogEntry { serial, severity, text, at: clock, count: 1, place, lower };
        self.next += 1;
        self.lines.push_back(entry);
        if self.lines.len() > MAX_LINES {
            self.n_dropped += self.lines.pop_front().map_or(0, |old| old.count);
        }
    }

    /// Adds the lines about the file that was just opened, to be found by [`Log::show_file_lines`].
    pub fn push_file_lines(&mut self, lines: Vec<LogLine>) {
        let first = self.next;
        for line in lines {
            self.push(line);
        }
        self.file_lines = first..self.next;
    }

    /// Shows the lines about the file that was opened last.
    pub fn show_file_lines(&mut self) {
        self.shown = (self.file_lines.clone(), self.shown.1 + 1);
    }

    /// Serials of the lines to show, and how many times lines were requested.
    pub const fn shown(&self) -> &(Range<u64>, u64) {
        &self.shown
    }

    /// Forgets places in the level: another one is open.
    pub fn forget_places(&mut self) {
        for entry in &mut self.lines {
            entry.place.take_if(|place| place.is_in_level());
        }
    }

    /// The lines that are kept.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &LogEntry> {
        self.lines.iter()
    }

    /// Number of older messages that were dropped.
    pub const fn n_dropped(&self) -> usize {
        self.n_dropped
    }
}

#[cfg(test)]
mod tests {
    use walkable::diagnostic::{Finding, Meters};

    use super::*;

    fn info(text: impl Into<String>) -> LogLine {
        LogLine::new(Severity::Info, text)
    }

    #[test]
    fn the_newest_lines_are_kept_and_found_in_any_case() {
        let mut log = Log::default();
        (0..MAX_LINES + 5).for_each(|n| log.push(info(format!("Line {n}"))));
        log.push(LogLine::new(Severity::Error, "ä".repeat(MAX_BYTES)));
        assert_eq!((log.iter().count(), log.n_dropped()), (MAX_LINES, 6));
        assert_eq!(log.iter().next().map(|line| &*line.text), Some("Line 6"));
        assert!(log.iter().all(|line| line.text.len() <= MAX_BYTES + 4));
        assert_eq!(log.iter().filter(|line| line.contains("line 100")).count(), 11);
    }

    #[test]
    fn repeated_lines_are_counted() {
        let counts = |log: &Log| log.iter().map(|line| line.count).collect::<Vec<_>>();
        let mut log = Log::default();
        for _ in 0..3 {
            for text in ["a", "a", "b"] {
                log.push(info(text));
            }
        }
        assert_eq!(counts(&log), [2, 1, 2, 1, 2, 1], "without a clock, lines in a row only");
        let mut log = Log::default();
        for seconds in [5, 6] {
            log.set_clock(Duration::from_secs(seconds));
            for _ in 0..100 {
                for text in ["a", "b"] {
                    log.push(info(text));
                }
            }
        }
        assert_eq!(counts(&log), [100, 100, 100, 100], "lines of one moment");
        log.set_clock(Duration::from_secs(7));
        log.push(info("b"));
        let newest = log.iter().next_back().expect("lines were added");
        assert_eq!((newest.count, newest.at), (101, Some(Duration::from_secs(7))));
        log.push(info("b").at(LogPlace::Tile(TileCoord::new(1, 2))));
        log.push(LogLine::new(Severity::Error, "b"));
        assert_eq!(counts(&log)[3..], [101, 1, 1], "another place, another severity");
    }

    #[test]
    fn lines_about_a_file_are_found_and_lose_their_places_with_the_level() {
        let mut log = Log::default();
        log.push(info("before"));
        let file = LogPlace::File("a.obj".into());
        log.push_file_lines(vec![
            info("Opened").at(file.clone()),
            info("odd").at(LogPlace::Point(Vec3::X)),
        ]);
        log.push(info("after"));
        log.show_file_lines();
        assert_eq!(*log.shown(), (1..3, 1));
        log.forget_places();
        let places: Vec<_> = log.iter().filter_map(|line| line.place.clone()).collect();
        assert_eq!(places, [file]);
    }

    #[test]
    fn a_finding_leads_to_its_most_precise_place() {
        let found = Diagnostic::new(Finding::LevelTiny { side: Meters(0.5), scale: 2.0 });
        assert_eq!(LogPlace::of(&found), None);
        let found = found.at(Location::Tile(TileCoord::new(3, 4)));
        assert_eq!(LogPlace::of(&found), Some(LogPlace::Tile(TileCoord::new(3, 4))));
        let found = found.at(Location::OffMeshLink(2)).at(Location::Layer(0));
        assert_eq!(LogPlace::of(&found), Some(LogPlace::SceneItem(SceneItem::Link(1))));
        let found = found.at(Location::Point(Vec3::Y));
        assert_eq!(LogPlace::of(&found), Some(LogPlace::Point(Vec3::Y)));
    }
}
