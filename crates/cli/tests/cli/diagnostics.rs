//! Findings of the commands about levels, settings and bakes: codes, reports, and what `--strict` rejects.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Run, run_in};

#[track_caller]
fn run(folder: &TempDir, args: &[&str]) -> Run {
    run_in(folder.path(), args)
}

impl Run {
    /// Checks the exit code, and returns the standard output.
    #[track_caller]
    fn ended(&self, code: i32) -> &str {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        &self.stdout
    }

    /// Checks that the standard error contains all of `words`.
    #[track_caller]
    fn said(&self, words: &[&str]) {
        for word in words {
            assert!(self.stderr.contains(word), "no {word:?} in {}", self.stderr);
        }
    }
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

#[test]
fn codes_are_listed_and_explained() {
    let folder = folder();
    let all = run(&folder, &["explain"]);
    assert!(
        all.ended(0).lines().any(|line| line.contains("link-start-off-mesh")),
        "{}",
        all.stdout
    );
    let page = run(&folder, &["explain", "link-start-off-mesh"]);
    for words in ["link-start-off-mesh (warning)", "Cause:", "Remedy:", "{radius}  m"] {
        assert!(page.ended(0).contains(words), "no {words:?} in {}", page.stdout);
    }
    let refused = run(&folder, &["explain", "start-off"]);
    refused.ended(2);
    refused.said(&["there is no code `start-off`", "link-start-off-mesh"]);
}

fn write(folder: &TempDir, name: &str, text: &str) {
    fs::write(folder.path().join(name), text).unwrap();
}

fn json_of(folder: &TempDir, name: &str) -> Value {
    serde_json::from_slice(&fs::read(folder.path().join(name)).unwrap()).unwrap()
}

/// Returns the codes of a list of findings.
fn codes(findings: &Value) -> Vec<&str> {
    findings.as_array().unwrap().iter().map(|found| found["code"].as_str().unwrap()).collect()
}

const EVERYWHERE: &str = "-100 -100 -100 100 100 100";
const PATH: [&str; 6] = ["path", "a.bin", "--from", "5.5,0,18.5", "--to", "20,3,4"];

#[test]
fn ground_of_any_area_is_walkable_unless_its_flags_are_removed() {
    let folder = folder();
    write(&folder, "a.cfg", &format!("box 7 {EVERYWHERE}\n"));
    let bake = ["bake", "builtin:sample", "-o", "a.bin", "--settings", "a.cfg", "--strict"];
    run(&folder, &bake).ended(0);
    assert!(run(&folder, &PATH).ended(0).contains("complete"));

    write(&folder, "a.cfg", &format!("box 7 {EVERYWHERE}\narea 7 deep mud flags=2 cost=3\n"));
    run(&folder, &bake).ended(0);
    let swimming = run(&folder, &[&PATH[..], &["--include", "2"]].concat());
    assert!(swimming.ended(0).contains("complete"), "{}", swimming.stdout);
    let walking = run(&folder, &[&PATH[..], &["--include", "1"]].concat());
    assert!(walking.ended(0).contains("unreachable"), "{}", walking.stdout);
    let cost = |args: &[&str]| -> f64 {
        let found = run(&folder, &[&PATH[..], &["--json"], args].concat());
        let answer: Value = serde_json::from_str(found.ended(0)).unwrap();
        answer["cost"].as_f64().unwrap()
    };
    let ratio = cost(&["--costs-of", "a.cfg"]) / cost(&[]);
    assert!((ratio - 3.0).abs() < 0.01, "{ratio}");

    write(&folder, "a.cfg", &format!("box 7 {EVERYWHERE}\narea 7 flags=0\n"));
    let dead = run(&folder, &bake[..6]);
    dead.ended(0);
    dead.said(&["warning: builtin:sample: area 7: ", "have no flags", "[polygons-without-flags]"]);
    let refused = run(&folder, &bake);
    refused.ended(1);
    refused.said(&["1 warning, refused by --strict; nothing was written"]);
}

#[test]
fn area_flags_apply_to_layers_and_are_reported() {
    let folder = folder();
    write(&folder, "a.cfg", &format!("box 7 {EVERYWHERE}\narea 7 flags=0\ntile_size=48\n"));
    let bake = ["bake", "builtin:sample", "-o", "a.bin", "--settings", "a.cfg", "--layers"];
    let dead = run(&folder, &bake);
    dead.ended(0);
    dead.said(&["area 7: ", "[polygons-without-flags]"]);
}

/// Four off-mesh links: the second one starts in the air, the third one starts outside the level, and the fourth one
/// ends outside the level.
const LINKS: &str = "offmesh 5 0 5 9 0 9 2 1 5 8\noffmesh 5 50 5 9 0 9 2 1 5 8\n\
                     offmesh -500 0 5 9 0 9 2 1 5 8\noffmesh 5 0 5 9 0 500 2 1 5 8\n";

#[test]
fn unconnected_links_are_reported_and_rejected_by_strict() {
    let folder = folder();
    write(&folder, "a.cfg", LINKS);
    let args =
        ["bake", "builtin:sample", "-o", "a.bin", "--settings", "a.cfg", "--report", "a.json"];
    let baked = run(&folder, &args);
    baked.ended(0);
    baked.said(&[
        "off-mesh link 2: start not connected: the nearest navmesh is ",
        "off-mesh link 3: start not connected: no navmesh within 20 m [link-start-no-mesh]",
        "off-mesh link 4: end not connected: no navmesh within 20 m [link-end-no-mesh]",
    ]);
    let report = json_of(&folder, "a.json");
    let links = report["links"].as_array().unwrap();
    let states: Vec<_> = links.iter().map(|link| link["state"].as_str().unwrap()).collect();
    let refused = ["start_not_connected", "start_not_connected", "end_not_connected"];
    assert_eq!((states[0], &states[1..]), ("connected", &refused[..]));
    let above = &links[1]["findings"][0];
    assert_eq!(above["code"], "link-start-off-mesh");
    assert!(above["arguments"]["vertical"].as_f64().unwrap() < -40.0, "{above}");
    assert_eq!(links[3]["user_id"], 1003);
    let expected = ["link-start-off-mesh", "link-start-no-mesh", "link-end-no-mesh"];
    assert_eq!(codes(&report["warnings"]), expected);

    // Only the report is written, and existing files stay as they were.
    let before = fs::read(folder.path().join("a.bin")).unwrap();
    fs::remove_file(folder.path().join("a.json")).unwrap();
    fs::write(folder.path().join("a.bin"), b"old").unwrap();
    let refused = run(&folder, &[&args[..], &["--strict"]].concat());
    refused.ended(1);
    refused.said(&["3 warnings, refused by --strict"]);
    assert_eq!(fs::read(folder.path().join("a.bin")).unwrap(), b"old");
    assert_eq!(json_of(&folder, "a.json")["links"], report["links"]);
    assert!(before.len() > 3);
}

#[test]
fn a_link_longer_than_a_tile_is_reported() {
    let folder = folder();
    write(&folder, "a.cfg", "offmesh 5.5 0 18.5 20 3 4 2 1 5 8\ntile_size=16\n");
    let baked = run(&folder, &["bake", "builtin:sample", "-o", "a.bin", "--settings", "a.cfg"]);
    baked.ended(0);
    baked.said(&[
        "off-mesh link 1: end not connected: it lies 3 tiles from the start",
        "[link-end-too-far]",
    ]);
}

#[test]
fn links_that_layers_cannot_store_are_reported() {
    let folder = folder();
    write(&folder, "a.cfg", &format!("{LINKS}tile_size=48\n"));
    let args = ["bake", "builtin:sample", "-o", "a.bin", "--settings", "a.cfg", "--layers"];
    let baked = run(&folder, &args);
    baked.ended(0);
    baked.said(&["off-mesh links left out of the file: 4", "[links-not-in-layers]"]);
    run(&folder, &[&args[..], &["--strict"]].concat()).ended(1);
}

#[test]
fn strict_rejects_level_warnings_in_every_command() {
    let folder = folder();
    write(&folder, "odd.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\nf 1 2\n");
    for args in [
        &["bake", "odd.obj", "-o", "out"][..],
        &["bin", "odd.obj", "-o", "out"],
        &["info", "odd.obj"],
    ] {
        let lax = run(&folder, args);
        lax.ended(0);
        let said = format!("{}{}", lax.stdout, lax.stderr);
        assert!(said.contains("[face-dropped]"), "{said}");
        fs::remove_file(folder.path().join("out")).ok();
        let strict = run(&folder, &[args, &["--strict"]].concat());
        strict.ended(1);
        strict.said(&["refused by --strict"]);
        assert!(!folder.path().join("out").exists(), "{args:?}");
    }
}

#[test]
fn the_report_contains_schema_findings_and_output() {
    let folder = folder();
    write(&folder, "odd.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\nf 1 2\nf 1 2\n");
    let bake = |more: &[&str]| {
        let args = ["bake", "odd.obj", "-o", "a.bin", "--report", "a.json"];
        run(&folder, &[&args[..], more].concat()).ended(0);
        (json_of(&folder, "a.json"), fs::metadata(folder.path().join("a.bin")).unwrap().len())
    };
    let (report, n_bytes) = bake(&[]);
    assert_eq!(report["schema"], 2);
    assert_eq!(codes(&report["warnings"]), ["face-dropped"]);
    assert_eq!(report["warnings"][0]["count"], 2);
    assert_eq!(report["output"]["format"], "tiles");
    assert_eq!(report["output"]["reference_bits"], 32);
    assert_eq!(report["output"]["bytes"], n_bytes);
    let (report, _) = bake(&["--set", "refs=64"]);
    assert_eq!(report["output"]["reference_bits"], 64);
    let (report, n_bytes) = bake(&["--set", "tile_size=16", "--layers"]);
    assert_eq!(report["output"]["format"], "layers");
    assert_eq!(report["output"]["bytes"], n_bytes);
    assert_eq!(codes(&report["warnings"])[0], "face-dropped");
    let info = run(&folder, &["info", "a.bin", "--json"]);
    let info: Value = serde_json::from_str(info.ended(0)).unwrap();
    assert_eq!(info["n_bytes"], n_bytes);
}

#[test]
fn no_cause_is_reported_twice() {
    let folder = folder();
    let args = ["bake", "builtin:sample", "-o", "a.bin"];
    let baked = run(&folder, &[&args[..], &["--set", "agent_radius=0.2"]].concat());
    baked.ended(0);
    assert_eq!(baked.stderr.matches("warning:").count(), 1, "{}", baked.stderr);
    let steps = ["--set", "agent_max_climb=0.1", "--set", "detail_sample_max_error=0"];
    let baked = run(&folder, &[&args[..], &steps].concat());
    assert_eq!(baked.stderr.matches("warning:").count(), 1, "{}", baked.stderr);
    let many = ["--set", "verts_per_poly=8", "--set", "tile_size=16"];
    let refused = run(&folder, &[&args[..], &many].concat());
    assert_eq!(
        refused.stderr.matches("[too-many-verts-per-poly]").count(),
        1,
        "{}",
        refused.stderr
    );
}

#[test]
fn patterns_and_collision_shapes_are_reported() {
    let folder = folder();
    let yard = "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\no Ground-col\nf 1 2 3 4\no Wall1\nf 1 2 3\n\
                o Wall2\nf 1 3 4\n";
    write(&folder, "yard.obj", yard);
    let bake =
        |more: &[&str]| run(&folder, &[&["bake", "yard.obj", "-o", "out.bin"][..], more].concat());
    write(&folder, "rules.cfg", "object Wall* none\nobject Roof* none\n");
    let noted = bake(&["--settings", "rules.cfg"]);
    noted.ended(0);
    noted.said(&["`object Wall*` applies to 2 names, the first is `Wall1`", "surface-pattern"]);
    noted.said(&["no object is named `Roof*`"]);
    write(&folder, "rules.cfg", "object * none\n");
    bake(&["--settings", "rules.cfg"]).ended(1);
    write(&folder, "rules.cfg", &format!("object {0}* none\nobject {0}? none\n", "x".repeat(3000)));
    let refused = bake(&["--settings", "rules.cfg"]);
    refused.ended(1);
    refused.said(&["the length of all patterns of objects and materials is 6002, more than"]);

    let only = bake(&["--collision-only"]);
    only.ended(0);
    only.said(&["collision shapes, such as `Ground-col`: 1; other objects left out: 2"]);
    let info = run(&folder, &["info", "yard.obj", "--collision-only", "--json"]);
    let info: Value = serde_json::from_str(info.ended(0)).unwrap();
    assert_eq!(info["n_triangles"], 2);
    write(&folder, "yard.obj", &yard.replace("-col", ""));
    bake(&["--collision-only"]).said(&["no object is named as a collision shape"]);
}
