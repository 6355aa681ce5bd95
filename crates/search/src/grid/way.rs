//! The eight directions on a grid.

use super::{bits::ones, cell::Cell};

/// A direction on the grid; diagonal ones have odd numbers, and adding 1 turns right by an eighth
/// where rows are counted downwards.
pub(super) type Way = usize;

pub(super) const EAST: Way = 0;
pub(super) const SOUTH: Way = 2;
pub(super) const WEST: Way = 4;
pub(super) const NORTH: Way = 6;

/// Per way, the step along x and y.
pub(super) const STEPS: [[i32; 2]; 8] =
    [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/// Whether a way goes along rows or columns.
pub(super) const fn is_straight(way: Way) -> bool {
    way & 1 == 0
}

/// The way turned right by `n` eighths.
pub(super) const fn turned(way: Way, n: usize) -> Way {
    (way + n) & 7
}

/// The way that a step of these signs takes; (0, 0) is none.
pub(super) const fn way_of(dx: i32, dy: i32) -> Option<Way> {
    Some(match (dx.signum(), dy.signum()) {
        (1, 0) => 0,
        (1, 1) => 1,
        (0, 1) => 2,
        (-1, 1) => 3,
        (-1, 0) => 4,
        (-1, -1) => 5,
        (0, -1) => 6,
        (1, -1) => 7,
        _ => return None,
    })
}

/// The ways whose bits are set.
#[inline]
pub(super) fn ways(bits: u8) -> impl Iterator<Item = Way> {
    ones(u64::from(bits)).map(|way| way as Way)
}

/// The cell `n` steps that way.
#[inline]
pub(super) fn moved(from: Cell, way: Way, n: u32) -> Cell {
    let [dx, dy] = STEPS[way].map(|step| step.wrapping_mul(n.cast_signed()));
    Cell { x: from.x.wrapping_add_signed(dx), y: from.y.wrapping_add_signed(dy) }
}
