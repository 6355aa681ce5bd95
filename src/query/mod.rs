//! Questions to a navmesh, one file each. A query changes nothing but the caller's [`Scratch`].
//!
//! All answers are those of Detour, to the last bit: same order of visits, same rounding, same ties.
//! Only [`polyanya`] is beyond Detour.

mod around_circle;
mod around_shape;
mod corridor;
mod dijkstra;
mod edges;
mod error;
mod filter;
mod local;
mod move_along;
mod nearest;
mod path;
mod path_corridor;
pub mod polyanya;
mod random;
mod raycast;
mod reach;
mod rules;
mod scratch;
mod sliced;
mod straight_path;
mod surface;
#[cfg(test)]
mod tests;
mod trace;
mod validity;
mod wall_distance;
mod why;

pub use around_circle::{Reached, polygons_around};
pub use around_shape::polygons_around_shape;
pub use corridor::{CorridorOutcome, HeldBack, find_corridor};
pub use edges::{EdgeSegment, edge_segments, wall_segments};
pub use error::QueryError;
pub use filter::Filter;
pub use local::{Neighbor, local_neighborhood};
pub use move_along::move_along;
pub use nearest::{nearest, polygons_in_box};
pub use path::{
    Expansion, NavPath, PathEnd, PathRequest, PathStatus, WhyNot, find_path, find_path_into,
};
pub use path_corridor::PathCorridor;
pub use polyanya::{find_shortest_path, find_shortest_path_into};
pub use random::{Seeded, TileChoice, random_point, random_point_around};
pub use raycast::{RayHit, raycast};
pub use reach::Reachability;
pub use rules::{LinkSides, SearchRules};
pub use scratch::Scratch;
pub use sliced::{Shortcuts, SlicedPath, SlicedState};
pub use straight_path::{Crossings, PathPoint, PointKind, straight_path};
pub use surface::{closest_on_boundary, closest_point, poly_height};
pub use validity::{is_usable, n_usable};
pub use wall_distance::{WallHit, wall_distance};

pub use crate::navmesh::Portal;

/// Most nodes that a search uses unless told otherwise; the most that Detour can.
pub const MAX_NODES: usize = 65_535;
