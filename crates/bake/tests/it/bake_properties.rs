//! Properties of every bake, on small random levels.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    bake::{
        AreaVolume, BakeError, BakeInput, BakeOutput, BakePlan, BakeSettings, CompactField,
        Heightfield, Intermediates, PARAMS, ParamKind, ParamValue, Partition, RawArea, VolumeShape,
        bake, bake_tile,
    },
    ids::{Dir, RegionId, TileCoord},
    mesh::TriMesh,
    monitor::{Cancelled, Monitor, Unmonitored},
    stage::Stage,
};

/// Returns a vertex in a box of 12 × 6 × 12 m, on a grid fine enough to hit every case of rounding.
fn corner() -> impl Strategy<Value = Vec3> {
    (0..=48u8, 0..=24u8, 0..=48u8)
        .prop_map(|(x, y, z)| Vec3::new(f32::from(x), f32::from(y), f32::from(z)) * 0.25)
}

/// Returns up to 30 triangles, including flat and degenerate ones.
pub(crate) fn soup() -> impl Strategy<Value = TriMesh> {
    let flat = (corner(), corner(), corner())
        .prop_map(|(a, b, c)| [a, Vec3::new(b.x, a.y, b.z), Vec3::new(c.x, a.y, c.z)]);
    let any = [corner(), corner(), corner()];
    prop::collection::vec(prop_oneof![flat, any], 1..30)
        .prop_map(|corners| {
            let n = u32::try_from(corners.len()).unwrap();
            let triangles = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            TriMesh::new(corners.concat(), triangles).unwrap()
        })
        .prop_filter("wider than a voxel", |mesh| {
            let size = mesh.bounds().size();
            1.0 < size.x && 1.0 < size.z
        })
}

/// Returns settings with a climb of at most the agent's height, so that links are mutual.
pub(crate) fn settings() -> impl Strategy<Value = BakeSettings> {
    let partition =
        prop_oneof![Just(Partition::Watershed), Just(Partition::Monotone), Just(Partition::Layers)];
    let numbers = (0..4u8, 0..8u8, 0..10u8, prop_oneof![Just(0), Just(5), Just(16u32)]);
    (partition, numbers, any::<[bool; 3]>()).prop_map(|(partition, numbers, filters)| {
        let (radius, climb, region, tile_size) = numbers;
        BakeSettings {
            cell_size: 0.4,
            cell_height: 0.25,
            agent_height: 2.0,
            agent_radius: f32::from(radius) * 0.3,
            agent_max_climb: f32::from(climb) * 0.25,
            region_min_size: f32::from(region),
            partition,
            filter_low_hanging_obstacles: filters[0],
            filter_ledge_spans: filters[1],
            filter_low_height_spans: filters[2],
            tile_size,
            ..BakeSettings::default()
        }
    })
}

/// Returns extreme values, within the limits of each setting.
fn odd_settings() -> impl Strategy<Value = BakeSettings> {
    let values = PARAMS.iter().map(|param| match param.kind {
        ParamKind::Float { limits, slider, .. } => {
            let odd = [limits[0], slider[0], slider[1], limits[1] * 0.001, limits[1]];
            let key = param.key;
            // Cells of a millimeter would only test that large grids are rejected.
            let odd = odd.map(|value| if key.starts_with("cell") { value.max(0.2) } else { value });
            let usual = param.default_value();
            prop_oneof![
                3 => Just(usual),
                1 => prop::sample::select(odd.to_vec()).prop_map(ParamValue::Float),
            ]
            .boxed()
        }
        ParamKind::Integer { limits, .. } => {
            let odd = [limits[0], limits[0] + 1, limits[0] + 9, limits[1]];
            prop::sample::select(odd.to_vec()).prop_map(ParamValue::Integer).boxed()
        }
        ParamKind::Choice(choices) => (0..choices.len()).prop_map(ParamValue::Choice).boxed(),
        ParamKind::Switch => any::<bool>().prop_map(ParamValue::Switch).boxed(),
        ParamKind::Place { limits } => {
            let odd =
                [None, Some(Vec3::ZERO), Some(Vec3::splat(-3.3)), Some(Vec3::splat(limits[1]))];
            prop::sample::select(odd.to_vec()).prop_map(ParamValue::Place).boxed()
        }
    });
    values.collect::<Vec<_>>().prop_map(|values| {
        let mut settings = BakeSettings::default();
        for (param, value) in PARAMS.iter().zip(values) {
            param.set(&mut settings, value).unwrap();
        }
        settings
    })
}

fn volume() -> impl Strategy<Value = AreaVolume> {
    let outline = prop::collection::vec(corner(), 0..6);
    (0..64u8, outline, -9.0..9.0f32, -9.0..9.0f32).prop_map(|(area, outline, min_y, max_y)| {
        AreaVolume::new(RawArea(area), VolumeShape::Prism { min_y, max_y, outline })
    })
}

fn plan(mesh: TriMesh, settings: BakeSettings) -> BakePlan {
    BakePlan::new(BakeInput::new(Arc::new(mesh), settings)).unwrap()
}

fn stages(plan: &BakePlan, tile: TileCoord) -> Intermediates {
    *bake_tile(plan, tile, BakeOutput::Stages, &Unmonitored).unwrap().stages.unwrap()
}

fn assert_columns_are_sorted(field: &Heightfield) {
    assert_eq!(field.starts.len(), field.frame.n_cells() + 1);
    assert_eq!(field.starts.last().copied(), u32::try_from(field.spans.len()).ok());
    for cell in 0..field.frame.n_cells() {
        let column = field.column(cell);
        assert!(column.iter().all(|span| span.min_vx < span.max_vx), "{column:?}");
        assert!(column.windows(2).all(|pair| pair[0].max_vx < pair[1].min_vx), "{column:?}");
    }
}

fn assert_links_are_mutual(stages: &Intermediates) {
    let field = &stages.compact;
    for z in 0..field.frame.n_z {
        for x in 0..field.frame.n_x {
            for span in field.cell(field.frame.cell_index(x, z)) {
                for dir in Dir::ALL {
                    let Some(next) = field.neighbor((x, z), span, dir) else { continue };
                    let link = field.links((x, z), span)[dir as usize];
                    assert!(link < CompactField::NO_LINK, "{x},{z} {dir:?}: {link}");
                    let back = field.neighbor((next.x, next.z), next.span, dir.opposite());
                    assert_eq!(back.map(|back| back.span), Some(span), "{x},{z} {dir:?}");
                    let rise = field.spans[span].floor_vx.abs_diff(field.spans[next.span].floor_vx);
                    assert!(u32::from(rise) <= field.walkable_climb_vx);
                }
            }
        }
    }
}

fn assert_regions_fit_the_ground(stages: &Intermediates) {
    let Intermediates { regions, eroded_areas, .. } = stages;
    assert_eq!(regions.ids.len(), eroded_areas.len());
    let mut area_of = std::collections::BTreeMap::new();
    for (id, area) in regions.ids.iter().zip(eroded_areas) {
        if *id != RegionId::NONE {
            assert!(area.is_walkable());
        }
        if *id != RegionId::NONE && !id.is_border() {
            assert!(id.0 <= regions.max);
            assert_eq!(area_of.entry(*id).or_insert(*area), area);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_stage_keeps_its_invariants(mesh in soup(), settings in settings()) {
        let plan = plan(mesh, settings);
        for tile in plan.tiles() {
            let stages = stages(&plan, tile);
            assert_columns_are_sorted(&stages.spans);
            assert_columns_are_sorted(&stages.filtered);
            let shape = |field: &Heightfield| -> Vec<_> {
                field.spans.iter().map(|span| (span.min_vx, span.max_vx)).collect()
            };
            prop_assert_eq!(shape(&stages.spans), shape(&stages.filtered));
            prop_assert_eq!(stages.filtered.n_walkable(), stages.compact.spans.len());
            assert_links_are_mutual(&stages);
            assert_regions_fit_the_ground(&stages);
        }
    }

    #[test]
    fn a_larger_radius_never_adds_ground(mesh in soup(), settings in settings()) {
        let with_radius = |radius: f32| {
            let settings = BakeSettings { agent_radius: radius, tile_size: 0, ..settings.clone() };
            stages(&plan(mesh.clone(), settings), TileCoord::new(0, 0)).eroded_areas
        };
        let mut wider = with_radius(0.0);
        for radius in [0.3, 0.7, 1.1, 2.0] {
            let narrower = with_radius(radius);
            let grows = narrower.iter().zip(&wider).any(|(n, w)| n.is_walkable() && !w.is_walkable());
            prop_assert!(!grows, "radius {radius}");
            wider = narrower;
        }
    }

    #[test]
    fn odd_settings_bake_or_say_why_not(
        mesh in soup(),
        settings in odd_settings(),
        volume in volume(),
    ) {
        let input =
            BakeInput { volumes: vec![volume], ..BakeInput::new(Arc::new(mesh), settings) };
        let Ok(plan) = BakePlan::new(input) else { return Ok(()) };
        for tile in plan.tiles().take(2) {
            if let Err(error) = bake_tile(&plan, tile, BakeOutput::Stages, &Unmonitored) {
                prop_assert!(matches!(error, BakeError::Limit { .. }), "{error}");
            }
        }
    }

    #[test]
    fn any_number_of_threads_makes_the_same_mesh(mesh in soup(), settings in settings()) {
        let input = BakeInput::new(Arc::new(mesh), settings);
        let on_threads = |n| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
            let mesh = pool.install(|| bake(input.clone(), &Unmonitored));
            mesh.map(|mesh| mesh.to_bytes())
        };
        let one = on_threads(1);
        prop_assert_eq!(&one, &on_threads(2));
        prop_assert_eq!(&one, &on_threads(8));
    }

    #[test]
    fn the_same_bake_comes_out_again(mesh in soup(), settings in settings()) {
        let plan = plan(mesh, settings);
        for tile in plan.tiles() {
            prop_assert_eq!(stages(&plan, tile), stages(&plan, tile));
        }
    }
}

/// Cancels at the `n`-th check.
struct StopAt {
    n: u32,
    looks: AtomicU32,
}

impl Monitor for StopAt {
    fn is_cancelled(&self) -> bool {
        self.n <= self.looks.fetch_add(1, Ordering::Relaxed)
    }
}

#[test]
fn a_bake_stops_cleanly_wherever_it_is_cancelled() {
    let rows = 40_u8;
    let vertices = (0..rows * 2).map(|i| {
        let (x, z) = (f32::from(i % 2) * 20.0, f32::from(i / 2) * 0.5);
        Vec3::new(x, f32::from(i % 7) * 0.1, z)
    });
    let triangles = (0..u32::from(rows - 1) * 2)
        .map(|i| if i % 2 == 0 { [i, i + 2, i + 1] } else { [i, i + 1, i + 2] });
    let mesh = TriMesh::new(vertices.collect(), triangles.collect()).unwrap();
    let settings = BakeSettings { cell_size: 0.2, ..BakeSettings::default() };
    let plan = plan(mesh, settings);
    let tile = TileCoord::new(0, 0);

    let counting = StopAt { n: u32::MAX, looks: AtomicU32::new(0) };
    bake_tile(&plan, tile, BakeOutput::Tile, &counting).unwrap();
    let n_looks = counting.looks.into_inner();
    assert!(8 < n_looks, "{n_looks} looks are too few to stop in time");
    for n in 0..n_looks {
        let monitor = StopAt { n, looks: AtomicU32::new(0) };
        let outcome = bake_tile(&plan, tile, BakeOutput::Tile, &monitor);
        assert_eq!(outcome.err(), Some(BakeError::Cancelled(Cancelled)), "look {n} of {n_looks}");
        assert_eq!(monitor.looks.into_inner(), n + 1, "it went on after it was told to stop");
    }
}

/// Counts the checks in the stage that builds polygons.
#[derive(Default)]
struct PolygonChecks {
    is_entered: AtomicBool,
    n: AtomicU32,
}

impl Monitor for PolygonChecks {
    fn enter(&self, stage: Stage) {
        self.is_entered.store(stage == Stage::Polygons, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.n.fetch_add(self.is_entered.load(Ordering::Relaxed).into(), Ordering::Relaxed);
        false
    }
}

/// The time to triangulate an outline grows with the square of its corners.
#[test]
fn a_bake_can_be_cancelled_within_one_long_outline() {
    // A floor with many holes: strips in both directions.
    let strips = (0..24_u8).map(|at| f32::from(at) * 3.0).flat_map(|from| {
        let (to, end) = (from + 2.1, 72.0);
        [
            [[from, 0.0], [from, end], [to, end], [to, 0.0]],
            [[0.0, from], [0.0, to], [end, to], [end, from]],
        ]
    });
    let vertices: Vec<_> = strips.flatten().map(|[x, z]| Vec3::new(x, 0.0, z)).collect();
    let triangles =
        (0..48).flat_map(|strip| [[0, 1, 2], [0, 2, 3]].map(|t| t.map(|at| at + 4 * strip)));
    let mesh = TriMesh::new(vertices, triangles.collect()).unwrap();
    let settings =
        BakeSettings { partition: Partition::Layers, agent_radius: 0.3, ..BakeSettings::default() };
    let plan = plan(mesh, settings);
    let checks = PolygonChecks::default();
    let tile = bake_tile(&plan, TileCoord::new(0, 0), BakeOutput::Tile, &checks).unwrap().tile;
    assert!(500 < tile.unwrap().polys.len());
    let n = checks.n.into_inner();
    assert!(500 < n, "{n} checks are too few to stop in time");
}

/// Returns the number of polygons of a strip with this width that ends at a drop, for an agent with this radius, both
/// in voxels.
fn polygons_of_strip(width_vx: u8, radius_vx: u8, partition: Partition) -> usize {
    let (cell_size, length) = (0.5, 30.0);
    let width = f32::from(width_vx) * cell_size;
    let corners = [[0.0, 0.0], [0.0, width], [length, width], [length, 0.0]];
    let corners = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
    let mesh = TriMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let settings = BakeSettings {
        cell_size,
        agent_radius: f32::from(radius_vx) * cell_size,
        region_min_size: 0.0,
        filter_ledge_spans: false,
        partition,
        ..BakeSettings::default()
    };
    match bake(BakeInput::new(Arc::new(mesh), settings), &Unmonitored) {
        Err(BakeError::NothingWalkable(_)) => 0,
        baked => baked.unwrap().stats().n_polys,
    }
}

/// Verifies the statement in docs/limitations.md.
#[test]
fn the_watershed_loses_narrow_ground_only_for_agents_of_a_small_radius() {
    for radius_vx in 0..=3 {
        // Erosion leaves a strip one voxel wide.
        let least = 2 * radius_vx + 1;
        for width_vx in (least - 1).max(1)..=least + 3 {
            let found = |partition| polygons_of_strip(width_vx, radius_vx, partition) > 0;
            let is_left = width_vx >= least;
            assert_eq!(found(Partition::Monotone), is_left, "{width_vx} {radius_vx}");
            let is_lost = radius_vx <= 1 && width_vx < least + 2;
            assert_eq!(found(Partition::Watershed), is_left && !is_lost, "{width_vx} {radius_vx}");
        }
    }
}
