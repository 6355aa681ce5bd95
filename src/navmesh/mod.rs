//! The product of a bake: tiles of convex polygons, linked to one another. Knows no voxels.
//!
//! [`Tile`] is what Detour calls tile data: immutable, one per tile and layer. [`NavMesh`] holds tiles
//! in a grid, links their polygons and hands out [`PolyRef`]s. [`format`] reads and writes both as bytes.

mod bv_tree;
pub mod format;
mod mesh;
mod poly_ref;
mod tile;
mod validate;

pub use mesh::{NavMesh, NavMeshError, NavMeshParams};
pub use poly_ref::{PolyRef, RefLayout};
pub use tile::{
    BvNode, DetailPatch, NO_NEIGHBOR, OffMeshConnection, PORTAL_BIT, Poly, PolyKind, Tile,
    TileHeader, VERTS_PER_POLYGON,
};
pub use validate::TileError;
