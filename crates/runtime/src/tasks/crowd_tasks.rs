//! The tasks of a crowd's agents.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{
    event::{LossCause, TaskEvent, TaskEventKind},
    mover::Mover as _,
    state::TaskState,
    task::{MovementTask, TaskError, TaskRules, TaskTarget},
    walker::{Memory, Walker},
};
use crate::{
    crowd::{Agent, AgentId, Crowd},
    navmesh::NavMesh,
    query::MeshPoint,
};

/// The tasks of the agents of a [`Crowd`], at most one each. See the [module](super).
///
/// Tasks can be saved and loaded with serde, together with their crowd, and then continue exactly where they stopped.
/// Events that were not read yet are not saved.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "SavedTasks")]
pub struct CrowdTasks {
    /// The tasks, by agent.
    tasks: Vec<Option<TaskState<MeshPoint>>>,
    #[serde(skip)]
    events: Vec<TaskEvent>,
    #[serde(skip)]
    memory: Memory,
}

/// Tasks before validation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedTasks {
    tasks: Vec<Option<TaskState<MeshPoint>>>,
}

impl TryFrom<SavedTasks> for CrowdTasks {
    type Error = String;

    fn try_from(SavedTasks { tasks }: SavedTasks) -> Result<Self, String> {
        for (number, state) in tasks.iter().enumerate() {
            let Some(state) = state else { continue };
            let checked = state.task().check().and_then(|()| state.rules().check());
            checked.map_err(|error| format!("agent {number}: {error}"))?;
        }
        Ok(Self { tasks, ..Self::default() })
    }
}

impl CrowdTasks {
    /// Assigns a task to an agent, in place of the one it has. The agent is sent off in the next update. While it has a
    /// task, its target should not be changed in other ways.
    ///
    /// # Errors
    /// Returns a [`TaskError`] if there is no such agent, it is its own target, or a number is invalid.
    pub fn assign(
        &mut self,
        crowd: &Crowd,
        agent: AgentId,
        task: MovementTask,
        rules: TaskRules,
    ) -> Result<(), TaskError> {
        let state = TaskState::new(task, rules)?;
        if crowd.agent(agent).is_none() {
            return Err(TaskError::NoAgent { agent });
        }
        if task.target() == Some(TaskTarget::Agent(agent)) {
            return Err(TaskError::OwnTarget { agent });
        }
        let slot = slot_of(agent);
        if self.tasks.len() <= slot {
            self.tasks.resize(slot + 1, None);
        }
        self.tasks[slot] = Some(state);
        Ok(())
    }

    /// Removes the task of an agent and stops the agent; returns whether it had a task. Cancel the task of an agent
    /// before you remove the agent: the id may be reused.
    pub fn cancel(&mut self, crowd: &mut Crowd, agent: AgentId) -> bool {
        let task = self.tasks.get_mut(slot_of(agent)).and_then(Option::take);
        // An agent that was removed already does not need to stop.
        task.map(|_| crowd.reset_target(agent).ok()).is_some()
    }

    /// Returns the task of an agent.
    pub fn task(&self, agent: AgentId) -> Option<&TaskState<MeshPoint>> {
        self.tasks.get(slot_of(agent))?.as_ref()
    }

    /// Returns all tasks, by agent.
    pub fn iter(&self) -> impl Iterator<Item = (AgentId, &TaskState<MeshPoint>)> {
        let numbered = (0..).map(AgentId).zip(&self.tasks);
        numbered.filter_map(|(agent, task)| Some((agent, task.as_ref()?)))
    }

    /// Continues all tasks by `seconds`; call it before each [`Crowd::update`]. `position_of` returns the current
    /// position of an entity of the game, `None` if it no longer exists; it is only called for entities that are the
    /// target of a task. Agents whose task has ended are stopped.
    ///
    /// Returns the events of this update, ordered by agent. Nothing happens if `seconds` is negative or not finite.
    pub fn update(
        &mut self,
        crowd: &mut Crowd,
        mesh: &NavMesh,
        seconds: f32,
        position_of: impl Fn(u32) -> Option<Vec3>,
    ) -> &[TaskEvent] {
        let Self { tasks, events, memory } = self;
        events.clear();
        if !seconds.is_finite() || seconds < 0.0 {
            return events;
        }
        memory.start_update();
        for (id, place) in (0..).map(AgentId).zip(tasks) {
            let Some(task) = place else { continue };
            let target = match task.task().target() {
                None => None,
                Some(TaskTarget::Agent(target)) => crowd.agent(target).map(Agent::position),
                Some(TaskTarget::Entity(entity)) => position_of(entity),
            };
            let kind = if crowd.agent(id).is_some() {
                let mut walker = Walker { crowd, mesh, id, memory };
                let kind = task.update(&mut walker, target, seconds);
                if kind.is_some_and(|kind| task.is_ended_by(kind)) {
                    walker.stop();
                }
                kind
            } else {
                Some(TaskEventKind::Lost { cause: LossCause::AgentGone })
            };
            let Some(kind) = kind else { continue };
            let is_final = task.is_ended_by(kind);
            events.push(TaskEvent { agent: id, kind, is_final });
            if is_final {
                *place = None;
            }
        }
        events
    }
}

fn slot_of(agent: AgentId) -> usize {
    agent.0 as usize
}
