//! Levels compressed with Draco are read like plain ones; damaged ones are refused with an exact message.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use walkable::mesh::{LevelFile, read_gltf, read_gltf_with_appearance};
use walkable_test_support::glb::{F32, Glb, U32};

fn no_files(name: &str) -> Result<Vec<u8>, String> {
    Err(format!("there is no file {name}"))
}

/// The entries of `tests/data/draco.json`.
fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../data/draco.json")).unwrap()
}

fn case(name: &str) -> Value {
    cases().into_iter().find(|case| case["name"] == name).unwrap()
}

fn bytes_of(text: &Value) -> Vec<u8> {
    STANDARD.decode(text.as_str().unwrap()).unwrap()
}

/// Creates a level of one mesh with a texture. The data are "compressed" or "plain".
fn level(case: &Value, data: &str) -> Glb {
    let is_compressed = data == "compressed";
    let mut file = Glb::new();
    let mut accessor = |bytes: Vec<u8>, component: u32, shape: &str, n: u64| {
        let mut accessor = json!({ "componentType": component, "type": shape, "count": n });
        if component < U32 && shape != "SCALAR" {
            accessor["normalized"] = true.into();
        }
        if !is_compressed {
            accessor["bufferView"] = file.view(&bytes).into();
        }
        file.push("accessors", accessor)
    };
    let n_indices = 3 * case["n_triangles"].as_u64().unwrap();
    let indices = accessor(bytes_of(&case["indices"]), U32, "SCALAR", n_indices);
    let mut attributes = json!({});
    let mut ids = json!({});
    for (name, of) in case["attributes"].as_object().unwrap() {
        let component = u32::try_from(of["component"].as_u64().unwrap()).unwrap();
        let shape = of["shape"].as_str().unwrap();
        let n_vertices = case["n_vertices"].as_u64().unwrap();
        attributes[name] = accessor(bytes_of(&of["bytes"]), component, shape, n_vertices).into();
        ids[name] = of["id"].clone();
    }
    let mut primitive = json!({ "indices": indices, "attributes": attributes, "material": 0 });
    if is_compressed {
        let view = file.view(&bytes_of(&case["encoded"]));
        primitive["extensions"] =
            json!({ "KHR_draco_mesh_compression": { "bufferView": view, "attributes": ids } });
        file.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
        file.json["extensionsRequired"] = file.json["extensionsUsed"].clone();
    }
    let mesh = file.mesh(&primitive);
    file.top_node(json!({ "mesh": mesh, "translation": [1, 2, 3] }));
    if case["attributes"].get("TEXCOORD_0").is_some() {
        let texture = json!({ "baseColorTexture": { "index": 0 } });
        file.json["materials"] = json!([{ "pbrMetallicRoughness": texture }]);
        let view = file.view(b"image");
        file.json["textures"] = json!([{ "source": 0 }]);
        file.json["images"] = json!([{ "bufferView": view }]);
    } else {
        file.json["materials"] = json!([{}]);
    }
    file
}

#[track_caller]
fn read(file: &Glb) -> LevelFile {
    read_gltf(&file.to_glb(), &no_files).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn read_with_appearance(file: &Glb) -> LevelFile {
    let level = read_gltf_with_appearance(&file.to_glb(), &no_files);
    level.unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn check_error(file: &Glb, expected: &str) {
    let error =
        read_gltf(&file.to_glb(), &no_files).map(|level| level.triangles.len()).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

fn warnings(level: &LevelFile) -> Vec<String> {
    level.warnings.listed().iter().map(ToString::to_string).collect()
}

#[test]
fn compressed_levels_are_read_like_plain_ones() {
    for case in cases() {
        let [compressed, plain] = ["compressed", "plain"].map(|data| level(&case, data));
        let found = read(&compressed);
        assert_eq!(found.triangles.len(), 50);
        assert_eq!(found, read(&plain), "{}", case["name"]);
        let with = read_with_appearance(&compressed);
        assert_eq!(with, read_with_appearance(&plain), "{}", case["name"]);
        let appearance = with.appearance.unwrap();
        let has_picture = case["attributes"].get("COLOR_0").is_some();
        assert_eq!(!appearance.vertex_colors.is_empty(), has_picture);
        assert_eq!(!appearance.textured.is_empty(), has_picture);
    }
}

/// The only primitive of [`level`].
fn primitive(file: &mut Glb) -> &mut Value {
    &mut file.json["meshes"][0]["primitives"][0]
}

/// Its extension.
fn draco(file: &mut Glb) -> &mut Value {
    &mut primitive(file)["extensions"]["KHR_draco_mesh_compression"]
}

/// Creates [`level`] of "edgebreaker", compressed, with one change.
fn changed(change: impl FnOnce(&mut Glb)) -> Glb {
    let mut file = level(&case("edgebreaker"), "compressed");
    change(&mut file);
    file
}

#[test]
fn errors_name_the_primitive() {
    let name = "mesh 0, primitive 0";
    let undecodable = format!("{name} cannot be decoded (KHR_draco_mesh_compression)");
    let refers = format!("{name} refers to buffer view 7, but the file has 2");
    check_error(&changed(|file| draco(file)["bufferView"] = 7.into()), &refers);
    let cut = changed(|file| file.json["bufferViews"][0]["byteLength"] = 12.into());
    check_error(&cut, &format!("{undecodable}: it is cut off"));
    let damaged = changed(|file| file.bin[30..60].fill(0));
    let error =
        read_gltf(&damaged.to_glb(), &no_files).map(|level| level.triangles.len()).unwrap_err();
    let reason = "its data are damaged: ";
    assert!(error.to_string().starts_with(&format!("{undecodable}: {reason}")), "{error}");
    let none = changed(|file| draco(file)["attributes"] = json!({ "COLOR_0": 3 }));
    check_error(&none, &format!("{undecodable}: its attributes have no POSITION"));
    let missing = changed(|file| draco(file)["attributes"]["POSITION"] = 8.into());
    check_error(&missing, &format!("{undecodable}: its data have no attribute 8"));
    let fewer = changed(|file| file.json["accessors"][0]["count"] = 147.into());
    let reason = "its data have 50 triangles, its indices only 49";
    check_error(&fewer, &format!("{undecodable}: {reason}"));
    let colors = changed(|file| draco(file)["attributes"]["POSITION"] = 3.into());
    let position = &colors.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
    let found = format!("accessor {position} holds VEC4 of component type 5121");
    check_error(&colors, &format!("{found}, but VEC3 of f32, or of 8 or 16 bits is needed"));
}

#[test]
fn plain_data_are_used_if_they_are_there() {
    let mut file = level(&case("sequential"), "plain");
    let plain = read_with_appearance(&file);
    let view = file.view(b"DRACO, damaged");
    primitive(&mut file)["extensions"] = json!({ "KHR_draco_mesh_compression":
        { "bufferView": view, "attributes": { "POSITION": 0, "COLOR_0": 3 } } });
    assert_eq!(read_with_appearance(&file), plain);
}

#[test]
fn attributes_can_be_outside_the_compressed_data() {
    let case = case("edgebreaker");
    let file = changed(|file| {
        let at = primitive(file)["attributes"]["COLOR_0"].as_u64().unwrap();
        let view = file.view(&bytes_of(&case["attributes"]["COLOR_0"]["bytes"]));
        file.json["accessors"][usize::try_from(at).unwrap()]["bufferView"] = view.into();
        draco(file)["attributes"].as_object_mut().unwrap().remove("COLOR_0");
    });
    assert_eq!(read_with_appearance(&file), read_with_appearance(&level(&case, "plain")));
}

#[test]
fn attributes_that_are_missing_are_not_drawn() {
    let file = changed(|file| draco(file)["attributes"]["COLOR_0"] = 8.into());
    let found = read_with_appearance(&file);
    let not_drawn = "mesh 0, primitive 0: not drawn: its data have no attribute 8";
    assert_eq!(warnings(&found), [not_drawn]);
    assert_eq!(found.triangles.len(), 50);
}

/// Flat ground of 64 by 64 vertices, by the encoder of Draco 1.5.7.
const FLAT: &str = "\
    RFJBQ08CAgEBAAACgCCCPgCCPj4A/wERPwECBAP9PgMFAQMvVKo/AQIFBwUB+T0FAQR+ELCbewECBQtFIL0fEhhOj5ST\
    k5OTk5OTk5OTk0eRgYQeAQEECwFAAQCEHgEBAQFAAQAAAf8AAQEACQMAAAIEAQEBBUDxPwQE6wQEDPDGsP0/HfwPIv/P\
    iPkB/wI4W4g8/wjUS0tLS9C7gAAAAAAAAD8AAAAAAAAAAAAAAAAAAAAAAHxCBg==";

#[test]
fn memory_for_all_primitives_is_limited_together() {
    let n_triangles = 2 * 63 * 63;
    let mut file = Glb::new();
    let view = file.view(&STANDARD.decode(FLAT).unwrap());
    let accessor =
        |component, shape, n| json!({ "componentType": component, "type": shape, "count": n });
    let positions = file.push("accessors", accessor(F32, "VEC3", 64 * 64));
    let indices = file.push("accessors", accessor(U32, "SCALAR", 3 * n_triangles));
    let extension = json!({ "bufferView": view, "attributes": { "POSITION": 0 } });
    let one = json!({ "indices": indices, "attributes": { "POSITION": positions },
        "extensions": { "KHR_draco_mesh_compression": extension } });
    let mesh = file.mesh(&one);
    file.top_node(json!({ "mesh": mesh }));
    assert_eq!(read(&file).triangles.len(), n_triangles);

    // Each takes almost a megabyte while it is decoded, and the file allows some hundred.
    file.json["meshes"][0]["primitives"] = vec![one; 200].into();
    let error = read_gltf(&file.to_glb(), &no_files).map(|level| level.triangles.len());
    let expected = "decoding it takes more memory than allowed for the file's size";
    assert!(error.as_ref().is_err_and(|error| error.to_string().ends_with(expected)), "{error:?}");
}
