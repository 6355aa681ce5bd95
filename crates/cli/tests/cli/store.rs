//! Tile stores: baked, continued after a kill, converted and read.

use std::{
    fs,
    path::Path,
    process::{self, Child, Stdio},
    thread,
    time::Duration,
};

use tempfile::TempDir;
use walkable::export::ExportFormat;
use walkable_editor::{
    command::Command,
    headless::HeadlessEditor,
    jobs::{BackgroundJobs, ask_file::DialogEnd, open::LevelBudget, slot::Wake},
    session::{ExportKind, LevelSource},
};

#[cfg(unix)]
use crate::run::run_at_most;
use crate::run::{Run, run_in};

const TOWN: [&str; 4] = ["bake", "builtin:town", "--set", "tile_size=16"];
const UNFINISHED: &str = "world.tiles.unfinished";

fn bake(folder: &Path, more: &[&str]) -> Run {
    run_in(folder, &[&TOWN[..], more].concat())
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap()
}

/// Starts a bake of the town to `world.tiles`.
fn start(folder: &Path) -> Child {
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_walkable"));
    command.args(TOWN).args(["-o", "world.tiles"]).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_store_is_converted_to_the_tile_set_of_the_same_bake_and_back() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    bake(folder, &["-o", "world.bin"]).succeeded();
    bake(folder, &["-o", "world.tiles", "--threads", "1"]).succeeded();
    bake(folder, &["-o", "again.tiles", "--threads", "8"]).succeeded();
    assert!(bytes(folder, "world.tiles") == bytes(folder, "again.tiles"));
    run_in(folder, &["export", "world.tiles", "-o", "converted.bin"]).succeeded();
    assert!(bytes(folder, "world.bin") == bytes(folder, "converted.bin"));
    run_in(folder, &["export", "world.bin", "-o", "back.tiles"]).succeeded();
    run_in(folder, &["export", "back.tiles", "-o", "converted.bin"]).succeeded();
    assert!(bytes(folder, "world.bin") == bytes(folder, "converted.bin"));

    let info = run_in(folder, &["info", "world.tiles"]).succeeded();
    assert!(info.starts_with("tile store with ") && info.contains(" m (x, z)"), "{info}");
    let of = |file: &str| {
        let check = run_in(folder, &["check", file]);
        (check.code, check.stdout.replace(file, "FILE"))
    };
    assert_eq!(of("world.tiles"), of("world.bin"));
}

#[test]
fn a_store_is_checked_like_its_tile_set_and_names_damaged_tiles() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    bake(folder, &["-o", "world.tiles"]).succeeded();
    run_in(folder, &["export", "world.tiles", "-o", "world.bin"]).succeeded();
    let check = |name: &str| {
        let said = run_in(folder, &["check", name]).succeeded().replace(name, "NAME");
        said.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(check("world.tiles"), check("world.bin"));
    run_in(folder, &["export", "world.tiles", "-o", "copy.tiles"]).succeeded();
    assert!(bytes(folder, "copy.tiles") == bytes(folder, "world.tiles"));
    let mut damaged = bytes(folder, "world.tiles");
    let middle = damaged.len() / 3;
    damaged[middle] ^= 0x55;
    fs::write(folder.join("damaged.tiles"), damaged).unwrap();
    let run = run_in(folder, &["check", "damaged.tiles", "--strict"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.contains("left out: tile "), "{}", run.stdout);
}

#[test]
fn one_tile_is_exported_as_detour_stores_it() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    bake(folder, &["-o", "world.tiles"]).succeeded();
    let export = |more: &[&str]| {
        run_in(folder, &[&["export", "world.tiles", "-o", "one.tile"], more].concat())
    };
    export(&[]).failed(2, &["no format has this extension"]);
    export(&["--tile", "99,0"]).failed(1, &["there is no tile 99,0"]);
    export(&["--tile", "1"]).failed(2, &["expected COLUMN,ROW"]);
    export(&["--tile", "2,1"]).succeeded();
    let tile = bytes(folder, "one.tile");
    assert_eq!(tile[..4], *b"VAND");
    assert_eq!(tile[8..20], [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    run_in(folder, &["export", "world.tiles", "-o", "world.bin"]).succeeded();
    run_in(folder, &["export", "world.bin", "-o", "of-set.tile", "--tile", "2,1"]).succeeded();
    assert!(bytes(folder, "of-set.tile") == tile);
    // Other tiles are not read, whether they are damaged or not.
    let mut damaged = bytes(folder, "world.tiles");
    let at = damaged.windows(tile.len()).position(|window| window == tile).unwrap();
    damaged[..at - 400][100..].fill(0x55);
    fs::write(folder.join("world.tiles"), &damaged).unwrap();
    export(&["--tile", "2,1"]).succeeded();
    assert!(bytes(folder, "one.tile") == tile);
    export(&["--tile", "0,0"]).failed(1, &["tile 0,0", "checksum"]);
}

#[test]
fn files_read_tile_by_tile_give_the_same_store() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    run_in(folder, &["generate", "town", "--size", "60", "-o", "town.obj"]).succeeded();
    run_in(folder, &["bin", "town.obj", "-o", "town.tri"]).succeeded();
    let bake = |level: &str, out: &str, more: &[&str]| {
        let arguments = ["bake", level, "--set", "tile_size=32", "-o", out];
        run_in(folder, &[&arguments[..], more].concat()).succeeded();
        bytes(folder, out)
    };
    let from_file = bake("town.tri", "file.tiles", &[]);
    let from_memory = bake("town.obj", "memory.tiles", &["--report", "report.json"]);
    assert!(from_file == from_memory);
    let report = fs::read_to_string(folder.join("report.json")).unwrap();
    assert!(report.contains("\"format\": \"tile store\""), "{report}");
    assert!(bake("town.tri", "cached.tiles", &["--cache", "kept"]) == from_file);
    assert!(bake("town.tri", "from_cache.tiles", &["--cache", "kept"]) == from_file);
}

#[test]
fn the_window_exports_all_tiles_of_a_level_in_part_as_bake_writes_them() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    run_in(folder, &["generate", "town", "--size", "60", "-o", "town.obj"]).succeeded();
    run_in(folder, &["bin", "town.obj", "-o", "town.tri", "--square", "8"]).succeeded();
    fs::write(folder.join("town.cfg"), "tile_size = 32\nagent_radius = 0.4\n").unwrap();
    for file in ["baked.tiles", "baked.bin"] {
        let bake = ["bake", "town.tri", "--settings", "town.cfg", "-o", file];
        run_in(folder, &bake).succeeded();
    }
    let jobs = |wake: &Wake| {
        let jobs = BackgroundJobs::new(wake, wake, |_| DialogEnd::OpensLater);
        let mut jobs = jobs.with_level_stores(Some(&folder.join("levels")));
        jobs.set_level_budget(LevelBudget { triangles: 1000, ..LevelBudget::default() });
        jobs
    };
    let mut editor = HeadlessEditor::new(Duration::from_mins(2), jobs);
    let source = LevelSource::File(folder.join("town.tri"));
    editor.carry_out(Command::Load(source)).unwrap();
    assert!(editor.editor().session().world().is_some(), "a part is loaded");
    for (format, name) in [(ExportFormat::TileStore, "tiles"), (ExportFormat::Detour, "bin")] {
        let written = folder.join("window").with_extension(name);
        let export = Command::ExportTo(ExportKind::Whole(format), written.clone());
        editor.carry_out(export).unwrap();
        let baked = bytes(folder, &format!("baked.{name}"));
        assert!(fs::read(written).unwrap() == baked, "{name}");
    }
}

#[test]
fn a_killed_bake_is_continued_to_the_same_bytes() {
    let whole = TempDir::new().unwrap();
    bake(whole.path(), &["-o", "world.tiles"]).succeeded();
    let new = bytes(whole.path(), "world.tiles");
    let (mut n_killed, mut n_found) = (0, 0);
    for percent in [0, 1, 7, 23, 41, 66, 90, 97] {
        let folder = TempDir::new().unwrap();
        let folder = folder.path();
        fs::write(folder.join("world.tiles"), "old").unwrap();
        let unfinished = folder.join(UNFINISHED);
        let mut process = start(folder);
        let ended = loop {
            let length = unfinished.metadata().map_or(0, |data| data.len());
            if length * 100 > new.len() as u64 * percent {
                break process.kill().and_then(|()| process.wait()).unwrap();
            }
            if let Some(ended) = process.try_wait().unwrap() {
                break ended;
            }
            thread::yield_now();
        };
        let kept = bytes(folder, "world.tiles");
        if unfinished.exists() {
            n_killed += 1;
            assert!(!ended.success() && kept == b"old", "killed at {percent} %");
        } else {
            // The process was killed before it created the file, or after it had replaced the old one.
            assert!(kept == new || (kept == b"old" && !ended.success()), "killed at {percent} %");
        }
        let next = bake(folder, &["-o", "world.tiles"]);
        n_found += usize::from(next.stderr.contains("found from a bake that ended early"));
        next.succeeded();
        assert!(bytes(folder, "world.tiles") == new, "killed at {percent} %");
        assert!(!unfinished.exists());
    }
    assert!(n_killed > 2 && n_found > 1, "{n_killed} killed, {n_found} continued");
}

#[test]
fn an_unfinished_store_cut_off_or_damaged_anywhere_is_continued() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    bake(folder, &["-o", "world.tiles"]).succeeded();
    let new = bytes(folder, "world.tiles");
    // A different place in every run.
    let random = u64::from(process::id()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for round in 0..6 {
        let at = usize::try_from(random.rotate_left(round * 11) % new.len() as u64).unwrap();
        let mut half = new.clone();
        match round % 2 {
            0 => half.truncate(at),
            _ => half[at] ^= 1,
        }
        fs::remove_file(folder.join("world.tiles")).unwrap();
        fs::write(folder.join(UNFINISHED), half).unwrap();
        if at < 8 && round % 2 == 1 {
            bake(folder, &["-o", "world.tiles"]).failed(1, &["not a tile store"]);
            fs::remove_file(folder.join(UNFINISHED)).unwrap();
        }
        bake(folder, &["-o", "world.tiles"]).succeeded();
        assert!(bytes(folder, "world.tiles") == new, "byte {at} in round {round}");
    }
}

#[test]
fn only_changed_tiles_are_baked_again() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    bake(folder, &["-o", "world.tiles"]).succeeded();
    let before = bytes(folder, "world.tiles");
    let again = bake(folder, &["-o", "world.tiles"]);
    assert!(again.stderr.contains("0 baked"), "{}", again.stderr);
    again.succeeded();
    assert!(bytes(folder, "world.tiles") == before);
    let other = bake(folder, &["-o", "world.tiles", "--set", "agent_radius=0.9"]);
    assert!(!other.stderr.contains("unchanged"), "{}", other.stderr);
    other.succeeded();
    assert!(bytes(folder, "world.tiles") != before);
}

#[test]
fn a_damaged_tile_is_named_and_baked_again() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    bake(folder, &["-o", "world.tiles"]).succeeded();
    let good = bytes(folder, "world.tiles");
    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x40;
    fs::write(folder.join("world.tiles"), damaged).unwrap();
    // The check lists it and checks the others.
    let checked = run_in(folder, &["check", "world.tiles"]).succeeded();
    assert!(checked.contains("of the tile store is damaged"), "{checked}");
    for (command, more) in
        [("export", &["-o", "world.bin"][..]), ("path", &["--from", "1,0,1", "--to", "2,0,2"])]
    {
        let run = run_in(folder, &[&[command, "world.tiles"], more].concat());
        assert!(
            run.code != 0 && run.stderr.contains("of the tile store is damaged"),
            "{}",
            run.stderr
        );
    }
    let again = bake(folder, &["-o", "world.tiles"]);
    assert!(again.stderr.contains("1 baked"), "{}", again.stderr);
    again.succeeded();
    assert!(bytes(folder, "world.tiles") == good);
}

#[test]
fn only_one_process_writes_a_store() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let mut first = start(folder);
    while !folder.join(UNFINISHED).exists() && first.try_wait().unwrap().is_none() {
        thread::yield_now();
    }
    let second = bake(folder, &["-o", "world.tiles"]);
    assert!(first.wait().unwrap().success());
    if second.code != 0 {
        second.failed(1, &["another process is writing", "world.tiles"]);
    }
    bake(folder, &["-o", "alone.tiles"]).succeeded();
    assert!(bytes(folder, "world.tiles") == bytes(folder, "alone.tiles"));
}

#[cfg(unix)]
#[test]
fn an_unfinished_store_that_is_not_a_file_of_its_own_is_not_written() {
    use std::os::unix::{fs::symlink, net::UnixListener};

    type Make = fn(&Path, &Path);

    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let at = |name: &str| folder.join(name);
    bake(folder, &["-o", "other.tiles"]).succeeded();
    let other = bytes(folder, "other.tiles");
    let args = [&TOWN[..], &["--set", "agent_radius=0.9", "-o", "world.tiles"]].concat();
    let makes: [(&str, Make); 6] = [
        ("a symbolic link", |at, other| symlink(other, at).unwrap()),
        ("a symbolic link", |at, _| symlink("absent.tiles", at).unwrap()),
        ("a named pipe", |at, _| {
            assert!(process::Command::new("mkfifo").arg(at).status().unwrap().success());
        }),
        ("a socket", |at, _| drop(UnixListener::bind(at).unwrap())),
        ("a folder", |at, _| fs::create_dir(at).unwrap()),
        ("it has other names", |at, other| fs::hard_link(other, at).unwrap()),
    ];
    for (kind, make) in makes {
        make(&at(UNFINISHED), &at("other.tiles"));
        run_at_most(600, folder, &args).failed(1, &[UNFINISHED, kind]);
        assert!(bytes(folder, "other.tiles") == other, "{kind}");
        assert!(!at("absent.tiles").exists() && !at("world.tiles").exists(), "{kind}");
        fs::remove_file(at(UNFINISHED)).or_else(|_| fs::remove_dir(at(UNFINISHED))).unwrap();
    }
    // The user may name a link.
    symlink("other.tiles", at("world.tiles")).unwrap();
    run_at_most(600, folder, &args).succeeded();
    assert!(bytes(folder, "other.tiles") != other && at("world.tiles").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_private_store_stays_private_while_it_is_written() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let mode = |name: &str| Some(folder.join(name).metadata().ok()?.permissions().mode() & 0o777);
    fs::write(folder.join("world.tiles"), "old").unwrap();
    fs::set_permissions(folder.join("world.tiles"), fs::Permissions::from_mode(0o600)).unwrap();
    let mut process = start(folder);
    let mut n_seen = 0;
    while process.try_wait().unwrap().is_none() {
        let seen = mode(UNFINISHED);
        n_seen += u32::from(seen.is_some());
        assert!(seen.is_none_or(|seen| seen == 0o600), "{seen:?}");
        thread::yield_now();
    }
    assert!(process.wait().unwrap().success() && n_seen > 0);
    assert_eq!(mode("world.tiles"), Some(0o600));
}
