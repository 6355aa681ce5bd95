//! The corridor of a moving agent, updated as the agent and its target move.

use glam::{Vec3, Vec3Swizzles as _};
use serde::{Deserialize, Serialize};

use super::{
    Filter, MeshPoint, MoveAlongRequest, PathPoint, PointKind, QueryError, Raycast, RaycastRequest,
    Scratch, SlicedPath, SlicedRequest, StraightPathRequest, closest_on_boundary,
    error::check_finite,
    is_usable,
    move_along::{MoveEnd, find_move},
    poly_height, raycast_into,
    straight_path::{CorridorCache, find_first_points, find_points_ahead, straight_path_into},
    surface::height_inside,
};
use crate::navmesh::{NavMesh, PolyKind, PolyRef};

/// Horizontal distance in meters below which a corner counts as reached.
const AT_CORNER: f32 = 0.01;
/// Maximum number of polygons of a ray that shortens a corridor.
const MAX_RAY: usize = 32;
/// Maximum number of polygons that a search for a shorter beginning expands, and maximum length of the beginning.
const MAX_LOCAL: usize = 32;
/// If a corridor has at most this maximum number of polygons, memory for all of them is reserved at once.
const ROOM: usize = 256;
/// Number of polygons of a move for which memory is reserved with it.
const ROOM_FOR_PASSED: usize = 64;
/// Share of its length that a ray must reach to count as free.
const FREE: f32 = 0.99;

/// Limits of a corridor and of its searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorridorBounds {
    /// Maximum number of polygons of the corridor. A longer corridor is cut off.
    pub max_polys: usize,
    /// Maximum number of polygons of a move that the corridor takes over; further ones are ignored.
    pub max_passed: usize,
    /// Whether a ray may pass more than 32 polygons, of which the corridor takes over the first 32, as in Detour before
    /// 2025. Otherwise, such a ray does not shorten the corridor.
    pub has_long_rays: bool,
    /// Maximum number of nodes of a search for a shorter beginning that [`PathCorridor::optimize_topology`] creates.
    pub max_nodes: usize,
}

impl CorridorBounds {
    /// No bounds.
    pub const NONE: Self = Self {
        max_polys: usize::MAX,
        max_passed: usize::MAX,
        has_long_rays: false,
        max_nodes: super::MAX_NODES,
    };
    /// The limits of an agent of `dtCrowd`.
    pub const CROWD: Self =
        Self { max_polys: 256, max_passed: 16, has_long_rays: true, max_nodes: 512 };
}

/// A corridor from the polygon of an agent to the polygon of its target.
///
/// Usage: get the next corners ([`PathCorridor::corners`]), move the agent toward them, and report its new position
/// ([`PathCorridor::move_position`]), which adds and removes polygons at the start. Moves search only nearby, so they
/// must be short: if the agent is not in the first polygon afterwards, find a new corridor. Moves can make the corridor
/// longer than necessary; call [`PathCorridor::optimize_visibility`] and [`PathCorridor::optimize_topology`] from time
/// to time.
///
/// Invariants: there is at least one polygon. Each polygon was linked to the next one when it was added, except the
/// first one if [`PathCorridor::has_gap`].
///
/// Source: `dtPathCorridor`. Differs: without [`CorridorBounds`], the length of a corridor is not limited, and a move
/// may pass more than 16 polygons.
// Ordered so that an update of a crowd touches two cache lines.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[repr(C)]
pub struct PathCorridor {
    position: Vec3,
    target: Vec3,
    polys: Vec<PolyRef>,
    /// What the agent of a crowd knows about its path ahead.
    #[serde(skip)]
    cache: CorridorCache,
    /// Whether polygons may be missing after the first one.
    has_gap: bool,
    bounds: CorridorBounds,
    /// The polygons of the last move or ray; memory that is reused.
    #[serde(skip)]
    passed: Vec<PolyRef>,
}

impl PathCorridor {
    /// Returns the corridor of an agent that stays at `start`.
    pub fn new(start: MeshPoint) -> Self {
        let MeshPoint { poly, point } = start;
        Self {
            position: point,
            target: point,
            polys: vec![poly],
            has_gap: false,
            bounds: CorridorBounds::NONE,
            passed: Vec::new(),
            cache: CorridorCache::default(),
        }
    }

    /// Sets the limits, cuts the corridor off accordingly, and reserves memory for a corridor of maximum length if that
    /// is at most 256 polygons.
    #[must_use]
    pub fn with_bounds(mut self, bounds: CorridorBounds) -> Self {
        self.bounds = bounds;
        self.polys.truncate(bounds.max_polys.max(1));
        self.cache.clear();
        if bounds.max_polys <= ROOM {
            self.polys.reserve_exact(bounds.max_polys);
            self.passed.reserve_exact(ROOM_FOR_PASSED);
        }
        self
    }

    /// Creates the corridor of an agent of a crowd that stays at `start`. Moves and rays use memory that is lent.
    pub(crate) fn of_crowd(start: MeshPoint) -> Self {
        let mut corridor = Self::new(start);
        corridor.bounds = CorridorBounds::CROWD;
        corridor.polys.reserve_exact(CorridorBounds::CROWD.max_polys);
        corridor.cache.reserve();
        corridor
    }

    /// Calls `work` with a corridor that uses `memory` for the polygons of moves and rays. Agents of a crowd share such
    /// memory, so that it stays in the cache.
    #[inline]
    pub(crate) fn using<T>(
        &mut self,
        memory: &mut Vec<PolyRef>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        std::mem::swap(&mut self.passed, memory);
        let result = work(self);
        std::mem::swap(&mut self.passed, memory);
        result
    }

    /// Resets the corridor to that of an agent that stays at `start`. The limits are kept.
    ///
    /// Source: `dtPathCorridor::reset`.
    pub fn reset(&mut self, start: MeshPoint) {
        if self.position.xz() != start.point.xz() {
            self.cache.clear();
        }
        self.position = start.point;
        self.set(start.point, &[start.poly]);
    }

    /// Replaces the corridor. The position should be in the first polygon and `target` in the last one. Does nothing if
    /// `polys` is empty.
    pub fn set(&mut self, target: Vec3, polys: &[PolyRef]) {
        if !polys.is_empty() {
            self.target = target;
            self.cache.clear();
            self.polys.clear();
            self.polys.extend_from_slice(polys);
            self.polys.truncate(self.bounds.max_polys.max(1));
            self.has_gap = false;
        }
    }

    /// Returns the position of the agent.
    pub fn position(&self) -> Vec3 {
        self.position
    }

    /// Returns the position of the target.
    pub fn target(&self) -> Vec3 {
        self.target
    }

    /// Returns the polygons from the agent's to the target's. After [`PathCorridor::fix_start`], the first one is not
    /// linked to the second.
    pub fn polys(&self) -> &[PolyRef] {
        &self.polys
    }

    /// Returns whether [`PathCorridor::fix_start`] replaced the start, so that the first polygon is not linked to the
    /// second.
    pub fn has_gap(&self) -> bool {
        self.has_gap
    }

    /// Returns the polygon of the agent.
    pub fn first(&self) -> PolyRef {
        self.polys[0]
    }

    /// Returns the polygon of the target.
    pub fn last(&self) -> PolyRef {
        self.polys[self.polys.len() - 1]
    }

    /// Returns the polygons before a gap.
    fn connected(&self) -> &[PolyRef] {
        if self.has_gap { &self.polys[..1] } else { &self.polys }
    }

    /// Returns the next corners to walk to, at most `max`; the last one may be the target. Omits corners that the agent
    /// has reached, and everything after an off-mesh link.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if the first polygon is stale.
    ///
    /// Source: `dtPathCorridor::findCorners`, which returns one corner less than its buffer can hold.
    pub fn corners(
        &self,
        mesh: &NavMesh,
        max: usize,
        scratch: &mut Scratch,
    ) -> Result<Vec<PathPoint>, QueryError> {
        let mut corners = Vec::new();
        self.corners_into(mesh, max, scratch, &mut corners)?;
        Ok(corners)
    }

    /// Like [`PathCorridor::corners`], but reuses the memory of earlier corners.
    ///
    /// # Errors
    /// See [`PathCorridor::corners`].
    pub fn corners_into(
        &self,
        mesh: &NavMesh,
        max: usize,
        scratch: &mut Scratch,
        corners: &mut Vec<PathPoint>,
    ) -> Result<(), QueryError> {
        let request = StraightPathRequest::new(self.position, self.target, self.connected());
        straight_path_into(mesh, &request, scratch, corners)?;
        // As in Detour, reached corners count toward the maximum: cut before they are removed.
        corners.truncate(max.saturating_add(1));
        let is_ahead = |corner: &PathPoint| {
            corner.kind == PointKind::Connection
                || flat_distance_squared(corner.position, self.position) > AT_CORNER * AT_CORNER
        };
        let n_behind = corners.iter().position(is_ahead).unwrap_or(corners.len());
        corners.drain(..n_behind);
        corners.truncate(max);
        let leaves = corners.iter().position(|corner| corner.kind == PointKind::Connection);
        corners.truncate(leaves.map_or(corners.len(), |place| place + 1));
        Ok(())
    }

    /// Returns the first `room` points of the shortest line through the corridor, without those that the agent has
    /// reached and without everything after an off-mesh link. Reads only the part of the corridor that these
    /// points need.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if the first or last polygon is stale.
    ///
    /// Source: `dtPathCorridor::findCorners`. In contrast to [`PathCorridor::corners`], the result is that of Detour
    /// even if the agent is outside of its polygon or polygons of the corridor were removed.
    pub fn first_corners(
        &self,
        mesh: &NavMesh,
        room: usize,
        scratch: &mut Scratch,
    ) -> Result<Vec<PathPoint>, QueryError> {
        let mut corners = Vec::new();
        self.first_corners_into(mesh, room, scratch, &mut corners)?;
        Ok(corners)
    }

    /// Like [`PathCorridor::first_corners`], but reuses the memory of earlier corners.
    ///
    /// # Errors
    /// See [`PathCorridor::first_corners`].
    pub fn first_corners_into(
        &self,
        mesh: &NavMesh,
        room: usize,
        scratch: &mut Scratch,
        corners: &mut Vec<PathPoint>,
    ) -> Result<(), QueryError> {
        let ends = [self.position, self.target];
        find_first_points(mesh, ends, &self.polys, room, (&mut scratch.steps, corners))?;
        self.keep_corners_ahead(corners);
        Ok(())
    }

    /// Like [`PathCorridor::first_corners_into`], but keeps what it finds about the path ahead for the next call.
    pub(crate) fn next_corners_into(
        &mut self,
        mesh: &NavMesh,
        room: usize,
        scratch: &mut Scratch,
        corners: &mut Vec<PathPoint>,
    ) -> Result<(), QueryError> {
        let ends = [self.position, self.target];
        let limits = (room, CorridorCache::MAX_STEPS);
        let memory = (&mut self.cache, &mut scratch.steps, &mut *corners);
        find_points_ahead(mesh, (ends, &self.polys), limits, memory)?;
        self.keep_corners_ahead(corners);
        Ok(())
    }

    /// Removes corners that the agent has reached, and everything after an off-mesh link.
    fn keep_corners_ahead(&self, corners: &mut Vec<PathPoint>) {
        let is_ahead = |corner: &PathPoint| {
            corner.kind == PointKind::Connection
                || flat_distance_squared(corner.position, self.position) > AT_CORNER * AT_CORNER
        };
        let n_behind = corners.iter().position(is_ahead).unwrap_or(corners.len());
        corners.drain(..n_behind);
        let leaves = corners.iter().position(|corner| corner.kind == PointKind::Connection);
        corners.truncate(leaves.map_or(corners.len(), |place| place + 1));
    }

    /// Moves the agent toward `to`, as far as the surface extends, and updates the beginning of the corridor.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if the first polygon is stale or the point is not finite. Then nothing changes.
    ///
    /// Source: `dtPathCorridor::movePosition`.
    pub fn move_position(
        &mut self,
        mesh: &NavMesh,
        to: Vec3,
        filter: &Filter,
    ) -> Result<(), QueryError> {
        let start = MeshPoint { poly: self.first(), point: self.position };
        let request = MoveAlongRequest::new(start, to, filter);
        let MoveEnd { point, inside } = find_move(mesh, &request, &mut self.passed)?;
        self.passed.truncate(self.bounds.max_passed);
        self.merge_moved_start();
        let first = self.first();
        let inside = inside.filter(|_| self.passed.last() == Some(&first));
        self.cache.set_around(mesh, inside.map(|_| first));
        let height = match inside.and_then(|number| height_inside(mesh, number, point)) {
            Some(height) => height,
            None => poly_height(mesh, first, point)?.unwrap_or(self.position.y),
        };
        self.position = point.with_y(height);
        Ok(())
    }

    /// Moves the target toward `to`, as far as the surface extends, and updates the end of the corridor. The height of
    /// the target is not that of the surface, see [`move_along`](super::move_along).
    ///
    /// # Errors
    /// Returns a [`QueryError`] if the last polygon is stale or the point is not finite. Then nothing changes.
    ///
    /// Source: `dtPathCorridor::moveTargetPosition`.
    pub fn move_target(
        &mut self,
        mesh: &NavMesh,
        to: Vec3,
        filter: &Filter,
    ) -> Result<(), QueryError> {
        let start = MeshPoint { poly: self.last(), point: self.target };
        let request = MoveAlongRequest::new(start, to, filter);
        self.target = find_move(mesh, &request, &mut self.passed)?.point;
        self.cache.clear();
        self.passed.truncate(self.bounds.max_passed);
        if let Some([place, met]) = earliest_common(&self.polys, &self.passed) {
            self.polys.truncate(place + 1);
            self.polys.extend_from_slice(&self.passed[met + 1..]);
            self.polys.truncate(self.bounds.max_polys.max(1));
            self.has_gap &= place > 0;
        }
        Ok(())
    }

    /// Replaces the beginning of the corridor by the polygons of the ray from the agent to the corner `next`, if the
    /// ray hits no wall. `range` is the maximum length of the ray, in meters.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if the first polygon is stale or a number is not finite.
    ///
    /// Source: `dtPathCorridor::optimizePathVisibility`.
    pub fn optimize_visibility(
        &mut self,
        mesh: &NavMesh,
        next: Vec3,
        range: f32,
        filter: &Filter,
    ) -> Result<(), QueryError> {
        check_finite("the corner", next)?;
        let distance = flat_distance_squared(self.position, next).sqrt();
        if distance < AT_CORNER {
            return Ok(());
        }
        // Slightly beyond the corner: this also finds shortcuts over tile borders on open ground.
        let reach = (distance + 0.01).min(range);
        let goal = self.position + (next - self.position) * (range / reach);
        let start = MeshPoint { poly: self.first(), point: self.position };
        let max_polys = if self.bounds.has_long_rays { usize::MAX } else { MAX_RAY };
        let request = RaycastRequest { max_polys, ..RaycastRequest::new(start, goal, filter) };
        let mut ray = Raycast { visited: std::mem::take(&mut self.passed), ..Raycast::default() };
        let result = raycast_into(mesh, &request, &mut ray);
        self.passed = ray.visited;
        result?;
        self.passed.truncate(MAX_RAY);
        if self.passed.len() > 1 && ray.hit.t.is_none_or(|t| t > FREE) {
            self.merge_shortcut();
        }
        Ok(())
    }

    /// Searches near the agent for a cheaper beginning of the corridor. Returns `false` if the corridor is too short
    /// for that. `search` is reused from call to call.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if the first or last polygon is stale.
    ///
    /// Source: `dtPathCorridor::optimizePathTopology`.
    pub fn optimize_topology(
        &mut self,
        mesh: &NavMesh,
        filter: &Filter,
        search: &mut Option<SlicedPath>,
    ) -> Result<bool, QueryError> {
        if self.polys.len() < 3 {
            return Ok(false);
        }
        let ends = [
            MeshPoint { poly: self.first(), point: self.position },
            MeshPoint { poly: self.last(), point: self.target },
        ];
        let search = if let Some(search) = search {
            search.restart(mesh, ends)?;
            search
        } else {
            let [start, end] = ends;
            let max_nodes = self.bounds.max_nodes;
            let request = SlicedRequest { max_nodes, ..SlicedRequest::new(start, end) };
            search.insert(SlicedPath::new(mesh, &request, Scratch::default())?)
        };
        search.step(mesh, filter, MAX_LOCAL)?;
        search.find_polys_along(mesh, filter, &self.polys, &mut self.passed)?;
        self.passed.truncate(MAX_LOCAL);
        self.merge_shortcut();
        Ok(true)
    }

    /// Moves the agent to the far end of the off-mesh link `poly`. Returns both ends, the near one first; `None`
    /// if the corridor does not contain the connection.
    ///
    /// Source: `dtPathCorridor::moveOverOffmeshConnection`. Differs: if `poly` is the last polygon or no connection,
    /// nothing changes; it may be the first polygon.
    pub fn move_over_connection(&mut self, mesh: &NavMesh, poly: PolyRef) -> Option<[Vec3; 2]> {
        let place = self.polys.iter().position(|&passed| passed == poly)?;
        if place + 1 == self.polys.len() {
            return None;
        }
        let before = place.checked_sub(1).map(|before| self.polys[before]);
        let ends = connection_ends(mesh, before, poly)?;
        self.polys.drain(..=place);
        self.cache.clear();
        self.has_gap = false;
        self.position = ends[1];
        Some(ends)
    }

    /// Returns whether the first `n` polygons exist and pass `filter`.
    ///
    /// Source: `dtPathCorridor::isValid`.
    pub fn is_usable(&self, mesh: &NavMesh, n: usize, filter: &Filter) -> bool {
        let looks_past_gap = self.has_gap && n > 1;
        let mut ahead = self.polys.iter().take(n);
        !looks_past_gap && ahead.all(|&poly| is_usable(mesh, poly, filter))
    }

    /// Moves the agent to `safe` after its polygon was removed. The rest of the corridor remains, with a gap before it:
    /// call [`PathCorridor::trim`] or find a new corridor.
    ///
    /// Source: `dtPathCorridor::fixPathStart`.
    pub fn fix_start(&mut self, safe: MeshPoint) {
        self.position = safe.point;
        self.cache.clear();
        let last = self.last();
        // The first two polygons are removed, the last one is kept.
        let n_lost = if self.polys.len() < 3 { self.polys.len() } else { 2 };
        self.polys.drain(..n_lost);
        if self.polys.is_empty() {
            self.polys.push(last);
        }
        self.polys.insert(0, safe.poly);
        self.has_gap = true;
    }

    /// Cuts the corridor before the first polygon that was removed or does not pass `filter`, and moves the target into
    /// the last remaining polygon. If none remains, moves the agent to `safe`.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if the polygon of `safe` is stale, too.
    ///
    /// Source: `dtPathCorridor::trimInvalidPath`.
    pub fn trim(
        &mut self,
        mesh: &NavMesh,
        safe: MeshPoint,
        filter: &Filter,
    ) -> Result<(), QueryError> {
        let usable = self.connected().iter().take_while(|&&poly| is_usable(mesh, poly, filter));
        let n = usable.count();
        if n == self.polys.len() {
            return Ok(());
        }
        self.cache.clear();
        if n == 0 {
            self.position = safe.point;
            self.polys[0] = safe.poly;
        }
        self.polys.truncate(n.max(1));
        self.has_gap = false;
        self.target = closest_on_boundary(mesh, self.last(), self.target)?;
        Ok(())
    }

    /// Adds the polygons of a move of the agent to the start.
    ///
    /// Source: `dtMergeCorridorStartMoved`.
    fn merge_moved_start(&mut self) {
        if let Some([place, met]) = farthest_common(&self.polys, &self.passed) {
            let back = self.passed[met..].iter().rev().copied();
            if place == 0 && back.len() == 1 {
                // The agent is still in the first polygon.
                return;
            }
            if back.len() == 1 {
                self.cache.pass(place);
            } else {
                self.cache.clear();
            }
            self.polys.splice(..=place, back);
            self.polys.truncate(self.bounds.max_polys.max(1));
            self.has_gap &= place == 0;
        }
    }

    /// Replaces the beginning by the polygons of a shortcut.
    ///
    /// Source: `dtMergeCorridorStartShortcut`.
    fn merge_shortcut(&mut self) {
        if let Some([place, met]) = farthest_common(&self.polys, &self.passed)
            && met > 0
            && (place > 0 || !self.has_gap)
        {
            if self.polys[..place] == self.passed[..met] && !self.has_gap {
                // The corridor leads along the ray.
                return;
            }
            self.cache.clear();
            self.polys.splice(..place, self.passed[..met].iter().copied());
            self.polys.truncate(self.bounds.max_polys.max(1));
            self.has_gap = false;
        }
    }
}

/// Returns the index of the last polygon of `corridor` that is also in `visited`, and the index of its first match
/// there.
fn farthest_common(corridor: &[PolyRef], visited: &[PolyRef]) -> Option<[usize; 2]> {
    if let [only] = visited {
        return Some([corridor.iter().rposition(|poly| poly == only)?, 0]);
    }
    let places = corridor.iter().enumerate().rev();
    common(places, visited)
}

/// Returns the index of the first polygon of `corridor` that is also in `visited`, and the index of its first match
/// there.
fn earliest_common(corridor: &[PolyRef], visited: &[PolyRef]) -> Option<[usize; 2]> {
    common(corridor.iter().enumerate(), visited)
}

fn common<'a>(
    mut corridor: impl Iterator<Item = (usize, &'a PolyRef)>,
    visited: &[PolyRef],
) -> Option<[usize; 2]> {
    corridor.find_map(|(place, poly)| {
        let met = visited.iter().position(|met| met == poly)?;
        Some([place, met])
    })
}

/// Returns the ends of an off-mesh link, beginning with the end at the polygon `before`.
///
/// Source: `dtNavMesh::getOffMeshConnectionPolyEndPoints`.
fn connection_ends(mesh: &NavMesh, before: Option<PolyRef>, poly: PolyRef) -> Option<[Vec3; 2]> {
    let (tile, index) = mesh.resolve(poly)?;
    let connection = &tile.polys[index];
    if connection.kind != PolyKind::OffMesh {
        return None;
    }
    let start = mesh.links(poly).find(|link| link.edge == 0);
    let is_backward = start.is_some_and(|link| Some(link.to) != before);
    let [a, b] = tile.edge(connection, 0);
    Some(if is_backward { [b, a] } else { [a, b] })
}

fn flat_distance_squared(a: Vec3, b: Vec3) -> f32 {
    let (dx, dz) = (b.x - a.x, b.z - a.z);
    dx * dx + dz * dz
}
