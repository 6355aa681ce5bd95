//! A* over jump points, for any source of jump points.

use walkable_runtime::search::{SearchStep, Side, StepKind, Watch, is_over};

use super::nodes::{Arrival, JumpNodes, Opened};
use crate::grid::{
    Cell, GridAnswer, GridPath, GridQuery, GridScratch,
    cost::{self, Cost, DIAGONAL, STRAIGHT},
    estimate::octile,
};

/// A jump from a jump point: some diagonal steps, then some straight steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub(super) diagonal: u32,
    pub(super) straight: u32,
    /// Cell at which the jump ends.
    pub(super) to: Cell,
    /// Direction of the last step and the forced sides.
    pub(super) arrival: Arrival,
}

impl Jump {
    fn cost(self) -> Cost {
        DIAGONAL * Cost::from(self.diagonal) + STRAIGHT * Cost::from(self.straight)
    }
}

/// A source of jump points.
pub(super) trait Successors {
    /// Passes the jumps from `from` to `out`. `arrival` describes how `from` was reached; `None` for the start.
    fn each(&self, from: Cell, arrival: Option<Arrival>, out: &mut impl Jumps);
}

/// A receiver of jumps.
pub(super) trait Jumps {
    /// Receives a jump to a successor.
    fn take(&mut self, jump: Jump);

    /// Receives a scan that found no successor. Only used for the trace.
    fn pass(&mut self, jump: impl FnOnce() -> Jump);
}

/// Searches for a path by the jumps of `successors`. Finds no path if an end of the query is not passable.
pub(super) fn search<'q, S: Successors, W: Watch>(
    query: &'q GridQuery<'q>,
    successors: impl FnOnce(&'q GridQuery<'q>) -> S,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    let nodes = &mut scratch.jumps;
    nodes.clear();
    if ![query.start, query.goal].iter().all(|&end| query.grid.is_passable(end)) {
        return GridAnswer::default();
    }
    let mut search = JumpSearch { query, nodes, watch };
    let path = search.run(&successors(query)).then(|| search.path());
    GridAnswer { path, stats: search.nodes.stats() }
}

struct JumpSearch<'a, W> {
    query: &'a GridQuery<'a>,
    nodes: &'a mut JumpNodes,
    watch: &'a mut W,
}

impl<W: Watch> JumpSearch<'_, W> {
    fn run(&mut self, successors: &impl Successors) -> bool {
        let GridQuery { start, goal, .. } = *self.query;
        let nowhere = Jump { diagonal: 0, straight: 0, to: start, arrival: Arrival::new(0, 0) };
        self.open(start, 0, nowhere);
        while let Some(Opened { cell, arrival, parent, g }) = self.nodes.next() {
            self.report_step(StepKind::Expanded, cell, parent, g);
            if cell == goal {
                return true;
            }
            if is_over(self.watch, self.nodes.n_expanded) {
                return false;
            }
            self.nodes.n_expanded += 1;
            successors.each(cell, arrival, &mut Expansion { search: self, from: cell, g });
        }
        false
    }

    /// Adds the end of a jump to the open list if its path is the cheapest so far.
    #[inline]
    fn open(&mut self, from: Cell, g: Cost, jump: Jump) {
        let g = g + jump.cost();
        let h = octile(jump.to, self.query.goal);
        let kind = self.nodes.open(jump.to, (g, h), jump.arrival, from);
        self.report_step(kind.unwrap_or(StepKind::Scanned), jump.to, from, g);
    }

    /// Returns the path as the cells at which it turns.
    fn path(&self) -> GridPath {
        let jumps = self.nodes.path_to(self.query.goal);
        let mut cells: Vec<Cell> = Vec::with_capacity(2 * jumps.len());
        for jump in jumps {
            if let Some(bend) = cells.last().and_then(|&last| bend(last, jump)) {
                cells.push(bend);
            }
            cells.push(jump);
        }
        GridPath::along(cells)
    }

    #[inline]
    fn report_step(&mut self, kind: StepKind, cell: Cell, parent: Cell, g: Cost) {
        let query = self.query;
        self.watch.step(|| search_step(query, kind, [cell, parent], g));
    }
}

/// Creates the search step of a cell and its parent, which is the cell itself for the start.
fn search_step(
    query: &GridQuery<'_>,
    kind: StepKind,
    [cell, parent]: [Cell; 2],
    g: Cost,
) -> SearchStep {
    let h = octile(cell, query.goal);
    let place = |cell| u64::from(query.grid.number(cell));
    let [g, h, f] = [g, h, g + h].map(cost::in_cells);
    let parent = Some(parent).filter(|&parent| parent != cell).map(place);
    SearchStep { kind, place: place(cell), parent, side: Side::Start, g, h, f }
}

/// The cell that is expanded; opens the ends of its jumps.
struct Expansion<'s, 'a, W> {
    search: &'s mut JumpSearch<'a, W>,
    from: Cell,
    g: Cost,
}

impl<W: Watch> Jumps for Expansion<'_, '_, W> {
    #[inline]
    fn take(&mut self, jump: Jump) {
        self.search.open(self.from, self.g, jump);
    }

    #[inline]
    fn pass(&mut self, jump: impl FnOnce() -> Jump) {
        let Self { search, from, g } = self;
        let query = search.query;
        search.watch.step(|| {
            let jump = jump();
            search_step(query, StepKind::Scanned, [jump.to, *from], *g + jump.cost())
        });
    }
}

/// Returns the cell at which a jump turns from its diagonal to its straight part, if it has both.
fn bend(from: Cell, to: Cell) -> Option<Cell> {
    let [dx, dy] = [from.x.abs_diff(to.x), from.y.abs_diff(to.y)];
    let short = dx.min(dy);
    let towards = |from: u32, to: u32| if from < to { from + short } else { from - short };
    (short > 0 && dx != dy).then(|| Cell { x: towards(from.x, to.x), y: towards(from.y, to.y) })
}
