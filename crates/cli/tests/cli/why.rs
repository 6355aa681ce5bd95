//! `walkable why`: the first cause is right, the fixes work when they are applied and baked, and no problem is reported
//! where there is none.

use std::{fmt::Write as _, fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{self, Run, json, run_in};

/// Levels with one fault each, whose expected results come from bakes and path searches alone.
pub(crate) const FAULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/faults");

/// Time for the search for fixes on a machine that is busy with other tests.
const PATIENT: [&str; 2] = ["--fix-time", "10min"];

fn place(at: &Value) -> String {
    let at: Vec<_> = at.as_array().unwrap().iter().map(ToString::to_string).collect();
    at.join(",")
}

/// Returns the answer about the place of a case.
fn ask(case: &Path, at: &str) -> Value {
    let why = ["why", "level.obj", "--settings", "settings.cfg", "--at", at, "--json"];
    json(&run_in(case, &[&why[..], &PATIENT].concat()).succeeded())
}

/// Bakes the level of a case with its settings overridden by `sets`, to `mesh.bin` in the folder that it returns.
fn baked(case: &Path, sets: &[String]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let mesh = folder.path().join("mesh.bin");
    let mut bake =
        vec!["bake", "level.obj", "--settings", "settings.cfg", "-o", mesh.to_str().unwrap()];
    bake.extend(sets.iter().flat_map(|set| ["--set", set]));
    run_in(case, &bake).succeeded();
    folder
}

/// Returns whether the navmesh, baked with the settings of a case overridden by `sets`, covers a place.
fn stands(case: &Path, at: &str, sets: &[String]) -> bool {
    let folder = baked(case, sets);
    let mesh = folder.path().join("mesh.bin");
    let mesh = mesh.to_str().unwrap();
    let path =
        ["path", mesh, "--from", at, "--to", at, "--half-extents", "0.02,0.5,0.02", "--json"];
    json(&run_in(case, &path).succeeded())["start"]["point"].is_array()
}

/// Bakes each offered fix by settings. Returns the first problem: a fix that does not work, or no fix although the case
/// has one.
fn check_fixes(answer: &Value, truth: &Value, works: impl Fn(&[String]) -> bool) -> Option<String> {
    let fixes = answer["fixes"].as_array().unwrap();
    let sets: Vec<_> = fixes.iter().filter_map(|fix| fix["set"].as_object()).collect();
    for set in &sets {
        let set: Vec<_> = set.iter().map(|(key, value)| format!("{key}={value}")).collect();
        if !works(&set) {
            return Some(format!("{set:?} does not help"));
        }
    }
    let has_fix = truth["fixes"].as_array().unwrap().iter().any(|fix| fix["set"].is_object());
    (has_fix && sets.is_empty()).then(|| "no settings are offered".to_owned())
}

#[test]
fn seeded_faults_get_the_right_cause_and_working_fixes() {
    let mut wrong = Vec::new();
    let mut n = 0;
    for entry in fs::read_dir(FAULTS).unwrap() {
        let case = entry.unwrap().path();
        let truth = json(&fs::read_to_string(case.join("truth.json")).unwrap());
        if truth["kind"] != "place" {
            continue;
        }
        n += 1;
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let at = place(&truth["at"]);
        let answer = ask(&case, &at);
        let is_clean = truth["cause"] == "walkable";
        if answer["walkable"] != is_clean {
            wrong.push(format!("{name}: walkable is {}", answer["walkable"]));
        }
        let accepted = truth["accept"].as_array().unwrap();
        if !is_clean && answer["cause"] != truth["cause"] && !accepted.contains(&answer["cause"]) {
            wrong.push(format!("{name}: {} instead of {}", answer["cause"], truth["cause"]));
        }
        let measured = &truth["measured"];
        if let (Some(value), Some(off)) = (measured["value"].as_f64(), measured["tol"].as_f64())
            && answer["measured"].as_f64().is_none_or(|found| (found - value).abs() > off)
        {
            wrong.push(format!("{name}: {} measured instead of {value}", answer["measured"]));
        }
        let works = |set: &[String]| stands(&case, &at, set);
        wrong.extend(check_fixes(&answer, &truth, works).map(|what| format!("{name}: {what}")));
    }
    assert!(wrong.is_empty() && n >= 10, "{n} cases\n{}", wrong.join("\n"));
}

/// Returns whether a path connects the ends of a case, with its settings overridden by `sets`.
fn leads(case: &Path, truth: &Value, sets: &[String]) -> bool {
    let folder = baked(case, sets);
    let mesh = folder.path().join("mesh.bin");
    let mesh = mesh.to_str().unwrap();
    let [from, to] = [&truth["from"], &truth["to"]].map(place);
    let path = ["path", mesh, "--from", &from, "--to", &to, "--json"];
    json(&run_in(case, &path).succeeded())["status"] == "complete"
}

/// Returns the distance between the place in an answer and the line along which the break lies.
fn distance_to_break(answer: &Value, truth: &Value) -> f64 {
    let point = |value: &Value| -> Vec<f64> {
        value.as_array().map_or_else(Vec::new, |all| all.iter().filter_map(Value::as_f64).collect())
    };
    let at = point(&answer["where"]);
    let line =
        truth["zone"].as_array().map_or_else(Vec::new, |zone| zone.iter().map(point).collect());
    let [a, b] = match line.as_slice() {
        [a, b] => [a.clone(), b.clone()],
        _ => [point(&truth["where"]), point(&truth["where"])],
    };
    if at.len() != 3 {
        return f64::INFINITY;
    }
    let along: Vec<f64> = (0..3).map(|i| b[i] - a[i]).collect();
    let length: f64 = along.iter().map(|d| d * d).sum();
    let dot: f64 = (0..3).map(|i| (at[i] - a[i]) * along[i]).sum();
    let t = if length > 0.0 { (dot / length).clamp(0.0, 1.0) } else { 0.0 };
    (0..3).map(|i| (at[i] - a[i] - t * along[i]).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn seeded_path_breaks_get_the_right_cause_place_and_working_fixes() {
    let mut wrong = Vec::new();
    let mut n = 0;
    for entry in fs::read_dir(FAULTS).unwrap() {
        let case = entry.unwrap().path();
        let truth = json(&fs::read_to_string(case.join("truth.json")).unwrap());
        if truth["kind"] != "path" {
            continue;
        }
        n += 1;
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let [from, to] = [&truth["from"], &truth["to"]].map(place);
        let why = ["why", "level.obj", "--settings", "settings.cfg", "--from", &from, "--to", &to];
        let answer = json(&run_in(&case, &[&why[..], &["--json"], &PATIENT].concat()).succeeded());
        if truth["cause"] == "none" {
            assert_eq!(answer["status"], "complete", "{answer}");
            assert!(answer["cause"].is_null(), "{answer}");
            continue;
        }
        let accepted = truth["accept"].as_array().unwrap();
        if answer["cause"] != truth["cause"] && !accepted.contains(&answer["cause"]) {
            wrong.push(format!("{name}: {} instead of {}", answer["cause"], truth["cause"]));
        }
        let off = distance_to_break(&answer, &truth);
        if off > truth["tolerance"].as_f64().unwrap() {
            wrong.push(format!("{name}: {off:.2} m from the break"));
        }
        let works = |set: &[String]| leads(&case, &truth, set);
        wrong.extend(check_fixes(&answer, &truth, works).map(|what| format!("{name}: {what}")));
    }
    assert!(wrong.is_empty() && n >= 6, "{n} cases\n{}", wrong.join("\n"));
}

#[test]
fn the_search_for_fixes_ends_in_time() {
    let folder = TempDir::new().unwrap();
    // Ten thousand pillars, between which no agent fits: each candidate bake takes long.
    let mut level = String::new();
    for i in 0..10_000 {
        let (x, z) = (f64::from(i % 100) * 1.5, f64::from(i / 100) * 1.5);
        for (dx, dz) in [(0.0, 0.0), (0.0, 1.5), (1.5, 1.5), (1.5, 0.0)] {
            writeln!(level, "v {} 0 {}", x + dx, z + dz).unwrap();
        }
        for (d, y) in [(0.6, 0), (0.6, 5), (0.9, 0), (0.9, 5)] {
            writeln!(level, "v {} {y} {}", x + d, z + d).unwrap();
        }
        level.push_str("f -8 -7 -6 -5\nf -4 -3 -1 -2\n");
    }
    fs::write(folder.path().join("level.obj"), level).unwrap();
    let why = ["why", "level.obj", "--at", "0.7,0,0.7", "--json", "--fix-time"];
    let cut_short = |run: Run| {
        let answer = json(&run.succeeded());
        assert_eq!(answer["cause"], "near_edge", "{answer}");
        assert_eq!(answer["fixes_cut_short"], true, "{answer}");
    };
    cut_short(run_in(folder.path(), &[&why[..], &["1s"]].concat()));
    #[cfg(target_os = "linux")]
    cut_short(run::run_interrupted(
        folder.path(),
        &[&why[..], &["10min"]].concat(),
        run::handles_ctrl_c,
    ));
}

#[test]
fn a_navmesh_alone_gives_a_partial_answer() {
    let case = Path::new(FAULTS).join("path-gap-bridge");
    let folder = TempDir::new().unwrap();
    let mesh = folder.path().join("mesh.bin");
    let mesh = mesh.to_str().unwrap();
    run_in(&case, &["bake", "level.obj", "--settings", "settings.cfg", "-o", mesh]).succeeded();
    let ends = ["--from", "34.63,0.11,34.2", "--to", "39.46,3.0,39.58"];
    let why =
        |more: &[&str]| run_in(&case, &[&["why", mesh], &ends[..], more].concat()).succeeded();
    let answer = json(&why(&["--json"]));
    assert_eq!(answer["status"], "partial");
    assert!(answer["unknown"].as_str().unwrap().contains("ask with the level"), "{answer}");
    let answer = json(&why(&["--json", "--max-nodes", "2"]));
    assert_ne!(answer["cause"], "node_limit", "more nodes do not help: {answer}");
    let at_once = ["--from", "34.63,0.11,34.2", "--to", "45,1.6,25", "--max-nodes", "2"];
    let said = run_in(&case, &[&["why", mesh], &at_once[..]].concat()).succeeded();
    assert!(said.contains("all its 2 nodes") && said.contains("--max-nodes"), "{said}");
}

#[test]
fn text_output_has_the_verdict_and_options_to_copy() {
    let case = Path::new(FAULTS).join("place-too-steep-demo");
    let why = ["why", "level.obj", "--settings", "settings.cfg", "--at", "13.76,1.88,-54.3"];
    let said = run_in(&case, &why).succeeded();
    assert!(said.starts_with("not walkable: slope 45.4° > 45.0° [too_steep]\n"), "{said}");
    assert!(said.contains("--set agent_max_slope=45.5"), "{said}");
    let fixed = run_in(&case, &[&why[..], &["--set", "agent_max_slope=45.5"]].concat()).succeeded();
    assert_eq!(fixed, "walkable\n");
    let cause_only = run_in(&case, &[&why[..], &["--no-fixes"]].concat()).succeeded();
    assert!(!cause_only.contains("--set"), "{cause_only}");
}

#[test]
fn levels_without_ground_get_the_cause() {
    let folder = TempDir::new().unwrap();
    run_in(folder.path(), &["generate", "maze", "--size", "12", "-o", "maze.obj"]).succeeded();
    let why = |more: &[&str]| {
        let ask = ["why", "maze.obj", "--at", "6,0,6", "--json", "--set", "agent_radius=8"];
        json(&run_in(folder.path(), &[&ask[..], more].concat()).succeeded())
    };
    for more in [&[][..], &["--set", "tile_size=32"]] {
        let answer = why(more);
        let said = answer["nothing_walkable"].as_str().unwrap();
        assert!(said.contains("erosion by agent_radius"), "{answer}");
        assert_eq!(answer["walkable"], false);
    }
}

#[test]
fn a_level_without_ground_gets_settings_that_give_it_ground() {
    let folder = TempDir::new().unwrap();
    let floor = "v 0 0 0\nv 0 0 8\nv 1.5 0 8\nv 1.5 0 0\nf 1 2 3 4\n";
    fs::write(folder.path().join("floor.obj"), floor).unwrap();
    let bake = ["bake", "floor.obj", "-o", "floor.bin"];
    run_in(folder.path(), &bake).failed(1, &["`walkable why`"]);
    let answer = json(&run_in(folder.path(), &["why", "floor.obj", "--json"]).succeeded());
    assert_eq!(answer["walkable"], false);
    assert_eq!(answer["cause"], "near_edge");
    let (key, value) = answer["fixes"][0]["set"].as_object().unwrap().iter().next().unwrap();
    let set = format!("{key}={value}");
    run_in(folder.path(), &[&bake[..], &["--set", &set]].concat()).succeeded();
    let text = run_in(folder.path(), &["why", "floor.obj", "--no-fixes"]).succeeded();
    assert!(text.starts_with("nothing is walkable") && !text.contains("--set"), "{text}");
    let text = run_in(folder.path(), &["why", "floor.obj", "--set", &set]).succeeded();
    assert!(text.contains("has walkable ground"), "{text}");
}

#[test]
fn status_and_cause_agree_about_ends_that_were_moved() {
    let folder = TempDir::new().unwrap();
    let floor = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n";
    fs::write(folder.path().join("floor.obj"), floor).unwrap();
    let set = ["--set", "agent_max_climb=0.4"];
    run_in(folder.path(), &[&["bake", "floor.obj", "-o", "floor.bin"], &set[..]].concat())
        .succeeded();
    let ask = |command: &[&str], from: &str, to: &str| {
        let ends = ["--from", from, "--to", to, "--json"];
        json(&run_in(folder.path(), &[command, &ends].concat()).succeeded())
    };
    let (near, far) = ("10,0,5", "10,3,15");
    assert_eq!(ask(&["path", "floor.bin"], far, near)["status"], "complete");
    let of_level = [&["why", "floor.obj", "--no-fixes"], &set[..]].concat();
    for why in [&of_level[..], &["why", "floor.bin"]] {
        for (from, to, cause) in [(far, near, "start_off_mesh"), (near, far, "end_off_mesh")] {
            let answer = ask(why, from, to);
            assert_eq!(answer["status"], "partial", "{answer}");
            assert_eq!(answer["cause"], cause, "{answer}");
            let end = if cause == "start_off_mesh" { "start" } else { "end" };
            let vertical = answer[end]["snap"]["vertical"].as_f64().unwrap();
            assert!((-3.3..-2.7).contains(&vertical), "{answer}");
            assert_eq!(answer["warnings"].as_array().unwrap().len(), 1, "{answer}");
        }
        // Farther below the floor than the climb, but less than a meter.
        let answer = ask(why, "10,-0.7,15", near);
        assert_eq!(answer["status"], "complete", "{answer}");
        assert!(answer["cause"].is_null(), "{answer}");
        assert_eq!(answer["warnings"].as_array().unwrap().len(), 1, "{answer}");
        let answer = ask(why, near, "10,0.5,15");
        assert_eq!(answer["status"], "complete", "{answer}");
        assert!(answer["warnings"].as_array().unwrap().is_empty(), "{answer}");
    }
    let why = ["why", "floor.bin", "--from", far, "--to", near];
    let said = run_in(folder.path(), &why).succeeded();
    assert!(said.starts_with("partial: the start is not on the navmesh"), "{said}");
    assert!(said.contains("  note  the start was moved"), "{said}");
}

/// The spine of an agent on a slope, and eyes above a floor.
#[test]
fn positions_of_a_log_are_put_on_the_floor() {
    let folder = TempDir::new().unwrap();
    let floor = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n\
                 v 20 0 0\nv 20 0 20\nv 30 11.5 20\nv 30 11.5 0\nf 5 6 7 8\n";
    fs::write(folder.path().join("floor.obj"), floor).unwrap();
    run_in(folder.path(), &["bake", "floor.obj", "-o", "floor.bin"]).succeeded();
    let ask = |level: &str, line: &str| {
        let why = ["why", level, "--no-fixes", "--json", "--log", line];
        json(&run_in(folder.path(), &why).succeeded())
    };
    let slope = ask("floor.obj", "stuck at X=25 Y=6.95 Z=10");
    assert_eq!(slope["cause"], "too_steep", "{slope}");
    assert!(slope["notes"][0].as_str().unwrap().contains("1.2 m below"), "{slope}");
    let end = ask("floor.obj", "no path from (10, 0, 5) to (27, 9.25, 10)");
    assert!(end["text"].as_str().unwrap().contains("slope 49.0°"), "{end}");
    for level in ["floor.obj", "floor.bin"] {
        let eyes = ask(level, "no path from (10, 0.9, 5) to (10, 1.7, 15)");
        assert_eq!(eyes["status"], "complete", "{eyes}");
        assert_eq!(eyes["notes"].as_array().unwrap().len(), 2, "{eyes}");
        assert_eq!(eyes["warnings"].as_array().unwrap().len(), 0, "{eyes}");
    }
    let high = ask("floor.obj", "X=10 Y=3 Z=10");
    assert_eq!(high["cause"], "no_ground", "{high}");
}

#[test]
fn invalid_questions_are_rejected() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    run(&["why", "builtin:sample", "--from", "1,2,3"]).failed(2, &["--to"]);
    run(&["why", "builtin:sample", "--at", "1,2,3", "--from", "1,2,3", "--to", "1,2,3"])
        .failed(2, &["--from"]);
    run(&["why", "builtin:sample", "--at", "1,2"]).failed(2, &["three numbers"]);
    run(&["why", "absent.obj", "--at", "1,2,3"]).failed(1, &["cannot read absent.obj"]);
    let outside = run(&["why", "builtin:sample", "--at", "900,0,900", "--json"]).succeeded();
    assert_eq!(json(&outside)["cause"], "outside_level");
}

#[test]
fn removals_in_the_editor_are_named_as_the_cause() {
    let folder = TempDir::new().unwrap();
    let made = ["generate", "sample", "--seed", "1", "--size", "30", "-o", "level.obj"];
    run_in(folder.path(), &made).succeeded();
    let ask = |question: &[&str], changes: &[(&str, Value)]| {
        let mut document = serde_json::json!({ "settings": { "tile_size": 32 } });
        for (key, value) in changes {
            document[key] = value.clone();
        }
        let project = serde_json::json!({
            "walkable_project": 2, "level": { "file": "level.obj" }, "document": document,
        });
        fs::write(folder.path().join("one.walkable"), project.to_string()).unwrap();
        let why = [&["why", "one.walkable", "--json", "--no-fixes"], question].concat();
        json(&run_in(folder.path(), &why).succeeded())["cause"].clone()
    };
    let on_layers = ("obstacles", serde_json::json!({ "prepared": true, "list": [] }));
    let cause = |key: &str, value: Value| {
        let changes = [(key, value), on_layers.clone()];
        let [tiles, layers] =
            [&changes[..1], &changes].map(|changes| ask(&["--at", "14,0,10"], changes));
        assert_eq!(tiles, layers);
        tiles
    };
    assert_eq!(cause("paths", serde_json::json!([])), Value::Null);
    let tiles: Vec<_> = (0..16).map(|n| serde_json::json!({ "x": n % 4, "z": n / 4 })).collect();
    assert_eq!(cause("removed_tiles", Value::from(tiles)), "removed_tile");
    assert_eq!(cause("islands", serde_json::json!({ "min_area": 1e6 })), "island_removed");
    let stroke = serde_json::json!([{
        "brush": { "flags": 0 }, "radius": 100.0, "places": [[14.0, 0.0, 10.0]],
    }]);
    assert_eq!(cause("strokes", stroke), "area_without_flags");
    let pillar = serde_json::json!({
        "prepared": true,
        "list": [{ "shape": { "cylinder": { "base": [14.0, -1.0, 10.0], "radius": 2.0, "height": 9.0 } } }],
    });
    assert_eq!(ask(&["--at", "14,0,10"], &[("obstacles", pillar)]), "obstacle");
    let wall = serde_json::json!({
        "prepared": true,
        "list": [{ "shape": { "box": { "min": [16, -5, -9], "max": [18, 9, 50] } } }],
    });
    let across = ["--from", "14,0,10", "--to", "20,0,10"];
    assert_eq!(ask(&across, &[]), Value::Null);
    assert_eq!(ask(&across, &[("obstacles", wall)]), "obstacle");
}

#[test]
fn places_on_layers_are_explained_by_the_navmesh_of_the_layers() {
    let folder = TempDir::new().unwrap();
    let quad = |[x0, x1]: [i32; 2], side: i32, [y0, y1]: [i32; 2]| {
        format!(
            "v {x0} {y0} 0\nv {x0} {y0} {side}\nv {x1} {y1} {side}\nv {x1} {y1} 0\nf -4 -3 -2 -1\n"
        )
    };
    // A floor with a steep ramp in the middle of a tile, and an island that is too small for a region.
    let level = [quad([0, 20], 20, [0, 0]), quad([20, 60], 20, [0, 35]), quad([70, 73], 3, [0, 0])]
        .concat();
    fs::write(folder.path().join("level.obj"), level).unwrap();
    let ask = |obstacles: Value, at: &str| {
        let settings = serde_json::json!({ "tile_size": 96 });
        let document = serde_json::json!({ "settings": settings, "obstacles": obstacles });
        let level = serde_json::json!({ "file": "level.obj" });
        let project = serde_json::json!({
            "walkable_project": 2, "level": level, "document": document,
        });
        fs::write(folder.path().join("one.walkable"), project.to_string()).unwrap();
        let why = ["why", "one.walkable", "--json", "--no-fixes", "--at", at];
        json(&run_in(folder.path(), &why).succeeded())["cause"].clone()
    };
    let tiles = || serde_json::json!({ "prepared": false, "list": [] });
    let layers = || serde_json::json!({ "prepared": true, "list": [] });
    let island = "71.5,0,1.5";
    assert_eq!(ask(tiles(), island), "region_too_small");
    assert_eq!(ask(layers(), island), Value::Null);
    // Layers have no detail surface: see the finding `surface-off-ground`.
    let ramp = "24,3.5,10";
    assert_eq!(ask(tiles(), ramp), Value::Null);
    assert_eq!(ask(layers(), ramp), "cut_off");
    // Erosion is the same.
    assert_eq!(ask(tiles(), "0.2,0,10"), "level_edge");
    assert_eq!(ask(layers(), "0.2,0,10"), "level_edge");
}

#[test]
fn a_detour_around_a_high_wall_is_noted() {
    let folder = TempDir::new().unwrap();
    let ground = "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\n";
    let sheet = "v 20 0 0\nv 20 3 0\nv 20 3 36\nv 20 0 36\nf 5 6 7 8\n";
    let hollow = "v 19.9 0 0\nv 19.9 3 0\nv 20.1 0 0\nv 20.1 3 0\nv 20.1 0 36\nv 20.1 3 36\n\
                  v 19.9 0 36\nv 19.9 3 36\nf 5 7 8 6\nf 7 9 10 8\nf 9 11 12 10\nf 11 5 6 12\n";
    for (wall, blocks) in [(sheet, Some("step")), (hollow, None)] {
        fs::write(folder.path().join("wall.obj"), format!("{ground}{wall}")).unwrap();
        let why = ["why", "wall.obj", "--from", "17,0,3", "--to", "23,0,3", "--json"];
        let answer = json(&run_in(folder.path(), &why).succeeded());
        assert_eq!(answer["status"], "complete");
        let detour = answer["detour"].as_str().unwrap();
        assert!(detour.starts_with("the path is a detour of 6"), "{detour}");
        assert_eq!(answer["crossings"][0]["cause"].as_str(), blocks, "{answer}");
    }
}

#[test]
fn positions_of_logs_and_scenes_are_moved_with_the_level() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let rooms = include_str!("../../../level-files/tests/data/rooms_grid.obj");
    fs::write(path("rooms.obj"), rooms).unwrap();
    let origin = "--origin=691000,0,-5335000";
    let log = "agent 7 stands at (691002.5, 0.5, -5334996.25)";
    let why = ["why", "rooms.obj", origin, "--log", log, "--json"];
    let answer = json(&run_in(folder.path(), &why).succeeded());
    assert_eq!(answer["place"], json("[2.5, 0.5, 3.75]"), "{answer}");
    assert_eq!(answer["notes"], json(r#"["positions are moved by the import origin"]"#));
    let here = ["why", "rooms.obj", origin, "--log", "at (2.5, 0.5, 3.75)", "--json"];
    assert_eq!(json(&run_in(folder.path(), &here).succeeded())["place"], answer["place"]);
    let link = "f rooms.obj\nc 691002 0 -5334996 691004 0 -5334996 0.6 1 5 8\n";
    fs::write(path("rooms.gset"), link).unwrap();
    let bake = ["bake", "rooms.gset", origin, "-o", "rooms.bin", "--report", "rooms.json"];
    run_in(folder.path(), &bake).succeeded();
    let report = json(&fs::read_to_string(path("rooms.json")).unwrap());
    assert_eq!(report["links"][0]["start"], json("[2.0, 0.0, 4.0]"), "{}", report["links"]);
    let codes = report.to_string();
    assert!(codes.contains("level-moved") && !codes.contains("far-from-origin"), "{codes}");
}
