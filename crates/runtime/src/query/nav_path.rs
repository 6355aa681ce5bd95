//! What is asked of a path search, and what it answers.

use std::fmt;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Filter, NearestRequest};
use crate::navmesh::{PolyRef, Portal};

/// From where to where, and how.
#[derive(Clone, Copy, Debug)]
pub struct PathRequest<'a> {
    /// Start, anywhere near the mesh.
    pub start: Vec3,
    /// End, anywhere near the mesh.
    pub end: Vec3,
    /// Half the box in which the nearest polygon of an end is sought, in meters.
    pub half_extents: Vec3,
    /// What may be used.
    pub filter: &'a Filter,
    /// Most nodes the search may use.
    pub max_nodes: usize,
    /// Whether the corridor is searched from the end, see
    /// [`CorridorRequest::backwards`](super::CorridorRequest::backwards). Off by default.
    pub backwards: bool,
    /// Whether what the search makes for must be near the mesh: the end or, searched backwards, the start. On
    /// by default, as without a goal all that can be reached is looked at. Off, the path leads as near to the end
    /// as it can (begins as near to the start as it can), is partial, and says why.
    pub requires_goal: bool,
}

impl<'a> PathRequest<'a> {
    /// From `start` to `end` with what games usually ask for: polygons within 2 m to the side and
    /// 4 m up and down, as many nodes as Detour can have, searched from the start, the end on the mesh.
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

/// A point on the navmesh with the polygon it lies on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshPoint {
    /// The polygon.
    #[serde(rename = "ref")]
    pub poly: PolyRef,
    /// The point on it.
    pub point: Vec3,
}

/// How far a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PathStatus {
    /// To the end.
    Complete,
    /// To the reachable polygon nearest to the end; searched backwards, from the polygon nearest to the
    /// start from which the end can be reached.
    Partial,
    /// Nowhere.
    Unreachable,
}

/// Why a path is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WhyNot {
    /// No polygon is near the start.
    StartOffMesh,
    /// No polygon is near the end.
    EndOffMesh,
    /// Polygons are near the start, but the filter lets none of them pass.
    StartFiltered,
    /// Polygons are near the end, but the filter lets none of them pass.
    EndFiltered,
    /// Start and end lie on parts of the mesh that nothing connects.
    Disconnected,
    /// Only off-mesh links lead from one to the other, and they lead from the end to the start.
    OneWay,
    /// Start and end are connected, but the filter does not let pass what lies between.
    Filtered,
    /// The search used all its nodes.
    NodeLimit,
    /// Every way costs more than the filter's rules allow.
    CostLimit,
    /// The search expanded as many polygons as the filter's rules allow.
    LoopBound,
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StartOffMesh => "no polygon is near the start",
            Self::EndOffMesh => "no polygon is near the end",
            Self::StartFiltered => "the filter lets no polygon near the start pass",
            Self::EndFiltered => "the filter lets no polygon near the end pass",
            Self::Disconnected => "nothing connects start and end",
            Self::OneWay => "off-mesh links lead from the end to the start only",
            Self::Filtered => "the filter does not let pass what lies between",
            Self::NodeLimit => "the search used all its nodes",
            Self::CostLimit => "every way costs more than allowed",
            Self::LoopBound => "the search expanded as many polygons as allowed",
        })
    }
}

/// A node that the search took from its open list, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expansion {
    /// The polygon.
    pub poly: PolyRef,
    /// Where it was entered; searched backwards, where it is left.
    pub position: Vec3,
    /// Cost so far; searched backwards, cost from there to the end.
    pub g: f32,
    /// Estimated cost of the whole path.
    pub f: f32,
    /// Index in the list of the node it was reached from.
    pub parent: Option<u32>,
    /// Which node of the polygon it is: a corridor's search has one for each pair of tile borders over
    /// which a polygon is entered. 0 inside a tile and in other searches.
    pub state: u8,
}

impl Expansion {
    /// What the search expected of the way from there to the end; 0 in searches without an end.
    pub fn h(&self) -> f32 {
        self.f - self.g
    }
}

/// Answer to a [`PathRequest`].
#[derive(Clone, Debug)]
pub struct NavPath {
    /// How far it leads.
    pub status: PathStatus,
    /// Why it is not complete.
    pub why: Option<WhyNot>,
    /// Start on the mesh.
    pub start: Option<MeshPoint>,
    /// End on the mesh.
    pub end: Option<MeshPoint>,
    /// Polygons to pass, from start to end.
    pub corridor: Vec<PolyRef>,
    /// Edges between them: one less than polygons.
    pub portals: Vec<Portal>,
    /// The shortest line through the corridor, from corner to corner.
    pub points: Vec<Vec3>,
    /// Length of `points`, in meters.
    pub length: f32,
    /// Cost that the search found; see [`find_corridor`](super::find_corridor) for what it measures.
    pub cost: f32,
    /// Nodes taken from the open list.
    pub n_expanded: usize,
}

impl NavPath {
    /// The answer where nothing was found, with no memory of its own.
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

    /// Forgets everything but the memory.
    pub(super) fn clear(&mut self) {
        let Self { mut corridor, mut portals, mut points, .. } =
            std::mem::replace(self, Self::unreachable());
        corridor.clear();
        portals.clear();
        points.clear();
        *self = Self { corridor, portals, points, ..Self::unreachable() };
    }
}
