//! Tests of a level that is prepared for obstacles: colors, comparison with the baseline, other agents, explanations.

use std::sync::Arc;

use eframe::egui::{Key, Modifiers};
use egui_kittest::Harness;
use glam::Vec3;
use walkable::{
    bake::{BakeSettings, VolumeShape},
    diagnostic::Phrase,
    navmesh::{NavMesh, Tile},
    query::{NavPath, PathStatus, n_usable},
};
use walkable_editor::{
    command::{
        AgentCommand, DisplayCommand, Pane, PathCommand, SceneItemCommand, ViewCommand, variant_id,
    },
    session::{
        ColorBy, Edit, Hover, LabelKind, LayerDisplay, LayerShow, PathAnswer, Replay, SceneItem,
        Second, ToolKind, with_obstacle,
    },
};
use walkable_workspace::{document::Obstacle, stage_view::StageView};

use super::{
    App, Command, Pictures, baked,
    display::{middle, picture, rest},
    press, settle, trigger,
};
use crate::testing::Find as _;

/// Position of the obstacle.
const BARREL: Vec3 = Vec3::new(20.0, 0.0, 12.0);

fn edit(harness: &mut Harness<'_, App>, label: &'static str, edit: Edit) {
    trigger(harness, Command::Change(Phrase::verbatim(label), edit));
}

/// Returns the start of the sample's path.
fn start(harness: &Harness<'_, App>) -> Vec3 {
    harness.state().editor.session().path.start.unwrap()
}

fn drop_obstacle(harness: &mut Harness<'_, App>, at: Vec3) {
    let shape = VolumeShape::Cylinder { base: at - Vec3::Y * 0.3, radius: 0.8, height: 1.5 };
    let document = harness.state().editor.session().document();
    let (placed, _) = with_obstacle(document, Obstacle { shape });
    edit(harness, "Drop", placed);
}

/// Returns the sample in tiles, with a barrel on it.
fn prepared() -> Harness<'static, App> {
    let mut harness = baked();
    let settings = harness.state().editor.session().document().settings.clone();
    let tiled = BakeSettings { tile_size: 32, ..settings };
    edit(&mut harness, "Split into tiles", Edit::Settings(Box::new(tiled)));
    drop_obstacle(&mut harness, BARREL);
    let named =
        SceneItem::Obstacle(0).renamed_in(harness.state().editor.session().document(), "Barrel");
    edit(&mut harness, "Name", named);
    assert!(harness.state().editor.session().bake.layered().is_some());
    harness
}

#[test]
fn obstacles_without_effect_are_an_error() {
    let mut harness = prepared();
    assert!(harness.n_texts_with("Baked ") > 0 && harness.n_texts_with("Obstacles failed") == 0);
    let settings = harness.state().editor.session().document().settings.clone();
    let in_one_piece = BakeSettings { tile_size: 0, ..settings };
    edit(&mut harness, "One piece", Edit::Settings(Box::new(in_one_piece)));
    assert!(harness.state().editor.session().bake.layers_error().is_some());
    assert_eq!(harness.n_texts_with("Baked "), 0);
    assert_eq!(harness.n_texts_with("Obstacles failed"), 2, "in the toolbar and in the view");
    picture(&mut harness, "app-obstacles-failed");
    trigger(&mut harness, Command::ChooseTool(ToolKind::Obstacle));
    harness.by_id("obstacles.cut-into-tiles").click();
    settle(&mut harness);
    assert!(harness.state().editor.session().bake.layered().is_some());
    assert!(harness.n_texts_with("Baked ") > 0 && harness.n_texts_with("Obstacles failed") == 0);
}

#[test]
fn layers_are_colored_by_all_that_tiles_are() {
    let mut harness = prepared();
    trigger(&mut harness, Command::from(PathCommand::Clear));
    trigger(&mut harness, Command::ShowPanel(Pane::Display));
    let mut pictures = Vec::new();
    // All tiles are in one cell, so the clusters are the islands, and are colored like them.
    trigger(&mut harness, DisplayCommand::ColorBy(ColorBy::Cluster).into());
    rest(&mut harness);
    assert!(harness.n_texts_with("all tiles are in one cell") > 0);
    for by in ColorBy::ALL.into_iter().filter(|by| *by != ColorBy::Cluster) {
        trigger(&mut harness, DisplayCommand::ColorBy(by).into());
        rest(&mut harness);
        pictures.push((by, picture(&mut harness, &format!("app-layers-{}", by.name()))));
        match by {
            ColorBy::BakeTime => assert!(harness.n_texts_with("again from its layer") > 0),
            ColorBy::Memory => {
                assert!(harness.n_texts_with("no detail and no BV tree") > 0);
            }
            _ => assert!(harness.n_texts_with("Prepared for obstacles:") == 0),
        }
    }
    for (n, (by, one)) in pictures.iter().enumerate() {
        assert!(pictures[..n].iter().all(|(_, other)| middle(other) != middle(one)), "{by:?}");
    }
    trigger(&mut harness, ViewCommand::Stage(StageView::Regions).into());
    assert!(harness.n_texts("Shown only at the stages polygons and navmesh") > 0);
    trigger(&mut harness, ViewCommand::Stage(StageView::Navmesh).into());
    trigger(&mut harness, DisplayCommand::ToggleLabel(LabelKind::Tile).into());
    trigger(&mut harness, ViewCommand::Top.into());
    rest(&mut harness);
    assert!(harness.n_texts_with("layer 0") > 0);
}

#[test]
fn the_layers_of_a_tile_are_seen_from_cells_to_polygons() {
    let mut harness = prepared();
    trigger(&mut harness, Command::from(PathCommand::Clear));
    trigger(&mut harness, ViewCommand::Stage(StageView::Layers).into());
    trigger(&mut harness, Command::ShowPanel(Pane::Display));
    let mut pictures = Vec::new();
    for show in LayerShow::ALL {
        harness.by_id(format!("display.layers.{}", variant_id(show))).click();
        rest(&mut harness);
        assert_eq!(harness.state().editor.session().shown.display.layers.show, show);
        pictures.push(picture(&mut harness, &format!("app-layer-{}", show.name())));
    }
    for (n, one) in pictures.iter().enumerate() {
        assert!(pictures[..n].iter().all(|other| middle(other) != middle(one)), "number {n}");
    }
    let upper = LayerDisplay { number: Some(1), show: LayerShow::Areas };
    trigger(&mut harness, DisplayCommand::Layers(upper).into());
    rest(&mut harness);
    harness.text("Under an obstacle");
    let alone = picture(&mut harness, "app-layer-1");
    assert!(middle(&alone) != middle(&pictures[1]));
    trigger(&mut harness, SceneItemCommand::Select(Some(SceneItem::Obstacle(0))).into());
    trigger(&mut harness, SceneItemCommand::Delete.into());
    let all = LayerDisplay { number: None, show: LayerShow::Areas };
    trigger(&mut harness, DisplayCommand::Layers(all).into());
    rest(&mut harness);
    assert!(middle(&picture(&mut harness, "app-layer-free")) != middle(&pictures[1]));
}

#[test]
fn the_baseline_of_layers_is_drawn_left_of_the_divider() {
    let mut harness = prepared();
    // Hidden objects are still part of the bake.
    let hidden = Edit::of_items(harness.state().editor.session().document(), |document| {
        SceneItem::Obstacle(0).hide_in(document);
    });
    edit(&mut harness, "Hide", hidden);
    let n_bytes = harness.state().editor.session().bake.totals.n_bytes;
    trigger(&mut harness, DisplayCommand::PinBaseline.into());
    press(&mut harness, Modifiers::NONE, Key::C);
    trigger(&mut harness, ViewCommand::Top.into());
    rest(&mut harness);
    let at_divider = |part: f32, harness: &mut Harness<'static, App>, name: &str| {
        trigger(harness, DisplayCommand::Divide(Some(part)).into());
        rest(harness);
        middle(&picture(harness, name))
    };
    let alike = at_divider(0.99, &mut harness, "app-layers-divider-alike");
    assert_eq!(harness.state().editor.session().bake.n_changed.map(|(n, _)| n), Some(0));
    trigger(&mut harness, SceneItemCommand::Select(Some(SceneItem::Obstacle(0))).into());
    trigger(&mut harness, SceneItemCommand::Delete.into());
    rest(&mut harness);
    let bake = &harness.state().editor.session().bake;
    let (n_changed, n) = bake.n_changed.unwrap();
    assert!(0 < n_changed && n_changed < n, "{n_changed} of {n}");
    let before = bake.before.as_ref().unwrap();
    assert!(before.totals.n_bytes == n_bytes && bake.totals.area > before.totals.area);
    let left = at_divider(0.99, &mut harness, "app-layers-divider-left");
    let right = at_divider(0.01, &mut harness, "app-layers-divider-right");
    assert!(left != right, "the barrel is gone");
    assert!(left == alike, "the barrel was at that place");
    // Without layers, the tiles are compared with the layers of the baseline.
    let mut without = harness.state().editor.session().document().obstacles.clone();
    without.prepared = false;
    edit(&mut harness, "No obstacles", Edit::Obstacles(without));
    assert!(harness.state().editor.session().bake.layered().is_none());
    assert!(at_divider(0.99, &mut harness, "app-layers-divider-tiles") == left);
}

#[test]
fn an_obstacle_is_named_as_the_reason() {
    let mut harness = prepared();
    let select = |harness: &mut Harness<'_, App>, point| {
        trigger(harness, Command::from(SceneItemCommand::Select(None)));
        trigger(harness, Command::Select(Some(Hover { point, triangle: None })));
        trigger(harness, Command::ShowPanel(Pane::Display));
        trigger(harness, Command::ShowPanel(Pane::Inspector));
    };
    select(&mut harness, BARREL);
    harness.text("Not walkable: an obstacle lies here: Barrel");
    harness.text("an obstacle lies here: Barrel");
    assert!(harness.n_texts_with(" compressed, ") > 0);
    picture(&mut harness, "app-obstacle-reason");
    let beside = start(&harness);
    select(&mut harness, beside);
    harness.text("no obstacle lies here");
    trigger(&mut harness, SceneItemCommand::Select(Some(SceneItem::Obstacle(0))).into());
    trigger(&mut harness, SceneItemCommand::Delete.into());
    select(&mut harness, BARREL);
    harness.text("no obstacle lies here");
}

#[test]
fn other_agents_walk_around_the_same_obstacles() {
    let mut harness = prepared();
    trigger(&mut harness, AgentCommand::Add.into());
    trigger(&mut harness, AgentCommand::ToggleOthers.into());
    let other = |harness: &Harness<'_, App>| {
        let number = 1 - harness.state().editor.session().document().agents.chosen;
        (number, harness.state().editor.session().other_agents.baked[&number].clone())
    };
    let (number, with) = other(&harness);
    assert!(
        with.layered.is_some()
            && harness.state().editor.session().fits(number, BARREL) == Some(false)
    );
    trigger(&mut harness, PathCommand::CompareWith(Second::Agent(number)).into());
    let length = |harness: &Harness<'_, App>| {
        let path = &harness.state().editor.session().path;
        let second = path.second_answer.as_ref().unwrap().path.length;
        (path.answer.as_ref().unwrap().path.length, second)
    };
    let (one, same) = length(&harness);
    assert!((one - same).abs() < 1e-3, "agents of one size: {one} and {same}");
    trigger(&mut harness, SceneItemCommand::Select(Some(SceneItem::Obstacle(0))).into());
    trigger(&mut harness, SceneItemCommand::Delete.into());
    assert_eq!(harness.state().editor.session().fits(number, BARREL), Some(true));
    let (_, without) = other(&harness);
    assert!(without.serial > with.serial && without.layered.is_some());
    drop_obstacle(&mut harness, BARREL);
    let again = other(&harness).1;
    let sorted = |mesh: &NavMesh| {
        let mut tiles: Vec<_> = mesh.tiles().map(Tile::to_bytes).collect();
        tiles.sort();
        tiles
    };
    assert!(sorted(&again.mesh) == sorted(&with.mesh), "same as a bake with the obstacle");
    trigger(&mut harness, Command::ToggleTheme);
    rest(&mut harness);
    picture(&mut harness, "app-layers-agents-light");
}

#[test]
fn removed_tiles_are_drawn_once() {
    let mut harness = prepared();
    let coords: Vec<_> =
        harness.state().editor.session().bake.tiles.keys().copied().take(2).collect();
    edit(&mut harness, "Remove", Edit::RemovedTiles(coords.iter().copied().collect()));
    let mut pictures = Pictures::default();
    let session = &harness.state().editor.session();
    let list = |pictures: &mut Pictures| {
        let drawn = pictures.draw(session);
        let removed = drawn.batches.into_iter().find(|batch| {
            let lines = &batch.lists[0].lines;
            !lines.is_empty() && lines.iter().all(|line| line.dashed)
        });
        removed.map(|batch| (batch.revision, Arc::clone(&batch.lists[0]))).unwrap()
    };
    let [first, again] = [list(&mut pictures), list(&mut pictures)];
    assert!(first.0 == again.0 && Arc::ptr_eq(&first.1, &again.1));
    edit(&mut harness, "Put back", Edit::RemovedTiles(coords.iter().copied().take(1).collect()));
    let session = &harness.state().editor.session();
    let drawn = pictures.draw(session);
    let fewer = drawn.batches.iter().filter(|batch| {
        let lines = &batch.lists[0].lines;
        !lines.is_empty() && lines.iter().all(|line| line.dashed)
    });
    assert!(fewer.map(|batch| batch.lists[0].lines.len()).all(|n| n < first.1.lines.len()));
}

#[test]
fn paths_from_the_end_follow_obstacles() {
    let mut harness = prepared();
    trigger(&mut harness, PathCommand::Backwards(true).into());
    let path = |harness: &Harness<'_, App>| -> NavPath {
        let session = &harness.state().editor.session();
        let PathAnswer { path, expanded, .. } = session.path.answer.clone().unwrap();
        assert_eq!(expanded[0].poly, path.end.unwrap().poly);
        assert_eq!(path.points.last().copied(), path.end.map(|end| end.point));
        let navmesh = session.bake.navmesh.as_ref().unwrap();
        let n_linked = n_usable(navmesh, &path.corridor, &session.path.filter);
        assert_eq!(n_linked, path.corridor.len());
        path
    };
    let free = path(&harness);
    assert_eq!(free.status, PathStatus::Complete);
    // The obstacle blocks the only door, so the path starts behind the obstacle.
    drop_obstacle(&mut harness, free.points[0].lerp(free.points[1], 0.5));
    let behind = path(&harness);
    assert_eq!(behind.status, PathStatus::Partial);
    assert!(behind.length < free.length - 2.0, "{} of {}", behind.length, free.length);
    trigger(&mut harness, PathCommand::ShowSearch(Replay::at(12)).into());
    trigger(&mut harness, ViewCommand::Top.into());
    rest(&mut harness);
    harness.text_with(" from the start.");
    picture(&mut harness, "app-path-from-the-end");
    trigger(&mut harness, SceneItemCommand::Select(Some(SceneItem::Obstacle(1))).into());
    trigger(&mut harness, SceneItemCommand::Delete.into());
    assert_eq!(path(&harness).points, free.points);
}
