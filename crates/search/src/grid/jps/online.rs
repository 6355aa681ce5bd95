use walkable_runtime::search::Watch;

use super::{Prune, core, cut::CutCorners, keep::KeepCorners};
use crate::grid::{Corners, GridAnswer, GridQuery, GridScratch, Moves};

/// Finds an optimal path by Jump Point Search: A* that opens only cells at which an optimal path may turn, found by
/// scanning rows, columns and diagonals one word of bits at a time. Needs no preprocessing except the grid's own
/// tables.
///
/// Supports eight moves with any rule for corners. Finds no path with [`Moves::Four`].
///
/// Differs from the common description: a scan stops only at obstacles and jump points, never at a cell that is already
/// open or closed, which would lose optimal paths. With [`Corners::Keep`], neighbors are forced by obstacles behind a
/// cell, and diagonals have no forced neighbors.
///
/// Source: Harabor and Grastien, "Online graph pruning for pathfinding on grid maps", 2011, and "Improving Jump Point
/// Search", 2014, for scanning words and [`Prune::Intermediate`].
pub fn jps<W: Watch>(
    query: &GridQuery<'_>,
    prune: Prune,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    match query.moves {
        Moves::Four => GridAnswer::default(),
        Moves::Eight(Corners::Keep) => {
            core::search(query, |query| KeepCorners::new(query, prune), scratch, watch)
        }
        Moves::Eight(corners) => {
            core::search(query, |query| CutCorners { query, corners, prune }, scratch, watch)
        }
    }
}
