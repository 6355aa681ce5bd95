//! Navmeshes with thousands of polygons at one place are checked and compared with little memory, and the results say
//! what was not compared.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    alloc::System,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use walkable::{
    check::{CheckReport, check},
    compare::{CompareError, CompareSettings, CompareSide, compare},
    diagnostic::{Code, Diagnostic, FindingList},
    glam::Vec3,
    monitor::{Monitor, Unmonitored},
    navmesh::NavMesh,
};
use walkable_test_support::piles::{PileTile, TILE_SIDE, navmesh, pile};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Number of polygons at one place.
const N: u16 = 16_000;

/// Records the memory in use whenever the work checks for cancellation.
struct Watch(AtomicUsize);

impl Monitor for Watch {
    fn is_cancelled(&self) -> bool {
        let stats = ALLOCATOR.stats();
        self.0.fetch_max(stats.bytes_allocated - stats.bytes_deallocated, Relaxed);
        false
    }
}

/// Checks a navmesh, which must not allocate more than 150 MB, all allocations added up.
#[track_caller]
fn checked(mesh: &NavMesh) -> CheckReport {
    let region = Region::new(ALLOCATOR);
    let report = check(mesh, None, &Unmonitored).unwrap();
    let n_bytes = region.change().bytes_allocated;
    assert!(n_bytes < 150_000_000, "{n_bytes}");
    report
}

/// Returns the numbers of listed and of all findings of a code.
fn n_of(report: &CheckReport, code: Code) -> [usize; 2] {
    let found: Vec<&Diagnostic> = report.all().filter(|found| found.code() == code).collect();
    [found.len(), found.iter().map(|found| found.count()).sum()]
}

#[track_caller]
fn assert_cut_short(report: &CheckReport, code: Code, least: usize) {
    let [n_listed, n] = n_of(report, code);
    assert!(n_listed == FindingList::MAX_LISTED && n >= least, "{n_listed} of {n}");
    assert!(n_of(report, Code::CheckCutShort)[1] > 0, "it does not say that it stopped");
    assert!(report.n_warnings() > 0);
}

/// Compares two navmeshes, which must not need more than 250 MB more than the navmeshes.
#[track_caller]
fn compared(
    before: &NavMesh,
    after: &NavMesh,
    tolerance: Option<f64>,
) -> Result<bool, CompareError> {
    let stats = ALLOCATOR.stats();
    let (own, watch) =
        (stats.bytes_allocated - stats.bytes_deallocated, Watch(AtomicUsize::new(0)));
    let sides = [before, after].map(CompareSide::of);
    let settings = CompareSettings { tolerance, ..CompareSettings::default() };
    let result = compare(sides, &settings, &watch);
    let n_bytes = watch.0.into_inner().saturating_sub(own);
    assert!(n_bytes < 250_000_000, "{n_bytes}");
    result.map(|comparison| comparison.is_same())
}

/// Returns a navmesh of one tile with long polygons that cross the tile from corner to corner.
fn strips(n: u16, step: f32) -> NavMesh {
    let mut tile = PileTile::new([0; 3]);
    for at in 0..n {
        let shift = Vec3::X * (f32::from(at) * step);
        let corners = [[0.5, 0.5], [0.5, 1.0], [9.0, 9.5], [9.0, 9.0]];
        tile.polygon(&corners.map(|[x, z]| Vec3::new(x, 0.5, z) + shift));
    }
    navmesh(vec![tile.finish()]).unwrap()
}

/// Runs one after the other, because tests share the allocator.
#[test]
fn polygons_at_one_place_take_little_memory() {
    let one_place = pile(N, Vec3::ZERO);
    assert_cut_short(&checked(&one_place), Code::PolygonsOverlap, N.into());
    assert_eq!(compared(&one_place, &one_place, None), Ok(true), "it does not differ from itself");

    let moved = pile(N, Vec3::X * 1e-4);
    assert_cut_short(&checked(&moved), Code::PolygonsOverlap, N.into());
    for tolerance in [None, Some(0.5)] {
        let result = compared(&one_place, &moved, tolerance);
        assert!(matches!(result, Err(CompareError::TooManyOverlaps { .. })), "{result:?}");
    }
    // All of the ground is lost.
    let far = pile(N, Vec3::Y * 0.01);
    let result = compared(&one_place, &far, None);
    assert!(matches!(result, Ok(false) | Err(CompareError::TooManyOverlaps { .. })), "{result:?}");

    let crossing = strips(N, 2e-5);
    assert_cut_short(&checked(&crossing), Code::PolygonsOverlap, N.into());

    // Holes in each of many polygons.
    let mut holes = PileTile::new([0; 3]);
    for at in 0..12_u8 {
        holes.square(Vec3::new(1.5 + 0.35 * f32::from(at), 0.5, 2.0), 0.2);
    }
    let holes = navmesh(vec![holes.finish()]).unwrap();
    let _ = compared(&one_place, &holes, None);
    let _ = compared(&holes, &one_place, Some(0.1));

    let mut detail = PileTile::new([0; 3]);
    for _ in 0..N {
        detail.square(Vec3::new(1.0, 0.5, 1.0), 5.0);
    }
    detail.share_detail();
    let detail = navmesh(vec![detail.finish()]).unwrap();
    let result = compared(&detail, &detail, None);
    assert!(matches!(result, Err(CompareError::TooManyOverlaps { .. })), "{result:?}");

    // Edges on one line, at heights so far apart that they are not linked.
    let borders = [[0, 0, 0], [1, 0, 0]].map(|place| {
        let mut tile = PileTile::new(place);
        for at in 0..N {
            let y = 10.0 * f32::from(at) + 5.0 * f32::from(place[0]);
            let corners = [[0.0, 0.0], [0.0, TILE_SIDE], [TILE_SIDE, TILE_SIDE], [TILE_SIDE, 0.0]];
            tile.polygon(&corners.map(|[x, z]| Vec3::new(x, y, z)));
        }
        tile.finish()
    });
    if let Some(mesh) = navmesh(borders.to_vec()) {
        assert!(n_of(&checked(&mesh), Code::CheckCutShort)[1] > 0);
    }

    // Links that start beside the ground.
    let mut links = PileTile::new([0; 3]);
    for at in 0..10_000_u16 {
        links.square(Vec3::new(1.0, 0.5, 1.0), 5.0);
        let start = Vec3::new(7.0, 0.5, 3.0 + 1e-4 * f32::from(at));
        links.link([start, start + Vec3::X], 0.1);
    }
    let mesh = navmesh(vec![links.finish()]).unwrap();
    assert_cut_short(&checked(&mesh), Code::LinkStartOffMesh, FindingList::MAX_LISTED);
}
