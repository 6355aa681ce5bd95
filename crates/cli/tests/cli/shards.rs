//! `walkable bake --shard` and `walkable merge`: the result is that of one bake, or the problem is named.

use std::{fs, path::Path};

use tempfile::TempDir;

use crate::run::{Run, run_in};

const TOWN: [&str; 4] = ["bake", "builtin:town", "--set", "tile_size=48"];

fn bake(folder: &Path, more: &[&str]) -> Run {
    run_in(folder, &[&TOWN[..], more].concat())
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap()
}

/// Bakes all shards of `n` to files named by their numbers.
fn bake_shards(folder: &Path, n: usize) -> Vec<String> {
    let names = (1..=n).map(|number| {
        let (name, shard) = (format!("{number}.part"), format!("{number}/{n}"));
        bake(folder, &["--shard", &shard, "-o", &name]).succeeded();
        name
    });
    names.collect()
}

fn merge(folder: &Path, parts: &[String], out: &str) -> Run {
    let parts = parts.iter().map(|part| &**part);
    run_in(folder, &["merge"].into_iter().chain(parts).chain(["-o", out]).collect::<Vec<_>>())
}

#[test]
fn any_number_of_shards_in_any_order_merges_to_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    bake(folder, &["-o", "whole.bin"]).succeeded();
    for n in 1..=8 {
        let mut parts = bake_shards(folder, n);
        for step in 0..3 {
            parts.reverse();
            parts.rotate_left(step % n);
            merge(folder, &parts, "merged.bin").succeeded();
            assert!(bytes(folder, "whole.bin") == bytes(folder, "merged.bin"), "{parts:?}");
        }
    }
}

#[test]
fn shards_merge_to_the_tile_store_of_one_bake_which_a_later_bake_uses() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    bake(folder, &["-o", "whole.tiles"]).succeeded();
    for n in [1, 3, 8] {
        let mut parts = bake_shards(folder, n);
        parts.rotate_left(n / 2);
        // The unfinished file of an earlier bake is replaced.
        fs::write(folder.join("merged.tiles.unfinished"), "WTST").unwrap();
        let said = merge(folder, &parts, "merged.tiles").succeeded();
        assert!(said.contains(" polygons in "), "{said}");
        assert!(bytes(folder, "whole.tiles") == bytes(folder, "merged.tiles"), "{parts:?}");
        assert!(!folder.join("merged.tiles.unfinished").exists());
    }
    let again = bake(folder, &["-o", "merged.tiles"]);
    assert!(again.stderr.contains(" unchanged, 0 baked"), "{}", again.stderr);
    again.succeeded();
}

#[test]
fn a_damaged_part_leaves_the_tile_store_as_it_was() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let parts = bake_shards(folder, 2);
    merge(folder, &parts, "merged.tiles").succeeded();
    let before = bytes(folder, "merged.tiles");
    for at in [20, 500, 30_000] {
        let mut damaged = bytes(folder, "2.part");
        damaged[at] ^= 4;
        fs::write(folder.join("damaged.part"), &damaged).unwrap();
        let parts = ["1.part".to_owned(), "damaged.part".to_owned()];
        merge(folder, &parts, "merged.tiles").failed(1, &["damaged.part", "checksum is wrong"]);
    }
    let mut old = bytes(folder, "2.part");
    old[4] = 1;
    fs::write(folder.join("old.part"), &old).unwrap();
    let parts = ["1.part".to_owned(), "old.part".to_owned()];
    merge(folder, &parts, "merged.tiles").failed(1, &["old.part", "version 1"]);
    assert!(before == bytes(folder, "merged.tiles"));
    assert!(!folder.join("merged.tiles.unfinished").exists());
}

#[test]
fn a_level_in_one_piece_and_more_shards_than_tiles_merge_too() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    run_in(folder, &["bake", "builtin:sample", "-o", "whole.bin"]).succeeded();
    let parts: Vec<_> = (1..=3).map(|number| format!("{number}.part")).collect();
    for (number, part) in (1..).zip(&parts) {
        let shard = format!("{number}/3");
        run_in(folder, &["bake", "builtin:sample", "--shard", &shard, "-o", part]).succeeded();
    }
    merge(folder, &parts, "merged.bin").succeeded();
    assert!(bytes(folder, "whole.bin") == bytes(folder, "merged.bin"));
}

/// Writes a level of flat ground with a volume and an off-mesh link.
fn level(folder: &Path) {
    let ground = "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3\nf 1 3 4\n";
    fs::write(folder.join("level.obj"), ground).unwrap();
    let settings = "tile_size=32\nbox 0 10 -1 0 11 1 40\noffmesh 9 0 9 12 0 9 0.6 1 5 8\narea 0 Grass flags=9\n";
    fs::write(folder.join("level.cfg"), settings).unwrap();
}

#[test]
fn off_mesh_links_and_files_read_tile_by_tile_merge_too() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    level(folder);
    run_in(folder, &["bin", "level.obj", "-o", "level.tri"]).succeeded();
    for level in ["level.obj", "level.tri"] {
        let bake = |more: &[&str]| {
            let arguments = ["bake", level, "--settings", "level.cfg", "--cache", "kept"];
            run_in(folder, &[&arguments[..], more].concat())
        };
        let parts = ["1.part", "2.part"].map(str::to_owned);
        bake(&["--shard", "1/2", "-o", &parts[0]]).succeeded();
        bake(&["--shard", "2/2", "-o", &parts[1]]).succeeded();
        for ending in ["bin", "tiles"] {
            let [whole, merged] = ["whole", "merged"].map(|name| format!("{name}.{ending}"));
            bake(&["-o", &whole]).succeeded();
            merge(folder, &parts, &merged).succeeded();
            assert!(bytes(folder, &whole) == bytes(folder, &merged), "{level}, {ending}");
        }
    }
}

#[test]
fn a_project_merges_with_its_changes_to_the_navmesh() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    level(folder);
    let mut obj = fs::read_to_string(folder.join("level.obj")).unwrap();
    obj += "v 4 9 4\nv 4 9 9\nv 9 9 9\nv 9 9 4\nf 5 6 7\nf 5 7 8\n";
    fs::write(folder.join("level.obj"), obj).unwrap();
    let plain = serde_json::json!({ "settings": { "tile_size": 32 } });
    let changes = [
        ("removed_tiles", serde_json::json!([{ "x": 3, "z": 1 }])),
        ("islands", serde_json::json!({ "min_area": 60.0 })),
        (
            "strokes",
            serde_json::json!(
                [{ "brush": { "flags": 4 }, "radius": 3.0, "places": [[20.0, 0.0, 20.0]] }]
            ),
        ),
    ];
    let bake = |document: &serde_json::Value, more: &[&str]| {
        let project = serde_json::json!(
            { "walkable_project": 3, "level": { "file": "level.obj" }, "document": document }
        );
        fs::write(folder.join("one.walkable"), project.to_string()).unwrap();
        run_in(folder, &[&["bake", "one.walkable"], more].concat()).succeeded();
    };
    bake(&plain, &["-o", "plain.bin"]);
    for (key, value) in changes {
        let mut document = plain.clone();
        document[key] = value;
        bake(&document, &["-o", "whole.bin"]);
        assert!(bytes(folder, "whole.bin") != bytes(folder, "plain.bin"), "{key}");
        bake(&document, &["-o", "1.part", "--shard", "1/2"]);
        bake(&document, &["-o", "2.part", "--shard", "2/2"]);
        let parts = ["2.part", "1.part"].map(str::to_owned);
        merge(folder, &parts, "merged.bin").succeeded();
        assert!(bytes(folder, "whole.bin") == bytes(folder, "merged.bin"), "{key}");
        bake(&document, &["-o", "whole.tiles"]);
        merge(folder, &parts, "merged.tiles").succeeded();
        assert!(bytes(folder, "whole.tiles") == bytes(folder, "merged.tiles"), "{key}");
        bake(&plain, &["-o", "1.part", "--shard", "1/2"]);
        merge(folder, &parts, "x.bin").failed(1, &["was baked from another level"]);
    }
}

#[test]
fn wrong_parts_are_refused_by_name() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let parts = bake_shards(folder, 3);
    let refused = |parts: &[&str], words: &[&str]| {
        let parts: Vec<_> = parts.iter().map(|&part| part.to_owned()).collect();
        merge(folder, &parts, "merged.bin").failed(1, words);
        assert!(!folder.join("merged.bin").exists());
    };
    refused(&["1.part", "3.part"], &["1 of 3 shards are missing: 2", "--shard 2/3"]);
    fs::copy(folder.join("2.part"), folder.join("copy.part")).unwrap();
    refused(
        &["1.part", "2.part", "3.part", "copy.part"],
        &["shard 2/3 is given twice: 2.part and copy.part"],
    );
    let foreign = ["-o", "foreign.part", "--shard", "2/3"];
    for other in [&["--set", "agent_radius=0.5"][..], &["--set", "edge_max_len=11"]] {
        bake(folder, &[&foreign[..], other].concat()).succeeded();
        refused(&["1.part", "foreign.part", "3.part"], &["foreign.part was baked from another"]);
    }
    let other = ["bake", "builtin:maze", "--set", "tile_size=48"];
    run_in(folder, &[&other[..], &foreign].concat()).succeeded();
    refused(&["1.part", "foreign.part", "3.part"], &["foreign.part was baked from another level"]);
    bake(folder, &["-o", "half.part", "--shard", "1/2"]).succeeded();
    refused(&["1.part", "half.part"], &["half.part is shard 1/2, but 1.part is one of 3 shards"]);

    let mut damaged = bytes(folder, &parts[1]);
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    fs::write(folder.join("damaged.part"), &damaged).unwrap();
    fs::write(folder.join("short.part"), &damaged[..middle]).unwrap();
    for name in ["damaged.part", "short.part"] {
        refused(&["1.part", name, "3.part"], &[name, "checksum is wrong"]);
    }
    bake(folder, &["-o", "whole.bin"]).succeeded();
    refused(&["1.part", "whole.bin"], &["whole.bin", "not a part of `walkable bake --shard`"]);
    merge(folder, &parts, "1.part").failed(2, &["1.part"]);
}

#[test]
fn a_dry_run_lists_shards_and_bakes_nothing() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let listed = bake(folder, &["-o", "out.bin", "--shard", "1/4", "--dry-run"]).succeeded();
    let numbers: Vec<usize> = listed
        .lines()
        .enumerate()
        .map(|(index, line)| {
            let number = index + 1;
            assert!(line.starts_with(&format!("shard {number}/4: ")), "{line}");
            assert!(line.contains(" tiles, about "), "{line}");
            line.split(' ').nth(2).unwrap().parse().unwrap()
        })
        .collect();
    assert_eq!(numbers.len(), 4);
    let whole = bake(folder, &["-o", "out.bin", "--dry-run"]).succeeded();
    assert!(whole.starts_with(&format!("shard 1/1: {} tiles", numbers.iter().sum::<usize>())));
    assert!(!folder.join("out.bin").exists());
    let many = ["--set", "cell_size=0.02", "--set", "tile_size=1", "--max-memory", "100MB"];
    let many = [&["bake", "level.obj", "-o", "o", "--shard", "1/9999", "--dry-run"], &many[..]];
    level(folder);
    run_in(folder, &many.concat()).failed(1, &["tiles needs more memory", "larger tile_size"]);
    for bad in ["0/3", "4/3", "1/0", "3", "a/b", "1/9999999"] {
        bake(folder, &["-o", "out.bin", "--shard", bad]).failed(2, &["--shard"]);
    }
    bake(folder, &["-o", "o", "--shard", "1/2", "--layers"]).failed(2, &["--shard", "--layers"]);
}
