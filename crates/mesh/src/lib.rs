#![doc = include_str!("../README.md")]

mod binned;
#[doc(hidden)]
pub mod names;
mod tri_mesh;

pub use binned::{BinnedError, BinnedLevel, BinnedWriter};
pub use tri_mesh::{MeshError, MeshPart, TriMesh};
