//! Clipping of polygons.

use glam::Vec3;

/// Clips a convex polygon to the half-space in which `inside` is not negative. `inside` is linear.
pub(crate) fn clipped(corners: Vec<Vec3>, inside: impl Fn(Vec3) -> f32) -> Vec<Vec3> {
    let Some(&last) = corners.last() else { return corners };
    let mut kept = Vec::with_capacity(corners.len() + 1);
    let mut before = last;
    for corner in corners {
        let [a, b] = [inside(before), inside(corner)];
        if (a < 0.0) != (b < 0.0) {
            kept.push(before.lerp(corner, a / (a - b)));
        }
        if b >= 0.0 {
            kept.push(corner);
        }
        before = corner;
    }
    kept
}
