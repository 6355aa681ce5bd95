use glam::Vec3;
use walkable_bake::bake::{BakePlan, SurfaceUse, TriangleSlopes};
use walkable_runtime::ids::AreaId;

use crate::explain::reason::Reason;

/// The triangle under a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface {
    /// Angle between its front's normal and up, in degrees, 0 to 180.
    pub(super) slope_deg: f32,
    /// Whether the slope stage called it walkable.
    pub(super) walkable: bool,
    /// Whether its object or material is marked as not walkable.
    pub(super) marked: bool,
}

impl Surface {
    pub(super) fn reason(self, limit_deg: f32) -> Reason {
        if self.slope_deg > 90.0 + 1e-3 {
            Reason::FacesDown
        } else if self.marked {
            Reason::MarkedSurface
        } else {
            Reason::TooSteep { slope_deg: self.slope_deg, limit_deg }
        }
    }

    pub(super) fn note(self, limit_deg: f32) -> String {
        let slope_deg = self.slope_deg;
        if self.walkable {
            format!("slope {slope_deg:.1}° ≤ {limit_deg:.1}°")
        } else {
            format!("{}, but the voxel has walkable ground", self.reason(limit_deg))
        }
    }
}

/// The triangle `known`, if it is one of the tile's, or the one nearest to `at`; the first of equals.
/// `None` in a tile without triangles.
pub(super) fn under(
    plan: &BakePlan,
    slopes: &TriangleSlopes,
    at: Vec3,
    known: Option<u32>,
) -> Option<Surface> {
    let known = known.and_then(|triangle| slopes.triangles.binary_search(&triangle).ok());
    let i = known.or_else(|| nearest(plan, slopes, at))?;
    let triangle = slopes.triangles[i];
    let [a, b, c] = corners(plan, triangle)?;
    let normal = (b - a).cross(c - a).try_normalize()?;
    let slope_deg = normal.y.clamp(-1.0, 1.0).acos().to_degrees();
    let marked = plan.surface_use(triangle) == Some(SurfaceUse::Area(AreaId::NULL));
    Some(Surface { slope_deg, walkable: slopes.areas[i].is_walkable(), marked })
}

fn nearest(plan: &BakePlan, slopes: &TriangleSlopes, at: Vec3) -> Option<usize> {
    let mut best: Option<(f32, usize)> = None;
    for (i, &triangle) in slopes.triangles.iter().enumerate() {
        let Some(corners) = corners(plan, triangle) else { continue };
        let limit = best.map_or(f32::INFINITY, |(d, _)| d);
        if box_distance_squared(corners, at) >= limit {
            continue;
        }
        let distance = closest_point(corners, at).distance_squared(at);
        if distance < limit {
            best = Some((distance, i));
        }
    }
    best.map(|(_, i)| i)
}

/// Corners of a triangle; `None` where the mesh is another one than the stages were baked from.
fn corners(plan: &BakePlan, triangle: u32) -> Option<[Vec3; 3]> {
    let mesh = &plan.input().mesh;
    let triangle = triangle as usize;
    (triangle < mesh.triangles().len()).then(|| mesh.corners(triangle))
}

fn box_distance_squared([a, b, c]: [Vec3; 3], at: Vec3) -> f32 {
    let nearest = at.clamp(a.min(b).min(c), a.max(b).max(c));
    nearest.distance_squared(at)
}

/// The point of a triangle closest to `p`.
///
/// Source: Ericson, Real-Time Collision Detection, 5.1.5.
fn closest_point([a, b, c]: [Vec3; 3], p: Vec3) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let total = va + vb + vc;
    a + ab * (vb / total) + ac * (vc / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closest_point_in_every_zone() {
        let t = [Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 4.0)];
        let cases = [
            ((1.0, 3.0, 1.0), (1.0, 0.0, 1.0)),
            ((-1.0, 0.0, -1.0), (0.0, 0.0, 0.0)),
            ((6.0, 0.0, -1.0), (4.0, 0.0, 0.0)),
            ((-1.0, 0.0, 6.0), (0.0, 0.0, 4.0)),
            ((2.0, 0.0, -3.0), (2.0, 0.0, 0.0)),
            ((-3.0, 0.0, 2.0), (0.0, 0.0, 2.0)),
            ((3.0, 0.0, 3.0), (2.0, 0.0, 2.0)),
        ];
        for (p, expected) in cases {
            let found = closest_point(t, Vec3::from(p));
            assert!(found.distance(Vec3::from(expected)) < 1e-5, "{p:?}: {found}");
        }
    }
}
