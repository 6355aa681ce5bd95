//! Tile borders at which two sides of a navmesh should be linked and are not.

use glam::Vec3;
use walkable_runtime::{
    diagnostic::{Diagnostic, Location},
    monitor::{Cancelled, Monitor},
};

use super::{
    Asked, RouteBreak,
    sides::{MeshSides, Side},
};
use crate::{check::audit_seams, explain::Cause};

/// Maximum height difference between a fault and the ground of the sides, in meters.
const HEIGHT: f32 = 8.0;

/// Finds the fault at a tile border that separates the sides: of the faults with ground of both sides at most a tile away,
/// warnings first, the one nearest to both.
pub(super) fn seam(
    asked: Asked<'_>,
    sides: &MeshSides,
    monitor: &dyn Monitor,
) -> Result<Option<RouteBreak>, Cancelled> {
    let sizes = asked.mesh.tiles().map(|tile| tile.header.bounds.size());
    let around = sizes.fold(Vec3::ZERO, Vec3::max).with_y(HEIGHT);
    let mut best: Option<(bool, f32, RouteBreak)> = None;
    for found in audit_seams(asked.mesh, None, monitor)? {
        let Some(place) = point(&found) else { continue };
        let ends = Side::ALL.map(|side| sides.nearest_ground(asked.mesh, place, around, side));
        let [Some(start), Some(end)] = ends else { continue };
        let (is_note, distance) =
            (!found.is_warning(), place.distance(start) + place.distance(end));
        if best.as_ref().is_none_or(|(note, least, _)| (is_note, distance) < (*note, *least)) {
            let text = format!("the two sides are not linked at a tile border: {}", found.text());
            let plain = RouteBreak::plain(Cause::Seam, place, text);
            best = Some((is_note, distance, RouteBreak { ends: [start, end], ..plain }));
        }
    }
    Ok(best.map(|(.., seam)| seam))
}

fn point(found: &Diagnostic) -> Option<Vec3> {
    found.locations().iter().find_map(|location| {
        if let Location::Point(point) = location { Some(*point) } else { None }
    })
}
