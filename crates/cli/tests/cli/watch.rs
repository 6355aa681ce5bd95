//! `walkable watch`, driven by another program: requests, answers, and written files.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::run::json;

fn walkable(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_walkable"));
    command.args(args).current_dir(folder).stderr(Stdio::null());
    command
}

/// Returns a level of 40 by 40 meters with a post in the middle and a hut `wide` meters wide.
fn level(wide: u8) -> String {
    let ground = "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\n";
    let post = "v 20 0 20\nv 20 9 20\nv 20 0 21\nf 5 6 7\n";
    let hut = format!("v 2 3 2\nv 2 3 4\nv {0} 3 4\nv {0} 3 2\nf 8 9 10 11\n", 2 + wide);
    [ground, post, &hut].concat()
}

struct Partner {
    folder: TempDir,
    child: Child,
    input: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Partner {
    /// Starts watching `file`, which is in `folder` together with the files it needs.
    fn new(folder: TempDir, file: &str, more: &[&str]) -> Self {
        let args = [&["watch", file, "-o", "out.bin"], more].concat();
        let mut child = walkable(folder.path(), &args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { folder, child, input, answers }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.at("new"), text).unwrap();
        fs::rename(self.at("new"), self.at(name)).unwrap();
    }

    /// Waits for the next line of the standard output.
    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn ask(&mut self) -> String {
        self.input.write_all(b"look\n").unwrap();
        self.answer()
    }

    /// Checks that the output file is what `walkable bake` makes of the level.
    #[track_caller]
    fn check_tiles(&self, file: &str) {
        self.check_as(&[file]);
    }

    /// Checks that the output file is what `walkable bake` makes with these arguments.
    #[track_caller]
    fn check_as(&self, args: &[&str]) {
        let folder = self.folder.path();
        let mut bake = walkable(folder, &[&["bake", "-o", "whole.bin"], args].concat());
        assert!(bake.stdout(Stdio::null()).status().unwrap().success());
        assert!(fs::read(self.at("out.bin")).unwrap() == fs::read(self.at("whole.bin")).unwrap());
    }
}

fn n_baked(answer: &str) -> usize {
    let words: Vec<_> = answer.split("; ").last().unwrap().split(' ').collect();
    assert_eq!(words[1..], ["tiles", "baked"], "{answer}");
    words[0].parse().unwrap()
}

#[test]
fn changes_are_baked_and_every_request_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.obj"), level(2)).unwrap();
    let document = r#"{ "settings": { "tile_size": 32 } }"#;
    let project = format!(
        r#"{{ "walkable_project": 2, "level": {{ "file": "yard.obj" }}, "document": {document} }}"#
    );
    fs::write(folder.path().join("yard.walkable"), &project).unwrap();
    let mut partner = Partner::new(folder, "yard.walkable", &["--when-asked"]);
    let first = partner.answer();
    assert!(first.starts_with("out.bin: ") && n_baked(&first) == 25, "{first}");
    partner.check_tiles("yard.walkable");
    assert_eq!(partner.ask(), "unchanged");

    partner.write("yard.obj", &level(3));
    let answer = partner.ask();
    assert!((1..=4).contains(&n_baked(&answer)), "{answer}");
    partner.check_tiles("yard.walkable");

    let before = fs::read(partner.at("out.bin")).unwrap();
    partner.write("yard.obj", "v 0 0 0\nv 1 0 x\n");
    let answer = partner.ask();
    assert!(answer.starts_with("failed: ") && answer.contains("line 2"), "{answer}");
    assert!(fs::read(partner.at("out.bin")).unwrap() == before, "the written file stays");
    partner.write("yard.obj", &level(3));
    assert_eq!(partner.ask(), "unchanged");

    // The settings are part of the project file, which is watched as well.
    partner.write("yard.walkable", &project.replace("32", "48"));
    assert_eq!(n_baked(&partner.ask()), 9);
    partner.check_tiles("yard.walkable");
    drop(partner.input);
    assert!(partner.child.wait().unwrap().success());
}

#[test]
fn files_are_also_checked_without_a_request() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.obj"), level(2)).unwrap();
    let mut partner = Partner::new(folder, "yard.obj", &[]);
    assert_eq!(n_baked(&partner.answer()), 1);
    partner.write("yard.obj", &level(3));
    assert_eq!(n_baked(&partner.answer()), 1);
    partner.check_tiles("yard.obj");
    drop(partner.input);
    assert!(partner.child.wait().unwrap().success());
}

/// Coordinates of the tiles in a list of a JSON answer.
fn places(answer: &Value, list: &str) -> Vec<[u64; 3]> {
    let number = |tile: &Value, name: &str| tile[name].as_u64().unwrap();
    let tiles = answer[list].as_array().unwrap().iter();
    tiles.map(|tile| ["x", "z", "layer"].map(|name| number(tile, name))).collect()
}

/// Returns the tile files in a folder, and their bytes.
fn files_of_tiles(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    entries.map(|entry| (name(&entry.path()), fs::read(entry.path()).unwrap())).collect()
}

/// Starts watching a level with tiles on a fixed grid, with JSON answers and one file per tile.
fn fixed_yard(more: &[&str]) -> Partner {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.obj"), level(2)).unwrap();
    let settings = "tile_size=32\norigin=0,-1,0\nworld_height=20\n";
    fs::write(folder.path().join("yard.cfg"), settings).unwrap();
    let args = ["--settings", "yard.cfg", "--when-asked", "--json", "--tiles", "tiles"];
    Partner::new(folder, "yard.obj", &[&args[..], more].concat())
}

#[test]
fn geometry_outside_a_fixed_grid_bakes_few_tiles_and_changes_none() {
    let mut partner = fixed_yard(&[]);
    let first = json(&partner.answer());
    assert_eq!((&first["status"], &first["baked"]), (&"written".into(), &25.into()), "{first}");
    assert_eq!((&first["file"], &first["output"]["format"]), (&"out.bin".into(), &"tiles".into()));
    assert_eq!(first["parameters"]["origin"], serde_json::json!([0.0, -1.0, 0.0]));
    assert_eq!((places(&first, "changed").len(), places(&first, "removed").len()), (25, 0));
    let before = files_of_tiles(&partner.at("tiles"));
    assert_eq!(before.len(), 25);
    assert_eq!(json(&partner.ask()), serde_json::json!({ "status": "unchanged" }));

    // Triangles above the top, next to the level, and below it.
    for [x, y, z] in [[10, 60, 10], [-9, 0, 10], [10, -8, 10]] {
        let away =
            format!("v {x} {y} {z}\nv {x} {y} {0}\nv {1} {y} {z}\nf -3 -2 -1\n", z + 1, x + 1);
        partner.write("yard.obj", &[level(2), away].concat());
        let answer = json(&partner.ask());
        assert!(answer["baked"].as_u64().unwrap() <= 4, "{answer}");
        assert_eq!(places(&answer, "changed"), [[0; 3]; 0]);
        partner.check_as(&["yard.obj", "--settings", "yard.cfg"]);
    }
    assert!(before == files_of_tiles(&partner.at("tiles")));

    // A table changes only the tiles around it.
    let table = "v 9 1 9\nv 9 1 14\nv 14 1 14\nv 14 1 9\nf -4 -3 -2 -1\n";
    partner.write("yard.obj", &[&level(2), table].concat());
    let answer = json(&partner.ask());
    let changed = places(&answer, "changed");
    assert!((1..=4).contains(&changed.len()), "{answer}");
    let after = files_of_tiles(&partner.at("tiles"));
    let differ = after.iter().filter(|(name, bytes)| before[*name] != **bytes);
    let differ: BTreeSet<_> = differ.map(|(name, _)| name.clone()).collect();
    let names = changed.iter().map(|[x, z, layer]| format!("{x}_{z}_{layer}.tile"));
    assert_eq!(differ, names.collect());
    let whole = fs::read(partner.at("out.bin")).unwrap();
    for (name, bytes) in after {
        assert!(whole.windows(bytes.len()).any(|part| part == bytes), "{name} is not in the file");
    }

    partner.write("yard.obj", "f 1\n");
    let answer = json(&partner.ask());
    assert_eq!(answer["status"], "failed");
    assert!(answer["error"].as_str().unwrap().contains("yard.obj"), "{answer}");
}

#[test]
fn layers_are_watched_tile_by_tile() {
    let mut partner = fixed_yard(&["--layers"]);
    let first = json(&partner.answer());
    assert_eq!((&first["output"]["format"], &first["baked"]), (&"layers".into(), &25.into()));
    partner.write("yard.obj", &level(3));
    let answer = json(&partner.ask());
    assert!((1..=4).contains(&answer["baked"].as_u64().unwrap()), "{answer}");
    let changed = places(&answer, "changed");
    assert!((1..=8).contains(&changed.len()), "{answer}");
    partner.check_as(&["yard.obj", "--settings", "yard.cfg", "--layers"]);
    // Without the hut, its layer and its tile file disappear.
    let lone = files_of_tiles(&partner.at("tiles")).len();
    partner.write("yard.obj", "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\n");
    let answer = json(&partner.ask());
    let n_removed = places(&answer, "removed").len();
    assert!(n_removed > 0, "{answer}");
    assert_eq!(files_of_tiles(&partner.at("tiles")).len(), lone - n_removed);
    partner.check_as(&["yard.obj", "--settings", "yard.cfg", "--layers"]);
}

#[test]
fn inputs_that_cannot_be_watched_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let code = |args: &[&str]| {
        let mut command = walkable(folder.path(), &[&["watch", "-o", "x.bin"], args].concat());
        command.stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap().code()
    };
    fs::write(folder.path().join("yard.obj"), level(2)).unwrap();
    assert_eq!(code(&["builtin:sample"]), Some(2));
    assert_eq!(code(&["yard.obj", "--layers"]), Some(1), "tile_size is not set");
    assert_eq!(code(&["yard.obj", "--report", "x.json"]), Some(2));
    fs::write(folder.path().join("0_0_0.tile"), "").unwrap();
    let called_as_tile = ["yard.obj", "--settings", "0_0_0.tile", "--tiles", "."];
    assert_eq!(code(&called_as_tile), Some(2));
    assert_eq!(code(&called_as_tile[..3]), Some(0));
    assert_eq!(code(&["absent.obj"]), Some(1));
    // The standard input is closed at once, so `watch` bakes once and ends.
    assert_eq!(code(&["yard.obj"]), Some(0));
}
