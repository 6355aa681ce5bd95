//! Tests of saving, recovery and undo, in the whole program without a screen.

use std::fs;

use eframe::egui::{self, Key, Modifiers, vec2};
use egui_kittest::Harness;
use walkable::diagnostic::Phrase;
use walkable_editor::{
    command::{
        ExportKind, LabCommand, Pane, PathCommand, ProposalCommand, SceneItemCommand, ViewCommand,
    },
    prefs::Prefs,
    session::{Document, LevelSource, Medium, SceneItem, Searcher, ToolKind},
};

use super::{
    App, Command, baked, click, drag, enlarge_drawer, press, radius, settle, steps, trigger,
    with_radius,
};
use crate::testing::{Find as _, picture};

pub(super) fn document(harness: &Harness<'_, App>) -> Document {
    harness.state().editor.session().document().clone()
}

fn change_radius(harness: &mut Harness<'_, App>, to: f32) {
    let edit = with_radius(&document(harness).settings, to);
    trigger(harness, Command::Change(Phrase::verbatim("Change radius"), edit));
}

fn is_work_offered(harness: &Harness<'_, App>) -> bool {
    let mut notices = harness.state().editor.notices().list().iter();
    notices.any(|notice| notice.title.to_string() == "Unsaved work was found")
}

/// Runs frames until `is` returns true.
pub(super) fn wait(harness: &mut Harness<'_, App>, what: &str, is: impl Fn(&App) -> bool) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
    while !is(harness.state()) {
        assert!(std::time::Instant::now() < deadline, "{what} does not happen");
        harness.step();
        std::thread::yield_now();
    }
}

pub(super) fn save_to(harness: &mut Harness<'_, App>, path: &std::path::Path) {
    trigger(harness, Command::ExportTo(ExportKind::Project, path.to_owned()));
    wait(harness, "saving", |app| {
        !app.editor.session().is_unsaved() && app.editor.session().project.path.is_some()
    });
}

#[test]
fn a_project_comes_back_as_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("course.walkable");
    let mut harness = baked();
    change_radius(&mut harness, 0.45);
    trigger(&mut harness, Command::from(PathCommand::Keep));
    trigger(&mut harness, Command::from(ViewCommand::Keep));
    assert!(harness.state().editor.session().is_unsaved());
    save_to(&mut harness, &path);
    let saved = document(&harness);
    // Saves again with the shortcut, to the same file, after another change.
    change_radius(&mut harness, 0.5);
    press(&mut harness, Modifiers::COMMAND, Key::S);
    wait(&mut harness, "saving", |app| !app.editor.session().is_unsaved());
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(document(&harness), saved);
    assert!(harness.state().editor.session().is_unsaved(), "the file has the later radius");
    let mut other = baked();
    trigger(&mut other, Command::Load(LevelSource::File(path)));
    assert!((radius(&other) - 0.5).abs() < 1e-6);
    assert_eq!(document(&other).paths, saved.paths);
    assert_eq!(document(&other).views, saved.views);
    assert!(!other.state().editor.session().is_unsaved());
    assert_eq!(other.state().editor.session().project_name().as_deref(), Some("course.walkable"));
    assert_eq!(other.state().editor.session().history.undo_label(), None);
}

#[test]
fn unsaved_work_is_not_lost_without_asking() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("course.walkable");
    let maze = || Command::Load(LevelSource::Builtin("maze".to_owned()));
    let name = |harness: &Harness<'_, App>| harness.state().editor.session().name();
    let mut harness = baked();
    change_radius(&mut harness, 0.45);
    trigger(&mut harness, maze());
    harness.by_id("unsaved.cancel").click();
    settle(&mut harness);
    assert_eq!(name(&harness).as_deref(), Some("Sample"));
    assert!((radius(&harness) - 0.45).abs() < 1e-6);
    save_to(&mut harness, &path);
    change_radius(&mut harness, 0.55);
    trigger(&mut harness, maze());
    harness.by_id("unsaved.save").click();
    wait(&mut harness, "opening", |app| app.editor.session().name().as_deref() == Some("Maze"));
    assert!(fs::read_to_string(&path).unwrap().contains("0.55"));
    settle(&mut harness);
    change_radius(&mut harness, 0.35);
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    harness.by_id("unsaved.discard").click();
    wait(&mut harness, "opening", |app| app.editor.session().name().as_deref() == Some("Sample"));
    assert!((radius(&harness) - 0.55).abs() < 1e-6);
}

#[test]
fn what_a_killed_program_had_not_saved_is_offered_and_opened() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = baked();
    harness.state_mut().keep_work_in(folder.path());
    change_radius(&mut harness, 0.45);
    let work = folder.path().join("running-0.walkable");
    wait(&mut harness, "keeping the work", |_| work.exists());
    let lost = document(&harness);
    // A killed program runs no cleanup.
    harness.state_mut().recovery = None;
    let mut next = baked();
    next.state_mut().keep_work_in(folder.path());
    let remedy =
        next.state().editor.notices().list().iter().find_map(|notice| notice.remedy.clone());
    trigger(&mut next, remedy.expect("unsaved work is offered"));
    assert_eq!(document(&next), lost);
    assert!(next.state().editor.session().is_unsaved());
    assert!(!is_work_offered(&next), "it is open");
    wait(&mut next, "keeping the work again", |_| work.exists());
    let aside = folder.path().join("recovered-1.walkable");
    wait(&mut next, "forgetting where it was", |_| !aside.exists());
}

#[test]
fn unsaved_work_is_listed_with_its_changes_and_discarded_after_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = baked();
    harness.state_mut().keep_work_in(folder.path());
    change_radius(&mut harness, 0.45);
    let work = folder.path().join("running-0.walkable");
    wait(&mut harness, "keeping the work", |_| work.exists());
    // A killed program runs no cleanup.
    harness.state_mut().recovery = None;
    let mut next = baked();
    next.state_mut().keep_work_in(folder.path());
    let aside = folder.path().join("recovered-1.walkable");
    assert!(is_work_offered(&next));
    trigger(&mut next, Command::RecoverWork);
    next.text_with("Contains: bake settings");
    click(&mut next, "recovery.0.compare");
    next.text_with("now 0.45 m");
    picture(&mut next, "app-recovery");
    // The dialog has become taller, and moves to the middle.
    steps(&mut next, 4);
    click(&mut next, "recovery.0.discard");
    assert!(aside.exists(), "a dialog asks first");
    next.by_id("recovery.0.delete").click();
    settle(&mut next);
    assert!(!aside.exists());
    next.text("No unsaved work was found.");
    assert!(!is_work_offered(&next), "it is gone");
}

#[test]
fn a_project_that_says_that_it_is_unsaved_work_is_not_removed() {
    let (unsaved, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut harness = baked();
    harness.state_mut().keep_work_in(unsaved.path());
    change_radius(&mut harness, 0.45);
    let work = unsaved.path().join("running-0.walkable");
    wait(&mut harness, "keeping the work", |_| work.exists());
    let received = folder.path().join("recovered-1.walkable");
    fs::copy(&work, &received).unwrap();
    let open = Command::Load(LevelSource::File(received.clone()));
    harness.state_mut().trigger_without_asking(open);
    settle(&mut harness);
    save_to(&mut harness, &folder.path().join("saved.walkable"));
    wait(&mut harness, "forgetting the work", |_| !work.exists());
    assert!(received.exists());
}

#[test]
fn a_click_goes_to_a_step_of_the_history() {
    let mut harness = baked();
    trigger(&mut harness, Command::ShowPanel(Pane::History));
    harness.text_with("No changes yet");
    let before = document(&harness);
    for n in 0..4_u8 {
        let edit = with_radius(&before.settings, 0.3 + f32::from(n) * 0.05);
        trigger(&mut harness, Command::Change(Phrase::verbatim(format!("Step {n}")), edit));
    }
    harness.by_id("history.done.2").click();
    settle(&mut harness);
    assert!((radius(&harness) - 0.35).abs() < 1e-6);
    harness.by_id("history.undone.1").click();
    settle(&mut harness);
    assert!((radius(&harness) - 0.45).abs() < 1e-6);
    harness.by_id("history.opened").click();
    settle(&mut harness);
    assert_eq!(document(&harness), before);
}

#[test]
fn a_bake_box_limits_the_bake_until_it_is_undone() {
    let mut harness = baked();
    let n_polys = |harness: &Harness<'_, App>| {
        let navmesh = harness.state().editor.session().bake.navmesh.clone().expect("a navmesh");
        navmesh.tiles().map(|tile| tile.polys.len()).sum::<usize>()
    };
    let whole = n_polys(&harness);
    trigger(&mut harness, Command::from(ViewCommand::Top));
    trigger(&mut harness, Command::ChooseTool(ToolKind::Bounds));
    steps(&mut harness, 60);
    let center = harness.by_id("viewport").rect().center();
    for at in [center + vec2(-120.0, -120.0), center + vec2(120.0, 120.0)] {
        harness.hover_at(at);
        harness.step();
        harness.drag_at(at);
        harness.drop_at(at);
        settle(&mut harness);
    }
    assert_eq!(document(&harness).bounds.len(), 1);
    let part = n_polys(&harness);
    assert!(part > 0 && part < whole, "{part} of {whole}");
    let before = document(&harness).bounds[0].of;
    drag(&mut harness, center, center + vec2(40.0, 0.0));
    let after = document(&harness).bounds[0].of;
    assert!(after.min.x > before.min.x, "the middle moves the box");
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(n_polys(&harness), whole);
}

#[test]
fn items_are_named_hidden_and_copied() {
    let mut harness = baked();
    trigger(&mut harness, Command::from(SceneItemCommand::Select(Some(SceneItem::Volume(0)))));
    steps(&mut harness, 3);
    let field = harness.by_id("object.name.volume-0");
    field.focus();
    harness.step();
    press(&mut harness, Modifiers::COMMAND, Key::A);
    harness.by_id("object.name.volume-0").type_text("Pond");
    harness.step();
    let revision = harness.state().editor.session().revision();
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(document(&harness).volumes[0].name, "Pond");
    assert_eq!(harness.state().editor.session().revision(), revision, "a new name needs no bake");
    harness.by_id("object.hide.volume-0").click();
    settle(&mut harness);
    assert!(document(&harness).volumes[0].hidden);
    harness.by_id("object.hide.volume-0").click();
    settle(&mut harness);
    assert!(!document(&harness).volumes[0].hidden);
    assert_eq!(harness.state().editor.session().history.undo_label().as_deref(), Some("Show pond"));
}

#[test]
fn a_saved_path_is_shown_again() {
    let mut harness = baked();
    trigger(&mut harness, Command::from(PathCommand::Keep));
    let ends = |harness: &Harness<'_, App>| {
        let path = &harness.state().editor.session().path;
        (path.start, path.end)
    };
    let before = ends(&harness);
    trigger(&mut harness, Command::from(SceneItemCommand::Select(None)));
    trigger(&mut harness, Command::from(PathCommand::Clear));
    harness.by_id("object.select.path-0").click();
    settle(&mut harness);
    assert_eq!(ends(&harness), before);
    assert!(harness.state().editor.session().path.answer.is_some());
}

#[test]
fn settings_are_kept_as_a_preset_of_the_project() {
    let mut harness = baked();
    change_radius(&mut harness, 0.45);
    harness.by_id("settings.presets").click();
    steps(&mut harness, 3);
    let field = harness.by_id("settings.preset-name");
    field.focus();
    harness.step();
    let field = harness.by_id("settings.preset-name");
    field.type_text("Goblin");
    steps(&mut harness, 2);
    harness.by_id("settings.keep-preset").click();
    settle(&mut harness);
    change_radius(&mut harness, 0.3);
    if harness.find_id("settings.own-preset.0").is_none() {
        harness.by_id("settings.presets").click();
        steps(&mut harness, 3);
    }
    harness.by_id("settings.own-preset.0").click();
    settle(&mut harness);
    assert!((radius(&harness) - 0.45).abs() < 1e-6);
}

#[test]
fn distance_height_and_slope_are_measured() {
    let mut harness = baked();
    trigger(&mut harness, Command::ChooseTool(ToolKind::Measure));
    let (a, b) = (glam::Vec3::ZERO, glam::Vec3::new(3.0, 1.0, 4.0));
    trigger(&mut harness, Command::from(ViewCommand::Measure(Some([a, b]))));
    harness.text_with("5.1 m");
    harness.text_with("+1.00 m");
    harness.text_with("11.3°");
}

#[test]
fn a_level_that_changes_on_disk_is_read_again_and_keeps_its_objects() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("yard.obj");
    // A mast in one corner and, later, a hut in another: the bounds of the level do not change.
    let ground = "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\nv 38 0 38\nv 38 9 38\nv 38 0 39\nf 5 6 7\n";
    fs::write(&path, ground).unwrap();
    fs::write(path.with_extension("cfg"), "tile_size=32\n").unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(path.clone())));
    trigger(&mut harness, Command::from(PathCommand::Start(glam::Vec3::new(5.0, 0.0, 5.0))));
    trigger(&mut harness, Command::from(PathCommand::End(glam::Vec3::new(35.0, 0.0, 35.0))));
    trigger(&mut harness, Command::from(PathCommand::Keep));
    let serials = |app: &App| {
        let tiles = app.editor.session().bake.tiles.iter();
        tiles.map(|(&at, tile)| (at, tile.serial)).collect::<Vec<_>>()
    };
    let before = serials(harness.state());
    let hut = "v 2 3 2\nv 2 3 4\nv 4 3 4\nv 4 3 2\nv 2 0 2\nv 4 0 2\nf 8 9 10 11\nf 11 8 12 13\n";
    fs::write(&path, format!("{ground}{hut}")).unwrap();
    wait(&mut harness, "reading it again", |app| {
        app.editor
            .session()
            .opened
            .level
            .as_ref()
            .is_some_and(|level| level.mesh.triangles().len() == 7)
    });
    settle(&mut harness);
    let after = serials(harness.state());
    let n_same = before.iter().filter(|tile| after.contains(tile)).count();
    assert!(n_same > 0 && n_same < before.len(), "{n_same} of {} tiles stay", before.len());
    assert_eq!(document(&harness).paths.len(), 1);
    assert!(harness.state().editor.session().path.answer.is_some());
    for stage in walkable_workspace::stage_view::StageView::ALL {
        trigger(&mut harness, Command::from(ViewCommand::Stage(stage)));
    }
}

#[test]
fn what_was_open_is_reopened_by_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("course.walkable");
    let mut harness = baked();
    save_to(&mut harness, &path);
    trigger(&mut harness, Command::from(ViewCommand::Top));
    steps(&mut harness, 60);
    let look = harness.state().editor.session().shown.look;
    let source = harness.state().editor.session().source();
    assert_eq!(source, Some(LevelSource::File(path)));
    let prefs = Prefs { last: source.zip(Some(look)), ..Prefs::default() };
    let builder = Harness::builder().with_size(vec2(1440.0, 900.0)).with_max_steps(200);
    let mut next = builder.wgpu().build_eframe(|cc| App::with_prefs(cc, None, prefs));
    settle(&mut next);
    steps(&mut next, 60);
    assert_eq!(next.state().editor.session().project_name().as_deref(), Some("course.walkable"));
    assert_eq!(next.state().editor.session().shown.look, look);
}

/// A file dropped onto the window by another program.
#[derive(Debug)]
pub(super) struct Dropped(pub(super) std::path::PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &std::path::Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn a_dropped_file_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("yard.obj");
    fs::write(&path, "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n").unwrap();
    let mut harness = baked();
    harness.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(path)));
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().name().as_deref(), Some("yard.obj"));
}

/// Returns the buffer of `yard.gltf`: the vertices of a yard `side` meters long.
fn yard_bin(side: f32) -> Vec<u8> {
    let corners = [[0.0; 3], [0.0, 0.0, side], [side, 0.0, 0.0], [side, 0.0, side]];
    corners.as_flattened().iter().flat_map(|n| n.to_le_bytes()).collect()
}

#[test]
fn a_level_in_gltf_is_opened_and_read_again_when_its_second_file_changes() {
    let folder = tempfile::tempdir().unwrap();
    let (path, beside) = (folder.path().join("yard.gltf"), folder.path().join("yard.bin"));
    let json = serde_json::json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "name": "yard", "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "mode": 5 }] }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4 }],
        "bufferViews": [{ "buffer": 0, "byteLength": 48 }],
        "buffers": [{ "uri": "yard.bin", "byteLength": 48 }],
    });
    fs::write(&path, json.to_string()).unwrap();
    fs::write(&beside, yard_bin(9.0)).unwrap();
    let mut harness = baked();
    harness.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(path)));
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().name().as_deref(), Some("yard.gltf"));
    harness.text("yard");
    assert!(!harness.state().editor.session().bake.tiles.is_empty());
    fs::write(&beside, yard_bin(12.0)).unwrap();
    wait(&mut harness, "reading it again", |app| {
        let level = app.editor.session().opened.level.as_ref();
        level.is_some_and(|level| level.mesh.bounds().max.x > 11.0)
    });
    // A damaged file is reported, and the level stays open.
    settle(&mut harness);
    let broken = folder.path().join("broken.glb");
    fs::write(&broken, b"glTF\x02\0\0\0\xff\xff\xff\xff").unwrap();
    trigger(&mut harness, Command::Load(LevelSource::File(broken)));
    assert_eq!(harness.state().editor.session().name().as_deref(), Some("yard.gltf"));
    harness.text_with("the file is cut off");
}

#[test]
fn the_lab_compares_walking_with_flying() {
    let mut harness = baked();
    trigger(&mut harness, Command::ShowPanel(Pane::Lab));
    harness.by_id("lab.run").click();
    settle(&mut harness);
    let lab = harness.state().editor.session().lab.clone();
    assert_eq!(lab.refused, []);
    assert_eq!(lab.rows.len(), lab.wanted.len());
    for row in &lab.rows {
        let name = row.searcher.name();
        assert!(row.why.is_none() && row.length > 1.0, "{name}: {:?}", row.why);
        assert!(row.recording.n_expansions() > 1, "{name}");
        let over = row.over_optimum().expect("all that is searched is small enough to compare");
        // Any-angle paths are shorter than paths with eight directions, and flights are shorter than paths with 26.
        let any = matches!(row.searcher.medium(), Medium::Air | Medium::Grid);
        assert!(over > if any { -0.09 } else { -1e-6 } && over < 0.3, "{name}: {over}");
    }
    let length = |searcher| lab.rows.iter().find(|row| row.searcher == searcher).map(|r| r.length);
    assert!(length(Searcher::Flight) < length(Searcher::Polyanya), "over the walls, not around");
    assert!(length(Searcher::Polyanya) <= length(Searcher::Detour));
    steps(&mut harness, 3);
    enlarge_drawer(&mut harness);
    click(&mut harness, "lab.row.hasty-flight");
    assert_eq!(harness.state().editor.session().lab.chosen, Some(Searcher::HastyFlight));
    let n_rows = lab.rows.len();
    picture(&mut harness, "lab");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lab.csv");
    trigger(&mut harness, Command::ExportTo(ExportKind::Lab, file.clone()));
    wait(&mut harness, "writing the table", |_| file.exists());
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), n_rows + 1);
    trigger(&mut harness, Command::from(PathCommand::Clear));
    trigger(&mut harness, Command::from(LabCommand::Run));
    harness.text_with("start and end to compare searches");
}

#[test]
fn scenes_of_recast_demo_are_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let level = folder.path().join("yard.obj");
    fs::write(&level, "v 0 0 0\nv 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n").unwrap();
    let settings = "agent_radius=0.45\ncylinder 1 10 -1 10 2 3\n";
    fs::write(level.with_extension("cfg"), settings).unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(level.clone())));
    let scene = folder.path().join("yard.gset");
    trigger(&mut harness, Command::ExportTo(ExportKind::Gset, scene.clone()));
    let told = |app: &App| {
        app.editor
            .notices()
            .list()
            .iter()
            .any(|notice| notice.title.to_string().contains("with losses"))
    };
    wait(&mut harness, "a list of what is lost", told);
    fs::remove_file(level.with_extension("cfg")).unwrap();
    // The scene applies even if its level is already open.
    let mut other = baked();
    trigger(&mut other, Command::Load(LevelSource::File(level)));
    assert!((radius(&other) - 0.6).abs() < 1e-6);
    trigger(&mut other, Command::Load(LevelSource::File(scene)));
    assert_eq!(other.state().editor.session().name().as_deref(), Some("yard.obj"));
    assert!((radius(&other) - 0.45).abs() < 1e-6);
    assert_eq!(document(&other).volumes.len(), 1);
}

#[test]
fn jumps_and_drops_are_proposed_and_accepted() {
    let mut harness = baked();
    trigger(&mut harness, Command::from(ProposalCommand::Propose));
    wait(&mut harness, "proposals", |app| !app.editor.session().proposals.list.is_empty());
    settle(&mut harness);
    let n = harness.state().editor.session().proposals.list.len();
    assert!(n > 3, "the sample has ledges, and {n} proposals");
    harness.by_id("proposal.accept.0").click();
    settle(&mut harness);
    assert_eq!(document(&harness).off_mesh.len(), 1);
    assert_eq!(harness.state().editor.session().proposals.list.len(), n - 1);
    picture(&mut harness, "link_proposals");
    for (number, held) in [(0, Modifiers::NONE), (2, Modifiers::SHIFT), (1, Modifiers::COMMAND)] {
        harness.by_id(format!("proposal.choose.{number}")).click_modifiers(held);
        settle(&mut harness);
    }
    harness.text("Accept selected (2)");
    harness.by_id("proposal.accept-chosen").click();
    settle(&mut harness);
    assert_eq!(document(&harness).off_mesh.len(), 3);
    assert_eq!(harness.state().editor.session().proposals.list.len(), n - 3);
    assert_eq!(
        harness.state().editor.session().history.undo_label().as_deref(),
        Some("Accept 2 off-mesh links")
    );
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(document(&harness).off_mesh.len(), 1);
    press(&mut harness, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    harness.by_id("proposal.accept-all").click();
    settle(&mut harness);
    assert_eq!(document(&harness).off_mesh.len(), n);
    let navmesh = harness.state().editor.session().bake.navmesh.clone().expect("a navmesh");
    let n_baked: usize = navmesh.tiles().map(|tile| tile.off_mesh.len()).sum();
    assert_eq!(n_baked, n);
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(document(&harness).off_mesh.len(), 3);
}

#[test]
fn a_canceled_save_does_not_end_the_program_later() {
    let mut harness = baked();
    change_radius(&mut harness, 0.45);
    trigger(&mut harness, Command::Quit);
    harness.by_id("unsaved.save").click();
    // Without a desktop the window asks for the path.
    wait(&mut harness, "asking for a path", |app| app.panels.browser.is_open());
    steps(&mut harness, 3);
    harness.by_id("browser.cancel").click();
    steps(&mut harness, 5);
    let folder = tempfile::tempdir().unwrap();
    save_to(&mut harness, &folder.path().join("course.walkable"));
    steps(&mut harness, 5);
    assert!(!harness.state().leaving, "the dialog was canceled with the save");
}
