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
        moves::{STEPS, Way, is_straight, turned},
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
    let Moves::Eight(corners) = query.moves else { return GridAnswer::default() };
    core::search(query, &Online { query, corners, prune }, scratch, watch)
}

struct Online<'a> {
    query: &'a GridQuery<'a>,
    corners: Corners,
    prune: Prune,
}

impl Successors for Online<'_> {
    fn each(&self, from: Cell, arrived: Option<Way>, mut found: impl FnMut(Jump, Cell)) {
        let grid = self.query.grid;
        let node = grid.node(from);
        let mut bits = self.query.moves.allowed_at(grid, node);
        if let Some(way) = arrived {
            bits &= rule::worth(self.corners, grid.rows().around(node), way);
        }
        for way in crate::grid::moves::ways(bits) {
            if is_straight(way) {
                let reach = self.scan(from, way);
                let Reach { distance, jumps } = reach;
                let jump = Jump { way, diagonal: 0, straight: distance, jumps };
                found(jump, moved(from, way, distance));
            } else {
                self.diagonal(from, way, &mut found);
            }
        }
    }
}

impl Online<'_> {
    #[inline]
    fn scan(&self, from: Cell, way: Way) -> Reach {
        scan::straight(self.query.grid, self.corners, from, way, Some(self.query.goal))
    }

    /// Goes along a diagonal whose first step is allowed.
    fn diagonal(&self, from: Cell, way: Way, found: &mut impl FnMut(Jump, Cell)) {
        let grid = self.query.grid;
        let [dx, dy] = STEPS[way];
        let mut at = from;
        let mut diagonal = 0;
        loop {
            at = Cell { x: at.x.wrapping_add_signed(dx), y: at.y.wrapping_add_signed(dy) };
            diagonal += 1;
            let node = grid.node(at);
            let jump = Jump { way, diagonal, straight: 0, jumps: true };
            if at == self.query.goal
                || rule::is_forced_diagonal(self.corners, grid.rows().around(node), way)
            {
                return found(jump, at);
            }
            for side in [turned(way, 7), turned(way, 1)] {
                let reach = self.scan(at, side);
                if reach.jumps && self.prune == Prune::None {
                    return found(jump, at);
                } else if reach.jumps {
                    let end = moved(at, side, reach.distance);
                    found(Jump { way: side, straight: reach.distance, ..jump }, end);
                }
            }
            if self.query.moves.allowed_at(grid, node) & 1 << way == 0 {
                return found(Jump { jumps: false, ..jump }, at);
            }
        }
    }
}
