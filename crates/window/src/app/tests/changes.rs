//! Tests of the list of changes since the pinned bake, in the whole window.

use eframe::egui::vec2;
use egui_kittest::Harness;
use walkable::{
    debug_draw::{DrawList, Paint},
    diagnostic::Phrase,
};
use walkable_editor::{
    command::{Command, DisplayCommand, Pane, PathTestCommand},
    pictures::{Batch, PictureId, Pictures},
};
use walkable_workspace::changes::{ChangeKind, FoundChanges};

use super::{
    App, baked,
    display::{picture, rest},
    settle, trigger, with_radius,
};
use crate::testing::Find as _;

/// Returns the current comparison, if there is one.
fn found(harness: &Harness<'_, App>) -> Option<FoundChanges> {
    let result = harness.state().editor.session().changes.result.as_ref()?;
    Some((**result.as_ref().expect("the bakes can be compared")).clone())
}

fn drawn(harness: &Harness<'_, App>) -> Option<DrawList> {
    let batches = Pictures::draw_at_once(harness.state().editor.session());
    let batch = batches.iter().find(|batch| batch.id == PictureId::Changes);
    batch.and_then(|batch: &Batch| batch.lists().next().cloned())
}

fn n_painted(list: &DrawList, paint: Paint) -> usize {
    list.triangles.iter().filter(|triangle| triangle.paint == paint).count()
}

/// Pins the bake of the sample, and bakes the sample with another radius.
fn changed() -> Harness<'static, App> {
    let mut harness = baked();
    trigger(&mut harness, Command::ShowPanel(Pane::Changes));
    harness.text_with("Pin the current bake");
    assert!(found(&harness).is_none());
    harness.by_id("display.keep-before").click();
    settle(&mut harness);
    harness.text_with("does not differ");
    let edit = with_radius(&harness.state().editor.session().document().settings, 1.2);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    harness
}

#[test]
fn a_bake_is_compared_with_the_pinned_one() {
    let mut harness = changed();
    let changes = found(&harness).expect("a bake is pinned");
    let lost = changes.comparison.lost.area;
    let session = harness.state().editor.session();
    let totals = [session.bake.before.as_ref().unwrap().totals, session.bake.totals];
    assert!((totals[0].area - totals[1].area - lost).abs() < 2.0, "{lost} m², {totals:?}");
    assert!(changes.list.windows(2).all(|pair| pair[0].area >= pair[1].area));
    assert_eq!(n_painted(&drawn(&harness).unwrap(), Paint::Accent), 0);
    harness.set_size(vec2(1280.0, 720.0));
    rest(&mut harness);
    picture(&mut harness, "app-changes");
    trigger(&mut harness, Command::ToggleTheme);
    rest(&mut harness);
    picture(&mut harness, "app-changes-light");
    trigger(&mut harness, DisplayCommand::FollowLastBake.into());
    assert!(found(&harness).is_none() && drawn(&harness).is_none());
}

#[test]
fn a_row_moves_the_camera_and_highlights_its_change() {
    let mut harness = changed();
    let changes = found(&harness).expect("a bake is pinned");
    let index = changes.list.iter().position(|change| change.kind == ChangeKind::Lost).unwrap();
    let look = harness.state().editor.session().shown.look;
    harness.by_id(format!("changes.{index}")).click();
    settle(&mut harness);
    rest(&mut harness);
    let session = harness.state().editor.session();
    assert_eq!(session.changes.chosen, Some(index));
    assert_ne!(session.shown.look, look);
    assert!(n_painted(&drawn(&harness).unwrap(), Paint::Accent) > 0);
    picture(&mut harness, "app-changes-chosen");
    harness.by_id(format!("changes.{index}")).click();
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().changes.chosen, None);
    harness.by_id("changes.show").click();
    settle(&mut harness);
    assert!(drawn(&harness).is_none());
}

#[test]
fn path_tests_with_another_result_come_first() {
    let mut harness = baked();
    trigger(&mut harness, PathTestCommand::Add.into());
    trigger(&mut harness, Command::ShowPanel(Pane::Changes));
    trigger(&mut harness, DisplayCommand::PinBaseline.into());
    harness.text_with("does not differ");
    let edit = with_radius(&harness.state().editor.session().document().settings, 3.5);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    let first = found(&harness).expect("a bake is pinned").list[0].clone();
    assert_eq!(first.kind, ChangeKind::Path);
    let text = first.text();
    assert!(text.starts_with("Case 1: passed before, fails now: "), "{text}");
    harness.by_id("changes.0").click();
    settle(&mut harness);
    rest(&mut harness);
    assert!(!drawn(&harness).unwrap().points.is_empty());
    picture(&mut harness, "app-changes-path-test");
    // Without the test, a comparison of the same bakes has no such change.
    trigger(&mut harness, PathTestCommand::Remove(0).into());
    let list = found(&harness).expect("a bake is pinned").list;
    assert!(list.iter().all(|change| change.kind != ChangeKind::Path));
}
