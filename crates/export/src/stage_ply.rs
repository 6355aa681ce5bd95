//! PLY 1.0 of a stage, as text: colored vertices; faces and edges with the properties `tile`, `name` and `value`. Tiles
//! and names are numbered, and comments list them.

use std::fmt::Write as _;

use walkable_bake::bake::Rgb;

use crate::{
    input::ExportError,
    stage::{StageInput, Vertices},
};

/// Writes the file.
#[expect(clippy::unnecessary_wraps, reason = "the signature of all formats")]
pub(crate) fn write(input: &StageInput<'_>) -> Result<Vec<u8>, ExportError> {
    let mut text = String::from("ply\nformat ascii 1.0\n");
    let mut names: Vec<&str> = Vec::new();
    let [mut rows, mut faces, mut edges] = [const { String::new() }; 3];
    let [mut n_vertices, mut n_faces, mut n_edges] = [0; 3];
    // Writing to a string cannot fail.
    let _ = writeln!(text, "comment stage {} of a bake, y up, meters", input.stage);
    for (tile, number) in input.tiles.iter().zip(0..) {
        let _ = writeln!(text, "comment tile {number}: {} {}", tile.coord.x, tile.coord.z);
        for part in &tile.parts {
            let name = names.iter().position(|name| *name == part.name);
            let name = name.unwrap_or_else(|| {
                names.push(&part.name);
                names.len() - 1
            });
            // Values are numbers of areas, regions and layers, and distances: none is negative.
            let more = format!("{number} {name} {}", part.value.unwrap_or(-1.0));
            let mut vertices = Vertices::default();
            for corners in &part.triangles {
                let [a, b, c] = corners.map(|at| n_vertices + vertices.index(at) as usize);
                let _ = writeln!(faces, "3 {a} {b} {c} {more}");
            }
            for ends in &part.lines {
                let [a, b] = ends.map(|at| n_vertices + vertices.index(at) as usize);
                let _ = writeln!(edges, "{a} {b} {more}");
            }
            let Rgb([r, g, b]) = part.color;
            for at in &vertices.points {
                let _ = writeln!(rows, "{} {} {} {r} {g} {b}", at.x, at.y, at.z);
            }
            n_vertices += vertices.points.len();
            n_faces += part.triangles.len();
            n_edges += part.lines.len();
        }
    }
    for (number, name) in names.iter().enumerate() {
        let _ = writeln!(text, "comment name {number}: {}", name.replace(char::is_control, " "));
    }
    let more = "property int tile\nproperty int name\nproperty float value\n";
    let _ = write!(
        text,
        "element vertex {n_vertices}\nproperty float x\nproperty float y\nproperty float z\n\
         property uchar red\nproperty uchar green\nproperty uchar blue\n\
         element face {n_faces}\nproperty list uchar uint vertex_indices\n{more}\
         element edge {n_edges}\nproperty uint vertex1\nproperty uint vertex2\n{more}end_header\n"
    );
    for part in [rows, faces, edges] {
        text.push_str(&part);
    }
    Ok(text.into_bytes())
}
