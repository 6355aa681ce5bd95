//! Graph search without geometry: what every search shares, and graphs of numbered vertices.

mod components;
mod min_queue;
mod node_pool;
mod open_list;
mod trace;

pub use components::Graph;
pub(crate) use min_queue::MinQueue;
pub use node_pool::{NodeIdx, NodePool};
pub use open_list::OpenList;
pub use trace::{SearchStats, Side, Step, StepKind, Trace, Unwatched, Watch};
