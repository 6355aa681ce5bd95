//! Bytes in and out: round trips of the reference files, truncation, mutation.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

use std::path::PathBuf;

use walkable::navmesh::{NavMesh, Tile, format::RefWidth};

/// Folder with the reference cases, the copies in `tests/` where it is absent.
fn reference() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::var_os("WALKABLE_REFERENCE")
        .map_or_else(|| root.join("../shared/reference"), PathBuf::from);
    if folder.join("cases").is_dir() {
        return folder;
    }
    eprintln!(
        "{} has no reference cases: only the copies in tests/reference are read",
        folder.display()
    );
    root.join("tests/reference")
}

/// Every MSET file of the reference, by name.
fn tile_sets() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in ["cases", "tilecache"] {
        let Ok(entries) = std::fs::read_dir(reference().join(folder)) else { continue };
        for case in entries.map(|entry| entry.unwrap().path()) {
            for file in std::fs::read_dir(&case).unwrap().map(|entry| entry.unwrap().path()) {
                if file.extension().is_some_and(|extension| extension == "bin") {
                    files.push((file.display().to_string(), std::fs::read(&file).unwrap()));
                }
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "no reference file was found");
    files
}

/// Where each tile inside an MSET file with 32-bit references starts.
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

/// The tiles inside an MSET file with 32-bit references, cut out by hand.
fn tiles_of(set: &[u8]) -> Vec<&[u8]> {
    let starts = tile_starts(set).into_iter();
    starts.map(|start| &set[start..start + number(set, start - 4)]).collect()
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Tile data with what Detour fills in at run time set to zero: each polygon's first link, and links.
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

/// The shortest tile of the reference.
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

/// Reference, edge, side and limits of each link of each polygon, as the file has them.
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

/// The files were saved with the links that Detour had made. Ours must be the same, in the same order,
/// whether tiles come from the file or are added one by one.
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
