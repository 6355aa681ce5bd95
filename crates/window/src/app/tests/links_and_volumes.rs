//! Tests of the handles of placed objects, dragged with the mouse in the whole program.

use std::collections::BTreeSet;

use eframe::egui::{self, Event, Modifiers, OutputCommand, vec2};
use egui_kittest::Harness;
use glam::Vec3;
use walkable::diagnostic::Phrase;
use walkable_editor::{
    command::{Command, SceneItemCommand},
    session::{
        Edit, GizmoMode, Grip, LevelSource, SceneItem, ShapeKind, ToolKind, grips, with_obstacle,
    },
    tools::gizmo::{Gizmo, GizmoPart},
};
use walkable_workspace::{document::SavedPlace, format};

use super::{App, baked, click_at, document::document, drag, press, settle, steps, trigger};
use crate::testing::{Find as _, picture};

/// Returns the world position of `grip` of the selected object.
fn place(harness: &Harness<'_, App>, wanted: Grip) -> Vec3 {
    let session = &harness.state().editor.session();
    let shape = session.item().and_then(|item| item.shape(session.document()));
    let grips = grips(&shape.expect("a shape is chosen"));
    grips.into_iter().find(|(grip, _)| *grip == wanted).expect("it has such a grip").1
}

/// Drags `grip` of the selected object across the screen by this many points.
fn pull(harness: &mut Harness<'_, App>, grip: Grip, by: [f32; 2]) {
    let at = place(harness, grip);
    let at = harness.state().view.viewport.screen_from_world(at).expect("it is in view");
    drag(harness, at, at + vec2(by[0], by[1]));
    steps(harness, 3);
}

fn chosen(tool: ToolKind, item: SceneItem, edit: Option<Edit>) -> Harness<'static, App> {
    let mut harness = baked();
    if let Some(edit) = edit {
        trigger(&mut harness, Command::Change(Phrase::verbatim("Place it"), edit));
    }
    trigger(&mut harness, Command::ChooseTool(tool));
    trigger(&mut harness, SceneItemCommand::Select(Some(item)).into());
    steps(&mut harness, 10);
    harness
}

#[test]
fn a_volume_is_raised_lowered_and_turned_by_its_handles() {
    let mut harness = chosen(ToolKind::Volume, SceneItem::Volume(0), None);
    picture(&mut harness, "volume_handles");
    for (grip, by) in [(Grip::Top, [0.0, -40.0]), (Grip::Bottom, [0.0, 25.0])] {
        let (before, document) =
            (place(&harness, grip), harness.state().editor.session().document().clone());
        pull(&mut harness, grip, by);
        let rise = place(&harness, grip).y - before.y;
        assert!(rise * by[1] < 0.0 && rise.abs() > 0.2, "{grip:?} rose by {rise} m");
        let session = &harness.state().editor.session();
        assert_eq!(session.history.undo_label(), Some(format!("{} volume 1", grip.verb())));
        trigger(&mut harness, Command::Undo);
        assert_eq!(*harness.state().editor.session().document(), document, "one step for one drag");
    }
    let before = place(&harness, Grip::Turn);
    pull(&mut harness, Grip::Turn, [30.0, 20.0]);
    assert!(place(&harness, Grip::Turn).distance(before) > 0.2);
    harness.state_mut().editor.prefs_mut().light = true;
    steps(&mut harness, 3);
    picture(&mut harness, "light_volume_handles");
}

#[test]
fn an_obstacle_has_the_same_handles() {
    let at = Vec3::new(20.0, 0.0, 12.0);
    let shape = ShapeKind::Box.dropped(at).expect("a box");
    let obstacle = walkable_workspace::document::Obstacle { shape };
    let (edit, item) = with_obstacle(baked().state().editor.session().document(), obstacle);
    let mut harness = chosen(ToolKind::Obstacle, item, Some(edit));
    picture(&mut harness, "obstacle_handles");
    let before = place(&harness, Grip::Top);
    pull(&mut harness, Grip::Top, [0.0, -30.0]);
    assert!(place(&harness, Grip::Top).y > before.y + 0.2);
    pull(&mut harness, Grip::Turn, [25.0, 25.0]);
    let session = &harness.state().editor.session();
    let shape = item.shape(session.document()).expect("the object still exists");
    assert_eq!(ShapeKind::of(&shape), ShapeKind::TurnedBox);
    assert_eq!(session.history.undo_label().as_deref(), Some("Turn obstacle 1"));
}

#[test]
fn a_handle_pressed_and_moved_within_one_frame_is_the_one_that_moves() {
    let mut document = document(&baked());
    let mut edit = None;
    for x in [14.0, 20.0] {
        let shape = ShapeKind::Cylinder.dropped(Vec3::new(x, 0.0, 12.0)).expect("a cylinder");
        let (change, _) =
            with_obstacle(&document, walkable_workspace::document::Obstacle { shape });
        change.clone().apply(&mut document);
        edit = Some(change);
    }
    let n = document.obstacles.list.len();
    let items = [n - 2, n - 1].map(SceneItem::Obstacle);
    for with_release in [false, true] {
        let mut harness = chosen(ToolKind::Obstacle, items[1], edit.clone());
        let middles = |harness: &Harness<'_, App>| {
            let session = harness.state().editor.session();
            items.map(|item| grips(&item.shape(session.document()).expect("an obstacle"))[0].1)
        };
        let before = middles(&harness);
        let viewport = &harness.state().view.viewport;
        // Over the other obstacle, whose handle would be grabbed instead.
        let [to, from] = before.map(|at| viewport.screen_from_world(at).expect("it is in view"));
        harness.hover_at(from);
        harness.step();
        let button = |pos, pressed| Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let events = [button(from, true), Event::PointerMoved(to), button(to, false)];
        let n_events = if with_release { 3 } else { 2 };
        harness.input_mut().events.extend_from_slice(&events[..n_events]);
        steps(&mut harness, 4);
        let after = middles(&harness);
        assert_eq!(after[0], before[0], "the other one stays");
        let seen =
            harness.state().view.viewport.screen_from_world(after[1]).expect("it is in view");
        assert!(seen.distance(to) < 2.0, "{} is seen at {seen}, not at {to}", after[1]);
        if !with_release {
            harness.drop_at(to);
            settle(&mut harness);
        }
        let label = harness.state().editor.session().history.undo_label();
        assert_eq!(label, Some(format!("Move obstacle {n}")));
    }
}

fn selected(harness: &Harness<'_, App>) -> BTreeSet<SceneItem> {
    harness.state().editor.session().items()
}

/// Clicks an entry of the list of objects while these keys are held.
fn click(harness: &mut Harness<'_, App>, id: &str, held: Modifiers) {
    harness.by_id(id).click_modifiers(held);
    settle(harness);
}

/// Returns the sample with three places, the first of them selected.
fn three_places() -> Harness<'static, App> {
    let places = [1.0, 2.0, 3.0].map(|x| SavedPlace { at: Vec3::X * x }.into());
    let edit = Edit::Places(places.into());
    let mut harness = chosen(ToolKind::Select, SceneItem::Place(0), Some(edit));
    settle(&mut harness);
    harness
}

#[test]
fn several_objects_are_selected_with_ctrl_and_shift_and_change_together() {
    let mut harness = three_places();
    click(&mut harness, "object.select.place-2", Modifiers::SHIFT);
    assert_eq!(selected(&harness), [0, 1, 2].map(SceneItem::Place).into());
    click(&mut harness, "object.select.place-1", Modifiers::COMMAND);
    assert_eq!(selected(&harness), [0, 2].map(SceneItem::Place).into());
    for number in [0, 1] {
        click(&mut harness, &format!("object.select.volume-{number}"), Modifiers::COMMAND);
    }
    harness.text("4 objects selected");
    picture(&mut harness, "several_objects");

    harness.by_id("several.hide").click();
    settle(&mut harness);
    let session = harness.state().editor.session();
    assert!(selected(&harness).iter().all(|item| item.is_hidden(session.document())));
    assert!(!document(&harness).places[1].hidden);

    harness.by_id("area").click();
    settle(&mut harness);
    harness.by_id("area.1").click();
    settle(&mut harness);
    assert!(document(&harness).volumes.iter().all(|volume| volume.area.0 == 1));
    trigger(&mut harness, SceneItemCommand::Delete.into());
    assert_eq!(
        harness.state().editor.session().history.undo_label().as_deref(),
        Some("Delete 4 objects")
    );
    assert_eq!((document(&harness).volumes.len(), document(&harness).places.len()), (0, 1));
    trigger(&mut harness, Command::Undo);
    assert_eq!((document(&harness).volumes.len(), document(&harness).places.len()), (2, 3));
    trigger(&mut harness, SceneItemCommand::SelectAll.into());
    assert_eq!(selected(&harness).len(), 5);
    click(&mut harness, "object.select.place-1", Modifiers::NONE);
    assert_eq!(selected(&harness), [SceneItem::Place(1)].into());
}

#[test]
fn groups_of_the_list_count_their_rows_and_are_folded() {
    let mut harness = three_places();
    let n_rows = |harness: &Harness<'_, App>| harness.all_by_id("object.select.place-").len();
    let places = harness.text("Places (3)");
    assert_eq!((n_rows(&harness), harness.n_texts_with("Obstacles (")), (3, 0));
    picture(&mut harness, "groups_of_the_list");
    click(&mut harness, "level.group.places", Modifiers::NONE);
    assert_eq!(n_rows(&harness), 0);
    assert_eq!(harness.text("Places (3)"), places);
    assert!(harness.find_id("object.select.volume-0").is_some(), "other groups stay open");
    picture(&mut harness, "groups_of_the_list_folded");
    // A click on the title does the same as one on the triangle.
    click_at(&mut harness, places.right_center() + vec2(20.0, 0.0));
    assert_eq!(n_rows(&harness), 3);
    click(&mut harness, "level.group.objects", Modifiers::NONE);
    assert!(harness.all_by_id("level.object.").is_empty());
    trigger(&mut harness, SceneItemCommand::Delete.into());
    harness.text("Places (2)");
}

#[test]
fn of_thousands_of_objects_only_the_visible_rows_are_drawn() {
    const N: usize = 2000;
    let triangle = |n: usize| {
        let first = 3 * n + 1;
        format!("o crate {n}\nv 0 0 0\nv 0 0 4\nv 4 0 0\nf {first} {} {}\n", first + 1, first + 2)
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("crates.obj");
    std::fs::write(&file, (0..N).map(triangle).collect::<String>()).unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(file)));
    let n_rows = |harness: &Harness<'_, App>| harness.all_by_id("level.object.").len();
    let title = format!("Objects ({})", format::count(N));
    harness.text(&title);
    assert!((10..60).contains(&n_rows(&harness)), "{}", n_rows(&harness));
    // Tab leads to rows that were not drawn at first.
    let n_first = n_rows(&harness);
    harness.by_id("level.object.0").focus();
    for _ in 0..2 * n_first + 10 {
        harness.key_press(egui::Key::Tab);
        steps(&mut harness, 2);
    }
    steps(&mut harness, 20);
    harness.by_id(format!("level.object.{n_first}"));
    assert!(harness.find_id("level.object.0").is_none());
    harness.hover_at(harness.by_id(format!("level.object.{n_first}")).rect().center());
    harness.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        source: egui::MouseWheelSource::Wheel,
        delta: vec2(0.0, -1e6),
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
    });
    steps(&mut harness, 60);
    harness.by_id(format!("level.object.{}", N - 1));
    picture(&mut harness, "thousands_of_objects");
    assert!(n_rows(&harness) < 60);
}

/// Returns two corners of a frame around everything that is placed in the sample.
fn frame_corners(harness: &Harness<'_, App>) -> [egui::Pos2; 2] {
    let view = harness.state().view.viewport.rect().expect("the view is drawn");
    [view.left_bottom() + vec2(30.0, -90.0), view.right_top() + vec2(-150.0, 60.0)]
}

#[test]
fn a_frame_over_empty_space_selects_the_objects_in_it() {
    let mut harness = three_places();
    let [from, to] = frame_corners(&harness);
    let all =
        [0, 1, 2].map(SceneItem::Place).into_iter().chain([0, 1].map(SceneItem::Volume)).collect();

    harness.hover_at(from);
    harness.step();
    harness.drag_at(from);
    harness.step();
    for part in [0.3, 0.6] {
        harness.hover_at(from.lerp(to, part));
        harness.step();
    }
    assert!(harness.state().view.tool.is_framing());
    picture(&mut harness, "selection_frame");
    harness.key_press(egui::Key::Escape);
    harness.step();
    harness.hover_at(to);
    harness.step();
    harness.drop_at(to);
    settle(&mut harness);
    assert_eq!(selected(&harness), [SceneItem::Place(0)].into(), "Escape cancels the frame");
    assert_eq!(harness.state().editor.session().tools.selection, None, "it is no click");

    drag(&mut harness, from, to);
    assert_eq!(selected(&harness), all);
    harness.text("5 objects selected");

    // The camera takes precedence: with Alt, the left button orbits.
    let before = *harness.state().view.viewport.camera();
    harness.event(Event::PointerMoved(from));
    for (at, pressed) in [(from, true), (to, false)] {
        harness.event_modifiers(Event::PointerMoved(at), Modifiers::ALT);
        harness.step();
        let button = egui::PointerButton::Primary;
        let modifiers = Modifiers::ALT;
        let event = Event::PointerButton { pos: at, button, pressed, modifiers };
        harness.event_modifiers(event, modifiers);
        harness.step();
    }
    settle(&mut harness);
    assert_ne!(*harness.state().view.viewport.camera(), before);
    assert_eq!(selected(&harness), all, "the selection stays");
}

/// Drags a part of the handles at the center of the selection by this many points.
fn pull_gizmo(harness: &mut Harness<'_, App>, part: GizmoPart, by: [f32; 2]) {
    let app = harness.state();
    let gizmo = Gizmo::of(&app.editor.view()).expect("handles are shown");
    let at = app.view.viewport.screen_from_world(gizmo.place_of(part)).expect("it is in view");
    drag(harness, at, at + vec2(by[0], by[1]));
}

#[test]
fn keys_choose_the_handles_that_move_turn_and_scale() {
    let mut harness = chosen(ToolKind::Path, SceneItem::Volume(0), None);
    let label = |harness: &Harness<'_, App>| harness.state().editor.session().history.undo_label();
    for (key, mode, part, by) in [
        (egui::Key::E, GizmoMode::Turn, GizmoPart::Ring, [40.0, 10.0]),
        (egui::Key::R, GizmoMode::Scale, GizmoPart::Axis(0), [30.0, 10.0]),
        (egui::Key::R, GizmoMode::Scale, GizmoPart::Center, [30.0, -30.0]),
        (egui::Key::W, GizmoMode::Move, GizmoPart::Axis(1), [0.0, -30.0]),
        (egui::Key::W, GizmoMode::Move, GizmoPart::Ground, [30.0, 10.0]),
    ] {
        press(&mut harness, Modifiers::NONE, key);
        let session = harness.state().editor.session();
        assert_eq!((session.tools.tool, session.tools.gizmo.mode), (ToolKind::Select, mode));
        let before = document(&harness);
        pull_gizmo(&mut harness, part, by);
        assert_eq!(label(&harness), Some(format!("{} volume 1", mode.name())), "{part:?}");
        assert_ne!(document(&harness).volumes[0], before.volumes[0]);
        harness.hover_at(egui::Pos2::ZERO);
        steps(&mut harness, 3);
        picture(&mut harness, &format!("gizmo_{mode:?}_{part:?}"));
        trigger(&mut harness, Command::Undo);
        assert_eq!(document(&harness), before);
    }
    trigger(&mut harness, SceneItemCommand::SelectAll.into());
    harness.state_mut().editor.prefs_mut().light = true;
    steps(&mut harness, 3);
    picture(&mut harness, "light_gizmo_of_several");
    pull_gizmo(&mut harness, GizmoPart::Axis(2), [-20.0, 20.0]);
    assert_eq!(label(&harness).as_deref(), Some("Move 2 objects"));
    harness.by_id("object.toggle-snap").click();
    settle(&mut harness);
    assert!(harness.state().editor.session().tools.gizmo.snaps);
}

#[test]
fn flying_with_the_right_button_leaves_the_handles_alone() {
    let mut harness = chosen(ToolKind::Select, SceneItem::Volume(0), None);
    press(&mut harness, Modifiers::NONE, egui::Key::E);
    let at = harness.state().view.viewport.rect().expect("the view is drawn").center();
    let button = |pressed| Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Secondary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    harness.hover_at(at);
    harness.step();
    harness.event(button(true));
    harness.step();
    let before = harness.state().view.viewport.camera().eye();
    for key in [egui::Key::W, egui::Key::R] {
        harness.key_down(key);
        steps(&mut harness, 3);
        harness.key_up(key);
        harness.step();
    }
    harness.event(button(false));
    settle(&mut harness);
    assert!(harness.state().view.viewport.camera().eye().distance(before) > 0.01, "it flies");
    assert_eq!(harness.state().editor.session().tools.gizmo.mode, GizmoMode::Turn);
}

#[test]
fn objects_are_copied_cut_and_pasted_through_the_clipboard() {
    let mut harness = three_places();
    click(&mut harness, "object.select.volume-0", Modifiers::COMMAND);
    let clipboard = |harness: &Harness<'_, App>| {
        let commands = &harness.output().platform_output.commands;
        let text = commands.iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
        text.expect("a text is copied")
    };
    harness.event(Event::Copy);
    harness.step();
    let text = clipboard(&harness);
    assert!(text.contains("walkable_objects"), "{text}");
    harness.event(Event::Paste(text.clone()));
    settle(&mut harness);
    assert_eq!(selected(&harness), [SceneItem::Volume(2), SceneItem::Place(3)].into());
    assert_eq!(document(&harness).places[3].at, Vec3::X * 2.0);

    harness.event(Event::Cut);
    harness.step();
    settle(&mut harness);
    assert_eq!((document(&harness).volumes.len(), document(&harness).places.len()), (2, 3));
    assert_eq!(
        harness.state().editor.session().history.undo_label().as_deref(),
        Some("Cut 2 objects")
    );

    let before = document(&harness);
    harness.event(Event::Paste(text.replace("\"walkable_objects\": 1", "\"walkable_objects\": 9")));
    settle(&mut harness);
    harness.text("Cannot paste");
    assert_eq!(document(&harness), before);
}
