//! Why there is no path, and what would help, in the whole window.

use std::{fmt::Write as _, fs};

use egui_kittest::{Harness, kittest::Queryable as _};
use glam::Vec3;
use tempfile::TempDir;
use walkable::{explain::Cause, query::PathStatus};
use walkable_editor::{
    command::{Command, PathCommand},
    session::{FixTarget, LevelSource, Look, ToolKind},
};

use super::{
    App,
    display::{picture, rest},
    settle, trigger,
};

const START: Vec3 = Vec3::new(3.0, 0.0, 4.5);
const END: Vec3 = Vec3::new(17.0, 0.62, 4.5);

/// Corners of a box and its six sides, fronts outside.
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

/// Two yards, the second 0.62 m higher, with a wall between them. It has two openings: in one there is the step alone, in
/// the other a sill of 1.3 m on it.
fn yards() -> TempDir {
    let (mut obj, mut n) = (String::new(), 0);
    for corners in [
        [[0.0, -1.0, 0.0], [10.0, 0.0, 20.0]],
        [[10.0, -1.0, 0.0], [20.0, 0.62, 20.0]],
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

/// The program at 1280 × 720 with a path from one yard to the other.
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
    settle(&mut harness);
    harness
}

#[test]
fn a_path_without_end_shows_its_break_and_what_mends_it() {
    let folder = yards();
    let mut harness = between_yards(&folder);
    let session = harness.state().editor.session();
    let first = session.present_break().expect("the path is analyzed by itself").clone();
    assert_eq!(first.cause, Cause::Step);
    assert!((first.place.x - 10.0).abs() < 0.7 && (4.5 - first.place.z).abs() < 1.6);
    let breaks = session.path_breaks().expect("they are drawn");
    assert_eq!((breaks.is_stale, breaks.others.len() > 0), (false, true), "{breaks:?}");
    harness.get_by_label_contains("A step of 0.62 m is higher than the climb of 0.5 m");
    // In the view, in its legend and in the panel.
    assert!(harness.query_all_by_label("Step 0.62 m, climb 0.5 m").count() >= 2);
    harness.get_by_label_contains("In the way of the path");
    rest(&mut harness);
    picture(&mut harness, "answers-break");

    harness.get_by_label("Go to: Step 0.62 m, climb 0.5 m").click();
    settle(&mut harness);
    let looked_at = harness.state().editor.session().selection.map(|place| place.point);
    assert_eq!(looked_at, Some(first.place));

    harness.get_by_label("Find fixes").click();
    settle(&mut harness);
    let fixes = harness.state().editor.session().fixes_of(FixTarget::Path).unwrap().found().clone();
    assert!(fixes.fixes.len() >= 3, "{fixes:?}");
    harness.get_by_label_contains("Off-mesh link of");
    rest(&mut harness);
    picture(&mut harness, "answers-fixes");
    let before = harness.state().editor.session().document().clone();
    harness.get_by_label("Apply fix 1").click();
    settle(&mut harness);
    let path = &harness.state().editor.session().path.answer.as_ref().unwrap().path;
    assert_eq!(path.status, PathStatus::Complete);
    trigger(&mut harness, Command::Undo);
    assert_eq!(*harness.state().editor.session().document(), before);
    assert!(harness.state().editor.session().present_break().is_some(), "it is back");
}
