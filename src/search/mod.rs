//! Graph search without geometry: the open list and node storage that every search shares.

mod components;
mod node_pool;
mod open_list;

pub use components::Graph;
pub use node_pool::{NodeIdx, NodePool};
pub use open_list::OpenList;
