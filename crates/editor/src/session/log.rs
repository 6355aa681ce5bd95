//! The log: what happened, line by line.

use std::{
    collections::VecDeque,
    ops::Range,
    path::{Path, PathBuf},
    time::Duration,
};

use glam::Vec3;
use walkable::{
    diagnostic::{self, ArgumentValue, Diagnostic, Location, Phrase, PhraseArgument},
    ids::TileCoord,
    phrase,
};
use walkable_workspace::lang;

use super::SceneItem;

const MAX_LINES: usize = 2000;
/// Maximum length of a text in a line, in bytes; the rest is cut off.
const MAX_BYTES: usize = 8192;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Info,
    /// Something is unusual, but the work goes on.
    Warning,
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

#[derive(Clone, Debug, PartialEq)]
pub enum LogPlace {
    Tile(TileCoord),
    Polygon(u64),
    /// A point in world space.
    Point(Vec3),
    SceneItem(SceneItem),
    File(PathBuf),
}

impl LogPlace {
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

    const fn is_in_level(&self) -> bool {
        !matches!(self, Self::File(_))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct LogLine {
    pub severity: Severity,
    pub text: Phrase,
    pub place: Option<LogPlace>,
}

impl LogLine {
    pub const fn new(severity: Severity, text: Phrase) -> Self {
        Self { severity, text, place: None }
    }

    /// Creates the line about a finding of a file. It leads to the place of the finding, or to the file.
    pub fn of_file(name: &str, file: Option<&Path>, found: Diagnostic) -> Self {
        let place = LogPlace::of(&found).or_else(|| Some(LogPlace::File(file?.to_owned())));
        let severity = found.severity().into();
        Self::new(severity, phrase!("{name}: {found}", name, found)).at(place)
    }

    #[must_use]
    pub fn at(self, place: impl Into<Option<LogPlace>>) -> Self {
        Self { place: place.into(), ..self }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    pub serial: u64,
    pub severity: Severity,
    pub text: Phrase,
    /// When it happened last, since the Unix epoch; `None` if the clock is unknown.
    pub at: Option<Duration>,
    pub count: usize,
    pub place: Option<LogPlace>,
}

impl LogEntry {
    pub fn text(&self) -> String {
        lang::phrase(&self.text)
    }

    /// Returns whether the text contains `words`, which are in lower case.
    pub fn contains(&self, words: &str) -> bool {
        words.is_empty() || self.text().to_lowercase().contains(words)
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
    next: u64,
    /// The current time, since the Unix epoch, in whole seconds.
    clock: Option<Duration>,
    /// Serial numbers of the lines about the file that was opened last.
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
        line.text = shortened(line.text);
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
        let serial = self.next;
        let entry = LogEntry { serial, severity, text, at: clock, count: 1, place };
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

    pub fn show_file_lines(&mut self) {
        self.shown = (self.file_lines.clone(), self.shown.1 + 1);
    }

    /// Returns the serial numbers of the lines to show, and how many times lines were requested.
    pub const fn shown(&self) -> &(Range<u64>, u64) {
        &self.shown
    }

    /// Removes the places in the level from all lines, because another level is open.
    pub fn forget_places(&mut self) {
        for entry in &mut self.lines {
            entry.place.take_if(|place| place.is_in_level());
        }
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &LogEntry> {
        self.lines.iter()
    }

    pub const fn n_dropped(&self) -> usize {
        self.n_dropped
    }
}

fn shortened(text: Phrase) -> Phrase {
    let is_long = |argument: &PhraseArgument| match &argument.value {
        ArgumentValue::Text(text) => text.len() > MAX_BYTES,
        ArgumentValue::Phrase(_) | ArgumentValue::Within(_) => true,
        ArgumentValue::Quantity { .. }
        | ArgumentValue::Count { .. }
        | ArgumentValue::Diagnostic(_) => false,
    };
    if !text.arguments().iter().any(is_long) {
        return text;
    }
    let cut = |argument: &PhraseArgument| {
        let value = match &argument.value {
            ArgumentValue::Text(text) if text.len() > MAX_BYTES => {
                let end = (0..=MAX_BYTES).rev().find(|&end| text.is_char_boundary(end));
                ArgumentValue::Text(format!("{}…", &text[..end.unwrap_or(0)]))
            }
            ArgumentValue::Phrase(part) => ArgumentValue::Phrase(shortened(part.clone())),
            ArgumentValue::Within(part) => ArgumentValue::Within(shortened(part.clone())),
            value @ (ArgumentValue::Text(_)
            | ArgumentValue::Quantity { .. }
            | ArgumentValue::Count { .. }
            | ArgumentValue::Diagnostic(_)) => value.clone(),
        };
        PhraseArgument { name: argument.name.clone(), value }
    };
    Phrase::new(text.template().to_owned(), text.arguments().iter().map(cut).collect())
}

#[cfg(test)]
mod tests {
    use walkable::{
        diagnostic::{Finding, Meters},
        phrase,
    };

    use super::*;

    fn info(text: impl Into<String>) -> LogLine {
        LogLine::new(Severity::Info, Phrase::verbatim(text))
    }

    #[test]
    fn the_newest_lines_are_kept_and_found_in_any_case() {
        let mut log = Log::default();
        (0..MAX_LINES + 5).for_each(|n| log.push(info(format!("Line {n}"))));
        log.push(LogLine::new(Severity::Error, "ä".repeat(MAX_BYTES).into()));
        assert_eq!((log.iter().count(), log.n_dropped()), (MAX_LINES, 6));
        assert_eq!(log.iter().next().map(LogEntry::text).as_deref(), Some("Line 6"));
        assert!(log.iter().all(|line| line.text().len() <= MAX_BYTES + 4));
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
        log.push(LogLine::new(Severity::Error, Phrase::verbatim("b")));
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
    fn lines_follow_the_language_of_the_window() {
        let mut log = Log::default();
        let found = Diagnostic::new(Finding::LevelTiny { side: Meters(0.5), scale: 100.0 });
        let found = found.at(Location::Line(3));
        let opened = phrase!("{name}: {found}", name = "a.obj", found = found.clone());
        log.push(LogLine::new(Severity::Warning, opened));
        log.push(LogLine::new(Severity::Info, lang::line(found)));
        let texts = || log.iter().map(LogEntry::text).collect::<Vec<_>>();
        let english =
            "line 3: the level is only 0.5 m across, too small for the agent: try a scale of 100";
        let english = [format!("a.obj: {english}"), format!("{english} [level-tiny]")];
        assert_eq!(texts(), english);
        lang::set_language(lang::Language::Chinese);
        let chinese = "第 3 行：关卡宽度仅 0.5 m，对代理来说太小：请尝试缩放 100";
        let chinese = [format!("a.obj：{chinese}"), format!("{chinese} [level-tiny]")];
        assert_eq!(texts(), chinese);
        assert_eq!(log.iter().filter(|line| line.contains("太小")).count(), 2);
        lang::set_language(lang::Language::English);
        assert_eq!(texts(), english);
        // The text of an error may be long.
        let error = phrase!("{name}: {found}", name = "b.obj", found = "é".repeat(MAX_BYTES));
        log.push(LogLine::new(Severity::Error, lang::with_more("c".to_owned(), error)));
        let last = log.iter().next_back().map(LogEntry::text).unwrap_or_default();
        assert!(last.starts_with("c: b.obj: é") && last.len() < MAX_BYTES + 20, "{}", last.len());
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
