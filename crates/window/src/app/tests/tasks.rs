//! Tasks of a designer, done with mouse and keys only, and counted. `docs/tasks.md` lists the counts; a test fails if
//! the counts of a task differ from its row there, or if their sum is more than on 2026-11-22; for the first six tasks,
//! more than two thirds of that.
//!
//! Each task is compared with its recording, which `crates/cli/tests/window/tasks.rs` repeats in a window of the system.
//! With `UPDATE_DOCS=1`, the recordings are written again.

use std::{collections::BTreeMap, fs, path::Path};

use eframe::egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase,
    Vec2, pos2, vec2,
};
use egui_kittest::Harness;
use glam::Vec3;
use serde_json::{Value, json};
use tempfile::TempDir;
use walkable::query::PathStatus;
use walkable_editor::{prefs::Prefs, session::Session};
use walkable_test_support::tasks::{
    CoarsePicture, Counts, Export, FOLDER, Input, Recording, TaskResult, difference, table,
};
use walkable_workspace::stage_view::StageView;

use super::{
    App,
    answers::yards,
    display::rest,
    document::{save_to, wait},
    settle, steps,
};
use crate::testing::{Find as _, picture};

/// The usual size of the window, in points.
const USUAL: [u16; 2] = [1440, 900];
/// The smallest size in which everything must be usable, in points.
const SMALL: [u16; 2] = [1280, 720];
/// Length of the first movement of a drag over a field, in points.
const JUMP: f32 = 16.0;

/// A user at the window, who sees controls, clicks them and presses keys.
struct User {
    window: Harness<'static, App>,
    /// The folder of the task's files.
    folder: TempDir,
    recording: Recording,
    at: Pos2,
}

impl User {
    /// Starts the program on the sample.
    fn on_sample(size: [u16; 2]) -> Self {
        Self::start(size, tempfile::tempdir().unwrap(), json!({}), |_| {})
    }

    /// Starts the program with its start page, after a file in `folder` was open.
    fn on_start_page(folder: TempDir) -> Self {
        let recent = json!({"source": {"File": format!("{FOLDER}/other.obj")}, "opened": null});
        let prefs = json!({"starts_empty": true, "recent": [recent]});
        Self::start(USUAL, folder, prefs, |_| {})
    }

    fn start(
        size: [u16; 2],
        folder: TempDir,
        prefs: Value,
        set_up: impl FnOnce(&mut App) + 'static,
    ) -> Self {
        let files = fs::read_dir(folder.path()).unwrap().map(|file| {
            let file = file.unwrap();
            let name = file.file_name().into_string().unwrap();
            (name, fs::read_to_string(file.path()).unwrap())
        });
        let recording = Recording {
            size,
            files: files.collect::<BTreeMap<_, _>>(),
            set_up: Vec::new(),
            inputs: Vec::new(),
            result: TaskResult::default(),
            prefs,
        };
        let window = open_window(&recording, folder.path(), set_up);
        let mut user = Self { window, folder, recording, at: Pos2::ZERO };
        user.settle();
        user.begin();
        user
    }

    /// Begins the task: what was done before is not counted.
    fn begin(&mut self) {
        self.recording.set_up.append(&mut self.recording.inputs);
    }

    fn session(&self) -> &Session {
        self.window.state().editor.session()
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Sends an input to the window, and records it.
    fn send(&mut self, input: Input) {
        let window = &mut self.window;
        let button = |pressed| {
            let (pos, button, modifiers) = (self.at, PointerButton::Primary, Modifiers::NONE);
            Event::PointerButton { pos, button, pressed, modifiers }
        };
        match &input {
            Input::Move([x, y]) => {
                self.at = pos2(f32::from(*x), f32::from(*y));
                window.hover_at(self.at);
            }
            Input::Press => window.event(button(true)),
            Input::Release => window.event(button(false)),
            Input::Wheel(notches) => window.event(Event::MouseWheel {
                unit: MouseWheelUnit::Line,
                source: MouseWheelSource::Wheel,
                delta: vec2(0.0, f32::from(*notches)),
                phase: TouchPhase::Move,
                modifiers: Modifiers::NONE,
            }),
            Input::Key(key) => {
                let (modifiers, key) = match key.strip_prefix("ctrl+") {
                    Some(key) => (Modifiers::COMMAND, key),
                    None => (Modifiers::NONE, &**key),
                };
                window.key_press_modifiers(modifiers, Key::from_name(key).expect("a key"));
            }
            Input::Text(text) => {
                let folder = self.folder.path().to_str().expect("a path of a test");
                window.event(Event::Text(text.replace(FOLDER, folder)));
            }
            // The program does these.
            Input::Crash | Input::Rest(_) | Input::Motion(_) => {}
        }
        self.recording.inputs.push(input);
        self.window.step();
    }

    /// Waits until the window has nothing to do.
    fn settle(&mut self) {
        settle(&mut self.window);
        let inputs = &mut self.recording.inputs;
        inputs.pop_if(|last| matches!(last, Input::Rest(_) | Input::Motion(_)));
        let title = self.window.state().title.clone();
        let is_walking = self.session().path.walk.is_some();
        self.send(if is_walking { Input::Motion(title) } else { Input::Rest(title) });
    }

    /// Waits until `is` returns true and the window has nothing to do.
    fn wait(&mut self, what: &str, is: impl Fn(&App) -> bool) {
        wait(&mut self.window, what, is);
        self.settle();
    }

    /// Moves the pointer to the nearest whole point.
    fn move_to(&mut self, at: Pos2) {
        let at = [at.x, at.y].map(whole);
        self.send(Input::Move(at));
    }

    /// Looks for a control, turning the wheel over its list until it is in the window.
    fn find(&mut self, id: &str) -> Rect {
        let window = Rect::from_min_size(Pos2::ZERO, self.window.ctx.content_rect().size());
        let mut rect = self.window.by_id(id).rect();
        let is_hidden = |rect: Rect| !window.shrink(1.0).contains(rect.center());
        if is_hidden(rect) {
            self.move_to(pos2(rect.center().x, window.center().y));
        }
        for _ in 0..40 {
            if !is_hidden(rect) {
                break;
            }
            let is_below = rect.center().y > window.center().y;
            self.send(Input::Wheel(if is_below { -1 } else { 1 }));
            steps(&mut self.window, 10);
            rect = self.window.by_id(id).rect();
        }
        assert!(!is_hidden(rect), "{id} is out of reach at {rect:?}");
        rect
    }

    /// Clicks a control in its middle.
    fn click(&mut self, id: &str) {
        let at = self.find(id).center();
        self.click_at(at);
    }

    fn click_at(&mut self, at: Pos2) {
        self.move_to(at);
        self.send(Input::Press);
        self.send(Input::Release);
        self.settle();
    }

    /// Returns the position of a place of the level in the window.
    fn seen(&self, place: Vec3) -> Pos2 {
        let at = self.window.state().view.viewport.screen_from_world(place);
        let at = at.expect("the place is in front of the camera");
        assert!(self.window.by_id("viewport").rect().contains(at), "{place} is at {at}");
        at
    }

    fn click_place(&mut self, place: Vec3) {
        let at = self.seen(place);
        self.click_at(at);
    }

    /// Drags from a place of the level to another.
    fn drag_places(&mut self, from: Vec3, to: Vec3) {
        let [from, to] = [from, to].map(|place| self.seen(place));
        self.move_to(from);
        self.send(Input::Press);
        for part in [0.3, 0.6, 1.0] {
            self.move_to(from.lerp(to, part));
        }
        self.send(Input::Release);
        self.settle();
    }

    /// Drags a field to the right, and back until `is_reached` returns true.
    fn drag_field(&mut self, id: &str, is_reached: impl Fn(&Session) -> bool) {
        let rect = self.find(id);
        self.move_to(rect.center());
        self.send(Input::Press);
        // egui ignores the first points of a slow drag, because it could still be a click.
        self.move_to(self.at + vec2(JUMP, 0.0));
        while !is_reached(self.session()) {
            self.move_to(self.at - Vec2::X);
            assert!(rect.contains(self.at), "{id} ends before");
        }
        self.send(Input::Release);
        self.settle();
    }

    /// Presses a key, such as `ctrl+s`.
    fn key(&mut self, key: &str) {
        self.send(Input::Key(key.to_owned()));
        // The camera flies.
        steps(&mut self.window, 60);
        self.settle();
    }

    /// Types a text into the field that has the focus.
    fn type_text(&mut self, text: &str) {
        self.send(Input::Text(text.to_owned()));
        self.settle();
    }

    /// Replaces the name in the file dialog and accepts it. The name of the folder is not counted: dialogs begin in the
    /// folder of the open file.
    fn choose_file(&mut self, name: &str) {
        self.key("ctrl+a");
        self.type_text(&format!("{FOLDER}/{name}"));
        self.accept_file();
    }

    /// Accepts the name in the file dialog.
    fn accept_file(&mut self) {
        self.send(Input::Key("Return".to_owned()));
        self.wait("the choice", |app| !app.panels.browser.is_open());
    }

    /// Kills the program, and starts it again.
    fn crash(&mut self, set_up: impl FnOnce(&mut App) + 'static) {
        // A killed program runs no cleanup.
        self.window.state_mut().recovery = None;
        self.window = open_window(&self.recording, self.folder.path(), set_up);
        self.send(Input::Crash);
        self.settle();
    }

    /// Checks the counts of the task against its row in `docs/tasks.md`, and the rest against its recording.
    fn took(mut self, task: &str) {
        picture(&mut self.window, &format!("task-{}", task.replace(' ', "-")));
        let counts = Counts::of(&self.recording.inputs);
        let rows = table();
        let number = rows.iter().position(|row| row.task == task);
        let number = number.unwrap_or_else(|| panic!("{task} is not in the table: {rows:?}"));
        assert_eq!(rows[number].now, counts, "{task}");
        // A task that was impossible has no counts.
        if let Some(before) = rows[number].before {
            let most = if number < 6 { 2 * before.sum() / 3 } else { before.sum() };
            assert!(counts.sum() <= most, "{task}: {counts:?}, at most {most}");
        }
        self.compare_with_recording(task);
    }

    /// Takes a coarse picture of the upper part of the 3D view. The lower part has notices, which expire.
    fn view(&mut self) -> CoarsePicture {
        rest(&mut self.window);
        let rect = self.window.by_id("viewport").rect();
        let rect = [rect.min.x, rect.min.y, rect.width(), rect.height() * 2.0 / 3.0].map(whole);
        let image = self.window.render().expect("a graphics driver is available");
        let pixel = |at: usize| u32::try_from(at).expect("a small picture");
        CoarsePicture::new(rect, |x, y| {
            let [red, green, blue, _] = image.get_pixel(pixel(x), pixel(y)).0;
            [red, green, blue]
        })
    }

    fn compare_with_recording(mut self, task: &str) {
        let is_updated = std::env::var_os("UPDATE_DOCS").is_some();
        if is_updated {
            self.recording.result.view = self.view();
        }
        let project = self.file("result.walkable");
        save_to(&mut self.window, &project);
        let project = fs::read_to_string(project).unwrap();
        self.recording.result.project = serde_json::from_str(&project).unwrap();
        if is_updated {
            self.recording.write(task);
        }
        let stored = Recording::read(task);
        // Pictures are made only for the recording.
        self.recording.result.view = stored.result.view.clone();
        let [stored, now] = [stored, self.recording].map(|of| serde_json::to_value(of).unwrap());
        let difference = difference(&stored, &now);
        assert_eq!(difference, None, "{task}: UPDATE_DOCS=1 records it again");
    }
}

/// Returns the nearest whole number of points.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positions in the window"
)]
fn whole(at: f32) -> u16 {
    at.round() as u16
}

/// Opens the window in which a task is done.
fn open_window(
    recording: &Recording,
    folder: &Path,
    set_up: impl FnOnce(&mut App) + 'static,
) -> Harness<'static, App> {
    let folder = folder.to_str().expect("a path of a test");
    let prefs = recording.prefs.to_string().replace(FOLDER, folder);
    let prefs: Prefs = serde_json::from_str(&prefs).expect("preferences");
    let [width, height] = recording.size.map(f32::from);
    let builder = Harness::builder().with_size(vec2(width, height)).with_max_steps(200);
    builder.wgpu().build_eframe(|cc| {
        let mut app = App::with_prefs(cc, None, prefs);
        set_up(&mut app);
        app
    })
}

fn radius(session: &Session) -> f32 {
    session.document().settings.agent_radius
}

fn has_radius(session: &Session, wanted: f32) -> bool {
    (radius(session) - wanted).abs() < 1e-4
}

fn status(user: &User) -> PathStatus {
    user.session().path.answer.as_ref().expect("both ends are placed").path.status
}

#[test]
fn open_a_level() {
    let mut user = User::on_start_page(yards());
    user.key("ctrl+o");
    // The settings beside the level are listed first.
    user.type_text("y");
    user.key("Down");
    user.key("Down");
    user.accept_file();
    assert_eq!(user.session().name().as_deref(), Some("yards.obj"));
    assert!(user.session().bake.navmesh.is_some());
    user.took("open a level");
}

#[test]
fn change_a_setting() {
    let mut user = User::on_sample(USUAL);
    user.drag_field("settings.agent_radius", |session| has_radius(session, 0.8));
    assert!(has_radius(user.session(), 0.8) && !user.session().is_stale());
    assert_eq!(user.session().history.past().count(), 1, "one step to undo");
    user.took("change a setting");
}

#[test]
fn mend_a_path() {
    let mut user = User::start(USUAL, yards(), json!({}), |_| {});
    user.key("ctrl+o");
    user.choose_file("yards.obj");
    user.begin();
    user.key("2");
    user.click_place(Vec3::new(3.0, 0.0, 4.5));
    user.click_place(Vec3::new(17.0, 0.62, 4.5));
    assert_ne!(status(&user), PathStatus::Complete);
    user.click("fix.apply.1");
    assert_eq!(status(&user), PathStatus::Complete);
    user.took("find a path across islands and fix it");
}

#[test]
fn draw_a_volume() {
    let mut user = User::on_sample(USUAL);
    let n_before = user.session().document().volumes.len();
    user.key("3");
    user.drag_places(Vec3::new(18.0, 0.0, 10.0), Vec3::new(22.0, 0.0, 13.0));
    user.click("area");
    user.click("area.1");
    let volumes = &user.session().document().volumes;
    assert_eq!(volumes.len(), n_before + 1);
    assert_eq!(volumes[n_before].area.0, 1);
    assert!(!user.session().is_stale());
    user.took("make a part of the ground water");
}

#[test]
fn place_a_link() {
    let mut user = User::on_sample(USUAL);
    user.key("4");
    user.drag_places(Vec3::new(18.0, 0.0, 10.0), Vec3::new(22.0, 0.0, 13.0));
    let links = &user.session().document().off_mesh;
    assert_eq!((links.len(), links[0].bidirectional), (1, false));
    user.took("place a one-way off-mesh link");
}

#[test]
fn place_obstacles() {
    let mut user = User::on_sample(USUAL);
    let before = user.session().bake.totals.area;
    user.key("0");
    let mut areas = vec![before];
    for place in [Vec3::new(18.0, 0.0, 10.0), Vec3::new(22.0, 0.0, 13.0)] {
        user.click_place(place);
        let bake = &user.session().bake;
        assert_eq!(bake.layers_error(), None);
        assert!(bake.layered().is_some() && !user.session().is_stale());
        areas.push(bake.totals.area);
    }
    assert!(areas[0] > areas[1] && areas[1] > areas[2], "ground in m²: {areas:?}");
    assert_eq!(user.session().document().obstacles.list.len(), 2);
    assert_eq!(user.session().document().settings.tile_size, 48);
    user.window.text_with("Split into tiles of 48 voxels");
    user.took("place two obstacles");
}

#[test]
fn add_an_agent() {
    let mut user = User::on_sample(USUAL);
    user.click("tab.agents");
    user.click("agent.add");
    user.click("agents.1.radius");
    user.type_text("1.2");
    user.key("Return");
    let agents = &user.session().document().agents;
    assert_eq!(agents.list.len(), 2);
    assert!((agents.list[1].settings.agent_radius - 1.2).abs() < 1e-6);
    user.took("add a second, larger agent");
}

#[test]
fn save_and_recover() {
    let unsaved = tempfile::tempdir().unwrap();
    let keep_work = |unsaved: &TempDir| {
        let folder = unsaved.path().to_owned();
        move |app: &mut App| app.keep_work_in(&folder)
    };
    let folder = tempfile::tempdir().unwrap();
    let mut user = User::start(USUAL, folder, json!({}), keep_work(&unsaved));
    user.click("settings.agent_radius");
    user.type_text("0.8");
    user.key("Return");
    user.begin();
    user.key("ctrl+s");
    user.choose_file("course.walkable");
    user.wait("saving", |app| !app.editor.session().is_unsaved());
    user.click("settings.agent_radius");
    user.type_text("0.9");
    user.key("Return");
    let kept = unsaved.path().join("running-0.walkable");
    user.wait("keeping the work", |_| kept.exists());
    user.crash(keep_work(&unsaved));
    user.click("notice.file.load");
    let session = user.session();
    assert!((session.document().settings.agent_radius - 0.9).abs() < 1e-6 && session.is_unsaved());
    user.took("save, and recover unsaved work after a crash");
}

#[test]
fn export_the_navmesh() {
    let mut user = User::on_sample(USUAL);
    user.key("ctrl+e");
    user.choose_file("tiles.bin");
    let file = user.file("tiles.bin");
    user.wait("the file", |_| file.exists());
    let tiles = fs::read(&file).unwrap();
    assert!(tiles.starts_with(b"TESM"));
    user.recording.result.export = Some(Export::new("tiles.bin", &tiles));
    user.took("export the navmesh for Detour");
}

#[test]
fn use_the_keyboard_only() {
    let mut user = User::on_sample(USUAL);
    user.key("ctrl+k");
    user.type_text("radius 0.8");
    user.key("Return");
    user.key("ctrl+k");
    user.type_text("regions");
    user.key("Return");
    let session = user.session();
    assert!((session.document().settings.agent_radius - 0.8).abs() < 1e-6);
    assert_eq!(session.shown.stage, StageView::Regions);
    assert_eq!(Counts::of(&user.recording.inputs).n_clicks, 0);
    user.took("change a setting and look at the regions by keyboard");
}

#[test]
fn work_in_a_small_window() {
    let mut user = User::on_sample(SMALL);
    user.drag_field("settings.agent_radius", |session| has_radius(session, 0.8));
    user.click("view.stage-group.partition");
    assert_eq!(user.session().shown.stage, StageView::Regions);
    user.click("view.stage-group.mesh");
    assert_eq!(user.session().shown.stage, StageView::Navmesh);
    user.click("path.walk");
    assert!(user.session().path.walk.is_some());
    user.took("change a setting, look at the regions and walk the path at 1280 × 720");
}
