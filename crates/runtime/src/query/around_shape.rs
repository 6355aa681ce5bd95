//! All polygons that can be walked to within a convex shape.

use glam::Vec3;

use super::{
    Filter, MeshPoint, QueryError, Reached, Scratch, around_circle::collect, error::check_finite,
};
use crate::{
    geom::from_above::clip_segment,
    navmesh::{NavMesh, PolyRef},
};

/// Fills `reached` with the polygons that can be walked to from `start` over edges that touch `shape`,
/// seen from above, cheapest first. Costs are measured from the mean of the shape's corners. Returns
/// `false` if the search ran out of nodes before it reached all of them.
///
/// - `shape`: corners of a convex polygon, at least three, wound as polygons of the mesh are: from +z
///   towards +x around the middle.
///
/// # Errors
/// [`QueryError`] where the polygon is stale, a corner not finite or there are too few.
///
/// Source: `dtNavMeshQuery::findPolysAroundShape`.
pub fn polygons_around_shape(
    mesh: &NavMesh,
    start: PolyRef,
    shape: &[Vec3],
    filter: &Filter,
    scratch: &mut Scratch,
    reached: &mut Vec<Reached>,
) -> Result<bool, QueryError> {
    reached.clear();
    if shape.len() < 3 {
        return Err(QueryError::BadNumber { what: "a shape of fewer than three corners" });
    }
    shape.iter().try_for_each(|&corner| check_finite("the shape", corner))?;
    #[expect(clippy::cast_precision_loss, reason = "nobody draws a shape of 2^24 corners")]
    let share = 1.0 / shape.len() as f32;
    let middle = shape.iter().fold(Vec3::ZERO, |sum, &corner| sum + corner) * share;
    let start = MeshPoint { poly: start, point: middle };
    collect(mesh, start, filter, scratch, reached, |portal| {
        clip_segment(portal.left, portal.right, shape)
            .is_some_and(|clip| clip.t_min <= 1.0 && clip.t_max >= 0.0)
    })
}
