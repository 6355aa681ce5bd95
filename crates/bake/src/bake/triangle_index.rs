//! Finds the triangles over a rectangle without looking at all of them.

use std::ops::Range;

use glam::{Vec2, Vec3, Vec4, Vec4Swizzles as _};
use walkable_mesh::TriMesh;
use walkable_runtime::{geom::Aabb, side_by_side::each};

use crate::bake::z_curve::along_curve;

/// Triangles of a mesh, grouped by where they lie seen from above.
///
/// Triangles are put in the order in which a Z-shaped curve visits their middles and cut into leaves; a
/// binary tree over the leaves bounds them. Memory grows with the number of triangles alone, however large
/// they are.
#[derive(Clone, Debug)]
pub(super) struct TriangleIndex {
    /// Indices of triangles, along the curve.
    order: Vec<u32>,
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

    fn around(boxes: impl Iterator<Item = Self>) -> Self {
        Self(boxes.fold(Vec4::INFINITY, |least, flat| least.min(flat.0)))
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
        let n = mesh.triangles().len();
        let flat = |triangle| FlatBox::around_points(mesh.corners(triangle));
        let order = along_curve(n, |triangle| flat(triangle).middle(), &mesh.bounds());
        let leaf = |at: usize| {
            let triangles = &order[at * LEAF_SIZE..n.min((at + 1) * LEAF_SIZE)];
            FlatBox::around(triangles.iter().map(|&triangle| flat(triangle as usize)))
        };
        let mut levels = vec![each(0..n.div_ceil(LEAF_SIZE), n, leaf)];
        while let Some(below) = levels.last().filter(|level| 1 < level.len()) {
            levels
                .push(below.chunks(2).map(|pair| FlatBox::around(pair.iter().copied())).collect());
        }
        Self { order, levels }
    }

    /// Triangles of `mesh`, from which it was made, whose bounds share a point with `area`, seen from above, in file
    /// order.
    pub(super) fn over(&self, mesh: &TriMesh, area: &Aabb) -> Vec<u32> {
        let area = FlatBox::of(area);
        let is_over =
            |triangle: u32| area.overlaps(FlatBox::around_points(mesh.corners(triangle as usize)));
        let mut found = Vec::new();
        self.visit(area, |run, are_over| {
            let order = &self.order[run];
            if are_over {
                found.extend_from_slice(order);
            } else {
                found.extend(order.iter().copied().filter(|&triangle| is_over(triangle)));
            }
        });
        in_order(found)
    }

    /// How many triangles lie over `area` or near it, without a look at any of them.
    pub(super) fn n_near(&self, area: &Aabb) -> usize {
        let mut n = 0;
        self.visit(FlatBox::of(area), |run, _| n += run.len());
        n
    }

    /// Calls `visit` with runs of `order` that have all triangles over `area`, each with whether the whole run is
    /// over it.
    fn visit(&self, area: FlatBox, mut visit: impl FnMut(Range<usize>, bool)) {
        let mut open = vec![(self.levels.len().saturating_sub(1), 0)];
        while let Some((level, at)) = open.pop() {
            let flat = match self.levels.get(level).and_then(|boxes| boxes.get(at)) {
                Some(&flat) if area.overlaps(flat) => flat,
                _ => continue,
            };
            let is_over = area.contains(flat);
            if is_over || level == 0 {
                let [first, last] =
                    [at, at + 1].map(|at| self.order.len().min((at * LEAF_SIZE) << level));
                visit(first..last, is_over);
            } else {
                open.extend([(level - 1, 2 * at), (level - 1, 2 * at + 1)]);
            }
        }
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

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use proptest::prelude::*;

    use super::*;

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
            let index = TriangleIndex::new(&mesh);
            prop_assert!(all.len() <= index.n_near(&area));
            prop_assert_eq!(index.over(&mesh, &area), all);
        }
    }
}
