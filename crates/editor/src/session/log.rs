//! What happened, as the log lists it.

use walkable::diagnostic;

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
}
