use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::{geom::Aabb, ids::AreaId};

/// Maximum number of vertices of a polygon in tile data.
pub const VERTS_PER_POLYGON: usize = 6;
/// Neighbor value of an edge with nothing across it.
pub const NO_NEIGHBOR: u16 = 0;
/// Bit of a neighbor value that marks an edge on the tile's border; the low bits name the side.
pub const PORTAL_BIT: u16 = 0x8000;

/// The type of a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PolyKind {
    /// A convex ground polygon.
    Ground,
    /// An off-mesh link with two vertices.
    OffMesh,
}

/// A polygon of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Poly {
    /// Vertex indices; only the first `n_vertices` are used.
    pub vertices: [u16; VERTS_PER_POLYGON],
    /// For each edge: [`NO_NEIGHBOR`], a polygon index plus one, or [`PORTAL_BIT`] with the side.
    pub neighbors: [u16; VERTS_PER_POLYGON],
    /// Flags, matched by a [`Filter`](crate::query::Filter).
    pub flags: u16,
    /// Number of vertices.
    pub n_vertices: u8,
    /// Area id, 0 to 63.
    pub area: AreaId,
    /// Type of the polygon.
    pub kind: PolyKind,
}

impl Poly {
    /// Returns the vertex indices in use.
    pub fn vertices(&self) -> &[u16] {
        &self.vertices[..usize::from(self.n_vertices)]
    }

    /// Returns the edges, in order, whose neighbor value matches. All are tested before any branch.
    pub(super) fn edges_with(
        &self,
        is_asked: impl Fn(u16) -> bool,
    ) -> impl DoubleEndedIterator<Item = u8> {
        let bit = |(edge, &neighbor): (u8, &u16)| u8::from(is_asked(neighbor)) << edge;
        let all = (0..).zip(&self.neighbors).fold(0, |bits, edge| bits | bit(edge));
        EdgeBits(all & ((1 << self.n_vertices.min(7)) - 1))
    }
}

/// Edges of a polygon, one bit each.
struct EdgeBits(u8);

impl Iterator for EdgeBits {
    type Item = u8;

    #[expect(clippy::cast_possible_truncation, reason = "a place of one of eight bits")]
    fn next(&mut self) -> Option<u8> {
        let first = (self.0 != 0).then(|| self.0.trailing_zeros() as u8)?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

impl DoubleEndedIterator for EdgeBits {
    #[expect(clippy::cast_possible_truncation, reason = "a place of one of eight bits")]
    fn next_back(&mut self) -> Option<u8> {
        let last = 7_u8.checked_sub(self.0.leading_zeros() as u8)?;
        self.0 &= !(1 << last);
        Some(last)
    }
}

/// Detail vertices and triangles of one polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetailPatch {
    /// Index of its first vertex in [`Tile::detail_vertices`]; the polygon's vertices are not repeated.
    pub first_vertex: u32,
    /// Index of its first triangle in [`Tile::detail_triangles`].
    pub first_triangle: u32,
    /// Number of additional vertices.
    pub n_vertices: u8,
    /// Number of triangles.
    pub n_triangles: u8,
}

/// Node of the BV tree, in cells of `1 / bv_quant_factor` meters from the tile's minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BvNode {
    /// Minimum of the box.
    pub min: [u16; 3],
    /// Maximum of the box.
    pub max: [u16; 3],
    /// Polygon index for a leaf; negative for an inner node: minus the number of nodes to skip if the box is missed.
    pub index: i32,
}

/// An off-mesh link of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OffMeshConnection {
    /// Start and end as given, before they are moved onto the ground.
    pub ends: [Vec3; 2],
    /// Maximum distance from an end to the ground.
    pub radius: f32,
    /// Index of its polygon.
    pub poly: u16,
    /// Flags; bit 0 means bidirectional.
    pub flags: u8,
    /// Side of the tile on which the end lies; 0xff inside.
    pub side: u8,
    /// The number that identifies it in a game.
    pub user_id: u32,
}

/// The header of tile data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileHeader {
    /// Column in the tile grid.
    pub x: i32,
    /// Row in the tile grid.
    pub z: i32,
    /// Layer at that coordinate.
    pub layer: i32,
    /// A number for use by the game.
    pub user_id: u32,
    /// Number of links that Detour reserves space for.
    pub max_link_count: u32,
    /// Index of the first off-mesh polygon, which is the number of ground polygons.
    pub off_mesh_base: u32,
    /// Agent height, in meters.
    pub walkable_height: f32,
    /// Agent radius, in meters.
    pub walkable_radius: f32,
    /// Agent climb, in meters.
    pub walkable_climb: f32,
    /// Bounds of the tile.
    pub bounds: Aabb,
    /// Cells per meter of the BV tree.
    pub bv_quant_factor: f32,
}

/// Navigation data of one tile, as Detour stores it.
///
/// Invariants: every index is in range; `detail_patches` has one entry per ground polygon; polygons
/// from `header.off_mesh_base` on are off-mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tile {
    /// Sizes and coordinate.
    pub header: TileHeader,
    /// Vertices of polygons, then ends of off-mesh links.
    pub vertices: Vec<Vec3>,
    /// Ground polygons, then off-mesh ones.
    pub polys: Vec<Poly>,
    /// Detail mesh of each ground polygon.
    pub detail_patches: Vec<DetailPatch>,
    /// Additional vertices of detail meshes.
    pub detail_vertices: Vec<Vec3>,
    /// Triangles over a polygon's vertices and its detail vertices; the fourth byte holds two bits per edge, 1 if the
    /// edge lies on the polygon's boundary.
    pub detail_triangles: Vec<[u8; 4]>,
    /// BV tree over the ground polygons; empty if there is none.
    pub bv_nodes: Vec<BvNode>,
    /// Off-mesh links.
    pub off_mesh: Vec<OffMeshConnection>,
}

impl Tile {
    /// Returns the number of polygons; in a navmesh it fits in a reference, with at most 20 bits.
    pub(super) fn n_polys(&self) -> u32 {
        u32::try_from(self.polys.len()).unwrap_or(u32::MAX)
    }
}
