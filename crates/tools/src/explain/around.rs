//! Measures the level's triangles around a place: ground height, wall distance, solid geometry. Voxels are only precise
//! to the nearest cell.

use glam::{Vec2, Vec3, Vec3Swizzles as _};
use walkable_bake::bake::{BakePlan, SurfaceUse};
use walkable_runtime::geom::{Aabb, Ray, from_above::height_on_triangle, nearest_on_triangle};

use super::ground::cells;
use crate::clip;

/// Returns the radius around a place in which triangles are considered, in meters.
pub(super) fn sight(plan: &BakePlan) -> f32 {
    let params = plan.params();
    let radius = cells(params.walkable_radius_vx + 2) * params.cell_size;
    (2.0 * radius.max(plan.input().settings.agent_radius)).clamp(2.0, 50.0)
}

/// A triangle's index in the level, and its corners.
type Known = (u32, [Vec3; 3]);

/// The level's triangles around a place.
pub(super) struct Around<'a> {
    plan: &'a BakePlan,
    /// All triangles nearby, seen from above.
    triangles: Vec<Known>,
    /// The nearby triangles that are part of the bake.
    baked: Vec<Known>,
}

impl<'a> Around<'a> {
    /// Collects the triangles within `radius` meters of `at` horizontally.
    pub(super) fn new(plan: &'a BakePlan, at: Vec3, radius: f32) -> Self {
        let margin = Vec3::new(radius, 0.0, radius);
        let bounds = Aabb { min: at - margin, max: at + margin };
        let mesh = &plan.input().mesh;
        let over = plan.triangles_over(&bounds).into_iter();
        let triangles: Vec<Known> =
            over.map(|number| (number, mesh.corners(number as usize))).collect();
        let is_baked =
            |(number, _): &&Known| plan.surface_use(*number) != Some(SurfaceUse::LeftOut);
        let baked = triangles.iter().filter(is_baked).copied().collect();
        Self { plan, triangles, baked }
    }

    /// Returns all triangles near the place, including those left out of the bake.
    pub(super) fn all(&self) -> &[Known] {
        &self.triangles
    }

    /// Returns the triangles near the place that are part of the bake.
    pub(super) fn baked(&self) -> &[Known] {
        &self.baked
    }

    /// Returns the height of the baked surface at `point`, seen from above, that is closest to the height of `point`;
    /// `None` if no surface is `within` that distance.
    pub(super) fn height(&self, point: Vec3, within: f32) -> Option<f32> {
        let heights = self.baked.iter().filter_map(|(_, t)| height_on_triangle(point, *t));
        let off = |height: &f32| (height - point.y).abs();
        heights.filter(|height| off(height) <= within).min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// Returns the height of the lowest surface directly above `point`.
    pub(super) fn ceiling(&self, point: Vec3) -> Option<f32> {
        let heights = self.baked.iter().filter_map(|(_, t)| height_on_triangle(point, *t));
        heights.filter(|height| *height > point.y).min_by(f32::total_cmp)
    }

    /// Returns the distance from `from` to the geometry between the heights `low` and `high`, seen from above, and the
    /// nearest point of that geometry. If `away_from` is given, only geometry in roughly the opposite direction counts.
    pub(super) fn nearest_wall(
        &self,
        from: Vec3,
        [low, high]: [f32; 2],
        away_from: Option<Vec2>,
    ) -> Option<(f32, Vec2)> {
        let point = |(_, corners): &Known| {
            let slice = clipped(clipped(corners.to_vec(), low, 1.0), high, -1.0);
            let near = nearest_of_polygon(&slice, from.xz())?;
            let off = near - from.xz();
            let is_meant = away_from.is_none_or(|other| off.dot(other) < -0.5 * off.length());
            is_meant.then(|| (off.length(), near))
        };
        self.baked.iter().filter_map(point).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Returns the height of the top of the solid around `point` above it; `None` if `point` is not inside a solid.
    /// Inside a solid, the surface above is seen from behind, and so are most surfaces around. With ground directly
    /// below, as in a room, all but one of the sides must be seen from behind.
    pub(super) fn solid_above(&self, point: Vec3, on_ground: OnGround) -> Option<f32> {
        let lids = self.baked.iter().filter_map(|(_, corners)| {
            let height = height_on_triangle(point, *corners)?;
            (height > point.y).then_some((height, looks_up(*corners)))
        });
        let (lid, seen_from_behind) = lids.min_by(|a, b| a.0.total_cmp(&b.0))?;
        if !seen_from_behind {
            return None;
        }
        let [front, back] = self.sides(point);
        let is_solid = match on_ground {
            OnGround::Yes => back >= 3,
            OnGround::No => back >= front,
        };
        is_solid.then_some(lid - point.y)
    }

    /// Returns in how many of four directions the first surface hit is seen from the front, and in how many from
    /// behind.
    fn sides(&self, point: Vec3) -> [usize; 2] {
        let hits = [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z].map(|along| {
            // Slightly rotated, so that rays do not run along walls or through the edges of geometry modeled on a grid.
            let ray = Ray::new(point, along + Vec3::new(0.0137, 0.0, 0.0091))?;
            self.is_behind_first_hit(&ray)
        });
        let count = |behind| hits.iter().flatten().filter(|is| **is == behind).count();
        [count(false), count(true)]
    }

    /// Returns whether a horizontal ray hits the first surface of the level from behind; `None` if it hits none.
    fn is_behind_first_hit(&self, ray: &Ray) -> Option<bool> {
        let mesh = &self.plan.input().mesh;
        let level = mesh.bounds();
        let far = ray.origin + ray.direction * (level.max - level.min).length();
        // The margin is larger than the rounding of points on the ray.
        let margin = Vec3::splat(0.1);
        let along = Aabb { min: ray.origin.min(far) - margin, max: ray.origin.max(far) + margin };
        let mut first: Option<(f32, bool)> = None;
        for number in self.plan.triangles_over(&along) {
            let corners @ [a, b, c] = mesh.corners(number as usize);
            let hit = ray.hit_triangle(corners).filter(|t| first.is_none_or(|(best, _)| *t < best));
            let Some(t) = hit else { continue };
            if self.plan.surface_use(number) != Some(SurfaceUse::LeftOut) {
                first = Some((t, (b - a).cross(c - a).dot(ray.direction) > 0.0));
            }
        }
        first.map(|(_, is_behind)| is_behind)
    }
}

/// Whether there is ground directly below a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnGround {
    Yes,
    No,
}

/// Returns whether a triangle's front faces up.
pub(super) fn looks_up([a, b, c]: [Vec3; 3]) -> bool {
    (b - a).cross(c - a).y > 0.0
}

/// Clips a polygon to the part above the height `at` (`side` 1) or below it (`side` -1).
fn clipped(corners: Vec<Vec3>, at: f32, side: f32) -> Vec<Vec3> {
    clip::clipped(corners, |corner| (corner.y - at) * side)
}

/// Returns the point of a polygon nearest to `from`, seen from above; `None` if the polygon is empty.
fn nearest_of_polygon(corners: &[Vec3], from: Vec2) -> Option<Vec2> {
    let flat = |corner: &Vec3| Vec3::new(corner.x, 0.0, corner.z);
    let point = Vec3::new(from.x, 0.0, from.y);
    let (first, rest) = corners.split_first()?;
    let first = flat(first);
    let near = |edge: &[Vec3]| nearest_on_triangle([first, flat(&edge[0]), flat(&edge[1])], point);
    let nearest = rest.windows(2).map(near).chain(rest.first().map(|_| first));
    nearest
        .filter(|near| near.is_finite())
        .min_by(|a, b| a.distance_squared(point).total_cmp(&b.distance_squared(point)))
        .map(Vec3::xz)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertical_triangle_is_measured_at_body_height() {
        let wall = vec![Vec3::ZERO, Vec3::new(4.0, 4.0, 0.0), Vec3::new(0.0, 4.0, 0.0)];
        let slice = clipped(clipped(wall, 1.0, 1.0), 2.0, -1.0);
        let near = |x: f32, z: f32| nearest_of_polygon(&slice, Vec2::new(x, z));
        assert_eq!(near(-3.0, 0.0), Some(Vec2::ZERO));
        assert_eq!(near(5.0, 0.0), Some(Vec2::new(2.0, 0.0)));
        assert_eq!(near(1.0, 2.0), Some(Vec2::new(1.0, 0.0)));
        assert_eq!(nearest_of_polygon(&[], Vec2::ZERO), None);
    }
}
