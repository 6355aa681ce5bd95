//! Source geometry: the triangles of a level, checked once at the door.

mod tri_mesh;

pub use tri_mesh::{MeshError, Part, TriMesh};
