//! Levels larger than memory: triangles in a file, sorted into squares, so that those over a tile are read alone.
//!
//! [`BinnedWriter`] takes a level in pieces of any size and appends each, sorted; [`BinnedLevel`] is the list of
//! the squares, a few bytes for each thousand triangles, and reads what touches a rectangle. Neither opens a
//! file: both work on what the caller has opened. `docs/formats.md` has the bytes.

mod bytes;
mod read;
mod write;

use crate::names::NameError;

use crate::MeshError;

pub use read::BinnedLevel;
pub use write::BinnedWriter;

/// How a file begins and ends.
const MAGIC: [u8; 4] = *b"WTRI";
const VERSION: u32 = 2;
/// Magic and version.
const HEADER_BYTES: u64 = 8;
/// Hash of all bytes before it, start of the directory, and the magic.
const FOOTER_BYTES: u64 = 28;
/// A triangle: its number in the level, its part and its corners.
const TRIANGLE_BYTES: usize = 48;

/// Why a binned level cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BinnedError {
    /// The file could not be written or read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is not a binned level.
    #[error("this is not a binned level: {0}")]
    Foreign(&'static str),
    /// The file is damaged.
    #[error("the binned level is damaged: {0}; write it again from its pieces")]
    Damaged(&'static str),
    /// The file's triangles do not make a mesh.
    #[error("the binned level is damaged: {0}")]
    Mesh(MeshError),
    /// A name is too long, or all names together are.
    #[error("the binned level cannot be read: {0}")]
    Names(String),
    /// The squares have no size.
    #[error("squares with a side of {0} m cannot hold triangles; use a side above 0")]
    BadSquare(f32),
    /// There is nothing to write.
    #[error("no piece of the level was added")]
    Empty,
}

impl From<MeshError> for BinnedError {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}

impl From<NameError> for BinnedError {
    fn from(error: NameError) -> Self {
        Self::Names(error.to_string())
    }
}

/// Some triangles that lie near each other, in the file one after another.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    /// Where they start in the file, in bytes.
    offset: u64,
    n_triangles: u64,
    /// Their box seen from above: x, then z.
    min: [f32; 2],
    max: [f32; 2],
}

#[cfg(test)]
mod tests;
