//! Computes the costs through a cell above the lowest level from those through the cells in it.
//!
//! The crossings of the cell are numbered from 0, smaller cell by smaller cell, so that the labels of a search are
//! contiguous and fit into the processor's cache. Each entry of the cell is the start of a search.

use super::{
    cells::NONE,
    costs::{Cost, MAX_COST, UNREACHED},
    index,
    matrix::{CostBlock, CostMatrix},
    overlay::RouteOverlay,
};

/// The graph of the crossings in a cell. Its vertices are the entries of the smaller cells, then the exits of the cell.
#[derive(Debug)]
pub(super) struct CellGraph<'a> {
    parts: Vec<Part<'a>>,
    /// By vertex, the index of the smaller cell that it enters.
    part_of: Vec<u32>,
    /// The vertex of each exit of the smaller cells, cell by cell; [`NONE`] if the crossing cannot be used.
    targets: Vec<u32>,
    /// The vertex of each entry of the cell; [`NONE`] if the crossing cannot be used.
    starts: Vec<u32>,
    n_exits: usize,
}

/// A smaller cell in a [`CellGraph`].
#[derive(Clone, Copy, Debug)]
struct Part<'a> {
    costs: &'a CostMatrix,
    /// The vertex of its first entry.
    first: usize,
    /// The index of its first exit in the targets of the graph.
    first_target: usize,
}

/// Memory of the searches in a [`CellGraph`].
#[derive(Debug, Default)]
struct Labels {
    /// The lowest known cost, by vertex.
    costs: Vec<Cost>,
    /// By vertex, whether it became cheaper since its cell was expanded.
    are_due: Vec<bool>,
    /// By smaller cell, the lowest cost of an entry that became cheaper; [`UNREACHED`] if none did.
    keys: Vec<Cost>,
    row: Vec<Cost>,
}

impl<'a> CellGraph<'a> {
    pub(super) fn new(overlay: &'a RouteOverlay, level: usize, cell: usize) -> Self {
        let [min, max] = overlay.extent(level, cell);
        let leaves = overlay.cells_between(min, max);
        let mut places: Vec<_> = leaves.map(|leaf| overlay.part_below(level, leaf)).collect();
        places.sort_unstable();
        places.dedup();
        let cells =
            || places.iter().map(|&(level, part)| &overlay.levels[level].cells[part as usize]);
        let whole = &overlay.levels[level].cells[cell];
        let mut graph = Self {
            parts: Vec::with_capacity(places.len()),
            part_of: Vec::new(),
            targets: Vec::new(),
            starts: Vec::new(),
            n_exits: whole.exits.len(),
        };
        let mut vertices: Vec<(u32, u32)> = Vec::new();
        let mut first_target = 0;
        for (part, cell) in (0..).zip(cells()) {
            let first = graph.part_of.len();
            graph.parts.push(Part { costs: &cell.costs, first, first_target });
            vertices.extend(cell.entries.iter().copied().zip(index(first)..));
            graph.part_of.resize(first + cell.entries.len(), part);
            first_target += cell.exits.len();
        }
        vertices.extend(whole.exits.iter().copied().zip(index(graph.part_of.len())..));
        vertices.sort_unstable();
        let vertex = |crossing: &u32| {
            let is_usable = overlay.crossings[*crossing as usize].row != NONE;
            let at = vertices.binary_search_by_key(crossing, |vertex| vertex.0);
            at.ok().filter(|_| is_usable).map_or(NONE, |at| vertices[at].1)
        };
        graph.targets.extend(cells().flat_map(|cell| &cell.exits).map(vertex));
        graph.starts.extend(whole.entries.iter().map(vertex));
        graph
    }

    /// Returns the costs from a range of the cell's entries to all its exits, entry by entry.
    pub(super) fn costs(&self, entries: std::ops::Range<usize>) -> Vec<Cost> {
        let n_inside = self.part_of.len();
        let mut labels = Labels {
            costs: vec![UNREACHED; n_inside + self.n_exits],
            are_due: vec![false; n_inside],
            keys: vec![UNREACHED; self.parts.len()],
            row: Vec::new(),
        };
        let mut costs = Vec::with_capacity(entries.len() * self.n_exits);
        for &start in &self.starts[entries] {
            labels.costs.fill(UNREACHED);
            self.offer(start, 0, &mut labels);
            self.search(&mut labels);
            costs.extend_from_slice(&labels.costs[n_inside..]);
        }
        costs
    }

    /// Expands smaller cells until no cost becomes lower, in the order of the lowest cost of an entry that became
    /// cheaper.
    fn search(&self, labels: &mut Labels) {
        while let Some((part, &key)) = labels.keys.iter().enumerate().min_by_key(|&(_, &key)| key)
            && key < UNREACHED
        {
            labels.keys[part] = UNREACHED;
            let part = &self.parts[part];
            for block in part.costs.blocks() {
                self.expand(part, block, labels);
            }
        }
    }

    fn expand(&self, part: &Part<'_>, block: CostBlock<'_>, labels: &mut Labels) {
        let mut row = std::mem::take(&mut labels.row);
        row.clear();
        for (at, &entry) in block.entries.iter().enumerate() {
            let entry = part.first + entry as usize;
            if !std::mem::take(&mut labels.are_due[entry]) {
                continue;
            }
            let cost = labels.costs[entry];
            row.resize(block.exits.len(), UNREACHED);
            for (lowest, &step) in row.iter_mut().zip(block.row(at)) {
                *lowest = (*lowest).min(cost + step);
            }
        }
        for (&exit, &cost) in block.exits.iter().zip(&row) {
            if cost <= MAX_COST {
                self.offer(self.targets[part.first_target + exit as usize], cost, labels);
            }
        }
        labels.row = row;
    }

    /// Records that a vertex can be reached at this cost.
    fn offer(&self, vertex: u32, cost: Cost, labels: &mut Labels) {
        let at = vertex as usize;
        let Some(known) = labels.costs.get_mut(at).filter(|known| cost < **known) else { return };
        *known = cost;
        if let Some(&part) = self.part_of.get(at) {
            labels.are_due[at] = true;
            let key = &mut labels.keys[part as usize];
            *key = cost.min(*key);
        }
    }
}
