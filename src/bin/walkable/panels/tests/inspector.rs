use egui_kittest::{Harness, kittest::Queryable as _};
use glam::Vec3;
use walkable::ids::TileCoord;

use super::{Bench, bench, picture, scene};
use crate::{
    command::{Command, ViewCommand},
    panels::inspector::InspectorPanel,
    session::{Hover, Session, SessionView},
};

fn window(session: Session) -> Harness<'static, Bench<InspectorPanel>> {
    bench([290.0, 780.0], session, |panel, ui, view, out| panel.ui(ui, view, out))
}

fn hovering(at: [f32; 3]) -> Session {
    let mut session = scene::baked();
    session.hover = Some(Hover { point: Vec3::from(at), triangle: None });
    session
}

#[test]
fn says_what_to_do_first() {
    let window = window(Session::default());
    window.get_by_label_contains("Point at the level");
}

#[test]
fn one_line_says_what_it_is_and_why() {
    let cases = [
        ([13.0, 1.732, 6.0], "not walkable: slope 60.0° > 45.0°"),
        ([5.5, 0.0, 5.5], "not walkable: head room 0.8 m < 2 m"),
        ([20.0, 0.0, 20.0], "walkable · area Ground · region "),
    ];
    let panel = InspectorPanel::default();
    for (at, expected) in cases {
        let session = hovering(at);
        let view = SessionView { session: &session, auto_bake: true };
        let line = panel.hover_line(&view).unwrap_or_default();
        assert!(line.starts_with(expected), "{at:?}: {line}");
    }
    let outside = hovering([-5.0, 0.0, 0.0]);
    let view = SessionView { session: &outside, auto_bake: true };
    assert_eq!(panel.hover_line(&view), None);
}

#[test]
fn a_lost_place_shows_the_stage_that_lost_it() {
    let mut window = window(hovering([5.5, 0.0, 5.5]));
    window.get_by_label("Not walkable: head room 0.8 m < 2 m");
    window.get_by_label("Filtered");
    assert!(window.query_by_label("Eroded").is_none(), "later stages never saw it");
    window.get_by_label_contains("0.8 m above");
    picture(&mut window, "inspector_lost");
}

#[test]
fn a_walkable_place_shows_its_polygon_and_tile() {
    let mut window = window(hovering([20.0, 0.0, 20.0]));
    for text in ["Under the cursor", "Reference", "Flags", "Tile data", "Tile 2,2"] {
        window.get_by_label(text);
    }
    picture(&mut window, "inspector_walkable");
}

#[test]
fn a_selected_place_stays_and_can_be_let_go() {
    let mut session = hovering([5.5, 0.0, 5.5]);
    session.selection = Some(Hover { point: Vec3::new(20.0, 0.0, 20.0), triangle: None });
    let mut window = window(session);
    window.get_by_label("Selected place");
    window.get_by_label("Show this tile alone").click();
    window.run();
    window.get_by_label("Let go of the place").click();
    window.run();
    let chosen = Command::View(ViewCommand::Tile(Some(TileCoord::new(2, 2))));
    assert_eq!(window.state_mut().take(), [chosen, Command::Select(None)]);
}

#[test]
fn results_of_older_settings_say_so() {
    let mut session = hovering([20.0, 0.0, 20.0]);
    session.history.change("later", |document| document.settings.agent_radius = 1.0);
    let window = window(session);
    window.get_by_label_contains("settings have changed since");
}

#[test]
fn stages_that_were_not_kept_are_baked_again() {
    let mut session = hovering([5.5, 0.0, 5.5]);
    session.bake.tiles.values_mut().for_each(|tile| tile.stages = None);
    let window = window(session);
    window.get_by_label("Not walkable: head room 0.8 m < 2 m");
}
