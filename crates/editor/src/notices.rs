//! Messages for the user. Errors and messages with a remedy stay until the user closes them.

use std::time::Duration;

use walkable::diagnostic::Phrase;
use web_time::Instant;

use crate::{command::Command, session::Severity};

/// Time for which a message stays that is not an error.
const LIFETIME: Duration = Duration::from_secs(6);
/// Maximum number of messages; the oldest are dropped.
const MAX_NOTICES: usize = 6;

#[derive(Clone, Debug)]
pub struct Notice {
    pub id: u64,
    pub severity: Severity,
    /// What happened, in one line.
    pub title: Phrase,
    /// Where and why; may be long.
    pub detail: Phrase,
    pub remedy: Option<Command>,
    expires: Option<Instant>,
}

/// All messages that were not closed, oldest first.
#[derive(Debug, Default)]
pub struct Notices {
    list: Vec<Notice>,
    last_id: u64,
}

impl Notices {
    /// Shows a message, in place of an equal one. Errors and messages with a remedy stay until the user closes them.
    pub fn push(
        &mut self,
        severity: Severity,
        title: Phrase,
        detail: Phrase,
        remedy: Option<Command>,
    ) {
        self.list.retain(|old| old.title != title || old.detail != detail);
        self.last_id += 1;
        let expires =
            (severity < Severity::Error && remedy.is_none()).then(|| Instant::now() + LIFETIME);
        let id = self.last_id;
        self.list.push(Notice { id, severity, title, detail, remedy, expires });
        if self.list.len() > MAX_NOTICES {
            self.list.remove(0);
        }
    }

    pub fn dismiss(&mut self, id: u64) {
        self.list.retain(|notice| notice.id != id);
    }

    pub fn expire(&mut self, now: Instant) {
        self.list.retain(|notice| notice.expires.is_none_or(|at| at > now));
    }

    pub fn next_expiry(&self, now: Instant) -> Option<Duration> {
        let next = self.list.iter().filter_map(|notice| notice.expires).min();
        next.map(|at| at.saturating_duration_since(now))
    }

    pub fn list(&self) -> &[Notice] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(notices: &mut Notices, severity: Severity, title: &str, detail: &str) {
        notices.push(severity, Phrase::verbatim(title), Phrase::verbatim(detail), None);
    }

    #[test]
    fn errors_stay_until_dismissed_and_others_go_by_themselves() {
        let mut notices = Notices::default();
        push(&mut notices, Severity::Info, "Saved", "");
        push(&mut notices, Severity::Error, "Cannot read", "line 3");
        let later = Instant::now() + LIFETIME * 10;
        notices.expire(Instant::now());
        assert!(notices.next_expiry(Instant::now()).is_some());
        notices.expire(later);
        assert_eq!(notices.next_expiry(later), None);
        let titles: Vec<_> = notices.list().iter().map(|n| n.title.to_string()).collect();
        assert_eq!(titles, ["Cannot read"]);
        notices.dismiss(notices.list()[0].id);
        assert!(notices.list().is_empty());
    }

    #[test]
    fn the_same_message_is_shown_once() {
        let mut notices = Notices::default();
        (0..3).for_each(|_| push(&mut notices, Severity::Error, "Cannot read", "line 3"));
        assert_eq!(notices.list().len(), 1);
    }
}
