//! The polygon nearest to a point, and all polygons in a box.

use std::ops::ControlFlow;

use glam::Vec3;

use super::{Filter, PathEnd};
use crate::{
    geom::Aabb,
    navmesh::{LiveTile, NavMesh, PolyRef, preference},
};

/// The nearest point of the mesh to `center` and its polygon, among polygons whose boxes touch the box
/// around `center`. A polygon straight above or below by no more than a step counts as touching.
/// `None` where there is none, and where the box is not finite.
///
/// - `half_extents`: half the size of the box, in metres.
///
/// Source: `dtNavMeshQuery::findNearestPoly`. Of equally near polygons the first in tile and tree
/// order wins, as there.
pub fn nearest(
    mesh: &NavMesh,
    center: Vec3,
    half_extents: Vec3,
    filter: &Filter,
) -> Option<PathEnd> {
    let mut bounds = Aabb { min: center - half_extents, max: center + half_extents };
    if !bounds.min.is_finite() || !bounds.max.is_finite() {
        return None;
    }
    let mut found = None;
    let mut least = f32::MAX;
    mesh.for_each_tile_in(&bounds.clone(), |id| {
        if least <= 0.0 {
            return;
        }
        let live = mesh.live(id);
        let climb = live.tile.header.walkable_climb;
        let asked = bounds;
        live.tile.for_each_poly_in_shrinking_box(&asked, |poly, smaller| {
            if !filter.passes(&live.tile.polys[poly]) {
                return ControlFlow::Continue(());
            }
            let on = live.tile.closest_point(poly, center);
            let distance = preference(center, &on, climb);
            if distance < least {
                least = distance;
                found = Some((id, poly, on.point));
                bounds = around(center, &bounds, least);
                *smaller = Some(bounds);
            }
            // Nothing is nearer than not at all.
            if least <= 0.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    });
    let (id, poly, point) = found?;
    Some(PathEnd { poly: mesh.live(id).poly_ref(u32::try_from(poly).ok()?), point })
}

/// The part of `bounds` in which a polygon can be nearer to `center` than the squared distance `least`,
/// seen from above, and a little more, so that rounding leaves nothing out.
fn around(center: Vec3, bounds: &Aabb, least: f32) -> Aabb {
    let reach = least.sqrt() * 1.001 + 0.01;
    let [mut min, mut max] = [bounds.min, bounds.max];
    (min.x, max.x) = (min.x.max(center.x - reach), max.x.min(center.x + reach));
    (min.z, max.z) = (min.z.max(center.z - reach), max.z.min(center.z + reach));
    Aabb { min, max }
}

/// Appends to `found` the polygons that the filter lets pass and whose boxes touch the box around
/// `center`. None where the box is not finite.
///
/// Source: `dtNavMeshQuery::queryPolygons`.
pub fn polygons_in_box(
    mesh: &NavMesh,
    center: Vec3,
    half_extents: Vec3,
    filter: &Filter,
    found: &mut Vec<PolyRef>,
) {
    for_each_in_box(mesh, [center, half_extents], filter, |live, _, index| {
        found.push(live.poly_ref(index));
    });
}

fn for_each_in_box(
    mesh: &NavMesh,
    [center, half_extents]: [Vec3; 2],
    filter: &Filter,
    mut visit: impl FnMut(&LiveTile, usize, u32),
) {
    let bounds = Aabb { min: center - half_extents, max: center + half_extents };
    if !bounds.min.is_finite() || !bounds.max.is_finite() {
        return;
    }
    mesh.for_each_tile_in(&bounds, |id| {
        let live = mesh.live(id);
        live.tile.for_each_poly_in_box(&bounds, |poly| {
            if filter.passes(&live.tile.polys[poly])
                && let Ok(index) = u32::try_from(poly)
            {
                visit(live, poly, index);
            }
            ControlFlow::Continue(())
        });
    });
}
