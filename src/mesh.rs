//! Source geometry: the triangles of a level, and the files that contain them.

#[doc(inline)]
pub use walkable_level_files::*;
#[doc(inline)]
pub use walkable_mesh::{
    BinnedError, BinnedLevel, BinnedWriter, DamagedSquare, LoadedTriangles, MaterialColors,
    MeshError, MeshPart, StableHash, TriMesh,
};
