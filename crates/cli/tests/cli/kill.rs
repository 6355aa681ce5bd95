//! The program killed while it writes a file, early and late: the file is the old or the new one.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

const OLD: &str = "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n";

/// Starts a command that writes some ten megabytes to `level.obj`.
fn write_level(folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_walkable"))
        .args(["generate", "terrain", "--seed", "1", "--size", "400", "-o", "level.obj"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Returns the length of the largest file in `folder` beside the level.
fn largest_beside(folder: &Path) -> Option<u64> {
    let files = fs::read_dir(folder).unwrap().filter_map(Result::ok);
    let others = files.filter(|file| file.file_name() != "level.obj");
    others.filter_map(|file| file.metadata().ok()).map(|data| data.len()).max()
}

#[test]
fn a_kill_while_a_file_is_written_leaves_the_old_or_the_new_one() {
    let whole = tempfile::tempdir().unwrap();
    assert!(write_level(whole.path()).wait().unwrap().success());
    let new = fs::read_to_string(whole.path().join("level.obj")).unwrap();
    let mut n_killed = 0;
    for at_least in [0, 1, 1 << 20, 8 << 20] {
        let folder = tempfile::tempdir().unwrap();
        let level = folder.path().join("level.obj");
        fs::write(&level, OLD).unwrap();
        let mut writer = write_level(folder.path());
        let ended = loop {
            if largest_beside(folder.path()).is_some_and(|length| length >= at_least) {
                break writer.kill().and_then(|()| writer.wait()).unwrap();
            }
            if let Some(ended) = writer.try_wait().unwrap() {
                break ended;
            }
            thread::yield_now();
        };
        let text = fs::read_to_string(&level).unwrap();
        assert!(text == OLD || text == new, "{} bytes with {at_least} on disk", text.len());
        if ended.success() {
            assert!(text == new, "{} bytes", text.len());
        } else if text == OLD {
            n_killed += 1;
            // The next write into the folder removes what is left.
            let mut next = Command::new(env!("CARGO_BIN_EXE_walkable"));
            next.args(["generate", "maze", "-o", "next.obj"]).current_dir(folder.path());
            assert!(next.stdout(Stdio::null()).status().unwrap().success());
            let files = fs::read_dir(folder.path()).unwrap().filter_map(Result::ok);
            let names = files.map(|file| file.file_name().into_string().unwrap());
            let left: Vec<_> = names.filter(|name| name.starts_with(".walkable-")).collect();
            assert!(left.is_empty(), "{left:?}");
        }
    }
    assert!(n_killed > 0, "every write was over before the kill");
}
