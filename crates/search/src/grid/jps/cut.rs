//! Jump Point Search with `Corners::Cut` and `Corners::Squeeze`.

use super::{
    Prune,
    core::{Jump, Jumps, Successors},
    nodes::Arrival,
    rule,
    scan::{self, ScanEnd},
};
use crate::grid::{
    Cell, Corners, GridQuery,
    direction::{Direction, directions, is_straight, moved, turned},
};

/// Finds jump points by scanning rows and columns one word at a time, and diagonals step by step.
pub(super) struct CutCorners<'a> {
    pub(super) query: &'a GridQuery<'a>,
    pub(super) corners: Corners,
    pub(super) prune: Prune,
}

impl Successors for CutCorners<'_> {
    fn each(&self, from: Cell, arrival: Option<Arrival>, out: &mut impl Jumps) {
        let grid = self.query.grid;
        let node = grid.node(from);
        let mut bits = self.query.moves.allowed_at(grid, node);
        if let Some(arrival) = arrival {
            bits &= rule::worth(self.corners, grid.rows().around(node), arrival.direction());
        }
        for direction in directions(bits) {
            if !is_straight(direction) {
                self.diagonal(from, direction, out);
                continue;
            }
            let (jump, is_worth_it) = self.straight(from, 0, direction);
            if is_worth_it {
                out.take(jump);
            } else {
                out.pass(|| jump);
            }
        }
    }
}

impl CutCorners<'_> {
    /// Scans in a straight direction from a cell reached by `diagonal` diagonal steps. Returns the jump to the end of
    /// the scan, and whether it ends at the goal or at a jump point.
    fn straight(&self, at: Cell, diagonal: u32, direction: Direction) -> (Jump, bool) {
        let GridQuery { grid, goal, .. } = *self.query;
        let ScanEnd { distance: straight, jumps } =
            scan::up_to(scan::straight(grid, at, direction), at, goal, direction);
        let arrival = Arrival::new(direction, 0);
        (Jump { diagonal, straight, to: moved(at, direction, straight), arrival }, jumps)
    }

    /// Scans along a diagonal whose first step is allowed.
    fn diagonal(&self, from: Cell, direction: Direction, out: &mut impl Jumps) {
        let GridQuery { grid, goal, moves, .. } = *self.query;
        let arrival = Arrival::new(direction, 0);
        let mut here = Jump { diagonal: 0, straight: 0, to: from, arrival };
        loop {
            here = Jump { diagonal: here.diagonal + 1, to: moved(here.to, direction, 1), ..here };
            let node = grid.node(here.to);
            let around = grid.rows().around(node);
            if here.to == goal || rule::is_forced_diagonal(self.corners, around, direction) {
                return out.take(here);
            }
            for side in [turned(direction, 7), turned(direction, 1)] {
                match (self.straight(here.to, here.diagonal, side), self.prune) {
                    ((jump, false), _) => out.pass(|| jump),
                    ((_, true), Prune::None) => return out.take(here),
                    ((jump, true), Prune::Intermediate) => out.take(jump),
                }
            }
            if moves.allowed_at(grid, node) & 1 << direction == 0 {
                return out.pass(|| here);
            }
        }
    }
}
