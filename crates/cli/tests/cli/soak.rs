//! `walkable soak`.

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;
use walkable_editor::{
    command::{Command, CrowdCommand, ExportKind, proposed_path},
    headless::HeadlessEditor,
    jobs::{BackgroundJobs, slot::Wake},
    session::{LevelSource, SoakInput, SoakPlaces},
};

use crate::run::{self, json, run_in};

const AGENT: [&str; 4] = ["--set", "agent_radius=0.3", "--set", "cell_size=0.15"];
const RUN: [&str; 6] = ["--agents", "24", "--minutes", "1", "--seed", "1"];

/// Writes a level of rectangles of floor, each with minimum and maximum x and z.
fn write_level(folder: &Path, floors: &[[f32; 4]]) {
    let mut text = String::new();
    for [x0, z0, x1, z1] in floors {
        for [x, z] in [[x0, z0], [x0, z1], [x1, z1], [x1, z0]] {
            writeln!(text, "v {x} 0 {z}").unwrap();
        }
        text.push_str("f -4 -3 -2 -1\n");
    }
    fs::write(folder.join("level.obj"), text).unwrap();
}

/// Two rooms with a door of 1 m.
const ROOMS: [[f32; 4]; 3] =
    [[0.0, 0.0, 10.0, 10.0], [10.0, 4.5, 14.0, 5.5], [14.0, 0.0, 24.0, 10.0]];

#[test]
fn a_narrow_door_is_found_and_its_scene_replays() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    write_level(path, &ROOMS);
    fs::write(path.join("places.txt"), "2 0 2\n2 0 8 # window\n22 0 2\n22 0 8\n").unwrap();
    let options = ["--places", "places.txt", "--save", "out", "--junit", "out.xml", "--json"];
    let args = [&["soak", "level.obj"][..], &AGENT, &RUN, &options].concat();
    let run = run_in(path, &args);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("level.obj: agents get stuck at "), "{}", run.stderr);
    let report = json(&run.stdout);
    assert_eq!((&report["agents"], &report["is_complete"]), (&24.into(), &true.into()));
    let findings = report["findings"].as_array().unwrap();
    let first = &findings[0];
    assert!(first["n"].as_u64() >= findings[findings.len() - 1]["n"].as_u64(), "{report}");
    let width = first["cause"]["narrow"]["width"].as_f64().unwrap();
    assert!((0.65..1.1).contains(&width), "{first}");
    let x = first["at"][0].as_f64().unwrap();
    assert!((9.0..15.0).contains(&x), "{first}");
    let xml = fs::read_to_string(path.join("out.xml")).unwrap();
    let n = findings.len();
    assert!(
        xml.contains(&format!("name=\"walkable soak\" tests=\"{n}\" failures=\"{n}\"")),
        "{xml}"
    );
    for finding in findings {
        let scene = format!("out/{}", finding["scene"].as_str().unwrap());
        let played = run_in(path, &["crowd", "out/navmesh.bin", "--scene", &scene]).succeeded();
        let last = json(played.lines().last().unwrap());
        if finding["is_reproduced"] == true {
            let at = |value: &Value, axis: usize| value[axis].as_f64().unwrap();
            let away = [0, 2].map(|axis| at(&last["agents"][0], axis) - at(&finding["at"], axis));
            assert!(away[0].hypot(away[1]) < 6.0, "{finding}: {last}");
        }
    }
    // The same seed gives the same result, also on the navmesh.
    let navmesh = [&["soak", "out/navmesh.bin"][..], &RUN, &["--places", "places.txt", "--json"]];
    let again = json(&run_in(path, &navmesh.concat()).stdout);
    assert_eq!(again["trips"], report["trips"]);
    assert_eq!(again["findings"][0]["at"], first["at"]);
}

#[test]
fn the_window_saves_the_same_scenes() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    write_level(path, &ROOMS);
    fs::write(path.join("places.txt"), "2 0 2\n2 0 8\n22 0 2\n22 0 8\n").unwrap();
    let places = "[2,0,2] [2,0,8] [22,0,2] [22,0,8]".replace('[', "{\"at\":[").replace(']', "]}");
    let places = places.replace(' ', ",");
    let project = format!(
        r#"{{"walkable_project":5,"level":{{"file":"level.obj"}},"document":{{"places":[{places}],"settings":{{"agent_radius":0.3,"cell_size":0.15}}}}}}"#
    );
    fs::write(path.join("rooms.walkable"), project).unwrap();
    let options = ["--places", "places.txt", "--save", "out"];
    let run = run_in(path, &[&["soak", "rooms.walkable"][..], &RUN, &options].concat());
    assert_eq!(run.code, 1, "{}", run.stderr);
    let jobs = |wake: &Wake| BackgroundJobs::new(wake, wake, |_| panic!("no dialog"));
    let mut editor = HeadlessEditor::new(Duration::from_mins(2), jobs);
    let mut carry_out = |command| editor.carry_out(command).map(drop).unwrap();
    carry_out(Command::Load(LevelSource::File(path.join("rooms.walkable"))));
    let input = SoakInput { n_agents: 24, minutes: 1.0, seed: 1, places: SoakPlaces::Saved };
    carry_out(CrowdCommand::SetSoak(input).into());
    carry_out(CrowdCommand::Soak.into());
    let n = editor.editor().session().soak.report().unwrap().findings.len();
    assert!(n > 0 && !path.join(format!("out/finding-{}.txt", n + 1)).exists(), "{n}");
    for index in 0..n {
        let name = format!("finding-{}.txt", index + 1);
        editor.carry_out(CrowdCommand::ShowFinding(index).into()).unwrap();
        let proposed = proposed_path(editor.editor().session(), ExportKind::FindingScene);
        assert_eq!(proposed, path.join(&name));
        editor.carry_out(Command::Replace(ExportKind::FindingScene, proposed.clone())).unwrap();
        // A command does not wait until a file is written.
        let deadline = Instant::now() + Duration::from_mins(1);
        while !proposed.exists() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
            editor.carry_out(CrowdCommand::ShowFinding(index).into()).unwrap();
        }
        let [window, command] =
            [proposed, path.join("out").join(&name)].map(|file| fs::read_to_string(file).unwrap());
        assert!(window.contains("the navmesh is navmesh.bin\n"), "{window}");
        assert_eq!(window, command);
    }
    // The second scene was written without a question about the navmesh beside it.
    assert!(n > 1, "one finding");
    let [window, command] =
        [path, &path.join("out")].map(|folder| fs::read(folder.join("navmesh.bin")).unwrap());
    assert!(window == command, "other navmeshes");
}

#[test]
fn a_wide_door_is_no_finding() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    write_level(path, &[ROOMS[0], [10.0, 2.0, 14.0, 8.0], ROOMS[2]]);
    let args = [&["soak", "level.obj"][..], &AGENT, &RUN, &["--junit", "out.xml"]].concat();
    let said = run_in(path, &args).succeeded();
    assert!(said.starts_with("level.obj: 24 agents, 1.0 min, "), "{said}");
    let xml = fs::read_to_string(path.join("out.xml")).unwrap();
    assert!(
        xml.contains("tests=\"1\" failures=\"0\"") && xml.contains("no agent gets stuck"),
        "{xml}"
    );
}

#[cfg(feature = "window")]
#[test]
fn the_picture_shows_a_measure() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    write_level(path, &ROOMS);
    let pictures = ["passing", "waiting"].map(|measure| {
        let name = format!("{measure}.png");
        let picture = ["--picture", &name, "--heat", measure];
        let run = run_in(path, &[&["soak", "level.obj"][..], &AGENT, &RUN, &picture].concat());
        if run.stderr.contains("no Vulkan or OpenGL driver") {
            return None;
        }
        assert!(run.code <= 1, "{}", run.stderr);
        Some(fs::read(path.join(name)).unwrap())
    });
    let [Some(passing), Some(waiting)] = pictures else { return };
    assert!(passing.starts_with(b"\x89PNG") && passing.len() > 5000, "{} bytes", passing.len());
    assert_ne!(passing, waiting);
}

#[test]
fn wrong_options_are_named() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    write_level(path, &ROOMS);
    fs::write(path.join("places.txt"), "2 0 2\nthe window\n").unwrap();
    let soak = |more: &[&str]| run_in(path, &[&["soak", "level.obj"][..], &AGENT, more].concat());
    soak(&["--places", "places.txt"]).failed(1, &["places.txt: line 2: expected one or two"]);
    soak(&["--agents", "20000"]).failed(1, &["level.obj: a soak run with 20000 agents"]);
    soak(&["--minutes", "1e9"]).failed(1, &["it must be above 0 and at most 10080"]);
    soak(&["--junit", "level.obj"]).failed(2, &["level.obj"]);
    soak(&["--minutes", "0"]).failed(2, &["--minutes"]);
    if cfg!(feature = "window") {
        soak(&["--picture", "level.obj"]).failed(2, &["level.obj", "--picture"]);
        soak(&["--heat", "waiting"]).failed(2, &["--picture"]);
        let heat = ["--picture", "a.png", "--heat", "speed"];
        soak(&heat).failed(2, &["passing, waiting, slowed, colliding"]);
    }
    let run = ["bake", "level.obj", "-o", "level.bin"];
    run_in(path, &run).succeeded();
    let set = run_in(path, &["soak", "level.bin", "--set", "cell_size=0.2"]);
    set.failed(2, &["level.bin: settings belong to a level"]);
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_prints_the_findings_so_far() {
    let folder = TempDir::new().unwrap();
    write_level(folder.path(), &ROOMS);
    let args = [&["soak", "level.obj", "--minutes", "9999", "--json"][..], &AGENT].concat();
    let run = run::run_interrupted(folder.path(), &args, run::handles_ctrl_c);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.ends_with("level.obj: interrupted\n"), "{}", run.stderr);
    assert_eq!(json(&run.stdout)["is_complete"], Value::from(false));
}
