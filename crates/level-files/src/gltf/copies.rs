//! Limits the memory for the copies of a file's triangles.

use super::buffers::Buffers;

/// Memory for copies of meshes: this many bytes per byte of the file ...
const COPIES_PER_BYTE: usize = 16;
/// ... plus this many bytes.
pub(super) const COPIED_BYTES: usize = 512 << 20;
/// Memory per triangle until the level is built: the triangle, and its entry in the list that is sorted to find
/// duplicates.
const BYTES_PER_TRIANGLE: usize = 36;
/// Memory per vertex, including its entry in the list that is sorted to find duplicates.
const BYTES_PER_VERTEX: usize = 32;

/// Memory that this many triangles and vertices take until the level is built.
pub(super) fn bytes_of(n_triangles: usize, n_vertices: usize) -> usize {
    n_triangles * BYTES_PER_TRIANGLE + n_vertices * BYTES_PER_VERTEX
}

/// The memory limit for building the level.
pub(super) fn most_bytes(buffers: &Buffers<'_>) -> usize {
    buffers.n_bytes().saturating_mul(COPIES_PER_BYTE).saturating_add(COPIED_BYTES)
}
