//! Bytes in and out: round trips of the reference files, truncation, mutation.
#![expect(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests")]

use std::path::PathBuf;

use walkable::navmesh::{Tile, format::RefWidth};

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

/// The tiles inside an MSET file with 32-bit references, cut out by hand.
fn tiles_of(set: &[u8]) -> Vec<&[u8]> {
    let number = |at: usize| u32::from_le_bytes(set[at..at + 4].try_into().unwrap()) as usize;
    let mut at = 40;
    (0..number(8))
        .map(|_| {
            let start = at + 8;
            at = start + number(at + 4);
            &set[start..at]
        })
        .collect()
}

/// Tile data with what Detour fills in at run time set to zero: each polygon's first link, and links.
fn without_links(tile: &[u8]) -> Vec<u8> {
    let number = |at: usize| u32::from_le_bytes(tile[at..at + 4].try_into().unwrap()) as usize;
    let (n_polys, n_vertices, n_links) = (number(24), number(28), number(32));
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
