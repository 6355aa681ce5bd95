//! Results of tasks.

use std::fmt;

use crate::{crowd::AgentId, query::WhyNot};

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
    /// No path leads close enough to the target. The task has ended.
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

impl fmt::Display for TaskEventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arrived => f.write_str("arrived"),
            Self::Blocked { by: Some(by) } => write!(f, "blocked by agent {by}"),
            Self::Blocked { by: None } => f.write_str("blocked"),
            Self::GaveUp { by: Some(by) } => write!(f, "gave up, blocked by agent {by}"),
            Self::GaveUp { by: None } => f.write_str("gave up, blocked"),
            Self::Unreachable { why: Some(why) } => write!(f, "unreachable: {why}"),
            Self::Unreachable { why: None } => f.write_str("unreachable"),
            Self::Lost { cause } => write!(f, "lost: {cause}"),
            Self::TimedOut => f.write_str("timed out"),
        }
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

impl fmt::Display for LossCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TargetGone => "the target is gone",
            Self::TargetOffMesh => "the target is off the navmesh",
            Self::AgentGone => "the agent was removed",
            Self::AgentOffMesh => "the agent is off the navmesh",
        })
    }
}
