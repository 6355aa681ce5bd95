//! Reading glTF 2.0, as text (`.gltf`) or binary (`.glb`): bytes in, vertices, triangles and names out.
//!
//! What a bake needs of the format is little: the scene's nodes with their transforms, and of each
//! mesh the positions and the order of corners. So only that part of the JSON is read, on first use,
//! and what is wrong with a picture or an animation is no reason to refuse a level. A node becomes an
//! object and keeps its material's name, as `o` and `usemtl` do in an OBJ file. An instance is a node.
//!
//! glTF is in meters, right-handed, y up, counter-clockwise seen from the front, as a level is here, so
//! import options mostly stay as they are.
//!
//! Sizes are checked against the bytes that are there before anything is made of them.
//!
//! Source: Khronos, glTF 2.0 specification; extensions `KHR_mesh_quantization`, `EXT_mesh_gpu_instancing`.
//! Differs: vertices that no triangle uses are dropped, since one array is often shared by many meshes; a
//! mesh with a skin lies where its node is; of several scenes without a default all are read.

mod accessor;
mod buffers;
mod container;
mod copies;
mod json;
mod primitive;
mod scene;
mod transform;

use walkable_runtime::diagnostic::{Code, Finding, Location};

use crate::{FileWarnings, LevelFile, file_warnings::excerpt, oddities};
use buffers::Buffers;
use json::Root;

/// Gives the bytes of a file that lies beside the level, by the name that the level calls it, or says why not.
pub type SideFile<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'a;

/// Most triangles of a level: many copies of a mesh take few bytes in a file, but not in memory.
const MAX_TRIANGLES: usize = 1 << 25;
/// Most objects in the JSON: each takes some hundred bytes in memory, but as few as three in the file.
const MAX_JSON_OBJECTS: usize = 1 << 22;

/// Why bytes are not a readable glTF file. An element of it is named by kind, number from 0 and name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    /// There are no bytes.
    #[error("the file is empty")]
    Empty,
    /// The bytes neither begin as binary glTF nor as JSON.
    #[error("not a glTF file: it begins neither with \"glTF\" nor with \"{{\"")]
    NotGltf,
    /// It is another version of the format.
    #[error("glTF version {found} cannot be read, only 2; save the file as glTF 2.0")]
    Version {
        /// As the file has it.
        found: String,
    },
    /// A binary file ends early.
    #[error("the file is cut off: {what} needs {needed} bytes and there are {found}")]
    CutOff {
        /// Which part of the file.
        what: &'static str,
        /// Its length.
        needed: usize,
        /// How much of it is there.
        found: usize,
    },
    /// The first part of a binary file is not its JSON.
    #[error("the file does not begin with its JSON part")]
    NoJson,
    /// The JSON cannot be understood.
    #[error("line {line}, column {column}: {reason}")]
    Json {
        /// Where, from 1; in a binary file, counted in its JSON part.
        line: usize,
        /// Where, from 1.
        column: usize,
        /// What the parser says.
        reason: String,
    },
    /// An element names one that does not exist.
    #[error("{element} names {what} {index}, but there are {n}")]
    Missing {
        /// Which one names it.
        element: String,
        /// What kind is named.
        what: &'static str,
        /// Which one.
        index: usize,
        /// How many there are.
        n: usize,
    },
    /// A mesh is packed in a way that is not read.
    #[error("{element} is compressed by {extension}: save the file without compression")]
    Compressed {
        /// Which part of the file.
        element: String,
        /// Extension of the format that packed it.
        extension: &'static str,
    },
    /// A file beside the level or text within it does not give a buffer's bytes.
    #[error("{element} cannot be read: {reason}")]
    BufferUnread {
        /// Which buffer.
        element: String,
        /// Why.
        reason: String,
    },
    /// An element reaches beyond the bytes that are there.
    #[error("{element} needs {needed} bytes, but there are {found}")]
    BeyondEnd {
        /// Which one.
        element: String,
        /// Bytes up to its end.
        needed: u128,
        /// Bytes that there are.
        found: usize,
    },
    /// An accessor gives something else than what it is used for.
    #[error("{element} holds {found}, but {needed} is needed")]
    WrongType {
        /// Which one.
        element: String,
        /// What it holds.
        found: String,
        /// What could be used.
        needed: &'static str,
    },
    /// The elements of an accessor would lie over one another.
    #[error("{element} has {size} bytes an element, but they begin {stride} bytes apart")]
    Overlapping {
        /// Which one.
        element: String,
        /// From one element to the next, in bytes.
        stride: usize,
        /// Of an element, in bytes.
        size: usize,
    },
    /// An accessor has no data, or more zeros are claimed than the file has bytes.
    #[error("{element} has {n} elements but no data")]
    NoData {
        /// Which one.
        element: String,
        /// How many elements it says that it has.
        n: usize,
    },
    /// The numbers of a sparse accessor's elements do not rise, or are too high.
    #[error("{element} replaces element {index}, out of order or beyond its {n}")]
    BadReplacement {
        /// Which one.
        element: String,
        /// Which of its elements.
        index: usize,
        /// How many it has.
        n: usize,
    },
    /// The instances of a node have different numbers of positions, turns and sizes.
    #[error("{element} has {n} and {other} entries for its instances")]
    UnequalInstances {
        /// Which node.
        element: String,
        /// By one accessor.
        n: usize,
        /// By another.
        other: usize,
    },
    /// A corner of a triangle names a vertex that does not exist.
    #[error("{element}: a corner is vertex {index}, but there are {n_vertices}")]
    IndexOutOfRange {
        /// Which mesh and primitive.
        element: String,
        /// The vertex it names.
        index: usize,
        /// How many there are.
        n_vertices: usize,
    },
    /// A primitive is drawn in a way that does not exist.
    #[error("{element}: there is no mode {mode}; modes are 0 to 6")]
    UnknownMode {
        /// Which mesh and primitive.
        element: String,
        /// The mode it names.
        mode: u32,
    },
    /// A coordinate is infinite or not a number.
    #[error("{element}: the coordinate {value} is not a finite number")]
    NotFinite {
        /// Where.
        element: String,
        /// The offending coordinate, as text.
        value: String,
    },
    /// A node is reached twice: nodes are no tree.
    #[error("{element} is its own ancestor or has two parents")]
    NoTree {
        /// Which node.
        element: String,
    },
    /// The JSON has too many objects.
    #[error(
        "the JSON has {found} objects, more than the limit of {MAX_JSON_OBJECTS}; cut the level into files for \
         `walkable bin`"
    )]
    TooManyObjects {
        /// How many there are, at most.
        found: usize,
    },
    /// Sparse accessors replace too many elements.
    #[error(
        "the sparse accessors replace too many elements; save the file without sparse accessors"
    )]
    TooManyReplaced,
    /// A name is too long, or all names together are.
    #[error("{element}: {reason}")]
    Names {
        /// Which element.
        element: String,
        /// Which limit is exceeded.
        reason: String,
    },
    /// Copies of meshes take too much memory.
    #[error(
        "with all copies of its meshes the level takes more than {max_bytes} bytes; cut it into files for \
         `walkable bin`"
    )]
    TooManyCopies {
        /// How many bytes it may take.
        max_bytes: usize,
    },
    /// There are too many triangles, instances counted.
    #[error(
        "the level has more than {MAX_TRIANGLES} triangles with all copies; cut it into files for `walkable bin`"
    )]
    TooMany,
    /// The scene has no triangles.
    #[error("the scene has no triangles; the file has {n_meshes} meshes")]
    NoTriangles {
        /// How many meshes there are, used or not.
        n_meshes: usize,
    },
}

/// Reads a glTF file, text or binary. `side_file` is asked for the buffers that lie beside it.
///
/// # Errors
/// [`GltfError`] naming the first element that cannot be read.
pub fn read_gltf(bytes: &[u8], side_file: &SideFile<'_>) -> Result<LevelFile, GltfError> {
    let (text, binary) = container::parts(bytes)?;
    let n_objects = text.split(|&byte| byte == b'{').count() - 1;
    if n_objects > MAX_JSON_OBJECTS {
        return Err(GltfError::TooManyObjects { found: n_objects });
    }
    let root: Root = serde_json::from_slice(text).map_err(|error| {
        // The first version keeps maps where this one keeps lists, so nothing but its number can be read.
        let other = version_of(text).filter(|version| !is_readable(version));
        other.map_or_else(|| json_error(&error), |version| version_error(&version))
    })?;
    if !is_readable(&root.asset.version) {
        return Err(version_error(&root.asset.version));
    }
    let mut warnings = FileWarnings::default();
    check_extensions(&root, &mut warnings);
    let buffers = Buffers::new(&root, bytes.len(), binary, side_file);
    let built = scene::build(&root, &buffers, &mut warnings)?;
    let place_of = |triangle: usize| Location::Element(built.place_of(triangle));
    oddities::check_triangles(&built.vertices, &built.triangles, place_of, &mut warnings);
    warnings.sort();
    let n_faces = built.triangles.len();
    let scene::Built { vertices, triangles, parts, .. } = built;
    Ok(LevelFile { vertices, triangles, parts, n_faces, warnings })
}

fn is_readable(version: &str) -> bool {
    version.starts_with("2.")
}

/// The version of the format that JSON says it is, as text.
fn version_of(text: &[u8]) -> Option<String> {
    let only: json::OnlyAsset = serde_json::from_slice(text).ok()?;
    only.asset.version.map(|version| version.0)
}

fn version_error(version: &str) -> GltfError {
    GltfError::Version { found: excerpt(version) }
}

/// What the parser says, without the place, which is said beside it.
fn json_error(error: &serde_json::Error) -> GltfError {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    let reason = text[..end].to_owned();
    GltfError::Json { line: error.line(), column: error.column(), reason }
}

/// Extensions that a file may need and that change nothing about where one can walk, by how they begin.
const SILENT_EXTENSIONS: &[&str] = &[
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "EXT_texture_",
    "EXT_lights_",
    "MSFT_texture_",
    "KHR_mesh_quantization",
    "EXT_mesh_gpu_instancing",
    // These are an error where they are met without the data that they stand for.
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
];

fn check_extensions(root: &Root, warnings: &mut FileWarnings) {
    for extension in &root.extensions_required {
        if !SILENT_EXTENSIONS.iter().any(|known| extension.starts_with(known)) {
            let place = || Location::Element(format!("extension {}", excerpt(extension)));
            let unknown = || (place(), Finding::ExtensionUnknown { name: excerpt(extension) });
            warnings.add(Code::ExtensionUnknown, unknown);
        }
    }
}

/// How messages call an element of the file.
fn element(kind: &str, index: usize, name: Option<&str>) -> String {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{kind} {index} {:?}", excerpt(name)),
        None => format!("{kind} {index}"),
    }
}

/// Element `index` of `all`.
fn named<'a, T>(
    all: &'a [T],
    what: &'static str,
    index: usize,
    by: impl FnOnce() -> String,
) -> Result<&'a T, GltfError> {
    let missing = || GltfError::Missing { element: by(), what, index, n: all.len() };
    all.get(index).ok_or_else(missing)
}
