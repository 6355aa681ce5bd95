//! Heights and nearest points of one polygon.

use glam::Vec3;

use super::{QueryError, error::check_finite};
use crate::{
    geom::from_above,
    navmesh::{NavMesh, PolyKind, PolyRef, SurfacePoint, Tile},
};

/// Returns the point of `poly` nearest to `point`: on the detail surface directly above or below it, or else on the
/// boundary.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale or the point not finite.
///
/// Source: `dtNavMeshQuery::closestPointOnPoly`.
pub fn closest_point(
    mesh: &NavMesh,
    poly: PolyRef,
    point: Vec3,
) -> Result<SurfacePoint, QueryError> {
    let (tile, index) = polygon(mesh, poly, point)?;
    Ok(tile.closest_point(index, point))
}

/// Returns `point` itself if it is above or below `poly`, or else the nearest point of its edges. This is faster than
/// [`closest_point`]. Heights are interpolated between corners.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale or the point not finite.
///
/// Source: `dtNavMeshQuery::closestPointOnPolyBoundary`.
pub fn closest_on_boundary(mesh: &NavMesh, poly: PolyRef, point: Vec3) -> Result<Vec3, QueryError> {
    let (tile, index) = polygon(mesh, poly, point)?;
    Ok(tile.closest_on_boundary(&tile.polys[index], point))
}

/// Returns the height of the detail surface of `poly` at `point`; `None` if the point is not above or below it. For an
/// off-mesh link, returns the height of the nearest point of its line.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale or the point not finite.
///
/// Source: `dtNavMeshQuery::getPolyHeight`.
pub fn poly_height(mesh: &NavMesh, poly: PolyRef, point: Vec3) -> Result<Option<f32>, QueryError> {
    let (tile, index) = polygon(mesh, poly, point)?;
    let poly = &tile.polys[index];
    if poly.kind == PolyKind::Ground {
        return Ok(tile.height_at(index, point));
    }
    let [a, b] = tile.edge(poly, 0);
    let t = from_above::nearest_on_segment(point, a, b).t;
    Ok(Some(a.y + (b.y - a.y) * t))
}

fn polygon(mesh: &NavMesh, poly: PolyRef, point: Vec3) -> Result<(&Tile, usize), QueryError> {
    check_finite("the point", point)?;
    mesh.resolve(poly).ok_or(QueryError::StalePolygon { poly })
}
