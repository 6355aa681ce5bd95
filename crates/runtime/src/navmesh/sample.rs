//! Small navmeshes drawn as text, for tests.

use std::sync::Arc;

use glam::Vec3;

use super::{
    DetailPatch, NO_NEIGHBOR, NavMesh, NavMeshParams, OffMeshConnection, PORTAL_BIT, Poly,
    PolyKind, PolyRef, Tile, TileHeader,
};
use crate::{geom::Aabb, ids::AreaId};

/// Returns a tile of square polygons of 1 m, one per character: rows along z, columns along x. `#` is a hole, a digit
/// the area, `.` area 0. All are at height 0 and have flag 1.
pub(crate) fn tile(x: i16, z: i16, picture: &[&str]) -> Tile {
    let picture = Picture::new(picture);
    let size = picture.size;
    let n_polys = u32::try_from(picture.cells.len()).unwrap();
    let origin = Vec3::new(f32::from(x * size), 0.0, f32::from(z * size));
    let corners = (0..=size).flat_map(|cz| (0..=size).map(move |cx| (cx, cz)));
    let patch =
        |n| DetailPatch { first_vertex: 0, first_triangle: 2 * n, n_vertices: 0, n_triangles: 2 };
    Tile {
        header: TileHeader {
            x: i32::from(x),
            z: i32::from(z),
            layer: 0,
            user_id: 0,
            max_link_count: 16 * n_polys,
            off_mesh_base: n_polys,
            walkable_height: 2.0,
            walkable_radius: 0.0,
            walkable_climb: 0.5,
            bounds: Aabb {
                min: origin,
                max: origin + Vec3::new(f32::from(size), 2.0, f32::from(size)),
            },
            bv_quant_factor: 10.0,
        },
        vertices: corners
            .map(|(cx, cz)| origin + Vec3::new(f32::from(cx), 0.0, f32::from(cz)))
            .collect(),
        polys: picture.cells.iter().map(|&cell| picture.poly(cell)).collect(),
        detail_patches: (0..n_polys).map(patch).collect(),
        detail_vertices: Vec::new(),
        detail_triangles: [[0, 1, 2, 0b101], [0, 2, 3, 0b1_0100]].repeat(picture.cells.len()),
        bv_nodes: Vec::new(),
        off_mesh: Vec::new(),
    }
}

/// Column and row.
type Cell = (i16, i16);

struct Picture<'a> {
    rows: &'a [&'a str],
    size: i16,
    /// The cells that are not holes.
    cells: Vec<Cell>,
}

impl<'a> Picture<'a> {
    fn new(rows: &'a [&'a str]) -> Self {
        let size = i16::try_from(rows.len()).unwrap();
        let cells = (0..size).flat_map(|cz| (0..size).map(move |cx| (cx, cz)));
        let mut picture = Self { rows, size, cells: cells.collect() };
        let mut cells = std::mem::take(&mut picture.cells);
        cells.retain(|&cell| picture.letter(cell) != b'#');
        Self { cells, ..picture }
    }

    fn letter(&self, (cx, cz): Cell) -> u8 {
        self.rows[usize::try_from(cz).unwrap()].as_bytes()[usize::try_from(cx).unwrap()]
    }

    fn poly(&self, (cx, cz): Cell) -> Poly {
        let letter = self.letter((cx, cz));
        let corners = [(cx, cz), (cx, cz + 1), (cx + 1, cz + 1), (cx + 1, cz)];
        let beyond = [(cx - 1, cz), (cx, cz + 1), (cx + 1, cz), (cx, cz - 1)];
        let corner = |(cx, cz): Cell| u16::try_from(cx + cz * (self.size + 1)).unwrap();
        let mut poly = Poly {
            vertices: [0; 6],
            neighbors: [0; 6],
            flags: 1,
            n_vertices: 4,
            area: AreaId(if letter.is_ascii_digit() { letter - b'0' } else { 0 }),
            kind: PolyKind::Ground,
        };
        poly.vertices[..4].copy_from_slice(&corners.map(corner));
        poly.neighbors[..4].copy_from_slice(&beyond.map(|cell| self.neighbor(cell)));
        poly
    }

    fn neighbor(&self, (cx, cz): Cell) -> u16 {
        let sides = [(cx >= self.size, 0), (cz >= self.size, 2), (cx < 0, 4), (cz < 0, 6)];
        let place = self.cells.iter().position(|&cell| cell == (cx, cz));
        match (place, sides.iter().find(|(is_outside, _)| *is_outside)) {
            (Some(place), _) => u16::try_from(place).unwrap() + 1,
            (None, Some((_, side))) => PORTAL_BIT | side,
            (None, None) => NO_NEIGHBOR,
        }
    }
}

/// Adds an off-mesh link to a tile. `side` is the side of the tile beyond which it ends; 0xff is inside.
pub(crate) fn connect(tile: &mut Tile, ends: [Vec3; 2], flags: u8, side: u8) {
    let first = u16::try_from(tile.vertices.len()).unwrap();
    let poly = u16::try_from(tile.polys.len()).unwrap();
    tile.vertices.extend(ends);
    tile.polys.push(Poly {
        vertices: [first, first + 1, 0, 0, 0, 0],
        neighbors: [0; 6],
        flags: 1,
        n_vertices: 2,
        area: AreaId::GROUND,
        kind: PolyKind::OffMesh,
    });
    tile.off_mesh.push(OffMeshConnection { ends, radius: 0.4, poly, flags, side, user_id: 1000 });
}

/// Returns a navmesh of tiles of one size.
pub(crate) fn mesh(tiles: impl IntoIterator<Item = Tile>) -> NavMesh {
    let tiles: Vec<Tile> = tiles.into_iter().collect();
    let params = NavMeshParams {
        origin: Vec3::ZERO,
        max_tiles: 512,
        max_polys: 256,
        ..NavMeshParams::solo(&tiles[0])
    };
    let mut mesh = NavMesh::new(params).unwrap();
    for tile in tiles {
        mesh.add_tile(Arc::new(tile)).unwrap();
    }
    mesh
}

/// Returns a navmesh of one tile.
pub(crate) fn solo(picture: &[&str]) -> NavMesh {
    mesh([tile(0, 0, picture)])
}

/// Returns the polygons to which a polygon is linked, in the order of their references.
pub(crate) fn linked(mesh: &NavMesh, poly: PolyRef) -> Vec<PolyRef> {
    let mut found: Vec<PolyRef> = mesh.links(poly).map(|link| link.to).collect();
    found.sort_unstable();
    found
}
