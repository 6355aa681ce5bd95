//! The parts of edges that are visible from a point through an interval.

use glam::DVec2;

use super::surface::{Gate, GateEnd};

/// Part of a gate. An end that is not an end of the gate is not a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) left: GateEnd,
    pub(super) right: GateEnd,
}

impl Interval {
    /// Returns the interval that consists of `point` only, at which no path turns.
    pub(super) fn at(point: DVec2) -> Self {
        let end = GateEnd { at: point, corner: None };
        Self { left: end, right: end }
    }

    /// Returns the length of the shortest path from `root` over the interval to `target`, and the point at which it
    /// turns. The root is on the near side of the interval, or on its line. If the target is on the near side as well,
    /// it is replaced by its mirror image behind the interval, which is at the same distance.
    pub(super) fn path_over(&self, root: DVec2, target: DVec2) -> (f64, Option<DVec2>) {
        let (left, right) = (self.left.at, self.right.at);
        let along = left - right;
        let via = |bend: DVec2| (root.distance(bend) + bend.distance(target), Some(bend));
        let length_sqr = along.length_squared();
        if length_sqr == 0.0 {
            return via(left);
        }
        let beside = along.perp_dot(target - right);
        let mirrored =
            if beside > 0.0 { target - along.perp() * (2.0 * beside / length_sqr) } else { target };
        let sight = mirrored - root;
        let is_beyond_left = (left - root).perp_dot(sight) > 0.0;
        if !is_beyond_left && (right - root).perp_dot(sight) >= 0.0 {
            return (sight.length(), None);
        }
        // From a root on the line of the interval, rounding can put a target on that line beyond the wrong end.
        let ends = if is_beyond_left { [left, right] } else { [right, left] };
        let [bend, other] = ends.map(via);
        if other.0 < bend.0 { other } else { bend }
    }
}

/// The lines of sight from a point through the ends of an interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    root: DVec2,
    left: SightLine,
    right: SightLine,
}

/// A line of sight, and the side of it that is hidden.
#[derive(Clone, Copy, Debug)]
struct SightLine {
    /// Vector from the root to the end of the interval.
    along: DVec2,
    /// The same vector, rotated toward the hidden side.
    hidden: DVec2,
    /// Tolerance of positions along these vectors, due to rounding. Infinite if the line hides nothing.
    slack: f64,
}

impl SightLine {
    /// Returns the hidden part of a gate, given the vectors from the root to its ends. The hidden part begins at the
    /// `outer` end.
    #[inline]
    fn hides(&self, inner: DVec2, outer: DVec2) -> Hidden {
        let (at_inner, at_outer) = (self.hidden.dot(inner), self.hidden.dot(outer));
        let (least, most) = (at_inner.min(at_outer), at_inner.max(at_outer));
        if most <= self.slack && (least < -self.slack || self.sees_along(inner, outer)) {
            Hidden::Nothing
        } else if least >= -self.slack {
            Hidden::All
        } else if at_outer > at_inner {
            Hidden::From(at_inner / (at_inner - at_outer))
        } else {
            Hidden::Nothing
        }
    }

    /// Returns whether a gate on the line is visible: it lies beyond the interval. A gate in between was visible from the
    /// other side.
    fn sees_along(&self, inner: DVec2, outer: DVec2) -> bool {
        let nearest = self.along.dot(inner).min(self.along.dot(outer));
        self.slack.is_infinite() || nearest >= self.along.length_squared() - self.slack
    }
}

/// The hidden part of a gate.
#[derive(Clone, Copy)]
enum Hidden {
    Nothing,
    /// The part beyond this fraction of the way from the inner to the outer end.
    From(f64),
    All,
}

/// The parts into which a cone divides a gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Parts {
    /// The part that is visible after a turn to the left.
    pub(super) left: Option<Interval>,
    /// The visible part.
    pub(super) seen: Option<Interval>,
    /// The part that is visible after a turn to the right.
    pub(super) right: Option<Interval>,
}

impl Cone {
    pub(super) fn new(root: DVec2, interval: &Interval, tolerance: f64) -> Self {
        let (left, right) = (interval.left.at - root, interval.right.at - root);
        let size = |along: DVec2| along.x.abs() + along.y.abs();
        let is_between =
            left.dot(right) <= 0.0 && left.perp_dot(right).abs() <= tolerance * size(left - right);
        // From a point on its boundary, all of a convex polygon is visible.
        let sees_all = is_between || size(left).min(size(right)) <= tolerance;
        let line = |along: DVec2, hidden: DVec2| SightLine {
            along,
            hidden,
            slack: if sees_all { f64::INFINITY } else { tolerance * size(along) },
        };
        Self { root, left: line(left, left.perp()), right: line(right, -right.perp()) }
    }

    /// Divides a gate of the convex polygon behind the interval. The left part of such a gate, if any, is on the left of
    /// the left line of sight.
    #[inline]
    pub(super) fn split<P>(&self, gate: &Gate<P>) -> Parts {
        let (a, b) = (gate.left, gate.right);
        let (to_a, to_b) = (a.at - self.root, b.at - self.root);
        let cut = |from: DVec2, to: DVec2, share| GateEnd {
            at: from + (to - from) * share,
            corner: None,
        };
        let (left, seen_left) = match self.left.hides(to_b, to_a) {
            Hidden::Nothing => (None, Some(a)),
            Hidden::All => (Some(Interval { left: a, right: b }), None),
            Hidden::From(share) => {
                let end = cut(b.at, a.at, share);
                (Some(Interval { left: a, right: end }), Some(end))
            }
        };
        let (right, seen_right) = match self.right.hides(to_a, to_b) {
            Hidden::Nothing => (None, Some(b)),
            Hidden::All => (Some(Interval { left: a, right: b }), None),
            Hidden::From(share) => {
                let end = cut(a.at, b.at, share);
                (Some(Interval { left: end, right: b }), Some(end))
            }
        };
        let seen = seen_left.zip(seen_right).map(|(left, right)| Interval { left, right });
        // The visible part between hidden parts may have no width.
        let along = a.at - b.at;
        let seen = seen.filter(|seen| (seen.left.at - seen.right.at).dot(along) > 0.0);
        Parts { left, seen, right }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(x: f64, y: f64) -> GateEnd {
        GateEnd { at: DVec2::new(x, y), corner: None }
    }

    fn interval(left: [f64; 2], right: [f64; 2]) -> Interval {
        Interval { left: end(left[0], left[1]), right: end(right[0], right[1]) }
    }

    /// Checks a cone from the origin up through `(-1, 1)` to `(1, 1)`, at a gate on the line y = 2: how far the left,
    /// visible and right part of the gate reach along x, from left to right.
    #[track_caller]
    fn check(
        gate: [f64; 2],
        left: Option<[f64; 2]>,
        seen: Option<[f64; 2]>,
        right: Option<[f64; 2]>,
    ) {
        let cone = Cone::new(DVec2::ZERO, &interval([-1.0, 1.0], [1.0, 1.0]), 1e-8);
        let gate =
            Gate { left: end(gate[0], 2.0), right: end(gate[1], 2.0), to: (), is_dead_end: false };
        let parts = cone.split(&gate);
        let reach = |part: Option<Interval>| part.map(|part| [part.left.at.x, part.right.at.x]);
        assert_eq!([parts.left, parts.seen, parts.right].map(reach), [left, seen, right]);
    }

    #[test]
    fn a_cone_divides_a_gate_in_up_to_three() {
        check([-1.0, 1.0], None, Some([-1.0, 1.0]), None);
        check([-2.0, 2.0], None, Some([-2.0, 2.0]), None);
        check([-3.0, 3.0], Some([-3.0, -2.0]), Some([-2.0, 2.0]), Some([2.0, 3.0]));
        check([-3.0, -2.0], Some([-3.0, -2.0]), None, None);
        check([2.0, 5.0], None, None, Some([2.0, 5.0]));
        check([1.0, 2.0 + 1e-9], None, Some([1.0, 2.0 + 1e-9]), None);
    }

    #[test]
    fn a_gate_along_a_line_of_sight_is_seen() {
        let cone = Cone::new(DVec2::ZERO, &interval([0.0, 1.0], [1.0, 0.0]), 1e-8);
        let gate = Gate { left: end(3.0, 0.0), right: end(2.0, 0.0), to: (), is_dead_end: false };
        let parts = cone.split(&gate);
        assert_eq!(parts.seen, Some(interval([3.0, 0.0], [2.0, 0.0])));
        assert_eq!((parts.left, parts.right), (None, None));
    }

    #[test]
    fn ways_bend_at_the_ends_and_are_mirrored() {
        let gate = interval([-1.0, 0.0], [1.0, 0.0]);
        let path_over =
            |root: [f64; 2], target: [f64; 2]| gate.path_over(root.into(), target.into());
        assert_eq!(path_over([0.0, -1.0], [0.0, 1.0]), (2.0, None));
        assert_eq!(path_over([0.0, -1.0], [0.0, -1.0]), (2.0, None));
        assert_eq!(path_over([4.0, -4.0], [4.0, 4.0]), (10.0, Some(DVec2::X)));
        assert_eq!(path_over([-4.0, -4.0], [-4.0, -4.0]), (10.0, Some(-DVec2::X)));
        assert_eq!(path_over([1.0, 0.0], [-3.0, -3.0]), (5.0, None), "from an end of it");
        // Along the line of the gate: the nearer end.
        assert_eq!(path_over([3.0, 0.0], [0.0, 0.0]), (3.0, None));
        assert_eq!(path_over([3.0, 0.0], [1.0, 2.0]), (4.0, Some(DVec2::X)));
    }
}
