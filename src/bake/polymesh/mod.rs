use glam::Vec3;

use crate::ids::{AreaId, RegionId};

/// Most corners a polygon can have.
pub const MAX_VERTS_PER_POLY: usize = 12;

/// What lies across an edge of a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// A wall or a drop.
    Boundary,
    /// The polygon with this index.
    Neighbor(u16),
    /// The next tile, on the side numbered as [`Dir`](crate::ids::Dir) (0 −x, 1 +z, 2 +x, 3 −z).
    Portal(u8),
}

/// One convex polygon.
///
/// Invariants: 3 to [`MAX_VERTS_PER_POLY`] corners; `edges` has one entry per corner, for the edge
/// that starts there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshPolygon {
    /// Corner indices, clockwise seen from above.
    pub vertices: arrayvec::ArrayVec<u16, MAX_VERTS_PER_POLY>,
    /// What lies across each edge.
    pub edges: arrayvec::ArrayVec<Edge, MAX_VERTS_PER_POLY>,
    /// Region it came from.
    pub region: RegionId,
    /// Its area.
    pub area: AreaId,
}

/// Convex polygons of a tile, corners on the voxel grid.
#[derive(Clone, Debug, PartialEq)]
pub struct PolyMesh {
    /// World position of the grid point (0, 0, 0), the border left out.
    pub origin: Vec3,
    /// Largest corner of the tile's box, the border left out.
    pub bounds_max: Vec3,
    /// Side of a cell, in metres.
    pub cell_size: f32,
    /// Height of a cell, in metres.
    pub cell_height: f32,
    /// Most corners a polygon of this mesh may have.
    pub max_verts_per_poly: usize,
    /// Cells of border that were cut off.
    pub border_vx: u32,
    /// Largest distance by which an outline was simplified, in cells.
    pub max_edge_error: f32,
    /// Corners, in cells.
    pub vertices: Vec<[u16; 3]>,
    /// Polygons.
    pub polygons: Vec<MeshPolygon>,
}

impl PolyMesh {
    /// World position of corner `index`.
    pub fn world_vertex(&self, index: u16) -> Vec3 {
        let [x, y, z] = self.vertices[usize::from(index)].map(f32::from);
        self.origin + Vec3::new(x * self.cell_size, y * self.cell_height, z * self.cell_size)
    }
}
