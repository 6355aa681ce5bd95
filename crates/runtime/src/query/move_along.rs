//! A short move over the surface that slides along walls.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use glam::Vec3;

use super::{Filter, MeshPoint, QueryError, error::check_finite};
use crate::{
    geom::from_above::{self, contains, nearest_on_segment, point_between},
    navmesh::{Link, LiveTile, NO_NEIGHBOR, NavMesh, PORTAL_BIT, PolyAt, PolyKind, PolyRef},
};

/// Maximum number of polygons that a move visits.
const MAX_MET: usize = 64;
/// Maximum number of pending polygons; further ones are ignored.
const MAX_WAITING: usize = 48;
/// Maximum number of neighbors over one edge.
const MAX_OVER_EDGE: usize = 8;
/// Added to half the length of the move: polygons farther than that from its midpoint are ignored.
const SLACK: f32 = 0.001;

/// Parameters of [`move_along`].
#[derive(Clone, Copy, Debug)]
pub struct MoveAlongRequest<'a> {
    /// Start of the move.
    pub start: MeshPoint,
    /// End of the move, if no wall is in between.
    pub end: Vec3,
    /// The polygons that may be used.
    pub filter: &'a Filter,
}

impl<'a> MoveAlongRequest<'a> {
    /// Requests the move from `start` toward `end`.
    pub fn new(start: MeshPoint, end: Vec3, filter: &'a Filter) -> Self {
        Self { start, end, filter }
    }
}

/// A move over the surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceMove {
    /// The reached point: the end itself, or the nearest point on a wall. Its height is that of a polygon's edge or of
    /// the end, not of the surface: see [`poly_height`](super::poly_height).
    pub position: Vec3,
    /// The passed polygons, in order. The position lies in the last.
    pub visited: Vec<PolyRef>,
}

/// Moves from a point of the navmesh toward another point, seen from above, as far as the surface allows.
///
/// Meant for moves of a step or two: at most 64 polygons are visited.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale or a point not finite.
///
/// Source: `dtNavMeshQuery::moveAlongSurface`.
pub fn move_along(
    mesh: &NavMesh,
    request: &MoveAlongRequest<'_>,
) -> Result<SurfaceMove, QueryError> {
    let mut moved = SurfaceMove::default();
    move_along_into(mesh, request, &mut moved)?;
    Ok(moved)
}

/// Like [`move_along`], but reuses the memory of an earlier move: if it was used before, nothing is allocated.
///
/// # Errors
/// See [`move_along`]. `moved` has then visited nothing.
pub fn move_along_into(
    mesh: &NavMesh,
    request: &MoveAlongRequest<'_>,
    moved: &mut SurfaceMove,
) -> Result<(), QueryError> {
    moved.position = find_move(mesh, request, &mut moved.visited)?.point;
    Ok(())
}

/// The end of a move.
pub(super) struct MoveEnd {
    pub(super) point: Vec3,
    /// The number of the polygon that contains the point; `None` on a wall.
    pub(super) inside: Option<u32>,
}

/// Finds the end of a move, and stores the passed polygons in `visited`.
pub(super) fn find_move(
    mesh: &NavMesh,
    request: &MoveAlongRequest<'_>,
    visited: &mut Vec<PolyRef>,
) -> Result<MoveEnd, QueryError> {
    let MoveAlongRequest { start, end, filter } = *request;
    visited.clear();
    check_finite("the start", start.point)?;
    check_finite("the end", end)?;
    let number = mesh.number(start.poly).ok_or(QueryError::StalePolygon { poly: start.poly })?;
    // Most moves end in the polygon in which they start.
    if mesh.outlines()[number as usize].ring.contains(end) {
        visited.push(start.poly);
        return Ok(MoveEnd { point: end, inside: Some(number) });
    }
    let at = mesh.at(number);
    let reach = start.point.distance(end) / 2.0 + SLACK;
    let mut flood = Flood {
        mesh,
        filter,
        end,
        middle: point_between(start.point, end, 0.5),
        reach_sqr: reach * reach,
        met: ArrayVec::new(),
        n_waiting: 0,
        point: start.point,
        nearest_sqr: f32::MAX,
        nearest: None,
    };
    flood.met.push(VisitedPoly { at, parent: None, has_turn: true });
    let is_inside = flood.run();
    let mut next = flood.nearest;
    while let Some(met) = next.and_then(|index| flood.met.get(index)) {
        visited.push(mesh.live(met.at.tile).poly_ref(met.at.poly));
        next = met.parent;
    }
    visited.reverse();
    let last = flood.nearest.and_then(|index| flood.met.get(index)).filter(|_| is_inside);
    Ok(MoveEnd { point: flood.point, inside: last.map(|met| mesh.number_of(met.at)) })
}

/// A polygon that the move has encountered.
struct VisitedPoly {
    at: PolyAt,
    /// Index of the polygon from which it was reached.
    parent: Option<usize>,
    /// Whether the polygon is queued or visited, not only encountered.
    has_turn: bool,
}

struct Flood<'a> {
    mesh: &'a NavMesh,
    filter: &'a Filter,
    end: Vec3,
    middle: Vec3,
    reach_sqr: f32,
    met: ArrayVec<VisitedPoly, MAX_MET>,
    n_waiting: usize,
    /// The best point so far.
    point: Vec3,
    nearest_sqr: f32,
    /// Index of the polygon with that point.
    nearest: Option<usize>,
}

impl Flood<'_> {
    /// Visits polygons in breadth-first order. Returns whether one of them contains the end.
    fn run(&mut self) -> bool {
        let mut turns: ArrayVec<usize, MAX_MET> = ArrayVec::new();
        turns.push(0);
        self.n_waiting = 1;
        let mut turn = 0;
        while let Some(&place) = turns.get(turn) {
            turn += 1;
            self.n_waiting -= 1;
            if self.visit(place, &mut turns).is_break() {
                return true;
            }
        }
        false
    }

    fn visit(&mut self, place: usize, turns: &mut ArrayVec<usize, MAX_MET>) -> ControlFlow<()> {
        let at = self.met[place].at;
        let live = self.mesh.live(at.tile);
        let corners = live.tile.corners(&live.tile.polys[at.poly as usize]);
        if contains(&corners, self.end) {
            self.nearest = Some(place);
            self.point = self.end;
            return ControlFlow::Break(());
        }
        for (edge, a, b) in from_above::edges(&corners) {
            let neighbors = self.over_edge(live, at, edge);
            if neighbors.is_empty() {
                let near = nearest_on_segment(self.end, a, b);
                if near.distance_sqr < self.nearest_sqr {
                    self.nearest_sqr = near.distance_sqr;
                    self.nearest = Some(place);
                    self.point = point_between(a, b, near.t);
                }
                continue;
            }
            let is_near = nearest_on_segment(self.middle, a, b).distance_sqr <= self.reach_sqr;
            for neighbor in neighbors {
                if let Some(neighbor) = self.meet(neighbor)
                    && is_near
                {
                    self.enqueue(neighbor, place, turns);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the index of a polygon in the list of encountered ones; `None` if the list is full.
    fn meet(&mut self, at: PolyAt) -> Option<usize> {
        let place = self.met.iter().position(|met| met.at == at);
        place.or_else(|| {
            self.met.try_push(VisitedPoly { at, parent: None, has_turn: false }).ok()?;
            Some(self.met.len() - 1)
        })
    }

    /// Queues a polygon, unless it is already queued or visited.
    fn enqueue(&mut self, place: usize, parent: usize, turns: &mut ArrayVec<usize, MAX_MET>) {
        let met = &mut self.met[place];
        if !met.has_turn && self.n_waiting < MAX_WAITING {
            met.parent = Some(parent);
            met.has_turn = true;
            turns.push(place);
            self.n_waiting += 1;
        }
    }

    /// Returns the polygons that are reachable over an edge.
    fn over_edge(
        &self,
        live: &LiveTile,
        at: PolyAt,
        edge: usize,
    ) -> ArrayVec<PolyAt, MAX_OVER_EDGE> {
        let poly = &live.tile.polys[at.poly as usize];
        let neighbor = poly.neighbors[edge];
        let passes =
            |to: &PolyAt| self.filter.passes(&self.mesh.live(to.tile).tile.polys[to.poly as usize]);
        if poly.kind == PolyKind::OffMesh || neighbor == NO_NEIGHBOR {
            return ArrayVec::new();
        }
        if neighbor & PORTAL_BIT == 0 {
            let inside = PolyAt { tile: at.tile, poly: u32::from(neighbor) - 1 };
            return Some(inside).into_iter().filter(passes).collect();
        }
        let crosses_edge = |link: &&Link| usize::from(link.edge) == edge;
        let links = self.mesh.links_of(at).iter().filter(crosses_edge);
        links.map(|link| self.mesh.at(link.to)).filter(passes).take(MAX_OVER_EDGE).collect()
    }
}
