//! Queries that the reference results do not cover, compared bit by bit with results of the C++ library.
//!
//! `answers.jsonl` of a case has an object for each line of `queries.txt`, identified by `line`. References are
//! numbers, 0 for none; points are three numbers; lists are flat.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use glam::Vec3;
use serde_json::Value;
use walkable::{
    navmesh::{NavMesh, PolyRef},
    query::{
        CorridorRequest, Crossings, EdgeSegment, Filter, LocalNeighborhoodRequest, MeshPoint,
        NearestRequest, PathCorridor, PathPoint, PointKind, PolygonsAroundShapeRequest,
        RandomPointAroundRequest, RandomPointRequest, RaycastRequest, Scratch, Shortcuts,
        SlicedPath, SlicedRequest, SlicedState, StraightPathRequest, closest_point, edge_segments,
        find_corridor, is_usable, local_neighborhood, nearest, polygons_around_shape, random_point,
        random_point_around, raycast, straight_path, wall_segments,
    },
};

const HALF_EXTENTS: Vec3 = Vec3::new(2.0, 4.0, 2.0);

/// Returns the folders of cases with answers, both the reference's and those of this repository.
fn cases() -> Vec<PathBuf> {
    let folders = walkable_test_support::reference_roots().into_iter().flat_map(|root| {
        let entries = std::fs::read_dir(root.join("cases")).unwrap();
        entries.map(|entry| entry.unwrap().path())
    });
    let mut cases: Vec<PathBuf> =
        folders.filter(|folder| folder.join("answers.jsonl").exists()).collect();
    cases.sort();
    assert!(cases.len() >= 7, "the cases of this repository are missing: {cases:?}");
    cases
}

/// A query and its expected results.
struct Case<'a> {
    name: String,
    mesh: &'a NavMesh,
    costly: Filter,
    start: Option<MeshPoint>,
    end: Option<MeshPoint>,
    answers: Value,
    scratch: Scratch,
}

/// Returns the filter with the costs that the reference used.
fn costly() -> Filter {
    let mut filter = Filter { exclude_flags: 2, ..Filter::default() };
    filter.area_cost[..6].copy_from_slice(&[1.0, 5.0, 2.0, 10.0, 1.5, 3.0]);
    filter
}

fn for_each_case(mut check: impl FnMut(&mut Case<'_>)) {
    for folder in cases() {
        let mesh =
            NavMesh::from_bytes(&std::fs::read(folder.join("navmesh.bin")).unwrap()).unwrap();
        let read = |name| std::fs::read_to_string(folder.join(name)).unwrap();
        let queries = read("queries.txt");
        for answers in read("answers.jsonl").lines() {
            let answers: Value = serde_json::from_str(answers).unwrap();
            let line = usize::try_from(answers["line"].as_u64().unwrap()).unwrap();
            let query = queries.lines().nth(line - 1).unwrap();
            let numbers: Vec<f32> = query.split(' ').map(|n| n.parse().unwrap()).collect();
            let [start, end] = [&numbers[..3], &numbers[3..]].map(|end| {
                let (center, half_extents) = (Vec3::from_slice(end), HALF_EXTENTS);
                let filter = &Filter::default();
                nearest(&mesh, &NearestRequest { center, half_extents, filter }).unwrap()
            });
            check(&mut Case {
                name: format!("{}, line {line}", case_name(&folder)),
                mesh: &mesh,
                costly: costly(),
                start,
                end,
                answers,
                scratch: Scratch::default(),
            });
        }
    }
}

fn case_name(folder: &Path) -> String {
    folder.file_name().unwrap().to_string_lossy().into_owned()
}

/// A list of numbers of different types.
#[derive(Default)]
struct Row(Vec<f64>);

impl Row {
    fn point(mut self, point: Vec3) -> Self {
        self.0.extend(point.to_array().map(f64::from));
        self
    }

    fn poly(self, poly: Option<PolyRef>) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "references of the cases have 32 bits")]
        let number = poly.map_or(0, |poly| poly.0.get()) as f64;
        self.number(number)
    }

    fn polys(self, polys: &[PolyRef]) -> Self {
        polys.iter().fold(self, |row, &poly| row.poly(Some(poly)))
    }

    fn number(mut self, number: impl Into<f64>) -> Self {
        self.0.push(number.into());
        self
    }
}

impl Case<'_> {
    /// Compares with the reference's numbers, rounded to single precision.
    #[track_caller]
    fn same(&self, field: &str, found: &Row) {
        let expected = &self.answers[field];
        let expected: Vec<f64> =
            expected.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
        // References are exact; nine digits suffice to restore single precision.
        let is_same = |(a, b): (&f64, &f64)| {
            a.to_bits() == b.to_bits() || narrow(*a).to_bits() == narrow(*b).to_bits()
        };
        let are_same =
            found.0.len() == expected.len() && found.0.iter().zip(&expected).all(is_same);
        assert!(are_same, "{}: {field} is\n{:?}, not\n{expected:?}", self.name, found.0);
    }

    fn corridor(&mut self) -> Option<(Vec<PolyRef>, [MeshPoint; 2])> {
        let [start, end] = [self.start?, self.end?];
        let request = CorridorRequest::new(start, end, &self.costly);
        let corridor = find_corridor(self.mesh, &request, &mut self.scratch).unwrap();
        Some((corridor.polys, [start, end]))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "written from single precision")]
fn narrow(number: f64) -> f32 {
    number as f32
}

/// Returns the random numbers of the reference.
fn reference_random(seed: u64) -> impl FnMut() -> f32 {
    let mut state = u32::try_from(seed).unwrap();
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        #[expect(clippy::cast_precision_loss, reason = "24 bits fit single precision")]
        let top = (state >> 8) as f32;
        top / 16_777_216.0
    }
}

#[test]
fn random_points_agree() {
    for_each_case(|case| {
        let mut random = reference_random(case.answers["line"].as_u64().unwrap());
        let row = |found: Option<MeshPoint>| {
            found.map_or_else(Row::default, |end| {
                Row::default().poly(Some(end.poly)).point(end.point)
            })
        };
        let filter = Filter::default();
        let anywhere = random_point(case.mesh, &RandomPointRequest::new(&filter), &mut random);
        case.same("random", &row(anywhere));
        if let Some(start) = case.start {
            let request = RandomPointAroundRequest::new(start, 15.0, &filter);
            let around = random_point_around(case.mesh, &request, &mut case.scratch, &mut random);
            case.same("random_around", &row(around.unwrap()));
        }
    });
}

#[test]
fn polygons_around_shapes_agree() {
    const SHAPE: [[f32; 2]; 5] = [[-3.0, -5.0], [-5.0, 2.0], [0.0, 7.0], [8.0, 3.0], [6.0, -4.0]];
    for_each_case(|case| {
        let Some(start) = case.start else { return };
        let shape = SHAPE.map(|[x, z]| start.point + Vec3::new(x, 0.0, z));
        let request = PolygonsAroundShapeRequest::new(start.poly, &shape, &case.costly);
        let around = polygons_around_shape(case.mesh, &request, &mut case.scratch).unwrap();
        let row = around.polys.iter().fold(Row::default(), |row, reached| {
            row.poly(Some(reached.poly)).poly(reached.parent).number(reached.cost)
        });
        case.same("shape", &row);
    });
}

#[test]
fn local_neighborhoods_agree() {
    for_each_case(|case| {
        let Some(start) = case.start else { return };
        let filter = Filter::default();
        let request = LocalNeighborhoodRequest::new(start, 12.0, &filter);
        let found = local_neighborhood(case.mesh, &request).unwrap();
        let row = found
            .iter()
            .fold(Row::default(), |row, near| row.poly(Some(near.poly)).poly(near.parent));
        case.same("local", &row);
    });
}

#[test]
fn edges_and_walls_agree() {
    for_each_case(|case| {
        let Some(start) = case.start else { return };
        let walls = wall_segments(case.mesh, start.poly, &case.costly).unwrap();
        let row = walls.iter().fold(Row::default(), |row, &[a, b]| row.point(a).point(b));
        case.same("walls", &row);
        let edges = edge_segments(case.mesh, start.poly, &case.costly).unwrap();
        let row = edges.iter().fold(Row::default(), |row, &EdgeSegment { ends: [a, b], to }| {
            row.point(a).point(b).poly(to)
        });
        case.same("edges", &row);
    });
}

#[test]
fn rays_with_costs_agree() {
    for_each_case(|case| {
        let Some(start) = case.start else { return };
        let end = case.end.map_or(Vec3::ZERO, |end| end.point);
        let cast = |max_polys| {
            let request = RaycastRequest::new(start, end, &case.costly);
            raycast(case.mesh, &RaycastRequest { max_polys, ..request }).unwrap()
        };
        let free = |t: Option<f32>| t.unwrap_or(-1.0);
        let short = cast(2).hit;
        let row = Row::default().number(free(short.t));
        let whole = cast(4096);
        let n_visited = u32::try_from(whole.visited.len()).unwrap();
        let whole = whole.hit;
        let row = row.number(n_visited.min(2)).number(short.cost);
        case.same("short_ray", &row);
        let row = Row::default().number(free(whole.t)).number(whole.cost);
        case.same("ray", &row.number(n_visited).point(whole.normal));
    });
}

/// Returns the flags of a point in the reference's format.
fn flags(point: &PathPoint) -> u8 {
    match point.kind {
        PointKind::Turn => 0,
        PointKind::Start => 1,
        PointKind::End => 2,
        PointKind::Connection => 4,
    }
}

#[test]
fn paths_with_crossings_agree() {
    for_each_case(|case| {
        let Some((corridor, [start, end])) = case.corridor() else { return };
        case.same("costed", &Row::default().polys(&corridor));
        let target = match corridor.last() {
            Some(&last) if last != end.poly => {
                closest_point(case.mesh, last, end.point).unwrap().point
            }
            _ => end.point,
        };
        for (field, crossings) in [("areas", Crossings::Areas), ("all", Crossings::All)] {
            let request = StraightPathRequest::new(start.point, target, &corridor);
            let request = StraightPathRequest { crossings, ..request };
            let points = straight_path(case.mesh, &request, &mut case.scratch).unwrap();
            let row = points.iter().fold(Row::default(), |row, point| {
                row.point(point.position).number(flags(point)).poly(point.poly)
            });
            case.same(field, &row);
        }
    });
}

#[test]
fn sliced_searches_agree() {
    for_each_case(|case| {
        let Some((existing, [start, end])) = case.corridor() else { return };
        let begin = |shortcuts| {
            let request = SlicedRequest { shortcuts, ..SlicedRequest::new(start, end) };
            SlicedPath::new(case.mesh, &request, Scratch::default()).unwrap()
        };
        for (field, shortcuts) in [("sliced", Shortcuts::None), ("any_angle", Shortcuts::AsDetour)]
        {
            let mut search = begin(shortcuts);
            while search.step(case.mesh, &case.costly, 7).unwrap() == SlicedState::Searching {}
            let corridor = search.corridor(case.mesh, &case.costly).unwrap();
            let row = Row::default().number(u32::try_from(search.n_expanded()).unwrap());
            case.same(field, &row.polys(&corridor.polys));
        }
        let filter = Filter::default();
        let mut search = begin(Shortcuts::None);
        search.step(case.mesh, &filter, 6).unwrap();
        let corridor = search.corridor_along(case.mesh, &filter, &existing).unwrap();
        case.same("partial", &Row::default().number(0).polys(&corridor.polys));
    });
}

/// Walks along a corridor like the reference and returns what happens at each step, in one row.
fn walk(case: &mut Case<'_>, corridor: &mut PathCorridor) -> Row {
    let (mesh, filter) = (case.mesh, &Filter::default());
    let mut search = None;
    let mut row = Row::default();
    for step in 0..14 {
        let corners = corridor.corners(mesh, 7, &mut case.scratch).unwrap();
        row = row.number(u32::try_from(corners.len()).unwrap());
        let Some(corner) = corners.first() else { break };
        row = row.point(corner.position).number(flags(corner)).poly(corner.poly);
        let away = corner.position - corridor.position();
        let distance = (away.x * away.x + away.z * away.z).sqrt();
        if corner.kind == PointKind::Connection && distance < 0.8 {
            let connection = corner.poly.unwrap();
            let place = corridor.polys().iter().position(|&poly| poly == connection).unwrap();
            let before = corridor.polys()[place - 1];
            let ends = corridor.move_over_connection(mesh, connection);
            row = row.number(u8::from(ends.is_some()));
            if let Some([from, to]) = ends {
                row = row.poly(Some(before)).poly(Some(connection)).point(from).point(to);
            }
            continue;
        }
        let mut to = corridor.position() + away * (distance.min(0.7) / distance);
        if step % 5 == 3 {
            to += Vec3::new(0.9, 0.0, -0.6);
        }
        corridor.move_position(mesh, to, filter).unwrap();
        row = row.number(1).point(corridor.position());
        if step % 3 == 1 {
            corridor.optimize_visibility(mesh, corner.position, 15.0, filter).unwrap();
        }
        if step % 4 == 2 {
            row = row
                .number(u8::from(corridor.optimize_topology(mesh, filter, &mut search).unwrap()));
        }
        if step % 2 == 1 {
            let target = corridor.target() + Vec3::new(0.4, 0.0, -0.3);
            corridor.move_target(mesh, target, filter).unwrap();
            row = row.number(1).point(corridor.target());
        }
        row = row.number(u32::try_from(corridor.polys().len()).unwrap());
        row = row.poly(Some(corridor.first())).poly(Some(corridor.last()));
    }
    row
}

#[test]
fn walks_along_corridors_agree() {
    for_each_case(|case| {
        let Some((polys, [start, end])) = case.corridor() else { return };
        let last = *polys.last().unwrap();
        let is_complete = last == end.poly;
        let target = || closest_point(case.mesh, last, end.point).unwrap().point;
        let mut corridor = PathCorridor::new(start);
        corridor.set(if is_complete { end.point } else { target() }, &polys);
        let row = walk(case, &mut corridor);
        case.same("walk", &row);
        case.same("walked", &Row::default().polys(corridor.polys()));

        let n = |corridor: &PathCorridor| u32::try_from(corridor.polys().len()).unwrap();
        let ends = |row: Row, corridor: &PathCorridor| {
            row.number(n(corridor)).point(corridor.position()).point(corridor.target())
        };
        let is_good = corridor.is_usable(case.mesh, 5, &case.costly);
        let row = Row::default().number(u8::from(is_good));
        corridor.trim(case.mesh, start, &case.costly).unwrap();
        let row = ends(row, &corridor).poly(Some(corridor.first())).poly(Some(corridor.last()));
        corridor.trim(case.mesh, start, &Filter { include_flags: 4, ..Filter::default() }).unwrap();
        let row = ends(row, &corridor);
        corridor.fix_start(end);
        assert!(corridor.has_gap() && is_usable(case.mesh, corridor.first(), &Filter::default()));
        // The reference leaves an entry unused.
        let row = row.number(n(&corridor) + 1).poly(Some(corridor.first())).number(0);
        case.same("trimmed", &row.polys(&corridor.polys()[1..2]));
    });
}
