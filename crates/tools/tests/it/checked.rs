//! Checks of navmeshes: clean bakes have no warnings, and seeded faults are found.

#![expect(clippy::unwrap_used, reason = "a level that cannot be made should fail its test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    f32::consts::FRAC_PI_2,
    sync::Arc,
};

use proptest::prelude::*;
use walkable::{
    bake::{BakeConfig, BakeInput, BakePlan, BakeSettings, OffMeshLink, bake},
    check::{CheckReport, PartsCheck, check},
    diagnostic::{Code, Diagnostic, Finding, FindingList, Location},
    geom::Aabb,
    glam::Vec3,
    ids::{AreaId, TileCoord},
    level::{BUILTIN_LEVELS, GeneratedLevel, LevelKind, generate},
    mesh::TriMesh,
    monitor::Unmonitored,
    navmesh::{NavMesh, PolyRef, Tile, TilePlace},
    query::{Filter, Reachability},
};
use walkable_runtime::random::Random;

use crate::faults::scene::Scene;

/// Number of clean bakes per run.
const CLEAN: u32 = 24;
/// Number of bakes with seeded faults.
const SEEDED: u64 = 24;

fn checked(mesh: &NavMesh) -> CheckReport {
    check(mesh, None, &Unmonitored).unwrap()
}

fn baked(input: BakeInput) -> NavMesh {
    bake(input, &Unmonitored).unwrap()
}

/// Returns a level from the generator, baked in small tiles.
fn generated(random: &mut Random) -> BakeInput {
    let kind = random.pick(&LevelKind::ALL);
    let least = kind.sizes().start().max(24.0);
    let size = least.max(random.between(least, 50.0)).min(*kind.sizes().end());
    let level = generate(kind, u64::try_from(random.below(1000)).unwrap(), size).unwrap();
    let tile_size = u32::try_from(16 + random.below(60)).unwrap();
    let settings = BakeSettings { tile_size, ..level.config.settings.clone() };
    BakeConfig { settings, ..level.config }.with_mesh(Arc::new(level.mesh))
}

/// Returns a yard with boxes, ramps and roofs, aligned with the grid or rotated, for one of several agents.
fn yard(random: &mut Random) -> BakeInput {
    let cell_size = random.pick(&[0.2, 0.25, 0.3, 0.4]);
    let settings = BakeSettings {
        cell_size,
        cell_height: random.pick(&[0.1, 0.2, 0.25]),
        agent_radius: random.pick(&[0.4, 0.5, 0.6]),
        agent_height: random.pick(&[1.6, 2.0]),
        agent_max_climb: random.pick(&[0.5, 0.9]),
        tile_size: u32::try_from(20 + random.below(50)).unwrap(),
        ..BakeSettings::default()
    };
    let yaw = if random.chance(0.5) { 0.0 } else { random.between(0.0, 6.3) };
    let moved = Vec3::new(random.between(-50.0, 50.0), 0.0, random.between(-50.0, 50.0));
    let mut scene = Scene::new(settings, yaw, moved);
    let half = random.between(8.0, 16.0);
    scene.boxed("ground", [-half, -0.5, -half], [half, 0.0, half]);
    for _ in 0..4 + random.below(12) {
        let grid = random.pick(&[0.0, 0.5, 1.0]);
        let snap = |at: f32| if grid > 0.0 { (at / grid).round() * grid } else { at };
        let [x, z] = [0; 2].map(|_| snap(random.between(-half, half - 1.0)));
        let [w, d] = [0; 2].map(|_| snap(random.between(0.5, 6.0)).max(0.5));
        let height = random.between(0.3, 4.0);
        match random.below(4) {
            0 => scene.ramp("ramp", [x, 0.0, z], [x + w.max(height * 1.6), height, z + d.max(2.0)]),
            1 => scene.boxed("roof", [x, height + 2.5, z], [x + w, height + 3.0, z + d]),
            _ => scene.boxed("box", [x, -0.2, z], [x + w, height, z + d]),
        }
    }
    scene.bake_input()
}

/// Returns a level without a fault.
fn clean(seed: u64) -> BakeInput {
    let random = &mut Random::new(seed);
    if seed.is_multiple_of(2) { generated(random) } else { yard(random) }
}

/// Returns whether a finding is about a polygon whose detail surface leaves the heights of its corners by more than a
/// climb. In a region that leads over itself, as on spiral stairs, the detail mesh takes heights of other stories.
fn is_spike(mesh: &NavMesh, found: &Diagnostic) -> bool {
    let polygon = found.locations().iter().find_map(|location| {
        let Location::Polygon(name) = location else { return None };
        mesh.resolve(PolyRef((*name).try_into().ok()?))
    });
    let Some((tile, index)) = polygon.filter(|_| found.code() == Code::SurfaceOffGround) else {
        return false;
    };
    let patch = tile.detail_patches[index];
    let first = patch.first_vertex as usize;
    let detail = &tile.detail_vertices[first..first + usize::from(patch.n_vertices)];
    let around = Aabb::around(tile.corners(&tile.polys[index]));
    detail.iter().any(|at| !(around.min.y - 1.0..=around.max.y + 1.0).contains(&at.y))
}

/// Checks a bake with and without its level.
#[track_caller]
fn assert_no_warnings(name: &str, input: BakeInput) {
    let plan = BakePlan::new(input.clone()).unwrap();
    let mesh = baked(input);
    for report in [checked(&mesh), check(&mesh, Some(&plan), &Unmonitored).unwrap()] {
        let is_wrong = |found: &&Diagnostic| found.is_warning() && !is_spike(&mesh, found);
        let warnings: Vec<_> = report.all().filter(is_wrong).map(Diagnostic::line).collect();
        assert!(warnings.is_empty(), "{name}: {}", warnings.join("\n"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CLEAN))]

    #[test]
    fn clean_bakes_have_no_warnings(seed: u64) {
        assert_no_warnings(&seed.to_string(), clean(seed));
    }
}

#[test]
fn built_in_levels_have_no_warnings() {
    for level in BUILTIN_LEVELS {
        let GeneratedLevel { mesh, config, .. } = level.read().unwrap();
        let mesh = Arc::new(mesh);
        for tile_size in [config.settings.tile_size, 48] {
            let settings = BakeSettings { tile_size, ..config.settings.clone() };
            let config = BakeConfig { settings, ..config.clone() };
            let name = format!("{} in tiles of {tile_size}", level.name);
            assert_no_warnings(&name, config.with_mesh(Arc::clone(&mesh)));
        }
    }
}

/// A navmesh with a seeded fault.
struct Seeded {
    mesh: NavMesh,
    what: String,
    /// Whether the fault must be found as a warning. Otherwise a note is sufficient.
    is_sure: bool,
}

/// Removes a tile, changes it and adds it again.
fn changed(mesh: &NavMesh, slot: usize, change: impl FnOnce(&mut Tile)) -> NavMesh {
    let mut mesh = mesh.clone();
    let header = mesh.tile(slot).unwrap().header;
    let [x, z, layer] = [header.x, header.z, header.layer].map(|n| u32::try_from(n).unwrap());
    let mut tile = mesh.remove_tile(TileCoord::new(x, z), layer).unwrap();
    change(Arc::make_mut(&mut tile));
    mesh.add_tile(tile).unwrap();
    mesh
}

/// A corner of an edge that is linked to another tile.
struct LinkedCorner {
    slot: usize,
    vertex: u16,
    at: Vec3,
    /// Direction of the border.
    along: Vec3,
    /// Whether the ground of its tile continues on both sides of it, along the border.
    is_inside: bool,
}

fn linked_corners(mesh: &NavMesh) -> Vec<LinkedCorner> {
    let mut corners = Vec::new();
    for (slot, tile) in mesh.slots() {
        let mut n_edges = BTreeMap::<(u16, u16), usize>::new();
        for poly in &tile.polys {
            for edge in 0..usize::from(poly.n_vertices) {
                let next = (edge + 1) % usize::from(poly.n_vertices);
                for vertex in [edge, next].map(|corner| poly.vertices[corner]) {
                    *n_edges.entry((vertex, poly.neighbors[edge])).or_default() += 1;
                }
            }
        }
        for (index, poly) in tile.polys.iter().enumerate() {
            let links = mesh.links(mesh.poly_ref(slot, index).unwrap());
            for link in links.filter(|link| link.side % 2 == 0 && link.edge < poly.n_vertices) {
                let (vertex, border) =
                    (poly.vertices[usize::from(link.edge)], poly.neighbors[usize::from(link.edge)]);
                let along = if link.side % 4 == 0 { Vec3::Z } else { Vec3::X };
                let at = tile.vertices[usize::from(vertex)];
                let is_inside = n_edges[&(vertex, border)] > 1;
                corners.push(LinkedCorner { slot, vertex, at, along, is_inside });
            }
        }
    }
    corners
}

/// Moves a corner on a border by one voxel.
fn corner_moved(mesh: &NavMesh, random: &mut Random) -> Option<Seeded> {
    let corners = linked_corners(mesh);
    let corner = corners.get(random.below(corners.len().max(1)))?;
    let tile = mesh.tile(corner.slot).unwrap();
    let cell = 1.0 / tile.header.bv_quant_factor;
    let way = random.pick(&[Vec3::X, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Z]);
    let is_along = way.dot(corner.along).abs() > 0.5;
    let others = mesh.tiles().flat_map(|tile| &tile.vertices);
    let meets = others.into_iter().any(|at| at.distance(corner.at + way * cell) < 0.1 * cell);
    if is_along && (corner.is_inside || meets) {
        // The border stays closed: ground continues on both sides, or the neighbor also has a corner at this point.
        return None;
    }
    let moved = changed(mesh, corner.slot, |tile| {
        tile.vertices[usize::from(corner.vertex)] += way * cell;
    });
    let what = format!("{} by {}", corner.at, way * cell);
    // Along the border, the ground of the tile only ends at another point, which rounding can also cause.
    Some(Seeded { mesh: moved, what, is_sure: !is_along })
}

/// Moves a tile up or down.
fn tile_shifted(mesh: &NavMesh, random: &mut Random) -> Option<Seeded> {
    let corners = linked_corners(mesh);
    let LinkedCorner { slot, at, .. } = *corners.get(random.below(corners.len().max(1)))?;
    let by = random.pick(&[0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 7.0]) * random.pick(&[1.0, -1.0]);
    let mesh = changed(mesh, slot, |tile| {
        let own = tile.vertices.iter_mut().chain(&mut tile.detail_vertices);
        own.for_each(|at| at.y += by);
        tile.header.bounds.min.y += by;
        tile.header.bounds.max.y += by;
    });
    // If a tile is moved by two floors, its ground meets other floors.
    Some(Seeded { mesh, what: format!("the tile of {at} by {by}"), is_sure: by.abs() < 3.0 })
}

/// Removes a tile.
fn tile_removed(mesh: &NavMesh, random: &mut Random) -> Option<Seeded> {
    let corners = linked_corners(mesh);
    let corner = corners.get(random.below(corners.len().max(1)))?;
    let header = mesh.tile(corner.slot).unwrap().header;
    // Length of the edges that lead to the tile, from each side.
    let mut lengths = BTreeMap::<u8, f32>::new();
    for (slot, tile) in mesh.slots() {
        for (index, poly) in tile.polys.iter().enumerate() {
            for link in mesh.links(mesh.poly_ref(slot, index).unwrap()) {
                if mesh.slot_of(link.to) == Some(corner.slot) && link.side % 2 == 0 {
                    let [a, b] = tile.edge(poly, usize::from(link.edge));
                    *lengths.entry(link.side).or_default() += (b - a).with_y(0.0).length();
                }
            }
        }
    }
    let least = 3.0 / header.bv_quant_factor;
    let leads = [0, 2, 4, 6].map(|side| lengths.get(&side).is_some_and(|length| *length > least));
    let is_between = (leads[0] && leads[2]) || (leads[1] && leads[3]);
    let coord = TileCoord::new(header.x.try_into().unwrap(), header.z.try_into().unwrap());
    let mut without = mesh.clone();
    without.remove_tile(coord, 0).unwrap();
    Some(Seeded { mesh: without, what: format!("tile {coord}"), is_sure: is_between })
}

/// Seeds a kind of fault into clean bakes and checks that each is found.
#[track_caller]
fn assert_found(seeded: fn(&NavMesh, &mut Random) -> Option<Seeded>) {
    let (mut n, mut missed) = (0, Vec::new());
    for seed in 0..SEEDED {
        let mesh = baked(clean(seed));
        let before = checked(&mesh);
        let random = &mut Random::new(seed ^ 0xfa17);
        for _ in 0..3 {
            let Some(fault) = seeded(&mesh, random) else { continue };
            let after = checked(&fault.mesh);
            let is_new = |found: &&Diagnostic| before.all().all(|known| known != *found);
            let new: Vec<_> = after.seams.iter().chain(&after.polygons).filter(is_new).collect();
            n += 1;
            if new.iter().all(|found| fault.is_sure && !found.is_warning()) {
                let lines: Vec<_> = new.iter().map(|found| found.line()).collect();
                missed.push(format!("{seed}, {}: {lines:?}", fault.what));
            }
        }
    }
    assert!(n > 50, "{n}");
    assert!(missed.is_empty(), "{} of {n}\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn corners_moved_by_a_voxel_are_found() {
    assert_found(corner_moved);
}

#[test]
fn tiles_at_another_height_are_found() {
    assert_found(tile_shifted);
}

#[test]
fn missing_tiles_are_found() {
    assert_found(tile_removed);
}

/// Checks a navmesh place by place, each with two rings of tiles around it.
fn checked_in_parts(whole: &NavMesh) -> CheckReport {
    let mut check = PartsCheck::default();
    let places: BTreeSet<[i32; 2]> =
        whole.tiles().map(|tile| [tile.header.x, tile.header.z]).collect();
    for &own in &places {
        let is_near = |tile: &&Arc<Tile>| {
            let at = [tile.header.x, tile.header.z];
            (0..2).all(|axis| at[axis].abs_diff(own[axis]) <= PartsCheck::N_RINGS.unsigned_abs())
        };
        let near = whole.slots().map(|(_, tile)| tile).filter(is_near).cloned().collect();
        let part = whole.other_part(near).unwrap();
        check.add(&part, &|place| place == own, &Unmonitored).unwrap();
    }
    check.finish(&|place| places.contains(&place), whole.width()).report
}

#[test]
fn a_check_in_parts_finds_what_a_check_of_the_whole_finds() {
    let (mut n, mut n_found) = (0, 0);
    for seed in 0..SEEDED {
        let mesh = baked(clean(seed));
        let random = &mut Random::new(seed ^ 0xfa17);
        for seeded in [corner_moved, tile_shifted, tile_removed] {
            let Some(fault) = seeded(&mesh, random) else { continue };
            let tiles = fault.mesh.tiles_by_place();
            let places = tiles.iter().map(|tile| TilePlace::of(tile)).collect();
            let (params, width) = (*fault.mesh.params(), fault.mesh.width());
            let whole = NavMesh::of_part(params, width, places, tiles).unwrap();
            let lines = |report: &CheckReport| -> BTreeSet<String> {
                report.all().map(Diagnostic::line).collect()
            };
            let expected = lines(&checked(&whole));
            assert_eq!(lines(&checked_in_parts(&whole)), expected, "{seed}, {}", fault.what);
            (n, n_found) = (n + 1, n_found + expected.len());
        }
    }
    assert!(n > 30 && n_found > n, "{n_found} findings in {n} navmeshes");
}

/// Returns a bake and its plan, of a plate of 40 m with ramps, in tiles.
fn ramps() -> (BakePlan, NavMesh) {
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let mut scene = Scene::new(settings, 0.0, Vec3::ZERO);
    scene.boxed("ground", [-20.0, -0.5, -20.0], [20.0, 0.0, 20.0]);
    scene.ramp("ramp", [-8.0, 0.0, -4.0], [2.0, 4.0, 4.0]);
    let input = scene.bake_input();
    (BakePlan::new(input.clone()).unwrap(), baked(input))
}

#[test]
fn polygons_away_from_the_level_are_found() {
    let (plan, mesh) = ramps();
    let codes = |mesh: &NavMesh| -> Vec<Code> {
        let report = check(mesh, Some(&plan), &Unmonitored).unwrap();
        report.surface.iter().map(Diagnostic::code).collect()
    };
    assert_eq!(codes(&mesh), []);
    for (by, code) in [
        (3.0, Code::PolygonAboveGround),
        (-3.0, Code::PolygonBelowGround),
        (0.8, Code::DetailOffLevel),
    ] {
        let shifted = changed(&mesh, 0, |tile| {
            let own = tile.vertices.iter_mut().chain(&mut tile.detail_vertices);
            own.for_each(|at| at.y += by);
        });
        let found = codes(&shifted);
        assert!(found.contains(&code), "{by}: {found:?}");
    }
    let aside = changed(&mesh, 0, |tile| {
        let own = tile.vertices.iter_mut().chain(&mut tile.detail_vertices);
        own.for_each(|at| at.x -= 100.0);
    });
    assert!(codes(&aside).contains(&Code::PolygonWithoutGround));
}

#[test]
fn spikes_of_the_detail_mesh_are_found_under_a_roof() {
    let mut scene = Scene::new(BakeSettings::default(), 0.0, Vec3::ZERO);
    scene.boxed("ground", [-20.0, -0.5, -20.0], [20.0, 0.0, 20.0]);
    scene.ramp("ramp", [-8.0, 0.0, -4.0], [2.0, 4.0, 4.0]);
    scene.boxed("roof", [-20.0, 8.0, -20.0], [20.0, 8.5, 20.0]);
    let input = scene.bake_input();
    let (plan, mesh) = (BakePlan::new(input.clone()).unwrap(), baked(input));
    let found = |mesh: &NavMesh| check(mesh, Some(&plan), &Unmonitored).unwrap().surface;
    assert_eq!(found(&mesh), []);
    let spiked = changed(&mesh, 0, |tile| {
        let is_low = |at: &&mut Vec3| at.y < 5.0;
        tile.detail_vertices.iter_mut().filter(is_low).for_each(|at| at.y = 8.5);
    });
    let found = found(&spiked);
    assert_eq!(found[0].code(), Code::SurfaceOffGround, "{found:?}");
    let Some(Location::Point(at)) = found[0].locations().last() else { panic!("{found:?}") };
    assert!(at.y < 5.0, "the place of the ground: {at}");
}

#[test]
fn a_flat_surface_far_below_a_hill_is_found() {
    let settings = BakeSettings { detail_sample_dist: 0.0, ..BakeSettings::default() };
    // A hill of 3 m on a ground, as on a terrain.
    let at = |n: u8| f32::from(n % 61) * 0.5 - 15.0;
    let height = |x: f32, z: f32| 3.0 * (x.hypot(z).min(8.0) / 8.0 * FRAC_PI_2).cos();
    let ground = (0..61).flat_map(|z| (0..61).map(move |x| [at(x), at(z)]));
    let ground = ground.map(|[x, z]| Vec3::new(x, height(x, z), z));
    let cells = (0..60).flat_map(|z| (0..60).map(move |x| z * 61 + x));
    let triangles = cells.flat_map(|a| [[a, a + 61, a + 1], [a + 1, a + 61, a + 62]]);
    let mesh = TriMesh::new(ground.collect(), triangles.collect()).unwrap();
    let input = BakeInput::new(mesh.into(), settings);
    let (plan, mesh) = (BakePlan::new(input.clone()).unwrap(), baked(input));
    let found = check(&mesh, Some(&plan), &Unmonitored).unwrap().surface;
    let Some(Finding::SurfaceOffGround { distance, allowed, .. }) =
        found.first().map(Diagnostic::finding)
    else {
        panic!("{found:?}")
    };
    assert!(distance.0 > 2.5 && allowed.0 < 2.0, "{found:?}");
}

#[test]
fn settings_and_limits_are_part_of_the_check() {
    let (plan, mesh) = ramps();
    let report = check(&mesh, Some(&plan), &Unmonitored).unwrap();
    assert_eq!((report.settings.len(), report.limits.len()), (0, 0), "{report:?}");
    let mut input = plan.input().clone();
    (input.settings.agent_radius, input.settings.world_height) = (0.2, 6000.0);
    let plan = BakePlan::new(input).unwrap();
    let report = check(&mesh, Some(&plan), &Unmonitored).unwrap();
    let codes: Vec<_> =
        report.settings.iter().chain(&report.limits).map(Diagnostic::code).collect();
    assert!(codes.contains(&Code::CellSizeTooCoarse), "{codes:?}");
    assert!(codes.contains(&Code::LimitGridHeight), "{codes:?}");
}

/// Returns a plate of 12 m in one tile, with the geometry that `furnish` adds.
fn plate(furnish: impl FnOnce(&mut Scene)) -> NavMesh {
    let mut scene = Scene::new(BakeSettings::default(), 0.0, Vec3::ZERO);
    scene.boxed("ground", [-6.0, -0.5, -6.0], [6.0, 0.0, 6.0]);
    furnish(&mut scene);
    baked(scene.bake_input())
}

#[track_caller]
fn assert_codes(mesh: &NavMesh, expected: &[&str]) {
    let report = checked(mesh);
    let codes: Vec<_> = report.all().map(|found| found.code().name()).collect();
    assert_eq!(codes, expected, "{report:?}");
}

#[test]
fn islands_are_listed_by_size() {
    assert_codes(&plate(|_| ()), &[]);
    let mesh = plate(|scene| {
        scene.boxed("small", [10.0, -0.5, 0.0], [14.0, 0.0, 4.0]);
        scene.boxed("large", [20.0, -0.5, 0.0], [28.0, 0.0, 8.0]);
    });
    assert_codes(&mesh, &["island-not-connected"; 2]);
    let report = checked(&mesh);
    let at_x = |found: &Diagnostic| match found.locations().last() {
        Some(Location::Point(at)) => at.x,
        other => panic!("{other:?}"),
    };
    assert!(at_x(&report.islands[0]) > 18.0 && at_x(&report.islands[1]) < 18.0, "{report:?}");
}

#[test]
fn polygons_turned_around_are_found() {
    let mesh = plate(|scene| scene.boxed("box", [-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]));
    let mesh = changed(&mesh, 0, |tile| {
        let poly = &mut tile.polys[0];
        let n = usize::from(poly.n_vertices);
        poly.vertices[..n].reverse();
    });
    let report = checked(&mesh);
    assert_eq!(report.polygons[0].code(), Code::PolygonNotConvex, "{report:?}");
}

/// Moves each side of the boxes in the BV tree of a tile to the whole voxel nearest to the polygon, and from there by as
/// many voxels as `by` returns for the number of the polygon.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "floats saturate")]
fn with_rounded_boxes(mesh: &NavMesh, slot: usize, by: impl Fn(i32) -> f32) -> NavMesh {
    changed(mesh, slot, |tile| {
        let (start, per_meter) = (tile.header.bounds.min, tile.header.bv_quant_factor);
        let corners: Vec<_> = tile.polys.iter().map(|poly| tile.corners(poly)).collect();
        for node in tile.bv_nodes.iter_mut().filter(|node| node.index >= 0 && node.max != [0; 3]) {
            let own = corners[usize::try_from(node.index).unwrap()].iter();
            let [min, max] =
                own.fold([Vec3::MAX, Vec3::MIN], |[min, max], &at| [min.min(at), max.max(at)]);
            let by = by(node.index);
            for axis in [0, 2] {
                let voxel = |at: Vec3| ((at - start)[axis] * per_meter).round() + by;
                (node.min[axis], node.max[axis]) = (voxel(min) as u16, voxel(max) as u16);
            }
        }
    })
}

#[test]
fn boxes_of_polygons_may_be_rounded_to_either_side() {
    let (_, mesh) = ramps();
    let n_off = |by: &dyn Fn(i32) -> f32| -> usize {
        let of_slot = |slot| checked(&with_rounded_boxes(&mesh, slot, by)).polygons;
        let found = (0..mesh.stats().n_tiles).flat_map(of_slot);
        found.filter(|found| found.code() == Code::PolygonOffBvBox).count()
    };
    for by in [-1.0, 0.0, 1.0] {
        assert_eq!(n_off(&|_| by), 0, "{by}");
        assert_eq!(n_off(&|poly| if poly == 0 { 3.0 } else { by }), mesh.stats().n_tiles, "{by}");
    }
}

#[test]
fn polygons_over_others_are_found() {
    let mesh = plate(|scene| scene.boxed("box", [-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]));
    let mesh = changed(&mesh, 0, |tile| {
        let first = u16::try_from(tile.vertices.len()).unwrap();
        let corners = tile.corners(&tile.polys[0]);
        tile.vertices.extend(corners.iter().map(|at| *at + Vec3::Y * 0.2));
        let mut copy = tile.polys[0];
        (0..).zip(&mut copy.vertices).for_each(|(n, vertex)| *vertex = first + n);
        copy.neighbors = [0; 6];
        tile.detail_patches[1] = tile.detail_patches[0];
        tile.polys[1] = copy;
        tile.bv_nodes.clear();
    });
    let report = checked(&mesh);
    assert_eq!(report.polygons[0].code(), Code::PolygonsOverlap, "{report:?}");
    let Finding::PolygonsOverlap { difference, .. } = report.polygons[0].finding() else {
        panic!()
    };
    assert!((difference.0 - 0.2).abs() < 0.01, "{difference}");
}

#[test]
fn holes_of_one_voxel_are_found() {
    let settings = BakeSettings { cell_size: 0.25, agent_radius: 0.0, ..BakeSettings::default() };
    let mut scene = Scene::new(settings, 0.0, Vec3::ZERO);
    scene.boxed("ground", [-6.0, -0.5, -6.0], [6.0, 0.0, 6.0]);
    scene.boxed("post", [0.05, 0.0, 0.05], [0.2, 2.5, 0.2]);
    let report = checked(&baked(scene.bake_input()));
    let codes: Vec<_> = report.polygons.iter().map(Diagnostic::code).collect();
    assert!(codes.contains(&Code::HoleTiny), "{report:?}");
}

#[test]
fn dead_links_and_polygons_without_flags_are_found() {
    let mut scene = Scene::new(BakeSettings::default(), 0.0, Vec3::ZERO);
    scene.boxed("ground", [-6.0, -0.5, -6.0], [6.0, 0.0, 6.0]);
    let mut input = scene.bake_input();
    input.off_mesh.push(OffMeshLink {
        start: Vec3::ZERO,
        end: Vec3::new(0.0, 0.0, 60.0),
        radius: 0.5,
        bidirectional: false,
        area: AreaId(5),
        flags: 8,
        user_id: 7,
    });
    let mut mesh = baked(input);
    let poly = mesh.poly_ref(0, 0).unwrap();
    mesh.set_flags(poly, 0);
    assert_codes(&mesh, &["polygons-without-flags", "link-end-no-mesh"]);
}

#[test]
fn findings_of_a_code_are_listed_up_to_a_number() {
    const MAX_LISTED: usize = FindingList::MAX_LISTED;
    let mesh = plate(|scene| {
        for n in 0..u8::try_from(MAX_LISTED).unwrap() + 10 {
            let x = 10.0 * f32::from(n % 12) + 20.0;
            let z = 10.0 * f32::from(n / 12);
            scene.boxed("plate", [x, -0.5, z], [x + 4.0, 0.0, z + 4.0]);
        }
    });
    let report = checked(&mesh);
    assert_eq!(report.islands.len(), MAX_LISTED);
    let n = Reachability::new(&mesh, &Filter::default()).n_islands() - 1 - MAX_LISTED;
    assert!(n > 0);
    let last = &report.islands[MAX_LISTED - 1];
    assert_eq!(last.count(), n + 1);
    assert!(last.text().ends_with(&format!("(and {n} more)")), "{}", last.text());
    assert!(report.islands[..MAX_LISTED - 1].iter().all(|found| found.count() == 1));
}
