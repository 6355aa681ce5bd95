//! Compares all searches on small random grids with a plain relaxation.

use proptest::prelude::*;
use walkable_runtime::{
    random::Random,
    search::{StepKind, Trace, Unwatched},
};

use super::*;

/// Parses a picture of a grid; `#` is blocked.
pub(crate) fn picture(text: &str) -> Grid {
    let rows: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
    let [n_x, n_y] = [rows[0].len(), rows.len()].map(|n| u32::try_from(n).unwrap());
    Grid::new(n_x, n_y, |cell| rows[cell.y as usize][cell.x as usize] != b'#').unwrap()
}

const ALL_MOVES: [Moves; 4] = [
    Moves::Four,
    Moves::Eight(Corners::Keep),
    Moves::Eight(Corners::Cut),
    Moves::Eight(Corners::Squeeze),
];

/// Computes costs by relaxing every step until nothing changes, without a queue, bits or tables.
fn relaxed(grid: &Grid, moves: Moves, from: Cell) -> Vec<f64> {
    let mut costs = vec![f64::INFINITY; grid.n_cells()];
    costs[grid.number(from) as usize] = 0.0;
    loop {
        let before = costs.clone();
        for cell in grid.passable_cells() {
            for (next, cost) in steps_from(grid, moves, cell) {
                let there = costs[grid.number(cell) as usize] + cost;
                let known = &mut costs[grid.number(next) as usize];
                if there + 1e-9 < *known {
                    *known = there;
                }
            }
        }
        if before == costs {
            return costs;
        }
    }
}

fn steps_from(grid: &Grid, moves: Moves, cell: Cell) -> Vec<(Cell, f64)> {
    let mut steps = Vec::new();
    for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let at =
            |dx, dy| Cell { x: cell.x.wrapping_add_signed(dx), y: cell.y.wrapping_add_signed(dy) };
        let n_free = [at(dx, 0), at(0, dy)].into_iter().filter(|&c| grid.is_passable(c)).count();
        let is_allowed = match moves {
            _ if dx == 0 || dy == 0 => true,
            Moves::Four => false,
            Moves::Eight(Corners::Keep) => n_free == 2,
            Moves::Eight(Corners::Cut) => n_free >= 1,
            Moves::Eight(Corners::Squeeze) => true,
        };
        if is_allowed && grid.is_passable(at(dx, dy)) {
            steps.push((at(dx, dy), f64::from(dx * dx + dy * dy).sqrt()));
        }
    }
    steps
}

fn grids() -> impl Strategy<Value = Grid> {
    let cells = (1_u32..=12, 1_u32..=12, 0.05..0.6_f64, any::<u64>());
    cells.prop_map(|(n_x, n_y, share, seed)| {
        let mut state = seed;
        Grid::new(n_x, n_y, |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from(u32::try_from(state >> 40).unwrap()) / f64::from(1 << 24) >= share
        })
        .unwrap()
    })
}

/// Checks that the path leads from start to goal by allowed steps, and that its cost is correct.
#[track_caller]
fn check_path(query: &GridQuery<'_>, path: &GridPath) {
    let steps = path.steps();
    assert_eq!((steps.first(), steps.last()), (Some(&query.start), Some(&query.goal)));
    let mut cost = 0.0;
    for step in steps.windows(2) {
        let allowed = steps_from(query.grid, query.moves, step[0]);
        let found = allowed.iter().find(|(cell, _)| *cell == step[1]);
        cost += found.unwrap_or_else(|| panic!("{step:?} is no step")).1;
    }
    assert!((cost - path.cost).abs() < 1e-9, "{cost} is not {}", path.cost);
}

#[track_caller]
fn check(query: &GridQuery<'_>, expected: f64, name: &str, answer: GridAnswer) {
    match answer.path {
        None => assert!(expected.is_infinite(), "{name} finds none of {expected}"),
        Some(path) => {
            check_path(query, &path);
            assert!((path.cost - expected).abs() < 1e-6, "{name}: {} not {expected}", path.cost);
        }
    }
}

/// Checks that every exact search that supports these moves finds an optimal path.
fn check_all(grid: &Grid, moves: Moves, scratch: &mut GridScratch) {
    let Some(start) = grid.passable_cells().next() else { return };
    let costs = relaxed(grid, moves, start);
    let landmarks = Landmarks::new(grid, moves, 3);
    let table = JumpTable::new(grid);
    let far = distances(grid, moves, start, |_| false, &mut Unwatched);
    let watch = &mut Unwatched;
    for goal in grid.passable_cells() {
        let expected = costs[grid.number(goal) as usize];
        assert_eq!(far.cost(goal).is_none(), expected.is_infinite());
        assert!(far.cost(goal).is_none_or(|c| (c - expected).abs() < 1e-6));
        let query = &GridQuery { grid, start, goal, moves };
        let ok = |name: &str, answer| check(query, expected, name, answer);
        let mut estimates = vec![
            Estimate::Zero,
            Estimate::Chebyshev,
            Estimate::Octile,
            Estimate::Euclidean,
            Estimate::Landmarks(&landmarks),
        ];
        if moves == Moves::Four {
            estimates.push(Estimate::Manhattan);
        }
        for estimate in estimates {
            ok("A*", astar(query, estimate, 1.0, scratch, watch));
            ok("both ends", bidirectional(query, estimate, scratch, watch));
        }
        if moves != Moves::Four {
            ok("JPS", jps(query, Prune::None, scratch, watch));
            ok("pruned JPS", jps(query, Prune::Intermediate, scratch, watch));
        }
        if moves == Moves::default() {
            ok("JPS+", jps_plus(query, &table, scratch, watch));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn every_search_finds_the_cheapest_path(grid in grids()) {
        let mut scratch = GridScratch::default();
        for moves in ALL_MOVES {
            check_all(&grid, moves, &mut scratch);
        }
    }

    #[test]
    fn weights_and_wrong_estimates_keep_their_bounds(grid in grids(), weight in 0.0..8.0_f64) {
        let mut scratch = GridScratch::default();
        let Some(start) = grid.passable_cells().next() else { return Ok(()) };
        for moves in ALL_MOVES {
            let costs = relaxed(&grid, moves, start);
            for goal in grid.passable_cells() {
                let query = &GridQuery { grid: &grid, start, goal, moves };
                let least = costs[grid.number(goal) as usize];
                for estimate in [Estimate::Octile, Estimate::Manhattan, Estimate::SquaredEuclidean] {
                    let found = astar(query, estimate, weight, &mut scratch, &mut Unwatched);
                    let Some(path) = found.path else {
                        prop_assert!(least.is_infinite());
                        continue;
                    };
                    check_path(query, &path);
                    prop_assert!(path.cost >= least - 1e-6);
                    if estimate.is_consistent(moves) {
                        prop_assert!(path.cost <= weight.max(1.0) * least + 1e-6);
                    }
                }
            }
        }
    }

    #[test]
    fn estimates_are_as_consistent_as_they_say(grid in grids()) {
        for moves in ALL_MOVES {
            let landmarks = Landmarks::new(&grid, moves, 2);
            let estimates = [
                Estimate::Zero,
                Estimate::Manhattan,
                Estimate::Chebyshev,
                Estimate::Octile,
                Estimate::Euclidean,
                Estimate::Landmarks(&landmarks),
            ];
            let Some(goal) = grid.passable_cells().last() else { return Ok(()) };
            for estimate in estimates.into_iter().filter(|e| e.is_consistent(moves)) {
                for cell in grid.passable_cells() {
                    let h = |cell| estimate.between(&grid, moves, cell, goal);
                    for (next, cost) in steps_from(&grid, moves, cell) {
                        prop_assert!((h(cell) - h(next)).abs() <= cost + 1e-6, "{estimate:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn any_angle_paths_have_free_straight_lines(grid in grids()) {
        let mut scratch = GridScratch::default();
        let Some(start) = grid.passable_cells().next() else { return Ok(()) };
        for moves in ALL_MOVES {
            let costs = relaxed(&grid, moves, start);
            for goal in grid.passable_cells() {
                let query = &GridQuery { grid: &grid, start, goal, moves };
                let least = costs[grid.number(goal) as usize];
                for (sight, worst) in [(SightCheck::Eager, 1.1), (SightCheck::Lazy, 1.25)] {
                    let found = theta(query, sight, &mut scratch, &mut Unwatched).path;
                    prop_assert_eq!(found.is_none(), least.is_infinite());
                    let Some(path) = found else { continue };
                    // No any-angle path is shorter than 0.92 times the path with eight moves.
                    prop_assert!(moves == Moves::Four || path.cost >= 0.92 * least - 1e-9);
                    prop_assert!(path.cost <= worst * least + 1e-9, "{} {least}", path.cost);
                    for leg in path.cells.windows(2) {
                        prop_assert!(is_in_sight(&grid, moves, leg[0], leg[1]));
                    }
                }
            }
        }
    }
}

/// Checks scans and diagonals longer than a word of bits, on grids wider and taller than a word.
#[test]
fn long_jumps_are_as_cheap_as_steps() {
    let scratch = &mut GridScratch::default();
    for (n_x, n_y, one_in) in
        [(300, 90, 200), (90, 300, 200), (200, 200, 60), (70, 3, 9), (2, 140, 9)]
    {
        let mut random = Random::new(u64::from(n_x + n_y));
        let grid = Grid::new(n_x, n_y, |_| random.below(one_in) != 0).unwrap();
        let table = JumpTable::new(&grid);
        for _ in 0..60 {
            let mut below = |n: u32| u32::try_from(random.below(n as usize)).unwrap();
            let mut cell = || Cell::new(below(n_x), below(n_y));
            let [start, goal] = [cell(), cell()];
            for corners in [Corners::Keep, Corners::Cut] {
                let query = &GridQuery { grid: &grid, start, goal, moves: Moves::Eight(corners) };
                let watch = &mut Unwatched;
                let expected = astar(query, Estimate::Octile, 1.0, scratch, watch).path;
                let expected = expected.map_or(f64::INFINITY, |path| path.cost);
                check(query, expected, "JPS", jps(query, Prune::None, scratch, watch));
                check(
                    query,
                    expected,
                    "pruned JPS",
                    jps(query, Prune::Intermediate, scratch, watch),
                );
                if corners == Corners::Keep {
                    check(query, expected, "JPS+", jps_plus(query, &table, scratch, watch));
                }
            }
        }
    }
}

#[test]
fn a_walled_in_goal_costs_next_to_nothing() {
    let goal = Cell::new(400, 300);
    let around = |cell: Cell| cell.x.abs_diff(goal.x).max(cell.y.abs_diff(goal.y));
    let grid = Grid::new(512, 512, |cell| around(cell) != 1).unwrap();
    let query = GridQuery { grid: &grid, start: Cell::new(3, 3), goal, moves: Moves::default() };
    let answer =
        bidirectional(&query, Estimate::Octile, &mut GridScratch::default(), &mut Unwatched);
    assert_eq!(answer.path, None);
    assert!(answer.stats.n_expanded <= 16, "{:?}", answer.stats);
}

#[test]
fn ends_outside_or_blocked_have_no_path() {
    let grid = picture("..\n.#");
    let scratch = &mut GridScratch::default();
    for goal in [Cell::new(1, 1), Cell::new(2, 0), Cell::new(0, u32::MAX)] {
        for [start, goal] in [[Cell::new(0, 0), goal], [goal, Cell::new(0, 0)]] {
            let query = &GridQuery { grid: &grid, start, goal, moves: Moves::default() };
            let watch = &mut Unwatched;
            let table = JumpTable::new(&grid);
            for answer in [
                astar(query, Estimate::Octile, 1.0, scratch, watch),
                bidirectional(query, Estimate::Octile, scratch, watch),
                jps(query, Prune::None, scratch, watch),
                jps_plus(query, &table, scratch, watch),
                theta(query, SightCheck::Lazy, scratch, watch),
            ] {
                assert_eq!(answer, GridAnswer::default());
            }
        }
    }
}

/// Checks that traces agree with the results of the searches.
#[test]
fn traces_agree_with_the_results() {
    let grid = picture("......\n.####.\n....#.\n###.#.\n......");
    let query = &GridQuery {
        grid: &grid,
        start: Cell::new(0, 2),
        goal: Cell::new(0, 4),
        moves: Moves::default(),
    };
    let scratch = &mut GridScratch::default();
    let table = JumpTable::new(&grid);
    let mut traces: Vec<(Trace, GridAnswer)> = Vec::new();
    let mut run = |search: &mut dyn FnMut(&mut GridScratch, &mut Trace) -> GridAnswer| {
        let mut trace = Trace::default();
        let answer = search(scratch, &mut trace);
        traces.push((trace, answer));
    };
    run(&mut |scratch, trace| astar(query, Estimate::Octile, 1.0, scratch, trace));
    run(&mut |scratch, trace| bidirectional(query, Estimate::Octile, scratch, trace));
    run(&mut |scratch, trace| jps(query, Prune::None, scratch, trace));
    run(&mut |scratch, trace| jps(query, Prune::Intermediate, scratch, trace));
    run(&mut |scratch, trace| jps_plus(query, &table, scratch, trace));
    run(&mut |scratch, trace| theta(query, SightCheck::Eager, scratch, trace));
    for (trace, answer) in traces {
        let path = answer.path.unwrap();
        let n_opened = trace
            .steps
            .iter()
            .filter(|step| matches!(step.kind, StepKind::Opened | StepKind::Lowered));
        assert_eq!(n_opened.count() as u64, answer.stats.n_opened);
        let expanded: Vec<_> = trace.expanded().collect();
        assert!(expanded.iter().all(|step| (step.g + step.h - step.f).abs() < 1e-3));
        // If the search from the start expands the goal, the goal has the cost of the path.
        if let Some(last) = expanded.iter().rfind(|s| s.place == u64::from(grid.number(query.goal)))
            && last.parent.is_some()
        {
            assert!((last.g - path.cost).abs() < 1e-3);
        }
        // Each parent was expanded earlier.
        for (n, step) in expanded.iter().enumerate() {
            let known = |parent| expanded[..n].iter().any(|earlier| earlier.place == parent);
            assert!(step.parent.is_none_or(known), "{step:?}");
        }
    }
}

/// Checks that each traced scan is a diagonal and a straight part from its parent, over free cells.
#[test]
fn traces_report_scans() {
    let grid = picture(".......\n...#...\n.......\n..#....\n.......\n....#..");
    let query = &GridQuery {
        grid: &grid,
        start: Cell::new(0, 0),
        goal: Cell::new(6, 5),
        moves: Moves::default(),
    };
    for prune in [Prune::None, Prune::Intermediate] {
        let mut trace = Trace::default();
        jps(query, prune, &mut GridScratch::default(), &mut trace);
        let mut seen = std::collections::BTreeSet::new();
        for step in &trace.steps {
            let cell = |place| grid.cell(u32::try_from(place).unwrap());
            let Some(parent) = step.parent.map(cell) else { continue };
            let scan = GridPath { cells: vec![parent, cell(step.place)], cost: 0.0 };
            seen.extend(scan.steps().into_iter().map(|at| grid.number(at)));
            assert!(scan.steps().iter().all(|&at| grid.is_passable(at)), "{step:?}");
        }
        assert!(seen.len() > 25, "{} cells were scanned", seen.len());
    }
}

/// Checks that Dijkstra's algorithm has the same trace as A* with a heuristic of zero.
#[test]
fn distances_have_the_same_trace_as_a_star() {
    let grid = picture("......\n.####.\n....#.\n###.#.\n......");
    let (start, goal, moves) = (Cell::new(0, 2), Cell::new(0, 4), Moves::default());
    let (mut all, mut one) = (Trace::default(), Trace::default());
    distances(&grid, moves, start, |cell| cell == goal, &mut all);
    let query = &GridQuery { grid: &grid, start, goal, moves };
    astar(query, Estimate::Zero, 1.0, &mut GridScratch::default(), &mut one);
    assert_eq!(all.steps, one.steps);
}
