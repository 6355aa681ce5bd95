//! Vertex colors and textures: read for pictures, never needed for the triangles.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use walkable::mesh::{
    AlphaMode, Appearance, ImportOptions, LevelFile, read_gltf, read_gltf_with_appearance,
    read_obj, read_obj_with_appearance, read_ply, read_ply_with_appearance,
};
use walkable_test_support::glb::{F32, Glb, U8, U16, floats};

/// Returns a folder with one image and a material file.
fn folder(name: &str) -> Result<Vec<u8>, String> {
    match name {
        "brick.png" => Ok(b"image".to_vec()),
        "level.mtl" => Ok(b"newmtl brick\nKd 1 1 1\nmap_Kd C:\\art\\brick.png\n\
            newmtl lost\nKd 1 0 0\nmap_Kd lost.png\nnewmtl plain\nKd 0 0 1\n"
            .to_vec()),
        _ => Err(format!("there is no file {name}")),
    }
}

fn warnings(level: &LevelFile) -> Vec<String> {
    level.warnings.listed().iter().map(ToString::to_string).collect()
}

fn names(appearance: &Appearance) -> Vec<&str> {
    appearance.images.iter().map(|image| &*image.name).collect()
}

/// Returns a triangle with texture coordinates 0, 0; 0, 1; and 1, 0, whose material has the image `brick.png`.
fn gltf() -> Glb {
    let mut file = Glb::new();
    let positions = file.positions(&[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]);
    let coordinates = file.accessor(&floats(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0]), F32, "VEC2", 3);
    let attributes = json!({ "POSITION": positions, "TEXCOORD_0": coordinates });
    let mesh = file.mesh(&json!({ "attributes": attributes, "material": 0 }));
    file.top_node(json!({ "mesh": mesh }));
    let texture = json!({ "baseColorTexture": { "index": 0 } });
    file.json["materials"] = json!([{ "pbrMetallicRoughness": texture }]);
    file.json["textures"] = json!([{ "source": 0 }]);
    file.json["images"] = json!([{ "uri": "brick.png" }]);
    file
}

#[track_caller]
fn read(file: &Glb) -> (LevelFile, Appearance) {
    let bytes = file.to_glb();
    let mut level = read_gltf_with_appearance(&bytes, &folder).unwrap();
    let appearance = *level.appearance.take().unwrap();
    let plain = read_gltf(&bytes, &folder).unwrap();
    assert_eq!((&level.triangles, &level.vertices), (&plain.triangles, &plain.vertices));
    assert!(plain.appearance.is_none() && plain.warnings.is_empty(), "a bake needs none of it");
    (level, appearance)
}

#[test]
fn textures_of_gltf_are_read() {
    let (level, appearance) = read(&gltf());
    assert_eq!(warnings(&level), [""; 0]);
    assert_eq!(names(&appearance), ["texture \"brick.png\""]);
    assert_eq!(*appearance.images[0].bytes, *b"image");
    let [run] = &appearance.textured[..] else { unreachable!("one run") };
    assert_eq!((run.first_triangle, run.image), (0, 0));
    assert_eq!(run.corners, [[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]]);
    assert!(appearance.vertex_colors.is_empty());

    let mut embedded = gltf();
    let view = embedded.view(b"bytes");
    embedded.json["images"] = json!([{ "bufferView": view, "name": "wall" }]);
    let (_, appearance) = read(&embedded);
    assert_eq!(names(&appearance), ["image 0 \"wall\""]);
    assert_eq!(*appearance.images[0].bytes, *b"bytes");
    let uri = format!("data:image/png;base64,{}", STANDARD.encode("text"));
    embedded.json["images"] = json!([{ "uri": uri }]);
    assert_eq!(*read(&embedded).1.images[0].bytes, *b"text");
}

#[test]
fn alpha_of_gltf_textures_is_read() {
    let base = |alpha: f32| json!({ "baseColorTexture": { "index": 0 }, "baseColorFactor": [1, 1, 1, alpha] });
    for (material, expected) in [
        (json!({}), AlphaMode::Opaque),
        (json!({ "alphaMode": "OPAQUE", "alphaCutoff": 0.7 }), AlphaMode::Opaque),
        (json!({ "alphaMode": "MASK" }), AlphaMode::Mask(128)),
        (json!({ "alphaMode": "MASK", "alphaCutoff": 0.2 }), AlphaMode::Mask(51)),
        (json!({ "alphaMode": "MASK", "pbrMetallicRoughness": base(0.8) }), AlphaMode::Mask(159)),
        (json!({ "alphaMode": "MASK", "pbrMetallicRoughness": base(0.0) }), AlphaMode::Mask(255)),
        (json!({ "alphaMode": "BLEND" }), AlphaMode::Blend(255)),
        (json!({ "alphaMode": "BLEND", "pbrMetallicRoughness": base(0.2) }), AlphaMode::Blend(51)),
    ] {
        let mut file = gltf();
        for (key, value) in material.as_object().unwrap() {
            file.json["materials"][0][key] = value.clone();
        }
        let (_, appearance) = read(&file);
        assert_eq!(appearance.textured[0].alpha, expected, "{material}");
    }
}

#[test]
fn instances_share_an_image_and_mirrored_ones_reverse_their_corners() {
    let mut file = gltf();
    file.top_node(json!({ "mesh": 0, "scale": [-1, 1, 1], "name": "mirrored" }));
    let (level, appearance) = read(&file);
    assert_eq!(level.triangles.len(), 2);
    assert_eq!((appearance.images.len(), appearance.textured.len()), (1, 1));
    let [first, mirrored] = appearance.textured[0].corners[..] else { unreachable!("two") };
    assert_eq!(mirrored, [first[0], first[2], first[1]]);

    let flipped = ImportOptions { flip: true, ..ImportOptions::default() };
    let level = read_gltf_with_appearance(&file.to_glb(), &folder).unwrap();
    let (_, appearance) = flipped.import_with_appearance(level).unwrap();
    assert_eq!(appearance.unwrap().textured[0].corners, [mirrored, first]);
}

#[test]
fn vertex_colors_of_gltf_are_converted_to_srgb() {
    let table = [
        (floats(&[0.5, 0.0, 1.0].repeat(3)), F32, "VEC3", [188, 0, 255]),
        ([255, 0, 0, 9].repeat(3), U8, "VEC4", [255, 0, 0]),
        ([0, 0, 255, 255, 0, 0, 0, 0].repeat(3), U16, "VEC4", [0, 255, 0]),
    ];
    for (bytes, component, shape, expected) in table {
        let mut file = gltf();
        let colors = file.accessor(&bytes, component, shape, 3);
        file.json["accessors"][colors]["normalized"] = (component != F32).into();
        file.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = colors.into();
        // A mesh without colors before and after.
        let positions = file.positions(&[[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]);
        let plain = file.mesh(&json!({ "attributes": { "POSITION": positions } }));
        for (mesh, x) in [(plain, 2), (0, 4), (plain, 6)] {
            file.top_node(json!({ "mesh": mesh, "translation": [x, 0, 0] }));
        }
        let (level, appearance) = read(&file);
        assert_eq!(warnings(&level), [""; 0]);
        let (colored, none) = ([Some(expected); 3], [None; 3]);
        assert_eq!(appearance.vertex_colors, [colored, none, colored, none].concat(), "{shape}");
    }
}

#[test]
fn unreadable_images_are_warnings() {
    let table: [(&str, Value, &str); 9] = [
        (
            "/images/0/uri",
            "lost.png".into(),
            "texture \"lost.png\": not drawn: there is no file lost.png",
        ),
        (
            "/images/0/uri",
            "../up.png".into(),
            "texture \"../up.png\": not drawn: \"../up.png\" leaves the level's folder",
        ),
        (
            "/images/0/uri",
            Value::Null,
            "image 0: not drawn: it has neither embedded data nor a file",
        ),
        ("/textures/0/source", 9.into(), "texture 0: not drawn: it has no image in PNG or JPEG"),
        ("/textures/0/source", Value::Null, "texture 0: not drawn: it has no image in PNG or JPEG"),
        (
            "/textures/0/source",
            "one".into(),
            "materials: not drawn: invalid type: string \"one\", expected usize",
        ),
        (
            "/materials/0/pbrMetallicRoughness/baseColorTexture/texCoord",
            5.into(),
            "mesh 0, primitive 0: not drawn: it has no texture coordinates TEXCOORD_5",
        ),
        (
            "/accessors/1/count",
            2.into(),
            "mesh 0, primitive 0: not drawn: accessor 1 has only 2 elements, fewer than there are vertices",
        ),
        (
            "/accessors/1/type",
            "VEC3".into(),
            "mesh 0, primitive 0: not drawn: accessor 1 holds VEC3 of component type 5126, but VEC2 of f32, or of 8 or 16 bits is needed",
        ),
    ];
    for (place, value, expected) in table {
        let mut file = gltf();
        let texture = "/materials/0/pbrMetallicRoughness/baseColorTexture";
        file.json.pointer_mut(texture).unwrap()["texCoord"] = 0.into();
        *file.json.pointer_mut(place).unwrap() = value;
        let (level, appearance) = read(&file);
        let found = warnings(&level);
        assert!(found.len() == 1 && found[0].starts_with(expected), "{place}: {found:?}");
        assert!(appearance.textured.is_empty(), "{place}");
    }
}

const OBJ: &str = "mtllib level.mtl\n\
    v 0 0 0 1 0 0\nv 0 0 1 0 0.5 0\nv 1 0 1 0.1\nv 1 0 0\n\
    vt 0 0\nvt 0 1\nvt 1 1\nvt 1 0\n\
    usemtl plain\nf 1/1 2/2 3/3\nf 1/1 2/2\n\
    usemtl brick\nf 1/1 2/2/9 3/-2 4\n\
    usemtl lost\nf 1/1 2/2 3/3\nf 1/1 2/2 4/4\n\
    usemtl brick\nf 1/99 2/x 3\n";

#[test]
fn textures_and_vertex_colors_of_obj_are_read() {
    let mut level = read_obj_with_appearance(OBJ.as_bytes(), &folder).unwrap();
    let appearance = *level.appearance.take().unwrap();
    let (red, green) = ([255, 0, 0], [0, 128, 0]);
    assert_eq!(appearance.vertex_colors, [Some(red), Some(green), None, None]);
    assert_eq!(names(&appearance), ["texture \"C:/art/brick.png\""]);
    let (a, b, c, none) = ([0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]);
    let runs: Vec<_> =
        appearance.textured.iter().map(|run| (run.first_triangle, &*run.corners)).collect();
    let quad = [[a, b, c], [a, c, none]];
    assert_eq!(runs, [(1, &quad[..]), (5, &[[none; 3]])], "v points down");
    let lost = "texture \"lost.png\": not drawn: there is no file lost.png";
    let found = warnings(&level);
    assert_eq!(found.iter().filter(|text| *text == lost).count(), 1, "{found:?}");
    assert_eq!(level.colors, [("lost".into(), red), ("plain".into(), [0, 0, 255])].into());

    let plain = read_obj(OBJ.as_bytes()).unwrap();
    assert_eq!((plain.triangles, plain.appearance), (level.triangles, None));
}

#[test]
fn opacity_of_obj_textures_is_read() {
    let obj = "mtllib leaf.mtl\nv 0 0 0\nv 0 0 1\nv 1 0 0\nv 2 0 0\nv 3 0 0\nvt 0 0\n\
        usemtl leaf\nf 1/1 2/1 3/1\nusemtl fern\nf 1/1 2/1 4/1\nusemtl lost\nf 1/1 2/1 5/1\n";
    let folder = |name: &str| match name {
        "leaf.png" | "fern.png" | "mask.png" => Ok(name.as_bytes().to_vec()),
        "leaf.mtl" => Ok(b"newmtl leaf\nmap_d mask.png\nmap_Kd leaf.png\n\
            newmtl fern\nmap_Kd fern.png\nmap_d fern.png\n\
            newmtl lost\nmap_Kd leaf.png\nmap_d lost.png\n"
            .to_vec()),
        _ => Err(format!("there is no file {name}")),
    };
    let level = read_obj_with_appearance(obj.as_bytes(), &folder).unwrap();
    let appearance = level.appearance.as_deref().unwrap();
    assert!(appearance.textured.iter().all(|run| run.alpha == AlphaMode::Mask(128)));
    let images = appearance.images.iter().map(|image| (&*image.bytes, image.opacity.as_deref()));
    let expected: [(&[u8], Option<&[u8]>); 3] =
        [(b"leaf.png", Some(b"mask.png")), (b"fern.png", None), (b"leaf.png", None)];
    assert_eq!(images.collect::<Vec<_>>(), expected);
    assert_eq!(warnings(&level), ["texture \"lost.png\": not drawn: there is no file lost.png"]);
}

#[test]
fn collision_shapes_keep_their_looks() {
    let obj = OBJ.replace("usemtl brick\nf 1/1", "o brick-col\nusemtl brick\nf 1/1");
    let level = read_obj_with_appearance(obj.as_bytes(), &folder).unwrap();
    let options = ImportOptions { collision_only: true, ..ImportOptions::default() };
    let (mesh, appearance) = options.import_with_appearance(options.select(level)).unwrap();
    let appearance = appearance.unwrap();
    assert_eq!((mesh.triangles().len(), appearance.vertex_colors.len()), (5, 4));
    let runs: Vec<_> = appearance.textured.iter().map(|run| run.first_triangle).collect();
    assert_eq!(runs, [0, 4]);
}

#[test]
fn vertex_colors_of_ply_are_read() {
    for (kind, components, expected) in [
        ("uchar", "255 128 0", Some([255, 128, 0])),
        ("float", "1.5 0.5 -1", Some([255, 128, 0])),
        ("ushort", "65535 32768 0", Some([255, 128, 0])),
    ] {
        let ply = format!(
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
            property {kind} red\nproperty {kind} green\nproperty {kind} blue\nproperty float z\n\
            element face 1\nproperty list uchar int vertex_indices\nend_header\n\
            0 0 {components} 0\n0 0 {components} 1\n1 0 {components} 0\n3 0 1 2\n"
        );
        let level = read_ply_with_appearance(ply.as_bytes()).unwrap();
        let appearance = level.appearance.unwrap();
        assert_eq!(appearance.vertex_colors, [expected; 3], "{kind}");
        assert!(read_ply(ply.as_bytes()).unwrap().appearance.is_none());
        let without = read_ply_with_appearance(ply.replace("green", "alpha").as_bytes()).unwrap();
        assert!(without.appearance.unwrap().vertex_colors.is_empty());
    }
}
