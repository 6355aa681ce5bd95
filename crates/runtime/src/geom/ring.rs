use glam::{Vec3, Vec4};

use super::from_above::PARALLEL;

/// Maximum number of corners of a [`Ring`].
pub const RING_CORNERS: usize = 6;
/// Number of entries for corners along one axis.
const PLACES: usize = RING_CORNERS + 1;

/// A convex polygon of at most [`RING_CORNERS`] corners seen from above, laid out so that all its edges are processed
/// together: the relevant edge is unpredictable, so no code branches on it.
///
/// Results equal those of [`from_above`](super::from_above) to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Ring {
    /// Coordinates along x, then z, then y: the last corner, then all in order, then the last again in the unused
    /// entries. The edge of an entry leads to the next one, so the edge at entry `n` ends at corner `n`.
    places: [f32; 3 * PLACES],
    n_corners: u8,
    /// The entries without an edge, one bit each.
    spare: u8,
    /// For the edge that ends at each corner, one bit: whether x changes more than z.
    along_x: u8,
}

/// Index of the first of the second four edges. The first of them is also one of the first four.
const SECOND: usize = 3;

/// Where a segment leaves a [`Ring`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayOut {
    /// Parameter along the segment; 1 if it ends inside.
    pub t: f32,
    /// The corner at which the crossed edge ends; `None` if the segment ends inside.
    pub corner: Option<usize>,
}

impl Ring {
    /// Lays out the first [`RING_CORNERS`] of `corners`; without corners, a point at the origin.
    pub fn new(corners: &[Vec3]) -> Self {
        let corners = &corners[..corners.len().min(RING_CORNERS)];
        let last = corners.last().copied().unwrap_or_default();
        // At most six, so the conversion is lossless.
        let n_corners = corners.len().to_le_bytes()[0];
        let spare = !((1 << n_corners) - 1);
        let mut ring = Self { places: [0.0; 3 * PLACES], n_corners, spare, along_x: 0 };
        for place in 0..PLACES {
            let corner = place.checked_sub(1).and_then(|at| corners.get(at)).unwrap_or(&last);
            for (axis, along) in [corner.x, corner.z, corner.y].into_iter().enumerate() {
                ring.places[axis * PLACES + place] = along;
            }
        }
        for corner in 0..corners.len() {
            let [x, z] = [0, 1].map(|axis| {
                let [a, b] = ring.edge_to(corner, axis);
                (b - a) * (b - a)
            });
            ring.along_x |= u8::from(x > z) << corner;
        }
        ring
    }

    /// Returns the longer axis of the edge that ends at a corner: 0 for x, 1 for z.
    #[inline]
    pub fn axis(&self, corner: usize) -> usize {
        usize::from((self.along_x >> (corner % 8)) & 1 == 0)
    }

    /// Returns the corner before another, at which the edge to it starts.
    pub fn before(&self, corner: usize) -> usize {
        let n_before = if corner == 0 { usize::from(self.n_corners) } else { corner };
        n_before.wrapping_sub(1)
    }

    /// Returns the start and end, along x (`axis` 0), z (1) or y (2), of the edge that ends at a corner.
    #[inline]
    pub fn edge_to(&self, corner: usize, axis: usize) -> [f32; 2] {
        let start = axis.min(2) * PLACES + corner.min(RING_CORNERS - 1);
        [self.places[start], self.places[start + 1]]
    }

    /// Returns the starts and ends, along x (`axis` 0) or z (1), of four edges. The last end of the second four does
    /// not belong to an edge.
    #[inline]
    fn edges<const FIRST: usize>(&self, axis: usize) -> [Vec4; 2] {
        let first = axis * PLACES + FIRST;
        [first, first + 1].map(|from| Vec4::from_slice(&self.places[from..from + 4]))
    }

    /// Returns where the segment from `start` by the vector `along` leaves the polygon; `None` if it misses the
    /// polygon. Same as [`clip_segment`](super::from_above::clip_segment).
    ///
    /// The crossed edge is known early, from the sides of the segment on which the corners lie. So the processor
    /// continues with the next polygon while it verifies that no other edge matters.
    #[inline]
    pub fn way_out(&self, start: Vec3, along: Vec3) -> Option<WayOut> {
        let first = Lines::new(self.edges::<0>(0), self.edges::<0>(1), start, along);
        let second = Lines::new(self.edges::<SECOND>(0), self.edges::<SECOND>(1), start, along);
        let right = first.starts_right | (second.starts_right << SECOND);
        // Where the corners change from one side to the other.
        let place = (right & !(right >> 1) | (1 << (RING_CORNERS - 1))).trailing_zeros() as usize;
        let from_edge = at_places(first.from_edge, second.from_edge)[place];
        let speed = at_places(first.speed, second.speed)[place];
        let t = from_edge / speed;
        let is_crossed = t < 1.0;
        let t = if is_crossed { t } else { 1.0 };
        let clear = first.clear_at(t) | (second.clear_at(t) << SECOND);
        let others = clear | u32::from(self.spare) | (u32::from(is_crossed) << place);
        if others & ALL == ALL && speed >= PARALLEL && t > 0.0 {
            return Some(WayOut { t, corner: is_crossed.then_some(place) });
        }
        way_out_by_all_edges([first, second])
    }

    /// Returns whether a point lies in the polygon. Same as [`contains`](super::from_above::contains).
    #[inline]
    pub fn contains(&self, point: Vec3) -> bool {
        let first = Self::crossings(self.edges::<0>(0), self.edges::<0>(1), point);
        // One of these edges is also among the first four, and one is not an edge.
        let second =
            Self::crossings(self.edges::<SECOND>(0), self.edges::<SECOND>(1), point) & 0b0110;
        !(first.count_ones() + second.count_ones()).is_multiple_of(2)
    }

    /// Returns which of four edges a ray from `point` along x crosses, one bit each.
    #[inline]
    fn crossings([b_x, a_x]: [Vec4; 2], [b_z, a_z]: [Vec4; 2], point: Vec3) -> u32 {
        let [a_above, b_above] = [a_z, b_z].map(|z| z.cmpgt(Vec4::splat(point.z)).bitmask());
        let crossing = (b_x - a_x) * (point.z - a_z) / (b_z - a_z) + a_x;
        (a_above ^ b_above) & Vec4::splat(point.x).cmplt(crossing).bitmask()
    }
}

/// Computes [`Ring::way_out`] when rounding could matter.
#[cold]
#[inline(never)]
fn way_out_by_all_edges([first, mut second]: [Lines; 2]) -> Option<WayOut> {
    // The last entry is not an edge.
    (second.from_edge.w, second.speed.w) = (0.0, 0.0);
    let [first, second] = [first, second].map(|lines| lines.leaves_and_enters());
    let least = first[0].min(second[0]).min_element();
    let [first, second] = [first, second].map(|[leaves, enters]| {
        let at = Vec4::splat(least);
        [leaves.cmpeq(at).bitmask(), enters.cmpgt(at).bitmask()]
    });
    if first[1] | second[1] != 0 || least < 0.0 {
        return None;
    }
    let over = first[0] | (second[0] << SECOND);
    let corner = (least < 1.0).then(|| over.trailing_zeros() as usize);
    Some(WayOut { t: least, corner })
}

/// All entries that may begin a relevant edge, one bit each.
const ALL: u32 = (1 << RING_CORNERS) - 1;

/// Combines the values of the edges at the first entries with those of the second four.
#[inline]
fn at_places(first: Vec4, second: Vec4) -> [f32; PLACES] {
    let mut all = [0.0; PLACES];
    second.write_to_slice(&mut all[SECOND..]);
    first.write_to_slice(&mut all[..4]);
    all
}

/// A segment relative to the lines of four edges.
struct Lines {
    /// Twice the area between the edge and the segment's start; negative if the start is outside.
    from_edge: Vec4,
    /// The decrease of that area up to the segment's end.
    speed: Vec4,
    /// Whether the edge starts to the right of the segment, one bit each.
    starts_right: u32,
}

impl Lines {
    #[inline]
    fn new([a_x, b_x]: [Vec4; 2], [a_z, b_z]: [Vec4; 2], start: Vec3, along: Vec3) -> Self {
        let (edge_x, edge_z) = (b_x - a_x, b_z - a_z);
        let (to_x, to_z) = (start.x - a_x, start.z - a_z);
        Self {
            from_edge: edge_z * to_x - edge_x * to_z,
            speed: along.z * edge_x - along.x * edge_z,
            starts_right: (along.x * to_z).cmplt(along.z * to_x).bitmask(),
        }
    }

    /// Returns which of the lines the segment, at parameter `t` from 0 to 1, is so far inside that rounding cannot make
    /// it leave earlier or enter later, one bit each.
    #[inline]
    fn clear_at(&self, t: f32) -> u32 {
        let gone = self.speed * t;
        // The relative rounding error is 6e-8 per operation. Parallel lines must be inside with certainty, too.
        let margin = gone.abs() * 1e-6 + Vec4::splat(2.0 * PARALLEL);
        (self.from_edge - gone).cmpgt(margin).bitmask()
    }

    /// Returns the parameters at which the segment leaves over each line, 1 if it does not, and at which it enters,
    /// negative if it is inside from the start and infinite if it never enters.
    fn leaves_and_enters(&self) -> [Vec4; 2] {
        let t = self.from_edge / self.speed;
        let is_leaving = self.speed.cmpge(Vec4::splat(PARALLEL)) & t.cmplt(Vec4::ONE);
        let is_entering = self.speed.cmple(Vec4::splat(-PARALLEL));
        let is_beside = self.speed.abs().cmplt(Vec4::splat(PARALLEL));
        let never = is_beside & self.from_edge.cmplt(Vec4::ZERO);
        let enters = Vec4::select(is_entering, t, Vec4::NEG_ONE);
        [Vec4::select(is_leaving, t, Vec4::ONE), Vec4::select(never, Vec4::INFINITY, enters)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::geom::from_above::{Clip, clip_segment, contains};

    /// Returns random points, many of them with a common coordinate or collinear.
    fn point() -> impl Strategy<Value = Vec3> {
        let number = || prop_oneof![(-4..5_i8).prop_map(f32::from), -5.0..5.0_f32];
        [number(), number()].prop_map(|[x, z]| Vec3::new(x, 1.0, z))
    }

    /// Returns vertices with the winding of navmesh polygons, usually convex.
    fn polygon() -> impl Strategy<Value = Vec<Vec3>> {
        prop::collection::vec(point(), 2..=RING_CORNERS).prop_map(|mut corners| {
            let middle = corners.iter().sum::<Vec3>() / 6.0;
            corners.sort_by(|a, b| {
                let angle = |p: &Vec3| (p.x - middle.x).atan2(p.z - middle.z);
                angle(a).total_cmp(&angle(b))
            });
            corners
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn it_agrees_with_testing_one_edge_after_another(
            corners in polygon(), start in point(), end in point(),
        ) {
            let ring = Ring::new(&corners);
            let expected = clip_segment(start, end, &corners).map(|Clip { t_max, leaves_over, .. }| {
                // There, an edge is identified by its start.
                (t_max.to_bits() << 1, leaves_over.map(|edge| (edge + 1) % corners.len()))
            });
            let found = ring.way_out(start, end - start);
            prop_assert_eq!(found.map(|out| (out.t.to_bits() << 1, out.corner)), expected);
            prop_assert_eq!(ring.contains(start), contains(&corners, start));
            if let Some(corner) = found.and_then(|out| out.corner) {
                let before = corner.checked_sub(1).unwrap_or(corners.len() - 1);
                let ends = [corners[before], corners[corner]];
                let found = [0, 1, 2].map(|axis| ring.edge_to(corner, axis));
                prop_assert_eq!(found, [ends.map(|p| p.x), ends.map(|p| p.z), ends.map(|p| p.y)]);
            }
        }
    }

    #[test]
    fn extreme_sizes_give_the_same_results() {
        let far = [1e30, f32::MAX, -f32::MAX, 1e-40, 0.0];
        for (x, z) in far.iter().flat_map(|&x| far.iter().map(move |&z| (x, z))) {
            let corners = [Vec3::ZERO, Vec3::new(0.0, 0.0, z), Vec3::new(x, 0.0, z)];
            let end = Vec3::new(z, 0.0, x);
            let expected = clip_segment(Vec3::ONE, end, &corners).map(|clip| clip.leaves_over);
            let found = Ring::new(&corners).way_out(Vec3::ONE, end - Vec3::ONE);
            let edge = |corner: usize| (corner + 2) % 3;
            assert_eq!(found.map(|out| out.corner.map(edge)), expected, "{x} {z}");
        }
    }
}
