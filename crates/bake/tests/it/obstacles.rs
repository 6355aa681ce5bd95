//! Properties of obstacles on the layers of any level, and of the files in which layers are stored.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    bake::{
        AreaVolume, BakeInput, BakePlan, BakeSettings, HeightLayer, LayerCut, OffMeshLink, RawArea,
        VolumeShape, bake_layers,
    },
    geom::Aabb,
    ids::{AreaId, Dir},
    level::{LevelKind, generate},
    monitor::Unmonitored,
    navmesh::{NavMesh, Tile},
    tile_cache::{LayerKey, LayerTile, Obstacle, TileCache, TileCacheError},
};

fn plan(kind: LevelKind, tile_size: u32) -> BakePlan {
    let mesh = generate(kind, 5, *kind.sizes().start()).unwrap().mesh;
    let settings = BakeSettings { tile_size, ..BakeSettings::default() };
    BakePlan::new(BakeInput::new(Arc::new(mesh), settings)).unwrap()
}

fn cache(kind: LevelKind, cut: LayerCut) -> TileCache {
    TileCache::bake(&plan(kind, 32), cut, &Unmonitored).unwrap().cache
}

/// Returns the tiles by place.
fn tiles(mesh: &NavMesh) -> BTreeMap<(i32, i32, i32), Vec<u8>> {
    let place = |tile: &Tile| (tile.header.z, tile.header.x, tile.header.layer);
    mesh.tiles().map(|tile| (place(tile), tile.to_bytes())).collect()
}

/// Returns an obstacle of any shape at any point of the unit cube, up to three meters wide.
fn obstacle() -> impl Strategy<Value = (u8, [f32; 3], [f32; 3], f32)> {
    let unit = prop::array::uniform3(0.0..=1.0f32);
    (0..4u8, unit, prop::array::uniform3(0.0..1.5f32), -4.0..4.0f32)
}

/// Returns the obstacle `shape` with its center at the given fraction of `bounds`.
fn placed((shape, part, half_size, yaw): (u8, [f32; 3], [f32; 3], f32), bounds: &Aabb) -> Obstacle {
    let (middle, half_size) =
        (bounds.min + bounds.size() * Vec3::from_array(part), Vec3::from_array(half_size));
    match shape {
        0 => Obstacle::Cylinder {
            base: middle - Vec3::Y * half_size.y,
            radius: half_size.x,
            height: 2.0 * half_size.y,
        },
        1 => Obstacle::Box(Aabb { min: middle - half_size, max: middle + half_size }),
        2 => Obstacle::TurnedBox { center: middle, half_size, yaw },
        _ => Obstacle::Prism {
            min_y: middle.y - half_size.y,
            max_y: middle.y + half_size.y,
            outline: outline(middle, half_size, yaw).into(),
        },
    }
}

/// Returns the corners of a convex polygon in a box, three to seven depending on `turn`.
fn outline(middle: Vec3, half_size: Vec3, turn: f32) -> Vec<Vec3> {
    let n = (3..7_u8).find(|n| turn.abs() < f32::from(*n) - 2.0).unwrap_or(7);
    let corner = |at: u8| {
        let angle = turn + std::f32::consts::TAU * f32::from(at) / f32::from(n);
        middle + half_size * Vec3::new(angle.cos(), 0.0, angle.sin())
    };
    (0..n).map(corner).collect()
}

const KINDS: [LevelKind; 4] =
    [LevelKind::Tower, LevelKind::Sample, LevelKind::Spiral, LevelKind::Caves];

thread_local! {
    static CACHES: Vec<TileCache> = KINDS
        .iter()
        .flat_map(|&kind| [LayerCut::Sweep, LayerCut::Watershed].map(|cut| cache(kind, cut)))
        .collect();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Obstacles are added and removed: after each step, the navmesh equals one that is built anew, and after the last
    /// one is removed, it equals the original one.
    #[test]
    fn exactly_the_touched_tiles_change(
        level in 0..2 * KINDS.len(),
        shapes in prop::collection::vec(obstacle(), 1..6),
        leave in prop::collection::vec(any::<prop::sample::Index>(), 6),
    ) {
        let mut cache = CACHES.with(|caches| caches[level].clone());
        let mut mesh = cache.nav_mesh(&Unmonitored).unwrap();
        let initial = tiles(&mesh);
        let bounds = mesh.bounds();
        let mut ids = Vec::new();
        for shape in shapes {
            let before = tiles(&mesh);
            let (id, touched) = cache.add_obstacle(placed(shape, &bounds)).unwrap();
            cache.update(&mut mesh, &touched, &Unmonitored).unwrap();
            ids.push(id);
            let after = tiles(&mesh);
            prop_assert_eq!(&after, &tiles(&cache.nav_mesh(&Unmonitored).unwrap()));
            for (place, bytes) in &before {
                let number = |n: i32| u32::try_from(n).unwrap();
                let key = LayerKey { z: number(place.0), x: number(place.1), layer: number(place.2) };
                prop_assert!(touched.contains(&key) || after.get(place) == Some(bytes));
            }
        }
        for index in leave {
            if ids.is_empty() {
                break;
            }
            let id = ids.swap_remove(index.index(ids.len()));
            let touched = cache.remove_obstacle(id).unwrap();
            cache.update(&mut mesh, &touched, &Unmonitored).unwrap();
            prop_assert_eq!(tiles(&mesh), tiles(&cache.nav_mesh(&Unmonitored).unwrap()));
            prop_assert_eq!(cache.remove_obstacle(id), Err(TileCacheError::UnknownObstacle));
        }
        prop_assert!(ids.is_empty());
        prop_assert_eq!(tiles(&mesh), initial);
    }
}

/// The area of volumes in [`what_a_volume_marks`].
const MARKED: RawArea = RawArea(7);

/// Returns the cells of each layer in `touched` that a volume of this shape marks when it is baked.
fn what_a_volume_marks(
    kind: LevelKind,
    shape: &VolumeShape,
    touched: &[LayerKey],
) -> BTreeMap<LayerKey, HeightLayer> {
    let plan = plan(kind, 32);
    let volume = AreaVolume::new(MARKED, shape.clone());
    let plan = BakePlan::new(BakeInput { volumes: vec![volume], ..plan.input().clone() }).unwrap();
    let mut marked = BTreeMap::new();
    for key in touched {
        let baked = bake_layers(&plan, key.coord(), LayerCut::Sweep, &Unmonitored).unwrap();
        marked.insert(*key, baked.set.layers[key.layer as usize].clone());
    }
    marked
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// A prism that is added later removes the ground that a volume would have marked in the bake, cell by cell.
    #[test]
    fn a_prism_removes_what_a_volume_of_its_shape_marks(
        level in 0..KINDS.len(),
        part in prop::array::uniform3(0.0..=1.0f32),
        half_size in prop::array::uniform3(0.5..4.0f32),
        turn in -5.0..5.0f32,
        is_concave in any::<bool>(),
    ) {
        let mut cache = CACHES.with(|caches| caches[2 * level].clone());
        let bounds = cache.bounds();
        let middle = bounds.min + bounds.size() * Vec3::from_array(part);
        let half_size = Vec3::from_array(half_size);
        let mut outline = outline(middle, half_size, turn);
        if is_concave {
            outline.push(middle);
        }
        let (min_y, max_y) = (middle.y - half_size.y, middle.y + half_size.y);
        let shape = VolumeShape::Prism { min_y, max_y, outline: outline.clone() };
        let obstacle = Obstacle::Prism { min_y, max_y, outline: outline.into() };
        let touched = cache.touched_by(&obstacle);
        let marked = what_a_volume_marks(KINDS[level], &shape, &touched);
        let free: Vec<_> = touched.iter().map(|key| cache.layer(*key).unwrap()).collect();
        cache.add_obstacle(obstacle).unwrap();
        for (key, free) in touched.iter().zip(free) {
            let (carved, marked) = (cache.layer(*key).unwrap(), &marked[key]);
            prop_assert_eq!(&free.heights, &marked.heights);
            for cell in 0..free.areas.len() {
                // Next to a portal to another layer or tile, the height is that of the higher side.
                let at_portal = Dir::ALL.iter().any(|&dir| free.links[cell].is_portal(dir));
                if free.areas[cell].is_walkable() && !at_portal {
                    let is_marked = marked.areas[cell] == MARKED;
                    prop_assert_eq!(!carved.areas[cell].is_walkable(), is_marked, "cell {}", cell);
                }
            }
        }
    }
}

#[test]
fn an_obstacle_takes_the_ground_under_it_and_no_other() {
    let mut cache = cache(LevelKind::Sample, LayerCut::Sweep);
    let free: BTreeMap<LayerKey, HeightLayer> =
        cache.tiles().map(|tile| (tile.key(), cache.layer(tile.key()).unwrap())).collect();
    let (&key, layer) = free.iter().max_by_key(|(_, layer)| layer.n_ground_cells()).unwrap();
    let cell = (0..layer.areas.len())
        .filter(|&cell| layer.areas[cell].is_walkable())
        .nth(layer.n_ground_cells() / 2)
        .unwrap();
    let cell_place = u16::try_from(cell).unwrap();
    let n_x = u16::try_from(layer.n_x).unwrap();
    let (x, z) = (f32::from(cell_place % n_x), f32::from(cell_place / n_x));
    let at = layer.bounds.min
        + Vec3::new(x + 0.5, f32::from(layer.heights[cell]), z + 0.5)
            * Vec3::new(layer.cell_size, layer.cell_height, layer.cell_size);
    let obstacle = Obstacle::Cylinder { base: at - Vec3::Y * 0.1, radius: 0.4, height: 0.2 };
    let (_, touched) = cache.add_obstacle(obstacle).unwrap();
    assert!(touched.contains(&key));
    let carved = cache.layer(key).unwrap();
    assert_eq!(carved.areas[cell], RawArea::NULL);
    let gone = layer.n_ground_cells() - carved.n_ground_cells();
    assert!((1..=13).contains(&gone), "{gone} cells are gone");
    for other in free.keys().filter(|other| !touched.contains(other)) {
        assert_eq!(cache.layer(*other).as_ref(), free.get(other));
    }
}

#[test]
fn obstacles_are_found_where_they_take_the_ground_and_nowhere_else() {
    let mut cache = cache(LevelKind::Tower, LayerCut::Sweep);
    let free: Vec<_> =
        cache.tiles().map(|tile| (tile.key(), cache.layer(tile.key()).unwrap())).collect();
    let bounds = cache.bounds();
    let shapes = (0..40_u8).map(|n| {
        let part = |step: u8| f32::from(n.wrapping_mul(step)) / 255.0;
        placed((n % 4, [part(37), part(91), part(151)], [1.4, 1.2, 0.9], part(13)), &bounds)
    });
    let ids: Vec<_> = shapes.map(|shape| cache.add_obstacle(shape).unwrap().0).collect();
    let (mut n_taken, mut n_free) = (0, 0);
    for (key, layer) in &free {
        let carved = cache.layer(*key).unwrap();
        for cell in (0..layer.areas.len()).filter(|&cell| layer.areas[cell].is_walkable()) {
            let [x, z] = [cell % layer.n_x as usize, cell / layer.n_x as usize]
                .map(|at| f32::from(u16::try_from(at).unwrap()));
            let place = Vec3::new(x + 0.5, f32::from(layer.heights[cell]), z + 0.5);
            let scale = Vec3::new(layer.cell_size, layer.cell_height, layer.cell_size);
            let found = cache.obstacles_at(layer.bounds.min + place * scale, 0.01);
            let is_taken = !carved.areas[cell].is_walkable();
            assert_eq!(!found.is_empty(), is_taken, "{key}, cell {cell}");
            assert!(found.iter().all(|id| ids.contains(id)) && found.is_sorted());
            *(if is_taken { &mut n_taken } else { &mut n_free }) += 1;
        }
    }
    assert!(n_taken > 100 && n_free > 100, "{n_taken} taken, {n_free} free");
    assert_eq!(cache.obstacles_at(bounds.min - 10.0, 1.0), []);
    assert_eq!(cache.obstacles_at(Vec3::NAN, 1.0), []);
}

#[test]
fn invalid_input_is_rejected() {
    let mut cache = cache(LevelKind::Sample, LayerCut::Sweep);
    let bad = [
        Obstacle::Cylinder { base: Vec3::ZERO, radius: -1.0, height: 1.0 },
        Obstacle::Cylinder { base: Vec3::NAN, radius: 1.0, height: 1.0 },
        Obstacle::Box(Aabb { min: Vec3::ONE, max: Vec3::ZERO }),
        Obstacle::TurnedBox { center: Vec3::ZERO, half_size: Vec3::ONE, yaw: f32::INFINITY },
        Obstacle::Prism { min_y: 0.0, max_y: 1.0, outline: [].into() },
        Obstacle::Prism { min_y: 1.0, max_y: 0.0, outline: [Vec3::ZERO, Vec3::X, Vec3::Z].into() },
        Obstacle::Prism {
            min_y: 0.0,
            max_y: 1.0,
            outline: [Vec3::ZERO, Vec3::X, Vec3::NAN].into(),
        },
    ];
    for obstacle in bad {
        let found = cache.add_obstacle(obstacle.clone());
        assert_eq!(found, Err(TileCacheError::BadObstacle), "{obstacle:?}");
    }
    let far = Vec3::splat(1e30);
    let huge = Obstacle::Box(Aabb { min: -far, max: far });
    let (_, touched) = cache.add_obstacle(huge.clone()).unwrap();
    assert_eq!(touched.len(), cache.tiles().count());
    assert_eq!(cache.nav_mesh(&Unmonitored).unwrap().tiles().count(), 0);
    for _ in 1..cache.params().max_obstacles {
        cache.add_obstacle(huge.clone()).unwrap();
    }
    let full = TileCacheError::TooManyObstacles { max_obstacles: 128 };
    assert_eq!(cache.add_obstacle(huge), Err(full));

    let solo = TileCache::bake(&plan(LevelKind::Sample, 0), LayerCut::Sweep, &Unmonitored);
    assert!(matches!(solo, Err(TileCacheError::TileSize { .. })));
    let tile = cache.tiles().next().unwrap().clone();
    let occupied = TileCacheError::Occupied { key: tile.key() };
    assert_eq!(cache.add_tile(tile), Err(occupied));
}

#[test]
fn connections_are_taken_by_the_tile_they_start_in() {
    let cache = cache(LevelKind::Sample, LayerCut::Sweep);
    let mesh = cache.nav_mesh(&Unmonitored).unwrap();
    let start = mesh.tiles().next().unwrap().vertices[0];
    let link = OffMeshLink {
        start,
        end: start + Vec3::new(2.0, 0.0, 2.0),
        radius: 0.6,
        bidirectional: true,
        area: AreaId(5),
        flags: 8,
        user_id: 1000,
    };
    let with = cache.with_off_mesh(vec![link]).nav_mesh(&Unmonitored).unwrap();
    assert_eq!(with.tiles().map(|tile| tile.off_mesh.len()).sum::<usize>(), 1);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let on_threads = |n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| {
            let cache = cache(LevelKind::Tower, LayerCut::Sweep);
            (cache.to_bytes(), cache.nav_mesh(&Unmonitored).unwrap().to_bytes())
        })
    };
    let one = on_threads(1);
    assert_eq!(one, on_threads(2));
    assert_eq!(one, on_threads(8));
}

fn small_set() -> Vec<u8> {
    cache(LevelKind::Sample, LayerCut::Sweep).to_bytes()
}

#[test]
fn a_set_is_read_as_it_was_written() {
    let cache = cache(LevelKind::Tower, LayerCut::Watershed);
    let bytes = cache.to_bytes();
    let read = TileCache::from_bytes(&bytes).unwrap();
    assert_eq!(read, cache);
    assert!(read.to_bytes() == bytes);
    let unpacked: usize = cache.tiles().map(|tile| tile.to_unpacked_bytes().len()).sum();
    assert!(bytes.len() * 4 < unpacked, "{} bytes are packed to {}", unpacked, bytes.len());
    let same = |mesh: NavMesh| mesh.to_bytes();
    assert_eq!(read.nav_mesh(&Unmonitored).map(same), cache.nav_mesh(&Unmonitored).map(same));
    let tile = cache.tiles().last().unwrap();
    assert_eq!(LayerTile::from_bytes(&tile.to_bytes()).as_ref(), Ok(tile));
}

/// Returns the layers of a file, each with its column, row and layer.
fn layers_of(file: &[u8]) -> Vec<([i32; 3], &[u8])> {
    const HEADER: usize = 92;
    let number = |at: usize| i32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let (mut layers, mut at) = (Vec::new(), HEADER);
    while at < file.len() {
        let end = at + 8 + usize::try_from(number(at + 4)).unwrap();
        layers.push(([16, 20, 24].map(|offset| number(at + offset)), &file[at..end]));
        at = end;
    }
    layers
}

/// As in a game that loads them: each layer with ground gets the next slot when it is read.
#[test]
fn loaded_layers_get_slots_in_the_order_of_their_file() {
    let file = cache(LevelKind::Tower, LayerCut::Sweep).to_bytes();
    let layers = layers_of(&file);
    assert!(layers.iter().any(|([_, _, layer], _)| *layer > 0), "only ground floors");
    let mut shuffled = file[..92].to_vec();
    for (_, layer) in layers.iter().rev() {
        shuffled.extend_from_slice(layer);
    }
    for file in [file, shuffled] {
        let read = TileCache::from_bytes(&file).unwrap();
        let mesh = read.loaded_nav_mesh(&Unmonitored).unwrap();
        let place = |tile: &Tile| [tile.header.x, tile.header.z, tile.header.layer];
        let mut places: Vec<_> = layers_of(&file).into_iter().map(|(place, _)| place).collect();
        places.retain(|wanted| mesh.tiles().any(|tile| place(tile) == *wanted));
        let found: Vec<_> = mesh.slots().map(|(slot, tile)| (slot, place(tile))).collect();
        assert_eq!(found, places.into_iter().enumerate().collect::<Vec<_>>());
        assert!(
            layers_of(&read.to_bytes())
                .iter()
                .map(|(place, _)| place)
                .eq(layers_of(&file).iter().map(|(place, _)| place))
        );
    }
}

/// References have space for all polygons, whatever `RecastDemo` would have reserved.
#[test]
fn references_have_space_for_all_polygons() {
    let mut cache = cache(LevelKind::Sample, LayerCut::Sweep);
    let reserved = *cache.nav_mesh_params();
    let key = cache.tiles().next().unwrap().key();
    let room = |cache: &TileCache| {
        let params = cache.nav_mesh_params();
        [params.max_tiles, params.max_polys]
    };
    cache.reserve([(key, usize::try_from(reserved.max_polys).unwrap())]).unwrap();
    assert_eq!(*cache.nav_mesh_params(), reserved, "that fits");
    let more = usize::try_from(reserved.max_polys).unwrap() + 1;
    cache.reserve([(key, 3), (key, more)]).unwrap();
    assert_eq!(room(&cache), [reserved.max_tiles / 2, reserved.max_polys * 2]);
    assert_eq!(TileCache::from_bytes(&cache.to_bytes()).as_ref(), Ok(&cache));
    let n_layers = cache.tiles().count();
    let error = cache.reserve([(key, 1 << 20)]).unwrap_err();
    assert!(
        matches!(error, TileCacheError::RefBits { n_layers: n, poly_bits: 20, .. } if n == n_layers)
    );
    assert_eq!(room(&cache), [reserved.max_tiles / 2, reserved.max_polys * 2], "as it was");
    let meshed = cache.build(&Unmonitored).unwrap().mesh;
    assert_eq!(meshed.to_bytes(), cache.nav_mesh(&Unmonitored).unwrap().to_bytes());
}

/// Files of other programs may have too little space; an obstacle may divide a tile into too many polygons.
#[test]
fn too_little_space_is_an_error_and_leaves_the_navmesh_unchanged() {
    let mut cache = cache(LevelKind::Sample, LayerCut::Sweep);
    let mut mesh = cache.build(&Unmonitored).unwrap().mesh;
    let before = mesh.to_bytes();
    let mut file = cache.to_bytes();
    file[36..40].copy_from_slice(&2_u32.to_le_bytes());
    let tight = TileCache::from_bytes(&file).unwrap();
    let error = tight.nav_mesh(&Unmonitored).unwrap_err();
    assert!(matches!(error, TileCacheError::TooManyPolys { limit: 2, .. }), "{error}");
    let mut tight_mesh = NavMesh::new(*tight.nav_mesh_params()).unwrap();
    let keys: Vec<_> = tight.tiles().map(LayerTile::key).collect();
    let error = tight.update(&mut tight_mesh, &keys, &Unmonitored).unwrap_err();
    assert!(matches!(error, TileCacheError::TooManyPolys { limit: 2, .. }), "{error}");
    assert_eq!(tight_mesh.tiles().count(), 0);

    file = cache.to_bytes();
    file[32..36].copy_from_slice(&2_u32.to_le_bytes());
    let n_layers = cache.tiles().count();
    let error = TileCache::from_bytes(&file).unwrap().loaded_nav_mesh(&Unmonitored).unwrap_err();
    assert_eq!(error, TileCacheError::TooManyLayers { n_layers, max_tiles: 2 });
    cache.update(&mut mesh, &keys, &Unmonitored).unwrap();
    assert!(before.len() == mesh.to_bytes().len());
}

/// Links and areas of a layer survive compression.
#[test]
fn layers_survive_compression() {
    let cache = cache(LevelKind::Caves, LayerCut::Sweep);
    for tile in cache.tiles() {
        let layer = cache.layer(tile.key()).unwrap();
        assert_eq!(LayerTile::pack(tile.key(), &layer).as_ref(), Some(tile));
        let links = layer.links.iter().filter(|links| links.is_linked(Dir::East)).count();
        assert!(links <= layer.n_ground_cells());
    }
}

#[test]
fn a_set_cut_short_is_refused() {
    let bytes = small_set();
    for len in (0..bytes.len()).step_by(7).chain(bytes.len() - 9..bytes.len()) {
        assert!(TileCache::from_bytes(&bytes[..len]).is_err(), "cut at {len}");
    }
    let longer = [&bytes[..], &[0]].concat();
    let error = TileCache::from_bytes(&longer).unwrap_err().to_string();
    assert_eq!(error, "1 bytes follow the end of the last layer tile");
}

/// Writes four bytes into a set and expects an error that contains `expected`.
#[track_caller]
fn check_error(set: &[u8], at: usize, value: [u8; 4], expected: &str) {
    let mut changed = set.to_vec();
    changed[at..at + 4].copy_from_slice(&value);
    let error = TileCache::from_bytes(&changed).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn errors_say_where() {
    let set = small_set();
    let nan = f32::NAN.to_le_bytes();
    let huge = i32::MAX.to_le_bytes();
    check_error(&set, 0, *b"TESM", "layer tile set at byte 0 starts with the bytes \"TESM\"");
    check_error(&set, 4, [2, 0, 0, 0], "layer tile set at byte 4 has version 2");
    check_error(&set, 8, [255; 4], "number of layer tiles at byte 8 is -1");
    check_error(&set, 12, nan, "the origin of the mesh is not valid");
    check_error(&set, 40, nan, "origin at byte 40 is not a finite number");
    check_error(&set, 52, [0; 4], "cell size at byte 52 is 0");
    check_error(&set, 60, [0, 1, 0, 0], "number of columns at byte 60 is 256");
    check_error(&set, 84, huge, "most layer tiles at byte 84 is 2147483647");
    check_error(&set, 84, [1, 0, 0, 0], "the mesh is full: it has 1 tiles");
    check_error(&set, 92, [0; 4], "tile 0 at byte 92: the tile reference at byte 92 is 0x0");
    check_error(&set, 96, huge, "layer tile at byte 100 needs 2147483647 bytes");
    let tile = 100;
    check_error(&set, tile, *b"ABCD", "layer tile at byte 0 starts with the bytes \"ABCD\"");
    check_error(&set, tile + 8, [255; 4], "tile column at byte 8 is -1");
    check_error(&set, tile + 20, nan, "box at byte 20 is not a finite number");
    check_error(&set, tile + 48, [0, 32, 0, 0], "number of columns at byte 48 is 0");
    check_error(&set, tile + 48, [32, 32, 32, 0], "first used column at byte 50 is 32");
    check_error(&set, tile + 48, [32, 33, 0, 0], "cannot be unpacked: it holds less");
    let mut unused = set.clone();
    unused[tile + 50..tile + 54].fill(0);
    check_error(&unused, tile + 48, [32, 31, 0, 0], "cannot be unpacked: it holds more");
    check_error(&set, tile + 56, [255; 4], "cells at byte 56 cannot be unpacked");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever bytes change, the result is an error, or layers that are meshed or rejected and are written as the same
    /// bytes.
    #[test]
    fn changed_bytes_do_no_harm(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        shape in obstacle(),
    ) {
        thread_local! { static SET: Vec<u8> = small_set(); }
        let mut set = SET.with(Clone::clone);
        for (place, value) in changes {
            let place = place.index(set.len());
            set[place] = value;
        }
        let Ok(mut cache) = TileCache::from_bytes(&set) else { return Ok(()) };
        let bytes = cache.to_bytes();
        prop_assert_eq!(TileCache::from_bytes(&bytes).map(|cache| cache.to_bytes()), Ok(bytes));
        let bounds = Aabb::new(Vec3::ZERO, Vec3::splat(30.0));
        let _ = cache.add_obstacle(placed(shape, &bounds));
        let _ = cache.nav_mesh(&Unmonitored);
    }
}
