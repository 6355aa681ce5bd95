//! Shortest paths over tiles whose border edges overlap only in part, compared with a visibility graph.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "coordinates of cells of small maps"
)]

use std::sync::Arc;

use glam::{Vec3, Vec3Swizzles as _};
use proptest::prelude::*;
use walkable::{
    geom::Aabb,
    ids::AreaId,
    navmesh::{
        DetailPatch, NO_NEIGHBOR, NavMesh, NavMeshParams, PORTAL_BIT, Poly, PolyKind, Tile,
        TileHeader,
    },
    query::{Filter, NavPath, PathRequest, PathStatus, Scratch, find_path, find_shortest_path},
};

use crate::sight::by_sight;

/// Side of a tile, in cells of 1 m. It is not a power of two, so that parts of edges are rounded.
const SIDE: usize = 7;
/// Maximum number of blocks along a side. Like Detour, the mesh links an edge to four polygons and not to a fifth.
const MOST_BLOCKS: usize = 4;
/// Tiles in a row, and rows.
const TILES: usize = 2;

/// A tile divided into blocks by lines from side to side; each tile has its own lines and blocks.
#[derive(Clone, Debug)]
struct Blocks {
    /// Where blocks begin along x and z, and the tile's end as the last.
    cuts: [Vec<usize>; 2],
    /// Whether each block is free, by row, then column.
    is_free: Vec<bool>,
}

impl Blocks {
    fn n(&self, axis: usize) -> usize {
        self.cuts[axis].len() - 1
    }

    /// Returns the block over a cell.
    fn at(&self, x: usize, z: usize) -> usize {
        let place = |axis: usize, cell: usize| {
            self.cuts[axis].iter().rposition(|&cut| cut <= cell).unwrap().min(self.n(axis) - 1)
        };
        place(1, z) * self.n(0) + place(0, x)
    }

    fn tile(&self, x: usize, z: usize) -> Tile {
        let origin = Vec3::new((x * SIDE) as f32, 0.0, (z * SIDE) as f32);
        let free: Vec<usize> = (0..self.is_free.len()).filter(|&at| self.is_free[at]).collect();
        let n_polys = free.len() as u32;
        let end = origin + Vec3::new(SIDE as f32, 1.0, SIDE as f32);
        Tile {
            header: TileHeader {
                x: x as i32,
                z: z as i32,
                layer: 0,
                user_id: 0,
                max_link_count: 40 * n_polys,
                off_mesh_base: n_polys,
                walkable_height: 2.0,
                walkable_radius: 0.0,
                walkable_climb: 0.5,
                bounds: Aabb { min: origin, max: end },
                bv_quant_factor: 10.0,
            },
            vertices: self.cuts[1]
                .iter()
                .flat_map(|&z| self.cuts[0].iter().map(move |&x| (x, z)))
                .map(|(x, z)| origin + Vec3::new(x as f32, 0.0, z as f32))
                .collect(),
            polys: free.iter().map(|&block| self.poly(block, &free)).collect(),
            detail_patches: (0..n_polys)
                .map(|n| DetailPatch {
                    first_vertex: 0,
                    first_triangle: 2 * n,
                    n_vertices: 0,
                    n_triangles: 2,
                })
                .collect(),
            detail_vertices: Vec::new(),
            detail_triangles: [[0, 1, 2, 0b101], [0, 2, 3, 0b1_0100]].repeat(free.len()),
            bv_nodes: Vec::new(),
            off_mesh: Vec::new(),
        }
    }

    fn poly(&self, block: usize, free: &[usize]) -> Poly {
        let (column, row) = (block % self.n(0), block / self.n(0));
        let vertex = |x: usize, z: usize| (z * (self.n(0) + 1) + x) as u16;
        let beyond = |dx: isize, dz: isize| {
            let (x, z) = (column.checked_add_signed(dx), row.checked_add_signed(dz));
            let place = x.filter(|&x| x < self.n(0)).zip(z.filter(|&z| z < self.n(1)));
            match place {
                Some((x, z)) => {
                    let there = free.iter().position(|&other| other == z * self.n(0) + x);
                    there.map_or(NO_NEIGHBOR, |there| there as u16 + 1)
                }
                None => {
                    PORTAL_BIT
                        | [(1, 0), (0, 1), (-1, 0), (0, -1)]
                            .iter()
                            .position(|&side| side == (dx, dz))
                            .map_or(0, |side| 2 * side as u16)
                }
            }
        };
        let corners = [(0, 0), (0, 1), (1, 1), (1, 0)];
        let corners = corners.map(|(x, z)| vertex(column + x, row + z));
        let neighbors = [(-1, 0), (0, 1), (1, 0), (0, -1)].map(|(dx, dz)| beyond(dx, dz));
        let mut poly = Poly {
            vertices: [0; 6],
            neighbors: [0; 6],
            flags: 1,
            n_vertices: 4,
            area: AreaId::GROUND,
            kind: PolyKind::Ground,
        };
        poly.vertices[..4].copy_from_slice(&corners);
        poly.neighbors[..4].copy_from_slice(&neighbors);
        poly
    }
}

/// Returns which cells of all tiles are free, by row.
fn cells(tiles: &[Blocks]) -> Vec<Vec<bool>> {
    let is_free = |x: usize, z: usize| {
        let blocks = &tiles[z / SIDE * TILES + x / SIDE];
        blocks.is_free[blocks.at(x % SIDE, z % SIDE)]
    };
    let n = SIDE * TILES;
    (0..n).map(|z| (0..n).map(|x| is_free(x, z)).collect()).collect()
}

/// Blocks more wherever two blocked cells touch only at a corner, until none do.
fn without_pinches(mut tiles: Vec<Blocks>) -> Vec<Blocks> {
    loop {
        let cells = cells(&tiles);
        let pinch =
            (1..cells.len()).flat_map(|z| (1..cells.len()).map(move |x| (x, z))).find(|&(x, z)| {
                let [a, b, c, d] =
                    [cells[z - 1][x - 1], cells[z - 1][x], cells[z][x - 1], cells[z][x]];
                a == d && b == c && a != b
            });
        let Some((x, z)) = pinch else { return tiles };
        for (x, z) in [(x - 1, z - 1), (x, z - 1), (x - 1, z), (x, z)] {
            let blocks = &mut tiles[z / SIDE * TILES + x / SIDE];
            let at = blocks.at(x % SIDE, z % SIDE);
            blocks.is_free[at] = false;
        }
    }
}

fn mesh(tiles: &[Blocks]) -> NavMesh {
    let params = NavMeshParams {
        origin: Vec3::ZERO,
        tile_width: SIDE as f32,
        tile_height: SIDE as f32,
        max_tiles: 16,
        max_polys: 256,
    };
    let mut mesh = NavMesh::new(params).unwrap();
    for (index, blocks) in tiles.iter().enumerate() {
        mesh.add_tile(Arc::new(blocks.tile(index % TILES, index / TILES))).unwrap();
    }
    mesh
}

fn any_blocks() -> impl Strategy<Value = Blocks> {
    let cuts = || {
        prop::collection::btree_set(1..SIDE, 0..MOST_BLOCKS)
            .prop_map(|inner| [0].into_iter().chain(inner).chain([SIDE]).collect::<Vec<_>>())
    };
    (cuts(), cuts(), prop::collection::vec(prop::bool::weighted(0.75), MOST_BLOCKS * MOST_BLOCKS))
        .prop_map(|(x, z, mut is_free)| {
            is_free.truncate((x.len() - 1) * (z.len() - 1));
            Blocks { cuts: [x, z], is_free }
        })
}

fn length_from_above(path: &NavPath) -> f64 {
    path.points.windows(2).map(|pair| f64::from(pair[0].xz().distance(pair[1].xz()))).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_path_over_partly_shared_borders_is_shorter(
        tiles in prop::collection::vec(any_blocks(), TILES * TILES),
        ends in [(0.0..14.0_f32, 0.0..14.0_f32), (0.0..14.0_f32, 0.0..14.0_f32)],
    ) {
        let tiles = without_pinches(tiles);
        let cells = cells(&tiles);
        let is_free = |(x, z): (f32, f32)| cells[z as usize][x as usize];
        if !ends.into_iter().all(is_free) {
            return Ok(());
        }
        let mesh = mesh(&tiles);
        let [start, end] = ends.map(|(x, z)| Vec3::new(x, 0.0, z));
        let filter = Filter::default();
        let scratch = &mut Scratch::default();
        let half_extents = Vec3::splat(1e-3);
        let request = |start, end| PathRequest {
            half_extents,
            ..PathRequest::new(start, end, &filter)
        };
        let there = find_shortest_path(&mesh, &request(start, end), scratch).unwrap();
        let back = find_shortest_path(&mesh, &request(end, start), scratch).unwrap();
        let points = [start, end].map(|end| end.xz().as_dvec2());
        let expected = by_sight(&cells, points);
        prop_assert_eq!(there.status == PathStatus::Complete, expected.is_some());
        let Some(expected) = expected else { return Ok(()) };
        for path in [&there, &back] {
            let cost = f64::from(path.cost);
            prop_assert!((cost - expected).abs() < 1e-4, "{} instead of {}", cost, expected);
            let drawn = length_from_above(path);
            prop_assert!((drawn - expected).abs() < 1e-3, "drawn {} for {}", drawn, expected);
        }
        let by_polygons = find_path(&mesh, &request(start, end), scratch).unwrap();
        // The rounding of parts of edges in Detour.
        let rounding = 1e-3 + 0.02 * by_polygons.portals.len() as f64;
        let by_polygons = length_from_above(&by_polygons);
        prop_assert!(by_polygons > expected - rounding, "A* {} for {}", by_polygons, expected);
    }
}
