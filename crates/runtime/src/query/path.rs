use glam::Vec3;

use crate::{
    geom::total,
    navmesh::{NavMesh, PolyRef},
    query::{
        Crossings, MeshPoint, NavPath, NearestRequest, PathRequest, PathStatus, QueryError,
        Scratch, best_first, closest_point,
        error::check_finite,
        nearest,
        straight_path::{find_steps, funnel},
        trace::Trace,
        why,
    },
};

/// Finds the polygon nearest to each end, the corridor between them with A*, and the funnel path through it. A partial
/// path ends at the point of its last polygon that is nearest to the end; if searched backwards, it begins at the point
/// of its first polygon that is nearest to the start. If no polygon is near an end, the path is unreachable, and
/// [`NavPath::why`] is the reason.
///
/// # Errors
/// Returns [`QueryError::BadNumber`] if an end or the box around it is not finite, or a cost of the filter is negative
/// or not finite.
pub fn find_path(
    mesh: &NavMesh,
    request: &PathRequest<'_>,
    scratch: &mut Scratch,
) -> Result<NavPath, QueryError> {
    let mut path = NavPath::unreachable();
    find_path_into(mesh, request, scratch, &mut path)?;
    Ok(path)
}

/// Like [`find_path`], but reuses the memory of an earlier path: if both were used before, nothing is allocated.
///
/// # Errors
/// See [`find_path`]. `path` is then unreachable.
pub fn find_path_into(
    mesh: &NavMesh,
    request: &PathRequest<'_>,
    scratch: &mut Scratch,
    path: &mut NavPath,
) -> Result<(), QueryError> {
    let found = scratch.with_trace(|scratch, trace| match find_ends(mesh, request, path)? {
        Some(ends) => connect(mesh, request, ends, (scratch, trace), path),
        None => Ok(()),
    });
    if found.is_err() {
        path.clear();
    }
    found
}

/// Starts a result with the polygons nearest to the ends, or with the reason why there is none. If only the goal of the
/// search is off the navmesh and the request allows that, returns the polygon of the other end with the reason.
pub(super) fn find_ends(
    mesh: &NavMesh,
    request: &PathRequest<'_>,
    path: &mut NavPath,
) -> Result<Option<[MeshPoint; 2]>, QueryError> {
    path.clear();
    check_finite("the start", request.start)?;
    check_finite("the end", request.end)?;
    request.filter.check()?;
    let PathRequest { half_extents, filter, .. } = *request;
    let near = |center| nearest(mesh, &NearestRequest { center, half_extents, filter });
    path.start = near(request.start)?;
    path.end = near(request.end)?;
    let ends = match (path.start, path.end) {
        (Some(start), Some(end)) => Some([start, end]),
        (Some(start), None) => {
            path.why = Some(why::off_end(mesh, request)?);
            let end = MeshPoint { point: request.end, ..start };
            (!request.backwards && !request.requires_goal).then_some([start, end])
        }
        (None, end) => {
            path.why = Some(why::off_start(mesh, request)?);
            let ends = end.map(|end| [MeshPoint { point: request.start, ..end }, end]);
            ends.filter(|_| request.backwards && !request.requires_goal)
        }
    };
    Ok(ends)
}

/// Finds the corridor and the path between two ends, as [`find_ends`] returned them.
pub(super) fn connect(
    mesh: &NavMesh,
    request: &PathRequest<'_>,
    ends: [MeshPoint; 2],
    (scratch, trace): (&mut Scratch, Option<&mut Trace>),
    path: &mut NavPath,
) -> Result<(), QueryError> {
    let input = best_first::SearchInput::new(mesh, ends, request.filter, request.max_nodes)?;
    let input = if request.backwards { input.backwards() } else { input };
    let input = if path.why.is_some() { input.without_goal() } else { input };
    let outcome = best_first::search(mesh, &input, (scratch, trace), &mut path.corridor)?;
    path.cost = outcome.cost;
    path.n_expanded = outcome.n_expanded;
    (path.status, path.why) = if outcome.is_complete {
        (PathStatus::Complete, None)
    } else {
        let incomplete = || why::incomplete(mesh, ends, outcome.held_back, scratch);
        (PathStatus::Partial, Some(path.why.unwrap_or_else(incomplete)))
    };
    let [mut start, mut end] = ends.map(|end| end.point);
    match path.corridor.as_slice() {
        _ if outcome.is_complete => {}
        &[first, ..] if request.backwards => start = closest_point(mesh, first, start)?.point,
        &[.., last] => end = closest_point(mesh, last, end)?.point,
        [] => {}
    }
    pull(mesh, [start, end], scratch, path)
}

/// Finds the shortest path through the corridor.
pub(super) fn pull(
    mesh: &NavMesh,
    ends: [Vec3; 2],
    scratch: &mut Scratch,
    path: &mut NavPath,
) -> Result<(), QueryError> {
    let Scratch { steps, points, .. } = scratch;
    find_steps(mesh, &path.corridor, steps);
    path.portals.extend(steps.iter().map(|step| step.portal));
    funnel(mesh, ends, &path.corridor, Crossings::None, steps, points)?;
    path.points.extend(points.iter().map(|point| point.position));
    path.length = total(path.points.windows(2).map(|pair| pair[0].distance(pair[1])));
    Ok(())
}

/// Returns the ends of the part that the path covers; `None` if the path is empty.
pub(super) fn reached(
    request: &PathRequest<'_>,
    ends: [MeshPoint; 2],
    path: &NavPath,
) -> Option<[MeshPoint; 2]> {
    let end_at = |poly: Option<&PolyRef>, point: Option<&Vec3>| {
        Some(MeshPoint { poly: *poly?, point: *point? })
    };
    let first = end_at(path.corridor.first(), path.points.first())?;
    let last = end_at(path.corridor.last(), path.points.last())?;
    match path.status {
        PathStatus::Complete => Some(ends),
        PathStatus::Partial | PathStatus::Unreachable if request.backwards => {
            Some([first, ends[1]])
        }
        PathStatus::Partial | PathStatus::Unreachable => Some([ends[0], last]),
    }
}
