//! Requests and results of path searches.

use std::fmt;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Filter, MeshPoint, NearestRequest};
use crate::{
    diagnostic::Phrase,
    navmesh::{PolyRef, Portal},
    phrase,
};

/// Parameters of [`find_path`](super::find_path) and [`find_shortest_path`](super::find_shortest_path).
#[derive(Clone, Copy, Debug)]
pub struct PathRequest<'a> {
    /// Start, anywhere near the mesh.
    pub start: Vec3,
    /// End, anywhere near the mesh.
    pub end: Vec3,
    /// Half-extents of the search for the nearest polygon of each end, in meters.
    pub half_extents: Vec3,
    /// The polygons that may be used, and their costs.
    pub filter: &'a Filter,
    /// Maximum number of nodes of the search.
    pub max_nodes: usize,
    /// Whether the corridor is searched from the end, see
    /// [`CorridorRequest::backwards`](super::CorridorRequest::backwards). Off by default.
    pub backwards: bool,
    /// Whether the goal of the search must be near the navmesh: the end or, searched backwards, the start. On by
    /// default, because without a goal the whole reachable navmesh is searched. If it is off and the goal is far from
    /// the navmesh, the path leads as near to the end as possible (or begins as near to the start as possible), is
    /// partial, and has a reason.
    pub requires_goal: bool,
}

impl<'a> PathRequest<'a> {
    /// Requests a path from `start` to `end` with the usual parameters: polygons within 2 m horizontally and 4 m
    /// vertically, Detour's maximum number of nodes, a search from the start, and an end that must be on the navmesh.
    pub fn new(start: Vec3, end: Vec3, filter: &'a Filter) -> Self {
        Self {
            start,
            end,
            half_extents: NearestRequest::HALF_EXTENTS,
            filter,
            max_nodes: super::MAX_NODES,
            backwards: false,
            requires_goal: true,
        }
    }
}

/// The extent of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PathStatus {
    /// The path reaches the end.
    Complete,
    /// The path leads to the reachable polygon nearest to the end; searched backwards, it starts at the polygon
    /// nearest to the start from which the end can be reached.
    Partial,
    /// There is no path.
    Unreachable,
}

/// Why a path is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WhyNot {
    /// No polygon is near the start.
    StartOffMesh,
    /// No polygon is near the end.
    EndOffMesh,
    /// There are polygons near the start, but the filter rejects all of them.
    StartFiltered,
    /// There are polygons near the end, but the filter rejects all of them.
    EndFiltered,
    /// No polygon that the filter accepts is near the start, but not all tiles there are loaded.
    StartNotLoaded,
    /// No polygon that the filter accepts is near the end, but not all tiles there are loaded.
    EndNotLoaded,
    /// The loaded tiles do not connect start and end, but the search reached a tile next to one that is not loaded.
    NotLoaded,
    /// Start and end lie on parts of the navmesh that are not connected.
    Disconnected,
    /// Only one-way off-mesh links connect start and end, and they lead from the end to the start.
    OneWay,
    /// Start and end are connected, but the filter rejects polygons in between.
    Filtered,
    /// The search reached its node limit.
    NodeLimit,
    /// Every path exceeds the cost limit of the filter's rules.
    CostLimit,
    /// The search reached the expansion limit of the filter's rules.
    LoopBound,
}

impl WhyNot {
    /// Returns one clause for users.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::StartOffMesh => phrase!("no polygon is near the start"),
            Self::EndOffMesh => phrase!("no polygon is near the end"),
            Self::StartFiltered => phrase!("the filter excludes every polygon near the start"),
            Self::EndFiltered => phrase!("the filter excludes every polygon near the end"),
            Self::StartNotLoaded => phrase!("tiles near the start are not loaded"),
            Self::EndNotLoaded => phrase!("tiles near the end are not loaded"),
            Self::NotLoaded => phrase!("the way may lead through tiles that are not loaded"),
            Self::Disconnected => phrase!("nothing connects start and end"),
            Self::OneWay => phrase!("off-mesh links lead only from the end to the start"),
            Self::Filtered => phrase!("the filter excludes the polygons in between"),
            Self::NodeLimit => phrase!("the search used all its nodes"),
            Self::CostLimit => phrase!("every path costs more than allowed"),
            Self::LoopBound => phrase!("the search reached its limit of expanded polygons"),
        }
    }
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

/// A node that the search took from its open list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expansion {
    /// The polygon.
    pub poly: PolyRef,
    /// The point where it was entered; searched backwards, the point where it is left.
    pub position: Vec3,
    /// Cost so far; searched backwards, cost from that point to the end.
    pub g: f32,
    /// Estimated cost of the whole path.
    pub f: f32,
    /// Index of the node's parent in the list of expansions.
    pub parent: Option<u32>,
    /// Distinguishes nodes of the same polygon: a corridor search has one for each pair of tile borders over which a
    /// polygon is entered. It is 0 inside a tile and in other searches.
    pub state: u8,
}

impl Expansion {
    /// Returns the heuristic from that point to the end; 0 in searches without an end.
    pub fn h(&self) -> f32 {
        self.f - self.g
    }
}

/// The result of a [`PathRequest`].
#[derive(Clone, Debug)]
pub struct NavPath {
    /// The extent of the path.
    pub status: PathStatus,
    /// The reason if the path is not complete.
    pub why: Option<WhyNot>,
    /// Start on the navmesh.
    pub start: Option<MeshPoint>,
    /// End on the navmesh.
    pub end: Option<MeshPoint>,
    /// Polygons to pass, from start to end.
    pub corridor: Vec<PolyRef>,
    /// Portals between the polygons: one less than polygons.
    pub portals: Vec<Portal>,
    /// Corners of the shortest line through the corridor.
    pub points: Vec<Vec3>,
    /// Length of `points`, in meters.
    pub length: f32,
    /// Cost of the corridor; see [`find_corridor`](super::find_corridor) for how it is measured.
    pub cost: f32,
    /// Number of nodes taken from the open list.
    pub n_expanded: usize,
}

impl NavPath {
    /// Returns the result if there is no path; allocates nothing.
    pub fn unreachable() -> Self {
        Self {
            status: PathStatus::Unreachable,
            why: None,
            start: None,
            end: None,
            corridor: Vec::new(),
            portals: Vec::new(),
            points: Vec::new(),
            length: 0.0,
            cost: 0.0,
            n_expanded: 0,
        }
    }

    /// Clears the result but keeps its allocations.
    pub(super) fn clear(&mut self) {
        let Self { mut corridor, mut portals, mut points, .. } =
            std::mem::replace(self, Self::unreachable());
        corridor.clear();
        portals.clear();
        points.clear();
        *self = Self { corridor, portals, points, ..Self::unreachable() };
    }
}
