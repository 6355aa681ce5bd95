use walkable_runtime::search::{Unwatched, Watch};

use super::{Cell, Grid, Moves, cost::Cost, distances};

/// Cells from which the costs to all others are known, to estimate costs between any two: by the
/// triangle inequality a way costs no less than its ends' costs to a landmark differ.
///
/// They stand at the rim, each as far from the ones before as can be. Each takes four bytes a cell.
///
/// Source: Goldberg and Harrelson, "Computing the shortest path: A* search meets graph theory", 2005.
/// The sum of costs over one landmark, which some texts use, is not a lower bound: it is too high nearly
/// always.
#[derive(Clone, Debug)]
pub struct Landmarks {
    cells: Vec<Cell>,
    n_cells: usize,
    /// Per cell, row by row, the cost to each landmark.
    costs: Vec<u32>,
}

/// No way leads there, or one that is too long for 32 bits.
const UNKNOWN: u32 = u32::MAX;

impl Landmarks {
    /// Up to `n` landmarks for searches by `moves`. What cannot be reached from the first gets
    /// landmarks of its own as far as there are any left.
    pub fn new(grid: &Grid, moves: Moves, n: u8) -> Self {
        Self::watched(grid, moves, n, &mut Unwatched)
    }

    /// The same, while `watch` is told the steps of the search from each of them. Where that ends a search
    /// some costs are missing: then they are not to be used.
    pub fn watched<W: Watch>(grid: &Grid, moves: Moves, n: u8, watch: &mut W) -> Self {
        let n = usize::from(n);
        let n_cells = grid.n_cells();
        let mut landmarks = Self { cells: Vec::new(), n_cells, costs: vec![UNKNOWN; n_cells * n] };
        // Per cell, the cost to the nearest landmark.
        let mut nearest = vec![Cost::MAX; n_cells];
        let middle = grid.passable_cells().next();
        // The first is what lies farthest from an arbitrary cell.
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

    /// Memory of `n` landmarks of `grid`, in bytes.
    pub fn n_bytes(grid: &Grid, n: u8) -> usize {
        grid.n_cells().saturating_mul(usize::from(n)).saturating_mul(size_of::<u32>())
    }

    /// Where they are.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// What the cost between two cells is at least.
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

/// The passable cell with the largest value, the first of several.
fn farthest(grid: &Grid, value: impl Fn(Cell) -> Option<Cost>) -> Option<Cell> {
    let values = grid.passable_cells().filter_map(|cell| value(cell).map(|value| (value, cell)));
    values.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, cell)| cell)
}
