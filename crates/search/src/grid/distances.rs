use walkable_runtime::search::{Side, StepKind, Watch, is_over};

use super::{
    Cell, Grid, Moves,
    cost::{self, Cost},
    moves::Neighbors,
    scratch::{Memory, NodeStep, node},
};

/// Costs of the cheapest paths from one cell to all others.
#[derive(Clone, Debug)]
pub struct Distances {
    n_x: u32,
    n_y: u32,
    /// Cost per cell, row by row.
    costs: Vec<Cost>,
    parents: Vec<u32>,
}

const UNREACHED: Cost = Cost::MAX;

/// Computes the costs from `from` to all reachable cells by Dijkstra's algorithm.
///
/// Stops after the first expanded cell for which `is_enough` returns `true`, or if `watch` stops the search. The costs
/// of cells that are not expanded by then are unknown. Pass `|_| false` to search all cells.
pub fn distances<W: Watch>(
    grid: &Grid,
    moves: Moves,
    from: Cell,
    mut is_enough: impl FnMut(Cell) -> bool,
    watch: &mut W,
) -> Distances {
    let mut found = Distances {
        n_x: grid.n_x(),
        n_y: grid.n_y(),
        costs: vec![UNREACHED; grid.n_cells()],
        parents: vec![u32::MAX; grid.n_cells()],
    };
    if !grid.is_passable(from) {
        return found;
    }
    let mut memory = Memory::default();
    memory.reset(grid);
    let start = node(grid, from);
    memory.start_at(start);
    memory.open.push(0, 0, start);
    let report_step = |watch: &mut W, memory: &Memory, kind, node| {
        watch.step(|| {
            let (parent, (_, g)) = (memory.step_back(grid, node), memory.reached(node));
            NodeStep { kind, node, parent, side: Side::Start, g, h: 0, f: g }.on(grid)
        });
    };
    report_step(watch, &memory, StepKind::Opened, start);
    let neighbors = Neighbors::new(grid, moves);
    while let Some((node, g)) = memory.next() {
        if is_over(watch, memory.n_expanded) {
            break;
        }
        memory.n_expanded += 1;
        report_step(watch, &memory, StepKind::Expanded, node);
        let cell = grid.cell_of(node);
        found.costs[grid.number(cell) as usize] = g;
        let parent = grid.cell_of(memory.step_back(grid, node));
        found.parents[grid.number(cell) as usize] = grid.number(parent);
        if is_enough(cell) {
            break;
        }
        for (next, direction) in neighbors.beyond(node, memory.reached(node).0) {
            let cost = g + cost::of_step(direction);
            if let Some(kind) = memory.lower(next, cost, direction) {
                memory.open.push(cost, 0, next);
                report_step(watch, &memory, kind, next);
            }
        }
    }
    found
}

impl Distances {
    /// Returns the cost of the cheapest path to a cell, in cells, or `None` if no path is known.
    pub fn cost(&self, cell: Cell) -> Option<f64> {
        self.exact(cell).map(cost::in_cells)
    }

    /// Returns every cell of the cheapest path from the start to a cell, or `None` if no path is known.
    pub fn path(&self, to: Cell) -> Option<Vec<Cell>> {
        self.exact(to)?;
        let mut cells = vec![to];
        let mut at = to.y * self.n_x + to.x;
        while let Some(&parent) = self.parents.get(at as usize).filter(|&&parent| parent != at) {
            cells.push(Cell { x: parent % self.n_x, y: parent / self.n_x });
            at = parent;
        }
        cells.reverse();
        Some(cells)
    }

    pub(super) fn exact(&self, cell: Cell) -> Option<Cost> {
        let inside = cell.x < self.n_x && cell.y < self.n_y;
        let at = inside.then(|| cell.y as usize * self.n_x as usize + cell.x as usize)?;
        Some(self.costs[at]).filter(|&cost| cost != UNREACHED)
    }
}
