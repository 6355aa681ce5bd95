//! What must hold for the polygons, detail and tiles of every bake, on random rooms with platforms.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, sync::Arc};

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    bake::{
        BakeInput, BakeOutput, BakePlan, BakeSettings, Contour, ContourSet, DetailMesh, Edge,
        Intermediates, MeshPolygon, Partition, PolyMesh, TileBake, bake_tile,
    },
    geom::Aabb,
    ids::{Dir, TileCoord},
    level::{LevelKind, generate},
    mesh::TriMesh,
    monitor::Unmonitored,
    navmesh::{PolyKind, Tile},
};

/// A box that stands on the floor: its minimum and maximum, in meters.
type Block = [Vec3; 2];

fn block() -> impl Strategy<Value = Block> {
    (0..36u8, 0..36u8, 1..12u8, 1..12u8, 1..12u8).prop_map(|(x, z, width, depth, height)| {
        let min = Vec3::new(f32::from(x), 0.0, f32::from(z)) * 0.5;
        [min, min + Vec3::new(f32::from(width) * 2.0, f32::from(height), f32::from(depth)) * 0.5]
    })
}

/// The six sides of a box, counter-clockwise seen from outside, as corner numbers: bit 0 is x, bit 1
/// is y, bit 2 is z.
const SIDES: [[u32; 4]; 6] =
    [[2, 6, 7, 3], [0, 1, 5, 4], [0, 4, 6, 2], [1, 3, 7, 5], [0, 2, 3, 1], [4, 5, 7, 6]];

fn room(blocks: &[Block]) -> TriMesh {
    let floor = [Vec3::new(0.0, -1.0, 0.0), Vec3::new(20.0, 0.0, 20.0)];
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for [min, max] in std::iter::once(&floor).chain(blocks) {
        let first = u32::try_from(vertices.len()).unwrap();
        vertices.extend((0..8u8).map(|corner| {
            let pick = |bit: u8, min, max| if corner >> bit & 1 == 1 { max } else { min };
            Vec3::new(pick(0, min.x, max.x), pick(1, min.y, max.y), pick(2, min.z, max.z))
        }));
        for side in SIDES {
            let [a, b, c, d] = side.map(|corner| first + corner);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    TriMesh::new(vertices, triangles).unwrap()
}

fn settings() -> impl Strategy<Value = BakeSettings> {
    let partition =
        prop_oneof![Just(Partition::Watershed), Just(Partition::Monotone), Just(Partition::Layers)];
    let outline = (prop::sample::select(vec![0.5, 1.0, 1.3, 2.0]), 0..4u8, 3..=12u32);
    let detail = (prop::sample::select(vec![0.0, 1.0, 3.0, 6.0]), 0..3u8);
    let tile_size = prop::sample::select(vec![0, 16, 40]);
    (partition, outline, detail, tile_size).prop_map(|(partition, outline, detail, tile_size)| {
        let (edge_max_error, edge_max_len, verts_per_poly) = outline;
        BakeSettings {
            agent_radius: 0.3,
            region_min_size: 3.0,
            edge_max_error,
            edge_max_len: f32::from(edge_max_len) * 3.0,
            verts_per_poly,
            detail_sample_dist: detail.0,
            detail_sample_max_error: f32::from(detail.1),
            partition,
            tile_size,
            ..BakeSettings::default()
        }
    })
}

/// Returns up to 30 triangles of any size in 12 × 6 × 12 m, half of them level.
fn soup() -> impl Strategy<Value = TriMesh> {
    let corner = || {
        (0..=48u8, 0..=24u8, 0..=48u8)
            .prop_map(|(x, y, z)| Vec3::new(f32::from(x), f32::from(y), f32::from(z)) * 0.25)
    };
    let level = (corner(), corner(), corner())
        .prop_map(|(a, b, c)| [a, Vec3::new(b.x, a.y, b.z), Vec3::new(c.x, a.y, c.z)]);
    let triangle = prop_oneof![level, [corner(), corner(), corner()]];
    let wide = |mesh: &TriMesh| 1.0 < mesh.bounds().size().x && 1.0 < mesh.bounds().size().z;
    prop::collection::vec(triangle, 3..30)
        .prop_map(|triangles| {
            let n = u32::try_from(triangles.len()).unwrap();
            let indices = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            TriMesh::new(triangles.concat(), indices).unwrap()
        })
        .prop_filter("wider than a voxel", wide)
}

fn generated() -> impl Strategy<Value = TriMesh> {
    let kind = prop::sample::select(LevelKind::ALL.to_vec());
    (kind, any::<u64>())
        .prop_map(|(kind, seed)| generate(kind, seed, *kind.sizes().start()).unwrap().mesh)
}

fn bake(mesh: TriMesh, settings: BakeSettings) -> Vec<TileBake> {
    let plan = BakePlan::new(BakeInput::new(Arc::new(mesh), settings)).unwrap();
    plan.tiles()
        .map(|tile| bake_tile(&plan, tile, BakeOutput::Stages, &Unmonitored).unwrap())
        .collect()
}

/// Returns twice the area of an outline, positive if it is counter-clockwise seen from above.
fn doubled_area(corners: &[[i64; 2]]) -> i64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|([x, z], [next_x, next_z])| z * next_x - x * next_z).sum()
}

fn corners(mesh: &PolyMesh, polygon: &MeshPolygon) -> Vec<[i64; 2]> {
    let corner = |&vertex: &u16| {
        let [x, _, z] = mesh.vertices[usize::from(vertex)].map(i64::from);
        [x, z]
    };
    polygon.vertices.iter().map(corner).collect()
}

fn assert_convex(corners: &[[i64; 2]]) {
    for i in 0..corners.len() {
        let turn = [0, 1, 2].map(|k| corners[(i + k) % corners.len()]);
        assert!(doubled_area(&turn) >= 0, "{corners:?} is not convex at {:?}", turn[1]);
    }
}

fn assert_edges_are_mutual(mesh: &PolyMesh) {
    for (index, polygon) in (0u16..).zip(&mesh.polygons) {
        let n = polygon.vertices.len();
        assert_eq!(polygon.edges.len(), n);
        for (i, edge) in polygon.edges.iter().enumerate() {
            let ends = [polygon.vertices[i], polygon.vertices[(i + 1) % n]];
            let Edge::Neighbor(other) = *edge else { continue };
            let other = &mesh.polygons[usize::from(other)];
            let n_other = other.vertices.len();
            let is_back = |j: usize| {
                other.edges[j] == Edge::Neighbor(index)
                    && [other.vertices[(j + 1) % n_other], other.vertices[j]] == ends
            };
            assert!((0..n_other).any(is_back), "polygon {index} edge {i} leads nowhere");
        }
    }
}

/// Portals lie on the tile's sides, and boundary edges do not.
fn assert_portals_lie_on_the_sides(mesh: &PolyMesh, set: &ContourSet) {
    let border = set.frame.border_vx;
    let size = [set.frame.n_x, set.frame.n_z].map(|n| i64::from(n - 2 * border));
    for polygon in &mesh.polygons {
        let corners = corners(mesh, polygon);
        for (i, edge) in polygon.edges.iter().enumerate() {
            let [a, b] = [corners[i], corners[(i + 1) % corners.len()]];
            let on = |axis: usize, at: i64| a[axis] == at && b[axis] == at;
            let sides = [on(0, 0), on(1, size[1]), on(0, size[0]), on(1, 0)];
            match *edge {
                Edge::Portal(side) => assert!(border > 0 && sides[usize::from(side)]),
                Edge::Boundary => assert!(border == 0 || !sides.contains(&true)),
                Edge::Neighbor(_) => {}
                Edge::Itself => unreachable!("a polygon has an edge twice"),
            }
        }
    }
}

/// The area of all polygons equals that of all outlines without their holes. All have the same winding, so no polygon
/// overlaps another of its region.
fn assert_outlines_are_covered_once(mesh: &PolyMesh, set: &ContourSet) {
    let outline = |contour: &Contour| {
        let corners: Vec<_> =
            contour.vertices.iter().map(|v| [i64::from(v.x), i64::from(v.z)]).collect();
        doubled_area(&corners)
    };
    let outlines: i64 = set.contours.iter().map(outline).sum();
    let polygons: i64 = mesh.polygons.iter().map(|p| doubled_area(&corners(mesh, p))).sum();
    assert_eq!(polygons, outlines);
}

fn assert_detail_covers_polygons(mesh: &PolyMesh, detail: &DetailMesh) {
    assert_eq!(detail.patches.len(), mesh.polygons.len());
    for (polygon, patch) in mesh.polygons.iter().zip(&detail.patches) {
        let vertices = &detail.vertices[patch.first_vertex as usize..][..patch.n_vertices as usize];
        let triangles =
            &detail.triangles[patch.first_triangle as usize..][..patch.n_triangles as usize];
        for (&corner, vertex) in polygon.vertices.iter().zip(vertices) {
            let off = mesh.world_vertex(corner) - *vertex;
            assert!(off.x.abs() < 1e-5 && off.z.abs() < 1e-5);
        }
        let area = |corners: &[Vec3]| {
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).map(|(a, b)| a.z * b.x - a.x * b.z).sum::<f32>()
        };
        let covered: f32 = triangles
            .iter()
            .map(|&[a, b, c, _]| area(&[a, b, c].map(|i| vertices[usize::from(i)])).abs())
            .sum();
        let whole = area(&vertices[..polygon.vertices.len()]).abs();
        // Triangles may overlap slightly, like those of the reference, if samples are nearly on a circle.
        let most = if patch.n_vertices as usize == polygon.vertices.len() { 1.001 } else { 1.1 };
        assert!(
            0.999 * whole - 1e-3 <= covered && covered <= most * whole + 1e-3,
            "{covered} {whole}"
        );
    }
}

fn assert_tile_holds_the_mesh(tile: &Tile, mesh: &PolyMesh) {
    tile.validate().unwrap();
    assert_eq!(Tile::from_bytes(&tile.to_bytes()).as_ref(), Ok(tile));
    assert_eq!(tile.polys.len(), mesh.polygons.len());
    assert!(tile.polys.iter().all(|poly| poly.kind == PolyKind::Ground));
    for (poly, polygon) in tile.polys.iter().zip(&mesh.polygons) {
        assert_eq!(poly.vertices(), polygon.vertices.as_slice());
    }
}

/// Returns whether an outline does not cross itself and has no holes. Simplification can make others overlap
/// themselves, and some of their triangles are then clockwise. Recast creates the same triangles: 150 such tiles were
/// equal to the byte.
fn is_simple(contour: &Contour) -> bool {
    let corners: Vec<_> =
        contour.vertices.iter().map(|v| [i64::from(v.x), i64::from(v.z)]).collect();
    let edge = |i: usize| [corners[i], corners[(i + 1) % corners.len()]];
    let sides = |[a, b]: [[i64; 2]; 2], [c, d]: [[i64; 2]; 2]| {
        doubled_area(&[a, b, c]).signum() * doubled_area(&[a, b, d]).signum()
    };
    let cross = |i, j| sides(edge(i), edge(j)) < 0 && sides(edge(j), edge(i)) < 0;
    // A hole is a loop from a corner back to itself.
    let meets = |i: usize, j: usize| corners[i] == corners[j] || cross(i, j);
    !(0..corners.len()).any(|i| (0..i).any(|j| meets(i, j)))
}

/// Checks properties of every tile, whatever the level. Polygons must be convex in tiles whose outlines are `checked`.
fn assert_tiles_are_sound(
    bakes: &[TileBake],
    settings: &BakeSettings,
    checked: fn(&Contour) -> bool,
) {
    for bake in bakes {
        let stages = bake.stages.as_ref().unwrap();
        let (set, mesh, detail) = (&stages.contours, &stages.polygons, &stages.detail);
        for polygon in &mesh.polygons {
            let n = polygon.vertices.len();
            assert!((3..=settings.verts_per_poly as usize).contains(&n));
        }
        assert_edges_are_mutual(mesh);
        assert_portals_lie_on_the_sides(mesh, set);
        if bake.warnings.is_empty() && set.contours.iter().all(checked) {
            for polygon in &mesh.polygons {
                let corners = corners(mesh, polygon);
                assert!(0 <= doubled_area(&corners), "{corners:?} runs clockwise");
                assert_convex(&corners);
            }
            assert_outlines_are_covered_once(mesh, set);
            assert_detail_covers_polygons(mesh, detail);
            if settings.detail_sample_dist < 0.9 {
                assert_detail_adds_nothing(mesh, detail);
            }
        }
        match &bake.tile {
            Some(tile) => assert_tile_holds_the_mesh(tile, mesh),
            None => assert!(mesh.polygons.is_empty() || 6 < settings.verts_per_poly),
        }
    }
}

/// Without samples, each polygon's detail is a triangulation of its own corners.
fn assert_detail_adds_nothing(mesh: &PolyMesh, detail: &DetailMesh) {
    for (polygon, patch) in mesh.polygons.iter().zip(&detail.patches) {
        let n = u32::try_from(polygon.vertices.len()).unwrap();
        assert_eq!((patch.n_vertices, patch.n_triangles), (n, n - 2));
    }
}

/// Returns where an agent can step out of a tile toward `dir`: the position along its side, and the heights of the
/// floors before and beyond it, in cells.
fn ways_out(bake: &TileBake, dir: Dir) -> BTreeSet<(u32, u16, u16)> {
    let stages = bake.stages.as_ref().unwrap();
    let (field, ids) = (&stages.compact, &stages.regions.ids);
    let first = field.frame.border_vx;
    let last = field.frame.n_x - first - 1;
    let mut ways = BTreeSet::new();
    for along in first..=last {
        let (x, z) = match dir {
            Dir::West => (first, along),
            Dir::North => (along, last),
            Dir::East => (last, along),
            Dir::South => (along, first),
        };
        for span in field.cell(field.frame.cell_index(x, z)) {
            let Some(next) = field.neighbor((x, z), span, dir) else { continue };
            if ids[span].is_ground() && ids[next.span].is_border() {
                ways.insert((along, field.spans[span].floor_vx, field.spans[next.span].floor_vx));
            }
        }
    }
    ways
}

/// Returns whether the distance field is flat. As in Recast, the watershed finds no basin in such ground, which is
/// nowhere more than two cells wide.
fn is_all_edge(bake: &TileBake) -> bool {
    bake.stages.as_ref().unwrap().distance.as_ref().is_some_and(|distance| distance.max == 0)
}

/// Both tiles at a side must have the same connections through it. Their outlines follow from these.
fn assert_sides_match(bakes: &[TileBake]) {
    for bake in bakes {
        for dir in [Dir::East, Dir::North] {
            let next = [
                bake.coord.x.checked_add_signed(dir.dx()),
                bake.coord.z.checked_add_signed(dir.dz()),
            ];
            let [Some(x), Some(z)] = next else { continue };
            let next = TileCoord::new(x, z);
            let Some(other) = bakes.iter().find(|other| other.coord == next) else { continue };
            if [bake, other].into_iter().any(is_all_edge) {
                continue;
            }
            let back = ways_out(other, dir.opposite());
            let back = back.into_iter().map(|(along, here, there)| (along, there, here)).collect();
            assert_eq!(ways_out(bake, dir), back, "between {} and {next}", bake.coord);
        }
    }
}

/// Returns the vertical distance from `at` to the nearest of a patch's triangles; `None` if none is above or below it.
fn height_error(triangles: &[[Vec3; 3]], at: Vec3) -> Option<f32> {
    let error = |&[a, b, c]: &[Vec3; 3]| {
        let (ab, ac, ap) = (b - a, c - a, at - a);
        let whole = ab.x * ac.z - ab.z * ac.x;
        let u = (ap.x * ac.z - ap.z * ac.x) / whole;
        let v = (ab.x * ap.z - ab.z * ap.x) / whole;
        let is_over = 0.0 <= u && 0.0 <= v && u + v <= 1.0;
        is_over.then(|| (a.y + u * ab.y + v * ac.y - at.y).abs())
    };
    triangles.iter().filter_map(error).min_by(f32::total_cmp)
}

/// Maximum number of vertices of a patch. A patch with that many may not reach the error limit.
const MAX_PATCH_VERTICES: u32 = 126;

/// How closely the detail must follow the ground, in meters.
#[derive(Clone, Copy)]
struct Sampling {
    distance: f32,
    max_error: f32,
}

/// Checks that the detail is within the error limit wherever the ground is sampled and belongs to the polygon's region;
/// returns the number of these points.
fn assert_detail_follows_ground(stages: &Intermediates, sampling: Sampling) -> usize {
    let Intermediates { polygons, detail, .. } = stages;
    let mut n_places = 0;
    for (polygon, patch) in polygons.polygons.iter().zip(&detail.patches) {
        if MAX_PATCH_VERTICES <= patch.n_vertices {
            continue;
        }
        let own = &detail.vertices[patch.first_vertex as usize..][..patch.n_vertices as usize];
        let own: Vec<_> = own.iter().map(|vertex| *vertex - polygons.origin).collect();
        let triangles: Vec<_> = detail.triangles[patch.first_triangle as usize..]
            [..patch.n_triangles as usize]
            .iter()
            .map(|&[a, b, c, _]| [a, b, c].map(|i| own[usize::from(i)]))
            .collect();
        let blur = steepest(&triangles) * JITTER_VX * std::f32::consts::SQRT_2 * polygons.cell_size;
        for place in sampled_places(&own[..polygon.vertices.len()], sampling.distance) {
            let Some(floor) = floor_under(stages, polygon, place) else { continue };
            let Some(error) = height_error(&triangles, place.with_y(floor)) else { continue };
            assert!(error <= sampling.max_error + blur + 1e-3, "{error} at {place} of {polygon:?}");
            n_places += 1;
        }
    }
    n_places
}

/// Returns the points inside a polygon at which the ground is sampled, relative to the tile's corner. Narrow polygons
/// have none.
fn sampled_places(corners: &[Vec3], distance: f32) -> Vec<Vec3> {
    if width(corners) < 2.001 * distance {
        return Vec::new();
    }
    // As in Recast, the squared distance from the outline is compared with half the distance of the samples.
    let depth = (distance / 2.0).sqrt() + 0.01;
    let outline = Aabb::around(corners.iter().copied());
    let [xs, zs] = [(outline.min.x, outline.max.x), (outline.min.z, outline.max.z)]
        .map(|(min, max)| truncated(min / distance)..truncated((max / distance).ceil()));
    zs.flat_map(|z| xs.clone().map(move |x| Vec3::new(f32::from(x), 0.0, f32::from(z)) * distance))
        .filter(|place| is_deep_inside(corners, *place, depth))
        .collect()
}

/// Returns the height of the floor of the polygon's region at a point of its tile; the detail is one cell above it, as
/// in Recast.
fn floor_under(stages: &Intermediates, polygon: &MeshPolygon, place: Vec3) -> Option<f32> {
    let (field, ids) = (&stages.compact, &stages.regions.ids);
    let frame = &field.frame;
    let cell = |along: f32| u32::from(truncated(along / frame.cell_size + 0.01)) + frame.border_vx;
    let mut spans = field.cell(frame.cell_index(cell(place.x), cell(place.z)));
    let span = spans.find(|&span| ids[span] == polygon.region)?;
    Some((f32::from(field.spans[span].floor_vx) + 1.0) * frame.cell_height)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
fn truncated(value: f32) -> u16 {
    value as u16
}

/// Samples are moved by up to this many cells along each axis, so that they are not collinear.
const JITTER_VX: f32 = 0.1;

/// Returns rise over run of the steepest triangle.
fn steepest(triangles: &[[Vec3; 3]]) -> f32 {
    let rise = |[a, b, c]: &[Vec3; 3]| {
        let normal = (b - a).cross(c - a);
        normal.with_y(0.0).length() / normal.y.abs()
    };
    triangles.iter().map(rise).fold(0.0, f32::max)
}

/// Returns the width of a convex outline across the edge over which it is narrowest, seen from above.
fn width(corners: &[Vec3]) -> f32 {
    let next = corners.iter().cycle().skip(1);
    let across = corners.iter().zip(next).map(|(a, b)| {
        let edge = (*b - *a).with_y(0.0);
        let off = |c: &Vec3| (edge.z * (c.x - a.x) - edge.x * (c.z - a.z)).abs() / edge.length();
        corners.iter().map(off).fold(0.0, f32::max)
    });
    across.fold(f32::INFINITY, f32::min)
}

/// Returns whether `at` is in a convex outline, at least `depth` from its edges.
fn is_deep_inside(corners: &[Vec3], at: Vec3, depth: f32) -> bool {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).all(|(a, b)| {
        let edge = *b - *a;
        let off = edge.z * (at.x - a.x) - edge.x * (at.z - a.z);
        depth <= off / edge.with_y(0.0).length()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn polygons_detail_and_tiles_keep_their_invariants(
        blocks in prop::collection::vec(block(), 0..12),
        settings in settings(),
    ) {
        assert_tiles_are_sound(&bake(room(&blocks), settings.clone()), &settings, |_| true);
    }

    #[test]
    fn tiles_of_triangle_soup_keep_their_invariants(mesh in soup(), settings in settings()) {
        assert_tiles_are_sound(&bake(mesh, settings.clone()), &settings, is_simple);
    }

    #[test]
    fn neighboring_tiles_agree_on_the_ways_between_them(
        blocks in prop::collection::vec(block(), 0..12),
        settings in settings(),
        radius in 0..4u8,
    ) {
        // Powers of two, so that both tiles rasterize the voxels between them equally, without rounding.
        let settings = BakeSettings {
            cell_size: 0.25,
            cell_height: 0.25,
            agent_radius: f32::from(radius) * 0.25,
            tile_size: 20,
            ..settings
        };
        assert_sides_match(&bake(room(&blocks), settings));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tiles_of_generated_levels_keep_their_invariants(mesh in generated(), settings in settings()) {
        assert_tiles_are_sound(&bake(mesh, settings.clone()), &settings, |_| true);
    }

    #[test]
    fn detail_follows_the_ground(
        seed in any::<u64>(),
        sample_dist in 1..6u8,
        max_error in 0..4u8,
        tile_size in prop::sample::select(vec![0, 40]),
    ) {
        let settings = BakeSettings {
            detail_sample_dist: f32::from(sample_dist),
            detail_sample_max_error: f32::from(max_error),
            tile_size,
            ..BakeSettings::default()
        };
        n_places_followed(seed, settings);
    }
}

/// Checks the detail of hills; returns the number of checked points.
fn n_places_followed(seed: u64, settings: BakeSettings) -> usize {
    let sizes = LevelKind::Terrain.sizes();
    let level = generate(LevelKind::Terrain, seed, *sizes.start()).unwrap();
    let sampling = Sampling {
        distance: settings.cell_size * settings.detail_sample_dist,
        max_error: settings.cell_height * settings.detail_sample_max_error,
    };
    let bakes = bake(level.mesh, settings);
    let stages = bakes.iter().map(|bake| bake.stages.as_ref().unwrap());
    stages.map(|stages| assert_detail_follows_ground(stages, sampling)).sum()
}

#[test]
fn detail_is_checked_at_many_places() {
    let settings = BakeSettings { detail_sample_dist: 3.0, ..BakeSettings::default() };
    let n_places: usize = (0..4).map(|seed| n_places_followed(seed, settings.clone())).sum();
    assert!(200 < n_places, "{n_places}");
}

#[test]
fn open_ground_goes_on_over_every_side() {
    let settings = BakeSettings {
        cell_size: 0.25,
        agent_radius: 0.5,
        tile_size: 20,
        ..BakeSettings::default()
    };
    let bakes = bake(room(&[]), settings);
    let middle = bakes.iter().find(|bake| bake.coord == TileCoord::new(1, 2)).unwrap();
    assert!(Dir::ALL.into_iter().all(|dir| ways_out(middle, dir).len() == 20));
    assert_sides_match(&bakes);
}
