use walkable_runtime::monitor::Unmonitored;

use super::*;
use crate::bake::{
    contour::build_contours,
    lattice::{is_left_or_on, signed_area},
    pictures::{Picture, picture, picture_with},
};

fn mesh_of(picture: &Picture, max_error: f32, max_verts_per_poly: usize) -> PolyMesh {
    let (set, _) = build_contours(picture.for_contours(), max_error, 0, &Unmonitored).unwrap();
    let (mesh, warnings) = build_polymesh(&set, max_verts_per_poly, &Unmonitored).unwrap();
    assert_eq!(warnings, []);
    mesh
}

/// Returns twice the area of all polygons together.
fn doubled_area(mesh: &PolyMesh) -> i64 {
    let area = |polygon: &MeshPolygon| -> i64 {
        let corners: Vec<Point> = corners(mesh, polygon);
        (1..corners.len() - 1).map(|i| -signed_area(corners[0], corners[i], corners[i + 1])).sum()
    };
    mesh.polygons.iter().map(area).sum()
}

fn corners(mesh: &PolyMesh, polygon: &MeshPolygon) -> Vec<Point> {
    polygon.vertices.iter().map(|&v| point_of(mesh.vertices[usize::from(v)])).collect()
}

/// Checks what every mesh must be: convex polygons, all with the same winding, and mutual neighbors.
#[track_caller]
fn assert_sound(mesh: &PolyMesh) {
    for (index, polygon) in (0_u16..).zip(&mesh.polygons) {
        let corners = corners(mesh, polygon);
        let n = corners.len();
        assert!((3..=mesh.max_verts_per_poly).contains(&n));
        assert_eq!(polygon.edges.len(), n);
        for i in 0..n {
            let [a, b, c] = [0, 1, 2].map(|k| corners[(i + k) % n]);
            assert!(is_left_or_on(a, b, c), "polygon {index} is convex at {b:?}: {corners:?}");
            if let Edge::Neighbor(other) = polygon.edges[i] {
                let other = &mesh.polygons[usize::from(other)];
                let back = other.edges.iter().position(|&e| e == Edge::Neighbor(index));
                assert!(back.is_some(), "polygon {index} edge {i} is mutual");
            }
        }
    }
}

#[track_caller]
fn check(text: &str, max_verts_per_poly: usize, n_polygons: usize) {
    let mesh = mesh_of(&picture(text), 0.5, max_verts_per_poly);
    assert_sound(&mesh);
    assert_eq!(mesh.polygons.len(), n_polygons);
    let n_cells = text.bytes().filter(u8::is_ascii_alphabetic).count();
    assert_eq!(doubled_area(&mesh), 2 * i64::try_from(n_cells).unwrap(), "covers every cell once");
}

#[test]
fn a_square_is_one_polygon_or_two_triangles() {
    check("AAAA AAAA AAAA AAAA", 6, 1);
    check("AAAA AAAA AAAA AAAA", 3, 2);
}

#[test]
fn an_l_is_two_polygons() {
    check("AA.... AA.... AA.... AA.... AAAAAA AAAAAA", 6, 2);
}

#[test]
fn a_ring_leaves_its_hole_open() {
    check("AAAAAA AAAAAA AA..AA AA..AA AAAAAA AAAAAA", 6, 4);
}

#[test]
fn two_regions_share_an_edge() {
    let mesh = mesh_of(&picture("AAABBB AAABBB AAABBB"), 0.5, 6);
    assert_sound(&mesh);
    assert_eq!(mesh.vertices.len(), 6);
    let neighbors =
        |i: usize| mesh.polygons[i].edges.iter().filter(|e| matches!(e, Edge::Neighbor(_))).count();
    assert_eq!((mesh.polygons.len(), neighbors(0), neighbors(1)), (2, 1, 1));
    assert_eq!([mesh.polygons[0].region, mesh.polygons[1].region], [RegionId(1), RegionId(2)]);
}

#[test]
fn edges_on_the_tile_border_are_portals() {
    let text = "1333332 1AAAAA2 1AAAAA2 1AAAAA2 1444442";
    let mesh = mesh_of(&picture_with(text, 1, |_, _| 0), 0.5, 6);
    assert_sound(&mesh);
    let edges: Vec<_> = mesh.polygons[0].edges.iter().copied().collect();
    assert_eq!(mesh.polygons.len(), 1);
    for side in 0..4 {
        assert!(edges.contains(&Edge::Portal(side)), "{edges:?}");
    }
    assert_eq!(mesh.origin, Vec3::new(1.0, 0.0, 1.0));
}

#[test]
fn a_corner_between_regions_at_the_border_is_taken_away() {
    // Without its border the tile is 6 by 3 cells; the regions meet at x = 3 on both long sides.
    let text = "13333332 1AAABBB2 1AAABBB2 1AAABBB2 14444442";
    let mesh = mesh_of(&picture_with(text, 1, |_, _| 0), 0.5, 6);
    assert_sound(&mesh);
    assert_eq!(doubled_area(&mesh), 2 * 18);
    assert_eq!(mesh.polygons.len(), 1);
    assert_eq!(mesh.polygons[0].region, RegionId::NONE, "it covers two regions");
    assert_eq!(mesh.vertices.len(), 4);
}

#[test]
fn too_many_corners_are_refused() {
    let picture = picture("AA AA");
    let (mut set, _) = build_contours(picture.for_contours(), 0.5, 0, &Unmonitored).unwrap();
    let corner = set.contours[0].vertices[0];
    set.contours[0].vertices.resize(MAX_OUTLINE_CORNERS + 1, corner);
    let error = build_polymesh(&set, 6, &Unmonitored).unwrap_err();
    assert!(matches!(error, StageError::Limit(Limit { value: 65_534, limit: 65_533, .. })));
}

#[test]
fn coordinates_beyond_16_bits_are_refused() {
    let picture = picture("AA AA");
    let (mut set, _) = build_contours(picture.for_contours(), 0.5, 0, &Unmonitored).unwrap();
    set.contours[0].vertices[0].x = 65_536;
    let error = build_polymesh(&set, 6, &Unmonitored).unwrap_err();
    assert!(matches!(error, StageError::Limit(Limit { value: 65_536, .. })));
}
