//! Convex polygons cut along many planes one after another: the fast way.
//!
//! Seen along an axis, the outline of a convex polygon falls into two flanks, from its first corner to its
//! last. A plane between the two crosses each flank once. So what is left beyond a plane need not be
//! copied out: it is known by the two crossings and the corners after them.
//!
//! Every number comes from the same operations in the same order as in [`Clipped::divide`], which a test
//! holds it to; where a corner lies on a plane the two would differ, and the fast way gives up.

use glam::{BVec4A, Vec3A, Vec4, Vec4Swizzles as _};

use super::clip::Clipped;

/// What is left of a convex polygon after it was cut along planes of growing x.
#[derive(Clone, Copy)]
pub(super) struct Flanks<'a> {
    corners: &'a [Vec3A],
    /// Next corner of the flank that runs with the outline, and of the one that runs against it.
    next: [usize; 2],
    /// Where the last plane crossed the flanks; the polygon's first corner if there was none.
    heights: [f32; 2],
    is_cut: bool,
    /// The two edges that the next plane may cross: where they start along the outline, x and y of the
    /// first flank, then of the second.
    start: Vec4,
    /// Where they end.
    end: Vec4,
}

/// The first flank's lanes. On it, the outline starts at the last crossing; on the other it ends there.
const FIRST: BVec4A = BVec4A::new(true, true, false, false);

impl<'a> Flanks<'a> {
    /// `None` where the outline turns back along x, as rounding may leave it.
    pub(super) fn new(corners: &'a [Vec3A]) -> Option<Self> {
        let n = corners.len();
        let (mut first, mut last) = (0, 0);
        for i in 1..n {
            first = if corners[i].x < corners[first].x { i } else { first };
            last = if corners[last].x < corners[i].x { i } else { last };
        }
        let is_monotone = |next: fn(usize, usize) -> usize| {
            let mut at = first;
            while at != last {
                let after = next(at, n);
                if corners[after].x < corners[at].x {
                    return false;
                }
                at = after;
            }
            true
        };
        if !is_monotone(after) || !is_monotone(before) {
            return None;
        }
        let next = [after(first, n), before(first, n)];
        let tip = corners[first];
        let mut flanks = Self {
            corners,
            next,
            heights: [tip.y; 2],
            is_cut: false,
            start: Vec4::ZERO,
            end: Vec4::ZERO,
        };
        flanks.aim(0, tip);
        flanks.aim(1, tip);
        Some(flanks)
    }

    /// The polygon before it was cut.
    pub(super) fn corners(&self) -> &'a [Vec3A] {
        self.corners
    }

    /// Cuts off what lies before the plane where x is `at`, which must lie between the first and the last
    /// corner of what is left. Its lowest and highest point; `None` and no cut where a corner lies on the
    /// plane.
    pub(super) fn cut(&mut self, at: f32) -> Option<(f32, f32)> {
        let mut heights = ordered(self.heights);
        let [a, b] = self.next;
        if self.corners[a].x <= at || self.corners[b].x <= at {
            let uncut = *self;
            if !(self.pass_until(0, at, &mut heights) && self.pass_until(1, at, &mut heights)) {
                *self = uncut;
                return None;
            }
        }
        let plane = Vec4::splat(at);
        let start_room = plane - self.start.xxzz();
        let end_room = plane - self.end.xxzz();
        let along = start_room / (start_room - end_room);
        let crossings = self.start + (self.end - self.start) * along;
        self.start = Vec4::select(FIRST, crossings, self.start);
        self.end = Vec4::select(FIRST, self.end, crossings);
        self.heights = [crossings.y, crossings.w];
        self.is_cut = true;
        Some(self.heights.into_iter().fold(heights, grown))
    }

    /// Lowest and highest point of what is left.
    pub(super) fn rest(&self) -> (f32, f32) {
        let mut heights = ordered(self.heights);
        let mut at = self.next[0];
        loop {
            heights = grown(heights, self.corners[at].y);
            if at == self.next[1] {
                return heights;
            }
            at = after(at, self.corners.len());
        }
    }

    /// What is left as a polygon without depth.
    pub(super) fn write_to(&self, polygon: &mut Clipped) {
        polygon.clear();
        if !self.is_cut {
            self.corners.iter().for_each(|&corner| polygon.push(corner));
            return;
        }
        polygon.push(Vec3A::new(self.start.x, self.start.y, 0.0));
        let mut at = self.next[0];
        loop {
            polygon.push(self.corners[at]);
            if at == self.next[1] {
                break;
            }
            at = after(at, self.corners.len());
        }
        polygon.push(Vec3A::new(self.end.z, self.end.w, 0.0));
    }

    /// Goes along a flank to the edge that crosses the plane where x is `at`, and lets `heights` grow by
    /// the corners on the way. `false` where one of them lies on the plane.
    fn pass_until(&mut self, flank: usize, at: f32, heights: &mut (f32, f32)) -> bool {
        loop {
            let corner = self.corners[self.next[flank]];
            if at < corner.x {
                return true;
            }
            if at <= corner.x {
                return false;
            }
            *heights = grown(*heights, corner.y);
            let step = if flank == 0 { after } else { before };
            self.next[flank] = step(self.next[flank], self.corners.len());
            self.aim(flank, corner);
        }
    }

    /// Takes the edge of a flank that leads from `corner` to its next one.
    fn aim(&mut self, flank: usize, corner: Vec3A) {
        let next = self.corners[self.next[flank]];
        let Self { start, end, .. } = *self;
        if flank == 0 {
            self.start = Vec4::new(corner.x, corner.y, start.z, start.w);
            self.end = Vec4::new(next.x, next.y, end.z, end.w);
        } else {
            self.start = Vec4::new(start.x, start.y, next.x, next.y);
            self.end = Vec4::new(end.x, end.y, corner.x, corner.y);
        }
    }
}

fn ordered([a, b]: [f32; 2]) -> (f32, f32) {
    if a < b { (a, b) } else { (b, a) }
}

fn grown((min, max): (f32, f32), y: f32) -> (f32, f32) {
    (if y < min { y } else { min }, if max < y { y } else { max })
}

fn after(i: usize, n: usize) -> usize {
    if i + 1 < n { i + 1 } else { 0 }
}

fn before(i: usize, n: usize) -> usize {
    if i > 0 { i - 1 } else { n - 1 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A coordinate that often lies on a plane: planes are at whole numbers.
    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![(-8..8_i8).prop_map(f32::from), -8.0..8.0_f32]
    }

    fn corner() -> impl Strategy<Value = Vec3A> {
        (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| Vec3A::new(x, y, z))
    }

    /// The row of a triangle between two planes of z.
    fn row_of(triangle: [Vec3A; 3], z: f32) -> Clipped {
        let [mut before, mut row, mut rest] = [Clipped::EMPTY; 3];
        Clipped::new(&triangle).divide::<2>(z, &mut before, &mut rest);
        rest.divide::<2>(z + 1.0, &mut row, &mut before);
        row
    }

    proptest! {
        #[test]
        fn both_ways_of_cutting_come_to_the_same(
            triangle in [corner(), corner(), corner()],
            z in (-8..8_i8).prop_map(f32::from),
        ) {
            let part = row_of(triangle, z);
            prop_assume!(part.is_polygon());
            let (min, max) = part.extent::<0>();
            let Some(mut flanks) = Flanks::new(part.corners()) else { return Ok(()) };
            let [mut cell, mut rest, mut next] = [part; 3];
            let planes = (-8..8_i8).map(f32::from).filter(|at| min < *at && *at < max);
            for at in planes {
                let Some(heights) = flanks.cut(at) else {
                    // What is left must be what the plain way has left, in some turn.
                    flanks.write_to(&mut cell);
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
            prop_assert_eq!(flanks.rest(), rest.extent::<1>());
        }
    }
}
