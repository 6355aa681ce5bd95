//! Portals between tiles: which edges on the borders of two tiles touch, and along which part.
//!
//! Source: `dtNavMesh::connectExtLinks` and `findConnectingPolys`.

use arrayvec::ArrayVec;
use glam::Vec3;

use super::{PORTAL_BIT, PolyKind, Tile, link::Link};

/// Most polygons to which one edge is linked.
const MAX_TOUCHING: usize = 4;
/// How far apart, in metres, the lines of two edges may lie; and by how much an overlap must exceed
/// a touch at an end.
const TOLERANCE: f32 = 0.01;

/// The side of a neighbour that faces `side` of this tile. Sides count from +x towards +z; the
/// odd ones are corners.
pub(super) const fn opposite(side: u8) -> u8 {
    (side + 4) & 7
}

/// An edge of a polygon on the border of its tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct BorderEdge {
    poly: u32,
    edge: u8,
    side: u8,
    ends: [Vec3; 2],
}

/// All border edges of a tile, by polygon.
pub(super) fn border_edges(tile: &Tile) -> Vec<BorderEdge> {
    let grounds = (0..).zip(&tile.polys).filter(|(_, poly)| poly.kind == PolyKind::Ground);
    let edges = grounds.flat_map(|(index, poly)| {
        let neighbors = (0..poly.n_vertices).zip(poly.neighbors);
        let portals = neighbors.filter(|&(_, neighbor)| neighbor & PORTAL_BIT != 0);
        portals.map(move |(edge, neighbor)| BorderEdge {
            poly: index,
            edge,
            side: neighbor.to_le_bytes()[0],
            ends: tile.edge(poly, usize::from(edge)),
        })
    });
    edges.collect()
}

/// One tile as its neighbours see it.
#[derive(Clone, Copy)]
pub(super) struct Bordering<'a> {
    /// Number of the tile in the mesh.
    pub(super) id: u32,
    /// Its border edges.
    pub(super) edges: &'a [BorderEdge],
    /// How high a step may be, in metres.
    pub(super) climb: f32,
}

/// Links from polygons with border edges `from` to those of `to`; only over the border `side`, or
/// over all where that is `None` (two layers of one place).
pub(super) fn links_between(
    from: &[BorderEdge],
    to: Bordering<'_>,
    side: Option<u8>,
) -> Vec<(u32, Link)> {
    let leaving = from.iter().filter(|edge| side.is_none_or(|side| edge.side == side));
    let links = leaving.flat_map(|edge| {
        touching(edge, to).into_iter().map(|(poly, overlap)| {
            let mut link = Link::new(to.id, poly, edge.edge, edge.side);
            link.limits = limits(edge, overlap);
            (edge.poly, link)
        })
    });
    links.collect()
}

/// Polygons of a tile that touch `edge`, and the overlap along the border.
fn touching(edge: &BorderEdge, to: Bordering<'_>) -> ArrayVec<(u32, [f32; 2]), MAX_TOUCHING> {
    let slab = Slab::of(edge);
    let mut found = ArrayVec::new();
    let mut last = None;
    for other in to.edges.iter().filter(|other| other.side == opposite(edge.side)) {
        // One edge of a polygon is enough.
        if last == Some(other.poly) {
            continue;
        }
        let other_slab = Slab::of(other);
        if (slab.line - other_slab.line).abs() > TOLERANCE || !slab.overlaps(&other_slab, to.climb)
        {
            continue;
        }
        last = Some(other.poly);
        let overlap = [slab.min[0].max(other_slab.min[0]), slab.max[0].min(other_slab.max[0])];
        if found.try_push((other.poly, overlap)).is_err() {
            break;
        }
    }
    found
}

/// Whether an edge lies on a border along which z grows rather than x.
const fn runs_along_z(side: u8) -> bool {
    side & 2 == 0
}

/// A border edge in the upright plane of its border.
struct Slab {
    /// Where the plane is.
    line: f32,
    /// Place along the border and height of the end that comes first.
    min: [f32; 2],
    /// The same of the other end.
    max: [f32; 2],
}

impl Slab {
    fn of(edge: &BorderEdge) -> Self {
        let [a, b] = edge.ends;
        let flat = |p: Vec3| if runs_along_z(edge.side) { [p.z, p.y] } else { [p.x, p.y] };
        let line = if runs_along_z(edge.side) { a.x } else { a.z };
        let (a, b) = (flat(a), flat(b));
        if a[0] < b[0] { Self { line, min: a, max: b } } else { Self { line, min: b, max: a } }
    }

    /// Whether two edges share more than a point of the border and are, at one end of the shared
    /// part, within reach of a step or cross between.
    ///
    /// Source: `overlapSlabs`.
    fn overlaps(&self, other: &Self, climb: f32) -> bool {
        let start = (self.min[0] + TOLERANCE).max(other.min[0] + TOLERANCE);
        let end = (self.max[0] - TOLERANCE).min(other.max[0] - TOLERANCE);
        if start > end {
            return false;
        }
        let [own, others] = [self, other].map(|slab| {
            let slope = (slab.max[1] - slab.min[1]) / (slab.max[0] - slab.min[0]);
            let height = slab.min[1] - slope * slab.min[0];
            [slope * start + height, slope * end + height]
        });
        let (at_start, at_end) = (others[0] - own[0], others[1] - own[1]);
        let reach = (climb * 2.0) * (climb * 2.0);
        at_start * at_end < 0.0 || at_start * at_start <= reach || at_end * at_end <= reach
    }
}

/// A part of the border as parts of an edge, in 255ths.
fn limits(edge: &BorderEdge, overlap: [f32; 2]) -> [u8; 2] {
    let [a, b] = edge.ends.map(|p| if runs_along_z(edge.side) { p.z } else { p.x });
    let [t, u] = overlap.map(|place| (place - a) / (b - a));
    let (min, max) = if t > u { (u, t) } else { (t, u) };
    [min, max].map(in_255ths)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number from 0 to 255 after rounding"
)]
fn in_255ths(share: f32) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(poly: u32, side: u8, from: [f32; 2], to: [f32; 2]) -> BorderEdge {
        let ends = [from, to].map(|[z, y]| Vec3::new(10.0, y, z));
        BorderEdge { poly, edge: 0, side, ends }
    }

    /// Links over the +x border from an edge from z 0 to 10 at height 0.
    #[track_caller]
    fn check(others: &[BorderEdge], expected: &[(u32, [u8; 2])]) {
        let to = Bordering { id: 1, edges: others, climb: 0.5 };
        let from = [edge(0, 0, [0.0, 0.0], [10.0, 0.0])];
        let found: Vec<_> = links_between(&from, to, Some(0))
            .iter()
            .map(|(_, link)| (link.to_poly, link.limits))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn edges_are_linked_where_they_overlap() {
        let half = edge(7, 4, [5.0, 0.0], [0.0, 0.0]);
        let rest = edge(8, 4, [10.0, 0.0], [5.0, 0.0]);
        check(&[half, rest], &[(7, [0, 128]), (8, [128, 255])]);
        check(&[edge(7, 4, [20.0, 0.0], [10.0, 0.0])], &[]);
        check(&[edge(7, 0, [10.0, 0.0], [0.0, 0.0])], &[]);
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
        let to = Bordering { id: 1, edges: &others, climb: 0.5 };
        let from = [edge(0, 0, [0.0, 0.0], [10.0, 0.0])];
        assert_eq!(links_between(&from, to, Some(0)).len(), MAX_TOUCHING);
    }
}
