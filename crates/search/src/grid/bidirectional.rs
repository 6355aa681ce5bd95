use walkable_runtime::search::{SearchStats, Side, StepKind, Watch, is_over};

use super::{
    Cell, Estimate, GridAnswer, GridPath, GridQuery, GridScratch,
    cost::{self, Cost},
    direction::moved,
    moves::Neighbors,
    scratch::{Memory, NodeStep},
};

/// Finds an optimal path by A* from both ends; each side estimates the cost to the opposite end.
///
/// Each iteration expands a node of the side with fewer open entries, so a goal in a closed room is detected quickly.
/// The search stops when no open entry of one side can lead to a cheaper path than the best so far. Some texts stop at
/// the first meeting of both sides, which returns a suboptimal path in about one of seven cases.
///
/// An inconsistent heuristic is replaced by [`Estimate::Octile`], which is consistent with all moves but weak with four
/// moves.
///
/// Source: Pohl, "Bi-directional search", 1971, for choosing the side.
pub fn bidirectional<W: Watch>(
    query: &GridQuery<'_>,
    estimate: Estimate<'_>,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    let GridScratch { near, far, .. } = scratch;
    let (Some([start, goal]), Some(_)) =
        (near.begin(query, Side::Start), far.begin(query, Side::Goal))
    else {
        return GridAnswer::default();
    };
    let estimate = if estimate.is_consistent(query.moves) { estimate } else { Estimate::Octile };
    let neighbors = &Neighbors::new(query.grid, query.moves);
    let best = (start == goal).then_some((0, start));
    let mut search = BidirectionalSearch { query, neighbors, estimate, best: None, watch };
    search.open(near, Side::Start, StepKind::Opened, (start, query.start));
    search.open(far, Side::Goal, StepKind::Opened, (goal, query.goal));
    search.best = best;
    search.run(near, far);
    let path = search.best.map(|(_, meeting)| {
        let [near, far] = [&near, &far].map(|memory| memory.path_to(query.grid, meeting));
        let mut cells = near.cells;
        cells.extend(far.cells.into_iter().rev().skip(1));
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

struct BidirectionalSearch<'a, W> {
    query: &'a GridQuery<'a>,
    neighbors: &'a Neighbors<'a>,
    estimate: Estimate<'a>,
    /// Cost of the cheapest path found so far, and the node at which its sides meet.
    best: Option<(Cost, u32)>,
    watch: &'a mut W,
}

impl<W: Watch> BidirectionalSearch<'_, W> {
    /// Returns the end that a side searches for.
    const fn end(&self, side: Side) -> Cell {
        match side {
            Side::Start => self.query.goal,
            Side::Goal => self.query.start,
        }
    }

    fn run(&mut self, near: &mut Memory, far: &mut Memory) {
        loop {
            let (Some(a), Some(b)) = (least(near), least(far)) else { return };
            if self.best.is_some_and(|(cost, _)| a.max(b) >= cost) {
                return;
            }
            if is_over(self.watch, near.n_expanded + far.n_expanded) {
                self.best = None;
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
        let Some((node, f)) = memory.next() else { return };
        memory.n_expanded += 1;
        self.report_step(memory, StepKind::Expanded, side, node, f);
        let (cell, neighbors) = (self.query.grid.cell_of(node), self.neighbors);
        let (arrived, g) = memory.reached(node);
        for (next, direction) in neighbors.beyond(node, arrived) {
            let cost = g + cost::of_step(direction);
            let Some(kind) = memory.lower(next, cost, direction) else { continue };
            if let Some(rest) = other.g(next)
                && self.best.is_none_or(|(best, _)| cost + rest < best)
            {
                self.best = Some((cost + rest, next));
            }
            self.open(memory, side, kind, (next, moved(cell, direction, 1)));
        }
    }

    fn open(&mut self, memory: &mut Memory, side: Side, kind: StepKind, (node, cell): (u32, Cell)) {
        let h = self.estimate_at(side, cell);
        let f = memory.reached(node).1 + h;
        // Nodes that cannot lead to a cheaper path are not opened.
        if self.best.is_none_or(|(best, _)| f < best) {
            memory.open.push(f, h, node);
            self.report_step(memory, kind, side, node, f);
        }
    }

    fn estimate_at(&self, side: Side, cell: Cell) -> Cost {
        let GridQuery { grid, moves, .. } = *self.query;
        self.estimate.cost(grid, moves, cell, self.end(side))
    }

    fn report_step(&mut self, memory: &Memory, kind: StepKind, side: Side, node: u32, f: Cost) {
        let GridQuery { grid, moves, .. } = *self.query;
        let (estimate, end) = (self.estimate, self.end(side));
        self.watch.step(|| {
            let (parent, (_, g)) = (memory.step_back(grid, node), memory.reached(node));
            let h = estimate.cost(grid, moves, grid.cell_of(node), end);
            NodeStep { kind, node, parent, side, g, h, f }.on(grid)
        });
    }
}

/// Returns the smallest `f` on the open list, after removing entries of closed nodes.
fn least(memory: &mut Memory) -> Option<Cost> {
    loop {
        let (f, node) = memory.open.peek()?;
        if !memory.is_closed(node) {
            return Some(f);
        }
        memory.open.pop();
    }
}
