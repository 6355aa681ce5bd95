//! Cuts convex polygons along a sequence of planes, with SIMD.
//!
//! All edges of a polygon are cut at once, one per lane. After a cut, an edge that crosses the plane begins at the
//! crossing, so the polygon beyond the plane does not have to be assembled.
//!
//! Every number is computed by the same operations in the same order as in [`Clipped::divide`]; a test checks that. If
//! a corner is on a plane, the results would differ, and this method is not used.

use glam::{BVec4A, Vec3A, Vec4};

use super::clip::Clipped;

/// Number of edges per vector.
const WIDTH: usize = 4;
/// Maximum number of corners of a polygon, in two vectors.
const MAX_CORNERS: usize = 2 * WIDTH;

/// Four edges of a polygon.
#[derive(Clone, Copy)]
struct Four {
    /// The corners at which the edges begin.
    corner_x: Vec4,
    corner_y: Vec4,
    /// Start and end of the remaining parts of the edges, along the outline.
    start_x: Vec4,
    start_y: Vec4,
    end_x: Vec4,
    end_y: Vec4,
    /// Edges whose start is cut off first, not their end.
    is_rising: BVec4A,
    /// Crossings with the last plane: lowest and highest; empty for edges that did not cross it.
    crossings: [Vec4; 2],
}

/// The empty range: lowest and highest.
const NOTHING: [Vec4; 2] = [Vec4::INFINITY, Vec4::NEG_INFINITY];

impl Four {
    /// Returns four edges of an outline from corner `first` on. Missing edges are replaced by edges without length at
    /// its first corner.
    #[inline]
    fn new(corners: &[Vec3A], first: usize) -> Self {
        let corner = |i: usize| corners.get(i).unwrap_or(&corners[0]);
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|i| corner(first + i));
        let start_x = Vec4::new(a.x, b.x, c.x, d.x);
        let start_y = Vec4::new(a.y, b.y, c.y, d.y);
        let end_x = Vec4::new(b.x, c.x, d.x, e.x);
        let end_y = Vec4::new(b.y, c.y, d.y, e.y);
        let is_rising = start_x.cmplt(end_x);
        let (corner_x, corner_y) = (start_x, start_y);
        Self { corner_x, corner_y, start_x, start_y, end_x, end_y, is_rising, crossings: NOTHING }
    }

    #[inline]
    fn has_corner_at(&self, at: f32) -> bool {
        self.corner_x.cmpeq(Vec4::splat(at)).any()
    }

    /// Cuts off the part between the previous plane at x = `last` and the plane at x = `at`. Returns its lowest and
    /// highest points.
    #[inline]
    fn cut(&mut self, last: f32, at: f32) -> [Vec4; 2] {
        let plane = Vec4::splat(at);
        let start_room = plane - self.start_x;
        let end_room = plane - self.end_x;
        let is_crossing = start_room.cmplt(Vec4::ZERO) ^ end_room.cmplt(Vec4::ZERO);
        let along = start_room / (start_room - end_room);
        let x = self.start_x + (self.end_x - self.start_x) * along;
        let y = self.start_y + (self.end_y - self.start_y) * along;

        let is_inside = self.corner_x.cmplt(plane) & self.corner_x.cmpgt(Vec4::splat(last));
        let heights = grown(self.crossings, is_inside, self.corner_y);
        self.crossings = grown(NOTHING, is_crossing, y);
        let is_start = is_crossing & self.is_rising;
        let is_end = is_crossing & !self.is_rising;
        self.start_x = Vec4::select(is_start, x, self.start_x);
        self.start_y = Vec4::select(is_start, y, self.start_y);
        self.end_x = Vec4::select(is_end, x, self.end_x);
        self.end_y = Vec4::select(is_end, y, self.end_y);
        [heights[0].min(self.crossings[0]), heights[1].max(self.crossings[1])]
    }

    /// Appends the remaining parts of the first `n` edges, beyond the plane at x = `last`, to an outline.
    fn append_to(&self, polygon: &mut Clipped, last: f32, n: usize) {
        for i in 0..n.min(WIDTH) {
            let is_crossing = self.crossings[0][i] < f32::INFINITY;
            if is_crossing || last < self.corner_x[i] {
                polygon.push(Vec3A::new(self.start_x[i], self.start_y[i], 0.0));
            }
            if is_crossing && !self.is_rising.test(i) {
                polygon.push(Vec3A::new(self.end_x[i], self.end_y[i], 0.0));
            }
        }
    }

    /// Returns the lowest and highest points beyond the plane at x = `last`.
    #[inline]
    fn rest(&self, last: f32) -> [Vec4; 2] {
        grown(self.crossings, self.corner_x.cmpgt(Vec4::splat(last)), self.corner_y)
    }
}

/// Returns `[min, max]` extended by the lanes of `y` that are in `mask`.
#[inline]
fn grown([min, max]: [Vec4; 2], mask: BVec4A, y: Vec4) -> [Vec4; 2] {
    let [low, high] = NOTHING;
    [min.min(Vec4::select(mask, y, low)), max.max(Vec4::select(mask, y, high))]
}

/// The remaining part of a convex polygon that is cut along planes of increasing x.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    fours: [Four; 2],
    n_corners: usize,
    last: f32,
}

impl Lanes {
    /// Creates the part from a polygon; returns `None` if the polygon has more than eight corners.
    #[inline]
    pub(super) fn new(corners: &[Vec3A]) -> Option<Self> {
        let n_corners = corners.len();
        if MAX_CORNERS < n_corners {
            return None;
        }
        let first = Four::new(corners, 0);
        let second = if WIDTH < n_corners { Four::new(corners, WIDTH) } else { first };
        Some(Self { fours: [first, second], n_corners, last: f32::NEG_INFINITY })
    }

    /// Cuts off the part before the plane at x = `at`, which must be before the last corner of the remaining part.
    /// Returns the lowest and highest point of the cut-off part, an inverted range if it is empty. Returns `None`
    /// without a cut if a corner is on the plane.
    #[inline]
    pub(super) fn cut(&mut self, at: f32) -> Option<(f32, f32)> {
        let is_wide = WIDTH < self.n_corners;
        if self.fours[0].has_corner_at(at) || is_wide && self.fours[1].has_corner_at(at) {
            return None;
        }
        let last = std::mem::replace(&mut self.last, at);
        let first = self.fours[0].cut(last, at);
        Some(if is_wide {
            extremes(both(first, self.fours[1].cut(last, at)))
        } else {
            extremes(first)
        })
    }

    /// Returns the lowest and highest point of the remaining part.
    #[inline]
    pub(super) fn rest(&self) -> (f32, f32) {
        let first = self.fours[0].rest(self.last);
        if WIDTH < self.n_corners {
            return extremes(both(first, self.fours[1].rest(self.last)));
        }
        extremes(first)
    }

    /// Stores the remaining part as a polygon without depth.
    pub(super) fn write_to(&self, polygon: &mut Clipped) {
        polygon.clear();
        self.fours[0].append_to(polygon, self.last, self.n_corners);
        self.fours[1].append_to(polygon, self.last, self.n_corners.saturating_sub(WIDTH));
    }
}

fn both(a: [Vec4; 2], b: [Vec4; 2]) -> [Vec4; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

fn extremes([min, max]: [Vec4; 2]) -> (f32, f32) {
    (min.min_element(), max.max_element())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a coordinate that often lies on a plane: planes are at whole numbers.
    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![1 => (-8..8_i8).prop_map(f32::from), 5 => -8.0..8.0_f32]
    }

    fn corner() -> impl Strategy<Value = Vec3A> {
        (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| Vec3A::new(x, y, z))
    }

    /// Returns the row of a triangle between two planes of z.
    fn row_of(triangle: [Vec3A; 3], z: f32) -> Clipped {
        let [mut before, mut row, mut rest] = [Clipped::EMPTY; 3];
        Clipped::new(&triangle).divide::<2>(z, &mut before, &mut rest);
        rest.divide::<2>(z + 1.0, &mut row, &mut before);
        row
    }

    proptest! {
        #[test]
        fn both_methods_of_cutting_give_the_same_result(
            triangle in [corner(), corner(), corner()],
            z in (-8..8_i8).prop_map(f32::from),
        ) {
            let part = row_of(triangle, z);
            prop_assume!(part.is_polygon());
            let (min, max) = part.extent::<0>();
            let mut lanes = Lanes::new(part.corners()).unwrap();
            let [mut cell, mut rest, mut next] = [part; 3];
            for at in (-8..8_i8).map(f32::from).filter(|at| min < *at && *at < max) {
                let Some(heights) = lanes.cut(at) else {
                    // The remaining part must be the same as with [`Clipped::divide`], starting at any corner.
                    lanes.write_to(&mut cell);
                    let bits = |c: &Vec3A| [c.x.to_bits(), c.y.to_bits()];
                    let flat = |p: &Clipped| p.corners().iter().map(bits).collect::<Vec<_>>();
                    let (left, mut expected) = (flat(&cell), flat(&rest));
                    let turn = expected.iter().position(|c| *c == left[0]).unwrap();
                    expected.rotate_left(turn);
                    prop_assert_eq!(left, expected);
                    return Ok(());
                };
                rest.divide::<0>(at, &mut cell, &mut next);
                std::mem::swap(&mut rest, &mut next);
                prop_assert_eq!(heights, cell.extent::<1>());
            }
            prop_assert_eq!(lanes.rest(), rest.extent::<1>());
        }
    }
}
