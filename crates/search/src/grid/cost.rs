//! Costs in whole numbers, so that equal ways have equal costs and ties are broken on purpose.

/// Cost of a way, in units of 1/33461 of a cell.
pub(super) type Cost = u64;

/// A step along a row or column.
pub(super) const STRAIGHT: Cost = 33_461;
/// A diagonal step: 47321/33461 is the best fraction of its size for the root of 2, wrong by 3.2e-10.
pub(super) const DIAGONAL: Cost = 47_321;

/// A cost in cells.
#[expect(clippy::cast_precision_loss, reason = "costs of paths on grids are below 2^44")]
pub(super) fn in_cells(cost: Cost) -> f64 {
    cost as f64 / STRAIGHT as f64
}

/// A length in cells as a cost, rounded down; 0 where it is no number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "such casts saturate"
)]
pub(super) fn from_cells(length: f64) -> Cost {
    // Far from the largest number, so that sums of a few do not overflow.
    ((length * STRAIGHT as f64) as Cost).min(1 << 60)
}

/// Cost of a step that way.
pub(super) const fn of_way(way: usize) -> Cost {
    if super::way::is_straight(way) { STRAIGHT } else { DIAGONAL }
}
