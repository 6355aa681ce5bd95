//! What happened, as the log lists it.

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

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// How bad it is.
    pub severity: Severity,
    /// What happened.
    pub text: String,
}
