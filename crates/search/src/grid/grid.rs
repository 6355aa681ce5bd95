use super::{bits::BitLines, cell::Cell, runs::Runs};

/// Maximum number of cells along a side of a grid.
pub const MAX_SIDE: u32 = 32_766;
/// Maximum number of cells of a grid.
pub const MAX_CELLS: u64 = 1 << 28;

/// Error for an invalid grid size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// The grid has no cells.
    #[error("a grid of {n_x} x {n_y} cells is empty; both sides must be at least 1")]
    Empty {
        /// Requested number of columns.
        n_x: u32,
        /// Requested number of rows.
        n_y: u32,
    },
    /// The grid has too many cells in total or along a side.
    #[error(
        "a grid of {n_x} x {n_y} cells is too large; at most {MAX_SIDE} cells per side and {MAX_CELLS} in total"
    )]
    TooLarge {
        /// Requested number of columns.
        n_x: u32,
        /// Requested number of rows.
        n_y: u32,
    },
}

/// A grid of passable and blocked cells.
///
/// The cells are stored as bits by rows and by columns, so that scans in both directions read whole words. A third
/// table stores the end of scans in each of the eight directions. The total is 26 bits per cell.
///
/// Invariants: everything around the grid is blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    n_x: u32,
    n_y: u32,
    rows: BitLines,
    columns: BitLines,
    runs: Box<Runs>,
}

impl Grid {
    /// Creates a grid of `n_x` columns and `n_y` rows; a cell is passable if `passable` returns `true` for it.
    ///
    /// # Errors
    /// Returns an error if a side is 0 or the grid is too large.
    pub fn new(
        n_x: u32,
        n_y: u32,
        mut passable: impl FnMut(Cell) -> bool,
    ) -> Result<Self, GridError> {
        if n_x == 0 || n_y == 0 {
            return Err(GridError::Empty { n_x, n_y });
        }
        let n_cells = u64::from(n_x) * u64::from(n_y);
        if n_x > MAX_SIDE || n_y > MAX_SIDE || n_cells > MAX_CELLS {
            return Err(GridError::TooLarge { n_x, n_y });
        }
        let (mut rows, mut columns) = (BitLines::new(n_x, n_y), BitLines::new(n_y, n_x));
        for y in 0..n_y {
            for x in 0..n_x {
                if passable(Cell { x, y }) {
                    rows.set(y, x);
                    columns.set(x, y);
                }
            }
        }
        let runs = Box::new(Runs::new(&rows, [n_x, n_y]));
        Ok(Self { n_x, n_y, rows, columns, runs })
    }

    /// Returns the number of columns.
    pub const fn n_x(&self) -> u32 {
        self.n_x
    }

    /// Returns the number of rows.
    pub const fn n_y(&self) -> u32 {
        self.n_y
    }

    /// Returns the number of cells.
    pub const fn n_cells(&self) -> usize {
        self.n_x as usize * self.n_y as usize
    }

    /// Returns the memory of the grid, in bytes.
    pub fn n_bytes(&self) -> usize {
        self.rows.n_bytes() + self.columns.n_bytes() + self.runs.n_bytes()
    }

    /// Returns whether the cell is inside the grid.
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x < self.n_x && cell.y < self.n_y
    }

    /// Returns whether the cell is inside the grid and passable.
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.contains(cell) && self.rows.is_set(self.node(cell))
    }

    /// Returns the number of a cell, counted row by row. Search steps use this number as the place.
    pub const fn number(&self, cell: Cell) -> u32 {
        cell.y * self.n_x + cell.x
    }

    /// Returns the cell with a number.
    pub const fn cell(&self, number: u32) -> Cell {
        Cell { x: number % self.n_x, y: number / self.n_x }
    }

    /// Returns the passable cells, row by row.
    pub fn passable_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let all = (0..self.n_y).flat_map(|y| (0..self.n_x).map(move |x| Cell { x, y }));
        all.filter(|&cell| self.is_passable(cell))
    }

    /// Returns the bits by rows: line y, bit x.
    pub(super) const fn rows(&self) -> &BitLines {
        &self.rows
    }

    /// Returns the bits by columns: line x, bit y.
    pub(super) const fn columns(&self) -> &BitLines {
        &self.columns
    }

    /// Returns the table of scans.
    pub(super) const fn runs(&self) -> &Runs {
        &self.runs
    }

    /// Returns the index of a cell's bit in the rows, which is its node in searches.
    pub(super) const fn node(&self, cell: Cell) -> usize {
        self.rows.at(cell.y, cell.x)
    }

    /// Returns the cell of a node.
    pub(super) const fn cell_of(&self, node: u32) -> Cell {
        let (y, x) = self.rows.line_and_bit(node);
        Cell { x, y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_kept_and_the_outside_is_blocked() {
        let grid = Grid::new(70, 3, |c| (c.x + c.y) % 3 != 0).unwrap();
        for y in 0..5 {
            for x in 0..140 {
                let cell = Cell { x, y };
                assert_eq!(grid.is_passable(cell), x < 70 && y < 3 && (x + y) % 3 != 0);
                if grid.contains(cell) {
                    assert_eq!(grid.cell(grid.number(cell)), cell);
                    assert_eq!(grid.cell_of(u32::try_from(grid.node(cell)).unwrap()), cell);
                    let by_column = grid.columns().is_set(grid.columns().at(x, y));
                    assert_eq!(by_column, grid.is_passable(cell));
                }
            }
        }
    }

    /// Expects 26 bits per cell plus margins.
    #[test]
    fn memory_is_in_proportion_to_cells() {
        for [n_x, n_y] in [[1000, 1000], [4000, 250], [250, 4000]] {
            let grid = Grid::new(n_x, n_y, |_| true).unwrap();
            let bits = 8.0 * f64::from(u32::try_from(grid.n_bytes()).unwrap()) / 1e6;
            assert!((26.0..30.0).contains(&bits), "{n_x} x {n_y}: {bits} bits a cell");
        }
    }

    #[test]
    fn sizes_are_checked() {
        assert_eq!(Grid::new(0, 3, |_| true), Err(GridError::Empty { n_x: 0, n_y: 3 }));
        let wide = Grid::new(u32::MAX, 1, |_| true);
        assert_eq!(wide, Err(GridError::TooLarge { n_x: u32::MAX, n_y: 1 }));
    }
}
