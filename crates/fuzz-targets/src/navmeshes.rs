//! Files of baked navmeshes.

use std::{
    io::Cursor,
    sync::{Arc, OnceLock},
};

use walkable::{
    bake::{TileEntry, TileKey},
    glam::Vec3,
    mesh::StableHash,
    monitor::Unmonitored,
    navmesh::{NavMesh, NavMeshParams, format::RefWidth},
    query::{Filter, MeshPoint, RouteOverlay, RouteRequest, Scratch, find_route, route_corridor},
    store::{StoreFinder, StoreWriter, TileStore, store_bytes},
    tile_cache::{Obstacle, TileCache},
};
use walkable_test_support::hostile;
use walkable_workspace::{
    runner::baked_tiles,
    shard::{MergePlan, PartHead, ShardPart},
};

use crate::questions::{ask_everything, walk_everywhere};

pub(crate) fn mset(bytes: &[u8]) {
    if let Ok(mesh) = NavMesh::from_bytes(bytes) {
        let again = mesh.to_bytes();
        assert!(!bytes.starts_with(b"TESM") || again.len() == bytes.len());
        let read = NavMesh::from_bytes(&again).map(|mesh| mesh.to_bytes());
        assert!(read == Ok(again), "the bytes are not reproduced: {:?}", read.err());
        ask_everything(&mesh);
    }
}

/// Reads the bytes as polygons with arbitrary neighbors, tiles with arbitrary borders and off-mesh links, of which every
/// navmesh loads.
pub(crate) fn links(bytes: &[u8]) {
    if let Some(mesh) = hostile::nav_mesh_of(bytes) {
        ask_everything(&mesh);
        walk_everywhere(&mesh);
    }
}

/// Header of a tile store.
const STORE_HEADER: &[u8] = b"WTST\x01\0\0\0";

/// Reads the bytes as a tile store, then as a record without its checksum, then as records and an index whose position
/// is in the first two bytes.
pub(crate) fn store(bytes: &[u8]) {
    check_store(bytes);
    check_store(&[STORE_HEADER, bytes, &StableHash::of(bytes).to_le_bytes()].concat());
    let Some((position, rest)) = bytes.split_first_chunk() else { return };
    let at = u16::from_le_bytes(*position);
    let mut sealed = [STORE_HEADER, rest].concat();
    let index = StableHash::of(sealed.get(usize::from(at)..).unwrap_or_default());
    sealed.extend(u64::from(at).to_le_bytes());
    sealed.extend(index.to_le_bytes());
    sealed.extend(&STORE_HEADER[..4]);
    check_store(&sealed);
}

/// Reads the bytes as a complete tile store, and as a store whose writer was killed.
fn check_store(bytes: &[u8]) {
    let mut file = Cursor::new(bytes);
    let store = TileStore::read(&mut file);
    let finder = StoreFinder::new(Cursor::new(bytes));
    assert_eq!(store.is_ok(), finder.is_ok(), "only one of them reads the index");
    if let (Ok(store), Ok(mut finder)) = (&store, finder) {
        for entry in store.entries() {
            let found = finder.entry(entry.place).expect("the index was read");
            assert_eq!(found, Some(*entry));
            assert_eq!(finder.record(entry).ok(), store.record(entry, &mut file).ok());
        }
    }
    if let Ok(store) = store
        && let Ok(mesh) = store.nav_mesh(&mut file)
    {
        let again = store_bytes(&mesh).expect("what was read can be written");
        let mut file = Cursor::new(&again);
        let read = TileStore::read(&mut file).and_then(|store| store.nav_mesh(&mut file));
        assert!(read.is_ok_and(|read| read.to_bytes() == mesh.to_bytes()), "it is not reproduced");
        ask_everything(&mesh);
    }
    let (mut file, mut n_kept) = (Cursor::new(bytes.to_vec()), 0);
    let resumed = StoreWriter::resume(&mut file, |record| {
        let _ = record.decode();
        n_kept += 1;
        true
    });
    let Ok(writer) = resumed else { return };
    assert_eq!(writer.n_tiles(), n_kept);
    let params = NavMeshParams {
        origin: Vec3::ZERO,
        tile_width: 1.0,
        tile_height: 1.0,
        max_tiles: 1,
        max_polys: 1,
    };
    writer.finish(&params, RefWidth::Bits32).expect("memory can be written");
    let end = usize::try_from(file.position()).unwrap_or(usize::MAX);
    file.get_mut().truncate(end);
    let read = TileStore::read(&mut file).expect("the completed store can be read");
    assert_eq!(read.entries().len(), n_kept);
}

/// Reads the bytes as an overlay for routes without its checksum, and searches routes with it on a small navmesh, of
/// which the overlay may know anything.
pub(crate) fn routes(bytes: &[u8]) {
    let filter = Filter::default();
    assert!(RouteOverlay::from_bytes(bytes, &filter).is_err(), "a checksum by chance");
    let Ok(mut overlay) = RouteOverlay::from_contents(bytes, &filter) else { return };
    let again = overlay.to_bytes();
    let read = RouteOverlay::from_bytes(&again, &filter).map(|overlay| overlay.to_bytes());
    assert!(read == Ok(again), "the overlay is not reproduced: {:?}", read.err());
    let mesh = routes_mesh();
    let _ = (overlay.needed_tiles(), overlay.n_clusters(), overlay.n_bytes());
    if overlay.update(mesh).is_err() {
        return;
    }
    let points: Vec<MeshPoint> = mesh
        .slots()
        .filter_map(|(slot, tile)| {
            let corners = tile.corners(tile.polys.first()?);
            Some(MeshPoint { poly: mesh.poly_ref(slot, 0)?, point: *corners.first()? })
        })
        .collect();
    let mut scratch = Scratch::default();
    for is_refreshed in [false, true] {
        for (index, &start) in points.iter().enumerate().step_by(5) {
            let end = points[(7 * index + 3) % points.len()];
            let request = RouteRequest::new(start, end, &overlay);
            let Ok(Some(mut route)) = find_route(mesh, &request, &mut scratch) else { continue };
            let legs = 0..route.n_legs();
            let _ = route.split(&overlay, legs, &mut scratch);
            let legs = 0..route.n_legs();
            let _ = route_corridor(mesh, &overlay, &route, legs, &mut scratch);
        }
        if !is_refreshed {
            overlay.refresh(usize::MAX);
        }
    }
}

/// Returns the navmesh whose overlays are in the corpus of `routes`: 16 tiles in four cells, with off-mesh links.
fn routes_mesh() -> &'static NavMesh {
    static MESH: OnceLock<NavMesh> = OnceLock::new();
    let bytes = include_bytes!("../../../tests/reference/cases/islands-linked/navmesh.bin");
    MESH.get_or_init(|| {
        let given = NavMesh::from_bytes(bytes).expect("a navmesh");
        let mut mesh = NavMesh::new(*given.params()).expect("its parameters");
        for mut tile in given.tiles().cloned() {
            (tile.header.x, tile.header.z) = (tile.header.x + 2, tile.header.z + 2);
            mesh.add_tile(Arc::new(tile)).expect("one of its tiles");
        }
        mesh
    })
}

pub(crate) fn json(bytes: &[u8]) {
    if let Ok(mesh) = serde_json::from_slice::<NavMesh>(bytes) {
        let read = NavMesh::from_bytes(&mesh.to_bytes());
        assert!(read.is_ok(), "the written navmesh is not read back: {:?}", read.err());
        ask_everything(&mesh);
    }
}

/// Reads the bytes as a stored tile, and as the contents of a stored tile without header and checksum.
pub(crate) fn tile(bytes: &[u8]) {
    assert!(TileEntry::from_bytes(bytes, TileKey(0)).is_err(), "a hash of 0");
    let Ok(entry) = TileEntry::from_contents(bytes) else { return };
    let key = TileKey(1);
    let again = entry.to_bytes(key);
    let read = TileEntry::from_bytes(&again, key);
    let read = read.expect("what was written can be read").to_contents();
    assert!(read == entry.to_contents(), "the entry is not reproduced");
}

/// Length of the head of a part without its link input, and the position of the length of the latter.
const PART_HEAD: (usize, usize) = (40, 32);

/// Adds the checksums of the head and of the whole to the bytes, reads them as a part of a bake, and merges it.
pub(crate) fn part(bytes: &[u8]) {
    let (n_fixed, length_at) = PART_HEAD;
    let length = bytes.get(length_at..).and_then(|rest| rest.first_chunk());
    let length = length.map_or(u64::MAX, |length| u64::from_le_bytes(*length));
    let n_head = usize::try_from(length).unwrap_or(usize::MAX).saturating_add(n_fixed);
    let (head, tiles) = bytes.split_at_checked(n_head).unwrap_or((bytes, &[]));
    let mut sealed = [head, &StableHash::of(head).to_le_bytes(), tiles].concat();
    sealed.extend(StableHash::of(&sealed).to_le_bytes());
    let Ok(part) = ShardPart::from_bytes(&sealed) else { return };
    let head = PartHead::read(&mut &*sealed);
    assert!(head.is_ok_and(|head| head == part.head), "the head is that of the part");
    let again = part.to_bytes().expect("what was read can be written");
    let read = ShardPart::from_bytes(&again).and_then(|part| part.to_bytes());
    assert!(read.is_ok_and(|read| read == again), "the part is not reproduced");
    let Ok(merged) = MergePlan::new(vec![("part".to_owned(), part.head.clone())]) else { return };
    let Ok(outcomes) = merged.outcomes(&mut |_| Ok(part.clone())) else { return };
    let finish = merged.link.finish();
    if let Ok(mut mesh) = finish.link(&merged.plan, &baked_tiles(&outcomes)) {
        let _ = finish.prune(&mut mesh);
        ask_everything(&mesh);
    }
}

pub(crate) fn tset(bytes: &[u8]) {
    let Ok(mut cache) = TileCache::from_bytes(bytes) else { return };
    let again = TileCache::from_bytes(&cache.to_bytes());
    assert!(again.is_ok(), "the written layers are not read back: {:?}", again.err());
    let Ok(mut mesh) = cache.loaded_nav_mesh(&Unmonitored) else { return };
    ask_everything(&mesh);
    let bounds = cache.bounds();
    let middle = (bounds.min + bounds.max) * 0.5;
    let obstacles = [
        Obstacle::Cylinder { base: middle, radius: 1.0, height: 2.0 },
        Obstacle::Box(bounds),
        Obstacle::TurnedBox { center: bounds.min, half_size: Vec3::splat(0.7), yaw: 0.5 },
    ];
    for obstacle in obstacles {
        let Ok((id, touched)) = cache.add_obstacle(obstacle) else { continue };
        let _ = cache.update(&mut mesh, &touched, &Unmonitored);
        let _ = cache.obstacles_at(middle, 1.0);
        if let Ok(touched) = cache.remove_obstacle(id) {
            let _ = cache.update(&mut mesh, &touched, &Unmonitored);
        }
    }
}
