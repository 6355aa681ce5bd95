//! What is known while tiles are sewn together, and of no use afterwards.

use std::ops::Range;

use super::{
    Tile,
    border::{Border, BorderEdge},
    link::Link,
};

/// Links that wait for their places, borders of tiles, and which tiles get new links.
#[derive(Debug, Default)]
pub(super) struct Seams {
    waiting: Vec<Waiting>,
    /// Per polygon, one more than the place in `waiting` of its newest link; 0 for none.
    newest: Vec<u32>,
    edges: Vec<BorderEdge>,
    /// Per tile, where its edges are.
    borders: Vec<Option<Border>>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Memory for a list of tiles.
    pub(super) others: Vec<(u32, Option<u8>)>,
    /// How many of the next tiles are known to be at places of their own.
    pub(super) n_distinct: usize,
    /// How many comparisons are left, where they are limited.
    left: Option<u64>,
    /// Whether there were too few.
    pub(super) is_exhausted: bool,
}

/// Most comparisons of edges and polygons that linking the tiles of a file may take: some seconds. Tiles that are
/// baked need less than a thousandth of it; those of a crafted file could need any number.
const MAX_COMPARISONS: u64 = 1 << 30;

/// A link that waits for its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) link: Link,
    /// The link of the same polygon that came before; see [`Seams::at`].
    pub(super) older: u32,
}

impl Seams {
    /// For tiles of a file, which may be crafted.
    pub(super) fn limited() -> Self {
        Self { left: Some(MAX_COMPARISONS), ..Self::default() }
    }

    /// Takes note of so many comparisons; `false` where they are too many.
    pub(super) fn spend(&mut self, n: usize) -> bool {
        let Some(left) = self.left else { return true };
        let rest = left.checked_sub(n as u64);
        self.left = Some(rest.unwrap_or(0));
        self.is_exhausted |= rest.is_none();
        !self.is_exhausted
    }

    /// Whether the next tile is known to be at a place of its own.
    pub(super) fn next_is_distinct(&mut self) -> bool {
        let is_distinct = self.n_distinct > 0;
        self.n_distinct = self.n_distinct.saturating_sub(1);
        is_distinct
    }

    /// Makes room for so many polygons and links.
    pub(super) fn reserve(&mut self, n_polys: usize, n_links: usize) {
        self.newest.reserve(n_polys);
        self.waiting.reserve(n_links);
    }

    /// Makes ready for polygons with numbers below `n_polys`.
    pub(super) fn make_room(&mut self, n_polys: usize) {
        if self.newest.len() < n_polys {
            self.newest.resize(n_polys, 0);
        }
    }

    /// Lets a link of polygon `from` wait.
    pub(super) fn wait(&mut self, from: u32, link: Link) {
        let newest = &mut self.newest[from as usize];
        self.waiting.push(Waiting { link, older: *newest });
        *newest = u32::try_from(self.waiting.len()).unwrap_or(0);
    }

    /// The newest link of a polygon that waits.
    pub(super) fn newest(&self, number: u32) -> Option<&Waiting> {
        self.at(self.newest.get(number as usize).copied().unwrap_or(0))
    }

    /// A link that waits, by its place counted from 1.
    pub(super) fn at(&self, place: u32) -> Option<&Waiting> {
        self.waiting.get((place as usize).wrapping_sub(1))
    }

    /// Number of links that wait.
    pub(super) fn n_waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Takes note of a tile that gets new links.
    pub(super) fn touch(&mut self, id: u32) {
        let at = id as usize;
        if self.is_touched.len() <= at {
            self.is_touched.resize(at + 1, false);
        }
        if !std::mem::replace(&mut self.is_touched[at], true) {
            self.touched.push(id);
        }
    }

    /// Tiles that get new links.
    pub(super) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Looks at the border of a tile, if that was not done yet.
    pub(super) fn border_of(&mut self, id: u32, tile: &Tile) -> Border {
        let at = id as usize;
        if self.borders.len() <= at {
            self.borders.resize(at + 1, None);
        }
        if let Some(border) = self.borders[at] {
            return border;
        }
        let border = Border::of(tile, &mut self.edges);
        self.borders[at] = Some(border);
        border
    }

    /// Edges of a border.
    pub(super) fn edges(&self, range: Range<usize>) -> &[BorderEdge] {
        &self.edges[range]
    }
}
