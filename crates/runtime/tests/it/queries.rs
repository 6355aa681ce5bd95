//! Queries on the reference's meshes against the answers of the C++ library.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{path::Path, sync::Arc};

use glam::{Vec2, Vec3, Vec3Swizzles as _};
use proptest::prelude::*;
use rayon::prelude::*;
use serde_json::{Value, json};
use walkable::{
    bake::{BakeOutput, BakePlan, bake_tile},
    monitor::Unmonitored,
    navmesh::{NavMesh, PolyRef, Tile},
    query::{
        Filter, FollowRequest, MoveAlongRequest, NavPath, NearestRequest, PathRequest, PathStatus,
        PolygonsAroundRequest, RaycastRequest, Scratch, Strides, WalkEnd, WallDistanceRequest,
        closest_on_boundary, find_path, follow, move_along, nearest, polygons_around, raycast,
        wall_distance,
    },
};

/// Half-extents of the box in which the reference looks for the polygon nearest to an end.
const HALF_EXTENTS: Vec3 = Vec3::new(2.0, 4.0, 2.0);
/// Tolerance of lengths and coordinates, in meters.
const TOLERANCE: f32 = 1e-4;
const PARTIAL: u64 = 0x40;

/// A line of `queries.txt` and its answer.
struct Question {
    name: String,
    start: Vec3,
    end: Vec3,
    answer: Value,
}

fn questions(name: &str, case: &Path) -> Vec<Question> {
    let read = |file| std::fs::read_to_string(case.join(file)).unwrap();
    let (queries, results) = (read("queries.txt"), read("results.jsonl"));
    assert_eq!(queries.lines().count(), results.lines().count(), "{}", case.display());
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

/// Returns all numbers of a value, nested or not.
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

/// Checks queries from the start on the mesh toward the end on the mesh.
fn check_walks(mesh: &NavMesh, question: &Question, path: &NavPath, scratch: &mut Scratch) {
    let Some(start) = path.start else { return };
    let filter = Filter::default();
    // If no polygon is near the end, the reference walks toward the origin.
    let end = path.end.map_or(Vec3::ZERO, |end| end.point);
    let count = |polys: usize| polys as u64;

    let request = RaycastRequest { max_polys: 256, ..RaycastRequest::new(start, end, &filter) };
    let ray = raycast(mesh, &request).unwrap();
    question.near("raycast_t", &[ray.hit.t.unwrap_or(-1.0)], &question.answer["raycast_t"]);
    question.same("raycast_polys", &count(ray.visited.len()), &question.number("raycast_polys"));

    let request = WallDistanceRequest::new(start, 50.0, &filter);
    let wall = wall_distance(mesh, &request, scratch).unwrap();
    question.near("wall", &[wall.distance], &question.answer["wall"]);

    let slide = move_along(mesh, &MoveAlongRequest::new(start, end, &filter)).unwrap();
    question.near("slide", &slide.position.to_array(), &question.answer["slide"]);
    question.same("slide_visited", &count(slide.visited.len()), &question.number("slide_visited"));

    let request = PolygonsAroundRequest::new(start, 10.0, &filter);
    let around = polygons_around(mesh, &request, scratch).unwrap();
    question.same("circle10_polys", &count(around.polys.len()), &question.number("circle10_polys"));
}

/// An agent that follows the path steps on the corridor's ground, and arrives.
fn check_follower(mesh: &NavMesh, question: &Question, path: &NavPath, scratch: &mut Scratch) {
    let (Some(&start), Some(&end)) = (path.points.first(), path.points.last()) else { return };
    let corridor = &path.corridor;
    let strides = Strides { max_footprints: usize::MAX, ..Strides::default() };
    let request = FollowRequest { start, end, corridor, strides };
    let walk = follow(mesh, &request, scratch).unwrap();
    if path.status == PathStatus::Complete {
        question.same("the walk's end", &walk.end, &WalkEnd::Arrived);
        let last = walk.footprints.last().unwrap();
        question.near("the last footprint", &last.position.xz().to_array(), &json!([end.x, end.z]));
    }
    for print in &walk.footprints {
        let beside = closest_on_boundary(mesh, print.poly, print.position).unwrap();
        let away = beside.xz().distance(print.position.xz());
        // Ends of portals over tile borders are stored in 255ths of an edge.
        assert!(away < 0.02, "{}: {away} m beside {}", question.name, print.poly);
        assert!(corridor.contains(&print.poly), "{}: {}", question.name, print.poly);
    }
}

fn request<'a>(question: &Question, filter: &'a Filter) -> PathRequest<'a> {
    let half_extents = HALF_EXTENTS;
    PathRequest { half_extents, ..PathRequest::new(question.start, question.end, filter) }
}

fn check_questions(name: &str, folder: &Path, mesh: &NavMesh) {
    let filter = Filter::default();
    let mut scratch = Scratch::default();
    for question in questions(name, folder) {
        let path = find_path(mesh, &request(&question, &filter), &mut scratch).unwrap();
        check_path(&question, &path);
        check_walks(mesh, &question, &path, &mut scratch);
        check_follower(mesh, &question, &path, &mut scratch);
    }
}

fn reference_mesh(folder: &Path) -> NavMesh {
    NavMesh::from_bytes(&std::fs::read(folder.join("navmesh.bin")).unwrap()).unwrap()
}

#[test]
fn queries_agree_with_the_reference() {
    assert!(!walkable_test_support::cases().is_empty(), "no reference cases found");
    for (name, folder) in walkable_test_support::cases() {
        check_questions(&name, &folder, &reference_mesh(&folder));
    }
}

/// Bakes the level of a case, with tiles added row by row.
fn baked_mesh(plan: &BakePlan) -> NavMesh {
    let coords: Vec<_> = plan.tiles().collect();
    let bake = |&coord| bake_tile(plan, coord, BakeOutput::Tile, &Unmonitored).unwrap().tile;
    let tiles: Vec<Arc<Tile>> = coords.par_iter().filter_map(bake).map(Arc::new).collect();
    plan.link(tiles).unwrap()
}

/// Returns the tiles of a mesh without trees: equal keys may be ordered differently there.
fn tiles_without_trees(mesh: &NavMesh) -> Vec<Tile> {
    mesh.tiles().map(|tile| Tile { bv_nodes: Vec::new(), ..tile.clone() }).collect()
}

/// What is baked here and saved equals what the C++ library saved, and gives the same results.
#[test]
fn meshes_baked_here_agree_with_the_reference() {
    walkable_test_support::cases().par_iter().for_each(|(name, folder)| {
        let baked = baked_mesh(&walkable_test_support::plan(folder));
        let reference = reference_mesh(folder);
        assert_eq!(baked.params(), reference.params(), "{name}");
        assert!(baked.slots().map(|(slot, _)| slot).eq(reference.slots().map(|(slot, _)| slot)));
        assert!(tiles_without_trees(&baked) == tiles_without_trees(&reference), "{name}");
        let saved = NavMesh::from_bytes(&baked.to_bytes()).unwrap();
        check_questions(&format!("{name}, baked here"), folder, &saved);
    });
}

/// Returns the meshes of the reference cases, by name.
fn meshes() -> Vec<(String, NavMesh)> {
    let cases = walkable_test_support::cases().into_iter();
    cases.map(|(name, folder)| (name, reference_mesh(&folder))).collect()
}

thread_local! { static MESHES: Vec<(String, NavMesh)> = meshes(); }

/// Returns a point in the box around a mesh, given as three fractions.
fn point_in(mesh: &NavMesh, shares: [f32; 3]) -> Vec3 {
    let bounds = mesh.bounds();
    bounds.min + bounds.size() * Vec3::from_array(shares)
}

/// Checks properties of every path on any mesh.
fn check_sound(mesh: &NavMesh, path: &NavPath) -> Result<(), TestCaseError> {
    let [Some(start), Some(end)] = [path.start, path.end] else {
        prop_assert!(path.corridor.is_empty() && path.status == PathStatus::Unreachable);
        return Ok(());
    };
    prop_assert_eq!(path.corridor.first(), Some(&start.poly));
    prop_assert_eq!(path.portals.len() + 1, path.corridor.len());
    for (pair, portal) in path.corridor.windows(2).zip(&path.portals) {
        let link = mesh.links(pair[0]).find(|link| link.to == pair[1]);
        prop_assert_eq!(link.map(|link| link.portal), Some(*portal));
    }
    // The taut line starts and ends on the polygons' edges, not on their detail surface.
    let is_near = |a: Vec3, b: Vec3| a.xz().distance(b.xz()) < 1e-2;
    prop_assert!(is_near(path.points[0], start.point));
    let planar: f32 = path.points.windows(2).map(|pair| pair[0].xz().distance(pair[1].xz())).sum();
    if path.status == PathStatus::Complete {
        prop_assert_eq!(path.corridor.last(), Some(&end.poly));
        prop_assert!(is_near(*path.points.last().unwrap(), end.point));
        prop_assert!(planar + 1e-3 >= start.point.xz().distance(end.point.xz()));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn paths_are_sound(
        mesh in any::<prop::sample::Index>(),
        ends in prop::array::uniform2(prop::array::uniform3(0.0f32..1.0)),
    ) {
        MESHES.with(|meshes| {
            let (name, mesh) = &meshes[mesh.index(meshes.len())];
            let filter = Filter::default();
            let [start, end] = ends.map(|end| point_in(mesh, end));
            let there = PathRequest {
                half_extents: HALF_EXTENTS,
                ..PathRequest::new(start, end, &filter)
            };
            let back = PathRequest { start: end, end: start, ..there };
            let mut scratch = Scratch::default();
            let [there, back] = [there, back].map(|asked| find_path(mesh, &asked, &mut scratch).unwrap());
            check_sound(mesh, &there)?;
            check_sound(mesh, &back)?;
            // Only off-mesh links lead one way.
            if mesh.stats().n_off_mesh == 0 {
                let is_complete = |path: &NavPath| path.status == PathStatus::Complete;
                prop_assert_eq!(is_complete(&there), is_complete(&back), "{}", name);
            }
            Ok(())
        })?;
    }

    /// Rays shorter than the distance of the nearest wall hit nothing in any direction. This holds only on meshes of
    /// one tile: on a tile border, an edge that is partly open does not count as a wall.
    #[test]
    fn no_ray_meets_a_wall_nearer_than_the_nearest(
        mesh in any::<prop::sample::Index>(),
        start in prop::array::uniform3(0.0f32..1.0),
        angle in 0.0f32..std::f32::consts::TAU,
    ) {
        MESHES.with(|meshes| {
            let meshes: Vec<_> = meshes.iter().filter(|(_, m)| m.stats().n_tiles == 1).collect();
            if meshes.is_empty() {
                return Ok(());
            }
            let (name, mesh) = meshes[mesh.index(meshes.len())];
            let filter = Filter::default();
            let (center, half_extents) = (point_in(mesh, start), HALF_EXTENTS);
            let request = NearestRequest { center, half_extents, filter: &filter };
            let Some(start) = nearest(mesh, &request).unwrap() else { return Ok(()) };
            let request = WallDistanceRequest::new(start, 20.0, &filter);
            let wall = wall_distance(mesh, &request, &mut Scratch::default()).unwrap();
            let offset = Vec2::from_angle(angle) * (wall.distance - 0.01).max(0.0);
            let end = start.point + Vec3::new(offset.x, 0.0, offset.y);
            let request = RaycastRequest::new(start, end, &filter);
            let request = RaycastRequest { max_polys: 1000, ..request };
            let ray = raycast(mesh, &request).unwrap();
            // Rounding can put a start that lies on an edge outside of its polygon.
            let is_free = ray.visited.is_empty() || wall.distance < 0.02 || ray.hit.t.is_none();
            prop_assert!(is_free, "{}: {:?} {:?}", name, wall, ray.hit);
            Ok(())
        })?;
    }
}
