//! Polyanya: the shortest path over convex polygons, in any direction, exactly.
//!
//! A node of the search is the part of an edge that is visible from the last turn of a path: an interval of the edge
//! and a root. All points of the interval are reached from the root in a straight line, so the length of the path to
//! each of them is known. So is the minimum length of a path that passes the interval: it is straight to the end, or
//! turns at an end of the interval. Behind the edge is a convex polygon. Its other edges, as far as they are visible
//! through the interval, are the successors; at an end of the interval that is a corner of the walkable space, the path
//! may turn to reach the rest. Nodes are expanded by the minimum length of a path over them, so the first node in the
//! polygon of the end is on a shortest path.
//!
//! As in the paper, a node whose root was reached by a shorter path is dropped, a single successor is expanded at once,
//! and polygons without another exit are not entered.
//!
//! The search needs only the interface [`Polygons`] of a surface: [`PolygonMesh`] is a surface read from files, and the
//! floors of a [`NavMesh`](crate::navmesh::NavMesh) are another.
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
