use std::sync::Arc;

use egui_kittest::Harness;
use glam::Vec3;
use serde_json::Value;
use walkable::{
    diagnostic::Phrase,
    explain::Cause,
    query::PathStatus,
    route::{RouteAnswer, RouteBreak},
};
use walkable_editor::{
    command::{Command, GameCommand, ViewCommand},
    jobs::game::ListenRequest,
    session::{FoundPath, GameLink, Session},
    testing,
};
use walkable_workspace::live::GameAgent;

use super::GamePanel;
use crate::testing::{Bench, Find as _, bench, picture};

/// Returns a session with a game that has two agents and two failed paths, one of them explained.
fn connected() -> Session {
    let mut session = testing::baked();
    let (address, token) = ("127.0.0.1:7777".to_owned(), "0123456789abcdef".to_owned());
    session.game.link = GameLink::Listening { address, token };
    session.game.clients.insert(1);
    let agent = |id, name: &str, x| GameAgent {
        id,
        name: name.to_owned(),
        at: Vec3::new(x, 0.0, 20.0),
        radius: None,
        height: None,
        path: vec![Vec3::new(9.0, 0.0, 9.0)],
    };
    let mut agents = session.game.agents.clone();
    agents.change(1, vec![agent(7, "Guard", 4.0), agent(8, "", 5.0)], &[]).unwrap();
    session.game.show_agents(agents);
    let end = Vec3::new(6.0, 1.0, 6.0);
    session.game.note_failed([Vec3::new(4.0, 0.0, 20.0), end], Some((1, 7)));
    session.game.note_failed([Vec3::new(5.0, 0.0, 20.0), end], Some((1, 8)));
    let text = Phrase::verbatim("the step of 1 m is over the max climb of 0.9 m");
    let first = RouteBreak::plain(Cause::Gap, end, text);
    let answer = RouteAnswer { first: Some(first), ..RouteAnswer::default() };
    let (status, answer) = (PathStatus::Partial, Arc::new(answer));
    let found = FoundPath { status, answer, reply: Value::Null };
    session.game.failed[0].answer = Some((session.bake.navmesh_serial, Ok(found)));
    session.game.chosen = Some(1);
    session
}

fn window(session: Session) -> Harness<'static, Bench<GamePanel>> {
    bench([1240.0, 240.0], session, GamePanel::ui)
}

#[track_caller]
fn click(window: &mut Harness<'_, Bench<GamePanel>>, id: &str, expected: impl Into<Command>) {
    window.by_id(id).click();
    window.run();
    assert_eq!(window.state_mut().take(), [expected.into()], "{id}");
}

#[test]
fn the_socket_is_opened_with_what_is_typed() {
    let mut window = window(Session::default());
    window.by_id("game.token-file").focus();
    window.run();
    window.by_id("game.token-file").type_text("token.txt");
    window.run();
    let address = "127.0.0.1:7777".to_owned();
    let request = ListenRequest { address, token_file: Some("token.txt".into()) };
    click(&mut window, "game.listen", GameCommand::Listen(request));
    window.state_mut().session.game.open();
    window.run();
    click(&mut window, "game.disconnect", GameCommand::Disconnect);
    picture(&mut window, "game_off");
}

#[test]
fn a_reason_why_it_cannot_listen_is_shown() {
    let mut session = Session::default();
    session.game.error = Some("cannot listen on 127.0.0.1:7777".to_owned());
    window(session).text("cannot listen on 127.0.0.1:7777");
}

#[test]
fn address_and_token_are_shown_and_copied() {
    let mut window = window(connected());
    window.text("127.0.0.1:7777");
    window.text("0123456789abcdef");
    window.text("1 game");
    click(&mut window, "game.copy-address", GameCommand::CopyAddress);
    click(&mut window, "game.copy-token", GameCommand::CopyToken);
    picture(&mut window, "game_connected");
}

#[test]
fn agents_and_failed_paths_lead_to_their_places() {
    let mut window = window(connected());
    click(&mut window, "game.agent.1.7", GameCommand::ShowAgent(1, 7));
    window.text("Waiting for the explanation…");
    // The explanation is that of the path panel: the text, and where it is.
    window.text_with("The step of 1 m is over the max climb of 0.9 m.");
    click(&mut window, "game.break.0", ViewCommand::LookAt(Vec3::new(6.0, 1.0, 6.0)));
    click(&mut window, "game.take-path.1", GameCommand::TakePath(1));
    click(&mut window, "game.choose.1", GameCommand::Choose(None));
    window.state_mut().session.game.chosen = None;
    window.run();
    assert!(window.find_id("game.take-path.1").is_none());
    click(&mut window, "game.choose.2", GameCommand::Choose(Some(2)));
    window.state_mut().session.bake.clear();
    window.run();
    click(&mut window, "game.choose.1", GameCommand::Choose(Some(1)));
    window.state_mut().session.game.chosen = Some(1);
    window.run();
    window.text_with("Out of date");
    click(&mut window, "game.clear-failed", GameCommand::ClearFailed);
    window.state_mut().session.game.clear_failed();
    window.run();
    window.text_with("has not asked about a path yet");
}
