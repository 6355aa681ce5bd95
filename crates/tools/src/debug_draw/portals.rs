use walkable_runtime::navmesh::{NavMesh, PORTAL_BIT, PolyKind};

use crate::debug_draw::{DrawList, Paint};

/// Draws the edges of ground on the borders of tiles: the portals to the next tile, and the edges without a link, which
/// are walls.
pub fn border_portals(mesh: &NavMesh) -> DrawList {
    let mut list = DrawList::default();
    for (slot, tile) in mesh.slots() {
        for (index, poly) in tile.polys.iter().enumerate() {
            let Some(own) = mesh.poly_ref(slot, index).filter(|_| poly.kind == PolyKind::Ground)
            else {
                continue;
            };
            for edge in (0..poly.n_vertices).filter(|&edge| is_portal(poly.neighbors, edge)) {
                let over = mesh.links(own).filter(|link| link.edge == edge && link.side != 0xff);
                let mut is_linked = false;
                for link in over {
                    is_linked = true;
                    let ends = [link.portal.left, link.portal.right];
                    list.line(ends, 4.0, Paint::PathPortal);
                    for end in ends {
                        list.point(end, 5.0, Paint::PathPortal);
                    }
                }
                if !is_linked {
                    list.line(tile.edge(poly, usize::from(edge)), 3.0, Paint::BoundaryEdge);
                }
            }
        }
    }
    list
}

fn is_portal<const N: usize>(neighbors: [u16; N], edge: u8) -> bool {
    neighbors.get(usize::from(edge)).is_some_and(|neighbor| neighbor & PORTAL_BIT != 0)
}
