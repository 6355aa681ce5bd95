use glam::Vec3;
use serde::Serialize;

use crate::{
    navmesh::{NavMesh, PolyRef, Portal},
    query::{Filter, Scratch},
};

/// From where to where, and how.
#[derive(Clone, Debug)]
pub struct PathRequest<'a> {
    /// Start, anywhere near the mesh.
    pub start: Vec3,
    /// End, anywhere near the mesh.
    pub end: Vec3,
    /// Half the box in which the nearest polygon of an end is sought, in metres.
    pub half_extents: Vec3,
    /// What may be used.
    pub filter: &'a Filter,
    /// Most nodes the search may use.
    pub max_nodes: usize,
    /// Whether [`NavPath::expanded`] is filled.
    pub trace: bool,
}

/// An end of a path on the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PathEnd {
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
    /// To the reachable polygon nearest to the end.
    Partial,
    /// Nowhere.
    Unreachable,
}

/// Why a path is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WhyNot {
    /// No polygon that the filter lets pass is near the start.
    StartOffMesh,
    /// No polygon that the filter lets pass is near the end.
    EndOffMesh,
    /// Start and end lie on parts of the mesh that nothing connects.
    Disconnected,
    /// The search used all its nodes.
    NodeLimit,
}

/// A node that the search took from its open list, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expansion {
    /// The polygon.
    pub poly: PolyRef,
    /// Where it was entered.
    pub position: Vec3,
    /// Cost so far.
    pub g: f32,
    /// Estimated cost of the whole path.
    pub f: f32,
    /// Index in the list of the node it was reached from.
    pub parent: Option<u32>,
}

/// Answer to a [`PathRequest`].
#[derive(Clone, Debug)]
pub struct NavPath {
    /// How far it leads.
    pub status: PathStatus,
    /// Why it is not complete.
    pub why: Option<WhyNot>,
    /// Start on the mesh.
    pub start: Option<PathEnd>,
    /// End on the mesh.
    pub end: Option<PathEnd>,
    /// Polygons to pass, from start to end.
    pub corridor: Vec<PolyRef>,
    /// Edges between them: one less than polygons.
    pub portals: Vec<Portal>,
    /// The shortest line through the corridor, from corner to corner.
    pub points: Vec<Vec3>,
    /// Length of `points`, in metres.
    pub length: f32,
    /// Cost that the search found.
    pub cost: f32,
    /// Nodes taken from the open list.
    pub n_expanded: usize,
    /// The nodes, where asked for.
    pub expanded: Vec<Expansion>,
}

/// Finds the polygon nearest to each end, the corridor between them by A*, and the funnel path
/// through it.
pub fn find_path(mesh: &NavMesh, request: &PathRequest<'_>, scratch: &mut Scratch) -> NavPath {
    let _ = (mesh, request, scratch);
    todo!("query helper")
}
