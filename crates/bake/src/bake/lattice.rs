//! Exact predicates on points of the voxel grid, seen from above: x to the right, z down.
//!
//! In this view, outlines are counter-clockwise, with the ground on their left, and holes are clockwise. Integers make
//! every result exact. Contours and polygons share these functions, so that diagonals are valid for both.
//!
//! Source: O'Rourke, *Computational Geometry in C*, chapter 1. Because z is down, areas have the opposite sign.

/// A corner of a cell, seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    /// Along x, in cells.
    pub(super) x: i32,
    /// Along z, in cells.
    pub(super) z: i32,
}

impl Point {
    pub(super) const fn new(x: i32, z: i32) -> Self {
        Self { x, z }
    }

    /// Returns the squared distance.
    pub(super) fn distance_squared(self, other: Self) -> i64 {
        let dx = i64::from(self.x) - i64::from(other.x);
        let dz = i64::from(self.z) - i64::from(other.z);
        dx * dx + dz * dz
    }
}

/// A line between two points, prepared for distances from it.
pub(super) struct Segment {
    start: [f32; 2],
    along: [f32; 2],
    length_squared: f32,
}

impl Segment {
    pub(super) fn between(a: Point, b: Point) -> Self {
        let along = [cells(b.x - a.x), cells(b.z - a.z)];
        let length_squared = along[0] * along[0] + along[1] * along[1];
        Self { start: [cells(a.x), cells(a.z)], along, length_squared }
    }

    pub(super) fn distance_squared_to(&self, point: Point) -> f32 {
        let [x, z] = [cells(point.x), cells(point.z)];
        let mut t = self.along[0] * (x - self.start[0]) + self.along[1] * (z - self.start[1]);
        if self.length_squared > 0.0 {
            t /= self.length_squared;
        }
        let t = t.clamp(0.0, 1.0);
        let dx = self.start[0] + t * self.along[0] - x;
        let dz = self.start[1] + t * self.along[1] - z;
        dx * dx + dz * dz
    }
}

#[expect(clippy::cast_precision_loss, reason = "grid coordinates are far below 2^24")]
const fn cells(value: i32) -> f32 {
    value as f32
}

/// Returns twice the signed area of the triangle `a b c`: negative if `c` is on the left of the line from `a` to `b`.
pub(super) fn signed_area(a: Point, b: Point, c: Point) -> i64 {
    let [ax, az] = [i64::from(a.x), i64::from(a.z)];
    (i64::from(b.x) - ax) * (i64::from(c.z) - az) - (i64::from(c.x) - ax) * (i64::from(b.z) - az)
}

/// Returns whether `c` is strictly on the left of the line from `a` to `b`.
pub(super) fn is_left(a: Point, b: Point, c: Point) -> bool {
    signed_area(a, b, c) < 0
}

/// Returns whether `c` is on the left of the line from `a` to `b`, or on it.
pub(super) fn is_left_or_on(a: Point, b: Point, c: Point) -> bool {
    signed_area(a, b, c) <= 0
}

/// A corner of a polygon with the corners before and after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    pub(super) before: Point,
    pub(super) at: Point,
    pub(super) after: Point,
}

impl Cone {
    /// Returns whether the direction from the corner to `target` is strictly inside the polygon.
    pub(super) fn contains(&self, target: Point) -> bool {
        let Self { before, at, after } = *self;
        if self.is_convex() {
            is_left(at, target, before) && is_left(target, at, after)
        } else {
            self.reflex_contains(target)
        }
    }

    /// Like [`Cone::contains`], but the directions of the edges of a convex corner count, too.
    pub(super) fn contains_or_touches(&self, target: Point) -> bool {
        let Self { before, at, after } = *self;
        if self.is_convex() {
            is_left_or_on(at, target, before) && is_left_or_on(target, at, after)
        } else {
            self.reflex_contains(target)
        }
    }

    fn is_convex(&self) -> bool {
        is_left_or_on(self.before, self.at, self.after)
    }

    fn reflex_contains(&self, target: Point) -> bool {
        let Self { before, at, after } = *self;
        !(is_left_or_on(at, target, after) && is_left_or_on(target, at, before))
    }
}

/// Returns whether the closed segments `ab` and `cd` intersect.
///
/// A segment without length counts as touching every segment that ends in its row, as in Recast: outlines with repeated
/// points must be cut in the same way.
pub(super) fn segments_touch([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    if a != b && c != d && boxes_apart([a, b], [c, d]) {
        return false;
    }
    let sides = Sides::new([a, b], [c, d]);
    sides.cross_properly()
        || (sides.abc == 0 && is_between(a, b, c))
        || (sides.abd == 0 && is_between(a, b, d))
        || (sides.cda == 0 && is_between(c, d, a))
        || (sides.cdb == 0 && is_between(c, d, b))
}

/// Returns whether the interiors of the segments `ab` and `cd` intersect.
pub(super) fn segments_cross([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    !boxes_apart([a, b], [c, d]) && Sides::new([a, b], [c, d]).cross_properly()
}

/// For each segment, the sides on which the ends of the other segment are.
struct Sides {
    abc: i64,
    abd: i64,
    cda: i64,
    cdb: i64,
}

impl Sides {
    fn new([a, b]: [Point; 2], [c, d]: [Point; 2]) -> Self {
        Self {
            abc: signed_area(a, b, c),
            abd: signed_area(a, b, d),
            cda: signed_area(c, d, a),
            cdb: signed_area(c, d, b),
        }
    }

    fn cross_properly(&self) -> bool {
        let Self { abc, abd, cda, cdb } = *self;
        abc != 0
            && abd != 0
            && cda != 0
            && cdb != 0
            && (abc < 0) != (abd < 0)
            && (cda < 0) != (cdb < 0)
    }
}

/// Returns whether `c`, which must be on the line through `a` and `b`, is on the closed segment.
fn is_between(a: Point, b: Point, c: Point) -> bool {
    if a.x == b.x {
        a.z.min(b.z) <= c.z && c.z <= a.z.max(b.z)
    } else {
        a.x.min(b.x) <= c.x && c.x <= a.x.max(b.x)
    }
}

/// Returns whether the bounding boxes of two segments are disjoint: a cheap test that they do not touch.
fn boxes_apart([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    a.x.max(b.x) < c.x.min(d.x)
        || c.x.max(d.x) < a.x.min(b.x)
        || a.z.max(b.z) < c.z.min(d.z)
        || c.z.max(d.z) < a.z.min(b.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: i32, z: i32) -> Point {
        Point::new(x, z)
    }

    #[derive(Debug, PartialEq)]
    enum Meeting {
        Apart,
        Touch,
        Cross,
    }
    use Meeting::{Apart, Cross, Touch};

    fn meeting(ab: [Point; 2], cd: [Point; 2]) -> Meeting {
        match (segments_touch(ab, cd), segments_cross(ab, cd)) {
            (true, true) => Cross,
            (true, false) => Touch,
            (false, false) => Apart,
            (false, true) => panic!("segments cross without touching"),
        }
    }

    #[track_caller]
    fn check(ab: [(i32, i32); 2], cd: [(i32, i32); 2], expected: &Meeting) {
        let [ab, cd] = [ab, cd].map(|s| s.map(|(x, z)| p(x, z)));
        let flip = |[a, b]: [Point; 2]| [b, a];
        for (first, second) in [(ab, cd), (cd, ab), (flip(ab), cd), (ab, flip(cd))] {
            assert_eq!(meeting(first, second), *expected, "{first:?} {second:?}");
        }
    }

    #[test]
    fn segments() {
        check([(0, 0), (4, 4)], [(0, 4), (4, 0)], &Cross);
        check([(0, 0), (4, 0)], [(2, 0), (2, 3)], &Touch);
        check([(0, 0), (4, 0)], [(4, 0), (6, 3)], &Touch);
        check([(0, 0), (4, 0)], [(2, 0), (6, 0)], &Touch);
        check([(0, 0), (4, 0)], [(5, 0), (6, 0)], &Apart);
        check([(0, 0), (4, 0)], [(0, 1), (4, 1)], &Apart);
        check([(0, 0), (4, 4)], [(3, 1), (4, 0)], &Apart);
    }

    #[test]
    fn a_segment_without_length_touches_what_ends_in_its_row() {
        check([(6, 2), (8, 0)], [(3, 0), (3, 0)], &Touch);
        check([(6, 2), (8, 1)], [(3, 0), (3, 0)], &Apart);
    }

    #[test]
    fn coordinates_of_a_large_grid_do_not_overflow() {
        let far = 65_535;
        assert!(signed_area(p(0, 0), p(far, 0), p(0, far)) > 0);
        assert!(signed_area(p(-far, -far), p(far, -far), p(-far, far)) > 0);
    }

    #[test]
    fn cone_of_a_convex_corner() {
        // A square's corner at the origin, where x and z are smallest.
        let cone = Cone { before: p(4, 0), at: p(0, 0), after: p(0, 4) };
        assert!(cone.contains(p(1, 1)));
        assert!(!cone.contains(p(-1, 1)));
        assert!(!cone.contains(p(0, 2)) && cone.contains_or_touches(p(0, 2)));
        assert!(!cone.contains(p(2, 0)) && cone.contains_or_touches(p(2, 0)));
    }

    #[test]
    fn cone_of_a_reflex_corner() {
        let cone = Cone { before: p(0, 4), at: p(0, 0), after: p(4, 0) };
        assert!(cone.contains(p(-1, 1)));
        assert!(cone.contains(p(-1, -1)));
        assert!(!cone.contains(p(1, 1)));
    }
}
