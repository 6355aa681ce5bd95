//! Results of tasks.

use std::fmt;

use crate::{crowd::AgentId, diagnostic::Phrase, phrase, query::WhyNot};

/// An event of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskEvent {
    /// The agent that has the task.
    pub agent: AgentId,
    /// What happened.
    pub kind: TaskEventKind,
    /// Whether the task has ended. The agent then has no task and no target.
    pub is_final: bool,
}

/// What happened to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskEventKind {
    /// The agent is within the radius, and the task has ended; or it has come within the band of the target that it
    /// follows, and the task goes on.
    Arrived,
    /// The agent has not moved for [`TaskRules::blocked_after`](super::TaskRules::blocked_after) seconds. The task goes
    /// on, and the event is repeated if the agent still does not move.
    Blocked {
        /// The nearest agent ahead that is close enough to be the reason; `None` if there is none.
        by: Option<AgentId>,
    },
    /// The agent has not moved for [`TaskRules::give_up_after`](super::TaskRules::give_up_after) seconds. The task has
    /// ended.
    GaveUp {
        /// As in [`TaskEventKind::Blocked`].
        by: Option<AgentId>,
    },
    /// No path leads close enough to the target, or the agent stands still at the end of a partial path and no other
    /// agent is ahead. The task has ended.
    Unreachable {
        /// The reason, if it is known.
        why: Option<WhyNot>,
    },
    /// The target or the agent is lost. The task has ended.
    Lost {
        /// What was lost.
        cause: LossCause,
    },
    /// The task took longer than [`TaskRules::timeout`](super::TaskRules::timeout). The task has ended.
    TimedOut,
}

impl TaskEventKind {
    /// Returns one clause for users.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::Arrived => phrase!("arrived"),
            Self::Blocked { by: Some(by) } => {
                phrase!("blocked by agent {agent}", agent = by.to_string())
            }
            Self::Blocked { by: None } => phrase!("blocked"),
            Self::GaveUp { by: Some(by) } => {
                phrase!("gave up, blocked by agent {agent}", agent = by.to_string())
            }
            Self::GaveUp { by: None } => phrase!("gave up, blocked"),
            Self::Unreachable { why: Some(why) } => {
                phrase!("unreachable: {why}", why = why.phrase())
            }
            Self::Unreachable { why: None } => phrase!("unreachable"),
            Self::Lost { cause } => phrase!("lost: {cause}", cause = cause.phrase()),
            Self::TimedOut => phrase!("timed out"),
        }
    }
}

impl fmt::Display for TaskEventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

/// What was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossCause {
    /// The target agent was removed, or the game supplied no position for the entity.
    TargetGone,
    /// The target was off the navmesh for longer than [`TaskRules::lost_after`](super::TaskRules::lost_after).
    TargetOffMesh,
    /// The agent itself was removed.
    AgentGone,
    /// The agent itself is off the navmesh.
    AgentOffMesh,
}

impl LossCause {
    /// Returns one clause for users.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::TargetGone => phrase!("the target is gone"),
            Self::TargetOffMesh => phrase!("the target is off the navmesh"),
            Self::AgentGone => phrase!("the agent was removed"),
            Self::AgentOffMesh => phrase!("the agent is off the navmesh"),
        }
    }
}

impl fmt::Display for LossCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}
