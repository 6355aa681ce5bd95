//! How far one can walk straight ahead.

use glam::Vec3;

use super::{Filter, PathEnd, QueryError, error::check_finite};
use crate::navmesh::{Behind, INSIDE, Link, NavMesh, PolyKind, PolyRef, WHOLE_EDGE};

/// Where a straight walk ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Share of the way to the end that can be walked; `None` where all of it can.
    pub t: Option<f32>,
    /// Level direction away from the wall that was hit; zero where there was none.
    pub normal: Vec3,
    /// Edge of the last polygon over which the ray leaves it.
    pub edge: Option<usize>,
    /// Cost of the part that can be walked, with what passing into other areas costs.
    pub cost: f32,
    /// Whether more polygons were passed than allowed. The walk is given up where it leaves the first
    /// that is too many.
    pub is_cut: bool,
}

/// Walks from `start` straight towards `end`, seen from above, and puts the polygons passed into
/// `visited`, at most `max_polys`. Heights of the end do not count; connections are not taken.
///
/// # Errors
/// [`QueryError`] where the polygon is stale or a point not finite.
///
/// Source: `dtNavMeshQuery::raycast`, always with costs. Differs: it does not ask for the polygon before
/// the first, on which no cost depends.
pub fn raycast(
    mesh: &NavMesh,
    start: PathEnd,
    end: Vec3,
    filter: &Filter,
    max_polys: usize,
    visited: &mut Vec<PolyRef>,
) -> Result<RayHit, QueryError> {
    visited.clear();
    check_finite("the start", start.point)?;
    check_finite("the end", end)?;
    let at = mesh.number(start.poly).ok_or(QueryError::StalePolygon { poly: start.poly })?;
    let ray = Ray { mesh, filter, start: start.point, end, along: end - start.point };
    Ok(ray.walk(at, max_polys, visited))
}

struct Ray<'a> {
    mesh: &'a NavMesh,
    filter: &'a Filter,
    start: Vec3,
    end: Vec3,
    along: Vec3,
}

impl Ray<'_> {
    fn walk(&self, mut at: u32, max_polys: usize, visited: &mut Vec<PolyRef>) -> RayHit {
        let (graph, outlines) = (self.mesh.graph(), self.mesh.outlines());
        let (mut t, mut cost, mut last_edge, mut normal) = (0.0, 0.0, None, Vec3::ZERO);
        let mut is_cut = false;
        let mut from = self.start;
        loop {
            let outline = &outlines[at as usize];
            let Some(out) = outline.ring.way_out(self.start, self.along) else { break };
            last_edge = out.corner.map(|corner| outline.edge_to(corner));
            t = if out.t > t { out.t } else { t };
            if visited.len() < max_polys {
                visited.push(outline.poly);
            } else {
                is_cut = true;
            }
            let area = graph.marks(at).area;
            let per_metre = self.filter.cost_in(area);
            let Some(corner) = out.corner else {
                cost += from.distance(self.end) * per_metre;
                return RayHit { t: None, normal, edge: None, cost, is_cut };
            };
            let ends = outline.ends(corner);
            let to = self.on_edge(t, ends);
            cost += from.distance(to) * per_metre;
            from = to;
            let next = match outline.behind(corner) {
                Behind::Wall => None,
                Behind::Inside(next) => self.admits_inside(next).then_some(next),
                Behind::Links => self.beyond(at, outline.edge_to(corner), ends, out.t),
            };
            let Some(next) = next else {
                let [a, b] = ends;
                normal = Vec3::new(b.z - a.z, 0.0, -(b.x - a.x)).normalize_or_zero();
                break;
            };
            at = next;
            cost += self.filter.rules.entering(area, graph.marks(at).area);
            if is_cut {
                break;
            }
        }
        RayHit { t: Some(t), normal, edge: last_edge, cost, is_cut }
    }

    /// Point of the ray at `t`, as high as the edge from `a` to `b` that it crosses there.
    #[inline]
    fn on_edge(&self, t: f32, [a, b]: [Vec3; 2]) -> Vec3 {
        let point = self.start + self.along * t;
        let (along, offset) = (b - a, point - a);
        let is_along_x = usize::from(along.x * along.x > along.z * along.z);
        // Which way an edge runs cannot be foreseen, so nothing branches on it.
        let share = [offset.z, offset.x][is_along_x] / [along.z, along.x][is_along_x];
        let height = a.y + along.y * share;
        if height.is_finite() { point.with_y(height) } else { point }
    }

    /// Whether a polygon of the same tile may be entered.
    #[inline]
    fn admits_inside(&self, number: u32) -> bool {
        self.filter.passes_flags(self.mesh.graph().marks(number).flags)
            && self.filter.rules.link_sides.has(INSIDE)
    }

    /// The polygon behind an edge, given by number and ends, where the ray crosses it at `t`.
    fn beyond(&self, number: u32, edge: usize, ends: [Vec3; 2], t: f32) -> Option<u32> {
        let graph = self.mesh.graph();
        let mut links = graph.links(number).iter();
        let found = links.find(|&&link| {
            if usize::from(link.edge) != edge {
                return false;
            }
            let to = graph.marks(link.to);
            to.kind == PolyKind::Ground
                && self.filter.passes_flags(to.flags)
                && self.filter.rules.admits(self.mesh, link)
                && self.crosses_part(ends, link, t)
        });
        found.map(|link| link.to)
    }

    /// Whether the ray crosses at `t` the part of a border edge to which a link belongs.
    fn crosses_part(&self, edge: [Vec3; 2], link: Link, t: f32) -> bool {
        if link.side == INSIDE || link.limits == WHOLE_EDGE {
            return true;
        }
        let runs_along_z = match link.side {
            0 | 4 => true,
            2 | 6 => false,
            _corner => return false,
        };
        let place = |p: Vec3| if runs_along_z { p.z } else { p.x };
        let [left, right] = edge.map(place);
        let [a, b] =
            link.limits.map(|limit| left + (right - left) * (f32::from(limit) * (1.0 / 255.0)));
        let (min, max) = if a > b { (b, a) } else { (a, b) };
        let [start, end] = [self.start, self.end].map(place);
        let crossing = start + (end - start) * t;
        min <= crossing && crossing <= max
    }
}
