//! A tile in a store, and its entry in the index.

use std::{
    hash::Hasher as _,
    io::{Read, Seek, SeekFrom},
};

use siphasher::sip128::{Hasher128 as _, SipHasher24};
use walkable_runtime::navmesh::{Tile, TilePlace, format::Reader};

use crate::{MAX_RECORD_BYTES, StoreError};

/// Bytes of a record before the tile: magic, place, key, two lengths.
pub(crate) const RECORD_HEADER: usize = 40;
const CHECKSUM: usize = 16;
/// Number of bytes of an entry in the index.
pub(crate) const ENTRY_BYTES: usize = 52;
/// Why the index of a store cannot be made from its records.
pub(crate) const CHANGED: &str = "another program changed it while it was written";
/// The first bytes of a record.
const MAGIC: [u8; 4] = *b"tile";

/// A checksum that is computed part by part: SipHash-2-4 with 128 bits and a key of zeros, as in Walkable's other files.
#[derive(Debug, Default)]
pub(crate) struct Checksum(SipHasher24);

impl Checksum {
    /// Adds the next part.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    /// Returns the checksum of all bytes.
    pub(crate) fn finish(&self) -> u128 {
        self.0.finish128().into()
    }
}

/// Returns the [`Checksum`] of `bytes`.
pub(crate) fn checksum(bytes: &[u8]) -> u128 {
    let mut checksum = Checksum::default();
    checksum.add(bytes);
    checksum.finish()
}

/// A record: a tile, and what its bake stored about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTile {
    /// Column, row and layer.
    pub place: TilePlace,
    /// Hash of everything that the bake of the tile read; 0 if it is unknown.
    pub key: u128,
    /// Tile data (DNAV) with 32-bit references; empty if nothing is walkable there.
    pub tile: Vec<u8>,
    /// Counts and findings of the bake, for the program that baked the tile; may be empty.
    pub notes: Vec<u8>,
}

/// An entry of the index: everything about a record except its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreEntry {
    /// Column, row and layer.
    pub place: TilePlace,
    /// Hash of everything that the bake of the tile read; 0 if it is unknown.
    pub key: u128,
    /// Hash of the record.
    pub checksum: u128,
    /// Length of the tile data in bytes; 0 if nothing is walkable there.
    pub n_tile: u32,
    /// Length of the notes in bytes.
    pub n_notes: u32,
    /// Start of the record in the file.
    pub(crate) offset: u64,
}

impl StoredTile {
    /// Returns the bytes of the record, and its entry in the index.
    pub(crate) fn to_bytes(&self, offset: u64) -> Result<(Vec<u8>, StoreEntry), StoreError> {
        let Self { place, key, tile, notes } = self;
        let n_bytes = tile.len() as u64 + notes.len() as u64;
        let lengths = u32::try_from(tile.len()).ok().zip(u32::try_from(notes.len()).ok());
        let lengths = lengths.filter(|_| n_bytes <= MAX_RECORD_BYTES);
        let (n_tile, n_notes) = lengths.ok_or(StoreError::TooLarge { place: *place, n_bytes })?;
        let mut bytes = Vec::with_capacity(RECORD_HEADER + tile.len() + notes.len() + CHECKSUM);
        bytes.extend(MAGIC);
        put_head(&mut bytes, *place, *key, [n_tile, n_notes]);
        bytes.extend(tile);
        bytes.extend(notes);
        let checksum = checksum(&bytes);
        bytes.extend(checksum.to_le_bytes());
        Ok((bytes, StoreEntry { place: *place, key: *key, checksum, n_tile, n_notes, offset }))
    }

    /// Returns the tile; `None` if nothing is walkable there.
    ///
    /// # Errors
    /// Returns [`StoreError::Tile`] if the data is invalid or belongs to another place.
    pub fn decode(&self) -> Result<Option<Tile>, StoreError> {
        if self.tile.is_empty() {
            return Ok(None);
        }
        let place = self.place;
        let tile = Tile::from_bytes(&self.tile);
        let tile = tile.map_err(|error| StoreError::Tile { place, error })?;
        if TilePlace::of(&tile) != place {
            return Err(StoreError::DamagedTile { place, why: "its data is another tile's" });
        }
        Ok(Some(tile))
    }
}

impl StoreEntry {
    /// Returns the length of the record in bytes.
    pub fn n_bytes(&self) -> u64 {
        (RECORD_HEADER + CHECKSUM) as u64 + u64::from(self.n_tile) + u64::from(self.n_notes)
    }

    /// Returns the position of the next record.
    pub(crate) fn end(&self) -> u64 {
        self.offset.saturating_add(self.n_bytes())
    }

    /// Appends the entry to the index.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put_head(out, self.place, self.key, [self.n_tile, self.n_notes]);
        out.extend(self.checksum.to_le_bytes());
    }

    /// Reads the index entry of the record at `offset`.
    pub(crate) fn get(input: &mut Reader<'_>, offset: u64) -> Option<Self> {
        let head = Self::get_head(input, offset)?;
        let checksum = u128_of(input)?;
        Some(Self { checksum, ..head })
    }

    /// Reads the header of a record, without a checksum.
    fn get_head(input: &mut Reader<'_>, offset: u64) -> Option<Self> {
        let mut number = || input.i32("place").ok();
        let (x, z, layer) = (number()?, number()?, number()?);
        let key = u128_of(input)?;
        let (n_tile, n_notes) = (input.u32("length").ok()?, input.u32("length").ok()?);
        let is_allowed = u64::from(n_tile) + u64::from(n_notes) <= MAX_RECORD_BYTES;
        let place = TilePlace { z, x, layer };
        is_allowed.then_some(Self { place, key, checksum: 0, n_tile, n_notes, offset })
    }

    /// Reads the entry of the complete record at `offset`, without its contents.
    pub(crate) fn of_record(
        from: &mut (impl Read + Seek),
        offset: u64,
    ) -> Result<Self, StoreError> {
        let mut head = [0; RECORD_HEADER];
        from.seek(SeekFrom::Start(offset))?;
        from.read_exact(&mut head)?;
        let head = head.strip_prefix(&MAGIC);
        let head = head.and_then(|head| Self::get_head(&mut Reader::new(head), offset));
        let entry = head.ok_or(StoreError::Damaged(CHANGED))?;
        let mut checksum = [0; CHECKSUM];
        from.seek(SeekFrom::Start(entry.end() - CHECKSUM as u64))?;
        from.read_exact(&mut checksum)?;
        Ok(Self { checksum: u128::from_le_bytes(checksum), ..entry })
    }

    /// Reads the record and compares it with its checksum.
    pub(crate) fn record(&self, from: &mut (impl Read + Seek)) -> Result<StoredTile, StoreError> {
        let place = self.place;
        from.seek(SeekFrom::Start(self.offset))?;
        let found = Self::next_record(from, self.offset)?;
        let (found, record) =
            found.ok_or(StoreError::DamagedTile { place, why: "its checksum is wrong" })?;
        if found != *self {
            return Err(StoreError::DamagedTile { place, why: "it differs from the index" });
        }
        Ok(record)
    }

    /// Reads the next record, which starts at `offset`; `None` if there is no complete, undamaged record.
    pub(crate) fn next_record(
        from: &mut impl Read,
        offset: u64,
    ) -> Result<Option<(Self, StoredTile)>, StoreError> {
        let mut bytes = Vec::new();
        from.by_ref().take(RECORD_HEADER as u64).read_to_end(&mut bytes)?;
        let Some(head) = bytes.strip_prefix(&MAGIC) else { return Ok(None) };
        let Some(entry) = Self::get_head(&mut Reader::new(head), offset) else { return Ok(None) };
        // The lengths may be damaged, so memory is allocated only for bytes that exist.
        from.by_ref().take(entry.n_bytes() - RECORD_HEADER as u64).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != entry.n_bytes() {
            return Ok(None);
        }
        let Some((checked, stored)) = bytes.split_last_chunk::<CHECKSUM>() else { return Ok(None) };
        let checksum = checksum(checked);
        if checksum.to_le_bytes() != *stored {
            return Ok(None);
        }
        let (tile, notes) = checked[RECORD_HEADER..].split_at(entry.n_tile as usize);
        let Self { place, key, .. } = entry;
        let record = StoredTile { place, key, tile: tile.to_vec(), notes: notes.to_vec() };
        Ok(Some((Self { checksum, ..entry }, record)))
    }
}

fn put_head(out: &mut Vec<u8>, place: TilePlace, key: u128, lengths: [u32; 2]) {
    for number in [place.x, place.z, place.layer] {
        out.extend(number.to_le_bytes());
    }
    out.extend(key.to_le_bytes());
    for length in lengths {
        out.extend(length.to_le_bytes());
    }
}

fn u128_of(input: &mut Reader<'_>) -> Option<u128> {
    let bytes = input.slice("hash", CHECKSUM).ok()?;
    Some(u128::from_le_bytes(bytes.try_into().ok()?))
}
