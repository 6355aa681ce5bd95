//! Navmeshes with polygons at one place, as hostile files have them.

use std::sync::Arc;

use walkable::{
    geom::Aabb,
    glam::Vec3,
    ids::AreaId,
    navmesh::{
        DetailPatch, NO_NEIGHBOR, NavMesh, NavMeshParams, OffMeshConnection, PORTAL_BIT, Poly,
        PolyKind, Tile, TileHeader, VERTS_PER_POLYGON, format::RefWidth,
    },
};

/// Side of a tile, in meters.
pub const TILE_SIDE: f32 = 10.0;
/// The number of a tile's side in tile data, for each side along +x, +z, −x and −z.
const SIDES: [u16; 4] = [0, 2, 4, 6];
/// The side of an off-mesh link that ends in its own tile.
const INSIDE: u8 = 0xff;

/// A tile that is filled with polygons and off-mesh links.
#[derive(Clone, Debug)]
pub struct PileTile {
    tile: Tile,
    links: Vec<([Vec3; 2], f32, u8)>,
}

impl PileTile {
    /// Returns the empty tile at this column, row and layer.
    pub fn new(place: [i8; 3]) -> Self {
        let [x, z, layer] = place;
        let min = Vec3::new(f32::from(x), 0.0, f32::from(z)) * TILE_SIDE;
        let header = TileHeader {
            x: x.into(),
            z: z.into(),
            layer: layer.into(),
            user_id: 0,
            max_link_count: 1 << 20,
            off_mesh_base: 0,
            walkable_height: 2.0,
            walkable_radius: 0.6,
            walkable_climb: 0.9,
            bounds: Aabb { min, max: min + Vec3::new(TILE_SIDE, 1.0, TILE_SIDE) },
            bv_quant_factor: 1.0 / 0.3,
        };
        let tile = Tile {
            header,
            vertices: Vec::new(),
            polys: Vec::new(),
            detail_patches: Vec::new(),
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
            bv_nodes: Vec::new(),
            off_mesh: Vec::new(),
        };
        Self { tile, links: Vec::new() }
    }

    /// Adds a polygon whose corners are relative to the tile. Its edges on the border lead to the next tile. A polygon for
    /// which there is no room is left out.
    pub fn polygon(&mut self, corners: &[Vec3]) {
        let tile = &mut self.tile;
        let (first, n) = (tile.vertices.len(), corners.len());
        let is_full = first + n > usize::from(u16::MAX) || tile.polys.len() >= 0x7fff;
        if is_full || !(3..=VERTS_PER_POLYGON).contains(&n) {
            return;
        }
        let min = tile.header.bounds.min;
        tile.vertices.extend(corners.iter().map(|corner| min + *corner));
        let (mut vertices, mut neighbors) =
            ([0; VERTS_PER_POLYGON], [NO_NEIGHBOR; VERTS_PER_POLYGON]);
        for corner in 0..n {
            vertices[corner] = u16::try_from(first + corner).unwrap();
            let ends = [corners[corner], corners[(corner + 1) % n]];
            #[expect(clippy::float_cmp, reason = "corners on a border have its coordinate")]
            let is_on = |of: fn(Vec3) -> f32, at: f32| ends.iter().all(|end| of(*end) == at);
            let on = [
                is_on(|end| end.x, TILE_SIDE),
                is_on(|end| end.z, TILE_SIDE),
                is_on(|end| end.x, 0.0),
                is_on(|end| end.z, 0.0),
            ];
            if let Some(side) = on.iter().position(|is_on| *is_on) {
                neighbors[corner] = PORTAL_BIT | SIDES[side];
            }
        }
        let (kind, area) = (PolyKind::Ground, AreaId(1));
        let n_vertices = u8::try_from(n).unwrap();
        tile.polys.push(Poly { vertices, neighbors, flags: 1, n_vertices, area, kind });
        tile.detail_patches.push(DetailPatch {
            first_vertex: 0,
            first_triangle: u32::try_from(tile.detail_triangles.len()).unwrap(),
            n_vertices: 0,
            n_triangles: n_vertices - 2,
        });
        tile.detail_triangles.extend((2..n_vertices).map(|corner| [0, corner - 1, corner, 0]));
    }

    /// Adds a square polygon with its smallest corner relative to the tile.
    pub fn square(&mut self, corner: Vec3, side: f32) {
        let corners = [Vec3::ZERO, Vec3::Z, Vec3::X + Vec3::Z, Vec3::X];
        self.polygon(&corners.map(|at| corner + at * side));
    }

    /// Adds an off-mesh link whose ends are relative to the tile.
    pub fn link(&mut self, ends: [Vec3; 2], radius: f32) {
        self.add_link(ends, radius, INSIDE);
    }

    /// Adds an off-mesh link that ends in the next tile along +x. Its ends are relative to this tile.
    pub fn link_along_x(&mut self, ends: [Vec3; 2], radius: f32) {
        self.add_link(ends, radius, 0);
    }

    fn add_link(&mut self, ends: [Vec3; 2], radius: f32, side: u8) {
        self.links.push((ends.map(|end| self.tile.header.bounds.min + end), radius, side));
    }

    /// Gives all polygons up to 255 detail triangles, the same for all.
    pub fn share_detail(&mut self) {
        let n_triangles = u8::MAX;
        self.tile.detail_triangles = vec![[0, 1, 2, 0]; n_triangles.into()];
        for patch in &mut self.tile.detail_patches {
            (patch.first_triangle, patch.n_triangles) = (0, n_triangles);
        }
    }

    /// Returns the tile.
    pub fn finish(self) -> Tile {
        let Self { mut tile, links } = self;
        tile.header.off_mesh_base = u32::try_from(tile.polys.len()).unwrap();
        for (ends, radius, side) in links {
            let (first, poly) = (tile.vertices.len(), tile.polys.len());
            let [Ok(first), Ok(poly)] = [first, poly].map(u16::try_from) else { break };
            let Some(second) = first.checked_add(1) else { break };
            tile.vertices.extend(ends);
            let mut vertices = [0; VERTS_PER_POLYGON];
            [vertices[0], vertices[1]] = [first, second];
            tile.polys.push(Poly {
                vertices,
                neighbors: [NO_NEIGHBOR; VERTS_PER_POLYGON],
                flags: 1,
                n_vertices: 2,
                area: AreaId(2),
                kind: PolyKind::OffMesh,
            });
            let user_id = poly.into();
            tile.off_mesh.push(OffMeshConnection { ends, radius, poly, flags: 1, side, user_id });
        }
        tile
    }
}

/// Returns the navmesh of the tiles; `None` if they cannot be linked.
pub fn navmesh(tiles: Vec<Tile>) -> Option<NavMesh> {
    let params = NavMeshParams {
        origin: Vec3::ZERO,
        tile_width: TILE_SIDE,
        tile_height: TILE_SIDE,
        max_tiles: 1 << 16,
        max_polys: 1 << 16,
    };
    let tiles = tiles.into_iter().map(Arc::new).collect();
    NavMesh::of_tiles(params, RefWidth::Bits64, tiles).ok()
}

/// Returns a navmesh of one tile with `n` squares at one place, each shifted by `step` from the one before.
pub fn pile(n: u16, step: Vec3) -> NavMesh {
    let mut tile = PileTile::new([0; 3]);
    for at in 0..n {
        tile.square(Vec3::new(1.0, 0.5, 1.0) + step * f32::from(at), 5.0);
    }
    navmesh(vec![tile.finish()]).unwrap()
}
