use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::geom::Aabb;

/// Most corners of a polygon in tile data.
pub const VERTS_PER_POLYGON: usize = 6;
/// Neighbor value of an edge with nothing across it.
pub const NO_NEIGHBOR: u16 = 0;
/// Bit of a neighbor value that marks an edge on the tile's border; the low bits name the side.
pub const PORTAL_BIT: u16 = 0x8000;

/// Whether a polygon is ground or a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PolyKind {
    /// Convex ground.
    Ground,
    /// Off-mesh connection with two vertices.
    OffMesh,
}

/// A polygon of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Poly {
    /// Corner indices; the first `n_vertices` count.
    pub vertices: [u16; VERTS_PER_POLYGON],
    /// Per edge: [`NO_NEIGHBOR`], a polygon index plus one, or [`PORTAL_BIT`] with the side.
    pub neighbors: [u16; VERTS_PER_POLYGON],
    /// What the game lets pass; see [`Filter`](crate::query::Filter).
    pub flags: u16,
    /// Number of corners.
    pub n_vertices: u8,
    /// Area, 0 to 63.
    pub area: u8,
    /// Ground or connection.
    pub kind: PolyKind,
}

impl Poly {
    /// Corner indices.
    pub fn vertices(&self) -> &[u16] {
        &self.vertices[..usize::from(self.n_vertices)]
    }

    /// The edges, in order, whose neighbor values are as asked. All are looked at before anything branches.
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

/// Range of detail vertices and triangles of one polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetailPatch {
    /// First of its own vertices in [`Tile::detail_vertices`]; the polygon's corners are not repeated.
    pub first_vertex: u32,
    /// First triangle in [`Tile::detail_triangles`].
    pub first_triangle: u32,
    /// Number of own vertices.
    pub n_vertices: u8,
    /// Number of triangles.
    pub n_triangles: u8,
}

/// Node of the bounding volume tree, in cells of `1 / bv_quant_factor` meters from the tile's minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BvNode {
    /// Smallest corner.
    pub min: [u16; 3],
    /// Largest corner.
    pub max: [u16; 3],
    /// Polygon index of a leaf; negative: minus the number of nodes to skip when the box is missed.
    pub index: i32,
}

/// An off-mesh connection of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OffMeshConnection {
    /// Start and end as given, before they are moved onto the ground.
    pub ends: [Vec3; 2],
    /// How far from an end the ground may be.
    pub radius: f32,
    /// Index of its polygon.
    pub poly: u16,
    /// Bit 0: can be taken both ways.
    pub flags: u8,
    /// Side of the tile on which the end lies; 0xff inside.
    pub side: u8,
    /// The number by which a game knows it.
    pub user_id: u32,
}

/// What tile data says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileHeader {
    /// Column in the tile grid.
    pub x: i32,
    /// Row in the tile grid.
    pub z: i32,
    /// Layer at that place.
    pub layer: i32,
    /// Free number of the game.
    pub user_id: u32,
    /// Links Detour makes room for.
    pub max_link_count: u32,
    /// Index of the first off-mesh polygon; the number of ground polygons.
    pub off_mesh_base: u32,
    /// Agent height, in meters.
    pub walkable_height: f32,
    /// Agent radius, in meters.
    pub walkable_radius: f32,
    /// Agent climb, in meters.
    pub walkable_climb: f32,
    /// Box of the tile.
    pub bounds: Aabb,
    /// Cells per meter of the bounding volume tree.
    pub bv_quant_factor: f32,
}

/// Navigation data of one tile, as Detour stores it.
///
/// Invariants: every index is in range; `detail_patches` has one entry per ground polygon; polygons
/// from `header.off_mesh_base` on are off-mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tile {
    /// Sizes and place.
    pub header: TileHeader,
    /// Corners of polygons, then ends of off-mesh links.
    pub vertices: Vec<Vec3>,
    /// Ground polygons, then off-mesh ones.
    pub polys: Vec<Poly>,
    /// Detail of each ground polygon.
    pub detail_patches: Vec<DetailPatch>,
    /// Vertices that detail adds to polygons.
    pub detail_vertices: Vec<Vec3>,
    /// Triangles over a polygon's corners and its own detail vertices; the fourth byte holds two
    /// bits per edge, 1 where the edge lies on the polygon's boundary.
    pub detail_triangles: Vec<[u8; 4]>,
    /// Bounding volume tree over the ground polygons, empty where there is none.
    pub bv_nodes: Vec<BvNode>,
    /// Off-mesh links.
    pub off_mesh: Vec<OffMeshConnection>,
}

impl Tile {
    /// Number of polygons, which a reference of at most 20 bits can name in a tile that is in a mesh.
    pub(super) fn n_polys(&self) -> u32 {
        u32::try_from(self.polys.len()).unwrap_or(u32::MAX)
    }
}
