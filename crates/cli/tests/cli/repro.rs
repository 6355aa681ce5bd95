//! `walkable repro`: what is saved shows the same problem, and a repaired level does not.

use std::{fmt::Write as _, fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    run::{self, json, run_in},
    why::FAULTS,
};

fn point(at: &Value) -> String {
    let at: Vec<_> = at.as_array().unwrap().iter().map(ToString::to_string).collect();
    at.join(",")
}

/// Returns the options that ask the question of a case.
fn question(truth: &Value) -> Vec<String> {
    if truth["kind"] == "place" {
        return vec!["--at".to_owned(), point(&truth["at"])];
    }
    let [from, to] = [&truth["from"], &truth["to"]].map(point);
    vec!["--from".to_owned(), from, "--to".to_owned(), to]
}

/// Saves the repro of a case to `FILE.repro` in `folder`, with more options.
fn save(case: &Path, folder: &Path, question: &[String], more: &[&str]) -> run::Run {
    let file = folder.join("bug.repro");
    let mut args = vec!["repro", "save", "level.obj", "--settings", "settings.cfg"];
    args.extend(["-o", file.to_str().unwrap()]);
    args.extend(question.iter().map(String::as_str));
    args.extend(more);
    run_in(case, &args)
}

#[test]
fn a_saved_fault_is_still_there_and_its_answer_is_that_of_why() {
    for entry in fs::read_dir(FAULTS).unwrap() {
        let case = entry.unwrap().path();
        let truth = json(&fs::read_to_string(case.join("truth.json")).unwrap());
        let folder = TempDir::new().unwrap();
        let question = question(&truth);
        save(&case, folder.path(), &question, &[]).succeeded();
        let text = fs::read_to_string(folder.path().join("bug.repro")).unwrap();
        save(&case, folder.path(), &question, &[]).succeeded();
        let again = fs::read_to_string(folder.path().join("bug.repro")).unwrap();
        assert_eq!(text, again, "{}: the file is the same each time", case.display());

        let run = run_in(folder.path(), &["repro", "run", "bug.repro", "--json"]).succeeded();
        let answer = json(&run);
        assert_eq!(answer["reproduced"], true, "{}: {run}", case.display());
        let mut why =
            vec!["why", "level.obj", "--settings", "settings.cfg", "--no-fixes", "--json"];
        why.extend(question.iter().map(String::as_str));
        let why = json(&run_in(&case, &why).succeeded());
        assert_eq!(answer["now"]["cause"], why["cause"], "{}", case.display());
        assert_eq!(answer["now"]["text"], why["text"], "{}", case.display());
        if truth["kind"] == "path" {
            assert_eq!(answer["now"]["status"], why["status"], "{}", case.display());
            assert_eq!(answer["now"]["where"], why["where"], "{}", case.display());
        } else {
            assert_eq!(answer["now"]["stage"], why["stage"], "{}", case.display());
        }
        // A repro file is a level for the other commands.
        let mut why = vec!["why", "bug.repro", "--no-fixes", "--json"];
        why.extend(question.iter().map(String::as_str));
        let of_repro = json(&run_in(folder.path(), &why).succeeded());
        assert_eq!(of_repro["cause"], answer["now"]["cause"], "{}", case.display());
    }
}

/// Returns the kerb: a place on a step that is too high for the agent.
fn kerb() -> (std::path::PathBuf, Vec<String>) {
    let case = Path::new(FAULTS).join("place-step-kerb");
    let truth = json(&fs::read_to_string(case.join("truth.json")).unwrap());
    let question = question(&truth);
    (case, question)
}

#[test]
fn a_repaired_level_says_what_changed_and_exits_with_1() {
    let (case, question) = kerb();
    let folder = TempDir::new().unwrap();
    save(&case, folder.path(), &question, &["--expect", "walkable"]).succeeded();
    let still = run_in(folder.path(), &["repro", "run", "bug.repro"]).succeeded();
    assert!(still.starts_with("still there: not walkable: "), "{still}");
    assert!(still.contains("expected  walkable"), "{still}");

    let file = folder.path().join("bug.repro");
    let text = fs::read_to_string(&file).unwrap();
    let climb = text.lines().find(|line| line.contains("\"agent_max_climb\"")).unwrap();
    let repaired = text.replace(climb, "      \"agent_max_climb\": 5.0,");
    fs::write(&file, repaired).unwrap();
    let gone = run_in(folder.path(), &["repro", "run", "bug.repro"]);
    assert_eq!(gone.code, 1, "{}{}", gone.stdout, gone.stderr);
    assert!(
        gone.stdout.starts_with("gone: walkable\n  was       not walkable: "),
        "{}",
        gone.stdout
    );
    assert!(gone.stdout.contains("expected  walkable, as it is now"), "{}", gone.stdout);
    assert!(gone.stderr.contains("bug.repro: the problem is gone"), "{}", gone.stderr);
    let gone = run_in(folder.path(), &["repro", "run", "bug.repro", "--json"]);
    let answer = json(&gone.stdout);
    assert_eq!(
        (gone.code, &answer["reproduced"], &answer["as_expected"]),
        (1, &false.into(), &true.into())
    );
    assert_eq!(answer["was"]["cause"], "step");
}

#[test]
fn only_the_part_around_the_question_is_kept() {
    let folder = TempDir::new().unwrap();
    let town = ["generate", "town", "--size", "150", "-o", "town.obj"];
    run_in(folder.path(), &town).succeeded();
    // Outside the town's ground, at a height where there is nothing.
    for settings in ["tile_size=64", "tile_size=0"] {
        let save = |around: Option<&'static str>| {
            let mut args = vec!["repro", "save", "town.obj", "--set", settings, "-o", "bug.repro"];
            args.extend(["--at", "75,40,75"]);
            args.extend(around.into_iter().flat_map(|meters| ["--around", meters]));
            run_in(folder.path(), &args).succeeded();
            let text = fs::read_to_string(folder.path().join("bug.repro")).unwrap();
            json(&text)["level"]["triangles"].as_array().unwrap().len()
        };
        let (whole, part) = (save(None), save(Some("5")));
        assert!(part * 4 < whole, "{settings}: {part} of {whole} triangles");
        run_in(folder.path(), &["repro", "run", "bug.repro"]).succeeded();
    }
}

#[test]
fn a_navmesh_is_saved_with_its_path() {
    let case = Path::new(FAULTS).join("path-narrow-door");
    let truth = json(&fs::read_to_string(case.join("truth.json")).unwrap());
    let folder = TempDir::new().unwrap();
    let mesh = folder.path().join("mesh.bin");
    let bake = ["bake", "level.obj", "--settings", "settings.cfg", "-o", mesh.to_str().unwrap()];
    run_in(&case, &bake).succeeded();
    let question = question(&truth);
    let save = |more: &[&str]| {
        let mut args = vec!["repro", "save", "mesh.bin", "-o", "bug.repro"];
        args.extend(question.iter().map(String::as_str));
        run_in(folder.path(), &[&args, more].concat())
    };
    save(&[]).succeeded();
    run_in(folder.path(), &["repro", "run", "bug.repro"]).succeeded();
    save(&["--around", "5"]).failed(2, &["mesh.bin", "this is a navmesh"]);
    let at = ["repro", "save", "mesh.bin", "-o", "other.repro", "--at", "0,0,0"];
    run_in(folder.path(), &at).failed(1, &["mesh.bin", "can only be told from the level"]);
    assert!(!folder.path().join("other.repro").exists());
}

#[test]
fn wrong_usage_writes_nothing() {
    let (case, question) = kerb();
    let folder = TempDir::new().unwrap();
    let refused = |more: &[&str], code: i32, words: &[&str]| {
        save(&case, folder.path(), &question, more).failed(code, words);
        assert!(!folder.path().join("bug.repro").exists());
    };
    refused(&["--expect", "complete"], 2, &["--expect complete does not fit the question"]);
    refused(&["--expect", "sunny"], 2, &["expected walkable, not_walkable"]);
    refused(&["--expect", "step"], 1, &["already as expected by --expect step"]);
    refused(&["--around", "0"], 2, &["a number above zero"]);
    refused(&["--from", "0,0,0", "--to", "0,0,0"], 2, &["cannot be used with"]);
    let onto = ["repro", "save", "level.obj", "-o", "level.obj", "--at", "0,0,0"];
    run_in(&case, &onto).failed(2, &["level.obj"]);
    run_in(&case, &["repro", "run", "level.obj"]).failed(1, &["level.obj", "not a Walkable repro"]);
    run_in(&case, &["repro", "run", "absent.repro"]).failed(1, &["cannot read absent.repro"]);
    run_in(&case, &["repro"]).failed(2, &["Usage"]);
    let nothing = ["repro", "save", "level.obj", "-o", "bug.repro"];
    run_in(&case, &nothing).failed(2, &["give a place (--at), a path"]);
}

/// Writes `town.obj` to a folder: a town with a flight of three steps, the last one too high.
fn town_with_step(folder: &Path) {
    let town = ["generate", "town", "--size", "150", "-o", "town.obj"];
    run_in(folder, &town).succeeded();
    let file = folder.join("town.obj");
    let mut text = fs::read_to_string(&file).unwrap();
    let mut n = text.lines().filter(|line| line.starts_with("v ")).count();
    text.push_str("o flight\n");
    for [from, top] in [[340.0, 0.4], [343.0, 0.8], [346.0, 2.2]] {
        let [near, far] = [from - 310.0, 42.0];
        for [x, z] in [[1.0, near], [1.0, far], [9.0, far], [9.0, near]] {
            writeln!(text, "v {x} {top} {z}").unwrap();
        }
        writeln!(text, "f {} {} {} {}", n + 1, n + 2, n + 3, n + 4).unwrap();
        n += 4;
    }
    fs::write(file, text).unwrap();
}

const UP_THE_STEPS: [&str; 4] = ["--from", "5,0.1,25", "--to", "5,2.2,40"];

#[test]
fn a_town_with_one_bad_step_is_reduced_to_a_few_triangles() {
    let folder = TempDir::new().unwrap();
    town_with_step(folder.path());
    let save = ["repro", "save", "town.obj", "--settings", "town.cfg", "-o", "bug.repro"];
    let saved = run_in(folder.path(), &[&save[..], &UP_THE_STEPS].concat()).succeeded();
    assert!(saved.contains("[step]"), "{saved}");
    let shrink = ["repro", "shrink", "bug.repro", "-o", "small.repro", "--json"];
    let report = json(&run_in(folder.path(), &shrink).succeeded());
    let n = |key: &str| report[key].as_u64().unwrap();
    assert!(n("triangles_before") > 10_000 && n("triangles") <= 36, "{report}");
    assert!(n("trials") > 5 && report["complete"] == true, "{report}");
    assert_eq!(report["now"]["cause"], "step");
    let still = run_in(folder.path(), &["repro", "run", "small.repro"]).succeeded();
    assert!(still.starts_with("still there: partial: "), "{still}");
    // The reduced level reproduces itself, and nothing more can be removed.
    let again = ["repro", "shrink", "small.repro", "-o", "again.repro"];
    let again = run_in(folder.path(), &again).succeeded();
    let same = format!("{0} of {0} triangles", n("triangles"));
    assert!(again.contains(&same), "{again}");
}

#[test]
fn a_search_that_is_killed_leaves_the_smallest_level_found() {
    use std::{
        process::{Command, Stdio},
        time::{Duration, Instant},
    };

    let folder = TempDir::new().unwrap();
    town_with_step(folder.path());
    let save = ["repro", "save", "town.obj", "--settings", "town.cfg", "-o", "bug.repro"];
    run_in(folder.path(), &[&save[..], &UP_THE_STEPS].concat()).succeeded();
    let mut search = Command::new(env!("CARGO_BIN_EXE_walkable"))
        .args(["repro", "shrink", "bug.repro", "-o", "small.repro"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let small = folder.path().join("small.repro");
    while !small.exists() && started.elapsed() < Duration::from_mins(2) {
        std::thread::yield_now();
    }
    search.kill().unwrap();
    search.wait().unwrap();
    run_in(folder.path(), &["repro", "run", "small.repro"]).succeeded();
    let size = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
    assert!(size("small.repro") < size("bug.repro"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_search_with_the_smallest_level_found() {
    let folder = TempDir::new().unwrap();
    town_with_step(folder.path());
    let save = ["repro", "save", "town.obj", "--settings", "town.cfg", "-o", "bug.repro"];
    run_in(folder.path(), &[&save[..], &UP_THE_STEPS].concat()).succeeded();
    let shrink = ["repro", "shrink", "bug.repro", "-o", "small.repro", "--json"];
    let small = folder.path().join("small.repro");
    let run = run::run_interrupted(folder.path(), &shrink, |_| small.exists());
    let report = json(&run.stdout);
    // The search may have been over before the signal.
    let is_interrupted = report["complete"] == false;
    assert_eq!(run.code, i32::from(is_interrupted), "{report}");
    let said = run.stderr;
    assert_eq!(said.contains("interrupted: the output file contains"), is_interrupted, "{said}");
    assert!(report["triangles"].as_u64() < report["triangles_before"].as_u64(), "{report}");
    run_in(folder.path(), &["repro", "run", "small.repro"]).succeeded();
}

#[test]
fn a_navmesh_is_reduced_to_a_few_tiles() {
    let folder = TempDir::new().unwrap();
    let bake = ["bake", "builtin:sample", "--set", "tile_size=16", "-o", "mesh.bin"];
    run_in(folder.path(), &bake).succeeded();
    let save = ["repro", "save", "mesh.bin", "-o", "bug.repro", "--from", "2,0,2", "--to"];
    let saved = run_in(folder.path(), &[&save[..], &["500,0,500"]].concat()).succeeded();
    assert!(saved.contains("bug.repro"), "{saved}");
    let shrink = ["repro", "shrink", "bug.repro", "-o", "small.repro", "--json"];
    let report = json(&run_in(folder.path(), &shrink).succeeded());
    assert_eq!(report["complete"], true, "{report}");
    let n = |key: &str| report[key].as_u64().unwrap();
    assert!(n("tiles_before") > 9 && n("tiles") < 3, "{report}");
    assert_eq!(report["triangles"], Value::Null);
    run_in(folder.path(), &["repro", "run", "small.repro"]).succeeded();
}

#[test]
fn what_cannot_be_reduced_is_refused() {
    let (case, question) = kerb();
    let folder = TempDir::new().unwrap();
    save(&case, folder.path(), &question, &[]).succeeded();
    let onto = ["repro", "shrink", "bug.repro", "-o", "bug.repro"];
    run_in(folder.path(), &onto).failed(2, &["bug.repro"]);
    let file = folder.path().join("bug.repro");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"cause\":\"step\"", "\"cause\":\"gap\"")).unwrap();
    let shrink = ["repro", "shrink", "bug.repro", "-o", "small.repro"];
    run_in(folder.path(), &shrink).failed(1, &["bug.repro: the problem is gone", "[step]"]);
    let time = ["repro", "shrink", "bug.repro", "-o", "small.repro", "--time", "never"];
    run_in(folder.path(), &time).failed(2, &["--time"]);
    assert!(!folder.path().join("small.repro").exists());
}

#[test]
fn positions_are_taken_from_a_line_of_a_log() {
    let (case, question) = kerb();
    let folder = TempDir::new().unwrap();
    save(&case, folder.path(), &question, &[]).succeeded();
    let why = |more: &[&str]| {
        let args = [&["why", "bug.repro", "--no-fixes", "--json"], more].concat();
        run_in(folder.path(), &args).succeeded()
    };
    let [x, y, z] = [0, 1, 2].map(|axis| question[1].split(',').nth(axis).unwrap());
    let line = format!("[12:30:01] LogAI: agent 7 is stuck at X={x} Y={y} Z={z}");
    assert_eq!(why(&["--log", &line]), why(&["--at", &question[1]]));
    let line = format!("no path from ({x}, {y}, {z}) to (20, 0, 20)");
    let ends = ["--from", &question[1], "--to", "20,0,20"];
    assert_eq!(why(&["--log", &line]), why(&ends));
    let bad = ["why", "bug.repro", "--log", "no path"];
    run_in(folder.path(), &bad).failed(2, &["one or two positions", "found 0"]);
    let both = ["why", "bug.repro", "--log", &line, "--at", "0,0,0"];
    run_in(folder.path(), &both).failed(2, &["cannot be used with"]);
}
