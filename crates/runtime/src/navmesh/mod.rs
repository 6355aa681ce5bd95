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
//! Lengths are meters; x and z span the ground, y is up. Corners of a polygon go from +z towards +x around its
//! middle. The agent's radius is already taken off the ground, so paths may touch the edges of polygons.
//!
//! # Words
//!
//! - A tile has a *place*, column and row in the grid, and a *layer* where several lie above one another, as
//!   floors do. While it is in a mesh it also has a *slot*, a small number that the next tile gets once
//!   it is gone. Most functions name tiles by slot, those that add and remove them by place and layer.
//! - A *reference* ([`PolyRef`]) is a slot, a polygon's index in the tile, and a salt (below), in 32 bits. Meshes
//!   of very many tiles or polygons need 64: [`NavMesh::with_width`].
//! - A *border* is a side of a tile. Edges there know the side only; which polygons of the neighbor they touch
//!   is found when both tiles are in a mesh.
//! - An *area* (0 to 63) says what ground is, and a query's filter what a meter of it costs; *flags* are sixteen
//!   bits with which a filter shuts polygons out: doors, water for those who cannot swim.
//!
//! A file is read whole with [`NavMesh::from_bytes`]. All polygons of a mesh, and where each leads:
//!
//! ```
//! # use std::sync::Arc;
//! # use walkable::{bake::*, level::*, monitor::Unmonitored, navmesh::NavMesh};
//! # let level = generate(LevelKind::Sample, 1, 30.0)?;
//! # let mesh = bake(BakeInput::new(Arc::new(level.mesh), BakeSettings::default()), &Unmonitored)?;
//! # let bytes = mesh.to_bytes();
//! let mesh = NavMesh::from_bytes(&bytes)?;
//! for (slot, tile) in mesh.slots() {
//!     for (index, poly) in tile.polys.iter().enumerate() {
//!         let corners = tile.corners(poly);
//!         let name = mesh.poly_ref(slot, index).expect("it is there");
//!         for link in mesh.links(name) {
//!             assert!(corners.len() >= 2 && mesh.resolve(link.to).is_some());
//!         }
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # While a game runs
//!
//! Tiles can be added, removed and replaced ([`NavMesh::add_tile`], [`NavMesh::remove_tile`]), flags and
//! areas changed ([`NavMesh::set_flags`]), saved and restored ([`NavMesh::tile_state`]). A reference to a
//! polygon that is gone is told from one to its successor by a *salt*, so it can be kept and asked about:
//! [`NavMesh::resolve`] answers `None`. Meshes share their tiles when cloned; change one while others are
//! asked. Any number of threads may ask one mesh at once.
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

mod arrivals;
mod border;
mod connect;
mod flagless;
pub mod format;
mod graph;
mod in_box;
mod incoming;
mod link;
mod live_tile;
mod loaded;
mod memory;
mod mesh;
mod of_tiles;
mod off_mesh;
mod open_vertices;
mod outline;
mod outlines;
mod params;
mod places;
mod poly_ref;
mod ref_width;
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
mod tile_place;
mod validate;
mod world;

pub(crate) use border::opposite;
pub use flagless::polygons_without_flags;
pub(crate) use graph::{Graph, GraphPoly, Marks, Portals};
pub(crate) use incoming::IncomingLink;
pub(crate) use link::{INSIDE, Link, WHOLE_EDGE};
pub use link::{PolyLink, Portal};
pub(crate) use live_tile::LiveTile;
pub use mesh::NavMesh;
pub(crate) use mesh::{Numbers, PolyAt};
pub(crate) use outline::{Behind, Outline};
pub use params::{NavMeshError, NavMeshParams};
pub use poly_ref::{PolyRef, RefLayout, bits_for};
use ref_width::RefWidth;
pub(crate) use revision::Revision;
pub(crate) use shared_edge::SharedEnd;
pub use stats::NavMeshStats;
pub use surface::SurfacePoint;
pub(crate) use surface::preference;
pub use tile::{
    BvNode, DetailPatch, NO_NEIGHBOR, OffMeshConnection, PORTAL_BIT, Poly, PolyKind, Tile,
    TileHeader, VERTS_PER_POLYGON,
};
pub use tile_place::TilePlace;
pub use validate::TileError;
pub(crate) use world::World;
