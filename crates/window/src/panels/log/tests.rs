use std::time::Duration;

use egui_kittest::Harness;
use glam::Vec3;
use walkable::{diagnostic::Phrase, ids::TileCoord};
use walkable_editor::{
    command::{Command, LogCommand},
    session::{LogLine, LogPlace, Session, Severity},
    testing,
};

use super::LogPanel;
use crate::testing::{Bench, Find as _, bench, picture};

fn line(text: &str) -> LogLine {
    LogLine::new(Severity::Info, Phrase::verbatim(text))
}

/// Returns a bake whose log has repeated lines, lines with places, and many others.
fn logged() -> Session {
    let mut session = testing::baked();
    session.log.set_clock(Duration::from_secs(1_700_000_000));
    let odd = LogLine::new(Severity::Warning, Phrase::verbatim("odd"));
    (0..100).for_each(|_| session.log.push(odd.clone()));
    let places = [
        LogPlace::Tile(TileCoord::new(1, 1)),
        LogPlace::Tile(TileCoord::new(90, 1)),
        LogPlace::Point(Vec3::new(5.0, 1.0, 6.25)),
        LogPlace::File("levels/yard.obj".into()),
    ];
    for (number, place) in places.into_iter().enumerate() {
        session.log.push(line(&format!("place {number}")).at(place));
    }
    session
}

fn window(session: Session) -> Harness<'static, Bench<LogPanel>> {
    bench([700.0, 240.0], session, LogPanel::ui)
}

#[test]
fn a_line_has_its_time_and_is_listed_once() {
    let mut window = window(logged());
    picture(&mut window, "log");
    assert_eq!(window.n_texts("odd"), 1);
    window.text("× 100");
    // The hour depends on the time zone.
    assert_eq!(window.n_texts_with(":20"), 5);
}

#[test]
fn a_line_leads_to_its_place_unless_that_is_gone() {
    let mut window = window(logged());
    assert!(window.find_id("log.line.2").is_none(), "there is no such tile");
    window.text("place 1");
    for (id, place) in [
        ("log.line.1", LogPlace::Tile(TileCoord::new(1, 1))),
        ("log.line.3", LogPlace::Point(Vec3::new(5.0, 1.0, 6.25))),
        ("log.line.4", LogPlace::File("levels/yard.obj".into())),
    ] {
        window.by_id(id).click();
        window.run();
        assert_eq!(window.state_mut().take(), [Command::from(LogCommand::GoTo(place))]);
    }
}

#[test]
fn requested_lines_come_into_view_whatever_is_hidden() {
    let mut session = logged();
    session.log.push_file_lines(vec![line("Opened the yard")]);
    (0..200).for_each(|n| session.log.push(line(&format!("later {n}"))));
    let mut window = window(session);
    window.state_mut().panel.least = Severity::Error;
    window.run();
    assert_eq!(window.n_texts("Opened the yard"), 0);
    window.state_mut().session.log.show_file_lines();
    window.run();
    picture(&mut window, "log_shown");
    window.text("Opened the yard");
}
