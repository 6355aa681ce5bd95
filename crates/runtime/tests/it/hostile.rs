//! Queries on navmeshes whose links no bake makes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, sync::Arc};

use glam::Vec3;
use walkable::{
    crowd::{AgentParams, Crowd, CrowdParams},
    navmesh::{NavMesh, NavMeshError, NavMeshParams, OffMeshConnection, format::RefWidth},
    query::{
        Filter, MeshPoint, PathCorridor, Raycast, RaycastRequest, Scratch, Shortcuts, SlicedPath,
        SlicedRequest, SlicedState, raycast,
    },
};
use walkable_test_support::hostile::{self, Slab};

/// Returns a point in the first polygon.
fn start(mesh: &NavMesh) -> MeshPoint {
    MeshPoint { poly: mesh.poly_ref(0, 0).unwrap(), point: Vec3::new(0.5, 0.0, 0.5) }
}

/// Casts a ray along x, in the direction in which the links of [`hostile::ring`] lead in a circle.
fn along_x(mesh: &NavMesh, max_polys: usize) -> Raycast {
    let (start, filter) = (start(mesh), Filter::default());
    let end = start.point + Vec3::X * 100_000.0;
    let request = RaycastRequest { max_polys, ..RaycastRequest::new(start, end, &filter) };
    raycast(mesh, &request).unwrap()
}

#[test]
fn a_ray_ends_where_it_comes_back() {
    for n in [1, 2, 3, 63, 64, 65, 200, 4000] {
        let mesh = hostile::ring(n);
        let n = usize::from(n);
        let whole = along_x(&mesh, usize::MAX);
        let passed: BTreeSet<_> = whole.visited.iter().collect();
        assert_eq!((whole.visited.len(), passed.len(), whole.hit.is_cut), (n, n, true), "{n}");
        assert_eq!(along_x(&mesh, n), whole);
        assert_eq!(along_x(&mesh, 10 * n), whole);
        let short = along_x(&mesh, n - 1);
        assert_eq!((&short.visited[..], short.hit.is_cut), (&whole.visited[..n - 1], true), "{n}");
    }
    let tiles = along_x(&hostile::ring_of_tiles(), usize::MAX);
    assert_eq!((tiles.visited.len(), tiles.hit.is_cut), (2, true));
    let hub = along_x(&hostile::hub(500), usize::MAX);
    assert_eq!((hub.visited.len(), hub.hit.is_cut), (2, true));
}

#[test]
fn agents_walk_where_rays_come_back() {
    for mesh in [hostile::ring(3), hostile::ring(200), hostile::ring_of_tiles(), hostile::hub(300)]
    {
        let params = CrowdParams { max_agents: 4, max_agent_radius: 0.6 };
        let mut crowd = Crowd::new(params).unwrap();
        let (from, filter) = (start(&mesh), Filter::default());
        for _ in 0..params.max_agents {
            let agent = crowd.add_agent(&mesh, from.point, AgentParams::of_size(0.3, 2.0)).unwrap();
            let poly = mesh.poly_ref(0, 1).unwrap_or(from.poly);
            crowd.set_target(agent, MeshPoint { poly, point: from.point + Vec3::X }).unwrap();
        }
        for _ in 0..200 {
            crowd.update(&mesh, 0.1);
        }
        let mut corridor = PathCorridor::new(from);
        corridor.optimize_visibility(&mesh, from.point + Vec3::X * 9.0, 30.0, &filter).unwrap();
        assert_eq!(corridor.polys(), [from.poly]);
    }
}

#[test]
fn a_search_with_shortcuts_ends_where_rays_come_back() {
    let mesh = hostile::ring(200);
    let from = start(&mesh);
    let end =
        MeshPoint { poly: mesh.poly_ref(0, 100).unwrap(), point: from.point + Vec3::X * 100.0 };
    let request = SlicedRequest { shortcuts: Shortcuts::Far, ..SlicedRequest::new(from, end) };
    let mut search = SlicedPath::new(&mesh, &request, Scratch::default()).unwrap();
    let filter = Filter::default();
    while search.step(&mesh, &filter, 50).unwrap() == SlicedState::Searching {}
    assert!(search.corridor(&mesh, &filter).unwrap().is_complete);
}

/// Every link of a polygon is compared with the others, to give all links to one polygon the same portal. That must not
/// take quadratic time.
#[test]
fn thousands_of_off_mesh_links_may_end_at_a_polygon() {
    let mesh = hostile::hub(5_000);
    mesh.prepare_queries();
    let first = mesh.poly_ref(0, 0).unwrap();
    assert_eq!(mesh.links(first).count(), 1 + 2 * 5_000);
}

#[test]
fn a_tile_that_takes_too_long_to_link_is_refused() {
    let slabs = vec![Slab::at(0.0); 8000];
    let ends = [0.2, 0.8].map(|x| Vec3::new(x, 0.0, 0.5));
    let link = OffMeshConnection { ends, radius: 0.5, poly: 0, flags: 1, side: 0xff, user_id: 0 };
    let crowded = Arc::new(hostile::tile([0, 0, 1], &slabs, vec![link; 16_000]));
    let sound = Arc::new(hostile::tile([0, 0, 0], &slabs[..1], vec![link]));
    let params = NavMeshParams { max_tiles: 4, ..NavMeshParams::solo(&crowded) };
    let mut mesh = NavMesh::new(params).unwrap();
    mesh.add_tile(Arc::clone(&sound)).unwrap();
    let before = (mesh.to_bytes(), mesh.stats());
    let refused = mesh.add_tile(Arc::clone(&crowded));
    assert_eq!(refused, Err(NavMeshError::TooMuchWork { x: 0, z: 0, layer: 1 }));
    assert_eq!((mesh.to_bytes(), mesh.stats()), before);
    let again = NavMesh::of_tiles(params, RefWidth::Bits32, vec![sound, crowded]);
    assert_eq!(again.map(|_| ()), refused);
}
