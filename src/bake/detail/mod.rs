use glam::Vec3;

/// The triangles that give one polygon its height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetailPatch {
    /// Index of its first vertex.
    pub first_vertex: u32,
    /// Number of vertices; the polygon's own corners come first, in order.
    pub n_vertices: u32,
    /// Index of its first triangle.
    pub first_triangle: u32,
    /// Number of triangles.
    pub n_triangles: u32,
}

/// Height detail of every polygon of a tile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DetailMesh {
    /// One per polygon.
    pub patches: Vec<DetailPatch>,
    /// World positions.
    pub vertices: Vec<Vec3>,
    /// Per triangle: three vertex indices within its patch, then two bits per edge that say whether
    /// the edge lies on the polygon's boundary.
    pub triangles: Vec<[u8; 4]>,
}
