#![doc = include_str!("../README.md")]

mod binned;
#[doc(hidden)]
pub mod names;
mod stable_hash;
mod tri_mesh;

pub use binned::{BinnedError, BinnedLevel, BinnedWriter, DamagedSquare, LoadedTriangles};
pub use stable_hash::StableHash;
pub use tri_mesh::{MaterialColors, MeshError, MeshPart, TriMesh};
