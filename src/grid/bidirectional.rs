use super::{
    Cell, Estimate, GridAnswer, GridPath, GridQuery, GridScratch,
    astar::node,
    cost::{self, Cost},
    moves::neighbors,
    scratch::Memory,
};
use crate::search::{SearchStats, Side, Step, StepKind, Watch};

/// Finds the cheapest path by A* from both ends, each estimating the cost to the other end.
///
/// It goes on from the end with fewer entries on its open list, so that a goal in a closed room costs
/// next to nothing. It stops when no open entry of one end can still lead to a cheaper path than the best
/// that has met; not where both ends have first met, which some texts say and which is not the cheapest
/// path in about one of seven cases.
///
/// Estimates that are not consistent count as [`Estimate::Octile`], which with four ways is weaker than
/// need be but right.
///
/// Source: Pohl, "Bi-directional search", 1971, for choosing the end.
pub fn bidirectional<W: Watch>(
    query: &GridQuery<'_>,
    estimate: Estimate<'_>,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    let GridScratch { near, far } = scratch;
    near.reset(query.grid);
    far.reset(query.grid);
    if !query.has_ends() {
        return GridAnswer::default();
    }
    let estimate = if estimate.is_consistent(query.moves) { estimate } else { Estimate::Octile };
    let mut search = BothEnds { query, estimate, best: None, watch };
    for (memory, from) in [(&mut *near, Side::Start), (&mut *far, Side::Goal)] {
        let start = node(query, search.ends(from)[0]);
        memory.set(start, 0, start, 0);
        search.open(memory, from, start);
    }
    if query.start == query.goal {
        search.best = Some((0, node(query, query.start)));
    }
    search.run(near, far);
    let path = search.best.map(|(_, meeting)| {
        let mut cells = near.way_to(query.grid, meeting);
        cells.extend(far.way_to(query.grid, meeting).into_iter().rev().skip(1));
        GridPath::along(cells)
    });
    let [a, b] = [near.stats(), far.stats()];
    let stats = SearchStats {
        n_expanded: a.n_expanded + b.n_expanded,
        n_opened: a.n_opened + b.n_opened,
        open_peak: a.open_peak + b.open_peak,
    };
    GridAnswer { path, stats }
}

struct BothEnds<'a, W> {
    query: &'a GridQuery<'a>,
    estimate: Estimate<'a>,
    /// Cost of the cheapest path that has met, and where.
    best: Option<(Cost, u32)>,
    watch: &'a mut W,
}

impl<W: Watch> BothEnds<'_, W> {
    /// Where a side begins and where it goes.
    const fn ends(&self, side: Side) -> [Cell; 2] {
        match side {
            Side::Start => [self.query.start, self.query.goal],
            Side::Goal => [self.query.goal, self.query.start],
        }
    }

    fn run(&mut self, near: &mut Memory, far: &mut Memory) {
        loop {
            let (Some(a), Some(b)) = (least(near), least(far)) else { return };
            if self.best.is_some_and(|(cost, _)| a.max(b) >= cost) {
                return;
            }
            if near.open.len() <= far.open.len() {
                self.expand_next(near, far, Side::Start);
            } else {
                self.expand_next(far, near, Side::Goal);
            }
        }
    }

    fn expand_next(&mut self, memory: &mut Memory, other: &Memory, side: Side) {
        let Some(entry) = memory.open.pop() else { return };
        memory.close(entry.node);
        memory.n_expanded += 1;
        self.say(memory, StepKind::Expanded, side, entry.node, entry.f());
        let grid = self.query.grid;
        let Some(g) = memory.g(entry.node) else { return };
        for (next, way) in neighbors(grid, self.query.moves, entry.node) {
            let cost = g + cost::of_way(way);
            if memory.g(next).is_some_and(|known| known <= cost) || memory.is_closed(next) {
                continue;
            }
            memory.set(next, cost, entry.node, way);
            if let Some(rest) = other.g(next)
                && self.best.is_none_or(|(best, _)| cost + rest < best)
            {
                self.best = Some((cost + rest, next));
            }
            self.open(memory, side, next);
        }
    }

    fn open(&mut self, memory: &mut Memory, side: Side, node: u32) {
        let h = self.estimate_at(side, node);
        let f = memory.g(node).unwrap_or(0) + h;
        // What cannot lead to a cheaper path is not worth keeping.
        if self.best.is_none_or(|(best, _)| f < best) {
            memory.push(f, h, node);
            self.say(memory, StepKind::Opened, side, node, f);
        }
    }

    fn estimate_at(&self, side: Side, node: u32) -> Cost {
        let GridQuery { grid, moves, .. } = *self.query;
        self.estimate.cost(grid, moves, grid.cell_of(node), self.ends(side)[1])
    }

    fn say(&mut self, memory: &Memory, kind: StepKind, side: Side, node: u32, f: Cost) {
        let GridQuery { grid, moves, .. } = *self.query;
        let (estimate, end) = (self.estimate, self.ends(side)[1]);
        let place = |node| u64::from(grid.number(grid.cell_of(node)));
        self.watch.step(|| Step {
            kind,
            place: place(node),
            parent: Some(memory.parent(node)).filter(|&parent| parent != node).map(place),
            side,
            g: cost::in_cells(memory.g(node).unwrap_or(0)),
            h: cost::in_cells(estimate.cost(grid, moves, grid.cell_of(node), end)),
            f: cost::in_cells(f),
        });
    }
}

/// The least sum on the open list, after dropping entries that were expanded by a cheaper way.
fn least(memory: &mut Memory) -> Option<Cost> {
    loop {
        let entry = memory.open.peek()?;
        if !memory.is_closed(entry.node) {
            return Some(entry.f());
        }
        memory.open.pop();
    }
}
