//! Pruning rules: directions to continue in from a jump point.

use crate::grid::{
    Corners,
    direction::{Direction, STEPS, is_straight, turned},
};

/// Returns one bit per direction to continue in from a cell reached in `direction`. May include directions that are
/// not allowed. `around` is the neighborhood of the cell, see
/// [`BitLines::around`](crate::grid::bits::BitLines::around).
///
/// With `Corners::Keep`, a diagonal forces no neighbors, and a straight direction forces the neighbors to a side that
/// an obstacle behind hides from the parent. With `Corners::Cut` and `Corners::Squeeze`, obstacles beside a straight
/// direction or behind a diagonal one force the diagonals past them.
pub(super) fn worth(corners: Corners, around: u16, direction: Direction) -> u8 {
    let is_free = |direction: Direction| {
        let [dx, dy] = STEPS[direction];
        around >> ((dy + 1) * 3 + dx + 1) & 1 != 0
    };
    let bit = |n: usize| 1_u8 << turned(direction, n);
    let is_straight = is_straight(direction);
    let mut bits = bit(0);
    if !is_straight {
        bits |= bit(1) | bit(7);
    }
    for (side, slant, behind) in [(2, 1, 3), (6, 7, 5)] {
        let [side_direction, slant_direction, behind_direction] =
            [side, slant, behind].map(|n| turned(direction, n));
        match (corners, is_straight) {
            (Corners::Keep, true) => {
                if is_free(side_direction) && !is_free(behind_direction) {
                    bits |= bit(side) | bit(slant);
                }
            }
            (Corners::Keep, false) => {}
            (Corners::Cut | Corners::Squeeze, true) => {
                if !is_free(side_direction) && is_free(slant_direction) {
                    bits |= bit(slant);
                }
            }
            (Corners::Cut | Corners::Squeeze, false) => {
                // For a diagonal `direction`, `side_direction` is the diagonal at 90°, and `behind_direction` leads to
                // the cell on that side which the step has passed.
                if !is_free(behind_direction) && is_free(side_direction) {
                    bits |= bit(side);
                }
            }
        }
    }
    bits
}

/// Returns whether a cell reached by a diagonal step has a forced neighbor.
pub(super) fn is_forced_diagonal(corners: Corners, around: u16, direction: Direction) -> bool {
    let natural = 1_u8 << direction | 1 << turned(direction, 1) | 1 << turned(direction, 7);
    corners != Corners::Keep && worth(corners, around, direction) & !natural != 0
}
