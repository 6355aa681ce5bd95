use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::navmesh::PolyRef;

/// A point on the navmesh with the polygon it lies on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshPoint {
    /// The polygon.
    #[serde(rename = "ref")]
    pub poly: PolyRef,
    /// The point.
    pub point: Vec3,
}
