//! Measures a place in the triangles of a level, more exactly than voxels allow.

use std::f32::consts::PI;

use glam::Vec3;
use walkable_bake::bake::{BakePlan, SurfaceUse};
use walkable_runtime::geom::{Aabb, Ray, from_above::height_on_triangle};

/// The triangles around a place.
pub(super) struct Probe {
    corners: Vec<[Vec3; 3]>,
    /// Those that are left out of the bake.
    left_out: Vec<[Vec3; 3]>,
}

/// A surface that faces up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ground {
    pub(super) height: f32,
    pub(super) slope_deg: f32,
}

/// Free width between the obstacles on both sides of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Width {
    pub(super) width: f32,
    pub(super) middle: Vec3,
}

/// Number of directions in which the width is measured, over half a turn.
const N_DIRECTIONS: u16 = 24;
/// Maximum distance from the place at which walls are found, in meters.
const FARTHEST: f32 = 3.0;
/// Precision at which edges of the ground are located, in meters.
const FINE: f32 = 0.02;
/// Tolerance of heights in a level, in meters.
const EXACT: f32 = 1e-3;

impl Probe {
    /// Collects the triangles of `plan`'s level that touch `bounds`.
    pub(super) fn new(plan: &BakePlan, bounds: &Aabb) -> Self {
        let mesh = &plan.input().mesh;
        let n = u32::try_from(mesh.triangles().len()).unwrap_or(u32::MAX);
        let mut probe = Self { corners: Vec::new(), left_out: Vec::new() };
        for triangle in 0..n {
            let corners = mesh.corners(triangle as usize);
            if Aabb::around(corners).overlaps(bounds) {
                match plan.surface_use(triangle) {
                    Some(SurfaceUse::LeftOut) => probe.left_out.push(corners),
                    Some(SurfaceUse::Area(_)) | None => probe.corners.push(corners),
                }
            }
        }
        probe
    }

    /// Returns whether ground within `reach` above or below a place is left out of the bake.
    pub(super) fn is_left_out(&self, at: Vec3, reach: f32) -> bool {
        let heights = self.left_out.iter().filter_map(|&corners| height_on_triangle(at, corners));
        heights.into_iter().any(|height| (height - at.y).abs() <= reach)
    }

    /// Returns the height of each surface above or below a place, with the y component of its normal.
    fn surfaces(&self, at: Vec3) -> impl Iterator<Item = (f32, f32)> + use<'_> {
        self.corners.iter().filter_map(move |&corners| {
            let height = height_on_triangle(at, corners)?;
            let [a, b, c] = corners;
            Some((height, (b - a).cross(c - a).normalize_or_zero().y))
        })
    }

    /// Returns the ground nearest to a place vertically, within `reach`.
    pub(super) fn ground(&self, at: Vec3, reach: f32) -> Option<Ground> {
        let up =
            self.surfaces(at).filter(|&(height, up)| up > 0.0 && (height - at.y).abs() <= reach);
        let (height, up) = up.min_by(|a, b| (a.0 - at.y).abs().total_cmp(&(b.0 - at.y).abs()))?;
        Some(Ground { height, slope_deg: up.min(1.0).acos().to_degrees() })
    }

    /// Returns whether the ground leads from the lower to the higher of two places in rises of at most `step`.
    pub(super) fn climbs(&self, from: Vec3, to: Vec3, step: f32) -> bool {
        let [low, high] = if from.y < to.y { [from, to] } else { [to, from] };
        let mut height = low.y;
        let leads = |share: f32| {
            let at = low.lerp(high, share).with_y(height + 0.5 * FINE);
            let next =
                self.surfaces(at).filter(|&(at, up)| up > 0.0 && at <= height + step + EXACT);
            height = next.map(|(at, _)| at).max_by(f32::total_cmp)?;
            Some(())
        };
        fine_shares((high - low).with_y(0.0).length()).try_for_each(leads).is_some()
            && height + step >= high.y
    }

    /// Returns the free height above a place; `None` under the open sky.
    pub(super) fn room(&self, at: Vec3) -> Option<f32> {
        let above = self.surfaces(at).map(|(height, _)| height - at.y).filter(|&room| room > FINE);
        above.min_by(f32::total_cmp)
    }

    /// Returns the distance in a horizontal direction to the first triangle that a body would touch, or to the end of
    /// the ground. The body extends from `step` to `body` above `feet`.
    fn reach(&self, feet: Vec3, towards: Vec3, [step, body]: [f32; 2]) -> f32 {
        let heights =
            [0.05, 0.35, 0.65, 0.95].map(|share| step + FINE + (body - step).max(0.0) * share);
        let mut free = FARTHEST;
        for height in heights {
            let Some(ray) = Ray::new(feet + Vec3::Y * height, towards) else { continue };
            let hits = self.corners.iter().filter_map(|&corners| ray.hit_triangle(corners));
            free = hits.fold(free, f32::min);
        }
        let mut out = FINE;
        let mut height = feet.y;
        while out < free {
            match self.ground((feet + towards * out).with_y(height), step + FINE) {
                Some(ground) => height = ground.height,
                None => return out,
            }
            out += FINE;
        }
        free
    }

    /// Returns the smallest width at a place for an agent that can climb `step` and is `body` high; `None` if the place
    /// is wide in all directions.
    pub(super) fn width(&self, feet: Vec3, [step, body]: [f32; 2]) -> Option<Width> {
        let widths = (0..N_DIRECTIONS).map(|n| {
            let angle = PI * f32::from(n) / f32::from(N_DIRECTIONS);
            let towards = Vec3::new(angle.cos(), 0.0, angle.sin());
            let [left, right] =
                [towards, -towards].map(|towards| self.reach(feet, towards, [step, body]));
            (left.max(right) < FARTHEST).then(|| Width {
                width: left + right,
                middle: feet + towards * ((left - right) * 0.5),
            })
        });
        widths.flatten().min_by(|a, b| a.width.total_cmp(&b.width))
    }

    /// Returns the two ends of the gap between two places on the ground.
    pub(super) fn gap(&self, from: Vec3, to: Vec3, step: f32) -> Option<[Vec3; 2]> {
        let length = (to - from).with_y(0.0).length();
        let has_ground = |share: f32| self.ground(from.lerp(to, share), step + 0.1).is_some();
        let shares = || fine_shares(length);
        let missing = |share: &f32| !has_ground(*share);
        let first = shares().find(missing)?;
        let last = shares().rev().find(missing)?;
        Some([first, last].map(|share| from.lerp(to, share)))
    }
}

/// Returns closely spaced fractions of a length, from 0 to 1.
fn fine_shares(length: f32) -> impl DoubleEndedIterator<Item = f32> {
    let n = truncated(length / FINE).clamp(1, 2000);
    (0..=n).map(move |i| f32::from(i) / f32::from(n))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "floats saturate")]
fn truncated(value: f32) -> u16 {
    value as u16
}
