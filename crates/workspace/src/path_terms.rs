//! The input of a path search: ends, options and method.

use std::time::Duration;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    navmesh::NavMesh,
    query::{Filter, NavPath, PathRequest, QueryError, Scratch, find_path, find_shortest_path},
};
use web_time::Instant;

use crate::lang::tr;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// A* over polygons, then string pulling, like Detour.
    #[default]
    Detour,
    /// The shortest any-angle path.
    Polyanya,
}

impl Method {
    pub const ALL: [Self; 2] = [Self::Detour, Self::Polyanya];

    pub fn name(self) -> &'static str {
        match self {
            Self::Detour => tr!("Detour A*"),
            Self::Polyanya => tr!("Polyanya"),
        }
    }

    pub fn what(self) -> &'static str {
        match self {
            Self::Detour => {
                tr!("A* over polygons, then the funnel: a good path that respects area costs")
            }
            Self::Polyanya => {
                tr!("The shortest path in any direction. All areas must cost the same")
            }
        }
    }

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Detour => Self::Polyanya,
            Self::Polyanya => Self::Detour,
        }
    }

    /// Runs the query and measures its time; returns `None` if the request is refused, for example because the method
    /// does not support the area costs.
    pub fn ask(
        self,
        navmesh: &NavMesh,
        request: &PathRequest<'_>,
        scratch: &mut Scratch,
    ) -> Option<(NavPath, Duration)> {
        let clock = Instant::now();
        let path = self.search(navmesh, request, scratch).ok()?;
        Some((path, clock.elapsed()))
    }

    pub fn search(
        self,
        navmesh: &NavMesh,
        request: &PathRequest<'_>,
        scratch: &mut Scratch,
    ) -> Result<NavPath, QueryError> {
        match self {
            Self::Detour => find_path(navmesh, request, scratch),
            Self::Polyanya => find_shortest_path(navmesh, request, scratch),
        }
    }
}

/// The input of a path search: equal terms give equal paths on the same navmesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathTerms {
    pub ends: [Vec3; 2],
    pub filter: Filter,
    /// Half-extents of the search for the ends' polygons, in meters.
    pub half_extents: Vec3,
    #[serde(with = "walkable::query::count_format")]
    pub max_nodes: usize,
    pub method: Method,
    pub backwards: bool,
    /// Whether the goal of the search must be on the navmesh: see [`PathRequest::requires_goal`].
    pub requires_goal: bool,
}

impl PathTerms {
    pub fn new(ends: [Vec3; 2]) -> Self {
        let filter = Filter::default();
        let &PathRequest { half_extents, max_nodes, backwards, requires_goal, .. } =
            &PathRequest::new(ends[0], ends[1], &filter);
        let method = Method::default();
        Self { ends, filter, half_extents, max_nodes, method, backwards, requires_goal }
    }

    pub fn request(&self) -> PathRequest<'_> {
        let [start, end] = self.ends;
        PathRequest {
            half_extents: self.half_extents,
            max_nodes: self.max_nodes,
            backwards: self.backwards,
            requires_goal: self.requires_goal,
            ..PathRequest::new(start, end, &self.filter)
        }
    }

    pub fn search(
        &self,
        navmesh: &NavMesh,
        request: &PathRequest<'_>,
    ) -> Result<NavPath, QueryError> {
        self.method.search(navmesh, request, &mut Scratch::default())
    }
}
