//! Every stage of every tile of every reference case must equal the result of the C++ library.
//!
//! Cases are read from the folder named by `WALKABLE_REFERENCE`, or `../shared/reference`, or else from the copies of a
//! few cases in `tests/reference`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fmt::Write as _, path::Path};

use rayon::prelude::*;
use serde_json::Value;
use walkable::{
    bake::{
        BakeOutput, BakePlan, HeightLayer, Intermediates, LayerCut, Stage, StageDigest, bake_tile,
    },
    ids::TileCoord,
    monitor::Unmonitored,
};

/// Stages that are compared, with their names in the reference.
const STAGES: [(Stage, &str); 9] = [
    (Stage::Spans, "spans"),
    (Stage::Filtered, "filtered"),
    (Stage::Compact, "compact"),
    (Stage::Eroded, "eroded"),
    (Stage::Distance, "distance"),
    (Stage::Regions, "regions"),
    (Stage::Contours, "contours"),
    (Stage::Polygons, "polymesh"),
    (Stage::Detail, "detail"),
];

/// Cases that do not agree yet, with the reason. They must fail: remove a case from the list once it agrees.
const NOT_YET: [(&str, &str); 0] = [];

#[test]
fn every_case_agrees_with_the_reference() {
    let cases = walkable_test_support::cases();
    assert!(!cases.is_empty(), "no reference cases found");
    let outcomes: Vec<_> =
        cases.par_iter().map(|(name, folder)| (name, compare_case(name, folder))).collect();

    let mut failures = String::new();
    for (name, outcome) in outcomes {
        let excuse = NOT_YET.iter().find(|(excused, _)| excused == name);
        match (outcome, excuse) {
            (Ok(n_tiles), None) => eprintln!("{name}: {n_tiles} tiles agree"),
            (Err(difference), Some((_, reason))) => {
                eprintln!("NOT YET {name}: {reason}\n  {difference}");
            }
            (Ok(_), Some(_)) => writeln!(failures, "{name} agrees: take it off NOT_YET").unwrap(),
            (Err(difference), None) => writeln!(failures, "{difference}").unwrap(),
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn cases_of_foreign_levels_are_read_where_they_are() {
    for level in ["nav_test", "dungeon", "undulating"] {
        let n_cases =
            walkable_test_support::cases().keys().filter(|name| name.starts_with(level)).count();
        if n_cases == 0 {
            eprintln!("NOT COMPARED: no reference folder with cases of {level}");
        }
    }
}

/// Compares all tiles; returns their number, or the first difference.
fn compare_case(name: &str, folder: &Path) -> Result<usize, String> {
    let plan = walkable_test_support::plan(folder);
    let expected = walkable_test_support::expected_stages(folder);
    let grid: Vec<_> = plan.grid_size().map(u64::from).to_vec();
    if expected["grid"] != Value::from(grid.clone()) {
        return Err(format!("{name}: the grid is {grid:?}, not {}", expected["grid"]));
    }
    let tiles = expected["tiles"].as_array().unwrap();
    if tiles.len() != plan.tiles().count() {
        return Err(format!("{name}: {} tiles, not {}", plan.tiles().count(), tiles.len()));
    }
    let results: Vec<_> = tiles.par_iter().map(|tile| compare_tile(&plan, tile)).collect();
    results
        .into_iter()
        .find_map(Result::err)
        .map_or(Ok(tiles.len()), |e| Err(format!("{name}: {e}")))
}

fn compare_tile(plan: &BakePlan, expected: &Value) -> Result<(), String> {
    let place = |key: &str| u32::try_from(expected[key].as_u64().unwrap()).unwrap();
    let coord = TileCoord::new(place("x"), place("y"));
    let bake = bake_tile(plan, coord, BakeOutput::Stages, &Unmonitored).unwrap();
    let stages = bake.stages.unwrap();
    for (stage, key) in STAGES {
        let digest = StageDigest::of(stage, &stages);
        compare_digest(digest.as_ref(), &expected[key], "hash")
            .map_err(|difference| format!("tile {coord}, {key}: {difference}"))?;
    }
    compare_layers(&stages, coord, &expected["layers"])
        .map_err(|difference| format!("tile {coord}, layers: {difference}"))?;
    let digests = [
        (bake.tile.as_ref().map(StageDigest::of_tile_without_bv_tree), "hash_without_bvtree"),
        (bake.tile.as_ref().map(StageDigest::of_tile), "hash"),
    ];
    for (digest, hash_key) in digests {
        compare_digest(digest.as_ref(), &expected["tile"], hash_key)
            .map_err(|difference| format!("tile {coord}, tile: {difference}"))?;
    }
    Ok(())
}

/// Layers are not a stage: they are built from the eroded ground. If the reference has none because its tables are
/// full, ours must fail as well.
fn compare_layers(
    stages: &Intermediates,
    coord: TileCoord,
    expected: &Value,
) -> Result<(), String> {
    let layers = match stages.height_layers(coord, LayerCut::Sweep, &Unmonitored) {
        Ok(_) if expected["ok"] == Value::Bool(false) => return Err("should not fit".to_owned()),
        Err(_) if expected["ok"] == Value::Bool(false) => return Ok(()),
        Err(error) => return Err(error.to_string()),
        Ok(layers) => layers,
    };
    let cells: Vec<_> = layers.layers.iter().map(HeightLayer::n_ground_cells).collect();
    if expected["cells"] != Value::from(cells.clone()) {
        return Err(format!("cells are {cells:?}, not {}", expected["cells"]));
    }
    let hash = format!("{:016x}", layers.hash());
    if expected["hash"].as_str() == Some(&hash) {
        Ok(())
    } else {
        Err(format!("hash is {hash}, not {}", expected["hash"]))
    }
}

fn compare_digest(
    digest: Option<&StageDigest>,
    expected: &Value,
    hash_key: &str,
) -> Result<(), String> {
    let Some(digest) = digest else {
        return if expected.is_null() { Ok(()) } else { Err("missing".to_owned()) };
    };
    for &(count, got) in &digest.counts {
        if expected[count].as_u64() != Some(got) {
            return Err(format!("{count} is {got}, not {}", expected[count]));
        }
    }
    let hash = digest.hash.map(|hash| format!("{hash:016x}"));
    if expected[hash_key].as_str() == hash.as_deref() {
        Ok(())
    } else {
        Err(format!("{hash_key} is {hash:?}, not {}", expected[hash_key]))
    }
}
