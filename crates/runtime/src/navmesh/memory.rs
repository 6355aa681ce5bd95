//! How much memory a tile takes in a navmesh.

use glam::Vec3;

use super::{
    BvNode, DetailPatch, LiveTile, NavMesh, OffMeshConnection, Poly, Tile,
    graph::{LINK_BYTES, POLY_BYTES},
    outline::Outline,
};

/// Lists of a navmesh keep the entries of removed tiles until they outnumber the others, and grow by an eighth: at most
/// 2.25 times the entries in use.
const SLACK_QUARTERS: u64 = 9;
/// Memory of a tile besides its lists: its structure in the navmesh, its places in lists, and the overhead of allocations.
const TILE_BYTES: u64 = 3 * size_of::<LiveTile>() as u64 + size_of::<Tile>() as u64 + 512;

impl NavMesh {
    /// Returns the upper limit of the memory that `tile` takes in a navmesh, in bytes: its data, its polygons and links
    /// in the lists that searches use, and what the first queries prepare.
    pub fn memory_of(tile: &Tile) -> u64 {
        let Tile { vertices, polys, detail_patches, detail_vertices, .. } = tile;
        let Tile { header, detail_triangles, bv_nodes, off_mesh, .. } = tile;
        let lists = [
            size_of::<Vec3>() * (vertices.len() + detail_vertices.len()),
            size_of::<Poly>() * polys.len(),
            size_of::<DetailPatch>() * detail_patches.len(),
            size_of::<[u8; 4]>() * detail_triangles.len(),
            size_of::<BvNode>() * bv_nodes.len(),
            (size_of::<OffMeshConnection>() + 1) * off_mesh.len(),
            // Vertices surrounded by ground, see `LiveTile::open_vertices`.
            size_of::<u32>() * (vertices.len() + 1) + size_of::<[u16; 6]>() * polys.len(),
        ];
        let poly = (POLY_BYTES + size_of::<Outline>()) as u64 * SLACK_QUARTERS / 4;
        // While links are tidied, there is another list without slack.
        let link = LINK_BYTES as u64 * (SLACK_QUARTERS + 4) / 4;
        lists.iter().fold(TILE_BYTES, |sum, &n| sum + n as u64)
            + poly * polys.len() as u64
            + link * u64::from(header.max_link_count)
    }
}
