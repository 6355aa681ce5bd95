//! Tasks of a designer, done with mouse and keys only, and counted. `docs/tasks.md` lists the counts; a test fails if
//! the counts of a task differ from its row there, or if their sum is more than on 2026-11-22; for the first six tasks,
//! more than two thirds of that.

use std::{fs, path::Path};

use eframe::egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase,
    Vec2, vec2,
};
use egui_kittest::Harness;
use glam::Vec3;
use walkable::query::PathStatus;
use walkable_editor::{
    prefs::{Prefs, RecentLevel},
    session::{LevelSource, Session, StageView},
};

use super::{App, answers::yards, document::wait, settle, steps};
use crate::testing::{Find as _, picture};

/// The usual size of the window, in points.
const USUAL: Vec2 = vec2(1440.0, 900.0);
/// The smallest size in which everything must be usable, in points.
const SMALL: Vec2 = vec2(1280.0, 720.0);
/// Points that a wheel scrolls at once.
const WHEEL: f32 = 60.0;

/// A user at the window, who sees controls, clicks them and presses keys.
struct User {
    window: Harness<'static, App>,
    /// Number of clicks, drags and turns of the wheel.
    n_clicks: usize,
    /// Number of keys pressed, including each typed character.
    n_keys: usize,
}

impl User {
    /// Starts the program on the sample.
    fn on_sample(size: Vec2) -> Self {
        Self::start(size, Prefs::default(), |_| {})
    }

    /// Starts the program with its start page, after a file in `folder` was open.
    fn on_start_page(folder: &Path) -> Self {
        let source = LevelSource::File(folder.join("other.obj"));
        let recent = vec![RecentLevel { source, opened: None }];
        Self::start(USUAL, Prefs { starts_empty: true, recent, ..Prefs::default() }, |_| {})
    }

    fn start(size: Vec2, prefs: Prefs, set_up: impl FnOnce(&mut App) + 'static) -> Self {
        let builder = Harness::builder().with_size(size).with_max_steps(200);
        let mut window = builder.wgpu().build_eframe(|cc| {
            let mut app = App::with_prefs(cc, None, prefs);
            set_up(&mut app);
            app
        });
        settle(&mut window);
        Self { window, n_clicks: 0, n_keys: 0 }
    }

    fn session(&self) -> &Session {
        self.window.state().editor.session()
    }

    /// Looks for a control, turning the wheel over its list until it is in the window.
    fn find(&mut self, id: &str) -> Rect {
        let window = Rect::from_min_size(Pos2::ZERO, self.window.ctx.content_rect().size());
        let mut rect = self.window.by_id(id).rect();
        let is_hidden = |rect: Rect| !window.shrink(1.0).contains(rect.center());
        if is_hidden(rect) {
            self.n_clicks += 1;
        }
        for _ in 0..40 {
            if !is_hidden(rect) {
                break;
            }
            let by = if rect.center().y > window.center().y { -WHEEL } else { WHEEL };
            let over = Pos2::new(rect.center().x, window.center().y);
            self.window.hover_at(over);
            self.window.event(Event::MouseWheel {
                unit: MouseWheelUnit::Point,
                source: MouseWheelSource::Wheel,
                delta: vec2(0.0, by),
                phase: TouchPhase::Move,
                modifiers: Modifiers::NONE,
            });
            steps(&mut self.window, 10);
            rect = self.window.by_id(id).rect();
        }
        assert!(!is_hidden(rect), "{id} is out of reach at {rect:?}");
        rect
    }

    /// Clicks a control in its middle.
    fn click(&mut self, id: &str) {
        let at = self.find(id).center();
        self.click_at(at, PointerButton::Primary);
    }

    fn click_at(&mut self, at: Pos2, button: PointerButton) {
        self.n_clicks += 1;
        self.window.hover_at(at);
        self.window.step();
        for pressed in [true, false] {
            let modifiers = Modifiers::NONE;
            self.window.event(Event::PointerButton { pos: at, button, pressed, modifiers });
            self.window.step();
        }
        settle(&mut self.window);
    }

    /// Returns the position of a place of the level in the window.
    fn seen(&self, place: Vec3) -> Pos2 {
        let at = self.window.state().view.viewport.screen_from_world(place);
        let at = at.expect("the place is in front of the camera");
        assert!(self.window.by_id("viewport").rect().contains(at), "{place} is at {at}");
        at
    }

    /// Clicks a place of the level.
    fn click_place(&mut self, place: Vec3) {
        let at = self.seen(place);
        self.click_at(at, PointerButton::Primary);
    }

    fn hold(&mut self, pos: Pos2) {
        self.window.event(primary(pos).0);
        self.window.step();
    }

    fn release(&mut self, pos: Pos2) {
        self.window.event(primary(pos).1);
        self.window.step();
    }

    /// Drags from a place of the level to another.
    fn drag_places(&mut self, from: Vec3, to: Vec3) {
        self.n_clicks += 1;
        let [from, to] = [from, to].map(|place| self.seen(place));
        self.window.hover_at(from);
        self.window.step();
        self.hold(from);
        for part in [0.3, 0.6, 1.0] {
            self.window.hover_at(from.lerp(to, part));
            self.window.step();
        }
        self.release(to);
        settle(&mut self.window);
    }

    /// Drags a field to the right until `is_reached` returns true.
    fn drag_field(&mut self, id: &str, is_reached: impl Fn(&Session) -> bool) {
        self.n_clicks += 1;
        let rect = self.find(id);
        let mut at = rect.center();
        self.window.hover_at(at);
        self.window.step();
        self.hold(at);
        while !is_reached(self.session()) {
            at.x += 1.0;
            assert!(rect.contains(at), "{id} ends before");
            self.window.hover_at(at);
            self.window.step();
        }
        self.release(at);
        settle(&mut self.window);
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.n_keys += 1;
        self.window.key_press_modifiers(modifiers, key);
        settle(&mut self.window);
        // The camera flies.
        steps(&mut self.window, 60);
    }

    fn key(&mut self, key: Key) {
        self.press(Modifiers::NONE, key);
    }

    fn ctrl(&mut self, key: Key) {
        self.press(Modifiers::COMMAND, key);
    }

    /// Types a text into the field that has the focus.
    fn type_text(&mut self, text: &str) {
        self.n_keys += text.chars().count();
        self.window.event(Event::Text(text.to_owned()));
        settle(&mut self.window);
    }

    /// Replaces the name in the file dialog and accepts it. The name of the folder is not counted: dialogs begin in the
    /// folder of the open file.
    fn choose_file(&mut self, path: &Path) {
        self.ctrl(Key::A);
        let path = path.to_str().expect("a path of a test");
        let n_folder = path.rfind('/').map_or(0, |at| at + 1);
        self.n_keys += path[n_folder..].chars().count();
        self.window.event(Event::Text(path.to_owned()));
        settle(&mut self.window);
        self.n_keys += 1;
        self.window.key_press(Key::Enter);
        wait(&mut self.window, "the choice", |app| !app.panels.browser.is_open());
        settle(&mut self.window);
    }

    /// Checks the counts of the task against its row in `docs/tasks.md`.
    fn took(mut self, task: &str) {
        picture(&mut self.window, &format!("task-{}", task.replace(' ', "-")));
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tasks.md");
        let docs = fs::read_to_string(docs).expect("docs/tasks.md is readable");
        let tasks: Vec<_> = docs.lines().filter_map(row).collect();
        let number = tasks.iter().position(|(name, _)| *name == task);
        let number = number.unwrap_or_else(|| panic!("{task} is not in the table: {tasks:?}"));
        let counts = tasks[number].1;
        assert_eq!(counts[2..], [Some(self.n_clicks), Some(self.n_keys)], "{task}");
        let sum = |part: &[Option<usize>]| part.iter().copied().sum::<Option<usize>>();
        let now = self.n_clicks + self.n_keys;
        // A task that was impossible has no counts.
        let Some(before) = sum(&counts[..2]) else { return };
        let most = if number < 6 { 2 * before / 3 } else { before };
        assert!(now <= most, "{task}: {now} clicks and keys, at most {most}");
    }
}

/// Returns the task and the four counts of a row of the table; `None` for other lines.
fn row(line: &str) -> Option<(&str, [Option<usize>; 4])> {
    let cells: Vec<_> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
    let [task, counts @ ..] = &cells[..] else { return None };
    let counts = <[&str; 4]>::try_from(counts.to_vec()).ok()?.map(|count| count.parse().ok());
    counts[3].is_some().then_some((*task, counts))
}

fn radius(session: &Session) -> f32 {
    session.document().settings.agent_radius
}

/// Returns a press and a release of the primary button.
fn primary(pos: Pos2) -> (Event, Event) {
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    let event = |pressed| Event::PointerButton { pos, button, pressed, modifiers };
    (event(true), event(false))
}

fn has_radius(session: &Session, wanted: f32) -> bool {
    (radius(session) - wanted).abs() < 1e-4
}

fn status(user: &User) -> PathStatus {
    user.session().path().answer.as_ref().expect("both ends are placed").path.status
}

#[test]
fn open_a_level() {
    let folder = yards();
    let mut user = User::on_start_page(folder.path());
    user.ctrl(Key::O);
    // The settings beside the level are listed first.
    user.type_text("y");
    user.key(Key::ArrowDown);
    user.key(Key::ArrowDown);
    user.key(Key::Enter);
    wait(&mut user.window, "the choice", |app| !app.panels.browser.is_open());
    settle(&mut user.window);
    assert_eq!(user.session().name().as_deref(), Some("yards.obj"));
    assert!(user.session().bake().navmesh.is_some());
    user.took("open a level");
}

#[test]
fn change_a_setting() {
    let mut user = User::on_sample(USUAL);
    user.drag_field("settings.agent_radius", |session| has_radius(session, 0.8));
    assert!(has_radius(user.session(), 0.8) && !user.session().is_stale());
    assert_eq!(user.session().history().past().count(), 1, "one step to undo");
    user.took("change a setting");
}

#[test]
fn mend_a_path() {
    let folder = yards();
    let mut user = User::on_sample(USUAL);
    user.ctrl(Key::O);
    user.choose_file(&folder.path().join("yards.obj"));
    (user.n_clicks, user.n_keys) = (0, 0);
    user.key(Key::Num2);
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
    user.key(Key::Num3);
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
    user.key(Key::Num4);
    user.drag_places(Vec3::new(18.0, 0.0, 10.0), Vec3::new(22.0, 0.0, 13.0));
    let links = &user.session().document().off_mesh;
    assert_eq!((links.len(), links[0].bidirectional), (1, false));
    user.took("place a one-way off-mesh link");
}

#[test]
fn place_obstacles() {
    let mut user = User::on_sample(USUAL);
    let before = user.session().bake().totals.area;
    user.key(Key::Num0);
    let mut areas = vec![before];
    for place in [Vec3::new(18.0, 0.0, 10.0), Vec3::new(22.0, 0.0, 13.0)] {
        user.click_place(place);
        let bake = user.session().bake();
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
    user.key(Key::Enter);
    let agents = &user.session().document().agents;
    assert_eq!(agents.list.len(), 2);
    assert!((agents.list[1].settings.agent_radius - 1.2).abs() < 1e-6);
    user.took("add a second, larger agent");
}

#[test]
fn save_and_recover() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("work");
    fs::create_dir(&work).unwrap();
    let keeps = work.clone();
    let mut user = User::start(USUAL, Prefs::default(), move |app| app.keep_work_in(&keeps));
    user.click("settings.agent_radius");
    user.type_text("0.8");
    user.key(Key::Enter);
    (user.n_clicks, user.n_keys) = (0, 0);
    user.ctrl(Key::S);
    user.choose_file(&folder.path().join("course.walkable"));
    wait(&mut user.window, "saving", |app| !app.editor.session().is_unsaved());
    user.click("settings.agent_radius");
    user.type_text("0.9");
    user.key(Key::Enter);
    wait(&mut user.window, "keeping the work", |_| work.join("running-0.walkable").exists());
    // A killed program runs no cleanup.
    user.window.state_mut().recovery = None;
    let keeps = work.clone();
    let next = User::start(USUAL, Prefs::default(), move |app| app.keep_work_in(&keeps));
    user.window = next.window;
    user.click("notice.file.load");
    let session = user.session();
    assert!((session.document().settings.agent_radius - 0.9).abs() < 1e-6 && session.is_unsaved());
    user.took("save, and recover unsaved work after a crash");
}

#[test]
fn export_the_navmesh() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiles.bin");
    let mut user = User::on_sample(USUAL);
    user.ctrl(Key::E);
    user.choose_file(&file);
    wait(&mut user.window, "the file", |_| file.exists());
    assert!(fs::read(&file).unwrap().starts_with(b"TESM"));
    user.took("export the navmesh for Detour");
}

#[test]
fn use_the_keyboard_only() {
    let mut user = User::on_sample(USUAL);
    user.ctrl(Key::K);
    user.type_text("radius 0.8");
    user.key(Key::Enter);
    user.ctrl(Key::K);
    user.type_text("regions");
    user.key(Key::Enter);
    let session = user.session();
    assert!((session.document().settings.agent_radius - 0.8).abs() < 1e-6);
    assert_eq!(session.stage(), StageView::Regions);
    assert_eq!(user.n_clicks, 0);
    user.took("change a setting and look at the regions by keyboard");
}

#[test]
fn work_in_a_small_window() {
    let mut user = User::on_sample(SMALL);
    user.drag_field("settings.agent_radius", |session| has_radius(session, 0.8));
    user.click("view.stage-group.partition");
    assert_eq!(user.session().stage(), StageView::Regions);
    user.click("view.stage-group.mesh");
    assert_eq!(user.session().stage(), StageView::Navmesh);
    user.click("path.walk");
    assert!(user.session().path().walk.is_some());
    user.took("change a setting, look at the regions and walk the path at 1280 × 720");
}
