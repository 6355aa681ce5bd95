//! `walkable watch` as the partner of another program: what it is told, what it answers, what it writes.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use tempfile::TempDir;

fn walkable(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_walkable"));
    command.args(args).current_dir(folder).stderr(Stdio::null());
    command
}

/// A level of 40 by 40 meters with a post in the middle and a hut that is `wide` meters wide.
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
    /// Starts watching `file`, which is in `folder` with all it needs.
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

    /// The next line that it writes; waits for it.
    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn ask(&mut self) -> String {
        self.input.write_all(b"look\n").unwrap();
        self.answer()
    }

    /// Whether the file of tiles is what `walkable bake` makes of the level.
    #[track_caller]
    fn check_tiles(&self, file: &str) {
        let folder = self.folder.path();
        let mut bake = walkable(folder, &["bake", file, "-o", "whole.bin"]);
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
fn what_changes_is_baked_and_every_question_is_answered() {
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
    assert!(fs::read(partner.at("out.bin")).unwrap() == before, "what was written stays");
    partner.write("yard.obj", &level(3));
    assert_eq!(partner.ask(), "unchanged");

    // The settings are part of the project, which is watched, too.
    partner.write("yard.walkable", &project.replace("32", "48"));
    assert_eq!(n_baked(&partner.ask()), 9);
    partner.check_tiles("yard.walkable");
    drop(partner.input);
    assert!(partner.child.wait().unwrap().success());
}

#[test]
fn a_level_that_nobody_speaks_of_is_looked_at_too() {
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

#[test]
fn what_cannot_be_watched_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let code = |args: &[&str]| {
        let mut command = walkable(folder.path(), &[&["watch", "-o", "x.bin"], args].concat());
        command.stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap().code()
    };
    fs::write(folder.path().join("yard.obj"), level(2)).unwrap();
    assert_eq!(code(&["builtin:sample"]), Some(2));
    assert_eq!(code(&["yard.obj", "--layers"]), Some(2));
    assert_eq!(code(&["yard.obj", "--report", "x.json"]), Some(2));
    assert_eq!(code(&["absent.obj"]), Some(1));
    // Without anyone to speak to, one bake is all.
    assert_eq!(code(&["yard.obj"]), Some(0));
}
