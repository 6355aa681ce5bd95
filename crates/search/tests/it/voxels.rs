//! Compares searches with Moving AI's voxel benchmarks: lengths of the dense search, costs of the search by spans, and
//! the memory and paths of octrees.
//!
//! The files are read from the reference folder. A test that does not find the folder prints a message. Only a part of
//! each scenario is tested here. `walkable bench-scen FILE.3dscen --algorithm dense26` runs a whole scenario.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stderr, reason = "reports that nothing was compared")]

use std::fs;

use walkable::{
    search::Unwatched,
    voxel::{
        CellOptions, CellTree as _, Columns, Octree, SpanSearch, SparseOctree, Volume, VoxelMoves,
        VoxelScenario, VoxelScratch, find_by_cells, find_by_spans, find_dense, read_voxel_scenario,
        read_voxels, smooth,
    },
};

/// Returns a map and its scenario, if the reference folder has them.
fn map(name: &str) -> Option<(Volume, Vec<VoxelScenario>)> {
    let roots = walkable_test_support::reference_roots().into_iter();
    let file =
        roots.map(|root| root.join(format!("movingai/3d/{name}.3dmap"))).find(|f| f.is_file());
    let Some(file) = file else {
        eprintln!(
            "voxels: no reference folder with movingai/3d/{name}.3dmap; nothing was compared"
        );
        return None;
    };
    let volume = read_voxels(&fs::read_to_string(&file).unwrap()).unwrap();
    let scenario = fs::read_to_string(file.with_extension("3dmap.3dscen")).unwrap();
    let (map, queries) = read_voxel_scenario(&scenario).unwrap();
    assert_eq!(map, format!("{name}.3dmap"));
    Some((volume, queries))
}

#[test]
fn dense_search_is_exact() {
    for (name, step) in [("Simple", 31), ("Complex", 61)] {
        let Some((volume, queries)) = map(name) else { continue };
        let mut scratch = VoxelScratch::default();
        for query in queries.iter().step_by(step) {
            let ends = [query.start, query.goal];
            let moves = VoxelMoves::TwentySix;
            let found = find_dense(&volume, ends, moves, 1.0, &mut scratch, &mut Unwatched).path;
            let cost = found.map(|path| path.cost);
            let agrees = cost.is_some_and(|cost| (cost - query.length).abs() <= 0.02);
            assert!(agrees, "{name}:{}: {cost:?}, the file says {}", query.line, query.length);
        }
    }
}

#[test]
fn spans_cost_the_same_as_six_moves() {
    for (name, step) in [("Simple", 23), ("Complex", 19)] {
        let Some((volume, queries)) = map(name) else { continue };
        let columns = Columns::of_volume(&volume).unwrap();
        let mut scratch = VoxelScratch::default();
        let (mut n_spans, mut n_voxels) = (0, 0);
        for query in queries.iter().step_by(step) {
            let ends = [query.start, query.goal];
            let six = VoxelMoves::Six;
            let dense = find_dense(&volume, ends, six, 1.0, &mut scratch, &mut Unwatched);
            let mut spans =
                |keep| find_by_spans(&columns, ends, keep, &mut scratch, &mut Unwatched);
            let (exact, quick) = (spans(SpanSearch::Exact), spans(SpanSearch::OnePerSpan));
            let cost =
                |path: Option<walkable::voxel::VoxelPath>| path.map(|path| path.cost).unwrap();
            (n_spans, n_voxels) =
                (n_spans + exact.stats.n_expanded, n_voxels + dense.stats.n_expanded);
            let least = cost(dense.path);
            assert!((cost(exact.path) - least).abs() < 1e-9, "{name}:{}", query.line);
            let ratio = cost(quick.path) / least;
            assert!((1.0..=1.15).contains(&ratio), "{name}:{}: {ratio}", query.line);
        }
        assert!(3 * n_spans < n_voxels, "{name}: {n_spans} of {n_voxels}");
    }
}

#[test]
fn octrees_are_small_and_fly_well() {
    let Some((volume, queries)) = map("Complex") else { return };
    let (sparse, plain) = (SparseOctree::of_volume(&volume), Octree::of_volume(&volume));
    let (sparse, plain) = (sparse.unwrap(), plain.unwrap());
    let bits = |n_bytes: usize| n_bytes as u64 * 8 / volume.n_blocked();
    assert!(bits(sparse.n_bytes()) <= 4, "{}", sparse.n_bytes());
    assert!(bits(plain.n_bytes()) <= 11, "{}", plain.n_bytes());
    let mut scratch = VoxelScratch::default();
    let (mut n, mut n_expanded, mut raw, mut smoothed) = (0.0, 0.0, 0.0, 0.0);
    for query in queries.iter().step_by(37) {
        let ends = [query.start, query.goal];
        let options = CellOptions { weight: 3.0, compensation: 0.0 };
        let found = find_by_cells(&sparse, ends, options, &mut scratch, &mut Unwatched);
        let path = found.path.unwrap();
        n += 1.0;
        n_expanded += f64::from(u32::try_from(found.stats.n_expanded).unwrap());
        raw += path.length / query.length;
        smoothed += smooth(&sparse, &path).length / query.length;
    }
    assert!(n_expanded / n <= 150.0, "{}", n_expanded / n);
    assert!(raw / n <= 1.2 && smoothed / n <= 1.0, "{} {}", raw / n, smoothed / n);
}
