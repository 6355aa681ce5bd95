//! Taking hold of points in space with a pointer.

use glam::Vec3;

use walkable::geom::Ray;

/// How near to a handle the pointer must be to take it, as an angle at the eye: about 14 points of a
/// view of the usual size.
const REACH_RADIANS: f32 = 0.016;

/// Whether the line of sight meets a handle of constant screen size at `at`.
pub(crate) fn is_on(ray: Ray, at: Vec3) -> bool {
    angle(ray, at).is_some_and(|angle| angle <= REACH_RADIANS)
}

/// Angle between the line of sight and the direction to `at`; `None` behind the eye.
fn angle(ray: Ray, at: Vec3) -> Option<f32> {
    let offset = at - ray.origin;
    let along = offset.dot(ray.direction);
    let across = offset.cross(ray.direction).length();
    (along > 0.0).then(|| across.atan2(along))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angle_to_points() {
        let ray = Ray { origin: Vec3::new(0.0, 1.0, 0.0), direction: Vec3::Z };
        assert_eq!(angle(ray, Vec3::new(0.0, 1.0, 5.0)), Some(0.0));
        let diagonal = angle(ray, Vec3::new(3.0, 1.0, 3.0)).unwrap();
        assert!((diagonal - std::f32::consts::FRAC_PI_4).abs() < 1e-6);
        assert_eq!(angle(ray, Vec3::new(0.0, 1.0, -5.0)), None, "behind the eye");
    }
}
