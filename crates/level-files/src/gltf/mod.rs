//! Reads glTF 2.0, as text (`.gltf`) or binary (`.glb`): bytes in, vertices, triangles and names out.
//!
//! A bake needs only a small part of the format: the nodes of the scene with their transforms, and the positions and
//! indices of each mesh. Only that part of the JSON is parsed, on first use, so an error in an image or an animation
//! does not prevent reading a level. A node becomes an object and keeps the name of its material, as `o` and `usemtl`
//! do in an OBJ file. An instance counts as a node.
//!
//! glTF is in meters, right-handed, y up, and counter-clockwise seen from the front, like a level here, so import
//! options usually keep their defaults. Of materials, only the name and the base color are read, and for pictures the
//! base color texture and vertex colors.
//!
//! Sizes are checked against the available bytes before any memory is allocated for them.
//!
//! Source: Khronos, glTF 2.0 specification; extensions `KHR_mesh_quantization`, `EXT_mesh_gpu_instancing`,
//! `EXT_meshopt_compression`, `KHR_draco_mesh_compression` (with the feature `draco`).
//! Differs: vertices without triangles are dropped, since many meshes often share one array; a skinned mesh is placed
//! at its node; if there are several scenes and no default, all are read.

mod accessor;
mod appearance;
mod buffers;
mod bytes;
mod container;
#[cfg_attr(not(feature = "draco"), path = "no_draco.rs")]
mod draco;
mod json;
mod meshopt;
mod primitive;
mod scene;
mod transform;

use std::{collections::BTreeMap, sync::Arc};

use appearance::AppearanceReader;
use buffers::Buffers;
use json::Root;
use walkable_mesh::{MaterialColors, MeshPart};
use walkable_runtime::diagnostic::{Code, Finding, Location};

use crate::{
    FileWarnings, LevelFile, LevelReading, file_warnings::excerpt, level_file::MAX_TRIANGLES,
    oddities,
};

/// Returns the bytes of a file next to the level, by the name that the level uses, or a message why it cannot be read.
pub type SideFile<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'a;

/// Maximum number of objects in the JSON: each takes some hundred bytes in memory, but as few as three in the file.
const MAX_JSON_OBJECTS: usize = 1 << 22;

/// Why bytes are not a readable glTF file. Elements are named by kind, index and name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The bytes begin neither like binary glTF nor like JSON.
    #[error("not a glTF file: it starts neither with \"glTF\" nor with \"{{\"")]
    NotGltf,
    /// The file has another version of the format.
    #[error("glTF version {found} is not supported, only version 2; save the file as glTF 2.0")]
    Version {
        /// The version in the file.
        found: String,
    },
    /// A binary file ends early.
    #[error("the file is cut off: {what} needs {needed} bytes and there are {found}")]
    CutOff {
        /// The part of the file.
        what: &'static str,
        /// Length of the part.
        needed: usize,
        /// Number of bytes available.
        found: usize,
    },
    /// The first chunk of a binary file is not JSON.
    #[error("the file does not begin with its JSON part")]
    NoJson,
    /// The JSON cannot be parsed.
    #[error("line {line}, column {column}: {reason}")]
    Json {
        /// Line number, from 1; in a binary file, counted within its JSON chunk.
        line: usize,
        /// Column number, from 1.
        column: usize,
        /// The message of the parser.
        reason: String,
    },
    /// An element refers to one that does not exist.
    #[error("{element} refers to {what} {index}, but the file has {n}")]
    Missing {
        /// The element with the reference.
        element: String,
        /// The kind of the missing element.
        what: &'static str,
        /// The index of the missing element.
        index: usize,
        /// The number of elements of that kind.
        n: usize,
    },
    /// Compressed data cannot be decoded.
    #[error("{element} cannot be decoded ({extension}): {reason}")]
    Undecodable {
        /// The compressed element.
        element: String,
        /// The extension that compressed it.
        extension: &'static str,
        /// The reason.
        reason: String,
    },
    /// Decoded data take too much memory.
    #[error(
        "the compressed buffer views take more than {max_bytes} bytes when they are decoded; split the level into files \
        for `walkable bin`"
    )]
    TooMuchDecoded {
        /// The memory limit, in bytes.
        max_bytes: usize,
    },
    /// The file cannot be read, and requires an extension that is not supported.
    #[error("{error}; the file requires {extension}, which is not supported")]
    Requires {
        /// The extension.
        extension: String,
        /// The first error of the file without the extension.
        error: Box<Self>,
    },
    /// The bytes of a buffer cannot be read, from a file or from text in the JSON.
    #[error("{element} cannot be read: {reason}")]
    BufferUnread {
        /// The buffer.
        element: String,
        /// The reason.
        reason: String,
    },
    /// An element exceeds the available bytes.
    #[error("{element} needs {needed} bytes, but there are {found}")]
    BeyondEnd {
        /// The element.
        element: String,
        /// Number of bytes up to its end.
        needed: u128,
        /// Number of bytes available.
        found: usize,
    },
    /// An accessor has the wrong type for its use.
    #[error("{element} holds {found}, but {needed} is needed")]
    WrongType {
        /// The accessor.
        element: String,
        /// Type of the accessor.
        found: String,
        /// The types that would be valid.
        needed: &'static str,
    },
    /// The elements of an accessor overlap.
    #[error("{element} has elements of {size} bytes, but a stride of only {stride} bytes")]
    Overlapping {
        /// The accessor.
        element: String,
        /// Distance between two elements, in bytes.
        stride: usize,
        /// Size of an element, in bytes.
        size: usize,
    },
    /// An accessor has no data, or claims more zeros than the file has bytes.
    #[error("{element} has {n} elements but no data")]
    NoData {
        /// The accessor.
        element: String,
        /// The number of elements that it claims.
        n: usize,
    },
    /// The indices of a sparse accessor do not increase, or are out of range.
    #[error("{element} replaces element {index}, out of order or beyond its {n}")]
    BadReplacement {
        /// The accessor.
        element: String,
        /// The position in its list of indices.
        index: usize,
        /// Number of elements.
        n: usize,
    },
    /// The instances of a node have different numbers of translations, rotations and scales.
    #[error("{element} has {n} and {other} entries for its instances")]
    UnequalInstances {
        /// The node.
        element: String,
        /// The number in one accessor.
        n: usize,
        /// The number in another.
        other: usize,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error("{element}: a triangle refers to vertex {index}, but the mesh has {n_vertices}")]
    IndexOutOfRange {
        /// The mesh and primitive.
        element: String,
        /// The index of the vertex.
        index: usize,
        /// The number of vertices.
        n_vertices: usize,
    },
    /// A primitive has an unknown mode.
    #[error("{element}: there is no mode {mode}; modes are 0 to 6")]
    UnknownMode {
        /// The mesh and primitive.
        element: String,
        /// The mode.
        mode: u32,
    },
    /// A coordinate is infinite or not a number.
    #[error("{element}: the coordinate {value} is not a finite number")]
    NotFinite {
        /// The element that contains it.
        element: String,
        /// The offending coordinate, as text.
        value: String,
    },
    /// A node is reached twice, so the nodes do not form a tree.
    #[error("{element} is its own ancestor or has two parents")]
    NoTree {
        /// The node.
        element: String,
    },
    /// The JSON has too many objects.
    #[error(
        "the JSON has {found} objects, more than the limit of {MAX_JSON_OBJECTS}; split the level \
        into files for `walkable bin`"
    )]
    TooManyObjects {
        /// Upper bound of the number of objects.
        found: usize,
    },
    /// Sparse accessors replace too many elements.
    #[error(
        "the sparse accessors replace too many elements; save the file without sparse accessors"
    )]
    TooManyReplaced,
    /// A name is too long, or the names are too long in total.
    #[error("{element}: {reason}")]
    Names {
        /// The element.
        element: String,
        /// The limit that is exceeded.
        reason: String,
    },
    /// Copies of meshes take too much memory.
    #[error(
        "with all copies of its meshes the level takes more than {max_bytes} bytes; split it into \
        files for `walkable bin`"
    )]
    TooManyCopies {
        /// The memory limit, in bytes.
        max_bytes: usize,
    },
    /// There are too many triangles, including instances.
    #[error(
        "the level has more than {MAX_TRIANGLES} triangles with all copies; split it into files \
        for `walkable bin`"
    )]
    TooMany,
    /// The scene has no triangles.
    #[error("the scene has no triangles; the file has {n_meshes} meshes")]
    NoTriangles {
        /// Number of meshes, used or not.
        n_meshes: usize,
    },
}

/// Reads a glTF file, text or binary. `side_file` loads the buffers that are in other files.
///
/// # Errors
/// Returns a [`GltfError`] that names the first element that cannot be read.
pub fn read_gltf(bytes: &[u8], side_file: &SideFile<'_>) -> Result<LevelFile, GltfError> {
    read_gltf_within(bytes, side_file, LevelReading::TRIANGLES)
}

/// Reads a glTF file with its vertex colors (`COLOR_0`) and base color textures. `side_file` loads the buffers and
/// images that are in other files.
///
/// # Errors
/// Returns the errors of [`read_gltf`].
pub fn read_gltf_with_appearance(
    bytes: &[u8],
    side_file: &SideFile<'_>,
) -> Result<LevelFile, GltfError> {
    read_gltf_within(bytes, side_file, LevelReading::ALL)
}

/// Reads a glTF file within a memory limit, with vertex colors and textures if they are wanted.
///
/// # Errors
/// Returns the errors of [`read_gltf`], and those about memory if it takes more.
pub fn read_gltf_within(
    bytes: &[u8],
    side_file: &SideFile<'_>,
    reading: LevelReading,
) -> Result<LevelFile, GltfError> {
    let (text, binary) = container::parts(bytes)?;
    let n_objects = text.split(|&byte| byte == b'{').count() - 1;
    if n_objects > MAX_JSON_OBJECTS {
        return Err(GltfError::TooManyObjects { found: n_objects });
    }
    let root: Root = serde_json::from_slice(text).map_err(|error| {
        // Version 1 has maps where version 2 has lists, so only its version number can be parsed.
        let other = version_of(text).filter(|version| !is_readable(version));
        other.map_or_else(|| json_error(&error), |version| version_error(&version))
    })?;
    if !is_readable(&root.asset.version) {
        return Err(version_error(&root.asset.version));
    }
    let mut warnings = FileWarnings::default();
    check_extensions(&root, &mut warnings);
    let limits = (bytes.len(), reading.max_bytes);
    let buffers = Buffers::new(&root, limits, binary, side_file);
    let reader =
        reading.appearance.then(|| AppearanceReader::new(text, &root, &buffers, &mut warnings));
    let built = scene::build(&root, &buffers, (reader, reading.moved()), &mut warnings);
    let built = built.map_err(|error| with_extension(&root, error))?;
    let place_of = |triangle: usize| Location::Element(built.place_of(triangle));
    oddities::check_triangles(&built.vertices, &built.triangles, place_of, &mut warnings);
    warnings.sort();
    let n_faces = built.triangles.len();
    let scene::Built { vertices, triangles, parts, appearance, .. } = built;
    let colors = colors(&root, &parts);
    Ok(LevelFile { vertices, triangles, parts, colors, appearance, n_faces, warnings })
}

/// Returns the base colors of the materials of `parts`. Materials without a name have no color.
fn colors(root: &Root, parts: &[MeshPart]) -> MaterialColors {
    let used: BTreeMap<&str, &Arc<str>> =
        parts.iter().map(|part| (&*part.material, &part.material)).collect();
    let colors = root.materials.iter().filter_map(|material| {
        let name = material.name.as_deref().filter(|name| !name.is_empty())?;
        Some((Arc::clone(used.get(name)?), material.base_color()?))
    });
    // The first of several materials with the same name counts.
    colors.rev().collect()
}

fn is_readable(version: &str) -> bool {
    version.starts_with("2.")
}

/// Returns the version of the format in the JSON, as text.
fn version_of(text: &[u8]) -> Option<String> {
    let only: json::OnlyAsset = serde_json::from_slice(text).ok()?;
    only.asset.version.map(|version| version.0)
}

fn version_error(version: &str) -> GltfError {
    GltfError::Version { found: excerpt(version) }
}

/// Returns the message of the parser without the position, which is reported separately.
fn json_error(error: &serde_json::Error) -> GltfError {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    let reason = text[..end].to_owned();
    GltfError::Json { line: error.line(), column: error.column(), reason }
}

/// Prefixes of required extensions that do not affect the geometry.
const SILENT_EXTENSIONS: &[&str] = &[
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "EXT_texture_",
    "EXT_lights_",
    "MSFT_texture_",
    "KHR_mesh_quantization",
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_draco_mesh_compression",
];

fn is_known(extension: &str) -> bool {
    SILENT_EXTENSIONS.iter().any(|known| extension.starts_with(known))
}

/// Adds the unknown extension that the file requires to an error, which it may have caused.
fn with_extension(root: &Root, error: GltfError) -> GltfError {
    match root.extensions_required.iter().find(|extension| !is_known(extension)) {
        Some(extension) => {
            GltfError::Requires { extension: excerpt(extension), error: Box::new(error) }
        }
        None => error,
    }
}

fn check_extensions(root: &Root, warnings: &mut FileWarnings) {
    for extension in &root.extensions_required {
        if !is_known(extension) {
            let place = || Location::Element(format!("extension {}", excerpt(extension)));
            let unknown = || (place(), Finding::ExtensionUnknown { name: excerpt(extension) });
            warnings.add(Code::ExtensionUnknown, unknown);
        }
    }
}

/// Describes an element of the file for messages.
fn element(kind: &str, index: usize, name: Option<&str>) -> String {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{kind} {index} {:?}", excerpt(name)),
        None => format!("{kind} {index}"),
    }
}

/// Returns element `index` of `all`.
fn named<'a, T>(
    all: &'a [T],
    what: &'static str,
    index: usize,
    by: impl FnOnce() -> String,
) -> Result<&'a T, GltfError> {
    let missing = || GltfError::Missing { element: by(), what, index, n: all.len() };
    all.get(index).ok_or_else(missing)
}
