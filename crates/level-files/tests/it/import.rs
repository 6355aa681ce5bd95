//! Hints about wrong import options, on levels from reports, and what the suggested options change.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use walkable::mesh::{
    ImportHint, ImportOptions, LevelFile, LevelReading, UpAxis, import_hint, read_gltf_within,
    read_obj_within, read_ply_within, read_stl_within,
};

const ROOMS_FAR_AWAY: &[u8] = include_bytes!("../data/rooms_grid.obj");
const ROOMS_IN_CENTIMETERS: &[u8] = include_bytes!("../data/rooms_cm.obj");

fn reading(origin: [f64; 3]) -> LevelReading {
    LevelReading { appearance: false, max_bytes: usize::MAX, origin }
}

fn obj(bytes: &[u8], origin: [f64; 3]) -> LevelFile {
    read_obj_within(bytes, &|_| Err(String::new()), reading(origin)).unwrap()
}

#[track_caller]
fn hint(bytes: &[u8], options: ImportOptions) -> Option<ImportHint> {
    let mesh = options.import(obj(bytes, options.origin)).unwrap();
    import_hint(&mesh, options, 2.0, 0.6)
}

#[test]
fn a_level_far_from_the_origin_is_moved() {
    let far = hint(ROOMS_FAR_AWAY, ImportOptions::default());
    let Some(ImportHint::FarFromOrigin { step, origin, .. }) = far else { panic!("{far:?}") };
    assert_eq!(format!("{step} {origin:?}"), "0.5 [691000.0, 0.0, -5335000.0]");
    let moved = ImportOptions { origin, ..ImportOptions::default() };
    assert_eq!(hint(ROOMS_FAR_AWAY, moved), None);
    // In a file with z up, the origin has the file's axes.
    let turned = ImportOptions { up: UpAxis::Z, scale: 0.5, mirror: true, ..moved };
    let mesh = turned.import(obj(ROOMS_FAR_AWAY, origin)).unwrap();
    let first = mesh.vertices()[0];
    let position = turned.file_from_level(first).map(|n| (n * 1000.0).round() / 1000.0);
    assert_eq!(position.map(|n| n.to_string()).join(" "), "691000 -0.2 -5335000");
    let unmoved = ImportOptions { origin: [0.0; 3], ..turned };
    let far = unmoved.import(obj(ROOMS_FAR_AWAY, unmoved.origin)).unwrap().vertices()[0];
    assert!((turned.moved_by() + first.as_dvec3()).as_vec3().distance(far) < 0.5);
}

#[test]
fn every_format_is_moved_before_it_is_rounded() {
    let origin = [4_000_000.0, 0.0, -2_000_000.0];
    let obj_text = "v 4000000.1 1 -2000000\nv 4000000.2 1 -1999999.9\nv 4000000.3 1 -2000000\n\
                    f 1 2 3\n";
    let ply_text = "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\n\
                    property double y\nproperty double z\nelement face 1\n\
                    property list uchar int vertex_indices\nend_header\n4000000.1 1 -2000000\n\
                    4000000.2 1 -1999999.9\n4000000.3 1 -2000000\n3 0 1 2\n";
    let stl_text = "solid s\nfacet normal 0 1 0\nouter loop\nvertex 4000000.1 1 -2000000\n\
                    vertex 4000000.2 1 -1999999.9\nvertex 4000000.3 1 -2000000\nendloop\n\
                    endfacet\nendsolid s\n";
    let levels = [
        obj(obj_text.as_bytes(), origin),
        read_ply_within(ply_text.as_bytes(), reading(origin)).unwrap(),
        read_stl_within(stl_text.as_bytes(), reading(origin)).unwrap(),
    ];
    for level in levels {
        let expected = [[0.1, 1.0, 0.0], [0.2, 1.0, 0.1], [0.3, 1.0, 0.0]];
        for (vertex, expected) in level.vertices.iter().zip(expected) {
            assert!((*vertex - glam::Vec3::from(expected)).length() < 1e-6, "{vertex}");
        }
    }
}

#[test]
fn a_node_far_away_is_moved_before_it_is_rounded() {
    let triangle: Vec<u8> = [0.0_f32, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    let json = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"scene":0,
        "nodes":[{"translation":[4000000.1,1,-2000000.25],"children":[1]},{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"uri":"a.bin","byteLength":36}]}"#;
    let side_file = |_: &str| Ok(triangle.clone());
    let origin = [4_000_000.0, 0.0, -2_000_000.0];
    let level = read_gltf_within(json.as_bytes(), &side_file, reading(origin)).unwrap();
    assert!((level.vertices[0] - glam::Vec3::new(0.1, 1.0, -0.25)).length() < 1e-6);
}

#[test]
fn a_house_in_centimeters_or_on_its_side_is_noticed() {
    let scaled = |scale| ImportOptions { scale, ..ImportOptions::default() };
    let high = ImportHint::WallsHigh { height: 300.0, scale: 0.01 };
    assert_eq!(hint(ROOMS_IN_CENTIMETERS, scaled(1.0)), Some(high));
    assert_eq!(hint(ROOMS_IN_CENTIMETERS, scaled(0.01)), None);
    for (up, axis) in [(UpAxis::X, UpAxis::X), (UpAxis::Z, UpAxis::Z)] {
        let lying = hint(ROOMS_IN_CENTIMETERS, ImportOptions { up, ..scaled(0.01) });
        assert_eq!(lying, Some(ImportHint::OtherUpAxis { axis, flip: false }), "{up:?}");
    }
}
