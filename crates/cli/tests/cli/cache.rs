//! `walkable bake --cache`: the output is the same with and without a cache, whatever its folder contains.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

#[cfg(unix)]
use crate::run::run_at_most;
use crate::run::{Run, run_in};

const TOWN: [&str; 4] = ["bake", "builtin:town", "--set", "tile_size=32"];

/// Bakes the town to `out` with `more` arguments.
fn bake(folder: &Path, out: &str, more: &[&str]) -> Run {
    run_in(folder, &[&TOWN[..], &["-o", out], more].concat())
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap()
}

/// Bakes to `plain.bin` without a cache and to `out.bin` with the new cache `kept`, and compares both. Returns the
/// number of baked tiles.
fn cached(folder: &Path) -> usize {
    bake(folder, "plain.bin", &[]).succeeded();
    let run = bake(folder, "out.bin", &["--cache", "kept"]);
    let [n_read, n_baked] = read_and_baked(&run);
    assert_eq!((run.code, n_read), (0, 0));
    assert!(bytes(folder, "plain.bin") == bytes(folder, "out.bin"));
    assert_eq!(entries(folder).len(), n_baked);
    n_baked
}

/// Returns the numbers of the line "cache FOLDER: 5 of 9 tiles read, 4 baked".
#[track_caller]
fn read_and_baked(run: &Run) -> [usize; 2] {
    let line = run.stderr.lines().find(|line| line.contains(" tiles read, "));
    let line = line.unwrap_or_else(|| panic!("{}", run.stderr));
    let words: Vec<_> = line.rsplit(' ').collect();
    let number = |at: usize| words[at].parse().unwrap_or_else(|_| panic!("{line}"));
    let (n_baked, n_all, n_read) = (number(1), number(4), number(6));
    assert_eq!(n_all, n_read + n_baked, "{line}");
    [n_read, n_baked]
}

/// Returns the files of the cache, by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let list = |folder: &Path| -> Vec<_> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let mut all: Vec<_> = list(&folder.join("kept")).iter().flat_map(|sub| list(sub)).collect();
    all.sort();
    all
}

fn report(folder: &Path, name: &str) -> Value {
    serde_json::from_slice(&bytes(folder, name)).unwrap()
}

#[test]
fn an_unchanged_level_is_read_and_not_baked() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let n = cached(folder);
    let run = bake(folder, "out.bin", &["--cache", "kept", "--report", "cached.json"]);
    assert_eq!((read_and_baked(&run), run.code), ([n, 0], 0));
    assert!(bytes(folder, "plain.bin") == bytes(folder, "out.bin"));

    bake(folder, "out.bin", &["--report", "plain.json"]).succeeded();
    let [plain, cached] = ["plain.json", "cached.json"].map(|name| report(folder, name));
    for field in ["settings", "triangles", "output", "warnings", "links"] {
        assert_eq!(plain[field], cached[field], "{field}");
    }
    let counts = serde_json::json!(
        { "folder": "kept", "read": n, "baked": 0, "damaged": 0, "not_stored": 0 }
    );
    assert_eq!((&plain["cache"], &cached["cache"]), (&Value::Null, &counts));
    let tiles = [&plain, &cached].map(|report| report["tiles"].as_array().unwrap());
    assert_eq!(tiles[0].len(), n);
    for (plain, cached) in tiles[0].iter().zip(tiles[1]) {
        assert_eq!((&plain["from_cache"], &cached["from_cache"]), (&false.into(), &true.into()));
        for field in ["tile", "counts", "warnings", "error"] {
            assert_eq!(plain[field], cached[field], "{field}");
        }
        assert!(plain["counts"]["spans"].is_u64());
    }
}

#[test]
fn other_settings_are_baked_and_a_change_back_is_read() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let n = cached(folder);
    let other = bake(folder, "out.bin", &["--cache", "kept", "--set", "agent_radius=0.4"]);
    assert_eq!(read_and_baked(&other)[0], 0);
    assert_eq!(read_and_baked(&bake(folder, "out.bin", &["--cache", "kept"])), [n, 0]);
}

/// Returns ground of 48 m with a box of 2 m at `x`, and a post that determines the height of the level.
fn level(x: f32) -> String {
    let [a, b] = [x, x + 2.0];
    let ground = "v 0 0 0\nv 0 0 48\nv 48 0 48\nv 48 0 0\nf 1 2 3\nf 1 3 4\n";
    let post = "v 1 0 1\nv 1 5 1\nv 1 0 1.5\nf 5 6 7\n";
    let top = format!("v {a} 1 20\nv {a} 1 22\nv {b} 1 22\nv {b} 1 20\nf 8 9 10\nf 8 10 11\n");
    [ground, post, &top].concat()
}

#[test]
fn a_moved_box_bakes_only_the_tiles_around_it() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let bake = |out: &str, more: &[&str]| {
        let arguments = ["bake", "level.obj", "--set", "tile_size=16", "-o", out];
        run_in(folder, &[&arguments[..], more].concat())
    };
    fs::write(folder.join("level.obj"), level(20.0)).unwrap();
    let [n_read, n] = read_and_baked(&bake("first.bin", &["--cache", "kept"]));
    assert_eq!((n_read, n), (0, 100));
    fs::write(folder.join("level.obj"), level(20.5)).unwrap();
    let [n_read, n_baked] = read_and_baked(&bake("second.bin", &["--cache", "kept"]));
    assert!(n_baked > 0 && n_baked <= 9 && n_read + n_baked == n, "{n_baked} baked");
    bake("plain.bin", &[]).succeeded();
    assert!(bytes(folder, "second.bin") == bytes(folder, "plain.bin"));
    assert!(bytes(folder, "second.bin") != bytes(folder, "first.bin"));

    // The same level as a file that is read tile by tile.
    run_in(folder, &["bin", "level.obj", "-o", "level.tri"]).succeeded();
    let streamed = |out: &str, more: &[&str]| {
        let arguments = ["bake", "level.tri", "--set", "tile_size=16", "-o", out];
        run_in(folder, &[&arguments[..], more].concat())
    };
    let run = streamed("streamed.bin", &["--cache", "kept"]);
    assert_eq!(read_and_baked(&run), [n, 0], "{}", run.stderr);
    assert!(bytes(folder, "streamed.bin") == bytes(folder, "plain.bin"));
}

#[test]
fn damaged_entries_are_noticed_and_baked_again() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let n = cached(folder);
    let files = entries(folder);
    let originals: Vec<_> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    let mut changed = originals[1].clone();
    *changed.last_mut().unwrap() ^= 1;
    fs::write(&files[0], &originals[0][..originals[0].len() / 2]).unwrap();
    fs::write(&files[1], changed).unwrap();
    fs::write(&files[2], &originals[3]).unwrap();
    fs::write(&files[4], b"").unwrap();
    fs::write(&files[5], b"MSET of something else that is longer than a header").unwrap();
    // A sparse file of 1 TiB, which must not be read into memory.
    fs::File::create(&files[6]).unwrap().set_len(1 << 40).unwrap();
    let n_damaged = 6;
    let run = bake(folder, "out.bin", &["--cache", "kept", "--report", "r.json"]);
    assert_eq!((run.code, read_and_baked(&run)), (0, [n - n_damaged, n_damaged]), "{}", run.stderr);
    let line = format!("cache kept: {n_damaged} damaged entries baked again; the first: cannot ");
    assert_eq!(run.stderr.lines().filter(|found| found.starts_with(&line)).count(), 1);
    assert_eq!(report(folder, "r.json")["cache"]["damaged"], n_damaged);
    assert!(bytes(folder, "plain.bin") == bytes(folder, "out.bin"));

    let repaired: Vec<_> = entries(folder).iter().map(|file| fs::read(file).unwrap()).collect();
    assert!(repaired == originals);
    let again = bake(folder, "out.bin", &["--cache", "kept"]);
    assert_eq!(read_and_baked(&again), [n, 0]);
    assert!(!again.stderr.contains("damaged"), "{}", again.stderr);
}

#[test]
fn tiles_that_cannot_be_stored_are_counted() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("kept")).unwrap();
    for first in 0..=0xff_u8 {
        fs::write(folder.join(format!("kept/{first:02x}")), "").unwrap();
    }
    let run = bake(folder, "out.bin", &["--cache", "kept", "--report", "r.json"]);
    let [n_read, n_baked] = read_and_baked(&run);
    assert_eq!((run.code, n_read), (0, 0));
    assert!(run.stderr.contains(&format!("{n_baked} tiles could not be stored")), "{}", run.stderr);
    assert_eq!(report(folder, "r.json")["cache"]["not_stored"], n_baked);
    bake(folder, "plain.bin", &[]).succeeded();
    assert!(bytes(folder, "plain.bin") == bytes(folder, "out.bin"));
}

#[test]
fn two_processes_share_a_cache() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    bake(folder, "plain.bin", &[]).succeeded();
    let start = |out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_walkable"));
        command.args(TOWN).args(["-o", out, "--cache", "kept"]).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let processes = [start("a.bin"), start("b.bin")];
    for process in processes {
        let output = process.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && !said.contains("damaged"), "{said}");
        assert!(!said.contains("could not be stored"), "{said}");
    }
    for out in ["a.bin", "b.bin"] {
        assert!(bytes(folder, out) == bytes(folder, "plain.bin"), "{out}");
    }
    let n = entries(folder).len();
    assert_eq!(read_and_baked(&bake(folder, "c.bin", &["--cache", "kept"])), [n, 0]);
}

#[test]
fn a_cache_is_refused_where_it_would_not_be_used() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    bake(folder, "out.bin", &["--cache", "kept", "--layers"]).failed(2, &["--cache", "--layers"]);
    fs::write(folder.join("file"), "").unwrap();
    let run = bake(folder, "out.bin", &["--cache", "file"]);
    run.failed(1, &["cannot create the cache folder file"]);
    assert!(!folder.join("out.bin").exists());
}

#[cfg(unix)]
#[test]
fn what_is_no_file_of_the_cache_is_neither_read_nor_written() {
    use std::os::unix::{
        fs::{MetadataExt as _, symlink},
        net::UnixListener,
    };

    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let n = cached(folder);
    let [mine, absent] = ["mine.txt", "absent.txt"].map(|name| folder.join(name));
    fs::write(&mine, "mine").unwrap();
    let kept = entries(folder);
    let [link, nowhere, pipe, socket, other_folder, hard, ..] = &kept[..] else {
        panic!("{} entries", kept.len())
    };
    kept[..6].iter().for_each(|entry| fs::remove_file(entry).unwrap());
    symlink(&mine, link).unwrap();
    symlink(&absent, nowhere).unwrap();
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    // The path of a socket must be short.
    let _listener = UnixListener::bind(folder.join("socket")).unwrap();
    fs::rename(folder.join("socket"), socket).unwrap();
    fs::create_dir(other_folder).unwrap();
    fs::hard_link(&mine, hard).unwrap();
    let args = [&TOWN[..], &["-o", "out.bin", "--cache", "kept"]].concat();
    let run = run_at_most(600, folder, &args);
    assert_eq!(read_and_baked(&run), [n - 6, 6]);
    let not_stored = "5 tiles could not be stored; the first: cannot write kept";
    for text in ["6 damaged entries baked again", not_stored] {
        assert!(run.stderr.contains(text), "{}", run.stderr);
    }
    run.succeeded();
    assert!(bytes(folder, "plain.bin") == bytes(folder, "out.bin"));
    assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
    assert!(!absent.exists() && fs::symlink_metadata(nowhere).unwrap().is_symlink());
    assert!(fs::metadata(hard).unwrap().len() > 4, "the entry is a file of its own");
    assert_eq!(fs::metadata(&mine).unwrap().nlink(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_folder_of_the_cache_is_not_written_to() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("disk")).unwrap();
    // The user may link the cache itself.
    std::os::unix::fs::symlink("disk", folder.join("kept")).unwrap();
    cached(folder);
    let group = entries(folder)[0].parent().unwrap().to_owned();
    fs::remove_dir_all(&group).unwrap();
    let theirs = folder.join("theirs");
    fs::create_dir(&theirs).unwrap();
    std::os::unix::fs::symlink(&theirs, &group).unwrap();
    let run = bake(folder, "out.bin", &["--cache", "kept"]);
    assert!(run.stderr.contains("could not be stored"), "{}", run.stderr);
    run.succeeded();
    assert_eq!(fs::read_dir(&theirs).unwrap().count(), 0);
}
