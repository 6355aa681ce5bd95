//! The edges of a polygon, split into walls and portals.

use arrayvec::ArrayVec;
use glam::Vec3;

use super::{Filter, QueryError};
use crate::{
    geom::from_above::{self, point_between},
    navmesh::{NavMesh, PORTAL_BIT, PolyAt, PolyRef},
};

/// Maximum number of portals of an edge on a tile border, both ends included.
const MAX_PARTS: usize = 16;

/// A part of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeSegment {
    /// Start and end, in the order of the polygon's corners.
    pub ends: [Vec3; 2],
    /// The polygon beyond the part; `None` for a wall.
    pub to: Option<PolyRef>,
}

/// Returns all edges of `poly`. An edge on a tile border is split where the polygons beyond it begin and end. A portal
/// to a polygon that the filter rejects is a wall.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale.
///
/// Source: `dtNavMeshQuery::getPolyWallSegments`.
pub fn edge_segments(
    mesh: &NavMesh,
    poly: PolyRef,
    filter: &Filter,
) -> Result<Vec<EdgeSegment>, QueryError> {
    let mut segments = Vec::new();
    edge_segments_into(mesh, poly, filter, &mut segments)?;
    Ok(segments)
}

/// Like [`edge_segments`], but reuses the memory of an earlier result.
///
/// # Errors
/// See [`edge_segments`]. `segments` is then empty.
pub fn edge_segments_into(
    mesh: &NavMesh,
    poly: PolyRef,
    filter: &Filter,
    segments: &mut Vec<EdgeSegment>,
) -> Result<(), QueryError> {
    segments.clear();
    for_each_segment(mesh, poly, filter, |segment| segments.push(segment))
}

/// Returns the walls of `poly`: the ends of the [`edge_segments`] without a polygon behind them.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale.
pub fn wall_segments(
    mesh: &NavMesh,
    poly: PolyRef,
    filter: &Filter,
) -> Result<Vec<[Vec3; 2]>, QueryError> {
    let mut walls = Vec::new();
    wall_segments_into(mesh, poly, filter, &mut walls)?;
    Ok(walls)
}

/// Like [`wall_segments`], but reuses the memory of an earlier result.
///
/// # Errors
/// See [`wall_segments`]. `walls` is then empty.
pub fn wall_segments_into(
    mesh: &NavMesh,
    poly: PolyRef,
    filter: &Filter,
    walls: &mut Vec<[Vec3; 2]>,
) -> Result<(), QueryError> {
    walls.clear();
    for_each_segment(mesh, poly, filter, |segment| {
        if segment.to.is_none() {
            walls.push(segment.ends);
        }
    })
}

fn for_each_segment(
    mesh: &NavMesh,
    poly: PolyRef,
    filter: &Filter,
    mut visit: impl FnMut(EdgeSegment),
) -> Result<(), QueryError> {
    let at = mesh.locate(poly).ok_or(QueryError::StalePolygon { poly })?;
    let live = mesh.live(at.tile);
    let poly = &live.tile.polys[at.poly as usize];
    for (edge, a, b) in from_above::edges(&live.tile.corners(poly)) {
        let neighbor = poly.neighbors[edge];
        if neighbor & PORTAL_BIT != 0 {
            let parts = parts_of_border(mesh, at, edge, filter);
            visit_parts(&parts, [a, b], &mut visit);
        } else {
            let inside = neighbor.checked_sub(1).map(u32::from);
            let passing = inside.filter(|&to| filter.passes(&live.tile.polys[to as usize]));
            visit(EdgeSegment { ends: [a, b], to: passing.map(|to| live.poly_ref(to)) });
        }
    }
    Ok(())
}

/// A part of an edge, in units of 1/255 of its length.
#[derive(Clone, Copy)]
struct EdgePart {
    from: i16,
    until: i16,
    to: Option<PolyRef>,
}

/// Returns the portals of a border edge, with an empty part before and after them.
fn parts_of_border(
    mesh: &NavMesh,
    at: PolyAt,
    edge: usize,
    filter: &Filter,
) -> ArrayVec<EdgePart, MAX_PARTS> {
    let links = mesh.links_of(at).iter().filter(|link| usize::from(link.edge) == edge);
    let ways_out = links.filter_map(|link| {
        let passes = filter.passes_flags(mesh.graph().marks(link.to).flags);
        let [from, until] = link.limits.map(i16::from);
        passes.then(|| EdgePart { from, until, to: Some(mesh.ref_of(link.to)) })
    });
    let ends =
        [EdgePart { from: -1, until: 0, to: None }, EdgePart { from: 255, until: 256, to: None }];
    let mut parts: ArrayVec<EdgePart, MAX_PARTS> = ArrayVec::new();
    for part in ways_out.chain(ends) {
        let place = parts.iter().position(|other| part.until <= other.from);
        // Parts beyond the maximum are ignored, as in Detour.
        let _ = parts.try_insert(place.unwrap_or(parts.len()), part);
    }
    parts
}

/// Visits the portals of edge `a b` and the walls between them.
fn visit_parts(parts: &[EdgePart], [a, b]: [Vec3; 2], visit: &mut impl FnMut(EdgeSegment)) {
    let place = |number: i16| point_between(a, b, f32::from(number) / 255.0);
    for pair in parts.windows(2) {
        let [before, part] = [pair[0], pair[1]];
        if part.to.is_some() {
            let ends = [part.from, part.until].map(place);
            visit(EdgeSegment { ends, to: part.to });
        }
        if before.until != part.from {
            let ends = [before.until, part.from].map(place);
            visit(EdgeSegment { ends, to: None });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::navmesh::sample::{mesh, tile};

    #[test]
    fn an_edge_to_closed_ground_is_a_wall() {
        let mut mesh = mesh([tile(0, 0, &["..", "#."]), tile(1, 0, &["..", ".."])]);
        let [poly, beyond] =
            [(0, 1), (1, 0)].map(|(slot, poly)| mesh.poly_ref(slot, poly).unwrap());
        let filter = Filter { exclude_flags: 2, ..Filter::default() };
        let count = |mesh: &NavMesh| {
            let edges = edge_segments(mesh, poly, &filter).unwrap();
            let walls = wall_segments(mesh, poly, &filter).unwrap();
            assert_eq!(walls.len(), edges.iter().filter(|edge| edge.to.is_none()).count());
            let is_beyond = edges.iter().any(|edge| edge.to == Some(beyond));
            (edges.len(), walls.len(), is_beyond)
        };
        assert_eq!(count(&mesh), (4, 1, true));
        mesh.set_flags(beyond, 2);
        assert_eq!(count(&mesh), (4, 2, false));
    }
}
