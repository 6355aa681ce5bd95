//! Properties of the heightfield layers of every level, for both ways to split them, on small random levels.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, sync::Arc};

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    bake::{
        BakeError, BakeInput, BakeOutput, BakePlan, BakeSettings, HeightLayer, HeightLayerSet,
        Intermediates, LayerCut, bake_layers, bake_tile,
    },
    ids::Dir,
    level::{LevelKind, generate},
    mesh::TriMesh,
    monitor::Unmonitored,
};

const CUTS: [LayerCut; 2] = [LayerCut::Sweep, LayerCut::Watershed];

/// Returns floors and slopes above one another: triangles in a box of 12 × 8 × 12 m, most of them walkable.
fn floors() -> impl Strategy<Value = TriMesh> {
    let corner = (0..=48u8, 0..=32u8, 0..=48u8)
        .prop_map(|(x, y, z)| Vec3::new(f32::from(x), f32::from(y), f32::from(z)) * 0.25);
    let tilt = prop_oneof![Just(0.0), -0.5..0.5f32];
    let floor = (corner.clone(), corner.clone(), corner, tilt).prop_map(|(a, b, c, tilt)| {
        let lifted = |p: Vec3| Vec3::new(p.x, a.y + (p.x - a.x) * tilt, p.z);
        [a, lifted(b), lifted(c)]
    });
    prop::collection::vec(floor, 3..25)
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

fn plan(mesh: TriMesh, settings: BakeSettings) -> BakePlan {
    let mesh = Arc::new(mesh);
    BakePlan::new(BakeInput::new(mesh, settings)).unwrap()
}

/// Returns settings with cells so low that some levels are higher than a layer.
fn settings() -> impl Strategy<Value = BakeSettings> {
    let cell_height = prop_oneof![Just(0.2), Just(0.02f32)];
    let tile_size = prop_oneof![Just(0), Just(12u32)];
    (cell_height, 0..4u8, 0..=8u8, tile_size).prop_map(|(cell_height, radius, climb, tile_size)| {
        BakeSettings {
            cell_size: 0.4,
            cell_height,
            agent_radius: f32::from(radius) * 0.2,
            agent_max_climb: f32::from(climb) * 0.25,
            filter_ledge_spans: false,
            tile_size,
            ..BakeSettings::default()
        }
    })
}

fn assert_layers_hold(stages: &Intermediates, set: &HeightLayerSet, cut: LayerCut) {
    let Intermediates { compact: field, eroded_areas: areas, .. } = stages;
    let border = field.frame.border_vx;
    let inner = |at: u32, n: u32| (border..n - border).contains(&at);
    assert_eq!(set.n_hidden, 0, "{cut:?}");
    let mut n_cells = vec![0; set.layers.len()];
    for z in 0..field.frame.n_z {
        for x in 0..field.frame.n_x {
            let mut seen = BTreeSet::new();
            for span in field.cell(field.frame.cell_index(x, z)) {
                let is_ground = areas[span].is_walkable()
                    && inner(x, field.frame.n_x)
                    && inner(z, field.frame.n_z);
                let number = set.layer_of_span[span];
                assert_eq!(number.is_some(), is_ground, "{cut:?}: {x},{z}");
                let Some(number) = number else { continue };
                assert!(seen.insert(number), "{cut:?}: layer {number} is twice in {x},{z}");
                n_cells[usize::from(number)] += 1;
                let layer = &set.layers[usize::from(number)];
                let cell = layer.cell_index(x - border, z - border);
                assert_eq!(layer.areas[cell], areas[span]);
                let height = u16::from(layer.heights[cell]) + layer.min_y_vx;
                assert!(field.spans[span].floor_vx <= height);
            }
        }
    }
    let counted: Vec<_> = set.layers.iter().map(HeightLayer::n_ground_cells).collect();
    assert_eq!(counted, n_cells);
    set.layers.iter().for_each(assert_layer_is_sound);
}

fn assert_layer_is_sound(layer: &HeightLayer) {
    assert!(layer.max_y_vx - layer.min_y_vx <= HeightLayer::MAX_RANGE_VX);
    for z in 0..layer.n_z {
        for x in 0..layer.n_x {
            let cell = layer.cell_index(x, z);
            let links = layer.links[cell];
            if !layer.areas[cell].is_walkable() {
                assert_eq!((links.0, layer.heights[cell]), (0, HeightLayer::NO_HEIGHT));
                continue;
            }
            let used = layer.used;
            assert!(
                (used.min_x..=used.max_x).contains(&x) && (used.min_z..=used.max_z).contains(&z)
            );
            for dir in Dir::ALL.into_iter().filter(|&dir| links.is_linked(dir)) {
                let (x, z) = (x.wrapping_add_signed(dir.dx()), z.wrapping_add_signed(dir.dz()));
                assert!(x < layer.n_x && z < layer.n_z, "a link leads out of the layer");
                let back = layer.links[layer.cell_index(x, z)];
                assert!(back.is_linked(dir.opposite()), "a link leads one way only");
                assert!(!links.is_portal(dir));
            }
        }
    }
}

fn check(plan: &BakePlan) -> Result<(), TestCaseError> {
    for tile in plan.tiles() {
        let stages =
            bake_tile(plan, tile, BakeOutput::Stages, &Unmonitored).unwrap().stages.unwrap();
        for cut in CUTS {
            match stages.height_layers(tile, cut, &Unmonitored) {
                Ok(set) => {
                    assert_layers_hold(&stages, &set, cut);
                    prop_assert_eq!(bake_layers(plan, tile, cut, &Unmonitored).unwrap().set, set);
                }
                Err(BakeError::Limit { .. }) if cut == LayerCut::Sweep => {}
                Err(error) => prop_assert!(false, "{cut:?}: {error}"),
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn layers_hold_all_ground_once(mesh in floors(), settings in settings()) {
        check(&plan(mesh, settings))?;
    }
}

#[test]
fn layers_of_generated_levels_hold_all_ground_once() {
    for kind in LevelKind::ALL {
        let mesh = generate(kind, 7, *kind.sizes().start()).unwrap().mesh;
        let settings = BakeSettings { tile_size: 64, ..BakeSettings::default() };
        check(&plan(mesh, settings)).unwrap();
    }
}
