use glam::Vec3;
use walkable_bake::bake::{Edge, MeshPolygon, PolyMesh};

use crate::debug_draw::{DrawList, Paint, compact::area_paint};

/// Draws the convex polygons on the voxel grid: surfaces by area, edges by the kind of their neighbor, and corners.
pub fn polygons(mesh: &PolyMesh) -> DrawList {
    painted_polygons(mesh, |index, _| area_paint(mesh.polygons[index].area))
}

/// Draws polygons like [`polygons`], with surfaces painted by `paint_of`, which receives the index and the corners of
/// each polygon.
pub fn painted_polygons(mesh: &PolyMesh, paint_of: impl Fn(usize, &[Vec3]) -> Paint) -> DrawList {
    let mut list = DrawList::default();
    for (polygon, index) in mesh.polygons.iter().zip(0..) {
        let corners = corners(mesh, polygon);
        list.fill(&corners, paint_of(usize::from(index), &corners));
        draw_edges(polygon, index, &corners, &mut list);
    }
    for index in 0..mesh.vertices.len() {
        if let Ok(index) = u16::try_from(index) {
            list.point(mesh.world_vertex(index), 4.0, Paint::BoundaryEdge);
        }
    }
    list
}

/// Draws polygons like [`polygons`], only from number `first` on, and without their corners.
pub(super) fn polygons_from(mesh: &PolyMesh, first: usize) -> DrawList {
    let mut list = DrawList::default();
    for (polygon, index) in mesh.polygons.iter().zip(0..).skip(first) {
        let corners = corners(mesh, polygon);
        list.fill(&corners, area_paint(polygon.area));
        draw_edges(polygon, index, &corners, &mut list);
    }
    list
}

/// Returns the world positions of the corners of `polygon`.
pub(super) fn corners(mesh: &PolyMesh, polygon: &MeshPolygon) -> Vec<Vec3> {
    polygon.vertices.iter().map(|&vertex| mesh.world_vertex(vertex)).collect()
}

/// Draws the edges of polygon `index`, except edges that a polygon with a lower index also has.
pub(super) fn draw_edges(polygon: &MeshPolygon, index: u16, corners: &[Vec3], list: &mut DrawList) {
    let next = corners.iter().cycle().skip(1);
    for ((&edge, &a), &b) in polygon.edges.iter().zip(corners).zip(next) {
        match edge {
            Edge::Neighbor(other) if other < index => {}
            Edge::Neighbor(_) => list.line([a, b], 1.5, Paint::InnerEdge),
            Edge::Portal(_) => list.dashed_line([a, b], 1.25, Paint::PortalEdge),
            Edge::Boundary | Edge::Itself => list.line([a, b], 2.0, Paint::BoundaryEdge),
        }
    }
}
