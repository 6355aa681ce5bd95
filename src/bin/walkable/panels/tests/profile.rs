use egui_kittest::{Harness, kittest::Queryable as _};
use std::time::Duration;

use super::{Bench, bench, picture, scene};
use crate::{
    command::{Command, ViewCommand},
    panels::profile::ProfilePanel,
    session::{Revision, Session},
};

fn window(session: Session) -> Harness<'static, Bench<ProfilePanel>> {
    bench([1150.0, 230.0], session, ProfilePanel::ui)
}

#[test]
fn says_what_to_do_first() {
    window(Session::default()).get_by_label_contains("Nothing is baked yet");
}

#[test]
fn totals_and_every_tile_are_there() {
    let mut window = window(scene::baked());
    window.get_by_label("Last bake");
    window.get_by_label("42 ms");
    let tiles = window.query_all_by_label_contains("Tile ").count();
    assert_eq!(tiles, 9);
    picture(&mut window, "profile");
}

#[test]
fn the_slowest_tile_comes_first_and_is_chosen_by_a_click() {
    let session = scene::baked();
    let times = |(coord, tile): (&walkable::ids::TileCoord, &crate::session::TileResult)| {
        (tile.times.total(), *coord)
    };
    let (_, slowest) = session.bake.tiles.iter().map(times).max().expect("tiles were baked");
    let mut window = window(session);
    let name = format!("Tile {slowest},");
    let first = window.get_by_label_contains(&name);
    let top = first.rect().top();
    assert!(window.query_all_by_label_contains("Tile ").all(|tile| tile.rect().top() >= top));
    first.click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::View(ViewCommand::Tile(Some(slowest)))]);
}

#[test]
fn each_bake_is_noted_once() {
    let mut window = window(scene::baked());
    window.run();
    assert_eq!(window.state().panel.n_noted(), 1);
    let bake = &mut window.state_mut().session.bake;
    bake.started = Some(Revision { document: 9, level: 0 });
    bake.elapsed = Some(Duration::from_millis(50));
    window.run();
    window.run();
    assert_eq!(window.state().panel.n_noted(), 2);
}
