//! OBJ of a stage: a group per tile, a material per part, and vertex colors after the positions.

use std::fmt::Write as _;

use walkable_bake::bake::Rgb;

use crate::{
    input::ExportError,
    stage::{StageInput, StagePart, Vertices},
};

/// Writes the file.
#[expect(clippy::unnecessary_wraps, reason = "the signature of all formats")]
pub(crate) fn write(input: &StageInput<'_>) -> Result<Vec<u8>, ExportError> {
    let mut text = format!("# stage {} of a bake, y up, meters\n", input.stage);
    let mut first = 1;
    // Writing to a string cannot fail.
    for tile in input.tiles {
        let _ = writeln!(text, "g tile_{}_{}", tile.coord.x, tile.coord.z);
        for part in &tile.parts {
            first += write_part(&mut text, part, first);
        }
    }
    Ok(text.into_bytes())
}

/// Writes a part whose first vertex has the number `first`; returns the number of its vertices.
fn write_part(text: &mut String, part: &StagePart, first: usize) -> usize {
    let mut vertices = Vertices::default();
    let mut elements = String::new();
    let triangles = part.triangles.iter().map(|corners| ("f", &corners[..]));
    for (kind, corners) in triangles.chain(part.lines.iter().map(|ends| ("l", &ends[..]))) {
        elements.push_str(kind);
        for &at in corners {
            let _ = write!(elements, " {}", first + vertices.index(at) as usize);
        }
        elements.push('\n');
    }
    let Rgb(color) = part.color;
    let [r, g, b] = color.map(|component| f32::from(component) / 255.0);
    for at in &vertices.points {
        let _ = writeln!(text, "v {} {} {} {r:.4} {g:.4} {b:.4}", at.x, at.y, at.z);
    }
    let _ = writeln!(text, "usemtl {}", material_name(part));
    text.push_str(&elements);
    vertices.points.len()
}

/// Returns the name of the part's material, without spaces; with its value if the color depends on it.
fn material_name(part: &StagePart) -> String {
    let name = part.name.replace(|letter: char| letter.is_whitespace() || letter == '#', "_");
    match part.value.filter(|_| part.is_colored_by_value) {
        Some(value) => format!("{name}_{value}"),
        None => name,
    }
}
