use walkable_runtime::navmesh::NavMesh;

use crate::debug_draw::{DrawList, Paint, link::ring};

/// Draws each unconnected end of an off-mesh link: a ring with the radius in which the link looks for ground.
pub fn dead_ends(mesh: &NavMesh) -> DrawList {
    let mut list = DrawList::default();
    for (slot, tile) in mesh.slots() {
        for connection in &tile.off_mesh {
            let Some(poly) = mesh.poly_ref(slot, usize::from(connection.poly)) else { continue };
            for (end, number) in connection.ends.into_iter().zip(0..) {
                if !mesh.links(poly).any(|link| link.edge == number) {
                    ring(&mut list, end, connection.radius, Paint::Problem);
                    list.point(end, 9.0, Paint::Problem);
                }
            }
        }
    }
    list
}
