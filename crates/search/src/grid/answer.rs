use walkable_runtime::search::SearchStats;

use super::{Cell, Grid, Moves};

/// A path query on a grid.
#[derive(Clone, Copy, Debug)]
pub struct GridQuery<'a> {
    /// Grid to search.
    pub grid: &'a Grid,
    /// Start cell.
    pub start: Cell,
    /// Goal cell.
    pub goal: Cell,
    /// Allowed moves.
    pub moves: Moves,
}

/// A path over a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridPath {
    /// Cells from start to goal. Consecutive cells are joined by a straight line along a row, a column or a diagonal,
    /// or, on any-angle paths, at any angle. Cells between them are omitted.
    pub cells: Vec<Cell>,
    /// Length of the path, in cells.
    pub cost: f64,
}

impl GridPath {
    /// Creates a path through `cells` and computes its cost.
    pub(super) fn along(cells: Vec<Cell>) -> Self {
        let legs = cells.windows(2);
        // Straight and diagonal steps are counted as integers, so that long paths accumulate no rounding error.
        let (mut straight, mut diagonal, mut other) = (0_u64, 0_u64, 0.0);
        for leg in legs {
            let [dx, dy] = [leg[0].x.abs_diff(leg[1].x), leg[0].y.abs_diff(leg[1].y)];
            let (short, long) = (dx.min(dy), dx.max(dy));
            if short == 0 || short == long {
                diagonal += u64::from(short);
                straight += u64::from(long - short);
            } else {
                other += f64::from(dx).hypot(f64::from(dy));
            }
        }
        Self { cells, cost: length([straight, diagonal]) + other }
    }

    /// Creates a path through cells one step apart; `n_diagonal` of the steps are diagonal.
    pub(super) fn of_steps(cells: Vec<Cell>, n_diagonal: u64) -> Self {
        let n_straight = (cells.len() as u64).saturating_sub(1 + n_diagonal);
        Self { cells, cost: length([n_straight, n_diagonal]) }
    }

    /// Returns every cell of a path along rows, columns and diagonals, one step apart.
    pub fn steps(&self) -> Vec<Cell> {
        let mut steps: Vec<Cell> = self.cells.first().copied().into_iter().collect();
        for leg in self.cells.windows(2) {
            let mut at = leg[0];
            while at != leg[1] {
                at = Cell { x: nearer(at.x, leg[1].x), y: nearer(at.y, leg[1].y) };
                steps.push(at);
            }
        }
        steps
    }
}

/// Returns the length in cells of a number of straight and a number of diagonal steps.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53 steps")]
fn length([straight, diagonal]: [u64; 2]) -> f64 {
    straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2
}

/// Returns `from` moved by one toward `to`, or unchanged if they are equal.
fn nearer(from: u32, to: u32) -> u32 {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => from + 1,
        std::cmp::Ordering::Equal => from,
        std::cmp::Ordering::Greater => from - 1,
    }
}

/// Result of a grid search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridAnswer {
    /// The path; `None` if the goal is unreachable, an end is blocked or outside the grid, or the search was stopped.
    pub path: Option<GridPath>,
    /// Counters of the search.
    pub stats: SearchStats,
}
