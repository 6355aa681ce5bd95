//! All polygons that can be walked to within a convex shape.

use glam::Vec3;

use super::{
    Filter, MAX_NODES, MeshPoint, QueryError, ReachedPolygons, Scratch, around_circle::collect,
    error::check_finite,
};
use crate::{
    geom::from_above::clip_segment,
    navmesh::{NavMesh, PolyRef},
};

/// Parameters of [`polygons_around_shape`].
#[derive(Clone, Copy, Debug)]
pub struct PolygonsAroundShapeRequest<'a> {
    /// The polygon where the search starts.
    pub start: PolyRef,
    /// Vertices of a convex polygon, at least three, in the order of the navmesh's polygons: from +z toward +x around
    /// the center.
    pub shape: &'a [Vec3],
    /// The polygons that may be used, and their costs.
    pub filter: &'a Filter,
    /// Maximum number of nodes of the search.
    pub max_nodes: usize,
}

impl<'a> PolygonsAroundShapeRequest<'a> {
    /// Requests the polygons that touch `shape`, with Detour's maximum number of nodes.
    pub fn new(start: PolyRef, shape: &'a [Vec3], filter: &'a Filter) -> Self {
        Self { start, shape, filter, max_nodes: MAX_NODES }
    }
}

/// Finds the polygons that are reachable over edges that touch a convex shape, seen from above. Costs are measured from
/// the mean of the shape's vertices.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale, a corner not finite or there are too few.
///
/// Source: `dtNavMeshQuery::findPolysAroundShape`.
pub fn polygons_around_shape(
    mesh: &NavMesh,
    request: &PolygonsAroundShapeRequest<'_>,
    scratch: &mut Scratch,
) -> Result<ReachedPolygons, QueryError> {
    let mut reached = ReachedPolygons::default();
    polygons_around_shape_into(mesh, request, scratch, &mut reached)?;
    Ok(reached)
}

/// Like [`polygons_around_shape`], but reuses the memory of an earlier result: if both were used before, nothing is
/// allocated.
///
/// # Errors
/// See [`polygons_around_shape`]. `reached` is then empty.
pub fn polygons_around_shape_into(
    mesh: &NavMesh,
    request: &PolygonsAroundShapeRequest<'_>,
    scratch: &mut Scratch,
    reached: &mut ReachedPolygons,
) -> Result<(), QueryError> {
    let PolygonsAroundShapeRequest { start, shape, filter, max_nodes } = *request;
    reached.polys.clear();
    if shape.len() < 3 {
        return Err(QueryError::BadNumber { what: "a shape of fewer than three corners" });
    }
    shape.iter().try_for_each(|&corner| check_finite("the shape", corner))?;
    #[expect(clippy::cast_precision_loss, reason = "nobody draws a shape of 2^24 corners")]
    let share = 1.0 / shape.len() as f32;
    let middle = shape.iter().fold(Vec3::ZERO, |sum, &corner| sum + corner) * share;
    let start = MeshPoint { poly: start, point: middle };
    collect(mesh, (start, filter, max_nodes), scratch, reached, |portal| {
        clip_segment(portal.left, portal.right, shape)
            .is_some_and(|clip| clip.t_min <= 1.0 && clip.t_max >= 0.0)
    })
}
