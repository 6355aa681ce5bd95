use crate::{bake::GridFrame, ids::Dir};

/// Open space above a solid span: a floor with head room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenSpan {
    /// Height of the floor, in cells.
    pub floor_vx: u16,
    /// Free cells above the floor, at most 255.
    pub clearance_vx: u8,
    /// Per direction: index of the neighbouring span within its cell, or [`OpenSpan::NO_LINK`].
    pub links: [u8; 4],
}

impl OpenSpan {
    /// Link value of a direction in which one cannot step.
    pub const NO_LINK: u8 = 63;
}

/// Open spans of every column and their links. What the areas, distances and regions of the spans
/// are is kept in arrays of their own, one entry per span.
///
/// Invariants: as [`Heightfield`](crate::bake::Heightfield)'s for `starts`; links are mutual.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactField {
    /// Where the columns lie.
    pub frame: GridFrame,
    /// Head room an agent needs, in cells.
    pub walkable_height_vx: u32,
    /// Highest step, in cells.
    pub walkable_climb_vx: u32,
    /// Index of each cell's first span, and the total.
    pub starts: Vec<u32>,
    /// Spans of all cells, in cell order.
    pub spans: Vec<OpenSpan>,
}

impl CompactField {
    /// Indices of the spans of the cell with index `cell`.
    pub fn cell(&self, cell: usize) -> std::ops::Range<usize> {
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }

    /// The span one step from span `span` of cell `(x, z)` in direction `dir`, as cell and span index.
    pub fn neighbor(&self, (x, z): (u32, u32), span: usize, dir: Dir) -> Option<Neighbor> {
        let link = self.spans[span].links[dir as usize];
        if link == OpenSpan::NO_LINK {
            return None;
        }
        let (x, z) = (x.wrapping_add_signed(dir.dx()), z.wrapping_add_signed(dir.dz()));
        let span = self.starts[self.frame.cell_index(x, z)] as usize + usize::from(link);
        Some(Neighbor { x, z, span })
    }
}

/// A span reached by a link, with its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbor {
    /// Column.
    pub x: u32,
    /// Row.
    pub z: u32,
    /// Index of the span.
    pub span: usize,
}
