//! Tens of thousands of off-mesh links at one place, as hostile files have them.

#![expect(clippy::unwrap_used, reason = "a navmesh that cannot be made should fail its test")]

use walkable::{
    glam::Vec3,
    navmesh::NavMesh,
    query::{
        Filter, FlowFieldRequest, MeshPoint, NearestRequest, QueryError, RouteOverlay, flow_field,
        nearest,
    },
};
use walkable_test_support::piles::{PileTile, TILE_SIDE, navmesh};

/// Returns two squares in different cells of an overlay, with `n` links between them in both directions.
fn linked(n: usize) -> NavMesh {
    let (mut from, mut to) = (PileTile::new([3, 0, 0]), PileTile::new([4, 0, 0]));
    from.square(Vec3::new(4.0, 0.5, 2.0), 5.0);
    to.square(Vec3::new(1.0, 0.5, 2.0), 5.0);
    for _ in 0..n {
        from.link_along_x([Vec3::new(8.0, 0.5, 4.0), Vec3::new(TILE_SIDE + 2.0, 0.5, 4.0)], 0.1);
    }
    navmesh(vec![from.finish(), to.finish()]).unwrap()
}

fn goal(mesh: &NavMesh) -> MeshPoint {
    let at = Vec3::new(4.0 * TILE_SIDE + 2.0, 0.5, 3.0);
    nearest(mesh, &NearestRequest::new(at, &Filter::default())).unwrap().unwrap()
}

#[test]
fn routes_and_flow_fields_refuse_too_many_links_at_one_place() {
    let filter = Filter::default();
    let some = linked(500);
    let field = flow_field(&some, &FlowFieldRequest::new(goal(&some), &filter)).unwrap();
    let from = Vec3::new(3.0 * TILE_SIDE + 5.0, 0.5, 3.0);
    let from = nearest(&some, &NearestRequest::new(from, &filter)).unwrap().unwrap();
    assert!(field.cost(&some, from).is_some());
    assert!(RouteOverlay::new(&some, &filter).is_ok());

    let many = linked(30_000);
    let refused = |error| matches!(error, Some(QueryError::TooManyLinks { .. }));
    let field = flow_field(&many, &FlowFieldRequest::new(goal(&many), &filter));
    assert!(refused(field.err()));
    assert!(refused(RouteOverlay::new(&many, &filter).err()));
    // The overlay of another state of the navmesh refuses it, too, and can be used again.
    let mut overlay = RouteOverlay::new(&some, &filter).unwrap();
    assert!(refused(overlay.update(&many).err()));
    overlay.update(&some).unwrap();
    assert_eq!(overlay.n_waiting(), 0);
}
