//! Generated levels: baked, and searched for a path from their start to their end.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    bake::{BakeConfig, BakeOutput, BakePlan, BakeSettings, bake_tile},
    level::{GeneratedLevel, LevelKind, generate},
    monitor::Unmonitored,
    navmesh::{NavMesh, NavMeshParams},
    query::{Filter, NavPath, PathRequest, PathStatus, Scratch, WhyNot, find_path},
};

fn baked(level: GeneratedLevel, settings: BakeSettings) -> NavMesh {
    let GeneratedLevel { mesh, config, .. } = level;
    let config = BakeConfig { settings, ..config };
    let plan = BakePlan::new(config.with_mesh(Arc::new(mesh))).unwrap();
    let bake = |coord| bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored).unwrap();
    let tiles: Vec<_> = plan.tiles().filter_map(|coord| bake(coord).tile).collect();
    let solo = plan.params().tile_size_vx == 0;
    let params = if solo { NavMeshParams::solo(&tiles[0]) } else { plan.nav_mesh_params() };
    let mut mesh = NavMesh::new(params).unwrap();
    for tile in tiles {
        mesh.add_tile(Arc::new(tile)).unwrap();
    }
    mesh
}

/// Returns the path between two points, whose ends are searched within `half_extents`.
fn path_near(mesh: &NavMesh, [start, end]: [Vec3; 2], half_extents: Vec3) -> NavPath {
    let filter = Filter::default();
    let request = PathRequest { half_extents, ..PathRequest::new(start, end, &filter) };
    find_path(mesh, &request, &mut Scratch::default()).unwrap()
}

#[test]
fn the_way_from_start_to_end_is_open() {
    for kind in LevelKind::ALL {
        for seed in 1..4 {
            let level = generate(kind, seed, kind.default_size()).unwrap();
            let ends = [level.start, level.end];
            let settings = level.config.settings.clone();
            let mesh = baked(level, settings);
            let found = path_near(&mesh, ends, Vec3::new(0.5, 1.0, 0.5));
            assert_eq!((found.status, found.why), (PathStatus::Complete, None), "{kind} {seed}");
        }
    }
}

/// Returns the sample, baked for an agent of this radius.
fn sample(agent_radius: f32) -> NavMesh {
    let level = generate(LevelKind::Sample, 1, LevelKind::Sample.default_size()).unwrap();
    baked(level, BakeSettings { agent_radius, ..BakeSettings::default() })
}

/// Returns the path from the hall to a place of the sample.
fn from_hall(mesh: &NavMesh, place: Vec3) -> NavPath {
    path_near(mesh, [Vec3::new(5.5, 0.0, 18.5), place], Vec3::new(0.2, 0.5, 0.2))
}

#[test]
fn the_sample_has_what_it_is_there_to_show() {
    let mesh = sample(0.6);
    let check = |what: &str, place: [f32; 3], status, why| {
        let found = from_hall(&mesh, Vec3::from_array(place));
        assert_eq!((found.status, found.why), (status, why), "{what}");
    };
    let can = |what, place| check(what, place, PathStatus::Complete, None);
    can("through the wide door", [6.0, 0.0, 14.0]);
    can("up the stairs", [5.0, 3.0, 5.0]);
    can("over the bridge", [12.0, 3.0, 4.8]);
    can("under the bridge", [12.0, 0.0, 3.0]);
    can("onto the east terrace", [20.0, 3.0, 5.0]);
    can("half up the ramp", [26.0, 1.5, 3.8]);
    can("into the water", [24.0, -1.4, 19.0]);
    can("onto the first ledge", [24.3, 0.5, 11.7]);
    can("onto the second ledge", [26.5, 0.8, 11.7]);
    let cut = Some(WhyNot::Disconnected);
    check("through the narrow door", [12.0, 0.0, 19.0], PathStatus::Partial, cut);
    let off = Some(WhyNot::EndOffMesh);
    check("up the steep ramp", [19.8, 1.5, 8.9], PathStatus::Unreachable, off);
    check("onto the third ledge", [28.7, 1.9, 11.7], PathStatus::Unreachable, off);
    check("under the low ceiling", [2.0, 0.0, 22.0], PathStatus::Unreachable, off);

    let thin = from_hall(&sample(0.3), Vec3::new(12.0, 0.0, 19.0));
    assert_eq!(thin.status, PathStatus::Complete, "a thin agent through the narrow door");
}

#[test]
fn the_sample_has_a_water_and_a_door_area() {
    let mesh = sample(0.6);
    for (place, area) in [
        (Vec3::new(24.0, -1.4, 19.0), 1),
        (Vec3::new(4.2, 0.0, 15.2), 3),
        (Vec3::new(12.0, 0.0, 13.0), 0),
    ] {
        let end = from_hall(&mesh, place).end.unwrap();
        let (tile, poly) = mesh.resolve(end.poly).unwrap();
        assert_eq!(tile.polys[poly].area.0, area, "{place}");
    }
}
