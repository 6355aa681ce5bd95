use std::time::Duration;

use eframe::egui;
use egui_kittest::Harness;
use walkable::diagnostic::Phrase;
use walkable_editor::{
    command::{Command, ViewCommand},
    session::{Budgets, Revision, Session},
    testing,
};
use walkable_workspace::format;

use super::{ProfilePanel, few_marks};
use crate::testing::{Bench, Draw, Find as _, bench, picture};

fn window(session: Session) -> Harness<'static, Bench<ProfilePanel>> {
    bench([1150.0, 230.0], session, ProfilePanel::ui)
}

#[test]
fn says_what_to_do_first() {
    window(Session::default()).text_with("Nothing is baked yet");
}

#[test]
fn totals_and_every_tile_are_there() {
    let mut window = window(testing::baked());
    window.text("Last bake");
    window.text("42 ms");
    let tiles = window.all_by_id("profile.tile.").len();
    assert_eq!(tiles, 9);
    picture(&mut window, "profile");
}

#[test]
fn limits_say_how_much_is_used() {
    let mut window =
        bench([1150.0, 600.0], testing::baked(), ProfilePanel::ui as Draw<ProfilePanel>);
    window.text("Limits used");
    window.text(&format!("9 of {} (1 %)", format::count(16_384)));
    window.text("Polygons of a tile");
    picture(&mut window, "profile_limits");
}

#[test]
fn the_slowest_tile_comes_first_and_is_chosen_by_a_click() {
    let session = testing::baked();
    let times =
        |(coord, tile): (&walkable::ids::TileCoord, &walkable_editor::session::TileResult)| {
            (tile.times.total(), *coord)
        };
    let (_, slowest) = session.bake.tiles.iter().map(times).max().expect("tiles were baked");
    let mut window = window(session);
    let first = window.by_id(format!("profile.tile.{slowest}"));
    let top = first.rect().top();
    assert!(window.all_by_id("profile.tile.").iter().all(|tile| tile.rect().top() >= top));
    first.click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::from(ViewCommand::Tile(Some(slowest)))]);
}

#[test]
fn each_bake_is_noted_once() {
    let mut window = window(testing::baked());
    window.run();
    assert_eq!(window.state().panel.n_noted(), 1);
    let bake = &mut window.state_mut().session.bake;
    bake.started = Some(Revision { document: 9, level: 0 });
    bake.elapsed = Some(Duration::from_millis(50));
    window.run();
    window.run();
    assert_eq!(window.state().panel.n_noted(), 2);
}

#[test]
fn the_heat_map_shows_what_a_tile_took_and_chooses_it() {
    let mut window = window(testing::baked());
    window.by_id("profile.tiles.map").click();
    window.run();
    let n = window.state().session.bake.tiles.len();
    window.by_id("profile.heat.bytes").click();
    window.run();
    window.text(&format!("Map of {n} tiles"));
    let corner = window.by_id("profile.map").rect().left_top() + egui::vec2(3.0, 3.0);
    picture(&mut window, "profile_heat_map");
    window.hover_at(corner);
    window.step();
    for event in click(corner) {
        window.event(event);
    }
    window.run();
    let first = walkable::ids::TileCoord { x: 0, z: 0 };
    let chosen = Command::from(ViewCommand::Tile(Some(first)));
    assert_eq!(window.state_mut().take(), [chosen]);
}

/// Presses and releases the primary button at `pos`.
fn click(pos: egui::Pos2) -> [egui::Event; 2] {
    let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
    [true, false].map(|pressed| egui::Event::PointerButton { pos, button, pressed, modifiers })
}

#[test]
fn what_is_over_its_budget_is_said_and_taken_back() {
    let mut window = window(testing::baked());
    window.by_id("budgets.tile_ms").click();
    window.run();
    let budgets = window.state().session.document().budgets;
    assert_eq!(budgets.tile_ms, Some(50.0));
    let tight = Budgets { tile_ms: Some(0.0), navmesh_mib: Some(0.0), ..budgets };
    window
        .state_mut()
        .session
        .history
        .change(Phrase::verbatim("Tighten"), |document| document.budgets = tight);
    window.run();
    window.text_with("ms to bake, 0 ms allowed");
    window.text_with("MiB for the navmesh, 0 MiB allowed");
    window.text("Show");
    let history = &mut window.state_mut().session.history;
    history.undo();
    history.undo();
    assert_eq!(history.present().budgets, Budgets::default());
}

#[test]
fn axes_have_a_few_round_marks() {
    let cases = [
        (0.85, &[0.0, 0.2, 0.4, 0.6, 0.8][..]),
        (1.7, &[0.0, 0.5, 1.0, 1.5]),
        (60.0, &[0.0, 20.0, 40.0, 60.0]),
        (42.0, &[0.0, 20.0, 40.0]),
        (100.0, &[0.0, 50.0, 100.0]),
        (0.0, &[]),
        (f64::NAN, &[]),
    ];
    for (max, expected) in cases {
        let marks: Vec<_> = few_marks(max).iter().map(|mark| mark.value).collect();
        let near = marks.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(marks.len() == expected.len() && near, "{max}: {marks:?}");
    }
}
