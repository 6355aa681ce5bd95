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
    let (tile, index) = polygon(mesh, number(mesh, poly, point)?);
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
    let number = number(mesh, poly, point)?;
    if mesh.outlines()[number as usize].ring.contains(point) {
        return Ok(point);
    }
    let (tile, index) = polygon(mesh, number);
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
    let number = number(mesh, poly, point)?;
    if mesh.graph().marks(number).kind == PolyKind::Ground {
        let is_over = mesh.outlines()[number as usize].ring.contains(point);
        return Ok(if is_over { height_inside(mesh, number, point) } else { None });
    }
    let (tile, index) = polygon(mesh, number);
    let poly = &tile.polys[index];
    let [a, b] = tile.edge(poly, 0);
    let t = from_above::nearest_on_segment(point, a, b).t;
    Ok(Some(a.y + (b.y - a.y) * t))
}

/// Returns the height of the detail surface at a point inside the polygon with this number; `None` for an off-mesh
/// link.
#[inline]
pub(super) fn height_inside(mesh: &NavMesh, number: u32, point: Vec3) -> Option<f32> {
    if mesh.graph().marks(number).kind == PolyKind::OffMesh {
        return None;
    }
    Some(mesh.outlines()[number as usize].height().unwrap_or_else(|| {
        let (tile, index) = polygon(mesh, number);
        tile.height_over(index, point)
    }))
}

fn number(mesh: &NavMesh, poly: PolyRef, point: Vec3) -> Result<u32, QueryError> {
    check_finite("the point", point)?;
    mesh.number(poly).ok_or(QueryError::StalePolygon { poly })
}

fn polygon(mesh: &NavMesh, number: u32) -> (&Tile, usize) {
    let at = mesh.at(number);
    (&mesh.live(at.tile).tile, at.poly as usize)
}
