//! Reading OBJ files: valid ones completely, broken ones with an exact message, none with a panic.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    diagnostic::Diagnostic,
    mesh::{FileWarnings, ImportOptions, LevelFile, MeshPart, read_obj, to_obj},
};

const TRIANGLE: &str = "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n";

#[track_caller]
fn read(text: &str) -> LevelFile {
    read_obj(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[track_caller]
fn check_triangles(text: &str, expected: &[[u32; 3]]) {
    assert_eq!(read(text).triangles, expected, "{text}");
}

#[track_caller]
fn check_error(bytes: &[u8], expected: &str) {
    let error = read_obj(bytes).map(|level| level.triangles).unwrap_err();
    assert_eq!(error.to_string(), expected, "{}", String::from_utf8_lossy(bytes));
}

#[track_caller]
fn check_warnings(text: &str, expected: &[&str]) {
    let level = read(text);
    let found: Vec<String> = level.warnings.listed().iter().map(ToString::to_string).collect();
    assert_eq!(found, expected, "{text}");
    assert_eq!(level.warnings.total(), expected.len());
}

#[test]
fn a_triangle() {
    let level = read(TRIANGLE);
    assert_eq!(level.vertices, [Vec3::ZERO, Vec3::Z, Vec3::X]);
    assert_eq!(level.triangles, [[0, 1, 2]]);
    assert_eq!(level.n_faces, 1);
    assert!(level.warnings.is_empty(), "{:?}", level.warnings);
}

#[test]
fn polygons_become_fans_from_their_first_corner() {
    let hexagon = "v 1 0 0\nv 2 0 0\nv 3 0 1\nv 2 0 2\nv 1 0 2\nv 0 0 1\n";
    check_triangles(&format!("{hexagon}f 1 2 3 4"), &[[0, 1, 2], [0, 2, 3]]);
    let fan = [[5, 0, 1], [5, 1, 2], [5, 2, 3], [5, 3, 4]];
    check_triangles(&format!("{hexagon}f 6 1 2 3 4 5"), &fan);
    let mixed = [[0, 1, 2], [0, 1, 2], [0, 2, 3], [3, 4, 5]];
    check_triangles(&format!("{hexagon}f 1 2 3\nf 1 2 3 4\nf 4 5 6\n"), &mixed);
}

#[test]
fn corners_are_read_in_every_spelling() {
    let vertices = "v 0 0 0\nv 0 0 1\nv 1 0 0\nvt 0 0\nvn 0 1 0\n";
    for face in
        ["1 2 3", "1/1 2/1 3/1", "1//1 2//1 3//1", "1/1/1 2/1/1 3/1/1", "+1 2 3", "-3 -2 -1"]
    {
        check_triangles(&format!("{vertices}f {face}\n"), &[[0, 1, 2]]);
    }
    // The numbers after the slash are not used, so they cannot be wrong.
    for face in ["1/9/9 2/-9/-9 3/x/y", "1// 2/ 3///"] {
        check_triangles(&format!("{vertices}f {face}\n"), &[[0, 1, 2]]);
    }
}

#[test]
fn negative_corners_count_from_the_vertices_above() {
    let text =
        "v 0 0 0\nv 0 0 1\nv 1 0 0\nf -3 -2 -1\nv 5 0 0\nv 5 0 1\nv 6 0 0\nf -3 -2 -1\nf 1 -1 2\n";
    check_triangles(text, &[[0, 1, 2], [3, 4, 5], [0, 5, 1]]);
}

#[test]
fn faces_may_name_vertices_below() {
    check_triangles("f 1 2 3\nv 0 0 0\nv 0 0 1\nv 1 0 0\n", &[[0, 1, 2]]);
}

#[test]
fn only_three_coordinates_count() {
    for extra in ["", " 2", " 0", " 0.1 0.2 0.3", " 1 1 1 1", " # comment", " x"] {
        let level = read(&format!("v 1 2 3{extra}\nv 0 0 1\nv 1 0 0\nf 1 2 3\n"));
        assert_eq!(level.vertices[0], Vec3::new(1.0, 2.0, 3.0), "{extra}");
    }
}

#[test]
fn lines_end_and_go_on_in_every_way() {
    for (what, text) in [
        ("crlf", TRIANGLE.replace('\n', "\r\n")),
        ("cr", TRIANGLE.replace('\n', "\r")),
        ("no last end", TRIANGLE.trim_end().to_owned()),
        ("tabs", TRIANGLE.replace(' ', "\t")),
        ("indent", TRIANGLE.replace('\n', "  \n  ")),
        ("empty lines", TRIANGLE.replace('\n', "\n\n")),
        ("byte order mark", format!("\u{feff}{TRIANGLE}")),
        ("continued", TRIANGLE.replace("1 2 3", "1 \\\n2\\\r\n 3")),
        ("comment", TRIANGLE.replace("1 2 3", "1 2 3 # not 4")),
    ] {
        let level = read_obj(text.as_bytes()).unwrap();
        let corners: Vec<Vec3> =
            level.triangles[0].iter().map(|&v| level.vertices[v as usize]).collect();
        assert_eq!((level.triangles.len(), level.vertices.len()), (1, 3), "{what}");
        assert_eq!(corners, [Vec3::ZERO, Vec3::Z, Vec3::X], "{what}");
    }
}

#[test]
fn names_are_kept_in_runs() {
    let vertices = "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 1 0 1\n";
    let faces = "f 1 2 3\no house\ng walls\nusemtl old brick\nf 2 4 3\nf 1 2 4 3\nusemtl old brick\n\
                 f 1 2 4\ng roof\nf 1 2 3\no tree\nusemtl\nf 3 1 2\no none\n";
    let level = read(&format!("{vertices}{faces}"));
    let part = |object: &str, material: &str, triangles| MeshPart {
        object: object.into(),
        material: material.into(),
        triangles,
    };
    let expected = [
        part("", "", 0..1),
        part("house/walls", "old brick", 1..5),
        part("house/roof", "old brick", 5..6),
        part("tree", "", 6..7),
    ];
    assert_eq!(level.parts, expected);
    let mesh = ImportOptions::default().import(level).unwrap();
    assert_eq!(mesh.parts(), expected);
}

#[test]
fn broken_files_are_refused_with_the_line() {
    let binary = "not an OBJ file: byte 3 is zero, so this is a binary file or UTF-16 text";
    let cases: &[(&[u8], &str)] = &[
        (b"", "the file is empty"),
        (b" \r\n\t\n", "the file is empty"),
        (b"\xef\xbb\xbf\n", "the file is empty"),
        (b"glb\0\x02\0\0\0", binary),
        (b"v\xff\xfe\0", binary),
        (b"hello world\n", "not an OBJ file: no line starts with \"v\" or \"f\""),
        (b"# only this\nvn 0 1 0\n", "not an OBJ file: no line starts with \"v\" or \"f\""),
        (b"<xml version=\"1.0\"/>", "not an OBJ file: no line starts with \"v\" or \"f\""),
        (b"v 0 0 0\n", "the file has 1 vertices but no face with three or more corners"),
        (b"v 0 0 0\nf 1 1\n", "the file has 1 vertices but no face with three or more corners"),
        (b"f 1 2\n", "the file has 0 vertices but no face with three or more corners"),
        (b"v 0 0\n", "line 1: a vertex needs three coordinates, but this one has 2"),
        (b"v\n", "line 1: a vertex needs three coordinates, but this one has 0"),
        (b"\nv 0 # 0 0\n", "line 2: a vertex needs three coordinates, but this one has 1"),
        (b"v 0 0 0\nv 0 nul 0\n", "line 2: \"nul\" is not a number"),
        (b"v 0,5 0 0\n", "line 1: \"0,5\" is not a number"),
        (b"v 0 \xff 0\n", "line 1: \"\u{fffd}\" is not a number"),
        (b"v 0 0 nan\n", "line 1: the coordinate nan is not a finite number"),
        (b"v 0 0 -inf\n", "line 1: the coordinate -inf is not a finite number"),
        (b"v 0 0 1e39\n", "line 1: the coordinate 1e39 is not a finite number"),
        (b"v 0 0 0\nf 1 1 x\n", "line 2: \"x\" is not a vertex index"),
        (b"v 0 0 0\nf 1 1 1.0\n", "line 2: \"1.0\" is not a vertex index"),
        (b"v 0 0 0\nf 1 1 /1\n", "line 2: \"/\" is not a vertex index"),
        (b"v 0 0 0\nf 1 1 --1\n", "line 2: \"--1\" is not a vertex index"),
        (b"v 0 0 0\nf 1 0 1\n", "line 2: a face refers to vertex 0, but indices start at 1"),
        (b"v 0 0 0\nf 1 -0 1\n", "line 2: a face refers to vertex 0, but indices start at 1"),
        (
            b"v 0 0 0\r\n\r\nf 1 1 2\r\n",
            "line 3: a face refers to vertex 2, but the file has 1 so far",
        ),
        (
            b"v 0 0 0\nf 1 1 -2\nv 0 0 0\n",
            "line 2: a face refers to vertex -2, but the file has 1 so far",
        ),
        (b"f 1 2 3\n", "line 1: a face refers to vertex 1, but the file has 0 so far"),
        (
            b"v 0 0 0\nf 1 1 99999999999999999999\n",
            "line 2: a face refers to vertex 99999999999999999999, but the file has 1 so far",
        ),
        (
            b"v 0 0 0\nf 1 1 \\\n 7\n",
            "line 2: a face refers to vertex 7, but the file has 1 so far",
        ),
        // The first invalid line is reported, even if a later one is found first.
        (b"v 0 0 nan\nv 0 0 x\nf 7 7 7\n", "line 1: the coordinate nan is not a finite number"),
        (
            b"v 0123456789012345678901234567890123456789x 0 0\n",
            "line 1: \"0123456789012345678901234567890123456789\u{2026}\" is not a number",
        ),
    ];
    for (bytes, expected) in cases {
        check_error(bytes, expected);
    }
}

#[test]
fn oddities_are_counted_and_listed() {
    check_warnings(
        &format!("{TRIANGLE}f 1 2\nf\nf 3\n"),
        &[
            "line 5: face with 2 vertices left out",
            "line 6: face with 0 vertices left out",
            "line 7: face with 1 vertices left out",
        ],
    );
    check_warnings(&format!("{TRIANGLE}v 9 9 9\n"), &["line 5: no face uses vertex 4"]);
    // The splitting of this T cuts off an ear whose corners are in one line.
    let tee = "v 0 0 0\nv 0 0 3\nv 3 0 3\nv 3 0 9\nv 6 0 9\nv 6 0 3\nv 9 0 3\nv 9 0 0\nf 1 2 3 4 5 6 7 8\n";
    check_warnings(tee, &[]);
    check_warnings(&format!("{TRIANGLE}f 1 2 1\n"), &["line 5: triangle 1 has no area"]);
    check_warnings(
        "v 0 0 0\nv 1 1 1\nv 3 3 3\nv 0 0 5\nf 1 2 3 4\n",
        &["line 5: triangle 0 has no area"],
    );
    check_warnings(
        &format!("{TRIANGLE}f 2 3 1\n"),
        &["line 5: triangle 1 repeats triangle 0 of line 4"],
    );
    // A triangle with the opposite winding is not a duplicate.
    check_warnings(&format!("{TRIANGLE}f 2 1 3\n"), &[]);
    // Two vertices at the same position count as one.
    check_warnings(
        "v 0 0 0\nv 0 0 1\nv 1 0 0\nv -0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\nf 4 5 6\n",
        &["line 8: triangle 1 repeats triangle 0 of line 7"],
    );
    check_warnings(
        &format!("{TRIANGLE}curv2 1 2\n"),
        &["line 5: unknown statement \"curv2\" skipped"],
    );
    let known = "mtllib absent.mtl\nvt 0\nvn x\ns off\nl 1 2\np 1\n#end\n";
    check_warnings(&format!("{TRIANGLE}{known}"), &[]);
}

#[test]
fn degenerate_and_duplicated_triangles_are_kept() {
    check_triangles(&format!("{TRIANGLE}f 1 1 1\nf 1 2 3\n"), &[[0, 1, 2], [0, 0, 0], [0, 1, 2]]);
}

#[test]
fn long_lists_are_cut_but_counted() {
    let text = format!("{TRIANGLE}{}", "f 1 2\n".repeat(1000));
    let warnings = read(&text).warnings;
    assert_eq!((warnings.listed().len(), warnings.total()), (100, 1000));
    let summary: Vec<_> = warnings.summary().map(|found| found.to_string()).collect();
    assert_eq!(summary, ["line 5: face with 2 vertices left out (and 999 more)"]);
}

#[test]
fn what_is_written_is_read_again() {
    let text = "v 0.1 1e-7 -0\nv 16777216 3.4e38 1e-45\nv -12.3456789 0.333333343 2\no a\nusemtl m\nf 1 2 3\n\
                o b\nf 3 2 1\n";
    let mesh = ImportOptions::default().import(read(text)).unwrap();
    let again = ImportOptions::default().import(read(&to_obj(&mesh))).unwrap();
    assert_eq!(again, mesh);
}

#[test]
fn names_that_end_with_backslashes_do_not_continue_their_lines() {
    for name in ["wall\\", "wall\\\\", "wall \\ \\", "wall \\\u{8}\\ ", "\\ \\"] {
        let mut level = read(TRIANGLE);
        level.parts[0].material = name.into();
        let mesh = ImportOptions::default().import(level).unwrap();
        let again = read(&to_obj(&mesh));
        assert_eq!(again.triangles, [[0, 1, 2]], "{name:?}");
    }
}

/// Reads a file like RecastDemo, in a few lines and without checks.
fn read_naively(text: &str) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f32> = words.map(|word| word.parse().unwrap()).collect();
                vertices.push(Vec3::from_slice(&numbers[..3]));
            }
            Some("f") => {
                let vertex =
                    |word: &str| word.split('/').next().unwrap().parse::<u32>().unwrap() - 1;
                let corners: Vec<u32> = words.map(vertex).collect();
                triangles.extend(corners[1..].windows(2).map(|w| [corners[0], w[0], w[1]]));
            }
            _ => {}
        }
    }
    (vertices, triangles)
}

#[test]
fn the_reference_levels_are_read_as_by_recast_demo() {
    for folder in walkable_test_support::reference_roots() {
        for file in std::fs::read_dir(folder.join("levels")).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let (vertices, triangles) = read_naively(&text);
            let level = read(&text);
            assert!(level.vertices == vertices, "{}", path.display());
            // Four faces of this level are concave.
            let is_split_otherwise = path.file_stem().is_some_and(|name| name == "nav_test");
            assert_eq!(level.triangles != triangles, is_split_otherwise, "{}", path.display());
            let level = read(&walkable_test_support::with_fans(&text));
            assert!(level.triangles == triangles, "{}", path.display());
        }
    }
}

/// Returns words that form valid or nearly valid statements.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (-6_i32..7).prop_map(|n| n.to_string()),
        1 => any::<f32>().prop_map(|x| x.to_string()),
        1 => prop::sample::select(vec![
            "1/2/3", "2//1", "/", "nan", "1e99", "#", "\\", "\u{a0}", "1\u{2003}2", "9223372036854775807",
            "-9223372036854775808", "18446744073709551616", "0", "v", "f",
        ])
        .prop_map(str::to_owned),
    ]
}

fn statement() -> impl Strategy<Value = String> {
    let keyword = prop::sample::select(vec![
        "v", "v", "f", "f", "vt", "vn", "o", "g", "usemtl", "mtllib", "l", "",
    ]);
    let end = prop::sample::select(vec!["\n", "\n", "\r\n", "\r", " \\\n"]);
    (keyword, prop::collection::vec(word(), 0..6), end)
        .prop_map(|(keyword, words, end)| format!("{keyword} {}{end}", words.join(" ")))
}

/// Reading must not panic, and the result must satisfy its invariants.
fn check_promises(bytes: &[u8]) {
    let Ok(level) = read_obj(bytes) else { return };
    let n_triangles = u32::try_from(level.triangles.len()).unwrap();
    assert_eq!(level.parts.first().unwrap().triangles.start, 0);
    assert_eq!(level.parts.last().unwrap().triangles.end, n_triangles);
    assert!(level.parts.windows(2).all(|p| p[0].triangles.end == p[1].triangles.start));
    let parts = level.parts.clone();
    let mesh = ImportOptions::default().import(level).unwrap();
    assert_eq!(mesh.parts(), parts);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check_promises(&bytes);
    }

    #[test]
    fn random_statements_never_panic(statements in prop::collection::vec(statement(), 0..20)) {
        let text = format!("{TRIANGLE}{}", statements.concat());
        check_promises(text.as_bytes());
    }

    #[test]
    fn a_changed_byte_never_panics(at in 0_usize..60, byte in any::<u8>(), cut in 0_usize..80) {
        let mut bytes = "v 0 0 0\nv 0 0 1\r\nv 1 0 0\nvt 1 1\no a\nf 1/1 2/1 3/1\nf -1 -2 -3\n".to_owned().into_bytes();
        bytes[at] = byte;
        bytes.truncate(cut.max(1));
        check_promises(&bytes);
    }
}

/// A floor of 45 × 10 m and 155 × 10 m that form a T, as one face.
pub(crate) const CONCAVE: [[f32; 2]; 8] = [
    [5.0, 0.0],
    [5.0, -100.0],
    [50.0, -100.0],
    [50.0, -110.0],
    [-100.0, -110.0],
    [-100.0, -100.0],
    [-5.0, -100.0],
    [-5.0, 0.0],
];

/// Checks that the triangles of [`CONCAVE`] cover it, whatever its first corner is.
#[track_caller]
pub(crate) fn check_concave(read: impl Fn(&[[f32; 2]]) -> LevelFile) {
    for turn in 0..CONCAVE.len() {
        let mut corners = CONCAVE;
        corners.rotate_left(turn);
        let level = read(&corners);
        let area = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|corner| level.vertices[corner as usize]);
            (b - a).cross(c - a).y / 2.0
        };
        let areas: Vec<f32> = level.triangles.iter().map(area).collect();
        assert!(areas.iter().all(|area| *area >= 0.0), "{turn}: {areas:?}");
        assert!((areas.iter().sum::<f32>() - 2500.0).abs() < 1e-3, "{turn}: {areas:?}");
        assert!(level.warnings.is_empty(), "{:?}", level.warnings);
    }
}

#[test]
fn concave_faces_cover_exactly_their_inside() {
    check_concave(|corners| {
        let vertices = corners.iter().map(|[x, z]| format!("v {x} 0 {z}\n"));
        // A triangle before it and one after it keep their places.
        let text: String = vertices.chain(["f 1 2 3 4 5 6 7 8\n".to_owned()]).collect();
        let mut level =
            read(&format!("{text}v 0 1 0\nv 0 1 1\nv 1 1 0\nf 9 10 11\no End\nf 9 10 11\n"));
        let ends = u32::try_from(level.triangles.len()).unwrap();
        assert_eq!(
            level.parts.iter().map(|part| part.triangles.clone()).collect::<Vec<_>>(),
            [0..ends - 1, ends - 1..ends]
        );
        assert_eq!(level.triangles[ends as usize - 2..], [[8, 9, 10]; 2]);
        level.triangles.truncate(ends as usize - 2);
        level.warnings = FileWarnings::default();
        level
    });
}

#[test]
fn a_face_that_crosses_itself_is_said() {
    let bow = "v 0 0 0\nv 4 0 4\nv 4 0 0\nv 0 0 5\nf 1 2 3 4\n";
    let level = read(bow);
    let found: Vec<_> = level.warnings.listed().iter().map(Diagnostic::line).collect();
    assert!(
        found
            .iter()
            .any(|line| line
                .contains("line 5: the outline of the face with 4 vertices crosses itself")),
        "{found:?}"
    );
}
