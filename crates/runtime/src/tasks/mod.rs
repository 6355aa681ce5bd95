//! Movement tasks of agents: go to a point, approach a moving target, follow it.
//!
//! | task | ends |
//! |---|---|
//! | [`MovementTask::GoTo`]: go to within a radius of a point | on arrival |
//! | [`MovementTask::Approach`]: go to within a radius of a moving entity | on arrival |
//! | [`MovementTask::Follow`]: stay within a band of distances to a moving entity | only if it fails |
//!
//! [`CrowdTasks`] runs the tasks of the agents of a [`Crowd`](crate::crowd::Crowd). It only calls
//! [`Crowd::set_target`](crate::crowd::Crowd::set_target) and [`Crowd::reset_target`](crate::crowd::Crowd::reset_target):
//! agents without a task, and crowds without tasks, move exactly as before.
//!
//! ```
//! # use std::sync::Arc;
//! # use walkable::{bake::*, level::*, monitor::Unmonitored};
//! use walkable::{
//!     crowd::{AgentParams, Crowd, CrowdParams},
//!     tasks::{CrowdTasks, MovementTask, TaskEventKind, TaskRules},
//! };
//!
//! # let level = generate(LevelKind::Sample, 1, 30.0)?;
//! # let mesh = bake(BakeInput::new(Arc::new(level.mesh), BakeSettings::default()), &Unmonitored)?;
//! # let (start, end) = (level.start, level.end);
//! let mut crowd = Crowd::new(CrowdParams { max_agents: 100, max_agent_radius: 0.6 })?;
//! let agent = crowd.add_agent(&mesh, start, AgentParams::of_size(0.6, 2.0))?;
//! let mut tasks = CrowdTasks::default();
//! let task = MovementTask::GoTo { point: end, radius: 2.0 };
//! tasks.assign(&crowd, agent, task, TaskRules::default())?;
//! 'frames: for _frame in 0..3600 {
//!     for event in tasks.update(&mut crowd, &mesh, 1.0 / 60.0, |_entity| None) {
//!         match event.kind {
//!             TaskEventKind::Arrived => break 'frames,
//!             other => eprintln!("agent {}: {other}", event.agent),
//!         }
//!     }
//!     crowd.update(&mesh, 1.0 / 60.0);
//! }
//! let away = crowd.agent(agent).map(|agent| agent.position().distance(end));
//! assert!(away <= Some(2.1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Distances
//!
//! Distances are horizontal, in meters, between the agent's position and the target. A target that is more than the
//! agent's height above or below it is not in reach at any distance. [`Reach`] says what else arrival requires: a free
//! line over the navmesh, or a short path.
//!
//! # Other movers
//!
//! [`TaskState`] contains the rules of a task, for any [`Mover`]: the walkers of a crowd are one, and the flyers and
//! swimmers of `walkable::voxel::Flyer`, with paths through a volume, are another.

mod crowd_tasks;
mod event;
mod mover;
mod state;
mod task;
#[cfg(test)]
mod tests;
mod walker;

pub use crowd_tasks::CrowdTasks;
pub use event::{LossCause, TaskEvent, TaskEventKind};
pub use mover::{Mover, PathOutcome, PathProgress};
pub use state::{TaskPhase, TaskState};
pub use task::{MovementTask, Reach, TaskError, TaskRules, TaskTarget};
