//! Finds the other side of each edge: another polygon, the next tile, or nothing.
//!
//! Source: `buildMeshAdjacency` and the portal search of `rcBuildPolyMesh`.

use arrayvec::ArrayVec;
use walkable_runtime::ids::Dir;

use super::{Edge, MAX_VERTS_PER_POLY, merge::Piece};

/// Edge `edge` of polygon `polygon`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Side {
    polygon: u16,
    edge: u8,
}

/// An edge that `first` has from its smaller to its larger vertex, and `second` in the other direction.
#[derive(Clone, Copy, Debug)]
struct SharedEdge {
    greater: u16,
    first: Side,
    second: Option<Side>,
    /// The previous entry with the same smaller vertex.
    next: Option<u32>,
}

/// The edges of every polygon, one per corner.
pub(super) type EdgeLists = Vec<ArrayVec<Edge, MAX_VERTS_PER_POLY>>;

/// Links polygons over edges that they have in opposite directions. All other edges are boundary edges. There must be
/// fewer than 65,536 `pieces`.
pub(super) fn link_neighbors(pieces: &[Piece], n_vertices: usize) -> EdgeLists {
    let shared = pair_edges(pieces, n_vertices);
    let boundary = |piece: &Piece| piece.corners.iter().map(|_| Edge::Boundary).collect();
    let mut edges: EdgeLists = pieces.iter().map(boundary).collect();
    for SharedEdge { first, second, .. } in shared {
        let Some(second) = second else { continue };
        if first.polygon != second.polygon {
            edges[usize::from(first.polygon)][usize::from(first.edge)] =
                Edge::Neighbor(second.polygon);
            edges[usize::from(second.polygon)][usize::from(second.edge)] =
                Edge::Neighbor(first.polygon);
        }
    }
    edges
}

/// Marks boundary edges on a side of the tile as portals. `size` is the size of the tile without border, in cells.
pub(super) fn mark_portals(
    edges: &mut EdgeLists,
    pieces: &[Piece],
    vertices: &[[u16; 3]],
    [n_x, n_z]: [u32; 2],
) {
    let side_of = |a: [u32; 2], b: [u32; 2]| {
        let both = |axis: usize, value: u32| a[axis] == value && b[axis] == value;
        let sides = [both(0, 0), both(1, n_z), both(0, n_x), both(1, 0)];
        Dir::ALL.into_iter().zip(sides).find_map(|(dir, lies_on)| lies_on.then_some(dir as u8))
    };
    for (piece, edges) in pieces.iter().zip(edges) {
        let n = piece.corners.len();
        for (i, edge) in edges.iter_mut().enumerate() {
            if *edge == Edge::Boundary {
                let [a, b] = [piece.corners[i], piece.corners[(i + 1) % n]].map(|corner| {
                    let [x, _, z] = vertices[usize::from(corner)].map(u32::from);
                    [x, z]
                });
                if let Some(side) = side_of(a, b) {
                    *edge = Edge::Portal(side);
                }
            }
        }
    }
}

/// Returns all edges that a polygon has with ascending vertices, with the polygon that has them descending.
fn pair_edges(pieces: &[Piece], n_vertices: usize) -> Vec<SharedEdge> {
    let mut shared: Vec<SharedEdge> = Vec::new();
    let mut last_at_vertex: Vec<Option<u32>> = vec![None; n_vertices];
    for (side, [from, to]) in sides(pieces).filter(|(_, [from, to])| from < to) {
        let last = &mut last_at_vertex[usize::from(from)];
        let entry = SharedEdge { greater: to, first: side, second: None, next: *last };
        *last = u32::try_from(shared.len()).ok();
        shared.push(entry);
    }
    for (side, [from, to]) in sides(pieces).filter(|(_, [from, to])| from > to) {
        let mut at = last_at_vertex[usize::from(to)];
        while let Some(i) = at {
            let edge = &mut shared[i as usize];
            // A polygon with an edge in both directions would be its own neighbor, which is ignored.
            let is_free = edge.second.is_none_or(|second| second.polygon == edge.first.polygon);
            if edge.greater == from && is_free {
                edge.second = Some(side);
                break;
            }
            at = edge.next;
        }
    }
    shared
}

/// Returns all edges of all polygons with their two vertices, in order.
fn sides(pieces: &[Piece]) -> impl Iterator<Item = (Side, [u16; 2])> {
    (0_u16..).zip(pieces).flat_map(|(polygon, piece)| {
        let corners = &piece.corners;
        (0_u8..).zip(corners).map(move |(edge, &from)| {
            let to = corners.get(usize::from(edge) + 1).unwrap_or(&corners[0]);
            (Side { polygon, edge }, [from, *to])
        })
    })
}
