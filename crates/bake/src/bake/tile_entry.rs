//! The result of a tile as bytes, to be stored in files.

use walkable_mesh::StableHash;
use walkable_runtime::{
    diagnostic::Diagnostic,
    navmesh::{Tile, format::FormatError},
};

use crate::bake::{TileBake, TileCounts, TileKey};

/// The letters WTIL.
const MAGIC: u32 = 0x5754_494c;
/// Version of the encoding.
const VERSION: u32 = 1;
/// Bytes before the contents: magic, version, key, length of the contents.
const HEADER: usize = 32;
const CHECKSUM: usize = 16;

/// Why bytes are not a valid entry of a tile.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// The bytes do not begin with the magic number.
    #[error("it is not a stored tile")]
    WrongMagic,
    /// The bytes have another version.
    #[error("it has version {found}, only {VERSION} can be read")]
    WrongVersion {
        /// The version.
        found: u32,
    },
    /// The bytes are shorter or longer than stated in their header.
    #[error("it has {found} bytes instead of {needed}")]
    WrongSize {
        /// The number of bytes.
        found: usize,
        /// The number of bytes stated in the header.
        needed: u64,
    },
    /// The bytes were changed.
    #[error("its checksum is wrong")]
    WrongChecksum,
    /// The entry belongs to another tile.
    #[error("it is the tile with key {found}")]
    WrongKey {
        /// The key of that tile.
        found: TileKey,
    },
    /// The list of findings is not valid.
    #[error("its findings are damaged")]
    Findings,
    /// The tile data is not valid.
    #[error(transparent)]
    Tile(#[from] FormatError),
}

/// The stored part of a tile's bake: everything except its stages and its coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct TileEntry {
    /// Tile data; `None` if nothing is walkable.
    pub tile: Option<Tile>,
    /// Findings of the bake.
    pub warnings: Vec<Diagnostic>,
    /// Number of elements that each stage produced.
    pub counts: TileCounts,
}

impl TileEntry {
    /// Returns the entry for `bake`.
    pub fn of(bake: &TileBake) -> Self {
        let TileBake { coord: _, tile, stages: _, warnings, counts } = bake;
        Self { tile: tile.clone(), warnings: warnings.clone(), counts: *counts }
    }

    /// Writes the entry of the tile with `key`.
    pub fn to_bytes(&self, key: TileKey) -> Vec<u8> {
        let contents = self.to_contents();
        let mut bytes = Vec::with_capacity(HEADER + contents.len() + CHECKSUM);
        bytes.extend(MAGIC.to_le_bytes());
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(key.0.to_le_bytes());
        bytes.extend((contents.len() as u64).to_le_bytes());
        bytes.extend(contents);
        bytes.extend(StableHash::of(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the entry of the tile with `key`.
    ///
    /// # Errors
    /// Returns an [`EntryError`] unless the bytes are that entry, undamaged.
    pub fn from_bytes(bytes: &[u8], key: TileKey) -> Result<Self, EntryError> {
        let (found, contents) = unsealed(bytes)?;
        if found != key {
            return Err(EntryError::WrongKey { found });
        }
        Self::from_contents(contents)
    }

    /// Writes the contents without header and checksum.
    pub fn to_contents(&self) -> Vec<u8> {
        let mut contents = self.to_notes();
        if let Some(tile) = &self.tile {
            contents.extend(tile.to_bytes());
        }
        contents
    }

    /// Writes counts and findings, without the tile.
    pub fn to_notes(&self) -> Vec<u8> {
        let mut notes: Vec<_> = self.counts.to_bytes().collect();
        notes.extend(u32::try_from(self.warnings.len()).unwrap_or(u32::MAX).to_le_bytes());
        self.warnings.iter().for_each(|found| found.store(&mut notes));
        notes
    }

    /// Reads the contents without header and checksum.
    ///
    /// # Errors
    /// Returns an [`EntryError`] if they are damaged.
    pub fn from_contents(contents: &[u8]) -> Result<Self, EntryError> {
        let (entry, rest) = Self::split_notes(contents)?;
        let tile = if rest.is_empty() { None } else { Some(Tile::from_bytes(rest)?) };
        Ok(Self { tile, ..entry })
    }

    /// Reads counts and findings, without the tile.
    ///
    /// # Errors
    /// Returns [`EntryError::Findings`] if they are damaged.
    pub fn from_notes(notes: &[u8]) -> Result<Self, EntryError> {
        let (entry, rest) = Self::split_notes(notes)?;
        if rest.is_empty() { Ok(entry) } else { Err(EntryError::Findings) }
    }

    /// Reads counts and findings, and returns the bytes after them.
    fn split_notes(bytes: &[u8]) -> Result<(Self, &[u8]), EntryError> {
        let (counts, rest) = bytes.split_first_chunk().ok_or(EntryError::Findings)?;
        let (n, mut rest) = rest.split_first_chunk().ok_or(EntryError::Findings)?;
        // Each finding takes at least a byte, so a large count alone allocates nothing.
        let warnings: Option<_> =
            (0..u32::from_le_bytes(*n)).map(|_| Diagnostic::restore(&mut rest)).collect();
        let warnings = warnings.ok_or(EntryError::Findings)?;
        Ok((Self { tile: None, warnings, counts: TileCounts::from_bytes(counts) }, rest))
    }
}

/// Checks header, length and checksum; returns the key and the contents.
fn unsealed(bytes: &[u8]) -> Result<(TileKey, &[u8]), EntryError> {
    let found = bytes.len();
    let least = (HEADER + CHECKSUM) as u64;
    let too_short = || EntryError::WrongSize { found, needed: least };
    let (magic, rest) = bytes.split_first_chunk().ok_or_else(too_short)?;
    if u32::from_le_bytes(*magic) != MAGIC {
        return Err(EntryError::WrongMagic);
    }
    let (version, rest) = rest.split_first_chunk().ok_or_else(too_short)?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(EntryError::WrongVersion { found: version });
    }
    let (key, rest) = rest.split_first_chunk().ok_or_else(too_short)?;
    let (length, rest) = rest.split_first_chunk().ok_or_else(too_short)?;
    let length = u64::from_le_bytes(*length);
    let whole = rest.split_last_chunk::<CHECKSUM>().filter(|(it, _)| it.len() as u64 == length);
    let needed = length.saturating_add(least);
    let (contents, checksum) = whole.ok_or(EntryError::WrongSize { found, needed })?;
    if StableHash::of(&bytes[..HEADER + contents.len()]).to_le_bytes() != *checksum {
        return Err(EntryError::WrongChecksum);
    }
    Ok((TileKey(u128::from_le_bytes(*key)), contents))
}
