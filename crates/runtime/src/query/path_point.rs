use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::navmesh::{PolyRef, Portal};

/// Where a path gets extra points between its corners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossings {
    /// Nowhere.
    #[default]
    None,
    /// Where it passes into another area.
    Areas,
    /// Where it passes into another polygon.
    All,
}

/// What happens at a point of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointKind {
    /// It begins.
    Start,
    /// It turns, or crosses into another polygon.
    Turn,
    /// It leaves the ground along a connection.
    Connection,
    /// It ends.
    End,
}

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathPoint {
    /// Where.
    pub position: Vec3,
    /// What happens there.
    pub kind: PointKind,
    /// The polygon entered there, `None` at the end.
    pub poly: Option<PolyRef>,
}

/// The way from a polygon of a corridor to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) portal: Portal,
    pub(super) changes_area: bool,
    pub(super) onto_connection: bool,
}
