//! Statistics of a navmesh.

use serde::{Deserialize, Serialize};

use super::{NavMesh, PolyKind};

/// Statistics of a navmesh.
#[expect(clippy::struct_field_names, reason = "all are counts, and counts start with n_")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NavMeshStats {
    /// Number of tiles.
    pub n_tiles: usize,
    /// Number of ground polygons.
    pub n_polys: usize,
    /// Number of off-mesh links.
    pub n_off_mesh: usize,
    /// Number of polygon vertices and ends of off-mesh links.
    pub n_vertices: usize,
    /// Number of detail vertices.
    pub n_detail_vertices: usize,
    /// Number of detail triangles.
    pub n_detail_triangles: usize,
    /// Number of links between polygons, counting each direction.
    pub n_links: usize,
    /// Number of links dropped because their tile has no space for them; Detour drops the same.
    pub n_refused_links: usize,
    /// Size of the navmesh as a file, in bytes.
    pub n_bytes: usize,
}

impl NavMesh {
    /// Number of links of the tile in a slot that were dropped because the tile has no space for them; Detour drops the
    /// same.
    pub fn refused_links(&self, slot: usize) -> usize {
        let live = u32::try_from(slot).ok().and_then(|slot| self.live_in_slot(slot));
        live.map_or(0, |live| live.n_refused_links)
    }

    /// Computes the statistics of the navmesh.
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
