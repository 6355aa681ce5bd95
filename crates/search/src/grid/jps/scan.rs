//! Scans along rows and columns for jump points with `Corners::Cut` and `Corners::Squeeze`, one word of cells at a
//! time.

use crate::grid::{
    Cell, Grid,
    bits::BitLines,
    direction::{Direction, EAST, NORTH, SOUTH, WEST},
};

/// End of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScanEnd {
    /// Number of cells from the start of the scan.
    pub(super) distance: u32,
    /// Whether the scan ended at a jump point or the goal; otherwise the next cell is blocked.
    pub(super) jumps: bool,
}

/// Scans from a cell in a straight direction.
pub(super) fn straight(grid: &Grid, from: Cell, direction: Direction) -> ScanEnd {
    let (in_row, in_column) = (grid.node(from), || grid.columns().at(from.x, from.y));
    match direction {
        EAST => forward(grid.rows(), in_row),
        SOUTH => forward(grid.columns(), in_column()),
        WEST => backward(grid.rows(), in_row),
        _ => backward(grid.columns(), in_column()),
    }
}

/// Shortens a scan to end at the goal if the goal is on its line.
#[inline]
pub(super) fn up_to(reach: ScanEnd, from: Cell, goal: Cell, direction: Direction) -> ScanEnd {
    match along(from, goal, direction) {
        Some(distance) if distance <= reach.distance => ScanEnd { distance, jumps: true },
        _ => reach,
    }
}

/// Returns the number of steps to the goal in `direction`, if the goal is ahead on that line.
fn along(from: Cell, goal: Cell, direction: Direction) -> Option<u32> {
    let (side, ahead) = match direction {
        EAST => ((from.y, goal.y), goal.x.checked_sub(from.x)),
        SOUTH => ((from.x, goal.x), goal.y.checked_sub(from.y)),
        NORTH => ((from.x, goal.x), from.y.checked_sub(goal.y)),
        _ => ((from.y, goal.y), from.x.checked_sub(goal.x)),
    };
    ahead.filter(|&ahead| side.0 == side.1 && ahead > 0)
}

/// Number of cells per word: the last cell of a word serves only as the neighbor of the one before.
const SPAN: u32 = 63;

/// Scans to larger indices for a blocked cell in a line beside whose next cell is free.
#[inline]
fn forward(lines: &BitLines, at: usize) -> ScanEnd {
    let stride = lines.stride();
    let mut distance = 0;
    loop {
        // Bit `i` of the words below stands for the cell `i + 1` steps ahead.
        let next = at + distance as usize + 1;
        let blocked = !lines.window(next);
        let side = |line: u64| !line & (line >> 1);
        let turns = side(lines.window(next - stride)) | side(lines.window(next + stride));
        let stop = (blocked | turns) & (u64::MAX >> 1);
        if stop != 0 {
            let i = stop.trailing_zeros();
            let jumps = blocked >> i & 1 == 0;
            return ScanEnd { distance: distance + i + u32::from(jumps), jumps };
        }
        distance += SPAN;
    }
}

#[inline]
fn backward(lines: &BitLines, at: usize) -> ScanEnd {
    let stride = lines.stride();
    let mut distance = 0;
    loop {
        // Bit `63 - i` of the words below stands for the cell `i + 1` steps back.
        let last = at - distance as usize - 64;
        let blocked = !lines.window(last);
        let side = |line: u64| !line & (line << 1);
        let turns = side(lines.window(last - stride)) | side(lines.window(last + stride));
        let stop = (blocked | turns) & (u64::MAX << 1);
        if stop != 0 {
            let i = stop.leading_zeros();
            let jumps = blocked << i >> 63 == 0;
            return ScanEnd { distance: distance + i + u32::from(jumps), jumps };
        }
        distance += SPAN;
    }
}
