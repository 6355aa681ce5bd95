//! A bake from a file of triangles into a tile store, its check, and a merge into one take memory that does not depend on
//! the number of tiles.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    alloc::System,
    borrow::Cow,
    io::Cursor,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use walkable::{
    bake::{
        BakeConfig, BakeOutput, BakePlan, BakeSettings, StreamError, StreamedBake, TileEntry,
        bake_tile,
    },
    ids::TileCoord,
    level::{LevelKind, generate},
    mesh::{BinnedLevel, BinnedWriter},
    monitor::{Monitor, Unmonitored},
    store::TileStore,
};
use walkable_workspace::{
    document::Finish,
    files::NamedBy,
    keyed_tiles::KeyedTiles,
    runner::{TileFailure, TileOutcome},
    shard::{LinkInput, MergePlan, PartHead, Shard, ShardPart},
    store_bake::StoreBake,
    store_check::{CheckedStore, check_store},
    whole_level::WholeLevel,
};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes per tile of the index of a store, including those needed only while it is read.
const INDEX_BYTES: usize = 200;

/// Returns the number of bytes in use.
fn in_use() -> usize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// Records the peak of the memory in use whenever the bake checks whether it is cancelled.
struct Watch<'a>(&'a AtomicUsize, &'a dyn Monitor);

impl Monitor for Watch<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.fetch_max(in_use(), Relaxed);
        self.1.is_cancelled()
    }
}

fn binned(size: f32) -> Vec<u8> {
    let mesh = generate(LevelKind::Terrain, 1, size).unwrap().mesh;
    let mut writer = BinnedWriter::new(Vec::new(), 20.0).unwrap();
    writer.add(&mesh).unwrap();
    writer.finish().unwrap()
}

fn failure(error: StreamError) -> TileFailure {
    match error {
        StreamError::Bake(error) => error.into(),
        error => TileFailure::Unread(error.to_string()),
    }
}

/// Bakes a terrain of `size` meters into a store on some threads; returns the number of tiles, and the peaks of the memory
/// in use beyond the level's file: of all, and of that after each tile.
fn bake(folder: &Path, size: f32, (tile_size, threads): (u32, usize)) -> (usize, [usize; 2]) {
    let bytes = binned(size);
    let (before, [peak, after_tiles]) = (in_use(), [0, 0].map(AtomicUsize::new));
    let level = BinnedLevel::read(&mut Cursor::new(&bytes)).unwrap();
    let settings = BakeSettings { tile_size, ..BakeSettings::default() };
    let config = BakeConfig { settings, ..BakeConfig::default() };
    let streamed = StreamedBake::new(level, config).unwrap();
    let order = streamed.plan().tiles();
    let plan_of = |coord| {
        let plan = streamed.tile_plan(coord, &mut Cursor::new(&bytes));
        plan.map(Cow::Owned).map_err(failure)
    };
    let tiles = KeyedTiles { plan_of: &plan_of, cache: None };
    let watch = Watch(&peak, &Unmonitored);
    let path = folder.join(format!("{size}.tiles"));
    let mut each = |outcome: TileOutcome| {
        outcome.result.unwrap();
        after_tiles.fetch_max(in_use(), Relaxed);
    };
    let mut store =
        StoreBake::open((&path, NamedBy::User), &order, &tiles, &mut each, &Unmonitored).unwrap();
    store.bake(&order, &tiles, threads, (&mut each, &|_| {}), &watch).unwrap();
    let written = store.finish(streamed.plan()).unwrap();
    peak.fetch_max(in_use(), Relaxed);
    assert_eq!((written.counts.baked, written.n_bytes > 0), (order.len(), true));
    peak.fetch_max(after_tiles.load(Relaxed), Relaxed);
    (order.len(), [peak, after_tiles].map(|bytes| bytes.load(Relaxed) - before))
}

#[test]
fn memory_does_not_grow_with_the_number_of_tiles() {
    let _alone = ALONE.lock();
    let folder = tempfile::tempdir().unwrap();
    // Starts the threads, whose memory stays.
    bake(folder.path(), 60.0, (48, 2));
    let [(n_small, [small, _]), (n_large, [large, _])] =
        [150.0, 450.0].map(|size| bake(folder.path(), size, (48, 2)));
    let text = format!("{small} bytes for {n_small} tiles, {large} bytes for {n_large}");
    assert!(n_large > 8 * n_small, "{text}");
    assert!(large < small + small / 4, "{text}");
    // Two tiles with their stages.
    assert!(small < 3_000_000, "{text}");
}

#[test]
fn nothing_is_held_per_tile() {
    let _alone = ALONE.lock();
    let folder = tempfile::tempdir().unwrap();
    bake(folder.path(), 20.0, (12, 1));
    let [(n_small, [_, small]), (n_large, [_, large])] =
        [50.0, 300.0].map(|size| bake(folder.path(), size, (12, 1)));
    let text = format!("{small} bytes for {n_small} tiles, {large} bytes for {n_large}");
    assert!(large < small + n_large - n_small, "{text}");
}

/// Merges a terrain of `size` meters, of parts of `n_per_part` tiles, into a store; returns the number of tiles, and
/// the peak of the memory in use while the parts are read.
fn merge(folder: &Path, size: f32, n_per_part: usize) -> (usize, usize) {
    let mesh = generate(LevelKind::Terrain, 1, size).unwrap().mesh;
    let settings = BakeSettings { tile_size: 48, ..BakeSettings::default() };
    let config = BakeConfig { settings, ..BakeConfig::default() };
    let plan = BakePlan::new(config.with_mesh(mesh.into())).unwrap();
    let link = LinkInput::new(&plan, &plan.input().mesh.bounds(), &Finish::default());
    let tiles: Vec<_> = plan.tiles().collect();
    let entry = |coord: TileCoord| {
        let key = plan.tile_key(coord, &Unmonitored).unwrap();
        let baked = bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored).unwrap();
        (coord, Ok((key, TileEntry::of(&baked))))
    };
    let count = u32::try_from(tiles.len().div_ceil(n_per_part)).unwrap();
    let mut heads = Vec::new();
    for (number, tiles) in (1..).zip(tiles.chunks(n_per_part)) {
        let head = PartHead { shard: Shard { number, count }, input: 0, link: link.clone() };
        heads.push((number.to_string(), head.clone()));
        let part = ShardPart { head, tiles: tiles.iter().copied().map(entry).collect() };
        std::fs::write(folder.join(number.to_string()), part.to_bytes().unwrap()).unwrap();
    }
    drop((plan, link));
    let (before, peak) = (in_use(), AtomicUsize::new(0));
    let merge = MergePlan::new(heads).unwrap();
    let mut store = StoreBake::create(&folder.join("merged.tiles")).unwrap();
    let read = |index: usize| {
        let part = std::fs::read(folder.join((index + 1).to_string())).unwrap();
        let part = ShardPart::from_bytes(&part);
        peak.fetch_max(in_use(), Relaxed);
        part
    };
    let append = |coord, tile: Result<_, _>| {
        let (key, entry) = tile.unwrap();
        peak.fetch_max(in_use(), Relaxed);
        store.append(coord, key, &entry)
    };
    merge.each_tile(&mut { read }, &mut { append }).unwrap();
    assert_eq!(store.finish(&merge.plan).unwrap().n_tiles, tiles.len());
    peak.fetch_max(in_use(), Relaxed);
    (tiles.len(), peak.load(Relaxed) - before)
}

/// The counters count the whole process.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn a_merge_into_a_store_holds_one_part() {
    let _alone = ALONE.lock();
    let folder = tempfile::tempdir().unwrap();
    let [(n_small, small), (n_large, large)] =
        [150.0, 450.0].map(|size| merge(folder.path(), size, 25));
    let text = format!("{small} bytes for {n_small} tiles, {large} bytes for {n_large}");
    assert!(n_large > 8 * n_small, "{text}");
    assert!(large < small + small / 4, "{text}");
}

/// Bakes and checks all tiles of a terrain of `size` meters as the window does; returns the number of tiles, and the peak
/// of the memory in use.
fn check_whole(folder: &Path, size: f32) -> (usize, usize) {
    let path = folder.join(format!("{size}.tri"));
    std::fs::write(&path, binned(size)).unwrap();
    let hash = BinnedLevel::read(&mut std::fs::File::open(&path).unwrap()).unwrap().hash();
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let config = BakeConfig { settings, ..BakeConfig::default() };
    let level = WholeLevel { path, hash, config, uses_cache: false };
    let (before, peak) = (in_use(), AtomicUsize::new(0));
    let watch = Watch(&peak, &Unmonitored);
    let mut n_tiles = 0;
    let baked = level.bake(&folder.join("levels"), None, &mut |[_, n]| n_tiles = n, &watch);
    let mut file = std::fs::File::open(baked.unwrap().store).unwrap();
    let store = TileStore::read(&mut file).unwrap();
    let checked = CheckedStore::named(String::new());
    check_store(checked, &store, &mut file, &mut |_| {}, &watch).unwrap();
    peak.fetch_max(in_use(), Relaxed);
    (n_tiles, peak.load(Relaxed) - before)
}

#[test]
fn the_check_of_a_whole_level_takes_memory_for_its_index_and_a_square_of_tiles() {
    let _alone = ALONE.lock();
    let folder = tempfile::tempdir().unwrap();
    check_whole(folder.path(), 60.0);
    // The smaller one has more than a square of 16 by 16 tiles and those around it.
    let [(n_small, small), (n_large, large)] =
        [200.0, 400.0].map(|size| check_whole(folder.path(), size));
    let text = format!("{small} bytes for {n_small} tiles, {large} bytes for {n_large}");
    assert!(n_small > 400 && n_large > 3 * n_small, "{text}");
    assert!(large < small + small / 4 + INDEX_BYTES * (n_large - n_small), "{text}");
}
