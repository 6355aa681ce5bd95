//! glTF 2.0, as text with its data in base64 or as one binary file.
//!
//! One mesh whose primitives have an area and flags each; areas are materials. Off-mesh links are nodes at their start.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use glam::Vec3;
use serde_json::{Map, Value, json};
use walkable_bake::bake::Rgb;
use walkable_runtime::{
    ids::AreaId,
    navmesh::{OffMeshConnection, Poly},
};

use crate::{
    ground::{Ground, ground_count, off_mesh_of},
    input::{ExportError, ExportInput},
};

/// Maximum size of a file: its length is a 32-bit number.
const LIMIT: u64 = u32::MAX as u64;
/// `ELEMENT_ARRAY_BUFFER` and `ARRAY_BUFFER` of glTF.
pub(crate) const TARGETS: [u32; 2] = [34963, 34962];
/// `UNSIGNED_INT` and `FLOAT` of glTF.
pub(crate) const COMPONENTS: [u32; 2] = [5125, 5126];

/// The position of the data.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    /// After the document.
    Binary,
    /// In the document.
    Text,
}

/// Triangles of one area with the same flags.
struct Primitive {
    area: AreaId,
    flags: u16,
    indices: Vec<u32>,
}

/// Writes a binary file.
pub(crate) fn binary(input: &ExportInput<'_>) -> Result<Vec<u8>, ExportError> {
    let (json, data) = document(input, Container::Binary)?;
    pack_binary(&json, &data)
}

/// Returns the binary file of a document and its data.
pub(crate) fn pack_binary(json: &Value, data: &[u8]) -> Result<Vec<u8>, ExportError> {
    let mut json = serde_json::to_vec(json)?;
    json.resize(json.len().next_multiple_of(4), b' ');
    let n_bytes = [12, 8, json.len(), 8, data.len()].into_iter().map(|n| n as u64).sum();
    let size = check_size("glTF", n_bytes)?;
    let mut bytes = Vec::new();
    bytes.extend_from_slice(b"glTF");
    bytes.extend_from_slice(&2_u32.to_le_bytes());
    bytes.extend_from_slice(&size.to_le_bytes());
    for (kind, chunk) in [(b"JSON", &*json), (b"BIN\0", data)] {
        bytes.extend_from_slice(&check_size("glTF", chunk.len() as u64)?.to_le_bytes());
        bytes.extend_from_slice(kind);
        bytes.extend_from_slice(chunk);
    }
    Ok(bytes)
}

/// Writes a text file.
pub(crate) fn text(input: &ExportInput<'_>) -> Result<Vec<u8>, ExportError> {
    let (json, _) = document(input, Container::Text)?;
    pack_text(&json)
}

/// Returns the text file of a document.
pub(crate) fn pack_text(json: &Value) -> Result<Vec<u8>, ExportError> {
    let mut bytes = serde_json::to_vec_pretty(json)?;
    bytes.push(b'\n');
    Ok(bytes)
}

pub(crate) fn check_size(format: &'static str, n_bytes: u64) -> Result<u32, ExportError> {
    u32::try_from(n_bytes).map_err(|_too_large| ExportError::TooLarge {
        format,
        n: n_bytes,
        what: "bytes",
        limit: LIMIT,
    })
}

/// Returns the document and its data.
fn document(
    input: &ExportInput<'_>,
    container: Container,
) -> Result<(Value, Vec<u8>), ExportError> {
    let ground = Ground::of(input.mesh);
    if ground.polys.is_empty() {
        return Err(ExportError::Empty);
    }
    let (vertices, primitives) = triangles(&ground);
    let n_indices: usize = primitives.iter().map(|primitive| primitive.indices.len()).sum();
    check_size("glTF", (vertices.len() as u64) * 12 + (n_indices as u64) * 4)?;
    let mut data = Vec::with_capacity(vertices.len() * 12 + n_indices * 4);
    let positions = vertices.iter().flat_map(Vec3::to_array);
    data.extend(positions.flat_map(f32::to_le_bytes));
    let indices_at = data.len();
    let (min, max) = vertices
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), &at| (min.min(at), max.max(at)));
    let mut accessors = vec![json!({
        "bufferView": 0, "componentType": COMPONENTS[1], "count": vertices.len(), "type": "VEC3",
        "min": min.to_array(), "max": max.to_array(),
    })];
    let mut areas: Vec<AreaId> = primitives.iter().map(|primitive| primitive.area).collect();
    areas.dedup();
    let mut of_mesh = Vec::new();
    for primitive in &primitives {
        let material = areas.iter().position(|area| *area == primitive.area);
        of_mesh.push(json!({
            "attributes": { "POSITION": 0 }, "indices": accessors.len(), "material": material,
            "extras": { "area": primitive.area, "flags": primitive.flags },
        }));
        accessors.push(json!({
            "bufferView": 1, "componentType": COMPONENTS[0], "count": primitive.indices.len(),
            "type": "SCALAR", "byteOffset": data.len() - indices_at,
        }));
        data.extend(primitive.indices.iter().flat_map(|index| index.to_le_bytes()));
    }
    let buffer = buffer(&data, container);
    let links = links(input);
    let mut nodes = vec![json!({ "name": "navmesh", "mesh": 0, "extras": agent(input) })];
    let roots: Vec<_> = (0..=links.len()).collect();
    nodes.extend(links);
    let document = json!({
        "asset": {
            "version": "2.0", "generator": concat!("walkable ", env!("CARGO_PKG_VERSION")),
        },
        "scene": 0,
        "scenes": [{ "name": "navmesh", "nodes": roots }],
        "nodes": nodes,
        "meshes": [{ "name": "navmesh", "primitives": of_mesh }],
        "materials": areas.iter().map(|&area| material(input, area)).collect::<Vec<_>>(),
        "accessors": accessors,
        "bufferViews": [
            { "buffer": 0, "byteLength": indices_at, "target": TARGETS[1] },
            {
                "buffer": 0, "byteOffset": indices_at, "byteLength": data.len() - indices_at,
                "target": TARGETS[0],
            },
        ],
        "buffers": [buffer],
    });
    Ok((document, data))
}

/// Returns the buffer of a document.
pub(crate) fn buffer(data: &[u8], container: Container) -> Value {
    let mut buffer = Map::new();
    buffer.insert("byteLength".to_owned(), json!(data.len()));
    if container == Container::Text {
        let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(data));
        buffer.insert("uri".to_owned(), json!(uri));
    }
    Value::Object(buffer)
}

/// Returns all vertices, and the triangles by area and flags.
fn triangles(ground: &Ground) -> (Vec<Vec3>, Vec<Primitive>) {
    let mut vertices = ground.vertices.clone();
    let mut order: Vec<_> = ground.polys.iter().collect();
    order.sort_by_key(|poly| (poly.area.0, poly.flags));
    let mut primitives = Vec::new();
    for group in order.chunk_by(|a, b| (a.area, a.flags) == (b.area, b.flags)) {
        let mut indices = Vec::new();
        for poly in group {
            let middle = &mut |point| {
                vertices.push(point);
                u32::try_from(vertices.len() - 1).unwrap_or(u32::MAX)
            };
            ground.triangles(poly, middle, &mut |triangle| indices.extend(triangle));
        }
        primitives.push(Primitive { area: group[0].area, flags: group[0].flags, indices });
    }
    (vertices, primitives)
}

/// Returns the material of an area.
fn material(input: &ExportInput<'_>, AreaId(id): AreaId) -> Value {
    let area = input.areas.area(id);
    let mut material = plain_material(&area.name, input.color(id));
    material["extras"] = json!({
        "area": id, "cost": area.cost, "entering_cost": area.entering_cost,
    });
    material
}

/// Returns a matte material that is visible from both sides.
pub(crate) fn plain_material(name: &str, Rgb(color): Rgb) -> Value {
    let [r, g, b] = color.map(linear);
    json!({
        "name": name,
        "doubleSided": true,
        "pbrMetallicRoughness": {
            "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 1.0,
        },
    })
}

/// Converts a component of an sRGB color to linear light.
pub(crate) fn linear(component: u8) -> f64 {
    let value = f64::from(component) / 255.0;
    let light = if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
    // Fewer digits do not change a color of eight bits.
    (light * 1e6).round() / 1e6
}

/// Returns the agent of the navmesh, as in its tiles.
fn agent(input: &ExportInput<'_>) -> Value {
    let tile = input.mesh.tiles().find(|tile| ground_count(tile) > 0);
    tile.map_or(Value::Null, |tile| {
        let header = &tile.header;
        json!({
            "agent_height": header.walkable_height, "agent_radius": header.walkable_radius,
            "agent_max_climb": header.walkable_climb, "cell_size": input.cell_size(),
        })
    })
}

/// Returns the nodes of off-mesh links.
fn links(input: &ExportInput<'_>) -> Vec<Value> {
    let node = |(link, poly): (&OffMeshConnection, &Poly)| {
        json!({
            "name": format!("off-mesh link {}", link.user_id),
            "translation": link.ends[0].to_array(),
            "extras": {
                "off_mesh_link": true, "start": link.ends[0].to_array(),
                "end": link.ends[1].to_array(), "radius": link.radius,
                "bidirectional": link.is_both_ways(), "area": poly.area, "flags": poly.flags,
                "user_id": link.user_id,
            },
        })
    };
    input.mesh.tiles().flat_map(off_mesh_of).map(node).collect()
}
