//! Geometry of points, segments and polygons seen from above: only x and z count, unless noted otherwise.
//!
//! The order of operations is Detour's, so that results agree with it to the last bit.

use std::borrow::Cow;

use glam::Vec3;

/// Below this, two directions count as parallel.
pub(super) const PARALLEL: f32 = 0.000_001;
/// Below this, a triangle seen from above counts as a line.
const FLAT: f32 = 1e-6;

/// Returns the point at parameter `t` between `a` and `b`, in all three coordinates. Exact at `t = 0` only.
#[inline]
pub fn point_between(a: Vec3, b: Vec3, t: f32) -> Vec3 {
    a + (b - a) * t
}

/// Returns twice the area of triangle `a b c`; positive for the winding of navmesh polygons.
#[inline]
pub fn doubled_area(a: Vec3, b: Vec3, c: Vec3) -> f32 {
    let (ab, ac) = (b - a, c - a);
    ac.x * ab.z - ab.x * ac.z
}

/// The nearest point on a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnSegment {
    /// Parameter along the segment, 0 to 1.
    pub t: f32,
    /// Squared distance.
    pub distance_sqr: f32,
}

/// Finds the point on segment `a b` nearest to `point`.
#[inline]
pub fn nearest_on_segment(point: Vec3, a: Vec3, b: Vec3) -> OnSegment {
    let (along, to_point) = (b - a, point - a);
    let length_sqr = along.x * along.x + along.z * along.z;
    let mut t = along.x * to_point.x + along.z * to_point.z;
    if length_sqr > 0.0 {
        t /= length_sqr;
    }
    let t = t.clamp(0.0, 1.0);
    let dx = a.x + t * along.x - point.x;
    let dz = a.z + t * along.z - point.z;
    OnSegment { t, distance_sqr: dx * dx + dz * dz }
}

/// Returns whether `point` lies in the polygon. A point on a border shared by two polygons lies in exactly one of them.
#[inline]
pub fn contains(corners: &[Vec3], point: Vec3) -> bool {
    let mut is_inside = false;
    let Some(&(mut b)) = corners.last() else { return false };
    for &a in corners {
        if (a.z > point.z) != (b.z > point.z)
            && point.x < (b.x - a.x) * (point.z - a.z) / (b.z - a.z) + a.x
        {
            is_inside = !is_inside;
        }
        b = a;
    }
    is_inside
}

/// Tests many points like [`contains`], row by row: the cost of an outline with many corners is paid once per row, not
/// per point.
#[derive(Clone, Debug)]
pub struct RowByRow<'a> {
    corners: Cow<'a, [Vec3]>,
    /// The current row.
    z: Option<f32>,
    /// Where the outline crosses the row, ascending.
    crossings: Vec<f32>,
}

impl<'a> RowByRow<'a> {
    /// Creates the test for the polygon with these corners.
    pub fn new(corners: impl Into<Cow<'a, [Vec3]>>) -> Self {
        Self { corners: corners.into(), z: None, crossings: Vec::new() }
    }

    /// Same as [`contains`].
    pub fn contains(&mut self, point: Vec3) -> bool {
        if self.z.map(f32::to_bits) != Some(point.z.to_bits()) {
            self.z = Some(point.z);
            self.cross(point.z);
        }
        let n_left = self.crossings.partition_point(|&x| x <= point.x);
        (self.crossings.len() - n_left) % 2 == 1
    }

    fn cross(&mut self, z: f32) {
        self.crossings.clear();
        let Some(&(mut b)) = self.corners.last() else { return };
        for &a in &*self.corners {
            if (a.z > z) != (b.z > z) {
                self.crossings.push((b.x - a.x) * (z - a.z) / (b.z - a.z) + a.x);
            }
            b = a;
        }
        // NaN has no position in the sorted list.
        self.crossings.retain(|x| !x.is_nan());
        self.crossings.sort_unstable_by(f32::total_cmp);
    }
}

/// Tests whether points are nearer to the outline of a polygon than a distance, row by row like [`RowByRow`].
#[derive(Clone, Debug)]
pub struct NearRowByRow<'a> {
    corners: Cow<'a, [Vec3]>,
    reach: f32,
    /// The current row.
    z: Option<f32>,
    /// The parts of the row that are near, disjoint and ascending.
    near: Vec<[f32; 2]>,
}

impl<'a> NearRowByRow<'a> {
    /// Creates the test for the polygon with these corners and for distances below `reach`.
    pub fn new(corners: impl Into<Cow<'a, [Vec3]>>, reach: f32) -> Self {
        Self { corners: corners.into(), reach, z: None, near: Vec::new() }
    }

    /// Returns whether `point` is nearer to the outline than the distance.
    pub fn contains(&mut self, point: Vec3) -> bool {
        if self.z.map(f32::to_bits) != Some(point.z.to_bits()) {
            self.z = Some(point.z);
            self.cross(point.z);
        }
        let n_before = self.near.partition_point(|&[first, _]| first < point.x);
        n_before.checked_sub(1).is_some_and(|part| point.x < self.near[part][1])
    }

    fn cross(&mut self, z: f32) {
        let parts = edges(&self.corners).filter_map(|(_, a, b)| near_on_row(a, b, self.reach, z));
        let mut parts: Vec<_> = parts.collect();
        parts.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        self.near.clear();
        for [first, last] in parts {
            match self.near.last_mut() {
                Some(before) if first <= before[1] => before[1] = before[1].max(last),
                _ => self.near.push([first, last]),
            }
        }
    }
}

/// Returns the part of the row at `z` that is nearer to segment `a b` than `reach`; `None` if there is none.
fn near_on_row(a: Vec3, b: Vec3, reach: f32, z: f32) -> Option<[f32; 2]> {
    let [mut first, mut last] = [f32::INFINITY, f32::NEG_INFINITY];
    let mut take = |x: f32| (first, last) = (first.min(x), last.max(x));
    // The circles around the ends.
    for end in [a, b] {
        let half_sqr = reach * reach - (z - end.z) * (z - end.z);
        if half_sqr > 0.0 {
            take(end.x - half_sqr.sqrt());
            take(end.x + half_sqr.sqrt());
        }
    }
    // The rectangle along the segment.
    let along = b - a;
    let length = along.x.hypot(along.z);
    if length > 0.0 {
        let aside = Vec3::new(-along.z, 0.0, along.x) * (reach / length);
        for (_, p, q) in edges(&[a + aside, b + aside, b - aside, a - aside]) {
            if (p.z > z) != (q.z > z) {
                take((q.x - p.x) * (z - p.z) / (q.z - p.z) + p.x);
            }
        }
    }
    (first < last).then_some([first, last])
}

/// Returns the edges of a polygon as (index of first vertex, first vertex, second vertex), the closing edge first.
pub fn edges(corners: &[Vec3]) -> impl Iterator<Item = (usize, Vec3, Vec3)> {
    let last = corners.len().saturating_sub(1);
    (0..corners.len()).map(move |i| {
        let from = if i == 0 { last } else { i - 1 };
        (from, corners[from], corners[i])
    })
}

/// Returns the height of triangle `a b c` at `point`; `None` if the point is outside or the triangle is vertical.
pub fn height_on_triangle(point: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (to_c, to_b, to_point) = (c - a, b - a, point - a);
    let mut area = to_c.x * to_b.z - to_c.z * to_b.x;
    if area.abs() < FLAT {
        return None;
    }
    let mut u = to_b.z * to_point.x - to_b.x * to_point.z;
    let mut v = to_c.x * to_point.z - to_c.z * to_point.x;
    if area < 0.0 {
        (area, u, v) = (-area, -u, -v);
    }
    let is_inside = u >= 0.0 && v >= 0.0 && u + v <= area;
    is_inside.then(|| a.y + (to_c.y * u + to_b.y * v) / area)
}

/// The part of a segment inside a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clip {
    /// Parameter at which the segment enters.
    pub t_min: f32,
    /// Parameter at which the segment leaves.
    pub t_max: f32,
    /// Edge over which the segment leaves; `None` if it ends inside.
    pub leaves_over: Option<usize>,
}

/// Clips segment `start end` to a convex polygon; `None` if it misses the polygon.
pub fn clip_segment(start: Vec3, end: Vec3, corners: &[Vec3]) -> Option<Clip> {
    let mut clip = Clip { t_min: 0.0, t_max: 1.0, leaves_over: None };
    let Some(mut before) = corners.len().checked_sub(1) else { return Some(clip) };
    let along = end - start;
    let mut a = corners[before];
    for (index, &b) in corners.iter().enumerate() {
        let (edge_x, edge_z) = (b.x - a.x, b.z - a.z);
        let from_edge = edge_z * (start.x - a.x) - edge_x * (start.z - a.z);
        let speed = along.z * edge_x - along.x * edge_z;
        if speed.abs() < PARALLEL {
            if from_edge < 0.0 {
                return None;
            }
        } else if speed < 0.0 {
            // The line enters before the segment's start, unless the start lies outside.
            if from_edge < 0.0 {
                clip.t_min = clip.t_min.max(from_edge / speed);
            }
        } else {
            let t = from_edge / speed;
            if t < clip.t_max {
                clip.t_max = t;
                clip.leaves_over = Some(before);
            }
        }
        (before, a) = (index, b);
    }
    (clip.t_min <= clip.t_max).then_some(clip)
}

/// Minimum penetration of two overlapping polygons, relative to the length of an edge.
const OVERLAP: f32 = 1e-4;

/// Returns whether the interiors of two convex polygons overlap.
pub fn overlap(a: &[Vec3], b: &[Vec3]) -> bool {
    let flat_dot = |u: Vec3, v: Vec3| u.x * v.x + u.z * v.z;
    let is_apart = |(_, from, to): (usize, Vec3, Vec3)| {
        let normal = Vec3::new(to.z - from.z, 0.0, -(to.x - from.x));
        let [own, other] = [a, b].map(|corners| {
            let places = corners.iter().map(|&corner| flat_dot(normal, corner));
            places.fold([f32::INFINITY, f32::NEG_INFINITY], |[min, max], place| {
                [min.min(place), max.max(place)]
            })
        });
        own[0] + OVERLAP > other[1] || own[1] - OVERLAP < other[0]
    };
    !edges(a).any(is_apart) && !edges(b).any(is_apart)
}

/// Returns the intersection of the lines through `a` and `b`, as a parameter of each; `None` if they are parallel.
pub fn crossing(a: [Vec3; 2], b: [Vec3; 2]) -> Option<[f32; 2]> {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let cross = |p: Vec3, q: Vec3| p.x * q.z - p.z * q.x;
    let area = cross(u, v);
    if area.abs() < PARALLEL { None } else { Some([cross(v, w) / area, cross(u, w) / area]) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(x: f32, z: f32) -> Vec3 {
        Vec3::new(x, 0.0, z)
    }

    /// Returns the unit square, with the winding of navmesh polygons.
    fn square() -> [Vec3; 4] {
        [at(0.0, 0.0), at(0.0, 1.0), at(1.0, 1.0), at(1.0, 0.0)]
    }

    #[test]
    fn a_shared_border_point_is_in_one_polygon() {
        let right: Vec<Vec3> = square().iter().map(|&p| p + Vec3::X).collect();
        for (x, z) in [(1.0, 0.5), (1.0, 0.0), (1.0, 0.999)] {
            let n = [&square()[..], &right].iter().filter(|p| contains(p, at(x, z))).count();
            assert_eq!(n, 1, "{x} {z}");
        }
        assert!(contains(&square(), at(0.5, 0.5)));
        assert!(!contains(&square(), at(-0.1, 0.5)));
    }

    proptest! {
        #[test]
        fn row_by_row_is_the_same(
            corners in prop::collection::vec((coordinate(), coordinate()), 0..12),
            points in prop::collection::vec((coordinate(), coordinate()), 1..40),
        ) {
            let corners: Vec<_> = corners.into_iter().map(|(x, z)| at(x, z)).collect();
            let mut rows = RowByRow::new(&corners);
            for (x, z) in points {
                prop_assert_eq!(rows.contains(at(x, z)), contains(&corners, at(x, z)), "{} {}", x, z);
            }
        }
    }

    proptest! {
        #[test]
        fn near_row_by_row_is_the_distance_to_an_edge(
            corners in prop::collection::vec((-3.0_f32..3.0, -3.0_f32..3.0), 1..12),
            points in prop::collection::vec((-4.0_f32..4.0, -4.0_f32..4.0), 1..40),
            reach in 0.1_f32..1.5,
        ) {
            let corners: Vec<_> = corners.into_iter().map(|(x, z)| at(x, z)).collect();
            let mut rows = NearRowByRow::new(&corners, reach);
            for (x, z) in points {
                let distance = |(_, a, b)| nearest_on_segment(at(x, z), a, b).distance_sqr.sqrt();
                let nearest = edges(&corners).map(distance).fold(f32::INFINITY, f32::min);
                // At the limit, the result depends on rounding.
                if (nearest - reach).abs() > 1e-3 {
                    prop_assert_eq!(rows.contains(at(x, z)), nearest < reach, "{} {}", x, z);
                }
            }
        }
    }

    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![
            6 => (-6_i8..6).prop_map(|n| f32::from(n) / 2.0),
            2 => -3.0_f32..3.0,
            1 => prop::sample::select(vec![-0.0, 3e38, -3e38, 1e-40]),
        ]
    }

    #[test]
    fn a_segment_is_cut_to_the_square() {
        #[track_caller]
        fn check(from: (f32, f32), to: (f32, f32), expected: Option<(f32, f32, Option<usize>)>) {
            let clip = clip_segment(at(from.0, from.1), at(to.0, to.1), &square());
            assert_eq!(clip.map(|c| (c.t_min, c.t_max, c.leaves_over)), expected);
        }
        check((0.5, 0.5), (2.5, 0.5), Some((0.0, 0.25, Some(2))));
        check((-1.0, 0.5), (1.0, 0.5), Some((0.5, 1.0, None)));
        check((0.2, 0.2), (0.8, 0.8), Some((0.0, 1.0, None)));
        check((-1.0, 2.0), (1.0, 2.0), None);
        check((2.0, 0.5), (3.0, 0.5), None);
    }

    #[test]
    fn heights_are_interpolated_whatever_the_winding() {
        let [a, b, c] = [Vec3::ZERO, Vec3::new(0.0, 2.0, 2.0), Vec3::new(2.0, 4.0, 0.0)];
        for corners in [[a, b, c], [a, c, b]] {
            assert_eq!(height_on_triangle(at(0.5, 0.5), corners), Some(1.5));
            assert_eq!(height_on_triangle(at(1.5, 1.5), corners), None);
        }
        assert_eq!(height_on_triangle(at(0.0, 0.0), [a, b, b * 2.0]), None);
    }

    #[test]
    fn the_nearest_place_on_a_segment_is_clamped() {
        let near = |x, z| nearest_on_segment(at(x, z), at(0.0, 0.0), at(2.0, 0.0));
        assert_eq!(near(1.0, 3.0), OnSegment { t: 0.5, distance_sqr: 9.0 });
        assert_eq!(near(-1.0, 0.0), OnSegment { t: 0.0, distance_sqr: 1.0 });
        assert_eq!(near(5.0, 4.0), OnSegment { t: 1.0, distance_sqr: 25.0 });
        let to_point = nearest_on_segment(at(3.0, 4.0), Vec3::ZERO, Vec3::ZERO);
        assert_eq!(to_point, OnSegment { t: 0.0, distance_sqr: 25.0 });
    }

    #[test]
    fn polygons_that_touch_do_not_overlap() {
        let moved = |by: Vec3| square().map(|corner| corner + by);
        let overlaps = |by| overlap(&square(), &moved(by));
        assert!(overlaps(Vec3::ZERO) && overlaps(at(0.9, 0.9)) && overlaps(at(-0.5, 0.0)));
        assert!(!overlaps(at(1.0, 0.0)) && !overlaps(at(0.0, -1.0)) && !overlaps(at(3.0, 0.5)));
        let slanted = [at(1.0, 1.1), at(2.0, 2.0), at(1.1, 1.0)];
        assert!(!overlap(&square(), &slanted) && !overlap(&slanted, &square()));
    }

    #[test]
    fn lines_cross_where_they_should() {
        let cross = crossing([at(0.0, 0.0), at(2.0, 0.0)], [at(1.0, -1.0), at(1.0, 3.0)]);
        assert_eq!(cross, Some([0.5, 0.25]));
        assert_eq!(crossing([at(0.0, 0.0), at(1.0, 0.0)], [at(0.0, 1.0), at(1.0, 1.0)]), None);
    }
}
