//! An index of triangles by position, seen from above.

use std::ops::Range;

use glam::{Vec2, Vec3, Vec4, Vec4Swizzles as _};
use walkable_mesh::TriMesh;
use walkable_runtime::{geom::Aabb, side_by_side::each};

use crate::bake::z_curve::along_curve;

/// The triangles of a mesh, grouped by position, seen from above.
///
/// Triangles are sorted along a Z-order curve of their centers and divided into leaves, and a binary tree stores the
/// bounds of the leaves. The memory depends only on the number of triangles, not on their size.
#[derive(Clone, Debug)]
pub(super) struct TriangleIndex {
    /// Indices of triangles, in the order of the curve.
    order: Vec<u32>,
    /// Bounds of the leaves, then of pairs of them, and so on up to the root.
    levels: Vec<Vec<FlatBox>>,
}

/// Number of triangles in a leaf.
const LEAF_SIZE: usize = 16;

/// A rectangle seen from above: its minimum along x and z, and its negated maximum, so that a union is the minimum of
/// each component.
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

    /// Returns whether two rectangles overlap or touch.
    fn overlaps(self, Self(other): Self) -> bool {
        self.0.cmple(-other.zwxy()).all()
    }

    /// Returns whether `other` is inside.
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

    /// Returns the triangles whose bounds overlap or touch `area`, seen from above, in file order. `mesh` must be the
    /// mesh of the index.
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

    /// Returns the number of triangles over `area` or near it, without access to the triangles.
    pub(super) fn n_near(&self, area: &Aabb) -> usize {
        let mut n = 0;
        self.visit(FlatBox::of(area), |run, _| n += run.len());
        n
    }

    /// Calls `visit` with runs of `order` that contain all triangles over `area`, and with whether the whole run is
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

/// Sorts `found`, which has no duplicates. If the indices are close together, as usual over a small area, they are
/// sorted as bits of a set.
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
        fn finds_the_same_triangles_as_brute_force(
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
