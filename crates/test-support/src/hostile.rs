//! Navmeshes that load, but that no bake makes: links in circles, in one direction only, or from a polygon to itself;
//! borders of tiles that cross each other; thousands of off-mesh links at one polygon.

use std::sync::Arc;

use walkable::{
    geom::Aabb,
    glam::Vec3,
    ids::AreaId,
    navmesh::{
        DetailPatch, NO_NEIGHBOR, NavMesh, NavMeshParams, OffMeshConnection, PORTAL_BIT, Poly,
        PolyKind, Tile, TileHeader, VERTS_PER_POLYGON,
    },
};

/// Size of the tiles, in meters.
const TILE: f32 = 16.0;
/// Column, row and layer of the tiles of [`nav_mesh_of`].
const PLACES: [[i32; 3]; 4] = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]];
/// Bytes of a polygon or an off-mesh link in the input of [`nav_mesh_of`].
const RECORD: usize = 10;

/// A polygon: a rectangle seen from above.
#[derive(Clone, Copy, Debug)]
pub struct Slab {
    /// The corner with the lowest coordinates.
    pub min: Vec3,
    /// Its size along x and z.
    pub size: [f32; 2],
    /// The neighbors over the edges toward -x, +z, +x and -z, as in a file.
    pub neighbors: [u16; 4],
    /// The area.
    pub area: u8,
}

impl Slab {
    /// Returns a square of 1 m whose corner is at `x`, without neighbors.
    pub fn at(x: f32) -> Self {
        let (min, neighbors) = (Vec3::new(x, 0.0, 0.0), [NO_NEIGHBOR; 4]);
        Self { min, size: [1.0; 2], neighbors, area: 0 }
    }
}

/// Returns a navmesh of `n` squares in a row along x. Each is linked to the next one, and the last one to the first.
pub fn ring(n: u16) -> NavMesh {
    let slab = |at: u16| {
        let neighbors = [(at + n - 1) % n + 1, NO_NEIGHBOR, (at + 1) % n + 1, NO_NEIGHBOR];
        Slab { neighbors, ..Slab::at(at.into()) }
    };
    let slabs: Vec<_> = (0..n).map(slab).collect();
    nav_mesh(vec![tile(PLACES[0], &slabs, Vec::new())])
}

/// Returns a navmesh of two tiles with a square each, at the same place. Both squares have their portal toward +x, at
/// the same place, so a ray passes from one to the other and back.
pub fn ring_of_tiles() -> NavMesh {
    let slab = |side| Slab {
        neighbors: [NO_NEIGHBOR, NO_NEIGHBOR, PORTAL_BIT | side, NO_NEIGHBOR],
        ..Slab::at(0.0)
    };
    nav_mesh(vec![tile(PLACES[0], &[slab(0)], Vec::new()), tile(PLACES[1], &[slab(4)], Vec::new())])
}

/// Returns a navmesh of two squares, between which a ray runs in a circle, with `n` off-mesh links that start and end at
/// the first.
pub fn hub(n: u16) -> NavMesh {
    let slabs = [1, 0].map(|other: u16| Slab {
        neighbors: [NO_NEIGHBOR, NO_NEIGHBOR, other + 1, NO_NEIGHBOR],
        ..Slab::at((1 - other).into())
    });
    let ends = [0.2, 0.8].map(|x| Vec3::new(x, 0.0, 0.5));
    let links = (0..n).map(|_| OffMeshConnection {
        ends,
        radius: 0.5,
        poly: 0,
        flags: 1,
        side: 0xff,
        user_id: 0,
    });
    nav_mesh(vec![tile(PLACES[0], &slabs, links.collect())])
}

/// Returns the navmesh that `bytes` describe, of up to four tiles: any bytes describe one. `None` if it has no polygon.
pub fn nav_mesh_of(bytes: &[u8]) -> Option<NavMesh> {
    let (&max_links, records) = bytes.split_first()?;
    let records = records.as_chunks::<RECORD>().0;
    let tile_of = |number: usize| {
        let own = || records.iter().filter(move |record| usize::from(record[0] & 3) == number);
        let (ground, links) = own().partition::<Vec<_>, _>(|record| record[0] & 0x80 == 0);
        let n = u16::try_from(ground.len()).unwrap();
        let neighbor = |byte: u8| match byte {
            0 => NO_NEIGHBOR,
            0xf0.. => PORTAL_BIT | u16::from(byte & 6),
            _ => u16::from(byte - 1) % n + 1,
        };
        let point = |[x, y, z]: [u8; 3]| {
            Vec3::new(f32::from(x) / 8.0, f32::from(y) / 32.0, f32::from(z) / 8.0)
        };
        let slab = |&&[_, x, z, size, y, west, north, east, south, area]: &&[u8; RECORD]| Slab {
            min: point([x, y, z]),
            size: [size & 15, size >> 4].map(|n| f32::from(n + 1) / 4.0),
            neighbors: [west, north, east, south].map(neighbor),
            area: area & 7,
        };
        let link = |&&[bits, x, z, y, end_x, end_z, end_y, radius, side, _]: &&[u8; RECORD]| {
            OffMeshConnection {
                ends: [point([x, y, z]), point([end_x, end_y, end_z])],
                radius: f32::from(radius) / 64.0,
                poly: 0,
                flags: (bits >> 6) & 1,
                side: if side & 1 == 0 { 0xff } else { side & 6 },
                user_id: side.into(),
            }
        };
        let slabs: Vec<_> = ground.iter().map(slab).collect();
        let mut tile = tile(PLACES[number], &slabs, links.iter().map(link).collect());
        if max_links > 0 {
            tile.header.max_link_count = u32::from(max_links);
        }
        (!slabs.is_empty()).then_some(tile)
    };
    let tiles: Vec<_> = (0..PLACES.len()).filter_map(tile_of).collect();
    (!tiles.is_empty()).then(|| nav_mesh(tiles))
}

/// Returns a tile of these polygons. Sets the polygons of the off-mesh links.
pub fn tile([x, z, layer]: [i32; 3], slabs: &[Slab], mut off_mesh: Vec<OffMeshConnection>) -> Tile {
    let count = |n: usize| u32::try_from(n).unwrap();
    let index = |n: usize| u16::try_from(n).unwrap();
    let (mut vertices, mut polys) = (Vec::new(), Vec::new());
    let poly = |first: usize, corners: usize, area, kind| {
        let mut vertices = [0; VERTS_PER_POLYGON];
        (0..corners).for_each(|corner| vertices[corner] = index(first + corner));
        let n_vertices = u8::try_from(corners).unwrap();
        let neighbors = [NO_NEIGHBOR; VERTS_PER_POLYGON];
        Poly { vertices, neighbors, flags: 1, n_vertices, area: AreaId(area), kind }
    };
    for Slab { min, size: [along_x, along_z], neighbors, area } in slabs {
        let mut poly = poly(vertices.len(), 4, *area, PolyKind::Ground);
        poly.neighbors[..4].copy_from_slice(neighbors);
        polys.push(poly);
        let corners = [[0.0, 0.0], [0.0, *along_z], [*along_x, *along_z], [*along_x, 0.0]];
        vertices.extend(corners.map(|[x, z]| *min + Vec3::new(x, 0.0, z)));
    }
    for link in &mut off_mesh {
        link.poly = index(polys.len());
        polys.push(poly(vertices.len(), 2, 0, PolyKind::OffMesh));
        vertices.extend(link.ends);
    }
    let bounds = Aabb::around(vertices.iter().copied());
    let patch =
        |n| DetailPatch { first_vertex: 0, first_triangle: 2 * n, n_vertices: 0, n_triangles: 2 };
    Tile {
        header: TileHeader {
            x,
            z,
            layer,
            user_id: 0,
            max_link_count: count(16 * polys.len()),
            off_mesh_base: count(slabs.len()),
            walkable_height: 2.0,
            walkable_radius: 0.6,
            walkable_climb: 0.5,
            bounds: if vertices.is_empty() { Aabb::new(Vec3::ZERO, Vec3::ONE) } else { bounds },
            bv_quant_factor: 10.0,
        },
        vertices,
        polys,
        detail_patches: (0..count(slabs.len())).map(patch).collect(),
        detail_vertices: Vec::new(),
        detail_triangles: [[0, 1, 2, 0b101], [0, 2, 3, 0b1_0100]].repeat(slabs.len()),
        bv_nodes: Vec::new(),
        off_mesh,
    }
}

/// Returns the navmesh of these tiles, read from a file.
pub fn nav_mesh(tiles: Vec<Tile>) -> NavMesh {
    let max_polys = tiles.iter().map(|tile| tile.polys.len()).max().unwrap();
    let params = NavMeshParams {
        origin: Vec3::ZERO,
        tile_width: TILE,
        tile_height: TILE,
        max_tiles: u32::try_from(tiles.len()).unwrap(),
        max_polys: u32::try_from(max_polys).unwrap(),
    };
    let mut mesh = NavMesh::new(params).unwrap();
    for tile in tiles {
        mesh.add_tile(Arc::new(tile)).unwrap();
    }
    NavMesh::from_bytes(&mesh.to_bytes()).unwrap()
}
