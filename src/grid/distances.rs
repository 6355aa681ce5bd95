use super::{
    Cell, Grid, Moves,
    cost::{self, Cost},
    moves::neighbors,
    scratch::Memory,
};
use crate::search::{Side, Step, StepKind, Watch};

/// The cost from one cell to every other.
#[derive(Clone, Debug)]
pub struct Distances {
    n_x: u32,
    n_y: u32,
    /// Per cell, row by row.
    costs: Vec<Cost>,
    parents: Vec<u32>,
}

const UNREACHED: Cost = Cost::MAX;

/// Finds the costs from `from` to all cells that can be reached, by Dijkstra's algorithm. It stops after
/// the first cell that `is_enough` says yes to; costs of cells farther than that one are not known
/// then. Pass `|_| false` for all.
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
    #[expect(clippy::cast_possible_truncation, reason = "grids have at most 2^28 cells")]
    let start = grid.node(from) as u32;
    memory.set(start, 0, start, 0);
    memory.push(0, 0, start);
    say(grid, &memory, StepKind::Opened, start, watch);
    while let Some(entry) = memory.open.pop() {
        if memory.is_closed(entry.node) {
            continue;
        }
        memory.close(entry.node);
        say(grid, &memory, StepKind::Expanded, entry.node, watch);
        let cell = grid.cell_of(entry.node);
        found.costs[grid.number(cell) as usize] = entry.f();
        let parent = grid.cell_of(memory.parent(entry.node));
        found.parents[grid.number(cell) as usize] = grid.number(parent);
        if is_enough(cell) {
            break;
        }
        for (next, way) in neighbors(grid, moves, entry.node) {
            let cost = entry.f() + cost::of_way(way);
            let known = memory.g(next);
            if known.is_none_or(|known| cost < known) && !memory.is_closed(next) {
                memory.set(next, cost, entry.node, way);
                memory.push(cost, 0, next);
                let kind = if known.is_none() { StepKind::Opened } else { StepKind::Lowered };
                say(grid, &memory, kind, next, watch);
            }
        }
    }
    found
}

fn say(grid: &Grid, memory: &Memory, kind: StepKind, node: u32, watch: &mut impl Watch) {
    let place = |node| u64::from(grid.number(grid.cell_of(node)));
    watch.step(|| {
        let g = cost::in_cells(memory.g(node).unwrap_or(0));
        Step {
            kind,
            place: place(node),
            parent: Some(memory.parent(node)).filter(|&parent| parent != node).map(place),
            side: Side::Start,
            g,
            h: 0.0,
            f: g,
        }
    });
}

impl Distances {
    /// Cost of the cheapest path to a cell, if one leads there.
    pub fn cost(&self, cell: Cell) -> Option<f64> {
        self.exact(cell).map(cost::in_cells)
    }

    /// The cells of the cheapest path to a cell, every one, from where the search began.
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
