//! Tests of the whole program without a screen: real levels, real bakes, mouse and keys.

mod answers;
mod changes;
mod check;
mod crowd;
mod display;
mod document;
mod files;
mod lab;
mod language;
mod links_and_volumes;
mod monkey;
mod path_tests;
mod preferences;
mod query;
mod repro;
mod response;
mod shell;
mod sweep;
mod tasks;
mod tile_cache;
mod tiles;
mod units;
mod world;

use std::{path::Path, time::Duration};

use eframe::egui::{Id, Key, Modifiers, Vec2, vec2};
use egui_kittest::{Harness, kittest::NodeT as _};
use glam::Vec3;
use walkable::{bake::BakeSettings, debug_draw::Paint, diagnostic::Phrase, export::ExportFormat};
use walkable_editor::{
    command::{ExportKind, LayoutCommand, Pane, PathCommand, ViewCommand},
    pictures::Batch,
    session::{Edit, Severity, ToolKind},
};
use walkable_workspace::stage_view::StageView;
use web_time::Instant;

use super::*;
use crate::testing::{Find as _, picture};

/// Maximum time of each small bake here.
const PATIENCE: Duration = Duration::from_mins(2);

/// Returns the program on the small sample, baked.
pub(super) fn baked() -> Harness<'static, App> {
    baked_in(vec2(1440.0, 900.0))
}

/// Returns the program in a window of this size.
pub(super) fn baked_in(size: Vec2) -> Harness<'static, App> {
    let harness = Harness::builder().with_size(size).with_max_steps(200);
    let mut harness = harness.wgpu().build_eframe(|cc| App::new(cc, None));
    settle(&mut harness);
    harness
}

/// Runs frames until no work is running or due and the 3D view is complete, then checks that every control has a name.
pub(super) fn settle(harness: &mut Harness<'_, App>) {
    let deadline = Instant::now() + PATIENCE;
    let mut idle = 0;
    while idle < 3 {
        assert!(
            Instant::now() < deadline,
            "still busy: {:?}, {:?}",
            harness.state().jobs.status(),
            harness.state().commands
        );
        harness.step();
        let app = harness.state();
        // New tiles fade in by the system's clock.
        idle = if app.is_busy() || app.view.changing { 0 } else { idle + 1 };
        std::thread::yield_now();
    }
    // Screen readers identify every control by its name.
    harness.check_accessibility();
}

pub(super) fn trigger(harness: &mut Harness<'_, App>, command: Command) {
    harness.state_mut().trigger(command);
    settle(harness);
}

/// Makes the drawer higher by dragging its border.
pub(super) fn enlarge_drawer(harness: &mut Harness<'_, App>) {
    let tab = harness.by_id("tab.lab").rect();
    let border = tab.left_top() - vec2(0.0, 1.0);
    drag(harness, border, border - vec2(0.0, 220.0));
    assert!(harness.by_id("tab.lab").rect().top() < tab.top() - 150.0);
}

/// Number of frames in which a list scrolls to a control.
pub(super) const SCROLL_STEPS: usize = 15;

/// Clicks a control, after scrolling to it.
pub(super) fn click(harness: &mut Harness<'_, App>, id: &str) {
    harness.by_id(id).scroll_to_me();
    steps(harness, SCROLL_STEPS);
    harness.by_id(id).click();
    settle(harness);
}

pub(super) fn press(harness: &mut Harness<'_, App>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    settle(harness);
}

pub(super) fn with_radius(settings: &BakeSettings, radius: f32) -> Edit {
    Edit::Settings(Box::new(BakeSettings { agent_radius: radius, ..settings.clone() }))
}

pub(super) fn radius(harness: &Harness<'_, App>) -> f32 {
    harness.state().editor.session().document().settings.agent_radius
}

pub(super) fn click_at(harness: &mut Harness<'_, App>, pos: egui::Pos2) {
    harness.hover_at(pos);
    harness.step();
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
        harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
        harness.step();
    }
    settle(harness);
}

#[test]
fn the_sample_opens_baked_with_a_path() {
    let harness = baked();
    let session = &harness.state().editor.session();
    assert_eq!(session.name().as_deref(), Some("Sample"));
    assert_eq!(session.bake.failures().collect::<Vec<_>>(), []);
    assert!(!session.bake.tiles.is_empty() && !session.is_stale());
    let polygons = session.bake.figure(StageView::Navmesh, None).count;
    assert!(polygons > Some(20), "{polygons:?}");
    let answer = session.path.answer.as_ref().expect("the sample comes with a path");
    assert_eq!(answer.path.status, walkable::query::PathStatus::Complete);
    assert!(harness.state().editor.notices().list().is_empty());
}

#[test]
fn a_path_leads_near_an_end_off_the_navmesh_if_allowed() {
    let mut harness = baked();
    let off = Vec3::new(34.0, 0.0, 10.0);
    trigger(&mut harness, PathCommand::End(off).into());
    harness.text("No path");
    let is_marked = |harness: &Harness<'_, App>| {
        let batches = Pictures::draw_at_once(harness.state().editor.session());
        let mut points = batches.iter().flat_map(Batch::lists).flat_map(|list| &list.points);
        points.any(|point| point.paint == Paint::End && point.at == off)
    };
    assert!(is_marked(&harness));
    harness.by_id("path.require-goal").scroll_to_me();
    settle(&mut harness);
    harness.by_id("path.require-goal").click();
    settle(&mut harness);
    harness.text("Partial");
    let path = &harness.state().editor.session().path.answer.as_ref().expect("an answer").path;
    let last = path.points.last().expect("a path");
    assert!(path.end.is_none() && last.distance(off) < 8.0, "it ends at {last}");
    assert!(is_marked(&harness));
    picture(&mut harness, "app-path-off-mesh");
}

#[test]
fn stages_are_chosen_by_click_and_by_key() {
    let mut harness = baked();
    harness.by_id("view.stage.regions").click();
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().shown.stage, StageView::Regions);
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    assert_eq!(harness.state().editor.session().shown.stage, StageView::Layers);
    press(&mut harness, Modifiers::NONE, Key::ArrowLeft);
    press(&mut harness, Modifiers::NONE, Key::ArrowLeft);
    assert_eq!(harness.state().editor.session().shown.stage, StageView::Distance);
}

#[test]
fn every_stage_has_a_time_and_a_count() {
    let harness = baked();
    for stage in StageView::ALL {
        let app = harness.state();
        let figure = app.figures.of(stage);
        if stage == StageView::Layers {
            // Layers are built on demand.
            assert_eq!((figure.count, figure.time), (None, None));
            continue;
        }
        assert!(figure.count > Some(0), "{stage:?}: {figure:?}");
        assert_eq!(figure.time.is_some(), stage != StageView::Input, "{stage:?}");
    }
}

#[test]
fn the_animation_runs_from_the_beginning_and_stops_at_a_choice() {
    let mut harness = baked();
    harness.key_press(Key::Space);
    harness.step();
    harness.step();
    assert_eq!(harness.state().editor.session().shown.stage, StageView::Input);
    assert!(harness.state().editor.session().shown.playing);
    harness.state_mut().editor.session_mut().play_on();
    assert_eq!(harness.state().editor.session().shown.stage, StageView::Slope);
    trigger(&mut harness, Command::from(ViewCommand::Stage(StageView::Detail)));
    assert!(!harness.state().editor.session().shown.playing);
}

#[test]
fn a_changed_setting_bakes_again_and_undo_brings_the_old_result_back() {
    let mut harness = baked();
    let count = |harness: &Harness<'_, App>| {
        harness.state().editor.session().bake.figure(StageView::Eroded, None).count
    };
    let (before, old) = (count(&harness), radius(&harness));
    let edit = with_radius(&harness.state().editor.session().document().settings, 1.5);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    assert!(!harness.state().editor.session().is_stale());
    let after = count(&harness);
    assert!(after < before, "a wider agent has less room: {after:?} of {before:?}");
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!((radius(&harness), count(&harness)), (old, before));
    press(&mut harness, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(count(&harness), after);
}

#[test]
fn a_drag_is_one_step_and_escape_takes_it_back() {
    let mut harness = baked();
    let settings = harness.state().editor.session().document().settings.clone();
    let old = radius(&harness);
    trigger(&mut harness, Command::Begin(Phrase::verbatim("Change radius")));
    for radius in [0.7, 0.8, 0.9] {
        trigger(&mut harness, Command::Apply(with_radius(&settings, radius)));
    }
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!((radius(&harness) - old).abs() < 1e-6);
    assert_eq!(harness.state().editor.session().history.undo_label(), None);
}

#[test]
fn without_auto_bake_the_result_is_called_out_of_date() {
    let mut harness = baked();
    trigger(&mut harness, Command::ToggleAutoBake);
    let edit = with_radius(&harness.state().editor.session().document().settings, 1.0);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    assert!(harness.state().editor.session().is_stale());
    harness.text_with("Out of date");
    trigger(&mut harness, Command::Bake);
    assert!(!harness.state().editor.session().is_stale());
}

#[test]
fn settings_that_cannot_be_baked_leave_the_old_result() {
    let mut harness = baked();
    let mut settings = harness.state().editor.session().document().settings.clone();
    settings.cell_size = -1.0;
    let edit = Edit::Settings(Box::new(settings));
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change voxel size"), edit));
    let bake = &harness.state().editor.session().bake;
    assert!(bake.error.is_some() && bake.navmesh.is_some());
    harness.text_with("Cannot bake:");
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(harness.state().editor.session().bake.error, None);
}

#[test]
fn a_stopped_bake_stays_stopped() {
    let mut harness = baked();
    let mut settings = harness.state().editor.session().document().settings.clone();
    // More than a thousand tiles, which take seconds.
    (settings.cell_size, settings.tile_size) = (0.05, 16);
    let edit = Edit::Settings(Box::new(settings));
    harness.state_mut().trigger(Command::Change(Phrase::verbatim("Change cell size"), edit));
    let started = Instant::now();
    let progress = loop {
        assert!(started.elapsed() < PATIENCE, "no bake begins");
        harness.step();
        let progress = harness.state().editor.session().bake.progress;
        if let Some(progress) = progress.filter(|progress| progress.n_tiles > 0) {
            break progress;
        }
    };
    assert!(progress.n_done < progress.n_tiles, "{progress:?}");
    trigger(&mut harness, Command::CancelBake);
    let bake = &harness.state().editor.session().bake;
    assert_eq!(bake.progress, None);
    assert!(bake.navmesh.is_some() && bake.tiles.len() < progress.n_tiles, "{progress:?}");
}

#[test]
fn the_palette_finds_settings_and_sets_them() {
    let mut harness = baked();
    trigger(&mut harness, Command::Palette);
    harness.by_id("palette.search").type_text("agent climb");
    settle(&mut harness);
    // The name is completed, and the value is typed after it.
    harness.key_press(Key::Enter);
    settle(&mut harness);
    harness.by_id("palette.search").type_text("50cm");
    settle(&mut harness);
    harness.text_with("Set max climb to 0.5 m");
    harness.key_press(Key::Enter);
    settle(&mut harness);
    assert!(!harness.state().panels.palette.is_open());
    let settings = &harness.state().editor.session().document().settings;
    assert!((settings.agent_max_climb - 0.5).abs() < 1e-6);
    assert_eq!(
        harness.state().editor.session().history.undo_label().as_deref(),
        Some("Change max climb")
    );
}

#[test]
fn the_palette_finds_commands_by_words() {
    let mut harness = baked();
    press(&mut harness, Modifiers::COMMAND, Key::K);
    let field = harness.by_id("palette.search");
    field.type_text("contours raw");
    harness.step();
    harness.key_press(Key::Enter);
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().shown.stage, StageView::ContoursRaw);
    assert!(!harness.state().panels.palette.is_open());
}

#[test]
fn the_palette_shows_last_what_has_no_effect_and_what_it_needs() {
    let mut harness = baked();
    trigger(&mut harness, Command::Palette);
    harness.by_id("palette.search").type_text("layers");
    settle(&mut harness);
    // The level is not prepared for obstacles.
    let export = Command::Export(ExportKind::Layers).id();
    let unavailable = harness.by_id(format!("palette.{export}"));
    let available = harness
        .by_id(format!("palette.{}", Command::from(ViewCommand::Stage(StageView::Layers)).id()));
    assert!(available.rect().bottom() < unavailable.rect().top());
    assert!(unavailable.accesskit_node().is_disabled());
    unavailable.click();
    settle(&mut harness);
    assert!(harness.state().panels.palette.is_open(), "nothing was carried out");
    harness.key_press(Key::Enter);
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().shown.stage, StageView::Layers);
}

#[test]
fn the_palette_grows_with_its_list() {
    let mut harness = baked();
    trigger(&mut harness, Command::Palette);
    let height = |harness: &Harness<'_, App>| {
        let palette = harness.ctx.memory(|memory| memory.area_rect(Id::unique("palette")));
        palette.expect("the palette is open").height()
    };
    harness.by_id("palette.search").type_text("close level");
    settle(&mut harness);
    assert!(height(&harness) < 120.0);
    for _ in 0.."close level".len() {
        harness.key_press(Key::Backspace);
    }
    settle(&mut harness);
    assert!(height(&harness) > 350.0);
}

#[test]
fn keys_without_effect_say_what_they_need() {
    let mut harness = baked();
    press(&mut harness, Modifiers::NONE, Key::Delete);
    let notices = harness.state().editor.notices().list();
    assert_eq!(notices.len(), 1);
    assert_eq!(notices[0].detail.to_string(), "Select an object first.");
}

#[test]
fn letters_typed_into_a_field_are_no_shortcuts() {
    let mut harness = baked();
    press(&mut harness, Modifiers::COMMAND, Key::K);
    press(&mut harness, Modifiers::NONE, Key::H);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.state().editor.session().shown.show_level);
    assert!(!harness.state().panels.palette.is_open());
    press(&mut harness, Modifiers::NONE, Key::H);
    assert!(!harness.state().editor.session().shown.show_level);
}

#[test]
fn a_broken_file_is_reported_until_it_is_read_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.obj");
    std::fs::write(&path, "v 0 0 0\nv 1 0 nan\nv 0 0 1\nf 1 2 3\n").unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    assert_eq!(harness.state().editor.session().name().as_deref(), Some("Sample"));
    let notice = &harness.state().editor.notices().list()[0];
    assert_eq!(notice.severity, Severity::Error);
    assert!(notice.detail.to_string().contains("line 2"), "{}", notice.detail);
    harness.by_id("notice.dismiss").click();
    settle(&mut harness);
    assert!(harness.state().editor.notices().list().is_empty());
}

#[test]
fn what_is_written_can_be_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = baked();
    let file = |name: &str| folder.path().join(name);
    for (kind, name) in [
        (ExportKind::NAVMESH, "out.bin"),
        (ExportKind::Mesh(ExportFormat::Obj), "out.obj"),
        (ExportKind::Report, "out.json"),
        (ExportKind::Settings, "out.cfg"),
    ] {
        harness.state_mut().trigger(Command::ExportTo(kind, file(name)));
        let deadline = Instant::now() + PATIENCE;
        while !file(name).exists() {
            assert!(Instant::now() < deadline, "{name} was not written");
            harness.step();
        }
        settle(&mut harness);
    }
    let polygons = |app: &App| -> usize {
        app.editor
            .session()
            .bake
            .navmesh
            .iter()
            .flat_map(|mesh| mesh.tiles())
            .map(|t| t.polys.len())
            .sum()
    };
    let expected = polygons(harness.state());
    trigger(&mut harness, Command::Load(LevelSource::File(file("out.bin"))));
    let app = harness.state();
    assert_eq!(
        (app.editor.session().name().as_deref(), polygons(app)),
        (Some("out.bin"), expected)
    );
    let report = std::fs::read(file("out.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert!(report["tiles"][0]["stage_ms"]["spans"].is_number(), "{report}");
}

#[test]
fn import_options_read_the_level_again_and_can_be_undone() {
    let mut harness = baked();
    let width = |harness: &Harness<'_, App>| {
        harness.state().editor.session().opened.level.as_ref().unwrap().mesh.bounds().size().x
    };
    let before = width(&harness);
    let import = walkable::mesh::ImportOptions { scale: 2.0, ..Default::default() };
    trigger(
        &mut harness,
        Command::Change(Phrase::verbatim("Change import options"), Edit::Import(import)),
    );
    assert!((width(&harness) - 2.0 * before).abs() < 1e-3);
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert!((width(&harness) - before).abs() < 1e-3);
}

#[test]
fn the_proposed_import_origin_is_taken_and_the_camera_follows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.obj");
    let rooms = include_str!("../../../../level-files/tests/data/rooms_grid.obj");
    std::fs::write(&path, rooms).unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    harness.text("Are the import options right?");
    trigger(&mut harness, Command::ImportOptions);
    click(&mut harness, "import.use-origin");
    settle(&mut harness);
    let session = harness.state().editor.session();
    let origin = session.document().import.origin.map(|n| n.to_string()).join(",");
    assert_eq!(origin, "691000,0,-5335000");
    assert!(session.opened.level.as_ref().unwrap().mesh.bounds().max.length() < 30.0);
    assert!(harness.state().view.viewport.camera().target.length() < 30.0);
    // Nothing is said again.
    harness.text("Are the import options right?");
}

#[test]
fn panels_fold_close_and_come_back() {
    let mut harness = baked();
    harness.by_id("tab.log").click();
    settle(&mut harness);
    harness.text_with("Opened Sample");
    trigger(&mut harness, Command::ShowPanel(Pane::Log));
    assert!(harness.n_texts_with("Opened Sample") == 0);
    trigger(&mut harness, Command::ShowPanel(Pane::Log));
    press(&mut harness, Modifiers::NONE, Key::F11);
    assert!(harness.n_texts_with("Opened Sample") == 0);
    press(&mut harness, Modifiers::NONE, Key::F11);
    harness.text_with("Opened Sample");
}

#[test]
fn a_tab_dragged_to_another_panel_stays_there() {
    let mut harness = baked();
    let tab = |harness: &Harness<'_, App>, name| harness.by_id(name).rect().center();
    let (log, inspector) = (tab(&harness, "tab.log"), tab(&harness, "tab.inspector"));
    drag(&mut harness, log, inspector + vec2(80.0, 0.0));
    settle(&mut harness);
    harness.text_with("Opened Sample");
    let moved = tab(&harness, "tab.log");
    assert!((moved.y - inspector.y).abs() < 1.0, "the log is on the right now: {moved}");
    assert!(
        harness.state().panels.dock.is_in_front(Pane::Settings),
        "the settings stay where they were"
    );
    trigger(&mut harness, LayoutCommand::Show(None).into());
    assert!(tab(&harness, "tab.log").distance(log) < 1.0);
}

#[test]
fn a_search_is_played_back_node_by_node() {
    let mut harness = baked();
    let n_nodes = harness.state().editor.session().path.n_expanded();
    assert!(n_nodes > 10, "{n_nodes}");
    let outcome = harness.render().unwrap();
    harness.by_id("path.replay.first").click();
    settle(&mut harness);
    for step in 1..=4 {
        harness.by_id("path.replay.on").click();
        settle(&mut harness);
        assert_eq!(harness.state().editor.session().path.replay.step, Some(step));
    }
    harness.text_with("4 of");
    assert_ne!(outcome.as_raw(), harness.render().unwrap().as_raw());
    harness.by_id("path.replay.back").click();
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().path.replay.step, Some(3));
    // Playback ends by itself and shows the same result.
    press(&mut harness, Modifiers::SHIFT, Key::R);
    let deadline = Instant::now() + PATIENCE;
    while harness.state().editor.session().path.replay.playing {
        assert!(Instant::now() < deadline);
        harness.step();
    }
    assert_eq!(harness.state().editor.session().path.replay.step, None);
}

#[test]
fn polyanya_is_no_longer_than_detour_and_says_when_it_cannot() {
    let mut harness = baked();
    let length = |harness: &Harness<'_, App>| {
        harness.state().editor.session().path.answer.as_ref().map(|answer| answer.path.length)
    };
    let detour = length(&harness).unwrap();
    click(&mut harness, "path.search-by.polyanya");
    assert!(length(&harness).unwrap() <= detour + 1e-3);
    harness.text("By Detour A*");
    let mut filter = harness.state().editor.session().path.filter.clone();
    filter.area_cost[1] = 5.0;
    trigger(&mut harness, Command::from(PathCommand::Filter(Box::new(filter))));
    harness.text("Not with Polyanya");
    click(&mut harness, "path.search-by.detour");
    harness.by_id("path.clear").scroll_to_me();
    steps(&mut harness, SCROLL_STEPS);
    harness.text("Complete");
}

#[test]
fn tools_are_taken_up_by_number() {
    let mut harness = baked();
    press(&mut harness, Modifiers::NONE, Key::Num2);
    assert_eq!(harness.state().editor.session().tools.tool, ToolKind::Path);
    assert_eq!(harness.state().view.tool.kind(), ToolKind::Path);
    harness.by_id("tool.select").click();
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().tools.tool, ToolKind::Select);
}

#[test]
fn clicks_in_the_view_place_a_path_and_a_drag_moves_it() {
    let mut harness = baked();
    trigger(&mut harness, Command::from(PathCommand::Clear));
    trigger(&mut harness, Command::from(ViewCommand::Top));
    press(&mut harness, Modifiers::NONE, Key::Num2);
    steps(&mut harness, 60);
    let view = harness.by_id("viewport").rect();
    let (a, b) = (view.center() + vec2(-60.0, 40.0), view.center() + vec2(80.0, 60.0));
    for at in [a, b] {
        harness.hover_at(at);
        harness.step();
        harness.drag_at(at);
        harness.drop_at(at);
        settle(&mut harness);
    }
    let path = &harness.state().editor.session().path;
    let (start, end) = (path.start.expect("a start"), path.end.expect("an end"));
    assert!(path.answer.is_some());
    assert!(end.x > start.x, "{start} to {end}: right in the picture is +x from above");
    drag(&mut harness, b, b + vec2(0.0, -60.0));
    let path = &harness.state().editor.session().path;
    assert_ne!(path.end, Some(end));
    assert_eq!(path.start, Some(start));
}

#[test]
fn a_volume_is_drawn_painted_and_moved() {
    let mut harness = baked();
    let n_before = harness.state().editor.session().document().volumes.len();
    trigger(&mut harness, Command::from(ViewCommand::Top));
    press(&mut harness, Modifiers::NONE, Key::Num3);
    steps(&mut harness, 60);
    let center = harness.by_id("viewport").rect().center();
    let corners = [vec2(-60.0, 0.0), vec2(60.0, 0.0), vec2(60.0, 70.0), vec2(-60.0, 70.0)];
    let click = |harness: &mut Harness<'_, App>, at: egui::Pos2| {
        harness.hover_at(at);
        harness.step();
        harness.drag_at(at);
        harness.drop_at(at);
        settle(harness);
    };
    for corner in corners {
        click(&mut harness, center + corner);
    }
    click(&mut harness, center + corners[0]);
    let volumes =
        |harness: &Harness<'_, App>| harness.state().editor.session().document().volumes.clone();
    assert_eq!(volumes(&harness).len(), n_before + 1);
    let grass = |harness: &Harness<'_, App>| {
        let navmesh = harness.state().editor.session().bake.navmesh.clone().expect("a navmesh");
        navmesh.tiles().flat_map(|tile| &tile.polys).filter(|poly| poly.area.0 == 4).count()
    };
    assert!(grass(&harness) > 0, "the ground inside is grass now");
    if let Some(folder) = std::env::var_os("WALKABLE_PICTURES") {
        steps(&mut harness, 60);
        let file = Path::new(&folder).join("volume.png");
        harness.render().unwrap().save(file).unwrap();
    }
    let before = volumes(&harness);
    drag(&mut harness, center + vec2(0.0, 35.0), center + vec2(30.0, 35.0));
    settle(&mut harness);
    assert_ne!(volumes(&harness), before);
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(volumes(&harness), before);
    press(&mut harness, Modifiers::NONE, Key::Delete);
    assert_eq!(grass(&harness), 0);
}

#[test]
fn an_object_is_left_out_from_the_list() {
    let mut harness = baked();
    let n_polys = |harness: &Harness<'_, App>| {
        let navmesh = harness.state().editor.session().bake.navmesh.clone().expect("a navmesh");
        navmesh.tiles().map(|tile| tile.polys.len()).sum::<usize>()
    };
    let before = n_polys(&harness);
    let level = harness.state().editor.session().opened.level.clone().expect("a level");
    let ground = level.mesh.parts().iter().position(|part| &*part.object == "ground").unwrap();
    harness.by_id(format!("level.surface-menu.{ground}")).click();
    steps(&mut harness, 3);
    harness.by_id("level.surface.object").click();
    steps(&mut harness, 3);
    harness.by_id("level.surface.left-out").click();
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().document().surfaces.len(), 1);
    assert!(n_polys(&harness) < before, "no ground, fewer polygons");
    harness.text("Left out");
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(n_polys(&harness), before);
}

#[test]
fn a_link_is_placed_baked_edited_and_deleted() {
    let mut harness = baked();
    trigger(&mut harness, Command::from(ViewCommand::Top));
    press(&mut harness, Modifiers::NONE, Key::Num4);
    steps(&mut harness, 60);
    let view = harness.by_id("viewport").rect();
    for at in [view.center() + vec2(-60.0, 40.0), view.center() + vec2(80.0, 60.0)] {
        harness.hover_at(at);
        harness.step();
        harness.drag_at(at);
        harness.drop_at(at);
        settle(&mut harness);
    }
    let connections = |harness: &Harness<'_, App>| {
        let navmesh = harness.state().editor.session().bake.navmesh.clone().expect("a navmesh");
        navmesh.tiles().map(|tile| tile.off_mesh.len()).sum::<usize>()
    };
    assert_eq!(connections(&harness), 1);
    assert_eq!(harness.n_texts("Off-mesh link 1"), 1, "in the list");
    harness.by_id("object.name.link-0");
    harness.by_id("link.bidirectional").click();
    settle(&mut harness);
    assert!(!harness.state().editor.session().document().off_mesh[0].bidirectional);
    picture(&mut harness, "link");
    press(&mut harness, Modifiers::NONE, Key::Delete);
    assert_eq!(harness.state().editor.session().document().off_mesh, []);
    assert_eq!(connections(&harness), 0);
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(connections(&harness), 1);
}

#[test]
fn a_drag_without_the_tool_turns_the_view_and_places_nothing() {
    let mut harness = baked();
    steps(&mut harness, 60);
    let before = harness.render().unwrap();
    let center = harness.by_id("viewport").rect().center();
    let button = egui::PointerButton::Middle;
    let event = |pos, pressed| egui::Event::PointerButton {
        pos,
        button,
        pressed,
        modifiers: Modifiers::NONE,
    };
    harness.hover_at(center);
    harness.event(event(center, true));
    harness.step();
    for step in 1..=5_u8 {
        harness.hover_at(center + vec2(f32::from(step) * 20.0, 0.0));
        harness.step();
    }
    harness.event(event(center + vec2(100.0, 0.0), false));
    steps(&mut harness, 30);
    assert_ne!(before.as_raw(), harness.render().unwrap().as_raw());
    assert_eq!(harness.state().editor.session().tools.selection, None);
}

pub(super) fn steps(harness: &mut Harness<'_, App>, n: usize) {
    for _ in 0..n {
        harness.step();
    }
}

pub(super) fn drag(harness: &mut Harness<'_, App>, from: egui::Pos2, to: egui::Pos2) {
    harness.hover_at(from);
    harness.step();
    harness.drag_at(from);
    harness.step();
    for part in 1..=5_u8 {
        harness.hover_at(from.lerp(to, f32::from(part) / 5.0));
        harness.step();
    }
    harness.drop_at(to);
    settle(harness);
}

#[test]
fn a_level_in_centimeters_brings_a_hint_that_leads_to_the_import_options() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.obj");
    std::fs::write(&path, "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nf 1 2 3 4\n").unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    let notice = &harness.state().editor.notices().list()[0];
    assert_eq!(notice.remedy, Some(Command::ImportOptions));
    assert!(notice.detail.to_string().contains("too small"), "{}", notice.detail);
    harness.by_id("notice.file.import-options").click();
    settle(&mut harness);
    harness.text_with("too small for the agent");
}

#[test]
fn settings_next_to_a_level_are_loaded_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hill.obj");
    let level = walkable::level::builtin("spiral").unwrap();
    std::fs::write(&path, level.obj).unwrap();
    std::fs::write(path.with_extension("cfg"), "tile_size=40\nagent_radius=0.45\n").unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    assert!((radius(&harness) - 0.45).abs() < 1e-6);
    assert!(harness.state().editor.session().bake.tiles.len() > 1);
    assert_eq!(harness.state().editor.session().history.undo_label(), None);
}

#[test]
fn a_level_without_ground_names_the_stage_that_removed_it() {
    let mut harness = baked();
    let edit = with_radius(&harness.state().editor.session().document().settings, 30.0);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    let said = "walkable spans, erosion by radius removed ";
    harness.text_with(said);
    let session = &harness.state().editor.session();
    let logged = session.log.iter().any(|entry| entry.text().contains(said));
    assert!(logged && session.bake.ground_removal.is_some());
    picture(&mut harness, "app-no-ground");
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert!(harness.n_texts_with("Nothing is walkable") == 0);
}

#[test]
fn an_agent_walks_along_the_path() {
    let mut harness = baked();
    trigger(&mut harness, Command::ChooseTool(ToolKind::Path));
    harness.by_id("path.walk").click();
    steps(&mut harness, 3);
    let session = harness.state().editor.session();
    assert!(session.path.walk.is_some());
    harness.state_mut().editor.session_mut().path.walk = Some(9.0);
    harness.step();
    picture(&mut harness, "path_walk");
    harness.by_id("path.walk").click();
    steps(&mut harness, 3);
    assert_eq!(harness.state().editor.session().path.walk, None);
}
