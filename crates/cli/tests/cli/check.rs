//! `walkable check`, on levels and on navmeshes.

use std::{fs, path::Path};

use tempfile::TempDir;

use crate::run::{json, run_in};

/// Bakes the sample into `mesh.bin` of a folder.
fn bake_sample(folder: &Path, more: &[&str]) {
    let bake = ["bake", "builtin:sample", "--set", "tile_size=32", "-o", "mesh.bin"];
    run_in(folder, &[&bake[..], more].concat()).succeeded();
}

#[test]
fn clean_levels_and_navmeshes_pass_a_strict_check() {
    let folder = TempDir::new().unwrap();
    bake_sample(folder.path(), &[]);
    for args in [["check", "builtin:sample", "--strict"], ["check", "mesh.bin", "--strict"]] {
        let said = run_in(folder.path(), &args).succeeded();
        assert!(said.contains(" polygons in ") && said.contains(", 0 warnings, "), "{said}");
    }
    let answer = json(&run_in(folder.path(), &["check", "mesh.bin", "--json"]).succeeded());
    assert_eq!((&answer["kind"], &answer["n_warnings"]), (&"navmesh".into(), &0.into()));
    for kind in ["bake", "seams", "polygons", "off_mesh_links", "surface", "settings", "limits"] {
        assert!(answer[kind].is_array(), "{kind} in {answer}");
    }
    assert_eq!(answer["islands"][0]["code"], "island-not-connected", "{answer}");
}

#[test]
fn warnings_fail_a_strict_check_and_are_still_listed() {
    let folder = TempDir::new().unwrap();
    let level = ["check", "builtin:sample", "--set", "agent_radius=0.2"];
    let said = run_in(folder.path(), &level).succeeded();
    assert!(said.contains("settings:") && said.contains("[cell-size-too-coarse]"), "{said}");
    let run = run_in(folder.path(), &[&level[..], &["--strict"]].concat());
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.contains("[cell-size-too-coarse]"), "{}", run.stdout);
    assert!(run.stderr.contains("refused by --strict"), "{}", run.stderr);
}

/// Bytes of a set of tiles before its first tile, and of one tile's header. Source: `RecastDemo`.
const SET_HEADER: usize = 40;
const TILE_HEADER: usize = 8;

/// Returns a set of tiles without the tile at a place.
fn without(bytes: &[u8], place: [i32; 2]) -> Vec<u8> {
    let number = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let mut kept = bytes[..SET_HEADER].to_vec();
    let (mut at, mut n) = (SET_HEADER, 0);
    while at < bytes.len() {
        let size = usize::try_from(number(at + 4)).unwrap();
        let tile = at + TILE_HEADER;
        if [number(tile + 8), number(tile + 12)] != place {
            kept.extend_from_slice(&bytes[at..tile + size]);
            n += 1;
        }
        at = tile + size;
    }
    kept[8..12].copy_from_slice(&i32::to_le_bytes(n));
    kept
}

#[test]
fn a_missing_tile_of_a_file_is_found() {
    let folder = TempDir::new().unwrap();
    bake_sample(folder.path(), &[]);
    let file = folder.path().join("mesh.bin");
    fs::write(&file, without(&fs::read(&file).unwrap(), [1, 1])).unwrap();
    let answer = json(&run_in(folder.path(), &["check", "mesh.bin", "--json"]).succeeded());
    let first = &answer["seams"][0];
    assert_eq!(first["code"], "seam-tile-missing", "{answer}");
    assert_eq!(first["locations"][0]["tile"], serde_json::json!({ "x": 1, "z": 1 }));
    assert_eq!(run_in(folder.path(), &["check", "mesh.bin", "--strict"]).code, 1);
}

#[test]
fn settings_for_a_navmesh_are_wrong_usage() {
    let folder = TempDir::new().unwrap();
    bake_sample(folder.path(), &[]);
    let args = ["check", "mesh.bin", "--set", "cell_size=0.2"];
    run_in(folder.path(), &args).failed(2, &["mesh.bin", "settings belong to a level"]);
    run_in(folder.path(), &["check", "no-such.bin"]).failed(1, &["no-such.bin"]);
}

#[test]
fn tile_sizes_are_compared_on_a_sample() {
    let folder = TempDir::new().unwrap();
    let said = run_in(folder.path(), &["check", "builtin:sample", "--best-tile-size"]).succeeded();
    assert!(said.contains("polygons per tile") && said.contains("best tile size: "), "{said}");
    let args = ["check", "builtin:sample", "--best-tile-size", "--json"];
    let answer = json(&run_in(folder.path(), &args).succeeded());
    let rows = answer["rows"].as_array().unwrap();
    let sizes: Vec<_> = rows.iter().map(|row| row["tile_size"].as_u64().unwrap()).collect();
    assert!(sizes.len() >= 4 && sizes.is_sorted(), "{answer}");
    assert!(sizes.contains(&answer["best"].as_u64().unwrap()), "{answer}");
    for row in rows {
        assert!(row["seconds"].as_f64().unwrap() > 0.0 && row["tile_memory"] != 0, "{row}");
    }
    bake_sample(folder.path(), &[]);
    let navmesh = ["check", "mesh.bin", "--best-tile-size"];
    run_in(folder.path(), &navmesh).failed(2, &["mesh.bin", "for a level"]);
}

#[test]
fn a_spike_of_the_detail_mesh_is_found() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("spike.repro"), include_str!("../data/spike.repro")).unwrap();
    let answer = json(&run_in(folder.path(), &["check", "spike.repro", "--json"]).succeeded());
    let found = &answer["surface"][0];
    assert_eq!(
        (&found["code"], &found["severity"]),
        (&"surface-off-ground".into(), &"warning".into()),
        "{answer}"
    );
    let point = found["locations"].as_array().unwrap().iter().find_map(|at| at["point"].as_array());
    let point: Vec<_> = point.unwrap().iter().map(ToString::to_string).collect();
    let why = ["why", "spike.repro", "--at", &point.join(","), "--json"];
    let answer = json(&run_in(folder.path(), &why).succeeded());
    assert_eq!(answer["cause"], "cut_off", "{answer}");
    assert_eq!(answer["fixes"][0]["verified"], true, "{answer}");
}

#[test]
fn layers_that_are_not_linked_are_reported_by_the_bake_and_the_check() {
    let folder = TempDir::new().unwrap();
    for (tile_size, n) in [("tile_size=64", 1), ("tile_size=48", 0)] {
        let bake = ["bake", "builtin:spiral", "--layers", "--set", tile_size, "-o", "spiral.tset"];
        let said = run_in(folder.path(), &bake).stderr;
        assert_eq!(said.matches("[layers-not-linked]").count(), n, "{said}");
        let said = run_in(folder.path(), &["check", "spiral.tset"]).succeeded();
        assert_eq!(said.matches("[layers-not-linked]").count(), n, "{said}");
        assert!(!said.contains("[seam-corner-off-border]"), "{said}");
    }
}

/// A floor, and a ramp of 41° that begins in the middle of a tile.
const RAMP: &str = "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4
v 40 0 0\nv 40 0 40\nv 120 70 40\nv 120 70 0\nf 5 6 7 8\n";

#[test]
fn layers_whose_surface_is_off_the_ground_are_reported_by_the_bake_and_the_check() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("ramp.obj"), RAMP).unwrap();
    let bake = ["bake", "ramp.obj", "--layers", "--set", "tile_size=64", "-o", "ramp.tset"];
    let said = run_in(folder.path(), &bake).stderr;
    assert!(said.contains("[surface-off-ground]"), "{said}");
    let said = run_in(folder.path(), &["check", "ramp.tset"]).succeeded();
    assert!(said.contains("surface:") && said.contains("[surface-off-ground]"), "{said}");
    let said = run_in(folder.path(), &["check", "ramp.obj", "--set", "tile_size=64"]).succeeded();
    assert!(!said.contains("[surface-off-ground]"), "{said}");
    let project = serde_json::json!({
        "walkable_project": 2,
        "level": { "file": "ramp.obj" },
        "document": {
            "settings": { "tile_size": 64 },
            "obstacles": { "prepared": true, "list": [] },
            "islands": { "seeds": [[5, 0, 5]] },
        },
    });
    fs::write(folder.path().join("ramp.walkable"), project.to_string()).unwrap();
    let answer = json(&run_in(folder.path(), &["check", "ramp.walkable", "--json"]).succeeded());
    assert_eq!(answer["surface"][0]["code"], "surface-off-ground", "{answer}");
    for kind in ["bake", "polygons", "islands"] {
        assert_eq!(answer[kind], serde_json::json!([]), "{answer}");
    }
}
