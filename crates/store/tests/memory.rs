//! Measures the memory that it takes to write a store and to find its tiles.

use std::alloc::System;

use glam::Vec3;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use walkable_runtime::navmesh::{NavMeshParams, TilePlace, format::RefWidth};
use walkable_store::{StoreFinder, StoreWriter, StoredTile, TileStore};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const PARAMS: NavMeshParams = NavMeshParams {
    origin: Vec3::ZERO,
    tile_width: 8.0,
    tile_height: 8.0,
    max_tiles: 1 << 22,
    max_polys: 8,
};

/// The index of this store has 5.2 MB.
#[test]
fn memory_hardly_depends_on_the_number_of_tiles() {
    let n_tiles: usize = 100_000;
    let mut record = StoredTile {
        place: TilePlace { z: 0, x: 0, layer: 0 },
        key: 1,
        tile: vec![7; 10],
        notes: Vec::new(),
    };
    let region = Region::new(ALLOCATOR);
    let mut writer = StoreWriter::new(tempfile::tempfile().unwrap()).unwrap();
    for at in 0..n_tiles {
        record.place.x = i32::try_from(at).unwrap();
        writer.append(&record).unwrap();
    }
    let kept = region.change();
    let n_kept = kept.bytes_allocated - kept.bytes_deallocated;
    assert!(n_kept < 1000, "{n_kept} bytes are kept");

    let region = Region::new(ALLOCATOR);
    let mut file = writer.finish(&PARAMS, RefWidth::Bits64).unwrap();
    let n_bytes = region.change().bytes_allocated;
    assert!(n_bytes < 300_000, "{n_bytes} bytes are allocated for the index");

    let region = Region::new(ALLOCATOR);
    let store = TileStore::read(&mut file).unwrap();
    let held = region.change();
    assert_eq!(store.entries().len(), n_tiles);
    assert!(held.bytes_allocated - held.bytes_deallocated <= 64 * n_tiles);
    drop(store);

    let region = Region::new(ALLOCATOR);
    let mut finder = StoreFinder::new(file).unwrap();
    let found = finder.entry(record.place).unwrap().unwrap();
    assert_eq!(finder.record(&found).unwrap(), record);
    let held = region.change();
    let n_held = held.bytes_allocated - held.bytes_deallocated;
    assert!(n_held < n_tiles / 2, "{n_held} bytes are held to find records");
}
