//! The corridor of a moving agent, updated as the agent and its target move.

use glam::Vec3;

use serde::{Deserialize, Serialize};

use super::{
    Filter, MeshPoint, MoveAlongRequest, PathPoint, PointKind, QueryError, RaycastRequest, Scratch,
    SlicedPath, SlicedRequest, StraightPathRequest, closest_on_boundary,
    error::check_finite,
    is_usable,
    move_along::find_move,
    poly_height,
    raycast::cast,
    straight_path::{find_first_points, straight_path_into},
};
use crate::navmesh::{NavMesh, PolyKind, PolyRef};

/// A corner nearer than this to the agent, seen from above in meters, is behind it.
const AT_CORNER: f32 = 0.01;
/// Most polygons of a ray that makes a corridor straighter.
const MAX_RAY: usize = 32;
/// Most polygons expanded to find a shorter beginning of a corridor, and most that it has.
const MAX_LOCAL: usize = 32;
/// A corridor that has at most so many polygons has room for all of them at once.
const ROOM: usize = 256;
/// And its moves for so many.
const ROOM_FOR_PASSED: usize = 64;
/// A ray must get this far to count as free.
const FREE: f32 = 0.99;

/// How long a corridor and what it learns of its surroundings may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorridorBounds {
    /// Most polygons of the corridor. What is beyond them is cut off.
    pub max_polys: usize,
    /// Most polygons that a move passes. Of a longer move the corridor takes the beginning.
    pub max_passed: usize,
    /// Whether a ray that passes more than 32 polygons goes on to its end, though the corridor takes only the
    /// first 32, as in Detour before 2025. Else it is given up.
    pub has_long_rays: bool,
    /// Most nodes of a search for a shorter beginning, where none is given memory for more.
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
    /// Those of an agent of `dtCrowd`.
    pub const CROWD: Self =
        Self { max_polys: 256, max_passed: 16, has_long_rays: true, max_nodes: 512 };
}

/// A corridor with an agent in its first polygon and a target in its last.
///
/// The agent goes from corner to corner ([`PathCorridor::corners`]) and says where it got to
/// ([`PathCorridor::move_position`]); the corridor grows and shrinks with it. Moves are searched for
/// nearby only, so they must be small: compare the polygon reached with the one expected, and find a new
/// corridor where they differ. Each move can leave the corridor longer than it need be; once in a while
/// [`PathCorridor::optimize_visibility`] and [`PathCorridor::optimize_topology`] put that right.
///
/// Invariants: there is at least one polygon. Each is linked to the next when it gets there, save for the
/// first where [`PathCorridor::has_gap`] says so.
///
/// Source: `dtPathCorridor`. Differs: without [`CorridorBounds`] a corridor has no greatest length, and a move
/// may pass more than 16 polygons.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathCorridor {
    position: Vec3,
    target: Vec3,
    polys: Vec<PolyRef>,
    /// Whether something is missing after the first polygon.
    has_gap: bool,
    bounds: CorridorBounds,
    /// Memory for the polygons of a move or a ray.
    #[serde(skip)]
    passed: Vec<PolyRef>,
}

impl PathCorridor {
    /// The corridor of an agent that stays where it is.
    pub fn new(start: MeshPoint) -> Self {
        let MeshPoint { poly, point } = start;
        Self {
            position: point,
            target: point,
            polys: vec![poly],
            has_gap: false,
            bounds: CorridorBounds::NONE,
            passed: Vec::new(),
        }
    }

    /// The same corridor, which keeps to `bounds` from here on and has memory for as much as they allow, if that
    /// is not too much.
    #[must_use]
    pub fn with_bounds(mut self, bounds: CorridorBounds) -> Self {
        self.bounds = bounds;
        self.polys.truncate(bounds.max_polys.max(1));
        if bounds.max_polys <= ROOM {
            self.polys.reserve_exact(bounds.max_polys);
            self.passed.reserve_exact(ROOM_FOR_PASSED);
        }
        self
    }

    /// Lets the agent stay at `start`, as if newly made.
    ///
    /// Source: `dtPathCorridor::reset`.
    pub fn reset(&mut self, start: MeshPoint) {
        self.position = start.point;
        self.set(start.point, &[start.poly]);
    }

    /// Sets the corridor to `target`, which lies in the last polygon. The position should lie in the
    /// first. An empty corridor changes nothing.
    pub fn set(&mut self, target: Vec3, polys: &[PolyRef]) {
        if !polys.is_empty() {
            self.target = target;
            self.polys.clear();
            self.polys.extend_from_slice(polys);
            self.polys.truncate(self.bounds.max_polys.max(1));
            self.has_gap = false;
        }
    }

    /// Where the agent is.
    pub fn position(&self) -> Vec3 {
        self.position
    }

    /// Where it goes.
    pub fn target(&self) -> Vec3 {
        self.target
    }

    /// The polygons it passes, its own first. After [`PathCorridor::fix_start`] the first is not linked to
    /// the second.
    pub fn polys(&self) -> &[PolyRef] {
        &self.polys
    }

    /// Whether the start was lost and set anew, so that the first polygon is not linked to the second.
    pub fn has_gap(&self) -> bool {
        self.has_gap
    }

    /// The polygon that the agent is in.
    pub fn first(&self) -> PolyRef {
        self.polys[0]
    }

    /// The polygon that the target is in.
    pub fn last(&self) -> PolyRef {
        self.polys[self.polys.len() - 1]
    }

    /// The polygons up to a gap.
    fn connected(&self) -> &[PolyRef] {
        if self.has_gap { &self.polys[..1] } else { &self.polys }
    }

    /// Returns the next corners to walk to, at most `max`, the target among them if it is
    /// near. Corners under the agent's feet are left out, and what comes after a connection.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if the first polygon is stale.
    ///
    /// Source: `dtPathCorridor::findCorners`, which gives one corner less than it has room for.
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
        // Corners under the agent's feet would count as room taken, so the rest is cut first.
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

    /// Returns those of the first `room` points of the line through the corridor that are ahead of
    /// the agent; what comes after a connection is left out. Only as much of the corridor is looked at as these
    /// need.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if the first or last polygon is stale.
    ///
    /// Source: `dtPathCorridor::findCorners`. In contrast to [`PathCorridor::corners`] this is exact even if the
    /// agent stands beside its polygon or the corridor leads over polygons that are gone.
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
        let is_ahead = |corner: &PathPoint| {
            corner.kind == PointKind::Connection
                || flat_distance_squared(corner.position, self.position) > AT_CORNER * AT_CORNER
        };
        let n_behind = corners.iter().position(is_ahead).unwrap_or(corners.len());
        corners.drain(..n_behind);
        let leaves = corners.iter().position(|corner| corner.kind == PointKind::Connection);
        corners.truncate(leaves.map_or(corners.len(), |place| place + 1));
        Ok(())
    }

    /// Moves the agent towards `to`, as far as the surface leads, and the beginning of the corridor with
    /// it.
    ///
    /// # Errors
    /// [`QueryError`] where the first polygon is stale or the point not finite. Nothing is moved then.
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
        let point = find_move(mesh, &request, &mut self.passed)?;
        self.passed.truncate(self.bounds.max_passed);
        self.merge_moved_start();
        let height = poly_height(mesh, self.first(), point)?.unwrap_or(self.position.y);
        self.position = point.with_y(height);
        Ok(())
    }

    /// Moves the target towards `to`, as far as the surface leads, and the end of the corridor with it. Its
    /// height is not that of the surface: see [`move_along`](super::move_along).
    ///
    /// # Errors
    /// [`QueryError`] where the last polygon is stale or the point not finite. Nothing is moved then.
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
        self.target = find_move(mesh, &request, &mut self.passed)?;
        self.passed.truncate(self.bounds.max_passed);
        if let Some([place, met]) = earliest_common(&self.polys, &self.passed) {
            self.polys.truncate(place + 1);
            self.polys.extend_from_slice(&self.passed[met + 1..]);
            self.polys.truncate(self.bounds.max_polys.max(1));
            self.has_gap &= place > 0;
        }
        Ok(())
    }

    /// Walks straight towards `next`, a corner, where the agent can see that far, instead of along the
    /// corridor. `range` in meters bounds how far it looks.
    ///
    /// # Errors
    /// [`QueryError`] where the first polygon is stale or a number not finite.
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
        // A little beyond, which helps where tiles meet on open ground.
        let reach = (distance + 0.01).min(range);
        let goal = self.position + (next - self.position) * (range / reach);
        let start = MeshPoint { poly: self.first(), point: self.position };
        let max_polys = if self.bounds.has_long_rays { usize::MAX } else { MAX_RAY };
        let request = RaycastRequest { max_polys, ..RaycastRequest::new(start, goal, filter) };
        let hit = cast(mesh, &request, &mut self.passed)?;
        self.passed.truncate(MAX_RAY);
        if self.passed.len() > 1 && hit.t.is_none_or(|t| t > FREE) {
            self.merge_shortcut();
        }
        Ok(())
    }

    /// Searches a little around the agent for a shorter beginning of the corridor; whether it searched.
    /// `search` is memory that is used again from call to call.
    ///
    /// # Errors
    /// [`QueryError`] where the first or last polygon is stale.
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

    /// Puts the agent at the far end of connection `poly`, if the corridor leads over it. The answer is
    /// where it leaves the ground and where it lands.
    ///
    /// Source: `dtPathCorridor::moveOverOffmeshConnection`. Differs: nothing changes where
    /// the connection is the last polygon, or none; it may be the first.
    pub fn move_over_connection(&mut self, mesh: &NavMesh, poly: PolyRef) -> Option<[Vec3; 2]> {
        let place = self.polys.iter().position(|&passed| passed == poly)?;
        if place + 1 == self.polys.len() {
            return None;
        }
        let before = place.checked_sub(1).map(|before| self.polys[before]);
        let ends = connection_ends(mesh, before, poly)?;
        self.polys.drain(..=place);
        self.has_gap = false;
        self.position = ends[1];
        Some(ends)
    }

    /// Whether the first `n` polygons are still there and pass `filter`.
    ///
    /// Source: `dtPathCorridor::isValid`.
    pub fn is_usable(&self, mesh: &NavMesh, n: usize, filter: &Filter) -> bool {
        let looks_past_gap = self.has_gap && n > 1;
        let mut ahead = self.polys.iter().take(n);
        !looks_past_gap && ahead.all(|&poly| is_usable(mesh, poly, filter))
    }

    /// Puts the agent onto `safe` where its own polygon is lost. The rest of the corridor stays, after a
    /// gap: call [`PathCorridor::trim`] or find a new one.
    ///
    /// Source: `dtPathCorridor::fixPathStart`.
    pub fn fix_start(&mut self, safe: MeshPoint) {
        self.position = safe.point;
        let last = self.last();
        // The second polygon is given up along with the first; the last is kept.
        let n_lost = if self.polys.len() < 3 { self.polys.len() } else { 2 };
        self.polys.drain(..n_lost);
        if self.polys.is_empty() {
            self.polys.push(last);
        }
        self.polys.insert(0, safe.poly);
        self.has_gap = true;
    }

    /// Cuts the corridor before the first polygon that is gone or does not pass `filter`, and moves the
    /// target into what is left. Where nothing is, the agent is put onto `safe`.
    ///
    /// # Errors
    /// [`QueryError`] where that is stale, too.
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
        if n == 0 {
            self.position = safe.point;
            self.polys[0] = safe.poly;
        }
        self.polys.truncate(n.max(1));
        self.has_gap = false;
        self.target = closest_on_boundary(mesh, self.last(), self.target)?;
        Ok(())
    }

    /// The agent has walked through `passed`.
    ///
    /// Source: `dtMergeCorridorStartMoved`.
    fn merge_moved_start(&mut self) {
        if let Some([place, met]) = farthest_common(&self.polys, &self.passed) {
            let back = self.passed[met..].iter().rev().copied();
            self.polys.splice(..=place, back);
            self.polys.truncate(self.bounds.max_polys.max(1));
            self.has_gap &= place == 0;
        }
    }

    /// The agent can go through `passed` instead.
    ///
    /// Source: `dtMergeCorridorStartShortcut`.
    fn merge_shortcut(&mut self) {
        if let Some([place, met]) = farthest_common(&self.polys, &self.passed)
            && met > 0
            && (place > 0 || !self.has_gap)
        {
            self.polys.splice(..place, self.passed[..met].iter().copied());
            self.polys.truncate(self.bounds.max_polys.max(1));
            self.has_gap = false;
        }
    }
}

/// Places of the last polygon of `corridor` that is in `visited`, in both, the first there.
fn farthest_common(corridor: &[PolyRef], visited: &[PolyRef]) -> Option<[usize; 2]> {
    let places = corridor.iter().enumerate().rev();
    common(places, visited)
}

/// Places of the first polygon of `corridor` that is in `visited`, in both, the first there.
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

/// Both ends of a connection, the one first at which one gets onto it from `before`.
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
