//! Kinds of background tasks.

use serde::{Deserialize, Serialize};

/// A kind of background task. At most one of a kind runs; a new request replaces it. `jobs::tasks` says what each does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskId {
    AnswerGame,
    Changes,
    Check,
    ExplainPath,
    /// Writes all tiles of a tile store or level that is loaded in part.
    ExportStore,
    Fixes,
    Frames,
    Lab,
    OtherAgents,
    PathTests,
    PrepareQueries,
    Propose,
    Scenario,
    Soak,
    SortPieces,
    Sweep,
    TileSizes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskSet(u32);

impl TaskSet {
    pub(crate) const MAX: usize = u32::BITS as usize;

    pub const fn contains(self, task: TaskId) -> bool {
        self.0 & Self::of(task).0 != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn insert(&mut self, task: TaskId) {
        self.0 |= Self::of(task).0;
    }

    pub const fn remove(&mut self, tasks: Self) {
        self.0 &= !tasks.0;
    }

    const fn of(task: TaskId) -> Self {
        Self(1 << task as u16)
    }
}

impl From<TaskId> for TaskSet {
    fn from(task: TaskId) -> Self {
        Self::of(task)
    }
}

impl FromIterator<TaskId> for TaskSet {
    fn from_iter<T: IntoIterator<Item = TaskId>>(tasks: T) -> Self {
        let mut set = Self::default();
        tasks.into_iter().for_each(|task| set.insert(task));
        set
    }
}
