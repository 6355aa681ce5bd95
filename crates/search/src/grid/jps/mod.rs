//! Jump Point Search: optimal paths on grids with few opened cells.

mod core;
mod cut;
mod keep;
mod nodes;
mod online;
mod plus;
mod rule;
mod scan;

pub(super) use nodes::JumpNodes;
pub use online::jps;
pub use plus::{JumpTable, jps_plus};

/// Pruning of the open list in Jump Point Search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prune {
    /// Opens each jump point.
    #[default]
    None,
    /// Prunes jump points in the middle of a diagonal that only lead to other jump points, and opens those instead.
    Intermediate,
}
