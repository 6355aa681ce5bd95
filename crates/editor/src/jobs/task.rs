//! The traits of background jobs and tasks.

use std::{fmt::Debug, path::PathBuf};

use walkable::{diagnostic::Phrase, phrase};

use crate::{
    jobs::{
        export::{Clash, Written},
        slot::Reporter,
        store_source::SourceFolders,
    },
    session::{GameLine, Session},
};

/// The request of a background job. It is self-contained: no job reads the session.
pub trait Job: Send + Sized + 'static {
    type Message: Send + 'static;

    fn carry_out(self, report: &Reporter<Self::Message>);

    fn can_be_sent(&self) -> bool {
        true
    }
}

/// A job of which at most one runs at a time. `tasks!` lists all of them.
pub trait Task: Job + Debug {
    const THREAD: &'static str;
    /// Whether the task is cancelled when the level or navmesh is closed, because its results belong to it.
    const ENDS_WITH_LEVEL: bool;

    /// Names the task in the message about a panic, as in "Comparing bakes".
    fn what() -> Phrase;

    fn set_resources(&mut self, _: &TaskResources) {}

    fn apply(session: &mut Session, message: Self::Message) -> Option<FollowUp>;

    /// Applies the end of the task, unless it was cancelled.
    fn end(_: &mut Session) -> Option<FollowUp> {
        None
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct TaskResources {
    pub folders: SourceFolders,
    /// Maximum memory of a navmesh that is written in one piece, in bytes.
    pub navmesh_bytes: u64,
}

impl Default for TaskResources {
    fn default() -> Self {
        Self { folders: SourceFolders::default(), navmesh_bytes: 1 << 30 }
    }
}

/// What has to be done after a message of a task, apart from the change of the session.
#[derive(Clone, Debug, PartialEq)]
pub enum FollowUp {
    Problem(TaskProblem),
    AskReplace(Clash),
    Open(PathBuf),
    Written(Box<Written>),
    TellGames(Vec<GameLine>),
}

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
