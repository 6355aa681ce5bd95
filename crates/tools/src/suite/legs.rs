//! The legs of a path, one for each polygon that it passes, and the volumes that a leg passes.

use glam::Vec3;
use walkable_bake::bake::VolumeShape;
use walkable_runtime::{
    geom::from_above::{contains, crossing, edges},
    navmesh::{NavMesh, PolyRef},
    query::{
        Crossings, NavPath, QueryError, Scratch, StraightPathRequest, poly_height, straight_path,
    },
};

/// Maximum length of a leg that only touches its polygon, in meters.
const MIN_LEG: f32 = 1e-3;
/// Maximum difference between the navmesh's surface and the level's ground, in meters.
const SURFACE_ERROR: f32 = 0.3;

/// The line of a path in one polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub(super) poly: PolyRef,
    pub(super) ends: [Vec3; 2],
}

/// Returns the legs of `path`, from start to end. A path that stays at one point has a single leg.
pub(super) fn legs(
    mesh: &NavMesh,
    path: &NavPath,
    scratch: &mut Scratch,
) -> Result<Vec<Leg>, QueryError> {
    let (Some(&start), Some(&end)) = (path.points.first(), path.points.last()) else {
        return Ok(Vec::new());
    };
    let request = StraightPathRequest::new(start, end, &path.corridor);
    let request = StraightPathRequest { crossings: Crossings::All, ..request };
    let points = straight_path(mesh, &request, scratch)?;
    let all = points.windows(2).filter_map(|pair| {
        Some(Leg { poly: pair[0].poly?, ends: [pair[0].position, pair[1].position] })
    });
    let mut legs: Vec<_> = all.filter(|leg| leg.ends[0].distance(leg.ends[1]) > MIN_LEG).collect();
    if let (true, Some(&poly)) = (legs.is_empty(), path.corridor.first()) {
        legs.push(Leg { poly, ends: [start, end] });
    }
    Ok(legs)
}

impl Leg {
    /// Returns a point of the leg inside `shape`; `None` if the leg does not pass it.
    pub(super) fn point_inside(&self, mesh: &NavMesh, shape: &VolumeShape) -> Option<Vec3> {
        let bounds = shape.bounds();
        let heights = bounds.min.y - SURFACE_ERROR..=bounds.max.y + SURFACE_ERROR;
        self.spans_inside(shape).into_iter().find_map(|[first, last]| {
            let points = [first, first.midpoint(last), last].map(|t| self.on_surface(mesh, t));
            let found = points.into_iter().find(|at| heights.contains(&at.y));
            // The surface may rise from below the volume to above it between two of the points.
            let is_below = |at: &Vec3| at.y < bounds.min.y;
            let crosses = points.iter().any(is_below) && !points.iter().all(is_below);
            found.or_else(|| crosses.then_some(points[1]))
        })
    }

    /// Returns the point at fraction `t` of the leg, on the detail surface.
    fn on_surface(&self, mesh: &NavMesh, t: f32) -> Vec3 {
        let [start, end] = self.ends;
        let on_line = start.lerp(end, t);
        let height = poly_height(mesh, self.poly, on_line).ok().flatten();
        on_line.with_y(height.unwrap_or(on_line.y))
    }

    /// Returns the fractions of the leg between which it is inside `shape`, seen from above.
    fn spans_inside(&self, shape: &VolumeShape) -> Vec<[f32; 2]> {
        let [start, end] = self.ends;
        let outline = match shape {
            VolumeShape::Cylinder { base, radius, .. } => {
                return circle_span([start, end], *base, *radius).into_iter().collect();
            }
            VolumeShape::Prism { .. } | VolumeShape::Box(_) | VolumeShape::TurnedBox { .. } => {
                shape.outline()
            }
        };
        let mut cuts = vec![0.0, 1.0];
        cuts.extend(edges(&outline).filter_map(|(_, a, b)| {
            let [t, u] = crossing([start, end], [a, b])?;
            ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then_some(t)
        }));
        cuts.sort_by(f32::total_cmp);
        let spans = cuts.windows(2).map(|pair| [pair[0], pair[1]]);
        spans.filter(|[a, b]| contains(&outline, start.lerp(end, a.midpoint(*b)))).collect()
    }
}

/// Returns the fractions of the line between which it is nearer to `center` than `radius`, seen from above.
fn circle_span([start, end]: [Vec3; 2], center: Vec3, radius: f32) -> Option<[f32; 2]> {
    let flat = |vector: Vec3| vector.with_y(0.0).as_dvec3();
    let (along, from_center) = (flat(end - start), flat(start - center));
    let length_sqr = along.length_squared();
    let outside = from_center.length_squared() - f64::from(radius).powi(2);
    if length_sqr <= 0.0 {
        return (outside < 0.0).then_some([0.0, 1.0]);
    }
    let half = from_center.dot(along) / length_sqr;
    let root = half * half - outside / length_sqr;
    if root <= 0.0 {
        return None;
    }
    let [first, last] = [-half - root.sqrt(), -half + root.sqrt()].map(|t| t.clamp(0.0, 1.0));
    #[expect(clippy::cast_possible_truncation, reason = "fractions from 0 to 1 fit")]
    (first < last).then_some([first as f32, last as f32])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use walkable_runtime::geom::Aabb;

    use super::*;

    fn leg(ends: [Vec3; 2]) -> Leg {
        Leg { poly: PolyRef(std::num::NonZeroU64::MIN), ends }
    }

    fn at(x: f32, z: f32) -> Vec3 {
        Vec3::new(x, 0.0, z)
    }

    #[test]
    fn the_part_inside_is_found_for_each_shape() {
        let square = VolumeShape::Box(Aabb::new(at(2.0, -1.0), Vec3::new(4.0, 2.0, 1.0)));
        let turned = VolumeShape::TurnedBox {
            center: at(3.0, 0.0),
            half_extents: Vec3::new(1.0, 1.0, 1.0),
            yaw: std::f32::consts::FRAC_PI_2,
        };
        let cylinder = VolumeShape::Cylinder { base: at(3.0, 0.0), radius: 1.0, height: 2.0 };
        // A horseshoe: the line crosses both of its arms.
        let outline = [(2.0, -1.0), (4.0, -1.0), (4.0, 1.0), (3.5, 1.0), (3.5, -0.5), (2.5, -0.5)];
        let outline = [&outline[..], &[(2.5, 1.0), (2.0, 1.0)]].concat();
        let outline = outline.into_iter().map(|(x, z)| at(x, z)).collect();
        let horseshoe = VolumeShape::Prism { min_y: -1.0, max_y: 1.0, outline };
        let along = leg([at(0.0, 0.0), at(10.0, 0.0)]);
        for (shape, expected) in [
            (square, vec![[0.2, 0.4]]),
            (turned, vec![[0.2, 0.4]]),
            (cylinder, vec![[0.2, 0.4]]),
            (horseshoe, vec![[0.2, 0.25], [0.35, 0.4]]),
        ] {
            let found = along.spans_inside(&shape);
            assert_eq!(found.len(), expected.len(), "{shape:?}: {found:?}");
            for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                assert!((found - expected).abs() < 1e-5, "{shape:?}: {found} for {expected}");
            }
            let beside = leg([at(0.0, 3.0), at(10.0, 3.0)]);
            assert!(beside.spans_inside(&shape).is_empty(), "{shape:?}");
        }
    }

    proptest! {
        #[test]
        fn points_between_the_cuts_are_inside(
            (x, z) in (-5.0_f32..5.0, -5.0_f32..5.0),
            (to_x, to_z) in (-5.0_f32..5.0, -5.0_f32..5.0),
            radius in 0.1_f32..4.0,
        ) {
            let ends = [at(x, z), at(to_x, to_z)];
            let base = Vec3::ZERO;
            let shape = VolumeShape::Cylinder { base, radius, height: 1.0 };
            let spans = leg(ends).spans_inside(&shape);
            for n in 0_u8..=20 {
                let t = f32::from(n) / 20.0;
                let distance = ends[0].lerp(ends[1], t).length();
                let is_inside = spans.iter().any(|[a, b]| (*a..=*b).contains(&t));
                prop_assert!((distance - radius).abs() < 1e-3 || is_inside == (distance < radius));
            }
        }
    }
}
