//! The product of a bake: tiles of convex polygons, linked to one another. Knows no voxels.
//!
//! [`Tile`] is what Detour calls tile data: immutable, one per tile and layer. [`NavMesh`] holds tiles
//! in a grid, links their polygons and hands out [`PolyRef`]s. [`mod@format`] reads and writes both as bytes.

mod border;
mod bv_tree;
mod connect;
pub mod format;
mod in_box;
mod link;
mod mesh;
mod off_mesh;
mod open_vertices;
mod places;
mod poly_ref;
mod revision;
mod run_time;
#[cfg(test)]
pub(crate) mod sample;
mod slots;
mod stats;
mod surface;
#[cfg(test)]
mod tests;
mod tile;
mod validate;

pub(crate) use bv_tree::{QuantizedBox, build_bv_tree};
pub(crate) use link::{INSIDE, Link, WHOLE_EDGE};
pub use link::{PolyLink, Portal};
pub(crate) use mesh::{LiveTile, PolyAt};
pub use mesh::{NavMesh, NavMeshError, NavMeshParams};
pub use poly_ref::{PolyRef, RefLayout};
pub(crate) use revision::Revision;
pub use stats::NavMeshStats;
pub use surface::SurfacePoint;
pub(crate) use surface::preference;
pub use tile::{
    BvNode, DetailPatch, NO_NEIGHBOR, OffMeshConnection, PORTAL_BIT, Poly, PolyKind, Tile,
    TileHeader, VERTS_PER_POLYGON,
};
pub use validate::TileError;
