//! Finds the polygons of a tile in a box.

use std::ops::ControlFlow;

use glam::Vec3;

use super::{BvNode, PolyKind, Tile};
use crate::geom::Aabb;

/// A polygon and its box in the BV tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf<'a> {
    pub(crate) poly: usize,
    node: &'a BvNode,
}

impl Leaf<'_> {
    /// Returns a lower bound of the squared horizontal distance of a point from the box. Point and distance are in
    /// cells of the tree.
    pub(crate) fn distance_sqr(&self, cell: Vec3) -> f32 {
        if self.node.max == [0; 3] {
            // The unused node of Detour's trees: its box is not that of its polygon.
            return 0.0;
        }
        let beyond = |at: f32, min: u16, max: u16| {
            // The box ends inside its last cell.
            (f32::from(min) - at).max(at - f32::from(max) - 1.0).max(0.0)
        };
        let x = beyond(cell.x, self.node.min[0], self.node.max[0]);
        let z = beyond(cell.z, self.node.min[2], self.node.max[2]);
        x * x + z * z
    }
}

impl Tile {
    /// Calls `visit` with each ground polygon whose box touches `bounds`, in the order of the BV tree, or of the
    /// polygons if there is no tree. The tree's boxes are rounded outward to whole cells. `visit` can end the search.
    ///
    /// Detour's trees end with an unused node of zeros. It is read as a leaf of the first polygon at the tile's minimum
    /// corner, so this polygon is visited for any box that touches the corner, as in Detour.
    ///
    /// Source: `dtNavMeshQuery::queryPolygonsInTile`. Differs: a box of more than 65,535 cells does not wrap.
    pub(crate) fn for_each_poly_in_box(
        &self,
        bounds: &Aabb,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) {
        if self.bv_nodes.is_empty() {
            let hits = self.polys.iter().enumerate().filter(|(_, poly)| {
                poly.kind == PolyKind::Ground && Aabb::around(self.corners(poly)).overlaps(bounds)
            });
            for (index, _) in hits {
                if visit(index).is_break() {
                    return;
                }
            }
            return;
        }
        self.for_each_leaf_in_box(bounds, |leaf, _| visit(leaf.poly));
    }

    /// Calls `visit` with the leaves of the tree whose boxes touch `bounds`. `visit` can shrink the box for the rest of
    /// the search, but must not enlarge it.
    #[expect(clippy::needless_bitwise_bool, reason = "nothing should branch on part of a test")]
    pub(crate) fn for_each_leaf_in_box(
        &self,
        bounds: &Aabb,
        mut visit: impl FnMut(Leaf<'_>, &mut Option<Aabb>) -> ControlFlow<()>,
    ) {
        let mut smaller = None;
        let (mut min, mut max) = self.cells_of(bounds);
        let mut at = 0;
        while let Some(node) = self.bv_nodes.get(at) {
            // Without branches, because it is unpredictable which axis separates two boxes.
            let is_hit =
                (0..3).fold(true, |all, k| all & (min[k] <= node.max[k]) & (max[k] >= node.min[k]));
            let is_leaf = node.index >= 0;
            let n = node.index.unsigned_abs() as usize;
            at += if is_hit | is_leaf { 1 } else { n };
            if !(is_hit & is_leaf) {
                continue;
            }
            if visit(Leaf { poly: n, node }, &mut smaller).is_break() {
                return;
            }
            if let Some(bounds) = smaller.take() {
                (min, max) = self.cells_of(&bounds);
            }
        }
    }

    /// Converts `bounds` to cells of the tree: the minimum is rounded down to an even number, the maximum up to an odd
    /// one.
    fn cells_of(&self, bounds: &Aabb) -> ([u16; 3], [u16; 3]) {
        let tile = &self.header.bounds;
        let per_meter = self.header.bv_quant_factor;
        let inside = |corner: Vec3| corner.max(tile.min).min(tile.max) - tile.min;
        let min = (inside(bounds.min) * per_meter).to_array().map(|cell| truncated(cell) & 0xfffe);
        let max = (inside(bounds.max) * per_meter).to_array().map(|cell| truncated(cell + 1.0) | 1);
        (min, max)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounds toward zero and stops at the ends of the range, which is what is wanted"
)]
fn truncated(cell: f32) -> u16 {
    cell as u16
}
