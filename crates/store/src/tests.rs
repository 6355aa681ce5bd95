use std::{io::Cursor, sync::Arc};

use glam::Vec3;
use proptest::prelude::*;
use walkable_runtime::{
    geom::Aabb,
    navmesh::{NavMesh, NavMeshParams, format::RefWidth},
    query::{Filter, RouteOverlay},
};

use super::*;

const PARAMS: NavMeshParams = NavMeshParams {
    origin: Vec3::new(10.0, 0.0, -5.0),
    tile_width: 8.0,
    tile_height: 4.0,
    max_tiles: 64,
    max_polys: 8,
};

/// Returns records at 4 × 3 places, of different lengths; some without a tile.
fn records() -> Vec<StoredTile> {
    let place = |at: i32| TilePlace { z: at / 4, x: at % 4, layer: 0 };
    let bytes = |at: i32, n: i32| vec![u8::try_from(at).unwrap(); usize::try_from(n).unwrap()];
    let record = |at: i32| StoredTile {
        place: place(at),
        key: 7 + u128::from(at.unsigned_abs()),
        tile: bytes(at, if at % 5 == 0 { 0 } else { at * 11 }),
        notes: bytes(at, at % 3),
    };
    (0..12).map(record).collect()
}

fn written(records: &[StoredTile]) -> Vec<u8> {
    let mut writer = StoreWriter::new(Cursor::new(Vec::new())).unwrap();
    for record in records {
        writer.append(record).unwrap();
    }
    writer.finish(&PARAMS, RefWidth::Bits64).unwrap().into_inner()
}

fn read(bytes: &[u8]) -> Result<TileStore, StoreError> {
    TileStore::read(&mut Cursor::new(bytes))
}

#[test]
fn records_are_read_back_one_by_one() {
    let bytes = written(&records());
    let store = read(&bytes).unwrap();
    assert_eq!((*store.params(), store.width()), (PARAMS, RefWidth::Bits64));
    let mut file = Cursor::new(&bytes);
    for record in records().iter().rev() {
        let entry = store.entry(record.place).unwrap();
        assert_eq!(&store.record(entry, &mut file).unwrap(), record);
    }
    assert_eq!(store.entry(TilePlace { z: 3, x: 0, layer: 0 }), None);
}

/// There are more records than a finder reads at once.
#[test]
fn a_finder_finds_the_same_records() {
    let place = |at: i32| TilePlace { z: at / 40, x: 2 * (at % 40), layer: 0 };
    let record = |at: i32| StoredTile {
        place: place(at),
        key: 3,
        tile: at.to_le_bytes()[..2].to_vec(),
        notes: vec![1; usize::try_from(at % 7).unwrap()],
    };
    let records: Vec<_> = (0..1000).map(record).collect();
    let bytes = written(&records);
    let store = read(&bytes).unwrap();
    let mut finder = StoreFinder::new(Cursor::new(&bytes)).unwrap();
    for record in records.iter().chain(records.iter().rev().step_by(41)) {
        let entry = finder.entry(record.place).unwrap().unwrap();
        assert_eq!(Some(&entry), store.entry(record.place));
        assert_eq!(&finder.record(&entry).unwrap(), record);
    }
    for (z, x) in [(-1, 0), (0, 1), (7, 33), (24, 80), (25, 0)] {
        assert_eq!(finder.entry(TilePlace { z, x, layer: 0 }).unwrap(), None);
    }
    let none = written(&[]);
    let mut finder = StoreFinder::new(Cursor::new(&none)).unwrap();
    assert_eq!(finder.entry(place(0)).unwrap(), None);
}

#[test]
fn a_box_selects_the_tiles_that_it_touches() {
    let store = read(&written(&records())).unwrap();
    let places = |min: [f32; 2], max: [f32; 2]| {
        let corner = |[x, z]: [f32; 2]| PARAMS.origin + Vec3::new(x, 0.0, z);
        let bounds = Aabb { min: corner(min), max: corner(max) };
        store.entries_in_box(&bounds).map(|entry| entry.place.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(places([9.0, 1.0], [17.0, 5.0]), ["1,0", "2,0", "1,1", "2,1"]);
    assert_eq!(places([-9e9, -9e9], [1.0, 1.0]), ["0,0"]);
    assert_eq!(places([-9e9, -9e9], [9e9, 9e9]).len(), 12);
    assert!(places([99.0, 0.0], [100.0, 1.0]).is_empty());
}

#[test]
fn tiles_are_added_in_order() {
    let mut writer = StoreWriter::new(Cursor::new(Vec::new())).unwrap();
    let [first, second, ..] = &records()[..] else { panic!("there are several") };
    writer.append(second).unwrap();
    for wrong in [first, second] {
        let why = writer.append(wrong).unwrap_err().to_string();
        assert_eq!(why, format!("tile {} was added to the tile store after tile 1,0", wrong.place));
    }
}

#[test]
fn every_damaged_byte_is_noticed_and_the_tile_is_named() {
    let bytes = written(&records());
    let (whole, mut n_named) = (read(&bytes).unwrap(), 0);
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let Ok(store) = read(&damaged) else { continue };
        let mut file = Cursor::new(&damaged);
        let bad: Vec<_> =
            store.entries().iter().filter_map(|it| store.record(it, &mut file).err()).collect();
        let hit = whole.entries().iter().find(|entry| (at as u64) < entry.end()).unwrap();
        let [why] = &bad[..] else { panic!("byte {at}: {bad:?}") };
        assert!(why.to_string().starts_with(&format!("tile {} of", hit.place)), "{why}");
        n_named += 1;
    }
    let of_records: u64 = whole.entries().iter().map(StoreEntry::n_bytes).sum();
    assert_eq!(n_named, of_records);
}

#[test]
fn a_file_without_its_end_is_incomplete() {
    let bytes = written(&records());
    for n in 8..bytes.len() {
        assert!(matches!(read(&bytes[..n]), Err(StoreError::Incomplete)), "{n}");
    }
    assert!(matches!(read(b"WTS"), Err(StoreError::Foreign(_))));
}

/// Continues the store of `bytes` with the missing records.
fn completed(bytes: Vec<u8>) -> (usize, Vec<u8>) {
    let (mut file, mut n_kept) = (Cursor::new(bytes), 0);
    let end = StoreWriter::resume(&mut file, |_| true).unwrap().n_bytes();
    file.get_mut().truncate(usize::try_from(end).unwrap());
    let mut writer = StoreWriter::resume(file, |record| {
        assert_eq!(record, &records()[n_kept]);
        n_kept += 1;
        true
    })
    .unwrap();
    records()[n_kept..].iter().for_each(|record| writer.append(record).unwrap());
    (n_kept, writer.finish(&PARAMS, RefWidth::Bits64).unwrap().into_inner())
}

#[test]
fn a_store_cut_off_anywhere_is_completed_to_the_same_bytes() {
    let bytes = written(&records());
    let store = read(&bytes).unwrap();
    for n in 0..=bytes.len() {
        let (n_kept, completed) = completed(bytes[..n].to_vec());
        let whole = store.entries().iter().filter(|entry| entry.end() <= n as u64).count();
        assert_eq!((n_kept, completed == bytes), (whole, true), "cut off after {n} bytes");
    }
}

#[test]
fn records_from_the_first_that_is_not_kept_are_replaced() {
    let mut file = Cursor::new(written(&records()));
    let writer = StoreWriter::resume(&mut file, |record| record.key < 10).unwrap();
    assert_eq!(writer.n_tiles(), 3);
}

/// The overlay that is computed with the tiles of one cell in memory at a time equals that of the whole navmesh.
#[test]
fn an_overlay_for_routes_is_computed_cell_by_cell() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/reference/cases");
    let file = std::fs::read(format!("{cases}/islands-linked/navmesh.bin")).unwrap();
    let given = NavMesh::from_bytes(&file).unwrap();
    let mut mesh = NavMesh::new(*given.params()).unwrap();
    for mut tile in given.tiles().cloned() {
        // The 4 by 4 tiles are parts of four cells.
        (tile.header.x, tile.header.z) = (tile.header.x + 2, tile.header.z + 2);
        mesh.add_tile(Arc::new(tile)).unwrap();
    }
    let bytes = store_bytes(&mesh).unwrap();
    let (store, filter) = (read(&bytes).unwrap(), Filter::default());
    let overlay = store.route_overlay(&filter, &mut Cursor::new(&bytes)).unwrap();
    let whole = RouteOverlay::new(&mesh, &filter).unwrap();
    assert!(overlay.n_waiting() == 0 && overlay.to_bytes() == whole.to_bytes());

    let at = usize::try_from(store.entries()[0].end() - 20).unwrap();
    let mut damaged = bytes.clone();
    damaged[at] ^= 1;
    let found = store.route_overlay(&filter, &mut Cursor::new(&damaged)).map(drop);
    assert!(matches!(found, Err(StoreError::DamagedTile { .. })), "{found:?}");
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_no_store(tail in proptest::collection::vec(any::<u8>(), 0..400)) {
        let bytes = [&MAGIC[..], &VERSION.to_le_bytes(), &tail].concat();
        prop_assert!(read(&bytes).is_err());
        let mut file = Cursor::new(bytes);
        let resumed = StoreWriter::resume(&mut file, |_| true).unwrap();
        prop_assert_eq!(resumed.n_tiles(), 0);
    }
}
