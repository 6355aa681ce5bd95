//! The protocol of `walkable watch`: over the standard input, and over a local socket with good and bad clients.

use std::{
    collections::VecDeque,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use base64::Engine as _;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::run_in;

const TOKEN: &str = "0123456789abcdef";

/// A yard of 40 by 40 meters with a post in the middle.
const YARD: &str = "o ground\nv 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\n\
                    o post\nv 20 0 20\nv 20 9 20\nv 20 0 21\nf 5 6 7\n";

/// A running program.
struct Program {
    folder: TempDir,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Watches the yard with these arguments.
    fn new(more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("yard.obj"), YARD).unwrap();
        fs::write(folder.path().join("token.txt"), format!("{TOKEN}\n")).unwrap();
        let args = ["watch", "yard.obj", "-o", "out.bin", "--when-asked", "--set", "tile_size=32"];
        let mut child = Command::new(env!("CARGO_BIN_EXE_walkable"))
            .args([&args[..], more].concat())
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { folder, child, input, output }
    }

    /// Starts a program that listens; returns it and the address.
    fn listening() -> (Self, String) {
        let socket = ["--json", "--listen", "127.0.0.1:0", "--token-file", "token.txt"];
        let mut program = Self::new(&socket);
        assert_eq!(program.line()["status"], "written");
        let address = program.line()["address"].as_str().unwrap().to_owned();
        (program, address)
    }

    /// Returns the next line of the standard output.
    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ask(&mut self, message: &Value) -> Value {
        writeln!(self.input, "{message}").unwrap();
        self.line()
    }

    /// Ends the input, and checks that the program succeeds.
    fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}

/// A connection to a program.
struct Client {
    stream: TcpStream,
    lines: BufReader<TcpStream>,
}

impl Client {
    fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        // A program that does not answer fails the test instead of blocking it.
        stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap());
        Self { stream, lines }
    }

    /// Connects and sends the token; returns the greeting, too.
    fn new(address: &str) -> (Self, Value) {
        let mut client = Self::connect(address);
        let hello = json!({ "type": "hello", "protocol": 1, "token": TOKEN });
        let greeting = client.ask(&hello);
        assert_eq!(greeting["type"], "hello", "{greeting}");
        (client, greeting)
    }

    fn send(&mut self, line: &str) {
        self.stream.write_all(line.as_bytes()).unwrap();
        self.stream.write_all(b"\n").unwrap();
    }

    /// Returns the next line; `None` if the connection was closed.
    fn line(&mut self) -> Option<Value> {
        let mut line = String::new();
        let n = self.lines.read_line(&mut line).ok()?;
        (n > 0).then(|| serde_json::from_str(&line).unwrap())
    }

    fn ask(&mut self, message: &Value) -> Value {
        self.send(&message.to_string());
        self.line().unwrap()
    }

    /// Checks that the program sends an error and closes the connection.
    #[track_caller]
    fn check_refused(mut self, expected: &str) {
        let line = self.line().unwrap();
        assert!(line["error"].as_str().unwrap().contains(expected), "{line}");
        assert_eq!((&line["type"], self.line()), (&json!("error"), None));
    }
}

/// Returns a box as an object: four walls and a lid.
fn crate_at(x: f32) -> Value {
    let corner = |x: f32, y: f32, z: f32| json!([x, y, z]);
    let (a, b) = (x, x + 2.0);
    json!({ "name": "Crate", "vertices": [
        corner(a, 1.0, 5.0), corner(a, 1.0, 7.0), corner(b, 1.0, 7.0), corner(b, 1.0, 5.0),
    ], "triangles": [[0, 1, 2], [0, 2, 3]] })
}

#[test]
fn messages_over_the_standard_input_are_answered() {
    let mut program = Program::new(&["--protocol"]);
    let greeting = program.line();
    assert_eq!((&greeting["type"], &greeting["protocol"]), (&json!("hello"), &json!(1)));
    let tiles = greeting["tiles"].as_array().unwrap();
    assert_eq!(tiles.len(), 25);
    assert!(greeting["parameters"]["origin"].is_array() && greeting["file"] == "out.bin");

    let unchanged = program.ask(&json!({ "type": "bake", "id": 1 }));
    assert_eq!(unchanged, json!({ "type": "result", "id": 1, "status": "unchanged" }));
    let changed = program.ask(&json!({ "type": "objects", "replace": [crate_at(30.0)], "id": 2 }));
    assert_eq!(changed, json!({ "type": "result", "id": 2 }));
    let baked = program.ask(&json!({ "type": "bake", "id": 3 }));
    let places = baked["changed"].as_array().unwrap();
    assert!(baked["status"] == "written" && (1..=4).contains(&places.len()), "{baked}");

    // The bytes of a tile are those in the file.
    let place = json!({ "x": places[0]["x"], "z": places[0]["z"], "layer": 0 });
    let far = json!({ "x": 900, "z": 0 });
    let reply = program.ask(&json!({ "type": "tiles", "tiles": [place, far], "id": 4 }));
    assert_eq!(reply["missing"], json!([{ "x": 900, "z": 0, "layer": 0 }]));
    let tile = &reply["tiles"][0];
    assert_eq!(tile["hash"], places[0]["hash"]);
    let standard = base64::engine::general_purpose::STANDARD;
    let data = standard.decode(tile["data"].as_str().unwrap()).unwrap();
    let file = fs::read(program.folder.path().join("out.bin")).unwrap();
    assert_eq!(data.len() as u64, places[0]["bytes"].as_u64().unwrap());
    // Linking changes the tile in memory, but not the vertices and what follows the links.
    assert!(file.windows(60).any(|window| window == &data[..60]));

    let why = |program: &mut Program, x: f32| {
        program.ask(&json!({ "type": "why_here", "at": [x, 0.0, 6.0], "id": 5 }))
    };
    assert!(why(&mut program, 31.0)["chain"][0]["text"].is_string());
    assert_eq!(why(&mut program, 10.0)["chain"], json!([]));
    let path =
        json!({ "type": "why_path", "from": [3, 0, 3], "to": [37, 0, 37], "agent": 7, "id": 6 });
    assert_eq!(program.ask(&path)["status"], "complete");
    // Agents are for the editor; a game need not know whether it is connected to the editor.
    let agents = json!({ "type": "agents", "replace": [{ "id": 7, "at": [3, 0, 3] }], "id": 8 });
    assert_eq!(program.ask(&agents), json!({ "type": "result", "id": 8 }));
    let obstacles = program.ask(&json!({ "type": "obstacles", "obstacles": [], "id": 7 }));
    assert!(obstacles["error"].as_str().unwrap().contains("not prepared"), "{obstacles}");

    let restored = program.ask(&json!({ "type": "objects", "restore": ["Crate"] }));
    assert_eq!(restored, json!({ "type": "result" }));
    assert_eq!(program.ask(&json!({ "type": "bake" }))["status"], "written");
    for (line, error) in [("look", "not a JSON object"), (r#"{"type":"x","id":9}"#, "unknown")] {
        writeln!(program.input, "{line}").unwrap();
        let reply = program.line();
        assert!(reply["type"] == "error" && reply["error"].as_str().unwrap().contains(error));
    }
    program.end();
}

#[test]
fn obstacles_of_a_prepared_level_are_set() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.obj"), YARD).unwrap();
    let document =
        r#"{ "settings": { "tile_size": 32 }, "obstacles": { "prepared": true, "list": [] } }"#;
    let project = format!(
        r#"{{ "walkable_project": 2, "level": {{ "file": "yard.obj" }}, "document": {document} }}"#
    );
    fs::write(folder.path().join("yard.walkable"), project).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_walkable"))
        .args(["watch", "yard.walkable", "-o", "out.bin", "--when-asked", "--protocol"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let mut program = Program { folder, child, input, output };
    assert_eq!(program.line()["type"], "hello");
    let shape = json!({ "cylinder": { "base": [10, 0, 10], "radius": 2, "height": 2 } });
    let obstacles = json!({ "type": "obstacles", "obstacles": [{ "shape": shape }] });
    assert_eq!(program.ask(&obstacles), json!({ "type": "result" }));
    let baked = program.ask(&json!({ "type": "bake" }));
    assert!(baked["status"] == "written" && baked["changed"].as_array().unwrap().len() < 5);
    program.end();
}

#[test]
fn clients_hear_of_each_other() {
    let (mut program, address) = Program::listening();
    let ((mut a, greeting), (mut b, _)) = (Client::new(&address), Client::new(&address));
    assert_eq!(greeting["tiles"].as_array().unwrap().len(), 25);
    a.ask(&json!({ "type": "objects", "replace": [crate_at(30.0)] }));
    let baked = a.ask(&json!({ "type": "bake", "id": 1 }));
    let event = b.line().unwrap();
    assert_eq!((&baked["type"], &event["type"]), (&json!("result"), &json!("baked")));
    assert_eq!(baked["changed"], event["changed"]);
    assert_eq!(program.line()["changed"], baked["changed"]);
    // A line of the standard input requests a bake as before, and the clients are notified of its result.
    fs::write(program.folder.path().join("yard.obj"), YARD.replace("v 20 9 20", "v 22 9 20"))
        .unwrap();
    writeln!(program.input, "look").unwrap();
    assert_eq!(program.line()["status"], "written");
    for client in [&mut a, &mut b] {
        assert_eq!(client.line().unwrap()["type"], "baked");
    }
    program.end();
    assert_eq!(a.line(), None);
}

#[test]
fn only_the_token_lets_a_client_in() {
    let (program, address) = Program::listening();
    let hello = |protocol: u32, token: &str| {
        json!({ "type": "hello", "protocol": protocol, "token": token }).to_string()
    };
    for (line, error) in [
        (hello(1, "0123456789abcdeF"), "the token is wrong"),
        (hello(1, "0123456789abcde"), "the token is wrong"),
        (hello(1, ""), "the token is wrong"),
        (hello(2, TOKEN), "protocol 2 is not supported, only 1"),
        (r#"{"type":"bake"}"#.to_owned(), "the first line must be a hello message"),
        ("POST / HTTP/1.1".to_owned(), "not a JSON object"),
        (" ".repeat(5000), "the first line must be a hello message within"),
    ] {
        let mut client = Client::connect(&address);
        client.send(&line);
        client.check_refused(error);
    }
    // A client that does not send a line, or leaves at once, occupies a connection for a short time only.
    drop(Client::connect(&address));
    let silent = Client::connect(&address);
    silent.check_refused("the first line must be a hello message within 2 s");
    drop(Client::new(&address));
    program.end();
}

#[test]
fn the_number_of_clients_is_limited() {
    let (program, address) = Program::listening();
    let mut clients: Vec<_> = (0..8).map(|_| Client::new(&address).0).collect();
    let mut another = Client::connect(&address);
    another.send(&json!({ "type": "hello", "protocol": 1, "token": TOKEN }).to_string());
    another.check_refused("too many clients");
    assert_eq!(clients[7].ask(&json!({ "type": "bake" }))["status"], "unchanged");
    program.end();
}

#[test]
fn connections_without_the_token_do_not_keep_out_clients_with_it() {
    let (program, address) = Program::listening();
    let hello = json!({ "type": "hello", "protocol": 1, "token": TOKEN }).to_string();
    // Clients that send nothing, a part of the first line, or a wrong token, and stay.
    let silent: Vec<_> = (0..200)
        .map(|n| {
            let mut client = Client::connect(&address);
            let start = ["", &hello[..40], "{}\n"][n % 3];
            // The program may close the connection at any time.
            let _ = client.stream.write_all(start.as_bytes());
            client
        })
        .collect();
    drop(Client::new(&address));

    // Another connects again and again, and is in the way of a client for moments only.
    let is_over = AtomicBool::new(false);
    let n_greeted = thread::scope(|scope| {
        scope.spawn(|| {
            let mut held = VecDeque::new();
            while !is_over.load(Ordering::Relaxed) {
                held.extend(TcpStream::connect(&address));
                if held.len() > 100 {
                    held.pop_front();
                }
            }
        });
        let greeted = |_| {
            let mut client = Client::connect(&address);
            client.stream.write_all(format!("{hello}\n").as_bytes()).ok()?;
            client.line().filter(|greeting| greeting["type"] == "hello")
        };
        let n_greeted = (0..20).filter(|_| (0..20).find_map(greeted).is_some()).count();
        is_over.store(true, Ordering::Relaxed);
        n_greeted
    });
    assert_eq!(n_greeted, 20);
    // What follows the token in the same packet is read, too, and a token may come in pieces.
    let mut client = Client::connect(&address);
    for part in hello.as_bytes().chunks(1) {
        client.stream.write_all(part).unwrap();
    }
    client.send("\n{\"type\":\"dance\",\"id\":1}\n{\"type\":\"dance\",\"id\":2}");
    assert_eq!(client.line().unwrap()["type"], "hello");
    for id in 1..3 {
        assert_eq!(client.line().unwrap()["id"], id);
    }
    drop(silent);
    program.end();
}

#[cfg(unix)]
#[test]
fn a_token_that_others_can_read_is_a_warning() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.obj"), YARD).unwrap();
    let token = folder.path().join("token.txt");
    fs::write(&token, TOKEN).unwrap();
    let args = ["watch", "yard.obj", "-o", "out.bin", "--listen", "127.0.0.1:0", "--token-file"];
    for (mode, is_shared) in [(0o644, true), (0o600, false)] {
        fs::set_permissions(&token, fs::Permissions::from_mode(mode)).unwrap();
        let run = run_in(folder.path(), &[&args[..], &["token.txt"]].concat());
        let text = "warning: other users can read the token in token.txt";
        assert_eq!(run.stderr.contains(text), is_shared, "{}", run.stderr);
        run.succeeded();
    }
}

#[test]
fn bad_clients_do_not_disturb_others() {
    let (program, address) = Program::listening();
    let (mut good, greeting) = Client::new(&address);

    // A thousand lines at once, each with its reply.
    let (mut hasty, _) = Client::new(&address);
    for id in 0..1000 {
        writeln!(hasty.stream, "{{\"type\":\"dance\",\"id\":{id}}}").unwrap();
    }
    for id in 0..1000 {
        assert_eq!(hasty.line().unwrap()["id"], id);
    }
    // A line that is too long.
    let (mut long, _) = Client::new(&address);
    long.send(&"x".repeat(70_000));
    long.check_refused("a line is longer than 65536 bytes");
    // One that vanishes in the middle of a line, with a reply on its way.
    let (mut vanishing, _) = Client::new(&address);
    vanishing.stream.write_all(b"{\"type\":\"bake\"}\n{\"type\":").unwrap();
    drop(vanishing);
    // One that asks and does not read, until it is disconnected.
    let (mut slow, _) = Client::new(&address);
    let tiles: Vec<_> = greeting["tiles"].as_array().unwrap().iter().collect();
    let places = tiles.iter().map(|tile| json!({ "x": tile["x"], "z": tile["z"] }));
    let ask = format!("{}\n", json!({ "type": "tiles", "tiles": places.collect::<Vec<_>>() }));
    let n_asked =
        (0..100_000).take_while(|_| slow.stream.write_all(ask.as_bytes()).is_ok()).count();
    assert!((100..100_000).contains(&n_asked), "{n_asked}");
    let mut rest = Vec::new();
    // The connection may end with an error.
    let _ = slow.lines.read_to_end(&mut rest);

    assert_eq!(good.ask(&json!({ "type": "bake", "id": 5 }))["status"], "unchanged");
    program.end();
}

#[test]
fn a_socket_needs_a_loopback_address_and_a_token() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.obj"), YARD).unwrap();
    fs::write(folder.path().join("short.txt"), "short").unwrap();
    let check = |more: &[&str], code: i32, expected: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_walkable"))
            .args([&["watch", "yard.obj", "-o", "out.bin"], more].concat())
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(code) && said.contains(expected), "{more:?}: {said}");
    };
    check(&["--listen", "127.0.0.1:0"], 2, "--token-file");
    let token = ["--token-file", "short.txt"];
    check(&token, 2, "--listen");
    let at = |address| [&["--listen", address], &token[..]].concat();
    check(&at("0.0.0.0:7777"), 2, "can be reached from other machines");
    check(&at("localhost:7777"), 2, "give an address such as 127.0.0.1:7777");
    check(&at("127.0.0.1:0"), 1, "a token has 16 to 1024");
    check(&["--protocol", "--json"], 2, "cannot be used with");
}

#[test]
fn the_client_in_python_speaks_with_the_program() {
    let (program, address) = Program::listening();
    let script = walkable_test_support::repository().join("integrations/live/walkable_live.py");
    let run = |script: &Path| {
        Command::new("python3")
            .arg(script)
            .args([&address, "token.txt"])
            .current_dir(program.folder.path())
            .output()
    };
    let output = run(&script).expect("python3 is installed");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 6, "{said}");
    assert!(lines[0].starts_with("walkable ") && lines[0].ends_with(": 25 tiles"), "{said}");
    assert!(lines[1].starts_with("crate at 10: written, "), "{said}");
    assert!(lines[2].starts_with("crate at 25: written, "), "{said}");
    assert_ne!(lines[3], "under the crate: walkable");
    assert_eq!(lines[4..], ["path: complete", "without the crate: written"]);
    program.end();
}
