//! Reading PLY files: valid ones completely, broken ones with an exact message, none with a panic.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use glam::Vec3;
use proptest::prelude::*;
use walkable::mesh::{FileWarnings, LevelFile, read_ply};

use crate::obj::check_concave;

/// A square of two triangles as a polygon, and a triangle, with properties and elements that do not matter.
const TEXT: &str = "ply\nformat ascii 1.0\ncomment made by hand\nobj_info none\nelement vertex 5\n\
    property float x\nproperty float y\nproperty float z\nproperty uchar red\nelement camera 1\n\
    property list uchar float view\nelement face 2\nproperty uchar flags\n\
    property list uchar int vertex_indices\nelement edge 1\nproperty int vertex1\nend_header\n\
    0 0 0 255\n0 0 1.5 255\n1.5 0 1.5 0\n1.5 0 0 0\n3 0 0 0\n2 0.5 7\n0 4 0 1 2 3\n9 3 3 2 4\n7\n";

const BIG: &str = "binary_big_endian";
const LITTLE: &str = "binary_little_endian";

const CORNERS: [[f32; 3]; 5] =
    [[0.0, 0.0, 0.0], [0.0, 0.0, 1.5], [1.5, 0.0, 1.5], [1.5, 0.0, 0.0], [3.0, 0.0, 0.0]];

#[track_caller]
fn read(bytes: impl AsRef<[u8]>) -> LevelFile {
    let bytes = bytes.as_ref();
    read_ply(bytes).unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(bytes)))
}

#[track_caller]
fn check_error(bytes: impl AsRef<[u8]>, expected: &str) {
    let bytes = bytes.as_ref();
    let error = read_ply(bytes).map(|level| level.triangles).unwrap_err();
    assert_eq!(error.to_string(), expected, "{}", String::from_utf8_lossy(bytes));
}

#[track_caller]
fn check_changed(from: &str, to: &str, expected: &str) {
    assert!(TEXT.contains(from), "{from}");
    check_error(TEXT.replacen(from, to, 1), expected);
}

/// Returns the same file as [`TEXT`] in binary, with this byte order and type of coordinates.
fn binary(order: &str, number: &str) -> Vec<u8> {
    let is_big = order == BIG;
    let header = TEXT[..TEXT.find("0 0 0 255").unwrap()].replace("ascii", order);
    let mut bytes = header.replace("property float", &format!("property {number}")).into_bytes();
    let put = |bytes: &mut Vec<u8>, mut low_first: Vec<u8>| {
        if is_big {
            low_first.reverse();
        }
        bytes.extend(low_first);
    };
    for corner in CORNERS {
        for value in corner {
            let double = f64::from(value).to_le_bytes().to_vec();
            let single = value.to_le_bytes().to_vec();
            put(&mut bytes, if number == "double" { double } else { single });
        }
        bytes.push(255);
    }
    bytes.push(2);
    put(&mut bytes, 0.5_f32.to_le_bytes().to_vec());
    put(&mut bytes, 7.0_f32.to_le_bytes().to_vec());
    for face in [&[0, 1, 2, 3][..], &[3, 2, 4]] {
        bytes.extend([9, u8::try_from(face.len()).unwrap()]);
        for index in face {
            put(&mut bytes, i32::to_le_bytes(*index).to_vec());
        }
    }
    put(&mut bytes, 7_i32.to_le_bytes().to_vec());
    bytes
}

#[test]
fn text_and_binary_of_both_byte_orders_hold_the_same() {
    let level = read(TEXT);
    assert_eq!(level.vertices, CORNERS.map(Vec3::from_array));
    assert_eq!(level.triangles, [[0, 1, 2], [0, 2, 3], [3, 2, 4]]);
    assert_eq!((level.n_faces, level.parts.len(), level.warnings.total()), (2, 1, 0));
    assert_eq!(level.parts[0].triangles, 0..3);
    for order in [BIG, LITTLE] {
        for number in ["float", "double"] {
            assert_eq!(read(binary(order, number)), level, "{order} {number}");
        }
    }
}

#[test]
fn every_spelling_is_read() {
    let level = read(TEXT);
    for text in [
        TEXT.replace('\n', "\r\n"),
        TEXT.replace('\n', "\r"),
        TEXT.trim_end().to_owned(),
        TEXT.replace(' ', "\t  "),
        TEXT.replace("vertex_indices", "vertex_index"),
        TEXT.replace("float x", "float32 x").replace("uchar int", "uint8 uint32"),
        TEXT.replace("0 4 0 1 2 3", "\n0 4 0 1 2 3"),
        TEXT.replace("\n7\n", "\n7\nmore\n"),
        TEXT.replace("1.5 0 0 0", "15e-1 0 0 0"),
    ] {
        assert_eq!(read(&text), level, "{text}");
    }
    // If lines end with CR, a line feed after the header is data.
    let binary = |end: &str| {
        let mut bytes =
            "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar x\n\
             property char y\nproperty short z\nelement face 1\n\
             property list uchar uchar vertex_indices\nend_header\n"
                .replace('\n', end)
                .into_bytes();
        bytes.extend([10, 255, 254, 255, 0, 0, 0, 1, 0, 0, 1, 0, 3, 0, 1, 2]);
        bytes
    };
    for end in ["\n", "\r", "\r\n"] {
        assert_eq!(read(binary(end)).vertices[0], Vec3::new(10.0, -1.0, -2.0), "{end:?}");
    }
}

#[test]
fn faces_can_stand_before_their_vertices() {
    let text = "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\n\
        element vertex 3\nproperty int x\nproperty int y\nproperty int z\nend_header\n\
        3 0 1 2\n0 0 0\n0 0 1\n1 0 0\n";
    assert_eq!(read(text).triangles, [[0, 1, 2]]);
    let error = "line 10: face 0 refers to vertex 3, but the file has 3";
    check_error(text.replace("3 0 1 2", "3 0 1 3"), error);
}

#[test]
fn odd_faces_and_vertices_are_reported() {
    let text = TEXT.replace("9 3 3 2 4", "9 2 3 2").replace("1.5 0 0 0", "0 0 0 0");
    let level = read(text);
    let found: Vec<String> = level.warnings.listed().iter().map(ToString::to_string).collect();
    let expected = [
        "face 1: face with 2 vertices left out",
        "face 0: triangle 1 has no area",
        "vertex 4: no face uses vertex 4",
    ];
    for expected in expected {
        assert!(found.iter().any(|found| found == expected), "{expected} in {found:#?}");
    }
    assert_eq!((found.len(), level.n_faces), (3, 1));
}

#[test]
fn headers_are_refused_with_their_line() {
    check_error("", "the file is empty");
    check_error("plywood\n", "not a PLY file: its first line is not \"ply\"");
    check_error("solid\n", "not a PLY file: its first line is not \"ply\"");
    let cut = "the file is cut off: its header has no line \"end_header\"";
    check_error(&TEXT[..TEXT.find("end_header").unwrap() + 10], cut);
    check_error("ply", "not a PLY file: its first line is not \"ply\"");
    check_changed("format ascii 1.0\n", "", "line 2: the header has no line \"format\"");
    check_changed("1.0", "2.0", "line 2: version 2.0 is not supported, only 1.0");
    let unknown = "line 2: \"ebcdic\" is not ascii, binary_little_endian or binary_big_endian";
    check_changed("ascii", "ebcdic", unknown);
    check_changed("vertex 5", "vertex -5", "line 5: \"-5\" is not a count");
    check_changed("float x", "quad x", "line 6: \"quad\" is not a type of a number");
    let no_x = "line 5: element \"vertex\" has no property \"x\" of one number";
    check_changed("float x", "float u", no_x);
    check_changed("float x", "list uchar float x", no_x);
    let no_list = "line 12: element \"face\" has no list \"vertex_indices\"";
    check_changed("vertex_indices", "corners", no_list);
    check_changed(
        "uchar int",
        "uchar float",
        "line 12: the vertex indices of faces are not integers",
    );
    let length = "line 14: the length of list \"vertex_indices\" is not an integer";
    check_changed("uchar int", "float int", length);
    check_changed("element face", "element faces", "the header has no element \"face\"");
    check_changed("element vertex", "element point", "the header has no element \"vertex\"");
    check_changed("element edge", "element face", "line 15: element \"face\" is declared twice");
    check_changed("property int vertex1\n", "", "line 15: element \"edge\" has no properties");
    check_changed("element vertex 5\n", "", "line 5: a property before the first element");
    check_changed("obj_info", "info", "line 4: \"info none\" is not a declaration of a PLY header");
    let many = TEXT.replace("end_header", &format!("{}end_header", "element e 0\n".repeat(1100)));
    check_error(many, "line 1029: more than 1024 elements and properties");
}

#[test]
fn rows_are_refused_with_line_and_element() {
    check_changed("3 2 4", "3 2 5", "line 25: face 1 refers to vertex 5, but the file has 5");
    check_changed("3 2 4", "3 2 -1", "line 25: face 1 refers to vertex -1, but the file has 5");
    check_changed("3 2 4", "3 2 1.5", "line 25: face 1 refers to vertex 1.5, but the file has 5");
    check_changed("9 3 3", "9 -3 3", "line 25: face 1: the list length -3 is not valid");
    check_changed("3 2 4", "3 2", "line 25: face 1: values are missing");
    check_changed("3 2 4", "3 2 4 1", "line 25: face 1: \"1\" after the last value");
    check_changed("3 2 4", "3 2 x", "line 25: face 1: \"x\" is not a number");
    for value in ["nan", "-inf", "1e39"] {
        let shown = value.replace("nan", "NaN").replace("1e39", "inf");
        let error = format!("line 19: vertex 1: the coordinate {shown} is not a finite number");
        check_changed("0 0 1.5", &format!("0 0 {value}"), &error);
    }
    check_changed("3 0 0 0\n", "3 0 0 \u{fe}\n", "line 22: vertex 4: \"\u{fe}\" is not a number");
    let end = TEXT.find("9 3 3 2 4").unwrap();
    check_error(&TEXT[..end], "the file is cut off in face 1, after line 24");
    let n = "the file has 5 vertices but no face with three or more corners";
    check_error(TEXT.replace("0 4 0 1 2 3", "0 0").replace("9 3 3 2 4", "9 1 1"), n);
}

#[test]
fn binary_rows_are_refused_with_their_element() {
    let bytes = binary(LITTLE, "float");
    let start = bytes.len() - 4 - 14;
    let changed = |at: usize, to: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    let index = |to: i32| changed(start + 2, &to.to_le_bytes());
    check_error(index(5), "face 1 refers to vertex 5, but the file has 5");
    check_error(index(-1), "face 1 refers to vertex -1, but the file has 5");
    check_error(changed(start + 1, &[255]), "the file is cut off in face 1");
    let nan = changed(bytes.len() - 4 - 14 - 18 - 9 - 13, &f32::NAN.to_le_bytes());
    check_error(nan, "vertex 4: the coordinate NaN is not a finite number");
    for n in 1..bytes.len() {
        assert!(read_ply(&bytes[..n]).is_err(), "{n} bytes");
    }
}

#[test]
fn counts_beyond_the_file_are_refused_before_anything_is_allocated() {
    for (n, n_bytes) in
        [("1000000", 7_999_999_u128), ("18446744073709551615", 8 * u128::from(u64::MAX) - 1)]
    {
        let text = TEXT.replace("vertex 5", &format!("vertex {n}"));
        let found = text.len() - text.find("0 0 0 255").unwrap();
        let expected = format!(
            "the header says {n} of element \"vertex\", which take at least {n_bytes} bytes, but only \
             {found} bytes follow"
        );
        check_error(text, &expected);
    }
    let huge = TEXT.replace("camera 1", "camera 18446744073709551615");
    assert!(read_ply(huge.as_bytes()).unwrap_err().to_string().contains("element \"camera\""));
}

proptest! {
    #[test]
    fn damaged_files_never_panic(
        is_text: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = if is_text { TEXT.into() } else { binary(BIG, "double") };
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Ok(level) = read_ply(&bytes) {
            let n = u32::try_from(level.vertices.len()).unwrap();
            prop_assert!(level.triangles.as_flattened().iter().all(|&corner| corner < n));
            prop_assert!(level.vertices.iter().all(|vertex| vertex.is_finite()));
        }
    }
}

#[test]
fn concave_faces_cover_exactly_their_inside() {
    check_concave(|corners| {
        let corners = corners.iter().map(|[x, z]| format!("{x} 0 {z}\n"));
        let corners: String = corners.collect();
        let header = "ply\nformat ascii 1.0\nelement vertex 11\nproperty float x\nproperty float y\nproperty float z\n\
            element face 3\nproperty list uchar int vertex_indices\nend_header\n";
        let mut level = read(format!(
            "{header}{corners}0 1 0\n0 1 1\n1 1 0\n3 8 9 10\n8 0 1 2 3 4 5 6 7\n4 8 9 10 8\n"
        ));
        let [first, .., before_last, last] = &level.triangles[..] else { panic!("too few") };
        assert_eq!([first, before_last, last], [&[8, 9, 10], &[8, 9, 10], &[8, 10, 8]]);
        level.triangles = level.triangles[1..level.triangles.len() - 2].to_vec();
        level.warnings = FileWarnings::default();
        level
    });
}
