//! What must hold for the polygons, detail and tiles of every bake, on random rooms with platforms.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    bake::{
        BakeInput, BakePlan, BakeSettings, Contour, ContourSet, DetailMesh, Edge, Keep,
        MeshPolygon, Partition, PolyMesh, TileBake, bake_tile,
    },
    mesh::TriMesh,
    monitor::Unmonitored,
    navmesh::{PolyKind, Tile},
};

/// A box that stands on the floor: its least and its greatest corner, in metres.
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

fn bake(blocks: &[Block], settings: BakeSettings) -> Vec<TileBake> {
    let plan = BakePlan::new(BakeInput::new(Arc::new(room(blocks)), settings)).unwrap();
    plan.tiles().map(|tile| bake_tile(&plan, tile, Keep::Stages, &Unmonitored).unwrap()).collect()
}

/// Twice the area of an outline, positive where it runs counter-clockwise seen from above.
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
            }
        }
    }
}

/// All polygons together are as large as all outlines together, holes taken off. As they all run the
/// same way round, none overlaps another of its region.
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
        // Triangles may overlap a little, as the reference's do, where samples lie nearly on a circle.
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn polygons_detail_and_tiles_keep_their_invariants(
        blocks in prop::collection::vec(block(), 0..12),
        settings in settings(),
    ) {
        for bake in bake(&blocks, settings.clone()) {
            let stages = bake.stages.unwrap();
            let (set, mesh, detail) = (&stages.contours, &stages.polygons, &stages.detail);
            for polygon in &mesh.polygons {
                let n = polygon.vertices.len();
                assert!((3..=settings.verts_per_poly as usize).contains(&n));
            }
            assert_edges_are_mutual(mesh);
            assert_portals_lie_on_the_sides(mesh, set);
            if bake.warnings.is_empty() {
                mesh.polygons.iter().for_each(|polygon| assert_convex(&corners(mesh, polygon)));
                assert_outlines_are_covered_once(mesh, set);
                assert_detail_covers_polygons(mesh, detail);
            }
            match &bake.tile {
                Some(tile) => assert_tile_holds_the_mesh(tile, mesh),
                None => assert!(mesh.polygons.is_empty() || 6 < settings.verts_per_poly),
            }
        }
    }
}
