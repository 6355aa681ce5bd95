//! Graph search without geometry: what every search shares, and graphs of numbered vertices.

mod cancellable;
mod components;
mod condensation;
mod min_queue;
mod node_pool;
mod open_list;
mod trace;
mod traverse;
mod weighted;

pub use cancellable::{Cancellable, cancellable};
pub use components::Graph;
pub use condensation::Condensation;
pub use min_queue::MinQueue;
pub use node_pool::{NodeIdx, NodePool};
pub use open_list::OpenList;
pub use trace::{SearchStats, SearchStep, Side, StepKind, Trace, Unwatched, Watch, is_over};
pub use traverse::{Visits, breadth_first, depth_first};
pub use weighted::{EdgeError, ShortestPathTree, WeightedGraph, dijkstra};
