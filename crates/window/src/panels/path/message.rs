//! The state of a path as text, with its tone.

/// Tone of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// The user still has to do something.
    Waiting,
    /// The path is complete.
    Good,
    /// The path is partial.
    Fair,
    /// There is no path.
    Bad,
}

/// The state of the path as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathMessage {
    /// Tone of the message.
    pub(super) tone: Tone,
    /// The state in a word or two.
    pub(super) title: &'static str,
    /// The reason.
    pub(super) why: String,
    /// What to do next.
    pub(super) next: Option<&'static str>,
}
