//! Source geometry: the triangles of a level, and the files that they come in.

#[doc(inline)]
pub use walkable_level_files::{
    FileWarnings, GltfError, ImportHint, ImportOptions, LevelFile, ObjError, SideFile, UpAxis,
    import_hint, read_gltf, read_obj, to_obj,
};
#[doc(inline)]
pub use walkable_mesh::{BinnedError, BinnedLevel, BinnedWriter, MeshError, MeshPart, TriMesh};
