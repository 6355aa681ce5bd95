//! Tests that the window asks or refuses before anything is lost or overwritten.

use std::{collections::BTreeSet, ffi::OsStr, fs, path::Path};

use eframe::egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use walkable::{diagnostic::Phrase, export::ExportFormat};
use walkable_editor::{
    command::{ExportKind, Pane, ViewCommand},
    jobs::ask_file::{Proposal, Purpose},
    prefs::{Prefs, RecentLevel},
    session::{Edit, LevelSource, Severity},
};
use walkable_workspace::stage_view::StageView;

use super::{
    App, Command, baked, click, display,
    document::{document, save_to, wait},
    press, radius, settle, steps, trigger, with_radius,
};
use crate::{
    host::Host,
    testing::{Find as _, picture},
};

const SQUARE: &str = "v 0 0 0\nv 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n";

/// Chooses `path` in the dialog that is shown without a desktop.
pub(super) fn choose_file(harness: &mut Harness<'_, App>, purpose: Purpose, path: &Path) {
    let part = |part: Option<&OsStr>| part.unwrap().to_str().unwrap().to_owned();
    let folder = path.parent().unwrap().to_owned();
    let proposal = Proposal { folder, name: part(path.file_name()) };
    let ctx = harness.ctx.clone();
    harness.state_mut().panels.browser.open(&ctx, purpose, &proposal);
    settle(harness);
    harness.by_id("browser.accept").click();
    wait(harness, "the choice", |app| !app.panels.browser.is_open());
}

fn write_to(harness: &mut Harness<'_, App>, kind: ExportKind, path: &Path) {
    choose_file(harness, Purpose::Export(kind), path);
    settle(harness);
    wait(harness, "an answer", |app| !app.jobs.status().saves);
    settle(harness);
}

fn has_error(app: &App, words: &str) -> bool {
    let mut list = app.editor.notices().list().iter();
    list.any(|notice| {
        notice.severity == Severity::Error && notice.detail.to_string().contains(words)
    })
}

#[test]
fn a_typed_path_replaces_a_file_only_after_confirmation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiles.bin");
    fs::write(&path, "precious").unwrap();
    let mut harness = baked();
    write_to(&mut harness, ExportKind::Report, &path);
    harness.text("Replace tiles.bin?");
    harness.by_id("replace.cancel").click();
    settle(&mut harness);
    assert!(!harness.state().panels.replace.is_open());
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    // Without its extension, the path means the same file.
    write_to(&mut harness, ExportKind::NAVMESH, &folder.path().join("tiles"));
    harness.by_id("replace.replace").click();
    settle(&mut harness);
    wait(&mut harness, "the file", |app| !app.jobs.status().saves);
    assert!(fs::read(&path).unwrap().starts_with(b"TESM"));
}

#[test]
fn the_shown_stage_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("regions.obj");
    let kind = ExportKind::Stage(ExportFormat::Obj);
    let mut harness = baked();
    trigger(&mut harness, ViewCommand::Stage(StageView::Navmesh).into());
    assert!(!kind.is_ready(harness.state().editor.session()), "the navmesh has its own formats");
    trigger(&mut harness, ViewCommand::Stage(StageView::Regions).into());
    write_to(&mut harness, kind, &path);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("# stage regions"), "{}", &text[..80]);
    assert!(
        text.contains("usemtl region_")
            && text.lines().filter(|line| line.starts_with("f ")).count() > 10
    );
}

#[test]
fn all_agents_are_exported_after_their_bakes_and_replaced_together() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let mut harness = baked();
    let mut agents = document(&harness).agents.with_one_more(&document(&harness));
    agents.list[1].name = "Big ogre".to_owned();
    agents.list[1].settings.agent_radius = 1.2;
    trigger(&mut harness, Command::Change(Phrase::verbatim("Agents"), Edit::Agents(agents)));
    let kind = ExportKind::AllAgents(ExportFormat::Detour);
    let written =
        |app: &App| app.editor.session().other_agents.export.is_none() && !app.jobs.status().saves;
    trigger(&mut harness, Command::ExportTo(kind, file("yard.bin")));
    wait(&mut harness, "the files", written);
    settle(&mut harness);
    let read = |name: &str| fs::read(file(name)).unwrap();
    let (knight, ogre) = (read("yard_agent_1.bin"), read("yard_big_ogre.bin"));
    assert!(knight.starts_with(b"TESM") && ogre.starts_with(b"TESM") && knight != ogre);
    assert!(!file("yard.bin").exists());
    let said =
        harness.state().editor.notices().list().last().expect("a message").detail.to_string();
    assert!(said.contains("Agent 1: ") && said.contains("Big ogre: "), "{said}");

    fs::write(file("yard_big_ogre.bin"), "precious").unwrap();
    fs::remove_file(file("yard_agent_1.bin")).unwrap();
    trigger(&mut harness, Command::ExportTo(kind, file("yard.bin")));
    wait(&mut harness, "a question", |app| app.panels.replace.is_open());
    settle(&mut harness);
    assert!(!file("yard_agent_1.bin").exists(), "nothing is written before that is agreed");
    harness.text("Replace yard_big_ogre.bin?");
    harness.by_id("replace.replace").click();
    settle(&mut harness);
    wait(&mut harness, "the files", written);
    assert!(read("yard_agent_1.bin") == knight && read("yard_big_ogre.bin") == ogre);
    write_to(&mut harness, ExportKind::NAVMESH, &file("one.bin"));
    assert!(read("one.bin") == knight);
    let said =
        harness.state().editor.notices().list().last().expect("a message").detail.to_string();
    assert!(said.ends_with(", of agent Agent 1"), "{said}");
}

#[test]
fn closing_a_level_asks_about_unsaved_work_and_shows_the_start_page() {
    let mut harness = baked();
    let edit = with_radius(&document(&harness).settings, 1.0);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    press(&mut harness, Modifiers::COMMAND, Key::W);
    harness.by_id("unsaved.cancel").click();
    settle(&mut harness);
    assert!(harness.state().editor.session().opened.level.is_some(), "the level stays");
    trigger(&mut harness, Command::CloseLevel);
    harness.by_id("unsaved.discard").click();
    settle(&mut harness);
    let session = harness.state().editor.session();
    assert!(session.source().is_none() && session.bake.navmesh.is_none());
    picture(&mut harness, "start_page");
    harness.state_mut().editor.prefs_mut().light = true;
    steps(&mut harness, 3);
    picture(&mut harness, "light_start_page");
    harness.by_id("start.recent.0").click();
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().name().as_deref(), Some("Sample"));
    assert!((radius(&harness) - 1.0).abs() > 0.1, "the change was discarded");
}

#[test]
fn after_a_closed_level_the_next_run_begins_with_the_start_page() {
    let recent = (0..9).map(|number| RecentLevel {
        source: LevelSource::File(
            format!("/levels/of the game/chapter {number}/yard.walkable").into(),
        ),
        opened: None,
    });
    let prefs = Prefs { recent: recent.collect(), starts_empty: true, ..Prefs::default() };
    let harness = Harness::builder().with_size(vec2(1280.0, 720.0)).with_max_steps(200);
    let mut harness = harness.wgpu().build_eframe(move |cc| App::with_prefs(cc, None, prefs));
    settle(&mut harness);
    assert!(harness.state().editor.session().source().is_none());
    let view = harness.state().view.viewport.rect().expect("the view is drawn");
    picture(&mut harness, "start_page_small");
    let open = harness.by_id("start.file.open").rect();
    assert!(view.contains_rect(open), "{open:?} in {view:?}");
    harness.by_id("start.file.load.sample").click();
    settle(&mut harness);
    assert!(harness.state().editor.session().opened.level.is_some());
    assert!(!harness.state().editor.prefs().starts_empty);
}

/// Returns the program with its files in `folder`.
fn with_folder(folder: &Path) -> Harness<'static, App> {
    let host = Host { folder: Some(folder.to_owned()), ..Host::without_folders() };
    let harness = Harness::builder().with_size(vec2(1280.0, 720.0)).with_max_steps(200);
    let mut harness = harness.wgpu().build_eframe(move |cc| App::on(cc, None, &host));
    settle(&mut harness);
    // The driver has drawn the complete picture.
    harness.render().unwrap();
    harness
}

fn n_pictures(folder: &Path) -> usize {
    fs::read_dir(folder.join("thumbnails")).map_or(0, Iterator::count)
}

/// Returns the number of colors of the picture of a recent level on the start page.
fn n_colors(harness: &mut Harness<'static, App>, number: usize, name: &str) -> usize {
    let entry = harness.by_id(format!("start.recent.{number}")).rect();
    let image = display::picture(harness, name);
    let at = entry.left_top() + vec2(10.0, 6.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in the window")]
    let part = image::imageops::crop_imm(&image, at.x as u32, at.y as u32, 56, 36).to_image();
    part.pixels().map(|pixel| pixel.0).collect::<BTreeSet<_>>().len()
}

#[test]
fn closed_levels_are_listed_with_their_picture() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = with_folder(folder.path());
    let is_written = |app: &App| !app.thumbnails.is_writing();
    trigger(&mut harness, Command::Load(LevelSource::Builtin("maze".to_owned())));
    wait(&mut harness, "the picture of the sample", is_written);
    assert_eq!(n_pictures(folder.path()), 1, "the maze was not drawn yet");
    harness.render().unwrap();
    trigger(&mut harness, Command::CloseLevel);
    wait(&mut harness, "the picture of the maze", is_written);
    assert_eq!(n_pictures(folder.path()), 2);
    steps(&mut harness, 2);
    assert!(n_colors(&mut harness, 0, "start_page_pictures") > 100);
    assert!(n_colors(&mut harness, 1, "start_page_pictures") > 100);
    // A damaged picture is replaced by the icon, and nothing else changes.
    for file in fs::read_dir(folder.path().join("thumbnails")).unwrap() {
        fs::write(file.unwrap().path(), "no picture").unwrap();
    }
    let prefs = harness.state().editor.prefs().clone();
    let host = Host { folder: Some(folder.path().to_owned()), ..Host::without_folders() };
    harness = Harness::builder()
        .with_size(vec2(1280.0, 720.0))
        .with_max_steps(200)
        .wgpu()
        .build_eframe(move |cc| App::with_prefs_on(cc, None, prefs, &host));
    settle(&mut harness);
    display::picture(&mut harness, "start_page_damaged");
    let app = harness.state();
    let ctx = &harness.ctx;
    let mut recent = app.editor.prefs().recent.iter();
    assert!(recent.all(|recent| app.thumbnails.show(ctx, &recent.source).is_none()));
}

#[test]
fn the_program_ends_after_the_picture_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = with_folder(folder.path());
    steps(&mut harness, 1);
    wait(&mut harness, "the first picture", |app| !app.thumbnails.is_writing());
    assert_eq!(n_pictures(folder.path()), 1);
    fs::remove_dir_all(folder.path().join("thumbnails")).unwrap();
    harness.state_mut().trigger(Command::Quit);
    wait(&mut harness, "the end", |app| app.leaving);
    assert_eq!(n_pictures(folder.path()), 1);
}

#[test]
fn open_source_files_are_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("yard.obj"), SQUARE).unwrap();
    fs::write(at("yard.cfg"), "agent_radius=0.45\n").unwrap();
    fs::hard_link(at("yard.obj"), at("hard.obj")).unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(at("yard.obj"))));
    for name in ["yard.obj", "./yard.obj", "hard.obj", "yard.cfg"] {
        write_to(&mut harness, ExportKind::NAVMESH, &at(name));
        assert!(has_error(harness.state(), "is the open file"), "{name}");
        // No other command replaces it either.
        trigger(&mut harness, Command::Replace(ExportKind::Mesh(ExportFormat::Obj), at(name)));
        wait(&mut harness, "an answer", |app| !app.jobs.status().saves);
        assert_eq!(fs::read_to_string(at("yard.obj")).unwrap(), SQUARE, "{name}");
        assert_eq!(fs::read_to_string(at("yard.cfg")).unwrap(), "agent_radius=0.45\n");
        harness.state_mut().editor.clear_notices();
    }
    save_to(&mut harness, &at("yard.walkable"));
    let saved = fs::read(at("yard.walkable")).unwrap();
    write_to(&mut harness, ExportKind::Report, &at("yard.walkable"));
    assert!(has_error(harness.state(), "is the open file"));
    assert_eq!(fs::read(at("yard.walkable")).unwrap(), saved);
    // Settings are written back to their file, once the user has confirmed.
    write_to(&mut harness, ExportKind::Settings, &at("yard.cfg"));
    harness.text("Replace yard.cfg?");
}

#[test]
fn saving_over_another_project_asks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.walkable");
    fs::write(&path, "somebody's").unwrap();
    let mut harness = baked();
    write_to(&mut harness, ExportKind::Project, &path);
    harness.text("Replace other.walkable?");
    assert_eq!(fs::read(&path).unwrap(), b"somebody's");
    harness.by_id("replace.replace").click();
    wait(&mut harness, "saving", |app| app.editor.session().project.path.is_some());
    // The project owns the file from now on, and is saved without asking.
    let edit = with_radius(&document(&harness).settings, 0.45);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    trigger(&mut harness, Command::Save);
    wait(&mut harness, "saving", |app| !app.editor.session().is_unsaved());
    assert!(fs::read_to_string(&path).unwrap().contains("0.45"));
}

#[test]
fn two_editors_of_one_project_overwrite_each_other_only_after_a_confirmation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("course.walkable");
    let change = |harness: &mut Harness<'_, App>, to: f32| {
        let edit = with_radius(&document(harness).settings, to);
        trigger(harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    };
    let mut one = baked();
    save_to(&mut one, &path);
    let mut other = baked();
    trigger(&mut other, Command::Load(LevelSource::File(path.clone())));
    change(&mut other, 0.35);
    trigger(&mut other, Command::Save);
    wait(&mut other, "saving", |app| !app.editor.session().is_unsaved());
    change(&mut one, 0.55);
    trigger(&mut one, Command::Save);
    wait(&mut one, "a question", |app| app.panels.replace.is_open());
    settle(&mut one);
    one.text_with("It was changed on disk since it was opened here");
    assert!(fs::read_to_string(&path).unwrap().contains("0.35"));
    assert!(one.state().editor.session().is_unsaved());
    one.by_id("replace.replace").click();
    wait(&mut one, "saving", |app| !app.editor.session().is_unsaved());
    assert!(fs::read_to_string(&path).unwrap().contains("0.55"));
}

#[test]
fn work_that_cannot_be_kept_is_reported_and_retried() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = baked();
    harness.state_mut().keep_work_in(folder.path());
    // A folder with that name cannot be replaced, which simulates a full disk.
    let work = folder.path().join("running-0.walkable");
    fs::create_dir(&work).unwrap();
    let edit = with_radius(&document(&harness).settings, 0.45);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    let told = |app: &App| {
        app.editor
            .notices()
            .list()
            .iter()
            .any(|notice| notice.title.to_string().contains("not backed up"))
    };
    wait(&mut harness, "a notice", told);
    fs::remove_dir(&work).unwrap();
    let edit = with_radius(&document(&harness).settings, 0.5);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    wait(&mut harness, "keeping the work", |_| work.is_file());
}

#[test]
fn a_level_has_its_own_settings_or_the_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plain.obj");
    fs::write(&path, SQUARE).unwrap();
    let mut harness = baked();
    let defaults = walkable::bake::BakeSettings::default();
    let edit = with_radius(&document(&harness).settings, 1.25);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    harness.state_mut().editor.session_mut().path.filter.area_cost[3] = 17.0;
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    harness.by_id("unsaved.discard").click();
    wait(&mut harness, "opening", |app| {
        app.editor.session().name().as_deref() == Some("plain.obj")
    });
    settle(&mut harness);
    assert_eq!(document(&harness).settings, defaults);
    assert!((radius(&harness) - defaults.agent_radius).abs() < 1e-6);
    let cost = harness.state().editor.session().path.filter.area_cost[3];
    assert!((cost - 17.0).abs() > 1e-6, "the cost of the level before");
    let log = &harness.state().editor.session().log;
    assert!(
        log.iter().any(|line| line.text()
            == "plain.obj has no settings of its own; the default settings apply")
    );
}

#[test]
fn what_was_open_in_a_crashed_run_is_not_baked_automatically() {
    let folder = tempfile::tempdir().unwrap();
    let maze = LevelSource::Builtin("maze".to_owned());
    let mut harness = baked();
    harness.state_mut().keep_work_in(folder.path());
    trigger(&mut harness, Command::Load(maze.clone()));
    // A killed program runs no cleanup.
    harness.state_mut().recovery = None;
    let next = |last: LevelSource| {
        let prefs = Prefs { last: Some((last, None)), ..Prefs::default() };
        let builder = Harness::builder().with_size(vec2(1440.0, 900.0)).with_max_steps(200);
        builder.wgpu().build_eframe(|cc| {
            let mut app = App::with_prefs(cc, None, prefs);
            app.keep_work_in(folder.path());
            app
        })
    };
    let mut held = next(maze.clone());
    settle(&mut held);
    let session = held.state().editor.session();
    assert_eq!(session.name().as_deref(), Some("Maze"));
    assert!(session.bake.navmesh.is_none() && session.opened.hold_bake.is_some());
    held.text_with("did not exit properly while Maze was open");
    // Even after a change, only the user can resume the bake.
    let edit = with_radius(&document(&held).settings, 0.35);
    trigger(&mut held, Command::Change(Phrase::verbatim("Change radius"), edit));
    assert!(held.state().editor.session().bake.navmesh.is_none());
    trigger(&mut held, Command::Bake);
    assert!(held.state().editor.session().bake.navmesh.is_some());
    // The program ends normally, so the next start is a normal one.
    eframe::App::on_exit(held.state_mut());
    held.state_mut().recovery = None;
    let mut fine = next(maze);
    settle(&mut fine);
    steps(&mut fine, 1);
    assert!(fine.state().editor.session().bake.navmesh.is_some());
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_reported_and_block_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    assert!(std::process::Command::new("mkfifo").arg(at("pipe.obj")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", at("zero.glb")).unwrap();
    fs::write(at("pipe.gset"), "f pipe.obj\n").unwrap();
    let project = |level: &str| {
        format!(r#"{{"walkable_project":3,"level":{{"file":"{level}"}},"document":{{}}}}"#)
    };
    fs::write(at("pipe.walkable"), project("pipe.obj")).unwrap();
    fs::write(at("self.walkable"), project("self.walkable")).unwrap();
    fs::File::create(at("huge.cfg")).unwrap().set_len(1 << 40).unwrap();
    let mut harness = baked();
    for (name, words) in [
        ("pipe.obj", "a named pipe"),
        ("zero.glb", "a device"),
        ("pipe.gset", "a named pipe"),
        ("pipe.walkable", "a named pipe"),
        ("self.walkable", "is a project too"),
        ("huge.cfg", "16 MiB"),
    ] {
        trigger(&mut harness, Command::Load(LevelSource::File(at(name))));
        assert!(has_error(harness.state(), words), "{name}");
        assert_eq!(harness.state().editor.session().name().as_deref(), Some("Sample"));
        harness.state_mut().editor.clear_notices();
    }
    // A pipe is not written to either, because that would wait for a reader.
    trigger(&mut harness, Command::Replace(ExportKind::Report, at("pipe.obj")));
    wait(&mut harness, "an answer", |app| has_error(app, "a named pipe"));
}

#[test]
fn the_program_ends_after_the_requested_writes() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<_> = (0..3).map(|n| folder.path().join(format!("{n}.cfg"))).collect();
    let mut harness = baked();
    for path in &names {
        harness.state_mut().trigger(Command::ExportTo(ExportKind::Settings, path.clone()));
    }
    harness.state_mut().trigger(Command::Quit);
    wait(&mut harness, "the end", |app| app.leaving);
    assert!(names.iter().all(|path| path.is_file()));
}

#[test]
fn warnings_about_a_file_open_the_log_at_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.obj");
    let faces = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3\nf 1 3 4\nnonsense 1\n";
    fs::write(&path, faces).unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(path.clone())));
    assert!(!harness.state().panels.dock.is_in_front(Pane::Log));
    click(&mut harness, "log.show-file-lines");
    assert!(harness.state().panels.dock.is_in_front(Pane::Log));
    picture(&mut harness, "app-log");
    let log = &harness.state().editor.session().log;
    let odd = log.iter().find(|line| line.text().contains("line 7")).expect("the line is odd");
    assert!(odd.at.is_some(), "the window has a clock");
    let id = format!("log.line.{}", odd.serial);
    // The line leads to the file.
    click(&mut harness, &id);
    wait(&mut harness, "the dialog", |app| app.panels.browser.is_open());
}

#[test]
fn a_picture_of_the_view_is_saved_with_legend_and_scale_bar() {
    let folder = tempfile::tempdir().unwrap();
    let save = |harness: &mut Harness<'_, App>, name: &str| {
        let path = folder.path().join(name);
        trigger(harness, Command::PictureDialog);
        click(harness, "picture.size.1280");
        click(harness, "picture.save");
        wait(harness, "the dialog", |app| app.panels.browser.is_open());
        trigger(harness, Command::ExportTo(ExportKind::Picture, path.clone()));
        wait(harness, "the file", |_| path.exists());
        harness.state_mut().panels.close_top();
        settle(harness);
        image::open(&path).expect("a picture was written").into_rgb8()
    };
    let mut harness = baked();
    let full = save(&mut harness, "full.png");
    assert_eq!(full.dimensions(), (1280, 720));
    crate::testing::save(&image::DynamicImage::from(full.clone()).into_rgba8(), "app-saved");
    trigger(&mut harness, Command::PictureDialog);
    click(&mut harness, "picture.legend");
    click(&mut harness, "picture.scale-bar");
    click(&mut harness, "picture.cancel");
    let plain = save(&mut harness, "plain.png");
    let differs = |x: u32, y: u32| full.get_pixel(x, y) != plain.get_pixel(x, y);
    let n_in = |xs: std::ops::Range<u32>, ys: std::ops::Range<u32>| {
        ys.flat_map(|y| xs.clone().map(move |x| (x, y))).filter(|&(x, y)| differs(x, y)).count()
    };
    assert!(n_in(0..240, 0..300) > 1000, "the legend");
    assert!(n_in(0..300, 640..720) > 500, "the scale bar");
    assert_eq!(n_in(400..1280, 0..600), 0, "the rest");
    // The window shows its own size again.
    assert_ne!(harness.state().view.viewport.shown_size(), Some([1280, 720]));
}
