//! Reading glTF files: valid ones completely, broken ones with an exact message, none with a panic.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use glam::Vec3;
use proptest::prelude::*;
use serde_json::{Value, json};
use walkable::{
    bake::{BakeInput, BakeSettings, SurfaceRule, SurfaceSource, SurfaceUse, bake},
    level::{LevelKind, generate},
    mesh::{ImportOptions, LevelFile, MeshPart, TriMesh, read_gltf, read_obj, to_obj},
    monitor::Unmonitored,
};
use walkable_test_support::glb::{self, F32, Glb, I8, I16, U8, U16, binary, floats};

fn no_files(name: &str) -> Result<Vec<u8>, String> {
    Err(format!("there is no file {name}"))
}

#[track_caller]
fn read(file: &Glb) -> LevelFile {
    read_gltf(&file.to_glb(), &no_files).unwrap_or_else(|error| panic!("{error}\n{}", file.json))
}

/// Returns the vertex positions of each triangle.
fn corners(level: &LevelFile) -> Vec<[[f32; 3]; 3]> {
    let corner = |&at: &u32| level.vertices[at as usize].to_array();
    level.triangles.iter().map(|[a, b, c]| [corner(a), corner(b), corner(c)]).collect()
}

fn warnings(level: &LevelFile) -> Vec<String> {
    level.warnings.listed().iter().map(ToString::to_string).collect()
}

#[track_caller]
fn check_error(file: &Glb, expected: &str) {
    let error = read_gltf(&file.to_glb(), &no_files).map(|level| level.triangles).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];

/// Creates a file with one triangle in mesh 0 at node 0.
fn one_triangle() -> Glb {
    let mut file = Glb::new();
    let positions = file.positions(&TRIANGLE);
    let mesh = file.mesh(&json!({ "attributes": { "POSITION": positions } }));
    file.top_node(json!({ "mesh": mesh }));
    file
}

/// Like [`one_triangle`], with one change.
fn changed(change: impl FnOnce(&mut Value)) -> Glb {
    let mut file = one_triangle();
    change(&mut file.json);
    file
}

#[test]
fn all_containers_hold_the_same() {
    let file = one_triangle();
    let level = read(&file);
    assert_eq!(corners(&level), [TRIANGLE]);
    assert_eq!((level.n_faces, level.vertices.len(), level.warnings.total()), (1, 3, 0));
    for encoded in [STANDARD.encode(&file.bin), STANDARD.encode(&file.bin).replace('=', "")] {
        let text = file.to_text(&format!("data:application/octet-stream;base64,{encoded}"));
        assert_eq!(read_gltf(text.as_bytes(), &no_files).as_ref(), Ok(&level));
        assert_eq!(read_gltf(format!("\u{feff}  {text}").as_bytes(), &no_files), Ok(level.clone()));
    }
    let text = file.to_text("two%20towns.bin");
    let beside = |name: &str| {
        assert_eq!(name, "two towns.bin");
        Ok(file.bin.clone())
    };
    assert_eq!(read_gltf(text.as_bytes(), &beside).as_ref(), Ok(&level));
    // Bytes after the end of the file, and chunks of other types, are ignored.
    let mut longer = file.to_glb();
    longer.extend_from_slice(b"more");
    assert_eq!(read_gltf(&longer, &no_files), Ok(level));
}

#[test]
fn nodes_translate_rotate_and_scale_their_meshes() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let table = [
        (json!({ "translation": [5, 6, 7] }), [[5.0, 6.0, 7.0], [5.0, 6.0, 8.0], [6.0, 6.0, 7.0]]),
        (json!({ "scale": [2, 3, 4] }), [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [2.0, 0.0, 0.0]]),
        // A quarter turn about y maps z to x.
        (
            json!({ "rotation": [0, half, 0, half], "translation": [0, 0, 1] }),
            [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]],
        ),
        (
            json!({ "matrix": [0, 0, 1, 0,  0, 1, 0, 0,  -1, 0, 0, 0,  1, 2, 3, 1] }),
            [[1.0, 2.0, 3.0], [0.0, 2.0, 3.0], [1.0, 2.0, 4.0]],
        ),
        // Without a swap of corners, the mirrored triangle would face backward.
        (json!({ "scale": [-1, 1, 1] }), [[0.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        (json!({ "scale": [-1, 1, -1] }), [[0.0, 0.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]]),
    ];
    for (node, expected) in table {
        let file = changed(|json| {
            json["nodes"][0] = node.clone();
            json["nodes"][0]["mesh"] = 0.into();
        });
        let found = corners(&read(&file));
        for (found, expected) in found[0].iter().zip(expected) {
            let off = Vec3::from_array(*found).distance(Vec3::from_array(expected));
            assert!(off < 1e-6, "{node}: {found:?} for {expected:?}");
        }
    }
}

#[test]
fn children_move_with_their_parents_in_the_order_of_the_file() {
    let file = changed(|json| {
        json["scenes"][0]["nodes"] = json!([2, 3]);
        json["nodes"] = json!([
            { "name": "leaf", "mesh": 0, "translation": [1, 0, 0] },
            { "name": "branch", "scale": [10, 10, 10], "children": [0] },
            { "name": "root", "translation": [0, 0, 100], "children": [1, 4] },
            { "name": "other", "mesh": 0 },
            { "name": "after", "mesh": 0 },
            { "name": "no part of the scene", "mesh": 0 },
        ]);
    });
    let level = read(&file);
    let names: Vec<_> = level.parts.iter().map(|part| &*part.object).collect();
    assert_eq!(names, ["leaf", "after", "other"]);
    assert_eq!(corners(&level)[0], [[10.0, 0.0, 100.0], [10.0, 0.0, 110.0], [20.0, 0.0, 100.0]]);
}

#[test]
fn corners_come_from_any_kind_of_index_list_strip_or_fan() {
    let square = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0]];
    let [a, b, c, d] = square;
    let kinds: [(u32, Vec<u8>); 3] = [
        (U8, vec![0, 1, 2, 3]),
        (U16, vec![0, 0, 1, 0, 2, 0, 3, 0]),
        (glb::U32, [0, 1, 2, 3_u32].iter().flat_map(|at| at.to_le_bytes()).collect()),
    ];
    for (component, bytes) in kinds {
        for (mode, expected) in
            [(4, vec![[a, b, c]]), (5, vec![[a, b, c], [c, b, d]]), (6, vec![[a, b, c], [a, c, d]])]
        {
            let mut file = Glb::new();
            let positions = file.positions(&square);
            let indices = file.accessor(&bytes, component, "SCALAR", 4);
            let attributes = json!({ "POSITION": positions });
            let indexed = json!({ "attributes": attributes, "indices": indices, "mode": mode });
            let mesh = file.mesh(&indexed);
            file.top_node(json!({ "mesh": mesh }));
            assert_eq!(corners(&read(&file)), expected, "{component} {mode}");
            file.json["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("indices");
            assert_eq!(corners(&read(&file)), expected, "no indices, {mode}");
        }
    }
}

#[test]
fn positions_may_be_small_whole_numbers_parts_of_one_or_spread_out() {
    let whole = [0_i8, 0, 0, 0, 0, 127, 127, 0, -128];
    let bytes: Vec<u8> = whole.iter().map(|n| n.to_le_bytes()[0]).collect();
    let wide: Vec<u8> = whole.iter().flat_map(|&n| i16::from(n).to_le_bytes()).collect();
    let positive: Vec<u8> =
        [0_u16, 0, 0, 0, 0, 65535, 65535, 0, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
    let table = [
        (&bytes, I8, false, [[0.0, 0.0, 0.0], [0.0, 0.0, 127.0], [127.0, 0.0, -128.0]]),
        (&bytes, I8, true, [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, -1.0]]),
        (&wide, I16, false, [[0.0, 0.0, 0.0], [0.0, 0.0, 127.0], [127.0, 0.0, -128.0]]),
        (&positive, U16, true, [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    ];
    for (bytes, component, normalized, expected) in table {
        let mut file = one_triangle();
        let positions = file.accessor(bytes, component, "VEC3", 3);
        file.json["accessors"][positions]["normalized"] = normalized.into();
        file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = positions.into();
        file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        let level = read(&file);
        assert_eq!(corners(&level), [expected]);
        assert!(level.warnings.is_empty());
    }
    // Positions interleaved with other data, as many programs write them.
    let mut file = one_triangle();
    let mut mixed = vec![9.0; 4];
    for corner in TRIANGLE {
        mixed.extend_from_slice(&corner);
        mixed.extend_from_slice(&[7.0; 3]);
    }
    let positions = file.accessor(&floats(&mixed), F32, "VEC3", 3);
    file.json["accessors"][positions]["byteOffset"] = 16.into();
    file.json["bufferViews"][positions]["byteStride"] = 24.into();
    file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = positions.into();
    assert_eq!(corners(&read(&file)), [TRIANGLE]);
}

#[test]
fn a_sparse_accessor_replaces_some_of_its_base_or_of_zeros() {
    let mut file = one_triangle();
    let (indices, values) = (file.view(&[1]), file.view(&floats(&[8.0, 0.0, 9.0])));
    let sparse = json!({
        "count": 1,
        "indices": { "bufferView": indices, "componentType": U8 },
        "values": { "bufferView": values },
    });
    file.json["accessors"][0]["sparse"] = sparse;
    assert_eq!(corners(&read(&file)), [[TRIANGLE[0], [8.0, 0.0, 9.0], TRIANGLE[2]]]);
    file.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert_eq!(corners(&read(&file)), [[[0.0; 3], [8.0, 0.0, 9.0], [0.0; 3]]]);
    file.json["accessors"][0]["count"] = 90_000_000.into();
    check_error(&file, "accessor 0 has 90000000 elements but no data");
    file.json["accessors"][0]["count"] = 1.into();
    check_error(&file, "accessor 0 replaces element 1, out of order or beyond its 1");
}

#[test]
fn instances_stand_where_their_accessors_say() {
    let mut file = one_triangle();
    let places = file.positions(&[[10.0, 0.0, 0.0], [20.0, 0.0, 0.0]]);
    let sizes = file.positions(&[[1.0, 1.0, 1.0], [1.0, 1.0, -2.0]]);
    // A half turn about y, then none.
    let turns = file.accessor(&[0, 127, 0, 0, 0, 0, 0, 127], I8, "VEC4", 2);
    file.json["accessors"][turns]["normalized"] = true.into();
    let attributes = json!({ "TRANSLATION": places, "ROTATION": turns, "SCALE": sizes });
    file.json["nodes"][0]["name"] = "tree".into();
    file.json["nodes"][0]["extensions"] =
        json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } });
    file.json["nodes"][0]["translation"] = json!([0, 5, 0]);
    file.json["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing"]);
    let level = read(&file);
    let expected = [
        [[10.0, 5.0, 0.0], [10.0, 5.0, -1.0], [9.0, 5.0, 0.0]],
        [[20.0, 5.0, 0.0], [21.0, 5.0, 0.0], [20.0, 5.0, -2.0]],
    ];
    assert_eq!(corners(&level), expected);
    assert_eq!(level.parts.len(), 1, "all of one name are one part");
    assert!(level.warnings.is_empty());
    file.json["accessors"][places]["count"] = 1.into();
    check_error(&file, "node 0 \"tree\" has 1 and 2 entries for its instances");
}

#[test]
fn objects_are_nodes_and_materials_keep_their_names() {
    let mut file = one_triangle();
    let other = file.positions(&[[0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]]);
    file.json["materials"] = json!([{ "name": "grass" }, {}]);
    file.json["meshes"] = json!([{ "name": "shape", "primitives": [
        { "attributes": { "POSITION": 0 }, "material": 0 },
        { "attributes": { "POSITION": other }, "material": 1 },
    ] }]);
    let named = |file: &Glb| -> Vec<[String; 2]> {
        read(file)
            .parts
            .into_iter()
            .map(|part| [part.object, part.material].map(|name| name.to_string()))
            .collect()
    };
    assert_eq!(named(&file), [["shape", "grass"], ["shape", ""]]);
    file.json["nodes"][0]["name"] = "hill".into();
    assert_eq!(named(&file), [["hill", "grass"], ["hill", ""]]);
}

#[test]
fn vertices_without_a_triangle_are_dropped() {
    let mut file = Glb::new();
    let positions = file.positions(&[[99.0; 3], TRIANGLE[0], TRIANGLE[1], [98.0; 3], TRIANGLE[2]]);
    let indices = file.indices(&[1, 2, 4]);
    let mesh = file.mesh(&json!({ "attributes": { "POSITION": positions }, "indices": indices }));
    file.top_node(json!({ "mesh": mesh }));
    let level = read(&file);
    assert_eq!((level.vertices.len(), corners(&level)), (3, vec![TRIANGLE]));
}

#[test]
fn the_scene_to_show_is_read_or_all_or_what_no_scene_has() {
    let two = |json: &mut Value| {
        json["scenes"] = json!([{ "nodes": [0] }, { "name": "night", "nodes": [1, 0] }]);
        let node = |name| json!({ "name": name, "mesh": 0 });
        json["nodes"] = json!([node("a"), node("b"), node("c")]);
    };
    let objects = |file: &Glb| -> Vec<String> {
        read(file).parts.into_iter().map(|part| part.object.to_string()).collect()
    };
    let mut file = changed(two);
    assert_eq!(objects(&file), ["a"]);
    let left_out = "scene 1 \"night\": not the default scene, left out";
    assert_eq!(warnings(&read(&file)), [left_out]);
    file.json["scene"] = 1.into();
    assert_eq!(objects(&file), ["b", "a"]);
    file.json.as_object_mut().unwrap().remove("scene");
    assert_eq!(objects(&file), ["a", "b"]);
    file.json["scenes"] = json!([]);
    file.json["nodes"][1]["children"] = json!([2]);
    assert_eq!(objects(&file), ["a", "b", "c"]);
}

#[test]
fn skipped_elements_are_reported() {
    let mut file = one_triangle();
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    for mode in 0..4 {
        primitives.push(json!({ "attributes": { "POSITION": 0 }, "mode": mode }));
    }
    primitives[0]["targets"] = json!([{ "POSITION": 0 }]);
    file.json["meshes"][0]["name"] = "thing".into();
    file.json["nodes"][0]["skin"] = 0.into();
    file.json["extensionsRequired"] = json!(["KHR_materials_unlit", "ACME_portals"]);
    let level = read(&file);
    let expected = [
        "extension ACME_portals: the file requires ACME_portals, which is unknown: something may be missing",
        "mesh 0 \"thing\", primitive 0: morph targets ignored: the mesh is used as stored",
        "mesh 0 \"thing\", primitive 1: points left out",
        "mesh 0 \"thing\", primitive 2: lines left out",
        "mesh 0 \"thing\", primitive 3: lines left out",
        "mesh 0 \"thing\", primitive 4: lines left out",
        "node 0: skin ignored: the mesh is used as stored",
    ];
    assert_eq!(warnings(&level), expected);
    let mut summary = level.warnings.summary().map(|found| found.text());
    assert_eq!(summary.next().unwrap(), "points left out (and 3 more)");
    assert_eq!(corners(&level), [TRIANGLE]);
}

#[test]
fn odd_triangles_are_kept_and_reported() {
    let mut file = one_triangle();
    let flat = file.positions(&[[0.0; 3], [1.0; 3], [2.0; 3]]);
    file.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": flat } }] }));
    file.top_node(json!({ "name": "flat", "mesh": 1 }));
    file.top_node(json!({ "name": "again", "mesh": 0 }));
    let level = read(&file);
    let expected = [
        "node 1 \"flat\", mesh 1, primitive 0: triangle 1 has no area",
        "node 2 \"again\", mesh 0, primitive 0: triangle 2 repeats triangle 0 of node 0, mesh 0, primitive 0",
    ];
    assert_eq!(warnings(&level), expected);
    assert_eq!(level.triangles.len(), 3);
}

#[test]
fn a_broken_container_is_named() {
    let good = one_triangle().to_glb();
    let check = |bytes: &[u8], expected: &str| {
        let error = read_gltf(bytes, &no_files).map(|level| level.triangles).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check(b"", "the file is empty");
    check(b"v 0 0 0\n", "not a glTF file: it starts neither with \"glTF\" nor with \"{\"");
    check(b"glTF\x02\0", "the file is cut off: the header needs 12 bytes and there are 6");
    let mut old = good.clone();
    old[4] = 1;
    check(&old, "glTF version 1 is not supported, only version 2; save the file as glTF 2.0");
    let cut = &good[..good.len() - 4];
    let (needed, found) = (good.len(), cut.len());
    check(
        cut,
        &format!("the file is cut off: the file needs {needed} bytes and there are {found}"),
    );
    // Only a header, with any claimed length.
    check(
        b"glTF\x02\0\0\0\0\0\0\0",
        "the file is cut off: the header of a part needs 8 bytes and there are 0",
    );
    let mut swapped = good.clone();
    swapped[16..20].copy_from_slice(b"BIN\0");
    check(&swapped, "the file does not begin with its JSON part");
    let mut long = good;
    long[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    let found = long.len() - 20;
    let expected = "the file is cut off: its JSON part needs 4294967295 bytes and there are";
    check(&long, &format!("{expected} {found}"));
    check(&binary(b"{", &[]), "line 1, column 4: EOF while parsing an object");
    check(b"{}", "line 1, column 2: missing field `asset`");
    let version = b"{\"asset\":{\"version\":\"1.0\"}}";
    check(version, "glTF version 1.0 is not supported, only version 2; save the file as glTF 2.0");
    let maps = b"{\"asset\":{\"version\":1},\"nodes\":{\"a\":{}}}";
    check(maps, "glTF version 1 is not supported, only version 2; save the file as glTF 2.0");
    let maps = b"{\"asset\":{\"version\":\"2.0\"},\"nodes\":{}}";
    check(maps, "line 1, column 35: invalid type: map, expected a sequence");
    check(
        b"{\"asset\":{\"version\":\"2.0\"}}",
        "the scene has no triangles; the file has 0 meshes",
    );
    let file = one_triangle();
    let text = file.to_text("gone.bin");
    check(text.as_bytes(), "buffer 0 cannot be read: there is no file gone.bin");
    check(
        file.to_text("data:;base64,AA*A").as_bytes(),
        "buffer 0 cannot be read: its base64 text is damaged: Invalid symbol 42, offset 2.",
    );
    check(
        file.to_text("data:text/plain,hello").as_bytes(),
        "buffer 0 cannot be read: its data: text is not in base64",
    );
    check(file.to_text("data:;base64,AAAA").as_bytes(), "buffer 0 needs 36 bytes, but there are 3");
    let alone = serde_json::to_vec(&file.json).unwrap();
    check(&alone, "buffer 0 cannot be read: it has neither embedded data nor a file");
}

#[track_caller]
fn check_change(change: impl FnOnce(&mut Value), expected: &str) {
    let error = read_gltf(&changed(change).to_glb(), &no_files);
    let error = error.map(|level| level.triangles).unwrap_err().to_string();
    assert!(error.starts_with(expected), "{error}\nfor {expected}");
}

#[test]
fn a_broken_node_scene_or_mesh_is_named_by_number_and_name() {
    let node = |node: Value, expected| check_change(|json| json["nodes"][0] = node, expected);
    node(
        json!({ "name": "wall", "mesh": 7 }),
        "node 0 \"wall\" refers to mesh 7, but the file has 1",
    );
    node(json!({ "children": [9] }), "node 0 refers to node 9, but the file has 1");
    node(json!({ "children": [0] }), "node 0 is its own ancestor or has two parents");
    let moved = json!({ "mesh": 0, "translation": [1e300, 0, 0] });
    node(moved, "node 0: the coordinate inf is not a finite number");
    node(json!({ "skin": -1 }), "line 1, column ");
    let shared = json!([{ "children": [1, 2] }, { "children": [2] }, { "mesh": 0 }]);
    let expected = "node 2 is its own ancestor or has two parents";
    check_change(|json| json["nodes"] = shared, expected);

    check_change(|json| json["scene"] = 3.into(), "the file refers to scene 3, but the file has 1");
    let scene = |scene: Value, expected| check_change(|json| json["scenes"][0] = scene, expected);
    let expected = "scene 0 \"day\" refers to node 4, but the file has 1";
    scene(json!({ "name": "day", "nodes": [4] }), expected);
    scene(json!({}), "the scene has no triangles; the file has 1 meshes");

    let primitive = |key: &str, value: Value, expected| {
        check_change(|json| json["meshes"][0]["primitives"][0][key] = value, expected);
    };
    let expected = "mesh 0, primitive 0 refers to accessor 5, but the file has 1";
    primitive("attributes", json!({ "POSITION": 5 }), expected);
    primitive("material", 5.into(), "mesh 0, primitive 0 refers to material 5, but the file has 0");
    primitive("mode", 7.into(), "mesh 0, primitive 0: there is no mode 7; modes are 0 to 6");
    let needed = "SCALAR of whole numbers without sign is needed";
    let expected = format!("accessor 0 holds VEC3 of component type 5126, but {needed}");
    primitive("indices", 0.into(), &expected);
}

#[test]
fn a_broken_accessor_view_or_buffer_is_named_by_number() {
    let first = |list: &str, key: &str, value: u64, expected| {
        check_change(|json| json[list][0][key] = value.into(), expected);
    };
    let needed = "VEC3 of f32, or of 8 or 16 bits is needed";
    let expected = format!("accessor 0 holds VEC3 of component type 5125, but {needed}");
    first("accessors", "componentType", 5125, &expected);
    let expected = "accessor 0 refers to buffer view 2, but the file has 1";
    first("accessors", "bufferView", 2, expected);
    let expected = "accessor 0 needs 1080000000 bytes, but there are 36";
    first("accessors", "count", 90_000_000, expected);
    let expected = "accessor 0 needs 18446744073709551651 bytes, but there are 36";
    first("accessors", "byteOffset", u64::MAX, expected);
    let expected = "buffer view 0 needs 18446744073709551615 bytes, but there are 36";
    first("bufferViews", "byteLength", u64::MAX, expected);
    let expected = "accessor 0 has elements of 12 bytes, but a stride of only 8 bytes";
    first("bufferViews", "byteStride", 8, expected);
    first("bufferViews", "buffer", 1, "buffer view 0 refers to buffer 1, but the file has 1");
    first("buffers", "byteLength", 99, "buffer 0 needs 99 bytes, but there are 36");
}

#[test]
fn corners_and_coordinates_out_of_range_are_named() {
    let mut file = one_triangle();
    let indices = file.accessor(&[0, 1, 3], U8, "SCALAR", 3);
    file.json["meshes"][0]["name"] = "roof".into();
    file.json["meshes"][0]["primitives"][0]["indices"] = indices.into();
    let expected =
        "mesh 0 \"roof\", primitive 0: a triangle refers to vertex 3, but the mesh has 3";
    check_error(&file, expected);
    for (value, text) in [(f32::NAN, "NaN"), (f32::NEG_INFINITY, "-inf")] {
        let mut file = one_triangle();
        file.bin[16..20].copy_from_slice(&value.to_le_bytes());
        let place = "accessor 0, element 1";
        check_error(&file, &format!("{place}: the coordinate {text} is not a finite number"));
    }
}

/// Adds a buffer view of encoded data, named in `tests/data/meshopt.json`, without the decoded data. Returns it, and the
/// decoded data.
fn encoded_view(file: &mut Glb, name: &str) -> (usize, Vec<u8>) {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../data/meshopt.json")).unwrap();
    let case = cases.into_iter().find(|case| case["name"] == name).unwrap();
    let bytes = |key: &str| STANDARD.decode(case[key].as_str().unwrap()).unwrap();
    let decoded = bytes("decoded");
    let source = file.view(&bytes("encoded"));
    let mut layout = case["layout"].clone();
    layout["byteOffset"] = file.json["bufferViews"][source]["byteOffset"].clone();
    // The buffer of the decoded data has no bytes.
    let buffer = file.push("buffers", json!({ "byteLength": decoded.len() }));
    let extensions = json!({ "EXT_meshopt_compression": layout });
    let view = json!({ "buffer": buffer, "byteLength": decoded.len(), "extensions": extensions });
    (file.push("bufferViews", view), decoded)
}

/// Creates a grid of 13 by 13 vertices of 16 bits with rotated instances. The data are "encoded" or "plain".
fn grid(data: &str) -> Glb {
    let mut file = Glb::new();
    let mut view = |name: &str| {
        let (view, decoded) = encoded_view(&mut file, name);
        if data == "encoded" { view } else { file.view(&decoded) }
    };
    let positions = view("v0 level 2 positions");
    let corners = view("triangles of 16 bits");
    let turns = view("v1 quaternions");
    file.json["bufferViews"][positions]["byteStride"] = 8.into();
    let mut accessor = |view: usize, component: u32, shape: &str, n: usize, normalized: bool| {
        file.push(
            "accessors",
            json!({ "bufferView": view, "componentType": component, "type": shape,
            "count": n, "normalized": normalized }),
        )
    };
    let positions = accessor(positions, I16, "VEC3", 169, true);
    let corners = accessor(corners, U16, "SCALAR", 864, false);
    let turns = accessor(turns, I16, "VEC4", 40, true);
    let mesh = file.mesh(&json!({ "attributes": { "POSITION": positions }, "indices": corners }));
    let instancing = json!({ "attributes": { "ROTATION": turns } });
    file.top_node(json!({ "mesh": mesh, "scale": [30, 30, 30],
        "extensions": { "EXT_mesh_gpu_instancing": instancing } }));
    file.json["extensionsRequired"] =
        json!(["KHR_mesh_quantization", "EXT_meshopt_compression", "EXT_mesh_gpu_instancing"]);
    file
}

#[test]
fn meshopt_data_are_decoded() {
    let file = grid("encoded");
    let level = read(&file);
    assert_eq!((level.triangles.len(), level.vertices.len()), (40 * 288, 40 * 169));
    assert_eq!(corners(&level), corners(&read(&grid("plain"))));
    // The newer name of the extension.
    let renamed = file.json.to_string().replace("EXT_meshopt", "KHR_meshopt");
    assert_eq!(read(&Glb { json: serde_json::from_str(&renamed).unwrap(), ..file }), level);
}

#[test]
fn damaged_meshopt_data_are_refused() {
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut file = grid("encoded");
        let views = file.json["bufferViews"].as_array_mut().unwrap();
        change(&mut views[1]["extensions"]["EXT_meshopt_compression"]);
        file
    };
    let name = "buffer view 1 cannot be decoded (EXT_meshopt_compression)";
    let cut = changed(&|of| of["byteLength"] = 100.into());
    check_error(&cut, &format!("{name}: it is cut off"));
    let zip = changed(&|of| of["mode"] = "ZIP".into());
    check_error(&zip, &format!("{name}: the mode ZIP is not supported"));
    let more = changed(&|of| of["count"] = 170.into());
    check_error(&more, &format!("{name}: 170 elements of 8 bytes are not its 1352 bytes"));
    let beyond = changed(&|of| of["byteOffset"] = 1_000_000.into());
    let found = beyond.bin.len().next_multiple_of(4);
    check_error(&beyond, &format!("buffer view 1 needs 1000571 bytes, but there are {found}"));

    let mut huge = grid("encoded");
    let n = 40_000_000;
    huge.json["bufferViews"][1]["byteLength"] = (8 * n).into();
    huge.json["bufferViews"][1]["extensions"]["EXT_meshopt_compression"]["count"] = n.into();
    let limit = "the compressed buffer views take more than 268435456 bytes when they are decoded";
    let remedy = "split the level into files for `walkable bin`";
    check_error(&huge, &format!("{limit}; {remedy}"));
}

#[test]
fn errors_name_an_unknown_extension_that_is_required() {
    let mut file = one_triangle();
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "ACME_packing"]);
    assert_eq!(corners(&read(&file)), [TRIANGLE]);
    file.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    let error = "accessor 0 has 3 elements but no data; the file requires ACME_packing, which is not supported";
    check_error(&file, error);
}

#[test]
fn too_many_copies_are_rejected_before_they_are_made() {
    let n = 4096;
    let mut file = Glb::new();
    let positions = file.positions(&vec![[0.0; 3]; 3 * n]);
    let one = json!({ "attributes": { "POSITION": positions } });
    let mesh = file.push("meshes", json!({ "primitives": vec![one; n] }));
    let nodes = [json!({ "mesh": mesh }), json!({ "mesh": mesh }), json!({ "mesh": mesh })];
    file.json["nodes"] = nodes.into();
    file.json["scenes"][0]["nodes"] = json!([0, 1, 2]);
    let expected = "the level has more than 33554432 triangles with all copies; split it into \
    files for `walkable bin`";
    check_error(&file, expected);
    // An accessor that is not used may claim anything.
    let mut file = one_triangle();
    file.json["accessors"][0]["count"] = 4_000_000_000_u64.into();
    check_error(&file, expected);
}

/// Creates a file with each part of `mesh` as a node with its own mesh.
fn of_level(mesh: &TriMesh) -> Glb {
    let mut file = Glb::new();
    for part in mesh.parts() {
        add_part(&mut file, mesh, part);
    }
    file
}

fn add_part(file: &mut Glb, mesh: &TriMesh, part: &MeshPart) {
    let range = part.triangles.start as usize..part.triangles.end as usize;
    let triangles = mesh.triangles()[range].as_flattened();
    let mut used = triangles.to_vec();
    used.sort_unstable();
    used.dedup();
    let number = |corner: &u32| u32::try_from(used.partition_point(|at| at < corner)).unwrap();
    let corners: Vec<u32> = triangles.iter().map(number).collect();
    let position = |&at: &u32| mesh.vertices()[at as usize].to_array();
    let positions: Vec<[f32; 3]> = used.iter().map(position).collect();
    let (positions, indices) = (file.positions(&positions), file.indices(&corners));
    let material = file.push("materials", json!({ "name": &*part.material }));
    let attributes = json!({ "POSITION": positions });
    let primitive = json!({ "attributes": attributes, "indices": indices, "material": material });
    let mesh = file.mesh(&primitive);
    file.top_node(json!({ "name": &*part.object, "mesh": mesh }));
}

/// Bakes a level without its last object, and returns the tiles.
fn baked(mesh: TriMesh) -> Vec<u8> {
    let object = mesh.parts().last().unwrap().object.to_string();
    let settings = BakeSettings { tile_size: 24, cell_size: 0.5, ..BakeSettings::default() };
    let mut input = BakeInput::new(Arc::new(mesh), settings);
    let source = SurfaceSource::Object;
    input.surfaces.push(SurfaceRule { source, name: object, becomes: SurfaceUse::LeftOut });
    bake(input, &Unmonitored).unwrap().to_bytes()
}

fn kind() -> impl Strategy<Value = LevelKind> {
    prop::sample::select(vec![LevelKind::Sample, LevelKind::Terrain])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    /// The same level gives the same tiles in all formats.
    #[test]
    fn obj_and_glb_bake_to_the_same_tiles(
        kind in kind(),
        seed in 0_u64..1000,
        exponent in -2_i32..3,
        is_mirrored in any::<bool>(),
    ) {
        let level = generate(kind, seed, 30.0).unwrap();
        let options = ImportOptions::default();
        let of_obj = options.import(read_obj(to_obj(&level.mesh).as_bytes()).unwrap()).unwrap();
        // Powers of two keep numbers exact, so that a node can reverse what was done to its vertices.
        let scale = 2.0_f32.powi(exponent);
        let undone = Vec3::new(if is_mirrored { -scale } else { scale }, scale, scale);
        let vertices = level.mesh.vertices().iter().map(|v| *v / undone).collect();
        let mut triangles = level.mesh.triangles().to_vec();
        if is_mirrored {
            for corners in &mut triangles {
                corners.swap(1, 2);
            }
        }
        let parts = level.mesh.parts().to_vec();
        let mut file = of_level(&TriMesh::with_parts(vertices, triangles, parts).unwrap());
        for node in file.json["nodes"].as_array_mut().unwrap() {
            node["scale"] = json!(undone.to_array());
        }
        let of_glb = options.import(read(&file)).unwrap();
        prop_assert_eq!(of_glb.parts(), of_obj.parts());
        prop_assert_eq!(of_glb.bounds(), of_obj.bounds());
        prop_assert!(baked(of_glb) == baked(of_obj));
    }
}

#[test]
fn base_colors_of_materials_are_read_as_srgb() {
    let file = |materials: Value| {
        changed(|json| {
            json["materials"] = materials;
            json["meshes"][0]["primitives"][0]["material"] = 0.into();
        })
    };
    let factor = |factor: Value| json!({ "baseColorFactor": factor });
    for (name, roughness, expected) in [
        ("brick", factor(json!([0.5, 0, 1, 1])), Some([188, 0, 255])),
        ("out of range", factor(json!([-1, 2, 0.002, 1])), Some([0, 255, 7])),
        ("too short", factor(json!([0.5, 0.5])), None),
        ("no factor", json!({}), None),
        ("texture", json!({ "baseColorTexture": { "index": 0 } }), None),
        ("", factor(json!([0.5, 0, 1, 1])), None),
    ] {
        let unused = json!({ "name": "unused", "pbrMetallicRoughness": factor(json!([1, 0, 0])) });
        let level =
            read(&file(json!([{ "name": name, "pbrMetallicRoughness": roughness }, unused])));
        let expected = expected.map(|color| (Arc::from(name), color));
        assert_eq!(level.colors, expected.into_iter().collect(), "{name}");
        let mesh = ImportOptions::default().import(level.clone()).unwrap();
        assert_eq!(*mesh.colors(), level.colors);
    }
}
