use glam::Vec3;
use walkable_runtime::{geom::total, search::SearchStats};

use super::{CellTree, Voxel, is_clear};

/// Result of a search in a volume.
#[derive(Clone, Debug, PartialEq)]
pub struct VoxelAnswer<P> {
    /// The path; `None` if the goal is unreachable, an end is blocked or outside the volume, or the search was stopped.
    pub path: Option<P>,
    /// Counters of the search.
    pub stats: SearchStats,
}

/// A path from voxel to voxel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VoxelPath {
    /// Voxels from start to goal. Consecutive voxels are joined by a straight line along an axis or a diagonal. Voxels
    /// between them are omitted.
    pub voxels: Vec<Voxel>,
    /// Cost of the path, in voxels.
    pub cost: f64,
}

/// An any-angle path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlightPath {
    /// Points from start to goal, in voxels. The straight lines between them are free of blocked voxels.
    pub points: Vec<Vec3>,
    /// Length of the path, in voxels.
    pub length: f64,
}

impl FlightPath {
    pub(super) fn along(points: Vec<Vec3>) -> Self {
        let legs = points.windows(2).map(|leg| leg[0].as_dvec3().distance(leg[1].as_dvec3()));
        Self { length: total(legs), points }
    }
}

/// Removes unnecessary points of a path: from each kept point, continues at the farthest point in line of sight. The
/// result is never longer than the path, and also free of obstacles.
pub fn smooth(tree: &impl CellTree, path: &FlightPath) -> FlightPath {
    let points = &path.points;
    let mut kept: Vec<Vec3> = points.first().copied().into_iter().collect();
    let mut at = 0;
    while at + 1 < points.len() {
        let in_sight = |&to: &usize| is_clear(tree, points[at], points[to]);
        // The next point is always in line of sight, although rounding may make `is_clear` return `false`.
        at = (at + 2..points.len()).rev().find(in_sight).unwrap_or(at + 1);
        kept.push(points[at]);
    }
    FlightPath::along(kept)
}

/// Returns the distances between two voxels along x, y and z.
pub(super) fn sides(a: Voxel, b: Voxel) -> [u32; 3] {
    std::array::from_fn(|axis| a[axis].abs_diff(b[axis]))
}

/// Returns the center of a voxel.
#[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19")]
pub(super) fn middle(voxel: Voxel) -> Vec3 {
    Vec3::from_array(voxel.map(|n| n as f32 + 0.5))
}

/// Returns the result of a search that found nothing and expanded nothing.
pub(super) fn nothing<P>() -> VoxelAnswer<P> {
    VoxelAnswer { path: None, stats: SearchStats::default() }
}
