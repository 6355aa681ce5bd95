//! Comparisons of navmeshes: the differences match the differences of the levels.

#![expect(clippy::unwrap_used, reason = "a level that cannot be made should fail its test")]

use std::sync::Arc;

use proptest::prelude::*;
use walkable::{
    bake::{BakeConfig, BakeInput, BakeSettings, OffMeshLink, bake},
    compare::{
        CompareError, CompareSettings, CompareSide, Comparison, GroundChange, IslandChangeKind,
        LinkChangeKind::{Added, Connected, Disconnected, Removed},
        compare,
    },
    glam::Vec3,
    ids::{AreaId, TileCoord},
    level::{BUILTIN_LEVELS, LevelKind, generate},
    monitor::{Cancelled, Monitor, Unmonitored},
    navmesh::{DetailPatch, NavMesh, NavMeshParams, Poly, PolyKind, Tile},
    query::{Filter, Reachability, islands},
};

use crate::faults::scene::Scene;

fn baked(input: BakeInput) -> NavMesh {
    bake(input, &Unmonitored).unwrap()
}

fn compared(before: &NavMesh, after: &NavMesh) -> Comparison {
    compared_with(before, after, &CompareSettings::default())
}

fn compared_with(before: &NavMesh, after: &NavMesh, settings: &CompareSettings) -> Comparison {
    let sides = [before, after].map(CompareSide::of);
    compare(sides, settings, &Unmonitored).unwrap()
}

/// Returns a built-in level with changed settings.
fn builtin(name: &str, change: impl FnOnce(&mut BakeSettings)) -> NavMesh {
    let level = BUILTIN_LEVELS.iter().find(|level| level.name == name).unwrap().read().unwrap();
    let mut settings = level.config.settings.clone();
    change(&mut settings);
    baked(BakeConfig { settings, ..level.config }.with_mesh(Arc::new(level.mesh)))
}

/// Returns settings whose voxels divide the lengths of the levels here.
fn settings() -> BakeSettings {
    BakeSettings {
        cell_size: 0.2,
        cell_height: 0.1,
        agent_radius: 0.4,
        tile_size: 40,
        region_min_size: 2.0,
        keep_grid: true,
        origin: Some(Vec3::new(-20.0, -2.0, -20.0)),
        ..BakeSettings::default()
    }
}

/// Returns a yard of 20 m by 20 m.
fn yard() -> Scene {
    let mut scene = Scene::new(settings(), 0.0, Vec3::ZERO);
    scene.boxed("ground", [-10.0, -0.5, -10.0], [10.0, 0.0, 10.0]);
    scene
}

/// Returns the area of the polygons of ground seen from above, without the detail mesh.
fn polygon_area(mesh: &NavMesh) -> f64 {
    let known = Reachability::new(mesh, &Filter::default());
    islands(mesh, &known).iter().map(|island| island.area).sum()
}

#[test]
fn a_navmesh_equals_itself() {
    for level in BUILTIN_LEVELS {
        for tile_size in [0, 32, 48] {
            let mesh = builtin(level.name, |settings| settings.tile_size = tile_size);
            let same = compared(&mesh, &mesh);
            assert!(same.is_same(), "{}: {same:?}", level.name);
            assert_eq!((same.gained.strips, same.lost.strips), (0.0, 0.0), "{}", level.name);
            let tiles = same.tiles.unwrap();
            assert_eq!(tiles.n_same, same.before.stats.n_tiles);
            let (area, polygons) = (same.before.area, polygon_area(&mesh));
            assert!((area - polygons).abs() < 2e-3 * polygons, "{area} of {polygons} m²");
        }
    }
}

fn mirrored(change: &GroundChange, other: &GroundChange) -> Result<(), TestCaseError> {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-3 + 1e-6 * a;
    prop_assert!(near(change.area, other.area), "{} and {}", change.area, other.area);
    prop_assert!(near(change.strips, other.strips));
    prop_assert_eq!(change.patches.len(), other.patches.len());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_opposite_comparison_is_mirrored(
        kind in prop::sample::select(LevelKind::ALL.to_vec()),
        seed in 0..1000_u64,
        radius in prop::sample::select(vec![0.3_f32, 0.6, 0.9]),
        tile_size in prop::sample::select(vec![24_u32, 40, 64]),
    ) {
        let size = kind.sizes().start().max(24.0).min(*kind.sizes().end());
        let level = generate(kind, seed, size).unwrap();
        let mesh = Arc::new(level.mesh);
        let own = BakeSettings { tile_size: 40, ..level.config.settings.clone() };
        let other = BakeSettings { tile_size, agent_radius: radius, ..own.clone() };
        let bake_with = |settings| {
            baked(BakeConfig { settings, ..level.config.clone() }.with_mesh(Arc::clone(&mesh)))
        };
        let (before, after) = (bake_with(own), bake_with(other));
        let there = compared(&before, &after);
        let back = compared(&after, &before);
        mirrored(&there.gained, &back.lost)?;
        mirrored(&there.lost, &back.gained)?;
        prop_assert_eq!(there.before, back.after);
        let kinds = |comparison: &Comparison, flipped: bool| {
            let mut kinds: Vec<_> = comparison.islands.iter().map(|change| match change.kind {
                IslandChangeKind::Split if flipped => IslandChangeKind::Joined,
                IslandChangeKind::Joined if flipped => IslandChangeKind::Split,
                IslandChangeKind::Lost if flipped => IslandChangeKind::Gained,
                IslandChangeKind::Gained if flipped => IslandChangeKind::Lost,
                kind => kind,
            }).collect();
            kinds.sort_unstable();
            kinds
        };
        prop_assert_eq!(kinds(&there, false), kinds(&back, true));
        // The second navmesh is the first one without the lost ground, plus the gained ground.
        let [lost, gained] = [&there.lost, &there.gained].map(|change| change.area + change.strips);
        let balance = there.before.area - lost + gained - there.after.area;
        prop_assert!(balance.abs() < 0.002 * there.before.area + 0.1, "{balance} m²");
    }

    #[test]
    fn a_removed_box_changes_the_area_that_geometry_says(
        x in -6..3_i32, z in -6..3_i32, width in 4..12_i32, depth in 4..12_i32,
    ) {
        let [x, z, width, depth] = [x, z, width, depth].map(|n| 0.5 * f64::from(n));
        let mut with_box = yard();
        #[expect(clippy::cast_possible_truncation, reason = "half meters are exact")]
        let [min, max] = [[x, -0.2, z], [x + width, 2.0, z + depth]].map(|at| at.map(|n| n as f32));
        with_box.boxed("box", min, max);
        let before = baked(with_box.bake_input());
        let after = baked(yard().bake_input());
        let change = compared(&before, &after);
        let radius = 0.4;
        let grown = (width + 2.0 * radius) * (depth + 2.0 * radius);
        let shrunk = (width - 2.0 * radius) * (depth - 2.0 * radius);
        // Each edge is off by up to one voxel, and contours are simplified by up to 1.3 voxels.
        let error = |width: f64, depth: f64| 2.0 * (width + depth) * 1.5 * 0.2;
        let lost = change.lost.area;
        prop_assert!((change.gained.area - grown).abs() < error(width, depth) + 1.0, "{change:?}");
        prop_assert!((lost - shrunk).abs() < error(width, depth), "{lost} m², not {shrunk} m²");
        prop_assert_eq!(change.gained.patches.len(), 1);
        prop_assert!(change.gained.patches[0].point.y.abs() < 0.5);
        // The top of the box is at a different height, so it counts as a different floor.
        prop_assert!(change.lost.patches.iter().all(|patch| patch.point.y > 1.5));
    }
}

#[test]
fn a_removed_tile_loses_its_area() {
    let before = builtin("sample", |settings| settings.tile_size = 32);
    let mut after = before.clone();
    let tile = after.remove_tile(TileCoord::new(1, 1), 0).unwrap();
    let mut alone = NavMesh::with_width(*before.params(), before.width()).unwrap();
    alone.add_tile(tile).unwrap();
    let area = compared(&alone, &alone).before.area;
    let change = compared(&before, &after);
    let sum = change.lost.area + change.lost.strips;
    assert!(area > 10.0 && (sum - area).abs() < 1e-3, "{sum} of {area} m²");
    assert_eq!((change.gained.area, change.gained.strips), (0.0, 0.0));
    let removed = change.tiles.unwrap().removed;
    assert_eq!(removed.iter().map(|key| (key.x, key.z)).collect::<Vec<_>>(), [(1, 1)]);
}

/// Returns the area of patches and of strips, in percent of the ground of a level.
fn parts(change: &Comparison) -> [f64; 2] {
    let part = |area: f64| 100.0 * area / change.before.area;
    let patches = part(change.gained.area + change.lost.area);
    [patches, part(change.gained.strips + change.lost.strips)]
}

#[test]
fn the_same_level_differs_little_between_grids() {
    // The settings, and the maximum parts in patches and strips over all built-in levels.
    let cases = [("tile_size=64", 64, 0.3, [1.5, 4.0]), ("cell_size=0.2", 48, 0.2, [7.0, 14.0])];
    for (name, tile_size, cell_size, [max_patches, max_strips]) in cases {
        for level in BUILTIN_LEVELS {
            let bake_with = |tile_size, cell_size: f32| {
                builtin(level.name, |settings| {
                    (settings.tile_size, settings.cell_size) = (tile_size, cell_size);
                })
            };
            let change = compared(&bake_with(32, 0.3), &bake_with(tile_size, cell_size));
            let [patches, strips] = parts(&change);
            let measured = format!(
                "{}, {name}: {patches:.2} % in patches, {strips:.2} % in strips, {} islands",
                level.name,
                change.islands.len()
            );
            eprintln!("{measured}");
            assert!(patches < max_patches && strips < max_strips, "{measured}");
        }
    }
}

#[test]
fn ground_that_a_bake_without_tiles_drops_is_lost() {
    let [tiled, solo] =
        [32, 0].map(|tile_size| builtin("spiral", |settings| settings.tile_size = tile_size));
    let change = compared(&tiled, &solo);
    let lost = polygon_area(&tiled) - polygon_area(&solo);
    let found = change.lost.area + change.lost.strips - change.gained.area - change.gained.strips;
    assert!(lost > 200.0 && (found - lost).abs() < 0.01 * lost, "{found} of {lost} m²");
}

/// Returns the yard with a wall across it that ends at `x`.
fn walled(x: f32) -> Scene {
    let mut scene = yard();
    scene.boxed("wall", [-10.0, -0.2, -0.2], [x, 3.0, 0.2]);
    scene
}

#[test]
fn a_closed_gap_splits_an_island() {
    let [open, closed] = [4.0, 10.0].map(|x| baked(walled(x).bake_input()));
    let change = compared(&open, &closed);
    let splits: Vec<_> =
        change.islands.iter().filter(|change| change.kind == IslandChangeKind::Split).collect();
    assert_eq!((splits.len(), splits[0].before.len(), splits[0].after.len()), (1, 1, 2));
    assert!(splits[0].area() > 150.0 && splits[0].area() < 200.0);
    let patch = &change.lost.patches[0];
    assert!(patch.bounds.min.x > 3.0 && patch.bounds.max.x < 10.0, "{patch:?}");
    assert!(patch.point.x > 4.0 && patch.point.z.abs() < 1.0, "{patch:?}");
    let back = compared(&closed, &open);
    assert!(back.islands.iter().any(|change| change.kind == IslandChangeKind::Joined));
}

#[test]
fn links_that_lose_their_ground_are_disconnected() {
    let link = |start: [f32; 3], end: [f32; 3], user_id| OffMeshLink {
        start: Vec3::from_array(start),
        end: Vec3::from_array(end),
        radius: 0.5,
        bidirectional: true,
        area: AreaId(0),
        flags: 1,
        user_id,
    };
    let across = link([7.0, 0.0, -2.0], [7.0, 0.0, 2.0], 7);
    let other = link([-7.0, 0.0, -2.0], [-7.0, 0.0, 2.0], 8);
    let bake_with = |scene: Scene, off_mesh| baked(BakeInput { off_mesh, ..scene.bake_input() });
    let before = bake_with(walled(10.0), vec![across]);
    let mut blocked = walled(10.0);
    blocked.boxed("block", [5.0, -0.2, 1.0], [9.0, 1.5, 4.0]);
    let after = bake_with(blocked, vec![across, other]);
    let kinds = |comparison: &Comparison| -> Vec<_> {
        let changes = comparison.off_mesh_links.iter();
        let mut kinds: Vec<_> = changes.map(|change| (change.user_id, change.kind)).collect();
        kinds.sort_by_key(|(user_id, _)| *user_id);
        kinds
    };
    let there = compared(&before, &after);
    assert_eq!(kinds(&there), [(7, Disconnected), (8, Added)]);
    assert!(!there.off_mesh_links[0].findings.is_empty());
    assert_eq!(kinds(&compared(&after, &before)), [(7, Connected), (8, Removed)]);
}

#[test]
fn other_areas_are_measured() {
    let before = baked(yard().bake_input());
    let mut after = before.clone();
    let (slot, tile) = before.slots().next().unwrap();
    let painted: Vec<_> = (0..tile.polys.len()).collect();
    for &index in &painted {
        let poly = after.poly_ref(slot, index).unwrap();
        assert!(after.set_area(poly, AreaId(5)));
    }
    let change = compared(&before, &after);
    let [area] = change.areas[..] else { panic!("{change:?}") };
    assert_eq!((area.before.0, area.after.0), (AreaId(0), AreaId(5)));
    let ground = tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground);
    let expected: f64 = ground
        .map(|poly| {
            let corners = tile.corners(poly);
            let fan = corners.windows(2).skip(1);
            let doubled = fan.map(|pair| {
                let (b, c) = (pair[0] - corners[0], pair[1] - corners[0]);
                f64::from((b.x * c.z - b.z * c.x).abs())
            });
            doubled.sum::<f64>() / 2.0
        })
        .sum();
    assert!((area.area - expected).abs() < 1e-3, "{} of {expected} m²", area.area);
    assert!(change.gained.patches.is_empty() && change.lost.patches.is_empty());
    // Polygons without flags are not ground.
    for &index in &painted {
        after.set_flags(after.poly_ref(slot, index).unwrap(), 0);
    }
    let change = compared(&before, &after);
    assert!((change.lost.area - expected).abs() < 1e-3 && change.areas.is_empty());
}

#[test]
fn settings_out_of_range_and_cancellation_are_errors() {
    struct Cancels;
    impl Monitor for Cancels {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let mesh = baked(yard().bake_input());
    let sides = [CompareSide::of(&mesh); 2];
    let wrong = |settings| compare(sides, &settings, &Unmonitored).unwrap_err().to_string();
    let default = CompareSettings::default();
    let tolerance = CompareSettings { tolerance: Some(f64::NAN), ..default };
    assert_eq!(wrong(tolerance), "tolerance is NaN, but must be between 0 and 100");
    let height = CompareSettings { height: Some(-1.0), ..default };
    assert_eq!(wrong(height), "height is -1, but must be between 0 and 100");
    let cancelled = compare(sides, &default, &Cancels);
    assert_eq!(cancelled, Err(CompareError::Cancelled(Cancelled)));
}

/// Returns a navmesh of one tile whose polygons all overlap.
fn pile(n: u16, shift: f32) -> NavMesh {
    let baked = baked(yard().bake_input());
    let tile = baked.slots().next().unwrap().1;
    let mut pile = Tile::clone(tile);
    pile.off_mesh.clear();
    (pile.vertices, pile.polys, pile.detail_patches) = (Vec::new(), Vec::new(), Vec::new());
    (pile.detail_vertices, pile.bv_nodes) = (Vec::new(), Vec::new());
    (pile.detail_triangles, pile.header.off_mesh_base) = (Vec::new(), n.into());
    for number in 0..n {
        let first = 3 * number;
        let at = f32::from(number) * 1e-3 + shift;
        let corners = [[at, 0.0], [at, 5.0], [at + 5.0, 0.0]];
        pile.vertices.extend(corners.map(|[x, z]| Vec3::new(x, 0.0, z)));
        let vertices = [first, first + 1, first + 2, 0, 0, 0];
        let (neighbors, n_vertices) = ([0; 6], 3);
        pile.polys.push(Poly { vertices, neighbors, n_vertices, ..tile.polys[0] });
        pile.detail_patches.push(DetailPatch {
            first_vertex: 0,
            first_triangle: number.into(),
            n_vertices: 0,
            n_triangles: 1,
        });
        pile.detail_triangles.push([0, 1, 2, 0b01_0101]);
    }
    let mut mesh = NavMesh::new(NavMeshParams::solo(&pile)).unwrap();
    mesh.add_tile(pile.into()).unwrap();
    mesh
}

#[test]
fn polygons_that_overlap_too_often_are_refused() {
    let few = compared(&pile(20, 0.0), &pile(20, 0.5));
    assert!(few.lost.area + few.lost.strips > 0.1, "{few:?}");
    let [before, after] = [pile(3000, 0.0), pile(3000, 0.5)];
    let sides = [&before, &after].map(CompareSide::of);
    let refused = compare(sides, &CompareSettings::default(), &Unmonitored).unwrap_err();
    assert!(matches!(refused, CompareError::TooManyOverlaps { .. }), "{refused}");
}
