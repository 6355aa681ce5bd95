//! JSON of a stage: for each tile, the vertices, triangles and lines of each part.

use glam::Vec3;
use serde::Serialize;
use walkable_bake::bake::Rgb;

use crate::{
    input::ExportError,
    json::JSON_VERSION,
    stage::{StageInput, StagePart, Vertices},
};

#[derive(Serialize)]
struct Document<'a> {
    walkable_stage: u32,
    generator: &'static str,
    stage: &'a str,
    cell_size: f32,
    cell_height: f32,
    tiles: Vec<TileRow<'a>>,
}

#[derive(Serialize)]
struct TileRow<'a> {
    x: u32,
    z: u32,
    parts: Vec<PartRow<'a>>,
}

#[derive(Serialize)]
struct PartRow<'a> {
    name: &'a str,
    value: Option<f32>,
    color: Rgb,
    vertices: Vec<Vec3>,
    /// Indices in the vertices of the part, counter-clockwise seen from the front.
    triangles: Vec<[u32; 3]>,
    lines: Vec<[u32; 2]>,
}

/// Writes the file.
pub(crate) fn write(input: &StageInput<'_>) -> Result<Vec<u8>, ExportError> {
    let tiles = input.tiles.iter().map(|tile| TileRow {
        x: tile.coord.x,
        z: tile.coord.z,
        parts: tile.parts.iter().map(part_row).collect(),
    });
    let document = Document {
        walkable_stage: JSON_VERSION,
        generator: concat!("walkable ", env!("CARGO_PKG_VERSION")),
        stage: input.stage,
        cell_size: input.cell_size,
        cell_height: input.cell_height,
        tiles: tiles.collect(),
    };
    let mut bytes = serde_json::to_vec(&document)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn part_row(part: &StagePart) -> PartRow<'_> {
    let mut vertices = Vertices::default();
    let triangles = part.triangles.iter().map(|corners| corners.map(|at| vertices.index(at)));
    let triangles = triangles.collect();
    let lines = part.lines.iter().map(|ends| ends.map(|at| vertices.index(at))).collect();
    PartRow {
        name: &part.name,
        value: part.value,
        color: part.color,
        vertices: vertices.points,
        triangles,
        lines,
    }
}
