use walkable_runtime::search::{Side, StepKind, Watch, is_over};

use super::{
    Cell, GridAnswer, GridPath, GridQuery, GridScratch,
    cost::{self, Cost},
    is_in_sight,
    moves::Neighbors,
    scratch::{Memory, NodeStep},
};

/// Time at which Theta* checks the line of sight between a cell and its parent's parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SightCheck {
    /// Checks when the cell is opened.
    Eager,
    /// Checks when the cell is expanded, with far fewer checks. Paths are hardly longer.
    #[default]
    Lazy,
}

/// Finds a short any-angle path between cell centers by Theta*: A* in which the parent of a cell may be any cell in its
/// line of sight.
///
/// The path may be longer than the shortest any-angle path, which Polyanya finds on a navmesh. A path is found whenever
/// one exists.
///
/// Source: Nash, Daniel, Koenig and Felner, "Theta*", 2007; Nash, Koenig and Tovey, "Lazy Theta*", 2010.
pub fn theta<W: Watch>(
    query: &GridQuery<'_>,
    sight: SightCheck,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    let memory = &mut scratch.near;
    let Some([start, goal]) = memory.begin(query, Side::Start) else {
        return GridAnswer::default();
    };
    let neighbors = &Neighbors::new(query.grid, query.moves);
    let mut search = Theta { query, neighbors, sight, goal, memory, watch };
    let path = search.run(start).then(|| GridPath::along(search.memory.cells_to(query.grid, goal)));
    GridAnswer { path, stats: search.memory.stats() }
}

struct Theta<'a, W> {
    query: &'a GridQuery<'a>,
    neighbors: &'a Neighbors<'a>,
    sight: SightCheck,
    goal: u32,
    memory: &'a mut Memory,
    watch: &'a mut W,
}

impl<W: Watch> Theta<'_, W> {
    fn run(&mut self, start: u32) -> bool {
        self.open(StepKind::Opened, start, 0);
        while let Some((node, _)) = self.memory.next() {
            if self.sight == SightCheck::Lazy {
                self.make_up_sight(node);
            }
            self.report_step(StepKind::Expanded, node);
            if node == self.goal {
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

    fn expand(&mut self, node: u32) {
        let (parent, Some(g)) = (self.memory.parent(node), self.memory.g(node)) else { return };
        let Some(g_parent) = self.memory.g(parent) else { return };
        let neighbors = self.neighbors;
        for (next, direction) in neighbors.of(node) {
            if self.memory.is_closed(next) {
                continue;
            }
            let straight =
                parent != node && (self.sight == SightCheck::Lazy || self.sees(parent, next));
            if straight {
                self.reach(next, g_parent + self.length(parent, next), parent);
            } else {
                self.reach(next, g + cost::of_step(direction), node);
            }
        }
    }

    /// Records a path to a node if it is the cheapest so far.
    fn reach(&mut self, node: u32, g: Cost, parent: u32) {
        if let Some(kind) = self.memory.lower_from(node, g, 0, parent) {
            self.open(kind, node, g);
        }
    }

    fn open(&mut self, kind: StepKind, node: u32, g: Cost) {
        let h = self.length(node, self.goal);
        self.memory.open.push(g + h, h, node);
        self.report_step(kind, node);
    }

    /// Replaces the parent of a node by the best closed neighbor if the parent is not in line of sight.
    fn make_up_sight(&mut self, node: u32) {
        let parent = self.memory.parent(node);
        if parent == node || self.sees(parent, node) {
            return;
        }
        let memory = &*self.memory;
        let parents = self.neighbors.of(node).filter(|&(next, _)| memory.is_closed(next));
        let parents = parents.filter_map(|(next, direction)| {
            Some((memory.g(next)? + cost::of_step(direction), next))
        });
        if let Some((g, parent)) = parents.min() {
            self.memory.set(node, g, parent);
            self.memory.close(node);
        }
    }

    fn sees(&self, a: u32, b: u32) -> bool {
        let GridQuery { grid, moves, .. } = *self.query;
        is_in_sight(grid, moves, grid.cell_of(a), grid.cell_of(b))
    }

    fn length(&self, a: u32, b: u32) -> Cost {
        let [a, b]: [Cell; 2] = [a, b].map(|node| self.query.grid.cell_of(node));
        let (dx, dy) = (f64::from(a.x.abs_diff(b.x)), f64::from(a.y.abs_diff(b.y)));
        cost::from_cells(dx.hypot(dy))
    }

    fn report_step(&mut self, kind: StepKind, node: u32) {
        let (_, g) = self.memory.reached(node);
        let (h, parent) = (self.length(node, self.goal), self.memory.parent(node));
        let step = NodeStep { kind, node, parent, side: Side::Start, g, h, f: g + h };
        self.watch.step(|| step.on(self.query.grid));
    }
}
