use glam::{Vec3, Vec4};

use super::from_above::PARALLEL;

/// Most corners of a [`Ring`].
pub const RING_CORNERS: usize = 6;
/// Edges that are looked at, of which some have no length.
const PLACES: usize = 8;

/// A convex polygon of at most [`RING_CORNERS`] corners seen from above, laid out so that all its edges
/// are looked at together: which of them matters cannot be foreseen, so nothing branches on one.
///
/// Answers are those of [`from_above`](super::from_above) to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Ring {
    /// The last corner, then all in order, then the last again in the places that are left. The edge of a
    /// place runs to the next one, so the edge at place `n` ends at corner `n`.
    x: [f32; PLACES],
    z: [f32; PLACES],
}

/// Where a segment leaves a [`Ring`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayOut {
    /// Share of the segment up to there; 1 where it ends inside.
    pub t: f32,
    /// The corner at which the edge that it crosses ends, `None` where the segment ends inside.
    pub corner: Option<usize>,
}

impl Ring {
    /// Lays out the first [`RING_CORNERS`] of `corners`; of none, a point at the origin.
    pub fn new(corners: &[Vec3]) -> Self {
        let corners = &corners[..corners.len().min(RING_CORNERS)];
        let last = corners.last().copied().unwrap_or_default();
        let mut ring = Self { x: [last.x; PLACES], z: [last.z; PLACES] };
        for (corner, (x, z)) in corners.iter().zip(ring.x[1..].iter_mut().zip(&mut ring.z[1..])) {
            (*x, *z) = (corner.x, corner.z);
        }
        ring
    }

    /// The edge that ends at a corner, from its start to that corner, as (x, z).
    #[inline]
    pub fn edge_to(&self, corner: usize) -> [[f32; 2]; 2] {
        [corner, corner + 1].map(|place| [self.x[place % PLACES], self.z[place % PLACES]])
    }

    /// Four places, and the four that come after each.
    #[inline]
    fn places(of: &[f32; PLACES], half: usize) -> [Vec4; 2] {
        let here = Vec4::from_slice(&of[4 * half..4 * half + 4]);
        if half == 0 {
            return [here, Vec4::from_slice(&of[1..5])];
        }
        // After the last place comes the last corner, which is there already.
        [here, Vec4::new(here.y, here.z, here.w, here.w)]
    }

    /// Where the segment from `start`, `along` as long as it is, leaves the polygon; `None` where it misses
    /// it. As [`clip_segment`](super::from_above::clip_segment).
    #[inline]
    pub fn way_out(&self, start: Vec3, along: Vec3) -> Option<WayOut> {
        let halves = [0, 1].map(|half| {
            let [a_x, b_x] = Self::places(&self.x, half);
            let [a_z, b_z] = Self::places(&self.z, half);
            let (edge_x, edge_z) = (b_x - a_x, b_z - a_z);
            let from_edge = edge_z * (start.x - a_x) - edge_x * (start.z - a_z);
            let speed = along.z * edge_x - along.x * edge_z;
            let t = from_edge / speed;
            let is_outside = from_edge.cmplt(Vec4::ZERO);
            let is_leaving = speed.cmpge(Vec4::splat(PARALLEL)) & t.cmplt(Vec4::ONE);
            // What comes in is outside until it does; what runs beside stays there.
            let is_entering = speed.cmple(Vec4::splat(-PARALLEL)) & is_outside;
            let is_beside = speed.abs().cmplt(Vec4::splat(PARALLEL)) & is_outside;
            (Vec4::select(is_leaving, t, Vec4::ONE), t, is_entering, is_beside)
        });
        let least = halves[0].0.min(halves[1].0).min_element();
        let [[hits, misses], [more_hits, more_misses]] =
            halves.map(|(leaves, t, is_entering, is_beside)| {
                let all = Vec4::splat(least);
                let misses = (is_entering & t.cmpgt(all)) | is_beside;
                [leaves.cmpeq(all).bitmask(), misses.bitmask()]
            });
        if misses | more_misses != 0 || least < 0.0 {
            return None;
        }
        let corner = (least < 1.0).then(|| lowest(hits | (more_hits << 4)));
        Some(WayOut { t: least, corner })
    }

    /// Whether a point lies in the polygon. As [`contains`](super::from_above::contains).
    #[inline]
    pub fn contains(&self, point: Vec3) -> bool {
        let crossed = [0, 1].map(|half| {
            let [b_x, a_x] = Self::places(&self.x, half);
            let [b_z, a_z] = Self::places(&self.z, half);
            let [a_above, b_above] = [a_z, b_z].map(|z| z.cmpgt(Vec4::splat(point.z)).bitmask());
            let crossing = (b_x - a_x) * (point.z - a_z) / (b_z - a_z) + a_x;
            (a_above ^ b_above) & Vec4::splat(point.x).cmplt(crossing).bitmask()
        });
        (crossed[0].count_ones() + crossed[1].count_ones()) % 2 != 0
    }
}

/// The lowest bit that is set. Counted, not computed: so a processor that guesses the answer goes on to what
/// lies behind the edge while the edges are still being looked at.
#[inline]
fn lowest(bits: u32) -> usize {
    let mut place = 0;
    while place + 1 < PLACES && bits & (1 << place) == 0 {
        place += 1;
    }
    place
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::geom::from_above::{Clip, clip_segment, contains};

    /// Points of which many share a coordinate or lie on one line.
    fn point() -> impl Strategy<Value = Vec3> {
        let number = || prop_oneof![(-4..5_i8).prop_map(f32::from), -5.0..5.0_f32];
        [number(), number()].prop_map(|[x, z]| Vec3::new(x, 1.0, z))
    }

    /// Corners in the order of navmesh polygons, most of them convex.
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
        fn it_answers_as_one_edge_after_another(
            corners in polygon(), start in point(), end in point(),
        ) {
            let ring = Ring::new(&corners);
            let expected = clip_segment(start, end, &corners).map(|Clip { t_max, leaves_over, .. }| {
                // An edge is named by its start there.
                (t_max.to_bits() << 1, leaves_over.map(|edge| (edge + 1) % corners.len()))
            });
            let found = ring.way_out(start, end - start);
            prop_assert_eq!(found.map(|out| (out.t.to_bits() << 1, out.corner)), expected);
            prop_assert_eq!(ring.contains(start), contains(&corners, start));
            if let Some(corner) = found.and_then(|out| out.corner) {
                let before = corner.checked_sub(1).unwrap_or(corners.len() - 1);
                let flat = [before, corner].map(|at| [corners[at].x, corners[at].z]);
                prop_assert_eq!(ring.edge_to(corner), flat);
            }
        }
    }

    #[test]
    fn absurd_sizes_answer_alike() {
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
