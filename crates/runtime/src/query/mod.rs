//! Queries on a navmesh, one module each. A query changes nothing but the caller's [`Scratch`].
//!
//! # Finding a path
//!
//! [`find_path`] does what most games need, in three steps that are also available separately:
//!
//! 1. [`nearest`] finds the polygon under (or near) a point of the world: a [`MeshPoint`].
//! 2. [`find_corridor`] searches the sequence of polygons from one end to the other with the lowest cost: the
//!    *corridor*. It is A*, with distances measured between the midpoints of crossed edges. A [`Filter`] says which
//!    polygons may be used and the cost per meter in each area.
//! 3. [`straight_path`] pulls a string through the corridor with the *funnel* algorithm. Its corners are the path.
//!
//! ```
//! # use std::sync::Arc;
//! # use walkable::{bake::*, level::*, monitor::Unmonitored};
//! use walkable::query::{Filter, PathRequest, PathStatus, Scratch, find_path};
//!
//! # let level = generate(LevelKind::Sample, 1, 30.0)?;
//! # let mesh = bake(BakeInput::new(Arc::new(level.mesh), BakeSettings::default()), &Unmonitored)?;
//! # let (start, end) = (level.start, level.end);
//! let mut filter = Filter::default();
//! filter.area_cost[2] = 4.0; // a meter of area 2 costs as much as four of others
//! let mut scratch = Scratch::default(); // memory that the next search uses again
//! let path = find_path(&mesh, &PathRequest::new(start, end, &filter), &mut scratch)?;
//! match path.status {
//!     PathStatus::Complete => assert!(path.length >= start.distance(end)),
//!     PathStatus::Partial | PathStatus::Unreachable => eprintln!("because: {:?}", path.why),
//! }
//! # assert_eq!(path.status, PathStatus::Complete);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The ends of a request may be off the navmesh: the nearest polygon within a box around each is used. A path that
//! cannot reach its end goes as near as possible, and [`NavPath::why`] is the reason. A box of several meters may
//! contain the ground of another story: [`check_ends`] reports ends that were moved farther than the agent reaches. If
//! no polygon is near the end there is no path, unless [`PathRequest::requires_goal`] is off. All points lie on the
//! navmesh, in meters, y up.
//!
//! # Moving agents
//!
//! Paths become stale while agents walk and targets move. A [`PathCorridor`] updates a path step by step:
//!
//! ```
//! # use std::sync::Arc;
//! # use walkable::{bake::*, level::*, monitor::Unmonitored};
//! # use walkable::query::*;
//! # let level = generate(LevelKind::Sample, 1, 30.0)?;
//! # let mesh = bake(BakeInput::new(Arc::new(level.mesh), BakeSettings::default()), &Unmonitored)?;
//! # let (start, end, filter, mut scratch) = (level.start, level.end, Filter::default(), Scratch::default());
//! let path = find_path(&mesh, &PathRequest::new(start, end, &filter), &mut scratch)?;
//! let (Some(start), Some(end)) = (path.start, path.end) else { return Ok(()) };
//! let mut agent = PathCorridor::new(start);
//! agent.set(end.point, &path.corridor);
//! let mut corners = Vec::new();
//! let mut n_steps = 0;
//! while agent.position().distance(end.point) > 0.1 {
//!     agent.corners_into(&mesh, 3, &mut scratch, &mut corners)?;
//!     let Some(next) = corners.first() else { break };
//!     let away = next.position - agent.position();
//!     // A game would steer here, and let agents push each other: the corridor follows.
//!     agent.move_position(&mesh, agent.position() + away.clamp_length_max(0.2), &filter)?;
//!     n_steps += 1;
//! #   assert!(n_steps < 10_000);
//! }
//! assert!(agent.position().distance(end.point) <= 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Multithreading
//!
//! Queries share only the navmesh: give each thread its own [`Scratch`], and reuse the memory of results with the
//! functions that end in `_into`, such as [`find_path_into`]. The second search with the same memory allocates nothing.
//! The first query on a navmesh prepares its polygons, once for all threads; a game that calls
//! [`NavMesh::prepare_queries`](crate::navmesh::NavMesh::prepare_queries) after it loads a navmesh does so earlier.
//!
//! # The form of a query
//!
//! All queries have the form of [`find_path`]:
//!
//! - The signature is `name(&mesh, &NameRequest, &mut Scratch) -> Result<…, QueryError>`. The constructor of a request
//!   takes the required parameters; its other fields are options. Queries that need no memory take no scratch, and
//!   queries about a single polygon take the polygon instead of a request.
//! - If the result owns memory, `name_into` takes an earlier result as its last argument and reuses it.
//! - A [`QueryError`] means that the request is invalid: it has a stale polygon or a number that is not finite, for
//!   example. That no path exists, or that nothing is nearby, is a result.
//! - A place on the navmesh is a [`MeshPoint`]: a point and its polygon.
//! - A [`Scratch`] created by [`Scratch::traced`] records every polygon that the last search expanded, in order. This
//!   is the only way to trace a query.
//!
//! # Other queries
//!
//! | question | function |
//! |---|---|
//! | The shortest path of all, not only through the cheapest corridor | [`find_shortest_path`] ([`polyanya`]) |
//! | The cheapest path across a world of kilometers | [`find_route`], with a [`RouteOverlay`] |
//! | Is the end reachable at all? Known before any search | [`check_reach`], with a [`Reachability`] |
//! | Which parts are there, how large, and which are wanted? | [`islands`], [`prune_islands`] |
//! | From where can this place be reached? The same search from the end | [`PathRequest::backwards`], [`CorridorRequest::backwards`] |
//! | The same search, some polygons per frame | [`SlicedPath`] |
//! | An agent walks, its target moves | [`PathCorridor`] |
//! | Where would an agent set its feet? | [`follow`] |
//! | Many agents with one goal: the paths from everywhere | [`flow_field`] |
//! | How far straight ahead? | [`raycast`] |
//! | A step that slides along walls | [`move_along`] |
//! | How near is a wall, where are they? | [`wall_distance`], [`wall_segments`], [`edge_segments`] |
//! | What is around? | [`polygons_around`], [`polygons_around_shape`], [`local_neighborhood`], [`polygons_in_box`] |
//! | A place to spawn or wander to | [`random_point`], [`random_point_around`] |
//! | How high is the ground, where is the edge? | [`poly_height`], [`closest_point`], [`closest_on_boundary`] |
//! | Is a corridor found earlier still good? | [`is_usable`], [`n_usable`] |
//!
//! # Exactness
//!
//! Results equal those of the C++ library Detour to the last bit: same order of visits, same rounding, same ties; only
//! [`polyanya`], [`Reachability`], [`islands`], flow fields and searches from the end go beyond Detour. [`SearchRules`]
//! enables other improvements and documents the effect of each on the corridor. `Differs:` in the docs of an item marks
//! intentional differences.

mod around_circle;
mod around_shape;
mod as_list;
mod backwards;
mod best_first;
mod corridor;
mod corridor_outcome;
pub mod count_format;
mod dijkstra;
mod edges;
mod error;
mod filter;
mod flow_field;
mod follow;
mod islands;
mod islands_in_parts;
mod local;
mod mesh_point;
mod move_along;
mod nav_path;
mod nearest;
mod node;
mod path;
mod path_corridor;
mod path_point;
mod path_reach;
pub mod polyanya;
mod random;
mod raycast;
mod reach;
mod route;
mod rules;
mod scratch;
mod search_rules;
mod sliced;
mod snap;
mod straight_path;
mod surface;
#[cfg(test)]
mod tests;
mod trace;
mod validity;
mod wall_distance;
mod why;

pub use around_circle::{
    PolygonsAroundRequest, ReachedPoly, ReachedPolygons, polygons_around, polygons_around_into,
};
pub use around_shape::{
    PolygonsAroundShapeRequest, polygons_around_shape, polygons_around_shape_into,
};
pub use corridor::{CorridorRequest, find_corridor, find_corridor_into};
pub(crate) use corridor_outcome::CorridorOutcome;
pub use corridor_outcome::{Corridor, HeldBack};
pub use edges::{
    EdgeSegment, edge_segments, edge_segments_into, wall_segments, wall_segments_into,
};
pub use error::QueryError;
pub use filter::Filter;
pub use flow_field::{
    FlowAgent, FlowField, FlowFieldRequest, FlowSample, FlowStep, FlowUpdate, flow_field,
    flow_field_into, update_flow_field,
};
pub use follow::{
    FollowRequest, FollowedPath, Footing, Footprint, Strides, WalkEnd, follow, follow_into,
};
pub use islands::{Island, IslandRule, Pruning, islands, prune_islands};
pub use islands_in_parts::{IslandParts, PartIsland};
pub(crate) use local::first_of_neighborhood;
pub use local::{
    LocalNeighborhoodRequest, NeighborPoly, local_neighborhood, local_neighborhood_into,
};
pub use mesh_point::MeshPoint;
pub use move_along::{MoveAlongRequest, SurfaceMove, move_along, move_along_into};
pub use nav_path::{Expansion, NavPath, PathRequest, PathStatus, WhyNot};
pub use nearest::{
    NearestRequest, PolygonsInBoxRequest, nearest, polygons_in_box, polygons_in_box_into,
};
pub use path::{find_path, find_path_into};
pub use path_corridor::{CorridorBounds, PathCorridor};
pub use path_point::{Crossings, PathPoint, PointKind};
pub use path_reach::{PathReach, check_reach};
pub use polyanya::on_navmesh::{find_shortest_path, find_shortest_path_into};
pub use random::{
    RandomPointAroundRequest, RandomPointRequest, Seeded, TileChoice, random_point,
    random_point_around,
};
pub use raycast::{RayHit, Raycast, RaycastRequest, raycast, raycast_into};
pub use reach::Reachability;
pub use route::{
    Route, RouteCluster, RouteCrossing, RouteFileError, RouteOverlay, RouteRequest, RouteUpdate,
    SearchedCell, find_route, find_route_path, nearest_reachable, route_corridor,
};
pub use scratch::Scratch;
pub use search_rules::{LinkSides, SearchRules};
pub use sliced::{SearchNode, Shortcuts, SlicedPath, SlicedRequest, SlicedState};
pub use snap::{Snap, check_ends};
pub use straight_path::{StraightPathRequest, straight_path, straight_path_into};
pub use surface::{closest_on_boundary, closest_point, poly_height};
pub use validity::{is_usable, n_usable};
pub use wall_distance::{WallDistanceRequest, WallHit, wall_distance};

/// The default maximum number of nodes of a search, which is Detour's limit.
pub const MAX_NODES: usize = 65_535;
