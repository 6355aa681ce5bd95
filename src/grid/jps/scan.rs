//! Scans along rows and columns for jump points, a word of cells at a time.

use crate::grid::{
    Cell, Grid,
    bits::BitLines,
    moves::{EAST, NORTH, SOUTH, WEST, Way},
};

/// Where a scan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// Cells from where it began.
    pub(super) distance: u32,
    /// Whether a jump point or the goal is there; else the next cell is blocked.
    pub(super) jumps: bool,
}

/// Scans from a cell along a straight way. `KEEP` says whether corners are kept.
pub(super) fn straight<const KEEP: bool>(grid: &Grid, from: Cell, way: Way) -> Reach {
    let (in_row, in_column) = (grid.node(from), || grid.columns().at(from.x, from.y));
    let (rows, columns, run) = (grid.rows(), grid.columns(), grid.runs().straight(way));
    match way {
        EAST => ahead::<KEEP, 1>(rows, run, in_row),
        SOUTH => ahead::<KEEP, 1>(columns, run, in_column()),
        WEST => ahead::<KEEP, -1>(rows, run, in_row),
        _ => ahead::<KEEP, -1>(columns, run, in_column()),
    }
}

/// The same along lines from where the cell is among them, up or down by `BY` a step. `run` has the bits
/// where a scan that way passes by.
#[inline]
pub(super) fn ahead<const KEEP: bool, const BY: i32>(
    lines: &BitLines,
    run: &BitLines,
    at: usize,
) -> Reach {
    match (KEEP, BY > 0) {
        (true, true) => forward_run(lines, run, at),
        (true, false) => backward_run(lines, run, at),
        (false, true) => forward(lines, at),
        (false, false) => backward(lines, at),
    }
}

/// Scans upwards where corners are kept, over the bits of a run.
#[inline]
fn forward_run(lines: &BitLines, run: &BitLines, at: usize) -> Reach {
    let mut next = at + 1;
    loop {
        let stop = !run.window(next);
        if stop != 0 {
            let end = next + stop.trailing_zeros() as usize;
            return ended(lines, end, end - at);
        }
        next += 64;
    }
}

#[inline]
fn backward_run(lines: &BitLines, run: &BitLines, at: usize) -> Reach {
    let mut last = at - 64;
    loop {
        let stop = !run.window(last);
        if stop != 0 {
            let end = last + 63 - stop.leading_zeros() as usize;
            return ended(lines, end, at - end);
        }
        last -= 64;
    }
}

/// A scan that stopped at `end`, so many steps on: at a jump point, or at what is blocked.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "sides of grids are below 2^15")]
fn ended(lines: &BitLines, end: usize, n_steps: usize) -> Reach {
    let jumps = lines.is_set(end);
    Reach { distance: n_steps as u32 - u32::from(!jumps), jumps }
}

/// Ends a scan at the goal if that is on the way.
#[inline]
pub(super) fn up_to(reach: Reach, from: Cell, goal: Cell, way: Way) -> Reach {
    match along(from, goal, way) {
        Some(distance) if distance <= reach.distance => Reach { distance, jumps: true },
        _ => reach,
    }
}

/// How many steps a straight way takes to the goal, if it is ahead.
fn along(from: Cell, goal: Cell, way: Way) -> Option<u32> {
    let (side, ahead) = match way {
        EAST => ((from.y, goal.y), goal.x.checked_sub(from.x)),
        SOUTH => ((from.x, goal.x), goal.y.checked_sub(from.y)),
        NORTH => ((from.x, goal.x), from.y.checked_sub(goal.y)),
        _ => ((from.y, goal.y), from.x.checked_sub(goal.x)),
    };
    ahead.filter(|&ahead| side.0 == side.1 && ahead > 0)
}

/// Cells that one look covers where corners are cut: a word less the one that is only looked at for its
/// neighbour.
const SPAN: u32 = 63;

/// Scans upwards where corners are cut: the cell is blocked in a line beside, the next one is free there.
#[inline]
fn forward(lines: &BitLines, at: usize) -> Reach {
    let stride = lines.stride();
    let mut distance = 0;
    loop {
        // Bit i of these is the cell i + 1 steps on.
        let next = at + distance as usize + 1;
        let blocked = !lines.window(next);
        let side = |line: u64| !line & (line >> 1);
        let turns = side(lines.window(next - stride)) | side(lines.window(next + stride));
        let stop = (blocked | turns) & (u64::MAX >> 1);
        if stop != 0 {
            let i = stop.trailing_zeros();
            let jumps = blocked >> i & 1 == 0;
            return Reach { distance: distance + i + u32::from(jumps), jumps };
        }
        distance += SPAN;
    }
}

#[inline]
fn backward(lines: &BitLines, at: usize) -> Reach {
    let stride = lines.stride();
    let mut distance = 0;
    loop {
        // Bit 63 - i of these is the cell i + 1 steps back.
        let last = at - distance as usize - 64;
        let blocked = !lines.window(last);
        let side = |line: u64| !line & (line << 1);
        let turns = side(lines.window(last - stride)) | side(lines.window(last + stride));
        let stop = (blocked | turns) & (u64::MAX << 1);
        if stop != 0 {
            let i = stop.leading_zeros();
            let jumps = blocked << i >> 63 == 0;
            return Reach { distance: distance + i + u32::from(jumps), jumps };
        }
        distance += SPAN;
    }
}
