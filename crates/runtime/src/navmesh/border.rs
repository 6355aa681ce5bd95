//! Portals between tiles: finds edges on tile borders that touch, and the parts that they share.
//!
//! Source: `dtNavMesh::connectExtLinks` and `findConnectingPolys`.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::{PORTAL_BIT, PolyKind, Tile};

/// Maximum number of polygons to which one edge is linked.
const MAX_TOUCHING: usize = 4;
/// Maximum distance between the planes of two edges, and minimum length of their overlap, in meters.
const TOLERANCE: f32 = 0.01;

/// Returns the side of a neighbor that faces `side` of this tile. Sides are numbered from +x toward +z; odd sides are
/// corners.
pub(crate) const fn opposite(side: u8) -> u8 {
    (side + 4) & 7
}

/// Returns whether a border extends along z, not along x.
const fn runs_along_z(side: u8) -> bool {
    side & 2 == 0
}

/// An edge of a polygon on the border of its tile, in the vertical plane of this border.
#[derive(Clone, Copy, Debug)]
pub(super) struct BorderEdge {
    pub(super) poly: u32,
    pub(super) edge: u8,
    side: u8,
    /// Whether the corners of the polygon are in descending order along the border.
    is_falling: bool,
    /// Coordinate of the plane.
    line: f32,
    /// Position along the border and height of the end that comes first.
    min: [f32; 2],
    /// Position and height of the other end.
    max: [f32; 2],
    /// Slope along the border, and height of its line at position 0.
    slope: f32,
    height: f32,
}

/// Ranges of the border edges of a tile in a list: by side (0, 2, 4, 6), polygon and edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    starts: [usize; 5],
}

impl Border {
    /// Appends the border edges of a tile to `edges`.
    pub(super) fn of(tile: &Tile, edges: &mut Vec<BorderEdge>) -> Self {
        let first = edges.len();
        for (index, poly) in
            (0..).zip(&tile.polys).filter(|(_, poly)| poly.kind == PolyKind::Ground)
        {
            for edge in poly.edges_with(|neighbor| neighbor & PORTAL_BIT != 0) {
                let side = poly.neighbors[usize::from(edge)].to_le_bytes()[0];
                let ends = tile.edge(poly, usize::from(edge));
                edges.push(BorderEdge::new((index, edge), side, ends));
            }
        }
        let own = &mut edges[first..];
        if !own.is_sorted_by_key(|edge| edge.side) {
            own.sort_by_key(|edge| edge.side);
        }
        let until = |side: u8| first + own.partition_point(|edge| edge.side < side);
        Self { starts: [first, until(2), until(4), until(6), first + own.len()] }
    }

    /// Returns the edges on a side of the tile; empty for corners.
    pub(super) fn on(&self, side: u8) -> Range<usize> {
        match side {
            0 | 2 | 4 | 6 => {
                let at = usize::from(side / 2);
                self.starts[at]..self.starts[at + 1]
            }
            _corner => 0..0,
        }
    }

    /// Returns all edges.
    pub(super) fn all(&self) -> Range<usize> {
        self.starts[0]..self.starts[4]
    }
}

impl BorderEdge {
    /// Creates the edge from `a` to `b` on a side of the tile.
    pub(super) fn new((poly, edge): (u32, u8), side: u8, [a, b]: [glam::Vec3; 2]) -> Self {
        let flat = |p: glam::Vec3| if runs_along_z(side) { [p.z, p.y] } else { [p.x, p.y] };
        let line = if runs_along_z(side) { a.x } else { a.z };
        let (a, b) = (flat(a), flat(b));
        let is_falling = a[0] >= b[0];
        let (min, max) = if is_falling { (b, a) } else { (a, b) };
        let slope = (max[1] - min[1]) / (max[0] - min[0]);
        let height = min[1] - slope * min[0];
        Self { poly, edge, side, is_falling, line, min, max, slope, height }
    }

    /// Returns the positions of the ends along the border.
    pub(super) fn reach(&self) -> (f32, f32) {
        (self.min[0], self.max[0])
    }

    /// Sorts values of the ends of the edge, from the corner at its start to the corner at its end, along the border.
    pub(super) fn in_order<T>(&self, [a, b]: [T; 2]) -> [T; 2] {
        if self.is_falling { [b, a] } else { [a, b] }
    }

    /// Returns the height at a position along the border.
    pub(super) fn height_at(&self, place: f32) -> f32 {
        let share = (place - self.min[0]) / (self.max[0] - self.min[0]);
        self.min[1] + (self.max[1] - self.min[1]) * share.clamp(0.0, 1.0)
    }

    /// Returns the side of the tile.
    pub(super) fn side(&self) -> u8 {
        self.side
    }

    /// Finds the polygons of the border edges `others` of the facing side that touch this edge, and the parts that they
    /// touch, in 255ths of it. `climb` is the maximum height of a step, in meters.
    pub(super) fn touching(
        &self,
        others: &[Self],
        climb: f32,
    ) -> ArrayVec<(u32, [u8; 2]), MAX_TOUCHING> {
        let mut found = ArrayVec::new();
        let mut last = None;
        for other in others {
            // Each polygon is linked once.
            if last == Some(other.poly)
                || (self.line - other.line).abs() > TOLERANCE
                || !self.overlaps(other, climb)
            {
                continue;
            }
            last = Some(other.poly);
            let overlap = [self.min[0].max(other.min[0]), self.max[0].min(other.max[0])];
            if found.try_push((other.poly, self.limits(overlap))).is_err() {
                break;
            }
        }
        found
    }

    /// Returns whether two edges share more than a point of the border, and either cross or differ by at most a step at
    /// one end of the shared part.
    ///
    /// Source: `overlapSlabs`.
    #[inline]
    fn overlaps(&self, other: &Self, climb: f32) -> bool {
        let start = (self.min[0] + TOLERANCE).max(other.min[0] + TOLERANCE);
        let end = (self.max[0] - TOLERANCE).min(other.max[0] - TOLERANCE);
        if start > end {
            return false;
        }
        let [own, others] =
            [self, other].map(|edge| [start, end].map(|place| edge.slope * place + edge.height));
        let (at_start, at_end) = (others[0] - own[0], others[1] - own[1]);
        let reach = (climb * 2.0) * (climb * 2.0);
        at_start * at_end < 0.0 || at_start * at_start <= reach || at_end * at_end <= reach
    }

    /// Converts a part of the border to 255ths of this edge.
    fn limits(&self, overlap: [f32; 2]) -> [u8; 2] {
        let (min, max) = (self.min[0], self.max[0]);
        let (a, b) = if self.is_falling { (max, min) } else { (min, max) };
        let [t, u] = overlap.map(|place| (place - a) / (b - a));
        let (min, max) = if t > u { (u, t) } else { (t, u) };
        [min, max].map(in_255ths)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number from 0 to 255 after rounding"
)]
fn in_255ths(share: f32) -> u8 {
    let exact = share.clamp(0.0, 1.0) * 255.0;
    // `round` is slow: basic x86-64 has no instruction for it.
    let below = exact as u8;
    below + u8::from(exact - f32::from(below) >= 0.5)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    fn edge(poly: u32, side: u8, from: [f32; 2], to: [f32; 2]) -> BorderEdge {
        let ends = [from, to].map(|[z, y]| Vec3::new(10.0, y, z));
        BorderEdge::new((poly, 0), side, ends)
    }

    /// Checks which edges touch, over the +x border, an edge from z 0 to 10 at height 0.
    #[track_caller]
    fn check(others: &[BorderEdge], expected: &[(u32, [u8; 2])]) {
        let found = edge(0, 0, [0.0, 0.0], [10.0, 0.0]).touching(others, 0.5);
        assert_eq!(found.as_slice(), expected);
    }

    #[test]
    fn edges_are_linked_where_they_overlap() {
        let half = edge(7, 4, [5.0, 0.0], [0.0, 0.0]);
        let rest = edge(8, 4, [10.0, 0.0], [5.0, 0.0]);
        check(&[half, rest], &[(7, [0, 128]), (8, [128, 255])]);
        check(&[edge(7, 4, [20.0, 0.0], [10.0, 0.0])], &[]);
        let backward = edge(0, 0, [10.0, 0.0], [0.0, 0.0]).touching(&[half], 0.5);
        assert_eq!(backward.as_slice(), [(7, [128, 255])]);
    }

    #[test]
    fn edges_are_found_by_side() {
        let mut edges = vec![edge(9, 0, [0.0, 0.0], [1.0, 0.0])];
        let border = Border::of(&crate::navmesh::sample::tile(0, 0, &["..", ".."]), &mut edges);
        let polys = |side| edges[border.on(side)].iter().map(|edge| edge.poly).collect::<Vec<_>>();
        assert_eq!([0, 2, 4, 6].map(polys), [[1, 3], [2, 3], [0, 2], [0, 1]]);
        assert_eq!((polys(1), border.all()), (vec![], 1..9));
    }

    #[test]
    fn shares_are_rounded_to_the_nearest() {
        for step in 0..=50_000_u16 {
            let share = f32::from(step) / 50_000.0;
            let rounded = (share * 255.0).round();
            assert_eq!(f32::from(in_255ths(share)).to_bits(), rounded.to_bits(), "{share}");
        }
        let just_below_half = f32::from_bits(0.5_f32.to_bits() - 1) / 255.0;
        assert_eq!([-1.0, just_below_half, 2.0].map(in_255ths), [0, 0, 255]);
    }

    #[test]
    fn steps_are_linked_up_to_twice_the_climb() {
        check(&[edge(1, 4, [10.0, 1.0], [0.0, 1.0])], &[(1, [0, 255])]);
        check(&[edge(1, 4, [10.0, 1.5], [0.0, 1.5])], &[]);
        check(&[edge(1, 4, [10.0, 9.0], [0.0, -9.0])], &[(1, [0, 255])]);
    }

    #[test]
    fn an_edge_has_at_most_four_links() {
        let others: Vec<_> = (0..6u8)
            .map(|n| edge(n.into(), 4, [f32::from(n) + 1.0, 0.0], [n.into(), 0.0]))
            .collect();
        let touching = edge(0, 0, [0.0, 0.0], [10.0, 0.0]).touching(&others, 0.5);
        assert_eq!(touching.len(), MAX_TOUCHING);
    }
}
