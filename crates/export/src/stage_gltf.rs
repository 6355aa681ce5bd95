//! glTF 2.0 of a stage: a node and a mesh per tile. Triangles of one name are a primitive with a material of that name,
//! lines another. If values determine the colors, these are attributes of the vertices.

use std::collections::BTreeMap;

use glam::Vec3;
use serde_json::{Map, Value, json};
use walkable_bake::bake::Rgb;

use crate::{
    glb::{
        COMPONENTS, Container, TARGETS, buffer, check_size, linear, pack_binary, pack_text,
        plain_material,
    },
    input::ExportError,
    stage::{StageInput, StagePart, StageTile, Vertices},
};

/// Modes of primitives in glTF: lines and triangles.
const MODES: [u32; 2] = [1, 4];

/// Writes a binary file.
pub(crate) fn binary(input: &StageInput<'_>) -> Result<Vec<u8>, ExportError> {
    let (document, data) = Writer::default().document(input, Container::Binary)?;
    pack_binary(&document, &data)
}

/// Writes a text file.
pub(crate) fn text(input: &StageInput<'_>) -> Result<Vec<u8>, ExportError> {
    let (document, _) = Writer::default().document(input, Container::Text)?;
    pack_text(&document)
}

#[derive(Default)]
struct Writer<'a> {
    data: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    materials: Vec<Value>,
    /// Number of each material by name and color. Materials without a color use vertex colors.
    material_of: BTreeMap<(&'a str, Option<[u8; 3]>), usize>,
}

impl<'a> Writer<'a> {
    fn document(
        mut self,
        input: &StageInput<'a>,
        container: Container,
    ) -> Result<(Value, Vec<u8>), ExportError> {
        let (mut nodes, mut meshes) = (Vec::new(), Vec::new());
        for tile in input.tiles.iter().filter(|tile| !tile.parts.is_empty()) {
            let (x, z) = (tile.coord.x, tile.coord.z);
            let name = format!("tile {x} {z}");
            nodes.push(json!({
                "name": name, "mesh": meshes.len(), "extras": { "tile_x": x, "tile_z": z },
            }));
            meshes.push(json!({ "name": name, "primitives": self.primitives(tile)? }));
        }
        let Self { data, views, accessors, materials, .. } = self;
        let document = json!({
            "asset": {
                "version": "2.0", "generator": concat!("walkable ", env!("CARGO_PKG_VERSION")),
                "extras": {
                    "stage": input.stage, "cell_size": input.cell_size,
                    "cell_height": input.cell_height,
                },
            },
            "scene": 0,
            "scenes": [{ "name": input.stage, "nodes": (0..nodes.len()).collect::<Vec<_>>() }],
            "nodes": nodes,
            "meshes": meshes,
            "materials": materials,
            "accessors": accessors,
            "bufferViews": views,
            "buffers": [buffer(&data, container)],
        });
        Ok((document, data))
    }

    /// Returns the primitives of a tile: parts of the same name become one of triangles and one of lines.
    fn primitives(&mut self, tile: &'a StageTile) -> Result<Vec<Value>, ExportError> {
        let mut order: Vec<&StagePart> = tile.parts.iter().collect();
        order.sort_by(|a, b| a.name.cmp(&b.name));
        let mut primitives = Vec::new();
        for parts in order.chunk_by(|a, b| a.name == b.name) {
            for mode in MODES {
                primitives.extend(self.primitive(parts, mode)?);
            }
        }
        Ok(primitives)
    }

    fn primitive(
        &mut self,
        parts: &[&'a StagePart],
        mode: u32,
    ) -> Result<Option<Value>, ExportError> {
        let mut points = Vec::new();
        let (mut colors, mut values, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            let (mut vertices, first) =
                (Vertices::default(), crate::ground::index_u32(points.len()));
            let lines = part.lines.iter().filter(|_| mode == MODES[0]).flatten();
            let triangles = part.triangles.iter().filter(|_| mode == MODES[1]).flatten();
            indices.extend(lines.chain(triangles).map(|&at| first + vertices.index(at)));
            points.append(&mut vertices.points);
            let Rgb(color) = part.color;
            colors.resize(points.len(), color);
            values.resize(points.len(), part.value.unwrap_or(0.0));
        }
        let Some(&part) = parts.first().filter(|_| !indices.is_empty()) else { return Ok(None) };
        let by_value = part.is_colored_by_value;
        let size = points.len() as u64 * if by_value { 28 } else { 12 };
        check_size("glTF", self.data.len() as u64 + size + indices.len() as u64 * 4)?;
        let mut attributes = Map::new();
        attributes.insert("POSITION".to_owned(), json!(self.positions(&points)));
        if by_value {
            let colors = colors.iter().flat_map(|color| color.map(light));
            attributes
                .insert("COLOR_0".to_owned(), json!(self.floats(colors, "VEC3", points.len())));
            let values = values.iter().copied();
            attributes
                .insert("_VALUE".to_owned(), json!(self.floats(values, "SCALAR", points.len())));
        }
        let indices = self.indices(&indices);
        let mut primitive = json!({
            "attributes": attributes, "indices": indices, "mode": mode,
            "material": self.material(part),
        });
        if let Some(value) = part.value.filter(|_| !by_value) {
            primitive["extras"] = json!({ "value": value });
        }
        Ok(Some(primitive))
    }

    /// Returns the number of the material of a part.
    fn material(&mut self, part: &'a StagePart) -> usize {
        let Rgb(color) = part.color;
        let key = (&*part.name, (!part.is_colored_by_value).then_some(color));
        let next = self.materials.len();
        let number = *self.material_of.entry(key).or_insert(next);
        if number == next {
            let color = key.1.map_or(Rgb([u8::MAX; 3]), Rgb);
            self.materials.push(plain_material(&part.name, color));
        }
        number
    }

    fn positions(&mut self, points: &[Vec3]) -> usize {
        let low = points.iter().fold(Vec3::INFINITY, |low, &at| low.min(at));
        let high = points.iter().fold(Vec3::NEG_INFINITY, |high, &at| high.max(at));
        let number = self.floats(points.iter().flat_map(Vec3::to_array), "VEC3", points.len());
        self.accessors[number]["min"] = json!(low.to_array());
        self.accessors[number]["max"] = json!(high.to_array());
        number
    }

    fn floats(&mut self, numbers: impl Iterator<Item = f32>, kind: &str, count: usize) -> usize {
        self.accessor(numbers.flat_map(f32::to_le_bytes), (COMPONENTS[1], TARGETS[1]), kind, count)
    }

    fn indices(&mut self, indices: &[u32]) -> usize {
        let bytes = indices.iter().flat_map(|index| index.to_le_bytes());
        self.accessor(bytes, (COMPONENTS[0], TARGETS[0]), "SCALAR", indices.len())
    }

    /// Adds data with a view and an accessor of its own; returns the number of the accessor.
    fn accessor(
        &mut self,
        bytes: impl Iterator<Item = u8>,
        (component, target): (u32, u32),
        kind: &str,
        count: usize,
    ) -> usize {
        let start = self.data.len();
        self.data.extend(bytes);
        self.views.push(json!({
            "buffer": 0, "byteOffset": start, "byteLength": self.data.len() - start,
            "target": target,
        }));
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "count": count,
            "type": kind,
        }));
        self.accessors.len() - 1
    }
}

/// Converts a component of an sRGB color to linear light.
#[expect(clippy::cast_possible_truncation, reason = "a color of eight bits needs few digits")]
fn light(component: u8) -> f32 {
    linear(component) as f32
}
