use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::search::NodeIdx;

/// What has become of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Status {
    /// Just made.
    New,
    /// In the open list.
    Open,
    /// Expanded.
    Closed,
}

/// A polygon that a search has met.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Node {
    /// Its number in the mesh.
    pub(super) poly: u32,
    /// Where it was entered first.
    pub(super) position: Vec3,
    /// Cost so far.
    pub(super) cost: f32,
    /// Cost so far and estimated cost to the end.
    pub(super) total: f32,
    pub(super) parent: Option<NodeIdx>,
    pub(super) status: Status,
    /// Whether a ray leads here from the parent, which is then no neighbor.
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
