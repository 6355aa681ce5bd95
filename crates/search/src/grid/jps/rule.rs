//! Which ways are worth going on from a jump point.

use crate::grid::{
    Corners,
    way::{STEPS, Way, is_straight, turned},
};

/// A bit for each way worth going from a cell that was reached by `way`. Of `around` see
/// [`BitLines::around`](crate::grid::bits::BitLines::around). Ways that are not allowed may be among
/// them.
///
/// Where corners are kept, a diagonal forces nothing, and a straight way forces the ways beside it that
/// an obstacle behind has hidden from the cell before. Where corners are cut, obstacles beside a
/// straight way and behind a diagonal one force the diagonals past them.
pub(super) fn worth(corners: Corners, around: u16, way: Way) -> u8 {
    let is_free = |way: Way| {
        let [dx, dy] = STEPS[way];
        around >> ((dy + 1) * 3 + dx + 1) & 1 != 0
    };
    let bit = |n: usize| 1_u8 << turned(way, n);
    let is_straight = is_straight(way);
    let mut bits = bit(0);
    if !is_straight {
        bits |= bit(1) | bit(7);
    }
    for (side, slant, behind) in [(2, 1, 3), (6, 7, 5)] {
        let [side_way, slant_way, behind_way] = [side, slant, behind].map(|n| turned(way, n));
        match (corners, is_straight) {
            (Corners::Keep, true) => {
                if is_free(side_way) && !is_free(behind_way) {
                    bits |= bit(side) | bit(slant);
                }
            }
            (Corners::Keep, false) => {}
            (Corners::Cut | Corners::Squeeze, true) => {
                if !is_free(side_way) && is_free(slant_way) {
                    bits |= bit(slant);
                }
            }
            (Corners::Cut | Corners::Squeeze, false) => {
                // Beside a diagonal lie the way's own sides, a quarter turn on, and behind these the
                // cells that the step has passed.
                if !is_free(behind_way) && is_free(side_way) {
                    bits |= bit(side);
                }
            }
        }
    }
    bits
}

/// Whether a cell that a diagonal way has reached is a jump point by itself.
pub(super) fn is_forced_diagonal(corners: Corners, around: u16, way: Way) -> bool {
    let natural = 1_u8 << way | 1 << turned(way, 1) | 1 << turned(way, 7);
    corners != Corners::Keep && worth(corners, around, way) & !natural != 0
}
