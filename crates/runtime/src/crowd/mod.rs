//! Agents that move together: each follows its path, and all avoid each other.
//!
//! A [`Crowd`] contains agents and moves them in each update. A game adds agents, sets their targets, and draws them at
//! [`Agent::position`]:
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
//! 1. Agents check their paths and search for the beginnings of new ones. Longer searches are queued; together they expand
//!    a hundred polygons per update.
//! 2. Agents find walls, at most six neighbors, their next corners and a desired velocity.
//! 3. Agents choose a velocity that avoids neighbors and walls, and move.
//! 4. Agents that overlap are moved apart; those with reciprocal avoidance stay where they were if they would still overlap.
//!    All agents are moved back onto the navmesh or along their off-mesh link.
//!
//! In each step, an agent reads only the state of others before the step. So each step runs on all threads, and the
//! result is the same on any number of threads. Updates allocate nothing once their memory has grown to the necessary
//! size.
//!
//! A crowd can be serialized with serde. A deserialized crowd continues with the same results.

mod agent;
mod agent_id;
mod avoidance;
mod boundary;
mod epoch;
mod memory;
mod motion;
mod mover;
mod neighbors;
mod params;
mod path_queue;
mod planning;
mod proximity;
mod reciprocal;
mod right_of_way;
mod search;
mod spacing;
mod steering;
#[cfg(test)]
mod tests;
mod update;
mod world;

pub use agent::{Agent, AgentState, CrowdNeighbor, TargetState};
pub use agent_id::AgentId;
pub use avoidance::{AvoidanceMethod, AvoidanceParams, Sampling, VelocitySample};
pub use params::{AgentParams, CrowdError, CrowdParams, UpdateFlags};
pub use proximity::ProximityCell;
pub use update::Crowd;
