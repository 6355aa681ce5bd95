//! Sweeps over settings: the combinations, the measures and the Pareto front.

#![expect(clippy::unwrap_used, reason = "a sweep that cannot be planned should fail its test")]

use std::sync::Arc;

use proptest::prelude::*;
use walkable::{
    bake::{BakeConfig, BakePlan, BakeSettings, bake},
    level::BUILTIN_LEVELS,
    monitor::Unmonitored,
    navmesh::NavMesh,
    sweep::{
        Combination, SweepError, SweepGoal, SweepMeasure, SweepResult, VariedSetting,
        best_for_suite, grid, latin_hypercube, measure, pareto_front,
    },
};

fn varied(texts: &[&str]) -> Vec<VariedSetting> {
    texts.iter().map(|text| VariedSetting::parse(text).unwrap()).collect()
}

fn texts(combinations: &[Combination]) -> Vec<String> {
    combinations.iter().map(|combination| combination.texts().join(" ")).collect()
}

#[test]
fn a_grid_has_all_combinations() {
    let all = grid(&varied(&["cell_size=0.1..0.4/4", "partition=watershed,layers"])).unwrap();
    let expected = ["0.1", "0.2", "0.3", "0.4"];
    let expected =
        expected.iter().flat_map(|cell| [format!("{cell} watershed"), format!("{cell} layers")]);
    assert_eq!(texts(&all), expected.collect::<Vec<_>>());
    let tiles = grid(&varied(&["tile_size=16..64/3"])).unwrap();
    assert_eq!(texts(&tiles), ["16", "40", "64"]);
    let mut settings = BakeSettings::default();
    all[1].apply(&mut settings).unwrap();
    assert!((settings.cell_size - 0.1).abs() < 1e-6);
}

#[test]
fn wrong_settings_are_refused() {
    for (text, expected) in [
        ("cell_size", "expected KEY=A,B,… or KEY=MIN..MAX/N, as in cell_size=0.1..0.4/4"),
        ("size=1,2", "there is no setting `size`"),
        ("cell_size=0.1..x/3", "cell_size takes a number, not `x`"),
        ("cell_size=0.1..0.4/1", "the range of cell_size needs a number of values of at least 2"),
        ("cell_size=0,0.1", "cell_size is 0, but must be between"),
        ("partition=0..2/3", "partition has no range, because it is not a number"),
    ] {
        let message = VariedSetting::parse(text).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{text}: {message}");
    }
    let refused = |texts: &[&str]| grid(&varied(texts)).unwrap_err();
    let twice = ["cell_size=0.1,0.2", "cell_size=0.3,0.4"];
    assert_eq!(refused(&twice), SweepError::Repeated { key: "cell_size" });
    assert_eq!(refused(&["cell_size=0.1..0.4"]), SweepError::NoCount { key: "cell_size" });
    let many = ["cell_size=0.1..0.4/200", "agent_radius=0.1..0.4/200"];
    assert!(matches!(refused(&many), SweepError::TooMany { .. }));
    assert!(matches!(refused(&["cell_size=0.1..0.4/4000000000"]), SweepError::TooMany { .. }));
}

proptest! {
    /// Each of `n` equal parts of each range is used once.
    #[test]
    fn a_latin_hypercube_covers_each_range(n in 1..60_u32, seed in any::<u64>()) {
        let settings = varied(&["cell_size=0.1..0.4", "agent_max_slope=10..70", "partition=watershed,layers"]);
        let all = latin_hypercube(&settings, n, seed).unwrap();
        prop_assert_eq!(texts(&all), texts(&latin_hypercube(&settings, n, seed).unwrap()));
        for (index, [min, max]) in [[0.1, 0.4], [10.0, 70.0]].into_iter().enumerate() {
            let part = |combination: &Combination| {
                let value: f64 = combination.texts()[index].parse().unwrap();
                (value - min) / (max - min) * f64::from(n)
            };
            let mut parts: Vec<f64> = all.iter().map(part).collect();
            parts.sort_by(f64::total_cmp);
            for (start, part) in (0..n).map(f64::from).zip(parts) {
                // Values are rounded to single precision.
                prop_assert!((start - 1e-3..start + 1.0 + 1e-3).contains(&part), "{start}: {part}");
            }
        }
        let n_layers = all.iter().filter(|combination| combination.texts()[2] == "layers").count();
        prop_assert!(n_layers.abs_diff(n as usize / 2) <= 1);
    }

    /// A result is on the front if and only if no other one dominates it.
    #[test]
    fn the_front_is_not_dominated(values in prop::collection::vec((0..6_u32, 0..6_u32), 1..30)) {
        let result = |&(bytes, ground): &(u32, u32)| {
            Some(SweepResult { bytes, ground_m2: ground.into(), ..SweepResult::default() })
        };
        let mut results: Vec<_> = values.iter().map(result).collect();
        results.push(None);
        let goals = ["min:bytes", "max:ground_m2"].map(|goal| SweepGoal::parse(goal).unwrap());
        let front = pareto_front(&results, &goals);
        prop_assert!(!front[values.len()] && front.iter().any(|best| *best));
        for (index, &(bytes, ground)) in values.iter().enumerate() {
            let dominates = |&(b, g): &(u32, u32)| {
                b <= bytes && g >= ground && (b, g) != (bytes, ground)
            };
            prop_assert_eq!(front[index], !values.iter().any(dominates));
        }
    }
}

#[test]
fn the_best_result_for_a_suite_passes_all_tests_and_is_the_smallest() {
    let result = |tests_failed: Option<u32>, bytes, polygons, seconds| {
        let result = SweepResult { bytes, polygons, seconds, ..SweepResult::default() };
        Some(SweepResult { tests_passed: tests_failed.map(|_| 3), tests_failed, ..result })
    };
    let [untested, failed] = [result(None, 1, 1, 0.1), result(Some(1), 1, 1, 0.1)];
    for (name, results, expected) in [
        ("none", vec![None, untested, failed], None),
        ("passed", vec![failed, result(Some(0), 9, 9, 9.0)], Some(1)),
        ("bytes", vec![result(Some(0), 9, 1, 0.1), result(Some(0), 8, 9, 9.0)], Some(1)),
        ("polygons", vec![result(Some(0), 9, 2, 0.1), result(Some(0), 9, 1, 9.0)], Some(1)),
        ("seconds", vec![result(Some(0), 9, 1, 0.2), result(Some(0), 9, 1, 0.1)], Some(1)),
        ("first", vec![result(Some(0), 9, 1, 0.1), result(Some(0), 9, 1, 0.1)], Some(0)),
    ] {
        assert_eq!(best_for_suite(&results), expected, "{name}");
    }
    let goals = [SweepGoal::usual(SweepMeasure::Passed)];
    assert_eq!(pareto_front(&[untested, failed], &goals), [false, true]);
}

#[test]
fn goals_name_a_direction_and_a_measure() {
    for measure in SweepMeasure::ALL {
        assert_eq!(
            SweepGoal::parse(&format!("min:{}", measure.key())),
            Some(SweepGoal::Min(measure))
        );
    }
    assert_eq!(SweepGoal::parse("bytes"), None);
    assert_eq!(SweepGoal::parse("least:bytes"), None);
    assert_eq!(SweepGoal::parse("min:size"), None);
}

/// Returns the sample with voxels of a size.
fn sample(cell_size: f32) -> (NavMesh, BakePlan) {
    let level = BUILTIN_LEVELS[0].read().unwrap();
    let settings = BakeSettings { cell_size, ..level.config.settings.clone() };
    let input = BakeConfig { settings, ..level.config }.with_mesh(Arc::new(level.mesh));
    let plan = BakePlan::new(input.clone()).unwrap();
    (bake(input, &Unmonitored).unwrap(), plan)
}

#[test]
fn a_bake_is_measured() {
    let (mesh, plan) = sample(0.3);
    let result = measure(&mesh, &plan, 1.5, &Unmonitored).unwrap();
    let stats = mesh.stats();
    assert_eq!((result.polygons as usize, result.bytes as usize), (stats.n_polys, stats.n_bytes));
    assert!((result.seconds - 1.5).abs() < 1e-9);
    assert!(result.ground_m2 > 300.0 && result.islands > 0);
    // The detail surface follows the level within the sample error and two voxels, except over steps.
    assert!(result.mean_distance_m < 0.3, "{result:?}");
    assert!(result.mean_distance_m > 0.0 && result.mean_distance_m < result.max_distance_m);
    assert_eq!((result.get(SweepMeasure::Passed), result.is_suite_passed()), (None, false));
    let tested = SweepResult { tests_passed: Some(2), tests_failed: Some(1), ..result };
    for result in [result, tested] {
        let mut read = SweepResult::default();
        for measure in SweepMeasure::ALL {
            if let Some(value) = result.get(measure) {
                read.set(measure, value);
            }
        }
        assert_eq!(read, result);
    }
    let empty = measure(&plan.empty_nav_mesh().unwrap(), &plan, 0.0, &Unmonitored).unwrap();
    assert_eq!(empty.ground_m2.to_string(), "0");
}
