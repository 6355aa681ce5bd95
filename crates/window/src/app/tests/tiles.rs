//! Tests of areas, tiles, islands and paint, in the whole program without a screen.

use std::collections::BTreeMap;

use eframe::egui::{self, Key, Modifiers};
use egui_kittest::Harness;
use walkable::{
    bake::VolumeShape,
    diagnostic::Phrase,
    ids::TileCoord,
    navmesh::{NavMesh, PolyKind, Tile},
    tile_cache::TileCache,
};
use walkable_editor::{
    command::{ExportKind, GroundCommand, Pane, SceneItemCommand, ViewCommand},
    session::{
        Edit, Hover, LevelSource, NewStroke, SceneItem, ToolKind, Touch, new_link, with_link,
    },
};
use walkable_workspace::{
    document::{Brush, Islands},
    stage_view::StageView,
};

use super::{
    App, Command, baked, click_at,
    document::{document, save_to, wait},
    drag, press, settle, steps, trigger,
};
use crate::testing::Find as _;

fn navmesh(harness: &Harness<'_, App>) -> NavMesh {
    let navmesh = harness.state().editor.session().bake.navmesh.as_deref();
    navmesh.expect("the level is baked").clone()
}

/// Tile data by coordinate, because slots and salts may differ.
type Tiles = BTreeMap<(i32, i32, i32), Vec<u8>>;

fn tiles(harness: &Harness<'_, App>) -> Tiles {
    let place = |tile: &Tile| (tile.header.x, tile.header.z, tile.header.layer);
    navmesh(harness).tiles().map(|tile| (place(tile), tile.to_bytes())).collect()
}

/// Returns the number of ground polygons whose area and flags satisfy `is`.
fn count(harness: &Harness<'_, App>, is: impl Fn(u8, u16) -> bool) -> usize {
    let navmesh = navmesh(harness);
    let polys = navmesh.tiles().flat_map(|tile| &tile.polys);
    polys.filter(|poly| poly.kind == PolyKind::Ground && is(poly.area.0, poly.flags)).count()
}

fn type_into(harness: &mut Harness<'_, App>, id: &str, text: &str) {
    harness.by_id(id).focus();
    harness.step();
    press(harness, Modifiers::COMMAND, Key::A);
    harness.by_id(id).type_text(text);
    harness.step();
    press(harness, Modifiers::NONE, Key::Enter);
}

/// Undoes, compares with `before`, redoes, and compares with the state before undoing.
fn undo_and_redo(harness: &mut Harness<'_, App>, before: &Tiles) {
    let after = (document(harness), tiles(harness));
    press(harness, Modifiers::COMMAND, Key::Z);
    assert!(tiles(harness) == *before, "undone");
    press(harness, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert!((document(harness), tiles(harness)) == after, "redone");
}

/// Checks that the saved project, opened in another window, has the same document and the same navmesh.
fn comes_back(harness: &mut Harness<'_, App>) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("ground.walkable");
    save_to(harness, &path);
    let mut other = baked();
    trigger(&mut other, Command::Load(LevelSource::File(path)));
    assert_eq!(document(&other), document(harness));
    assert!(tiles(&other) == tiles(harness), "the same navmesh");
    // The message that it was saved covers the inspector.
    harness.state_mut().editor.clear_notices();
    settle(harness);
}

fn bake_again(harness: &mut Harness<'_, App>) {
    trigger(harness, Command::Bake);
}

#[test]
fn areas_are_named_and_their_costs_reach_the_path() {
    let mut harness = baked();
    let opened = document(&harness);
    trigger(&mut harness, Command::ShowPanel(Pane::Areas));
    harness.by_id("areas.add").click();
    settle(&mut harness);
    // The list scrolls to the new row.
    steps(&mut harness, 30);
    type_into(&mut harness, "areas.6.name", "Mud");
    assert_eq!(document(&harness).areas.name(6), "Mud");
    assert_eq!(
        harness.state().editor.session().history.undo_label().as_deref(),
        Some("Rename Area 6 to Mud")
    );
    harness.by_id("areas.6.cost").click();
    steps(&mut harness, 2);
    harness.by_id("areas.6.cost").type_text("4");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert!((harness.state().editor.session().path.filter.area_cost[6] - 4.0).abs() < 1e-6);
    harness.by_id("areas.6.color").click();
    steps(&mut harness, 3);
    harness.by_id("color.#d55e00").click();
    settle(&mut harness);
    assert!(document(&harness).areas.color(6).is_some());
    type_into(&mut harness, "flags.5.name", "Wade");
    assert_eq!(document(&harness).areas.flag_names(0x20), "Wade");
    comes_back(&mut harness);
    trigger(&mut harness, Command::ChooseTool(ToolKind::Volume));
    for _ in 0..5 {
        press(&mut harness, Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(document(&harness), opened);
    assert!((harness.state().editor.session().path.filter.area_cost[6] - 1.0).abs() < 1e-6);
}

#[test]
fn flags_of_an_area_reach_its_polygons() {
    let mut harness = baked();
    let before = tiles(&harness);
    let areas = document(&harness).areas;
    let ground = walkable_workspace::document::Area { flags: 0x40, ..areas.area(0) };
    let n = count(&harness, |area, flags| area == 0 && flags == 1);
    assert!(n > 0);
    trigger(
        &mut harness,
        Command::Change(Phrase::verbatim("Flags"), Edit::Areas(areas.with(0, ground))),
    );
    assert_eq!(count(&harness, |area, flags| area == 0 && flags == 0x40), n);
    undo_and_redo(&mut harness, &before);
    bake_again(&mut harness);
    assert_eq!(count(&harness, |area, flags| area == 0 && flags == 0x40), n);
}

fn smaller_tiles(harness: &mut Harness<'_, App>) {
    let settings = walkable::bake::BakeSettings { tile_size: 32, ..document(harness).settings };
    let edit = Edit::Settings(Box::new(settings));
    trigger(harness, Command::Change(Phrase::verbatim("Smaller tiles"), edit));
    assert!(harness.state().editor.session().bake.tiles.len() > 4);
}

#[test]
fn a_removed_tile_stays_removed_until_it_is_put_back() {
    let mut harness = baked();
    smaller_tiles(&mut harness);
    let before = tiles(&harness);
    let tile = TileCoord::new(1, 1);
    trigger(&mut harness, Command::from(ViewCommand::Tile(Some(tile))));
    trigger(&mut harness, Command::Select(None));
    harness.by_id("ground.remove-tile.1,1").click();
    settle(&mut harness);
    let is_there = |harness: &Harness<'_, App>| navmesh(harness).slot_at(tile, 0).is_some();
    assert!(!is_there(&harness));
    assert_eq!(document(&harness).removed_tiles, [tile].into());
    undo_and_redo(&mut harness, &before);
    bake_again(&mut harness);
    assert!(!is_there(&harness), "after a bake");
    comes_back(&mut harness);
    trigger(&mut harness, Command::ChooseTool(ToolKind::Tile));
    harness.by_id("ground.put-tile-back.1,1").click();
    settle(&mut harness);
    assert!(tiles(&harness) == before);
}

#[test]
fn a_click_bakes_one_tile_again() {
    let mut harness = baked();
    smaller_tiles(&mut harness);
    let before = tiles(&harness);
    trigger(&mut harness, Command::ChooseTool(ToolKind::Tile));
    trigger(&mut harness, Command::from(ViewCommand::Top));
    let serials = |harness: &Harness<'_, App>| -> Vec<u64> {
        harness.state().editor.session().bake.tiles.values().map(|tile| tile.serial).collect()
    };
    let old = serials(&harness);
    let at = harness.by_id("viewport").rect().center();
    click_at(&mut harness, at);
    let new = serials(&harness);
    let n_changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    assert_eq!(n_changed, 1);
    assert!(tiles(&harness) == before);
}

#[test]
fn a_removed_island_is_not_walkable_and_not_counted() {
    let mut harness = baked();
    let place = harness.state().editor.session().path.start.expect("the sample comes with a path");
    let hover = Hover { point: place, triangle: None };
    trigger(&mut harness, Command::Select(Some(hover)));
    assert!(harness.n_texts_with("Walkable · area") > 0);
    let islands = Islands { min_area: Some(1e6), ..Islands::default() };
    trigger(
        &mut harness,
        Command::Change(Phrase::verbatim("Change minimum island area"), Edit::Islands(islands)),
    );
    let why = "the rule for islands removed its island";
    assert!(harness.n_texts_with(why) > 0);
    let app = harness.state();
    let count = app.figures.of(StageView::Navmesh).count;
    assert_eq!((count, app.editor.session().bake.totals.n_polys), (Some(0), 0));
    assert!(app.title.contains("0 polygons"), "{}", app.title);
}

#[test]
fn the_highlight_of_an_island_ends_with_escape_and_with_its_panel() {
    let mut harness = baked();
    trigger(&mut harness, Command::ShowPanel(Pane::Islands));
    let island = |harness: &Harness<'_, App>| harness.state().editor.session().tools.island;
    harness.by_id("islands.0").click();
    settle(&mut harness);
    assert!(island(&harness).is_some());
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(island(&harness).is_none());
    harness.by_id("islands.0").click();
    settle(&mut harness);
    trigger(&mut harness, Command::ShowPanel(Pane::Islands));
    assert!(island(&harness).is_none());
}

#[test]
fn islands_are_listed_and_the_rule_outlives_a_bake() {
    let mut harness = baked();
    let before = tiles(&harness);
    trigger(&mut harness, Command::ShowPanel(Pane::Islands));
    harness.by_id("islands.0").click();
    settle(&mut harness);
    let shown = harness.state().editor.session().tools.island.expect("the largest island is shown");
    let n_before = count(&harness, |_, flags| flags != 0);
    harness.by_id("islands.0.keep").click();
    settle(&mut harness);
    assert_eq!(document(&harness).islands.seeds, [shown]);
    let n_after = count(&harness, |_, flags| flags != 0);
    assert!(0 < n_after && n_after < n_before, "{n_after} of {n_before}");
    assert!(
        harness.state().editor.session().bake.pruning().is_some_and(|it| !it.dropped.is_empty())
    );
    undo_and_redo(&mut harness, &before);
    bake_again(&mut harness);
    assert_eq!(count(&harness, |_, flags| flags != 0), n_after);
    comes_back(&mut harness);
    harness.by_id("ground.keep-all-islands").click();
    settle(&mut harness);
    assert!(tiles(&harness) == before);
    harness.by_id("islands.by-area").click();
    settle(&mut harness);
    harness.by_id("islands.least-area");
    assert_eq!(document(&harness).islands.min_area, Some(4.0));
    let islands = Islands { min_area: Some(1e6), seeds: Vec::new() };
    trigger(&mut harness, Command::Change(Phrase::verbatim("Drown"), Edit::Islands(islands)));
    assert_eq!(count(&harness, |_, flags| flags != 0), 0, "no island is that large");
}

#[test]
fn what_is_painted_stays_painted() {
    let mut harness = baked();
    let before = tiles(&harness);
    let at = harness.state().editor.session().path.start.expect("the sample comes with a path");
    let painted =
        |harness: &Harness<'_, App>| count(harness, |area, flags| (area, flags) == (1, 2));
    let n_before = painted(&harness);
    let touch = |harness: &mut Harness<'_, App>, new| {
        trigger(harness, Command::from(GroundCommand::NextStroke(new)));
        let strokes = harness.state().editor.session().with_touch(at, Touch::First);
        trigger(harness, Command::Change(Phrase::verbatim("Paint"), Edit::Strokes(strokes)));
    };
    let brush = NewStroke { brush: Brush::Area(1), radius: 0.0, erases: false };
    touch(&mut harness, brush);
    assert_eq!(painted(&harness), n_before + 1);
    undo_and_redo(&mut harness, &before);
    bake_again(&mut harness);
    assert_eq!(painted(&harness), n_before + 1);
    comes_back(&mut harness);
    trigger(&mut harness, Command::ChooseTool(ToolKind::Paint));
    harness.by_id("brush.erase").click();
    settle(&mut harness);
    assert!(harness.state().editor.session().tools.new_stroke.erases);
    touch(&mut harness, NewStroke { erases: true, ..brush });
    assert!(tiles(&harness) == before && document(&harness).strokes.is_empty());
}

#[test]
fn an_obstacle_is_dropped_and_dragged_and_the_navmesh_goes_around_it() {
    let mut harness = baked();
    smaller_tiles(&mut harness);
    let opened = document(&harness);
    trigger(&mut harness, Command::ChooseTool(ToolKind::Obstacle));
    harness.by_id("obstacles.prepare").click();
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().bake.layers_error(), None);
    let empty = tiles(&harness);
    trigger(&mut harness, Command::from(ViewCommand::Top));
    let at = harness.by_id("viewport").rect().center();
    click_at(&mut harness, at);
    assert_eq!(document(&harness).obstacles.list.len(), 1);
    assert_eq!(harness.state().editor.session().item(), Some(SceneItem::Obstacle(0)));
    let dropped = tiles(&harness);
    assert!(dropped != empty);
    undo_and_redo(&mut harness, &empty);
    drag(&mut harness, at, at + egui::vec2(60.0, 0.0));
    assert_eq!(
        harness.state().editor.session().history.undo_label().as_deref(),
        Some("Move obstacle 1")
    );
    assert!(tiles(&harness) != dropped);
    undo_and_redo(&mut harness, &dropped);
    comes_back(&mut harness);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("layers.bin");
    trigger(&mut harness, Command::ExportTo(ExportKind::Layers, path.clone()));
    wait(&mut harness, "exporting", |_| path.exists());
    let cache = TileCache::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
    assert!(cache.tiles().count() > 4);
    trigger(&mut harness, Command::from(SceneItemCommand::Delete));
    assert!(tiles(&harness) == empty);
    for _ in 0..4 {
        press(&mut harness, Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(document(&harness), opened);
    assert!(harness.state().editor.session().bake.layered().is_none());
    assert!(count(&harness, |_, flags| flags != 0) > 0);
}

#[test]
fn an_obstacle_of_any_outline_blocks_its_inside_and_not_its_bounding_box() {
    let mut harness = baked();
    smaller_tiles(&mut harness);
    trigger(&mut harness, Command::ChooseTool(ToolKind::Obstacle));
    harness.by_id("obstacles.prepare").click();
    settle(&mut harness);
    let empty = tiles(&harness);
    harness.by_id("ground.next-obstacle.prism").click();
    trigger(&mut harness, Command::from(ViewCommand::Top));
    let at = harness.by_id("viewport").rect().center();
    click_at(&mut harness, at);
    let shape = document(&harness).obstacles.list[0].shape.clone();
    assert!(matches!(&shape, VolumeShape::Prism { outline, .. } if outline.len() == 6));
    let prism = tiles(&harness);
    assert!(prism != empty);
    undo_and_redo(&mut harness, &empty);
    comes_back(&mut harness);
    harness.by_id("shape.kind").click();
    settle(&mut harness);
    harness.by_id("shape.kind.box").click();
    settle(&mut harness);
    let around = document(&harness).obstacles.list[0].shape.clone();
    assert_eq!(around, VolumeShape::Box(shape.bounds()));
    assert!(tiles(&harness) != prism, "a box takes its corners, too");
    undo_and_redo(&mut harness, &prism);
    trigger(&mut harness, Command::from(SceneItemCommand::Delete));
    assert!(tiles(&harness) == empty);
}

#[test]
fn each_agent_has_a_navmesh_and_the_others_are_outlined() {
    let mut harness = baked();
    let opened = document(&harness);
    let alone = tiles(&harness);
    trigger(&mut harness, Command::ShowPanel(Pane::Agents));
    harness.by_id("agent.add").click();
    settle(&mut harness);
    assert_eq!(document(&harness).agents.list.len(), 2);
    type_into(&mut harness, "agents.1.name", "Troll");
    harness.by_id("agents.1.radius").click();
    steps(&mut harness, 2);
    harness.by_id("agents.1.radius").type_text("1.5");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert!(tiles(&harness) == alone, "the first one walks");
    press(&mut harness, Modifiers::NONE, Key::N);
    assert_eq!(
        harness.state().editor.session().history.undo_label().as_deref(),
        Some("Choose Troll")
    );
    assert!((document(&harness).settings.agent_radius - 1.5).abs() < 1e-6);
    assert!(tiles(&harness) != alone);
    undo_and_redo(&mut harness, &alone);
    harness.by_id("agent.toggle-others").click();
    settle(&mut harness);
    let session = &harness.state().editor.session();
    assert_eq!(session.other_agents.baked.keys().collect::<Vec<_>>(), [&0]);
    assert!(session.other_agents.baked[&0].mesh.stats().n_tiles == alone.len());
    let start = session.path.start.expect("the sample comes with a path");
    assert_eq!(session.fits(0, start), Some(true));
    comes_back(&mut harness);
    harness.by_id("agent.remove.1").click();
    settle(&mut harness);
    assert!(tiles(&harness) == alone);
    for _ in 0..5 {
        press(&mut harness, Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(document(&harness), opened);
}

#[test]
fn a_link_longer_than_a_tile_says_why_it_is_not_connected() {
    let mut harness = baked();
    smaller_tiles(&mut harness);
    let bounds = harness.state().editor.session().bounds();
    let ends = [bounds.min + 1.0, bounds.max - 1.0];
    let link = new_link(&document(&harness), ends[0], ends[1]);
    let (edit, item) = with_link(&document(&harness), link);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Add off-mesh link"), edit));
    trigger(&mut harness, Command::from(SceneItemCommand::Select(Some(item))));
    harness.text_with("tiles from the start");
}
