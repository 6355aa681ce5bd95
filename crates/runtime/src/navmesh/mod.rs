//! The product of a bake: tiles of convex polygons, linked to one another. Knows no voxels.
//!
//! # What a navmesh is
//!
//! Walkable ground as convex polygons. An agent can walk straight between any two points of a polygon, and from a
//! polygon to those it is *linked* to. Finding a path is a search over polygons; the path is a line through the edges
//! between them: see [`query`](crate::query).
//!
//! | type | what it is |
//! |---|---|
//! | [`Tile`] | the polygons of one square of the level, or of one layer of it, as baked; plain data |
//! | [`Poly`] | a polygon: corners, an area (such as grass or water) and flags (which agents may use it) |
//! | [`OffMeshConnection`] | a jump, ladder or door: a polygon of two points, from one to the other |
//! | [`NavMesh`] | tiles in a grid, linked |
//! | [`PolyRef`] | a reference to a polygon of a navmesh; stale once its tile is removed |
//! | [`PolyLink`] | a link from a polygon to another, and the edge ([`Portal`]) that it crosses |
//!
//! Polygons can lie a little above or below the ground. The *detail* triangles of a tile ([`DetailPatch`]) follow the
//! ground closely and give the height of a point.
//!
//! Lengths are in meters; y is up. The corners of a polygon are ordered from +z toward +x around its center. The
//! ground is already eroded by the agent's radius, so paths may touch the edges of polygons.
//!
//! # Terms
//!
//! - A tile has a *coordinate*, its column and row in the grid, and a *layer* where several tiles lie above one
//!   another, such as floors. A tile of a navmesh also has a *slot*, a small number that is reused once the tile is
//!   removed. Most functions take slots; those that add and remove tiles take a coordinate and a layer.
//! - A *reference* ([`PolyRef`]) consists of a slot, the polygon's index in the tile, and a salt (see below), in 32
//!   bits. Navmeshes of very many tiles or polygons need 64 bits: [`NavMesh::with_width`].
//! - A *border* is a side of a tile. Edges on it store the side only; they are linked to polygons of the neighbor when
//!   both tiles are in a navmesh.
//! - An *area* (0 to 63) is the kind of ground; a query's filter has a cost per meter for each. *Flags* are sixteen
//!   bits by which a filter rejects polygons, such as closed doors, or water for agents that cannot swim.
//!
//! [`NavMesh::from_bytes`] reads a file. This visits all polygons of a navmesh and the links of each:
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
//! # Changes at run time
//!
//! Tiles can be added, removed and replaced ([`NavMesh::add_tile`], [`NavMesh::remove_tile`]). Flags and areas can be
//! changed ([`NavMesh::set_flags`]), saved and restored ([`NavMesh::tile_state`]). The *salt* of a slot changes when
//! its tile is removed, so [`NavMesh::resolve`] returns `None` for references to its former polygons. Clones of a
//! navmesh share their tiles: one can be changed while threads search another. Any number of threads can search the
//! same navmesh.
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
//! Layout, order and arithmetic are those of the C++ library Detour; [`mod@format`] reads and writes its files.

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
pub use flagless::{FlaglessPolygons, polygons_without_flags};
pub(crate) use graph::{Graph, GraphPoly, Marks, Portals};
pub(crate) use incoming::IncomingLink;
pub(crate) use link::{INSIDE, Link, WHOLE_EDGE, for_each_with_first};
pub use link::{PolyLink, Portal};
pub(crate) use live_tile::LiveTile;
pub use mesh::NavMesh;
pub(crate) use mesh::PolyAt;
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
pub use tile_place::{TilePlace, TilePoly};
pub use validate::TileError;
pub(crate) use world::World;
