//! Digests of the stages from contours to tile data.

use walkable_runtime::{ids::RegionId, navmesh::Tile};

use super::{StreamHash, len};
use crate::bake::{ContourSet, ContourVertex, DetailMesh, Edge, PolyMesh, RawArea};

/// Counts of a stage and its hash.
pub(super) type Digest = (Vec<(&'static str, u64)>, Option<u64>);

/// "No vertex" and "no neighbor" in the stream of polygons.
const NOTHING: u16 = 0xffff;
/// Flag of a neighbor in the adjacent tile.
const PORTAL: u16 = 0x8000;

/// Hashes the number of contours; per contour: region, area, simplified and raw vertices, each with their number.
pub(super) fn contours_digest(set: &ContourSet) -> Digest {
    let mut hash = StreamHash::new();
    let [mut n_vertices, mut n_raw] = [0, 0];
    hash.count(set.contours.len());
    for contour in &set.contours {
        let RegionId(region) = contour.region;
        let RawArea(area) = contour.area;
        hash.u32(u32::from(region));
        hash.u32(u32::from(area));
        hash_vertices(&mut hash, &contour.vertices);
        hash_vertices(&mut hash, &contour.raw);
        n_vertices += len(&contour.vertices);
        n_raw += len(&contour.raw);
    }
    let counts = vec![("count", len(&set.contours)), ("verts", n_vertices), ("raw_verts", n_raw)];
    (counts, Some(hash.finish()))
}

fn hash_vertices(hash: &mut StreamHash, vertices: &[ContourVertex]) {
    hash.count(vertices.len());
    for vertex in vertices {
        hash.i32(vertex.x);
        hash.i32(vertex.y);
        hash.i32(vertex.z);
        hash.u32(vertex.region_and_flags);
    }
}

/// Hashes the number of vertices, their coordinates; number of polygons; per polygon: corners and neighbors, both
/// padded to the maximum number of corners; regions of all polygons; areas of all polygons.
pub(super) fn mesh_digest(mesh: &PolyMesh) -> Digest {
    let mut hash = StreamHash::new();
    hash.count(mesh.vertices.len());
    mesh.vertices.iter().flatten().for_each(|coordinate| hash.u16(*coordinate));
    hash.count(mesh.polygons.len());
    for polygon in &mesh.polygons {
        let n_missing = mesh.max_verts_per_poly.saturating_sub(polygon.vertices.len());
        polygon.vertices.iter().for_each(|vertex| hash.u16(*vertex));
        (0..n_missing).for_each(|_| hash.u16(NOTHING));
        for edge in &polygon.edges {
            hash.u16(match *edge {
                Edge::Boundary | Edge::Itself => NOTHING,
                Edge::Neighbor(other) => other,
                Edge::Portal(side) => PORTAL | u16::from(side),
            });
        }
        (0..n_missing).for_each(|_| hash.u16(NOTHING));
    }
    mesh.polygons.iter().for_each(|polygon| hash.u16(polygon.region.0));
    mesh.polygons.iter().for_each(|polygon| hash.bytes(&[polygon.area.0]));
    let counts = vec![("verts", len(&mesh.vertices)), ("polys", len(&mesh.polygons))];
    (counts, Some(hash.finish()))
}

/// Hashes the number of patches, their four numbers; number of vertices, their coordinates; number of triangles, their
/// four bytes.
pub(super) fn detail_digest(detail: &DetailMesh) -> Digest {
    let mut hash = StreamHash::new();
    hash.count(detail.patches.len());
    for patch in &detail.patches {
        hash.u32(patch.first_vertex);
        hash.u32(patch.n_vertices);
        hash.u32(patch.first_triangle);
        hash.u32(patch.n_triangles);
    }
    hash.count(detail.vertices.len());
    detail.vertices.iter().flat_map(glam::Vec3::to_array).for_each(|value| hash.f32(value));
    hash.count(detail.triangles.len());
    detail.triangles.iter().for_each(|triangle| hash.bytes(triangle));
    let counts = vec![("verts", len(&detail.vertices)), ("tris", len(&detail.triangles))];
    (counts, Some(hash.finish()))
}

/// Returns the digest of the tile's bytes.
pub(super) fn tile_digest(tile: &Tile) -> Digest {
    let bytes = tile.to_bytes();
    let mut hash = StreamHash::new();
    hash.bytes(&bytes);
    (tile_counts(tile, &bytes), Some(hash.finish()))
}

/// Returns the digest of the tile's bytes without those of the BV tree.
pub(super) fn tile_digest_without_bv_tree(tile: &Tile) -> Digest {
    let bytes = tile.to_bytes();
    let tree = tile.bv_node_bytes();
    let mut hash = StreamHash::new();
    hash.bytes(&bytes[..tree.start]);
    hash.bytes(&bytes[tree.end..]);
    (tile_counts(tile, &bytes), Some(hash.finish()))
}

fn tile_counts(tile: &Tile, bytes: &[u8]) -> Vec<(&'static str, u64)> {
    vec![("bytes", len(bytes)), ("polys", len(&tile.polys))]
}
