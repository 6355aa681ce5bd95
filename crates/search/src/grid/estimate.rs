//! Heuristics of grid searches.

use super::{
    Cell, Grid, Landmarks, Moves,
    cost::{self, Cost, DIAGONAL, STRAIGHT},
};

/// Heuristic that estimates the cost from a cell to the goal.
///
/// With a heuristic that never overestimates ("admissible") and decreases by at most the cost of each step
/// ("consistent"), A* finds an optimal path and expands each cell at most once.
#[derive(Clone, Copy, Debug, Default)]
pub enum Estimate<'a> {
    /// Zero: A* becomes Dijkstra's algorithm.
    Zero,
    /// Sum of the distances along x and y. Consistent with [`Moves::Four`] only: with diagonal moves the estimate is
    /// too high, and the path may be suboptimal.
    Manhattan,
    /// Maximum of the distances along x and y. Consistent, but weaker than [`Estimate::Octile`].
    Chebyshev,
    /// Cost on an empty grid with diagonal moves. Consistent.
    #[default]
    Octile,
    /// Straight-line distance. Consistent, but weaker than [`Estimate::Octile`].
    Euclidean,
    /// Square of the straight-line distance, which some texts use to avoid the square root. Overestimates so much that
    /// paths can be more than twice the optimal length. Provided to demonstrate this.
    SquaredEuclidean,
    /// Lower bound from the distances to landmarks, or [`Estimate::Octile`] ([`Estimate::Manhattan`] with four moves)
    /// if that is larger. Consistent.
    Landmarks(&'a Landmarks),
}

impl Estimate<'_> {
    /// Returns whether the heuristic is consistent, so that A* with a weight of 1 finds an optimal path.
    pub const fn is_consistent(self, moves: Moves) -> bool {
        match self {
            Self::Manhattan => matches!(moves, Moves::Four),
            Self::SquaredEuclidean => false,
            Self::Zero | Self::Chebyshev | Self::Octile | Self::Euclidean | Self::Landmarks(_) => {
                true
            }
        }
    }

    /// Returns the estimated cost from one cell to another, in cells, or 0 if one of them is outside the grid.
    pub fn between(self, grid: &Grid, moves: Moves, from: Cell, to: Cell) -> f64 {
        if !grid.contains(from) || !grid.contains(to) {
            return 0.0;
        }
        cost::in_cells(self.cost(grid, moves, from, to))
    }

    pub(super) fn cost(self, grid: &Grid, moves: Moves, from: Cell, to: Cell) -> Cost {
        match self {
            Self::Zero => 0,
            Self::Manhattan => manhattan(from, to),
            Self::Chebyshev => {
                let [dx, dy] = sides(from, to);
                STRAIGHT * dx.max(dy)
            }
            Self::Octile => octile(from, to),
            // The integer cost of a diagonal step is slightly less than the square root of 2, so the estimate is scaled
            // down too.
            Self::Euclidean => cost::from_cells(squared(from, to).sqrt() * (1.0 - 1e-9)),
            Self::SquaredEuclidean => cost::from_cells(squared(from, to)),
            Self::Landmarks(landmarks) => {
                let flat = if moves == Moves::Four { manhattan } else { octile };
                landmarks.bound(grid, from, to).max(flat(from, to))
            }
        }
    }
}

#[inline]
fn sides(a: Cell, b: Cell) -> [Cost; 2] {
    [a.x.abs_diff(b.x), a.y.abs_diff(b.y)].map(Cost::from)
}

pub(super) fn manhattan(a: Cell, b: Cell) -> Cost {
    let [dx, dy] = sides(a, b);
    STRAIGHT * (dx + dy)
}

/// Returns the cost from `a` to `b` on an empty grid with diagonal moves.
#[inline]
pub(super) fn octile(a: Cell, b: Cell) -> Cost {
    let [dx, dy] = sides(a, b);
    let (short, long) = (dx.min(dy), dx.max(dy));
    DIAGONAL * short + STRAIGHT * (long - short)
}

fn squared(a: Cell, b: Cell) -> f64 {
    let [dx, dy] = [a.x.abs_diff(b.x), a.y.abs_diff(b.y)].map(f64::from);
    dx * dx + dy * dy
}
