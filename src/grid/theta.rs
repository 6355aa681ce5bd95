use super::{
    Cell, GridAnswer, GridPath, GridQuery, GridScratch,
    astar::node,
    cost::{self, Cost},
    is_in_sight,
    moves::neighbors,
    scratch::Memory,
};
use crate::search::{Side, Step, StepKind, Watch};

/// When Theta* looks whether a cell is in sight of its parent's parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// When the cell is reached.
    Eager,
    /// When it is expanded: far fewer looks, paths are hardly longer.
    #[default]
    Lazy,
}

/// Finds a short path in any direction from cell middle to cell middle by Theta*: A* in which a cell's
/// parent may be any cell in sight.
///
/// The path is short but not always the shortest; [Polyanya](crate) finds that on a mesh of the same
/// ground. Where a path exists, one is found.
///
/// Source: Nash, Daniel, Koenig and Felner, "Theta*", 2007; Nash, Koenig and Tovey, "Lazy Theta*", 2010.
pub fn theta<W: Watch>(
    query: &GridQuery<'_>,
    sight: Sight,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    let memory = &mut scratch.near;
    memory.reset(query.grid);
    if !query.has_ends() {
        return GridAnswer::default();
    }
    let mut search = Theta { query, sight, goal: node(query, query.goal), memory, watch };
    let path = search.run().then(|| GridPath::along(search.memory.way_to(query.grid, search.goal)));
    GridAnswer { path, stats: search.memory.stats() }
}

struct Theta<'a, W> {
    query: &'a GridQuery<'a>,
    sight: Sight,
    goal: u32,
    memory: &'a mut Memory,
    watch: &'a mut W,
}

impl<W: Watch> Theta<'_, W> {
    fn run(&mut self) -> bool {
        let start = node(self.query, self.query.start);
        self.reach(start, 0, start);
        while let Some(entry) = self.memory.open.pop() {
            if self.memory.is_closed(entry.node) {
                continue;
            }
            self.memory.close(entry.node);
            if self.sight == Sight::Lazy {
                self.make_up_sight(entry.node);
            }
            self.say(StepKind::Expanded, entry.node);
            if entry.node == self.goal {
                return true;
            }
            self.memory.n_expanded += 1;
            self.expand(entry.node);
        }
        false
    }

    /// The nodes that one step leads to.
    fn neighbors(&self, node: u32) -> impl Iterator<Item = (u32, Cost)> + use<W> {
        let GridQuery { grid, moves, .. } = *self.query;
        neighbors(grid, moves, node).map(|(next, way)| (next, cost::of_way(way)))
    }

    fn expand(&mut self, node: u32) {
        let (parent, Some(g)) = (self.memory.parent(node), self.memory.g(node)) else { return };
        let Some(g_parent) = self.memory.g(parent) else { return };
        for (next, step) in self.neighbors(node) {
            if self.memory.is_closed(next) {
                continue;
            }
            let straight = parent != node && (self.sight == Sight::Lazy || self.sees(parent, next));
            if straight {
                self.reach(next, g_parent + self.length(parent, next), parent);
            } else {
                self.reach(next, g + step, node);
            }
        }
    }

    /// Keeps a way to a node if it is the best so far.
    fn reach(&mut self, node: u32, g: Cost, parent: u32) {
        let known = self.memory.g(node);
        if known.is_some_and(|known| known <= g) {
            return;
        }
        self.memory.set(node, g, parent, 0);
        let h = self.length(node, self.goal);
        self.memory.push(g + h, h, node);
        self.say(if known.is_none() { StepKind::Opened } else { StepKind::Lowered }, node);
    }

    /// Where a node does not see its parent after all: the best of its expanded neighbours instead.
    fn make_up_sight(&mut self, node: u32) {
        let parent = self.memory.parent(node);
        if parent == node || self.sees(parent, node) {
            return;
        }
        let memory = &*self.memory;
        let ways = self.neighbors(node).filter(|&(next, _)| memory.is_closed(next));
        let ways = ways.filter_map(|(next, step)| Some((memory.g(next)? + step, next)));
        if let Some((g, parent)) = ways.min() {
            self.memory.set(node, g, parent, 0);
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

    fn say(&mut self, kind: StepKind, node: u32) {
        let (g, h) = (self.memory.g(node).unwrap_or(0), self.length(node, self.goal));
        let (grid, parent) = (self.query.grid, self.memory.parent(node));
        let place = |node| u64::from(grid.number(grid.cell_of(node)));
        self.watch.step(|| Step {
            kind,
            place: place(node),
            parent: Some(parent).filter(|&parent| parent != node).map(place),
            side: Side::Start,
            g: cost::in_cells(g),
            h: cost::in_cells(h),
            f: cost::in_cells(g + h),
        });
    }
}
