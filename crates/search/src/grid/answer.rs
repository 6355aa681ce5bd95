use walkable_runtime::search::SearchStats;

use super::{Cell, Grid, Moves};

/// A way to be found.
#[derive(Clone, Copy, Debug)]
pub struct GridQuery<'a> {
    /// Where.
    pub grid: &'a Grid,
    /// From here.
    pub start: Cell,
    /// To here.
    pub goal: Cell,
    /// By these steps.
    pub moves: Moves,
}

/// A path over a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridPath {
    /// From start to goal. From one to the next leads a straight line: along a row, a column or a
    /// diagonal, or, on paths in any direction, at any angle. There may be cells between them.
    pub cells: Vec<Cell>,
    /// Its length in cells.
    pub cost: f64,
}

impl GridPath {
    /// The path along these cells.
    pub(super) fn along(cells: Vec<Cell>) -> Self {
        let legs = cells.windows(2);
        // Whole and diagonal steps are summed apart, so that long paths lose nothing.
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

    /// The path along cells one step apart, so many of these steps diagonal ones.
    pub(super) fn of_steps(cells: Vec<Cell>, n_diagonal: u64) -> Self {
        let n_straight = (cells.len() as u64).saturating_sub(1 + n_diagonal);
        Self { cells, cost: length([n_straight, n_diagonal]) }
    }

    /// Every cell of a path that goes along rows, columns and diagonals, one step apart.
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

/// Of so many steps along rows or columns and so many diagonal ones.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53 steps")]
fn length([straight, diagonal]: [u64; 2]) -> f64 {
    straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2
}

/// `from`, or the number beside it that is nearer to `to`.
fn nearer(from: u32, to: u32) -> u32 {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => from + 1,
        std::cmp::Ordering::Equal => from,
        std::cmp::Ordering::Greater => from - 1,
    }
}

/// What a search on a grid has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridAnswer {
    /// The path; none where no way leads to the goal, or an end is blocked or outside.
    pub path: Option<GridPath>,
    /// What it cost to find.
    pub stats: SearchStats,
}
