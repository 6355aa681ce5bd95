use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::search::NodeIdx;

/// State of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Status {
    /// Created, and not yet in the open list.
    New,
    /// In the open list.
    Open,
    /// Expanded.
    Closed,
}

/// A node of a search: a polygon that was reached.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Node {
    /// Number of the polygon in the navmesh.
    pub(super) poly: u32,
    /// The point where the polygon was first entered.
    pub(super) position: Vec3,
    /// Cost from the start, g.
    pub(super) cost: f32,
    /// Estimated total cost, f: g and the heuristic.
    pub(super) total: f32,
    pub(super) parent: Option<NodeIdx>,
    pub(super) status: Status,
    /// Whether a ray leads here from the parent, which then need not be a neighbor.
    pub(super) is_detached: bool,
}

impl Node {
    pub(super) fn new(poly: u32) -> Self {
        let position = Vec3::ZERO;
        Self {
            poly,
            position,
            cost: 0.0,
            total: 0.0,
            parent: None,
            status: Status::New,
            is_detached: false,
        }
    }
}
