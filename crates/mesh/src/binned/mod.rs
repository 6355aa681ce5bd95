//! Levels larger than memory: triangles in a file, sorted into squares, so that those of one tile can be read.
//!
//! [`BinnedWriter`] writes a level in pieces of any size. [`BinnedLevel`] reads the triangles that touch a rectangle;
//! its memory depends neither on their number nor on that of the squares. Neither opens a file: the caller passes a
//! reader or writer. `docs/formats.md` describes the format.

mod bytes;
mod index;
mod read;
mod write;

pub use read::{BinnedLevel, DamagedSquare, LoadedTriangles};
pub use write::BinnedWriter;

use crate::{MeshError, names::NameError};

/// First and last bytes of a file.
const MAGIC: [u8; 4] = *b"WTRI";
const VERSION: u32 = 2;
/// Maximum size of the directory: that of tens of millions of squares.
const MAX_DIRECTORY_BYTES: u64 = 1 << 30;
/// Magic and version.
const HEADER_BYTES: u64 = 8;
/// Hash of all preceding bytes, offset of the directory, and the magic bytes.
const FOOTER_BYTES: u64 = 28;
/// A triangle: its index in the level, its part and its corners.
const TRIANGLE_BYTES: usize = 48;

/// An error when a binned level is written or read.
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
    /// The triangles of the file are not a valid mesh.
    #[error("the binned level is damaged: {0}")]
    Mesh(MeshError),
    /// A name is too long, or all names together are.
    #[error("the binned level cannot be read: {0}")]
    Names(String),
    /// The size of the squares is not above 0.
    #[error("squares with a side of {0} m cannot hold triangles; use a side above 0")]
    BadSquare(f32),
    /// There are more triangles than may be read.
    #[error("there are more than {0} triangles")]
    TooMany(usize),
    /// No piece was added.
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

/// The triangles of a square, which are consecutive in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    /// Offset in the file, in bytes.
    offset: u64,
    n_triangles: u64,
    /// Minimum of the bounds of the triangles: x, then z.
    min: [f32; 2],
    max: [f32; 2],
}

#[cfg(test)]
mod tests;
