//! A folder of baked tiles that later bakes read instead of baking them again. Processes and machines can share it.

use std::{
    collections::BTreeSet,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use anyhow::Context as _;
use serde::Serialize;
use walkable::{
    bake::{BakeError, BakePlan, Keep, TileBake, TileEntry, TileKey, bake_tile},
    ids::TileCoord,
    monitor::Monitor,
};

use crate::{
    files::{self, Format},
    runner::TileFailure,
};

/// A folder with an entry for each baked tile, named by the tile's key.
#[derive(Debug)]
pub struct BakeCache {
    folder: PathBuf,
    tally: Mutex<CacheTally>,
}

/// Counts of the tiles of a bake with a cache: read, baked, damaged, not stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheTally {
    /// The folder.
    pub folder: String,
    /// Number of tiles that were read.
    #[serde(rename = "read", serialize_with = "as_number")]
    read_tiles: BTreeSet<TileCoord>,
    /// Number of tiles that were baked.
    pub baked: usize,
    /// Number of entries that were damaged or could not be read.
    pub damaged: usize,
    /// Number of baked tiles that could not be stored.
    pub not_stored: usize,
    /// The reason for the first entry that was damaged.
    #[serde(skip)]
    first_damaged: Option<String>,
    /// The reason for the first tile that could not be stored.
    #[serde(skip)]
    first_not_stored: Option<String>,
}

fn as_number<S: serde::Serializer>(tiles: &BTreeSet<TileCoord>, to: S) -> Result<S::Ok, S::Error> {
    tiles.len().serialize(to)
}

impl CacheTally {
    /// Whether the tile at `coord` was read.
    pub fn was_read(&self, coord: TileCoord) -> bool {
        self.read_tiles.contains(&coord)
    }

    /// Number of tiles that were read.
    pub fn n_read(&self) -> usize {
        self.read_tiles.len()
    }

    /// Lines for the user: the numbers of tiles, and one for each kind of problem.
    pub fn lines(&self) -> Vec<String> {
        let Self { folder, baked, damaged, not_stored, .. } = self;
        let n_read = self.n_read();
        let n_all = n_read + baked;
        let mut lines =
            vec![format!("cache {folder}: {n_read} of {n_all} tiles read, {baked} baked")];
        lines.extend(self.first_damaged.iter().map(|first| {
            format!("cache {folder}: {damaged} damaged entries baked again; the first: {first}")
        }));
        lines.extend(self.first_not_stored.iter().map(|first| {
            format!("cache {folder}: {not_stored} tiles could not be stored; the first: {first}")
        }));
        lines
    }
}

impl BakeCache {
    /// Opens the cache in `folder`, which is created if it does not exist.
    ///
    /// # Errors
    /// Returns an error that names the folder if it cannot be created.
    pub fn open(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the cache folder {}", folder.display()))?;
        let tally = CacheTally { folder: folder.display().to_string(), ..CacheTally::default() };
        Ok(Self { folder: folder.to_owned(), tally: Mutex::new(tally) })
    }

    /// The counts so far.
    pub fn tally(&self) -> CacheTally {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads a tile of `plan`, or bakes and stores it. The result has no stages. A damaged entry is replaced.
    ///
    /// # Errors
    /// Returns the errors of [`bake_tile`]. Problems of the cache are counted, and the tile is baked.
    pub fn bake(
        &self,
        plan: &BakePlan,
        coord: TileCoord,
        monitor: &dyn Monitor,
    ) -> Result<TileBake, TileFailure> {
        let key = plan.tile_key(coord, monitor).map_err(BakeError::from)?;
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
        let bake = bake_tile(plan, coord, Keep::Stages, monitor)?;
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

    /// The file of the tile with `key`. Some file systems are slow if a folder has very many files.
    fn path(&self, key: TileKey) -> PathBuf {
        let name = key.to_string();
        self.folder.join(&name[..2]).join(format!("{name}.wtil"))
    }
}

/// Reads an entry; `None` if there is none.
fn read(path: &Path, key: TileKey) -> anyhow::Result<Option<TileEntry>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        _ => {}
    }
    let bytes = files::read(path, Format::CachedTile)?;
    let entry = TileEntry::from_bytes(&bytes, key);
    entry.map(Some).with_context(|| format!("cannot use {}", path.display()))
}

fn write(path: &Path, bake: &TileBake, key: TileKey) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", path.display());
    let bytes = TileEntry::of(bake).to_bytes(key);
    let bytes = bytes.context("its findings cannot be stored").with_context(context)?;
    let (size, limit) = (bytes.len() as u64, Format::CachedTile.max_bytes());
    if size > limit {
        anyhow::bail!(
            "cannot write {}: {size} bytes are over the limit of {limit}",
            path.display()
        );
    }
    fs::create_dir_all(files::folder_of(path)).with_context(context)?;
    files::write_atomically_unsynced(path, &bytes)
}
