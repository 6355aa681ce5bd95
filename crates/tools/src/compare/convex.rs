//! Convex pieces of ground seen from above, and cutting them by half-planes.
//!
//! Coordinates are x and z of the world as `f64`. The input is `f32`, so the rounding errors of cutting are far below
//! the precision of the vertices.

use glam::DVec2;

/// Distances below this are rounding errors, in meters.
const EPSILON: f64 = 1e-9;
/// Polygons this far apart certainly share nothing, in meters.
const SEPARATED: f64 = 1e-6;
/// Smaller pieces are dropped, in square meters: they are rounding errors of neighboring vertices.
const MIN_AREA: f64 = 1e-8;
/// Cosine of the angle between the normals of two edges, below which a grown corner is cut off.
const SHARP: f64 = 0.99;

/// A convex polygon, counterclockwise with x to the right and z up.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Convex(Vec<DVec2>);

/// The points whose coordinate along `normal` is at most `limit`.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfPlane {
    pub(super) normal: DVec2,
    pub(super) limit: f64,
}

impl HalfPlane {
    fn distance(&self, at: DVec2) -> f64 {
        self.normal.dot(at) - self.limit
    }

    /// Returns the points on the other side.
    fn flipped(self) -> Self {
        Self { normal: -self.normal, limit: -self.limit }
    }
}

impl Convex {
    /// Returns the polygon with these corners in either order; `None` if it has almost no area.
    pub(super) fn new(mut corners: Vec<DVec2>) -> Option<Self> {
        let area = signed_area(&corners);
        if area < 0.0 {
            corners.reverse();
        }
        (area.abs() >= MIN_AREA).then_some(Self(corners))
    }

    pub(super) fn corners(&self) -> &[DVec2] {
        &self.0
    }

    pub(super) fn area(&self) -> f64 {
        signed_area(&self.0)
    }

    /// Returns the smallest and the largest coordinates.
    pub(super) fn bounds(&self) -> [DVec2; 2] {
        let min = self.0.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let max = self.0.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        [min, max]
    }

    /// Returns the center of mass.
    pub(super) fn centroid(&self) -> DVec2 {
        let first = self.0[0];
        let fan = self.0.windows(2).skip(1).map(|pair| {
            let (b, c) = (pair[0] - first, pair[1] - first);
            ((b + c) / 3.0, b.perp_dot(c))
        });
        let (sum, weight) = fan.fold((DVec2::ZERO, 0.0), |(sum, weight), (center, doubled)| {
            (sum + center * doubled, weight + doubled)
        });
        first + sum / weight
    }

    fn edges(&self) -> impl Iterator<Item = [DVec2; 2]> {
        let next = self.0.iter().skip(1).chain(self.0.first());
        self.0.iter().zip(next).map(|(a, b)| [*a, *b])
    }

    /// Returns half-planes whose intersection is the polygon, grown by `distance` on all sides. Its corners are cut off
    /// at that distance, so that no corner of a grown polygon with angles of 90° or more is farther than 1.09 times
    /// `distance` from the original.
    pub(super) fn sides(&self, distance: f64) -> Vec<HalfPlane> {
        let outward = |[a, b]: [DVec2; 2]| -(b - a).perp().normalize_or_zero();
        let edges = self.edges().filter(|[a, b]| a.distance(*b) > EPSILON);
        let mut sides: Vec<HalfPlane> = edges
            .map(|edge| {
                let normal = outward(edge);
                HalfPlane { normal, limit: normal.dot(edge[0]) + distance }
            })
            .collect();
        if distance > 0.0 {
            for (index, &corner) in self.0.iter().enumerate() {
                let before = self.0[(index + self.0.len() - 1) % self.0.len()];
                let after = self.0[(index + 1) % self.0.len()];
                let [into, out] = [outward([before, corner]), outward([corner, after])];
                let between = (into + out).normalize_or_zero();
                if between != DVec2::ZERO && into.dot(out) < SHARP {
                    let limit = between.dot(corner) + distance;
                    sides.push(HalfPlane { normal: between, limit });
                }
            }
        }
        sides
    }

    /// Returns whether an edge separates `other` from the polygon grown by `distance`, by more than rounding errors.
    pub(super) fn excludes(&self, other: &Self, distance: f64) -> bool {
        self.edges().any(|[a, b]| {
            let normal = -(b - a).perp().normalize_or_zero();
            let limit = normal.dot(a) + distance + SEPARATED;
            other.0.iter().all(|at| normal.dot(*at) > limit)
        })
    }

    /// Returns the part inside a half-plane.
    pub(super) fn inside(&self, half: HalfPlane) -> Option<Self> {
        let distances: Vec<f64> = self.0.iter().map(|at| half.distance(*at)).collect();
        if distances.iter().all(|distance| *distance <= EPSILON) {
            return Some(self.clone());
        }
        if distances.iter().all(|distance| *distance >= -EPSILON) {
            return None;
        }
        let mut kept = Vec::with_capacity(self.0.len() + 1);
        let next = distances.iter().cycle().skip(1);
        for ([a, b], (at_a, at_b)) in self.edges().zip(distances.iter().zip(next)) {
            if *at_a <= 0.0 {
                kept.push(a);
            }
            if (*at_a < 0.0 && *at_b > 0.0) || (*at_a > 0.0 && *at_b < 0.0) {
                kept.push(a + (b - a) * (at_a / (at_a - at_b)));
            }
        }
        (kept.len() >= 3 && signed_area(&kept) >= MIN_AREA).then_some(Self(kept))
    }

    /// Returns the part inside all half-planes.
    pub(super) fn inside_all(&self, halves: &[HalfPlane]) -> Option<Self> {
        halves.iter().try_fold(self.clone(), |rest, half| rest.inside(*half))
    }

    /// Removes the part inside all half-planes and returns it. The remaining parts are appended to `rest`.
    pub(super) fn subtract(self, halves: &[HalfPlane], rest: &mut Vec<Self>) -> Option<Self> {
        // Checked first, because a polygon that is not touched should not be cut.
        if self.inside_all(halves).is_none() {
            rest.push(self);
            return None;
        }
        let mut inner = self;
        for half in halves {
            rest.extend(inner.inside(half.flipped()));
            inner = inner.inside(*half)?;
        }
        Some(inner)
    }

    /// Returns the parts on the two sides of the middle of the longer side of the bounds.
    pub(super) fn halves(&self) -> [Option<Self>; 2] {
        let [min, max] = self.bounds();
        let size = max - min;
        let normal = if size.x >= size.y { DVec2::X } else { DVec2::Y };
        let half = HalfPlane { normal, limit: normal.dot(min + size * 0.5) };
        [self.inside(half), self.inside(half.flipped())]
    }

    /// Returns whether the distance between two polygons is at most `distance`. The distance between corners that face
    /// each other may be underestimated by a factor of up to 1.42.
    pub(super) fn is_near(&self, other: &Self, distance: f64) -> bool {
        let is_separated = |own: &Self, other: &Self| {
            let nearest = |half: &HalfPlane| {
                let distances = other.0.iter().map(|at| half.distance(*at));
                distances.fold(f64::INFINITY, f64::min)
            };
            own.sides(0.0).iter().any(|half| nearest(half) > distance)
        };
        !is_separated(self, other) && !is_separated(other, self)
    }
}

fn signed_area(corners: &[DVec2]) -> f64 {
    let Some(first) = corners.first() else { return 0.0 };
    let fan = corners.windows(2).skip(1);
    fan.map(|pair| (pair[0] - first).perp_dot(pair[1] - first)).sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn square(at: [f64; 2], side: f64) -> Convex {
        let [x, z] = at;
        let corners = [[x, z], [x + side, z], [x + side, z + side], [x, z + side]];
        Convex::new(corners.map(DVec2::from).to_vec()).unwrap()
    }

    /// Returns a triangle from any three corners.
    fn triangle() -> impl Strategy<Value = Convex> {
        let corner = || (-10.0..10.0, -10.0..10.0).prop_map(|(x, z)| DVec2::new(x, z));
        let corners = [corner(), corner(), corner()].prop_map(|corners| corners.to_vec());
        corners.prop_filter_map("no area", Convex::new)
    }

    #[test]
    fn grown_squares_reach_to_the_distance() {
        let own = square([0.0, 0.0], 2.0);
        let apart = |at: [f64; 2], distance: f64| {
            square(at, 1.0).inside_all(&own.sides(distance)).is_none()
        };
        assert!(apart([2.0, 0.0], 0.0) && apart([2.5, 0.0], 0.4));
        assert!(!apart([2.5, 0.0], 0.6));
        // The corner of the grown square is cut off.
        assert!(apart([2.45, 2.45], 0.5) && !apart([2.3, 2.3], 0.5));
    }

    #[test]
    fn near_squares_are_near() {
        let own = square([0.0, 0.0], 2.0);
        for (at, distance, is_near) in [
            ([2.0, 0.0], 0.001, true),
            ([2.2, 1.0], 0.1, false),
            ([2.2, 1.0], 0.3, true),
            ([0.5, 0.5], 0.0, true),
        ] {
            assert_eq!(own.is_near(&square(at, 1.0), distance), is_near, "{at:?}, {distance}");
        }
    }

    proptest! {
        #[test]
        fn the_parts_of_a_polygon_add_up(from in triangle(), taken in triangle()) {
            let area = from.area();
            let mut rest = Vec::new();
            let inner = from.clone().subtract(&taken.sides(0.0), &mut rest);
            let sum = rest.iter().chain(&inner).map(Convex::area).sum::<f64>();
            prop_assert!((sum - area).abs() < 1e-6, "{sum} of {area}");
            // The order does not matter for the shared part.
            let shared = |part: Option<Convex>| part.map_or(0.0, |part| part.area());
            let other = shared(taken.inside_all(&from.sides(0.0)));
            prop_assert!((shared(inner) - other).abs() < 1e-6);
            for part in rest {
                let center = part.centroid();
                prop_assert!(part.sides(0.0).iter().all(|side| side.distance(center) <= 0.0));
            }
        }
    }
}
