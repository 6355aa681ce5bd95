//! `walkable export`: formats, their choice, and what is never overwritten.

use std::fs;

use tempfile::TempDir;
use walkable::{export::ExportFormat, mesh::read_gltf, navmesh::NavMesh};
use walkable_workspace::stage_view::StageView;

use crate::run::run_in;

#[test]
fn a_level_and_its_baked_tiles_give_the_same_polygons() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args).succeeded();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    run(&["bake", "builtin:sample", "-o", "sample.bin", "--set", "tile_size=32"]);
    let said = run(&["export", "builtin:sample", "-o", "a.glb", "--set", "tile_size=32"]);
    assert!(said.starts_with("a.glb: glTF, binary, ") && said.contains("without tiles"), "{said}");
    run(&["export", "sample.bin", "-o", "b.glb"]);
    let level = |name: &str| read_gltf(&read(name), &|_| panic!("one file")).unwrap();
    assert_eq!(level("a.glb").triangles, level("b.glb").triangles);
    run(&["export", "builtin:sample", "-o", "c.bin", "--set", "tile_size=32"]);
    assert!(read("c.bin") == read("sample.bin"), "other tiles than those of bake");
    // The height of a voxel is known only for a level.
    run(&["export", "builtin:sample", "-o", "a.tscn"]);
    run(&["export", "sample.bin", "-o", "b.tscn"]);
    let text = |name: &str| String::from_utf8(read(name)).unwrap();
    assert!(
        text("a.tscn").contains("cell_height = 0.2")
            && text("a.tscn").contains("agent_max_slope = 45.0")
    );
    assert!(!text("b.tscn").contains("cell_height"));
}

#[test]
fn every_format_is_written_from_layers() {
    let folder = TempDir::new().unwrap();
    let bake = ["bake", "builtin:sample", "--layers", "-o", "sample.tset", "--set", "tile_size=32"];
    run_in(folder.path(), &bake).succeeded();
    for format in ExportFormat::ALL {
        let (key, file) = (format.key(), format!("{}.{}", format.key(), format.ending()));
        let args = ["export", "sample.tset", "-o", &file, "--format", key];
        assert!(run_in(folder.path(), &args).succeeded().contains(format.name()));
        assert!(fs::metadata(folder.path().join(file)).unwrap().len() > 100, "{key}");
    }
    let bytes = fs::read(folder.path().join("detour.bin")).unwrap();
    assert!(NavMesh::from_bytes(&bytes).unwrap().tiles().count() > 1);
}

#[test]
fn an_unknown_format_lists_the_known_ones() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let level = ["export", "builtin:sample"];
    run(&[&level[..], &["-o", "a.max"]].concat())
        .failed(2, &["a.max", "glb (.glb)", "godot (.tscn)"]);
    run(&[&level[..], &["-o", "a"]].concat()).failed(2, &["--format", "ply (.ply)"]);
    run(&[&level[..], &["-o", "a.glb", "--format", "fbx"]].concat())
        .failed(2, &["fbx", "godot3", "polyanya"]);
    run(&[&level[..], &["-o", "a.glb", "--agent", "Ogre"]].concat()).failed(2, &["Ogre"]);
    let help = run(&["export", "--help"]).succeeded();
    for format in ExportFormat::ALL {
        for text in [format.key(), format.name()] {
            assert!(help.contains(text), "no {text:?} in {help}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn sources_are_not_overwritten() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    run(&["bake", "builtin:sample", "-o", "sample.bin"]).succeeded();
    let before = fs::read(folder.path().join("sample.bin")).unwrap();
    run(&["export", "sample.bin", "-o", "sample.bin"]).failed(2, &["-o", "sample.bin"]);
    run(&["export", "sample.bin", "-o", "a.glb", "--set", "cell_size=0.2"]).failed(2, &["navmesh"]);
    assert!(fs::read(folder.path().join("sample.bin")).unwrap() == before);
    assert!(!folder.path().join("a.glb").exists());
}

#[test]
fn every_stage_is_exported_from_a_level() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let level = ["export", "builtin:sample", "--set", "tile_size=48"];
    for stage in StageView::ALL.into_iter().filter(|stage| stage.needs_stages()) {
        let file = format!("{}.glb", stage.key());
        let said = run(&[&level[..], &["-o", &file, "--stage", stage.key()]].concat()).succeeded();
        assert!(said.starts_with(&format!("{file}: glTF, binary, ")), "{said}");
        assert!(fs::read(folder.path().join(&file)).unwrap().starts_with(b"glTF"));
    }
    // The stage `navmesh` is what is exported without `--stage`.
    run(&[&level[..], &["-o", "a.ply", "--stage", "navmesh"]].concat()).succeeded();
    run(&[&level[..], &["-o", "b.ply"]].concat()).succeeded();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("a.ply") == read("b.ply"));
}

#[test]
fn one_tile_of_a_stage_is_exported_alone() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let spans = ["export", "builtin:sample", "--set", "tile_size=48", "--stage", "spans"];
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(folder.path().join(name)).unwrap()).unwrap()
    };
    run(&[&spans[..], &["-o", "all.json"]].concat()).succeeded();
    run(&[&spans[..], &["-o", "one.json", "--tile", "1,0"]].concat()).succeeded();
    let (all, one) = (read("all.json"), read("one.json"));
    assert_eq!(one["tiles"].as_array().unwrap().len(), 1);
    let same =
        all["tiles"].as_array().unwrap().iter().find(|tile| tile["x"] == 1 && tile["z"] == 0);
    assert_eq!(Some(&one["tiles"][0]), same);
    run(&[&spans[..], &["-o", "a.json", "--tile", "9,9"]].concat()).failed(1, &["no tile 9,9"]);
    run(&[&spans[..], &["-o", "a.json", "--tile", "1,0,2"]].concat()).failed(2, &["layers"]);
    assert!(!folder.path().join("a.json").exists());
}

#[test]
fn a_stage_needs_a_level_and_a_format_that_can_contain_it() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    run(&["bake", "builtin:sample", "-o", "sample.bin"]).succeeded();
    let stage = ["export", "sample.bin", "--stage", "regions", "-o", "a.glb"];
    run(&stage).failed(2, &["sample.bin", "stages", "project"]);
    let level = ["export", "builtin:sample", "--stage", "regions"];
    run(&[&level[..], &["-o", "a.bin"]].concat()).failed(2, &["glb, gltf, obj, ply, json"]);
    let godot = ["-o", "a.tscn", "--format", "godot"];
    run(&[&level[..], &godot].concat()).failed(2, &["glb, gltf, obj, ply, json"]);
    let level = ["export", "builtin:sample", "-o", "a.glb", "--stage"];
    run(&[&level[..], &["voxels"]].concat()).failed(2, &["spans", "raw-contours"]);
    run(&[&level[..], &["input"]].concat()).failed(2, &["the level itself"]);
    assert!(!folder.path().join("a.glb").exists());
}
