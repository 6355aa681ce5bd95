//! How much memory the copies of a file's triangles may take.

use super::buffers::Buffers;

/// What copies of meshes may take in memory: the bytes of the file so many times ...
const COPIES_PER_BYTE: usize = 16;
/// ... and so many bytes more.
pub(super) const COPIED_BYTES: usize = 512 << 20;
/// What a triangle takes until the level is read: itself, and its place among those sorted to find duplicates.
const BYTES_PER_TRIANGLE: usize = 36;
/// What a vertex takes, with its place among those sorted to find duplicates.
const BYTES_PER_VERTEX: usize = 32;

/// What so many triangles and vertices take in memory until the level is read.
pub(super) fn bytes_of(n_triangles: usize, n_vertices: usize) -> usize {
    n_triangles * BYTES_PER_TRIANGLE + n_vertices * BYTES_PER_VERTEX
}

/// What the level may take in memory until it is read.
pub(super) fn most_bytes(buffers: &Buffers<'_>) -> usize {
    buffers.n_bytes().saturating_mul(COPIES_PER_BYTE).saturating_add(COPIED_BYTES)
}
