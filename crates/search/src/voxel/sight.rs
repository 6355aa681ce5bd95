use glam::{DVec3, Vec3};

use super::{CellTree, Fill, Voxel};

/// Tolerance for crossing several planes at once, as a fraction of the line's length. A line through an edge or a
/// corner touches all voxels around it.
const AT_ONCE: f64 = 1e-9;

/// Returns whether the straight line between two points is free of blocked voxels. If the line runs exactly along an
/// edge or through a corner, all voxels around it must be free.
///
/// Advances from cube to cube, so open space is crossed in few steps.
pub fn is_clear(tree: &impl CellTree, from: Vec3, to: Vec3) -> bool {
    let (from, to) = (from.as_dvec3(), to.as_dvec3());
    let (Some(mut at), Some(end)) = (voxel_of(from), voxel_of(to)) else { return false };
    let along = to - from;
    let mut done = 0.0;
    loop {
        let Some(cell) = tree.cell(at).filter(|cell| cell.fill == Fill::Free) else { return false };
        if cell.contains(end) {
            return true;
        }
        // The line leaves the cube at the first of its crossings with the planes ahead.
        let crossings: [f64; 3] = std::array::from_fn(|axis| {
            let plane =
                if along[axis] > 0.0 { cell.min[axis] + cell.side() } else { cell.min[axis] };
            if along[axis].abs() < f64::MIN_POSITIVE {
                f64::INFINITY
            } else {
                (f64::from(plane) - from[axis]) / along[axis]
            }
        });
        let leaves = crossings.into_iter().fold(f64::INFINITY, f64::min).max(done);
        if leaves > 1.0 {
            return true;
        }
        let crossed = crossings.map(|t| t <= leaves + AT_ONCE);
        let Some(next) = stepped(tree, at, cell, Line { from, along, leaves }, crossed) else {
            return false;
        };
        at = next;
        done = leaves;
    }
}

#[derive(Clone, Copy)]
struct Line {
    from: DVec3,
    along: DVec3,
    leaves: f64,
}

/// Returns the voxel behind the crossed planes, if all voxels that the line touches at the crossing are free.
fn stepped(
    tree: &impl CellTree,
    at: Voxel,
    cell: super::Cell,
    line: Line,
    crossed: [bool; 3],
) -> Option<Voxel> {
    let point = line.from + line.along * line.leaves;
    let mut here = at;
    let mut there = at;
    for axis in 0..3 {
        let (low, high) = (cell.min[axis], cell.min[axis] + cell.side() - 1);
        if crossed[axis] {
            let ahead = line.along[axis] > 0.0;
            here[axis] = if ahead { high } else { low };
            there[axis] = if ahead { high + 1 } else { low.checked_sub(1)? };
        } else {
            let n = floor(point[axis]).clamp(low, high);
            (here[axis], there[axis]) = (n, n);
        }
    }
    // Each subset of the planes crossed at once leads to a voxel that the line touches.
    let n_crossed = crossed.iter().filter(|&&crossed| crossed).count();
    if n_crossed > 1 {
        for corner in 1..8_u32 {
            let mixed: Voxel =
                std::array::from_fn(
                    |axis| {
                        if corner >> axis & 1 != 0 { there[axis] } else { here[axis] }
                    },
                );
            if tree.is_blocked(mixed) {
                return None;
            }
        }
    }
    Some(there)
}

/// Returns the voxel of a point, if all coordinates are finite and at least 0.
fn voxel_of(point: DVec3) -> Option<Voxel> {
    let inside = point.is_finite() && point.min_element() >= 0.0;
    inside.then(|| [point.x, point.y, point.z].map(floor))
}

/// Returns a coordinate rounded down.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "such casts saturate")]
fn floor(coordinate: f64) -> u32 {
    coordinate as u32
}
