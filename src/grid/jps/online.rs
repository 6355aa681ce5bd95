//! Jump point search that scans the grid as it goes.

use super::{
    Prune,
    core::{self, Jump, Successors, moved},
    rule,
    scan::{self, Reach},
};
use crate::{
    grid::{
        Cell, Corners, GridAnswer, GridQuery, GridScratch, Moves,
        moves::{EAST, NORTH, SOUTH, STEPS, WEST, Way, is_straight, ways},
    },
    search::Watch,
};

/// Finds the cheapest path by Jump Point Search: A* that opens only cells where a cheapest path may have
/// to turn, and finds these by scanning rows and columns a word of bits at a time. Nothing is computed
/// beforehand.
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
        Moves::Eight(corners @ Corners::Keep) => {
            let online = Online::<true> { query, corners, prune };
            core::search(query, &online, scratch, watch)
        }
        Moves::Eight(corners) => {
            let online = Online::<false> { query, corners, prune };
            core::search(query, &online, scratch, watch)
        }
    }
}

/// `KEEP` says whether corners are kept, once for all scans.
struct Online<'a, const KEEP: bool> {
    query: &'a GridQuery<'a>,
    corners: Corners,
    prune: Prune,
}

impl<const KEEP: bool> Successors for Online<'_, KEEP> {
    fn each(&self, from: Cell, arrived: Option<Way>, mut found: impl FnMut(Jump, Cell)) {
        let grid = self.query.grid;
        let node = grid.node(from);
        let mut bits = self.query.moves.allowed_at(grid, node);
        if let Some(way) = arrived {
            bits &= rule::worth(self.corners, grid.rows().around(node), way);
        }
        for way in ways(bits) {
            if is_straight(way) {
                let reach = scan::straight::<KEEP>(grid, from, way);
                let Reach { distance, jumps } = scan::up_to(reach, from, self.query.goal, way);
                let jump = Jump { way, diagonal: 0, straight: distance, jumps };
                found(jump, moved(from, way, distance));
            } else {
                self.diagonal(from, way, &mut found);
            }
        }
    }
}

impl<const KEEP: bool> Online<'_, KEEP> {
    /// Goes along a diagonal whose first step is allowed.
    fn diagonal(&self, from: Cell, way: Way, found: &mut impl FnMut(Jump, Cell)) {
        let GridQuery { grid, goal, .. } = *self.query;
        let (rows, columns) = (grid.rows(), grid.columns());
        let [dx, dy] = STEPS[way];
        let along_x = if dx > 0 { EAST } else { WEST };
        let along_y = if dy > 0 { SOUTH } else { NORTH };
        let mut at = from;
        let mut diagonal = 0;
        loop {
            at = Cell { x: at.x.wrapping_add_signed(dx), y: at.y.wrapping_add_signed(dy) };
            diagonal += 1;
            let [in_row, in_column] = [rows.at(at.y, at.x), columns.at(at.x, at.y)];
            let jump = Jump { way, diagonal, straight: 0, jumps: true };
            if at == goal || !KEEP && self.is_forced(in_row, way) {
                return found(jump, at);
            }
            let reach_x = if dx > 0 {
                scan::forward::<KEEP>(rows, in_row)
            } else {
                scan::backward::<KEEP>(rows, in_row)
            };
            let reach_y = if dy > 0 {
                scan::forward::<KEEP>(columns, in_column)
            } else {
                scan::backward::<KEEP>(columns, in_column)
            };
            for (side, reach) in [(along_x, reach_x), (along_y, reach_y)] {
                let reach = scan::up_to(reach, at, goal, side);
                let Reach { distance: straight, jumps } = reach;
                let is_point = jumps && self.prune == Prune::None;
                let end = moved(at, side, straight);
                found(Jump { way: side, straight, jumps: jumps && !is_point, diagonal }, end);
                if is_point {
                    return found(jump, at);
                }
            }
            let next =
                in_row.wrapping_add_signed(dy as isize * rows.stride().cast_signed() + dx as isize);
            let goes_on = if KEEP {
                // The scans know whether the cells beside the step are free.
                reach_x.distance > 0 && reach_y.distance > 0 && rows.is_set(next)
            } else {
                self.query.moves.allowed_at(grid, in_row) & 1 << way != 0
            };
            if !goes_on {
                return found(Jump { jumps: false, ..jump }, at);
            }
        }
    }

    fn is_forced(&self, node: usize, way: Way) -> bool {
        rule::is_forced_diagonal(self.corners, self.query.grid.rows().around(node), way)
    }
}
