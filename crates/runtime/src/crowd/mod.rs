//! Agents that move together: each follows its path, and all avoid each other.
//!
//! A [`Crowd`] holds agents and moves them on, update by update. A game adds agents, gives them targets, and
//! draws them where [`Agent::position`] says:
//!
//! ```
//! # use std::sync::Arc;
//! # use walkable::{bake::*, level::*, monitor::Unmonitored};
//! use walkable::{crowd::{AgentParams, Crowd, CrowdParams}, query::{Filter, NearestRequest, nearest}};
//!
//! # let level = generate(LevelKind::Sample, 1, 30.0)?;
//! # let mesh = bake(BakeInput::new(Arc::new(level.mesh), BakeSettings::default()), &Unmonitored)?;
//! # let (start, end) = (level.start, level.end);
//! let mut crowd = Crowd::new(CrowdParams { max_agents: 100, max_agent_radius: 0.6 })?;
//! let agent = crowd.add_agent(&mesh, start, AgentParams::of_size(0.6, 2.0))?;
//! let (half_extents, filter) = (crowd.query_half_extents(), Filter::default());
//! let target = nearest(&mesh, &NearestRequest { center: end, half_extents, filter: &filter })?;
//! crowd.set_target(agent, target.ok_or("the end is off the navmesh")?)?;
//! for _frame in 0..60 {
//!     crowd.update(&mesh, 1.0 / 60.0);
//! }
//! let moved = crowd.agent(agent).map(|agent| agent.position().distance(start));
//! assert!(moved > Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # An update
//!
//! 1. Agents check their paths and search beginnings of new ones; longer searches are queued and go on for a
//!    hundred polygons an update, whatever their number.
//! 2. Agents find walls and neighbors, at most six, their next corners and a desired velocity.
//! 3. Agents choose a velocity that avoids what is around, and move.
//! 4. Overlaps are undone, and agents are put onto the navmesh or along their off-mesh link.
//!
//! In each step an agent reads of others only what they were before it, so a step is done on all threads, and
//! the result is the same on any number of them. The second update of the same kind allocates nothing.
//!
//! A crowd can be written and read with serde; it goes on as if nothing had happened.

mod agent;
mod agent_id;
mod avoidance;
mod boundary;
mod memory;
mod motion;
mod params;
mod path_queue;
mod planning;
mod proximity;
mod reciprocal;
mod search;
mod steering;
#[cfg(test)]
mod tests;
mod update;
mod world;

pub use agent::{Agent, AgentState, CrowdNeighbor, TargetState};
pub use agent_id::AgentId;
pub use avoidance::{AvoidanceMethod, AvoidanceParams, Sampling};
pub use params::{AgentParams, CrowdError, CrowdParams, UpdateFlags};
pub use update::Crowd;
