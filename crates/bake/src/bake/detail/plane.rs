//! Distances projected onto the ground plane, in Recast's order of operations: samples are selected by comparing them,
//! so their last bit matters.

use glam::Vec3;

/// Returns the distance between `p` and `q`.
pub(super) fn distance(p: Vec3, q: Vec3) -> f32 {
    let [dx, dz] = [q.x - p.x, q.z - p.z];
    (dx * dx + dz * dz).sqrt()
}

/// Returns twice the signed area of a triangle; positive if it is clockwise seen from above.
pub(super) fn cross(a: Vec3, b: Vec3, c: Vec3) -> f32 {
    let [ux, uz] = [b.x - a.x, b.z - a.z];
    let [vx, vz] = [c.x - a.x, c.z - a.z];
    ux * vz - uz * vx
}

/// Returns the squared distance of `point` from the segment `ab`.
pub(super) fn distance_squared_to_segment(point: Vec3, a: Vec3, b: Vec3) -> f32 {
    let [along_x, along_z] = [b.x - a.x, b.z - a.z];
    let [to_x, to_z] = [point.x - a.x, point.z - a.z];
    let length_squared = along_x * along_x + along_z * along_z;
    let mut t = along_x * to_x + along_z * to_z;
    if length_squared > 0.0 {
        t /= length_squared;
    }
    let t = t.clamp(0.0, 1.0);
    let dx = a.x + t * along_x - point.x;
    let dz = a.z + t * along_z - point.z;
    dx * dx + dz * dz
}

/// Returns the squared distance of `point` from the outline of a polygon, negative inside.
///
/// Source: `distToPoly`.
pub(super) fn signed_distance_squared_to_polygon(point: Vec3, corners: &[Vec3]) -> f32 {
    let mut is_inside = false;
    let mut min = f32::MAX;
    let mut before = corners[corners.len() - 1];
    for &corner in corners {
        if (corner.z > point.z) != (before.z > point.z)
            && point.x
                < (before.x - corner.x) * (point.z - corner.z) / (before.z - corner.z) + corner.x
        {
            is_inside = !is_inside;
        }
        min = min.min(distance_squared_to_segment(point, before, corner));
        before = corner;
    }
    if is_inside { -min } else { min }
}

/// Returns the width of a polygon: the minimum over its edges of the distance of the farthest corner.
///
/// Source: `polyMinExtent`.
pub(super) fn width(corners: &[Vec3]) -> f32 {
    let n = corners.len();
    let depth_squared = |i: usize| {
        let next = (i + 1) % n;
        let others = (0..n).filter(|&j| j != i && j != next);
        others
            .map(|j| distance_squared_to_segment(corners[j], corners[i], corners[next]))
            .fold(0.0_f32, f32::max)
    };
    (0..n).map(depth_squared).fold(f32::MAX, f32::min).sqrt()
}
