//! Estimates of the cost that is still to go.

use super::{
    Cell, Grid, Landmarks, Moves,
    cost::{self, Cost, DIAGONAL, STRAIGHT},
};

/// How a search estimates the cost from a cell to the goal.
///
/// An estimate that is never too high ("admissible") and falls by no more than each step costs
/// ("consistent") makes A* find the cheapest path and expand each cell once.
#[derive(Clone, Copy, Debug, Default)]
pub enum Estimate<'a> {
    /// None: A* is Dijkstra's algorithm.
    Zero,
    /// Steps along rows and columns. Consistent with four ways only: with diagonals it is too high, and
    /// the path may not be the cheapest.
    Manhattan,
    /// The longer of the two sides. Consistent, but weaker than [`Estimate::Octile`].
    Chebyshev,
    /// The cost on an empty grid with diagonals. Consistent.
    #[default]
    Octile,
    /// The straight line. Consistent, weaker than [`Estimate::Octile`].
    Euclidean,
    /// The straight line squared, as some texts have it to save a root. Far too high: paths can be more
    /// than twice as long as need be. It is here to show that.
    SquaredEuclidean,
    /// What distances to landmarks prove, or [`Estimate::Octile`] (four ways: Manhattan) where that is
    /// more. Consistent.
    Landmarks(&'a Landmarks),
}

impl Estimate<'_> {
    /// Whether A* with a weight of 1 is sure to find the cheapest path with it.
    pub const fn is_consistent(self, moves: Moves) -> bool {
        match self {
            Self::Manhattan => matches!(moves, Moves::Four),
            Self::SquaredEuclidean => false,
            Self::Zero | Self::Chebyshev | Self::Octile | Self::Euclidean | Self::Landmarks(_) => {
                true
            }
        }
    }

    /// Estimated cost from one cell to another, in cells.
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
            // A diagonal costs 1e-10 less than the root of 2 in whole numbers; so must the estimate.
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

/// Cost from `a` to `b` on an empty grid with diagonals.
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
