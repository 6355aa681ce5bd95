//! Explanations of levels in which nothing is walkable: the cause, and settings with which they have ground.

#![expect(clippy::unwrap_used, reason = "a level that cannot be made should fail its test")]

use std::sync::Arc;

use walkable::{
    bake::{BakeConfig, BakeInput, BakeOutput, BakePlan, BakeSettings, bake_tile},
    explain::{Cause, FixLimits, NoGroundAnswer, why_no_ground},
    glam::Vec3,
    mesh::TriMesh,
    monitor::Unmonitored,
};

/// Returns a rectangle of `width` x `length` meters that rises by `rise` meters along its length.
fn floor(width: f32, length: f32, rise: f32) -> TriMesh {
    let at = |x: f32, z: f32| Vec3::new(x, rise * z / length, z);
    let corners = [at(0.0, 0.0), at(0.0, length), at(width, length), at(width, 0.0)];
    TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap()
}

fn plan(mesh: &TriMesh, settings: BakeSettings) -> BakePlan {
    let config = BakeConfig { settings, ..BakeConfig::default() };
    BakePlan::new(config.with_mesh(Arc::new(mesh.clone()))).unwrap()
}

fn ask(plan: &BakePlan) -> NoGroundAnswer {
    why_no_ground(plan, FixLimits::default(), &mut |_| {}, &Unmonitored).unwrap()
}

fn has_ground(plan: &BakePlan) -> bool {
    let mut tiles = plan.tiles();
    tiles.any(|tile| bake_tile(plan, tile, BakeOutput::Tile, &Unmonitored).unwrap().tile.is_some())
}

#[test]
fn every_fix_gives_ground() {
    let present = BakeSettings::default();
    let cases = [
        ("narrow floor", floor(1.5, 8.0, 0.0), present.clone(), Cause::NearEdge),
        ("narrow floor in tiles", floor(1.5, 30.0, 0.0), tiled(), Cause::NearEdge),
        ("steep ramp", floor(8.0, 8.0, 10.0), present.clone(), Cause::TooSteep),
        ("small floor", floor(3.0, 3.0, 0.0), small_regions(), Cause::RegionTooSmall),
        ("uneven ramp", floor(8.0, 8.0, 7.5), low_climb(), Cause::Ledge),
    ];
    for (name, mesh, settings, cause) in cases {
        let plan = plan(&mesh, settings);
        assert!(!has_ground(&plan), "{name}");
        let NoGroundAnswer { obstacle, fixes, is_cut_short } = ask(&plan);
        assert_eq!(obstacle.unwrap().cause, cause, "{name}");
        assert!(!fixes.is_empty() && !is_cut_short, "{name}");
        for fix in fixes {
            let settings = fix.applied(&plan.input().settings).unwrap();
            let fixed = plan.renewed(BakeInput { settings, ..plan.input().clone() }).unwrap();
            assert!(has_ground(&fixed), "{name}: {fix}");
            assert!(fix.side_effects.gained_m2 > 0.0, "{name}: {fix}");
        }
    }
}

fn tiled() -> BakeSettings {
    BakeSettings { tile_size: 32, ..BakeSettings::default() }
}

fn small_regions() -> BakeSettings {
    BakeSettings { agent_radius: 0.0, region_min_size: 30.0, ..BakeSettings::default() }
}

fn low_climb() -> BakeSettings {
    BakeSettings { agent_max_climb: 0.2, ..BakeSettings::default() }
}

#[test]
fn fixes_that_keep_the_agent_come_first() {
    let answer = ask(&plan(&floor(1.5, 8.0, 0.0), BakeSettings::default()));
    let keeps = |new: &walkable::explain::NewSetting| !new.key.starts_with("agent_");
    assert!(answer.fixes[0].set.iter().all(keeps), "{:?}", answer.fixes);
}

#[test]
fn a_level_with_ground_has_no_obstacle() {
    assert_eq!(ask(&plan(&floor(8.0, 8.0, 0.0), tiled())), NoGroundAnswer::default());
}
