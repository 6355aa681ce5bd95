//! Finds what lies across the edges of a layer's polygons.
//!
//! Source: `buildMeshAdjacency` of the tile cache.

use arrayvec::ArrayVec;
use walkable_runtime::ids::Dir;

use super::outline::Outline;
use crate::bake::{
    Edge, MAX_VERTS_PER_POLY,
    polymesh::{Draft, Piece},
};

/// Edge `edge` of polygon `polygon`.
#[derive(Clone, Copy, Debug)]
struct Side {
    polygon: u16,
    edge: usize,
}

/// An edge between two vertices, with the polygons on both sides.
#[derive(Clone, Copy, Debug)]
struct SharedEdge {
    /// Vertex indices, the smaller first.
    ends: [u16; 2],
    first: Side,
    second: Option<Side>,
    /// What lies across if there is no second polygon.
    outside: Edge,
}

/// Returns for each polygon what lies across each of its edges. Edges on a contour segment that leads out of the layer
/// are portals.
pub(super) fn link(draft: &Draft, outlines: &[Outline]) -> Vec<ArrayVec<Edge, MAX_VERTS_PER_POLY>> {
    let mut shared = pair(draft);
    mark_portals(&mut shared, draft, outlines);
    let boundary = |piece: &Piece| piece.corners.iter().map(|_| Edge::Boundary).collect();
    let mut edges: Vec<ArrayVec<Edge, MAX_VERTS_PER_POLY>> =
        draft.pieces.iter().map(boundary).collect();
    for SharedEdge { first, second, outside, .. } in shared {
        let across = second.map_or(outside, |second| Edge::Neighbor(second.polygon));
        edges[usize::from(first.polygon)][first.edge] = across;
        if let Some(second) = second {
            edges[usize::from(second.polygon)][second.edge] = Edge::Neighbor(first.polygon);
        }
    }
    edges
}

/// Returns all edges, first those that a polygon traverses in ascending order of vertex index. Each is paired with the
/// first polygon that traverses it in descending order.
fn pair(draft: &Draft) -> Vec<SharedEdge> {
    let mut shared = EdgeTable { edges: Vec::new(), from: vec![Vec::new(); draft.vertices.len()] };
    for (side, ends) in sides(draft).filter(|(_, [a, b])| a < b) {
        shared.enter(ends, side);
    }
    for (side, [b, a]) in sides(draft).filter(|(_, [b, a])| b > a) {
        match shared.open_edge([a, b]) {
            // The reference uses the index of the second edge as a direction, but there are only four directions.
            Some(edge) if edge.first.polygon == side.polygon => {
                let dir = Dir::ALL.get(side.edge);
                edge.outside = dir.map_or(Edge::Itself, |dir| Edge::Portal(*dir as u8));
            }
            Some(edge) => edge.second = Some(side),
            None => shared.enter([a, b], side),
        }
    }
    shared.edges
}

/// Edges, indexed by their vertices.
struct EdgeTable {
    edges: Vec<SharedEdge>,
    /// For each vertex, the edges whose smaller vertex it is.
    from: Vec<Vec<usize>>,
}

impl EdgeTable {
    fn enter(&mut self, ends: [u16; 2], first: Side) {
        self.from[usize::from(ends[0])].push(self.edges.len());
        self.edges.push(SharedEdge { ends, first, second: None, outside: Edge::Boundary });
    }

    /// Returns the edge between `ends` that was added last and has only one polygon.
    fn open_edge(&mut self, ends: [u16; 2]) -> Option<&mut SharedEdge> {
        let is_open = |&&index: &&usize| {
            let edge = &self.edges[index];
            edge.ends == ends && edge.second.is_none()
        };
        let index = *self.from[usize::from(ends[0])].iter().rev().find(is_open)?;
        Some(&mut self.edges[index])
    }
}

/// Returns every edge of every polygon with its two vertices, in order.
fn sides(draft: &Draft) -> impl Iterator<Item = (Side, [u16; 2])> {
    (0..).zip(&draft.pieces).flat_map(|(polygon, piece)| {
        let ends = |edge| [piece.corners[edge], piece.corner(edge + 1)];
        (0..piece.corners.len()).map(move |edge| (Side { polygon, edge }, ends(edge)))
    })
}

/// Marks the open edges on contour segments that lead out of the layer. If there are several such segments, the last
/// one counts; the segment that closes a contour is its first.
fn mark_portals(shared: &mut [SharedEdge], draft: &Draft, outlines: &[Outline]) {
    for outline in outlines {
        let corners = &outline.corners;
        let before = corners.last().into_iter().chain(corners);
        for (corner, next) in before.zip(corners) {
            let Some(dir) = corner.portal else { continue };
            let [across, along] = match dir {
                Dir::West | Dir::East => [0, 2],
                Dir::North | Dir::South => [2, 0],
            };
            let line = corner.place[across];
            let stretch = sorted([corner.place[along], next.place[along]]);
            for edge in shared.iter_mut().filter(|edge| edge.second.is_none()) {
                let ends = edge.ends.map(|end| draft.vertices[usize::from(end)]);
                let lies_on = ends.iter().all(|end| end[across] == line);
                let [from, to] = sorted(ends.map(|end| end[along]));
                if lies_on && stretch[0] < to && from < stretch[1] {
                    edge.outside = Edge::Portal(dir as u8);
                }
            }
        }
    }
}

fn sorted([a, b]: [u16; 2]) -> [u16; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use walkable_runtime::ids::RegionId;

    use super::*;
    use crate::bake::{RawArea, layer_mesh::outline::Corner};

    /// Simplification removed the vertex (5, 0): the segment that closes the contour leads south, and its line
    /// coincides with that of the edge to the north.
    #[test]
    fn the_segment_that_closes_a_contour_counts_first() {
        let corner = |x, z, portal| Corner { place: [x, 0, z], portal, is_removable: false };
        let corners = vec![
            corner(3, 0, None),
            corner(0, 2, None),
            corner(0, 5, Some(Dir::North)),
            corner(5, 5, Some(Dir::South)),
        ];
        let vertices = corners.iter().map(|corner| corner.place).collect();
        let (region, area) = (RegionId(1), RawArea::WALKABLE);
        let piece = Piece { corners: (0..4).collect(), region, area };
        let draft = Draft { vertices, pieces: vec![piece] };
        let edges = link(&draft, &[Outline { region, area, corners }]);
        let expected =
            [Edge::Boundary, Edge::Boundary, Edge::Portal(Dir::North as u8), Edge::Boundary];
        assert_eq!(edges[0][..], expected);
    }

    /// The contour runs twice around the same ground, and so does the polygon built from it.
    #[test]
    fn an_edge_walked_twice_by_one_polygon_borders_on_itself() {
        let corners = [0, 1, 2, 0, 1, 2].into_iter().collect();
        let piece = Piece { corners, region: RegionId(1), area: RawArea::WALKABLE };
        let vertices = vec![[0, 0, 0], [0, 0, 3], [3, 0, 3]];
        let edges = link(&Draft { vertices, pieces: vec![piece] }, &[]);
        let mut expected = [Edge::Boundary; 6];
        expected[2] = Edge::Itself;
        assert_eq!(edges[0][..], expected);
    }
}
