//! Reusable memory of searches.

use walkable_runtime::search::{SearchStats, SearchStep, Side, StepKind};

use super::{
    Cell, Grid, GridPath, GridQuery,
    cost::{Cost, STRAIGHT},
    direction::{Direction, STEPS, is_straight, moved, turned},
    jps::JumpNodes,
    queue::DenseQueue,
};

/// State of a cell in one number, from the highest bits: the stamp of the search, a bit that is set until the cell is
/// expanded, the cost of the path, and the direction of its last step.
///
/// Later searches have smaller stamps. A path to a cell is therefore an improvement if and only if its record is
/// smaller than the stored one, whether the stored one is from an earlier search, open or closed.
type Record = u64;

const DIRECTION_BITS: u32 = 3;
const DIRECTION_MASK: Record = (1 << DIRECTION_BITS) - 1;
/// Sufficient for the costs of paths over at most 2^28 cells.
const COST_BITS: u32 = 44;
const MAX_COST: Cost = (1 << COST_BITS) - 1;
const WAITING: Record = 1 << (DIRECTION_BITS + COST_BITS);
const STAMP: Record = WAITING << 1;
const NEVER: Record = Record::MAX;

/// State of a search from one end.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    records: Vec<Record>,
    /// Parents of nodes, for searches whose parents may be more than one step away.
    parents: Vec<u32>,
    stamp: Record,
    start: u32,
    pub(super) open: DenseQueue,
    pub(super) n_expanded: u64,
}

/// Reusable memory of grid searches. Needs no clearing between searches.
#[derive(Clone, Debug, Default)]
pub struct GridScratch {
    /// State of the search from the start.
    pub(super) near: Memory,
    /// State of the search from the goal, in bidirectional searches.
    pub(super) far: Memory,
    /// State of jump point searches.
    pub(super) jumps: JumpNodes,
}

impl Memory {
    /// Starts a search from the end of `side`, and forgets the previous one. Returns the nodes of the start and the
    /// target, or `None` if one of them is not passable.
    pub(super) fn begin(&mut self, query: &GridQuery<'_>, side: Side) -> Option<[u32; 2]> {
        let grid = query.grid;
        self.reset(grid);
        let ends = match side {
            Side::Start => [query.start, query.goal],
            Side::Goal => [query.goal, query.start],
        };
        if !ends.iter().all(|&end| grid.is_passable(end)) {
            return None;
        }
        let ends = ends.map(|end| node(grid, end));
        self.start_at(ends[0]);
        Some(ends)
    }

    pub(super) fn reset(&mut self, grid: &Grid) {
        let n = grid.rows().n_bits();
        self.open.clear();
        self.n_expanded = 0;
        if let Some(next) = self.stamp.checked_sub(STAMP) {
            self.stamp = next;
        } else {
            self.records.clear();
            self.stamp = NEVER / STAMP * STAMP - STAMP;
        }
        if self.records.len() < n {
            self.records.resize(n, NEVER);
            self.parents.resize(n, 0);
        }
    }

    pub(super) fn start_at(&mut self, node: u32) {
        self.start = node;
        self.set(node, 0, node);
    }

    const fn record(&self, g: Cost, direction: Direction) -> Record {
        self.stamp + WAITING + (g << DIRECTION_BITS) + direction as Record
    }

    /// Records a path to a node by a step in `direction`, if the node is not closed and the path is the cheapest so
    /// far. Returns whether the node was opened or its cost lowered, or `None` if the path is not recorded.
    #[inline]
    pub(super) fn lower(&mut self, node: u32, g: Cost, direction: Direction) -> Option<StepKind> {
        let record = self.record(g, direction);
        let known = &mut self.records[node as usize];
        let before = *known;
        if record | DIRECTION_MASK >= before {
            return None;
        }
        *known = record;
        let is_new = before >= self.stamp + STAMP;
        Some(if is_new { StepKind::Opened } else { StepKind::Lowered })
    }

    /// Records a path like `lower`, from a parent that may be any node.
    #[inline]
    pub(super) fn lower_from(
        &mut self,
        node: u32,
        g: Cost,
        direction: Direction,
        parent: u32,
    ) -> Option<StepKind> {
        let kind = self.lower(node, g, direction)?;
        self.parents[node as usize] = parent;
        Some(kind)
    }

    /// Records a path to the node and marks the node as not expanded.
    pub(super) fn set(&mut self, node: u32, g: Cost, parent: u32) {
        self.records[node as usize] = self.record(g, 0);
        self.parents[node as usize] = parent;
    }

    /// Returns the cost of the cheapest path to the node so far.
    #[inline]
    pub(super) fn g(&self, node: u32) -> Option<Cost> {
        let record = self.records[node as usize];
        (record < self.stamp + STAMP).then_some(record >> DIRECTION_BITS & MAX_COST)
    }

    /// Returns whether the node was expanded.
    #[inline]
    pub(super) fn is_closed(&self, node: u32) -> bool {
        self.records[node as usize] < self.stamp + WAITING
    }

    /// Pops the next node that is not closed from the open list, closes it, and returns it with its sort key `f`.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(u32, Cost)> {
        loop {
            let (f, node) = self.open.pop()?;
            let record = &mut self.records[node as usize];
            if *record >= self.stamp + WAITING {
                *record &= !WAITING;
                return Some((node, f));
            }
        }
    }

    /// Marks the node as expanded.
    pub(super) fn close(&mut self, node: u32) {
        self.records[node as usize] &= !WAITING;
    }

    /// Returns the direction of the last step to a node, and the cost of its path. The start has no direction.
    #[inline]
    pub(super) fn reached(&self, node: u32) -> (Option<Direction>, Cost) {
        let record = self.records[node as usize];
        let direction = (node != self.start).then_some((record & DIRECTION_MASK) as Direction);
        (direction, record >> DIRECTION_BITS & MAX_COST)
    }

    /// Returns the parent of the node. The start is its own parent.
    pub(super) fn parent(&self, node: u32) -> u32 {
        self.parents[node as usize]
    }

    /// Returns the parent of the node in a search by single steps. The start is its own parent.
    #[expect(
        clippy::cast_possible_wrap,
        clippy::cast_possible_truncation,
        reason = "strides are at most 2^15"
    )]
    pub(super) fn step_back(&self, grid: &Grid, node: u32) -> u32 {
        let (Some(direction), _) = self.reached(node) else { return node };
        let [dx, dy] = STEPS[direction];
        node.wrapping_add_signed(-(dy * grid.rows().stride() as i32 + dx))
    }

    /// Returns the cells from the start to the node, following the parents.
    pub(super) fn cells_to(&self, grid: &Grid, node: u32) -> Vec<Cell> {
        let mut cells = vec![grid.cell_of(node)];
        let mut at = node;
        while self.parent(at) != at {
            at = self.parent(at);
            cells.push(grid.cell_of(at));
        }
        cells.reverse();
        cells
    }

    /// Returns the path to the node in a search by single steps.
    pub(super) fn path_to(&self, grid: &Grid, mut node: u32) -> GridPath {
        let mut cell = grid.cell_of(node);
        // No step is cheaper than a straight one, so this is an upper bound.
        let most = self.reached(node).1 / STRAIGHT + 1;
        let mut cells = Vec::with_capacity(usize::try_from(most).unwrap_or_default());
        cells.push(cell);
        let mut n_diagonal = 0;
        while let (Some(direction), _) = self.reached(node) {
            node = self.step_back(grid, node);
            cell = moved(cell, turned(direction, 4), 1);
            cells.push(cell);
            n_diagonal += u64::from(!is_straight(direction));
        }
        cells.reverse();
        GridPath::of_steps(cells, n_diagonal)
    }

    pub(super) fn stats(&self) -> SearchStats {
        SearchStats {
            n_expanded: self.n_expanded,
            n_opened: self.open.n_pushed(),
            open_peak: self.open.peak(),
        }
    }
}

/// Returns the node of a cell. Nodes fit in 32 bits, see [`super::MAX_CELLS`].
#[expect(clippy::cast_possible_truncation, reason = "grids have at most 2^28 cells")]
pub(super) fn node(grid: &Grid, cell: Cell) -> u32 {
    grid.node(cell) as u32
}

/// Search step in nodes and integer costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeStep {
    pub(super) kind: StepKind,
    pub(super) node: u32,
    /// Parent of the node; the node itself for the start.
    pub(super) parent: u32,
    pub(super) side: Side,
    pub(super) g: Cost,
    pub(super) h: Cost,
    pub(super) f: Cost,
}

impl NodeStep {
    /// Converts the step to numbers of cells and costs in cells.
    pub(super) fn on(self, grid: &Grid) -> SearchStep {
        let place = |node| u64::from(grid.number(grid.cell_of(node)));
        let [g, h, f] = [self.g, self.h, self.f].map(super::cost::in_cells);
        let parent = Some(self.parent).filter(|&parent| parent != self.node).map(place);
        SearchStep { kind: self.kind, place: place(self.node), parent, side: self.side, g, h, f }
    }
}
