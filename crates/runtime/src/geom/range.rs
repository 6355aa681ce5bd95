use glam::Vec3;

/// Largest coordinate of a navmesh, in meters: 2^60. The squared distance of two such points is finite, and so are their
/// midpoint and the costs of paths between them.
pub const MAX_COORDINATE: f32 = f32::from_bits((127 + 60) << 23);

/// Returns whether no coordinate of `point` is NaN or larger than [`MAX_COORDINATE`].
pub fn in_range(point: Vec3) -> bool {
    point.abs().cmple(Vec3::splat(MAX_COORDINATE)).all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_within_the_range_are_finite() {
        let most = Vec3::splat(MAX_COORDINATE);
        assert!(in_range(most) && in_range(-most));
        assert!(most.distance_squared(-most).is_finite() && (most + most).is_finite());
        for beyond in [MAX_COORDINATE.next_up(), f32::INFINITY, f32::NAN, f32::MIN] {
            assert!(!in_range(Vec3::new(0.0, beyond, 0.0)), "{beyond}");
        }
    }
}
