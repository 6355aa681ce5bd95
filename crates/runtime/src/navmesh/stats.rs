//! Sizes of a mesh, for people.

use serde::Serialize;

use super::{NavMesh, PolyKind};

/// What a mesh consists of.
#[expect(clippy::struct_field_names, reason = "all are counts, and counts start with n_")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NavMeshStats {
    /// Tiles.
    pub n_tiles: usize,
    /// Polygons of ground.
    pub n_polys: usize,
    /// Off-mesh links.
    pub n_off_mesh: usize,
    /// Corners of polygons and ends of off-mesh links.
    pub n_vertices: usize,
    /// Vertices that detail adds.
    pub n_detail_vertices: usize,
    /// Triangles of the detail surface.
    pub n_detail_triangles: usize,
    /// Links between polygons, each way counted.
    pub n_links: usize,
    /// Links that were left out because their tile has no room for them; Detour leaves out the same.
    pub n_refused_links: usize,
    /// Length of the mesh as a file, in bytes.
    pub n_bytes: usize,
}

impl NavMesh {
    /// Counts what the mesh consists of.
    pub fn stats(&self) -> NavMeshStats {
        let mut stats = NavMeshStats { n_bytes: self.file_size(), ..NavMeshStats::default() };
        for live in self.live_tiles() {
            let tile = &live.tile;
            stats.n_tiles += 1;
            stats.n_polys += tile.polys.iter().filter(|p| p.kind == PolyKind::Ground).count();
            stats.n_off_mesh += tile.off_mesh.len();
            stats.n_vertices += tile.vertices.len();
            stats.n_detail_vertices += tile.detail_vertices.len();
            stats.n_detail_triangles += tile.detail_triangles.len();
            stats.n_links += live.n_links;
            stats.n_refused_links += live.n_refused_links;
        }
        stats
    }
}
