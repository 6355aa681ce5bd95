//! Scenes of agents, played by the command and compared with what C++ `DetourCrowd` does in them, to the last bit.

use std::{collections::BTreeMap, path::PathBuf, process::Command};

/// Scenes of RecastDemo's levels, which are not in this repository.
const ELSEWHERE: [&str; 3] =
    ["dungeon-tiled-velocity-104", "nav_test-areas-door-100", "nav_test-areas-door-108"];

/// Returns the folders of all scenes by name; the reference folder takes precedence over the copies.
fn scenes() -> BTreeMap<String, PathBuf> {
    let mut scenes = BTreeMap::new();
    for root in walkable_test_support::reference_roots() {
        let Ok(entries) = std::fs::read_dir(root.join("crowd")) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            scenes.entry(name).or_insert(path);
        }
    }
    scenes
}

#[test]
fn scenes_come_out_as_in_detour_crowd() {
    let scenes = scenes();
    for name in ELSEWHERE.iter().filter(|name| !scenes.contains_key(**name)) {
        eprintln!("not compared: {name}, which is not in ../shared/reference/crowd");
    }
    assert!(scenes.len() >= 9, "the copies in tests/reference/crowd are gone: {scenes:?}");
    for (name, folder) in scenes {
        let output = Command::new(env!("CARGO_BIN_EXE_walkable"))
            .args(["crowd", "navmesh.bin", "--scene", "scene.txt"])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let found = String::from_utf8(output.stdout).unwrap();
        let expected = std::fs::read_to_string(folder.join("results.jsonl")).unwrap();
        assert_eq!(found.lines().count(), expected.lines().count(), "{name}");
        for (number, (found, expected)) in (1..).zip(found.lines().zip(expected.lines())) {
            assert!(found == expected, "{name}, line {number}:\n{found}\ninstead of\n{expected}");
        }
    }
}

#[test]
fn errors_in_a_scene_name_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let (_, scene) = scenes().into_iter().next().unwrap();
    std::fs::copy(scene.join("navmesh.bin"), folder.path().join("level.bin")).unwrap();
    for (text, expected) in [
        ("dt 0.1\nagent 1 2 3\n", "scene.txt: line 2: expected 12 numbers after agent, found 3"),
        ("updates 3\n", "scene.txt: there is no line \"dt SECONDS\""),
        ("dt 0.1\nat 0 reset 5\n", "scene.txt: line 2: there is no agent 5; the scene has 0"),
    ] {
        std::fs::write(folder.path().join("scene.txt"), text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_walkable"))
            .args(["crowd", "level.bin", "--scene", "scene.txt"])
            .current_dir(&folder)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(expected) && output.stdout.is_empty(), "{said}");
    }
}
