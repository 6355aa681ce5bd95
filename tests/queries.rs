//! Queries on the reference's meshes against the answers of the C++ library.
#![expect(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests")]

use std::path::PathBuf;

use glam::Vec3;
use serde_json::Value;
use walkable::{
    navmesh::{NavMesh, PolyRef},
    query::{
        Filter, MAX_NODES, NavPath, PathRequest, PathStatus, Scratch, find_path, move_along,
        polygons_around, raycast, wall_distance,
    },
};

/// Half the box in which the reference looks for the polygon nearest to an end.
const HALF_EXTENTS: Vec3 = Vec3::new(2.0, 4.0, 2.0);
/// How far lengths and coordinates may be off, in metres.
const TOLERANCE: f32 = 1e-4;
const PARTIAL: u64 = 0x40;

/// Folders of the reference cases, of the copies in `tests/` where the reference is absent.
fn cases() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let reference = std::env::var_os("WALKABLE_REFERENCE")
        .map_or_else(|| root.join("../shared/reference"), PathBuf::from);
    let mut folder = reference.join("cases");
    if !folder.is_dir() {
        eprintln!("{} is missing: only the copies in tests/reference are read", folder.display());
        folder = root.join("tests/reference/cases");
    }
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    cases.retain(|case| case.join("navmesh.bin").is_file());
    cases.sort();
    assert!(!cases.is_empty(), "{} holds no case", folder.display());
    cases
}

/// One line of `queries.txt` and its answer.
struct Question {
    name: String,
    start: Vec3,
    end: Vec3,
    answer: Value,
}

fn questions(case: &std::path::Path) -> Vec<Question> {
    let read = |file| std::fs::read_to_string(case.join(file)).unwrap();
    let (queries, results) = (read("queries.txt"), read("results.jsonl"));
    assert_eq!(queries.lines().count(), results.lines().count(), "{}", case.display());
    let name = case.file_name().unwrap().display().to_string();
    let lines = queries.lines().zip(results.lines()).enumerate();
    lines
        .map(|(index, (query, result))| {
            let numbers: Vec<f32> = query.split(' ').map(|n| n.parse().unwrap()).collect();
            Question {
                name: format!("{name}, line {}", index + 1),
                start: Vec3::from_slice(&numbers[..3]),
                end: Vec3::from_slice(&numbers[3..]),
                answer: serde_json::from_str(result).unwrap(),
            }
        })
        .collect()
}

impl Question {
    #[track_caller]
    fn same<T: PartialEq + std::fmt::Debug>(&self, field: &str, found: &T, expected: &T) {
        assert!(found == expected, "{}: {field} is {found:?}, not {expected:?}", self.name);
    }

    #[track_caller]
    fn near(&self, field: &str, found: &[f32], expected: &Value) {
        let expected = numbers(expected);
        let is_near = found.len() == expected.len()
            && found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= TOLERANCE);
        assert!(is_near, "{}: {field} is {found:?}, not {expected:?}", self.name);
    }

    fn number(&self, field: &str) -> u64 {
        self.answer[field].as_u64().unwrap()
    }
}

/// All numbers of a value, nested or not.
fn numbers(value: &Value) -> Vec<f32> {
    match value {
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        #[expect(clippy::cast_possible_truncation, reason = "written from single precision")]
        number => vec![number.as_f64().unwrap() as f32],
    }
}

fn raw(poly: PolyRef) -> u64 {
    poly.0.get()
}

fn check_path(question: &Question, path: &NavPath) {
    for (end, found) in [("start", path.start), ("end", path.end)] {
        let reference = question.number(&format!("{end}_ref"));
        question.same(&format!("{end}_ref"), &found.map_or(0, |end| raw(end.poly)), &reference);
        let point = found.map_or(Vec3::ZERO, |end| end.point);
        question.near(end, &point.to_array(), &question.answer[end]);
    }
    let corridor: Vec<u64> = path.corridor.iter().copied().map(raw).collect();
    let expected = question.answer["corridor"].as_array().unwrap();
    let expected: Vec<u64> = expected.iter().map(|poly| poly.as_u64().unwrap()).collect();
    question.same("corridor", &corridor, &expected);
    let status = match question.number("status") {
        0 => PathStatus::Unreachable,
        status if status & PARTIAL != 0 => PathStatus::Partial,
        _ => PathStatus::Complete,
    };
    question.same("status", &path.status, &status);
    let points: Vec<f32> = path.points.iter().flat_map(Vec3::to_array).collect();
    question.near("straight", &points, &question.answer["straight"]);
    let expected = numbers(&question.answer["length"])[0];
    let error = (path.length - expected).abs();
    assert!(error <= TOLERANCE * expected.max(1.0), "{}: length {}", question.name, path.length);
}

/// Questions from the start on the mesh, towards the end on the mesh.
fn check_walks(mesh: &NavMesh, question: &Question, path: &NavPath, scratch: &mut Scratch) {
    let Some(start) = path.start else { return };
    let filter = Filter::default();
    // Where no polygon is near the end, the reference walked towards the origin.
    let end = path.end.map_or(Vec3::ZERO, |end| end.point);
    let mut visited = Vec::new();

    let hit = raycast(mesh, start, end, &filter, 256, &mut visited).unwrap();
    question.near("raycast_t", &[hit.t.unwrap_or(-1.0)], &question.answer["raycast_t"]);
    question.same("raycast_polys", &(visited.len() as u64), &question.number("raycast_polys"));

    let wall = wall_distance(mesh, start, 50.0, &filter, MAX_NODES, scratch).unwrap();
    question.near("wall", &[wall.distance], &question.answer["wall"]);

    let slide = move_along(mesh, start, end, &filter, &mut visited).unwrap();
    question.near("slide", &slide.to_array(), &question.answer["slide"]);
    question.same("slide_visited", &(visited.len() as u64), &question.number("slide_visited"));

    let mut reached = Vec::new();
    polygons_around(mesh, start, 10.0, &filter, scratch, &mut reached).unwrap();
    question.same("circle10_polys", &(reached.len() as u64), &question.number("circle10_polys"));
}

fn request<'a>(question: &Question, filter: &'a Filter) -> PathRequest<'a> {
    PathRequest {
        start: question.start,
        end: question.end,
        half_extents: HALF_EXTENTS,
        filter,
        max_nodes: MAX_NODES,
        trace: false,
    }
}

#[test]
fn queries_agree_with_the_reference() {
    let filter = Filter::default();
    let mut scratch = Scratch::default();
    for case in cases() {
        let mesh = NavMesh::from_bytes(&std::fs::read(case.join("navmesh.bin")).unwrap()).unwrap();
        for question in questions(&case) {
            let path = find_path(&mesh, &request(&question, &filter), &mut scratch);
            check_path(&question, &path);
            check_walks(&mesh, &question, &path, &mut scratch);
        }
    }
}
