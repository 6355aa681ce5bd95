//! Tests of levels larger than memory, in the whole program without a screen.

use std::{io::Cursor, path::PathBuf};

use eframe::egui::{Event, Key, Modifiers, PointerButton, pos2, vec2};
use egui_kittest::Harness;
use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    diagnostic::Phrase,
    mesh::{BinnedWriter, TriMesh, UpAxis},
    monitor::Unmonitored,
    navmesh::{NavMesh, NavMeshParams, TilePlace, format::RefWidth},
    query::WhyNot,
    store::{StoreWriter, StoredTile},
};
use walkable_editor::{
    command::CheckCommand,
    memory_budget::MemoryBudget,
    prefs::Prefs,
    session::{Edit, Hover, LevelSource, Look, Severity, ToolKind, World},
};
use walkable_workspace::document::Islands;

use super::{
    App, Command, Pane, PathCommand, Vec3, ViewCommand, baked, click, click_at,
    document::{Dropped, wait},
    press, settle, trigger,
};
use crate::{
    host::Host,
    testing::{Find as _, picture},
};

/// Squares along each side of the level, each of two triangles.
const N: u16 = 270;
/// Side of a square, in meters.
const STEP: f32 = 0.3;

/// Writes a level of hills with more triangles than fit the smallest budget.
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

/// Clicks the map at a fraction of its width and height.
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
    let n = harness.state().editor.session().opened.level.as_ref().unwrap().mesh.triangles().len();
    assert!(n_all == first.n_triangles && (n_part / 2..=n_part * 5 / 4).contains(&n), "{n}");
    harness.text("Part 50 × 50 m of 81 × 81 m");
    assert!(n_tiles(&harness) >= 1);
    picture(&mut harness, "world");

    click_map(&mut harness, 0.95, 0.9);
    let moved = world(&harness);
    assert!(moved.part.max.x > 80.9 && moved.part.max.z > 80.9, "{:?}", moved.part);
    let looks_at = harness.state().editor.session().shown.look.unwrap().target;
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

/// Tiles along each side of the store.
const N_TILES: i16 = 150;

/// Writes a store of flat ground with more tiles than fit the smallest budget.
fn write_store(folder: &tempfile::TempDir) -> PathBuf {
    let side = 30.0;
    let corner = |x, z| Vec3::new(x, 0.0, z);
    let corners = vec![corner(0.0, 0.0), corner(0.0, side), corner(side, side), corner(side, 0.0)];
    let ground = TriMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let baked = bake(BakeInput::new(ground.into(), settings), &Unmonitored).unwrap();
    let middle = baked.tiles().find(|tile| (tile.header.x, tile.header.z) == (1, 1)).unwrap();
    let n = u32::from(N_TILES.unsigned_abs());
    let params = NavMeshParams { max_tiles: n * n, ..*baked.params() };
    let mut writer = StoreWriter::new(Cursor::new(Vec::new())).unwrap();
    for (z, x) in (0..N_TILES).flat_map(|z| (0..N_TILES).map(move |x| (z, x))) {
        let mut tile = middle.clone();
        let [by_x, by_z] = [x, z].map(|at| f32::from(at - 1));
        let by = Vec3::new(by_x * params.tile_width, 0.0, by_z * params.tile_height);
        (tile.header.x, tile.header.z) = (x.into(), z.into());
        (tile.header.bounds.min, tile.header.bounds.max) =
            (tile.header.bounds.min + by, tile.header.bounds.max + by);
        tile.vertices.iter_mut().chain(&mut tile.detail_vertices).for_each(|at| *at += by);
        let place = TilePlace::of(&tile);
        let stored = StoredTile { place, key: 0, tile: tile.to_bytes(), notes: Vec::new() };
        writer.append(&stored).unwrap();
    }
    let path = folder.path().join("plain.tiles");
    std::fs::write(&path, writer.finish(&params, RefWidth::Bits64).unwrap().into_inner()).unwrap();
    path
}

#[test]
fn a_tile_store_larger_than_memory_is_opened_in_part_and_a_route_leads_across() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_store(&folder);
    let mut harness = baked();
    harness.state_mut().editor.prefs_mut().memory = MemoryBudget { mib: 64 };
    settle(&mut harness);
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    let first = world(&harness);
    let n_loaded = |harness: &Harness<'_, App>| {
        harness.state().editor.session().bake.navmesh.as_ref().unwrap().tiles().count()
    };
    let n_all = usize::from(N_TILES.unsigned_abs()).pow(2);
    let n = n_loaded(&harness);
    assert!(n > 1000 && n < n_all, "{n} of {n_all} tiles");
    assert_eq!(harness.n_texts_with("of 22"), 1);
    picture(&mut harness, "tile-store");

    click_map(&mut harness, 0.95, 0.9);
    let moved = world(&harness);
    assert!(moved.part.max.x > first.part.max.x && moved.part.max.x >= moved.bounds.max.x);
    let looks_at = harness.state().editor.session().shown.look.unwrap().target;
    assert!(moved.is_loaded(looks_at), "the camera follows: {looks_at}");

    let at = |x: f32, z: f32| Vec3::new(x, 0.2, z);
    let ends = [at(5.0, 5.0), moved.bounds.max - at(5.0, 5.0)];
    trigger(&mut harness, PathCommand::Ends(ends).into());
    let session = harness.state().editor.session();
    assert_eq!(session.path.answer.as_ref().unwrap().why(), Some(WhyNot::StartNotLoaded));
    let route = session.shown_route().expect("the route is found");
    assert!((route.length / ends[0].distance(ends[1]) - 1.0).abs() < 0.02, "{}", route.length);
    harness.text_with("Route over ");
    picture(&mut harness, "tile-store-route");

    trigger(&mut harness, ViewCommand::AskPlace.into());
    harness.by_id("go-to.place").type_text("tile 2,2");
    harness.step();
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert!(world(&harness).part.min.x < 0.1);
}

#[test]
fn the_check_and_the_exports_of_a_tile_store_in_part_cover_all_tiles() {
    const NOTE: &str = "This concerns only the loaded part";
    let folder = tempfile::tempdir().unwrap();
    let path = write_store(&folder);
    let mut harness = baked();
    harness.state_mut().editor.prefs_mut().memory = MemoryBudget { mib: 64 };
    settle(&mut harness);
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    trigger(&mut harness, Command::ShowPanel(Pane::Check));
    assert_eq!((harness.n_texts_with("Checks all 22"), harness.n_texts_with(NOTE)), (1, 0));
    trigger(&mut harness, CheckCommand::Run.into());
    wait(&mut harness, "the check", |app| app.editor.session().is_whole_checked());
    settle(&mut harness);
    picture(&mut harness, "check_of_a_store");
    trigger(&mut harness, Command::ShowPanel(Pane::Check));
    trigger(&mut harness, Command::ExportDialog);
    click(&mut harness, "export.kind.mesh-detour");
    assert_eq!((harness.n_texts_with("Writes all 22"), harness.n_texts_with(NOTE)), (1, 0));
    picture(&mut harness, "export_of_a_store");
    click(&mut harness, "export.loaded-tiles");
    assert_eq!((harness.n_texts_with("Writes all 22"), harness.n_texts_with(NOTE)), (0, 1));
    click(&mut harness, "export.all-tiles");
    click(&mut harness, "export.export");
    let written = folder.path().join("plain.bin");
    wait(&mut harness, "the file", |_| written.exists());
    let n = NavMesh::from_bytes(&std::fs::read(&written).unwrap()).unwrap().tiles().count();
    assert_eq!(n, usize::from(N_TILES.unsigned_abs()).pow(2));
}

#[test]
fn all_tiles_of_a_level_in_part_are_checked_and_exported() {
    const NOTE: &str = "This concerns only the loaded part";
    let folder = tempfile::tempdir().unwrap();
    let path = write_level(&folder);
    let host = Host { levels: Some(folder.path().join("levels")), ..Host::without_folders() };
    let prefs = Prefs { memory: MemoryBudget { mib: 64 }, ..Prefs::default() };
    let harness = Harness::builder().with_size(vec2(1440.0, 900.0)).with_max_steps(200);
    let mut harness = harness.wgpu().build_eframe(|cc| App::with_prefs_on(cc, None, prefs, &host));
    settle(&mut harness);
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    let n_loaded = n_tiles(&harness);
    trigger(&mut harness, Command::ShowPanel(Pane::Check));
    assert_eq!(harness.n_texts_with(NOTE), 1);
    harness.by_id("check.run-whole");
    trigger(&mut harness, CheckCommand::RunWhole.into());
    wait(&mut harness, "the check", |app| app.editor.session().is_whole_checked());
    settle(&mut harness);
    assert_eq!(
        (harness.n_texts_with("All tiles of the level"), harness.n_texts_with(NOTE)),
        (1, 0)
    );
    picture(&mut harness, "check_of_a_whole_level");

    trigger(&mut harness, Command::ExportDialog);
    click(&mut harness, "export.kind.mesh-detour");
    let bakes = |harness: &Harness<'_, App>| {
        (harness.n_texts_with("Bakes all tiles of the level"), harness.n_texts_with(NOTE))
    };
    assert_eq!(bakes(&harness), (1, 0));
    picture(&mut harness, "export_of_a_whole_level");
    click(&mut harness, "export.loaded-tiles");
    assert_eq!(bakes(&harness), (0, 1));
    click(&mut harness, "export.all-tiles");
    click(&mut harness, "export.export");
    let written = folder.path().join("hills.bin");
    wait(&mut harness, "the file", |_| written.exists());
    let n = NavMesh::from_bytes(&std::fs::read(&written).unwrap()).unwrap().tiles().count();
    assert!(n > n_loaded, "{n} of more than {n_loaded} tiles");

    // What needs the whole navmesh in memory is named.
    let islands = Islands { min_area: Some(1.0), ..Islands::default() };
    let edit = Edit::Islands(islands);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Islands"), edit));
    trigger(&mut harness, Command::ExportDialog);
    // In the dialog and in the Check panel.
    assert_eq!(harness.n_texts_with("removed islands need the whole navmesh in memory"), 2);
}

/// Writes a folder with a town in pieces.
fn write_pieces(folder: &tempfile::TempDir) -> PathBuf {
    let town = folder.path().join("town");
    std::fs::create_dir(&town).unwrap();
    for index in 0..3 {
        let (x, end) = (index * 20, index * 20 + 20);
        let text = format!("v {x} 0 0\nv {x} 0 20\nv {end} 0 20\nv {end} 0 0\nf 1 2 3 4\n");
        std::fs::write(town.join(format!("{index}.obj")), text).unwrap();
    }
    town
}

#[test]
fn a_dropped_folder_of_pieces_is_sorted_and_opened() {
    let folder = tempfile::tempdir().unwrap();
    let town = write_pieces(&folder);
    let mut harness = baked();
    harness.by_id("menu.file").click();
    settle(&mut harness);
    harness.by_id("pieces.open");
    press(&mut harness, Modifiers::NONE, Key::Escape);
    settle(&mut harness);
    harness.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(town)));
    wait(&mut harness, "the pieces", |app| app.editor.session().opened.pieces.source.is_some());
    settle(&mut harness);
    harness.text("These options apply to all pieces.");
    click(&mut harness, "import.up.z");
    picture(&mut harness, "import_pieces");
    harness.by_id("import.accept").click();
    wait(&mut harness, "the dialog", |app| app.panels.browser.is_open());
    settle(&mut harness);
    assert_eq!(harness.by_id("browser.name").value().as_deref(), Some("town.tri"));
    picture(&mut harness, "save_sorted");
    harness.by_id("browser.accept").click();
    let is_open = |app: &App| app.editor.session().name().as_deref() == Some("town.tri");
    wait(&mut harness, "the level", is_open);
    settle(&mut harness);
    assert!(folder.path().join("town.tri").exists());
    let session = harness.state().editor.session();
    let level = session.opened.level.as_ref().unwrap();
    assert_eq!(level.mesh.triangles().len(), 6);
    assert!((level.mesh.bounds().size().y - 20.0).abs() < 1e-3, "z was up");
    assert_eq!(session.document().import.up, UpAxis::Z);
    // With other options, the pieces are read again into the same file.
    trigger(&mut harness, Command::ImportOptions);
    click(&mut harness, "import.up.y");
    harness.by_id("import.accept").click();
    wait(&mut harness, "the level", |app| {
        let level = app.editor.session().opened.level.as_ref();
        level.is_some_and(|level| level.mesh.bounds().size().y < 1e-3)
    });
    assert_eq!(harness.state().editor.session().document().import.up, UpAxis::Y);
}

#[test]
fn a_folder_of_pieces_as_the_argument_of_the_program_is_sorted_and_opened() {
    let folder = tempfile::tempdir().unwrap();
    let source = LevelSource::File(write_pieces(&folder));
    let builder = Harness::builder().with_size(vec2(1280.0, 720.0)).with_max_steps(200);
    let mut harness = builder.wgpu().build_eframe(|cc| App::new(cc, Some(source)));
    wait(&mut harness, "the pieces", |app| app.editor.session().opened.pieces.source.is_some());
    settle(&mut harness);
    harness.text("These options apply to all pieces.");
    harness.by_id("import.accept").click();
    wait(&mut harness, "the dialog", |app| app.panels.browser.is_open());
    settle(&mut harness);
    assert_eq!(harness.by_id("browser.name").value().as_deref(), Some("town.tri"));
    harness.by_id("browser.accept").click();
    let is_open = |app: &App| app.editor.session().name().as_deref() == Some("town.tri");
    wait(&mut harness, "the level", is_open);
    settle(&mut harness);
    assert!(folder.path().join("town.tri").exists());
    let notices = harness.state().editor.notices().list();
    assert!(notices.iter().all(|notice| notice.severity != Severity::Error), "{notices:?}");
}

/// Right-clicks the 3D view at a place of the level.
fn right_click(harness: &mut Harness<'_, App>, place: Vec3) {
    let pos = harness.state().view.viewport.screen_from_world(place).expect("it is in view");
    harness.hover_at(pos);
    harness.step();
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Secondary, Modifiers::NONE);
        harness.event(Event::PointerButton { pos, button, pressed, modifiers });
        harness.step();
    }
    settle(harness);
}

#[test]
fn the_context_menu_of_a_place_loads_the_part_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = opened(&folder);
    trigger(&mut harness, ViewCommand::Top.into());
    let place = Vec3::new(10.0, 0.0, 12.0);
    assert!(!world(&harness).is_loaded(place));
    right_click(&mut harness, place);
    picture(&mut harness, "place_menu");
    let start = harness.state().editor.session().path.start;
    harness.by_id("place-menu.work-here").click();
    settle(&mut harness);
    assert!(world(&harness).is_loaded(place));
    assert!(harness.find_id("place-menu.work-here").is_none(), "the menu is closed");
    // The path tool needs right clicks on the loaded part, and only these.
    trigger(&mut harness, Command::ChooseTool(ToolKind::Path));
    let loaded = world(&harness).part.center();
    right_click(&mut harness, loaded);
    assert!(harness.find_id("place-menu.work-here").is_none());
    assert_ne!(harness.state().editor.session().path.start, start);
    right_click(&mut harness, Vec3::new(30.0, 0.0, 70.0));
    harness.by_id("place-menu.work-here");
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.find_id("place-menu.work-here").is_none());
}

#[test]
fn the_part_follows_the_camera_if_that_is_turned_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = opened(&folder);
    let first = world(&harness).part;
    let look = |harness: &Harness<'_, App>, x: f32| {
        let look = harness.state().editor.session().shown.look.unwrap();
        Look { target: Vec3::new(x, 0.0, 40.0), ..look }
    };
    let to = look(&harness, 70.0);
    harness.state_mut().view.viewport.look(to);
    settle(&mut harness);
    assert_eq!(world(&harness).part, first, "it is off at first");
    harness.by_id("view.toggle-part-follows").click();
    wait(&mut harness, "the part", |app| {
        app.editor.session().world().is_some_and(|world| world.part.max.x > 80.9)
    });
    assert!(harness.state().editor.prefs().part_follows);
    settle(&mut harness);
    let target = harness.state().editor.session().shown.look.unwrap().target;
    assert!(target.distance(to.target) < 0.01, "the camera stays: {target}");
}

#[test]
fn panels_and_dialogs_say_that_they_concern_the_loaded_part_only() {
    const NOTE: &str = "This concerns only the loaded part";
    let folder = tempfile::tempdir().unwrap();
    let mut harness = baked();
    for pane in [Pane::Check, Pane::PathTests] {
        trigger(&mut harness, Command::ShowPanel(pane));
        assert_eq!(harness.n_texts_with(NOTE), 0, "the whole level is loaded");
    }
    drop(harness);
    let mut harness = opened(&folder);
    for pane in [Pane::Check, Pane::PathTests] {
        trigger(&mut harness, Command::ShowPanel(pane));
        assert_eq!(harness.n_texts_with(NOTE), 1, "{pane:?}");
    }
    trigger(&mut harness, Command::ShowPanel(Pane::PathTests));
    trigger(&mut harness, Command::ExportDialog);
    click(&mut harness, "export.kind.mesh-detour");
    assert_eq!(harness.n_texts_with(NOTE), 0, "all tiles are exported");
    click(&mut harness, "export.loaded-tiles");
    assert_eq!(harness.n_texts_with(NOTE), 1);
    picture(&mut harness, "export_of_a_part");
    click(&mut harness, "export.kind.settings");
    assert_eq!(harness.n_texts_with(NOTE), 0, "settings are of the whole level");
}
