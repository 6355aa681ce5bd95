#![doc = include_str!("../README.md")]
//!
//! # Bytes
//!
//! A store is a header, a record for each tile by row, column and layer, an index of the records and a footer.
//! `docs/formats.md` has the byte tables. [`StoreWriter`] appends each record with one write, so a file whose writer
//! was killed contains all records but the last completely. [`StoreWriter::resume`] finds these records.

mod index;
mod read;
mod record;
mod write;

#[cfg(test)]
mod tests;

use std::io;

use walkable_runtime::{
    navmesh::{NavMeshError, TilePlace, format::FormatError},
    query::QueryError,
};

pub use self::{
    index::StoreFinder,
    read::{OverlayBuilder, TileStore},
    record::{StoreEntry, StoredTile},
    write::{StoreWriter, store_bytes},
};

/// Maximum number of records of a store.
pub const MAX_TILES: u64 = 1 << 22;
/// Maximum length of the tile and the notes of a record together, in bytes.
pub const MAX_RECORD_BYTES: u64 = 64 << 20;

/// The first and last bytes of a store.
const MAGIC: [u8; 4] = *b"WTST";
const VERSION: u32 = 1;
/// Magic and version.
const HEADER_BYTES: u64 = 8;
/// Position of the index, its checksum, and the magic.
const FOOTER_BYTES: u64 = 28;

/// Why a store cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file could not be written or read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a tile store.
    #[error("this is not a tile store: {0}")]
    Foreign(&'static str),
    /// The end of the file is missing.
    #[error("the tile store is incomplete; bake it again to complete it")]
    Incomplete,
    /// The index is damaged.
    #[error("the tile store is damaged: {0}; bake it again")]
    Damaged(&'static str),
    /// A record is damaged.
    #[error("tile {place} of the tile store is damaged: {why}; bake it again")]
    DamagedTile {
        /// The tile.
        place: TilePlace,
        /// Cause of the damage.
        why: &'static str,
    },
    /// A tile is not in order after the previous one.
    #[error("tile {place} was added to the tile store after tile {last}")]
    Order {
        /// The tile.
        place: TilePlace,
        /// The previous tile.
        last: TilePlace,
    },
    /// A record is too large.
    #[error("tile {place} has {n_bytes} bytes, more than the limit of {MAX_RECORD_BYTES}")]
    TooLarge {
        /// The tile.
        place: TilePlace,
        /// Length of the record.
        n_bytes: u64,
    },
    /// There are too many tiles.
    #[error("the tile store has more than {MAX_TILES} tiles; bake larger tiles (tile_size)")]
    TooMany,
    /// The data of a tile is invalid although its checksum is correct.
    #[error("tile {place} of the tile store is invalid: {error}")]
    Tile {
        /// The tile.
        place: TilePlace,
        /// Cause of the error.
        error: FormatError,
    },
    /// The tiles do not form a navmesh.
    #[error(transparent)]
    Mesh(#[from] NavMeshError),
    /// An overlay for routes cannot be computed: a cost of the filter is not valid, or there are too many links.
    #[error(transparent)]
    Overlay(#[from] QueryError),
}
