use walkable_runtime::search::{Side, StepKind, Watch, is_over};

use super::{
    Cell, Estimate, GridAnswer, GridQuery, GridScratch,
    cost::{self, Cost},
    direction::moved,
    estimate::octile,
    moves::Neighbors,
    scratch::{Memory, NodeStep},
};

/// Finds a path by A*, which always expands the cell with the smallest sum of its cost so far and `weight` times its
/// heuristic.
///
/// With a consistent heuristic ([`Estimate::is_consistent`]), the cost of the path is at most `weight` times the
/// optimum. With a weight of at most 1 the path is optimal. A weight of 0 is Dijkstra's algorithm. A negative or
/// non-finite weight is treated as 1. Each cell is expanded at most once.
///
/// Source: Hart, Nilsson and Raphael 1968; Pohl 1970 for the weight; Likhachev, Gordon and Thrun, "ARA*", 2003, for the
/// bound without expanding closed cells again.
pub fn astar<W: Watch>(
    query: &GridQuery<'_>,
    estimate: Estimate<'_>,
    weight: f64,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    let GridQuery { grid, goal, moves, .. } = *query;
    // Each heuristic gets its own search loop, which avoids a `match` per cell.
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
    let Some(ends) = memory.begin(query, Side::Start) else {
        return GridAnswer::default();
    };
    let is_needed = weight.is_finite() && weight >= 0.0 && (weight - 1.0).abs() > f64::EPSILON;
    let weight = Some(weight).filter(|_| is_needed);
    let neighbors = &Neighbors::new(query.grid, query.moves);
    let mut search = AStar { query, neighbors, estimate, weight, memory, watch };
    let path = search.run(ends).then(|| search.memory.path_to(query.grid, ends[1]));
    GridAnswer { path, stats: search.memory.stats() }
}

struct AStar<'a, H, W> {
    query: &'a GridQuery<'a>,
    neighbors: &'a Neighbors<'a>,
    estimate: H,
    /// The weight; `None` for 1.
    weight: Option<f64>,
    memory: &'a mut Memory,
    watch: &'a mut W,
}

impl<H: Fn(Cell) -> Cost, W: Watch> AStar<'_, H, W> {
    fn run(&mut self, [start, goal]: [u32; 2]) -> bool {
        self.open(StepKind::Opened, start, self.query.start, 0);
        while let Some((node, f)) = self.memory.next() {
            self.report_step(StepKind::Expanded, node, f);
            if node == goal {
                return true;
            }
            if is_over(self.watch, self.memory.n_expanded) {
                return false;
            }
            self.memory.n_expanded += 1;
            self.expand(node);
        }
        false
    }

    #[inline]
    fn expand(&mut self, node: u32) {
        let (arrived, g) = self.memory.reached(node);
        let (cell, neighbors) = (self.query.grid.cell_of(node), self.neighbors);
        for (next, direction) in neighbors.beyond(node, arrived) {
            let cost = g + cost::of_step(direction);
            if let Some(kind) = self.memory.lower(next, cost, direction) {
                self.open(kind, next, moved(cell, direction, 1), cost);
            }
        }
    }

    #[inline]
    fn open(&mut self, kind: StepKind, node: u32, cell: Cell, g: Cost) {
        let h = (self.estimate)(cell);
        let f = g + self.weight.map_or(h, |weight| weighted(h, weight));
        self.memory.open.push(f, h, node);
        self.report_step(kind, node, f);
    }

    #[inline]
    fn report_step(&mut self, kind: StepKind, node: u32, f: Cost) {
        let Self { query, estimate, memory, watch, .. } = self;
        let grid = query.grid;
        watch.step(|| {
            let (parent, h) = (memory.step_back(grid, node), estimate(grid.cell_of(node)));
            let (_, g) = memory.reached(node);
            NodeStep { kind, node, parent, side: Side::Start, g, h, f }.on(grid)
        });
    }
}

/// Returns `cost` times `weight`, rounded down.
pub(super) fn weighted(cost: Cost, weight: f64) -> Cost {
    cost::from_cells(cost::in_cells(cost) * weight)
}
