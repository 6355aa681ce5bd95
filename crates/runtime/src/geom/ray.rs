use glam::Vec3;

/// Half-line in world space.
///
/// Invariants: all numbers are finite; `direction` has length 1 if created by [`Ray::new`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Start of the ray.
    pub origin: Vec3,
    /// Direction, of length 1.
    pub direction: Vec3,
}

impl Ray {
    /// Creates a ray from `origin` in `direction`, which may have any length except zero. Returns `None` if a number is
    /// not finite or the direction is zero.
    pub fn new(origin: Vec3, direction: Vec3) -> Option<Self> {
        let direction = direction.try_normalize()?;
        (origin.is_finite() && direction.is_finite()).then_some(Self { origin, direction })
    }

    /// Returns the point at distance `t`.
    pub fn at(&self, t: f32) -> Vec3 {
        self.origin + self.direction * t
    }

    /// Returns the distance at which the ray hits the triangle `corners` from either side; `None` if it misses the
    /// triangle, is parallel to its plane or begins beyond it. A hit on an edge counts for both triangles at the edge.
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

    /// Returns the point at which the ray hits the horizontal plane at height `y`; `None` if it is parallel to the
    /// plane or leads away from it.
    pub fn hit_horizontal_plane(&self, y: f32) -> Option<Vec3> {
        let t = (y - self.origin.y) / self.direction.y;
        (t.is_finite() && t >= 0.0).then(|| self.at(t))
    }
}

/// Fraction of its size by which a triangle is enlarged, so that no ray passes between two adjacent triangles due to
/// rounding. A thousandth of a pixel for triangles that fill the view.
const EDGE_SLACK: f32 = 1e-6;

#[cfg(test)]
mod tests {
    use glam::{Vec3, vec3};

    use super::Ray;

    const FLOOR: [Vec3; 3] = [Vec3::ZERO, Vec3::Z, Vec3::X];

    #[track_caller]
    fn check(origin: Vec3, direction: Vec3, expected: Option<f32>) {
        let ray = Ray::new(origin, direction).unwrap();
        assert_eq!(ray.hit_triangle(FLOOR), expected);
        let [a, b, c] = FLOOR;
        assert_eq!(ray.hit_triangle([a, c, b]), expected, "from the other side");
    }

    #[test]
    fn meets_a_triangle_only_in_front_and_inside() {
        check(vec3(0.2, 2.0, 0.2), Vec3::NEG_Y, Some(2.0));
        check(vec3(0.2, -2.0, 0.2), Vec3::Y * 9.0, Some(2.0));
        check(vec3(0.2, 2.0, 0.2), Vec3::Y, None);
        check(vec3(0.9, 2.0, 0.9), Vec3::NEG_Y, None);
        check(vec3(0.5, 2.0, 0.5), Vec3::NEG_Y, Some(2.0));
        check(vec3(0.0, 2.0, 0.0), Vec3::NEG_Y, Some(2.0));
        check(vec3(-1.0, 0.0, 0.2), Vec3::X, None);
    }

    #[test]
    fn has_a_direction_and_finite_numbers() {
        assert_eq!(Ray::new(Vec3::ZERO, Vec3::ZERO), None);
        assert_eq!(Ray::new(Vec3::NAN, Vec3::X), None);
        assert_eq!(Ray::new(Vec3::ZERO, Vec3::INFINITY), None);
    }

    #[test]
    fn meets_a_plane_only_ahead() {
        let down = Ray::new(vec3(1.0, 4.0, 1.0), vec3(0.0, -2.0, 0.0)).unwrap();
        assert_eq!(down.hit_horizontal_plane(1.0), Some(vec3(1.0, 1.0, 1.0)));
        assert_eq!(down.hit_horizontal_plane(5.0), None);
        let level = Ray::new(Vec3::Y, Vec3::X).unwrap();
        assert_eq!(level.hit_horizontal_plane(0.0), None);
    }
}
