//! Reading and writing of bytes: round trips of the reference files, truncation, mutation.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    navmesh::{
        NavMesh, Tile,
        format::{FormatError, RefWidth},
    },
    query::{
        Filter, MoveAlongRequest, PathRequest, PolygonsAroundRequest, RaycastRequest, Scratch,
        WallDistanceRequest, find_path, move_along, polygons_around, raycast, wall_distance,
    },
};

/// Returns every MSET file of the reference, by name.
fn tile_sets() -> Vec<(String, Vec<u8>)> {
    let cases = walkable_test_support::cases().into_values();
    let mut files: Vec<PathBuf> = cases.map(|case| case.join("navmesh.bin")).collect();
    for root in walkable_test_support::reference_roots() {
        let Ok(levels) = std::fs::read_dir(root.join("tilecache")) else { continue };
        for level in levels.map(|entry| entry.unwrap().path()) {
            let names = ["initial.bin", "obstacles.bin", "removed.bin"];
            files.extend(names.map(|name| level.join(name)));
        }
    }
    assert!(!files.is_empty(), "no reference cases found");
    files
        .into_iter()
        .map(|file| (file.display().to_string(), std::fs::read(&file).unwrap()))
        .collect()
}

/// Returns the start of each tile inside an MSET file with 32-bit references.
fn tile_starts(set: &[u8]) -> Vec<usize> {
    let mut at = 40;
    (0..number(set, 8))
        .map(|_| {
            let start = at + 8;
            at = start + number(set, at + 4);
            start
        })
        .collect()
}

/// Returns the tiles inside an MSET file with 32-bit references, cut out by hand.
fn tiles_of(set: &[u8]) -> Vec<&[u8]> {
    let starts = tile_starts(set).into_iter();
    starts.map(|start| &set[start..start + number(set, start - 4)]).collect()
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Returns tile data with what Detour fills in at run time set to zero: each polygon's first link, and the links.
fn without_links(tile: &[u8]) -> Vec<u8> {
    let [n_polys, n_vertices, n_links] = [24, 28, 32].map(|at| number(tile, at));
    let polys = 100 + 12 * n_vertices;
    let links = polys + 32 * n_polys;
    let mut bytes = tile.to_vec();
    for poly in 0..n_polys {
        bytes[polys + 32 * poly..polys + 32 * poly + 4].fill(0);
    }
    bytes[links..links + 12 * n_links].fill(0);
    bytes
}

#[test]
fn tiles_of_the_reference_keep_their_bytes() {
    for (name, set) in tile_sets() {
        for (index, bytes) in tiles_of(&set).into_iter().enumerate() {
            let tile =
                Tile::from_bytes(bytes).unwrap_or_else(|e| panic!("{name} tile {index}: {e}"));
            assert_eq!(tile.to_bytes(), without_links(bytes), "{name} tile {index}");
            let wide = tile.to_bytes_with(RefWidth::Bits64);
            assert_eq!(wide.len(), bytes.len() + 4 * tile.header.max_link_count as usize);
            assert_eq!(Tile::from_bytes(&wide).as_ref(), Ok(&tile), "{name} tile {index}, wide");
        }
    }
}

/// Returns the shortest tile of the reference.
fn small_tile() -> Vec<u8> {
    let sets = tile_sets();
    sets.iter().flat_map(|(_, set)| tiles_of(set)).min_by_key(|tile| tile.len()).unwrap().to_vec()
}

#[test]
fn a_cut_tile_is_an_error() {
    let tile = small_tile();
    for len in 0..tile.len() {
        assert!(Tile::from_bytes(&tile[..len]).is_err(), "cut at {len} of {}", tile.len());
    }
    let longer = [&tile[..], &[0]].concat();
    assert!(Tile::from_bytes(&longer).is_err());
}

#[test]
fn sets_of_the_reference_keep_their_bytes() {
    for (name, set) in tile_sets() {
        let mesh = NavMesh::from_bytes(&set).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut expected = set[..40].to_vec();
        for (bytes, start) in tiles_of(&set).into_iter().zip(tile_starts(&set)) {
            expected.extend_from_slice(&set[start - 8..start]);
            expected.extend(without_links(bytes));
        }
        assert!(mesh.to_bytes() == expected, "{name}");
        let stats = mesh.stats();
        assert_eq!((stats.n_bytes, stats.n_refused_links), (set.len(), 0), "{name}");
    }
}

/// Returns reference, edge, side and limits of each link of each polygon, as stored in the file.
fn links_in(set: &[u8]) -> Vec<Vec<[usize; 5]>> {
    let mut all = Vec::new();
    for tile in tiles_of(set) {
        let [n_polys, n_vertices] = [24, 28].map(|at| number(tile, at));
        let polys = 100 + 12 * n_vertices;
        let links = polys + 32 * n_polys;
        for poly in 0..n_polys {
            let mut of_poly = Vec::new();
            let mut next = number(tile, polys + 32 * poly);
            while next != u32::MAX as usize {
                let at = links + 12 * next;
                let [edge, side, min, max] = [8, 9, 10, 11].map(|k| usize::from(tile[at + k]));
                of_poly.push([number(tile, at), edge, side, min, max]);
                next = number(tile, at + 4);
            }
            all.push(of_poly);
        }
    }
    all
}

/// The files were saved with the links that Detour had created. Ours must be the same, in the same order, whether tiles
/// come from the file or are added one by one.
#[test]
fn links_agree_with_the_reference() {
    for (name, set) in tile_sets().iter().filter(|(name, _)| !name.contains("tilecache")) {
        let from_file = NavMesh::from_bytes(set).unwrap();
        let mut one_by_one = NavMesh::new(*from_file.params()).unwrap();
        for (_, tile) in from_file.slots() {
            one_by_one.add_tile(std::sync::Arc::clone(tile)).unwrap();
        }
        for mesh in [&from_file, &one_by_one] {
            let polys = mesh.slots().flat_map(|(slot, tile)| {
                (0..tile.polys.len()).map(move |poly| mesh.poly_ref(slot, poly).unwrap())
            });
            for (poly, expected) in polys.zip(links_in(set)) {
                let links: Vec<[usize; 5]> = mesh
                    .links(poly)
                    .map(|link| {
                        let [edge, side] = [link.edge, link.side].map(usize::from);
                        let [min, max] = link.limits.map(usize::from);
                        [usize::try_from(link.to.0.get()).unwrap(), edge, side, min, max]
                    })
                    .collect();
                assert_eq!(links, expected, "{name}, polygon {poly}");
            }
        }
    }
}

/// Returns the shortest set of the reference with more than one tile.
fn small_set() -> Vec<u8> {
    let sets = tile_sets().into_iter().map(|(_, set)| set);
    sets.filter(|set| number(set, 8) > 1).min_by_key(Vec::len).unwrap()
}

#[test]
fn tiles_of_another_width_than_the_set_are_an_error() {
    let set = small_set();
    let start = tile_starts(&set)[0];
    let tile = Tile::from_bytes(tiles_of(&set)[0]).unwrap();
    let wide = tile.to_bytes_with(RefWidth::Bits64);
    let mut mixed = set.clone();
    mixed.splice(start..start + number(&set, start - 4), wide.iter().copied());
    mixed[start - 4..start].copy_from_slice(&u32::try_from(wide.len()).unwrap().to_le_bytes());
    let error = NavMesh::from_bytes(&mixed).unwrap_err().to_string();
    assert!(error.contains("tile 0 at byte 40: tile data is"), "{error}");
}

#[test]
fn a_cut_set_is_an_error() {
    let set = small_set();
    for len in 0..set.len() {
        assert!(NavMesh::from_bytes(&set[..len]).is_err(), "cut at {len} of {}", set.len());
    }
    let longer = [&set[..], &[0]].concat();
    let left_over = FormatError::LeftOver { what: "the last tile", n_bytes: 1 };
    assert_eq!(NavMesh::from_bytes(&longer).map(|_| ()), Err(left_over));
}

#[test]
fn wide_and_narrow_references_are_distinguished() {
    let narrow = NavMesh::from_bytes(&small_set()).unwrap();
    let mut wide = NavMesh::with_width(*narrow.params(), RefWidth::Bits64).unwrap();
    for (_, tile) in narrow.slots() {
        wide.add_tile(std::sync::Arc::clone(tile)).unwrap();
    }
    let bytes = wide.to_bytes();
    assert_eq!(bytes.len(), wide.stats().n_bytes);
    let read = NavMesh::from_bytes(&bytes).unwrap();
    assert_eq!(read.width(), RefWidth::Bits64);
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(read.poly_ref(1, 2), wide.poly_ref(1, 2));
    for len in 0..bytes.len() {
        assert!(NavMesh::from_bytes(&bytes[..len]).is_err(), "cut at {len}");
    }
}

/// Writes four bytes into a set and expects an error that contains `expected`.
#[track_caller]
fn check_error(set: &[u8], at: usize, value: [u8; 4], expected: &str) {
    let mut changed = set.to_vec();
    changed[at..at + 4].copy_from_slice(&value);
    let error = NavMesh::from_bytes(&changed).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

/// Error messages must say what is wrong and where.
#[test]
fn errors_say_where() {
    let set = small_set();
    let nan = f32::NAN.to_le_bytes();
    let huge = i32::MAX.to_le_bytes();
    check_error(
        &set,
        0,
        *b"OBJ ",
        "tile set at byte 0 starts with the bytes 4f 42 4a 20 instead of \"TESM\"",
    );
    check_error(&set, 4, [2, 0, 0, 0], "tile set at byte 4 has version 2, only 1");
    check_error(&set, 8, [255; 4], "number of tiles at byte 8 is -1");
    check_error(&set, 8, huge, "needs 4 bytes, but only 0 are left");
    check_error(&set, 12, nan, "the origin of the mesh is not valid");
    check_error(&set, 24, [0; 4], "the tile width of the mesh is not valid");
    check_error(&set, 32, huge, "bits for tiles");
    check_error(&set, 40, [0; 4], "tile 0 at byte 40: the tile reference at byte 40 is 0x0");
    check_error(&set, 44, huge, "tile data at byte 48 needs 2147483647 bytes");
    check_error(&set, 48 + 24, huge, "tile 0 at byte 40: tile data is");
    check_error(&set, 48 + 100, nan, "vertex 0 is not finite");
    check_error(&set, 48 + 72, nan, "box corner 0 is not finite");
    let first_poly = 48 + 100 + 12 * number(&set, 48 + 28);
    check_error(&set, first_poly + 4, [255; 4], "polygon 0: corner is 65535");
    let starts = tile_starts(&set);
    let [x, z, layer] = [8, 12, 16].map(|at| set[starts[0] + at]);
    let mut twice = set.clone();
    for (offset, value) in [(8, x), (12, z), (16, layer)] {
        twice[starts[1] + offset] = value;
    }
    let error = NavMesh::from_bytes(&twice).unwrap_err().to_string();
    assert!(error.contains("tile 1") && error.contains("there is already a tile at"), "{error}");
}

/// Runs every kind of query, from and to random points.
fn ask_everything(mesh: &NavMesh, points: &[[f32; 3]]) {
    let filter = Filter::default();
    let mut scratch = Scratch::traced();
    for ends in points.windows(2) {
        let [start, end] = [ends[0], ends[1]].map(Vec3::from_array);
        let half_extents = Vec3::new(20.0, 40.0, 20.0);
        let request = PathRequest::new(start, end, &filter);
        let request = PathRequest { half_extents, max_nodes: 500, ..request };
        let path = find_path(mesh, &request, &mut scratch).unwrap();
        let _ = find_path(mesh, &PathRequest { backwards: true, ..request }, &mut scratch);
        let Some(start) = path.start else { continue };
        let request = RaycastRequest::new(start, end, &filter);
        let _ = raycast(mesh, &RaycastRequest { max_polys: 64, ..request });
        let request = WallDistanceRequest::new(start, 20.0, &filter);
        let request = WallDistanceRequest { max_nodes: 500, ..request };
        let _ = wall_distance(mesh, &request, &mut scratch);
        let _ = move_along(mesh, &MoveAlongRequest::new(start, end, &filter));
        let request = PolygonsAroundRequest::new(start, 20.0, &filter);
        let _ = polygons_around(mesh, &request, &mut scratch);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever bytes change, the result is an error, or a mesh that answers queries without a panic and is written as
    /// the same bytes.
    #[test]
    fn changed_bytes_do_no_harm(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        points in prop::collection::vec(prop::array::uniform3(-60.0f32..60.0), 3),
    ) {
        thread_local! { static SET: Vec<u8> = small_set(); }
        let mut set = SET.with(Clone::clone);
        for (place, value) in changes {
            let place = place.index(set.len());
            set[place] = value;
        }
        if let Ok(mesh) = NavMesh::from_bytes(&set) {
            let bytes = mesh.to_bytes();
            prop_assert_eq!(bytes.len(), set.len());
            prop_assert_eq!(NavMesh::from_bytes(&bytes).map(|mesh| mesh.to_bytes()), Ok(bytes));
            ask_everything(&mesh, &points);
        }
    }

    /// Changes the bytes that matter most: the headers and counts of the set and its first tile.
    #[test]
    fn changed_headers_do_no_harm(
        changes in prop::collection::vec((0usize..37, any::<i32>()), 1..4),
    ) {
        thread_local! { static SET: Vec<u8> = small_set(); }
        let mut set = SET.with(Clone::clone);
        for (place, value) in changes {
            set[4 * place..4 * place + 4].copy_from_slice(&value.to_le_bytes());
        }
        if let Ok(mesh) = NavMesh::from_bytes(&set) {
            ask_everything(&mesh, &[[0.0; 3], [30.0, 0.0, 30.0]]);
        }
    }
}
