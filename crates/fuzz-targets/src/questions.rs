//! Navmesh queries.

use walkable::{
    glam::Vec3,
    navmesh::NavMesh,
    query::{
        Filter, MeshPoint, PathRequest, Reachability, Scratch, Seeded, Shortcuts, SlicedPath,
        SlicedState, TileChoice, edge_segments, find_path, local_neighborhood, move_along,
        polygons_around, polygons_around_shape, random_point, raycast, wall_distance,
    },
};

/// Runs every kind of query, between points of the mesh and far outside it.
pub fn ask_everything(mesh: &NavMesh) {
    let filter = Filter::default();
    let (mut scratch, mut seeded) = (Scratch::default(), Seeded::new(5));
    let (mut polys, mut reached, mut edges, mut near) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let _ = Reachability::new(mesh, &filter);
    let bounds = mesh.bounds();
    let places = [bounds.min, bounds.max, (bounds.min + bounds.max) * 0.5, Vec3::splat(1e30)];
    for (index, &start) in places.iter().enumerate() {
        let end = places[(index + 1) % places.len()];
        let half_extents = Vec3::new(20.0, 40.0, 20.0);
        let request =
            PathRequest { half_extents, max_nodes: 300, ..PathRequest::new(start, end, &filter) };
        let path = find_path(mesh, &request, &mut scratch);
        let from_end = PathRequest { backwards: true, requires_goal: false, ..request };
        let _ = find_path(mesh, &from_end, &mut scratch);
        let drawn = random_point(mesh, TileChoice::ByArea, &filter, || seeded.share());
        let Some(start) = path.start.or(drawn) else { continue };
        ask_at(mesh, start, end, &mut scratch);
        let _ = edge_segments(mesh, start.poly, &filter, &mut edges);
        let _ = local_neighborhood(mesh, start, 20.0, &filter, &mut near);
        let _ = move_along(mesh, start, end, &filter, &mut polys);
        let _ = polygons_around(mesh, start, 20.0, &filter, &mut scratch, &mut reached);
        let shape = [Vec3::ZERO, Vec3::Z * 9.0, Vec3::X * 9.0].map(|corner| start.point + corner);
        let _ =
            polygons_around_shape(mesh, start.poly, &shape, &filter, &mut scratch, &mut reached);
        path.end.iter().for_each(|&end| slice(mesh, [start, end]));
    }
}

fn ask_at(mesh: &NavMesh, start: MeshPoint, end: Vec3, scratch: &mut Scratch) {
    let (filter, mut visited) = (Filter::default(), Vec::new());
    // On a mesh that is not flat, a ray can run in circles, so the number of polygons is limited.
    let _ = raycast(mesh, start, end, &filter, 64, &mut visited);
    let _ = wall_distance(mesh, start, 20.0, &filter, 300, scratch);
}

fn slice(mesh: &NavMesh, ends: [MeshPoint; 2]) {
    let filter = Filter::default();
    let Ok(mut search) = SlicedPath::new(mesh, ends, Shortcuts::AsDetour, 300) else { return };
    while search.step(mesh, &filter, 50) == Ok(SlicedState::Searching) {}
    let _ = search.corridor(mesh, &filter, &mut Vec::new());
}
