//! Explains path ends that are not on the navmesh.

use glam::Vec3;
use walkable_bake::bake::BakeError;
use walkable_runtime::{
    monitor::Monitor,
    phrase,
    query::{Filter, MeshPoint, NearestRequest, nearest},
};

use super::{AnsweredPath, RouteBreak, is_there, on_mesh};
use crate::explain::{Cause, PlaceQuestion, Question as _, meters};

/// Explains the ends that are filtered out or not at their requested positions.
pub(super) fn ends_beside_mesh(
    answered: AnsweredPath<'_>,
    monitor: &dyn Monitor,
) -> Result<Vec<RouteBreak>, BakeError> {
    let AnsweredPath { mesh, request, path, .. } = answered;
    let ends = [
        (Cause::StartOffMesh, request.start, path.start),
        (Cause::EndOffMesh, request.end, path.end),
    ];
    let everything = Filter { include_flags: u16::MAX, ..Filter::default() };
    let mut found = Vec::new();
    for (cause, at, end) in ends {
        let near = |filter| {
            let half_extents = request.half_extents;
            nearest(mesh, &NearestRequest { center: at, half_extents, filter }).ok().flatten()
        };
        // A search that finds no start does not look for the end.
        let end = end.or_else(|| near(request.filter));
        let unfiltered = if end.is_none() { near(&everything) } else { None };
        if let Some(MeshPoint { poly, .. }) = unfiltered {
            let flags = on_mesh::area_and_flags(mesh, poly);
            found.push(on_mesh::filtered_at(at, flags, request.filter));
        } else if !is_there(at, end) {
            found.push(beside(answered, cause, (at, end), monitor)?);
        }
    }
    Ok(found)
}

fn beside(
    answered: AnsweredPath<'_>,
    cause: Cause,
    (at, found): (Vec3, Option<MeshPoint>),
    monitor: &dyn Monitor,
) -> Result<RouteBreak, BakeError> {
    let where_to = if let Some(end) = found {
        let distance = meters(end.point.distance(at));
        phrase!("the nearest polygon is {distance} away", distance)
    } else {
        phrase!("no polygon is near")
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
