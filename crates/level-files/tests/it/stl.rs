//! Reading STL files: valid ones completely, broken ones with an exact message, none with a panic.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use glam::Vec3;
use proptest::prelude::*;
use walkable::mesh::{FileWarnings, LevelFile, MeshPart, read_stl};

use crate::obj::check_concave;

/// Two solids: a square of two triangles, and a separate triangle.
const TEXT: &str = "solid the floor\n\
    facet normal 0 1 0\n outer loop\n  vertex 0 0 0\n  vertex 0 0 1\n  vertex 1 0 1\n endloop\nendfacet\n\
    facet normal nan 0 0\n outer loop\n  vertex 0 0 0\n  vertex 1 0 1\n  vertex 1 0 0\n endloop\nendfacet\n\
    endsolid the floor\nsolid roof\n\
    facet normal 0 0 0\n outer loop\n  vertex 1 0 0\n  vertex 1 0 1\n  vertex 2.5 0 -0\n endloop\nendfacet\n\
    endsolid roof\n";

const TRIANGLES: [[[f32; 3]; 3]; 3] = [
    [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]],
    [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
    [[1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [2.5, 0.0, 0.0]],
];

fn binary(header: &str, n: u32) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    bytes.resize(80, 0);
    bytes.extend(n.to_le_bytes());
    for triangle in TRIANGLES {
        bytes.extend([[0.0; 3]; 1].as_flattened().iter().flat_map(|n: &f32| n.to_le_bytes()));
        bytes.extend(triangle.as_flattened().iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend([0xff, 0x7f]);
    }
    bytes
}

#[track_caller]
fn read(bytes: impl AsRef<[u8]>) -> LevelFile {
    let bytes = bytes.as_ref();
    read_stl(bytes).unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(bytes)))
}

#[track_caller]
fn check_error(bytes: impl AsRef<[u8]>, expected: &str) {
    let bytes = bytes.as_ref();
    let error = read_stl(bytes).map(|level| level.triangles).unwrap_err();
    assert_eq!(error.to_string(), expected, "{}", String::from_utf8_lossy(bytes));
}

#[track_caller]
fn check_changed(from: &str, to: &str, expected: &str) {
    assert!(TEXT.contains(from), "{from}");
    check_error(TEXT.replacen(from, to, 1), expected);
}

#[test]
fn text_has_names_and_shared_vertices() {
    let level = read(TEXT);
    let corners = [[0, 0, 0], [0, 0, 1], [1, 0, 1], [1, 0, 0]]
        .map(|c| Vec3::from_array(c.map(|c: u8| f32::from(c))));
    assert_eq!(level.vertices[..4], corners);
    assert_eq!(level.vertices[4], Vec3::new(2.5, 0.0, 0.0));
    assert_eq!(level.triangles, [[0, 1, 2], [0, 2, 3], [3, 2, 4]]);
    let part = |object: &str, triangles| MeshPart {
        object: object.into(),
        material: "".into(),
        triangles,
    };
    assert_eq!(level.parts, [part("the floor", 0..2), part("roof", 2..3)]);
    assert_eq!((level.n_faces, level.warnings.total()), (3, 0));
}

#[test]
fn binary_files_are_recognized_by_their_size() {
    let level = read(TEXT);
    for header in ["made by hand", "solid made by hand", "", "SOLID"] {
        let binary = read(binary(header, 3));
        assert_eq!((&binary.vertices, &binary.triangles), (&level.vertices, &level.triangles));
        assert_eq!((binary.parts.len(), binary.n_faces), (1, 3));
    }
    // The file has more bytes than its triangles need, and cannot be text.
    assert_eq!(read(binary("", 2)).triangles.len(), 2);
}

#[test]
fn every_spelling_is_read() {
    let level = read(TEXT);
    for text in [
        TEXT.replace('\n', "\r\n"),
        TEXT.replace('\n', "\r"),
        TEXT.replace('\n', "\n\n"),
        TEXT.trim_end().to_owned(),
        format!("  {TEXT}"),
        TEXT.replace("facet", "FACET").replace("vertex", "Vertex").replace("outer", "\touter "),
        TEXT.replace("endsolid roof", "endsolid"),
    ] {
        assert_eq!(read(&text).triangles, level.triangles, "{text}");
        assert_eq!(read(&text).parts, level.parts, "{text}");
    }
    assert_eq!(read(TEXT.replace("solid roof", "solid the floor")).parts.len(), 1);
    assert_eq!(&*read(TEXT.replace("solid the floor", "solid")).parts[0].object, "");
}

#[test]
fn loops_of_more_vertices_become_fans() {
    let vertex = "  vertex 1 0 1\n endloop";
    let text = TEXT.replacen(vertex, "  vertex 1 0 1\n  vertex 1 0 0\n endloop", 1);
    let level = read(text);
    assert_eq!(level.triangles[..2], [[0, 1, 2], [0, 2, 3]]);
    assert_eq!((level.triangles.len(), level.n_faces), (4, 3));
    let found: Vec<String> = level.warnings.listed().iter().map(ToString::to_string).collect();
    assert_eq!(found, ["line 10: triangle 2 repeats triangle 1 of line 2"]);
}

#[test]
fn text_is_refused_with_its_line() {
    check_error("", "the file is empty");
    let not =
        "not an STL file: it does not start with \"solid\", and is too short for a binary file";
    check_error("v 0 0 0\n", not);
    check_error("solid\nendsolid\n", "the file has no facets");
    check_changed("facet normal 0 0 0", "face", "line 18: \"face\" where \"facet\" is expected");
    check_changed(
        "outer loop",
        "inner loop",
        "line 3: \"inner loop\" where \"outer loop\" is expected",
    );
    check_changed(
        "vertex 0 0 0",
        "point 0 0 0",
        "line 4: \"point 0 0 0\" where \"vertex\" is expected",
    );
    check_changed("endfacet", "endfact", "line 8: \"endfact\" where \"endfacet\" is expected");
    check_changed(
        "solid roof",
        "solids roof",
        "line 17: \"solids roof\" where \"solid\" is expected",
    );
    for bad in ["0 0", "0 0 0 0", "0 0 x", "0 0 1,5"] {
        let error =
            format!("line 4: a vertex needs three numbers, but the line is \"vertex {bad}\"");
        check_changed("vertex 0 0 0", &format!("vertex {bad}"), &error);
    }
    check_changed(
        "vertex 0 0 0",
        "vertex 0 nan 0",
        "line 4: the coordinate NaN is not a finite number",
    );
    check_changed(
        "vertex 0 0 0",
        "vertex 0 0 1e40",
        "line 4: the coordinate inf is not a finite number",
    );
    let few = "line 6: the facet has 2 vertices, but needs three";
    check_changed("  vertex 1 0 1\n", "", few);
    let cut = |end: &str| &TEXT[..TEXT.rfind(end).unwrap()];
    check_error(cut("endsolid"), "the file is cut off: after line 24, \"endsolid\" is missing");
    check_error(cut("endfacet"), "the file is cut off: after line 23, \"endfacet\" is missing");
    check_error(cut(" endloop"), "the file is cut off: after line 22, \"endloop\" is missing");
    check_error(cut(" outer"), "the file is cut off: after line 18, \"outer loop\" is missing");
    let long = format!("solid {}\nendsolid\n", "x".repeat(5000));
    check_error(long, "line 1: a name has 5000 bytes, more than the limit of 4096; shorten it");
}

#[test]
fn binary_files_are_refused_with_the_facet() {
    let size = 84 + 150;
    let n = |n: u32, needed: u64| {
        let error = format!(
            "the file is cut off, or not an STL file: {n} triangles take {needed} bytes, but the file has {size}"
        );
        check_error(binary("", n), &error);
    };
    n(4, 284);
    n(u32::MAX, 214_748_364_834);
    let mut bytes = binary("", 3);
    bytes[84 + 50 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    check_error(&bytes, "facet 1: the coordinate NaN is not a finite number");
    check_error(binary("", 0), "the file has no facets");
    for n in 1..size {
        assert!(read_stl(&binary("", 3)[..n]).is_err(), "{n} bytes");
    }
}

proptest! {
    #[test]
    fn damaged_files_never_panic(
        is_text: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = if is_text { TEXT.into() } else { binary("solid", 3) };
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Ok(level) = read_stl(&bytes) {
            let n = u32::try_from(level.vertices.len()).unwrap();
            prop_assert!(level.triangles.as_flattened().iter().all(|&corner| corner < n));
            prop_assert!(level.vertices.iter().all(|vertex| vertex.is_finite()));
        }
    }
}

#[test]
fn concave_facets_cover_exactly_their_inside() {
    check_concave(|corners| {
        let corners: String =
            corners.iter().flat_map(|[x, z]| [format!("  vertex {x} 0 {z}\n")]).collect();
        let mut level = read(format!(
            "solid a\nfacet normal 0 1 0\n outer loop\n{corners} endloop\nendfacet\nendsolid a\n"
        ));
        level.warnings = FileWarnings::default();
        level
    });
}
