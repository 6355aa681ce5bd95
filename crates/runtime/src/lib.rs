#![doc = include_str!("../README.md")]

pub mod crowd;
pub mod diagnostic;
pub mod geom;
pub mod ids;
mod in_order;
pub mod monitor;
pub mod navmesh;
pub mod query;
pub mod random;
pub mod search;
pub mod side_by_side;
pub mod stage;
pub mod streaming;
pub mod tasks;
