//! Exports a navmesh as Wavefront OBJ, for viewing in a modeling program.

use std::fmt::Write as _;

use crate::navmesh::{NavMesh, Tile};

/// Writes the detail surface of `mesh` as OBJ: a group per tile, a face per detail triangle, counter-clockwise seen
/// from above. Off-mesh links are lines.
pub fn to_obj(mesh: &NavMesh) -> String {
    let mut text = String::from("# navigation mesh, y up, meters\n");
    let mut first_vertex = 1;
    for tile in mesh.tiles() {
        let (x, z, layer) = (tile.header.x, tile.header.z, tile.header.layer);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "g tile_{x}_{z}_{layer}");
        for vertex in tile.vertices.iter().chain(&tile.detail_vertices) {
            let _ = writeln!(text, "v {} {} {}", vertex.x, vertex.y, vertex.z);
        }
        faces(&mut text, tile, first_vertex);
        first_vertex += tile.vertices.len() + tile.detail_vertices.len();
    }
    text
}

fn faces(text: &mut String, tile: &Tile, first_vertex: usize) {
    let first_detail = first_vertex + tile.vertices.len();
    for (index, patch) in tile.detail_patches.iter().enumerate() {
        let poly = &tile.polys[index];
        let name = |corner: u8| match corner.checked_sub(poly.n_vertices) {
            None => first_vertex + usize::from(poly.vertices[usize::from(corner)]),
            Some(own) => first_detail + patch.first_vertex as usize + usize::from(own),
        };
        for &[a, b, c, _] in tile.detail_of(index) {
            let _ = writeln!(text, "f {} {} {}", name(a), name(b), name(c));
        }
    }
    for connection in &tile.off_mesh {
        let [a, b, ..] = tile.polys[usize::from(connection.poly)].vertices;
        let [a, b] = [a, b].map(|vertex| first_vertex + usize::from(vertex));
        let _ = writeln!(text, "l {a} {b}");
    }
}
