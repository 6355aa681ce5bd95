use glam::Vec3;

use super::{
    CorridorRequest, Crossings, Filter, MeshPoint, MoveAlongRequest, NavPath, NearestRequest,
    PathRequest, PathStatus, PointKind, PolygonsAroundRequest, PolygonsInBoxRequest, QueryError,
    RandomPointAroundRequest, RaycastRequest, Scratch, Seeded, StraightPathRequest,
    WallDistanceRequest, WhyNot, find_corridor, find_path, find_path_into, move_along, nearest,
    poly_height, polygons_around, polygons_in_box, random_point_around, raycast, straight_path,
    wall_distance,
};
use crate::{
    ids::TileCoord,
    navmesh::{
        NavMesh, PolyRef,
        sample::{connect, mesh, solo, tile},
    },
};

fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

fn on(mesh: &NavMesh, x: f32, z: f32) -> MeshPoint {
    let half_extents = Vec3::splat(0.1);
    let request = NearestRequest { center: at(x, z), half_extents, filter: &Filter::default() };
    nearest(mesh, &request).unwrap().unwrap()
}

fn request(filter: &Filter, start: (f32, f32), end: (f32, f32)) -> PathRequest<'_> {
    let half_extents = Vec3::splat(0.2);
    let request = PathRequest::new(at(start.0, start.1), at(end.0, end.1), filter);
    PathRequest { half_extents, ..request }
}

fn path(mesh: &NavMesh, start: (f32, f32), end: (f32, f32)) -> NavPath {
    found(mesh, &request(&Filter::default(), start, end))
}

fn found(mesh: &NavMesh, request: &PathRequest<'_>) -> NavPath {
    find_path(mesh, request, &mut Scratch::default()).unwrap()
}

const WALL: [&str; 5] = [".....", ".###.", ".....", "####.", "....."];

#[test]
fn a_path_goes_around_a_wall() {
    let path = path(&solo(&WALL), (0.5, 4.5), (0.5, 2.5));
    assert_eq!((path.status, path.why), (PathStatus::Complete, None));
    assert_eq!(path.points, [at(0.5, 4.5), at(4.0, 4.0), at(4.0, 3.0), at(0.5, 2.5)]);
    assert_eq!(path.corridor.len(), 11);
    assert_eq!(path.portals.len(), 10);
    let length: f32 = 1.0 + 2.0 * 3.5f32.hypot(0.5);
    assert!((path.length - length).abs() < 1e-5, "{}", path.length);
    assert!(path.cost >= path.length - 1e-5);
}

#[track_caller]
fn check_status(path: &NavPath, status: PathStatus, why: Option<WhyNot>, n_polys: usize) {
    assert_eq!((path.status, path.why, path.corridor.len()), (status, why, n_polys));
}

#[test]
fn the_reason_of_an_incomplete_path_is_reported() {
    let apart = solo(&["..#", "###", "#.."]);
    let ends = [(0.5, 0.5), (2.5, 2.5)];
    check_status(
        &path(&apart, (9.0, 9.0), ends[1]),
        PathStatus::Unreachable,
        Some(WhyNot::StartOffMesh),
        0,
    );
    check_status(
        &path(&apart, ends[0], (9.0, 9.0)),
        PathStatus::Unreachable,
        Some(WhyNot::EndOffMesh),
        0,
    );
    check_status(
        &path(&apart, ends[0], ends[1]),
        PathStatus::Partial,
        Some(WhyNot::Disconnected),
        2,
    );
    check_status(&path(&apart, ends[0], (1.5, 0.5)), PathStatus::Complete, None, 2);
    check_status(&path(&apart, ends[0], (0.7, 0.5)), PathStatus::Complete, None, 1);

    let filter = Filter::default();
    let few = PathRequest { max_nodes: 3, ..request(&filter, (0.5, 4.5), (0.5, 2.5)) };
    check_status(&found(&solo(&WALL), &few), PathStatus::Partial, Some(WhyNot::NodeLimit), 1);
}

#[test]
fn a_wrong_request_is_an_error_and_leaves_no_path() {
    let (mesh, filter) = (solo(&["...."]), Filter::default());
    let right = request(&filter, (0.5, 0.5), (3.5, 0.5));
    let nowhere = at(f32::NAN, 0.0);
    let negative = Filter { area_cost: [-1.0; 64], ..Filter::default() };
    let wrong = [
        (PathRequest { start: nowhere, ..right }, "the start"),
        (PathRequest { end: nowhere, requires_goal: false, ..right }, "the end"),
        (PathRequest { half_extents: Vec3::splat(-0.1), ..right }, "the half extents"),
        (PathRequest { filter: &negative, ..right }, "a cost of the filter"),
    ];
    for (wrong, what) in wrong {
        let refused = Err(QueryError::BadNumber { what });
        let (mut path, scratch) = (found(&mesh, &right), &mut Scratch::default());
        assert_eq!(find_path_into(&mesh, &wrong, scratch, &mut path), refused);
        assert_eq!((path.status, path.corridor.len()), (PathStatus::Unreachable, 0), "{what}");
        let shortest = super::find_shortest_path(&mesh, &wrong, scratch);
        assert_eq!(shortest.map(|_| ()), refused);
    }
}

#[test]
fn a_partial_path_ends_nearest_to_the_end() {
    let path = path(&solo(&["..#", "###", "#.."]), (0.5, 0.5), (1.6, 2.5));
    assert_eq!(path.points, [at(0.5, 0.5), at(1.6, 1.0)]);
}

#[test]
fn costs_and_excluded_polygons_change_the_path() {
    let mesh = solo(&["...", ".5.", "..."]);
    let n_polys = |filter: &Filter| {
        let request = request(filter, (0.5, 1.5), (2.5, 1.5));
        found(&mesh, &request).corridor.len()
    };
    let mut filter = Filter::default();
    assert_eq!(n_polys(&filter), 3);
    filter.area_cost[5] = 10.0;
    assert_eq!(n_polys(&filter), 5);
    let mut barred = mesh.clone();
    let center = mesh.poly_ref(0, 4).unwrap();
    barred.set_flags(center, 8);
    let filter = Filter { exclude_flags: 8, ..Filter::default() };
    let request = request(&filter, (0.5, 1.5), (2.5, 1.5));
    assert_eq!(found(&barred, &request).corridor.len(), 5);
}

#[test]
fn a_trace_lists_expansions_from_start_to_end() {
    let filter = Filter::default();
    let mesh = solo(&WALL);
    let asked = request(&filter, (0.5, 4.5), (0.5, 2.5));
    let mut scratch = Scratch::traced();
    let traced = find_path(&mesh, &asked, &mut scratch).unwrap();
    let expanded = scratch.expanded();
    assert_eq!(expanded.len(), traced.n_expanded);
    assert_eq!(expanded[0].poly, traced.corridor[0]);
    assert_eq!(expanded.last().map(|last| last.poly), traced.corridor.last().copied());
    assert_eq!(expanded[0].parent, None);
    assert_eq!((expanded[0].g, expanded[0].f), (0.0, 2.0 * 0.999));
    for (index, expansion) in expanded.iter().enumerate().skip(1) {
        let parent = expansion.parent.unwrap() as usize;
        assert!(parent < index && expanded[parent].g <= expansion.g);
        assert!(expansion.f >= expansion.g);
    }
    let mut scratch = Scratch::default();
    let untraced = find_path(&mesh, &asked, &mut scratch).unwrap();
    assert!(scratch.expanded().is_empty());
    assert_eq!((untraced.corridor, untraced.n_expanded), (traced.corridor, traced.n_expanded));
}

#[test]
fn a_warm_query_keeps_its_memory() {
    let mesh = solo(&WALL);
    let filter = Filter::default();
    let asked = request(&filter, (0.5, 4.5), (0.5, 0.5));
    let (mut scratch, mut path) = (Scratch::default(), NavPath::unreachable());
    let mut memory = Vec::new();
    for _ in 0..3 {
        find_path_into(&mesh, &asked, &mut scratch, &mut path).unwrap();
        assert_eq!(path.status, PathStatus::Complete);
        memory.push((
            path.corridor.as_ptr(),
            path.points.as_ptr(),
            path.portals.as_ptr(),
            scratch.steps.as_ptr(),
            scratch.points.as_ptr(),
        ));
    }
    assert_eq!(memory[1], memory[2]);
}

#[test]
fn connections_are_taken_in_their_directions() {
    for (flags, back) in [(0, PathStatus::Partial), (1, PathStatus::Complete)] {
        let mut tile = tile(0, 0, &[".#.", ".#.", ".#."]);
        connect(&mut tile, [at(0.9, 1.5), at(2.1, 1.5)], flags, 0xff);
        let mesh = mesh([tile]);
        let there = path(&mesh, (0.5, 0.5), (2.5, 0.5));
        assert_eq!(there.status, PathStatus::Complete);
        assert_eq!(there.points, [at(0.5, 0.5), at(0.9, 1.5), at(2.1, 1.5), at(2.5, 0.5)]);
        assert_eq!(path(&mesh, (2.5, 0.5), (0.5, 0.5)).status, back);

        let request = StraightPathRequest::new(at(0.5, 0.5), at(2.5, 0.5), &there.corridor);
        let points = straight_path(&mesh, &request, &mut Scratch::default()).unwrap();
        let kinds: Vec<PointKind> = points.iter().map(|point| point.kind).collect();
        assert_eq!(
            kinds,
            [PointKind::Start, PointKind::Connection, PointKind::Turn, PointKind::End]
        );
        assert_eq!(points[1].poly, mesh.poly_ref(0, 6));
    }
}

#[track_caller]
fn check_crossings(mesh: &NavMesh, path: &NavPath, crossings: Crossings, expected: &[f32]) {
    let request = StraightPathRequest::new(at(0.5, 1.5), at(3.5, 1.5), &path.corridor);
    let request = StraightPathRequest { crossings, ..request };
    let points = straight_path(mesh, &request, &mut Scratch::default()).unwrap();
    let positions: Vec<Vec3> = points.iter().map(|point| point.position).collect();
    assert_eq!(positions, expected.iter().map(|&x| at(x, 1.5)).collect::<Vec<_>>());
}

#[test]
fn crossings_are_added_as_requested() {
    let mesh = solo(&["....", "..22", "....", "...."]);
    let path = path(&mesh, (0.5, 1.5), (3.5, 1.5));
    check_crossings(&mesh, &path, Crossings::None, &[0.5, 3.5]);
    check_crossings(&mesh, &path, Crossings::Areas, &[0.5, 2.0, 3.5]);
    check_crossings(&mesh, &path, Crossings::All, &[0.5, 1.0, 2.0, 3.0, 3.5]);
}

#[test]
fn a_corridor_with_a_gap_ends_before_it() {
    let mut mesh = mesh([tile(0, 0, &["..", ".."]), tile(1, 0, &["..", ".."])]);
    let corridor = path(&mesh, (0.5, 0.5), (3.5, 0.5)).corridor;
    assert_eq!(corridor.len(), 4);
    mesh.remove_tiles_at(TileCoord::new(1, 0));
    let scratch = &mut Scratch::default();
    let request = StraightPathRequest::new(at(0.5, 0.5), at(3.5, 0.5), &corridor);
    let points = straight_path(&mesh, &request, scratch).unwrap();
    assert_eq!(points.last().map(|p| p.position), Some(at(2.0, 0.5)));
    mesh.remove_tiles_at(TileCoord::new(0, 0));
    let stale = straight_path(&mesh, &request, scratch);
    assert_eq!(stale, Err(QueryError::StalePolygon { poly: corridor[0] }));
}

#[test]
fn rays_stop_at_walls() {
    let mesh = solo(&WALL);
    let filter = Filter::default();
    let cast = |to: Vec3, max_polys| {
        let request = RaycastRequest::new(on(&mesh, 0.5, 4.5), to, &filter);
        let ray = raycast(&mesh, &RaycastRequest { max_polys, ..request }).unwrap();
        (ray.hit, ray.visited.len())
    };
    let (free, n_passed) = cast(at(4.5, 4.5), 100);
    assert_eq!((free.t, free.cost, n_passed), (None, 4.0, 5));
    let (wall, n_passed) = cast(at(0.5, 0.5), 100);
    assert_eq!((wall.t, wall.cost, n_passed), (Some(0.125), 0.5, 1));
    assert_eq!((wall.normal, wall.edge), (at(0.0, 1.0), Some(3)));
    let (outside, _) = cast(at(-1.5, 4.5), 100);
    assert_eq!((outside.t, outside.normal), (Some(0.25), at(1.0, 0.0)));
    let (cut, n_passed) = cast(at(4.5, 4.5), 2);
    assert!(cut.is_cut && n_passed == 2);
}

#[test]
fn walls_are_found_within_the_radius() {
    let mesh = solo(&[".....", ".....", ".....", ".....", "....."]);
    let scratch = &mut Scratch::default();
    let filter = Filter::default();
    let mut ask = |radius| {
        let request = WallDistanceRequest::new(on(&mesh, 2.5, 1.5), radius, &filter);
        wall_distance(&mesh, &request, scratch)
    };
    let wall = ask(10.0).unwrap();
    assert_eq!((wall.distance, wall.point, wall.normal), (1.5, Some(at(2.5, 0.0)), at(0.0, 1.0)));
    let none = ask(1.0).unwrap();
    assert_eq!((none.distance, none.point), (1.0, None));
    assert_eq!(ask(-1.0), Err(QueryError::BadNumber { what: "the radius" }));
}

#[test]
fn moves_slide_along_walls() {
    let mesh = solo(&WALL);
    let filter = Filter::default();
    let slide = |from: (f32, f32), to: (f32, f32)| {
        let start = on(&mesh, from.0, from.1);
        let request = MoveAlongRequest::new(start, at(to.0, to.1), &filter);
        let moved = move_along(&mesh, &request).unwrap();
        (moved.position, moved.visited.len())
    };
    assert_eq!(slide((0.5, 4.5), (2.5, 4.2)), (at(2.5, 4.2), 3));
    assert_eq!(slide((0.5, 4.5), (2.5, 3.5)), (at(2.5, 4.0), 3));
    assert_eq!(slide((0.5, 4.5), (0.5, 4.5)), (at(0.5, 4.5), 1));
}

/// A trace lists each expansion after its parent, by ascending cost, and changes no result.
#[test]
fn searches_without_an_end_can_be_traced() {
    let (mesh, filter) = (solo(&[".....", ".....", "..#..", ".....", "....."]), Filter::default());
    let center = on(&mesh, 1.5, 2.5);
    let [mut plain, mut traced] = [Scratch::default(), Scratch::traced()];
    let n_met = {
        let request = PolygonsAroundRequest::new(center, 2.0, &filter);
        polygons_around(&mesh, &request, &mut Scratch::default()).unwrap().polys.len()
    };
    let mut check = |what: &str, ask: &mut dyn FnMut(&mut Scratch) -> String| {
        assert_eq!(ask(&mut plain), ask(&mut traced), "{what}");
        assert_eq!(plain.expanded(), []);
        let expanded = traced.expanded();
        assert_eq!((expanded[0].poly, expanded[0].parent, expanded[0].g), (center.poly, None, 0.0));
        for (index, node) in expanded.iter().enumerate().skip(1) {
            let parent = &expanded[node.parent.unwrap() as usize];
            assert!((node.parent.unwrap() as usize) < index && node.g >= parent.g, "{what}");
            assert!(node.g >= expanded[index - 1].g && node.f.to_bits() == node.g.to_bits());
        }
        expanded.len()
    };
    let near = |radius| WallDistanceRequest::new(center, radius, &filter);
    let n =
        check("walls", &mut |scratch| format!("{:?}", wall_distance(&mesh, &near(9.0), scratch)));
    assert!((1..24).contains(&n), "a wall is near: {n}");
    let n_around = check("around", &mut |scratch| {
        let request = PolygonsAroundRequest::new(center, 2.0, &filter);
        format!("{:?}", polygons_around(&mesh, &request, scratch))
    });
    let n_random = check("random", &mut |scratch| {
        let mut draw = Seeded::new(7);
        let request = RandomPointAroundRequest::new(center, 2.0, &filter);
        format!("{:?}", random_point_around(&mesh, &request, scratch, || draw.share()))
    });
    assert_eq!((n_around, n_random), (n_met, n_met));
    let n = check("corridor", &mut |scratch| {
        let _ = find_corridor(&mesh, &CorridorRequest::new(center, center, &filter), scratch);
        let stale = MeshPoint { poly: PolyRef(std::num::NonZeroU64::MAX), ..center };
        let request = WallDistanceRequest { start: stale, ..near(9.0) };
        assert!(wall_distance(&mesh, &request, scratch).is_err());
        format!("{:?}", wall_distance(&mesh, &near(0.1), scratch))
    });
    assert_eq!(n, 1, "a trace is of the last search alone, and survives one that fails");
}

#[test]
fn polygons_around_a_point_come_by_cost() {
    let mesh = solo(&WALL);
    let (center, filter) = (on(&mesh, 0.5, 4.5), Filter::default());
    let request = PolygonsAroundRequest::new(center, 1.6, &filter);
    let around = polygons_around(&mesh, &request, &mut Scratch::default()).unwrap();
    let reached = around.polys;
    assert!(around.is_complete && reached.len() == 3, "not through the wall: {reached:?}");
    assert_eq!((reached[0].poly, reached[0].parent, reached[0].cost), (center.poly, None, 0.0));
    assert!(reached.windows(2).all(|pair| pair[0].cost <= pair[1].cost));
    assert!(reached[1..].iter().all(|r| reached.iter().any(|p| Some(p.poly) == r.parent)));
}

#[test]
fn boxes_find_polygons_in_every_tile_they_touch() {
    let mesh = mesh([tile(0, 0, &["..", ".."]), tile(1, 0, &["..", ".."])]);
    let filter = Filter::default();
    let n_in = |center: Vec3, half_extents: Vec3| {
        let request = PolygonsInBoxRequest::new(center, half_extents, &filter);
        let mut found = polygons_in_box(&mesh, &request).unwrap();
        found.sort_unstable();
        found.dedup();
        found.len()
    };
    assert_eq!(n_in(at(2.0, 1.0), Vec3::splat(0.1)), 4);
    assert_eq!(n_in(at(2.0, 1.0), Vec3::splat(1e9)), 8);
    assert_eq!(n_in(at(0.5, 0.5), Vec3::splat(0.1)), 1);
}

#[test]
fn heights_outside_a_polygon_are_none() {
    let mesh = solo(&["..", ".."]);
    let poly = mesh.poly_ref(0, 0).unwrap();
    assert_eq!(poly_height(&mesh, poly, Vec3::new(0.5, 7.0, 0.2)), Ok(Some(0.0)));
    assert_eq!(poly_height(&mesh, poly, at(1.5, 0.5)), Ok(None));
    let bad = poly_height(&mesh, poly, at(f32::NAN, 0.5));
    assert_eq!(bad, Err(QueryError::BadNumber { what: "the point" }));
}

#[test]
fn stale_ends_are_refused() {
    let mut mesh = solo(&["..", ".."]);
    let ends = [on(&mesh, 0.5, 0.5), on(&mesh, 1.5, 1.5)];
    mesh.remove_tiles_at(TileCoord::new(0, 0));
    let (filter, scratch) = (Filter::default(), &mut Scratch::default());
    let stale = Err(QueryError::StalePolygon { poly: ends[0].poly });
    let request = CorridorRequest::new(ends[0], ends[1], &filter);
    assert_eq!(find_corridor(&mesh, &request, scratch).map(|_| ()), stale);
    let request = RaycastRequest::new(ends[0], at(1.0, 1.0), &filter);
    assert_eq!(raycast(&mesh, &request).map(|_| ()), stale);
    let request = MoveAlongRequest::new(ends[0], at(1.0, 1.0), &filter);
    assert_eq!(move_along(&mesh, &request).map(|_| ()), stale);
}
