//! All polygons that are reachable within a circle.

use super::{
    Filter, MAX_NODES, MeshPoint, QueryError, Scratch,
    dijkstra::Spread,
    error::check_length,
    trace::{NoTrace, Observer},
};
use crate::{
    geom::from_above::nearest_on_segment,
    navmesh::{NavMesh, PolyAt, PolyRef, Portal},
};

/// Parameters of [`polygons_around`].
#[derive(Clone, Copy, Debug)]
pub struct PolygonsAroundRequest<'a> {
    /// Center of the circle, where the search starts.
    pub center: MeshPoint,
    /// Radius of the circle, in meters.
    pub radius: f32,
    /// The polygons that may be used, and their costs.
    pub filter: &'a Filter,
    /// Maximum number of nodes of the search.
    pub max_nodes: usize,
}

impl<'a> PolygonsAroundRequest<'a> {
    /// Requests the polygons around `center`, with Detour's maximum number of nodes.
    pub fn new(center: MeshPoint, radius: f32, filter: &'a Filter) -> Self {
        Self { center, radius, filter, max_nodes: MAX_NODES }
    }
}

/// The polygons that a search reached.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReachedPolygons {
    /// The polygons, cheapest first.
    pub polys: Vec<ReachedPoly>,
    /// Whether all reachable polygons were found; `false` if the search ran out of nodes.
    pub is_complete: bool,
}

/// A polygon that was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachedPoly {
    /// The polygon.
    pub poly: PolyRef,
    /// The polygon from which it was reached, `None` for the first.
    pub parent: Option<PolyRef>,
    /// Cost from the center to the point where it is entered.
    pub cost: f32,
}

/// Finds the polygons that are reachable from the center of a circle over edges that touch the circle, seen from above.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale, the point not finite or the radius negative.
///
/// Source: `dtNavMeshQuery::findPolysAroundCircle`.
pub fn polygons_around(
    mesh: &NavMesh,
    request: &PolygonsAroundRequest<'_>,
    scratch: &mut Scratch,
) -> Result<ReachedPolygons, QueryError> {
    let mut reached = ReachedPolygons::default();
    polygons_around_into(mesh, request, scratch, &mut reached)?;
    Ok(reached)
}

/// Like [`polygons_around`], but reuses the memory of an earlier result: if both were used before, nothing is
/// allocated.
///
/// # Errors
/// See [`polygons_around`]. `reached` is then empty.
pub fn polygons_around_into(
    mesh: &NavMesh,
    request: &PolygonsAroundRequest<'_>,
    scratch: &mut Scratch,
    reached: &mut ReachedPolygons,
) -> Result<(), QueryError> {
    let PolygonsAroundRequest { center, radius, filter, max_nodes } = *request;
    reached.polys.clear();
    check_length("the radius", radius)?;
    let radius_sqr = radius * radius;
    collect(mesh, (center, filter, max_nodes), scratch, reached, |portal| {
        nearest_on_segment(center.point, portal.left, portal.right).distance_sqr <= radius_sqr
    })
}

/// Appends all polygons that are reachable from a point over portals that `touches` accepts.
pub(super) fn collect(
    mesh: &NavMesh,
    (start, filter, max_nodes): (MeshPoint, &Filter, usize),
    scratch: &mut Scratch,
    reached: &mut ReachedPolygons,
    touches: impl Fn(&Portal) -> bool,
) -> Result<(), QueryError> {
    let ReachedPolygons { polys, is_complete } = reached;
    *is_complete = scratch.with_trace(|scratch, trace| {
        let spread = Spread::new(mesh, start, filter, max_nodes, scratch)?;
        Ok(match trace {
            Some(trace) => gather(spread, polys, touches, trace),
            None => gather(spread, polys, touches, &mut NoTrace),
        })
    })?;
    Ok(())
}

/// Appends the polygons of a search. Returns `false` if it ran out of nodes.
fn gather(
    mut spread: Spread<'_>,
    reached: &mut Vec<ReachedPoly>,
    touches: impl Fn(&Portal) -> bool,
    observer: &mut impl Observer,
) -> bool {
    let (mesh, filter) = (spread.mesh, spread.filter);
    let poly_ref = |at: PolyAt| mesh.live(at.tile).poly_ref(at.poly);
    spread.run(
        touches,
        |area| filter.cost_in(area),
        |at, parent, cost| {
            reached.push(ReachedPoly { poly: poly_ref(at), parent: parent.map(poly_ref), cost });
        },
        observer,
    )
}
