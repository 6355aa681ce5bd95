//! Tile borders at which two sides of a navmesh should be linked but are not.

use glam::Vec3;
use walkable_runtime::{
    diagnostic::{Diagnostic, Location},
    monitor::{Cancelled, Monitor},
    phrase,
};

use super::{
    AnsweredPath, RouteBreak,
    sides::{MeshSides, Side},
};
use crate::{check::audit_seams, explain::Cause};

/// Maximum height difference between a fault and the ground of the sides, in meters.
const HEIGHT: f32 = 8.0;

/// Finds the fault at a tile border that separates the sides: the fault nearest to both sides, at most a tile away from
/// the ground of each. Only warnings count, because a clean bake can have notes.
pub(super) fn seam(
    answered: AnsweredPath<'_>,
    sides: &MeshSides,
    monitor: &dyn Monitor,
) -> Result<Option<RouteBreak>, Cancelled> {
    let sizes = answered.mesh.tiles().map(|tile| tile.header.bounds.size());
    let around = sizes.fold(Vec3::ZERO, Vec3::max).with_y(HEIGHT);
    let found = audit_seams(answered.mesh, None, monitor)?;
    let faults = found.iter().filter(|found| found.is_warning()).filter_map(|found| {
        let place = point(found)?;
        let ends = Side::ALL.map(|side| sides.nearest_ground(answered.mesh, place, around, side));
        let [Some(start), Some(end)] = ends else { return None };
        Some((place.distance(start) + place.distance(end), place, [start, end], found))
    });
    let nearest = faults.min_by(|a, b| a.0.total_cmp(&b.0));
    Ok(nearest.map(|(_, place, ends, found)| {
        let why = found.finding().phrase();
        let text = phrase!("the two sides are not linked at a tile border: {why}", why);
        RouteBreak { ends, ..RouteBreak::plain(Cause::Seam, place, text) }
    }))
}

fn point(found: &Diagnostic) -> Option<Vec3> {
    found.locations().iter().find_map(|location| {
        if let Location::Point(point) = location { Some(*point) } else { None }
    })
}
