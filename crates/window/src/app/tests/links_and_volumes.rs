//! Tests of the handles of placed objects, dragged with the mouse in the whole program.

use eframe::egui::vec2;
use egui_kittest::Harness;
use glam::Vec3;
use walkable_editor::{
    command::{Command, ThingCommand},
    session::{Edit, Grip, ShapeKind, Thing, ToolKind, grips, with_obstacle},
};

use super::{App, baked, drag, steps, trigger};
use crate::testing::picture;

/// Returns the world position of `grip` of the selected object.
fn place(harness: &Harness<'_, App>, wanted: Grip) -> Vec3 {
    let session = &harness.state().editor.session();
    let shape = session.thing().and_then(|thing| thing.shape(session.document()));
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

fn chosen(tool: ToolKind, thing: Thing, edit: Option<Edit>) -> Harness<'static, App> {
    let mut harness = baked();
    if let Some(edit) = edit {
        trigger(&mut harness, Command::Change("Place it".into(), edit));
    }
    trigger(&mut harness, Command::ChooseTool(tool));
    trigger(&mut harness, ThingCommand::Choose(Some(thing)).into());
    steps(&mut harness, 10);
    harness
}

#[test]
fn a_volume_is_raised_lowered_and_turned_by_its_handles() {
    let mut harness = chosen(ToolKind::Volume, Thing::Volume(0), None);
    picture(&mut harness, "volume_handles");
    for (grip, by) in [(Grip::Top, [0.0, -40.0]), (Grip::Bottom, [0.0, 25.0])] {
        let (before, document) =
            (place(&harness, grip), harness.state().editor.session().document().clone());
        pull(&mut harness, grip, by);
        let rise = place(&harness, grip).y - before.y;
        assert!(rise * by[1] < 0.0 && rise.abs() > 0.2, "{grip:?} rose by {rise} m");
        let session = &harness.state().editor.session();
        assert_eq!(session.history.undo_label(), Some(&*format!("{} volume 1", grip.verb())));
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
    let obstacle = walkable_editor::session::Obstacle { shape };
    let (edit, thing) = with_obstacle(baked().state().editor.session().document(), obstacle);
    let mut harness = chosen(ToolKind::Obstacle, thing, Some(edit));
    picture(&mut harness, "obstacle_handles");
    let before = place(&harness, Grip::Top);
    pull(&mut harness, Grip::Top, [0.0, -30.0]);
    assert!(place(&harness, Grip::Top).y > before.y + 0.2);
    pull(&mut harness, Grip::Turn, [25.0, 25.0]);
    let session = &harness.state().editor.session();
    let shape = thing.shape(session.document()).expect("the object still exists");
    assert_eq!(ShapeKind::of(&shape), ShapeKind::TurnedBox);
    assert_eq!(session.history.undo_label(), Some("Turn obstacle 1"));
}
