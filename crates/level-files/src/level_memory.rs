//! Limits the memory for the triangles of a file: a few bytes can describe many copies of a mesh, or a polygon of many
//! corners.

/// Memory for a level: this many bytes per byte of the file ...
const LEVEL_BYTES_PER_BYTE: usize = 16;
/// ... plus this many bytes.
const LEVEL_BYTES: usize = 512 << 20;
/// Memory per triangle until the level is built: the triangle, and its entry in the list that is sorted to find
/// duplicates.
const BYTES_PER_TRIANGLE: usize = 36;
/// Memory per vertex, including its entry in the list that is sorted to find duplicates.
const BYTES_PER_VERTEX: usize = 32;

/// Returns the memory that this many triangles and vertices take until the level is built.
pub(super) fn bytes_of(n_triangles: usize, n_vertices: usize) -> usize {
    n_triangles * BYTES_PER_TRIANGLE + n_vertices * BYTES_PER_VERTEX
}

/// Returns the memory limit for building the level of a file of `n_file_bytes` bytes, if the user's limit is `max_bytes`.
pub(super) fn most_bytes(n_file_bytes: usize, max_bytes: usize) -> usize {
    n_file_bytes.saturating_mul(LEVEL_BYTES_PER_BYTE).saturating_add(LEVEL_BYTES).min(max_bytes)
}
