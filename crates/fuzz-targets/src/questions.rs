//! Navmesh queries.

use walkable::{
    glam::Vec3,
    navmesh::NavMesh,
    query::{
        Filter, LocalNeighborhoodRequest, MeshPoint, MoveAlongRequest, NavPath, PathRequest,
        PolygonsAroundRequest, PolygonsAroundShapeRequest, RandomPointRequest, RaycastRequest,
        Reachability, Scratch, Seeded, Shortcuts, SlicedPath, SlicedRequest, SlicedState,
        TileChoice, WallDistanceRequest, edge_segments, find_path, local_neighborhood, move_along,
        polygons_around, polygons_around_shape, random_point, raycast, wall_distance,
    },
};

/// Runs every kind of query, between points of the mesh and far outside it.
pub fn ask_everything(mesh: &NavMesh) {
    let filter = Filter::default();
    let (mut scratch, mut seeded) = (Scratch::default(), Seeded::new(5));
    let _ = Reachability::new(mesh, &filter);
    let bounds = mesh.bounds();
    let places = [bounds.min, bounds.max, (bounds.min + bounds.max) * 0.5, Vec3::splat(1e30)];
    for (index, &start) in places.iter().enumerate() {
        let end = places[(index + 1) % places.len()];
        let half_extents = Vec3::new(20.0, 40.0, 20.0);
        let request =
            PathRequest { half_extents, max_nodes: 300, ..PathRequest::new(start, end, &filter) };
        let path =
            find_path(mesh, &request, &mut scratch).unwrap_or_else(|_| NavPath::unreachable());
        let from_end = PathRequest { backwards: true, requires_goal: false, ..request };
        let _ = find_path(mesh, &from_end, &mut scratch);
        let by_area = RandomPointRequest { tiles: TileChoice::ByArea, filter: &filter };
        let drawn = random_point(mesh, &by_area, || seeded.share());
        let Some(start) = path.start.or(drawn) else { continue };
        ask_at(mesh, start, end, &mut scratch);
        let _ = edge_segments(mesh, start.poly, &filter);
        let _ = local_neighborhood(mesh, &LocalNeighborhoodRequest::new(start, 20.0, &filter));
        let _ = move_along(mesh, &MoveAlongRequest::new(start, end, &filter));
        let around = PolygonsAroundRequest::new(start, 20.0, &filter);
        let _ = polygons_around(mesh, &around, &mut scratch);
        let shape = [Vec3::ZERO, Vec3::Z * 9.0, Vec3::X * 9.0].map(|corner| start.point + corner);
        let around = PolygonsAroundShapeRequest::new(start.poly, &shape, &filter);
        let _ = polygons_around_shape(mesh, &around, &mut scratch);
        path.end.iter().for_each(|&end| slice(mesh, [start, end]));
    }
}

fn ask_at(mesh: &NavMesh, start: MeshPoint, end: Vec3, scratch: &mut Scratch) {
    let filter = Filter::default();
    // On a mesh that is not flat, a ray can run in circles, so the number of polygons is limited.
    let request = RaycastRequest { max_polys: 64, ..RaycastRequest::new(start, end, &filter) };
    let _ = raycast(mesh, &request);
    let request = WallDistanceRequest::new(start, 20.0, &filter);
    let _ = wall_distance(mesh, &WallDistanceRequest { max_nodes: 300, ..request }, scratch);
}

fn slice(mesh: &NavMesh, [start, end]: [MeshPoint; 2]) {
    let filter = Filter::default();
    let (shortcuts, max_nodes) = (Shortcuts::AsDetour, 300);
    let request = SlicedRequest { start, end, shortcuts, max_nodes };
    let Ok(mut search) = SlicedPath::new(mesh, &request, Scratch::default()) else { return };
    while search.step(mesh, &filter, 50) == Ok(SlicedState::Searching) {}
    let _ = search.corridor(mesh, &filter);
}
