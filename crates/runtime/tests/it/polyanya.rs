//! Shortest paths over polygon maps and navmeshes, compared with known lengths and with other ways to find them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stderr, reason = "a test that cannot run says so")]

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    fmt::Write as _,
    path::{Path, PathBuf},
};

use glam::{DVec2, Vec3, Vec3Swizzles as _};
use proptest::prelude::*;
use walkable::{
    navmesh::NavMesh,
    query::{
        Filter, NavPath, PathRequest, PathStatus, QueryError, Scratch, WhyNot, find_path,
        find_shortest_path,
        polyanya::{
            PlaneOutcome, PlanePath, PlanePoint, PlaneRequest, PlaneScratch, PolygonMesh,
            PolygonMeshError, shortest_in_plane, shortest_in_plane_into, taut_in_plane,
        },
    },
};

use crate::sight::by_sight;

/// Sums of the lengths of all shortest paths of the scenarios, and the number of paths, found by the authors' program.
const KNOWN: [(&str, usize, f64); 2] =
    [("arena", 160, 4_852.609_808), ("aurora", 2_990, 1_690_433.625_037)];

/// Returns the folder with polygon maps and their scenarios.
fn polygon_meshes() -> Option<PathBuf> {
    let folder = walkable_test_support::shared_reference().join("polygon-meshes");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("NOT TESTED: there are no polygon maps in {}", folder.display());
    None
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap()
}

/// Returns start and end of every query of a scenario.
fn scenario(mesh: &PolygonMesh, text: &str) -> Vec<[PlanePoint<u32>; 2]> {
    let lines = text.lines().filter(|line| line.split_whitespace().count() == 9);
    lines
        .map(|line| {
            let numbers: Vec<f64> =
                line.split_whitespace().skip(4).take(4).map(|n| n.parse().unwrap()).collect();
            let at = |x, y| mesh.locate(DVec2::new(x, y)).unwrap();
            [at(numbers[0], numbers[1]), at(numbers[2], numbers[3])]
        })
        .collect()
}

fn scenarios() -> impl Iterator<Item = (&'static str, PolygonMesh, Vec<[PlanePoint<u32>; 2]>, f64)>
{
    polygon_meshes().into_iter().flat_map(|folder| {
        KNOWN.into_iter().map(move |(name, n, sum)| {
            let mesh: PolygonMesh =
                read(&folder.join(format!("{name}-merged.mesh"))).parse().unwrap();
            let queries = scenario(&mesh, &read(&folder.join(format!("{name}.scen"))));
            assert_eq!(queries.len(), n, "{name}");
            (name, mesh, queries, sum)
        })
    })
}

#[derive(Default)]
struct Plane {
    scratch: PlaneScratch<u32>,
    path: PlanePath<u32>,
}

impl Plane {
    fn find(&mut self, mesh: &PolygonMesh, ends: [PlanePoint<u32>; 2]) -> Option<f64> {
        let request = PlaneRequest::new(ends[0], ends[1]);
        shortest_in_plane_into(mesh, &request, &mut self.scratch, &mut self.path).unwrap();
        match self.path.outcome {
            PlaneOutcome::Found => Some(self.path.length),
            _ => None,
        }
    }
}

#[track_caller]
fn assert_same_length(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-9 * a.max(1.0), "{what}: {a} and {b}");
}

#[test]
fn lengths_add_up_to_the_known_sums_and_are_symmetric() {
    for (name, mesh, queries, sum) in scenarios() {
        let mut plane = Plane::default();
        let mut total = 0.0;
        for [start, end] in queries {
            let there = plane.find(&mesh, [start, end]).unwrap();
            let what = format!("{name}, {} to {}", start.point, end.point);
            let along: f64 = plane.path.points.windows(2).map(|p| p[0].distance(p[1])).sum();
            assert_same_length(along, there, &what);
            assert!(taut_in_plane(&mesh, [start.point, end.point], &mut plane.path));
            assert_same_length(plane.path.length, there, &what);
            assert_same_length(plane.find(&mesh, [end, start]).unwrap(), there, &what);
            total += there;
        }
        assert!((total - sum).abs() <= 1e-6 * sum, "{name}: {total}, not {sum}");
    }
}

/// Lists `x y X Y length` of points on corners and edges of polygons as well, with the lengths that the authors' program
/// finds.
#[test]
fn paths_between_corners_and_edges_are_the_shortest() {
    let Some(folder) = polygon_meshes() else { return };
    let mut n_queries = 0;
    for file in std::fs::read_dir(folder.join("optimum")).unwrap() {
        let list = file.unwrap().path();
        if list.extension().is_none_or(|ending| ending != "optimum") {
            continue;
        }
        let mesh: PolygonMesh = read(&list.with_extension("mesh")).parse().unwrap();
        let mut plane = Plane::default();
        for line in read(&list).lines() {
            let numbers: Vec<f64> = line.split(' ').map(|n| n.parse().unwrap()).collect();
            let &[x, y, to_x, to_y, length] = &*numbers else { panic!("{line}") };
            let ends = [[x, y], [to_x, to_y]].map(|end| mesh.locate(end.into()).unwrap());
            let what = format!("{}, {line}", list.display());
            assert_same_length(plane.find(&mesh, ends).unwrap(), length, &what);
            n_queries += 1;
        }
    }
    assert!(n_queries > 1000);
}

/// Runs Dijkstra over polygons between the midpoints of gates, for a corridor that is not the best.
fn corridor_by_middles(mesh: &PolygonMesh, [start, end]: [PlanePoint<u32>; 2]) -> Option<Vec<u32>> {
    let mut best = BTreeMap::from([(start.poly, (0.0, start.point, start.poly))]);
    let mut open = BinaryHeap::from([Reverse((0_u64, start.poly))]);
    while let Some(Reverse((cost, poly))) = open.pop() {
        let (known, from, _) = best[&poly];
        if poly == end.poly {
            let mut corridor = vec![poly];
            while let Some(&last) = corridor.last().filter(|&&last| last != start.poly) {
                corridor.push(best[&last].2);
            }
            corridor.reverse();
            return Some(corridor);
        }
        if f64::from_bits(cost) > known {
            continue;
        }
        for gate in mesh.gates(poly) {
            let middle = (gate.left.at + gate.right.at) / 2.0;
            let cost = known + from.distance(middle);
            if best.get(&gate.to).is_none_or(|&(known, ..)| cost < known) {
                best.insert(gate.to, (cost, middle, poly));
                open.push(Reverse((cost.to_bits(), gate.to)));
            }
        }
    }
    None
}

#[test]
fn no_funnel_through_another_corridor_is_shorter() {
    for (name, mesh, queries, _) in scenarios() {
        let mut plane = Plane::default();
        let (mut shortest, mut taut) = (0.0, 0.0);
        // Every tenth query of the larger map.
        for &ends in queries.iter().step_by(queries.len().div_ceil(300)) {
            let length = plane.find(&mesh, ends).unwrap();
            plane.path.corridor = corridor_by_middles(&mesh, ends).unwrap();
            let points = ends.map(|end| end.point);
            assert!(taut_in_plane(&mesh, points, &mut plane.path));
            let (funnel, corridor) = (plane.path.length, &plane.path.corridor);
            assert!(funnel >= length * (1.0 - 1e-9), "{name}, {points:?}: {funnel} < {length}");
            if corridor.len() <= 60 {
                let gates = gates_of(&mesh, corridor);
                assert_same_length(geodesic(points, &gates, 1e-7), funnel, &format!("{points:?}"));
            }
            (shortest, taut) = (shortest + length, taut + funnel);
        }
        assert!(taut > shortest * 1.001, "{name}: the corridors were too good to show anything");
    }
}

fn gates_of(mesh: &PolygonMesh, corridor: &[u32]) -> Vec<[DVec2; 2]> {
    let steps = corridor.windows(2);
    steps
        .map(|step| {
            let gate = mesh.gates(step[0]).iter().find(|gate| gate.to == step[1]).unwrap();
            [gate.left.at, gate.right.at]
        })
        .collect()
}

/// Returns the length of the shortest line through gates in order, over their ends: tries every pair of ends that see
/// each other through the gates between them, within `tolerance`.
fn geodesic([start, end]: [DVec2; 2], gates: &[[DVec2; 2]], tolerance: f64) -> f64 {
    let mut stops = vec![[start, start]];
    stops.extend_from_slice(gates);
    stops.push([end, end]);
    let mut best = vec![[f64::INFINITY; 2]; stops.len()];
    best[0] = [0.0; 2];
    for from in 0..stops.len() {
        for (side, &a) in stops[from].iter().enumerate() {
            let known = best[from][side];
            for to in from + 1..stops.len() {
                for (other, &b) in stops[to].iter().enumerate() {
                    let is_seen =
                        stops[from + 1..to].iter().all(|&gate| passes([a, b], gate, tolerance));
                    if is_seen {
                        best[to][other] = best[to][other].min(known + a.distance(b));
                    }
                }
            }
        }
    }
    best[stops.len() - 1][0]
}

/// Returns whether a line passes a gate from its inner side to its outer one, or touches it.
fn passes([a, b]: [DVec2; 2], [left, right]: [DVec2; 2], tolerance: f64) -> bool {
    let along = b - a;
    let slack = tolerance * along.length();
    let across = left - right;
    let margin = tolerance * across.length();
    along.perp_dot(left - a) >= -slack
        && along.perp_dot(right - a) <= slack
        && across.perp_dot(a - right) >= -margin
        && across.perp_dot(b - right) <= margin
}

/// Returns a map of rows of cells, where `#` is blocked; each run of at most `longest` free cells of a row is one
/// polygon. Row 0 is at the bottom.
fn map_of_cells(cells: &[Vec<bool>], longest: usize) -> String {
    let (width, height) = (cells[0].len(), cells.len());
    let mut runs = Vec::new();
    let mut run_of = vec![vec![None; width]; height];
    for (y, row) in cells.iter().enumerate() {
        for x in 0..width {
            if !row[x] {
                continue;
            }
            let before = x.checked_sub(1).and_then(|x| run_of[y][x]);
            let run = before.filter(|&run: &usize| {
                let (_, from, to): (usize, usize, usize) = runs[run];
                to - from < longest
            });
            let run = run.unwrap_or_else(|| {
                runs.push((y, x, x));
                runs.len() - 1
            });
            runs[run].2 = x + 1;
            run_of[y][x] = Some(run);
        }
    }
    let at = |x: Option<usize>, y: Option<usize>| {
        let run = x.zip(y).and_then(|(x, y)| *run_of.get(y)?.get(x)?);
        run.map_or_else(|| "-1".to_owned(), |run: usize| run.to_string())
    };
    let vertex = |x: usize, y: usize| y * (width + 1) + x;
    let mut text = format!("mesh\n2\n{} {}\n", (width + 1) * (height + 1), runs.len());
    for y in 0..=height {
        for x in 0..=width {
            writeln!(text, "{x} {y} 0").unwrap();
        }
    }
    for &(y, from, to) in &runs {
        let (mut corners, mut neighbors) = (Vec::new(), Vec::new());
        corners.push(vertex(from, y));
        neighbors.push(at(from.checked_sub(1), Some(y)));
        for x in from..to {
            corners.push(vertex(x + 1, y));
            neighbors.push(at(Some(x), y.checked_sub(1)));
        }
        corners.push(vertex(to, y + 1));
        neighbors.push(at(Some(to), Some(y)));
        for x in (from..to).rev() {
            corners.push(vertex(x, y + 1));
            neighbors.push(at(Some(x), Some(y + 1)));
        }
        let corners: Vec<String> = corners.iter().map(usize::to_string).collect();
        writeln!(text, "{} {} {}", corners.len(), corners.join(" "), neighbors.join(" ")).unwrap();
    }
    text
}

/// Blocks one more cell wherever two blocked cells touch only at a corner, until there are none.
fn without_pinches(mut cells: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
    let (width, height) = (cells[0].len(), cells.len());
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for y in 1..height {
            for x in 1..width {
                let [a, b, c, d] =
                    [cells[y - 1][x - 1], cells[y - 1][x], cells[y][x - 1], cells[y][x]];
                if a == d && b == c && a != b {
                    cells[y][x] = false;
                    cells[y][x - 1] = false;
                    has_changed = true;
                }
            }
        }
    }
    cells
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn lengths_are_those_of_a_visibility_graph(
        cells in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.7), 9), 7),
        longest in 1..5_usize,
        ends in [(0.0..9.0, 0.0..7.0), (0.0..9.0, 0.0..7.0)],
    ) {
        let cells = without_pinches(cells);
        prop_assume!(cells.iter().flatten().any(|&is_free| is_free));
        let mesh: PolygonMesh = map_of_cells(&cells, longest).parse().unwrap();
        let ends = ends.map(|(x, y)| mesh.locate(DVec2::new(x, y)));
        let [Some(start), Some(end)] = ends else { return Ok(()) };
        let expected = by_sight(&cells, [start.point, end.point]);
        let mut plane = Plane::default();
        let there = plane.find(&mesh, [start, end]);
        let back = plane.find(&mesh, [end, start]);
        prop_assert_eq!(there.is_some(), expected.is_some());
        if let (Some(there), Some(back), Some(expected)) = (there, back, expected) {
            prop_assert!((there - expected).abs() < 1e-9, "{} instead of {}", there, expected);
            prop_assert!((there - back).abs() < 1e-9, "{} there, {} back", there, back);
        }
    }

    /// Ends on corners and edges of cells. A path along a wall is possible on one side of it only, so the ends are inside.
    #[test]
    fn paths_from_edges_to_edges_are_the_shortest(
        cells in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.8), 7), 5),
        longest in 1..5_usize,
        ends in [(1..14_u8, 1..10_u8), (1..14_u8, 1..10_u8)],
    ) {
        let cells = without_pinches(cells);
        prop_assume!(cells.iter().flatten().any(|&is_free| is_free));
        let mesh: PolygonMesh = map_of_cells(&cells, longest).parse().unwrap();
        let ends = ends.map(|(x, y)| mesh.locate(DVec2::new(x.into(), y.into()) / 2.0));
        let [Some(start), Some(end)] = ends else { return Ok(()) };
        let expected = by_sight(&cells, [start.point, end.point]);
        let found = Plane::default().find(&mesh, [start, end]);
        prop_assert_eq!(found.is_some(), expected.is_some());
        if let (Some(found), Some(expected)) = (found, expected) {
            prop_assert!((found - expected).abs() < 1e-9, "{} instead of {}", found, expected);
        }
    }

    #[test]
    fn no_text_breaks_the_reader(
        at in 0..2_000_usize,
        with in prop::sample::select(vec!["-1", "9", "99999999999", "x", "", " ", "\n", "1e300", "-"]),
        cut in prop::option::of(0..2_000_usize),
    ) {
        let mut text = map_of_cells(&vec![vec![true; 4]; 3], 2);
        let at = at % text.len();
        text.replace_range(at..=at, with);
        text.truncate(cut.unwrap_or(text.len()).min(text.len()));
        if let Ok(mesh) = text.parse::<PolygonMesh>() {
            let ends = [DVec2::new(0.5, 0.5), DVec2::new(3.5, 2.5)].map(|end| mesh.locate(end));
            if let [Some(start), Some(end)] = ends {
                Plane::default().find(&mesh, [start, end]);
            }
        }
    }
}

/// Returns three rows of three cells; the middle one is blocked.
fn ring() -> PolygonMesh {
    let mut cells = vec![vec![true; 3]; 3];
    cells[1][1] = false;
    map_of_cells(&cells, 1).parse().unwrap()
}

#[test]
fn the_trace_lists_every_expansion_in_order() {
    let mesh = ring();
    let ends = [(0.5, 1.5), (2.5, 1.5)].map(|(x, y)| mesh.locate(DVec2::new(x, y)).unwrap());
    let request = PlaneRequest { max_nodes: 1000, ..PlaneRequest::new(ends[0], ends[1]) };
    let mut scratch = PlaneScratch::traced();
    let path = shortest_in_plane(&mesh, &request, &mut scratch).unwrap();
    let expanded = scratch.expanded();
    assert_eq!(path.outcome, PlaneOutcome::Found);
    assert_same_length(path.length, 1.0 + 2.0 * 0.5_f64.hypot(0.5), "around the block");
    assert_eq!(path.points.len(), 4);
    assert_eq!(expanded.len(), path.n_expanded);
    assert_eq!((expanded[0].parent, expanded[0].g, expanded[0].h), (None, 0.0, 2.0));
    for (index, node) in expanded.iter().enumerate().skip(1) {
        let parent = &expanded[node.parent.unwrap() as usize];
        assert!((node.parent.unwrap() as usize) < index);
        assert!(node.g + node.h >= parent.g + parent.h - 1e-12, "{node:?} after {parent:?}");
        assert!(node.g + node.h <= path.length + 1.0);
    }
    let mut plane = Plane::default();
    plane.find(&mesh, ends);
    assert_eq!(plane.path, path, "watching changes nothing");
    let few = PlaneRequest { max_nodes: 3, ..request };
    let path = shortest_in_plane(&mesh, &few, &mut scratch).unwrap();
    assert_eq!(path.outcome, PlaneOutcome::OutOfNodes);
    let nowhere = PlanePoint { point: DVec2::NAN, ..ends[1] };
    let refused = shortest_in_plane(&mesh, &PlaneRequest::new(ends[0], nowhere), &mut scratch);
    assert_eq!(refused, Err(QueryError::BadNumber { what: "the end" }));
}

#[test]
fn places_belong_to_the_polygon_towards_larger_coordinates() {
    let mesh = ring();
    let at = |x, y| mesh.locate(DVec2::new(x, y)).map(|place| place.poly);
    assert_eq!([at(0.5, 0.5), at(1.0, 0.5), at(2.5, 2.5)], [Some(0), Some(1), Some(7)]);
    assert_eq!([at(1.5, 1.5), at(-0.1, 0.5), at(3.1, 3.0)], [None; 3]);
    assert_eq!(at(3.0, 3.0), Some(7), "the last corner has nothing beyond it");
    assert_eq!((mesh.n_polygons(), mesh.n_vertices(), mesh.corners(0).len()), (8, 16, 4));
}

#[test]
fn bad_maps_are_refused_by_line() {
    use PolygonMeshError as E;

    const GOOD: &str =
        "mesh\n2\n4 1\n0 0 1 0\n1 0 1 0\n1 1 1 -1\n0 1 2 0 -1\n\n4 0 1 2 3 -1 -1 -1 -1\n";
    assert_eq!(GOOD.parse::<PolygonMesh>().unwrap().n_polygons(), 1);
    let check = |old: &str, new: &str, expected: E| {
        let text = GOOD.replacen(old, new, 1);
        assert_eq!(text.parse::<PolygonMesh>().unwrap_err(), expected, "{text}");
    };
    let unexpected =
        |line, found: &str, expected| E::Unexpected { line, found: found.into(), expected };
    let bad = |line, what, found: &str| E::BadNumber { line, what, found: found.into() };
    check("mesh", "mash", unexpected(1, "mash", "mesh"));
    check("2", "3", unexpected(2, "3", "2"));
    check("4 1", "4", E::Missing { line: 3, what: "the number of polygons" });
    check("4 1", "-4 1", bad(3, "the number of vertices", "-4"));
    check("4 1", "5 1", E::OutOfRange { line: 9, what: "polygon", index: 2, n: 1 });
    check("0 0 1 0", "0 nan 1 0", bad(4, "y", "NaN"));
    check("0 0 1 0", "0 0 1 7", E::OutOfRange { line: 4, what: "polygon", index: 7, n: 1 });
    check("0 0 1 0", "0 0 1 0 5", E::LeftOver { line: 4, found: "5".into() });
    check("4 1", "999999999 1", E::OutOfRange { line: 9, what: "polygon", index: 2, n: 1 });
    check("4 0 1 2 3", "4 0 1 2 4", E::OutOfRange { line: 9, what: "vertex", index: 4, n: 4 });
    check("4 0 1 2 3", "4 0 3 2 1", E::NotConvex { line: 9 });
    check("4 0 1 2 3", "4 0 1 3 2", E::NotConvex { line: 9 });
    check("4 0 1 2 3 -1", "4 0 1 2 3 0", E::OneSided { line: 9, neighbor: 0 });
    check("-1 -1 -1 -1\n", "-1 -1 -1\n", E::Missing { line: 9, what: "polygon" });
    check("-1 -1 -1 -1\n", "-1 -1 -1 -1\nmore", E::LeftOver { line: 10, found: "more".into() });
}

fn mesh_of(case: &Path) -> NavMesh {
    NavMesh::from_bytes(&std::fs::read(case.join("navmesh.bin")).unwrap()).unwrap()
}

fn length_from_above(path: &NavPath) -> f32 {
    path.points.windows(2).map(|pair| pair[0].xz().distance(pair[1].xz())).sum()
}

/// Returns start and end of every query of a reference case.
fn ends_of(case: &Path) -> Vec<[Vec3; 2]> {
    let text = read(&case.join("queries.txt"));
    text.lines()
        .map(|line| {
            let numbers: Vec<f32> = line.split(' ').map(|n| n.parse().unwrap()).collect();
            [Vec3::from_slice(&numbers[..3]), Vec3::from_slice(&numbers[3..])]
        })
        .collect()
}

/// On every mesh of the reference, shortest paths reach as far as A*, are never longer, and are as long as the search
/// reports.
#[test]
fn paths_on_navmeshes_are_never_longer_than_those_of_a_star() {
    let filter = Filter::default();
    let (mut n, mut most_off, mut shortest, mut found) = (0, 0.0_f32, 0.0, 0.0);
    for (name, case) in walkable_test_support::cases() {
        let mesh = mesh_of(&case);
        let mut scratch = Scratch::default();
        for (index, [start, end]) in ends_of(&case).into_iter().enumerate() {
            let request = PathRequest::new(start, end, &filter);
            let by_polygons = find_path(&mesh, &request, &mut scratch).unwrap();
            let path = find_shortest_path(&mesh, &request, &mut scratch).unwrap();
            let what = format!("{name}, line {}", index + 1);
            assert_eq!((path.status, path.why), (by_polygons.status, by_polygons.why), "{what}");
            if path.status == PathStatus::Unreachable {
                continue;
            }
            check_corridor(&mesh, &path, &by_polygons, &what);
            let (a, b) = (length_from_above(&path), length_from_above(&by_polygons));
            let slack = 1e-3 + 1e-5 * b;
            assert!((a - path.cost).abs() <= slack, "{what}: drawn {a}, found {}", path.cost);
            // Where tiles meet, Detour's portals are rounded to 255ths of an edge and can be too wide.
            most_off = most_off.max(a - b);
            assert!(a <= b + slack + 1e-4 * b, "{what}: {a}, but A* has {b}");
            (n, shortest, found) = (n + 1, shortest + f64::from(a), found + f64::from(b));
        }
    }
    eprintln!(
        "{n} paths on navmeshes: A* is {:.4} times as long, by rounding {most_off} m shorter",
        found / shortest
    );
    assert!(found > shortest);
}

/// A corridor has the same ends as another and leads from polygon to polygon.
#[track_caller]
fn check_corridor(mesh: &NavMesh, path: &NavPath, other: &NavPath, what: &str) {
    assert_eq!(path.corridor.first(), other.corridor.first(), "{what}");
    assert_eq!(path.corridor.last(), other.corridor.last(), "{what}");
    for step in path.corridor.windows(2) {
        assert!(mesh.links(step[0]).any(|link| link.to == step[1]), "{what}: {step:?}");
    }
}

/// Returns whether the line of a path is as long as the shortest line through its portals; `None` for long paths.
fn is_geodesic(path: &NavPath) -> Option<bool> {
    let (&start, &end) = path.points.first().zip(path.points.last())?;
    if path.portals.len() > 40 {
        return None;
    }
    let from_above = |point: Vec3| point.as_dvec3().xz();
    let gates: Vec<[DVec2; 2]> =
        path.portals.iter().map(|p| [from_above(p.left), from_above(p.right)]).collect();
    // Rounding of coordinates where tiles meet.
    let tolerance = 1e-4 + 2.0 * f64::from(f32::EPSILON * start.abs().max(end.abs()).max_element());
    let expected = geodesic([start, end].map(from_above), &gates, tolerance);
    Some((f64::from(length_from_above(path)) - expected).abs() < 20.0 * tolerance)
}

#[test]
fn lines_on_navmeshes_are_the_shortest_over_their_portals() {
    let filter = Filter::default();
    let (mut n, mut n_odd) = (0, 0);
    for case in walkable_test_support::cases().values() {
        let mesh = mesh_of(case);
        let mut scratch = Scratch::default();
        for [start, end] in ends_of(case) {
            let request = PathRequest::new(start, end, &filter);
            let paths = [
                find_path(&mesh, &request, &mut scratch).unwrap(),
                find_shortest_path(&mesh, &request, &mut scratch).unwrap(),
            ];
            let found = paths.iter().filter_map(is_geodesic);
            found.for_each(|is_shortest| (n, n_odd) = (n + 1, n_odd + usize::from(!is_shortest)));
        }
    }
    assert!(n > 0 && n_odd == 0, "{n_odd} of {n} are longer");
}

#[test]
fn invalid_weights_are_refused_with_their_limits() {
    let (mut scratch, mut filter) = (Scratch::default(), Filter::default());
    let (_, case) = walkable_test_support::cases().pop_first().unwrap();
    let (mesh, ends) = (mesh_of(&case), ends_of(&case));
    let mut n_limited = 0;
    for &[start, end] in &ends {
        let request = PathRequest::new(start, end, &filter);
        let free = find_path(&mesh, &request, &mut scratch).unwrap();
        // As many nodes as A* needs, and so some too few for Polyanya.
        let request = PathRequest { max_nodes: free.n_expanded.max(1), ..request };
        let by_polygons = find_path(&mesh, &request, &mut scratch).unwrap();
        let path = find_shortest_path(&mesh, &request, &mut scratch).unwrap();
        assert_eq!(path.status, by_polygons.status);
        if path.why == Some(WhyNot::NodeLimit) {
            assert!(!path.points.is_empty());
            n_limited += 1;
        }
    }
    assert!(n_limited > 0);
    filter.area_cost[5] = 2.0;
    let request = PathRequest::new(ends[0][0], ends[0][1], &filter);
    let refused = find_shortest_path(&mesh, &request, &mut scratch);
    assert_eq!(refused.unwrap_err(), QueryError::UnequalCosts);
}
