//! A game connects to an editor that was started with `--listen`.

use std::{ffi::OsStr, fs, net::TcpListener, process::Command};

use crate::display::{Display, Editor, wait_for};

#[test]
fn a_game_connects_to_the_editor() {
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token.txt");
    fs::write(&token, "0123456789abcdef").unwrap();
    // The socket is closed at once, so the editor can bind its port.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let display = Display::start(folder.path(), [1280, 720]);
    let [level, listen, token_file] =
        ["builtin:sample", "--listen", "--token-file"].map(OsStr::new);
    let args = [level, listen, OsStr::new(&address), token_file, token.as_os_str()];
    let editor = Editor::start_with(&display, folder.path(), &args);
    wait_for("the first bake", || editor.n_polygons());
    let client = walkable_test_support::repository().join("integrations/live/walkable_live.py");
    let mut game = Command::new("python3");
    game.arg(client).arg(&address).arg(&token).args(["--agents", "--seconds", "0"]);
    let said = wait_for("the answers to the game", || {
        let output = game.output().expect("python3 is installed");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    });
    assert!(said.starts_with("path of Guard: "), "{said}");
}
