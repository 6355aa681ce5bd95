//! The commands that need no window, run as a user runs them: exit codes, output streams, files.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{json, run_in};

#[track_caller]
fn check_failure(args: &[&str], code: i32, words: &[&str]) {
    let folder = TempDir::new().unwrap();
    run_in(folder.path(), args).failed(code, words);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.is_empty(), "{args:?} left {left:?}");
}

/// Returns a folder with the sample level baked to `sample.bin`.
fn baked_sample() -> TempDir {
    let folder = TempDir::new().unwrap();
    run_in(folder.path(), &["bake", "builtin:sample", "-o", "sample.bin"]).succeeded();
    folder
}

#[test]
fn wrong_usage_exits_with_2() {
    check_failure(&["fly"], 2, &["unrecognized subcommand 'fly'"]);
    check_failure(&["--fly"], 2, &["--fly"]);
    check_failure(&["bake"], 2, &["LEVEL"]);
    check_failure(&["bake", "builtin:sample"], 2, &["--output"]);
    check_failure(&["bake", "builtin:moon", "-o", "x"], 2, &["moon", "sample, town, maze"]);
    let bake = ["bake", "builtin:sample", "-o", "x"];
    for (more, words) in [
        (["--set", "cell_size"], "key=value"),
        (["--set", "sell_size=1"], "sell_size"),
        (["--set", "cell_size=-1"], "cell_size is -1"),
        (["--threads", "0"], "0 is not in 1.."),
        (["--up", "w"], "possible values: x, y, z"),
        (["--scale", "0"], "above zero"),
    ] {
        check_failure(&[&bake[..], &more].concat(), 2, &[words]);
    }
    check_failure(&["path", "x.bin"], 2, &["--from"]);
    check_failure(&["path", "x.bin", "--from", "1,2,3"], 2, &["--to"]);
    check_failure(&["path", "x.bin", "--from", "1,2", "--to", "1,2,3"], 2, &["three numbers"]);
    check_failure(&["path", "x.bin", "--queries", "q", "--json"], 2, &["--queries"]);
    check_failure(&["path", "x.bin", "--queries", "q", "--area-cost", "64=1"], 2, &["0 to 63"]);
    check_failure(&["generate", "castle", "-o", "x"], 2, &["castle", "terrain, town"]);
    let similar = ["unrecognized subcommand 'baek'", "similar subcommand exists: 'bake'"];
    check_failure(&["baek", "x.obj"], 2, &similar);
    check_failure(&["baek"], 2, &similar);
    check_failure(&["generate", "maze", "-o", "x", "--size", "1"], 2, &["12 to 600 m"]);
}

#[test]
fn failures_exit_with_1_and_name_the_file() {
    check_failure(&["bake", "absent.obj", "-o", "x"], 1, &["cannot read absent.obj"]);
    check_failure(&["info", "absent.bin"], 1, &["cannot read absent.bin"]);
    check_failure(&["path", "absent.bin", "--from", "0,0,0", "--to", "1,0,0"], 1, &["absent.bin"]);
    check_failure(&["generate", "maze", "-o", "absent/x.obj"], 1, &["cannot write absent/x.obj"]);

    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("bad.obj", "v 0 0 0\nv 0 0 x\n");
    write("bad.cfg", "cell_size=0.3\ncell=2\n");
    write("bad.bin", "TESM and then nothing");
    let run = |args: &[&str]| run_in(folder.path(), args);
    run(&["bake", "bad.obj", "-o", "x"]).failed(1, &["bad.obj: line 2: \"x\" is not a number"]);
    run(&["info", "bad.obj"]).failed(1, &["bad.obj: line 2"]);
    run(&["info", "bad.bin"]).failed(1, &["bad.bin"]);
    run(&["path", "bad.bin", "--from", "0,0,0", "--to", "1,0,0"]).failed(1, &["bad.bin"]);
    run(&["bake", "builtin:sample", "-o", "x", "--settings", "bad.cfg"])
        .failed(1, &["bad.cfg: line 2", "cell"]);
    assert!(!folder.path().join("x").exists());
}

#[test]
fn without_a_display_the_editor_names_the_command_that_needs_none() {
    check_failure(&[], 1, &["walkable bake LEVEL -o OUT.bin"]);
    check_failure(&["builtin:sample"], 1, &["walkable bake LEVEL -o OUT.bin"]);
}

#[test]
fn help_and_version_succeed() {
    let folder = TempDir::new().unwrap();
    assert!(run_in(folder.path(), &["--help"]).succeeded().contains("generate"));
    assert!(run_in(folder.path(), &["bake", "--help"]).succeeded().contains("--threads"));
    let version = run_in(folder.path(), &["--version"]).succeeded();
    assert_eq!(version.trim(), concat!("walkable ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn generated_levels_are_those_of_the_library() {
    let folder = TempDir::new().unwrap();
    let args = ["generate", "maze", "--seed", "1", "--size", "48", "-o", "maze.obj"];
    let said = run_in(folder.path(), &args).succeeded();
    assert!(said.starts_with("maze.obj: 960 triangles in 2 parts\n"), "{said}");
    for ending in ["obj", "cfg"] {
        let name = format!("maze.{ending}");
        let asset = walkable_test_support::repository().join("assets").join(&name);
        assert!(fs::read(folder.path().join(&name)).unwrap() == fs::read(asset).unwrap(), "{name}");
    }
}

#[test]
fn info_lists_the_contents_of_a_level() {
    let folder = TempDir::new().unwrap();
    let info = json(&run_in(folder.path(), &["info", "builtin:sample", "--json"]).succeeded());
    assert_eq!(info["kind"], "level");
    assert_eq!(info["bounds"]["max"][0], 30.0);
    let parts = info["parts"].as_array().unwrap();
    assert!(parts.iter().any(|p| p["object"] == "bridge" && p["material"] == "wood"));
    assert!(info["hint"].is_null());

    let text = "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 7 7 7\nf 3 2 1\nf 1 2\n";
    fs::write(folder.path().join("odd.obj"), text).unwrap();
    let said = run_in(folder.path(), &["info", "odd.obj"]).succeeded();
    for words in [
        "level with 1 triangles",
        "warning: line 6: face with 2 vertices left out [face-dropped]",
        "  line 6: face with 2 vertices left out",
        "  line 4: no face uses vertex 4",
        "warning: most surfaces face down",
    ] {
        assert!(said.contains(words), "no {words:?} in {said}");
    }
    let said = run_in(folder.path(), &["info", "odd.obj", "--flip"]).succeeded();
    assert!(!said.contains("face down"), "{said}");
}

#[test]
fn a_route_costs_at_most_as_much_as_a_path() {
    let folder = baked_sample();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let bake = ["bake", "builtin:sample", "--set", "tile_size=16", "-o", "tiles.bin"];
    run(&bake).succeeded();
    let ask = ["path", "tiles.bin", "--from", "5.5,0,18.5", "--to", "20,3,4", "--json"];
    let path = json(&run(&ask).succeeded());
    let route = json(&run(&[&ask[..], &["--route"]].concat()).succeeded());
    assert_eq!((&path["status"], &route["status"]), (&"complete".into(), &"complete".into()));
    let [cost, route_cost] = [&path, &route].map(|path| path["cost"].as_f64().unwrap());
    assert!(route_cost > 25.0 && route_cost < cost + 0.1, "{route_cost} {cost}");
    for side in ["start", "end"] {
        assert_eq!(path[side], route[side]);
    }
    let closet = ["path", "tiles.bin", "--from", "5.5,0,18.5", "--to", "12,0,19", "--route"];
    assert!(run(&closet).succeeded().starts_with("partial"), "the narrow door is passable");
    check_failure(&[&ask[..], &["--route", "--backwards"]].concat(), 2, &["--backwards"]);
    let off = ["path", "tiles.bin", "--from", "5.5,0,18.5", "--to", "-9,0,19", "--route"];
    assert!(run(&off).succeeded().starts_with("unreachable, no polygon is near the end"));
    let any = run(&[&off[..], &["--any-goal"]].concat()).succeeded();
    assert!(any.starts_with("partial, no polygon is near the end: "), "{any}");
}

#[test]
fn routes_in_a_tile_store_are_those_of_the_whole_navmesh() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    for out in ["tiles.bin", "tiles.tiles"] {
        run(&["bake", "builtin:town", "--set", "tile_size=32", "-o", out]).succeeded();
    }
    let points = ["5 0 5", "160 0 165", "8 0 150", "165 0 10", "3 0 300"];
    let pairs = points.iter().flat_map(|start| points.map(|end| format!("{start} {end}\n")));
    fs::write(folder.path().join("queries.txt"), pairs.collect::<String>()).unwrap();
    for more in [&[][..], &["--any-goal"], &["--area-cost", "0=2"]] {
        let [whole, lazy] = ["tiles.bin", "tiles.tiles"].map(|navmesh| {
            let ask = ["path", navmesh, "--queries", "queries.txt", "--route"];
            run(&[&ask[..], more].concat()).succeeded()
        });
        let complete = lazy.lines().filter(|line| line.contains(r#""status":"complete""#));
        assert!(complete.count() >= 16, "{lazy}");
        for (whole, lazy) in whole.lines().zip(lazy.lines()) {
            assert_eq!(json(whole), json(lazy), "{more:?}");
        }
    }
    let ask = ["path", "tiles.tiles", "--from", "5,0,5", "--to", "160,0,165", "--route"];
    assert!(run(&ask).succeeded().starts_with("complete: "));
}

#[test]
fn damaged_tiles_of_a_store_are_absent_from_routes() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    run(&["bake", "builtin:town", "--set", "tile_size=32", "-o", "town.tiles"]).succeeded();
    let path = folder.path().join("town.tiles");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(path, bytes).unwrap();
    let ask = ["path", "town.tiles", "--from", "5,0,5", "--to", "160,0,165", "--route", "--json"];
    let found = json(&run(&ask).succeeded());
    assert_eq!(found["status"], "complete");
    assert_eq!(found["warnings"][0]["code"], "tile-damaged");
    let strict = run(&[&ask[..], &["--strict"]].concat());
    assert!(strict.code == 1 && strict.stderr.contains("tile-damaged"), "{}", strict.stderr);
    // A whole navmesh cannot be read to find out which place comes nearest.
    let ask = ["path", "town.tiles", "--from", "5,0,5", "--to", "3,0,900", "--route"];
    assert!(run(&ask).succeeded().starts_with("unreachable"));
}

#[test]
fn reachability_is_reported_without_a_path() {
    let folder = baked_sample();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let ask = |to: &str, more: &[&str]| {
        let args = ["path", "sample.bin", "--from", "5.5,0,18.5", "--to", to];
        run(&[&args[..], more].concat()).succeeded()
    };
    let bridge = ask("20,3,4", &["--can-reach"]);
    assert!(bridge.starts_with("reachable\nstart moved"), "{bridge}");
    let closet = ask("12,0,19", &["--can-reach"]);
    assert!(closet.starts_with("not reachable, nothing connects start and end\n"), "{closet}");
    let off = ask("-9,0,19", &["--can-reach"]);
    assert!(off.starts_with("not reachable, no polygon is near the end\n"), "{off}");
    for (to, reachable) in [("20,3,4", true), ("12,0,19", false), ("-9,0,19", false)] {
        let [path, reach] =
            [&["--json"][..], &["--json", "--can-reach"]].map(|more| json(&ask(to, more)));
        assert_eq!(reach["reachable"], reachable);
        for field in ["why", "start", "end", "warnings"] {
            assert_eq!(reach[field], path[field], "{field}");
        }
        assert!(reach.get("corridor").is_none());
    }
    let queries = "5.5 0 18.5 20 3 4\n5.5 0 18.5 12 0 19\n";
    fs::write(folder.path().join("queries.txt"), queries).unwrap();
    let lines = run(&["path", "sample.bin", "--queries", "queries.txt", "--can-reach"]).succeeded();
    let told: Vec<_> = lines.lines().map(|line| json(line)["reachable"].clone()).collect();
    assert_eq!(told, [true, false]);
    let route = ["path", "sample.bin", "--queries", "queries.txt", "--can-reach", "--route"];
    check_failure(&route, 2, &["--route"]);
}

#[test]
fn a_baked_level_can_be_queried() {
    let folder = baked_sample();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let info = json(&run(&["info", "sample.bin", "--json"]).succeeded());
    assert_eq!((&info["kind"], &info["n_tiles"]), (&"navmesh".into(), &1.into()));
    assert!(info["n_islands"].as_u64().unwrap() > 1, "the closet is a separate island");

    // The path leads through the wide door, up the stairs and over the bridge.
    let ask = ["path", "sample.bin", "--from", "5.5,0,18.5", "--to", "20,3,4"];
    let path = json(&run(&[&ask[..], &["--json"]].concat()).succeeded());
    let fields: Vec<&str> = path.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected =
        ["status", "why", "corridor", "points", "length", "cost", "start", "end", "warnings"];
    expected.sort_unstable();
    assert_eq!(fields, expected);
    assert_eq!(path["status"], "complete");
    let corridor = path["corridor"].as_array().unwrap();
    assert_eq!(corridor[0], path["start"]["ref"]);
    assert_eq!(corridor[corridor.len() - 1], path["end"]["ref"]);
    let points = path["points"].as_array().unwrap();
    assert_eq!(points[0], path["start"]["point"]);
    assert!(path["length"].as_f64().unwrap() > 25.0);
    let costly = run(&[&ask[..], &["--json", "--area-cost", "0=2"]].concat()).succeeded();
    let [cost, costly] = [&path, &json(&costly)].map(|path| path["cost"].as_f64().unwrap());
    assert!(costly > 1.5 * cost, "{costly} {cost}");
    let shut = run(&[&ask[..], &["--exclude", "0xffff"]].concat()).succeeded();
    assert!(
        shut.starts_with("unreachable, the filter excludes every polygon near the start"),
        "{shut}"
    );
    let words = run(&ask).succeeded();
    assert!(words.starts_with("complete: "), "{words}");
    // One line for the status, two for the ends, and one per point.
    assert_eq!(words.lines().count(), points.len() + 3);

    // The any-angle path is shorter. The closet cannot be reached, because its door is too narrow.
    let shortest = [&ask[..], &["--json", "--algorithm", "polyanya"]].concat();
    let shortest = json(&run(&shortest).succeeded());
    assert_eq!(shortest["status"], "complete");
    assert!(shortest["cost"].as_f64() < path["length"].as_f64(), "{shortest} after {path}");
    let closet = ["path", "sample.bin", "--from", "5.5,0,18.5", "--to", "12,0,19"];
    assert!(run(&closet).succeeded().starts_with("partial"), "the narrow door is passable");
    // No polygon is near the start.
    let moon = ["path", "sample.bin", "--from=-99,0,-99", "--to", "12,0,19", "--json"];
    let path = json(&run(&moon).succeeded());
    assert_eq!((&path["status"], &path["start"]), (&"unreachable".into(), &Value::Null));
    assert_eq!(path["why"], "start_off_mesh");
    // In a backwards search with a start off the mesh, the path begins as near to it as possible.
    let from_end = [&moon[..], &["--backwards", "--any-goal"]].concat();
    let path = json(&run(&from_end).succeeded());
    assert_eq!((&path["status"], &path["why"]), (&"partial".into(), &"start_off_mesh".into()));
    let points = path["points"].as_array().unwrap();
    assert_eq!((&points[points.len() - 1], points.len() > 1), (&path["end"]["point"], true));
    let back = json(&run(&[&ask[..], &["--json", "--backwards"]].concat()).succeeded());
    assert_eq!((&back["status"], &back["why"]), (&"complete".into(), &Value::Null));
}

#[test]
fn settings_change_the_bake() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let thin = ["bake", "builtin:sample", "-o", "thin.bin", "--set", "agent_radius=0.3"];
    run(&thin).succeeded();
    let closet = ["path", "thin.bin", "--from", "5.5,0,18.5", "--to", "12,0,19"];
    assert!(
        run(&closet).succeeded().starts_with("complete"),
        "a thin agent passes the narrow door"
    );

    fs::write(folder.path().join("tiles.cfg"), "tile_size=32\nagent_radius=1\n").unwrap();
    let tiled = ["bake", "builtin:sample", "-o", "tiled.bin", "--settings", "tiles.cfg"];
    run(&tiled).succeeded();
    let info = json(&run(&["info", "tiled.bin", "--json"]).succeeded());
    assert!(info["n_tiles"].as_u64().unwrap() > 4, "{info}");
}

#[test]
fn scenes_of_recast_demo_are_baked() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = |args: &[&str]| run_in(folder.path(), args);
    fs::create_dir_all(at("scenes/meshes")).unwrap();
    let file = "scenes/meshes/a b.obj";
    run(&["generate", "sample", "--seed", "1", "--size", "30", "-o", file]).succeeded();
    let rows = "s 0.25 0.2 2 0.5 0.9 45 8 20 12 1.3 0 6 1 0 -999 -99 -999 999 99 999 32.000000\n\
                v 3 0 -9 9\n0 0 0\n9 0 0\n0 0 9\n";
    fs::write(at("scenes/one.gset"), format!("f meshes\\a b.obj\r\n{rows}")).unwrap();
    fs::write(at("scenes/two.GSET"), format!("f {file}\n{rows}")).unwrap();
    let same = "cell_size=0.25\nagent_radius=0.5\ntile_size=32\nvolume 0 -9 9 0 0 0 9 0 0 0 0 9\n";
    fs::write(at("same.cfg"), same).unwrap();
    let bake = |level: &str, settings: Option<&str>| {
        let settings = settings.map_or(vec![], |file| vec!["--settings", file]);
        run(&[&["bake", level, "-o", "a.bin"], &settings[..]].concat()).succeeded();
        fs::read(at("a.bin")).unwrap()
    };
    let expected = bake(file, Some("same.cfg"));
    assert!(bake("scenes/one.gset", None) == expected, "relative to the scene file");
    assert!(bake("scenes/two.GSET", None) == expected, "relative to the working folder");
    assert!(bake(file, Some("scenes/one.gset")) == expected, "as settings");
    assert!(bake(file, None) != expected);
    let moved = |args: &[&str]| {
        let origin = ["--origin", "3,0,-2", "-o", "m.bin"];
        run(&[&["bake"], args, &origin].concat()).succeeded();
        fs::read(at("m.bin")).unwrap()
    };
    let beside = moved(&["scenes/one.gset"]);
    assert!(beside == moved(&[file, "--settings", "scenes/one.gset"]), "items move with the level");
    assert!(beside != moved(&[file, "--settings", "same.cfg"]), "settings files move nothing");
    let project =
        r#"{"walkable_project":6,"level":{"file":"scenes/meshes/a b.obj"},"document":{}}"#;
    fs::write(at("one.walkable"), project).unwrap();
    assert!(beside == moved(&["one.walkable", "--settings", "scenes/one.gset"]), "of a project");

    fs::write(at("bad.gset"), "f scenes/meshes/a b.obj\nv 3 0 -9 9\n0 0 0\n").unwrap();
    run(&["bake", "bad.gset", "-o", "b.bin"]).failed(1, &["bad.gset", "line 2", "3 corners"]);
    fs::write(at("gone.gset"), "f gone.obj\n").unwrap();
    run(&["bake", "gone.gset", "-o", "b.bin"]).failed(1, &["gone.obj"]);
}

/// Returns a folder with a level and an empty folder for projects.
fn folder_with_level() -> TempDir {
    let folder = TempDir::new().unwrap();
    let args = ["generate", "sample", "--seed", "1", "--size", "30", "-o", "level.obj"];
    run_in(folder.path(), &args).succeeded();
    fs::create_dir_all(folder.path().join("projects")).unwrap();
    folder
}

/// Bakes the level in `folder` with `document`, written to `projects/one.walkable`, and returns the file.
fn bake_project(folder: &Path, document: &Value) -> Vec<u8> {
    let level = serde_json::json!({ "file": "../level.obj" });
    let project =
        serde_json::json!({ "walkable_project": 2, "level": level, "document": document });
    fs::write(folder.join("projects/one.walkable"), project.to_string()).unwrap();
    run_in(folder, &["bake", "projects/one.walkable", "-o", "one.bin"]).succeeded();
    fs::read(folder.join("one.bin")).unwrap()
}

#[test]
fn agents_of_a_project_are_baked_by_name() {
    let folder = folder_with_level();
    let usual = serde_json::json!({ "tile_size": 32 });
    let small = serde_json::json!({ "tile_size": 32, "agent_radius": 0.3 });
    let agents = serde_json::json!({
        "list": [{ "name": "Knight", "settings": usual }, { "name": "Cat", "settings": small }],
    });
    let document = serde_json::json!({ "settings": usual, "agents": agents });
    let chosen = bake_project(folder.path(), &document);
    let bake = |agent: &str| {
        let args = ["bake", "projects/one.walkable", "-o", "a.bin", "--agent", agent];
        run_in(folder.path(), &args)
    };
    let baked = |agent: &str| {
        bake(agent).succeeded();
        fs::read(folder.path().join("a.bin")).unwrap()
    };
    assert!(baked("Knight") == chosen && baked("Cat") != chosen);
    bake("Dog").failed(2, &["Dog", "Knight, Cat"]);

    let export = |args: &[&str]| {
        run_in(
            folder.path(),
            &[&["export", "projects/one.walkable", "-o", "all.bin"], args].concat(),
        )
    };
    let said = export(&["--all-agents"]).succeeded();
    let lines: Vec<_> = said.lines().collect();
    assert!(
        lines[0].starts_with("all_knight.bin: Detour") && lines[0].contains(" of agent Knight, ")
    );
    assert!(lines[1].starts_with("all_cat.bin: Detour") && lines[1].contains(" of agent Cat, "));
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("all_knight.bin") == chosen && read("all_cat.bin") == baked("Cat"));
    assert!(!folder.path().join("all.bin").exists());
    assert!(export(&[]).succeeded().contains(" of agent Knight, "), "one of several");
    assert!(export(&["--agent", "Cat"]).succeeded().contains(" of agent Cat, "));
    export(&["--all-agents", "--agent", "Cat"]).failed(2, &["--all-agents"]);
    let level = ["export", "level.obj", "--all-agents", "-o", "b.bin"];
    run_in(folder.path(), &level).failed(2, &["no agents"]);
}

#[test]
fn links_keep_to_the_limits_of_an_agent() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let none = serde_json::json!({ "distance": 0.01, "drop": 0, "up": 0 });
    let agents = serde_json::json!({
        "list": [{ "name": "Knight", "settings": {} }, { "name": "Snail", "settings": {}, "jumps": none }],
    });
    let project = serde_json::json!({
        "walkable_project": 6, "level": { "builtin": "sample" }, "document": { "agents": agents },
    });
    fs::write(folder.path().join("a.walkable"), project.to_string()).unwrap();
    run(&["bake", "builtin:sample", "-o", "sample.bin"]).succeeded();
    let links = ["links", "sample.bin", "a.walkable"];
    let of_size = run(&["links", "sample.bin", "builtin:sample"]).succeeded();
    assert!(!of_size.is_empty());
    assert_eq!(run(&links).succeeded(), of_size);
    assert_eq!(run(&[&links[..], &["--agent", "Snail"]].concat()).succeeded(), "");
    run(&[&links[..], &["--agent", "Ogre"]].concat()).failed(2, &["Ogre", "Knight, Snail"]);
}

#[test]
fn projects_are_baked_as_the_editor_bakes_them() {
    let folder = folder_with_level();
    let at = |name: &str| folder.path().join(name);
    let run = |args: &[&str]| run_in(folder.path(), args);
    let rows = "cell_size=0.25\ntile_size=32\nbox 1  2 -9 2  9 9 9\n";
    fs::write(at("same.cfg"), rows).unwrap();
    run(&["bake", "level.obj", "--settings", "same.cfg", "-o", "same.bin"]).succeeded();
    let bake = |document: &Value| bake_project(folder.path(), document);
    let document = serde_json::json!({
        "settings": { "cell_size": 0.25, "tile_size": 32 },
        "volumes": [{
            "name": "Pond", "area": 1,
            "shape": { "box": { "min": [2.0, -9.0, 2.0], "max": [9.0, 9.0, 9.0] } },
        }],
    });
    let plain = bake(&document);
    assert!(plain == fs::read(at("same.bin")).unwrap(), "same as with a settings file");
    let with = |key: &str, value: Value| {
        let mut document = document.clone();
        document[key] = value;
        bake(&document);
        json(&run(&["info", "--json", "one.bin"]).succeeded())
    };
    let all = with("paths", serde_json::json!([]));
    let removed = with("removed_tiles", serde_json::json!([{ "x": 0, "z": 0 }]));
    let n = |info: &Value, key: &str| info[key].as_u64().unwrap();
    assert_eq!(n(&removed, "n_tiles") + 1, n(&all, "n_tiles"));
    let pruned = with("islands", serde_json::json!({ "min_area": 30.0 }));
    assert!(n(&pruned, "n_islands") < n(&all, "n_islands"), "{pruned} {all}");
    let strokes = serde_json::json!([{
        "brush": { "flags": 0 }, "radius": 100.0,
        "places": [[15.0, 0.0, 15.0], [15.0, 2.0, 15.0], [15.0, 4.0, 15.0]],
    }]);
    assert!(n(&with("strokes", strokes), "n_islands") < n(&all, "n_islands"));
    let pillar = serde_json::json!({
        "prepared": true,
        "list": [{ "shape": { "cylinder": { "base": [15.0, -1.0, 15.0], "radius": 3.0, "height": 9.0 } } }],
    });
    let empty = with("obstacles", serde_json::json!({ "prepared": true }));
    let around = with("obstacles", pillar);
    assert!(n(&around, "n_polys") != n(&empty, "n_polys"), "{around} {empty}");
    let slow = serde_json::json!({
        "areas": { "0": { "name": "Mud", "cost": 3.0, "entering_cost": 0.0, "flags": 1 } },
    });
    with("areas", slow);
    let path = |more: &[&str]| {
        let args = ["path", "one.bin", "--from", "10,0,10", "--to", "20,0,20", "--json"];
        json(&run(&[&args[..], more].concat()).succeeded())["cost"].as_f64().unwrap()
    };
    assert!(path(&["--costs-of", "projects/one.walkable"]) > 2.0 * path(&[]));
    run(&["info", "projects/one.walkable"]).succeeded();
}

#[test]
fn projects_that_cannot_be_read_are_named() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = |args: &[&str]| run_in(folder.path(), args);
    fs::write(at("bad.walkable"), "{ \"walkable_project\": 99 }").unwrap();
    run(&["bake", "bad.walkable", "-o", "b.bin"]).failed(1, &["bad.walkable", "newer"]);
    let gone =
        "{ \"walkable_project\": 2, \"level\": { \"file\": \"gone.obj\" }, \"document\": {} }";
    fs::write(at("gone.walkable"), gone).unwrap();
    run(&["bake", "gone.walkable", "-o", "b.bin"]).failed(1, &["gone.walkable", "gone.obj"]);
}

#[test]
fn links_are_proposed_and_baked() {
    let folder = baked_sample();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let propose = ["links", "sample.bin", "builtin:sample", "--max-drop", "3.5", "--flags", "0x1"];
    let lines = run(&propose).succeeded();
    let answers = run(&[&propose[..], &["--json"]].concat()).succeeded();
    assert_eq!(lines.lines().count(), answers.lines().count());
    let drops = answers.lines().map(json).filter(|link| link["kind"] == "drop");
    let height = |link: &Value, end: &str| link[end]["point"][1].as_f64().unwrap();
    assert!(drops.filter(|link| height(link, "start") > height(link, "end") + 2.5).count() > 5);
    fs::write(folder.path().join("links.cfg"), lines).unwrap();
    run(&["bake", "builtin:sample", "-o", "linked.bin", "--settings", "links.cfg"]).succeeded();
    let none = [&propose[..], &["--min-detour", "999", "--max-distance", "0.1"]].concat();
    assert_eq!(run(&none).succeeded(), "");
    run(&[&propose[..], &["--spacing", "2000"]].concat()).failed(2, &["spacing is 2000"]);
}

#[test]
fn a_report_lists_each_tile() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let args = ["bake", "builtin:sample", "-o", "a.bin", "--set", "tile_size=48"];
    run(&[&args[..], &["--report", "report.json"]].concat()).succeeded();
    let report = json(&fs::read_to_string(folder.path().join("report.json")).unwrap());
    assert_eq!(report["level"], "builtin:sample");
    assert_eq!(report["settings"]["tile_size"], 48);
    assert_eq!(report["triangles"], 564);
    let tiles = report["tiles"].as_array().unwrap();
    assert_eq!(tiles.len(), 6);
    let n_polys: u64 = tiles.iter().map(|t| t["counts"]["tile"].as_u64().unwrap()).sum();
    let info = json(&run(&["info", "a.bin", "--json"]).succeeded());
    assert_eq!(info["n_polys"], n_polys);
    for tile in tiles {
        let (times, counts) = (&tile["stage_ms"], &tile["counts"]);
        assert_eq!((times.as_object().unwrap().len(), &tile["error"]), (11, &Value::Null));
        assert!(counts["spans"].as_u64().unwrap() >= counts["filtered"].as_u64().unwrap());
        assert!(counts["contours_raw"].as_u64().unwrap() >= counts["contours"].as_u64().unwrap());
    }
    // Writing a report does not change the baked file.
    run(&["bake", "builtin:sample", "-o", "b.bin", "--set", "tile_size=48"]).succeeded();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("a.bin") == read("b.bin"));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let bake = |threads: &str| {
        let name = format!("{threads}.bin");
        let args = ["bake", "builtin:maze", "-o", &name, "--threads", threads];
        run_in(folder.path(), &args).succeeded();
        fs::read(folder.path().join(name)).unwrap()
    };
    let one = bake("1");
    assert!(bake("2") == one && bake("7") == one);
}

#[test]
fn a_level_larger_than_memory_is_baked_from_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run_in(folder, &["generate", "town", "--size", "60", "-o", "town.obj"]).succeeded();
    let tiled = ["--set", "tile_size=32"];
    run_in(folder, &[&["bake", "town.obj", "-o", "whole.bin"], &tiled[..]].concat()).succeeded();
    let said = run_in(folder, &["bin", "town.obj", "-o", "town.tri", "--square", "15"]).succeeded();
    assert!(said.contains("triangles of 1 pieces"), "{said}");
    run_in(folder, &[&["bake", "town.tri", "-o", "tiles.bin"], &tiled[..]].concat()).succeeded();
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    assert!(read("whole.bin") == read("tiles.bin"), "the tiles differ");

    let mut damaged = read("town.tri");
    damaged.truncate(damaged.len() - 1);
    fs::write(folder.join("damaged.tri"), damaged).unwrap();
    run_in(folder, &["bake", "damaged.tri", "-o", "x.bin"]).failed(1, &["damaged.tri", "its end"]);
    run_in(folder, &["bake", "town.tri", "-o", "x.bin", "--layers"]).failed(2, &["town.tri"]);
}

#[test]
fn the_pieces_of_a_folder_are_sorted_like_those_that_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("town")).unwrap();
    for (name, seed) in [("a.obj", "1"), ("b.obj", "2")] {
        let to = format!("town/{name}");
        run_in(folder, &["generate", "town", "--size", "60", "--seed", seed, "-o", &to])
            .succeeded();
    }
    run_in(folder, &["bin", "town/a.obj", "town/b.obj", "-o", "files.tri"]).succeeded();
    let said = run_in(folder, &["bin", "town", "-o", "town.tri"]).succeeded();
    assert!(said.contains("triangles of 2 pieces"), "{said}");
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    assert!(read("files.tri") == read("town.tri"));
    fs::create_dir(folder.join("empty")).unwrap();
    run_in(folder, &["bin", "empty", "-o", "x.tri"])
        .failed(1, &["empty", "no level files (OBJ, glTF"]);
    run_in(folder, &["bin", "town", "-o", "town/b.obj"]).failed(2, &["b.obj", "would overwrite"]);
    fs::write(folder.join("town/c.obj"), "v 1 2\n").unwrap();
    run_in(folder, &["bin", "town", "-o", "town.tri"]).failed(1, &["c.obj"]);
    assert!(read("files.tri") == read("town.tri"), "the earlier file stays");
}

#[test]
fn layers_are_baked_listed_and_queried() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let bake = ["bake", "builtin:sample", "-o", "out.tset", "--layers"];
    let tiled = ["--set", "tile_size=32"];
    run(&bake).failed(1, &["builtin:sample", "1 to 255 cells along a side", "set tile_size"]);
    run(&[&bake[..], &["diagonally"]].concat()).failed(2, &["sweep, watershed"]);
    assert!(!folder.path().join("out.tset").exists());
    for cut in [&["--threads", "1"][..], &["watershed"]] {
        let said = run(&[&bake[..], cut, &tiled].concat()).succeeded();
        assert!(said.starts_with("out.tset: ") && said.contains(" layers in "), "{said}");
        let info = json(&run(&["info", "out.tset", "--json"]).succeeded());
        assert_eq!((&info["kind"], &info["tile_columns"]), (&"layers".into(), &32.into()));
        assert!(info["n_layers"].as_u64() > info["n_places"].as_u64(), "{info}");
        let words = run(&["info", "out.tset"]).succeeded();
        assert!(words.contains("tile      32 x 32 cells"), "{words}");
        let ask = ["path", "out.tset", "--from", "5.5,0,18.5", "--to", "20,3,4"];
        assert!(run(&ask).succeeded().starts_with("complete: "));
    }
    fs::write(folder.path().join("bad.tset"), "TEST and then nothing").unwrap();
    run(&["info", "bad.tset"]).failed(1, &["bad.tset: layer tile set at byte 4 has version"]);
}

#[test]
fn a_level_without_walkable_ground_is_a_failure() {
    let folder = TempDir::new().unwrap();
    let steep = "v 0 0 0\nv 0 0 20\nv 20 40 20\nf 1 2 3\n";
    fs::write(folder.path().join("steep.obj"), steep).unwrap();
    let run = run_in(folder.path(), &["bake", "steep.obj", "-o", "out.bin"]);
    run.failed(
        1,
        &["steep.obj", "nothing is walkable: all 1 triangles are steeper than agent_max_slope"],
    );
    assert!(!folder.path().join("out.bin").exists());
}

#[test]
fn ends_moved_farther_than_the_agent_reaches_are_reported() {
    let folder = baked_sample();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let near = ["path", "sample.bin", "--from", "5.5,0,18.5", "--to", "5,0.2,18", "--strict"];
    let said = run(&near);
    assert_eq!((said.code, &*said.stderr), (0, ""));
    assert!(said.stdout.contains("\nstart moved 0.00 m horizontally, 0."), "{}", said.stdout);

    // The start is 3 m above the floor, the end 3.3 m.
    let far = ["path", "sample.bin", "--from", "5.5,3,18.5", "--to", "5,3.3,18"];
    let said = run(&[&far[..], &["--json"]].concat());
    for word in ["start was moved", "end was moved", "[path-end-far-from-mesh]", "2 m down"] {
        assert!(said.stderr.contains(word), "no {word:?} in {}", said.stderr);
    }
    let path = json(&said.succeeded());
    assert_eq!(path["status"], "complete");
    let snap = &path["start"]["snap"];
    assert_eq!(snap["horizontal"], 0.0);
    let down = snap["vertical"].as_f64().unwrap();
    assert!((-3.1..=-2.5).contains(&down), "{down}");
    let codes: Vec<_> =
        path["warnings"].as_array().unwrap().iter().map(|found| found["code"].clone()).collect();
    assert_eq!(codes, ["path-start-far-from-mesh", "path-end-far-from-mesh"]);
    let strict = run(&[&far[..], &["--strict"]].concat());
    assert_eq!(strict.code, 1);
    assert!(strict.stdout.starts_with("complete: "), "{}", strict.stdout);
    assert!(strict.stderr.contains("2 warnings, refused by --strict"), "{}", strict.stderr);

    let queries = "5.5 3 18.5 5 0 18\n5.5 0 18.5 5 0 18\n5.4 3 18.5 5 0 18\n";
    fs::write(folder.path().join("queries.txt"), queries).unwrap();
    let said = run(&["path", "sample.bin", "--queries", "queries.txt"]);
    assert!(said.stderr.contains("line 1: 5.5,3,18.5: the start was moved"), "{}", said.stderr);
    assert!(said.stderr.contains("(and 1 more)"), "{}", said.stderr);
    assert_eq!(said.succeeded().lines().count(), 3);
}

#[test]
fn a_path_to_its_own_start_has_length_zero() {
    let folder = baked_sample();
    for algorithm in ["detour", "polyanya"] {
        let here = ["path", "sample.bin", "--from=5.5,0,18.5", "--to=5.5,0,18.5"];
        let args = [&here[..], &["--algorithm", algorithm]].concat();
        let said = run_in(folder.path(), &args).succeeded();
        assert!(said.starts_with("complete: 0.00 m, cost 0.00, 1 polygons"), "{said}");
        let said = run_in(folder.path(), &[&args[..], &["--json"]].concat()).succeeded();
        assert!(said.contains(r#""length":0.0,"cost":0.0,"#), "{said}");
    }
}

#[test]
fn queries_are_answered_line_by_line() {
    let folder = baked_sample();
    let queries = "5.5 0 18.5 20 3 4\n\n# none\n5.5 0 18.5 12 0 19\n";
    fs::write(folder.path().join("queries.txt"), queries).unwrap();
    let args = ["path", "sample.bin", "--queries", "queries.txt"];
    let said = run_in(folder.path(), &args).succeeded();
    let status: Vec<Value> = said.lines().map(|line| json(line)["status"].clone()).collect();
    assert_eq!(status, ["complete", "partial"]);

    fs::write(folder.path().join("bad.txt"), "1 2 3 4 5 6\n1 2 3\n").unwrap();
    let bad = run_in(folder.path(), &["path", "sample.bin", "--queries", "bad.txt"]);
    assert_eq!(bad.code, 1);
    assert!(bad.stderr.contains("bad.txt:2: expected six numbers"), "{}", bad.stderr);
}

/// The bit of the reference's status for a partial path.
const PARTIAL: u64 = 0x40;

/// Compares an answer with the reference: status, corridor, and points to 0.1 mm.
fn difference(answer: &Value, expected: &Value) -> Option<String> {
    let partial = expected["status"].as_u64().unwrap() & PARTIAL != 0;
    let corridor = &expected["corridor"];
    let status = match (corridor.as_array().is_none_or(Vec::is_empty), partial) {
        (true, _) => "unreachable",
        (false, true) => "partial",
        (false, false) => "complete",
    };
    if answer["status"] != status {
        return Some(format!("status {} instead of {status}", answer["status"]));
    }
    if &answer["corridor"] != corridor {
        return Some(format!("corridor {} instead of {corridor}", answer["corridor"]));
    }
    // Both sides print enough digits to identify a 32-bit float, but not the same digits.
    let numbers = |points: &Value| -> Vec<f32> {
        let points = points.as_array().into_iter().flatten();
        let text = |c: &Value| c.to_string().parse().unwrap();
        points.flat_map(|p| p.as_array().unwrap().iter().map(text)).collect()
    };
    let (found, wanted) = (numbers(&answer["points"]), numbers(&expected["straight"]));
    let near = found.len() == wanted.len()
        && found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() <= 1e-4);
    (!near).then(|| format!("points {} instead of {}", answer["points"], expected["straight"]))
}

/// Returns the differences between the answers of `navmesh` to the queries of a case and the reference's answers.
fn differences(case: &Path, navmesh: &str) -> Vec<String> {
    let said = run_in(case, &["path", navmesh, "--queries", "queries.txt"]).succeeded();
    let results = fs::read_to_string(case.join("results.jsonl")).unwrap();
    assert_eq!(said.lines().count(), results.lines().count(), "{}", case.display());
    let pairs = said.lines().zip(results.lines()).enumerate();
    let differ = pairs.filter_map(|(n, (answer, expected))| {
        let text = difference(&json(answer), &json(expected))?;
        Some(format!("{} query {}: {text}", case.display(), n + 1))
    });
    differ.collect()
}

#[test]
fn reference_meshes_give_the_reference_paths() {
    let cases = walkable_test_support::cases();
    assert!(!cases.is_empty(), "no reference cases found");
    let problems: Vec<String> =
        cases.values().flat_map(|case| differences(case, "navmesh.bin")).collect();
    assert!(problems.is_empty(), "{}\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn bakes_of_the_reference_levels_give_the_reference_paths() {
    let folder = TempDir::new().unwrap();
    let ours = folder.path().join("ours.bin");
    let ours = ours.to_str().unwrap();
    let mut problems = Vec::new();
    for case in walkable_test_support::cases().values() {
        let level = fs::read_to_string(case.join("level")).unwrap();
        let level = format!("../../levels/{}.obj", level.trim());
        run_in(case, &["bake", &level, "-o", ours, "--settings", "settings.cfg"]).succeeded();
        problems.extend(differences(case, ours));
    }
    assert!(problems.is_empty(), "{}\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn gltf_and_obj_levels_are_read_alike() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = |args: &[&str]| run_in(folder.path(), args);
    let [a, b, c, d] = [[0.0_f32, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, 0.0]];
    let corners = [a, b, c, a, c, d];
    let lines = corners.map(|[x, y, z]| format!("v {x} {y} {z}\n"));
    fs::write(at("yard.obj"), format!("{}o yard\nf 1 2 3\nf 4 5 6\n", lines.concat())).unwrap();
    let gltf = serde_json::json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "name": "yard", "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 6 }],
        "bufferViews": [{ "buffer": 0, "byteLength": 72 }],
        "buffers": [{ "uri": "data/yard%201.bin", "byteLength": 72 }],
    });
    fs::create_dir(at("data")).unwrap();
    fs::write(at("yard.gltf"), gltf.to_string()).unwrap();
    run(&["info", "yard.gltf"]).failed(1, &["yard.gltf", "buffer 0", "yard 1.bin"]);
    let bytes = corners.as_flattened().iter().flat_map(|n| n.to_le_bytes());
    fs::write(at("data/yard 1.bin"), bytes.collect::<Vec<_>>()).unwrap();
    let info = json(&run(&["info", "yard.gltf", "--json"]).succeeded());
    assert_eq!((&info["n_triangles"], &info["parts"][0]["object"]), (&2.into(), &"yard".into()));

    fs::write(at("yard.gset"), "f yard.gltf\n").unwrap();
    run(&["bin", "yard.gltf", "-o", "yard.tri"]).succeeded();
    run(&["bake", "yard.obj", "-o", "obj.bin"]).succeeded();
    for level in ["yard.gltf", "yard.gset", "yard.tri"] {
        run(&["bake", level, "-o", "out.bin"]).succeeded();
        assert!(fs::read(at("out.bin")).unwrap() == fs::read(at("obj.bin")).unwrap(), "{level}");
    }
    run(&["search", "yard.gltf", "--from", "2,0,2", "--to", "7,0,7"]).succeeded();

    let elsewhere = gltf.to_string().replace("data/yard%201.bin", "/etc/yard.bin");
    fs::write(at("far.gltf"), elsewhere).unwrap();
    run(&["bake", "far.gltf", "-o", "x.bin"])
        .failed(1, &["far.gltf", "is not in the level's folder"]);
}

/// Files of single tiles, of TrinityCore and of KBEngine have the same tiles as the set that they are made of.
#[test]
fn navmeshes_of_other_layouts_are_read() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let info = |name: &str| json(&run(&["info", name, "--json"]).succeeded());
    let ends = ["--from", "2,0,3", "--to", "12,9,11", "--json"];
    for (width, sizes) in [("32", [4, 8]), ("64", [8, 16])] {
        let refs = format!("refs={width}");
        run(&["bake", "builtin:sample", "-o", "a.bin", "--set", "tile_size=32", "--set", &refs])
            .succeeded();
        let bytes = fs::read(folder.path().join("a.bin")).unwrap();
        fs::write(folder.path().join("a.navmesh"), &bytes[4..]).unwrap();
        let (params, mut rest) = (&bytes[12..40], &bytes[40..]);
        fs::write(folder.path().join("007.mmap"), params).unwrap();
        fs::write(folder.path().join("0007.mmap"), [b"PAMM\x10\0\0\0", params, &[0; 4]].concat())
            .unwrap();
        let mut n = 0;
        while !rest.is_empty() {
            let [at, after] = sizes;
            let size = u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
            let (data, next) = rest[after..].split_at(size as usize);
            rest = next;
            let header = [b"PAMM\x07\0\0\0\x10\0\0\0", &size.to_le_bytes()[..], &[1, 0, 0, 0]];
            let tile = [&header.concat()[..], data].concat();
            for name in [format!("007{n:04}.mmtile"), format!("0007_{n:04}.mmtile")] {
                fs::write(folder.path().join(name), &tile).unwrap();
            }
            fs::write(folder.path().join("last.tile"), data).unwrap();
            n += 1;
        }
        let whole = info("a.bin");
        assert!(n > 4 && whole["n_tiles"] == n, "{whole}");
        let path = |name: &str| {
            let answer = json(&run(&[&["path", name][..], &ends].concat()).succeeded());
            (answer["status"].clone(), answer["points"].clone())
        };
        for name in ["a.navmesh", "007.mmap", "0007.mmap"] {
            let read = info(name);
            assert_eq!(
                (&read["n_tiles"], &read["n_polys"]),
                (&whole["n_tiles"], &whole["n_polys"]),
                "{name}"
            );
            assert_eq!(path(name), path("a.bin"), "{name}");
        }
        let last = format!("007{:04}.mmtile", n - 1);
        let tile = info("last.tile");
        assert_eq!(tile["bounds"], info(&last)["bounds"]);
        let max = |axis: usize| {
            let side = |end: &str| tile["bounds"][end][axis].as_f64().unwrap();
            f64::midpoint(side("min"), side("max"))
        };
        let middle = format!("{},{},{}", max(0), max(1), max(2));
        for name in ["last.tile", &*last] {
            let ask = ["path", name, "--from", &middle, "--to", &middle, "--half-extents", "9,9,9"];
            assert!(run(&ask).succeeded().starts_with("complete"), "{name}");
        }
    }
    fs::remove_file(folder.path().join("0070000.mmtile")).unwrap();
    fs::write(folder.path().join("0070001.mmtile"), "PAMM\x08\0\0\0").unwrap();
    run(&["info", "007.mmap"]).failed(1, &["0070001.mmtile", "version 8, only 7"]);
    fs::write(folder.path().join("9.mmap"), [0; 28]).unwrap();
    run(&["info", "9.mmap"]).failed(1, &["9.mmap: none of its tiles (.mmtile) is beside it"]);
}
