//! Finds the surface that a place refers to: games log the center of a foot or the bottom of a collider, a few
//! centimeters above the floor.

use glam::Vec3;
use walkable_bake::bake::{BakePlan, RawArea, SurfaceUse, TriangleSlopes};
use walkable_runtime::{
    diagnostic::Phrase,
    geom::{from_above::height_on_triangle, nearest_on_triangle},
    navmesh::NavMesh,
    phrase,
    query::{Filter, NearestRequest, nearest},
};

use crate::explain::{
    around::{Around, looks_up},
    measure::degrees,
    reason::Reason,
};

/// Returns the maximum vertical distance from the navmesh at which a place still refers to its ground, in meters.
/// Game logs contain the center of a foot, the bottom of a collider, or a height before the agent was snapped to the
/// ground.
pub(super) fn reach(cell_height: f32) -> f32 {
    (0.35 + 2.0 * cell_height).min(0.6)
}

/// Maximum height above the floor at which games log a part of an agent's body, in meters; more for a taller agent.
const BODY: f32 = 2.0;

/// Returns the point on the floor below `at`, if `at` is higher than a place on the floor but not higher than the agent is
/// tall: games log the center of a capsule, the eyes or a bone.
pub fn floor_below(plan: &BakePlan, at: Vec3) -> Option<Vec3> {
    let around = Around::new(plan, at, reach(0.0));
    let floors = around.baked().iter().filter(|(_, corners)| looks_up(*corners));
    let heights = floors.filter_map(|(_, corners)| height_on_triangle(at, *corners));
    let reach = reach(plan.params().cell_height);
    let highest = heights.filter(|height| *height <= at.y + reach).max_by(f32::total_cmp)?;
    let body = plan.input().settings.agent_height.max(BODY);
    (reach < at.y - highest && at.y - highest <= body).then(|| at.with_y(highest))
}

/// Returns the point on the polygon below `at`, as [`floor_below`] does where the level is unknown.
pub fn polygon_below(mesh: &NavMesh, at: Vec3) -> Option<Vec3> {
    let (filter, half_extents) = (Filter::default(), Vec3::new(0.1, BODY / 2.0, 0.1));
    let center = at - Vec3::Y * half_extents.y;
    let request = NearestRequest { center, half_extents, filter: &filter };
    let found = nearest(mesh, &request).ok()??.point;
    (0.5..BODY).contains(&(at.y - found.y)).then(|| at.with_y(found.y))
}

/// The triangle that a place refers to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface {
    /// Index in the level.
    pub(super) triangle: u32,
    /// Height at the place.
    pub(super) height: f32,
    /// Angle between its front normal and up, in degrees, 0 to 180.
    pub(super) slope_deg: f32,
    /// Whether the slope stage marked it walkable.
    pub(super) walkable: bool,
    /// Whether its object or material is marked as not walkable.
    pub(super) marked: bool,
    /// Whether its object or material is left out of the bake.
    pub(super) left_out: bool,
    /// Area seen from above, in square meters.
    pub(super) area: f32,
}

impl Surface {
    /// Returns why the surface is not walkable by itself; `None` if it is walkable.
    pub(super) fn reason(self, limit_deg: f32) -> Option<Reason> {
        if self.left_out {
            Some(Reason::LeftOut)
        } else if self.walkable {
            None
        } else if self.slope_deg > 90.0 + 1e-3 {
            Some(Reason::FacesDown)
        } else if self.marked && self.slope_deg < limit_deg {
            Some(Reason::MarkedSurface)
        } else {
            Some(Reason::TooSteep { slope_deg: self.slope_deg, limit_deg })
        }
    }

    pub(super) fn note(self, limit_deg: f32) -> Phrase {
        if let Some(reason) = self.reason(limit_deg) {
            let reason = reason.phrase();
            return phrase!("{reason}, but the voxel has walkable ground", reason);
        }
        let [slope, limit] = [self.slope_deg, limit_deg].map(degrees);
        phrase!("slope {slope} ≤ {limit}", slope, limit)
    }
}

/// Distance in meters by which a surface that faces down must be nearer to be preferred, because a place on a thin
/// floor refers to its upper side.
const DOWN_PENALTY: f32 = 0.05;
/// Weight of the distance to a surface above the place, relative to one below: places are rarely below their surface.
const BELOW_FACTOR: f32 = 1.5;
/// Maximum distance from a wall, or from the edge of a surface, at which a place refers to it, in meters.
const ASIDE: f32 = 0.05;

/// Returns the triangle `known`; without it, the most likely triangle directly above or below `at` within `reach`;
/// otherwise a triangle within a few centimeters, such as a wall. Returns `None` if there is no such triangle.
pub(super) fn meant(
    plan: &BakePlan,
    slopes: &TriangleSlopes,
    around: &Around<'_>,
    (at, reach): (Vec3, f32),
    known: Option<u32>,
) -> Option<Surface> {
    let surface = |triangle: u32, corners: [Vec3; 3], height: f32| {
        let [a, b, c] = corners;
        let cross = (b - a).cross(c - a);
        let normal = cross.try_normalize()?;
        let slope_deg = normal.y.clamp(-1.0, 1.0).acos().to_degrees();
        let becomes = plan.surface_use(triangle);
        let at = slopes.triangles.binary_search(&triangle).ok();
        let walkable = at.is_some_and(|i| slopes.areas[i].is_walkable());
        let marked = becomes == Some(SurfaceUse::Area(RawArea::NULL));
        let left_out = becomes == Some(SurfaceUse::LeftOut);
        let area = cross.y.abs() / 2.0;
        Some(Surface { triangle, height, slope_deg, walkable, marked, left_out, area })
    };
    let known = known.filter(|&known| (known as usize) < plan.input().mesh.triangles().len());
    if let Some(known) = known {
        let corners = plan.input().mesh.corners(known as usize);
        let height = height_on_triangle(at, corners).unwrap_or(at.y);
        if let Some(surface) = surface(known, corners, height) {
            return Some(surface);
        }
    }
    let over = around.all().iter().filter_map(|&(triangle, corners)| {
        let height = height_on_triangle(at, corners)?;
        let off = at.y - height;
        let surface = surface(triangle, corners, height).filter(|_| off.abs() <= reach)?;
        let down = if surface.slope_deg > 90.0 { DOWN_PENALTY } else { 0.0 };
        let below = if off < 0.0 { -off * BELOW_FACTOR } else { off };
        // A surface left out of the bake is considered last.
        let absent = if surface.left_out { DOWN_PENALTY } else { 0.0 };
        Some((below + down + absent, surface))
    });
    let nearest = over.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, surface)| surface);
    nearest.or_else(|| {
        let beside = around.all().iter().filter_map(|&(triangle, corners)| {
            let near = nearest_on_triangle(corners, at);
            let distance = near.distance(at);
            (distance <= ASIDE).then_some((distance, triangle, corners, near.y))
        });
        let (_, triangle, corners, height) = beside.min_by(|a, b| a.0.total_cmp(&b.0))?;
        surface(triangle, corners, height)
    })
}
