//! Explains path ends that are not on the navmesh.

use glam::Vec3;
use walkable_bake::bake::BakeError;
use walkable_runtime::{
    monitor::Monitor,
    phrase,
    query::{Filter, MeshPoint, NearestRequest, PathStatus, WhyNot, nearest},
};

use super::{AnsweredPath, RouteBreak, is_there, on_mesh};
use crate::explain::{Cause, PlaceQuestion, Question as _, meters};

/// Explains an end that is filtered out or is not at its requested position; `None` if both ends are fine.
pub(super) fn end_beside_mesh(
    answered: AnsweredPath<'_>,
    monitor: &dyn Monitor,
) -> Result<Option<RouteBreak>, BakeError> {
    let AnsweredPath { request, path, .. } = answered;
    if matches!(path.why, Some(WhyNot::StartFiltered)) {
        return Ok(Some(filtered(answered, request.start)));
    }
    if !is_there(request.start, path.start) {
        return Ok(Some(beside(
            answered,
            Cause::StartOffMesh,
            (request.start, path.start),
            monitor,
        )?));
    }
    if matches!(path.why, Some(WhyNot::EndFiltered)) {
        return Ok(Some(filtered(answered, request.end)));
    }
    if !is_there(request.end, path.end) {
        return Ok(Some(beside(answered, Cause::EndOffMesh, (request.end, path.end), monitor)?));
    }
    Ok(None)
}

/// Explains an end near which the filter excludes every polygon.
fn filtered(answered: AnsweredPath<'_>, at: Vec3) -> RouteBreak {
    let AnsweredPath { mesh, request, .. } = answered;
    let everything = Filter { include_flags: u16::MAX, ..Filter::default() };
    let (center, half_extents) = (at, request.half_extents);
    let found = nearest(mesh, &NearestRequest { center, half_extents, filter: &everything });
    let flags = found.ok().flatten().and_then(|end| on_mesh::area_and_flags(mesh, end.poly));
    on_mesh::filtered_at(at, flags, request.filter)
}

fn beside(
    answered: AnsweredPath<'_>,
    cause: Cause,
    (at, found): (Vec3, Option<MeshPoint>),
    monitor: &dyn Monitor,
) -> Result<RouteBreak, BakeError> {
    let where_to = match (found, answered.path.status) {
        (Some(end), PathStatus::Complete | PathStatus::Partial | PathStatus::Unreachable) => {
            let distance = meters(end.point.distance(at));
            phrase!("the nearest polygon is {distance} away", distance)
        }
        (None, _) => phrase!("no polygon is near"),
    };
    let text = if cause == Cause::StartOffMesh {
        phrase!("the start is not on the navmesh: {where_to}", where_to)
    } else {
        phrase!("the end is not on the navmesh: {where_to}", where_to)
    };
    let mut found_break = RouteBreak::plain(cause, at, text);
    let Some(plan) = answered.plan else { return Ok(found_break) };
    let outcome = PlaceQuestion { at, triangle: None }.ask(plan, monitor)?;
    if let Some(obstacle) = outcome.obstacle {
        let (text, why) = (found_break.text, obstacle.text);
        found_break.text = phrase!("{text}; {why}", text, why);
        found_break.measure = obstacle.measure;
        found_break.remedies = obstacle.remedies;
    }
    Ok(found_break)
}
