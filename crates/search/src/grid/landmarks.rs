use walkable_runtime::search::{Unwatched, Watch};

use super::{Cell, Grid, Moves, cost::Cost, distances};

/// Landmarks: cells with known costs to all others, which result in a lower bound for the cost between any two cells.
/// By the triangle inequality, the cost is at least the difference of the costs to a landmark.
///
/// Each landmark is the cell farthest from the previous ones, and takes four bytes per cell of the grid.
///
/// Source: Goldberg and Harrelson, "Computing the shortest path: A* search meets graph theory", 2005. The sum of costs
/// over one landmark, which some texts use, is not a lower bound: the sum is almost always too high.
#[derive(Clone, Debug)]
pub struct Landmarks {
    cells: Vec<Cell>,
    n_cells: usize,
    /// For each cell, row by row, the cost to each landmark.
    costs: Vec<u32>,
}

/// Marks a cell that is unreachable, or whose cost exceeds 32 bits.
const UNKNOWN: u32 = u32::MAX;

impl Landmarks {
    /// Chooses up to `n` landmarks for searches with `moves`. Regions that are unreachable from the first landmark get
    /// their own, within the limit of `n`.
    pub fn new(grid: &Grid, moves: Moves, n: u8) -> Self {
        Self::watched(grid, moves, n, &mut Unwatched)
    }

    /// Chooses landmarks like [`Landmarks::new`], and reports the steps of the search from each landmark to `watch`. If
    /// `watch` stops a search, costs are incomplete and must not be used.
    pub fn watched<W: Watch>(grid: &Grid, moves: Moves, n: u8, watch: &mut W) -> Self {
        let n = usize::from(n);
        let n_cells = grid.n_cells();
        let mut landmarks = Self { cells: Vec::new(), n_cells, costs: vec![UNKNOWN; n_cells * n] };
        // For each cell, the cost to the nearest landmark.
        let mut nearest = vec![Cost::MAX; n_cells];
        let middle = grid.passable_cells().next();
        // The first landmark is the cell farthest from an arbitrary cell.
        let first = middle.and_then(|cell| {
            let around = distances(grid, moves, cell, |_| false, watch);
            farthest(grid, |cell| around.exact(cell))
        });
        let mut next = first;
        while let Some(cell) = next.filter(|_| landmarks.cells.len() < n && watch.goes_on()) {
            let found = distances(grid, moves, cell, |_| false, watch);
            let column = landmarks.cells.len();
            landmarks.cells.push(cell);
            for cell in grid.passable_cells() {
                let Some(cost) = found.exact(cell) else { continue };
                let number = grid.number(cell) as usize;
                landmarks.costs[number * n + column] = u32::try_from(cost).unwrap_or(UNKNOWN);
                nearest[number] = nearest[number].min(cost);
            }
            let left = |cell| Some(nearest[grid.number(cell) as usize]);
            next = farthest(grid, left).filter(|&cell| left(cell) != Some(0));
        }
        landmarks
    }

    /// Returns the memory of `n` landmarks of `grid`, in bytes.
    pub fn n_bytes(grid: &Grid, n: u8) -> usize {
        grid.n_cells().saturating_mul(usize::from(n)).saturating_mul(size_of::<u32>())
    }

    /// Returns the cells of the landmarks.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns a lower bound of the cost between two cells.
    pub(super) fn bound(&self, grid: &Grid, a: Cell, b: Cell) -> Cost {
        let n = if self.n_cells == grid.n_cells() { self.costs.len() / self.n_cells } else { 0 };
        let row = |cell| {
            let from = grid.number(cell) as usize * n;
            self.costs.get(from..from + n).unwrap_or(&[])
        };
        let pairs = row(a).iter().zip(row(b));
        let known = pairs.filter(|&(&a, &b)| a != UNKNOWN && b != UNKNOWN);
        Cost::from(known.map(|(&a, &b)| a.abs_diff(b)).max().unwrap_or(0))
    }
}

/// Returns the passable cell with the largest value, the first if several are equal.
fn farthest(grid: &Grid, value: impl Fn(Cell) -> Option<Cost>) -> Option<Cell> {
    let values = grid.passable_cells().filter_map(|cell| value(cell).map(|value| (value, cell)));
    values.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, cell)| cell)
}
