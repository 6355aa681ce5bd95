//! Measures the allocated memory of large volumes.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use walkable::voxel::{CellTree as _, Columns, Fill, SparseOctree};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Returns the result of `make`, and the number of bytes that remain allocated for it.
fn bytes_of<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let region = Region::new(ALLOCATOR);
    let made = make();
    let change = region.change();
    (made, change.bytes_allocated - change.bytes_deallocated)
}

/// Combines both checks, because tests run in parallel and share the allocator.
#[test]
fn large_volumes_are_small() {
    // The first build starts the threads, whose own memory must not be counted.
    let floor = |size: u32| {
        SparseOctree::of_cubes([size; 3], u32::MAX, |min, side| match (min[1], side) {
            (1.., _) => Fill::Free,
            (0, 1) => Fill::Blocked,
            _ => Fill::Mixed,
        })
        .unwrap()
    };
    floor(64);
    let (tree, n_bytes) = bytes_of(|| floor(4096));
    assert_eq!(tree.n_blocked(), 4096 * 4096);
    assert!(n_bytes <= 13 << 20, "{n_bytes}");
    assert!(n_bytes >= tree.n_bytes());
    let (columns, n_bytes) = bytes_of(|| Columns::free([1000; 3]).unwrap());
    assert!(n_bytes <= 16_000_000 && n_bytes >= columns.n_bytes(), "{n_bytes}");
}
