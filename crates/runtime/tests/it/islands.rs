//! Islands of baked levels.

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    mesh::TriMesh,
    monitor::Unmonitored,
    query::{Filter, Island, IslandRule, prune_islands},
};

/// A floor with three tables of known size; the one of 12 m² has a seed.
#[test]
fn rules_outlive_bakes() {
    let mut vertices = Vec::new();
    for [x, z, y, wide, deep] in [
        [0.0, 0.0, 0.0, 30.0, 20.0_f32],
        [4.0, 4.0, 3.0, 4.0, 3.0],
        [12.0, 4.0, 3.0, 4.0, 3.0],
        [20.0, 4.0, 3.0, 6.0, 6.0],
    ] {
        vertices.extend(
            [[x, z], [x, z + deep], [x + wide, z + deep], [x + wide, z]]
                .map(|[x, z]| Vec3::new(x, y, z)),
        );
    }
    let triangles =
        (0..4).flat_map(|n| [[4 * n, 4 * n + 1, 4 * n + 2], [4 * n, 4 * n + 2, 4 * n + 3]]);
    let level = Arc::new(TriMesh::new(vertices, triangles.collect()).unwrap());
    let rule = IslandRule {
        seeds: vec![Vec3::new(6.0, 3.0, 5.5)],
        min_area: Some(15.0),
        ..IslandRule::default()
    };
    for (cell_size, tile_size) in [(0.1, 0), (0.2, 40), (0.15, 64), (0.25, 16)] {
        let settings = BakeSettings {
            cell_size,
            tile_size,
            agent_radius: 0.0,
            region_min_size: 1.0,
            filter_ledge_spans: false,
            ..BakeSettings::default()
        };
        let mesh = bake(BakeInput::new(Arc::clone(&level), settings), &Unmonitored).unwrap();
        let pruning = prune_islands(&mesh, &Filter::default(), &rule).unwrap();
        let areas = |islands: &[Island]| islands.iter().map(|i| i.area.round()).collect::<Vec<_>>();
        let near = |found: &[Island], expected: &[f64]| {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(i, e)| (i.area - e).abs() < 0.2 * e)
        };
        assert!(near(&pruning.kept, &[600.0, 36.0, 12.0]), "{:?}", areas(&pruning.kept));
        assert!(near(&pruning.dropped, &[12.0]), "{:?}", areas(&pruning.dropped));
        let at = pruning.dropped[0].place.point;
        assert!(12.0 < at.x && at.x < 16.0 && (at.y - 3.0).abs() < 0.5, "{at}");
    }
}
