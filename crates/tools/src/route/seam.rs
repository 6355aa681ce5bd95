//! Tile borders at which two sides of a navmesh should be linked but are not.

use glam::Vec3;
use walkable_runtime::{
    diagnostic::{Finding, Severity},
    monitor::{Cancelled, Monitor},
    phrase,
};

use super::{
    AnsweredPath, RouteBreak,
    sides::{MeshSides, Side},
};
use crate::{
    check::{FindingLocation, audit_seams},
    explain::Cause,
};

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
    let mut nearest: Option<(f32, Vec3, [Vec3; 2], Finding)> = None;
    let mut meet = |location: FindingLocation, finding: Finding| {
        let is_fault = finding.code().page().severity >= Severity::Warning;
        if !is_fault || matches!(finding, Finding::CheckCutShort { .. }) {
            return;
        }
        let place = location.point;
        let ends = Side::ALL.map(|side| sides.nearest_ground(answered.mesh, place, around, side));
        let [Some(start), Some(end)] = ends else { return };
        let distance = place.distance(start) + place.distance(end);
        if nearest.as_ref().is_none_or(|(least, ..)| distance < *least) {
            nearest = Some((distance, place, [start, end], finding));
        }
    };
    audit_seams(answered.mesh, None, &mut meet, monitor)?;
    Ok(nearest.map(|(_, place, ends, finding)| {
        let why = finding.phrase();
        let text = phrase!("the two sides are not linked at a tile border: {why}", why);
        RouteBreak { ends, ..RouteBreak::plain(Cause::Seam, place, text) }
    }))
}
