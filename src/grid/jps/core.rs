//! A* over jump points, wherever these come from.

use crate::{
    grid::{
        Cell, GridAnswer, GridPath, GridQuery, GridScratch,
        cost::{Cost, DIAGONAL, STRAIGHT},
        estimate::octile,
        moves::Way,
        queue::Expect,
        scratch::{Memory, NodeStep},
    },
    search::{Side, StepKind, Watch},
};

/// A way from one jump point: some diagonal steps, then some straight ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    /// The way of the last step.
    pub(super) way: Way,
    pub(super) diagonal: u32,
    pub(super) straight: u32,
    /// Where it leads.
    pub(super) node: u32,
}

impl Jump {
    fn cost(self) -> Cost {
        DIAGONAL * Cost::from(self.diagonal) + STRAIGHT * Cost::from(self.straight)
    }
}

/// Finds the jumps that are worth taking.
pub(super) trait Successors {
    /// Tells of each jump from `from`, which was reached by the way `arrived`.
    fn each(&self, from: Cell, arrived: Option<Way>, out: &mut impl Jumps);
}

/// Hears of jumps.
pub(super) trait Jumps {
    /// There is a jump.
    fn take(&mut self, jump: Jump);

    /// There is one that is not worth taking; it is told only to be watched.
    fn pass(&mut self, jump: impl FnOnce() -> Jump);
}

pub(super) fn search<W: Watch>(
    query: &GridQuery<'_>,
    successors: &impl Successors,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    let memory = &mut scratch.near;
    let Some(ends) = memory.begin(query, Side::Start, Expect::Few) else {
        return GridAnswer::default();
    };
    let mut search = Search { query, memory, watch };
    let path = search.run(ends, successors).then(|| search.path(ends[1]));
    GridAnswer { path, stats: search.memory.stats() }
}

struct Search<'a, W> {
    query: &'a GridQuery<'a>,
    memory: &'a mut Memory,
    watch: &'a mut W,
}

impl<W: Watch> Search<'_, W> {
    fn run(&mut self, [start, goal]: [u32; 2], successors: &impl Successors) -> bool {
        let h = octile(self.query.start, self.query.goal);
        self.memory.open.push(h, h, start);
        self.say(StepKind::Opened, start, start, 0);
        while let Some((node, _)) = self.memory.next() {
            let (arrived, g) = self.memory.reached(node);
            self.say(StepKind::Expanded, node, self.memory.parent(node), g);
            if node == goal {
                return true;
            }
            self.memory.n_expanded += 1;
            let from = self.query.grid.cell_of(node);
            successors.each(from, arrived, &mut Expansion { search: self, node, g });
        }
        false
    }

    /// Puts the end of a jump on the open list if the way is the best so far.
    #[inline]
    fn open(&mut self, parent: u32, g: Cost, jump: Jump) {
        let kind = self.memory.lower_from(jump.node, g, jump.way, parent);
        if kind.is_some() {
            let h = octile(self.query.grid.cell_of(jump.node), self.query.goal);
            self.memory.open.push(g + h, h, jump.node);
        }
        self.say(kind.unwrap_or(StepKind::Scanned), jump.node, parent, g);
    }

    /// The cells where the path turns.
    fn path(&self, goal: u32) -> GridPath {
        let jumps = self.memory.way_to(self.query.grid, goal);
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
    fn say(&mut self, kind: StepKind, node: u32, parent: u32, g: Cost) {
        let GridQuery { grid, goal, .. } = *self.query;
        self.watch.step(|| {
            let h = octile(grid.cell_of(node), goal);
            NodeStep { kind, node, parent, side: Side::Start, g, h, f: g + h }.on(grid)
        });
    }
}

/// A node while it is expanded.
struct Expansion<'s, 'a, W> {
    search: &'s mut Search<'a, W>,
    node: u32,
    g: Cost,
}

impl<W: Watch> Jumps for Expansion<'_, '_, W> {
    #[inline]
    fn take(&mut self, jump: Jump) {
        self.search.open(self.node, self.g + jump.cost(), jump);
    }

    #[inline]
    fn pass(&mut self, jump: impl FnOnce() -> Jump) {
        let Search { query, watch, .. } = &mut *self.search;
        watch.step(|| {
            let jump = jump();
            let g = self.g + jump.cost();
            let h = octile(query.grid.cell_of(jump.node), query.goal);
            let (kind, side, parent) = (StepKind::Scanned, Side::Start, self.node);
            NodeStep { kind, node: jump.node, parent, side, g, h, f: g + h }.on(query.grid)
        });
    }
}

/// Where a jump from one cell to another turns from its diagonal to its straight part.
fn bend(from: Cell, to: Cell) -> Option<Cell> {
    let [dx, dy] = [from.x.abs_diff(to.x), from.y.abs_diff(to.y)];
    let short = dx.min(dy);
    let towards = |from: u32, to: u32| if from < to { from + short } else { from - short };
    (short > 0 && dx != dy).then(|| Cell { x: towards(from.x, to.x), y: towards(from.y, to.y) })
}
