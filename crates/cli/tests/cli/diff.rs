//! `walkable diff`, on levels and on navmeshes.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{self, Run, run_in};

fn bake(folder: &Path, level: &str, file: &str, more: &[&str]) {
    let bake = ["bake", level, "--set", "tile_size=32", "-o", file];
    run_in(folder, &[&bake[..], more].concat()).succeeded();
}

fn json(run: Run) -> Value {
    run::json(&run.succeeded())
}

/// Writes a square floor of 20 m, with boxes of 4 m by 4 m by 1.5 m around the given places.
fn write_floor(folder: &Path, name: &str, boxes: &[[f32; 2]]) {
    let floor = ["v -10 0 -10", "v -10 0 10", "v 10 0 10", "v 10 0 -10", "f 1 2 3 4"];
    let mut lines = floor.map(str::to_owned).to_vec();
    for (n, [x, z]) in boxes.iter().enumerate() {
        for y in [0.0, 1.5] {
            let corners = [[-2.0, -2.0], [-2.0, 2.0], [2.0, 2.0], [2.0, -2.0]];
            lines.extend(corners.map(|[dx, dz]| format!("v {} {y} {}", x + dx, z + dz)));
        }
        let first = 5 + 8 * n;
        let faces = [[4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
        let faces = faces.map(|face| face.map(|corner| first + corner));
        lines.extend(faces.map(|[a, b, c, d]| format!("f {a} {b} {c} {d}")));
    }
    fs::write(folder.join(name), lines.join("\n")).unwrap();
}

#[test]
fn a_navmesh_does_not_differ_from_its_level() {
    let folder = TempDir::new().unwrap();
    bake(folder.path(), "builtin:spiral", "spiral.bin", &[]);
    let spiral = ["diff", "spiral.bin", "builtin:spiral", "--set", "tile_size=32", "--strict"];
    let said = run_in(folder.path(), &spiral).succeeded();
    assert!(said.contains("gained: 0 m² in 0 places"), "{said}");
    assert!(said.contains("tiles: 16 unchanged"), "{said}");
    assert!(said.ends_with("spiral.bin and builtin:spiral: no difference\n"), "{said}");
    assert!(said.contains(", baked in "), "{said}");
}

#[test]
fn a_moved_box_loses_and_gains_ground() {
    let folder = TempDir::new().unwrap();
    write_floor(folder.path(), "a.obj", &[[-5.0, 0.0]]);
    write_floor(folder.path(), "b.obj", &[[5.0, 0.0]]);
    let answer = json(run_in(folder.path(), &["diff", "a.obj", "b.obj", "--json"]));
    assert_eq!(answer["same"], false);
    for (change, x) in [("gained", -5.0), ("lost", 5.0)] {
        let patches = answer[change]["patches"].as_array().unwrap();
        // The top of the box is gained or lost on the other side.
        let floor = patches.iter().find(|patch| patch["point"][1].as_f64().unwrap() < 1.0);
        let floor = floor.unwrap_or_else(|| panic!("{answer}"));
        let area = floor["area"].as_f64().unwrap();
        // 4 m by 4 m, grown by the radius of 0.6 m, and up to a voxel of 0.3 m on each side.
        assert!((5.2 * 5.2 - 2.0..=5.8 * 5.8).contains(&area), "{area}");
        let middle = |axis: usize| {
            let [min, max] = ["min", "max"].map(|end| floor["bounds"][end][axis].as_f64().unwrap());
            f64::midpoint(min, max)
        };
        assert!((middle(0) - x).abs() < 0.5 && middle(2).abs() < 0.5, "{floor}");
    }
    let said = run_in(folder.path(), &["diff", "a.obj", "b.obj", "--strict"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stdout.contains("they differ") && said.stderr.contains("refused by --strict"));
}

#[test]
fn options_limit_what_counts() {
    let folder = TempDir::new().unwrap();
    write_floor(folder.path(), "a.obj", &[]);
    write_floor(folder.path(), "b.obj", &[[0.0, 0.0]]);
    let diff = |more: &[&str]| {
        json(run_in(folder.path(), &[&["diff", "a.obj", "b.obj", "--json"], more].concat()))
    };
    let wide = diff(&["--tolerance", "4"]);
    assert_eq!(wide["lost"]["patches"], serde_json::json!([]));
    assert!(wide["lost"]["strips"].as_f64().unwrap() > 20.0);
    // The settings apply to both levels.
    let fine = diff(&["--set", "cell_size=0.1", "--set", "agent_radius=0.2", "--min-area", "5"]);
    let area = fine["lost"]["area"].as_f64().unwrap();
    assert!((4.3 * 4.3..4.7 * 4.7).contains(&area), "{area}");
    for wrong in [["--tolerance", "-1"], ["--min-island", "NaN"]] {
        let args = ["diff", "a.obj", "b.obj", wrong[0], wrong[1]];
        assert_ne!(run_in(folder.path(), &args).code, 0, "{wrong:?}");
    }
}

#[test]
fn wrong_inputs_are_refused() {
    let folder = TempDir::new().unwrap();
    bake(folder.path(), "builtin:sample", "a.bin", &[]);
    let both = ["diff", "a.bin", "a.bin", "--set", "cell_size=0.2"];
    run_in(folder.path(), &both).failed(2, &["settings belong to a level"]);
    run_in(folder.path(), &["diff", "a.bin", "no-such.obj"]).failed(1, &["no-such.obj"]);
}

#[cfg(feature = "window")]
#[test]
fn the_picture_shows_gained_and_lost_ground() {
    let folder = TempDir::new().unwrap();
    write_floor(folder.path(), "a.obj", &[[-5.0, 0.0]]);
    write_floor(folder.path(), "b.obj", &[[5.0, 0.0]]);
    let diff = ["diff", "a.obj", "b.obj", "--picture"];
    run_in(folder.path(), &[&diff[..], &["a.obj"]].concat()).failed(2, &["a.obj", "--picture"]);
    let run = run_in(folder.path(), &[&diff[..], &["diff.png"]].concat());
    if run.stderr.contains("no Vulkan or OpenGL driver") {
        return;
    }
    run.succeeded();
    let bytes = fs::read(folder.path().join("diff.png")).unwrap();
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 5000, "{} bytes", bytes.len());
}

#[test]
fn links_off_the_ground_do_not_differ() {
    let folder = TempDir::new().unwrap();
    write_floor(folder.path(), "a.obj", &[]);
    let links = "offmesh -5 0 0 5 0 0 0.6 1 0 1\noffmesh 50 0 0 5 0 0 0.6 1 0 1\n";
    fs::write(folder.path().join("a.cfg"), links).unwrap();
    let with_links = ["--settings", "a.cfg"];
    bake(folder.path(), "a.obj", "a.bin", &with_links);
    let diff = |before, after| {
        let args = ["diff", before, after, "--json", "--set", "tile_size=32"];
        json(run_in(folder.path(), &[&args[..], &with_links].concat()))
    };
    assert_eq!(diff("a.bin", "a.obj")["off_mesh_links"], serde_json::json!([]));
    assert_eq!(diff("a.obj", "a.obj")["same"], true);
}

/// A path that leads around a box at the origin, and one along the edge.
const SUITE: &str = "walkable_suite 1\npath Across\nstart -8 0 0\nend 8 0 0\nexpect reachable\nlength 16 0.3\n\
    path Along\nstart -8 0 8\nend 8 0 8\nexpect reachable\n";

#[test]
fn path_tests_with_another_result_are_listed() {
    let folder = TempDir::new().unwrap();
    write_floor(folder.path(), "a.obj", &[]);
    write_floor(folder.path(), "b.obj", &[[0.0, 0.0]]);
    fs::write(folder.path().join("all.suite"), SUITE).unwrap();
    let diff = |second: &str, more: &[&str]| {
        let args = [&["diff", "a.obj", second, "--suite", "all.suite"], more].concat();
        run_in(folder.path(), &args)
    };
    let said = diff("b.obj", &[]).succeeded();
    let line = "  Across: passed before, fails now: ";
    // The polygons along the edge differ, too, and with them the cost.
    assert!(said.contains("path tests: 2 changed, 0 unchanged\n") && said.contains(line), "{said}");
    let answer = json(diff("b.obj", &["--json"]));
    let tests = &answer["path_tests"];
    assert_eq!((&tests["n_same"], tests["changed"].as_array().unwrap().len()), (&0.into(), 2));
    let [before, after] = ["before", "after"].map(|side| &tests["changed"][0][side]);
    assert_eq!([&before["passed"], &after["passed"]], [true, false]);
    assert!(before["length"].as_f64().unwrap() < 16.1 && after["length"].as_f64().unwrap() > 16.3);
    // A navmesh is tested as it is.
    bake(folder.path(), "b.obj", "b.bin", &[]);
    let of_navmesh = json(diff("b.bin", &["--json"]));
    assert_eq!(of_navmesh["path_tests"]["changed"][0]["after"]["passed"], false, "{of_navmesh}");

    let same = diff("a.obj", &["--strict"]).succeeded();
    assert!(same.contains("path tests: 0 changed, 2 unchanged\n"), "{same}");
    let without = run_in(folder.path(), &["diff", "a.obj", "b.obj", "--json"]);
    assert_eq!(json(without)["path_tests"], Value::Null);
}

#[test]
fn path_tests_of_a_project_run_for_each_agent() {
    let folder = TempDir::new().unwrap();
    let case = |agent: &str| {
        serde_json::json!({
            "name": agent, "agent": agent, "start": [-7, 0, 0], "end": [7, 0, 0],
            "expects": [{ "outcome": "reachable" }],
        })
    };
    for (name, boxes) in
        [("a", vec![]), ("b", vec![[0.0, -7.5], [0.0, -3.5], [0.0, 3.5], [0.0, 7.5]])]
    {
        write_floor(folder.path(), &format!("{name}.obj"), &boxes);
        // Between the boxes of the second level, there is a gap of 3 m, too narrow for the large agent.
        let project = serde_json::json!({
            "walkable_project": 4, "level": { "file": format!("{name}.obj") },
            "document": {
                "settings": { "agent_radius": 0.6 },
                "agents": { "list": [
                    { "name": "Cat", "settings": { "agent_radius": 0.6 } },
                    { "name": "Giant", "settings": { "agent_radius": 2.0 } },
                ] },
                "path_tests": [case("Cat"), case("Giant")],
            },
        });
        fs::write(folder.path().join(format!("{name}.walkable")), project.to_string()).unwrap();
    }
    let answer = json(run_in(folder.path(), &["diff", "a.walkable", "b.walkable", "--json"]));
    let changed = answer["path_tests"]["changed"].as_array().unwrap();
    let giant = changed.iter().find(|test| test["after"]["name"] == "Giant").unwrap();
    assert_eq!([&giant["before"]["passed"], &giant["after"]["passed"]], [true, false], "{answer}");
    let cat = changed.iter().find(|test| test["after"]["name"] == "Cat");
    assert!(cat.is_none_or(|test| test["after"]["passed"] == true), "{answer}");
}
