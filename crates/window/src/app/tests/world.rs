//! Tests of levels larger than memory, in the whole program without a screen.

use std::path::PathBuf;

use eframe::egui::{Key, Modifiers, pos2};
use egui_kittest::Harness;
use walkable::mesh::{BinnedWriter, TriMesh};
use walkable_editor::{
    prefs::MemoryBudget,
    session::{Hover, LevelSource, World},
};

use super::{
    App, Command, PathCommand, Vec3, ViewCommand, baked, click_at, press, settle, trigger,
};
use crate::testing::{Find as _, picture};

/// Squares along each side of the level, each of two triangles.
const N: u16 = 270;
/// Side of a square, in meters.
const STEP: f32 = 0.3;

/// Hills with more triangles than fit the smallest budget.
fn write_level(folder: &tempfile::TempDir) -> PathBuf {
    let at = |x: u16, z: u16| {
        let (x, z) = (f32::from(x) * STEP, f32::from(z) * STEP);
        Vec3::new(x, 2.0 * (x * 0.15).sin() * (z * 0.1).cos(), z)
    };
    let vertices = (0..=N).flat_map(|z| (0..=N).map(move |x| at(x, z))).collect();
    let index = |x: u16, z: u16| u32::from(z) * u32::from(N + 1) + u32::from(x);
    let quad = |(x, z)| {
        let [a, b, c, d] = [index(x, z), index(x, z + 1), index(x + 1, z + 1), index(x + 1, z)];
        [[a, b, c], [a, c, d]]
    };
    let squares = (0..N).flat_map(|z| (0..N).map(move |x| (x, z)));
    let mesh = TriMesh::new(vertices, squares.flat_map(quad).collect()).unwrap();
    let mut writer = BinnedWriter::new(Vec::new(), 10.0).unwrap();
    writer.add(&mesh).unwrap();
    let path = folder.path().join("hills.tri");
    std::fs::write(&path, writer.finish().unwrap()).unwrap();
    path
}

fn opened(folder: &tempfile::TempDir) -> Harness<'static, App> {
    let path = write_level(folder);
    let mut harness = baked();
    harness.state_mut().editor.prefs_mut().memory = MemoryBudget { mib: 64 };
    settle(&mut harness);
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    harness
}

fn world(harness: &Harness<'_, App>) -> World {
    harness.state().editor.session().world().expect("a part is loaded").clone()
}

fn n_tiles(harness: &Harness<'_, App>) -> usize {
    harness.state().editor.session().bake.tiles.len()
}

/// Clicks the map at a part of its width and height.
fn click_map(harness: &mut Harness<'_, App>, x: f32, y: f32) {
    let map = harness.by_id("level.minimap").rect();
    click_at(harness, pos2(map.left() + x * map.width(), map.top() + y * map.height()));
}

#[test]
fn a_level_larger_than_memory_is_opened_and_its_part_moves() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = opened(&folder);
    let first = world(&harness);
    let (n_part, n_all) = (65_536, 2 * usize::from(N) * usize::from(N));
    let n = harness.state().editor.session().level.as_ref().unwrap().mesh.triangles().len();
    assert!(n_all == first.n_triangles && (n_part / 2..=n_part * 5 / 4).contains(&n), "{n}");
    harness.text("Part 50 × 50 m of 81 × 81 m");
    assert!(n_tiles(&harness) >= 1);
    picture(&mut harness, "world");

    click_map(&mut harness, 0.95, 0.9);
    let moved = world(&harness);
    assert!(moved.part.max.x > 80.9 && moved.part.max.z > 80.9, "{:?}", moved.part);
    let looks_at = harness.state().editor.session().look.unwrap().target;
    assert!(moved.is_loaded(looks_at), "the camera follows: {looks_at}");
    assert!(n_tiles(&harness) >= 1);

    let place = Hover { point: Vec3::new(2.0, 0.0, 3.0), triangle: None };
    trigger(&mut harness, Command::Select(Some(place)));
    harness.text("This part of the level is not loaded.");
    harness.by_id("view.work-here").click();
    settle(&mut harness);
    assert!(world(&harness).part.min.x < 0.1 && world(&harness).is_loaded(place.point));

    trigger(&mut harness, ViewCommand::AskPlace.into());
    harness.by_id("go-to.place").type_text("75 0 40");
    harness.step();
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert!(world(&harness).part.max.x > 80.9);
    let part = world(&harness).part;
    trigger(&mut harness, ViewCommand::AskPlace.into());
    harness.by_id("go-to.place").type_text("70 0 41");
    harness.step();
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(world(&harness).part, part, "it is loaded already");
}

#[test]
fn what_is_placed_outside_the_part_is_listed_as_not_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = opened(&folder);
    let place = |x: f32| Hover { point: Vec3::new(x, 0.0, 40.0), triangle: None };
    for x in [40.0, 79.0] {
        trigger(&mut harness, Command::Select(Some(place(x))));
        trigger(&mut harness, ViewCommand::KeepPlace.into());
    }
    assert_eq!(harness.n_texts_with("not loaded"), 1);
    trigger(&mut harness, PathCommand::Start(place(79.0).point).into());
    trigger(&mut harness, ViewCommand::WorkAt(place(79.0).point).into());
    let session = harness.state().editor.session();
    assert_eq!(session.path.start, Some(place(79.0).point));
    assert_eq!(session.document().places.len(), 2);
    assert_eq!(harness.n_texts_with("not loaded"), 0);
}
