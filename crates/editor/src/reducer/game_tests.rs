//! The editor with a running game: a client on a real socket.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::TcpStream,
    path::PathBuf,
    process::{Command, Stdio},
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use glam::Vec3;
use serde_json::{Value, json};
use web_time::Instant;

use super::{Editor, Effect, Event, REST, Tick};
use crate::{
    command::{self, CameraMove, GameCommand, Pane},
    jobs::{BackgroundJobs, Results, game::ListenRequest, slot::Wake},
    session::{GameLink, Session, ToolKind},
    testing::baked,
};

/// Time after which a test fails instead of waiting on.
const PATIENCE: Duration = Duration::from_mins(1);

/// An editor with its jobs, as the window runs them.
struct Running {
    editor: Editor,
    jobs: BackgroundJobs,
    wake: SyncSender<()>,
    wakes: Receiver<()>,
}

impl Running {
    fn new() -> Self {
        let (sender, wakes) = sync_channel(10_000);
        let to_wake = sender.clone();
        let wake: Wake = Arc::new(move || to_wake.try_send(()).unwrap_or_default());
        let jobs = BackgroundJobs::new(&wake, &wake, |_| panic!("no dialog"));
        let mut editor = Editor::default();
        *editor.session_mut() = baked();
        Self { editor, jobs, wake: sender, wakes }
    }

    /// Returns an editor that listens, its address and its token.
    fn listening() -> (Self, String, String) {
        let mut running = Self::new();
        let request = ListenRequest { address: "127.0.0.1:0".to_owned(), token_file: None };
        running.run(GameCommand::Listen(request));
        running.until(|session| matches!(session.game.link, GameLink::Listening { .. }));
        let GameLink::Listening { address, token } = running.session().game.link.clone() else {
            unreachable!("it listens")
        };
        (running, address, token)
    }

    fn session(&self) -> &Session {
        self.editor.session()
    }

    fn run(&mut self, command: impl Into<command::Command>) -> Vec<Effect> {
        let effects = self.editor.reduce(Event::Command(command.into()));
        self.start(effects)
    }

    /// Starts the work of `effects`; returns the others.
    fn start(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let mut others = Vec::new();
        for effect in effects {
            match effect {
                Effect::Work(work) => self.jobs.start(work),
                effect => others.push(effect),
            }
        }
        others
    }

    fn turn(&mut self) {
        let report = self.jobs.poll(Results::Take);
        let effects = self.editor.reduce(Event::Work(report));
        self.start(effects);
        let tick = Tick { now: Instant::now(), rest: REST, jobs: self.jobs.status() };
        let effects = self.editor.reduce(Event::Tick(tick));
        self.start(effects);
    }

    /// Draws frames until `holds` returns true.
    #[track_caller]
    fn until(&mut self, holds: impl Fn(&Session) -> bool) {
        loop {
            self.turn();
            if holds(self.session()) {
                return;
            }
            self.wakes.recv_timeout(PATIENCE).expect("nothing happens any more");
        }
    }

    /// Draws frames until the client gets a line; `None` if the connection was closed.
    #[track_caller]
    fn line(&mut self, client: &Client) -> Option<Value> {
        loop {
            self.turn();
            if let Ok(line) = client.lines.try_recv() {
                return line;
            }
            self.wakes.recv_timeout(PATIENCE).expect("nothing happens any more");
        }
    }

    #[track_caller]
    fn ask(&mut self, client: &mut Client, message: &Value) -> Value {
        client.send(message);
        self.line(client).expect("the connection is open")
    }

    /// Connects a client with the token; returns the greeting, too.
    fn join(&mut self, address: &str, token: &str) -> (Client, Value) {
        let mut client = Client::new(address, self.wake.clone());
        let hello = json!({ "type": "hello", "protocol": 1, "token": token });
        let greeting = self.ask(&mut client, &hello);
        (client, greeting)
    }
}

/// A connection; its lines arrive on a thread of its own.
struct Client {
    stream: TcpStream,
    lines: Receiver<Option<Value>>,
}

impl Client {
    fn new(address: &str, wake: SyncSender<()>) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        let (sender, lines) = sync_channel(10_000);
        let reading = stream.try_clone().unwrap();
        let read = move || {
            for line in BufReader::new(reading).lines().map_while(Result::ok) {
                sender.send(Some(serde_json::from_str(&line).unwrap())).ok();
                wake.try_send(()).ok();
            }
            sender.send(None).ok();
            wake.try_send(()).ok();
        };
        thread::Builder::new().name("client".to_owned()).spawn(read).unwrap();
        Self { stream, lines }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stream, "{message}").unwrap();
    }

    /// Returns the next line, without a frame of the window.
    #[track_caller]
    fn next(&self) -> Value {
        self.lines.recv_timeout(PATIENCE).unwrap().unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stream.shutdown(std::net::Shutdown::Both).ok();
    }
}

fn guard(x: f32) -> Value {
    json!({ "id": 7, "name": "Guard", "at": [x, 0, 20], "path": [[9, 0, 20], [9, 0, 9]] })
}

/// Returns a question about a path that leaves the level.
fn why_path(id: u64) -> Value {
    json!({ "type": "why_path", "from": [2, 0, 20], "to": [60, 0, 20], "agent": 7, "id": id })
}

#[test]
fn a_game_shows_its_agents_and_its_failed_paths_are_explained() {
    let (mut running, address, token) = Running::listening();
    let (mut client, greeting) = running.join(&address, &token);
    assert_eq!((&greeting["type"], &greeting["protocol"]), (&json!("hello"), &json!(1)));
    let tiles = greeting["tiles"].as_array().unwrap().clone();
    let navmesh = running.session().bake.navmesh.clone().unwrap();
    assert_eq!(tiles.len(), navmesh.tiles().count());
    assert!(greeting["parameters"]["origin"].is_array(), "{greeting}");

    let agents = json!({ "type": "agents", "replace": [guard(4.0), { "id": 8, "at": [5, 0, 5] }] });
    assert_eq!(running.ask(&mut client, &agents), json!({ "type": "result" }));
    running.until(|session| session.game.agents.len() == 2);
    let moved = json!({ "type": "agents", "replace": [guard(6.0)], "remove": [8], "id": 1 });
    assert_eq!(running.ask(&mut client, &moved), json!({ "type": "result", "id": 1 }));
    running.until(|session| session.game.agents.len() == 1);
    let (_, agent) = running.session().game.agents.iter().next().unwrap();
    assert_eq!((agent.at.x, agent.path.len(), agent.label()), (6.0, 2, "Guard".to_owned()));

    let why = running.ask(&mut client, &why_path(2));
    assert_eq!((&why["type"], &why["id"]), (&json!("result"), &json!(2)), "{why}");
    assert!(why["status"] != "complete" && why["first"]["text"].is_string(), "{why}");
    let again = running.ask(&mut client, &why_path(3));
    assert_eq!((&again["first"], &again["id"]), (&why["first"], &json!(3)));
    let failed = running.session().game.failed[0].clone();
    assert_eq!((&*failed.agent, failed.n_requests), ("Guard", 2));
    let (_, found) = failed.answer.clone().unwrap();
    assert_eq!(json!(found.unwrap().answer.first.as_ref().unwrap().text), why["first"]["text"]);

    let effects = running.run(GameCommand::Choose(Some(failed.number)));
    assert!(matches!(effects[..], [Effect::Camera(CameraMove::Frame(_))]), "{effects:?}");
    let effects = running.run(GameCommand::TakePath(failed.number));
    assert!(matches!(effects[1], Effect::BringToFront(Pane::Path)), "{effects:?}");
    let ends = [Vec3::new(2.0, 0.0, 20.0), Vec3::new(60.0, 0.0, 20.0)];
    assert_eq!(
        (running.session().path.ends(), running.session().tools.tool),
        (Some(ends), ToolKind::Path)
    );

    let place = json!({ "x": tiles[0]["x"], "z": tiles[0]["z"], "layer": tiles[0]["layer"] });
    let reply = running.ask(&mut client, &json!({ "type": "tiles", "tiles": [place] }));
    assert_eq!(reply["tiles"][0]["hash"], tiles[0]["hash"]);
    let here = running.ask(&mut client, &json!({ "type": "why_here", "at": [60, 0, 20] }));
    assert!(here["chain"].is_array(), "{here}");
    let refused = running.ask(&mut client, &json!({ "type": "bake", "id": 4 }));
    assert!(refused["error"].as_str().unwrap().contains("walkable watch"), "{refused}");

    // After another bake, games are notified of the changed tiles.
    running.editor.session_mut().bake.clear();
    let event = running.line(&client).unwrap();
    assert_eq!((&event["type"], &event["status"]), (&json!("baked"), &json!("written")));
    assert_eq!(event["removed"].as_array().unwrap().len(), tiles.len());

    running.run(GameCommand::Disconnect);
    assert_eq!(running.line(&client), None);
    let game = &running.session().game;
    assert!(game.link == GameLink::Off && game.agents.is_empty() && game.failed.is_empty());
    // The address is free again.
    running.run(GameCommand::Listen(ListenRequest { address, token_file: None }));
    running.until(|session| matches!(session.game.link, GameLink::Listening { .. }));
}

#[test]
fn what_a_client_shows_ends_with_it() {
    let (mut running, address, token) = Running::listening();
    let (mut first, _) = running.join(&address, &token);
    let (mut second, _) = running.join(&address, &token);
    for client in [&mut first, &mut second] {
        running.ask(client, &json!({ "type": "agents", "replace": [guard(4.0)] }));
    }
    running.until(|session| session.game.agents.len() == 2);
    drop(first);
    running.until(|session| session.game.agents.len() == 1 && session.game.clients.len() == 1);
    let ((client, _), _) = running.session().game.agents.iter().next().unwrap();
    assert_eq!(client, 2);
    let mut wrong = Client::new(&address, running.wake.clone());
    wrong.send(&json!({ "type": "hello", "protocol": 1, "token": "0123456789abcdef" }));
    let refused = running.line(&wrong).unwrap();
    assert_eq!(refused["error"], "the token is wrong");
    assert_eq!(running.session().game.clients.len(), 1);
}

#[test]
fn a_game_never_waits_for_the_window_and_its_questions_are_limited() {
    let (mut running, address, token) = Running::listening();
    let (mut client, _) = running.join(&address, &token);
    // From here on, no frame is drawn.
    for x in [4.0, 5.0, 6.0] {
        client.send(&json!({ "type": "agents", "replace": [guard(x)] }));
        assert_eq!(client.next(), json!({ "type": "result" }));
    }
    for id in 0..64 {
        client.send(&why_path(id));
    }
    client.send(&why_path(100));
    let refused = client.next();
    assert_eq!(refused["id"], 100);
    assert!(refused["error"].as_str().unwrap().starts_with("64 questions wait"), "{refused}");
    // The window catches up: all are the same path.
    for id in 0..64 {
        assert_eq!(running.line(&client).unwrap()["id"], id);
    }
    let failed = &running.session().game.failed;
    assert_eq!((failed.len(), failed[0].n_requests), (1, 64));
    let (_, agent) = running.session().game.agents.iter().next().unwrap();
    assert_eq!(agent.at, Vec3::new(6.0, 0.0, 20.0));
    let next = running.ask(&mut client, &why_path(101));
    assert_eq!(next["type"], "result");
}

#[test]
fn the_client_in_python_shows_agents_and_a_failed_path() {
    let (mut running, address, token) = Running::listening();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("token.txt"), token).unwrap();
    let client = walkable_test_support::repository().join("integrations/live/walkable_live.py");
    let child = Command::new("python3")
        .arg(client)
        .args([&*address, "token.txt", "--agents", "--seconds", "0"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is installed");
    running.until(|session| session.game.failed.iter().any(|it| it.answer.is_some()));
    let game = &running.session().game;
    assert_eq!((game.agents.len(), &*game.failed[0].agent), (3, "Guard"));
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.starts_with("path of Guard: "), "{said}");
    running.until(|session| session.game.agents.is_empty());
    assert_eq!(running.session().game.failed.len(), 1, "it stays");
}

#[test]
fn only_loopback_addresses_and_good_tokens_are_accepted() {
    let mut running = Running::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "short").unwrap();
    let mut check = |address: &str, token_file: Option<PathBuf>, expected: &str| {
        running.run(GameCommand::Listen(ListenRequest { address: address.to_owned(), token_file }));
        running.until(|session| session.game.link == GameLink::Off);
        let why = running.session().game.error.clone().unwrap();
        assert!(why.contains(expected), "{why}");
    };
    check("0.0.0.0:7777", None, "can be reached from other machines");
    check("localhost", None, "give an address such as 127.0.0.1:7777");
    check("127.0.0.1:0", Some(file), "a token has 16 to 1024");
}
