//! The ground around a point that lies flat: no two of its polygons above one another.

use arrayvec::ArrayVec;

use super::{
    Filter, MeshPoint, QueryError,
    error::{check_finite, check_length},
};
use crate::{
    geom::from_above::{nearest_on_segment, overlap},
    navmesh::{NavMesh, PolyAt, PolyKind, PolyRef},
};

/// Most polygons that are looked at, refused ones included.
const MAX_MET: usize = 64;
/// Most polygons that wait to be visited; beyond that they are found but not walked on from.
const MAX_WAITING: usize = 48;

/// A polygon of a local neighborhood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeighborPoly {
    /// The polygon.
    pub poly: PolyRef,
    /// The polygon from which it was reached, `None` for the first.
    pub parent: Option<PolyRef>,
}

/// What [`local_neighborhood`] is asked.
#[derive(Clone, Copy, Debug)]
pub struct LocalNeighborhoodRequest<'a> {
    /// The point from which polygons are reached.
    pub center: MeshPoint,
    /// How far away the edges crossed may be, seen from above, in meters.
    pub radius: f32,
    /// Which polygons may be used.
    pub filter: &'a Filter,
}

impl<'a> LocalNeighborhoodRequest<'a> {
    /// Asks for the polygons within `radius` meters around `center`.
    pub fn new(center: MeshPoint, radius: f32, filter: &'a Filter) -> Self {
        Self { center, radius, filter }
    }
}

/// Finds the polygons around a point that can be walked to over edges within the radius, seen from above, and that do
/// not overlap one another; the nearest by number of steps first. Off-mesh links are not taken. Meant for steering:
/// at most 64 polygons are looked at.
///
/// # Errors
/// [`QueryError`] if the polygon is stale, the point not finite or the radius negative.
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

/// [`local_neighborhood`] that reuses the memory of an earlier result.
///
/// # Errors
/// As [`local_neighborhood`]; `found` is empty then.
pub fn local_neighborhood_into(
    mesh: &NavMesh,
    request: &LocalNeighborhoodRequest<'_>,
    found: &mut Vec<NeighborPoly>,
) -> Result<(), QueryError> {
    first_of_neighborhood(mesh, request, (MAX_MET, found))
}

/// The first `max` polygons that [`local_neighborhood`] finds.
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
    flood.met.push(Met { at, is_done: true });
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
                // Where too many wait, this one leads no further.
                let _ = waiting.try_push(to);
            }
        }
    }
    Ok(())
}

/// A polygon that was looked at.
struct Met {
    at: PolyAt,
    /// Whether it was kept or found to overlap.
    is_done: bool,
}

struct Flood<'a> {
    mesh: &'a NavMesh,
    met: ArrayVec<Met, MAX_MET>,
    /// Polygons that were kept.
    flat: ArrayVec<PolyAt, MAX_MET>,
    found: &'a mut Vec<NeighborPoly>,
}

impl Flood<'_> {
    /// What is known of a polygon; `None` where the list is full.
    fn meet(&mut self, at: PolyAt) -> Option<&mut Met> {
        let place = self.met.iter().position(|met| met.at == at).or_else(|| {
            self.met.try_push(Met { at, is_done: false }).ok()?;
            Some(self.met.len() - 1)
        })?;
        self.met.get_mut(place)
    }

    fn keep(&mut self, at: PolyAt, parent: Option<PolyRef>) {
        self.flat.push(at);
        self.found.push(NeighborPoly { poly: self.mesh.live(at.tile).poly_ref(at.poly), parent });
    }

    /// Whether `to` overlaps none of the polygons kept, those linked to `from` left aside.
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
