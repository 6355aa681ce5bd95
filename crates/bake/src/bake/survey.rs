//! Solid spans of a tile with the steepness of their tops: the ground that an agent with other abilities could walk
//! on.

use walkable_runtime::{
    ids::TileCoord,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    BakeError, BakePlan, Heightfield, RawArea, SurfaceUse, TriangleSlopes, bound::keep_within,
    limit::StageError, rasterize::rasterize, slope::mark_slopes,
};

/// Classes of steepness that [`survey_tile`] stores in place of areas. The flattest has the highest number, so that
/// spans are merged as in a bake.
#[derive(Clone, Copy, Debug)]
pub struct Steepness;

/// The class of the steepest tops, which is the first class above the slope limit.
const STEEPEST: u8 = 3;
/// Maximum slope of an upright wall above 90°, in degrees: vertices are rounded, so a wall may face down slightly.
const UPRIGHT_DEG: f32 = 0.1;
/// Number of classes above the slope limit.
const N_STEEP: u8 = RawArea::WALKABLE.0 - STEEPEST;

impl Steepness {
    /// The top is within the slope limit.
    pub const WALKABLE: RawArea = RawArea::WALKABLE;
    /// The top is within the slope limit, but its object or material is marked as not walkable.
    pub const MARKED: RawArea = RawArea(2);
    /// The top faces down, or its triangle is degenerate.
    pub const FACES_DOWN: RawArea = RawArea(1);

    /// Returns the minimum slope of a class above the limit, in degrees; `None` for other classes.
    pub fn least_slope_deg(class: RawArea, limit_deg: f32) -> Option<f32> {
        let steps = RawArea::WALKABLE.0.checked_sub(class.0)?;
        let is_steep = (STEEPEST..RawArea::WALKABLE.0).contains(&class.0);
        let share = f32::from(steps.saturating_sub(1)) / f32::from(N_STEEP);
        is_steep.then(|| limit_deg + share * (90.0 - limit_deg).max(0.0))
    }

    /// Returns the class of a slope above the limit.
    fn of(slope_deg: f32, limit_deg: f32) -> RawArea {
        if slope_deg.is_nan() || slope_deg > 90.0 + UPRIGHT_DEG {
            return Self::FACES_DOWN;
        }
        let range = (90.0 - limit_deg).max(f32::MIN_POSITIVE);
        let share = ((slope_deg - limit_deg) / range).clamp(0.0, 1.0);
        RawArea(RawArea::WALKABLE.0 - 1 - truncated(share * f32::from(N_STEEP)).min(N_STEEP - 1))
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 60")]
fn truncated(value: f32) -> u8 {
    value as u8
}

/// Rasterizes one tile of `plan`, including the border, like [`bake_tile`](crate::bake::bake_tile), but with the
/// [`Steepness`] of each solid span in place of its area.
///
/// # Errors
/// See [`bake_tile`](crate::bake::bake_tile).
pub fn survey_tile(
    plan: &BakePlan,
    coord: TileCoord,
    monitor: &dyn Monitor,
) -> Result<Heightfield, BakeError> {
    survey(plan, coord, monitor).map_err(|error| error.at(coord))
}

fn survey(
    plan: &BakePlan,
    coord: TileCoord,
    monitor: &dyn Monitor,
) -> Result<Heightfield, StageError> {
    let input = plan.input();
    let slopes = classify(plan, plan.tile_triangles(coord), monitor)?;
    let climb_vx = plan.params().walkable_climb_vx;
    let (spans, _) = rasterize(&input.mesh, &slopes, plan.tile_frame(coord), climb_vx, monitor)?;
    Ok(keep_within(spans, &input.bounds, monitor)?)
}

fn classify(
    plan: &BakePlan,
    triangles: Vec<u32>,
    monitor: &dyn Monitor,
) -> Result<TriangleSlopes, Cancelled> {
    let input = plan.input();
    let limit_deg = input.settings.agent_max_slope;
    let mut slopes = mark_slopes(&input.mesh, triangles, limit_deg, monitor)?;
    for (&triangle, area) in slopes.triangles.iter().zip(&mut slopes.areas) {
        if !area.is_walkable() {
            let [a, b, c] = input.mesh.corners(triangle as usize);
            let up = (b - a).cross(c - a).try_normalize().map_or(f32::NAN, |normal| normal.y);
            let slope_deg = up.clamp(-1.0, 1.0).acos().to_degrees();
            *area = Steepness::of(slope_deg, limit_deg);
        }
        if plan.surface_use(triangle) == Some(SurfaceUse::Area(RawArea::NULL))
            && *area == Steepness::WALKABLE
        {
            *area = Steepness::MARKED;
        }
    }
    Ok(slopes)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;
    use walkable_mesh::TriMesh;
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::{BakeInput, BakeSettings};

    #[test]
    fn flatter_slopes_have_higher_classes() {
        let classes: Vec<_> =
            [45.1, 47.0, 60.0, 89.9, 90.0, 90.01].map(|deg| Steepness::of(deg, 45.0)).into();
        assert!(classes.is_sorted_by(|a, b| a >= b) && classes[0] == RawArea(62), "{classes:?}");
        assert_eq!(classes[4..], [RawArea(STEEPEST); 2]);
        for deg in [45.1, 50.0, 63.5, 88.0] {
            let least = Steepness::least_slope_deg(Steepness::of(deg, 45.0), 45.0).unwrap();
            assert!(least <= deg && deg - least < 0.8, "{deg} {least}");
        }
        assert_eq!(Steepness::of(120.0, 45.0), Steepness::FACES_DOWN);
        assert_eq!(Steepness::least_slope_deg(Steepness::WALKABLE, 45.0), None);
        assert_eq!(Steepness::least_slope_deg(Steepness::MARKED, 45.0), None);
    }

    #[test]
    fn upright_walls_are_steep_and_do_not_face_down() {
        let corner = [[4.0, 0.0], [0.0, 0.0], [0.0, 4.0]];
        let edges = corner.map(|[x, z]| [0.0, 3.0].map(|y| Vec3::new(x, y, z)));
        let triangles = vec![[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]];
        let mesh = TriMesh::new(edges.concat(), triangles).unwrap();
        let plan = BakePlan::new(BakeInput::new(Arc::new(mesh), BakeSettings::default())).unwrap();
        let field = survey_tile(&plan, TileCoord::new(0, 0), &Unmonitored).unwrap();
        assert!(!field.spans.is_empty());
        assert!(field.spans.iter().all(|span| span.area == RawArea(STEEPEST)), "{:?}", field.spans);
    }
}
