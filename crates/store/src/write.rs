use std::io::{Read, Seek, SeekFrom, Write};

use walkable_runtime::navmesh::{
    NavMesh, NavMeshParams, TilePlace,
    format::{RefWidth, Writer},
};

use crate::{
    FOOTER_BYTES, HEADER_BYTES, MAGIC, MAX_TILES, StoreEntry, StoreError, StoredTile, VERSION,
    read::check_header, record::checksum,
};

/// Appends tiles to a store. Memory holds 64 bytes per tile.
#[derive(Debug)]
pub struct StoreWriter<W> {
    to: W,
    entries: Vec<StoreEntry>,
    end: u64,
}

impl<W: Write> StoreWriter<W> {
    /// Begins a store at the start of an empty file.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`] if the file cannot be written.
    pub fn new(mut to: W) -> Result<Self, StoreError> {
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        to.write_all(&header)?;
        Ok(Self { to, entries: Vec::new(), end: HEADER_BYTES })
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
        self.entries.len()
    }

    /// Appends a tile, with one write.
    ///
    /// # Errors
    /// Returns [`StoreError::Order`] if it is not in order after the previous tile, [`StoreError::TooLarge`],
    /// [`StoreError::TooMany`] or [`StoreError::Io`].
    pub fn append(&mut self, tile: &StoredTile) -> Result<(), StoreError> {
        let place = tile.place;
        if let Some(last) = self.entries.last().filter(|last| place <= last.place) {
            return Err(StoreError::Order { place, last: last.place });
        }
        if self.entries.len() as u64 >= MAX_TILES {
            return Err(StoreError::TooMany);
        }
        let (bytes, entry) = tile.to_bytes(self.end)?;
        self.to.write_all(&bytes)?;
        self.end = entry.end();
        self.entries.push(entry);
        Ok(())
    }

    /// Writes the index and returns the file.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`] if the file cannot be written.
    pub fn finish(mut self, params: &NavMeshParams, width: RefWidth) -> Result<W, StoreError> {
        let mut index = Writer::default();
        params.write_to(&mut index);
        index.u32(match width {
            RefWidth::Bits32 => 32,
            RefWidth::Bits64 => 64,
        });
        index.put((self.entries.len() as u64).to_le_bytes());
        let mut index = index.bytes;
        self.entries.iter().for_each(|entry| entry.put(&mut index));
        let checksum = checksum(&index);
        index.extend(self.end.to_le_bytes());
        index.extend(checksum.to_le_bytes());
        index.extend(MAGIC);
        debug_assert!(index.len() as u64 > FOOTER_BYTES, "the footer is written");
        self.to.write_all(&index)?;
        self.to.flush()?;
        Ok(self.to)
    }
}

impl<W: Read + Write + Seek> StoreWriter<W> {
    /// Continues a store whose writer was killed: passes all complete records to `keep`, in order, until it returns
    /// `false`. The first record that is incomplete, damaged or not kept, and everything after it, will be overwritten:
    /// the caller must cut the file off at [`StoreWriter::n_bytes`]. An empty file becomes an empty store.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`], or [`StoreError::Foreign`] if the file is neither empty nor a tile store.
    pub fn resume(
        mut file: W,
        mut keep: impl FnMut(&StoredTile) -> bool,
    ) -> Result<Self, StoreError> {
        let n_bytes = file.seek(SeekFrom::End(0))?;
        if n_bytes < HEADER_BYTES {
            file.rewind()?;
            return Self::new(file);
        }
        check_header(&mut file)?;
        let (mut entries, mut end) = (Vec::<StoreEntry>::new(), HEADER_BYTES);
        while let Some((entry, record)) = StoreEntry::next_record(&mut file, end)? {
            let follows = entries.last().is_none_or(|last| last.place < entry.place);
            if !follows || entries.len() as u64 >= MAX_TILES || !keep(&record) {
                break;
            }
            end = entry.end();
            entries.push(entry);
        }
        file.seek(SeekFrom::Start(end))?;
        Ok(Self { to: file, entries, end })
    }
}

/// Writes a navmesh as a tile store. References to its polygons are not kept: tiles get slots in the order of the store.
///
/// # Errors
/// Returns [`StoreError::TooLarge`] or [`StoreError::TooMany`].
pub fn store_bytes(mesh: &NavMesh) -> Result<Vec<u8>, StoreError> {
    let mut tiles: Vec<_> = mesh.tiles().map(|tile| (TilePlace::of(tile), tile)).collect();
    tiles.sort_unstable_by_key(|(place, _)| *place);
    let mut writer = StoreWriter::new(Vec::new())?;
    for (place, tile) in tiles {
        let (tile, notes) = (tile.to_bytes(), Vec::new());
        writer.append(&StoredTile { place, key: 0, tile, notes })?;
    }
    writer.finish(mesh.params(), mesh.width())
}
