//! Casts rays along the surface: how far an agent can walk in a straight line.

use glam::Vec3;

use super::{Filter, LinkSides, MeshPoint, QueryError, error::check_finite};
use crate::navmesh::{Behind, INSIDE, Link, NavMesh, Outline, PolyKind, PolyRef, WHOLE_EDGE};

/// Parameters of [`raycast`].
#[derive(Clone, Copy, Debug)]
pub struct RaycastRequest<'a> {
    /// Start of the ray.
    pub start: MeshPoint,
    /// End of the ray, if it hits nothing. The height is ignored.
    pub end: Vec3,
    /// The polygons that may be used, and their costs.
    pub filter: &'a Filter,
    /// Maximum number of passed polygons; see [`RayHit::is_cut`]. A ray never passes a polygon twice.
    pub max_polys: usize,
}

impl<'a> RaycastRequest<'a> {
    /// Requests the ray from `start` to `end` over any number of polygons.
    pub fn new(start: MeshPoint, end: Vec3, filter: &'a Filter) -> Self {
        Self { start, end, filter, max_polys: usize::MAX }
    }
}

/// A ray over the navmesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Raycast {
    /// The end of the ray.
    pub hit: RayHit,
    /// The passed polygons, in order.
    pub visited: Vec<PolyRef>,
}

impl Default for Raycast {
    /// Returns a ray without length, without allocations.
    fn default() -> Self {
        let hit = RayHit { t: None, normal: Vec3::ZERO, edge: None, cost: 0.0, is_cut: false };
        Self { hit, visited: Vec::new() }
    }
}

/// The end of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Fraction of the line that can be walked; `None` if all of it can.
    pub t: Option<f32>,
    /// Horizontal direction away from the wall that was hit; zero if there was none.
    pub normal: Vec3,
    /// Edge over which the ray leaves the last polygon.
    pub edge: Option<usize>,
    /// Cost of the part that can be walked, including entering costs.
    pub cost: f32,
    /// Whether the ray passed more polygons than allowed, or came back to a polygon because links lead in a circle. It
    /// then ends where it leaves the first surplus polygon, or the polygon to which it came back.
    pub is_cut: bool,
}

/// Walks from a point of the navmesh straight toward another point, seen from above. Off-mesh links are not followed.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale or a point not finite.
///
/// Source: `dtNavMeshQuery::raycast`, always with costs. Differs: it does not take the previous polygon, which does not
/// affect any cost. A ray that comes back to a polygon is cut; in Detour, it does not end. A file can have such links, a
/// baked navmesh has none.
pub fn raycast(mesh: &NavMesh, request: &RaycastRequest<'_>) -> Result<Raycast, QueryError> {
    let mut ray = Raycast::default();
    raycast_into(mesh, request, &mut ray)?;
    Ok(ray)
}

/// Like [`raycast`], but reuses the memory of an earlier one: if it was used before, nothing is allocated.
///
/// # Errors
/// See [`raycast`]. `ray` has then visited nothing.
#[inline]
pub fn raycast_into(
    mesh: &NavMesh,
    request: &RaycastRequest<'_>,
    ray: &mut Raycast,
) -> Result<(), QueryError> {
    let RaycastRequest { start, end, filter, max_polys } = *request;
    cast(mesh, start, end, (filter, max_polys), ray)
}

/// Casts a ray; see [`raycast_into`].
// Takes the fields of a request, not the request. Otherwise the compiler loads two coordinates at once that the caller
// has just stored one by one, and store forwarding fails: nearly a tenth of the time of a short ray.
#[inline(never)]
fn cast(
    mesh: &NavMesh,
    start: MeshPoint,
    end: Vec3,
    (filter, max_polys): (&Filter, usize),
    ray: &mut Raycast,
) -> Result<(), QueryError> {
    ray.visited.clear();
    let along = end - start.point;
    // Finite unless one of them is not, or both are huge.
    if !along.element_sum().is_finite() {
        check_finite("the start", start.point)?;
        check_finite("the end", end)?;
    }
    let at = mesh.number(start.poly).ok_or(QueryError::StalePolygon { poly: start.poly })?;
    let line = Ray { mesh, filter, start: start.point, end, along };
    let mut max_polys = max_polys;
    ray.hit = loop {
        match line.walk(at, max_polys, &mut ray.visited) {
            Ok(hit) => break hit,
            // Walks once more, up to where it comes back.
            Err(Circle { n_polys }) => max_polys = n_polys,
        }
        ray.visited.clear();
    };
    Ok(())
}

/// A ray that comes back to a polygon after it has passed `n_polys` different ones.
struct Circle {
    n_polys: usize,
}

/// Number of polygons after which a ray is checked for circles for the first time.
const FIRST_CHECK: usize = 64;

/// Returns up to how many polygons a ray may pass that has passed `visited` and enters `next`: at most `max_polys`, and
/// only those before it comes back to one of them.
///
/// Where a ray leaves a polygon does not depend on how it came there, so once it comes back, it goes in a circle. Each
/// check allows twice the number of polygons, so that all checks together take linear time, and those of short rays
/// none.
#[cold]
fn room(visited: &[PolyRef], next: PolyRef, max_polys: usize) -> usize {
    let Some(last) = visited.iter().rposition(|&poly| poly == next) else {
        return max_polys.min(2 * visited.len());
    };
    let circle = visited.len() - last;
    let pairs = visited.iter().zip(&visited[circle..]);
    pairs.take_while(|(before, after)| before != after).count() + circle
}

struct Ray<'a> {
    mesh: &'a NavMesh,
    filter: &'a Filter,
    start: Vec3,
    end: Vec3,
    along: Vec3,
}

impl Ray<'_> {
    fn walk(
        &self,
        mut at: u32,
        max_polys: usize,
        visited: &mut Vec<PolyRef>,
    ) -> Result<RayHit, Circle> {
        let (graph, outlines) = (self.mesh.graph(), self.mesh.outlines());
        let takes_all_links = self.filter.rules.link_sides == LinkSides::ALL;
        let mut t = 0.0;
        let mut cost = 0.0;
        let mut last: Option<(&Outline, usize)> = None;
        let mut is_cut = false;
        let mut limit = max_polys.min(FIRST_CHECK);
        let mut from = self.start;
        let mut marks = graph.marks(at);
        let edge_of = |last: Option<(&Outline, usize)>| {
            last.map(|(outline, corner)| outline.ring.before(corner))
        };
        loop {
            let outline = &outlines[at as usize];
            let Some(out) = outline.ring.way_out(self.start, self.along) else { break };
            if visited.len() >= limit {
                limit = room(visited, graph.name(at), max_polys);
                if limit < visited.len() {
                    return Err(Circle { n_polys: limit });
                }
                is_cut = limit == visited.len();
            }
            if !is_cut {
                visited.push(graph.name(at));
            }
            let per_meter = self.filter.cost_in(marks.area);
            let Some(corner) = out.corner else {
                cost += from.distance(self.end) * per_meter;
                return Ok(RayHit { t: None, normal: Vec3::ZERO, edge: None, cost, is_cut });
            };
            last = Some((outline, corner));
            t = if out.t > t { out.t } else { t };
            let mut to = self.start + self.along * t;
            // The direction of an edge is unpredictable, so no code branches on it.
            let axis = outline.ring.axis(corner);
            let place = to.to_array()[2 * axis];
            let ends = outline.ring.edge_to(corner, axis);
            let [a_y, b_y] = outline.ring.edge_to(corner, 2);
            let height = a_y + (b_y - a_y) * ((place - ends[0]) / (ends[1] - ends[0]));
            if height.is_finite() {
                to.y = height;
            }
            cost += from.distance(to) * per_meter;
            from = to;
            let behind = outline.behind(corner);
            // Rounding can take the ray past a corner; it then runs backwards.
            let is_plain = takes_all_links && out.t >= t;
            let next = match behind.number() {
                Some(next) if is_plain => {
                    is_part(ends, outline.limits(corner), place).then_some(next)
                }
                None if behind == Behind::WALL => None,
                _ => self.beyond(at, (outline, corner), out.t),
            };
            let next = next.filter(|&next| self.filter.passes_flags(graph.marks(next).flags));
            let Some(next) = next else {
                let [a, b] = outline.ends(corner);
                let normal = Vec3::new(b.z - a.z, 0.0, -(b.x - a.x)).normalize_or_zero();
                return Ok(RayHit { t: Some(t), normal, edge: edge_of(last), cost, is_cut });
            };
            at = next;
            let area = std::mem::replace(&mut marks, graph.marks(at)).area;
            cost += self.filter.rules.entering(area, marks.area);
            if is_cut {
                break;
            }
        }
        Ok(RayHit { t: Some(t), normal: Vec3::ZERO, edge: edge_of(last), cost, is_cut })
    }

    /// Returns the ground behind the edge of polygon `number` that ends at a corner, where the ray crosses it at `t`,
    /// according to the links.
    #[inline(never)]
    fn beyond(&self, number: u32, (outline, corner): (&Outline, usize), t: f32) -> Option<u32> {
        let graph = self.mesh.graph();
        let edge = outline.ring.before(corner);
        let mut links = graph.links(number).iter();
        let found = links.find(|&&link| {
            if usize::from(link.edge) != edge {
                return false;
            }
            let to = graph.marks(link.to);
            to.kind == PolyKind::Ground
                && self.filter.passes_flags(to.flags)
                && self.filter.rules.admits(self.mesh, link)
                && self.crosses_link(link, (outline, corner), t)
        });
        found.map(|link| link.to)
    }

    /// Returns whether the ray crosses, at `t`, the part of an edge that a link covers.
    fn crosses_link(&self, link: Link, (outline, corner): (&Outline, usize), t: f32) -> bool {
        let at = self.start + self.along * t;
        match link.side {
            INSIDE => true,
            0 | 4 => is_part(outline.ring.edge_to(corner, 1), link.limits, at.z),
            2 | 6 => is_part(outline.ring.edge_to(corner, 0), link.limits, at.x),
            _corner => link.limits == WHOLE_EDGE,
        }
    }
}

/// Returns whether a position on an edge, like its ends along one axis, belongs to the part `limits` of the edge, in
/// 255ths.
#[inline]
fn is_part([left, right]: [f32; 2], limits: [u8; 2], place: f32) -> bool {
    let [a, b] = limits.map(|limit| left + (right - left) * (f32::from(limit) * (1.0 / 255.0)));
    let (min, max) = if a > b { (b, a) } else { (a, b) };
    // Which edges have parts is unpredictable, but most rays cross an edge inside a linked part.
    (min <= place && place <= max) || limits == WHOLE_EDGE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        navmesh::sample::{mesh, tile},
        query::{NearestRequest, nearest},
    };

    #[test]
    fn rays_stop_at_sides_that_may_not_be_crossed() {
        let mesh = mesh([tile(0, 0, &["..", ".."]), tile(1, 0, &["..", ".."])]);
        let mut filter = Filter::default();
        let request = NearestRequest::new(Vec3::new(0.5, 0.0, 0.5), &filter);
        let start = nearest(&mesh, &request).unwrap().unwrap();
        let mut share = |link_sides| {
            filter.rules.link_sides = link_sides;
            let end = Vec3::new(3.5, 0.0, 0.75);
            raycast(&mesh, &RaycastRequest::new(start, end, &filter)).unwrap().hit.t
        };
        assert_eq!([LinkSides::ALL, LinkSides::ALL.without(4)].map(&mut share), [None; 2]);
        assert_eq!(share(LinkSides::ALL.without(0)), Some(0.5));
        assert_eq!(share(LinkSides::INSIDE), Some(0.5));
    }
}
