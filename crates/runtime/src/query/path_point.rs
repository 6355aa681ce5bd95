use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::navmesh::{Marks, PolyKind, PolyRef, Portal};

/// Where a path gets extra points between its corners. As in Detour, rounding decides where a line crosses a portal that it
/// runs along; the point can lie beyond the end of the portal, on the same straight line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossings {
    /// No extra points.
    #[default]
    None,
    /// A point at each change of area.
    Areas,
    /// A point at each change of polygon.
    All,
}

/// The kind of a point of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointKind {
    /// The start of the path.
    Start,
    /// A corner, or a crossing into another polygon.
    Turn,
    /// The start of an off-mesh link.
    Connection,
    /// The end of the path.
    End,
}

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathPoint {
    /// The position.
    pub position: Vec3,
    /// The kind.
    pub kind: PointKind,
    /// The polygon that is entered there; `None` at the end.
    pub poly: Option<PolyRef>,
}

/// A step from one polygon of a corridor to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorridorStep {
    pub(super) portal: Portal,
    pub(super) changes_area: bool,
    pub(super) onto_connection: bool,
}

impl CorridorStep {
    /// Creates the step through `portal` from a polygon with the marks `here` to one with the marks `there`.
    #[inline]
    pub(super) fn new(portal: &Portal, here: Marks, there: Marks) -> Self {
        Self {
            portal: *portal,
            changes_area: here.area != there.area,
            onto_connection: there.kind == PolyKind::OffMesh,
        }
    }
}
