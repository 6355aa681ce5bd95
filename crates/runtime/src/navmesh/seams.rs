//! The temporary state of linking tiles.

use std::ops::Range;

use super::{
    Tile,
    border::{Border, BorderEdge},
    link::Link,
};

/// Pending links, borders of tiles, and the tiles that get new links.
#[derive(Debug, Default)]
pub(super) struct Seams {
    waiting: Vec<Waiting>,
    /// Per polygon, the index in `waiting` of its newest link plus one; 0 for none.
    newest: Vec<u32>,
    edges: Vec<BorderEdge>,
    /// Per tile, the ranges of its edges.
    borders: Vec<Option<Border>>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Memory for a list of tiles.
    pub(super) others: Vec<(u32, Option<u8>)>,
    /// Number of next tiles that are known to be at different places.
    pub(super) n_distinct: usize,
    /// Number of remaining comparisons.
    left: u64,
    /// Whether the limit was exceeded.
    pub(super) is_exhausted: bool,
}

/// Maximum number of comparisons of edges and polygons for the tiles of a file, which take some seconds. Baked tiles
/// need less than a thousandth of it; a crafted file could need any number.
const MAX_COMPARISONS: u64 = 1 << 30;
/// Maximum number of comparisons per polygon, if that is more: worlds need more than a file.
const MAX_PER_POLY: u64 = 1 << 14;

/// A pending link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) link: Link,
    /// The previous link of the same polygon; see [`Seams::at`].
    pub(super) older: u32,
}

impl Seams {
    /// Returns the state for the tiles of a file, or for a tile.
    pub(super) fn new() -> Self {
        Self { left: MAX_COMPARISONS, ..Self::default() }
    }

    /// Returns the state for the tiles of a world with this number of polygons.
    pub(super) fn for_polys(n_polys: usize) -> Self {
        Self { left: MAX_COMPARISONS.max(MAX_PER_POLY * n_polys as u64), ..Self::default() }
    }

    /// Counts `n` comparisons; returns `false` if there are too many.
    pub(super) fn spend(&mut self, n: usize) -> bool {
        let rest = self.left.checked_sub(n as u64);
        self.left = rest.unwrap_or(0);
        self.is_exhausted |= rest.is_none();
        !self.is_exhausted
    }

    /// Returns whether the next tile is known to be at a different place.
    pub(super) fn next_is_distinct(&mut self) -> bool {
        let is_distinct = self.n_distinct > 0;
        self.n_distinct = self.n_distinct.saturating_sub(1);
        is_distinct
    }

    /// Reserves memory for polygons and links.
    pub(super) fn reserve(&mut self, n_polys: usize, n_links: usize) {
        self.newest.reserve(n_polys);
        self.waiting.reserve(n_links);
    }

    /// Extends the lists to polygons with numbers below `n_polys`.
    pub(super) fn make_room(&mut self, n_polys: usize) {
        if self.newest.len() < n_polys {
            self.newest.resize(n_polys, 0);
        }
    }

    /// Adds a pending link of polygon `from`.
    pub(super) fn wait(&mut self, from: u32, link: Link) {
        let newest = &mut self.newest[from as usize];
        self.waiting.push(Waiting { link, older: *newest });
        *newest = u32::try_from(self.waiting.len()).unwrap_or(0);
    }

    /// Returns the newest pending link of a polygon.
    pub(super) fn newest(&self, number: u32) -> Option<&Waiting> {
        self.at(self.newest.get(number as usize).copied().unwrap_or(0))
    }

    /// Returns a pending link, by its position counted from 1.
    pub(super) fn at(&self, place: u32) -> Option<&Waiting> {
        self.waiting.get((place as usize).wrapping_sub(1))
    }

    /// Returns the number of pending links.
    pub(super) fn n_waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Adds a tile to those that get new links.
    pub(super) fn touch(&mut self, id: u32) {
        let at = id as usize;
        if self.is_touched.len() <= at {
            self.is_touched.resize(at + 1, false);
        }
        if !std::mem::replace(&mut self.is_touched[at], true) {
            self.touched.push(id);
        }
    }

    /// Returns the tiles that get new links.
    pub(super) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Returns the border of a tile, and finds it on first use.
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

    /// Returns the edges of a border.
    pub(super) fn edges(&self, range: Range<usize>) -> &[BorderEdge] {
        &self.edges[range]
    }
}
