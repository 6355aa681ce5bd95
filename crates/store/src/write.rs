use std::io::{Cursor, Read, Seek, SeekFrom, Write};

use walkable_runtime::navmesh::{
    NavMesh, NavMeshParams, TilePlace,
    format::{RefWidth, Writer},
};

use crate::{
    FOOTER_BYTES, HEADER_BYTES, MAGIC, MAX_TILES, StoreEntry, StoreError, StoredTile, VERSION,
    index::check_header,
    record::{CHANGED, Checksum},
};

/// Number of bytes of the index written at once.
const INDEX_PART: usize = 64 << 10;

/// Appends tiles to a store. Its memory does not depend on the number of tiles: the index is made from the file.
#[derive(Debug)]
pub struct StoreWriter<W> {
    to: W,
    last: Option<TilePlace>,
    n_tiles: usize,
    end: u64,
}

impl<W: Read + Write + Seek> StoreWriter<W> {
    /// Begins a store at the start of an empty file.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`] if the file cannot be written.
    pub fn new(mut to: W) -> Result<Self, StoreError> {
        to.write_all(&header())?;
        Ok(Self { to, last: None, n_tiles: 0, end: HEADER_BYTES })
    }

    /// Continues a store whose writer was killed: passes all complete records to `keep`, in order, until it returns
    /// `false`. The first record that is incomplete, damaged or not kept, and everything after it, will be overwritten:
    /// the caller must cut the file off at [`StoreWriter::n_bytes`]. An empty file, and a part of the header, become an empty
    /// store.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`], or [`StoreError::Foreign`] if the file is neither empty nor a part of a tile store.
    pub fn resume(
        mut file: W,
        mut keep: impl FnMut(&StoredTile) -> bool,
    ) -> Result<Self, StoreError> {
        let n_bytes = file.seek(SeekFrom::End(0))?;
        if n_bytes < HEADER_BYTES {
            let mut start = Vec::new();
            file.rewind()?;
            Read::by_ref(&mut file).take(HEADER_BYTES).read_to_end(&mut start)?;
            if !header().starts_with(&start) {
                return Err(StoreError::Foreign("its header is wrong"));
            }
            file.rewind()?;
            return Self::new(file);
        }
        check_header(&mut file)?;
        let mut kept = Self { to: file, last: None, n_tiles: 0, end: HEADER_BYTES };
        while let Some((entry, record)) = StoreEntry::next_record(&mut kept.to, kept.end)? {
            let follows = kept.last.is_none_or(|last| last < entry.place);
            if !follows || kept.n_tiles as u64 >= MAX_TILES || !keep(&record) {
                break;
            }
            kept.add(&entry);
        }
        kept.to.seek(SeekFrom::Start(kept.end))?;
        Ok(kept)
    }

    /// Returns the file.
    pub fn get_ref(&self) -> &W {
        &self.to
    }

    /// Returns the length of the file so far.
    pub fn n_bytes(&self) -> u64 {
        self.end
    }

    /// Returns the number of tiles so far.
    pub fn n_tiles(&self) -> usize {
        self.n_tiles
    }

    /// Appends a tile, with one write.
    ///
    /// # Errors
    /// Returns [`StoreError::Order`] if it is not in order after the previous tile, [`StoreError::TooLarge`],
    /// [`StoreError::TooMany`] or [`StoreError::Io`].
    pub fn append(&mut self, tile: &StoredTile) -> Result<(), StoreError> {
        let place = tile.place;
        if let Some(last) = self.last.filter(|last| place <= *last) {
            return Err(StoreError::Order { place, last });
        }
        if self.n_tiles as u64 >= MAX_TILES {
            return Err(StoreError::TooMany);
        }
        let (bytes, entry) = tile.to_bytes(self.end)?;
        self.to.write_all(&bytes)?;
        self.add(&entry);
        Ok(())
    }

    fn add(&mut self, entry: &StoreEntry) {
        (self.last, self.end) = (Some(entry.place), entry.end());
        self.n_tiles += 1;
    }

    /// Writes the index and returns the file.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`] if the file cannot be read or written, or [`StoreError::Damaged`] if something else has
    /// changed it.
    pub fn finish(mut self, params: &NavMeshParams, width: RefWidth) -> Result<W, StoreError> {
        let mut header = Writer::default();
        params.write_to(&mut header);
        header.u32(match width {
            RefWidth::Bits32 => 32,
            RefWidth::Bits64 => 64,
        });
        header.put((self.n_tiles as u64).to_le_bytes());
        let (mut part, mut hash) = (header.bytes, Checksum::default());
        let (mut record_at, mut index_at) = (HEADER_BYTES, self.end);
        for _ in 0..self.n_tiles {
            let entry = StoreEntry::of_record(&mut self.to, record_at)?;
            record_at = entry.end();
            entry.put(&mut part);
            if part.len() >= INDEX_PART {
                index_at = self.put_index(&mut part, &mut hash, index_at)?;
            }
        }
        if record_at != self.end {
            return Err(StoreError::Damaged(CHANGED));
        }
        self.put_index(&mut part, &mut hash, index_at)?;
        let mut footer = self.end.to_le_bytes().to_vec();
        footer.extend(hash.finish().to_le_bytes());
        footer.extend(MAGIC);
        debug_assert_eq!(footer.len() as u64, FOOTER_BYTES, "the footer is complete");
        self.to.write_all(&footer)?;
        self.to.flush()?;
        Ok(self.to)
    }

    /// Writes a part of the index at `at` and empties it; returns the position after it.
    fn put_index(
        &mut self,
        part: &mut Vec<u8>,
        hash: &mut Checksum,
        at: u64,
    ) -> Result<u64, StoreError> {
        self.to.seek(SeekFrom::Start(at))?;
        self.to.write_all(part)?;
        hash.add(part);
        let end = at + part.len() as u64;
        part.clear();
        Ok(end)
    }
}

fn header() -> Vec<u8> {
    [MAGIC, VERSION.to_le_bytes()].concat()
}

/// Writes a navmesh as a tile store. References to its polygons are not kept: tiles get slots in the order of the store.
///
/// # Errors
/// Returns [`StoreError::TooLarge`] or [`StoreError::TooMany`].
pub fn store_bytes(mesh: &NavMesh) -> Result<Vec<u8>, StoreError> {
    let mut tiles: Vec<_> = mesh.tiles().map(|tile| (TilePlace::of(tile), tile)).collect();
    tiles.sort_unstable_by_key(|(place, _)| *place);
    let mut writer = StoreWriter::new(Cursor::new(Vec::new()))?;
    for (place, tile) in tiles {
        let (tile, notes) = (tile.to_bytes(), Vec::new());
        writer.append(&StoredTile { place, key: 0, tile, notes })?;
    }
    Ok(writer.finish(mesh.params(), mesh.width())?.into_inner())
}
