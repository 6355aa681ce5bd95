//! Bakes into a tile store: tiles are appended to the file as they finish, and a bake that was killed is continued.

use std::{
    collections::BTreeMap,
    fs::File,
    path::{Path, PathBuf},
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use rayon::prelude::*;
use walkable::{
    bake::{BakeError, BakePlan, Stage, TileBake, TileEntry, TileKey, TileRange},
    ids::TileCoord,
    monitor::Monitor,
    navmesh::{NavMeshParams, Tile, TilePlace, format::RefWidth},
    store::{StoreFinder, StoreWriter, StoredTile},
};

use crate::{
    files::{self, NamedBy, UnfinishedFile},
    keyed_tiles::{KeyedTile, KeyedTiles},
    runner::{self, Listener, StageTimes, TileOutcome},
};

/// Maximum number of finished tiles that wait in memory for an earlier tile.
const MAX_WAITING: usize = 256;
/// Maximum number of keys of tiles of an earlier run that are compared at a time.
const MAX_KEYS: usize = 4096;
/// Time after which a waiting thread checks again whether the bake was cancelled.
const CANCEL_CHECK: Duration = Duration::from_millis(50);

/// Receives each tile in the order of the plan, whether it was baked or found.
pub type OnTile<'a> = dyn FnMut(TileOutcome) + Send + 'a;

/// Receives the stages that tiles enter, on the threads of the bake.
pub type StageEntered<'a> = dyn Fn(Stage) + Sync + 'a;

#[derive(Debug)]
pub struct StoreBake {
    unfinished: UnfinishedFile,
    writer: StoreWriter<File>,
    path: PathBuf,
    /// The complete store that will be replaced.
    previous: Option<Mutex<StoreFinder<File>>>,
    counts: StoreCounts,
    summary: TileSummary,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreCounts {
    /// Tiles that an earlier run had written before it ended.
    pub found: usize,
    /// Unchanged tiles of the store that is replaced.
    pub unchanged: usize,
    pub baked: usize,
    pub failed: usize,
}

impl StoreCounts {
    pub const fn n_kept(self) -> usize {
        self.found + self.unchanged + self.baked
    }
}

/// The properties of a tile that the parameters of the navmesh depend on.
#[derive(Clone, Debug, Default)]
struct TileSummary {
    first: Option<Tile>,
    n_tiles: usize,
    n_polys: usize,
    most_polys: usize,
}

impl TileSummary {
    fn add(&mut self, tile: &Tile) {
        if self.first.is_none() {
            self.first = Some(tile.clone());
        }
        self.n_tiles += 1;
        self.n_polys += tile.polys.len();
        self.most_polys = self.most_polys.max(tile.polys.len());
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct WrittenStore {
    pub counts: StoreCounts,
    pub n_tiles: usize,
    pub n_polys: usize,
    pub width: RefWidth,
    pub n_bytes: u64,
}

impl StoreBake {
    /// Opens the store at `path`. Keeps the tiles that an earlier, unfinished run wrote, up to the first one that is
    /// damaged or was baked from other input, and passes them to `each`. Fails if another process is writing the file.
    /// If `monitor` cancels, all tiles of the earlier run are kept.
    pub fn open(
        (path, named): (&Path, NamedBy),
        order: &TileRange,
        tiles: &KeyedTiles<'_>,
        each: &mut OnTile<'_>,
        monitor: &dyn Monitor,
    ) -> anyhow::Result<Self> {
        let unfinished = UnfinishedFile::open(path, named)?;
        let context = || format!("cannot write {}", unfinished.path().display());
        let mut found = FoundTiles { order, tiles, monitor, n_same: 0, keys: Vec::new() };
        StoreWriter::resume(unfinished.file()?, |record| found.add(record))
            .with_context(context)?;
        found.compare();
        // Whether a tile without a computed key has changed is unknown.
        monitor.check()?;
        let n_same = found.n_same;
        let (mut counts, mut summary) = (StoreCounts::default(), TileSummary::default());
        let writer = StoreWriter::resume(unfinished.file()?, |record| {
            let next = order.get(counts.found).filter(|_| counts.found < n_same);
            let next = next.filter(|coord| place_of(*coord) == record.place);
            let Some((coord, entry)) = next.zip(entry_of(record)) else { return false };
            counts.found += 1;
            if let Some(tile) = &entry.tile {
                summary.add(tile);
            }
            each(outcome_of(coord, entry));
            true
        });
        let writer = writer.with_context(context)?;
        writer.get_ref().set_len(writer.n_bytes()).with_context(context)?;
        let previous = read_previous(path).map(Mutex::new);
        Ok(Self { unfinished, writer, path: path.to_owned(), previous, counts, summary })
    }

    /// Creates a store without the tiles of earlier runs. Fails if another process is writing the file.
    pub fn create(path: &Path) -> anyhow::Result<Self> {
        let unfinished = UnfinishedFile::open(path, NamedBy::User)?;
        let context = || format!("cannot write {}", unfinished.path().display());
        let writer = StoreWriter::resume(unfinished.file()?, |_| false).with_context(context)?;
        writer.get_ref().set_len(writer.n_bytes()).with_context(context)?;
        let (counts, summary) = (StoreCounts::default(), TileSummary::default());
        Ok(Self { unfinished, writer, path: path.to_owned(), previous: None, counts, summary })
    }

    /// Bakes the remaining tiles of `order`, appends them in that order, and passes each to `each`. Tiles that fail are
    /// not appended. Returns early if `monitor` cancels. On an error or a cancel, the tiles that were appended before
    /// are kept.
    pub fn bake(
        &mut self,
        order: &TileRange,
        tiles: &KeyedTiles<'_>,
        threads: usize,
        (each, stage_entered): (&mut OnTile<'_>, &StageEntered<'_>),
        monitor: &dyn Monitor,
    ) -> anyhow::Result<()> {
        let order = order.slice(self.counts.found..order.len());
        let keys = Mutex::new(BTreeMap::new());
        let previous = self.previous.take();
        let bake_one = |coord: TileCoord, of_tile: &dyn Monitor| {
            let monitor = &TileMonitor { of_tile, of_bake: monitor };
            monitor.check().map_err(BakeError::from)?;
            let unchanged = |key| find(previous.as_ref()?, coord, key);
            let KeyedTile { key, bake, is_found } = tiles.bake(coord, &unchanged, monitor)?;
            locked(&keys).insert(coord, (key, is_found));
            Ok(bake)
        };
        let cancel = AtomicBool::new(false);
        let queue = Queue {
            order: &order,
            state: Mutex::new(QueueState {
                next: 0,
                waiting: BTreeMap::new(),
                store: self,
                each,
                failure: None,
            }),
            moved: Condvar::new(),
            cancel: &cancel,
            monitor,
            keys: &keys,
            stage_entered,
        };
        runner::run(order.clone(), &bake_one, threads, &cancel, &queue);
        let state = queue.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.failure.map_or(Ok(()), Err)
    }

    pub fn counts(&self) -> StoreCounts {
        self.counts
    }

    pub fn is_empty(&self) -> bool {
        self.summary.n_tiles == 0
    }

    pub fn discard(self) {
        self.unfinished.discard();
    }

    /// Writes the index and replaces the file at the path.
    pub fn finish(self, plan: &BakePlan) -> anyhow::Result<WrittenStore> {
        let Self { unfinished, writer, path, previous: _, counts, summary } = self;
        let context = || format!("cannot write {}", path.display());
        let (params, width): (NavMeshParams, _) =
            plan.link_params(summary.first.as_ref(), summary.most_polys);
        let file = writer.finish(&params, width).with_context(context)?;
        let n_bytes = file.metadata().with_context(context)?.len();
        drop(file);
        unfinished.finish()?;
        let TileSummary { first: _, n_tiles, n_polys, most_polys: _ } = summary;
        Ok(WrittenStore { counts, n_tiles, n_polys, width, n_bytes })
    }

    /// Appends a tile that was baked before.
    pub fn append(
        &mut self,
        coord: TileCoord,
        key: TileKey,
        entry: &TileEntry,
    ) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", self.path.display());
        let notes = entry.to_notes();
        let tile = entry.tile.as_ref().map(Tile::to_bytes).unwrap_or_default();
        let record = StoredTile { place: place_of(coord), key: key.0, tile, notes };
        self.writer.append(&record).with_context(context)?;
        if let Some(tile) = &entry.tile {
            self.summary.add(tile);
        }
        Ok(())
    }
}

/// Compares the tiles that an earlier run wrote with the input of this one.
struct FoundTiles<'a, 'b> {
    order: &'a TileRange,
    tiles: &'a KeyedTiles<'b>,
    monitor: &'a dyn Monitor,
    /// Number of tiles that were compared and are unchanged.
    n_same: usize,
    keys: Vec<u128>,
}

impl FoundTiles<'_, '_> {
    /// Adds the next record; returns whether it belongs to the bake, and no tile has been found to be changed.
    fn add(&mut self, record: &StoredTile) -> bool {
        let next = self.order.get(self.n_same + self.keys.len()).map(place_of);
        if next != Some(record.place) || entry_of(record).is_none() {
            return false;
        }
        self.keys.push(record.key);
        self.keys.len() < MAX_KEYS || self.compare()
    }

    /// Compares the keys that were added, on all threads; returns whether all of them are unchanged.
    fn compare(&mut self) -> bool {
        let is_changed = |(at, key): (usize, &u128)| {
            let coord = self.order.get(self.n_same + at);
            let key_of = |coord| self.tiles.key_of(coord, self.monitor).ok();
            self.monitor.is_cancelled() || coord.and_then(key_of) != Some(TileKey(*key))
        };
        let changed = self.keys.par_iter().enumerate().position_first(is_changed);
        self.n_same += changed.unwrap_or(self.keys.len());
        self.keys.clear();
        changed.is_none()
    }
}

/// The monitor of a tile, which also stops when the whole bake does.
struct TileMonitor<'a> {
    of_tile: &'a dyn Monitor,
    of_bake: &'a dyn Monitor,
}

impl Monitor for TileMonitor<'_> {
    fn enter(&self, stage: Stage) {
        self.of_tile.enter(stage);
    }

    fn is_cancelled(&self) -> bool {
        self.of_tile.is_cancelled() || self.of_bake.is_cancelled()
    }
}

/// Puts finished tiles in order. A thread whose tile is too far ahead waits.
struct Queue<'a, 'b> {
    order: &'a TileRange,
    state: Mutex<QueueState<'a, 'b>>,
    /// Notified when tiles were written.
    moved: Condvar,
    cancel: &'a AtomicBool,
    monitor: &'a dyn Monitor,
    keys: &'a Mutex<BTreeMap<TileCoord, (TileKey, bool)>>,
    stage_entered: &'a StageEntered<'a>,
}

struct QueueState<'a, 'b> {
    /// Index of the next tile to write.
    next: usize,
    waiting: BTreeMap<usize, TileOutcome>,
    store: &'a mut StoreBake,
    each: &'a mut OnTile<'b>,
    failure: Option<anyhow::Error>,
}

impl Listener for Queue<'_, '_> {
    fn tile_done(&self, outcome: TileOutcome) {
        let Some(index) = self.order.index_of(outcome.coord) else { return };
        let mut state = locked(&self.state);
        // The thread that bakes the next tile never waits, so the others do not wait forever, unless it is cancelled.
        while state.failure.is_none()
            && !self.monitor.is_cancelled()
            && index >= state.next + MAX_WAITING
        {
            let waited = self.moved.wait_timeout(state, CANCEL_CHECK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.waiting.insert(index, outcome);
        let state = &mut *state;
        while state.failure.is_none()
            && let Some(outcome) = state.waiting.remove(&state.next)
        {
            state.next += 1;
            let key = locked(self.keys).remove(&outcome.coord);
            let StoreCounts { unchanged, baked: n_baked, failed, .. } = &mut state.store.counts;
            let appended = if let (Ok(baked), Some((key, is_unchanged))) = (&outcome.result, key) {
                *(if is_unchanged { unchanged } else { n_baked }) += 1;
                state.store.append(outcome.coord, key, &TileEntry::of(baked))
            } else {
                *failed += 1;
                Ok(())
            };
            if let Err(error) = appended {
                self.cancel.store(true, Ordering::Relaxed);
                state.failure = Some(error);
            }
            (state.each)(outcome);
        }
        self.moved.notify_all();
    }

    fn stage_entered(&self, stage: Stage) {
        (self.stage_entered)(stage);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn place_of(coord: TileCoord) -> TilePlace {
    let [x, z] = [coord.x, coord.z].map(|at| i32::try_from(at).unwrap_or(i32::MAX));
    TilePlace { z, x, layer: 0 }
}

/// Returns the result of a bake in `record`; `None` if it is damaged or comes from another program.
fn entry_of(record: &StoredTile) -> Option<TileEntry> {
    let tile = record.decode().ok()?;
    Some(TileEntry { tile, ..TileEntry::from_notes(&record.notes).ok()? })
}

fn outcome_of(coord: TileCoord, entry: TileEntry) -> TileOutcome {
    let TileEntry { tile, warnings, counts } = entry;
    let result = Ok(TileBake { coord, tile, stages: None, warnings, counts });
    TileOutcome { coord, result, times: StageTimes::default() }
}

/// Opens the complete store at `path`; `None` if there is none that can be read.
fn read_previous(path: &Path) -> Option<StoreFinder<File>> {
    StoreFinder::new(files::open_earlier(path).ok()?).ok()
}

/// Reads the tile at `coord` if it was baked from the same input and is not damaged.
fn find(previous: &Mutex<StoreFinder<File>>, coord: TileCoord, key: TileKey) -> Option<TileBake> {
    let mut previous = locked(previous);
    let entry = previous.entry(place_of(coord)).ok()?.filter(|entry| entry.key == key.0)?;
    let record = previous.record(&entry).ok()?;
    drop(previous);
    outcome_of(coord, entry_of(&record)?).result.ok()
}
