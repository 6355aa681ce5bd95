//! Bytes in and out: single Detour tiles (`DNAV`), their state while a game runs (`DNMS`), and RecastDemo's
//! tile sets (`MSET`).
//!
//! Writers give the bytes that the C++ library gives, with links zeroed (they are made anew whenever
//! a tile is added). Readers trust nothing: each count is held against the length of the input before
//! anything is allocated, and each index against its list. `docs/formats.md` has the byte tables.

mod bytes;
mod dnav;
mod json;
mod mset;
pub mod obj;
mod state;

// For the files of the tile cache, which another crate of this workspace reads; not for others.
#[doc(hidden)]
pub use bytes::{Reader, Writer};

pub use super::ref_width::RefWidth;
use super::{NavMeshError, TileError};

/// Why bytes were refused. Offsets count from the start of the bytes given.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The data ends too early.
    #[error("{what} at byte {offset} needs {needed} bytes, but only {left} are left")]
    Truncated {
        /// What was read.
        what: &'static str,
        /// Where it starts.
        offset: usize,
        /// How long it is.
        needed: u64,
        /// How much there is.
        left: usize,
    },
    /// The data is something else.
    #[error("{what} at byte {offset} starts with {found:#010x} instead of {expected:#010x}")]
    WrongMagic {
        /// What was read.
        what: &'static str,
        /// Where it starts.
        offset: usize,
        /// What is there.
        found: u32,
        /// What should be there.
        expected: u32,
    },
    /// The data has another version.
    #[error("{what} at byte {offset} has version {found}, only {expected} can be read")]
    WrongVersion {
        /// What was read.
        what: &'static str,
        /// Where it starts.
        offset: usize,
        /// What is there.
        found: u32,
        /// What should be there.
        expected: u32,
    },
    /// A number is not valid.
    #[error("{what} at byte {offset} is {value}")]
    BadNumber {
        /// Which number.
        what: &'static str,
        /// Where it is.
        offset: usize,
        /// What it is.
        value: i64,
    },
    /// A tile is longer or shorter than its counts say.
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
    /// Something follows the end.
    #[error("{n_bytes} bytes follow the end of {what}")]
    LeftOver {
        /// What has ended.
        what: &'static str,
        /// How much follows.
        n_bytes: usize,
    },
    /// A number is infinite or NaN, or larger than the largest coordinate,
    /// [`MAX_COORDINATE`](crate::geom::MAX_COORDINATE).
    #[error("{what} at byte {offset} is not a finite number, or is larger than 1.15e18")]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// Where it is.
        offset: usize,
    },
    /// Packed data cannot be unpacked.
    #[error("{what} at byte {offset} cannot be unpacked: {why}")]
    BadPacking {
        /// What was read.
        what: &'static str,
        /// Where it starts.
        offset: usize,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The content of a tile is not sound.
    #[error(transparent)]
    Tile(#[from] TileError),
    /// The reference of a tile is zero, has no salt, names a polygon, or names no tile of the mesh.
    #[error("the tile reference at byte {offset} is {reference:#x}")]
    BadReference {
        /// Where it is.
        offset: usize,
        /// What it is.
        reference: u64,
    },
    /// Something is wrong in a tile of a set; offsets of tile data count from the tile's own start.
    #[error("tile {index} at byte {offset}: {error}")]
    InTile {
        /// Which tile of the file.
        index: u32,
        /// Where it starts.
        offset: usize,
        /// What is wrong.
        error: Box<Self>,
    },
    /// The tiles do not make a mesh.
    #[error(transparent)]
    Mesh(Box<NavMeshError>),
}
