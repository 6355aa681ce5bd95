//! The eight directions on a grid.

use super::{bits::ones, cell::Cell};

/// A direction on the grid. Diagonal directions have odd numbers. Adding 1 turns right by 45° with rows counted
/// downward.
pub(super) type Direction = usize;

pub(super) const EAST: Direction = 0;
pub(super) const SOUTH: Direction = 2;
pub(super) const WEST: Direction = 4;
pub(super) const NORTH: Direction = 6;

/// Step along x and y, per direction.
pub(super) const STEPS: [[i32; 2]; 8] =
    [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/// Returns whether a direction is along a row or column.
pub(super) const fn is_straight(direction: Direction) -> bool {
    direction & 1 == 0
}

/// Returns the direction turned right by `n` times 45°.
pub(super) const fn turned(direction: Direction, n: usize) -> Direction {
    (direction + n) & 7
}

/// Returns the direction of a step with the signs of `dx` and `dy`, or `None` for no step.
pub(super) const fn direction_of(dx: i32, dy: i32) -> Option<Direction> {
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

/// Returns the directions whose bits are set.
#[inline]
pub(super) fn directions(bits: u8) -> impl Iterator<Item = Direction> {
    ones(u64::from(bits)).map(|direction| direction as Direction)
}

/// Returns the cell `n` steps away in `direction`.
#[inline]
pub(super) fn moved(from: Cell, direction: Direction, n: u32) -> Cell {
    let [dx, dy] = STEPS[direction].map(|step| step.wrapping_mul(n.cast_signed()));
    Cell { x: from.x.wrapping_add_signed(dx), y: from.y.wrapping_add_signed(dy) }
}
