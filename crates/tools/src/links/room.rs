//! Tests whether a body that moves along a line touches a level.

use arrayvec::ArrayVec;
use glam::Vec3;
use walkable_mesh::TriMesh;
use walkable_runtime::geom::{
    Aabb, Bvh,
    from_above::{contains, crossing, edges, nearest_on_segment},
};

/// An upright cylinder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) radius: f32,
    /// Height of its bottom above the feet.
    pub(super) bottom: f32,
    /// Height of its top above the feet.
    pub(super) top: f32,
}

/// Returns whether no triangle touches `body` while its feet move along the points. The body covers all heights of each
/// segment at once, so steep segments need slightly more room.
pub(super) fn is_free(level: &TriMesh, tree: &Bvh, body: Body, feet: &[Vec3]) -> bool {
    feet.windows(2).all(|leg| {
        let [low, high] = [leg[0].y.min(leg[1].y) + body.bottom, leg[0].y.max(leg[1].y) + body.top];
        let around = Aabb::around([leg[0], leg[1]]);
        let wide = Vec3::new(body.radius, 0.0, body.radius);
        let bounds =
            Aabb { min: (around.min - wide).with_y(low), max: (around.max + wide).with_y(high) };
        !tree.any_in_box(&bounds, |index| {
            let corners = level.corners(index as usize);
            let part = between(corners, low, high);
            distance_sqr([leg[0], leg[1]], &part) < body.radius * body.radius
        })
    })
}

/// A triangle clipped below `low` and above `high`, which has at most five corners.
type ClippedTriangle = ArrayVec<Vec3, 5>;

/// Returns the part of a triangle between two heights.
fn between(corners: [Vec3; 3], low: f32, high: f32) -> ClippedTriangle {
    let whole: ClippedTriangle = corners.into_iter().collect();
    let above = cut(&whole, |corner| corner.y - low);
    cut(&above, |corner| high - corner.y)
}

/// Returns the part of a polygon in which `side` is not negative.
fn cut(corners: &[Vec3], side: impl Fn(Vec3) -> f32) -> ClippedTriangle {
    let mut kept = ClippedTriangle::new();
    for (_, a, b) in edges(corners) {
        let (from, to) = (side(a), side(b));
        if (from < 0.0) != (to < 0.0) {
            // Clipping a triangle twice leaves at most five corners.
            let _ = kept.try_push(a + (b - a) * (from / (from - to)));
        }
        if to >= 0.0 {
            let _ = kept.try_push(b);
        }
    }
    kept
}

/// Returns the squared distance between a line segment and a convex polygon, seen from above; infinite for an empty
/// polygon.
fn distance_sqr([a, b]: [Vec3; 2], corners: &[Vec3]) -> f32 {
    if contains(corners, a) || contains(corners, b) {
        return 0.0;
    }
    let mut least = f32::INFINITY;
    for (_, c, d) in edges(corners) {
        let is_within = |share: f32| (0.0..=1.0).contains(&share);
        if crossing([a, b], [c, d]).is_some_and(|shares| shares.into_iter().all(is_within)) {
            return 0.0;
        }
        let near = [
            nearest_on_segment(a, c, d),
            nearest_on_segment(b, c, d),
            nearest_on_segment(c, a, b),
            nearest_on_segment(d, a, b),
        ];
        least = near.into_iter().fold(least, |least, near| least.min(near.distance_sqr));
    }
    least
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn point() -> impl Strategy<Value = Vec3> {
        [-3.0..3.0_f32, -3.0..3.0_f32, -3.0..3.0_f32].prop_map(Vec3::from_array)
    }

    proptest! {
        /// Compares with points all over the triangle and bodies all along the line.
        #[test]
        fn touching_agrees_with_points(corners in [point(), point(), point()], ends in [point(), point()]) {
            let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
            let tree = Bvh::build(&level);
            let level_ends = ends.map(|end| end.with_y(0.0));
            let touches = |radius| {
                let body = Body { radius, bottom: 0.5, top: 2.0 };
                !is_free(&level, &tree, body, &level_ends)
            };
            let mut least = f32::INFINITY;
            let [a, b, c] = corners;
            for i in 0..=40_u8 {
                for j in 0..=40 - i {
                    let (u, v) = (f32::from(i) / 40.0, f32::from(j) / 40.0);
                    let at = a + (b - a) * u + (c - a) * v;
                    if (0.5..=2.0).contains(&at.y) {
                        let [from, to] = level_ends;
                        least = least.min(nearest_on_segment(at, from, to).distance_sqr.sqrt());
                    }
                }
            }
            prop_assert!(least.is_infinite() || touches(least + 1e-3));
            prop_assert!(!touches(least.min(20.0) - 0.4) || least <= 0.4 || least.is_infinite());
        }
    }
}
