//! Damaged files: randomly changed bytes of valid files must pass the check of their reader.
//!
//! Each reader gets 1,500 damaged files. `WALKABLE_FUZZ=200000` sets the number to 200,000.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};
use walkable::{
    mesh::read_gltf,
    navmesh::{NavMesh, NavMeshParams, Tile, format::RefWidth},
};
use walkable_fuzz_targets::{ask_everything, check};
use walkable_test_support::glb::{self, Glb, binary};

use crate::files_in;

const CASES: u32 = 1500;

fn config() -> ProptestConfig {
    let cases = std::env::var("WALKABLE_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(CASES);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn read_set(name: &str) -> Vec<u8> {
    let root = walkable_test_support::own_reference().join("cases");
    std::fs::read(root.join(name).join("navmesh.bin")).unwrap()
}

/// Returns two navmeshes, the first with off-mesh links.
fn sets() -> [Vec<u8>; 2] {
    ["islands-linked", "islands-varied"].map(read_set)
}

fn wide(set: &[u8]) -> NavMesh {
    let narrow = NavMesh::from_bytes(set).unwrap();
    let mut mesh = NavMesh::with_width(*narrow.params(), RefWidth::Bits64).unwrap();
    for (_, tile) in narrow.slots() {
        mesh.add_tile(Arc::clone(tile)).unwrap();
    }
    mesh
}

/// A change to the bytes of a file.
#[derive(Clone, Debug)]
enum Damage {
    Byte(prop::sample::Index, u8),
    Word(prop::sample::Index, u32),
    Swap(prop::sample::Index, prop::sample::Index),
    Repeat(prop::sample::Index, u8),
    Remove(prop::sample::Index, u8),
    Cut(prop::sample::Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<prop::sample::Index>;
    // Values near the limits of counts, indices and coordinates.
    let word = prop_oneof![
        any::<u32>(),
        prop::sample::select(vec![
            0,
            1,
            0x7fff_ffff,
            0x8000_0000,
            u32::MAX,
            0x7f80_0000,
            0x7fc0_0000
        ]),
        0u32..300,
    ];
    prop_oneof![
        6 => (place(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        6 => (place(), word).prop_map(|(at, word)| Damage::Word(at, word)),
        2 => (place(), place()).prop_map(|(a, b)| Damage::Swap(a, b)),
        1 => (place(), any::<u8>()).prop_map(|(at, n)| Damage::Repeat(at, n)),
        1 => (place(), any::<u8>()).prop_map(|(at, n)| Damage::Remove(at, n)),
        1 => place().prop_map(Damage::Cut),
    ]
}

fn damaged(file: &[u8], damages: &[Damage]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for damage in damages {
        if bytes.is_empty() {
            break;
        }
        let n = bytes.len();
        match damage {
            Damage::Byte(at, byte) => bytes[at.index(n)] = *byte,
            Damage::Word(at, word) => {
                let at = at.index(n) & !3;
                let end = n.min(at + 4);
                bytes[at..end].copy_from_slice(&word.to_le_bytes()[..end - at]);
            }
            Damage::Swap(a, b) => bytes.swap(a.index(n), b.index(n)),
            Damage::Repeat(at, length) => {
                let at = at.index(n);
                let part = bytes[at..n.min(at + usize::from(*length))].to_vec();
                bytes.splice(at..at, part);
            }
            Damage::Remove(at, length) => {
                let at = at.index(n);
                bytes.drain(at..n.min(at + usize::from(*length)));
            }
            Damage::Cut(at) => bytes.truncate(at.index(n)),
        }
    }
    bytes
}

/// Returns a level that uses every feature of glTF that the reader supports.
fn gltf() -> Glb {
    let mut file = Glb::new();
    let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0]];
    let (positions, indices) = (file.positions(&corners), file.indices(&[0, 1, 2, 3]));
    let bytes = file.accessor(&[0, 1, 2, 2, 1, 3], glb::U8, "SCALAR", 6);
    let small = file.accessor(&[0, 0, 9, 0, 9, 0, 9, 0, 0], glb::I8, "VEC3", 3);
    let words = file.accessor(&[0; 24], glb::U16, "VEC3", 4);
    let turns = file.accessor(&[0, 0, 0, 127, 0, 127, 0, 0], glb::I16, "VEC4", 1);
    let (at, to) = (file.view(&[1, 0, 3, 0]), file.view(&glb::floats(&[5.0; 6])));
    file.json["accessors"][positions]["sparse"] = json!({
        "count": 2,
        "indices": { "bufferView": at, "componentType": glb::U16 },
        "values": { "bufferView": to },
    });
    let primitive = |positions, indices, mode| json!({ "attributes": { "POSITION": positions }, "indices": indices, "mode": mode });
    let strip = primitive(positions, indices, 5);
    let mesh = file.push("meshes", json!({ "primitives": [primitive(words, bytes, 4), strip] }));
    let other = file.mesh(&json!({ "attributes": { "POSITION": small }, "mode": 6 }));
    let attributes = json!({ "TRANSLATION": positions, "SCALE": positions });
    file.push(
        "nodes",
        json!({
            "mesh": other,
            "extensions": { "EXT_mesh_gpu_instancing": { "attributes": attributes } },
        }),
    );
    let turned = json!({ "EXT_mesh_gpu_instancing": { "attributes": { "ROTATION": turns } } });
    file.push("nodes", json!({ "mesh": mesh, "scale": [1, -1, 2], "extensions": turned }));
    file.top_node(json!({ "mesh": mesh, "rotation": [0, 1, 0, 1], "children": [0, 1] }));
    file
}

#[test]
fn the_gltf_file_is_valid_before_it_is_damaged() {
    let level = read_gltf(&gltf().to_glb(), &|name| Err(name.to_owned())).unwrap();
    assert_eq!(level.triangles.len(), 4 + 4 + 4);
}

/// Returns all numbers in `json`.
fn numbers(json: &mut Value) -> Vec<&mut Value> {
    match json {
        Value::Array(list) => list.iter_mut().flat_map(numbers).collect(),
        Value::Object(map) => map.iter_mut().flat_map(|(_, value)| numbers(value)).collect(),
        Value::Number(_) => vec![json],
        _ => Vec::new(),
    }
}

/// Returns numbers near the limits of counts, offsets and component types.
fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (0_u64..9).prop_map(Value::from),
        2 => prop::sample::select(vec![12, 16, 24, 255, 1000, 65_536, 99_999_999]).prop_map(Value::from),
        1 => prop::sample::select(vec![u64::MAX, u64::MAX / 2, 1 << 32, 1 << 31]).prop_map(Value::from),
        1 => prop::sample::select(vec![-1.0, 0.5, 1e30, -1e300]).prop_map(Value::from),
        1 => (5119_u32..5128).prop_map(Value::from),
    ]
}

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    prop::collection::vec(damage(), 1..5)
}

thread_local! {
    static GLTF: Glb = gltf();
    static SETS: [Vec<u8>; 2] = sets();
    static WIDE: Vec<u8> = wide(&read_set("islands-linked")).to_bytes();
    static TILES: Vec<Vec<u8>> = {
        let mesh = NavMesh::from_bytes(&read_set("islands-linked")).unwrap();
        mesh.tiles().map(Tile::to_bytes).collect()
    };
    static REPROS: Vec<Vec<u8>> = {
        let files = files_in("corpus/repro");
        files.into_iter().map(|file| std::fs::read(file).unwrap()).collect()
    };
    static MESH: NavMesh = NavMesh::from_bytes(&read_set("islands-linked")).unwrap();
    static JSON: String =
        serde_json::to_string(&NavMesh::from_bytes(&read_set("islands-varied")).unwrap()).unwrap();
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn damaged_navmeshes(which in 0usize..2, damages in damages()) {
        check("mset", &SETS.with(|sets| damaged(&sets[which], &damages)));
    }

    #[test]
    fn damaged_navmeshes_with_wide_references(damages in damages()) {
        check("mset", &WIDE.with(|set| damaged(set, &damages)));
    }

    #[test]
    fn damaged_tiles(which in any::<prop::sample::Index>(), damages in damages()) {
        let bytes = TILES.with(|tiles| damaged(&tiles[which.index(tiles.len())], &damages));
        if let Ok(tile) = Tile::from_bytes(&bytes) {
            let again = Tile::from_bytes(&tile.to_bytes());
            prop_assert_eq!(again.as_ref(), Ok(&tile));
            let params = NavMeshParams::solo(&tile);
            let mesh = NavMesh::new(params).and_then(|mut mesh| {
                mesh.add_tile(Arc::new(tile))?;
                Ok(mesh)
            });
            mesh.iter().for_each(ask_everything);
        }
    }

    #[test]
    fn damaged_gltf(is_text in any::<bool>(), damages in damages()) {
        let file = GLTF.with(|file| {
            if is_text { file.to_text("beside.bin").into_bytes() } else { file.to_glb() }
        });
        check("gltf", &damaged(&file, &damages));
    }

    /// Changes numbers in the JSON and bytes in the buffer of a valid container.
    #[test]
    fn gltf_with_other_numbers(
        changes in prop::collection::vec((any::<prop::sample::Index>(), number()), 1..4),
        damages in prop::collection::vec(damage(), 0..3),
    ) {
        let Glb { mut json, bin } = GLTF.with(Clone::clone);
        for (at, number) in changes {
            let mut numbers = numbers(&mut json);
            let at = at.index(numbers.len());
            *numbers[at] = number;
        }
        check("gltf", &binary(json.to_string().as_bytes(), &damaged(&bin, &damages)));
    }

    #[test]
    fn damaged_states(slot in 0usize..16, damages in damages()) {
        let mut mesh = MESH.with(Clone::clone);
        let before = mesh.to_bytes();
        let state = mesh.tile_state(slot).unwrap();
        match mesh.restore_tile_state(&damaged(&state, &damages)) {
            Ok(restored) => prop_assert!(mesh.tile_state(restored).is_some()),
            Err(_) => prop_assert!(mesh.to_bytes() == before, "an error changes nothing"),
        }
    }

    #[test]
    fn damaged_sweeps(damages in damages()) {
        let rows = include_bytes!("../../../../fuzz/corpus/sweep/rows.csv");
        check("sweep", &damaged(rows, &damages));
    }

    #[test]
    fn damaged_repros(which in any::<prop::sample::Index>(), damages in damages()) {
        let file = REPROS.with(|files| files[which.index(files.len())].clone());
        check("repro", &damaged(&file, &damages));
    }

    #[test]
    fn damaged_results_of_bakes(which in any::<prop::sample::Index>(), damages in damages()) {
        for target in ["tile", "part", "routes"] {
            let files = files_in(&format!("corpus/{target}"));
            let file = std::fs::read(&files[which.index(files.len())]).unwrap();
            check(target, &damaged(&file, &damages));
        }
    }

    #[test]
    fn damaged_json(damages in damages()) {
        check("json", &JSON.with(|text| damaged(text.as_bytes(), &damages)));
    }
}
