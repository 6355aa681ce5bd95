//! Loads navmeshes in an app without a window, and walks on them. `.ci/bevy` bakes and exports the files, and names their
//! folder in `WALKABLE_FILES`.

use std::{
    env,
    time::{Duration, Instant},
};

use bevy::{mesh::MeshPlugin, prelude::*, time::TimeUpdateStrategy};
use bevy_rerecast_core::{Navmesh, RerecastPlugin, rerecast::PolygonNavmesh};
use walkable_bevy::{NavMesh, WalkablePlugin, Walker, WalkerPath};
use walkable_runtime::{navmesh::PolyKind, query::PathStatus};

const LEVELS: [&str; 3] = ["sample", "tiled", "town"];
const SPEED: f32 = 3.5;
const STEP: Duration = Duration::from_millis(50);

fn app() -> App {
    let folder = env::var("WALKABLE_FILES").expect("run `bash .ci/bevy`");
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin { file_path: folder, ..default() },
        MeshPlugin,
        WalkablePlugin,
        RerecastPlugin::default(),
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(STEP));
    app
}

/// Updates `app` until the assets are loaded.
fn load<A: Asset, const N: usize>(app: &mut App, files: [String; N]) -> [Handle<A>; N] {
    let server = app.world().resource::<AssetServer>().clone();
    let handles = files.map(|file| server.load(file));
    let start = Instant::now();
    while !handles.iter().all(|handle| app.world().resource::<Assets<A>>().contains(handle)) {
        assert!(start.elapsed() < Duration::from_secs(60), "the files are not loaded");
        app.update();
    }
    handles
}

#[test]
fn an_agent_walks_to_its_goal() {
    let mut app = app();
    let [nav_mesh] = load(&mut app, ["sample.bin".into()]);
    let (start, goal) = (Vec3::new(2.0, 0.0, 20.0), Vec3::new(20.0, 0.0, 20.0));
    let walker = Walker { nav_mesh, goal, speed: SPEED };
    let entity = app.world_mut().spawn((walker, Transform::from_translation(start))).id();
    let (mut walked, mut at, mut n) = (0.0, start, 0);
    loop {
        app.update();
        let now = app.world().get::<Transform>(entity).unwrap().translation;
        assert!(now.distance(at) < SPEED * STEP.as_secs_f32() + 1e-3, "{at} to {now}");
        (walked, at, n) = (walked + now.distance(at), now, n + 1);
        let path = app.world().get::<WalkerPath>(entity).unwrap();
        assert_eq!(path.status, PathStatus::Complete);
        if path.ahead.is_empty() {
            break;
        }
        assert!(n < 1000, "the agent does not arrive: {path:?}");
    }
    // The height of the goal differs from that of the ground there.
    assert!(at.xz().distance(goal.xz()) < 0.01, "{at}");
    let at_full_speed = SPEED * STEP.as_secs_f32() * n as f32;
    assert!(walked > start.distance(goal), "{walked} m");
    // Corners that are passed within an update are cut.
    assert!((0.98..1.001).contains(&(walked / at_full_speed)), "{walked} m in {n} updates");

    // Another goal gives another path; no path leads out of the level.
    app.world_mut().get_mut::<Walker>(entity).unwrap().goal = Vec3::new(500.0, 0.0, 500.0);
    app.update();
    let path = app.world().get::<WalkerPath>(entity).unwrap();
    assert_eq!((path.status, path.ahead.len()), (PathStatus::Unreachable, 0));
}

#[test]
fn the_mesh_to_draw_has_the_detail_surface() {
    let mut app = app();
    let [nav_mesh] = load(&mut app, ["tiled.bin".into()]);
    let NavMesh(mesh) = app.world().resource::<Assets<NavMesh>>().get(&nav_mesh).unwrap();
    let n_triangles: usize = mesh.tiles().map(|tile| tile.detail_triangles.len()).sum();
    let drawn = NavMesh::to_mesh(app.world().resource::<Assets<NavMesh>>().get(&nav_mesh).unwrap());
    assert_eq!(drawn.count_vertices(), 3 * n_triangles);
    let normals = drawn.attribute(Mesh::ATTRIBUTE_NORMAL).unwrap().as_float3().unwrap();
    assert!(normals.iter().all(|normal| normal[1] > 0.0), "a triangle faces down");
}

#[test]
fn bevy_rerecast_reads_exported_navmeshes() {
    let mut app = app();
    let ours = load::<NavMesh, 3>(&mut app, LEVELS.map(|level| format!("{level}.bin")));
    let theirs = load::<Navmesh, 3>(&mut app, LEVELS.map(|level| format!("{level}.nav")));
    for (level, (ours, theirs)) in LEVELS.into_iter().zip(ours.iter().zip(&theirs)) {
        let NavMesh(ours) = app.world().resource::<Assets<NavMesh>>().get(ours).unwrap();
        let theirs = app.world().resource::<Assets<Navmesh>>().get(theirs).unwrap();
        let polygon = &theirs.polygon;
        let tiles =
            || ours.tiles().flat_map(|tile| tile.polys.iter().map(move |poly| (tile, poly)));
        let ground = tiles().filter(|(_, poly)| poly.kind == PolyKind::Ground);
        let mut n = 0;
        for (tile, poly) in ground {
            let row = n * usize::from(polygon.max_vertices_per_polygon);
            let ring = &polygon.polygons[row..row + usize::from(polygon.max_vertices_per_polygon)];
            let ring: Vec<_> = ring
                .iter()
                .take_while(|&&index| index != PolygonNavmesh::NO_INDEX)
                .map(|&index| place(polygon, index))
                .collect();
            for corner in tile.corners(poly) {
                let far = ring.iter().map(|at| at.distance(corner)).fold(f32::MAX, f32::min);
                // Merged vertices of two tiles at a border may have different heights.
                assert!(far < 0.5, "{level}: {corner} is {far} m from polygon {n}");
            }
            assert_eq!(polygon.flags[n], poly.flags);
            assert!(polygon.areas[n].is_walkable());
            n += 1;
        }
        assert_eq!((polygon.polygon_count(), theirs.detail.meshes.len()), (n, n), "{level}");
        let n_triangles: usize = ours.tiles().map(|tile| tile.detail_triangles.len()).sum();
        assert_eq!(theirs.detail.triangles.len(), n_triangles, "{level}");
        assert_eq!(theirs.settings.up.to_array(), [0.0, 1.0, 0.0]);
        assert_eq!(theirs.settings.filter, None);
    }
}

fn place(polygon: &PolygonNavmesh, index: u16) -> Vec3 {
    let cell = Vec3::new(polygon.cell_size, polygon.cell_height, polygon.cell_size);
    let min = polygon.aabb.min;
    Vec3::from(polygon.vertices[usize::from(index)].as_vec3().to_array()) * cell
        + Vec3::new(min.x, min.y, min.z)
}
