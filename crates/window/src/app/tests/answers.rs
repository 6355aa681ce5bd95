//! Tests of the explanation of paths and of fixes, in the whole program.

use std::{fmt::Write as _, fs};

use egui_kittest::Harness;
use glam::Vec3;
use tempfile::TempDir;
use walkable::{explain::Cause, query::PathStatus};
use walkable_editor::{
    command::{Command, FixCommand, PathCommand},
    session::{FixTarget, LevelSource, Look, Session, ToolKind},
    task::TaskId,
};

use super::{
    App, click,
    display::{picture, rest},
    document::wait,
    settle, steps, trigger,
};
use crate::testing::Find as _;

const START: Vec3 = Vec3::new(3.0, 0.0, 4.5);
const END: Vec3 = Vec3::new(17.0, 0.62, 4.5);

/// Adds a box whose front faces point outward.
fn add_box(obj: &mut String, n_boxes: &mut usize, [min, max]: [[f32; 3]; 2]) {
    for [x, y, z] in [
        [min[0], min[1], min[2]],
        [max[0], min[1], min[2]],
        [max[0], min[1], max[2]],
        [min[0], min[1], max[2]],
        [min[0], max[1], min[2]],
        [max[0], max[1], min[2]],
        [max[0], max[1], max[2]],
        [min[0], max[1], max[2]],
    ] {
        writeln!(obj, "v {x} {y} {z}").unwrap();
    }
    for side in [[0, 1, 2, 3], [4, 7, 6, 5], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]]
    {
        let side = side.map(|corner| corner + 8 * *n_boxes + 1);
        writeln!(obj, "f {} {} {} {}", side[0], side[1], side[2], side[3]).unwrap();
    }
    *n_boxes += 1;
}

/// Writes a level of two yards with a wall between them; the second yard is 0.62 m higher. The wall has two openings,
/// the second one with a sill of 1.3 m. A low wall crosses most of the first yard.
pub(super) fn yards() -> TempDir {
    let (mut obj, mut n) = (String::new(), 0);
    for corners in [
        [[0.0, -1.0, 0.0], [10.0, 0.0, 20.0]],
        [[10.0, -1.0, 0.0], [20.0, 0.62, 20.0]],
        [[0.0, 0.0, 9.9], [8.0, 1.0, 10.1]],
        [[9.6, 0.0, 0.0], [10.4, 3.0, 3.0]],
        [[9.6, 0.0, 6.0], [10.4, 3.0, 14.0]],
        [[9.6, 0.0, 14.0], [10.4, 1.3, 17.0]],
        [[9.6, 0.0, 17.0], [10.4, 3.0, 20.0]],
    ] {
        add_box(&mut obj, &mut n, corners);
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yards.obj"), obj).unwrap();
    let settings = "cell_size=0.2\ncell_height=0.1\nagent_max_climb=0.5\nagent_radius=0.4\n\
                    tile_size=32\n";
    fs::write(folder.path().join("yards.cfg"), settings).unwrap();
    folder
}

/// Returns the program at 1280 × 720 with a path from one yard to the other.
fn between_yards(folder: &TempDir) -> Harness<'static, App> {
    let builder = Harness::builder().with_size(eframe::egui::vec2(1280.0, 720.0));
    let builder = builder.with_max_steps(200);
    let mut harness = builder.wgpu().build_eframe(|cc| App::new(cc, None));
    settle(&mut harness);
    trigger(&mut harness, Command::Load(LevelSource::File(folder.path().join("yards.obj"))));
    trigger(&mut harness, Command::ChooseTool(ToolKind::Path));
    trigger(&mut harness, PathCommand::Start(START).into());
    trigger(&mut harness, PathCommand::End(END).into());
    let look = Look {
        target: Vec3::new(10.0, 0.5, 8.0),
        yaw: -2.4,
        pitch: 0.75,
        distance: 24.0,
        parallel: false,
    };
    harness.state_mut().view.viewport.look(look);
    harness.state_mut().editor.clear_notices();
    settle(&mut harness);
    harness
}

fn session<'a>(harness: &'a Harness<'_, App>) -> &'a Session {
    harness.state().editor.session()
}

fn path_status(harness: &Harness<'_, App>) -> PathStatus {
    session(harness).path.answer.as_ref().expect("both ends are placed").path.status
}

#[test]
fn a_broken_path_shows_its_obstacle_and_fixes() {
    let folder = yards();
    let mut harness = between_yards(&folder);
    let first = session(&harness).present_break().expect("the path is explained").clone();
    assert_eq!(first.cause, Cause::Step);
    assert!((first.place.x - 10.0).abs() < 0.7 && (4.5 - first.place.z).abs() < 1.6);
    let breaks = session(&harness).path_breaks().expect("they are drawn");
    assert!(!breaks.is_stale && !breaks.others.is_empty(), "{breaks:?}");
    harness.text_with("A step of 0.62 m is higher than the climb of 0.5 m");
    let n_labels = harness.n_texts("Step 0.62 m, climb 0.5 m");
    assert!(n_labels >= 2, "in the view and in the panel");
    harness.text_with("In the way of the path");
    rest(&mut harness);
    picture(&mut harness, "answers-break");

    harness.by_id("path.break.0").click();
    settle(&mut harness);
    let looked_at = session(&harness).tools.selection.map(|place| place.point);
    assert_eq!(looked_at, Some(first.place));

    let fixes = session(&harness).fixes_of(FixTarget::Path).unwrap().found().clone();
    assert!(fixes.fixes.len() >= 3, "{fixes:?}");
    harness.text_with("Off-mesh link of");
    rest(&mut harness);
    picture(&mut harness, "answers-fixes");
    let before = session(&harness).document().clone();
    harness.by_id("fix.apply.1").click();
    settle(&mut harness);
    assert_eq!(path_status(&harness), PathStatus::Complete);
    assert_eq!(session(&harness).history.undo_label().as_deref(), Some("Apply fix"));
    trigger(&mut harness, Command::Undo);
    assert_eq!(*session(&harness).document(), before);
    assert!(session(&harness).present_break().is_some(), "the break is back");
}

#[test]
fn fixes_of_a_broken_path_are_looked_for_without_a_click_and_can_be_stopped() {
    let folder = yards();
    let mut harness = between_yards(&folder);
    let n_found = |harness: &Harness<'_, App>| {
        session(harness).fixes_of(FixTarget::Path).map(|fixes| fixes.found().fixes.len())
    };
    assert!(n_found(&harness) >= Some(3));
    // Another tool does not show them.
    trigger(&mut harness, Command::ChooseTool(ToolKind::Select));
    trigger(&mut harness, PathCommand::End(END + Vec3::Z).into());
    assert_eq!(n_found(&harness), None);
    harness.state_mut().trigger(Command::ChooseTool(ToolKind::Path));
    wait(&mut harness, "the search", |app| app.editor.session().runs(TaskId::Fixes));
    trigger(&mut harness, FixCommand::Cancel.into());
    let n_before = n_found(&harness);
    steps(&mut harness, 10);
    assert!(!session(&harness).runs(TaskId::Fixes), "it is not begun again");
    assert!(n_before.is_some() && n_found(&harness) == n_before, "what was found stays");
    // A path that has changed is not waited for.
    harness.state_mut().trigger(PathCommand::End(END).into());
    wait(&mut harness, "the search", |app| app.editor.session().runs(TaskId::Fixes));
    harness.state_mut().trigger(PathCommand::End(START + Vec3::X).into());
    wait(&mut harness, "its end", |app| !app.editor.session().runs(TaskId::Fixes));
    settle(&mut harness);
    assert_eq!((path_status(&harness), n_found(&harness)), (PathStatus::Complete, None));
}

#[test]
fn a_fix_is_previewed_next_to_the_current_bake() {
    let folder = yards();
    let mut harness = between_yards(&folder);
    let before = session(&harness).document().clone();
    let navmesh = session(&harness).bake.navmesh.clone().unwrap();
    harness.by_id("fix.try-out.1").click();
    settle(&mut harness);
    assert!(session(&harness).has_whole_preview());
    assert_eq!(*session(&harness).document(), before);
    assert_eq!(path_status(&harness), PathStatus::Complete);
    harness.text_with("Now on the left, what if on the right");
    rest(&mut harness);
    picture(&mut harness, "answers-what-if");

    click(&mut harness, "fix.discard");
    assert!(std::sync::Arc::ptr_eq(&navmesh, session(&harness).bake.navmesh.as_ref().unwrap()));
    assert_eq!(*session(&harness).document(), before);
    assert_eq!(path_status(&harness), PathStatus::Partial);
    assert_eq!(session(&harness).divider(), None);

    trigger(&mut harness, Command::ToggleTheme);
    click(&mut harness, "fix.try-out.3");
    assert_eq!(path_status(&harness), PathStatus::Complete);
    rest(&mut harness);
    picture(&mut harness, "answers-what-if-light");
    let tried = session(&harness).bake.navmesh.clone().unwrap();
    click(&mut harness, "fix.keep");
    assert_ne!(*session(&harness).document(), before);
    assert!(session(&harness).preview.is_none() && !session(&harness).is_stale());
    let kept = session(&harness).bake.navmesh.as_ref().unwrap();
    assert!(std::sync::Arc::ptr_eq(&tried, kept), "the kept bake is reused");
    assert_eq!(path_status(&harness), PathStatus::Complete);
    trigger(&mut harness, Command::Undo);
    assert_eq!(*session(&harness).document(), before);
    assert_eq!(path_status(&harness), PathStatus::Partial);
    rest(&mut harness);
    picture(&mut harness, "answers-break-light");
}

#[test]
fn a_detour_is_explained_on_request() {
    let folder = yards();
    let mut harness = between_yards(&folder);
    trigger(&mut harness, PathCommand::Start(Vec3::new(2.0, 0.0, 9.0)).into());
    trigger(&mut harness, PathCommand::End(Vec3::new(2.0, 0.0, 11.0)).into());
    assert_eq!(path_status(&harness), PathStatus::Complete);
    assert!(session(&harness).path_finding().is_none(), "no explanation was requested");
    click(&mut harness, "fix.explain-path");
    harness.text_with("The path is a detour of");
    let breaks = session(&harness).path_breaks().expect("they are drawn");
    assert!(!breaks.first.is_empty() && breaks.others.is_empty());
    rest(&mut harness);
    picture(&mut harness, "answers-detour");
    trigger(&mut harness, PathCommand::End(Vec3::new(2.0, 0.0, 8.0)).into());
    assert!(session(&harness).path_finding().is_none(), "the path has changed");
}
