//! The product of a bake: tiles of convex polygons, linked to one another. Knows no voxels.
//!
//! # What a navmesh is
//!
//! Walkable ground as convex polygons. An agent shrunk to a point can walk straight between any two points
//! of one polygon, and from a polygon onto those it is *linked* to. So finding a way is a search over few
//! polygons, and the way itself a line through the edges between them: see [`query`](crate::query).
//!
//! | type | what it is |
//! |---|---|
//! | [`Tile`] | polygons of one square of the level, or of one of its layers, as the bake made them; plain data |
//! | [`Poly`] | a polygon: corners, an area (what it is: grass, water) and flags (who may use it) |
//! | [`OffMeshConnection`] | a jump, ladder or door: a polygon of two points that leads from one to the other |
//! | [`NavMesh`] | tiles in a grid, linked |
//! | [`PolyRef`] | the name of a polygon of a mesh; goes stale when its tile is removed |
//! | [`PolyLink`] | a way from a polygon to another, and the edge ([`Portal`]) that it crosses |
//!
//! Polygons know corners only, and can lie a little above or below the ground; the *detail* triangles of a
//! tile ([`DetailPatch`]) follow it closely and say how high a point is.
//!
//! # While a game runs
//!
//! Tiles can be added, removed and replaced ([`NavMesh::add_tile`], [`NavMesh::remove_tile`]), flags and
//! areas changed ([`NavMesh::set_flags`]), saved and restored ([`NavMesh::tile_state`]). A reference to a
//! polygon that is gone is told from one to its successor by a *salt*, so it can be kept and asked about:
//! [`NavMesh::resolve`] answers `None`. Meshes share their tiles when cloned; change one while others are
//! asked.
//!
//! ```
//! use std::sync::Arc;
//! # use walkable::{bake::*, ids::TileCoord, level::*, monitor::Unmonitored};
//! use walkable::navmesh::NavMesh;
//!
//! # let level = generate(LevelKind::Sample, 1, 30.0)?;
//! # let settings = BakeSettings { tile_size: 48, ..BakeSettings::default() };
//! let mut mesh: NavMesh = bake(BakeInput::new(Arc::new(level.mesh), settings), &Unmonitored)?;
//! let place = TileCoord::new(1, 1);
//! let slot = mesh.slot_at(place, 0).expect("the level reaches there");
//! let poly = mesh.poly_ref(slot, 0).expect("the tile has polygons");
//! mesh.set_flags(poly, 0); // no filter lets it pass any more
//!
//! let before = mesh.clone();
//! let tile = mesh.remove_tile(place, 0).expect("it is there");
//! assert!(mesh.resolve(poly).is_none() && before.resolve(poly).is_some());
//! mesh.add_tile(tile)?; // a new tile by reference, in the same slot
//! assert!(mesh.resolve(poly).is_none() && mesh.slot_at(place, 0) == Some(slot));
//! assert_eq!(NavMesh::from_bytes(&mesh.to_bytes())?.stats(), mesh.stats());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Layout, order and arithmetic are those of the C++ library Detour; [`mod@format`] reads and writes its
//! files.

mod border;
mod bv_tree;
mod connect;
pub mod format;
mod graph;
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
mod seams;
mod shared_edge;
mod slots;
mod stats;
mod surface;
#[cfg(test)]
mod tests;
mod tile;
mod validate;

pub(crate) use bv_tree::{QuantizedBox, build_bv_tree};
pub(crate) use graph::{Graph, GraphPoly, Marks};
pub(crate) use link::{INSIDE, Link, WHOLE_EDGE};
pub use link::{PolyLink, Portal};
pub(crate) use mesh::{LiveTile, PolyAt};
pub use mesh::{NavMesh, NavMeshError, NavMeshParams};
pub use poly_ref::{PolyRef, RefLayout};
pub(crate) use revision::Revision;
pub(crate) use shared_edge::SharedEnd;
pub use stats::NavMeshStats;
pub use surface::SurfacePoint;
pub(crate) use surface::preference;
pub use tile::{
    BvNode, DetailPatch, NO_NEIGHBOR, OffMeshConnection, PORTAL_BIT, Poly, PolyKind, Tile,
    TileHeader, VERTS_PER_POLYGON,
};
pub use validate::TileError;
