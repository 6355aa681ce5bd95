//! Navmeshes for several agents: the ground of each is that of a bake for it alone.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, sync::Arc};

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    bake::{
        AgentsError, AreaVolume, BakeError, BakeInput, BakeOutput, BakePlan, BakeSettings,
        BakedAgent, CompactField, LayerCut, RawArea, SurfaceRule, SurfaceSource, SurfaceUse,
        VolumeShape, bake, bake_agent_ground, bake_layers, bake_tile, dirty_tiles,
    },
    geom::Aabb,
    ids::TileCoord,
    mesh::{MeshPart, TriMesh},
    monitor::Unmonitored,
};

use crate::bake_properties::{settings, soup};

/// The first of the flags that agents have here.
const FIRST_FLAG: u16 = 1 << 8;

fn agents() -> impl Strategy<Value = Vec<BakedAgent>> {
    let size = (0..5u8, 2..10u8, 0..5u8, 0..3u8);
    prop::collection::vec(size, 1..6).prop_map(|sizes| {
        let agents = (0..).zip(sizes).map(|(number, (radius, height, climb, slope))| BakedAgent {
            radius: f32::from(radius) * 0.3,
            height: f32::from(height) * 0.25,
            max_climb: f32::from(climb) * 0.25,
            max_slope: 25.0 + f32::from(slope) * 20.0,
            flag: FIRST_FLAG << number,
        });
        agents.collect()
    })
}

/// A place on open ground: cell and floor, relative to the tile without border, and its area.
type Place = ([i64; 2], u16, RawArea);

/// Returns the open places of a tile.
fn places(field: &CompactField, area_of: impl Fn(usize) -> RawArea) -> BTreeSet<Place> {
    let frame = &field.frame;
    let inner = |n: u32| frame.border_vx..n - frame.border_vx;
    let cells = inner(frame.n_z).flat_map(|z| inner(frame.n_x).map(move |x| (x, z)));
    let spans = cells.flat_map(|(x, z)| {
        let at = [x, z].map(|n| i64::from(n) - i64::from(frame.border_vx));
        field.cell(frame.cell_index(x, z)).map(move |span| (at, span))
    });
    let place = |(at, span): ([i64; 2], usize)| (at, field.spans[span].floor_vx, area_of(span));
    spans.map(place).filter(|(_, _, area)| area.is_walkable()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// In one piece, so that the grids of all bakes are the same.
    #[test]
    fn ground_is_that_of_a_bake_for_each_agent_alone(
        mesh in soup(), settings in settings(), agents in agents(), volume in any::<bool>(),
    ) {
        let settings = BakeSettings { tile_size: 0, region_min_size: 0.0, ..settings };
        let shape = VolumeShape::Box(Aabb::new(Vec3::splat(3.0), Vec3::splat(6.0)));
        let volumes = volume.then(|| AreaVolume { erode: true, ..AreaVolume::new(RawArea(0), shape) });
        let one = BakeInput {
            volumes: volumes.into_iter().collect(),
            ..BakeInput::new(Arc::new(mesh), settings.clone())
        };
        let all = BakePlan::new(BakeInput { agents: agents.clone(), ..one.clone() }).unwrap();
        let Some(coord) = all.tiles().next() else { return Ok(()) };
        let climb = agents.iter().map(|agent| agent.max_climb).fold(0.0, f32::max);
        let height = agents.iter().map(|agent| agent.height).fold(f32::MAX, f32::min);
        let may_differ = height < 2.0 * climb + 0.5 || agents.iter().any(|agent| agent.radius <= 0.0);
        let shared = match bake_agent_ground(&all, coord, &Unmonitored) {
            Err(BakeError::AgentsDiffer { .. }) if may_differ => return Ok(()),
            shared => shared.unwrap(),
        };
        for agent in agents {
            let settings = agent.alone(&settings);
            let alone = BakePlan::new(BakeInput { settings, ..one.clone() }).unwrap();
            let stages = bake_tile(&alone, coord, BakeOutput::Stages, &Unmonitored).unwrap().stages.unwrap();
            let expected = places(&stages.compact, |span| stages.eroded_areas[span]);
            let found = places(&shared.field, |span| {
                let is_open = shared.agents[span] & agent.flag != 0;
                if is_open { shared.areas[span] } else { RawArea::NULL }
            });
            prop_assert_eq!(found, expected, "{:?}", agent);
        }
    }

    #[test]
    fn a_navmesh_for_one_agent_has_the_same_polygons(
        mesh in soup(), settings in settings(),
    ) {
        let settings = BakeSettings { region_min_size: 0.0, ..settings };
        let one = BakeInput::new(Arc::new(mesh), settings.clone());
        let agents = vec![BakedAgent::new(&settings, FIRST_FLAG)];
        let several = BakePlan::new(BakeInput { agents, ..one.clone() }).unwrap();
        let one = BakePlan::new(one).unwrap();
        for coord in one.tiles() {
            let [one, several] = [&one, &several].map(|plan| {
                bake_tile(plan, coord, BakeOutput::Tile, &Unmonitored).unwrap().tile
            });
            let without_agents = several.map(|mut tile| {
                tile.polys.iter_mut().for_each(|poly| poly.flags &= !FIRST_FLAG);
                tile
            });
            prop_assert_eq!(without_agents, one);
        }
    }
}

fn floor_of(size: f32) -> Arc<TriMesh> {
    let corners = [[0.0, 0.0], [0.0, size], [size, size], [size, 0.0]];
    let vertices = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
    Arc::new(TriMesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).unwrap())
}

#[test]
fn polygons_have_the_flags_of_the_agents_to_which_they_are_open() {
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let agent = |radius, flag| BakedAgent { radius, ..BakedAgent::new(&settings, flag) };
    let agents = vec![agent(0.3, 0x100), agent(0.9, 0x200), agent(1.5, 0x400)];
    let input = BakeInput { agents, ..BakeInput::new(floor_of(20.0), settings) };
    let mesh = bake(input, &Unmonitored).unwrap();
    let flags: BTreeSet<_> =
        mesh.tiles().flat_map(|tile| tile.polys.iter().map(|poly| poly.flags)).collect();
    assert_eq!(flags, [0x101, 0x301, 0x701].into());
}

#[test]
fn agents_that_cannot_share_a_navmesh_are_refused() {
    let settings = BakeSettings::default();
    let check = |agents: &[(f32, u16)], why: &str| {
        let agents = agents
            .iter()
            .map(|&(radius, flag)| BakedAgent { radius, ..BakedAgent::new(&settings, flag) });
        let agents = agents.collect();
        let input = BakeInput { agents, ..BakeInput::new(floor_of(9.0), settings.clone()) };
        assert_eq!(BakePlan::new(input).unwrap_err().to_string(), why);
    };
    check(&[(0.5, 0x300)], "agent 0: its flag is 0x0300, which is not one bit");
    check(&[(0.5, 0x100), (0.6, 0x100)], "agent 1: its flag 0x0100 is also that of agent 0");
    check(&[(0.5, 0x02)], "agent 0: its flag 0x0002 is also that of area 1");
    check(&[(0.5, 0x100); 17], "17 agents need a flag each, more than the 16 of a polygon");
    let invalid = [(0.5, 0x100), (-1.0, 0x200)]
        .map(|(radius, flag)| BakedAgent { radius, ..BakedAgent::new(&settings, flag) });
    let input =
        BakeInput { agents: invalid.into(), ..BakeInput::new(floor_of(9.0), settings.clone()) };
    let error = BakePlan::new(input).unwrap_err();
    assert!(matches!(error, BakeError::Agents(AgentsError::Size { index: 1, .. })), "{error}");
    let agents = vec![BakedAgent::new(&settings, 0x100)];
    let input = BakeInput { agents, ..BakeInput::new(floor_of(9.0), settings) };
    let plan = BakePlan::new(input).unwrap();
    let coord = plan.tiles().next().unwrap();
    let error = bake_layers(&plan, coord, LayerCut::Sweep, &Unmonitored).unwrap_err();
    assert_eq!(error.to_string(), "heightfield layers are for one agent, not for 1");
}

#[test]
fn small_islands_are_removed_for_each_agent() {
    // 14 × 14 cells for the thin agent, 8 × 8 for the stout one.
    let settings = BakeSettings { region_min_size: 12.0, ..BakeSettings::default() };
    let agent = |radius, flag| BakedAgent { radius, ..BakedAgent::new(&settings, flag) };
    let agents = vec![agent(0.3, 0x100), agent(1.2, 0x200)];
    let input = BakeInput { agents, ..BakeInput::new(floor_of(5.4), settings) };
    let plan = BakePlan::new(input).unwrap();
    let ground = bake_agent_ground(&plan, plan.tiles().next().unwrap(), &Unmonitored).unwrap();
    let n_open = |flag| ground.agents.iter().filter(|agents| **agents & flag != 0).count();
    assert_eq!([n_open(0x100), n_open(0x200)], [196, 0]);
}

/// A floor with a ramp of 60° on it, which is an object of its own.
fn with_ramp() -> BakeInput {
    let floor = floor_of(24.0);
    let ramp = [[8.0, 0.0, 4.0], [8.0, 0.0, 20.0], [12.0, 6.93, 20.0], [12.0, 6.93, 4.0]];
    let vertices = floor.vertices().iter().copied().chain(ramp.map(Vec3::from));
    let triangles = floor.triangles().iter().copied().chain([[4, 5, 6], [4, 6, 7]]);
    let part = |object: &str, triangles| MeshPart {
        object: object.into(),
        material: "".into(),
        triangles,
    };
    let parts = vec![part("floor", 0..2), part("ramp", 2..4)];
    let mesh = TriMesh::with_parts(vertices.collect(), triangles.collect(), parts).unwrap();
    let settings = BakeSettings { tile_size: 24, agent_radius: 0.3, ..BakeSettings::default() };
    let agents = vec![
        BakedAgent::new(&settings, 0x100),
        BakedAgent {
            radius: 1.8,
            max_slope: 70.0,
            max_climb: 1.8,
            ..BakedAgent::new(&settings, 0x200)
        },
    ];
    BakeInput { agents, ..BakeInput::new(Arc::new(mesh), settings) }
}

/// Checks that a change is noticed in the tile around `at`, by its key and as a change of the plan.
#[track_caller]
fn check_noticed(change: impl FnOnce(&mut BakeInput), at: [f32; 2]) {
    let before = with_ramp();
    let mut after = before.clone();
    change(&mut after);
    let [before, after] = [before, after].map(|input| BakePlan::new(input).unwrap());
    let is_here = |tile: &TileCoord| {
        let Aabb { min, max } = before.tile_bounds(*tile);
        (min.x..max.x).contains(&at[0]) && (min.z..max.z).contains(&at[1])
    };
    let tile = before.tiles().find(is_here).unwrap();
    let [old, new] = [&before, &after].map(|plan| plan.tile_key(tile, &Unmonitored).unwrap());
    assert_ne!(old, new);
    assert!(dirty_tiles(&before, &after, &Unmonitored).unwrap().changed.contains(&tile));
}

#[test]
fn changes_that_only_one_of_the_agents_sees_are_noticed() {
    let becomes = SurfaceUse::Area(RawArea(2));
    let rule = SurfaceRule { source: SurfaceSource::Object, name: "ramp".to_owned(), becomes };
    check_noticed(|input| input.surfaces.push(rule), [10.0, 10.0]);
    // 1 m beyond the border of the tile, which is 2.7 m wide.
    let min = Vec3::new(7.2 + 3.7, -1.0, 1.0);
    let shape = VolumeShape::Box(Aabb::new(min, min + Vec3::splat(2.0)));
    let volume = AreaVolume { erode: true, ..AreaVolume::new(RawArea::NULL, shape) };
    check_noticed(|input| input.volumes.push(volume), [5.0, 3.0]);
    check_noticed(|input| input.agents[1].radius = 1.81, [5.0, 3.0]);
    check_noticed(|input| input.agents.truncate(1), [5.0, 3.0]);
}

#[test]
fn volumes_are_counted_for_each_agent() {
    // The limit is that of visits to cells; without agents, this is just below it.
    let shape = VolumeShape::Box(Aabb::new(Vec3::splat(-1.0), Vec3::splat(99.0)));
    let volumes = vec![AreaVolume::new(RawArea(2), shape); 260_000];
    let input = BakeInput { volumes, ..BakeInput::new(floor_of(24.0), BakeSettings::default()) };
    assert!(BakePlan::new(input.clone()).is_ok());
    let agents = [0x100, 0x200].map(|flag| BakedAgent::new(&input.settings, flag)).to_vec();
    let error = BakePlan::new(BakeInput { agents, ..input }).err();
    assert!(matches!(error, Some(BakeError::LevelLimit { .. })), "{error:?}");
}
