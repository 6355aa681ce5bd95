//! Handles: points in space that the user grabs with the pointer.

use glam::Vec3;
use walkable::geom::Ray;

/// Maximum distance between the pointer and a handle that it grabs, as an angle at the eye: about 14 points in a usual
/// view.
const REACH_RADIANS: f32 = 0.016;

/// Smallest angle between the line of sight and the vertical at which a handle can be dragged up or down, as its
/// squared sine: about 15°.
const STEEPEST: f32 = 0.067;

/// Maximum distance from the camera to which a handle is dragged along the ground, relative to its current distance.
const FARTHEST: f32 = 10.0;

/// Returns whether the line of sight meets a handle of constant screen size at `at`.
pub fn is_on(ray: Ray, at: Vec3) -> bool {
    angle(ray, at).is_some_and(|angle| angle <= REACH_RADIANS)
}

/// Returns the point above or below `at` that is nearest to the line of sight; `None` if the line is too steep, or if
/// the point is behind the eye.
pub fn on_vertical(ray: Ray, at: Vec3) -> Option<Vec3> {
    let direction = ray.direction.try_normalize()?;
    let (offset, rise) = (ray.origin - at, direction.y);
    let across = 1.0 - rise * rise;
    if across < STEEPEST {
        return None;
    }
    let (along, up) = (direction.dot(offset), offset.y);
    let is_ahead = rise * up - along > 0.0;
    is_ahead.then(|| at + Vec3::Y * ((up - rise * along) / across))
}

/// Returns where the line of sight reaches the height of `at`; `None` if that is behind the eye, or much farther away
/// than `at`.
pub fn at_height(ray: Ray, at: Vec3) -> Option<Vec3> {
    let found = ray.hit_horizontal_plane(at.y)?;
    (found.distance(ray.origin) <= FARTHEST * at.distance(ray.origin)).then_some(found)
}

/// Returns the angle between the line of sight and the direction to `at`; `None` behind the eye.
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

    #[test]
    fn heights_are_where_the_line_of_sight_passes() {
        let (eye, at) = (Vec3::new(1.0, 9.0, -3.0), Vec3::new(5.0, 2.0, 6.0));
        for y in [-4.0, 2.0, 8.5, 12.0] {
            let direction = (at.with_y(y) - eye).normalize_or_zero();
            let found = on_vertical(Ray { origin: eye, direction }, at).unwrap();
            assert!(found.distance(at.with_y(y)) < 1e-4, "{found} at {y}");
            assert_eq!(on_vertical(Ray { origin: eye, direction: -direction }, at), None);
        }
        assert_eq!(on_vertical(Ray { origin: eye, direction: Vec3::NEG_Y }, at), None);
    }

    #[test]
    fn nothing_is_pulled_to_the_horizon() {
        let (eye, at) = (Vec3::new(0.0, 2.0, 0.0), Vec3::new(4.0, 0.0, 3.0));
        let looking = |direction: Vec3| at_height(Ray { origin: eye, direction }, at);
        assert!(looking((at - eye).normalize_or_zero()).unwrap().distance(at) < 1e-4);
        assert_eq!(looking(Vec3::new(1.0, -0.001, 0.0).normalize_or_zero()), None);
        assert_eq!(looking(Vec3::Y), None);
    }
}
