//! Which polygons of a tile lie in a box.

use std::ops::ControlFlow;

use super::{PolyKind, Tile};
use crate::geom::Aabb;

impl Tile {
    /// Calls `visit` with each ground polygon whose box touches `bounds`, in the order of the
    /// bounding volume tree, or of the polygons where there is none. The tree's boxes are rounded
    /// outward to whole cells. `visit` may end the search.
    ///
    /// Detour's trees end in an unused node, all zero. It reads as a leaf of the first polygon at the
    /// tile's minimum corner, so that polygon is visited for any box that touches the corner, as there.
    ///
    /// Source: `dtNavMeshQuery::queryPolygonsInTile`. Differs: a box of more than 65,535 cells does
    /// not wrap.
    pub(crate) fn for_each_poly_in_box(
        &self,
        bounds: &Aabb,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) {
        self.for_each_poly_in_shrinking_box(bounds, |poly, _| visit(poly));
    }

    /// [`Tile::for_each_poly_in_box`] that asks from then on with what `visit` makes of the box. It must
    /// not grow; where there is no tree, it does not count.
    pub(crate) fn for_each_poly_in_shrinking_box(
        &self,
        bounds: &Aabb,
        mut visit: impl FnMut(usize, &mut Option<Aabb>) -> ControlFlow<()>,
    ) {
        let mut smaller = None;
        if self.bv_nodes.is_empty() {
            let hits = self.polys.iter().enumerate().filter(|(_, poly)| {
                poly.kind == PolyKind::Ground && Aabb::around(self.corners(poly)).overlaps(bounds)
            });
            for (index, _) in hits {
                if visit(index, &mut smaller).is_break() {
                    return;
                }
            }
            return;
        }
        let mut cells = self.cells_of(bounds);
        let mut at = 0;
        while let Some(node) = self.bv_nodes.get(at) {
            let is_hit = (0..3).all(|k| cells.0[k] <= node.max[k] && cells.1[k] >= node.min[k]);
            match usize::try_from(node.index) {
                Ok(poly) => {
                    if is_hit {
                        if visit(poly, &mut smaller).is_break() {
                            return;
                        }
                        if let Some(bounds) = smaller.take() {
                            cells = self.cells_of(&bounds);
                        }
                    }
                    at += 1;
                }
                Err(_branch) if is_hit => at += 1,
                Err(_branch) => at += node.index.unsigned_abs() as usize,
            }
        }
    }

    /// `bounds` in cells of the tree: the smallest even below, the largest odd above.
    fn cells_of(&self, bounds: &Aabb) -> ([u16; 3], [u16; 3]) {
        let tile = &self.header.bounds;
        let per_metre = self.header.bv_quant_factor;
        let inside = |corner: glam::Vec3| corner.max(tile.min).min(tile.max) - tile.min;
        let min = (inside(bounds.min) * per_metre).to_array().map(|cell| whole(cell) & 0xfffe);
        let max = (inside(bounds.max) * per_metre).to_array().map(|cell| whole(cell + 1.0) | 1);
        (min, max)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounds toward zero and stops at the ends of the range, which is what is wanted"
)]
fn whole(cell: f32) -> u16 {
    cell as u16
}
