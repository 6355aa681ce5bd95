//! How far one can walk straight ahead.

use glam::Vec3;

use super::{Filter, PathEnd, QueryError, error::check_finite};
use crate::{
    geom::from_above::{self, Clip, clip_segment_to},
    navmesh::{
        INSIDE, Link, LiveTile, NavMesh, PORTAL_BIT, Poly, PolyAt, PolyKind, PolyRef, Tile,
        VERTS_PER_POLYGON, WHOLE_EDGE,
    },
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
    Ok(ray.walk(at, max_polys, visited))
}

struct Ray<'a> {
    mesh: &'a NavMesh,
    filter: &'a Filter,
    start: Vec3,
    end: Vec3,
}

/// What is behind an edge, as far as the tile knows.
enum Neighbor {
    Known(Option<u32>),
    AskLinks,
}

impl Ray<'_> {
    fn walk(&self, mut at: PolyAt, max_polys: usize, visited: &mut Vec<PolyRef>) -> RayHit {
        let (mut t, mut cost, mut last_edge, mut normal) = (0.0, 0.0, None, Vec3::ZERO);
        let mut is_cut = false;
        let mut from = self.start;
        let mut live = self.mesh.live(at.tile);
        loop {
            let poly = &live.tile.polys[at.poly as usize];
            let Some(clip) = self.clip(&live.tile, poly) else { break };
            last_edge = clip.leaves_over;
            t = if clip.t_max > t { clip.t_max } else { t };
            if visited.len() < max_polys {
                visited.push(live.poly_ref(at.poly));
            } else {
                is_cut = true;
            }
            let per_metre = self.filter.cost_in(poly.area);
            let Some(edge) = clip.leaves_over else {
                cost += from.distance(self.end) * per_metre;
                return RayHit { t: None, normal, edge: None, cost, is_cut };
            };
            let ends = live.tile.edge(poly, edge);
            let to = self.on_edge(t, ends);
            cost += from.distance(to) * per_metre;
            from = to;
            let next = match self.inside(live, poly, edge) {
                Neighbor::Known(next) => next.map(|poly| PolyAt { poly, ..at }),
                Neighbor::AskLinks => self.beyond(live.first_node + at.poly, ends, &clip),
            };
            let Some(next) = next else {
                let [a, b] = ends;
                normal = Vec3::new(b.z - a.z, 0.0, -(b.x - a.x)).normalize_or_zero();
                break;
            };
            if next.tile != at.tile {
                live = self.mesh.live(next.tile);
            }
            at = next;
            cost += self.filter.rules.entering(poly.area, live.tile.polys[at.poly as usize].area);
            if is_cut {
                break;
            }
        }
        RayHit { t: Some(t), normal, edge: last_edge, cost, is_cut }
    }

    /// The part of the ray on a polygon.
    #[inline]
    fn clip(&self, tile: &Tile, poly: &Poly) -> Option<Clip> {
        let vertices = tile.vertices.as_slice();
        let n = usize::from(poly.n_vertices).min(VERTS_PER_POLYGON);
        let corner = |index: usize| vertices[usize::from(poly.vertices[index])];
        clip_segment_to([self.start, self.end], n, corner)
    }

    /// Point of the ray at `t`, as high as the edge from `a` to `b` that it crosses there.
    fn on_edge(&self, t: f32, [a, b]: [Vec3; 2]) -> Vec3 {
        let point = from_above::point_between(self.start, self.end, t);
        let (along, offset) = (b - a, point - a);
        let is_along_x = along.x * along.x > along.z * along.z;
        let share = if is_along_x { offset.x / along.x } else { offset.z / along.z };
        let height = a.y + along.y * share;
        if height.is_finite() { point.with_y(height) } else { point }
    }

    /// The polygon of the same tile behind an edge. Asks no links where each such edge has its own.
    #[inline]
    fn inside(&self, live: &LiveTile, poly: &Poly, edge: usize) -> Neighbor {
        let neighbor = poly.neighbors[edge];
        if neighbor & PORTAL_BIT != 0 || poly.kind == PolyKind::OffMesh || live.lacks_links() {
            return Neighbor::AskLinks;
        }
        let there = neighbor.checked_sub(1).filter(|&there| {
            self.filter.passes(&live.tile.polys[usize::from(there)])
                && self.filter.rules.link_sides.has(INSIDE)
        });
        Neighbor::Known(there.map(u32::from))
    }

    /// The polygon behind an edge where the ray crosses it.
    fn beyond(&self, number: u32, edge: [Vec3; 2], clip: &Clip) -> Option<PolyAt> {
        let graph = self.mesh.graph();
        let mut links = graph.links(number).iter();
        let found = links.find(|&&link| {
            if Some(usize::from(link.edge)) != clip.leaves_over {
                return false;
            }
            let to = graph.marks(link.to);
            to.kind == PolyKind::Ground
                && self.filter.passes_flags(to.flags)
                && self.filter.rules.admits(self.mesh, link)
                && self.crosses_part(edge, link, clip)
        });
        found.map(|link| self.mesh.at(link.to))
    }

    /// Whether the ray crosses the part of a border edge to which a link belongs.
    fn crosses_part(&self, edge: [Vec3; 2], link: Link, clip: &Clip) -> bool {
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
