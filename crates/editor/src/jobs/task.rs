//! The trait of background tasks.

use walkable::{diagnostic::Phrase, phrase};

use crate::{
    jobs::{job_workers::WorkerRequest, store_source::SourceFolders},
    session::Session,
};

/// The request of a background task. It is self-contained: no task reads the session.
pub trait Task: WorkerRequest + std::fmt::Debug {
    /// Name of its thread.
    const THREAD: &'static str;

    /// Names the task in the message about a panic, as in "Comparing bakes".
    fn what() -> Phrase;

    /// Sets the folders that bakes of whole levels use.
    fn set_folders(&mut self, _: &SourceFolders) {}

    /// Applies a message to the session. Returns a problem to show the user.
    fn apply(session: &mut Session, message: Self::Message) -> Option<TaskProblem>;
}

/// Why a task has no result.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskProblem {
    pub title: Phrase,
    pub why: Phrase,
}

impl TaskProblem {
    /// Creates the problem for a task that panicked; `what` names the task.
    pub(crate) fn bug(what: Phrase, why: String) -> Self {
        let title = phrase!("{what} ended in an internal error", what);
        Self { title, why: phrase!("Your work is untouched. The message was: {why}", why) }
    }
}
