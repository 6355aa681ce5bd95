//! A* over jump points, wherever these come from.

use crate::{
    grid::{
        Cell, GridAnswer, GridPath, GridQuery, GridScratch,
        astar::node,
        cost::{self, Cost, DIAGONAL, STRAIGHT},
        estimate::octile,
        moves::{STEPS, Way},
        scratch::Memory,
    },
    search::{Side, Step, StepKind, Watch},
};

/// A way from one jump point: some diagonal steps, then some straight ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    /// The way of the last step.
    pub(super) way: Way,
    pub(super) diagonal: u32,
    pub(super) straight: u32,
    /// Whether it is worth taking; else it is told only to be watched.
    pub(super) jumps: bool,
}

/// Finds the jumps that are worth taking.
pub(super) trait Successors {
    /// Calls `found` with each jump from `from`, which was reached by the way `arrived`, and with where
    /// it leads.
    fn each(&self, from: Cell, arrived: Option<Way>, found: impl FnMut(Jump, Cell));
}

pub(super) fn search<W: Watch>(
    query: &GridQuery<'_>,
    successors: &impl Successors,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    let memory = &mut scratch.near;
    memory.reset(query.grid);
    if !query.has_ends() {
        return GridAnswer::default();
    }
    let mut search = Search { query, goal: node(query, query.goal), memory, watch };
    let path = search.run(successors).then(|| search.path());
    GridAnswer { path, stats: search.memory.stats() }
}

struct Search<'a, W> {
    query: &'a GridQuery<'a>,
    goal: u32,
    memory: &'a mut Memory,
    watch: &'a mut W,
}

impl<W: Watch> Search<'_, W> {
    fn run(&mut self, successors: &impl Successors) -> bool {
        let start = node(self.query, self.query.start);
        self.memory.set(start, 0, start, 0);
        let h = octile(self.query.start, self.query.goal);
        self.memory.push(h, h, start);
        self.say(StepKind::Opened, start, start, 0);
        while let Some(entry) = self.memory.open.pop() {
            if self.memory.is_closed(entry.node) {
                continue;
            }
            self.memory.close(entry.node);
            let (g, parent) =
                (entry.f() - octile_from(self.query, entry.node), self.memory.parent(entry.node));
            self.say(StepKind::Expanded, entry.node, parent, g);
            if entry.node == self.goal {
                return true;
            }
            self.memory.n_expanded += 1;
            let from = self.query.grid.cell_of(entry.node);
            let arrived = (entry.node != start).then(|| self.memory.way(entry.node));
            successors.each(from, arrived, |jump, to| self.open(entry.node, g, jump, to));
        }
        false
    }

    /// Puts the end of a jump on the open list if the way is the best so far.
    fn open(&mut self, parent: u32, g: Cost, jump: Jump, to: Cell) {
        let g = g + DIAGONAL * Cost::from(jump.diagonal) + STRAIGHT * Cost::from(jump.straight);
        let next = node(self.query, to);
        if !jump.jumps {
            self.say(StepKind::Scanned, next, parent, g);
            return;
        }
        let known = self.memory.g(next);
        if known.is_some_and(|known| known <= g) || self.memory.is_closed(next) {
            self.say(StepKind::Scanned, next, parent, g);
            return;
        }
        self.memory.set(next, g, parent, jump.way);
        let h = octile(to, self.query.goal);
        self.memory.push(g + h, h, next);
        let kind = if known.is_none() { StepKind::Opened } else { StepKind::Lowered };
        self.say(kind, next, parent, g);
    }

    /// The cells where the path turns.
    fn path(&self) -> GridPath {
        let jumps = self.memory.way_to(self.query.grid, self.goal);
        let mut cells: Vec<Cell> = Vec::with_capacity(2 * jumps.len());
        for jump in jumps {
            if let Some(bend) = cells.last().and_then(|&last| bend(last, jump)) {
                cells.push(bend);
            }
            cells.push(jump);
        }
        GridPath::along(cells)
    }

    fn say(&mut self, kind: StepKind, node: u32, parent: u32, g: Cost) {
        let GridQuery { grid, goal, .. } = *self.query;
        let place = |node| u64::from(grid.number(grid.cell_of(node)));
        self.watch.step(|| {
            let h = octile(grid.cell_of(node), goal);
            Step {
                kind,
                place: place(node),
                parent: Some(parent).filter(|&parent| parent != node).map(place),
                side: Side::Start,
                g: cost::in_cells(g),
                h: cost::in_cells(h),
                f: cost::in_cells(g + h),
            }
        });
    }
}

fn octile_from(query: &GridQuery<'_>, node: u32) -> Cost {
    octile(query.grid.cell_of(node), query.goal)
}

/// Where a jump from one cell to another turns from its diagonal to its straight part.
fn bend(from: Cell, to: Cell) -> Option<Cell> {
    let [dx, dy] = [from.x.abs_diff(to.x), from.y.abs_diff(to.y)];
    let short = dx.min(dy);
    let towards = |from: u32, to: u32| if from < to { from + short } else { from - short };
    (short > 0 && dx != dy).then(|| Cell { x: towards(from.x, to.x), y: towards(from.y, to.y) })
}

/// The cell `n` steps that way.
pub(super) fn moved(from: Cell, way: Way, n: u32) -> Cell {
    let [dx, dy] = STEPS[way].map(|step| step * i32::try_from(n).unwrap_or(0));
    Cell { x: from.x.wrapping_add_signed(dx), y: from.y.wrapping_add_signed(dy) }
}
