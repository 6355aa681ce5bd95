use egui_kittest::Harness;
use glam::Vec3;
use walkable::{
    check::{CheckKind, CheckReport},
    diagnostic::{Diagnostic, Finding, Location, Meters, Phrase},
    ids::TileCoord,
};
use walkable_editor::{
    command::{CheckCommand, Command},
    session::{CheckFilter, CheckProgress, Session},
    task::TaskId,
    testing,
};

use super::check_ui;
use crate::testing::{Bench, Find as _, bench, picture};

/// Returns a bake with three findings: a polygon, a tile and a setting.
fn checked() -> Session {
    let mut session = testing::baked();
    let point = Vec3::new(5.0, 1.0, 6.25);
    let needle = Finding::PolygonNeedle { width: Meters(0.05), length: Meters(4.0) };
    let needle = Diagnostic::new(needle).at(Location::Tile(TileCoord::new(1, 0)));
    let tiny = Diagnostic::new(Finding::HoleTiny { width: Meters(0.3) });
    let tiny = tiny.at(Location::Tile(TileCoord::new(1, 1))).at(Location::Point(point));
    let limit = Finding::LimitTiles { used: 90, most: 100, percent: 90 };
    let report = CheckReport {
        polygons: vec![needle, tiny],
        limits: vec![limit.into()],
        ..CheckReport::default()
    };
    testing::land_check(&mut session, report);
    session
}

fn window(session: Session) -> Harness<'static, Bench<()>> {
    bench([1000.0, 240.0], session, |(), ui, view, out| check_ui(ui, view, out))
}

#[test]
fn without_a_result_the_panel_says_what_it_needs() {
    window(Session::default()).text_with("There is no navmesh to check");
    let mut window = window(testing::baked());
    window.text_with("tile borders that do not join");
    assert!(window.find_id("check.copy-text").is_none());
    window.by_id("check.run").click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::from(CheckCommand::Run)]);
}

#[test]
fn findings_are_listed_by_kind_and_choose_their_place() {
    let mut window = window(checked());
    for text in ["Polygons (2)", "Limits (1)"] {
        window.text(text);
    }
    window.text("tile 1,1 · 5,1,6.25");
    picture(&mut window, "check_findings");
    window.by_id("check.1").click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::from(CheckCommand::Choose(Some(1)))]);
    window.by_id("check.2").click();
    window.run();
    assert_eq!(window.state_mut().take(), [], "a limit has no place");
}

#[test]
fn notes_can_be_hidden() {
    let mut session = checked();
    session.check.filter = CheckFilter::Warnings;
    let answer = session.check.result().unwrap().answer.clone();
    let is_warning: Vec<bool> = answer.all().map(Diagnostic::is_warning).collect();
    assert!(is_warning.contains(&true) && is_warning.contains(&false), "{is_warning:?}");
    let mut window = window(session);
    for (index, is_warning) in is_warning.into_iter().enumerate() {
        assert_eq!(window.find_id(format!("check.{index}")).is_some(), is_warning, "{index}");
    }
    window.by_id("check.show.all").click();
    window.run();
    let sent = window.state_mut().take();
    assert_eq!(sent, [Command::from(CheckCommand::Show(CheckFilter::All))]);
}

#[test]
fn results_of_an_earlier_bake_are_called_stale() {
    let mut session = checked();
    session.bake.navmesh_serial += 1;
    let mut window = window(session);
    window.text_with("before the last change");
    window.state_mut().session.running.insert(TaskId::Check);
    window.state_mut().session.check.progress = Some(CheckProgress::Kind(CheckKind::Surface));
    window.step();
    window.text("Checking surface: 5 of 7");
    window.by_id("check.cancel").click();
    window.step();
    window.step();
    assert_eq!(window.state_mut().take(), [Command::from(CheckCommand::Cancel)]);
}

#[test]
fn findings_are_copied_as_text_and_as_json() {
    let mut window = window(checked());
    let copied = |window: &mut Harness<'_, Bench<()>>, id: &str| {
        window.by_id(id).click();
        window.step();
        let mut commands = window.output().platform_output.commands.clone();
        window.step();
        commands.extend(window.output().platform_output.commands.clone());
        let text = commands.into_iter().find_map(|command| match command {
            eframe::egui::OutputCommand::CopyText(text) => Some(text),
            _ => None,
        });
        text.unwrap()
    };
    let text = copied(&mut window, "check.copy-text");
    assert!(text.contains("polygons:\n") && text.contains("[limit-tiles]"), "{text}");
    let json = copied(&mut window, "check.copy-json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["polygons"][1]["code"], "hole-tiny", "{json}");
    assert_eq!((&json["kind"], &json["seams"]), (&"level".into(), &serde_json::json!([])));
}

#[test]
fn tile_sizes_are_compared_beside_the_findings() {
    let mut session = checked();
    testing::land_tile_sizes(&mut session);
    let mut window = bench([1280.0, 240.0], session, |(), ui, view, out| check_ui(ui, view, out));
    window.text("Best tile size: 64 voxels");
    window.text("64 of 32\u{2009}767");
    window.text_with("16 voxels: no tile was baked");
    picture(&mut window, "check_tile_sizes");
    window.by_id("check.set-best-tile-size").click();
    window.run();
    let sent = window.state_mut().take();
    assert_eq!(sent, [Command::from(CheckCommand::SetBestTileSize)]);
    window.state_mut().session.history.change(Phrase::verbatim("Edit"), |document| {
        document.settings.cell_size = 0.2;
    });
    window.run();
    window.text("Measured with other settings");
    window.by_id("check.hide-tile-sizes").click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::from(CheckCommand::HideTileSizes)]);
}
