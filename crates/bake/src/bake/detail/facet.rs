//! A triangle of the detail mesh, prepared for measuring heights against it.

use glam::Vec3;

/// Points this far outside a triangle still count as inside, as a fraction of its edges.
const INSIDE_TOLERANCE: f32 = 1e-4;
/// Margin of [`Facet::reach`] around the triangle, as a fraction of its edges: the tolerance, and a reserve for
/// rounding.
const REACH_MARGIN: f32 = 1e-3;
/// Upper bound of the rounding error of a barycentric coordinate per unit of [`Facet::distortion`]: some thirty
/// roundings of 2⁻²⁴ each.
const COORDINATE_ERROR: f32 = 2e-6;
/// Triangles whose coordinates may have a larger error have no [`Facet::reach`].
const MAX_COORDINATE_ERROR: f32 = 0.25;

/// A triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    corners: [Vec3; 3],
    /// Edges from the first corner to the third and to the second.
    edges: [Vec3; 2],
    dot00: f32,
    dot01: f32,
    dot11: f32,
    inverse: f32,
}

impl Facet {
    pub(super) fn new(corners: [Vec3; 3]) -> Self {
        let [a, b, c] = corners;
        let edges = [c - a, b - a];
        let dot00 = dot(edges[0], edges[0]);
        let dot01 = dot(edges[0], edges[1]);
        let dot11 = dot(edges[1], edges[1]);
        let inverse = 1.0 / (dot00 * dot11 - dot01 * dot01);
        Self { corners, edges, dot00, dot01, dot11, inverse }
    }

    /// Returns the vertical distance of `point` from the triangle, in meters; `None` if it is neither above nor below
    /// the triangle.
    ///
    /// Source: `distPtTri`.
    pub(super) fn vertical_distance(&self, point: Vec3) -> Option<f32> {
        let origin = self.corners[0];
        let to = point - origin;
        let dot02 = dot(self.edges[0], to);
        let dot12 = dot(self.edges[1], to);
        let u = (self.dot11 * dot02 - self.dot01 * dot12) * self.inverse;
        let v = (self.dot00 * dot12 - self.dot01 * dot02) * self.inverse;
        let is_inside =
            u >= -INSIDE_TOLERANCE && v >= -INSIDE_TOLERANCE && u + v <= 1.0 + INSIDE_TOLERANCE;
        let y = origin.y + self.edges[0].y * u + self.edges[1].y * v;
        is_inside.then(|| (y - point.y).abs())
    }

    /// Returns a rectangle, seen from above, outside of which [`Facet::vertical_distance`] is certainly `None`:
    /// smallest and largest x and z. `None` for slivers, where rounding could make any point appear inside.
    pub(super) fn reach(&self) -> Option<[[f32; 2]; 2]> {
        let error = COORDINATE_ERROR * self.distortion();
        // Also false if the triangle has no area and the error is NaN.
        if error < MAX_COORDINATE_ERROR {
            let lengths = self.dot00.sqrt() + self.dot11.sqrt();
            let margin = (REACH_MARGIN + error) * lengths;
            let around = |of: fn(&Vec3) -> f32| {
                let [a, b, c] = self.corners.each_ref().map(of);
                [a.min(b).min(c) - margin, a.max(b).max(c) + margin]
            };
            Some([around(|corner| corner.x), around(|corner| corner.z)])
        } else {
            None
        }
    }

    /// Returns by how much errors of a point's position are magnified in its barycentric coordinates: 1 for a corner
    /// with equal edges at a right angle, more for unequal edges and other angles.
    fn distortion(&self) -> f32 {
        let ratio = (self.dot00 / self.dot11).max(self.dot11 / self.dot00).sqrt();
        let sine_squared = 1.0 / (self.inverse * self.dot00 * self.dot11);
        if sine_squared > 0.0 { ratio / sine_squared } else { f32::INFINITY }
    }
}

/// Returns the dot product seen from above.
fn dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.z * b.z
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facet(corners: [(f32, f32); 3]) -> Facet {
        Facet::new(corners.map(|(x, z)| Vec3::new(x, x + 2.0 * z, z)))
    }

    #[test]
    fn measures_straight_up_and_down() {
        let facet = facet([(0.0, 0.0), (0.0, 4.0), (4.0, 0.0)]);
        let at = |x, y, z| facet.vertical_distance(Vec3::new(x, y, z));
        assert!(at(1.0, 3.5, 1.0).is_some_and(|d| (d - 0.5).abs() < 1e-5));
        assert!(at(1.0, 2.5, 1.0).is_some_and(|d| (d - 0.5).abs() < 1e-5));
        assert_eq!(at(3.0, 0.0, 3.0), None);
        assert_eq!(at(-0.1, 0.0, 1.0), None);
    }

    #[test]
    fn nothing_counts_as_inside_beyond_reach() {
        // Triangles from compact to needle-shaped, far from the origin, with points all around.
        for i in 1..400_u16 {
            let i = f32::from(i);
            let base = [(i * 7.3) % 900.0, (i * 3.1) % 900.0];
            let long = 0.5 + (i * 1.7) % 40.0;
            let thin = 40.0 / (1.0 + i * i);
            let facet = facet([
                (base[0], base[1]),
                (base[0] + long, base[1] + thin),
                (base[0] + long * 0.4, base[1] - thin * 2.0),
            ]);
            let Some([xs, zs]) = facet.reach() else { continue };
            for step in 0..400_u16 {
                let [a, b] = [f32::from(step % 20) / 10.0, f32::from(step / 20) / 10.0];
                let x = base[0] + (a - 0.5) * long * 1.5;
                let z = base[1] + (b - 1.0) * thin * 6.0;
                let is_near = xs[0] <= x && x <= xs[1] && zs[0] <= z && z <= zs[1];
                let is_inside = facet.vertical_distance(Vec3::new(x, 0.0, z)).is_some();
                assert!(is_near || !is_inside, "{facet:?} {x} {z}");
            }
        }
    }

    #[test]
    fn slivers_have_no_reach() {
        assert_eq!(facet([(5.0, 5.0), (9.0, 5.0), (7.0, 5.0)]).reach(), None);
        assert_eq!(facet([(900.0, 5.0), (909.0, 5.000_001), (907.0, 5.0)]).reach(), None);
        assert!(facet([(0.0, 0.0), (0.0, 4.0), (4.0, 0.0)]).reach().is_some());
    }
}
