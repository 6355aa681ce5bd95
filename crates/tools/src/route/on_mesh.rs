//! Explanations from the navmesh alone: filters, node limits, off-mesh links.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

use glam::Vec3;
use walkable_bake::bake::{BakeError, BakeOutput, BakePlan, OffMeshLink, bake_tile};
use walkable_runtime::{
    diagnostic::Code,
    ids::AreaId,
    monitor::Monitor,
    navmesh::{NavMesh, PolyRef, Portal},
    phrase,
    query::{
        Filter, MAX_NODES, NavPath, NearestRequest, PathRequest, PathStatus, RouteOverlay, Scratch,
        WhyNot, find_path, find_route_path, nearest,
    },
};

use super::{
    AnsweredPath, RouteAnswer, RouteBreak, SearchTerm, severed,
    sides::{MeshSides, Side, passes},
};
use crate::{
    explain::{Cause, Measure, MeasureUnit, Remedy, Verdict, explain, meters, point, tile_at},
    links::{LinkReport, LinkState, check_links},
};

/// Half-size of the box around an unconnected link end in which its intended ground is searched for, in meters.
const MEANT: Vec3 = Vec3::new(2.5, 5.0, 2.5);

/// Searches for the path again with a changed request.
fn again(answered: AnsweredPath<'_>, change: impl FnOnce(&mut PathRequest<'_>)) -> NavPath {
    let mut request = *answered.request;
    change(&mut request);
    search(answered.mesh, &request)
}

/// Searches for a path. The request is valid, because it is a valid request with another filter or other limits.
pub(super) fn search(mesh: &NavMesh, request: &PathRequest<'_>) -> NavPath {
    let found = find_path(mesh, request, &mut Scratch::default());
    found.unwrap_or_else(|_| NavPath::unreachable())
}

/// Returns the number of nodes that the search needs to reach its end; `None` if no number is enough. Above Detour's
/// limit, it may be larger than the least number.
fn nodes_needed(answered: AnsweredPath<'_>) -> Option<usize> {
    let mut scratch = Scratch::default();
    let unlimited = PathRequest { max_nodes: usize::MAX, ..*answered.request };
    let path = find_path(answered.mesh, &unlimited, &mut scratch).ok()?;
    if path.status != PathStatus::Complete {
        return None;
    }
    let most = scratch.n_nodes();
    if most > MAX_NODES {
        return Some(most);
    }
    let leads = |max_nodes| {
        again(answered, |request| request.max_nodes = max_nodes).status == PathStatus::Complete
    };
    let (mut low, mut high) = (answered.request.max_nodes.saturating_add(1), most);
    while low < high {
        let middle = usize::midpoint(low, high);
        if leads(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(high)
}

/// Explains a path whose obstacles the navmesh alone shows.
pub(super) fn answer(answered: AnsweredPath<'_>) -> Option<RouteAnswer> {
    let mut found = match answered.path.why {
        Some(WhyNot::NodeLimit) => node_limit(answered).into_iter().collect(),
        Some(WhyNot::Filtered) => filtered(answered),
        Some(WhyNot::OneWay) => one_way(answered).into_iter().collect(),
        Some(_) | None => Vec::new(),
    }
    .into_iter();
    let first = Some(found.next()?);
    Some(RouteAnswer { first, also: found.collect(), ..RouteAnswer::default() })
}

/// Explains a search that ran out of nodes although more nodes would have been enough.
fn node_limit(answered: AnsweredPath<'_>) -> Option<RouteBreak> {
    let needed = nodes_needed(answered)?;
    let limit = answered.request.max_nodes;
    let place = answered.path.points.last().copied().unwrap_or(answered.request.start);
    let text = phrase!("the search used all its {limit} nodes; it needs {needed}", limit, needed);
    let measure = Measure {
        measured: Some(number(needed)),
        limit: Some(number(limit)),
        unit: MeasureUnit::Nodes,
    };
    let mut found_break = RouteBreak::plain(Cause::NodeLimit, place, text);
    found_break.measure = Some(measure);
    found_break.advice = Some(if needed <= MAX_NODES {
        phrase!("let the search use {needed} nodes", needed)
    } else if finds_route(answered) {
        phrase!(
            "let the search use {needed} nodes, more than Detour's {most}; or search a route (--route), which needs few",
            needed,
            most = MAX_NODES
        )
    } else {
        phrase!(
            "let the search use {needed} nodes, more than Detour's {most}",
            needed,
            most = MAX_NODES
        )
    });
    found_break.terms = vec![SearchTerm::MaxNodes(needed)];
    Some(found_break)
}

/// Returns whether a route over precomputed costs leads to the end.
fn finds_route(answered: AnsweredPath<'_>) -> bool {
    let AnsweredPath { mesh, request, .. } = answered;
    let found = RouteOverlay::new(mesh, request.filter)
        .and_then(|overlay| find_route_path(mesh, request, &overlay, &mut Scratch::default()));
    found.is_ok_and(|path| path.status == PathStatus::Complete)
}

#[expect(clippy::cast_precision_loss, reason = "numbers of nodes are far below the precision")]
fn number(n: usize) -> f32 {
    n as f32
}

/// Explains which polygons between the ends the filter excludes: an obstacle for each stretch of them.
fn filtered(answered: AnsweredPath<'_>) -> Vec<RouteBreak> {
    let AnsweredPath { mesh, request, .. } = answered;
    let Some((corridor, portals)) = least_filtered(answered) else { return Vec::new() };
    let is_shut = |poly: PolyRef| !passes(mesh, poly, request.filter);
    let mut found = Vec::new();
    let mut start = 0;
    for stretch in corridor.chunk_by(|&a, &b| is_shut(a) == is_shut(b)) {
        let end = start + stretch.len();
        if is_shut(stretch[0]) {
            let entry = start.checked_sub(1).and_then(|i| portals.get(i));
            let sides = [entry, portals.get(end - 1)].into_iter().flatten().map(Portal::midpoint);
            let place = sides.reduce(|a, b| (a + b) * 0.5).unwrap_or(request.start);
            found.push(filtered_at(place, area_and_flags(mesh, stretch[0]), request.filter));
        }
        start = end;
    }
    if let Some(first) = found.first_mut() {
        let shut = corridor.iter().filter(|&&poly| is_shut(poly));
        let flags = shut.filter_map(|&poly| area_and_flags(mesh, poly)).map(|(_, flags)| flags);
        first.terms = terms_for(answered, &flags.collect::<Vec<_>>());
    }
    found
}

/// Returns the polygons of the way from the start to the end with the fewest polygons that the filter excludes, and the
/// portals between them.
fn least_filtered(answered: AnsweredPath<'_>) -> Option<(Vec<PolyRef>, Vec<Portal>)> {
    let AnsweredPath { mesh, request, path, .. } = answered;
    let (start, end) = (path.start?.poly, path.end?.poly);
    // The cost is the number of excluded polygons, then the number of all.
    let mut reached = BTreeMap::from([(start, ([0, 0], None))]);
    let mut open = BinaryHeap::from([Reverse(([0, 0], start))]);
    while let Some(Reverse((cost @ [n_shut, n], poly))) = open.pop() {
        if reached[&poly].0 < cost {
            continue;
        }
        for link in mesh.links(poly) {
            let there = [n_shut + usize::from(!passes(mesh, link.to, request.filter)), n + 1];
            if reached.get(&link.to).is_none_or(|(known, _)| there < *known) {
                reached.insert(link.to, (there, Some((poly, link.portal))));
                open.push(Reverse((there, link.to)));
            }
        }
    }
    let (mut corridor, mut portals) = (vec![end], Vec::new());
    let mut from = reached.get(&end)?.1;
    while let Some((poly, portal)) = from {
        corridor.push(poly);
        portals.push(portal);
        from = reached[&poly].1;
    }
    corridor.reverse();
    portals.reverse();
    Some((corridor, portals))
}

/// Returns the changes to include and exclude flags that allow these polygons, if a path then reaches the end.
fn terms_for(answered: AnsweredPath<'_>, shut: &[u16]) -> Vec<SearchTerm> {
    let given = answered.request.filter;
    let all = shut.iter().fold(0, |all, flags| all | flags);
    let exclude = given.exclude_flags & !all;
    let lacks = shut.iter().any(|flags| flags & given.include_flags == 0);
    let include = if lacks { given.include_flags | all } else { given.include_flags };
    let filter = Filter { include_flags: include, exclude_flags: exclude, ..given.clone() };
    let mut request = *answered.request;
    request.filter = &filter;
    let path = search(answered.mesh, &request);
    if path.status != PathStatus::Complete {
        return Vec::new();
    }
    let mut terms = Vec::new();
    terms.extend((include != given.include_flags).then_some(SearchTerm::Include(include)));
    terms.extend((exclude != given.exclude_flags).then_some(SearchTerm::Exclude(exclude)));
    terms
}

/// Returns the area and flags of a polygon.
pub(super) fn area_and_flags(mesh: &NavMesh, poly: PolyRef) -> Option<(AreaId, u16)> {
    let (tile, index) = mesh.resolve(poly)?;
    Some((tile.polys[index].area, tile.polys[index].flags))
}

/// Creates a break at a place that `filter` excludes.
pub(super) fn filtered_at(
    place: Vec3,
    found: Option<(AreaId, u16)>,
    filter: &Filter,
) -> RouteBreak {
    let (AreaId(area), all) = found.unwrap_or_default();
    let excluded = all & filter.exclude_flags;
    let flags = format!("{all:#x}");
    let (cause, text, advice) = if all == 0 {
        let text = phrase!(
            "the polygons of area {area} have no flags here, so no filter allows them",
            area
        );
        (Cause::AreaWithoutFlags, text, phrase!("give area {area} a flag", area))
    } else if excluded != 0 {
        let excluded = format!("{excluded:#x}");
        let advice = phrase!("do not exclude the flags {excluded}", excluded = &*excluded);
        let text = phrase!(
            "the filter excludes area {area}: its flags {flags} include {excluded}",
            area,
            flags,
            excluded
        );
        (Cause::Filtered, text, advice)
    } else {
        let advice = phrase!("include one of the flags {flags}", flags = &*flags);
        let text = phrase!(
            "the filter does not include area {area}: it has none of the flags {flags}",
            area,
            flags
        );
        (Cause::Filtered, text, advice)
    };
    let advice = Some(advice);
    RouteBreak { advice, ..RouteBreak::plain(cause, place, text) }
}

/// Finds an off-mesh link that connects the sides only in the opposite direction.
fn one_way(answered: AnsweredPath<'_>) -> Option<RouteBreak> {
    let mesh = answered.mesh;
    let sides = answered.sides();
    let links = mesh.slots().flat_map(|(slot, tile)| {
        tile.off_mesh
            .iter()
            .filter_map(move |link| Some((mesh.poly_ref(slot, usize::from(link.poly))?, link)))
    });
    for (poly, link) in links {
        let is_at = |edge: u8, side| {
            mesh.links(poly).any(|link| link.edge == edge && sides.is_on(mesh, link.to, side))
        };
        if is_at(1, Side::Start) && is_at(0, Side::End) {
            let [far, near] = link.ends;
            let number = link.user_id;
            let text =
                phrase!("off-mesh link {number} leads only in the opposite direction", number);
            let mut found_break = RouteBreak::plain(Cause::OneWay, near, text);
            found_break.advice = Some(phrase!("make off-mesh link {number} bidirectional", number));
            found_break.ends = [near, far];
            return Some(found_break);
        }
    }
    None
}

/// Finds an off-mesh link that would connect the sides if it were connected to the ground.
pub(super) fn dead_link(
    answered: AnsweredPath<'_>,
    plan: &BakePlan,
    sides: &MeshSides,
    monitor: &dyn Monitor,
) -> Result<Option<RouteBreak>, BakeError> {
    let links = &plan.input().off_mesh;
    if links.is_empty() {
        return Ok(None);
    }
    let reports = check_links(answered.mesh, links);
    let dead =
        || links.iter().zip(&reports).filter(|(_, report)| report.state != LinkState::Connected);
    let crosses = |link: &OffMeshLink| {
        let at = |place, side| is_near(answered.mesh, sides, place, side);
        let there = at(link.start, Side::Start) && at(link.end, Side::End);
        there || (link.bidirectional && at(link.end, Side::Start) && at(link.start, Side::End))
    };
    for (link, report) in dead() {
        let place =
            if report.state == LinkState::StartNotConnected { link.start } else { link.end };
        let near = [Side::Start, Side::End].map(|side| {
            is_near(answered.mesh, sides, link.start, side)
                || is_near(answered.mesh, sides, link.end, side)
        });
        if (near[0] || near[1])
            && let Some(removed) = removed_island(plan, place, monitor)?
        {
            return Ok(Some(removed));
        }
        if crosses(link) {
            return Ok(Some(dead_link_break((plan, answered.mesh), link, report, place)));
        }
    }
    Ok(None)
}

/// Explains an island that was removed at a place.
fn removed_island(
    plan: &BakePlan,
    place: Vec3,
    monitor: &dyn Monitor,
) -> Result<Option<RouteBreak>, BakeError> {
    let Some(tile) = tile_at(plan, place) else { return Ok(None) };
    let Some(stages) = bake_tile(plan, tile, BakeOutput::Stages, monitor)?.stages else {
        return Ok(None);
    };
    let explanation = explain(plan, &stages, place, None);
    let Verdict::Lost { stage, reason } = &explanation.verdict else { return Ok(None) };
    let found = reason.obstacle(plan, *stage);
    if found.cause != Cause::RegionTooSmall {
        return Ok(None);
    }
    let middle = severed::island_middle(&stages, &explanation).unwrap_or(place);
    let mut found_break = RouteBreak::plain(Cause::IslandRemoved, middle, found.text);
    found_break.measure = found.measure;
    found_break.remedies = found.remedies;
    Ok(Some(found_break))
}

fn dead_link_break(
    (plan, mesh): (&BakePlan, &NavMesh),
    link: &OffMeshLink,
    report: &LinkReport,
    place: Vec3,
) -> RouteBreak {
    let number = link.user_id;
    let text = if let Some(found) = report.findings.first() {
        let why = found.finding().phrase();
        phrase!("off-mesh link {number} is not connected: {why}", number, why)
    } else {
        phrase!("off-mesh link {number} is not connected", number)
    };
    let mut found_break = RouteBreak::plain(Cause::DeadLink, place, text);
    let settings = &plan.input().settings;
    let is_far = report.findings.iter().any(|found| found.code() == Code::LinkEndTooFar);
    if is_far {
        let larger = [2, 3, 4, 8].map(|times| settings.tile_size.saturating_mul(times));
        found_break.remedies.push(Remedy::integers("tile_size", &larger));
        found_break.remedies.push(Remedy::integers("tile_size", &[0]));
    } else {
        found_break.remedies.push(Remedy::smaller_radius(settings));
    }
    if is_far {
        found_break.advice =
            Some(phrase!("move the ends of the off-mesh link into adjacent tiles"));
        return found_break;
    }
    let everything = Filter { include_flags: u16::MAX, ..Filter::default() };
    let meant = NearestRequest { center: place, half_extents: MEANT, filter: &everything };
    found_break.advice = nearest(mesh, &meant).ok().flatten().map(|end| {
        phrase!("move this end of the off-mesh link to {point}", point = point(end.point))
    });
    found_break.ends = [link.start, link.end];
    found_break
}

/// Returns whether ground of a side is near a place.
fn is_near(mesh: &NavMesh, sides: &MeshSides, place: Vec3, side: Side) -> bool {
    sides.nearest_ground(mesh, place, MEANT, side).is_some()
}

/// Creates the answer without a level: the nearest corners of the two sides.
pub(super) fn nearest_sides(answered: AnsweredPath<'_>, sides: &MeshSides) -> RouteAnswer {
    let mesh = answered.mesh;
    let corners = |side| -> Vec<Vec3> {
        let on = sides.ground(mesh, side);
        on.flat_map(|poly| {
            let found = mesh.resolve(poly);
            found.map(|(tile, index)| tile.corners(&tile.polys[index]).to_vec()).unwrap_or_default()
        })
        .collect()
    };
    let [from, to] = [Side::Start, Side::End].map(corners);
    let (fewer, more) = if from.len() <= to.len() { (&from, &to) } else { (&to, &from) };
    let mut best: Option<(f32, Vec3, Vec3)> = None;
    for &a in fewer.iter().take(MAX_CORNERS) {
        for &b in more.iter().take(MAX_CORNERS) {
            let distance = a.distance_squared(b);
            if best.is_none_or(|(least, ..)| distance < least) {
                best = Some((distance, a, b));
            }
        }
    }
    let unknown = Some(phrase!(
        "a navmesh alone does not show what separates the two sides; ask with the level to find out"
    ));
    let first = best.map(|(distance, a, b)| {
        let (start, end) = if from.len() <= to.len() { (a, b) } else { (b, a) };
        let text = phrase!(
            "two parts of the navmesh are not connected; their nearest corners are {apart} apart",
            apart = meters(distance.sqrt())
        );
        let mut found_break = RouteBreak::plain(Cause::Unexplained, (start + end) * 0.5, text);
        found_break.measure = Some(Measure {
            measured: Some(distance.sqrt()),
            limit: None,
            unit: MeasureUnit::Meters,
        });
        found_break.ends = [start, end];
        found_break
    });
    RouteAnswer { first, unknown, ..RouteAnswer::default() }
}

/// Maximum number of corners of each side to compare.
const MAX_CORNERS: usize = 4000;
