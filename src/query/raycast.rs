//! How far one can walk straight ahead.

use glam::Vec3;

use super::{Filter, PathEnd, QueryError, error::check_finite};
use crate::{
    geom::from_above::{self, Clip, clip_segment},
    navmesh::{INSIDE, Link, NavMesh, PolyKind, PolyRef, WHOLE_EDGE},
};

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
    let at = mesh.locate(start.poly).ok_or(QueryError::StalePolygon { poly: start.poly })?;
    let ray = Ray { mesh, filter, start: start.point, end };
    let mut hit = RayHit { t: Some(0.0), normal: Vec3::ZERO, edge: None, cost: 0.0, is_cut: false };
    let mut from = start.point;
    let mut next = Some(mesh.number_of(at));
    while let Some(number) = next {
        let at = mesh.at(number);
        let live = mesh.live(at.tile);
        let poly = &live.tile.polys[at.poly as usize];
        let corners = live.tile.corners(poly);
        let Some(clip) = clip_segment(start.point, end, &corners) else { return Ok(hit) };
        hit.edge = clip.leaves_over;
        hit.t = hit.t.map(|t| if clip.t_max > t { clip.t_max } else { t });
        if visited.len() < max_polys {
            visited.push(live.poly_ref(at.poly));
        } else {
            hit.is_cut = true;
        }
        let Some(edge) = clip.leaves_over else {
            hit.t = None;
            hit.cost += from.distance(end) * filter.cost_per_metre(poly);
            return Ok(hit);
        };
        let ends = [corners[edge], corners[(edge + 1) % corners.len()]];
        let to = ray.on_edge(hit.t.unwrap_or(1.0), ends);
        hit.cost += from.distance(to) * filter.cost_per_metre(poly);
        from = to;
        next = ray.beyond(number, ends, &clip);
        if let Some(to) = next {
            hit.cost += filter.rules.entering(poly.area, mesh.graph().marks(to).area);
            if hit.is_cut {
                break;
            }
        } else {
            let [a, b] = ends;
            hit.normal = Vec3::new(b.z - a.z, 0.0, -(b.x - a.x)).normalize_or_zero();
        }
    }
    Ok(hit)
}

struct Ray<'a> {
    mesh: &'a NavMesh,
    filter: &'a Filter,
    start: Vec3,
    end: Vec3,
}

impl Ray<'_> {
    /// Point of the ray at `t`, as high as the edge from `a` to `b` that it crosses there.
    fn on_edge(&self, t: f32, [a, b]: [Vec3; 2]) -> Vec3 {
        let point = from_above::point_between(self.start, self.end, t);
        let (along, offset) = (b - a, point - a);
        let is_along_x = along.x * along.x > along.z * along.z;
        let share = if is_along_x { offset.x / along.x } else { offset.z / along.z };
        let height = a.y + along.y * share;
        if height.is_finite() { point.with_y(height) } else { point }
    }

    /// The polygon behind an edge where the ray crosses it.
    fn beyond(&self, number: u32, edge: [Vec3; 2], clip: &Clip) -> Option<u32> {
        let graph = self.mesh.graph();
        let mut links = graph.links(number).iter();
        let found = links.find(|link| {
            let to = graph.marks(link.to);
            Some(usize::from(link.edge)) == clip.leaves_over
                && to.kind == PolyKind::Ground
                && self.filter.passes_flags(to.flags)
                && self.filter.rules.admits(self.mesh, link)
                && self.crosses_part(edge, link, clip)
        });
        found.map(|link| link.to)
    }

    /// Whether the ray crosses the part of a border edge to which a link belongs.
    fn crosses_part(&self, edge: [Vec3; 2], link: &Link, clip: &Clip) -> bool {
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
        let crossing = start + (end - start) * clip.t_max;
        min <= crossing && crossing <= max
    }
}
