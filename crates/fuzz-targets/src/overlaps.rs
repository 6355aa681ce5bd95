//! Navmeshes whose polygons lie on one another.

use walkable::{
    check::{CheckReport, PartsCheck, check},
    compare::{CompareError, CompareSettings, CompareSide, Comparison, compare},
    diagnostic::{Diagnostic, FindingList},
    glam::Vec3,
    monitor::Unmonitored,
    navmesh::NavMesh,
};
use walkable_test_support::piles::{PileTile, navmesh};

/// Maximum number of polygons and of off-mesh links of a navmesh. More take proportionally longer.
const MAX_ELEMENTS: usize = 1000;

/// Reads the bytes as two programs that build navmeshes, checks each navmesh, and compares them.
pub(crate) fn overlaps(bytes: &[u8]) {
    let middle = bytes.len() / 2;
    let (first, second) = bytes.split_at(middle);
    let [Some(before), Some(after)] = [first, second].map(built) else { return };
    for mesh in [&before, &after] {
        let report = check(mesh, None, &Unmonitored).expect("nothing cancels it");
        check_listed(&report);
        let mut parts = PartsCheck::default();
        parts.add(mesh, &|_| true, &Unmonitored).expect("nothing cancels it");
        let places: Vec<_> = mesh.tiles().map(|tile| [tile.header.x, tile.header.z]).collect();
        let of_parts = parts.finish(&|place| places.contains(&place), mesh.width()).report;
        assert_eq!(of_parts.n_warnings(), report.n_warnings(), "{of_parts:?}\n{report:?}");
        if let Some(comparison) = compared([mesh; 2], None) {
            assert!(comparison.is_same(), "a navmesh differs from itself: {comparison:?}");
        }
    }
    for tolerance in [None, Some(0.5)] {
        let _ = compared([&before, &after], tolerance);
    }
}

/// Compares two navmeshes; `None` if too many polygons overlap.
fn compared(meshes: [&NavMesh; 2], tolerance: Option<f64>) -> Option<Comparison> {
    let settings = CompareSettings { tolerance, ..CompareSettings::default() };
    match compare(meshes.map(CompareSide::of), &settings, &Unmonitored) {
        Ok(comparison) => Some(comparison),
        Err(error) => {
            assert!(matches!(error, CompareError::TooManyOverlaps { .. }), "{error}");
            None
        }
    }
}

/// Panics if the report has more findings of a code than may be listed.
fn check_listed(report: &CheckReport) {
    let found: Vec<&Diagnostic> = report.all().collect();
    for one in &found {
        let n = found.iter().filter(|other| other.code() == one.code()).count();
        // Incomplete checks are reported about borders, polygons and links.
        assert!(n <= 3 * FindingList::MAX_LISTED, "{n} of {}", one.code());
    }
}

/// Builds a navmesh: each 8 bytes add polygons or links to a tile, or start another tile.
fn built(program: &[u8]) -> Option<NavMesh> {
    let (mut tiles, mut tile) = (Vec::new(), PileTile::new([0; 3]));
    let mut n_left = MAX_ELEMENTS;
    for step in program.as_chunks::<8>().0 {
        let &[kind, n, x, y, z, width, depth, shift] = step;
        let meters = |byte: u8| f32::from(byte) / 16.0;
        let (mut at, size) =
            (Vec3::new(meters(x), meters(y), meters(z)), [width, depth].map(meters));
        let by = (meters(shift) - 8.0) / 16.0;
        let way = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z][usize::from(kind >> 6)] * by;
        let n = usize::from(n).min(n_left);
        match kind % 8 {
            0 => {
                let [x, z, layer] = [x, z, y].map(|byte| (byte % 4).cast_signed());
                tiles.push(std::mem::replace(&mut tile, PileTile::new([x, z, layer])).finish());
                continue;
            }
            1 => {
                tile.share_detail();
                continue;
            }
            _ => n_left -= n,
        }
        let [wide, deep] = [Vec3::X * size[0], Vec3::Z * size[1]];
        for _ in 0..n {
            match kind % 8 {
                2 => tile.link([at, at + wide + deep], by.abs()),
                3 => tile.polygon(&[at, at + deep, at + wide]),
                // Strips, side by side or on one another.
                4 => tile.polygon(&[at, at + Vec3::Z * 0.1, at + wide + deep]),
                // The wrong way around, or without area.
                5 => tile.polygon(&[at, at + wide, at + deep, at]),
                6 => tile.polygon(&[at, at + deep, at + deep * 0.6 + wide * 0.6, at + wide]),
                _ => tile.polygon(&[at, at + deep, at + wide + deep, at + wide]),
            }
            at += way;
        }
    }
    tiles.push(tile.finish());
    navmesh(tiles)
}
