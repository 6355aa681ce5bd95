//! Integer costs, so that equal paths have equal costs and ties are broken deterministically.

/// Cost of a path, in units of 1/33461 of a cell.
pub(super) type Cost = u64;

/// Cost of a step along a row or column.
pub(super) const STRAIGHT: Cost = 33_461;
/// Cost of a diagonal step. 47321/33461 approximates the square root of 2 with an error of 3.2e-10.
pub(super) const DIAGONAL: Cost = 47_321;

/// Converts a cost to cells.
#[expect(clippy::cast_precision_loss, reason = "costs of paths on grids are below 2^44")]
pub(super) fn in_cells(cost: Cost) -> f64 {
    cost as f64 / STRAIGHT as f64
}

/// Converts a length in cells to a cost, rounded down. Negative lengths and NaN become 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "such casts saturate"
)]
pub(super) fn from_cells(length: f64) -> Cost {
    // The limit is far below `u64::MAX`, so that sums of a few costs do not overflow.
    ((length * STRAIGHT as f64) as Cost).min(1 << 60)
}

/// Returns the cost of a step in `direction`.
pub(super) const fn of_step(direction: usize) -> Cost {
    if super::direction::is_straight(direction) { STRAIGHT } else { DIAGONAL }
}
