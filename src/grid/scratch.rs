//! Memory of searches, to be used again.

use std::cmp::Ordering;

use super::{
    Cell, Grid,
    cost::{Cost, STRAIGHT},
    moves::Way,
};
use crate::search::{MinQueue, SearchStats};

/// What a search knows of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    g: Cost,
    parent: u32,
    /// Number of the search, then a bit for whether it was expanded, then the way it was reached.
    stamp: u32,
}

const WAY_BITS: u32 = 3;
const CLOSED: u32 = 1 << WAY_BITS;
const ONE_SEARCH: u32 = CLOSED << 1;

/// An entry of the open list. Of equal sums the one with the least to go comes first, in whole cells.
///
/// Both are in one number, so that entries are sorted without branches.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenEntry {
    key: u64,
    pub(super) node: u32,
}

/// Bits of a key for what is still to go.
const TO_GO_BITS: u32 = 20;
/// No sum is larger: 500 million cells.
const MAX_F: Cost = (1 << (64 - TO_GO_BITS)) - 1;

impl OpenEntry {
    fn new(f: Cost, h: Cost, node: u32) -> Self {
        const ABOUT_A_CELL: u32 = STRAIGHT.ilog2();
        let to_go = (h >> ABOUT_A_CELL).min((1 << TO_GO_BITS) - 1);
        Self { key: f.min(MAX_F) << TO_GO_BITS | to_go, node }
    }

    /// What the list is sorted by.
    pub(super) const fn f(self) -> Cost {
        self.key >> TO_GO_BITS
    }
}

impl PartialEq for OpenEntry {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for OpenEntry {}

impl PartialOrd for OpenEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OpenEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

/// What a search from one end needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    records: Vec<Record>,
    search: u32,
    pub(super) open: MinQueue<OpenEntry>,
    pub(super) n_expanded: u64,
}

/// Memory that searches on grids use again. Searches with the same one need not clear it.
#[derive(Clone, Debug, Default)]
pub struct GridScratch {
    /// From the start.
    pub(super) near: Memory,
    /// From the goal, in searches from both ends.
    pub(super) far: Memory,
}

impl Memory {
    pub(super) fn reset(&mut self, grid: &Grid) {
        let n = grid.rows().n_bits();
        self.open.clear();
        self.n_expanded = 0;
        if let Some(next) = self.search.checked_add(ONE_SEARCH) {
            self.search = next;
        } else {
            self.records.clear();
            self.search = ONE_SEARCH;
        }
        if self.records.len() < n {
            self.records.resize(n, Record::default());
        }
    }

    /// Cost of the best way to the node so far.
    pub(super) fn g(&self, node: u32) -> Option<Cost> {
        let record = self.records[node as usize];
        (record.stamp & !(ONE_SEARCH - 1) == self.search).then_some(record.g)
    }

    /// Whether the node was expanded.
    pub(super) fn is_closed(&self, node: u32) -> bool {
        let stamp = self.records[node as usize].stamp;
        stamp & !(CLOSED - 1) == self.search | CLOSED
    }

    /// Keeps a way to the node.
    pub(super) fn set(&mut self, node: u32, g: Cost, parent: u32, way: Way) {
        #[expect(clippy::cast_possible_truncation, reason = "ways are below 8")]
        let stamp = self.search | (way as u32 & (CLOSED - 1));
        self.records[node as usize] = Record { g, parent, stamp };
    }

    /// Marks the node as expanded.
    pub(super) fn close(&mut self, node: u32) {
        self.records[node as usize].stamp |= CLOSED;
    }

    /// The node that it was reached from; itself where the search began.
    pub(super) fn parent(&self, node: u32) -> u32 {
        self.records[node as usize].parent
    }

    /// The way by which it was reached.
    pub(super) fn way(&self, node: u32) -> Way {
        (self.records[node as usize].stamp & (CLOSED - 1)) as Way
    }

    /// Puts a node on the open list.
    pub(super) fn push(&mut self, f: Cost, h: Cost, node: u32) {
        self.open.push(OpenEntry::new(f, h, node));
    }

    /// The cells from where the search began to the node.
    pub(super) fn way_to(&self, grid: &Grid, node: u32) -> Vec<Cell> {
        let mut cells = vec![grid.cell_of(node)];
        let mut at = node;
        while self.parent(at) != at {
            at = self.parent(at);
            cells.push(grid.cell_of(at));
        }
        cells.reverse();
        cells
    }

    pub(super) fn stats(&self) -> SearchStats {
        SearchStats {
            n_expanded: self.n_expanded,
            n_opened: self.open.n_pushed(),
            open_peak: self.open.peak(),
        }
    }
}
