//! Bakes levels tile by tile while their triangles stay in a file, for the window and for `walkable bake`.

use std::{
    borrow::Cow,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use walkable::{
    bake::{BakeOutput, BakePlan, StreamError, StreamedBake, TileBake},
    diagnostic::{Diagnostic, Finding, FindingList, Location},
    ids::TileCoord,
    mesh::{BinnedLevel, StableHash},
    monitor::Monitor,
    phrase,
};

use crate::{
    bake_cache::BakeCache,
    disk_cache::{CacheFile, delete_oldest},
    files::{self, NamedBy, UnfinishedFile},
    keyed_tiles::KeyedTiles,
    limits,
    runner::{self, TileFailure, TileOutcome},
    store_bake::StoreBake,
    whole_level::WholeLevel,
};

const MAX_FOLDER_BYTES: u64 = 4 << 30;
/// Number of tiles between two reports of progress.
const STEP: usize = 16;
const STORE_ENDING: &str = "tiles";

#[derive(Clone, Copy, Debug)]
pub struct FileTiles<'a> {
    pub bake: &'a StreamedBake,
    /// The file. It is opened for each tile, since threads cannot share a file position.
    pub path: &'a Path,
}

impl FileTiles<'_> {
    /// Reads the triangles of a tile, and returns a plan with which only this tile can be baked.
    pub fn plan_of(&self, coord: TileCoord) -> Result<BakePlan, TileFailure> {
        let opened = files::open(self.path);
        let mut file =
            opened.map_err(|error| TileFailure::Unread(format!("tile {coord}: {error:#}")))?;
        self.bake.tile_plan(coord, &mut file).map_err(|error| match error {
            StreamError::Bake(error) => error.into(),
            error => TileFailure::Unread(error.to_string()),
        })
    }

    /// Bakes a tile, or reads it from the cache. A tile that was read has no stages.
    pub fn bake(
        &self,
        coord: TileCoord,
        cache: Option<&BakeCache>,
        keep: BakeOutput,
        monitor: &dyn Monitor,
    ) -> Result<TileBake, TileFailure> {
        let plan = self.plan_of(coord)?;
        match cache {
            Some(cache) => cache.bake(&plan, coord, monitor),
            None => runner::from_memory(&plan, keep)(coord, monitor),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct BakedLevel {
    pub store: PathBuf,
    pub found: Vec<Diagnostic>,
}

impl WholeLevel {
    /// Bakes all tiles into a tile store in `folder`, which contains the stores of all levels. As in `walkable bake`,
    /// tiles that are unchanged since an earlier bake are not baked again, even if that bake was stopped. `cache` is
    /// the folder of the tile cache. Calls `entered` with the number of tiles baked so far and the number of all tiles.
    /// Fails if the level is not the one that was opened, if tiles fail, or if no tile has ground.
    pub fn bake(
        &self,
        folder: &Path,
        cache: Option<&Path>,
        entered: &mut (dyn FnMut([usize; 2]) + Send),
        monitor: &dyn Monitor,
    ) -> anyhow::Result<BakedLevel> {
        let cannot_create = || format!("cannot create {}", folder.display());
        files::create_folder(folder).with_context(cannot_create)?;
        let streamed = self.streamed()?;
        let (tiles, threads) =
            (FileTiles { bake: &streamed, path: &self.path }, runner::default_threads());
        let cache = cache.filter(|_| self.uses_cache).map(BakeCache::open).transpose()?;
        let order = streamed.plan().tiles();
        let (mut n_done, mut collected) = (0_usize, Collected::default());
        let mut each = |outcome: TileOutcome| {
            if n_done.is_multiple_of(STEP) {
                entered([n_done, order.len()]);
            }
            n_done += 1;
            collected.add(outcome);
        };
        let plan_of = |coord| tiles.plan_of(coord).map(Cow::Owned);
        let keyed = KeyedTiles { plan_of: &plan_of, cache: cache.as_ref() };
        let path = self.store_in(folder);
        let mut store =
            StoreBake::open((&path, NamedBy::Program), &order, &keyed, &mut each, monitor)?;
        store.bake(&order, &keyed, threads, (&mut each, &|_| {}), monitor)?;
        monitor.check()?;
        let Collected { found, failure } = collected;
        if let Some(failure) = failure {
            let (n, n_all) = (store.counts().failed, order.len());
            anyhow::bail!(phrase!(
                "{n} of {n_all} tiles of the level failed; the first: {failure}",
                n,
                n_all,
                failure
            ));
        }
        if store.is_empty() {
            store.discard();
            anyhow::bail!(phrase!("no tile of the level has walkable ground"));
        }
        store.finish(streamed.plan())?;
        if let Some(cache) = cache.filter(|cache| cache.tally().baked > 0) {
            cache.trim(BakeCache::MAX_BYTES)?;
        }
        trim(folder, &path);
        Ok(BakedLevel { store: path, found: found.into_diagnostics() })
    }

    fn streamed(&self) -> anyhow::Result<StreamedBake> {
        let named = || self.path.display().to_string();
        let level = BinnedLevel::read(&mut files::open(&self.path)?).with_context(named)?;
        if level.hash() != self.hash {
            let file = self.path.display().to_string();
            anyhow::bail!(phrase!("{file} has changed on disk", file));
        }
        let streamed = StreamedBake::new(level, self.config.clone()).with_context(named)?;
        if streamed.plan().is_solo() {
            anyhow::bail!(Finding::StreamedWithoutTiles {}.phrase());
        }
        streamed.check_limits(runner::default_threads(), limits::of_bakes()).with_context(named)?;
        Ok(streamed)
    }

    /// Returns the path of the store. It stays the same when the file or the settings change, so that unchanged tiles
    /// are found.
    fn store_in(&self, folder: &Path) -> PathBuf {
        let key = StableHash::of(self.path.as_os_str().as_encoded_bytes());
        folder.join(format!("{key:032x}.{STORE_ENDING}"))
    }
}

#[derive(Debug, Default)]
struct Collected {
    found: FindingList,
    failure: Option<String>,
}

impl Collected {
    fn add(&mut self, outcome: TileOutcome) {
        match outcome.result {
            Ok(baked) => {
                let place = Location::Tile(outcome.coord);
                let found = baked.warnings.into_iter();
                self.found.extend(found.map(|found| found.within(place.clone())));
            }
            Err(failure) => {
                self.failure.get_or_insert_with(|| failure.to_string());
            }
        }
    }
}

/// Deletes the oldest stores, and the oldest that are not complete, if there are too many.
fn trim(folder: &Path, newest: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let kept = |entry: &fs::DirEntry| {
        CacheFile::of(entry, STORE_ENDING).or_else(|| CacheFile::of(entry, UnfinishedFile::ENDING))
    };
    let files = entries.filter_map(Result::ok).filter_map(|entry| kept(&entry)).collect();
    delete_oldest(files, MAX_FOLDER_BYTES, Some(newest));
}

#[cfg(test)]
mod tests {
    use walkable::{
        bake::{BakeConfig, BakeSettings, bake},
        level::{LevelKind, generate},
        mesh::{BinnedWriter, TriMesh},
        monitor::{Cancelled, Unmonitored},
        store::TileStore,
    };

    use super::*;

    struct OnDisk {
        folder: tempfile::TempDir,
        mesh: TriMesh,
        level: WholeLevel,
    }

    impl OnDisk {
        fn new() -> Self {
            let mesh = generate(LevelKind::Terrain, 3, 50.0).unwrap().mesh;
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("world.tri");
            let mut writer = BinnedWriter::new(Vec::new(), 8.0).unwrap();
            writer.add(&mesh).unwrap();
            let bytes = writer.finish().unwrap();
            fs::write(&path, &bytes).unwrap();
            let hash = BinnedLevel::read(&mut std::io::Cursor::new(&bytes)).unwrap().hash();
            let settings =
                BakeSettings { tile_size: 16, cell_size: 0.4, ..BakeSettings::default() };
            let config = BakeConfig { settings, ..BakeConfig::default() };
            let level = WholeLevel { path, hash, config, uses_cache: true };
            Self { folder, mesh, level }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        /// Returns the names of the files in a folder.
        fn names(&self, name: &str) -> Vec<String> {
            let entries = fs::read_dir(self.path(name)).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        }

        fn bake(&self, folder: &str, monitor: &dyn Monitor) -> anyhow::Result<BakedLevel> {
            self.level.bake(&self.path(folder), None, &mut |_| {}, monitor)
        }
    }

    /// A monitor that cancels after a number of checks.
    struct StopsAt(std::sync::atomic::AtomicIsize);

    impl Monitor for StopsAt {
        fn is_cancelled(&self) -> bool {
            self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) <= 0
        }
    }

    #[test]
    fn all_tiles_are_those_of_a_bake_in_memory() {
        let on_disk = OnDisk::new();
        let mut seen = Vec::new();
        let mut entered = |n| seen.push(n);
        let cache = on_disk.path("cache");
        let baked =
            on_disk.level.bake(&on_disk.path("a"), Some(&cache), &mut entered, &Unmonitored);
        let baked = baked.unwrap();
        let n_all = seen[0][1];
        assert!(seen.is_sorted() && seen.len() > 2 && seen[0] == [0, n_all], "{seen:?}");
        let mesh = on_disk.mesh.clone().into();
        let whole = bake(on_disk.level.config.clone().with_mesh(mesh), &Unmonitored).unwrap();
        let bytes = fs::read(&baked.store).unwrap();
        let mut file = std::io::Cursor::new(&bytes);
        let store = TileStore::read(&mut file).unwrap();
        assert!(store.nav_mesh(&mut file).unwrap().to_bytes() == whole.to_bytes());
        assert_eq!(on_disk.names("a").len(), 1);
        // Another folder gets the same store from the cache, in which each tile has an entry.
        let n_entries = |cache: &Path| -> usize {
            let folders = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
            folders.map(|folder| fs::read_dir(folder).unwrap().count()).sum()
        };
        assert_eq!(n_entries(&cache), n_all);
        let other = on_disk.level.bake(&on_disk.path("b"), Some(&cache), &mut |_| {}, &Unmonitored);
        assert!(fs::read(other.unwrap().store).unwrap() == bytes);
        assert_eq!(n_entries(&cache), n_all);
    }

    #[test]
    fn a_bake_that_is_stopped_anywhere_goes_on_to_the_same_bytes() {
        let on_disk = OnDisk::new();
        let whole = fs::read(on_disk.bake("whole", &Unmonitored).unwrap().store).unwrap();
        for n_checks in [0, 1, 20, 200, 1_000] {
            let folder = n_checks.to_string();
            for _ in 0..2 {
                let why = on_disk.bake(&folder, &StopsAt(n_checks.into())).unwrap_err();
                assert!(why.is::<Cancelled>(), "{n_checks}: {why:#}");
                let names = on_disk.names(&folder);
                assert!(names.iter().all(|name| name.ends_with(".unfinished")), "{names:?}");
            }
            let baked = on_disk.bake(&folder, &Unmonitored).unwrap();
            assert!(fs::read(baked.store).unwrap() == whole, "{n_checks}");
            assert_eq!(on_disk.names(&folder).len(), 1, "{n_checks}");
        }
    }

    #[test]
    fn unchanged_tiles_are_found_and_a_changed_file_is_refused() {
        let mut on_disk = OnDisk::new();
        let store = on_disk.bake("levels", &Unmonitored).unwrap().store;
        let first = fs::read(&store).unwrap();
        on_disk.level.config.settings.agent_height = 3.0;
        let other = on_disk.bake("levels", &Unmonitored).unwrap().store;
        assert_eq!(other, store, "the same file");
        assert!(fs::read(&store).unwrap() != first);
        on_disk.level.config.settings.tile_size = 0;
        let why = on_disk.bake("levels", &Unmonitored).unwrap_err().to_string();
        assert!(why.contains("tile_size"), "{why}");
        on_disk.level.hash ^= 1;
        let why = on_disk.bake("levels", &Unmonitored).unwrap_err().to_string();
        assert!(why.contains("world.tri has changed on disk"), "{why}");
    }

    #[test]
    fn a_tile_that_cannot_be_read_is_an_error_and_the_earlier_store_stays() {
        let on_disk = OnDisk::new();
        let store = on_disk.bake("levels", &Unmonitored).unwrap().store;
        let first = fs::read(&store).unwrap();
        let mut bytes = fs::read(&on_disk.level.path).unwrap();
        // The part of the first triangle.
        bytes[16..20].fill(0xff);
        fs::write(&on_disk.level.path, bytes).unwrap();
        let why = on_disk.bake("levels", &Unmonitored).unwrap_err().to_string();
        assert!(why.contains(" tiles of the level failed; the first: tile "), "{why}");
        assert!(fs::read(&store).unwrap() == first);
    }
}
