//! Shortest paths on a navmesh.

use glam::{DVec2, Vec3};

use super::{
    floors::Floors,
    memory::Memory,
    search::{PlaneExpansion, PlaneOutcome, PlaneRequest, shortest_in_plane_into},
    surface::Polygons as _,
};
use crate::{
    geom::{from_above::nearest_on_segment, total},
    navmesh::{NavMesh, PolyAt, Portal},
    query::{
        Expansion, Filter, MeshPoint, NavPath, PathRequest, QueryError, Scratch, WhyNot,
        closest_point,
        path::{connect, find_ends, reached},
        straight_path::find_steps,
    },
};

/// Finds the shortest path with Polyanya, while [`find_path`](crate::query::find_path) finds a good one with A* over
/// polygons. The result has the same form: corridor, portals, corners.
///
/// - Lengths are measured seen from above: [`NavPath::cost`] is that length times the cost per meter. Corners have the
///   heights of their portals as in other paths, so [`NavPath::length`] includes climbs.
/// - All areas must have the same cost per meter, and no entering cost. Flags and refused links apply as usual; other
///   rules of the filter affect only `find_path`, see below. If a cheaper area is worth a detour, use `find_path`.
/// - Off-mesh links are used if that is shorter. Their length is the distance between their ends.
/// - Polygons that Detour links are connected along their entire common edge. Differs: at tile borders, Detour rounds
///   parts of edges to 255ths of each polygon's own edge; here they end at vertices, the same from both sides, and
///   [`NavPath::portals`] contain these. So no path over the navmesh is shorter, and the way back has the same length.
///   (`find_path` can seem shorter because of that rounding.)
/// - `find_path` runs first: if the end cannot be reached, the path is the shortest to where that one ends (or from
///   where it begins, if searched backwards; Polyanya itself always searches from the start). If `max_nodes` is too
///   small for Polyanya, the result of `find_path` is returned, and [`NavPath::why`] is [`WhyNot::NodeLimit`] even if
///   the path is complete.
/// - Counted and traced nodes are Polyanya's; the position of a node is the midpoint of its visible part of an edge.
///
/// # Errors
/// Returns [`QueryError::UnequalCosts`] if the filter's areas have different costs; else see
/// [`find_path`](crate::query::find_path).
pub fn find_shortest_path(
    mesh: &NavMesh,
    request: &PathRequest<'_>,
    scratch: &mut Scratch,
) -> Result<NavPath, QueryError> {
    let mut path = NavPath::unreachable();
    find_shortest_path_into(mesh, request, scratch, &mut path)?;
    Ok(path)
}

/// Like [`find_shortest_path`], but reuses the memory of an earlier path: if both were used before, nothing is
/// allocated.
///
/// # Errors
/// See [`find_shortest_path`]. `path` is then unreachable.
pub fn find_shortest_path_into(
    mesh: &NavMesh,
    request: &PathRequest<'_>,
    scratch: &mut Scratch,
    path: &mut NavPath,
) -> Result<(), QueryError> {
    let found = scratch.with_trace(|scratch, trace| {
        let cost_per_meter = equal_cost(request.filter)?;
        let Some(ends) = find_ends(mesh, request, path)? else { return Ok(()) };
        // This result shows how near to the end a path can lead. It remains if the shortest path is not found.
        connect(mesh, request, ends, (scratch, None), path)?;
        let Some(ends) = reached(request, ends, path) else { return Ok(()) };
        let floors = Floors::new(mesh, request.filter, ends);
        let [Some(start), Some(end)] = ends.map(|end| floors.place(end)) else { return Ok(()) };
        let in_plane = PlaneRequest { start, end, max_nodes: request.max_nodes };
        let Memory { search, path: found } = &mut scratch.polyanya;
        shortest_in_plane_into(&floors, &in_plane, search, found)?;
        if let Some(trace) = trace {
            trace.expanded.extend(search.expanded().iter().map(|node| expansion(mesh, node)));
        }
        path.n_expanded = found.n_expanded;
        match found.outcome {
            PlaneOutcome::Found => {
                path.cost = single(found.length) * cost_per_meter;
                draw(&floors, mesh, ends, scratch, path);
            }
            PlaneOutcome::Unreachable => {}
            PlaneOutcome::OutOfNodes => path.why = Some(WhyNot::NodeLimit),
        }
        Ok(())
    });
    if found.is_err() {
        path.clear();
    }
    found
}

/// Returns the cost per meter of all areas, if they cost the same.
fn equal_cost(filter: &Filter) -> Result<f32, QueryError> {
    let Filter { area_cost: [cost_per_meter, others @ ..], rules, .. } = filter;
    let is_equal = others.iter().all(|cost| cost.to_bits() == cost_per_meter.to_bits());
    if !is_equal || rules.entering_cost.iter().any(|cost| cost.abs() > 0.0) {
        return Err(QueryError::UnequalCosts);
    }
    Ok(*cost_per_meter)
}

/// Stores the corridor and the line through it, which turns at ends of portals.
fn draw(
    floors: &Floors<'_>,
    mesh: &NavMesh,
    ends: [MeshPoint; 2],
    scratch: &mut Scratch,
    path: &mut NavPath,
) {
    let Scratch { polyanya: Memory { path: found, .. }, steps, .. } = scratch;
    let refs = found.corridor.iter().map(|at| mesh.live(at.tile).poly_ref(at.poly));
    path.corridor.clear();
    path.corridor.extend(refs);
    path.portals.clear();
    find_steps(mesh, &path.corridor, steps);
    let pairs = found.corridor.windows(2).map(|pair| [pair[0], pair[1]]);
    for (step, pair) in steps.iter_mut().zip(pairs) {
        let [from, to] = pair.map(|at| mesh.number_of(at));
        step.portal = floors.portal(from, to).unwrap_or(step.portal);
    }
    path.portals.extend(steps.iter().map(|step| step.portal));
    let portals = path.portals.iter().copied();
    lift(&found.points, ends.map(|end| end.point), portals, floors.tolerance(), &mut path.points);
    path.length = total(path.points.windows(2).map(|pair| pair[0].distance(pair[1])));
}

/// Sets the heights of corners to those of their portals, which are in the same order.
fn lift(
    corners: &[DVec2],
    [start, end]: [Vec3; 2],
    mut portals: impl Iterator<Item = Portal> + Clone,
    tolerance: f64,
    points: &mut Vec<Vec3>,
) {
    points.clear();
    points.push(start);
    let inner = corners.get(1..corners.len().saturating_sub(1)).unwrap_or(&[]);
    for corner in inner {
        let flat = Vec3::new(single(corner.x), 0.0, single(corner.y));
        let is_near = |portal: &Portal| {
            let place = nearest_on_segment(flat, portal.left, portal.right);
            f64::from(place.distance_sqr) <= 4.0 * tolerance * tolerance
        };
        let rest = portals.clone();
        let height = if let Some(Portal { left, right }) = portals.find(is_near) {
            left.y + (right.y - left.y) * nearest_on_segment(flat, left, right).t
        } else {
            portals = rest;
            points.last().map_or(start.y, |last| last.y)
        };
        points.push(flat.with_y(height));
    }
    points.push(end);
}

fn expansion(mesh: &NavMesh, node: &PlaneExpansion<PolyAt>) -> Expansion {
    let PlaneExpansion { poly, interval: [left, right], g, h, parent, .. } = *node;
    let live = mesh.live(poly.tile);
    let poly = live.poly_ref(poly.poly);
    let middle = (left + right) * 0.5;
    let from_above = Vec3::new(single(middle.x), live.tile.header.bounds.min.y, single(middle.y));
    let on_mesh = closest_point(mesh, poly, from_above);
    let position = on_mesh.map_or(from_above, |on| from_above.with_y(on.point.y));
    Expansion { poly, position, g: single(g), f: single(g + h), parent, state: 0 }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the nearest number of single precision will do"
)]
fn single(value: f64) -> f32 {
    value as f32
}
