//! Layer tiles, obstacles and the tiles built from them must equal those of Detour's tile cache.
//!
//! Cases are read from the folder `tilecache` of the reference folder, which is `WALKABLE_REFERENCE` or
//! `../shared/reference`, and from the copies of some of them in `tests/reference`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use glam::Vec3;
use serde_json::Value;
use walkable::{
    bake::{BakeConfig, BakePlan, LayerCut, StreamHash},
    geom::Aabb,
    monitor::Unmonitored,
    navmesh::{NavMesh, Tile},
    tile_cache::{LayerKey, Obstacle, ObstacleId, TileCache},
};

/// A case: the input of the bake, and the obstacles in the order in which they are added.
struct Case {
    plan: BakePlan,
    obstacles: Vec<Obstacle>,
}

/// Returns the folders of all cases by level; the reference folder takes precedence over the copies.
fn cases() -> BTreeMap<String, PathBuf> {
    let mut cases = BTreeMap::new();
    for root in walkable_test_support::reference_roots() {
        let Ok(entries) = std::fs::read_dir(root.join("tilecache")) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            cases.entry(name).or_insert(path);
        }
    }
    cases
}

fn read_case(level: &str, folder: &Path) -> Case {
    let text = std::fs::read_to_string(folder.join("settings.cfg")).unwrap();
    let (obstacles, settings): (Vec<_>, Vec<_>) =
        text.lines().partition(|line| line.starts_with("obstacle "));
    let config = BakeConfig::parse(&settings.join("\n")).unwrap();
    let mesh = folder.join("../../levels").join(format!("{level}.obj"));
    let mesh = Arc::new(walkable_test_support::reference_mesh(&mesh));
    let plan = BakePlan::new(config.with_mesh(mesh)).unwrap();
    Case { plan, obstacles: obstacles.into_iter().map(read_obstacle).collect() }
}

fn read_obstacle(line: &str) -> Obstacle {
    let words: Vec<&str> = line.split_whitespace().collect();
    let n: Vec<f32> = words[2..].iter().map(|word| word.parse().unwrap()).collect();
    let point = |at: usize| Vec3::new(n[at], n[at + 1], n[at + 2]);
    match words[1] {
        "cylinder" => Obstacle::Cylinder { base: point(0), radius: n[3], height: n[4] },
        "box" => Obstacle::Box(Aabb { min: point(0), max: point(3) }),
        "turned" => Obstacle::TurnedBox { center: point(0), half_size: point(3), yaw: n[6] },
        other => unreachable!("obstacle {other}"),
    }
}

/// Returns tiles by place, as bytes. Links are zero in what we write, and a tile that was read has none.
fn tiles(mesh: &NavMesh) -> BTreeMap<(i32, i32, i32), Vec<u8>> {
    let place = |tile: &Tile| (tile.header.z, tile.header.x, tile.header.layer);
    mesh.tiles().map(|tile| (place(tile), tile.to_bytes())).collect()
}

#[track_caller]
fn assert_same(name: &str, mesh: &NavMesh, folder: &Path, file: &str) {
    let expected = NavMesh::from_bytes(&std::fs::read(folder.join(file)).unwrap()).unwrap();
    let (found, wanted) = (tiles(mesh), tiles(&expected));
    let keys = |tiles: &BTreeMap<_, _>| tiles.keys().copied().collect::<Vec<_>>();
    assert_eq!(keys(&found), keys(&wanted), "{name}/{file}: other tiles");
    for (place, bytes) in &wanted {
        assert!(found[place] == *bytes, "{name}/{file}: the tile at {place:?} differs");
    }
    assert_eq!(mesh.params(), expected.params(), "{name}/{file}");
    assert!(mesh.to_bytes() == expected.to_bytes(), "{name}/{file}: slots or salts differ");
}

fn bake(case: &Case) -> TileCache {
    TileCache::bake(&case.plan, LayerCut::Sweep, &Unmonitored).unwrap().cache
}

#[test]
fn layer_tiles_agree_with_the_reference() {
    let cases = cases();
    assert!(!cases.is_empty(), "no reference cases found");
    for (name, folder) in &cases {
        let cache = bake(&read_case(name, folder));
        let text = std::fs::read_to_string(folder.join("layers.jsonl")).unwrap();
        let found = cache.tiles().map(|tile| {
            let bytes = tile.to_unpacked_bytes();
            let mut hash = StreamHash::new();
            hash.bytes(&bytes);
            let LayerKey { x, z, layer } = tile.key();
            serde_json::json!({"x": x, "y": z, "layer": layer, "bytes": bytes.len(),
                "hash": format!("{:016x}", hash.finish())})
        });
        let found: Vec<_> = found.collect();
        let wanted: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(found, wanted, "{name}");
        eprintln!("{name}: {} layers agree", found.len());
    }
}

#[test]
fn tiles_agree_before_with_and_after_obstacles() {
    for (name, folder) in &cases() {
        let case = read_case(name, folder);
        let mut cache = bake(&case);
        let mut mesh = cache.nav_mesh(&Unmonitored).unwrap();
        assert_same(name, &mesh, folder, "initial.bin");
        let mut ids: Vec<ObstacleId> = Vec::new();
        for obstacle in &case.obstacles {
            let (id, touched) = cache.add_obstacle(obstacle.clone()).unwrap();
            cache.update(&mut mesh, &touched, &Unmonitored).unwrap();
            ids.push(id);
        }
        assert_same(name, &mesh, folder, "obstacles.bin");
        for id in ids.into_iter().step_by(2) {
            let touched = cache.remove_obstacle(id).unwrap();
            cache.update(&mut mesh, &touched, &Unmonitored).unwrap();
        }
        assert_same(name, &mesh, folder, "removed.bin");
        eprintln!("{name}: {} tiles agree", mesh.tiles().count());
    }
}

#[test]
fn cases_of_foreign_levels_are_read_where_they_are() {
    if !cases().contains_key("nav_test") {
        eprintln!("NOT COMPARED: no reference folder with tile caches of nav_test");
    }
}
