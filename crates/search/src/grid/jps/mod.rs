//! Jump Point Search: cheapest paths on grids by opening few cells.

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

/// What jump point search leaves out of its open list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prune {
    /// Nothing: each jump point is opened.
    #[default]
    None,
    /// Jump points in the middle of a diagonal that only lead to others straight ahead: those are
    /// opened in their stead.
    Intermediate,
}
