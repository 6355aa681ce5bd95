//! Distance to the nearest wall.

use glam::Vec3;

use super::{
    Filter, MAX_NODES, MeshPoint, QueryError, Scratch,
    dijkstra::Spread,
    error::check_length,
    node::{Node, Status},
    trace::{NoTrace, Observer},
};
use crate::{
    geom::from_above::{nearest_on_segment, point_between},
    navmesh::{Link, LiveTile, NO_NEIGHBOR, NavMesh, PORTAL_BIT, PolyAt, PolyKind},
    search::NodeIdx,
};

/// Parameters of [`wall_distance`].
#[derive(Clone, Copy, Debug)]
pub struct WallDistanceRequest<'a> {
    /// The point whose distance is measured.
    pub start: MeshPoint,
    /// Radius of the search, in meters.
    pub radius: f32,
    /// The polygons that may be used. Others are walls.
    pub filter: &'a Filter,
    /// Maximum number of nodes of the search.
    pub max_nodes: usize,
}

impl<'a> WallDistanceRequest<'a> {
    /// Requests the nearest wall within `radius` meters, with Detour's maximum number of nodes.
    pub fn new(start: MeshPoint, radius: f32, filter: &'a Filter) -> Self {
        Self { start, radius, filter, max_nodes: MAX_NODES }
    }
}

/// The nearest wall within reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallHit {
    /// Distance, seen from above, in meters; the radius if there is no wall.
    pub distance: f32,
    /// The nearest point of the wall, at the height of the polygon's edge; `None` if there is no wall.
    pub point: Option<Vec3>,
    /// Direction from this point to the start; zero if there is no wall or the start is on it.
    pub normal: Vec3,
}

/// Finds the wall nearest to a point, seen from above, among the polygons that are reachable within the radius.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale, the point not finite or the radius negative.
///
/// Source: `dtNavMeshQuery::findDistanceToWall`.
pub fn wall_distance(
    mesh: &NavMesh,
    request: &WallDistanceRequest<'_>,
    scratch: &mut Scratch,
) -> Result<WallHit, QueryError> {
    let WallDistanceRequest { start, radius, filter, max_nodes } = *request;
    check_length("the radius", radius)?;
    scratch.with_trace(|scratch, trace| {
        let spread = Spread::new(mesh, start, filter, max_nodes, scratch)?;
        Ok(match trace {
            Some(trace) => nearest_wall(spread, start.point, radius, trace),
            None => nearest_wall(spread, start.point, radius, &mut NoTrace),
        })
    })
}

fn nearest_wall(
    spread: Spread<'_>,
    center: Vec3,
    radius: f32,
    observer: &mut impl Observer,
) -> WallHit {
    let mut walls = Walls { spread, center, reach_sqr: radius * radius, point: None };
    while let Some(node) = walls.spread.next(observer) {
        walls.test_edges(node);
        walls.expand(node);
    }
    let normal = walls.point.map_or(Vec3::ZERO, |wall| (center - wall).normalize_or_zero());
    WallHit { distance: walls.reach_sqr.sqrt(), point: walls.point, normal }
}

struct Walls<'a> {
    spread: Spread<'a>,
    center: Vec3,
    /// Squared distance of the nearest wall so far.
    reach_sqr: f32,
    point: Option<Vec3>,
}

impl Walls<'_> {
    fn test_edges(&mut self, node: NodeIdx) {
        let at = self.spread.mesh.at(self.spread.scratch.nodes[node].poly);
        let live = self.spread.mesh.live(at.tile);
        let corners = live.tile.corners(&live.tile.polys[at.poly as usize]);
        for (edge, a, b) in crate::geom::from_above::edges(&corners) {
            if !self.is_wall(live, at, edge) {
                continue;
            }
            let near = nearest_on_segment(self.center, a, b);
            if near.distance_sqr <= self.reach_sqr {
                self.reach_sqr = near.distance_sqr;
                self.point = Some(point_between(a, b, near.t));
            }
        }
    }

    /// Returns whether no polygon that may be used is behind an edge. If there are several links over a tile border, only
    /// the first counts, as in Detour.
    fn is_wall(&self, live: &LiveTile, at: PolyAt, edge: usize) -> bool {
        let poly = &live.tile.polys[at.poly as usize];
        let neighbor = poly.neighbors[edge];
        if poly.kind == PolyKind::OffMesh || neighbor == NO_NEIGHBOR {
            return true;
        }
        if neighbor & PORTAL_BIT == 0 {
            return !self.spread.filter.passes(&live.tile.polys[usize::from(neighbor) - 1]);
        }
        let mesh = self.spread.mesh;
        let mut links = mesh.links_of(at).iter();
        links
            .find(|link| usize::from(link.edge) == edge)
            .is_none_or(|link| !self.spread.filter.passes_flags(mesh.graph().marks(link.to).flags))
    }

    fn expand(&mut self, node: NodeIdx) {
        let (mesh, graph) = (self.spread.mesh, self.spread.mesh.graph());
        let Node { poly, position, total, .. } = self.spread.scratch.nodes[node];
        let parent = self.spread.parent_of(node);
        let at = mesh.at(poly);
        for (&link, portal) in graph.links(poly).iter().zip(mesh.portals().of(poly)) {
            if parent == Some(link.to) || !self.is_near(at, link) {
                continue;
            }
            let Some(neighbor) = self.spread.node(link.to) else { continue };
            let known = &mut self.spread.scratch.nodes[neighbor];
            match known.status {
                Status::Closed => continue,
                Status::New => known.position = portal.midpoint(),
                Status::Open => {}
            }
            let total = total + position.distance(known.position);
            self.spread.offer(neighbor, Some(node), total);
        }
    }

    /// Returns whether a link leads to ground that may be used, over an edge within the radius.
    fn is_near(&self, at: PolyAt, link: Link) -> bool {
        let to = self.spread.mesh.graph().marks(link.to);
        if to.kind == PolyKind::OffMesh || !self.spread.filter.passes_flags(to.flags) {
            return false;
        }
        let live = self.spread.mesh.live(at.tile);
        let poly = &live.tile.polys[at.poly as usize];
        let [a, b] = live.tile.edge(poly, usize::from(link.edge));
        nearest_on_segment(self.center, a, b).distance_sqr <= self.reach_sqr
    }
}
