//! All polygons that can be walked to within a circle.

use super::{
    Filter, MeshPoint, QueryError, Scratch,
    dijkstra::Spread,
    trace::{NoTrace, Observer},
};
use crate::{
    geom::from_above::nearest_on_segment,
    navmesh::{NavMesh, PolyAt, PolyRef, Portal},
};

/// A polygon that was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// The polygon.
    pub poly: PolyRef,
    /// The polygon from which it was reached, `None` for the first.
    pub parent: Option<PolyRef>,
    /// Cost from the center to where it is entered.
    pub cost: f32,
}

/// Fills `reached` with the polygons that can be walked to from `center` over edges that touch the
/// circle of `radius` meters, seen from above, cheapest first. Returns `false` if the search ran out of
/// nodes before it reached all of them.
///
/// # Errors
/// [`QueryError`] where the polygon is stale, the point not finite or the radius negative.
///
/// Source: `dtNavMeshQuery::findPolysAroundCircle`.
pub fn polygons_around(
    mesh: &NavMesh,
    center: MeshPoint,
    radius: f32,
    filter: &Filter,
    scratch: &mut Scratch,
    reached: &mut Vec<Reached>,
) -> Result<bool, QueryError> {
    reached.clear();
    super::error::check_length("the radius", radius)?;
    let radius_sqr = radius * radius;
    collect(mesh, center, filter, scratch, reached, |portal| {
        nearest_on_segment(center.point, portal.left, portal.right).distance_sqr <= radius_sqr
    })
}

/// Appends all polygons that are reached from `start` over portals that `touches` accepts. Returns `false` if
/// the search ran out of nodes.
pub(super) fn collect(
    mesh: &NavMesh,
    start: MeshPoint,
    filter: &Filter,
    scratch: &mut Scratch,
    reached: &mut Vec<Reached>,
    touches: impl Fn(&Portal) -> bool,
) -> Result<bool, QueryError> {
    let Some(mut trace) = scratch.take_trace() else {
        let spread = Spread::new(mesh, start, filter, super::MAX_NODES, scratch)?;
        return Ok(gather(spread, reached, touches, &mut NoTrace));
    };
    let spread = Spread::new(mesh, start, filter, super::MAX_NODES, scratch);
    let is_all = spread.map(|spread| gather(spread, reached, touches, &mut trace));
    scratch.keep_trace(trace);
    is_all
}

fn gather(
    mut spread: Spread<'_>,
    reached: &mut Vec<Reached>,
    touches: impl Fn(&Portal) -> bool,
    observer: &mut impl Observer,
) -> bool {
    let (mesh, filter) = (spread.mesh, spread.filter);
    let poly_ref = |at: PolyAt| mesh.live(at.tile).poly_ref(at.poly);
    spread.run(
        touches,
        |area| filter.cost_in(area),
        |at, parent, cost| {
            reached.push(Reached { poly: poly_ref(at), parent: parent.map(poly_ref), cost });
        },
        observer,
    )
}
