//! The tasks of `docs/tasks.md`, done with the mouse and keys that the tests of the window recorded
//! (`crates/window/src/app/tests/tasks.rs`). The window's title is compared after each action; the picture, the project
//! and the exported file at the end.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use walkable_test_support::tasks::{
    CoarsePicture, Counts, Export, FOLDER, Input, Recording, difference, table,
};

use crate::display::{Display, Editor, end, wait_for};

/// Maximum number of cells in which the 3D view may differ from the recording, because of the walking agent and the
/// times of the stages.
const MAX_DIFFERENT_CELLS: usize = 4;

/// A user who repeats a recording.
struct Replay<'a> {
    recording: &'a Recording,
    display: &'a Display,
    editor: Editor<'a>,
    /// The folder of the task's files.
    folder: &'a Path,
    /// The folder of the program's data.
    home: &'a Path,
    /// The inputs that were sent.
    sent: Vec<Input>,
}

impl<'a> Replay<'a> {
    fn start(
        recording: &'a Recording,
        display: &'a Display,
        folder: &'a Path,
        home: &'a Path,
    ) -> Self {
        for (name, content) in &recording.files {
            fs::write(folder.join(name), content).unwrap();
        }
        // The pointer is nowhere in the recording; nothing is in this corner.
        let [x, y] = recording.size.map(|size| size - 1);
        display.xdotool(&format!("mousemove {x} {y}"));
        let editor = start_editor(recording, display, folder, home);
        Self { recording, display, editor, folder, home, sent: Vec::new() }
    }

    /// Replaces [`FOLDER`] in a text.
    fn in_folder(&self, text: &str) -> String {
        text.replace(FOLDER, self.folder.to_str().unwrap())
    }

    fn send(&mut self, input: &Input) {
        // Movements of a drag follow each other without a pause. A moving picture is never idle.
        let is_at_once = matches!(
            (self.sent.last(), input),
            (Some(Input::Move(_)), Input::Move(_))
                | (Some(Input::Rest(_) | Input::Motion(_)), _)
                | (_, Input::Motion(_))
        );
        if !is_at_once {
            self.editor.wait_until_idle();
        }
        match input {
            Input::Move([x, y]) => drop(self.display.xdotool(&format!("mousemove {x} {y}"))),
            Input::Press => drop(self.display.xdotool("mousedown 1")),
            Input::Release => drop(self.display.xdotool("mouseup 1")),
            Input::Wheel(notches) => {
                let button = if *notches > 0 { 4 } else { 5 };
                let n = notches.unsigned_abs();
                self.display.xdotool(&format!("click --repeat {n} {button}"));
            }
            Input::Key(key) => drop(self.display.xdotool(&format!("key {key}"))),
            Input::Text(text) => self.display.type_text(&self.in_folder(text)),
            Input::Crash => self.crash(),
            Input::Rest(title) => {
                self.display.wait_for_title(title);
                self.editor.wait_until_idle();
                self.display.wait_for_title(title);
            }
            Input::Motion(title) => self.display.wait_for_title(title),
        }
        self.sent.push(input.clone());
    }

    fn crash(&mut self) {
        let kept = self.home.join("walkable/unsaved/running-0.walkable");
        wait_for("unsaved work on disk", || kept.exists().then_some(()));
        end(&mut self.editor.process);
        self.editor = start_editor(self.recording, self.display, self.folder, self.home);
    }

    /// Waits until the 3D view looks as recorded.
    fn check_view(&self) {
        let recorded = &self.recording.result.view;
        let width = usize::from(self.recording.size[0]);
        wait_for("the recorded 3D view", || {
            let pixels = self.display.pixels();
            let view = CoarsePicture::new(recorded.rect, |x, y| pixels[y * width + x]);
            (recorded.n_different_cells(&view) <= MAX_DIFFERENT_CELLS).then_some(())
        });
    }

    /// Returns whether the picture moved at the end of the recording.
    fn is_moving(&self) -> bool {
        matches!(self.sent.last(), Some(Input::Motion(_)))
    }

    /// Checks that the picture moves if it did when it was recorded.
    fn check_motion(&self) {
        if self.is_moving() {
            for _ in 0..3 {
                let before = self.display.pixels();
                wait_for("a movement", || (self.display.pixels() != before).then_some(()));
            }
        }
    }

    /// Saves the project, and compares it with the recorded one.
    fn check_project(&self) {
        let file = self.folder.join("result.walkable");
        let before = self.display.pixels();
        self.display.xdotool("key ctrl+shift+s");
        // The dialog darkens what is behind it.
        let is_open = || {
            let pixels = self.display.pixels();
            let changed = before.iter().zip(&pixels).filter(|(a, b)| a != b).count();
            (changed > before.len() / 2).then_some(())
        };
        wait_for("the file dialog", is_open);
        if !self.is_moving() {
            self.editor.wait_until_idle();
        }
        self.display.xdotool("key ctrl+a");
        self.display.type_text(file.to_str().unwrap());
        self.display.xdotool("key Return");
        let project = wait_for("the project", || fs::read_to_string(&file).ok());
        let project: Value = serde_json::from_str(&project).unwrap();
        assert_eq!(difference(&self.recording.result.project, &project), None);
    }
}

/// Starts the editor with the preferences of the recording.
fn start_editor<'a>(
    recording: &Recording,
    display: &'a Display,
    folder: &Path,
    home: &Path,
) -> Editor<'a> {
    let data = home.join("walkable");
    fs::create_dir_all(&data).unwrap();
    let habits = json!({"prefs": recording.prefs}).to_string();
    let habits = habits.replace(FOLDER, folder.to_str().unwrap());
    fs::write(data.join("preferences.json"), habits).unwrap();
    Editor::start(display, home)
}

/// Repeats a task in a window, and checks its result and its counts.
fn replay(task: &str) {
    let recording = Recording::read(task);
    let root = tempfile::tempdir().unwrap();
    let [screen, files, home] = ["screen", "files", "home"].map(|name| folder(root.path(), name));
    let display = Display::start(&screen, recording.size.map(usize::from));
    let mut user = Replay::start(&recording, &display, &files, &home);
    for input in &recording.set_up {
        user.send(input);
    }
    user.sent.clear();
    for input in &recording.inputs {
        user.send(input);
    }
    let row = table().into_iter().find(|row| row.task == task).unwrap();
    assert_eq!(Counts::of(&user.sent), row.now, "clicks and keys");
    if let Some(export) = &recording.result.export {
        let written = wait_for("the export", || fs::read(files.join(&export.name)).ok());
        assert_eq!(Export::new(&export.name, &written), *export);
    }
    user.check_view();
    user.check_motion();
    user.check_project();
}

/// Creates a folder.
fn folder(root: &Path, name: &str) -> PathBuf {
    let folder = root.join(name);
    fs::create_dir(&folder).unwrap();
    folder
}

#[test]
fn open_a_level() {
    replay("open a level");
}

#[test]
fn change_a_setting() {
    replay("change a setting");
}

#[test]
fn mend_a_path() {
    replay("find a path across islands and fix it");
}

#[test]
fn draw_a_volume() {
    replay("make a part of the ground water");
}

#[test]
fn place_a_link() {
    replay("place a one-way off-mesh link");
}

#[test]
fn place_obstacles() {
    replay("place two obstacles");
}

#[test]
fn add_an_agent() {
    replay("add a second, larger agent");
}

#[test]
fn save_and_recover() {
    replay("save, and recover unsaved work after a crash");
}

#[test]
fn export_the_navmesh() {
    replay("export the navmesh for Detour");
}

#[test]
fn use_the_keyboard_only() {
    replay("change a setting and look at the regions by keyboard");
}

#[test]
fn work_in_a_small_window() {
    replay("change a setting, look at the regions and walk the path at 1280 × 720");
}

#[test]
fn every_task_is_repeated() {
    let tests = include_str!("tasks.rs");
    for row in table() {
        assert!(tests.contains(&format!("replay(\"{}\")", row.task)), "{}", row.task);
    }
}
