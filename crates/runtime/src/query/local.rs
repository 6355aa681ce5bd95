//! Finds the ground around a point as a set of polygons that do not overlap.

use arrayvec::ArrayVec;

use super::{
    Filter, MeshPoint, QueryError,
    error::{check_finite, check_length},
};
use crate::{
    geom::from_above::{nearest_on_segment, overlap},
    navmesh::{NavMesh, PolyAt, PolyKind, PolyRef},
};

/// Maximum number of visited polygons, including rejected ones.
const MAX_MET: usize = 64;
/// Maximum number of pending polygons; further ones are found but not expanded.
const MAX_WAITING: usize = 48;

/// A polygon of a local neighborhood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeighborPoly {
    /// The polygon.
    pub poly: PolyRef,
    /// The polygon from which it was reached; `None` for the first.
    pub parent: Option<PolyRef>,
}

/// Parameters of [`local_neighborhood`].
#[derive(Clone, Copy, Debug)]
pub struct LocalNeighborhoodRequest<'a> {
    /// The start of the search.
    pub center: MeshPoint,
    /// Maximum distance of the crossed edges, seen from above, in meters.
    pub radius: f32,
    /// The polygons that may be used.
    pub filter: &'a Filter,
}

impl<'a> LocalNeighborhoodRequest<'a> {
    /// Requests the polygons within `radius` meters around `center`.
    pub fn new(center: MeshPoint, radius: f32, filter: &'a Filter) -> Self {
        Self { center, radius, filter }
    }
}

/// Finds the polygons around a point that are reachable over edges within the radius, seen from above, and that do not
/// overlap each other; the nearest by number of steps first. Off-mesh links are not followed. Meant for steering: at
/// most 64 polygons are visited.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale, the point not finite or the radius negative.
///
/// Source: `dtNavMeshQuery::findLocalNeighbourhood`.
pub fn local_neighborhood(
    mesh: &NavMesh,
    request: &LocalNeighborhoodRequest<'_>,
) -> Result<Vec<NeighborPoly>, QueryError> {
    let mut found = Vec::new();
    local_neighborhood_into(mesh, request, &mut found)?;
    Ok(found)
}

/// Like [`local_neighborhood`], but reuses the memory of an earlier result.
///
/// # Errors
/// See [`local_neighborhood`]. `found` is then empty.
pub fn local_neighborhood_into(
    mesh: &NavMesh,
    request: &LocalNeighborhoodRequest<'_>,
    found: &mut Vec<NeighborPoly>,
) -> Result<(), QueryError> {
    first_of_neighborhood(mesh, request, (MAX_MET, found))
}

/// Finds the first `max` polygons of [`local_neighborhood`].
pub(crate) fn first_of_neighborhood(
    mesh: &NavMesh,
    request: &LocalNeighborhoodRequest<'_>,
    (max, found): (usize, &mut Vec<NeighborPoly>),
) -> Result<(), QueryError> {
    let LocalNeighborhoodRequest { center, radius, filter } = *request;
    found.clear();
    check_finite("the center", center.point)?;
    check_length("the radius", radius)?;
    let at = mesh.locate(center.poly).ok_or(QueryError::StalePolygon { poly: center.poly })?;
    let mut flood = Flood { mesh, met: ArrayVec::new(), flat: ArrayVec::new(), found };
    flood.met.push(VisitedPoly { at, is_done: true });
    flood.keep(at, None);
    let mut waiting: ArrayVec<PolyAt, MAX_WAITING> = ArrayVec::new();
    waiting.push(at);
    while !waiting.is_empty() {
        let from = waiting.remove(0);
        let live = mesh.live(from.tile);
        let number = mesh.number_of(from);
        let links = mesh.graph().links(number).iter().zip(mesh.portals().of(number));
        for (link, portal) in links {
            let to = mesh.at(link.to);
            let Some(met) = flood.meet(to) else { continue };
            let poly = &mesh.live(to.tile).tile.polys[to.poly as usize];
            let [a, b] = [portal.left, portal.right];
            if met.is_done
                || poly.kind == PolyKind::OffMesh
                || !filter.passes(poly)
                || nearest_on_segment(center.point, a, b).distance_sqr > radius * radius
            {
                continue;
            }
            met.is_done = true;
            if flood.is_flat(from, to) {
                flood.keep(to, Some(live.poly_ref(from.poly)));
                if flood.found.len() >= max {
                    return Ok(());
                }
                // If too many are pending, this one is not expanded.
                let _ = waiting.try_push(to);
            }
        }
    }
    Ok(())
}

/// A visited polygon.
struct VisitedPoly {
    at: PolyAt,
    /// Whether it was accepted or rejected.
    is_done: bool,
}

struct Flood<'a> {
    mesh: &'a NavMesh,
    met: ArrayVec<VisitedPoly, MAX_MET>,
    /// Accepted polygons.
    flat: ArrayVec<PolyAt, MAX_MET>,
    found: &'a mut Vec<NeighborPoly>,
}

impl Flood<'_> {
    /// Returns the record of a polygon; `None` if the list is full.
    fn meet(&mut self, at: PolyAt) -> Option<&mut VisitedPoly> {
        let place = self.met.iter().position(|met| met.at == at).or_else(|| {
            self.met.try_push(VisitedPoly { at, is_done: false }).ok()?;
            Some(self.met.len() - 1)
        })?;
        self.met.get_mut(place)
    }

    fn keep(&mut self, at: PolyAt, parent: Option<PolyRef>) {
        self.flat.push(at);
        self.found.push(NeighborPoly { poly: self.mesh.live(at.tile).poly_ref(at.poly), parent });
    }

    /// Returns whether `to` overlaps none of the accepted polygons, except those linked to `from`.
    fn is_flat(&self, from: PolyAt, to: PolyAt) -> bool {
        let corners = |at: PolyAt| {
            let tile = &self.mesh.live(at.tile).tile;
            tile.corners(&tile.polys[at.poly as usize])
        };
        let links = self.mesh.links_of(from);
        let is_linked = |at: PolyAt| links.iter().any(|link| self.mesh.at(link.to) == at);
        let own = corners(to);
        let mut others = self.flat.iter().filter(|&&past| !is_linked(past));
        !others.any(|&past| overlap(&own, &corners(past)))
    }
}
