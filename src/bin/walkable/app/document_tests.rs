//! What is saved, recovered, kept and undone, in the whole program without a screen.

use std::fs;

use eframe::egui::{Key, Modifiers, accesskit::Role, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};

use super::{
    App, Command,
    tests::{baked, drag, press, radius, settle, steps, trigger, with_radius},
};
use crate::{
    command::{ExportKind, Pane, ToolKind},
    session::{Document, LevelSource, Thing},
};

fn document(harness: &Harness<'_, App>) -> Document {
    harness.state().session.document().clone()
}

fn change_radius(harness: &mut Harness<'_, App>, to: f32) {
    let edit = with_radius(&document(harness).settings, to);
    trigger(harness, Command::Change("Change radius".into(), edit));
}

/// Steps until `is` holds.
fn wait(harness: &mut Harness<'_, App>, what: &str, is: impl Fn(&App) -> bool) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
    while !is(harness.state()) {
        assert!(std::time::Instant::now() < deadline, "{what} does not happen");
        harness.step();
        std::thread::yield_now();
    }
}

fn save_to(harness: &mut Harness<'_, App>, path: &std::path::Path) {
    trigger(harness, Command::ExportTo(ExportKind::Project, path.to_owned()));
    wait(harness, "saving", |app| !app.session.is_unsaved() && app.session.project.is_some());
}

#[test]
fn a_project_comes_back_as_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("course.walkable");
    let mut harness = baked();
    change_radius(&mut harness, 0.45);
    trigger(&mut harness, Command::KeepPath);
    trigger(&mut harness, Command::KeepView);
    assert!(harness.state().session.is_unsaved());
    save_to(&mut harness, &path);
    let saved = document(&harness);
    // Saved again by its key, to the same file, after another change.
    change_radius(&mut harness, 0.5);
    press(&mut harness, Modifiers::COMMAND, Key::S);
    wait(&mut harness, "saving", |app| !app.session.is_unsaved());
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(document(&harness), saved);
    assert!(harness.state().session.is_unsaved(), "the file has the later radius");
    let mut other = baked();
    trigger(&mut other, Command::Load(LevelSource::File(path)));
    assert!((radius(&other) - 0.5).abs() < 1e-6);
    assert_eq!(document(&other).paths, saved.paths);
    assert_eq!(document(&other).views, saved.views);
    assert!(!other.state().session.is_unsaved());
    assert_eq!(other.state().session.project_name().as_deref(), Some("course.walkable"));
    assert_eq!(other.state().session.history.undo_label(), None);
}

#[test]
fn unsaved_work_is_not_lost_without_asking() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("course.walkable");
    let maze = || Command::Load(LevelSource::Builtin("maze".to_owned()));
    let name = |harness: &Harness<'_, App>| harness.state().session.name();
    let mut harness = baked();
    change_radius(&mut harness, 0.45);
    trigger(&mut harness, maze());
    harness.get_by_label("Cancel").click();
    settle(&mut harness);
    assert_eq!(name(&harness).as_deref(), Some("Sample"));
    assert!((radius(&harness) - 0.45).abs() < 1e-6);
    save_to(&mut harness, &path);
    change_radius(&mut harness, 0.55);
    trigger(&mut harness, maze());
    harness.get_by_label("Save").click();
    wait(&mut harness, "opening", |app| app.session.name().as_deref() == Some("Maze"));
    assert!(fs::read_to_string(&path).unwrap().contains("0.55"));
    settle(&mut harness);
    change_radius(&mut harness, 0.35);
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    harness.get_by_label("Do not save").click();
    wait(&mut harness, "opening", |app| app.session.name().as_deref() == Some("Sample"));
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
    // Killed: nothing of it ends in order.
    harness.state_mut().recovery = None;
    let mut next = baked();
    next.state_mut().keep_work_in(folder.path());
    let remedy = next.state().notices.list().iter().find_map(|notice| notice.remedy.clone());
    trigger(&mut next, remedy.expect("unsaved work is offered"));
    assert_eq!(document(&next), lost);
    assert!(next.state().session.is_unsaved());
    wait(&mut next, "keeping the work again", |_| work.exists());
    let aside = folder.path().join("recovered-1.walkable");
    wait(&mut next, "forgetting where it was", |_| !aside.exists());
}

#[test]
fn steps_of_history_are_gone_to_by_click() {
    let mut harness = baked();
    trigger(&mut harness, Command::ShowPanel(Pane::History));
    harness.get_by_label_contains("Nothing was changed yet");
    let before = document(&harness);
    for n in 0..4_u8 {
        let edit = with_radius(&before.settings, 0.3 + f32::from(n) * 0.05);
        trigger(&mut harness, Command::Change(format!("Step {n}").into(), edit));
    }
    harness.get_by_label("Step 1").click();
    settle(&mut harness);
    assert!((radius(&harness) - 0.35).abs() < 1e-6);
    harness.get_by_label("Step 3").click();
    settle(&mut harness);
    assert!((radius(&harness) - 0.45).abs() < 1e-6);
    harness.get_by_label("As opened").click();
    settle(&mut harness);
    assert_eq!(document(&harness), before);
}

#[test]
fn a_bake_box_limits_the_bake_until_it_is_undone() {
    let mut harness = baked();
    let n_polys = |harness: &Harness<'_, App>| {
        let navmesh = harness.state().session.bake.navmesh.clone().expect("a navmesh");
        navmesh.tiles().map(|tile| tile.polys.len()).sum::<usize>()
    };
    let whole = n_polys(&harness);
    trigger(&mut harness, Command::TopView);
    trigger(&mut harness, Command::ChooseTool(ToolKind::Bounds));
    steps(&mut harness, 60);
    let center = harness.get_by_label("3D viewport").rect().center();
    for at in [center + vec2(-60.0, -60.0), center + vec2(60.0, 60.0)] {
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
fn things_are_named_hidden_and_copied() {
    let mut harness = baked();
    trigger(&mut harness, Command::ChooseThing(Some(Thing::Volume(0))));
    steps(&mut harness, 3);
    let field = harness.get_by_role_and_label(Role::TextInput, "Name");
    field.focus();
    harness.step();
    press(&mut harness, Modifiers::COMMAND, Key::A);
    harness.get_by_role_and_label(Role::TextInput, "Name").type_text("Pond");
    harness.step();
    let revision = harness.state().session.revision();
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(document(&harness).volumes[0].name, "Pond");
    assert_eq!(harness.state().session.revision(), revision, "a name asks for no bake");
    harness.get_by_label("Hide pond").click();
    settle(&mut harness);
    assert!(document(&harness).volumes[0].hidden);
    harness.get_by_label("Show pond").click();
    settle(&mut harness);
    assert!(!document(&harness).volumes[0].hidden);
    assert_eq!(harness.state().session.history.undo_label(), Some("Show pond"));
}

#[test]
fn a_kept_path_is_taken_up_again() {
    let mut harness = baked();
    trigger(&mut harness, Command::KeepPath);
    let ends = |harness: &Harness<'_, App>| {
        let path = &harness.state().session.path;
        (path.start, path.end)
    };
    let before = ends(&harness);
    trigger(&mut harness, Command::ChooseThing(None));
    trigger(&mut harness, Command::ClearPath);
    harness.get_by_label("Path 1").click();
    settle(&mut harness);
    assert_eq!(ends(&harness), before);
    assert!(harness.state().session.path.answer.is_some());
}

#[test]
fn settings_are_kept_as_a_preset_of_the_project() {
    let mut harness = baked();
    change_radius(&mut harness, 0.45);
    harness.get_by_label("Presets").click();
    steps(&mut harness, 3);
    let field = harness.get_by_role_and_label(Role::TextInput, "Name of these settings");
    field.focus();
    harness.step();
    let field = harness.get_by_role_and_label(Role::TextInput, "Name of these settings");
    field.type_text("Goblin");
    steps(&mut harness, 2);
    harness.get_by_label("Keep").click();
    settle(&mut harness);
    change_radius(&mut harness, 0.3);
    if harness.query_by_label("Goblin").is_none() {
        harness.get_by_label("Presets").click();
        steps(&mut harness, 3);
    }
    harness.get_by_label("Goblin").click();
    settle(&mut harness);
    assert!((radius(&harness) - 0.45).abs() < 1e-6);
}

#[test]
fn distance_height_and_slope_are_measured() {
    let mut harness = baked();
    trigger(&mut harness, Command::ChooseTool(ToolKind::Measure));
    let (a, b) = (glam::Vec3::ZERO, glam::Vec3::new(3.0, 1.0, 4.0));
    trigger(&mut harness, Command::Measure(Some([a, b])));
    harness.get_by_label_contains("5.1 m");
    harness.get_by_label_contains("+1.00 m");
    harness.get_by_label_contains("11.3°");
}
