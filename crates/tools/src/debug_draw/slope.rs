use glam::Vec3;
use walkable_bake::bake::TriangleSlopes;
use walkable_mesh::TriMesh;

use crate::debug_draw::{DrawList, Paint};

/// Draws the triangles of one tile, by whether their slope is walkable. Triangles across the border of a tile are in
/// the pictures of both tiles.
pub fn slope(mesh: &TriMesh, slopes: &TriangleSlopes) -> DrawList {
    let mut list = DrawList::default();
    for (&triangle, area) in slopes.triangles.iter().zip(&slopes.areas) {
        let paint = if area.is_walkable() { Paint::LevelWalkable } else { Paint::LevelSteep };
        if (triangle as usize) < mesh.triangles().len() {
            list.fill(&mesh.corners(triangle as usize), paint);
        }
    }
    list
}

/// Returns the edges of a level that are worth a line: open edges, and edges at which the surface bends by more than
/// `min_bend` radians. Vertices at the same position count as one. Triangles without area are skipped. Each edge is
/// returned once, in an order that depends on positions only.
pub fn feature_edges(mesh: &TriMesh, min_bend: f32) -> Vec<[Vec3; 2]> {
    let place = places(mesh.vertices());
    let mut sides: Vec<([u32; 2], u32)> = Vec::with_capacity(mesh.triangles().len() * 3);
    for (corners, triangle) in mesh.triangles().iter().zip(0..) {
        let [a, b, c] = corners.map(|vertex| place[vertex as usize]);
        if a != b && b != c && c != a {
            sides.extend([[a, b], [b, c], [c, a]].map(|[u, v]| ([u.min(v), u.max(v)], triangle)));
        }
    }
    sides.sort_unstable();
    let max_cos = min_bend.cos();
    let edges = sides.chunk_by(|a, b| a.0 == b.0);
    let features = edges.filter(|sides| match sides {
        [(_, a), (_, b)] => bends(normal(mesh, *a), normal(mesh, *b), max_cos),
        _ => true,
    });
    features.map(|sides| sides[0].0.map(|vertex| mesh.vertices()[vertex as usize])).collect()
}

/// Returns for each vertex the lowest index of a vertex at the same position.
fn places(vertices: &[Vec3]) -> Vec<u32> {
    // Adding zero turns -0 into 0, so that their bits are equal.
    let bits = |v: &Vec3| v.to_array().map(|c| (c + 0.0).to_bits());
    let mut order: Vec<([u32; 3], u32)> = vertices.iter().map(bits).zip(0..).collect();
    order.sort_unstable();
    let mut place = vec![0; vertices.len()];
    for same in order.chunk_by(|a, b| a.0 == b.0) {
        for &(_, vertex) in same {
            place[vertex as usize] = same[0].1;
        }
    }
    place
}

fn normal(mesh: &TriMesh, triangle: u32) -> Vec3 {
    let [a, b, c] = mesh.corners(triangle as usize);
    (b - a).cross(c - a).normalize_or_zero()
}

/// Returns whether the angle between two normals is large. A surface flipped by a winding error does not count as bent.
fn bends(a: Vec3, b: Vec3, max_cos: f32) -> bool {
    a.dot(b).abs() < max_cos && a != Vec3::ZERO && b != Vec3::ZERO
}
