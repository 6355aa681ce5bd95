//! Hashes of tiles and files, to find out whether they have changed.

use glam::Vec3;

use crate::{navmesh::Tile, random::mixed};

/// Hashes a tile, without the ends of its off-mesh links, which move when it is linked; never 0.
pub(super) fn hash_of(tile: &Tile) -> u64 {
    let mut hash = Hash(1);
    hash.add(tile.header.max_link_count, tile.header.off_mesh_base);
    hash.add(tile.header.walkable_climb.to_bits(), 0);
    let mut is_moved = vec![false; tile.vertices.len()];
    for link in &tile.off_mesh {
        let poly = tile.polys.get(usize::from(link.poly));
        for &vertex in poly.map_or(&[][..], |poly| poly.vertices()) {
            is_moved[usize::from(vertex)] = true;
        }
        link.ends.iter().for_each(|&end| hash.point(end));
        hash.add(
            link.radius.to_bits(),
            u32::from(link.poly) << 16 | u32::from(link.flags) << 8 | u32::from(link.side),
        );
        hash.add(link.user_id, 0);
    }
    let fixed = tile.vertices.iter().zip(is_moved).filter(|(_, is_moved)| !is_moved);
    fixed
        .map(|(vertex, _)| vertex)
        .chain(&tile.detail_vertices)
        .for_each(|&point| hash.point(point));
    for poly in &tile.polys {
        let area =
            u32::from(poly.n_vertices) << 16 | u32::from(poly.area.0) << 8 | poly.kind as u32;
        hash.add(area, u32::from(poly.flags));
        for (&vertex, &neighbor) in poly.vertices.iter().zip(&poly.neighbors) {
            hash.add(vertex.into(), neighbor.into());
        }
    }
    for patch in &tile.detail_patches {
        hash.add(patch.first_vertex, patch.first_triangle);
        hash.add(patch.n_vertices.into(), patch.n_triangles.into());
    }
    for &triangle in &tile.detail_triangles {
        hash.add(u32::from_le_bytes(triangle), 0);
    }
    hash.0.max(1)
}

struct Hash(u64);

impl Hash {
    fn add(&mut self, a: u32, b: u32) {
        self.0 = next_hash(self.0, u64::from(a) << 32 | u64::from(b));
    }

    fn point(&mut self, point: Vec3) {
        let [x, y, z] = point.to_array().map(f32::to_bits);
        self.add(x, y);
        self.add(z, 0);
    }
}

/// Continues a hash with a number.
pub(super) fn next_hash(hash: u64, word: u64) -> u64 {
    mixed(hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15)
}
