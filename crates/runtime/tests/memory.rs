//! A warm query allocates nothing.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::alloc::System;

use glam::{DVec2, Vec3};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use walkable::{
    navmesh::{NavMesh, PolyRef},
    query::{
        Crossings, Filter, MAX_NODES, MeshPoint, NavPath, PathPoint, PathRequest, Scratch, Strides,
        find_corridor, find_corridor_backwards, find_path_into, find_shortest_path_into, follow,
        nearest,
        polyanya::{PlanePath, PlaneScratch, PolygonMesh, shortest_in_plane},
        raycast, straight_path,
    },
};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Allocations and reallocations while `work` runs for the second time.
#[track_caller]
fn assert_no_allocation(what: &str, mut work: impl FnMut()) {
    work();
    let region = Region::new(ALLOCATOR);
    work();
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{what}");
}

fn ends(text: &str) -> Vec<[Vec3; 2]> {
    let numbers = |line: &str| line.split(' ').map(|n| n.parse().unwrap()).collect::<Vec<f32>>();
    let lines = text.lines().map(numbers);
    lines.map(|n| [Vec3::from_slice(&n[..3]), Vec3::from_slice(&n[3..])]).collect()
}

/// One test, because tests run side by side and share the allocator.
#[test]
fn warm_queries_allocate_nothing() {
    let (_, case) = walkable_test_support::cases()
        .into_iter()
        .find(|(name, _)| name.ends_with("tiled"))
        .unwrap();
    let mesh = NavMesh::from_bytes(&std::fs::read(case.join("navmesh.bin")).unwrap()).unwrap();
    let queries = ends(&std::fs::read_to_string(case.join("queries.txt")).unwrap());
    let filter = Filter::default();
    let half = Vec3::new(2.0, 4.0, 2.0);
    let on_mesh: Vec<[MeshPoint; 2]> = queries
        .iter()
        .filter_map(|ends| {
            let [start, end] = ends.map(|end| nearest(&mesh, end, half, &filter));
            Some([start?, end?])
        })
        .collect();
    assert!(!on_mesh.is_empty());
    let mut scratch = Scratch::default();
    let mut refs: Vec<PolyRef> = Vec::new();
    let mut points: Vec<PathPoint> = Vec::new();

    assert_no_allocation("nearest", || {
        for &end in queries.iter().flatten() {
            let _ = nearest(&mesh, end, half, &filter);
        }
    });
    assert_no_allocation("corridor and funnel", || {
        for &ends in &on_mesh {
            find_corridor(&mesh, ends, &filter, MAX_NODES, &mut scratch, &mut refs).unwrap();
            let ends = ends.map(|end| end.point);
            straight_path(&mesh, ends, &refs, Crossings::All, &mut scratch, &mut points).unwrap();
        }
    });
    let mut footprints = Vec::new();
    assert_no_allocation("corridor from the end", || {
        for &ends in &on_mesh {
            find_corridor_backwards(&mesh, ends, &filter, MAX_NODES, &mut scratch, &mut refs)
                .unwrap();
        }
    });
    assert_no_allocation("strides", || {
        for &ends in &on_mesh {
            find_corridor(&mesh, ends, &filter, MAX_NODES, &mut scratch, &mut refs).unwrap();
            let (ends, strides) = (ends.map(|end| end.point), Strides::default());
            follow(&mesh, ends, &refs, strides, &mut scratch, &mut footprints).unwrap();
        }
    });
    assert_no_allocation("raycast", || {
        for &[start, end] in &on_mesh {
            raycast(&mesh, start, end.point, &filter, 256, &mut refs).unwrap();
        }
    });
    let mut path = NavPath::unreachable();
    assert_no_allocation("whole paths", || {
        for &[start, end] in &queries {
            let request = PathRequest::new(start, end, &filter);
            find_path_into(&mesh, &request, &mut scratch, &mut path);
        }
    });
    assert_no_allocation("shortest paths", || {
        for &[start, end] in &queries {
            let request = PathRequest::new(start, end, &filter);
            find_shortest_path_into(&mesh, &request, &mut scratch, &mut path).unwrap();
        }
    });
    polyanya_allocates_nothing();
}

/// Two squares side by side.
const MAP: &str = "mesh\n2\n6 2\n0 0 1 0\n1 0 2 0 1\n2 0 1 1\n0 1 1 0\n1 1 2 0 1\n2 1 1 1\n\
    4 0 1 4 3 -1 -1 1 -1\n4 1 2 5 4 0 -1 -1 -1\n";

fn polyanya_allocates_nothing() {
    let map: PolygonMesh = MAP.parse().unwrap();
    let (mut scratch, mut path) = (PlaneScratch::default(), PlanePath::default());
    assert_no_allocation("shortest in the plane", || {
        let ends = [DVec2::new(0.1, 0.5), DVec2::new(1.9, 0.4)];
        let ends = ends.map(|end| map.locate(end).unwrap());
        shortest_in_plane(&map, ends, usize::MAX, &mut scratch, &mut path);
        assert_eq!(path.corridor, [0, 1]);
    });
}
