//! Reads and writes the files of Detour: single tiles (`DNAV`), the state of a tile at run time (`DNMS`), and the tile
//! sets of RecastDemo (`MSET`). Reads those of KBEngine and TrinityCore.
//!
//! Writers write the bytes of the C++ library, with zeros for links, which are created whenever a tile is added. Readers
//! compare each count with the length of the input before they allocate memory, and each index with its list.
//! `docs/formats.md` describes the bytes.

mod bytes;
mod dnav;
mod json;
mod mmap;
mod mset;
pub mod obj;
mod state;

use std::fmt;

// For the files of the tile cache, which another crate of this workspace reads.
#[doc(hidden)]
pub use bytes::{Reader, Writer};
pub use mmap::{mmap_params, mmap_tile};
pub use mset::TileSetWriter;

pub use super::ref_width::RefWidth;
use super::{NavMeshError, TileError};

/// Four bytes of a file: letters as text, others in hexadecimal.
struct FourBytes(u32);

impl fmt::Display for FourBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.to_le_bytes();
        if bytes.iter().all(u8::is_ascii_graphic) {
            return write!(f, "\"{}\"", bytes.map(char::from).iter().collect::<String>());
        }
        let [a, b, c, d] = bytes;
        write!(f, "{a:02x} {b:02x} {c:02x} {d:02x}")
    }
}

/// An error of reading bytes. Offsets are relative to the start of these bytes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The data ends too early.
    #[error("{what} at byte {offset} needs {needed} bytes, but only {left} are left")]
    Truncated {
        /// Name of the data.
        what: &'static str,
        /// Offset of its start.
        offset: usize,
        /// Length in bytes.
        needed: u64,
        /// Number of bytes that are left.
        left: usize,
    },
    /// The data is of another kind.
    #[error(
        "{what} at byte {offset} starts with the bytes {found} instead of {expected}",
        found = FourBytes(*found),
        expected = FourBytes(*expected)
    )]
    WrongMagic {
        /// Name of the data.
        what: &'static str,
        /// Offset of its start.
        offset: usize,
        /// The value in the data.
        found: u32,
        /// The expected value.
        expected: u32,
    },
    /// The data has another version.
    #[error("{what} at byte {offset} has version {found}, only {expected} can be read")]
    WrongVersion {
        /// Name of the data.
        what: &'static str,
        /// Offset of its start.
        offset: usize,
        /// The value in the data.
        found: u32,
        /// The expected value.
        expected: u32,
    },
    /// A number is not valid.
    #[error("{what} at byte {offset} is {value}")]
    BadNumber {
        /// Name of the number.
        what: &'static str,
        /// The offset.
        offset: usize,
        /// The value.
        value: i64,
    },
    /// The length of a tile does not match its counts.
    #[error(
        "tile data is {found} bytes long; its counts ask for {narrow}, or {wide} with 64-bit references"
    )]
    WrongSize {
        /// Length of the data.
        found: usize,
        /// Length with 32-bit references.
        narrow: u64,
        /// Length with 64-bit references.
        wide: u64,
    },
    /// Bytes follow the end of the data.
    #[error("{n_bytes} bytes follow the end of {what}")]
    LeftOver {
        /// Name of the data.
        what: &'static str,
        /// Number of bytes that follow.
        n_bytes: usize,
    },
    /// A number is infinite or NaN, or larger than the largest coordinate,
    /// [`MAX_COORDINATE`](crate::geom::MAX_COORDINATE).
    #[error("{what} at byte {offset} is not a finite number, or is larger than 1.15e18")]
    NotFinite {
        /// Name of the number.
        what: &'static str,
        /// The offset.
        offset: usize,
    },
    /// Packed data cannot be unpacked.
    #[error("{what} at byte {offset} cannot be unpacked: {why}")]
    BadPacking {
        /// Name of the data.
        what: &'static str,
        /// Offset of its start.
        offset: usize,
        /// The cause.
        why: &'static str,
    },
    /// The contents of a tile are not valid.
    #[error(transparent)]
    Tile(#[from] TileError),
    /// The reference of a tile is zero, has no salt, names a polygon, or names no tile of the mesh.
    #[error("the tile reference at byte {offset} is {reference:#x}")]
    BadReference {
        /// The offset.
        offset: usize,
        /// The value.
        reference: u64,
    },
    /// A tile of a set is not valid. Offsets in `error` are relative to the start of the tile.
    #[error("tile {index} at byte {offset}: {error}")]
    InTile {
        /// Index of the tile in the file.
        index: u32,
        /// Offset of its start.
        offset: usize,
        /// The error.
        error: Box<Self>,
    },
    /// The tiles do not form a navmesh.
    #[error(transparent)]
    Mesh(Box<NavMeshError>),
}
