//! Writes small glTF files, valid or not.

use serde_json::{Value, json};

/// Component type: signed bytes.
pub const I8: u32 = 5120;
/// Component type: bytes.
pub const U8: u32 = 5121;
/// Component type: signed, two bytes.
pub const I16: u32 = 5122;
/// Component type: two bytes.
pub const U16: u32 = 5123;
/// Component type: four bytes.
pub const U32: u32 = 5125;
/// Component type: floats.
pub const F32: u32 = 5126;

/// A glTF file under construction: its JSON, which may be changed freely, and its bytes.
#[derive(Clone, Debug)]
pub struct Glb {
    /// The JSON.
    pub json: Value,
    /// The bytes.
    pub bin: Vec<u8>,
}

impl Default for Glb {
    /// Returns an empty scene.
    fn default() -> Self {
        let json = json!({
            "asset": { "version": "2.0" },
            "scene": 0,
            "scenes": [{ "nodes": [] }],
            "nodes": [], "meshes": [], "materials": [],
            "accessors": [], "bufferViews": [], "buffers": [{ "byteLength": 0 }],
        });
        Self { json, bin: Vec::new() }
    }
}

impl Glb {
    /// Creates an empty scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `value` to the list `list`. Returns its index.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    /// Adds a node to the scene.
    pub fn top_node(&mut self, node: Value) -> usize {
        let index = self.push("nodes", node);
        self.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(index.into());
        index
    }

    /// Adds bytes and a view of them.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bin.len().next_multiple_of(4);
        self.bin.resize(offset, 0);
        self.bin.extend_from_slice(bytes);
        self.json["buffers"][0]["byteLength"] = self.bin.len().into();
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        self.push("bufferViews", view)
    }

    /// Adds `count` elements.
    pub fn accessor(&mut self, bytes: &[u8], component: u32, shape: &str, count: usize) -> usize {
        let view = self.view(bytes);
        let accessor = json!({ "bufferView": view, "componentType": component, "type": shape, "count": count });
        self.push("accessors", accessor)
    }

    /// Adds vertices.
    pub fn positions(&mut self, positions: &[[f32; 3]]) -> usize {
        self.accessor(&floats(positions.as_flattened()), F32, "VEC3", positions.len())
    }

    /// Adds corners of triangles.
    pub fn indices(&mut self, corners: &[u32]) -> usize {
        let bytes: Vec<u8> = corners.iter().flat_map(|corner| corner.to_le_bytes()).collect();
        self.accessor(&bytes, U32, "SCALAR", corners.len())
    }

    /// Adds a mesh of one primitive.
    pub fn mesh(&mut self, primitive: &Value) -> usize {
        self.push("meshes", json!({ "primitives": [primitive] }))
    }

    /// Returns a binary file.
    pub fn to_glb(&self) -> Vec<u8> {
        binary(self.json.to_string().as_bytes(), &self.bin)
    }

    /// Returns a text file whose bytes are in the file `uri`.
    pub fn to_text(&self, uri: &str) -> String {
        let mut json = self.json.clone();
        json["buffers"][0]["uri"] = uri.into();
        json.to_string()
    }
}

/// Returns a binary file of these two parts.
pub fn binary(json: &[u8], bin: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, part, fill) in [(b"JSON", json, b' '), (b"BIN\0", bin, 0)] {
        let n = part.len().next_multiple_of(4);
        body.extend_from_slice(&u32::try_from(n).unwrap().to_le_bytes());
        body.extend_from_slice(kind);
        body.extend_from_slice(part);
        body.resize(body.len() + n - part.len(), fill);
    }
    let length = u32::try_from(body.len() + 12).unwrap();
    [b"glTF".as_slice(), &2_u32.to_le_bytes(), &length.to_le_bytes(), &body].concat()
}

/// Returns the bytes of numbers, as in a file.
pub fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
