//! PLY 1.0 as text: polygons with the properties `area`, `flags` and `tile`, and the color of the area.

use std::fmt::Write as _;

use walkable_bake::bake::Rgb;

use crate::{
    ground::Ground,
    input::{ExportError, ExportInput},
};

/// Writes the file.
#[expect(clippy::unnecessary_wraps, reason = "the signature of all formats")]
pub(crate) fn write(input: &ExportInput<'_>) -> Result<Vec<u8>, ExportError> {
    let ground = Ground::of(input.mesh);
    let mut text = String::from("ply\nformat ascii 1.0\ncomment navigation mesh, y up, meters\n");
    // Writing to a string cannot fail.
    for (index, tile) in input.mesh.tiles().enumerate() {
        let header = &tile.header;
        let _ = writeln!(text, "comment tile {index}: {} {} {}", header.x, header.z, header.layer);
    }
    let _ = writeln!(text, "element vertex {}", ground.vertices.len());
    text.push_str("property float x\nproperty float y\nproperty float z\n");
    let _ = writeln!(text, "element face {}", ground.polys.len());
    text.push_str("property list uint uint vertex_indices\n");
    text.push_str("property uchar red\nproperty uchar green\nproperty uchar blue\n");
    text.push_str("property uchar area\nproperty ushort flags\nproperty int tile\nend_header\n");
    for vertex in &ground.vertices {
        let _ = writeln!(text, "{} {} {}", vertex.x, vertex.y, vertex.z);
    }
    for poly in &ground.polys {
        let _ = write!(text, "{}", poly.ring.len());
        for vertex in &poly.ring {
            let _ = write!(text, " {vertex}");
        }
        let Rgb([r, g, b]) = input.color(poly.area.0);
        let _ = writeln!(text, " {r} {g} {b} {} {} {}", poly.area.0, poly.flags, poly.tile);
    }
    Ok(text.into_bytes())
}
