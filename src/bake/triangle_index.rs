//! Finds the triangles over a rectangle without looking at all of them.

use glam::{Vec2, Vec3, Vec3Swizzles as _, Vec4, Vec4Swizzles as _};

use crate::{geom::Aabb, mesh::TriMesh};

/// Triangles of a mesh, grouped by where they lie seen from above.
///
/// Triangles are put in the order in which a Z-shaped curve visits their middles and cut into leaves; a
/// binary tree over the leaves bounds them. Memory grows with the number of triangles alone, however large
/// they are.
#[derive(Clone, Debug)]
pub(super) struct TriangleIndex {
    /// Indices of triangles, along the curve.
    order: Vec<u32>,
    /// Bounds of each of them.
    bounds: Vec<FlatBox>,
    /// Bounds of the leaves, then of pairs of those, and so on up to one.
    levels: Vec<Vec<FlatBox>>,
}

/// Triangles in a leaf.
const LEAF_SIZE: usize = 16;

/// A rectangle seen from above: its lower sides along x and z, and the upper ones turned round, so that what is
/// around two has the least of each.
#[derive(Clone, Copy, Debug)]
struct FlatBox(Vec4);

impl FlatBox {
    fn around_points(points: [Vec3; 3]) -> Self {
        let [a, b, c] = points.map(|point| Vec4::new(point.x, point.z, -point.x, -point.z));
        Self(a.min(b).min(c))
    }

    fn of(Aabb { min, max }: &Aabb) -> Self {
        Self(Vec4::new(min.x, min.z, -max.x, -max.z))
    }

    fn around(boxes: &[Self]) -> Self {
        Self(boxes.iter().fold(Vec4::INFINITY, |least, flat| least.min(flat.0)))
    }

    /// Whether the two share a point; touching counts.
    fn overlaps(self, Self(other): Self) -> bool {
        self.0.cmple(-other.zwxy()).all()
    }

    /// Whether all of `other` lies in it.
    fn contains(self, other: Self) -> bool {
        self.0.cmple(other.0).all()
    }

    fn middle(self) -> Vec2 {
        self.0.xy() * 0.5 - self.0.zw() * 0.5
    }
}

impl TriangleIndex {
    pub(super) fn new(mesh: &TriMesh) -> Self {
        let boxes: Vec<_> = (0..mesh.triangles().len())
            .map(|triangle| FlatBox::around_points(mesh.corners(triangle)))
            .collect();
        let order = along_curve(boxes.iter().map(|flat| flat.middle()), &mesh.bounds());
        let bounds: Vec<_> = order.iter().map(|&index| boxes[index as usize]).collect();

        let mut levels: Vec<Vec<_>> = vec![bounds.chunks(LEAF_SIZE).map(FlatBox::around).collect()];
        while let Some(below) = levels.last().filter(|level| 1 < level.len()) {
            levels.push(below.chunks(2).map(FlatBox::around).collect());
        }
        Self { order, bounds, levels }
    }

    /// Triangles whose bounds share a point with `area`, seen from above, in file order.
    pub(super) fn over(&self, area: &Aabb) -> Vec<u32> {
        let area = FlatBox::of(area);
        let mut found = Vec::new();
        let mut open = vec![(self.levels.len().saturating_sub(1), 0)];
        while let Some((level, at)) = open.pop() {
            let flat = match self.levels.get(level).and_then(|boxes| boxes.get(at)) {
                Some(&flat) if area.overlaps(flat) => flat,
                _ => continue,
            };
            if area.contains(flat) {
                let [first, last] =
                    [at, at + 1].map(|at| self.order.len().min((at * LEAF_SIZE) << level));
                found.extend_from_slice(&self.order[first..last]);
            } else if level > 0 {
                open.extend([(level - 1, 2 * at), (level - 1, 2 * at + 1)]);
            } else {
                let leaf = at * LEAF_SIZE..self.order.len().min((at + 1) * LEAF_SIZE);
                let hits = leaf.filter(|&i| area.overlaps(self.bounds[i])).map(|i| self.order[i]);
                found.extend(hits);
            }
        }
        in_order(found)
    }
}

/// Sorts `found`, in which nothing is twice. Few of many are sorted one by one; else each is a bit, since those
/// over a small area mostly have numbers near one another.
fn in_order(mut found: Vec<u32>) -> Vec<u32> {
    let (Some(&min), Some(&max)) = (found.iter().min(), found.iter().max()) else { return found };
    let n_words = (max - min) / u64::BITS + 1;
    if 4 * found.len() < n_words as usize {
        found.sort_unstable();
        return found;
    }
    let mut words = vec![0_u64; n_words as usize];
    for index in &found {
        let at = index - min;
        words[(at / u64::BITS) as usize] |= 1 << (at % u64::BITS);
    }
    found.clear();
    let mut first = min;
    for mut word in words {
        while word != 0 {
            found.push(first + word.trailing_zeros());
            word &= word - 1;
        }
        first = first.wrapping_add(u64::BITS);
    }
    found
}

/// Indices of triangles with these `middles` in the order in which a Z-shaped curve through `whole` visits them.
fn along_curve(middles: impl Iterator<Item = Vec2>, whole: &Aabb) -> Vec<u32> {
    let extent = whole.size().xz().max(Vec2::splat(f32::MIN_POSITIVE));
    let scale = f32::from(u16::MAX) / extent;
    let place = |middle: Vec2| {
        let at = (middle - whole.min.xz()) * scale;
        spread_bits(to_u16(at.x)) | spread_bits(to_u16(at.y)) << 1
    };
    let mut curve: Vec<_> =
        (0..).zip(middles).map(|(index, middle)| (place(middle), index)).collect();
    let mut sorted = vec![(0, 0); curve.len()];
    // Places so near each other that a leaf holds both need no order.
    let n_bits = usize::BITS - (curve.len() / LEAF_SIZE).leading_zeros();
    let n_digits = u32::BITS / DIGIT_BITS;
    for digit in n_digits - n_bits.div_ceil(DIGIT_BITS).min(n_digits)..n_digits {
        sort_by_digit(&curve, &mut sorted, digit * DIGIT_BITS);
        std::mem::swap(&mut curve, &mut sorted);
    }
    curve.into_iter().map(|(_, index)| index).collect()
}

/// Bits by which places on the curve are sorted at a time.
const DIGIT_BITS: u32 = 8;

/// Sorts pairs by the digit of their first that begins at bit `shift`; those with the same digit stay in order.
fn sort_by_digit(pairs: &[(u32, u32)], sorted: &mut [(u32, u32)], shift: u32) {
    let digit_of = |place: u32| (place >> shift) as usize & ((1 << DIGIT_BITS) - 1);
    let mut ends = [0; 1 << DIGIT_BITS];
    for &(place, _) in pairs {
        ends[digit_of(place)] += 1;
    }
    let mut n_before = 0;
    for end in &mut ends {
        n_before += std::mem::replace(end, n_before);
    }
    for &pair in pairs {
        let at = &mut ends[digit_of(pair.0)];
        sorted[*at] = pair;
        *at += 1;
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates; the place on the curve decides only speed"
)]
fn to_u16(value: f32) -> u16 {
    value as u16
}

/// The bits of `value` with a zero before each.
fn spread_bits(value: u16) -> u32 {
    let mut bits = u32::from(value);
    bits = (bits | bits << 8) & 0x00ff_00ff;
    bits = (bits | bits << 4) & 0x0f0f_0f0f;
    bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn digits_sort_stably() {
        let mut sorted = [(0, 0); 4];
        sort_by_digit(&[(0x201, 0), (0x102, 1), (0x301, 2), (0x000, 3)], &mut sorted, 0);
        assert_eq!(sorted, [(0x000, 3), (0x201, 0), (0x301, 2), (0x102, 1)]);
    }

    #[test]
    fn bits_are_interleaved() {
        assert_eq!(spread_bits(0b1011), 0b100_0101);
        assert_eq!(spread_bits(u16::MAX), 0x5555_5555);
    }

    #[test]
    fn few_and_many_are_put_in_order() {
        let sorted = |found: &[u32]| in_order(found.to_vec());
        assert!(sorted(&[]).is_empty());
        assert_eq!(sorted(&[u32::MAX, 0]), [0, u32::MAX]);
        assert_eq!(sorted(&[71, 7, 70, 8, 135, 136]), [7, 8, 70, 71, 135, 136]);
        assert_eq!(sorted(&[u32::MAX, u32::MAX - 1]), [u32::MAX - 1, u32::MAX]);
    }

    fn point() -> impl Strategy<Value = Vec3> {
        (-20..20i8, -20..20i8).prop_map(|(x, z)| Vec3::new(f32::from(x), 0.0, f32::from(z)))
    }

    proptest! {
        #[test]
        fn finds_what_a_look_at_all_triangles_finds(
            corners in prop::collection::vec([point(), point(), point()], 1..200),
            area in [point(), point()],
        ) {
            let n = u32::try_from(corners.len()).unwrap();
            let triangles = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            let mesh = TriMesh::new(corners.concat(), triangles).unwrap();
            let area = Aabb::new(area[0], area[1]);
            let all: Vec<_> = (0..n)
                .filter(|&i| Aabb::around(mesh.corners(i as usize)).overlaps_xz(&area))
                .collect();
            prop_assert_eq!(TriangleIndex::new(&mesh).over(&area), all);
        }
    }
}
