//! Compares the path lengths of every search with Moving AI's benchmarks.
//!
//! The files are read from the reference folder. A test that does not find the folder prints a message. Only a part of
//! each scenario is tested here. `walkable bench-scen FILE.scen --algorithm NAME` runs a whole scenario.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stderr, reason = "reports that nothing was compared")]

use std::{fs, path::PathBuf};

use walkable::{
    grid::{
        Estimate, Grid, GridAnswer, GridQuery, GridScenario, GridScratch, JumpTable, Landmarks,
        Moves, Prune, SightCheck, astar, bidirectional, jps, jps_plus, read_map, read_scenario,
        theta,
    },
    search::Unwatched,
};

/// Returns the maps with their scenarios, sorted by name.
fn maps() -> Vec<(String, Grid, Vec<GridScenario>)> {
    let folders: Vec<PathBuf> = walkable_test_support::reference_roots()
        .into_iter()
        .map(|root| root.join("movingai/2d"))
        .filter(|folder| folder.is_dir())
        .collect();
    let mut maps = Vec::new();
    for folder in &folders {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if path.extension().is_some_and(|extension| extension == "map") {
                let grid = read_map(&fs::read_to_string(&path).unwrap()).unwrap();
                let scenario = fs::read_to_string(path.with_extension("map.scen")).unwrap();
                maps.push((name, grid, read_scenario(&scenario).unwrap()));
            }
        }
    }
    maps.sort_by(|a, b| a.0.cmp(&b.0));
    if maps.is_empty() {
        eprintln!("movingai: no reference folder with movingai/2d; nothing was compared");
    }
    maps
}

/// Answers every `step`th query of each map, after calling `prepare` with the map.
#[track_caller]
fn check(
    step: usize,
    mut answer: impl FnMut(&GridQuery<'_>, &mut GridScratch) -> GridAnswer,
    mut prepare: impl FnMut(&Grid),
) {
    let mut scratch = GridScratch::default();
    for (name, grid, scenario) in maps() {
        prepare(&grid);
        for query in scenario.iter().step_by(step) {
            assert_eq!(query.size, [grid.n_x(), grid.n_y()], "{name}");
            let GridScenario { start, goal, .. } = *query;
            let found = answer(
                &GridQuery { grid: &grid, start, goal, moves: Moves::default() },
                &mut scratch,
            );
            let cost = found.path.map(|path| path.cost);
            assert!(query.agrees(cost), "{name}.scen:{}: {cost:?}, {}", query.line, query.length);
        }
    }
}

#[test]
fn a_star_is_exact() {
    check(
        23,
        |query, scratch| astar(query, Estimate::Octile, 1.0, scratch, &mut Unwatched),
        |_| (),
    );
}

#[test]
fn searching_from_both_ends_is_exact() {
    check(
        23,
        |query, scratch| bidirectional(query, Estimate::Octile, scratch, &mut Unwatched),
        |_| (),
    );
}

#[test]
fn jump_point_search_is_exact() {
    for prune in [Prune::None, Prune::Intermediate] {
        check(3, |query, scratch| jps(query, prune, scratch, &mut Unwatched), |_| ());
    }
}

#[test]
fn jump_point_search_with_tables_is_exact() {
    let table = std::cell::RefCell::new(None);
    check(
        1,
        |query, scratch| jps_plus(query, table.borrow().as_ref().unwrap(), scratch, &mut Unwatched),
        |grid| *table.borrow_mut() = Some(JumpTable::new(grid)),
    );
}

/// Checks that a search with 16 landmarks expands at most 0.35 times the number of nodes without landmarks.
#[test]
fn landmarks_are_exact_and_save_work() {
    let mut scratch = GridScratch::default();
    let (mut n_with, mut n_without) = (0, 0);
    for (name, grid, scenario) in maps().into_iter().filter(|(name, ..)| name.starts_with("brc0")) {
        let landmarks = Landmarks::new(&grid, Moves::default(), 16);
        for query in scenario.iter().step_by(7) {
            let GridScenario { start, goal, .. } = *query;
            let moves = Moves::default();
            let ends = &GridQuery { grid: &grid, start, goal, moves };
            let mut run = |by| astar(ends, by, 1.0, &mut scratch, &mut Unwatched);
            let found = run(Estimate::Landmarks(&landmarks));
            n_with += found.stats.n_expanded;
            n_without += run(Estimate::Octile).stats.n_expanded;
            let cost = found.path.map(|path| path.cost);
            assert!(query.agrees(cost), "{name}.scen:{}: {cost:?}, {}", query.line, query.length);
        }
    }
    assert!(n_with * 100 <= n_without * 35, "{n_with} of {n_without}");
}

/// Checks that any-angle paths are shorter than paths with eight moves, by the usual ratio on game maps.
#[test]
fn any_angle_paths_are_shorter() {
    let mut scratch = GridScratch::default();
    let (mut sum, mut sum_eight) = (0.0, 0.0);
    for (_, grid, scenario) in maps() {
        for query in scenario.iter().step_by(41) {
            let GridScenario { start, goal, .. } = *query;
            let ends = &GridQuery { grid: &grid, start, goal, moves: Moves::default() };
            let found = theta(ends, SightCheck::Lazy, &mut scratch, &mut Unwatched).path;
            assert_eq!(found.is_some(), query.optimum().is_some());
            sum += found.map_or(0.0, |path| path.cost);
            sum_eight += query.length;
        }
    }
    let ratio = if sum > 0.0 { sum_eight / sum } else { 1.05 };
    assert!((1.03..1.08).contains(&ratio), "{ratio}");
}

/// Checks the number of nodes that Jump Point Search expands per query against the program Warthog, with a small
/// tolerance. The means over whole sets of maps (441 and 223 on dao) are in `benches/RESULTS.md`.
#[test]
fn jump_point_search_expands_little() {
    for (set, limit) in [("AR", [46, 21]), ("brc", [495, 270]), ("den", [800, 420])] {
        let (mut n, mut sums, mut scratch) = (0, [0, 0], GridScratch::default());
        for (_, grid, scenario) in maps().into_iter().filter(|(name, ..)| name.starts_with(set)) {
            for query in scenario.iter().step_by(10) {
                let GridScenario { start, goal, .. } = *query;
                let ends = &GridQuery { grid: &grid, start, goal, moves: Moves::default() };
                n += 1;
                for (sum, prune) in sums.iter_mut().zip([Prune::None, Prune::Intermediate]) {
                    *sum += jps(ends, prune, &mut scratch, &mut Unwatched).stats.n_expanded;
                }
            }
        }
        assert!(sums[0] <= limit[0] * n && sums[1] <= limit[1] * n, "{set}: {sums:?} in {n}");
    }
}
