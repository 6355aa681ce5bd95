use std::collections::BTreeMap;

use super::*;
use crate::{
    navmesh::sample::{connect, mesh, tile},
    query::{
        CorridorRequest, Filter, HeldBack, MeshPoint, NavPath, PathRequest, PathStatus, Scratch,
        SlicedPath, SlicedRequest, SlicedState, WhyNot, find_corridor, find_path,
        find_shortest_path,
    },
};

/// Side of a tile in meters.
const SIDE: f32 = 2.0;

/// Data of tiles by place, and the navmesh of all of them.
struct Files {
    whole: NavMesh,
    data: BTreeMap<TilePlace, Vec<u8>>,
}

fn place(x: i32, z: i32) -> TilePlace {
    TilePlace { z, x, layer: 0 }
}

impl Files {
    fn new(tiles: Vec<Tile>) -> Self {
        let mut tiles = tiles;
        tiles.sort_by_key(TilePlace::of);
        let data = tiles.iter().map(|tile| (TilePlace::of(tile), tile.to_bytes())).collect();
        Self { whole: mesh(tiles), data }
    }

    /// Creates `n` by `n` open tiles.
    fn square(n: i16) -> Self {
        let places = (0..n).flat_map(|z| (0..n).map(move |x| (x, z)));
        Self::new(places.map(|(x, z)| tile(x, z, &["..", ".."])).collect())
    }

    fn streaming(&self) -> Streaming {
        let tiles = self.data.iter().map(|(&place, bytes)| WorldTile::new(place, bytes.len()));
        Streaming::new(*self.whole.params(), self.whole.width(), tiles).unwrap()
    }

    /// Returns the memory of a tile.
    fn memory(&self, place: TilePlace) -> u64 {
        NavMesh::memory_of(&Tile::from_bytes(&self.data[&place]).unwrap())
    }

    /// Updates and loads until nothing changes.
    fn load(&self, streaming: &mut Streaming, request: &StreamingRequest<'_>) -> StreamingUpdate {
        let mut all = StreamingUpdate::default();
        for _ in 0..self.data.len() + 2 {
            let update = streaming.update(request).unwrap();
            let is_done = update == StreamingUpdate::default();
            for &place in &update.load {
                streaming.add(place, &self.data[&place]).unwrap();
                assert!(streaming.n_bytes() <= request.budget);
            }
            all.load.extend(update.load);
            all.dropped.extend(update.dropped);
            all.cancelled.extend(update.cancelled);
            if is_done {
                return all;
            }
        }
        panic!("nothing should change any more");
    }
}

fn at(x: f32, z: f32, radius: f32) -> [PointOfInterest; 1] {
    [PointOfInterest { position: Vec3::new(x, 0.0, z), radius }]
}

fn loaded(streaming: &Streaming) -> Vec<(i32, i32)> {
    let mut places: Vec<_> = streaming.nav_mesh().tiles().map(TilePlace::of).collect();
    places.sort_unstable();
    places.into_iter().map(|place| (place.x, place.z)).collect()
}

#[test]
fn the_nearest_tiles_in_the_radius_are_loaded_first() {
    let files = Files::square(5);
    let mut streaming = files.streaming();
    let points = at(5.0, 5.0, SIDE);
    let request = StreamingRequest { max_requested: 3, ..StreamingRequest::new(&points, u64::MAX) };
    let first = streaming.update(&request).unwrap();
    assert_eq!(first.load, [place(2, 2), place(2, 1), place(1, 2)]);
    assert_eq!(streaming.update(&request).unwrap(), StreamingUpdate::default());
    assert!(streaming.add(place(2, 2), &files.data[&place(2, 2)]).unwrap());
    assert_eq!(streaming.update(&request).unwrap().load, [place(3, 2)]);
    assert!(!streaming.add(place(0, 0), &files.data[&place(0, 0)]).unwrap(), "not requested");

    let mut streaming = files.streaming();
    files.load(&mut streaming, &request);
    let around = (1..4).flat_map(|z| (1..4).map(move |x| (x, z)));
    assert_eq!(loaded(&streaming), around.collect::<Vec<_>>());
}

#[test]
fn the_budget_drops_the_farthest_tiles() {
    let files = Files::square(6);
    let budget = 4 * files.memory(place(0, 0));
    let mut streaming = files.streaming();
    let there = at(1.0, 1.0, 2.5);
    files.load(&mut streaming, &StreamingRequest::new(&there, budget));
    assert_eq!(loaded(&streaming), [(0, 0), (1, 0), (0, 1), (1, 1)]);
    // Tiles out of reach stay while there is space, and are dropped for nearer ones.
    let far = at(11.0, 11.0, 0.5);
    let moved = files.load(&mut streaming, &StreamingRequest::new(&far, budget));
    assert_eq!((moved.load, moved.dropped), (vec![place(5, 5)], vec![place(0, 0)]));
    assert_eq!(loaded(&streaming), [(1, 0), (0, 1), (1, 1), (5, 5)]);
    let none = files.load(&mut streaming, &StreamingRequest::new(&far, 0));
    assert_eq!((none.dropped.len(), streaming.n_bytes(), loaded(&streaming)), (4, 0, vec![]));
}

#[test]
fn requests_are_cancelled_and_late_data_is_ignored() {
    let files = Files::square(6);
    let mut streaming = files.streaming();
    let update = streaming.update(&StreamingRequest::new(&at(1.0, 1.0, 0.5), u64::MAX)).unwrap();
    assert_eq!(update.load, [place(0, 0)]);
    let update = streaming.update(&StreamingRequest::new(&at(11.0, 11.0, 0.5), u64::MAX)).unwrap();
    assert_eq!((update.load, update.cancelled), (vec![place(5, 5)], vec![place(0, 0)]));
    assert!(!streaming.add(place(0, 0), &files.data[&place(0, 0)]).unwrap());
    assert_eq!(loaded(&streaming), []);
}

#[test]
fn a_point_that_moves_back_and_forth_loads_nothing_again() {
    let files = Files::square(6);
    let budget = 9 * files.memory(place(0, 0));
    let mut streaming = files.streaming();
    files.load(&mut streaming, &StreamingRequest::new(&at(5.9, 5.0, 9.0), budget));
    for x in [6.1, 5.9, 6.4, 5.8, 6.2] {
        let update = files.load(&mut streaming, &StreamingRequest::new(&at(x, 5.0, 9.0), budget));
        assert_eq!(update, StreamingUpdate::default(), "{x}");
    }
    let update = files.load(&mut streaming, &StreamingRequest::new(&at(9.0, 5.0, 9.0), budget));
    assert!(!update.load.is_empty());
}

#[test]
fn references_do_not_depend_on_the_order_of_loading() {
    let files = Files::square(4);
    let refs = |mesh: &NavMesh| {
        let mut refs = BTreeMap::new();
        for (slot, tile) in mesh.slots() {
            for poly in 0..tile.polys.len() {
                refs.insert((TilePlace::of(tile), poly), mesh.poly_ref(slot, poly).unwrap());
            }
        }
        refs
    };
    let whole = refs(&files.whole);
    let mut streaming = files.streaming();
    let kept = whole[&(place(3, 3), 1)];
    let budget = 4 * files.memory(place(0, 0));
    for (x, z) in [(7.0, 7.0), (1.0, 5.0), (5.0, 1.0), (7.0, 7.0)] {
        files.load(&mut streaming, &StreamingRequest::new(&at(x, z, 2.0), budget));
        for (key, poly) in refs(streaming.nav_mesh()) {
            assert_eq!(poly, whole[&key]);
        }
        let is_there = loaded(&streaming).contains(&(3, 3));
        assert_eq!(streaming.nav_mesh().resolve(kept).is_some(), is_there);
    }
    assert!(streaming.nav_mesh().resolve(kept).is_some());
    files.load(&mut streaming, &StreamingRequest::new(&at(4.0, 4.0, 99.0), u64::MAX));
    assert_eq!(refs(streaming.nav_mesh()), whole);
    let links = |mesh: &NavMesh| mesh.stats();
    assert_eq!(links(streaming.nav_mesh()), links(&files.whole));
}

/// Returns a path from (0.5, 0.5) to (`x`, `z`).
fn path(mesh: &NavMesh, x: f32, z: f32) -> NavPath {
    let (filter, half_extents) = (Filter::default(), Vec3::splat(0.2));
    let [start, end] = [[0.5, 0.5], [x, z]].map(|[x, z]| Vec3::new(x, 0.0, z));
    let request = PathRequest { half_extents, ..PathRequest::new(start, end, &filter) };
    let shortest = find_shortest_path(mesh, &request, &mut Scratch::default()).unwrap();
    let path = find_path(mesh, &request, &mut Scratch::default()).unwrap();
    assert_eq!((path.status, path.why), (shortest.status, shortest.why));
    path
}

/// Returns two rows of tiles that are connected only at their far ends, and a tile that nothing leads to.
fn detour() -> Files {
    let mut tiles: Vec<_> = (0..4).map(|x| tile(x, 0, &["..", "##"])).collect();
    tiles.extend((0..3).map(|x| tile(x, 1, &["##", ".."])));
    tiles.extend([tile(3, 1, &[".#", ".."]), tile(0, 3, &["..", ".."])]);
    tiles[3] = tile(3, 0, &["..", ".#"]);
    Files::new(tiles)
}

#[test]
fn searches_that_reach_the_edge_of_the_loaded_tiles_say_so() {
    let files = detour();
    let mut streaming = files.streaming();
    let (end, cut_off) = ([0.5, 3.5], [0.5, 6.5]);
    let whole = path(&files.whole, end[0], end[1]);
    assert_eq!((whole.status, whole.why), (PathStatus::Complete, None));
    let why = |streaming: &Streaming, [x, z]: [f32; 2]| path(streaming.nav_mesh(), x, z).why;
    assert_eq!(why(&streaming, end), Some(WhyNot::StartNotLoaded));
    files.load(&mut streaming, &StreamingRequest::new(&at(0.5, 0.5, 0.1), u64::MAX));
    assert_eq!(why(&streaming, end), Some(WhyNot::EndNotLoaded));
    files.load(&mut streaming, &StreamingRequest::new(&at(0.5, 2.0, 2.5), u64::MAX));
    assert_eq!(loaded(&streaming), [(0, 0), (1, 0), (0, 1), (1, 1)]);
    assert_eq!(why(&streaming, end), Some(WhyNot::NotLoaded));
    files.load(&mut streaming, &StreamingRequest::new(&at(7.5, 2.0, 5.0), u64::MAX));
    assert_eq!(why(&streaming, end), None);
    assert_eq!(why(&streaming, cut_off), Some(WhyNot::EndNotLoaded));
    files.load(&mut streaming, &StreamingRequest::new(&at(4.0, 4.0, 99.0), u64::MAX));
    assert_eq!(why(&streaming, cut_off), Some(WhyNot::Disconnected));
    assert_eq!(why(&streaming, [2.5, 6.5]), Some(WhyNot::EndOffMesh));
}

#[test]
fn all_corridor_searches_report_tiles_that_are_not_loaded() {
    let files = detour();
    let mut streaming = files.streaming();
    files.load(&mut streaming, &StreamingRequest::new(&at(0.5, 2.0, 2.5), u64::MAX));
    let mesh = streaming.nav_mesh();
    let filter = Filter::default();
    let ends = [[0.5, 0.5], [0.5, 3.5]].map(|[x, z]| {
        let poly = path(mesh, x, z).end.unwrap().poly;
        MeshPoint { poly, point: Vec3::new(x, 0.0, z) }
    });
    for backwards in [false, true] {
        let request = CorridorRequest::new(ends[0], ends[1], &filter);
        let request = CorridorRequest { backwards, ..request };
        let corridor = find_corridor(mesh, &request, &mut Scratch::default()).unwrap();
        assert_eq!((corridor.is_complete, corridor.held_back), (false, Some(HeldBack::NotLoaded)));
        let few = CorridorRequest { max_nodes: 2, ..request };
        let corridor = find_corridor(mesh, &few, &mut Scratch::default()).unwrap();
        assert_eq!(corridor.held_back, Some(HeldBack::NodeLimit));
    }
    let request = SlicedRequest::new(ends[0], ends[1]);
    let mut search = SlicedPath::new(mesh, &request, Scratch::default()).unwrap();
    while search.step(mesh, &filter, 1).unwrap() == SlicedState::Searching {}
    let corridor = search.corridor(mesh, &filter).unwrap();
    assert_eq!((corridor.is_complete, corridor.held_back), (false, Some(HeldBack::NotLoaded)));
}

#[test]
fn off_mesh_links_lead_to_tiles_that_come_later() {
    let mut first = tile(0, 0, &[".#", "##"]);
    connect(&mut first, [Vec3::new(0.9, 0.0, 0.5), Vec3::new(2.5, 0.0, 0.5)], 1, 0);
    let files = Files::new(vec![first, tile(1, 0, &["..", ".."])]);
    let mut streaming = files.streaming();
    files.load(&mut streaming, &StreamingRequest::new(&at(0.5, 0.5, 0.1), u64::MAX));
    assert_eq!(path(streaming.nav_mesh(), 3.5, 0.5).why, Some(WhyNot::EndNotLoaded));
    for _ in 0..2 {
        files.load(&mut streaming, &StreamingRequest::new(&at(2.0, 0.5, 0.1), u64::MAX));
        assert_eq!(path(streaming.nav_mesh(), 3.5, 0.5).status, PathStatus::Complete);
        let one = files.memory(place(0, 0));
        files.load(&mut streaming, &StreamingRequest::new(&at(0.5, 0.5, 0.1), one));
        assert_eq!(loaded(&streaming), [(0, 0)]);
    }
}

#[test]
fn bad_data_fails_once_and_is_not_requested_again() {
    let files = Files::square(3);
    let mut streaming = files.streaming();
    let points = at(1.0, 1.0, 0.5);
    let request = StreamingRequest::new(&points, u64::MAX);
    streaming.update(&request).unwrap();
    let error = streaming.add(place(0, 0), &files.data[&place(1, 0)]).unwrap_err().to_string();
    assert_eq!(error, "the data of tile 0,0 is tile 1,0");
    assert_eq!(streaming.status(place(0, 0)), Some(TileStatus::Failed));
    assert_eq!(streaming.update(&request).unwrap(), StreamingUpdate::default());
    assert_eq!(path(streaming.nav_mesh(), 1.5, 1.5).why, Some(WhyNot::StartNotLoaded));
    streaming.retry_failed();
    assert_eq!(streaming.update(&request).unwrap().load, [place(0, 0)]);
    let error = streaming.add(place(0, 0), b"nothing").unwrap_err().to_string();
    assert!(error.starts_with("tile 0,0 is invalid: "), "{error}");
    streaming.retry_failed();
    streaming.update(&request).unwrap();
    streaming.fail(place(0, 0));
    assert_eq!(streaming.status(place(0, 0)), Some(TileStatus::Failed));
    let unknown = streaming.add(place(9, 0), b"").unwrap_err();
    assert_eq!(unknown, StreamingError::Unknown { place: place(9, 0) });
}

#[test]
fn invalid_worlds_and_points_are_refused() {
    let files = Files::square(2);
    let tile = WorldTile::new(place(1, 0), 9);
    let of = |tiles: &[WorldTile]| {
        Streaming::new(*files.whole.params(), files.whole.width(), tiles.iter().copied())
    };
    assert_eq!(of(&[tile, tile]).unwrap_err(), StreamingError::Twice { place: place(1, 0) });
    let many: Vec<_> = (0..1 << 20).map(|x| WorldTile::new(place(x, 0), 9)).collect();
    assert!(matches!(of(&many), Err(StreamingError::Mesh(NavMeshError::Full { .. }))));
    let mut streaming = of(&[tile]).unwrap();
    for [x, radius] in [[f32::NAN, 1.0], [f32::INFINITY, 1.0], [1.0, f32::NAN], [1.0, -1.0]] {
        let error = streaming.update(&StreamingRequest::new(&at(x, 0.0, radius), 9)).unwrap_err();
        assert!(matches!(error, StreamingError::BadPoint { .. }));
    }
    let all = at(-9e30, 9e30, f32::INFINITY);
    let update = streaming.update(&StreamingRequest::new(&all, u64::MAX)).unwrap();
    assert_eq!(update.load, [place(1, 0)]);
}
