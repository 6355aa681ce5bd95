use glam::Vec3;

/// Half-line in world space.
///
/// Invariants: finite; `direction` has length 1 when made by [`Ray::new`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Where it goes, of length 1.
    pub direction: Vec3,
}

impl Ray {
    /// From `origin` towards `direction`, which may have any length but zero; `None` where it has no
    /// direction or is not finite.
    pub fn new(origin: Vec3, direction: Vec3) -> Option<Self> {
        let direction = direction.try_normalize()?;
        (origin.is_finite() && direction.is_finite()).then_some(Self { origin, direction })
    }

    /// Point at distance `t`.
    pub fn at(&self, t: f32) -> Vec3 {
        self.origin + self.direction * t
    }

    /// Distance at which it meets the triangle `corners` from either side, `None` where it misses,
    /// runs along the triangle's plane or starts beyond it. A hit on an edge counts for both
    /// triangles that share the edge.
    ///
    /// Source: Möller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.
    pub fn hit_triangle(&self, corners: [Vec3; 3]) -> Option<f32> {
        let [a, b, c] = corners;
        let (along_ab, along_ac) = (b - a, c - a);
        let p = self.direction.cross(along_ac);
        let determinant = along_ab.dot(p);
        if determinant == 0.0 {
            return None;
        }
        let inverse = determinant.recip();
        let from_a = self.origin - a;
        let u = from_a.dot(p) * inverse;
        let q = from_a.cross(along_ab);
        let v = self.direction.dot(q) * inverse;
        let t = along_ac.dot(q) * inverse;
        let inside = u >= -EDGE_SLACK && v >= -EDGE_SLACK && u + v <= 1.0 + EDGE_SLACK;
        (inside && t >= 0.0 && t.is_finite()).then_some(t)
    }

    /// Where it meets the horizontal plane at height `y`, `None` where it runs along or away from it.
    pub fn hit_horizontal_plane(&self, y: f32) -> Option<Vec3> {
        let t = (y - self.origin.y) / self.direction.y;
        (t.is_finite() && t >= 0.0).then(|| self.at(t))
    }
}

/// By how much of its size a triangle is enlarged, so that no ray slips between two neighbours
/// through rounding. A thousandth of a pixel for triangles that fill the view.
const EDGE_SLACK: f32 = 1e-6;
