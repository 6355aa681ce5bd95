use glam::Vec3;
use walkable_bake::bake::{DetailMesh, PolyMesh};

use crate::debug_draw::{DrawList, Paint, compact::area_paint};

/// Draws the detail mesh, which defines the height of polygons: surfaces by area, the edges of polygons, the edges
/// between triangles inside a polygon, and the vertices that the detail mesh added.
pub fn detail(polygons: &PolyMesh, mesh: &DetailMesh) -> DrawList {
    let mut list = DrawList::default();
    for (polygon, patch) in polygons.polygons.iter().zip(&mesh.patches) {
        let vertices = part(&mesh.vertices, patch.first_vertex, patch.n_vertices);
        for triangle in part(&mesh.triangles, patch.first_triangle, patch.n_triangles) {
            draw_triangle(*triangle, vertices, area_paint(polygon.area), &mut list);
        }
        for &vertex in vertices.iter().skip(polygon.vertices.len()) {
            list.point(vertex, 4.0, Paint::DetailEdge);
        }
    }
    list
}

/// Returns `n` elements of `all` from `first` on; empty if `all` does not have them.
fn part<T>(all: &[T], first: u32, n: u32) -> &[T] {
    let first = first as usize;
    all.get(first..first.saturating_add(n as usize)).unwrap_or_default()
}

fn draw_triangle([a, b, c, flags]: [u8; 4], vertices: &[Vec3], paint: Paint, list: &mut DrawList) {
    let at = |vertex: u8| vertices.get(usize::from(vertex)).copied();
    let (Some(a), Some(b), Some(c)) = (at(a), at(b), at(c)) else { return };
    list.fill(&[a, b, c], paint);
    for (edge, number) in [[a, b], [b, c], [c, a]].into_iter().zip(0..) {
        if is_on_boundary(flags, number) {
            list.line(edge, 1.5, Paint::InnerEdge);
        } else {
            list.line(edge, 1.0, Paint::DetailEdge);
        }
    }
}

/// Returns whether edge `number` of a detail triangle with `flags` is on the boundary of its polygon.
pub(super) fn is_on_boundary(flags: u8, number: u8) -> bool {
    (flags >> (2 * number)) & 3 != 0
}
