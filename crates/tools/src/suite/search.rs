//! Runs the query of a case.

use glam::Vec3;
use walkable_runtime::{
    navmesh::{NavMesh, PolyRef},
    query::{
        Filter, MeshPoint, NavPath, NearestRequest, PathRequest, PathStatus, QueryError,
        RaycastRequest, Scratch, WhyNot, closest_point, find_path, nearest, raycast,
    },
};

use super::{CaseQuery, PathCase, SuiteWorld};

/// Searches the path of `case`, or casts its ray. The result of a ray is the line up to the wall that it hits, as a
/// partial path.
///
/// # Errors
/// [`QueryError`] if a point of the case is not finite, or a cost is negative or not finite.
pub fn search_case(
    world: &SuiteWorld<'_>,
    case: &PathCase,
    scratch: &mut Scratch,
) -> Result<NavPath, QueryError> {
    let filter = case.filter.over(world.filter);
    match case.query {
        CaseQuery::Path => {
            find_path(world.mesh, &PathRequest::new(case.start, case.end, &filter), scratch)
        }
        CaseQuery::Ray => cast_ray(world.mesh, [case.start, case.end], &filter),
    }
}

fn cast_ray(
    mesh: &NavMesh,
    [start, end]: [Vec3; 2],
    filter: &Filter,
) -> Result<NavPath, QueryError> {
    let Some(start) = nearest(mesh, &NearestRequest::new(start, filter))? else {
        return Ok(NavPath { why: Some(WhyNot::StartOffMesh), ..NavPath::unreachable() });
    };
    let ray = raycast(mesh, &RaycastRequest::new(start, end, filter))?;
    let corridor: Vec<PolyRef> = ray.visited;
    let stop = start.point.lerp(end, ray.hit.t.unwrap_or(1.0));
    let last = corridor.last().copied().unwrap_or(start.poly);
    let stop = MeshPoint { poly: last, point: closest_point(mesh, last, stop)?.point };
    let status = if ray.hit.t.is_none() { PathStatus::Complete } else { PathStatus::Partial };
    Ok(NavPath {
        status,
        start: Some(start),
        end: Some(stop),
        corridor,
        points: vec![start.point, stop.point],
        length: start.point.distance(stop.point),
        cost: ray.hit.cost,
        ..NavPath::unreachable()
    })
}
