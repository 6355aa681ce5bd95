//! Polyanya: the shortest path over convex polygons, in any direction, exactly.
//!
//! A node of the search is not a polygon but what is seen of an edge from the last turn of a way: an
//! interval of the edge and a root. All points of the interval are reached from the root in a straight
//! line, so the length of the way to any of them is known, and so is the least length of a path that
//! passes the interval: straight to the end, or bent at an end of the interval. Behind the edge lies a
//! convex polygon; what is seen of its other edges through the interval are the next nodes, and at an
//! end of the interval that is a corner of the walkable space the way may turn to reach the rest.
//! Nodes are expanded by the least length of a path over them, so the first that lies in the end's
//! polygon is on a shortest path.
//!
//! Kept from the paper: a node whose root was reached by a shorter way is dropped; while there is only
//! one successor it is expanded at once; polygons without another way out are not entered.
//!
//! The search asks a surface for little, see [`Polygons`]: [`PolygonMesh`] is one read from files, and
//! the floors of a [`NavMesh`](crate::navmesh::NavMesh) are another.
//!
//! Source: Cui, Harabor, Grastien, "Compromise-free pathfinding on a navigation mesh", IJCAI 2017.

mod cone;
mod floors;
mod locate;
mod memory;
pub(super) mod on_navmesh;
mod polygon_mesh;
mod read_mesh;
mod roots;
mod search;
mod surface;
mod taut;

pub(super) use memory::Memory;
pub use polygon_mesh::PolygonMesh;
pub use read_mesh::PolygonMeshError;
pub use search::{
    PlaneExpansion, PlaneOutcome, PlanePath, PlaneRequest, PlaneScratch, shortest_in_plane,
    shortest_in_plane_into,
};
pub use surface::{Gate, GateEnd, PlaneCorner, PlanePoint, Polygons};
pub use taut::taut_in_plane;
