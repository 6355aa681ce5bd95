//! The index of a store, read in parts.

use std::io::{Read, Seek, SeekFrom};

use walkable_runtime::navmesh::{
    NavMeshParams, TilePlace,
    format::{Reader, RefWidth},
};

use crate::{
    FOOTER_BYTES, HEADER_BYTES, MAGIC, MAX_TILES, StoreEntry, StoreError, StoredTile, VERSION,
    record::{Checksum, ENTRY_BYTES},
};

/// Number of bytes of the index before its entries: parameters, width of references, number of entries.
const INDEX_HEADER: usize = 40;
/// Number of entries that are read at once.
const BLOCK: usize = 256;

/// The part of an index before its entries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexHead {
    pub(crate) params: NavMeshParams,
    pub(crate) width: RefWidth,
    /// Hash of the index, and thus of everything in the store.
    pub(crate) hash: u128,
    n_tiles: usize,
    /// Start of the index in the file.
    position: u64,
}

impl IndexHead {
    /// Reads the index. Calls `each` with the number of entries and all entries, in order, a block at a time.
    ///
    /// # Errors
    /// See [`TileStore::read`](crate::TileStore::read).
    pub(crate) fn read(
        from: &mut (impl Read + Seek),
        each: impl FnMut(usize, &[StoreEntry]),
    ) -> Result<Self, StoreError> {
        let n_bytes = from.seek(SeekFrom::End(0))?;
        check_header(from)?;
        if n_bytes < HEADER_BYTES + FOOTER_BYTES {
            return Err(StoreError::Incomplete);
        }
        let footer_at = n_bytes - FOOTER_BYTES;
        from.seek(SeekFrom::Start(footer_at))?;
        let mut footer = [0; 28];
        from.read_exact(&mut footer)?;
        let Some(footer) = footer.strip_suffix(&MAGIC) else { return Err(StoreError::Incomplete) };
        let (position, stored) = footer.split_at(8);
        let position = u64::from_le_bytes(position.try_into().unwrap_or_default());
        if !(HEADER_BYTES..=footer_at).contains(&position) {
            return Err(StoreError::Damaged("its index is missing"));
        }
        let n_index = footer_at - position;
        if n_index > INDEX_HEADER as u64 + MAX_TILES * ENTRY_BYTES as u64 {
            return Err(StoreError::TooMany);
        }
        from.seek(SeekFrom::Start(position))?;
        let mut index = Hashed { from: from.take(n_index), hash: Checksum::default() };
        let head = Self::parse(&mut index, position, n_index, each);
        // Hashes the rest if an entry is impossible, because a wrong checksum is reported first.
        while !index.part((BLOCK * ENTRY_BYTES) as u64)?.is_empty() {}
        let hash = index.hash.finish();
        if hash.to_le_bytes() != stored {
            return Err(StoreError::Damaged("the checksum of its index is wrong"));
        }
        Ok(Self { hash, ..head? })
    }

    fn parse(
        index: &mut Hashed<impl Read>,
        position: u64,
        n_index: u64,
        mut each: impl FnMut(usize, &[StoreEntry]),
    ) -> Result<Self, StoreError> {
        let damaged = StoreError::Damaged;
        let head = index.part(INDEX_HEADER as u64)?;
        let mut head = Reader::new(&head);
        let too_short = |_short| damaged("its index ends too early");
        let params = NavMeshParams::read_from(&mut head).map_err(too_short)?;
        let width = match head.u32("bits").map_err(too_short)? {
            32 => RefWidth::Bits32,
            64 => RefWidth::Bits64,
            _ => return Err(damaged("its references have an unknown width")),
        };
        let n = head.u64("number of tiles").map_err(too_short)?;
        if n.checked_mul(ENTRY_BYTES as u64) != Some(n_index.saturating_sub(INDEX_HEADER as u64)) {
            return Err(damaged("its index has another length than its number of tiles"));
        }
        let n_tiles = usize::try_from(n).map_err(|_large| StoreError::TooMany)?;
        let (mut offset, mut last, mut block) = (HEADER_BYTES, None, Vec::new());
        for first in (0..n_tiles).step_by(BLOCK) {
            let n = BLOCK.min(n_tiles - first);
            let part = index.part((n * ENTRY_BYTES) as u64)?;
            offset = entries_of(&part, offset, &mut block)?;
            for entry in &block {
                if last.is_some_and(|last| entry.place <= last) {
                    return Err(damaged("its tiles are not in order"));
                }
                last = Some(entry.place);
            }
            each(n_tiles, &block);
        }
        if offset != position {
            return Err(damaged("its tiles and its index have different lengths"));
        }
        Ok(Self { params, width, hash: 0, n_tiles, position })
    }
}

/// Parses the entries in `bytes`, of which the first record starts at `offset`; returns the end of the last record.
fn entries_of(
    bytes: &[u8],
    mut offset: u64,
    entries: &mut Vec<StoreEntry>,
) -> Result<u64, StoreError> {
    let mut input = Reader::new(bytes);
    entries.clear();
    for _ in 0..bytes.len() / ENTRY_BYTES {
        let entry = StoreEntry::get(&mut input, offset);
        let entry = entry.ok_or(StoreError::Damaged("a tile is too large"))?;
        offset = entry.end();
        entries.push(entry);
    }
    Ok(offset)
}

/// Reads parts of an index and hashes them.
struct Hashed<R> {
    from: R,
    hash: Checksum,
}

impl<R: Read> Hashed<R> {
    /// Reads and hashes up to `n_bytes` bytes; fewer only at the end of the index.
    fn part(&mut self, n_bytes: u64) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::new();
        self.from.by_ref().take(n_bytes).read_to_end(&mut bytes)?;
        self.hash.add(&bytes);
        Ok(bytes)
    }
}

/// Finds records in a store with little memory: it holds one of 256 entries, and the block of 256 that it read last. It is
/// fastest if the places are in order.
#[derive(Debug)]
pub struct StoreFinder<F> {
    file: F,
    head: IndexHead,
    /// The first entry of each block: its place, and the start of its record.
    firsts: Vec<(TilePlace, u64)>,
    /// The number of the block that was read last, and its entries.
    block: (usize, Vec<StoreEntry>),
}

impl<F: Read + Seek> StoreFinder<F> {
    /// Reads the index of a store.
    ///
    /// # Errors
    /// See [`TileStore::read`](crate::TileStore::read).
    pub fn new(mut file: F) -> Result<Self, StoreError> {
        let mut firsts = Vec::new();
        let head = IndexHead::read(&mut file, |_, block| {
            firsts.extend(block.first().map(|entry| (entry.place, entry.offset)));
        })?;
        Ok(Self { file, head, firsts, block: (usize::MAX, Vec::new()) })
    }

    /// Returns the record at a place.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`], or [`StoreError::Damaged`] if the index was changed.
    pub fn entry(&mut self, place: TilePlace) -> Result<Option<StoreEntry>, StoreError> {
        let after = self.firsts.partition_point(|(first, _)| *first <= place);
        let Some(number) = after.checked_sub(1) else { return Ok(None) };
        if self.block.0 != number {
            self.read_block(number)?;
        }
        let entries = &self.block.1;
        let at = entries.binary_search_by_key(&place, |entry| entry.place).ok();
        Ok(at.map(|at| entries[at]))
    }

    fn read_block(&mut self, number: usize) -> Result<(), StoreError> {
        let (_, offset) = self.firsts[number];
        let first = number * BLOCK;
        let n_bytes = (self.head.n_tiles - first).min(BLOCK) * ENTRY_BYTES;
        let at = self.head.position + (INDEX_HEADER + first * ENTRY_BYTES) as u64;
        self.block.0 = usize::MAX;
        self.file.seek(SeekFrom::Start(at))?;
        let mut bytes = vec![0; n_bytes];
        self.file.read_exact(&mut bytes)?;
        entries_of(&bytes, offset, &mut self.block.1)?;
        self.block.0 = number;
        Ok(())
    }

    /// Reads a record and compares it with its checksum.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`], or [`StoreError::DamagedTile`] if the record was changed.
    pub fn record(&mut self, entry: &StoreEntry) -> Result<StoredTile, StoreError> {
        entry.record(&mut self.file)
    }
}

/// Reads magic and version; the records follow.
pub(crate) fn check_header(from: &mut (impl Read + Seek)) -> Result<(), StoreError> {
    from.rewind()?;
    let mut header = Vec::new();
    from.take(HEADER_BYTES).read_to_end(&mut header)?;
    let Some(version) = header.strip_prefix(&MAGIC) else {
        return Err(StoreError::Foreign("its header is wrong"));
    };
    if version != VERSION.to_le_bytes() {
        return Err(StoreError::Foreign("its version is not supported"));
    }
    Ok(())
}
