use glam::Vec3;

use super::Aabb;

/// Returns whether a triangle and a box have a point in common; touching counts.
///
/// Source: the separating axes of Akenine-Möller, "Fast 3D triangle-box overlap testing", 2001.
pub fn triangle_touches_box(triangle: [Vec3; 3], bounds: &Aabb) -> bool {
    let (center, half) = ((bounds.min + bounds.max) * 0.5, (bounds.max - bounds.min) * 0.5);
    let corners = triangle.map(|corner| corner - center);
    let [a, b, c] = corners;
    let edges = [b - a, c - b, a - c];
    let is_apart = |axis: Vec3| {
        let along = corners.map(|corner| corner.dot(axis));
        let reach = half.dot(axis.abs());
        let low = along[0].min(along[1]).min(along[2]);
        let high = along[0].max(along[1]).max(along[2]);
        low > reach || high < -reach
    };
    let crossed = edges.into_iter().flat_map(|edge| Vec3::AXES.map(|axis| axis.cross(edge)));
    let axes = Vec3::AXES.into_iter().chain([edges[0].cross(edges[1])]).chain(crossed);
    !axes.into_iter().any(is_apart)
}

/// Returns the point of a triangle that is nearest to a point.
///
/// Source: Ericson, "Real-Time Collision Detection", 2005, 5.1.5: tests the Voronoi regions by barycentric coordinates.
pub fn nearest_on_triangle([a, b, c]: [Vec3; 3], point: Vec3) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    let (to_b, to_c) = (d4 - d3, d5 - d6);
    if va <= 0.0 && to_b >= 0.0 && to_c >= 0.0 {
        return b + (c - b) * (to_b / (to_b + to_c));
    }
    let sum = va + vb + vc;
    a + ab * (vb / sum) + ac * (vc / sum)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn point() -> impl Strategy<Value = Vec3> {
        [-4.0..4.0_f32, -4.0..4.0_f32, -4.0..4.0_f32].prop_map(Vec3::from_array)
    }

    proptest! {
        /// Compares with points all over the triangle.
        #[test]
        fn the_nearest_point_is_nearest(triangle in [point(), point(), point()], from in point()) {
            let nearest = nearest_on_triangle(triangle, from).distance(from);
            let [a, b, c] = triangle;
            let mut least = f32::INFINITY;
            for i in 0..=40_u8 {
                for j in 0..=40 - i {
                    let (u, v) = (f32::from(i) / 40.0, f32::from(j) / 40.0);
                    least = least.min((a + (b - a) * u + (c - a) * v).distance(from));
                }
            }
            prop_assert!(nearest <= least + 1e-3 && nearest + 0.3 >= least, "{nearest} {least}");
        }

        /// A triangle with a point in the box touches it; one that is farther from the box's center than its corners
        /// does not.
        #[test]
        fn touching_agrees_with_points(triangle in [point(), point(), point()], middle in point()) {
            let bounds = Aabb { min: middle - 1.0, max: middle + Vec3::ONE };
            let touches = triangle_touches_box(triangle, &bounds);
            let [a, b, c] = triangle;
            for i in 0..=30_u8 {
                for j in 0..=30 - i {
                    let (u, v) = (f32::from(i) / 30.0, f32::from(j) / 30.0);
                    let by = a + (b - a) * u + (c - a) * v - middle;
                    prop_assert!(touches || by.abs().max_element() > 0.999);
                }
            }
            let far = nearest_on_triangle(triangle, middle).distance(middle) > 1.733;
            prop_assert!(!(touches && far));
        }
    }
}
