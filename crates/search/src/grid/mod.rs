//! Grids of passable and blocked cells, and searches on them.
//!
//! Cells are counted from 0 along x and y. A step along a row or column costs 1, a diagonal step costs the square root
//! of 2. Every search takes a [`GridQuery`], reusable memory and a [`Watch`](walkable_runtime::search::Watch) that
//! receives each step; the places of steps are [numbers of cells](Grid::number).
//!
//! | search | path | best for |
//! |---|---|---|
//! | [`astar`] | optimal, or at most `weight` times the optimum | one query on any grid |
//! | [`astar`] with [`Landmarks`] | optimal | many queries, winding paths |
//! | [`bidirectional`] | optimal | goals that may be walled in |
//! | [`jps`] | optimal | one query on a large grid |
//! | [`jps_plus`] | optimal | many queries on a grid that does not change |
//! | [`theta`] | short, any angle | paths that look straight |
//! | [`distances`] | optimal, to all cells | many goals |

mod answer;
mod astar;
mod bidirectional;
mod bits;
mod cell;
mod convex;
mod cost;
mod direction;
mod distances;
mod estimate;
#[expect(clippy::module_inception, reason = "the grid itself")]
mod grid;
mod jps;
mod landmarks;
mod maze;
mod moves;
pub(crate) mod movingai;
mod outline;
mod queue;
mod runs;
mod scratch;
mod sight;
#[cfg(test)]
mod tests;
mod theta;

pub use answer::{GridAnswer, GridPath, GridQuery};
pub use astar::astar;
pub use bidirectional::bidirectional;
pub use cell::Cell;
pub use convex::convex_pieces;
pub use distances::{Distances, distances};
pub use estimate::Estimate;
pub use grid::{Grid, GridError, MAX_CELLS, MAX_SIDE};
pub use jps::{JumpTable, Prune, jps, jps_plus};
pub use landmarks::Landmarks;
pub use maze::Maze;
pub use moves::{Corners, Moves};
pub use movingai::{GridScenario, MovingAiError, read_map, read_scenario};
pub use outline::{Corner, Outline, outlines, simplified};
pub use scratch::GridScratch;
pub use sight::is_in_sight;
#[cfg(test)]
pub(crate) use tests::picture;
pub use theta::{SightCheck, theta};
