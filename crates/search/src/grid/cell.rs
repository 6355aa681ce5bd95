/// A cell of a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Column, from the left.
    pub x: u32,
    /// Row, from the top of a map file, or along world z.
    pub y: u32,
}

impl Cell {
    /// Creates the cell in column `x` and row `y`.
    pub const fn new(x: u32, y: u32) -> Self {
        Self { x, y }
    }
}
