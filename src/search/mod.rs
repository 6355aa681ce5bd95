//! Graph search without geometry: the open list and node storage that every search shares.

mod node_pool;
mod open_list;

pub use node_pool::{NodeIdx, NodePool};
pub use open_list::OpenList;
