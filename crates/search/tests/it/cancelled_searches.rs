//! Checks that searches end soon after they are cancelled, and report the cancellation.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicU32, Ordering};

use walkable::{
    grid::{
        Cell, Estimate, Grid, GridQuery, GridScratch, JumpTable, Landmarks, Moves, Prune,
        SightCheck, astar, bidirectional, distances, jps, jps_plus, theta,
    },
    monitor::{Cancelled, Monitor},
    search::{
        Cancellable, Graph, Trace, Unwatched, WeightedGraph, breadth_first, cancellable,
        depth_first, dijkstra,
    },
    voxel::{
        CellOptions, Columns, Fill, Octree, SpanSearch, Volume, VoxelMoves, VoxelScratch,
        WalkRules, find_by_cells, find_by_spans, find_dense, walk,
    },
};

/// A monitor that is cancelled after a number of queries.
struct After {
    n_asked: AtomicU32,
    limit: u32,
}

impl After {
    const fn new(limit: u32) -> Self {
        Self { n_asked: AtomicU32::new(0), limit }
    }
}

impl Monitor for After {
    fn is_cancelled(&self) -> bool {
        self.n_asked.fetch_add(1, Ordering::Relaxed) + 1 >= self.limit
    }
}

type Watched<'a> = Cancellable<'a, Trace, After>;

/// Checks that the search completes if it is not cancelled, and that a cancelled search expands at most as many nodes
/// as there are between two queries of the monitor.
#[track_caller]
fn check<A>(name: &str, mut search: impl FnMut(&mut Watched<'_>) -> A) {
    let never = After::new(u32::MAX);
    assert!(cancellable(&never, &mut Trace::default(), &mut search).is_ok(), "{name}");
    let n_asked = never.n_asked.into_inner();
    assert!(n_asked > 3, "{name} is too short to be cancelled: asked {n_asked} times");
    for limit in [1, 3] {
        let (after, mut trace) = (After::new(limit), Trace::default());
        let answer = cancellable(&after, &mut trace, &mut search);
        assert_eq!(answer.err(), Some(Cancelled), "{name}");
        let n_expanded = trace.expanded().count();
        // The node at which the search stops may be in the trace.
        assert!(n_expanded <= 1024 * (limit as usize - 1) + 1, "{name}: {n_expanded}");
    }
}

/// Returns a generator of pseudorandom numbers from 0 to `n` - 1.
fn random(n: u64) -> impl FnMut() -> u64 {
    let mut state = 1_u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % n
    }
}

/// Creates a grid of scattered obstacles with the last cell walled in.
fn grid() -> Grid {
    let mut one_of = random(6);
    Grid::new(300, 300, |cell| match (cell.x.max(cell.y), cell.x.min(cell.y)) {
        (299, 299) => true,
        (298.., 298..) => false,
        _ => one_of() > 0,
    })
    .unwrap()
}

#[test]
fn searches_of_grids_are_cancelled() {
    let grid = grid();
    let start = grid.passable_cells().next().unwrap();
    let query =
        &GridQuery { grid: &grid, start, goal: Cell::new(299, 299), moves: Moves::default() };
    let scratch = &mut GridScratch::default();
    let table = JumpTable::new(&grid);
    check("A*", |watch| astar(query, Estimate::Octile, 1.0, scratch, watch));
    check("JPS", |watch| jps(query, Prune::None, scratch, watch));
    check("pruned JPS", |watch| jps(query, Prune::Intermediate, scratch, watch));
    check("JPS+", |watch| jps_plus(query, &table, scratch, watch));
    check("Theta*", |watch| theta(query, SightCheck::Eager, scratch, watch));
    check("lazy Theta*", |watch| theta(query, SightCheck::Lazy, scratch, watch));
    check("Dijkstra", |watch| distances(&grid, query.moves, start, |_| false, watch));
    check("landmarks", |watch| Landmarks::watched(&grid, query.moves, 2, watch).cells().len());
    let open = &Grid::new(300, 300, |_| true).unwrap();
    let query =
        &GridQuery { grid: open, start: Cell::new(3, 150), goal: Cell::new(299, 9), ..*query };
    check("both ends", |watch| bidirectional(query, Estimate::Zero, scratch, watch));
}

#[test]
fn searches_of_graphs_are_cancelled() {
    let n = 9_000;
    let graph = Graph::new(n, |vertex, out| out.push((vertex + 1) % n));
    let edges: Vec<_> = (0..n).map(|vertex| (vertex, (vertex + 1) % n, 1.0)).collect();
    let weighted = WeightedGraph::new(n, &edges).unwrap();
    check("breadth first", |watch| breadth_first(&graph, 0, watch));
    check("depth first", |watch| depth_first(&graph, 0, watch));
    check("Dijkstra", |watch| dijkstra(&weighted, 0, |_| false, watch));
}

#[test]
fn searches_of_volumes_are_cancelled() {
    let mut volume = Volume::new([48; 3]).unwrap();
    let mut one_of = random(3);
    for number in 0..48_u64.pow(3) {
        if one_of() == 0 {
            volume.set(volume.voxel(number), Fill::Blocked);
        }
    }
    let ends = [[0; 3], [47; 3]];
    for walled in [[46, 47, 47], [47, 46, 47], [47, 47, 46]] {
        volume.set(walled, Fill::Blocked);
    }
    for end in ends {
        volume.set(end, Fill::Free);
    }
    let columns = Columns::of_volume(&volume).unwrap();
    let tree = Octree::of_volume(&volume).unwrap();
    let scratch = &mut VoxelScratch::default();
    let rules = WalkRules { step_vx: 9, clearance_vx: 1 };
    check("dense", |watch| find_dense(&volume, ends, VoxelMoves::Six, 1.0, scratch, watch));
    for keep in [SpanSearch::Exact, SpanSearch::OnePerSpan] {
        check("spans", |watch| find_by_spans(&columns, ends, keep, scratch, watch));
    }
    check("walk", |watch| walk(&columns, ends, rules, scratch, watch));
    let options = CellOptions::default();
    check("cubes", |watch| find_by_cells(&tree, ends, options, scratch, watch));
}

/// Checks that a search without a monitor is not stopped.
#[test]
fn a_search_without_a_monitor_is_not_stopped() {
    let grid = grid();
    let start = grid.passable_cells().next().unwrap();
    let query =
        GridQuery { grid: &grid, start, goal: Cell::new(299, 299), moves: Moves::default() };
    let scratch = &mut GridScratch::default();
    let answer = astar(&query, Estimate::Octile, 1.0, scratch, &mut Unwatched);
    assert!(answer.path.is_none() && answer.stats.n_expanded > 10_000);
}
