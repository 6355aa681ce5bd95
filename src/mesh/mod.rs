//! Source geometry: the triangles of a level, checked once at the door.

mod binned;
mod import;
mod obj;
mod obj_write;
mod tri_mesh;

pub use binned::{BinnedError, BinnedLevel, BinnedWriter};
pub use import::{ImportHint, ImportOptions, UpAxis, import_hint};
pub use obj::{ObjError, ObjLevel, ObjWarning, ObjWarningKind, ObjWarnings, read_obj};
pub use obj_write::to_obj;
pub use tri_mesh::{MeshError, Part, TriMesh};
