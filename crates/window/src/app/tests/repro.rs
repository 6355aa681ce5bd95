//! Tests of repro files and of pasted positions, in the whole program.

use std::{fs, path::Path, sync::Arc};

use eframe::egui::{Event, Key, Modifiers, OutputCommand, vec2};
use egui_kittest::Harness;
use glam::Vec3;
use walkable::diagnostic::Phrase;
use walkable_editor::{
    command::{Command, ExportKind, PathCommand, ViewCommand},
    jobs::{ask_file::Purpose, export::repro_link},
    session::{LevelSource, Session, Severity},
};
use walkable_workspace::repro::{Repro, ReproQuery, ReproScene, ReproStatus};

use super::{
    App, baked,
    document::{Dropped, document, save_to, wait},
    files::choose_file,
    press, settle, trigger, with_radius,
};
use crate::{host::Host, testing::Find as _};

fn session<'a>(harness: &'a Harness<'_, App>) -> &'a Session {
    harness.state().editor.session()
}

/// Clicks the control of an export, accepts `path` in the dialog that is shown without a desktop, and reads the file.
fn save_repro(harness: &mut Harness<'_, App>, kind: ExportKind, path: &Path) -> Repro {
    let id = Command::Export(kind).id();
    harness.by_id(&*id).click();
    // Without a desktop, the program asks for a path once it has found that no dialog can be shown.
    wait(harness, "the question", |app| app.panels.browser.is_open());
    choose_file(harness, Purpose::Export(kind), path);
    settle(harness);
    wait(harness, "saving", |app| !app.jobs.status().saves);
    Repro::read(path).expect("it was written")
}

#[test]
fn a_saved_path_opens_as_an_unsaved_project_with_the_same_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("path.repro");
    let mut harness = baked();
    let edit = with_radius(&document(&harness).settings, 0.45);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    let far = Vec3::new(34.0, 0.0, 10.0);
    trigger(&mut harness, PathCommand::End(far).into());
    trigger(&mut harness, PathCommand::RequireGoal(false).into());
    let repro = save_repro(&mut harness, ExportKind::PathRepro, &path);
    let terms = session(&harness).path.terms().expect("both ends are placed");
    assert_eq!(repro.query, ReproQuery::Path(terms.clone().into()));
    assert_eq!(repro.actual.status, ReproStatus::Partial);
    let ReproScene::Level(level) = &repro.scene else { panic!("a level") };
    let mesh = Arc::clone(&session(&harness).opened.level.as_ref().expect("a level").mesh);
    assert_eq!((&level.mesh, level.document.settings.agent_radius), (&mesh, 0.45));

    let mut other = baked();
    other.input_mut().dropped_files.push(Arc::new(Dropped(path.clone())));
    settle(&mut other);
    let opened = session(&other);
    assert_eq!(opened.opened.level.as_ref().map(|level| &level.mesh), Some(&mesh));
    assert_eq!(opened.document().settings, level.document.settings);
    assert_eq!(opened.path.terms(), Some(terms));
    let status = opened.path.answer.as_ref().expect("the path is searched").path.status;
    assert_eq!(status, walkable::query::PathStatus::Partial);
    assert!(opened.project.path.is_none() && opened.is_unsaved());
    let is_logged = |text: &str| text.starts_with("path.repro: walkable ");
    assert!(opened.log.iter().any(|entry| is_logged(&entry.text())));

    // The level can be saved as a project, whose level is the repro file.
    let edit = with_radius(&document(&other).settings, 0.35);
    trigger(&mut other, Command::Change(Phrase::verbatim("Change radius"), edit));
    let project = folder.path().join("path.walkable");
    save_to(&mut other, &project);
    let mut third = baked();
    trigger(&mut third, Command::Load(LevelSource::File(project)));
    assert_eq!(document(&third), document(&other));
    assert_eq!(session(&third).opened.level.as_ref().map(|level| &level.mesh), Some(&mesh));
}

#[test]
fn a_link_that_contains_the_repro_of_the_path_is_copied_in_a_web_page() {
    let page = "https://example.com/walkable/";
    let host = Host { page: Some(page.to_owned()), ..Host::without_folders() };
    let harness = Harness::builder().with_size(vec2(1280.0, 720.0)).with_max_steps(200);
    let mut harness = harness.wgpu().build_eframe(move |cc| App::on(cc, None, &host));
    settle(&mut harness);
    harness.state_mut().trigger(Command::CopyLink(ExportKind::PathRepro));
    harness.step();
    let copied =
        harness.output().platform_output.commands.iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
    let link = repro_link(session(&harness), ExportKind::PathRepro).unwrap();
    assert_eq!(copied, Some(format!("{page}{link}")));
    let mut notices = harness.state().editor.notices().list().iter();
    assert!(notices.any(|notice| notice.title.to_string() == "Link copied"));
}

#[test]
fn a_saved_place_opens_selected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("place.repro");
    let mut harness = baked();
    let id = Command::Export(ExportKind::PlaceRepro).id();
    assert!(harness.find_id(&*id).is_none(), "no place is selected");
    let place = session(&harness).path.start.expect("the sample has a path") + Vec3::Y * 0.01;
    trigger(&mut harness, ViewCommand::LookAt(place).into());
    let repro = save_repro(&mut harness, ExportKind::PlaceRepro, &path);
    assert_eq!(repro.query, ReproQuery::At(place));
    assert_eq!(repro.actual.status, ReproStatus::Walkable);
    let mut other = baked();
    trigger(&mut other, Command::Load(LevelSource::File(path.clone())));
    assert_eq!(session(&other).tools.selection.map(|place| place.point), Some(place));

    // The open repro file is not replaced by an export.
    let before = fs::read(&path).unwrap();
    trigger(&mut other, Command::Replace(ExportKind::PlaceRepro, path.clone()));
    wait(&mut other, "an answer", |app| !app.jobs.status().saves);
    settle(&mut other);
    let mut notices = other.state().editor.notices().list().iter();
    assert!(notices.any(|notice| notice.detail.to_string().contains("is the open file")));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_navmesh_of_a_repro_opens_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut harness = baked();
    trigger(&mut harness, Command::ExportTo(ExportKind::NAVMESH, at("mesh.bin")));
    wait(&mut harness, "saving", |app| !app.jobs.status().saves);
    let ends = session(&harness).path.ends().expect("the sample has a path");
    trigger(&mut harness, Command::Load(LevelSource::File(at("mesh.bin"))));
    trigger(&mut harness, PathCommand::Ends(ends).into());
    let repro = save_repro(&mut harness, ExportKind::PathRepro, &at("path.repro"));
    assert!(matches!(repro.scene, ReproScene::Navmesh { .. }));
    let mut other = baked();
    trigger(&mut other, Command::Load(LevelSource::File(at("path.repro"))));
    assert_eq!(session(&other).path.ends(), Some(ends));
    assert!(session(&other).opened.level.is_none() && session(&other).path.answer.is_some());
}

#[test]
fn a_damaged_repro_is_refused_and_what_is_open_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.repro");
    fs::write(&path, "{\"walkable_repro\": 1, \"program\": 3}").unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    let mut notices = harness.state().editor.notices().list().iter();
    assert!(notices.any(|notice| notice.severity == Severity::Error
        && notice.detail.to_string().contains("not a Walkable repro file")));
    assert_eq!(session(&harness).name().as_deref(), Some("Sample"));
}

fn paste(harness: &mut Harness<'_, App>, text: &str) {
    harness.event(Event::Paste(text.to_owned()));
    settle(harness);
}

#[test]
fn pasted_positions_become_the_path_or_the_selected_place() {
    let mut harness = baked();
    paste(&mut harness, "LogAI: no path from X=1.0 Y=0.0 Z=3.0 to X=4.0 Y=0.5 Z=6.0");
    let ends = [Vec3::new(1.0, 0.0, 3.0), Vec3::new(4.0, 0.5, 6.0)];
    assert_eq!(session(&harness).path.ends(), Some(ends));
    assert!(session(&harness).path.answer.is_some());
    paste(&mut harness, "stuck at (7, 0, 8)");
    let selected = session(&harness).tools.selection.map(|place| place.point);
    assert_eq!(selected, Some(Vec3::new(7.0, 0.0, 8.0)));
    assert_eq!(session(&harness).path.ends(), Some(ends));
    paste(&mut harness, "capsule at (7, 1.25, 8)");
    harness.text_with("The place is put on the floor, 1.25 m below its position");
    assert_eq!(session(&harness).tools.selection.map(|place| place.point), selected);
    paste(&mut harness, "nothing here");
    harness.text("Cannot paste");
    assert_eq!(session(&harness).path.ends(), Some(ends));

    // Text that is pasted into a field stays in that field.
    press(&mut harness, Modifiers::COMMAND, Key::G);
    paste(&mut harness, "(1, 2, 3) (4, 5, 6)");
    assert_eq!(session(&harness).path.ends(), Some(ends));
}
