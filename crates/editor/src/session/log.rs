//! What happened, as the log lists it.

use std::collections::VecDeque;

use walkable::diagnostic;

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

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// How bad it is.
    pub severity: Severity,
    /// What happened.
    pub text: String,
    /// The text as it is searched: in lower case.
    lower: String,
}

impl LogEntry {
    /// Whether the text holds `words`, which are in lower case.
    pub fn contains(&self, words: &str) -> bool {
        self.lower.contains(words)
    }
}

/// The newest lines, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Log {
    lines: VecDeque<LogEntry>,
    n_dropped: usize,
}

impl Log {
    /// Adds a line.
    pub fn push(&mut self, severity: Severity, mut text: String) {
        if text.len() > MAX_BYTES {
            let end = (0..=MAX_BYTES).rev().find(|&end| text.is_char_boundary(end));
            text.truncate(end.unwrap_or(0));
            text.push('…');
        }
        let lower = text.to_lowercase();
        self.lines.push_back(LogEntry { severity, text, lower });
        if self.lines.len() > MAX_LINES {
            self.lines.pop_front();
            self.n_dropped += 1;
        }
    }

    /// The lines that are kept.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &LogEntry> {
        self.lines.iter()
    }

    /// Number of older lines that were dropped.
    pub const fn n_dropped(&self) -> usize {
        self.n_dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_are_kept_and_found_in_any_case() {
        let mut log = Log::default();
        (0..MAX_LINES + 5).for_each(|n| log.push(Severity::Info, format!("Line {n}")));
        log.push(Severity::Error, "ä".repeat(MAX_BYTES));
        assert_eq!((log.iter().count(), log.n_dropped()), (MAX_LINES, 6));
        assert_eq!(log.iter().next().map(|line| &*line.text), Some("Line 6"));
        assert!(log.iter().all(|line| line.text.len() <= MAX_BYTES + 4));
        assert_eq!(log.iter().filter(|line| line.contains("line 100")).count(), 11);
    }
}
