//! A folder of baked tiles that later bakes read instead of baking them again. Processes and machines can share it.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use anyhow::Context as _;
use serde::Serialize;
use walkable::{
    bake::{BakeError, BakeOutput, BakePlan, TileBake, TileEntry, TileKey, bake_tile},
    diagnostic::Phrase,
    ids::TileCoord,
    monitor::Monitor,
    phrase,
};

use crate::{
    disk_cache::{CacheFile, delete_oldest},
    files::{self, Durability, Format},
    runner::TileFailure,
};

const ENDING: &str = "wtil";

/// A folder with an entry for each baked tile, named by the tile's key.
#[derive(Debug)]
pub struct BakeCache {
    folder: PathBuf,
    tally: Mutex<CacheTally>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheTally {
    pub folder: String,
    #[serde(rename = "read", serialize_with = "as_number")]
    read_tiles: BTreeSet<TileCoord>,
    pub baked: usize,
    pub damaged: usize,
    pub not_stored: usize,
    #[serde(skip)]
    first_damaged: Option<String>,
    #[serde(skip)]
    first_not_stored: Option<String>,
}

fn as_number<S: serde::Serializer>(tiles: &BTreeSet<TileCoord>, to: S) -> Result<S::Ok, S::Error> {
    tiles.len().serialize(to)
}

impl CacheTally {
    pub fn was_read(&self, coord: TileCoord) -> bool {
        self.read_tiles.contains(&coord)
    }

    pub fn is_used(&self) -> bool {
        self.n_read() + self.baked > 0
    }

    pub fn n_read(&self) -> usize {
        self.read_tiles.len()
    }

    pub fn lines(&self) -> Vec<Phrase> {
        let Self { folder, baked, damaged, not_stored, .. } = self;
        let n_read = self.n_read();
        let mut lines = vec![phrase!(
            "cache {folder}: {n_read} of {n_all} tiles read, {baked} baked",
            folder = &**folder,
            n_read,
            n_all = n_read + baked,
            baked = *baked
        )];
        lines.extend(self.first_damaged.iter().map(|first| {
            phrase!(
                "cache {folder}: {damaged} damaged entries baked again; the first: {first}",
                folder = &**folder,
                damaged = *damaged,
                first = &**first
            )
        }));
        lines.extend(self.first_not_stored.iter().map(|first| {
            phrase!(
                "cache {folder}: {not_stored} tiles could not be stored; the first: {first}",
                folder = &**folder,
                not_stored = *not_stored,
                first = &**first
            )
        }));
        lines
    }
}

impl BakeCache {
    /// Maximum size of the window's cache after a bake, in bytes: some hundred thousand tiles.
    pub const MAX_BYTES: u64 = 4 << 30;

    /// Opens the cache in `folder`, and creates the folder if it does not exist.
    pub fn open(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the cache folder {}", folder.display()))?;
        let tally = CacheTally { folder: folder.display().to_string(), ..CacheTally::default() };
        Ok(Self { folder: folder.to_owned(), tally: Mutex::new(tally) })
    }

    /// Deletes the oldest entries until the rest takes at most `max_bytes`. Entries that cannot be deleted stay.
    pub fn trim(&self, max_bytes: u64) -> anyhow::Result<()> {
        let context = || format!("cannot list the cache folder {}", self.folder.display());
        let entries = entries(&self.folder).with_context(context)?;
        delete_oldest(entries, max_bytes, None);
        Ok(())
    }

    pub fn tally(&self) -> CacheTally {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads a tile of `plan` from the cache, or bakes the tile and stores it. The result has no stages. Damaged
    /// entries are replaced. Entries that cannot be read or stored are counted, but are no errors.
    pub fn bake(
        &self,
        plan: &BakePlan,
        coord: TileCoord,
        monitor: &dyn Monitor,
    ) -> Result<TileBake, TileFailure> {
        let key = plan.tile_key(coord, monitor).map_err(BakeError::from)?;
        self.bake_keyed(plan, coord, key, monitor)
    }

    /// Like [`BakeCache::bake`], but for a tile whose key is known.
    pub fn bake_keyed(
        &self,
        plan: &BakePlan,
        coord: TileCoord,
        key: TileKey,
        monitor: &dyn Monitor,
    ) -> Result<TileBake, TileFailure> {
        let path = self.path(key);
        match read(&path, key) {
            Ok(Some(TileEntry { tile, warnings, counts })) => {
                self.count(|tally| {
                    tally.read_tiles.insert(coord);
                });
                return Ok(TileBake { coord, tile, stages: None, warnings, counts });
            }
            Ok(None) => {}
            Err(error) => self.count(|tally| {
                tally.damaged += 1;
                tally.first_damaged.get_or_insert_with(|| format!("{error:#}"));
            }),
        }
        // The stages are kept until they are counted.
        let bake = bake_tile(plan, coord, BakeOutput::Stages, monitor)?;
        let bake = TileBake { stages: None, ..bake };
        self.count(|tally| tally.baked += 1);
        if let Err(error) = write(&path, &bake, key) {
            self.count(|tally| {
                tally.not_stored += 1;
                tally.first_not_stored.get_or_insert_with(|| format!("{error:#}"));
            });
        }
        Ok(bake)
    }

    fn count(&self, count: impl FnOnce(&mut CacheTally)) {
        count(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns the path of an entry. Entries are spread over many subfolders, because some file systems are slow if a
    /// folder has very many files.
    fn path(&self, key: TileKey) -> PathBuf {
        let name = key.to_string();
        self.folder.join(&name[..2]).join(format!("{name}.{ENDING}"))
    }
}

/// Returns whether a file of a cache is an entry, by its path in the folder of the cache.
pub fn is_entry(name: &str) -> bool {
    let file = name.split_once('/').and_then(|(group, file)| Some((group, file.split_once('.')?)));
    file.is_some_and(|(group, (key, ending))| {
        let is_hex = key.bytes().all(|byte| byte.is_ascii_hexdigit());
        group.len() == 2 && key.starts_with(group) && is_hex && ending == ENDING
    })
}

/// Lists the entries of a cache. Other files are ignored, and so are entries that another process has just deleted.
fn entries(folder: &Path) -> std::io::Result<Vec<CacheFile>> {
    let mut entries = Vec::new();
    for group in fs::read_dir(folder)? {
        let group = group?;
        // A link to a folder may lead to files of somebody else.
        if !group.file_type()?.is_dir() {
            continue;
        }
        let Ok(files) = fs::read_dir(group.path()) else { continue };
        entries.extend(files.filter_map(|file| CacheFile::of(&file.ok()?, ENDING)));
    }
    Ok(entries)
}

/// Reads an entry; `None` if there is none.
fn read(path: &Path, key: TileKey) -> anyhow::Result<Option<TileEntry>> {
    if !files::exists(path) {
        return Ok(None);
    }
    let bytes = files::read_earlier(path, Format::CachedTile)?;
    let entry = TileEntry::from_bytes(&bytes, key);
    entry.map(Some).with_context(|| format!("cannot use {}", path.display()))
}

fn write(path: &Path, bake: &TileBake, key: TileKey) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", path.display());
    let bytes = TileEntry::of(bake).to_bytes(key);
    let (size, limit) = (bytes.len() as u64, Format::CachedTile.max_bytes());
    if size > limit {
        anyhow::bail!(
            "cannot write {}: {size} bytes are over the limit of {limit}",
            path.display()
        );
    }
    files::create_own_folder(&files::folder_of(path)).with_context(context)?;
    files::write_own(path, &bytes, Durability::Unsynced)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn the_oldest_entries_are_deleted_and_other_files_are_left() {
        let folder = tempfile::tempdir().unwrap();
        let cache = BakeCache::open(folder.path()).unwrap();
        let file = |name: &str, age: u64| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, [0; 100]).unwrap();
            let written = SystemTime::now() - Duration::from_secs(age);
            fs::File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
            path
        };
        let old = [file("4f/4f01.wtil", 300), file("07/0701.wtil", 200)];
        let new = [file("4f/4f02.wtil", 100), file("a0/a001.wtil", 50)];
        let other = [file("4f/notes.txt", 400), file("notes.wtil", 400)];
        cache.trim(400).unwrap();
        assert!(old.iter().chain(&new).all(|path| path.exists()), "all fit");
        cache.trim(250).unwrap();
        assert!(old.iter().all(|path| !path.exists()));
        assert!(new.iter().chain(&other).all(|path| path.exists()));
        fs::remove_dir_all(folder.path()).unwrap();
        let error = cache.trim(250).unwrap_err();
        assert!(format!("{error:#}").contains(&*folder.path().display().to_string()));
    }
}
