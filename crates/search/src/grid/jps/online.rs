use walkable_runtime::search::Watch;

use super::{Prune, core, cut::Cut, keep::Keep};
use crate::grid::{Corners, GridAnswer, GridQuery, GridScratch, Moves};

/// Finds the cheapest path by Jump Point Search: A* that opens only cells where a cheapest path may have
/// to turn, and finds these by scanning rows, columns and diagonals a word of bits at a time. Nothing is
/// computed beforehand but the bits that the grid keeps.
///
/// Works by the eight ways and any rule for corners; with four ways it finds nothing.
///
/// Differs from the common description: a scan stops at obstacles and jump points only, never at a cell
/// that is open or closed already, which would lose cheapest paths; and where corners are kept, a way is
/// forced by obstacles behind it, and diagonals force nothing.
///
/// Source: Harabor and Grastien, "Online graph pruning for pathfinding on grid maps", 2011, and
/// "Improving Jump Point Search", 2014, for scanning words and [`Prune::Intermediate`].
pub fn jps<W: Watch>(
    query: &GridQuery<'_>,
    prune: Prune,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    match query.moves {
        Moves::Four => GridAnswer::default(),
        Moves::Eight(Corners::Keep) => {
            core::search(query, |query| Keep::new(query, prune), scratch, watch)
        }
        Moves::Eight(corners) => {
            core::search(query, |query| Cut { query, corners, prune }, scratch, watch)
        }
    }
}
