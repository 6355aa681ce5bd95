//! Searches over the cells of an overlay.
//!
//! A cell is expanded as a whole: the costs of all entries that became cheaper are added to their rows, and the
//! smallest sums are the costs of the exits. Cells are expanded in the order of the lowest cost of an entry that became
//! cheaper. If an entry becomes cheaper after its cell was expanded, the cell is expanded again.

use std::{cmp::Reverse, collections::BinaryHeap};

use glam::Vec3;

use super::{
    cells::{Cell, N_LEVELS, NONE},
    costs::{Cost, MAX_COST, UNREACHED, in_meters, sum},
    index,
    matrix::CostBlock,
    overlay::RouteOverlay,
};

/// Memory that searches reuse.
#[derive(Clone, Debug, Default)]
pub(in crate::query) struct Memory {
    /// Labels, by crossing.
    labels: Vec<Label>,
    /// By crossing, whether it became cheaper since its cell was expanded.
    are_due: Vec<bool>,
    /// Crossings with a cost.
    reached: Vec<u32>,
    /// By level and cell, the key of its newest entry in the queue.
    keys: [Vec<Cost>; N_LEVELS],
    /// Level and cell by key.
    queue: BinaryHeap<Reverse<(Cost, usize, u32)>>,
    row: Vec<Cost>,
    /// The cells that the last route search visited, if they are recorded.
    trace: Option<Vec<SearchedCell>>,
}

impl Memory {
    /// Creates memory that records the cells that route searches visit.
    pub(in crate::query) fn traced() -> Self {
        Self { trace: Some(Vec::new()), ..Self::default() }
    }

    pub(in crate::query) fn searched_cells(&self) -> &[SearchedCell] {
        self.trace.as_deref().unwrap_or_default()
    }

    pub(super) fn clear_trace(&mut self) {
        self.trace.iter_mut().for_each(Vec::clear);
    }
}

/// A cell that a route search visited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchedCell {
    /// Level of the cell: 0 for cells of 4 by 4 tiles, 1 for 16 by 16 and 2 for 64 by 64.
    pub level: usize,
    /// Column and row of its first and last tile.
    pub tiles: [[i32; 2]; 2],
    /// Cost so far at the cell's entry with the lowest expected cost of a route, in meters of area cost 1; 0 for the
    /// cells of start and end.
    pub g: f32,
    /// Expected cost of that route, in the same unit.
    pub f: f32,
}

/// What is known about a crossing.
#[derive(Clone, Copy, Debug)]
struct Label {
    cost: Cost,
    /// Lower bound of the cost from the crossing to the end.
    estimate: Cost,
}

impl Label {
    const UNREACHED: Self = Self { cost: UNREACHED, estimate: 0 };
}

/// The cells that a search uses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Region {
    /// The cells of the level below in a cell. The search ends at its exits.
    Within { level: usize, cell: u32 },
    /// All cells, each as large as possible without containing start or end. Start and end by level.
    Between { start: [u32; N_LEVELS], end: [u32; N_LEVELS] },
}

/// The end of a search.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub(super) leaf: u32,
    pub(super) point: Vec3,
    /// The cost from each entry of the cell to the end.
    pub(super) costs: Vec<Cost>,
    /// The lowest cost of a known route, and its last crossing; `None` if it stays in the cell.
    pub(super) best: (Cost, Option<u32>),
}

/// A search over the crossings between cells.
#[derive(Debug)]
pub(super) struct RouteSearch<'a> {
    overlay: &'a RouteOverlay,
    region: Region,
    memory: &'a mut Memory,
    goal: Option<Goal>,
    /// Number of expanded cells.
    pub(super) n_cells: usize,
    /// Whether a cost was too high to be stored.
    pub(super) has_overflown: bool,
}

impl<'a> RouteSearch<'a> {
    pub(super) fn new(overlay: &'a RouteOverlay, region: Region, memory: &'a mut Memory) -> Self {
        let Memory { labels, are_due, reached, keys, queue, .. } = memory;
        let n = overlay.crossings.len();
        for at in reached.drain(..) {
            (labels[at as usize], are_due[at as usize]) = (Label::UNREACHED, false);
        }
        if labels.len() < n {
            labels.resize(n, Label::UNREACHED);
            are_due.resize(n, false);
        }
        for (keys, level) in keys.iter_mut().zip(&overlay.levels) {
            keys.clear();
            keys.resize(level.cells.len(), UNREACHED);
        }
        queue.clear();
        Self { overlay, region, memory, goal: None, n_cells: 0, has_overflown: false }
    }

    pub(super) fn set_goal(&mut self, goal: Goal) {
        self.goal = Some(goal);
    }

    pub(super) fn goal(&self) -> Option<&Goal> {
        self.goal.as_ref()
    }

    /// Starts at a crossing, at no cost.
    pub(super) fn start_at(&mut self, crossing: u32) {
        self.offer(crossing, 0);
    }

    /// Returns the cost of a crossing.
    pub(super) fn cost(&self, crossing: u32) -> Cost {
        self.memory.labels[crossing as usize].cost
    }

    /// Returns level and index of the cell that the search uses for a cell of the lowest level; `None` if it is
    /// outside.
    fn cell_of(&self, leaf: u32) -> Option<(usize, u32)> {
        match self.region {
            Region::Within { level, cell } => {
                let is_inside = self.overlay.ancestors(leaf)[level] == cell;
                is_inside.then(|| self.overlay.part_below(level, leaf as usize))
            }
            Region::Between { start, end } => {
                let ancestors = self.overlay.ancestors(leaf);
                let is_usable = |level: &usize| {
                    let cell = ancestors[*level];
                    cell != start[*level]
                        && cell != end[*level]
                        && !self.overlay.is_stale(*level, cell)
                };
                let level = (1..N_LEVELS).rev().find(is_usable).unwrap_or(0);
                Some((level, ancestors[level]))
            }
        }
    }

    /// Records that a crossing can be reached at this cost.
    pub(super) fn offer(&mut self, crossing: u32, cost: Cost) {
        let at = crossing as usize;
        let memory = &mut *self.memory;
        let label = &mut memory.labels[at];
        if cost >= label.cost {
            return;
        }
        let place = &self.overlay.crossings[at];
        if place.row == NONE {
            return;
        }
        if label.cost == UNREACHED {
            memory.reached.push(crossing);
            if let Some(goal) = &self.goal {
                label.estimate = self.overlay.filter_costs.estimate(place.at, goal.point);
            }
        }
        label.cost = cost;
        let expected = sum(cost, label.estimate);
        if let Some(goal) = &mut self.goal {
            if place.enters == goal.leaf {
                let total = sum(cost, goal.costs[place.row as usize]);
                if total < goal.best.0 {
                    goal.best = (total, Some(crossing));
                }
            }
            if expected >= goal.best.0 {
                return;
            }
        }
        let Some((level, cell)) = self.cell_of(place.enters) else { return };
        let memory = &mut *self.memory;
        memory.are_due[at] = true;
        let key = &mut memory.keys[level][cell as usize];
        if expected < *key {
            *key = expected;
            memory.queue.push(Reverse((expected, level, cell)));
        }
    }

    /// Expands cells until no route can be cheaper than the best one.
    pub(super) fn run(&mut self) {
        while let Some(Reverse((key, level, cell))) = self.memory.queue.pop() {
            if self.goal.as_ref().is_some_and(|goal| key >= goal.best.0) {
                break;
            }
            let newest = &mut self.memory.keys[level][cell as usize];
            if *newest != key {
                continue;
            }
            *newest = UNREACHED;
            if self.memory.trace.is_some() && self.goal.is_some() {
                self.trace(level, cell, self.least_expected(level, cell));
            }
            self.treat(level, cell);
        }
    }

    /// Records that the polygons in the cells of start and end were searched.
    pub(super) fn trace_ends(&mut self, [first, last]: [u32; 2]) {
        let at_start = Label { cost: 0, estimate: 0 };
        self.trace(0, first, at_start);
        if first != last {
            self.trace(0, last, at_start);
        }
    }

    fn trace(&mut self, level: usize, cell: u32, Label { cost, estimate }: Label) {
        if let Some(trace) = &mut self.memory.trace {
            let tiles = self.overlay.tiles_in_cell(level, cell as usize);
            let [g, f] = [cost, sum(cost, estimate)].map(in_meters);
            trace.push(SearchedCell { level, tiles, g, f });
        }
    }

    /// Returns the entry with the lowest expected cost of a route, of the entries of a cell that became cheaper.
    fn least_expected(&self, level: usize, cell: u32) -> Label {
        let entries = &self.overlay.levels[level].cells[cell as usize].entries;
        let due = entries.iter().filter(|&&entry| self.memory.are_due[entry as usize]);
        let labels = due.map(|&entry| self.memory.labels[entry as usize]);
        let least = labels.min_by_key(|label| sum(label.cost, label.estimate));
        least.unwrap_or(Label::UNREACHED)
    }

    fn treat(&mut self, level: usize, cell: u32) {
        let cell = &self.overlay.levels[level].cells[cell as usize];
        self.n_cells += 1;
        for block in cell.costs.blocks() {
            self.treat_block(cell, block);
        }
    }

    fn treat_block(&mut self, cell: &Cell, block: CostBlock<'_>) {
        let mut best = std::mem::take(&mut self.memory.row);
        best.clear();
        for (at, &entry) in block.entries.iter().enumerate() {
            let entry = cell.entries[entry as usize] as usize;
            if !std::mem::take(&mut self.memory.are_due[entry]) {
                continue;
            }
            let Label { cost, estimate } = self.memory.labels[entry];
            let expected = sum(cost, estimate);
            if self.goal.as_ref().is_some_and(|goal| expected >= goal.best.0) {
                continue;
            }
            best.resize(block.exits.len(), UNREACHED);
            for (best, &step) in best.iter_mut().zip(block.row(at)) {
                *best = (*best).min(cost + step);
            }
        }
        for (&exit, &cost) in block.exits.iter().zip(&best) {
            if cost <= MAX_COST {
                self.offer(cell.exits[exit as usize], cost);
            } else if cost < UNREACHED {
                self.has_overflown = true;
            }
        }
        self.memory.row = best;
    }

    /// Returns the crossing before `crossing` on the cheapest path, and the level of the cell between them; `None` at
    /// the start.
    pub(super) fn before(&self, crossing: u32) -> Option<(u32, usize)> {
        let cost = self.cost(crossing);
        if cost >= UNREACHED {
            return None;
        }
        let (level, cell) = self.cell_of(self.overlay.crossings[crossing as usize].leaves)?;
        let through = &self.overlay.levels[level].cells[cell as usize];
        let exit = through.exits.iter().position(|&exit| exit == crossing)?;
        let mut entries = through.costs.to_exit(index(exit));
        let (before, _) = entries.find(|&(entry, step)| {
            let to_entry = self.cost(through.entries[entry as usize]);
            to_entry < UNREACHED && to_entry + step == cost
        })?;
        Some((through.entries[before as usize], level))
    }
}
