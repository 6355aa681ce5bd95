use super::{
    Cell, Estimate, GridAnswer, GridPath, GridQuery, GridScratch,
    cost::{self, Cost},
    estimate::octile,
    moves::neighbors,
    scratch::Memory,
};
use crate::search::{Side, Step, StepKind, Watch};

/// Finds a path by A*: always goes on from the cell whose cost so far plus `weight` times its estimate
/// is least.
///
/// With a consistent estimate ([`Estimate::is_consistent`]) the path costs at most `weight` times as
/// much as the cheapest one, and with a weight of at most 1 it is the cheapest; 0 makes it Dijkstra's
/// algorithm. What is no weight counts as 1. A cell is expanded at most once.
///
/// Source: Hart, Nilsson and Raphael 1968; Pohl 1970 for the weight; Likhachev, Gordon and Thrun,
/// "ARA*", 2003, for the bound without expanding again.
pub fn astar<W: Watch>(
    query: &GridQuery<'_>,
    estimate: Estimate<'_>,
    weight: f64,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    let GridQuery { grid, goal, moves, .. } = *query;
    // The usual estimates have loops of their own, so that none is chosen cell by cell.
    match estimate {
        Estimate::Zero => by(query, |_| 0, weight, scratch, watch),
        Estimate::Octile => by(query, |cell| octile(cell, goal), weight, scratch, watch),
        other => by(query, |cell| other.cost(grid, moves, cell, goal), weight, scratch, watch),
    }
}

fn by<W: Watch>(
    query: &GridQuery<'_>,
    estimate: impl Fn(Cell) -> Cost,
    weight: f64,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    let memory = &mut scratch.near;
    memory.reset(query.grid);
    if !query.has_ends() {
        return GridAnswer::default();
    }
    let is_needed = weight.is_finite() && weight >= 0.0 && (weight - 1.0).abs() > f64::EPSILON;
    let weight = Some(weight).filter(|_| is_needed);
    let goal = node(query, query.goal);
    let mut search = AStar { query, estimate, weight, goal, memory, watch };
    let path = search.run();
    let path = path.map(|goal| GridPath::along(search.memory.way_to(query.grid, goal)));
    GridAnswer { path, stats: search.memory.stats() }
}

/// Nodes fit 32 bits, see [`super::MAX_CELLS`].
#[expect(clippy::cast_possible_truncation, reason = "grids have at most 2^28 cells")]
pub(super) fn node(query: &GridQuery<'_>, cell: Cell) -> u32 {
    query.grid.node(cell) as u32
}

struct AStar<'a, H, W> {
    query: &'a GridQuery<'a>,
    estimate: H,
    /// If not 1.
    weight: Option<f64>,
    goal: u32,
    memory: &'a mut Memory,
    watch: &'a mut W,
}

impl<H: Fn(Cell) -> Cost, W: Watch> AStar<'_, H, W> {
    fn run(&mut self) -> Option<u32> {
        let start = node(self.query, self.query.start);
        self.memory.set(start, 0, start, 0);
        self.open(StepKind::Opened, start, 0);
        while let Some(entry) = self.memory.open.pop() {
            if self.memory.is_closed(entry.node) {
                continue;
            }
            self.memory.close(entry.node);
            self.say(StepKind::Expanded, entry.node, entry.f());
            if entry.node == self.goal {
                return Some(entry.node);
            }
            self.memory.n_expanded += 1;
            self.expand(entry.node);
        }
        None
    }

    fn expand(&mut self, node: u32) {
        let Some(g) = self.memory.g(node) else { return };
        for (next, way) in neighbors(self.query.grid, self.query.moves, node) {
            let cost = g + cost::of_way(way);
            let known = self.memory.g(next);
            if known.is_none_or(|known| cost < known) && !self.memory.is_closed(next) {
                self.memory.set(next, cost, node, way);
                let kind = if known.is_none() { StepKind::Opened } else { StepKind::Lowered };
                self.open(kind, next, cost);
            }
        }
    }

    fn open(&mut self, kind: StepKind, node: u32, g: Cost) {
        let h = self.estimate_at(node);
        let f = g + self.weight.map_or(h, |weight| weighted(h, weight));
        self.memory.push(f, h, node);
        self.say(kind, node, f);
    }

    fn estimate_at(&self, node: u32) -> Cost {
        (self.estimate)(self.query.grid.cell_of(node))
    }

    fn say(&mut self, kind: StepKind, node: u32, f: Cost) {
        let Self { query, estimate, memory, watch, .. } = self;
        let grid = query.grid;
        let place = |node| u64::from(grid.number(grid.cell_of(node)));
        let step = || Step {
            kind,
            place: place(node),
            parent: Some(memory.parent(node)).filter(|&parent| parent != node).map(place),
            side: Side::Start,
            g: cost::in_cells(memory.g(node).unwrap_or(0)),
            h: cost::in_cells(estimate(grid.cell_of(node))),
            f: cost::in_cells(f),
        };
        watch.step(step);
    }
}

/// `cost` times `weight`, rounded down.
pub(super) fn weighted(cost: Cost, weight: f64) -> Cost {
    cost::from_cells(cost::in_cells(cost) * weight)
}
