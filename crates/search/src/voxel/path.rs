use glam::Vec3;
use walkable_runtime::{geom::total, search::SearchStats};

use super::{CellTree, Voxel, is_clear};

/// What a search in a volume has found.
#[derive(Clone, Debug, PartialEq)]
pub struct VoxelAnswer<P> {
    /// The path; none where no way leads to the goal, or an end is blocked or outside.
    pub path: Option<P>,
    /// What it cost to find.
    pub stats: SearchStats,
}

/// A path from voxel to voxel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VoxelPath {
    /// From start to goal. From one to the next leads a straight line along an axis or a diagonal; there
    /// may be voxels between them.
    pub voxels: Vec<Voxel>,
    /// What it costs, in voxels.
    pub cost: f64,
}

/// A path in any direction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlightPath {
    /// From start to goal, in voxels. Straight lines between them meet nothing that is blocked.
    pub points: Vec<Vec3>,
    /// Length of these lines, in voxels.
    pub length: f64,
}

impl FlightPath {
    pub(super) fn along(points: Vec<Vec3>) -> Self {
        let legs = points.windows(2).map(|leg| leg[0].as_dvec3().distance(leg[1].as_dvec3()));
        Self { length: total(legs), points }
    }
}

/// Leaves out the points of a path that need not be: from each it goes to the farthest that is in
/// sight. Never longer than before, and as free of obstacles.
pub fn smooth(tree: &impl CellTree, path: &FlightPath) -> FlightPath {
    let points = &path.points;
    let mut kept: Vec<Vec3> = points.first().copied().into_iter().collect();
    let mut at = 0;
    while at + 1 < points.len() {
        let in_sight = |&to: &usize| is_clear(tree, points[at], points[to]);
        // The next one is in sight by itself; rounding may deny it.
        at = (at + 2..points.len()).rev().find(in_sight).unwrap_or(at + 1);
        kept.push(points[at]);
    }
    FlightPath::along(kept)
}

/// Distances between the middles of two voxels, along x, y and z.
pub(super) fn sides(a: Voxel, b: Voxel) -> [u32; 3] {
    std::array::from_fn(|axis| a[axis].abs_diff(b[axis]))
}

/// Middle of a voxel.
#[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19")]
pub(super) fn middle(voxel: Voxel) -> Vec3 {
    Vec3::from_array(voxel.map(|n| n as f32 + 0.5))
}

/// The answer without a path that took nothing.
pub(super) fn nothing<P>() -> VoxelAnswer<P> {
    VoxelAnswer { path: None, stats: SearchStats::default() }
}
