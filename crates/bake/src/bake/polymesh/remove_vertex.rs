//! Removes corners that only mark the end of a region at the tile's border.
//!
//! Two regions that meet at the border have a corner there that the neighboring tile does not have. The polygons around
//! it are removed, and the gap is filled without it.
//!
//! Source: `canRemoveVertex` and `removeVertex`.
//! Differs: a gap with two corners, around overlapping polygons, remains empty. Recast reads a third corner beyond the
//! array.

use std::collections::VecDeque;

use walkable_runtime::{ids::RegionId, monitor::Cancelled};

use super::{
    merge::{Merger, Piece},
    point_of,
    triangulate::{Coverage, Triangulator},
};
use crate::bake::{RawArea, pulse::Pulse};

/// Polygons with shared corners, without their neighbors.
#[derive(Debug, Default)]
pub(in crate::bake) struct Draft {
    pub(in crate::bake) vertices: Vec<[u16; 3]>,
    pub(in crate::bake) pieces: Vec<Piece>,
}

/// Removes vertices, with reusable buffers.
#[derive(Debug)]
pub(super) struct Remover<'a> {
    pub(super) triangulator: &'a mut Triangulator,
    pub(super) merger: &'a mut Merger,
    pub(super) max_corners: usize,
}

impl Remover<'_> {
    /// Removes the vertices marked in `is_removable`, one flag per vertex, if the polygons around them allow it.
    /// Returns the number of gaps that could not be filled completely.
    pub(super) fn run(
        &mut self,
        draft: &mut Draft,
        mut is_removable: Vec<bool>,
        pulse: &mut Pulse<'_>,
    ) -> Result<usize, Cancelled> {
        let mut n_gaps = 0;
        let mut at = 0;
        while at < draft.vertices.len() {
            let vertex = index(at);
            if is_removable[at] {
                pulse.steps(u32::try_from(draft.pieces.len()).unwrap_or(u32::MAX))?;
            }
            if is_removable[at] && can_remove(&draft.pieces, vertex) {
                is_removable.remove(at);
                if self.remove(draft, vertex, pulse)? != Coverage::Full {
                    n_gaps += 1;
                }
            } else {
                at += 1;
            }
        }
        Ok(n_gaps)
    }

    fn remove(
        &mut self,
        draft: &mut Draft,
        vertex: u16,
        pulse: &mut Pulse<'_>,
    ) -> Result<Coverage, Cancelled> {
        let mut rim = cut_out(&mut draft.pieces, vertex);
        draft.vertices.remove(usize::from(vertex));
        let close_up = |v: &mut u16| {
            if *v > vertex {
                *v -= 1;
            }
        };
        draft.pieces.iter_mut().flat_map(|piece| &mut piece.corners).for_each(close_up);
        rim.iter_mut().flat_map(|edge| &mut edge.ends).for_each(close_up);
        if rim.is_empty() {
            return Ok(Coverage::Full);
        }
        let rim = chain(rim);
        let points = rim.iter().map(|corner| point_of(draft.vertices[usize::from(corner.vertex)]));
        let coverage = self.triangulator.run(points, pulse)?;
        let triangle = |&triangle: &[usize; 3]| {
            let corners = triangle.map(|i| rim[i]);
            let [a, b, c] = corners.map(|corner| corner.region);
            let region = if a == b && b == c { a } else { RegionId::NONE };
            Piece::triangle(corners.map(|corner| corner.vertex), region, corners[0].area)
        };
        let mut fill = self.triangulator.triangles().iter().map(triangle).collect();
        self.merger.run(&mut fill, &draft.vertices, self.max_corners, pulse)?;
        draft.pieces.append(&mut fill);
        Ok(coverage)
    }
}

/// Returns whether the polygons around `vertex` would leave a gap that a polygon can fill: with at least three edges,
/// and not in two parts that only meet at the vertex.
fn can_remove(pieces: &[Piece], vertex: u16) -> bool {
    // Adjacent vertices, and the number of polygon edges to them.
    let mut spokes: Vec<(u16, u32)> = Vec::new();
    let [mut n_edges, mut n_lost] = [0, 0];
    for piece in pieces.iter().filter(|piece| piece.corners.contains(&vertex)) {
        n_edges += piece.corners.len();
        n_lost += piece.corners.iter().filter(|&&corner| corner == vertex).count() + 1;
        for [from, to] in edges(piece) {
            let other = match (from == vertex, to == vertex) {
                (true, _) => to,
                (false, true) => from,
                (false, false) => continue,
            };
            match spokes.iter_mut().find(|spoke| spoke.0 == other) {
                Some(spoke) => spoke.1 += 1,
                None => spokes.push((other, 1)),
            }
        }
    }
    let n_open = spokes.iter().filter(|spoke| spoke.1 < 2).count();
    n_edges > n_lost + 2 && n_open <= 2
}

/// Returns the edges of a polygon, beginning with the edge that ends at its first corner.
fn edges(piece: &Piece) -> impl Iterator<Item = [u16; 2]> {
    let corners = &piece.corners;
    let before = corners.iter().cycle().skip(corners.len() - 1);
    before.zip(corners).map(|(&from, &to)| [from, to])
}

/// An edge of a removed polygon that did not touch the removed vertex.
#[derive(Clone, Copy, Debug)]
struct RimEdge {
    ends: [u16; 2],
    region: RegionId,
    area: RawArea,
}

/// Removes the polygons at `vertex`, replaces each by the last polygon, and returns their other edges.
fn cut_out(pieces: &mut Vec<Piece>, vertex: u16) -> Vec<RimEdge> {
    let mut rim = Vec::new();
    let mut i = 0;
    while i < pieces.len() {
        if !pieces[i].corners.contains(&vertex) {
            i += 1;
            continue;
        }
        let piece = pieces.swap_remove(i);
        let rim_edge = |ends| RimEdge { ends, region: piece.region, area: piece.area };
        rim.extend(edges(&piece).filter(|ends| !ends.contains(&vertex)).map(rim_edge));
    }
    rim
}

/// A corner of the gap, with the region and area of its edge.
#[derive(Clone, Copy, Debug)]
struct RimCorner {
    vertex: u16,
    region: RegionId,
    area: RawArea,
}

/// Joins the edges of a gap to one outline, at both ends. Edges that do not connect are omitted.
fn chain(mut edges: Vec<RimEdge>) -> VecDeque<RimCorner> {
    let corner = |vertex, edge: RimEdge| RimCorner { vertex, region: edge.region, area: edge.area };
    let mut outline = VecDeque::with_capacity(edges.len() + 1);
    let [mut front, mut back] = [edges[0].ends[0]; 2];
    outline.push_back(corner(front, edges[0]));
    let mut n_before = usize::MAX;
    while edges.len() < n_before {
        n_before = edges.len();
        let mut i = 0;
        while i < edges.len() {
            let edge = edges[i];
            let [from, to] = edge.ends;
            if front == to {
                outline.push_front(corner(from, edge));
                front = from;
            } else if back == from {
                outline.push_back(corner(to, edge));
                back = to;
            } else {
                i += 1;
                continue;
            }
            edges.swap_remove(i);
        }
    }
    outline
}

#[expect(clippy::cast_possible_truncation, reason = "a draft has fewer than 65,536 vertices")]
const fn index(at: usize) -> u16 {
    at as u16
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::polymesh::triangulate::NoEars;

    #[test]
    fn a_gap_with_two_corners_stays_empty() {
        let triangle = Piece::triangle([0, 1, 2], RegionId(1), RawArea::WALKABLE);
        let vertices = vec![[0, 0, 0], [0, 0, 4], [4, 0, 0]];
        let mut draft = Draft { vertices, pieces: vec![triangle; 3] };
        let mut remover = Remover {
            triangulator: &mut Triangulator::new(NoEars::CutLoosely),
            merger: &mut Merger::default(),
            max_corners: 6,
        };
        let mut pulse = Pulse::new(&Unmonitored);
        let n_gaps = remover.run(&mut draft, vec![true, false, false], &mut pulse).unwrap();
        assert_eq!((n_gaps, draft.pieces.len(), draft.vertices.len()), (1, 0, 2));
    }
}
