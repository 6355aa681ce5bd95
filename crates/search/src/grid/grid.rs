use super::{bits::BitLines, cell::Cell, runs::Runs};

/// Most cells along a side of a grid.
pub const MAX_SIDE: u32 = 32_766;
/// Most cells of a grid.
pub const MAX_CELLS: u64 = 1 << 28;

/// Why there cannot be such a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// It has no cells.
    #[error("a grid of {n_x} x {n_y} cells has none; both sides must be at least 1")]
    Empty {
        /// Columns asked for.
        n_x: u32,
        /// Rows asked for.
        n_y: u32,
    },
    /// It is too large.
    #[error(
        "a grid of {n_x} x {n_y} cells is too large; at most {MAX_SIDE} a side and {MAX_CELLS} in all"
    )]
    TooLarge {
        /// Columns asked for.
        n_x: u32,
        /// Rows asked for.
        n_y: u32,
    },
}

/// Cells that can be passed or not, a bit each.
///
/// The bits stand twice, by rows and by columns, so that scans go along words in both ways; beside them
/// stands, for each of the eight ways, where such a scan stops: 26 bits a cell in all.
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
    /// A grid whose cell `x, y` can be passed where `passable` says so.
    ///
    /// # Errors
    /// Where a side is 0 or the grid too large.
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

    /// Columns.
    pub const fn n_x(&self) -> u32 {
        self.n_x
    }

    /// Rows.
    pub const fn n_y(&self) -> u32 {
        self.n_y
    }

    /// Cells in all.
    pub const fn n_cells(&self) -> usize {
        self.n_x as usize * self.n_y as usize
    }

    /// Memory of the grid's bits.
    pub fn n_bytes(&self) -> usize {
        self.rows.n_bytes() + self.columns.n_bytes() + self.runs.n_bytes()
    }

    /// Whether the grid has the cell.
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x < self.n_x && cell.y < self.n_y
    }

    /// Whether the grid has the cell and it can be passed.
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.contains(cell) && self.rows.is_set(self.node(cell))
    }

    /// Number of a cell of the grid, row by row: what traces name as its place.
    pub const fn number(&self, cell: Cell) -> u32 {
        cell.y * self.n_x + cell.x
    }

    /// The cell of a number.
    pub const fn cell(&self, number: u32) -> Cell {
        Cell { x: number % self.n_x, y: number / self.n_x }
    }

    /// The cells that can be passed, row by row.
    pub fn passable_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let all = (0..self.n_y).flat_map(|y| (0..self.n_x).map(move |x| Cell { x, y }));
        all.filter(|&cell| self.is_passable(cell))
    }

    /// By rows: line y, bit x.
    pub(super) const fn rows(&self) -> &BitLines {
        &self.rows
    }

    /// By columns: line x, bit y.
    pub(super) const fn columns(&self) -> &BitLines {
        &self.columns
    }

    /// Where scans pass by.
    pub(super) const fn runs(&self) -> &Runs {
        &self.runs
    }

    /// Where the bit of a cell is among the rows; searches number their nodes so.
    pub(super) const fn node(&self, cell: Cell) -> usize {
        self.rows.at(cell.y, cell.x)
    }

    /// The cell of a node.
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

    /// 26 bits a cell, and margins.
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
