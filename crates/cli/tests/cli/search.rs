//! Searches on maps, levels and volumes, and scenarios with their lengths.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{json, run_in};

/// Returns a folder with a small map and a scenario with correct lengths.
fn small_map() -> TempDir {
    let folder = TempDir::new().unwrap();
    let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@.@\n...@.\n";
    fs::write(folder.path().join("small.map"), map).unwrap();
    let scenario = "version 1\n0\tsmall.map\t5\t3\t0\t0\t2\t2\t3.41421356\n\
                    0\tsmall.map\t5\t3\t0\t0\t3\t0\t0\n0\tsmall.map\t5\t3\t4\t0\t3\t1\t2\n";
    fs::write(folder.path().join("small.map.scen"), scenario).unwrap();
    folder
}

#[test]
fn search_answers_on_a_map() {
    let folder = small_map();
    let run = |args: &[&str]| run_in(folder.path(), &[&["search", "small.map"], args].concat());
    let text = run(&["--from", "0,0", "--to", "2,2"]).succeeded();
    assert!(text.starts_with("complete, cost 3.414214; "), "{text}");
    assert!(text.ends_with("  2,2\n"), "{text}");
    let all = ["astar", "dijkstra", "bidirectional", "landmarks", "jps", "jps-pruned", "jps-plus"];
    for name in all {
        let args = ["--from", "0,0", "--to", "2,2", "--json", "--algorithm", name];
        let answer = json(&run(&args).succeeded());
        assert_eq!(
            (answer["algorithm"].as_str(), &answer["status"]),
            (Some(name), &"complete".into())
        );
        assert!((answer["cost"].as_f64().unwrap() - 3.414_213_562).abs() < 1e-8, "{answer}");
        assert_eq!(answer["path"][0], serde_json::json!([0, 0]));
        assert!(answer["expanded"].as_u64().unwrap() > 0);
    }
    let text = run(&["--from", "0,0", "--to", "4,0"]).succeeded();
    assert!(text.starts_with("unreachable; "), "{text}");
    let cut = ["--from", "3,1", "--to", "4,2", "--corners", "squeeze", "--algorithm", "jps"];
    assert!(run(&cut).succeeded().starts_with("complete, cost 1.414214"));
    for (more, words) in [
        (&["--from", "5,0"][..], "5,0 is outside the map's 5 x 3"),
        (&["--from", "1"], "two or three whole numbers"),
        (&["--from", "0,0", "--moves", "6"], "4 or 8"),
        (&["--from", "0,0", "--weight", "0.5"], "at least 1"),
        (&["--from", "0,0", "--algorithm", "guess"], "lazy-theta"),
        (&["--from", "0,0", "--algorithm", "jps", "--moves", "4"], "jps supports only 8 moves"),
        (&["--from", "0,0", "--algorithm", "jps-plus", "--corners", "cut"], "paths of corners"),
    ] {
        run(&[more, &["--to", "0,0"]].concat()).failed(2, &[words]);
    }
    let absent = ["search", "absent.map", "--from", "0,0", "--to", "0,0"];
    run_in(folder.path(), &absent).failed(1, &["absent.map"]);
}

/// A level is searched in every representation; the lengths must have the expected order.
#[test]
fn search_answers_on_a_level() {
    let folder = TempDir::new().unwrap();
    let room = "v 0 0 0\nv 12 0 0\nv 12 0 9\nv 0 0 9\nf 1 4 3 2\n";
    fs::write(folder.path().join("room.obj"), room).unwrap();
    let ends = ["--from", "1.5,0,1.5", "--to", "10.5,0,7.4"];
    let run =
        |more: &[&str]| run_in(folder.path(), &[&["search", "room.obj"], &ends[..], more].concat());
    let cost = |name: &str| {
        let answer = json(&run(&["--json", "--algorithm", name]).succeeded());
        assert_eq!(
            (answer["algorithm"].as_str(), answer["status"].as_str()),
            (Some(name), Some("complete"))
        );
        let first = answer["path"][0].as_array().unwrap();
        let x = first[0].as_f64().unwrap();
        assert!((x - 1.5).abs() < 0.4, "{name} starts at {first:?}");
        answer["cost"].as_f64().unwrap()
    };
    let straight = 9_f64.hypot(5.9);
    for name in ["detour", "moving-entries", "route", "polyanya", "lazy-theta", "svo", "octree"] {
        assert!((cost(name) - straight).abs() < 1.0, "{name}: {}", cost(name));
    }
    let eight = cost("astar");
    assert!(eight > straight - 0.5 && eight < 1.09 * straight);
    for name in ["jps", "jps-pruned", "jps-plus", "bidirectional", "landmarks", "dijkstra"] {
        assert!((cost(name) - eight).abs() < 1e-3, "{name}: {} {eight}", cost(name));
    }
    for name in ["graph", "breadth-first", "walk", "dense6", "spans"] {
        assert!((cost(name) - 14.9).abs() < 0.7, "{name}: {}", cost(name));
    }
    let text = run(&[]).succeeded();
    assert!(text.starts_with("complete, cost 10.7"), "{text}");
    let wide = run(&["--algorithm", "graph", "--set", "agent_radius=5"]);
    wide.failed(1, &["room.obj: No walkable cell is near the start."]);
    run(&["--weight", "2"]).failed(2, &["--weight does not apply to detour"]);
    run(&["--algorithm", "jps", "--raw"]).failed(2, &["--raw does not apply to jps"]);
    let flat = run_in(folder.path(), &["search", "room.obj", "--from", "1,2", "--to", "3,4"]);
    flat.failed(2, &["--from: expected three numbers"]);
    let unknown =
        run_in(folder.path(), &["search", "builtin:none", "--from", "0,0,0", "--to", "1,0,0"]);
    unknown.failed(2, &["there is no built-in level"]);
}

#[test]
fn scenario_answers_are_compared_with_their_lengths() {
    let folder = small_map();
    let run =
        |args: &[&str]| run_in(folder.path(), &[&["bench-scen", "small.map.scen"], args].concat());
    let text = run(&["--algorithm", "jps", "--algorithm", "theta"]).succeeded();
    assert!(text.contains("\njps ") && text.contains("\ntheta "), "{text}");
    let report = json(&run(&["--json", "--every", "2"]).succeeded());
    let found = &report["runs"][0];
    assert_eq!(found["n_queries"], 2);
    assert_eq!(found["queries"][1]["cost"], 2.0);
    assert_eq!((&found["n_mismatches"], &found["queries"][1]["agrees"]), (&0.into(), &true.into()));

    // The lengths in the file are checked even for a search that does not guarantee the shortest path.
    let text = fs::read_to_string(folder.path().join("small.map.scen")).unwrap();
    let wrong = text.replace("3.41421356", "3.2").replace("\t2\n", "\t0\n");
    fs::write(folder.path().join("wrong.scen"), wrong).unwrap();
    let args = ["bench-scen", "wrong.scen", "--map", "small.map"];
    let mismatched = run_in(folder.path(), &args);
    assert_eq!(mismatched.code, 1);
    assert!(
        mismatched.stderr.contains("2 of 3 results differ from the file"),
        "{}",
        mismatched.stderr
    );
    for line in ["line 2: astar finds 3.41", "line 4: astar finds 2, the file has no path"] {
        assert!(mismatched.stdout.contains(line), "{}", mismatched.stdout);
    }
    let mismatched = run_in(folder.path(), &[&args[..], &["--json"]].concat());
    let agrees = |n: usize| json(&mismatched.stdout)["runs"][0]["queries"][n]["agrees"].clone();
    assert_eq!([agrees(0), agrees(1), agrees(2)], [false, true, false].map(Value::from));

    let large = text.replacen("5\t3", "6\t3", 1);
    fs::write(folder.path().join("large.scen"), large).unwrap();
    let words = ["large.scen: line 2: a map of 6 x 3 cells, but the map has 5 x 3"];
    run_in(folder.path(), &["bench-scen", "large.scen", "--map", "small.map"]).failed(1, &words);
    run_in(folder.path(), &["bench-scen", "large.scen"]).failed(1, &["cannot read large.map"]);
    fs::write(folder.path().join("bad.scen"), "version 1\n1 2\n").unwrap();
    let bad = run_in(folder.path(), &["bench-scen", "bad.scen", "--map", "small.map"]);
    bad.failed(1, &["bad.scen: line 2: 2 columns"]);
}

#[test]
fn volumes_are_searched_and_compared() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("small.3dmap", "voxel 4 3 4\n1 0 0\n1 1 0\n1 0 1\n1 1 1\n1 0 2\n1 1 2\n1 0 3\n");
    write("small.3dmap.3dscen", "version 1\nsmall.3dmap\n0 0 0 0 0 3 3 1\n0 0 0 2 0 0 6 2\n");
    let run = |args: &[&str]| run_in(folder.path(), args);
    let names = ["dense26", "dense6", "spans", "spans-one", "octree", "svo"];
    let all: Vec<&str> = names.iter().flat_map(|name| ["--algorithm", *name]).collect();
    let bench = run(&[&["bench-scen", "small.3dmap.3dscen", "--json"][..], &all].concat());
    let report = json(&bench.succeeded());
    let cost = |n: usize| report["runs"][n]["queries"][1]["cost"].as_f64().unwrap();
    assert!((0..3).all(|n| (cost(n) - 6.0).abs() < 1e-9), "{report}");
    assert!(cost(4) < 6.0 && (cost(4) - cost(5)).abs() < 1e-9, "{report}");
    let found = |n: usize| report["runs"][n]["n_mismatches"].clone();
    assert_eq!([0, 1, 2, 3, 4, 5].map(found), [0; 6].map(Value::from));
    let text = run(&["search", "small.3dmap", "--from", "0,0,0", "--to", "2,0,0"]).succeeded();
    assert!(text.starts_with("complete, cost 6.000000; "), "{text}");
    let svo = ["search", "small.3dmap", "--algorithm", "svo", "--from", "0,0,0", "--to", "2,0,0"];
    assert!(run(&svo).succeeded().ends_with("  2.500,0.500,0.500\n"));
    let wrong = ["search", "small.3dmap", "--algorithm", "jps", "--from", "0,0,0", "--to", "2,0,0"];
    run(&wrong).failed(2, &["jps cannot search voxel maps"]);
    write("wrong.3dscen", "version 1\nsmall.3dmap\n0 0 0 0 0 3 3.5 1\n");
    let wrong = run(&["bench-scen", "wrong.3dscen", "--map", "small.3dmap"]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.stdout.contains("line 3: dense26 finds 3, the file has 3.5"), "{}", wrong.stdout);
    write("out.3dscen", "version 1\nsmall.3dmap\n0 0 0 0 0 4 3.5 1\n");
    let words = ["out.3dscen: line 3: outside the map of [4, 3, 4]"];
    run(&["bench-scen", "out.3dscen", "--map", "small.3dmap"]).failed(1, &words);
}

#[test]
fn polygon_meshes_are_searched_and_compared() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    // Two squares side by side below a third one as wide as both. The path along their common edges is straight.
    let mesh = "mesh\n2\n8 3\n0 0 1 0\n2 0 2 0 1\n4 0 1 1\n0 2 2 0 2\n2 2 3 0 1 2\n4 2 2 1 2\n0 4 1 2\n4 4 1 2\n\
                4 0 1 4 3 -1 -1 1 2\n4 1 2 5 4 0 -1 -1 2\n5 3 4 5 7 6 -1 0 1 -1 -1\n";
    write("small.mesh", mesh);
    write("small.optimum", "0.5 2 3.5 2 3\n1 1 3 1 2\n\n3 3 3 1 2\n");
    let run = |args: &[&str]| run_in(folder.path(), args);
    let bench = ["bench-scen", "small.optimum", "--map", "small.mesh"];
    let report =
        json(&run(&[&bench[..], &["--json", "--algorithm", "polyanya"]].concat()).succeeded());
    let found = &report["runs"][0];
    assert_eq!((&found["n_queries"], &found["n_mismatches"]), (&3.into(), &0.into()), "{report}");
    assert_eq!(found["queries"][0]["start"], serde_json::json!([0.5, 2.0]));
    let search = |from: &str| run(&["search", "small.mesh", "--from", from, "--to", "3.5,2"]);
    let text = search("0.5,2").succeeded();
    assert!(
        text.starts_with("complete, cost 3.000000; ")
            && text.ends_with("\n0.500,2.000  3.500,2.000\n"),
        "{text}"
    );
    search("5,1").failed(2, &["--from 5,1 is outside the map's polygons"]);
    search("1,1,1").failed(2, &["--from: expected two numbers"]);
    run(&[&bench[..], &["--algorithm", "jps"]].concat())
        .failed(2, &["jps cannot search polygon meshes"]);
    write("small.optimum", "0.5 2 3.5 2 3.1\n");
    let wrong = run(&bench);
    assert!(
        wrong.stdout.contains("line 1: polyanya finds 3, the file has 3.1"),
        "{}",
        wrong.stdout
    );
    write("small.optimum", "1 1 3 1 2\n1 1 9 1 2\n");
    run(&bench).failed(1, &["small.optimum: line 2: outside the polygons"]);
    write("small.optimum", "1 1 3 1\n");
    run(&bench).failed(1, &["small.optimum: line 1: expected five numbers"]);
    write("small.mesh", "mesh\n2\n1 1\n");
    run(&bench).failed(1, &["small.mesh: line 3: a vertex is missing"]);
}
