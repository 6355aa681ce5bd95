use crate::{bake::GridFrame, ids::AreaId};

/// A solid run of cells in one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Lowest cell boundary.
    pub min_vx: u16,
    /// Highest cell boundary: the floor one would stand on.
    pub max_vx: u16,
    /// What the top is.
    pub area: AreaId,
}

/// Solid spans of every column.
///
/// Invariants: `starts` has one entry per cell and one more; the spans of cell `c` are
/// `spans[starts[c]..starts[c + 1]]`, from low to high, disjoint, `min_vx < max_vx`.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    /// Where the columns lie.
    pub frame: GridFrame,
    /// Index of each cell's first span, and the total.
    pub starts: Vec<u32>,
    /// Spans of all cells, in cell order.
    pub spans: Vec<Span>,
}

impl Heightfield {
    /// Spans of the cell with index `cell`, from low to high.
    pub fn column(&self, cell: usize) -> &[Span] {
        &self.spans[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}
