//! Tests of the check of the navmesh, in the whole window.

use std::sync::Arc;

use eframe::egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use walkable::{debug_draw::Paint, diagnostic::Phrase};
use walkable_editor::{
    command::{CheckCommand, Command, DisplayCommand},
    pictures::{Batch, PictureId, Pictures},
    session::{ColorBy, Session},
};

use super::{
    App, baked,
    display::{picture, rest},
    press, settle, trigger, with_radius,
};
use crate::testing::Find as _;

fn session<'a>(harness: &'a Harness<'_, App>) -> &'a Session {
    harness.state().editor.session()
}

fn marks(harness: &Harness<'_, App>) -> Option<Batch> {
    let drawn = Pictures::draw_at_once(session(harness));
    drawn.into_iter().find(|batch| batch.id == PictureId::Finding)
}

#[test]
fn a_check_lists_findings_that_fly_to_their_place() {
    let mut harness = baked();
    press(&mut harness, Modifiers::NONE, Key::F8);
    rest(&mut harness);
    let result = session(&harness).check.result();
    let result = Arc::clone(result.expect("the check has ended"));
    assert!(result.surface.is_some() && !session(&harness).is_check_stale());
    let found = result.answer.all().position(|found| found.code().name() == "island-not-connected");
    let index = found.expect("the table of the sample is an island");
    assert!(marks(&harness).is_none());
    let look = session(&harness).shown.look;
    harness.by_id(format!("check.{index}")).click();
    settle(&mut harness);
    rest(&mut harness);
    assert_eq!(session(&harness).check.chosen, Some(index));
    assert_ne!(session(&harness).shown.look, look, "the camera moves there");
    let marked = marks(&harness).expect("the finding is marked");
    assert!(marked.lists().any(|list| !list.lines.is_empty()), "the polygon is outlined");
    harness.set_size(vec2(1280.0, 720.0));
    rest(&mut harness);
    picture(&mut harness, "app-check");
    trigger(&mut harness, Command::ToggleTheme);
    rest(&mut harness);
    picture(&mut harness, "app-check-light");
    harness.by_id(format!("check.{index}")).click();
    settle(&mut harness);
    assert!(marks(&harness).is_none());
}

#[test]
fn each_bake_is_checked_if_the_user_wants_it() {
    let mut harness = baked();
    let radius = |harness: &mut Harness<'static, App>, radius| {
        let edit = with_radius(&session(harness).document().settings, radius);
        trigger(harness, Command::Change(Phrase::verbatim("Change radius"), edit));
        rest(harness);
    };
    radius(&mut harness, 0.8);
    assert!(session(&harness).check.result().is_none());
    trigger(&mut harness, CheckCommand::ToggleAfterBake.into());
    rest(&mut harness);
    assert!(!session(&harness).is_check_stale());
    radius(&mut harness, 1.0);
    assert!(!session(&harness).is_check_stale(), "checked again");
    trigger(&mut harness, CheckCommand::ToggleAfterBake.into());
    radius(&mut harness, 0.9);
    assert!(session(&harness).is_check_stale());
}

#[test]
fn the_distance_from_the_level_is_a_heat_map_of_the_latest_check() {
    let mut harness = baked();
    trigger(&mut harness, DisplayCommand::ColorBy(ColorBy::SurfaceDistance).into());
    rest(&mut harness);
    let map = session(&harness).surface_map();
    let map = Arc::clone(map.expect("the coloring starts a check"));
    assert!(map.n_samples() > 100, "{}", map.n_samples());
    let deviations = |harness: &Harness<'_, App>| {
        let drawn = Pictures::draw_at_once(session(harness));
        let triangles = drawn.iter().flat_map(Batch::lists).flat_map(|list| &list.triangles);
        let found = triangles.filter_map(|triangle| match triangle.paint {
            Paint::Deviation(value) => Some(value),
            _ => None,
        });
        found.collect::<Vec<f32>>()
    };
    let found = deviations(&harness);
    assert!(found.len() > map.n_samples() / 2, "{}", found.len());
    // One sample of the level is farther from the navmesh than the sample error.
    assert!(found.iter().any(|value| value.abs() > 1.0) && found.iter().any(|value| *value < 0.5));
    picture(&mut harness, "app-heat-map");
    harness.set_size(vec2(1280.0, 720.0));
    trigger(&mut harness, Command::ToggleTheme);
    rest(&mut harness);
    picture(&mut harness, "app-heat-map-light");
    let edit = with_radius(&session(&harness).document().settings, 1.2);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    rest(&mut harness);
    let next = session(&harness).surface_map().expect("the new bake is checked");
    assert!(next.n_samples() < map.n_samples());
}

#[test]
fn the_best_tile_size_is_set_as_one_undo_step() {
    let mut harness = baked();
    trigger(&mut harness, CheckCommand::MeasureTileSizes.into());
    let result = session(&harness).tile_sizes.result().expect("it has ended").clone();
    let advice = result.expect("the sample can be baked");
    let best = advice.best.expect("all sizes fit");
    assert!(advice.rows.len() >= 4, "{advice:?}");
    picture(&mut harness, "app-tile-sizes");
    let before = session(&harness).document().settings.tile_size;
    assert_ne!(before, best);
    harness.by_id("check.set-best-tile-size").click();
    settle(&mut harness);
    assert_eq!(session(&harness).document().settings.tile_size, best);
    trigger(&mut harness, Command::Undo);
    assert_eq!(session(&harness).document().settings.tile_size, before);
}
