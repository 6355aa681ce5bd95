//! The shortest line through a corridor.
//!
//! A funnel between the two lines of sight from the last corner is narrowed by the portals in order. If the end of a
//! portal is beyond the opposite side, the end of that side is a corner of the path, and a new funnel begins there.
//!
//! Source: `dtNavMeshQuery::findStraightPath`.

use glam::Vec3;

use super::{
    Crossings, PathPoint, PointKind, QueryError, Scratch, error::check_finite,
    path_point::CorridorStep,
};
use crate::{
    geom::from_above::{crossing, doubled_area, nearest_on_segment, point_between},
    navmesh::{Marks, NavMesh, PolyRef, Portal, Revision},
};

/// Points at a smaller distance count as the same. Squared, in square meters.
const SAME_POINT_SQR: f32 = (1.0 / 16384.0) * (1.0 / 16384.0);
/// A first portal at a smaller distance from the start is skipped. Squared, in square meters.
const AT_PORTAL_SQR: f32 = 0.001 * 0.001;

/// Parameters of [`straight_path`].
#[derive(Clone, Copy, Debug)]
pub struct StraightPathRequest<'a> {
    /// Start of the path, in the first polygon of the corridor.
    pub start: Vec3,
    /// End of the path, in the last polygon.
    pub end: Vec3,
    /// The polygons of the corridor, from start to end.
    pub corridor: &'a [PolyRef],
    /// The extra points between the corners.
    pub crossings: Crossings,
}

impl<'a> StraightPathRequest<'a> {
    /// Requests the corners of the path from `start` to `end` through `corridor`.
    pub fn new(start: Vec3, end: Vec3, corridor: &'a [PolyRef]) -> Self {
        Self { start, end, corridor, crossings: Crossings::None }
    }
}

/// Finds the points of the shortest line through a corridor.
/// Start and end are first moved to the nearest points of the first and last polygon. If consecutive polygons are not
/// linked, the path ends before them.
///
/// # Errors
/// Returns a [`QueryError`] if the first polygon is stale, the corridor is empty, or a point is not finite.
///
/// Source: `dtNavMeshQuery::findStraightPath`. Differs: if a later polygon is stale, the path has all corners up to it,
/// instead of a straight line from the last known corner.
pub fn straight_path(
    mesh: &NavMesh,
    request: &StraightPathRequest<'_>,
    scratch: &mut Scratch,
) -> Result<Vec<PathPoint>, QueryError> {
    let mut points = Vec::new();
    straight_path_into(mesh, request, scratch, &mut points)?;
    Ok(points)
}

/// Like [`straight_path`], but reuses the memory of an earlier path: if both were used before, nothing is allocated.
///
/// # Errors
/// See [`straight_path`].
pub fn straight_path_into(
    mesh: &NavMesh,
    request: &StraightPathRequest<'_>,
    scratch: &mut Scratch,
    points: &mut Vec<PathPoint>,
) -> Result<(), QueryError> {
    let StraightPathRequest { start, end, corridor, crossings } = *request;
    find_steps(mesh, corridor, &mut scratch.steps);
    funnel(mesh, [start, end], corridor, crossings, &scratch.steps, points)
}

/// Finds the portals and off-mesh links between the polygons of `corridor`, up to the first missing link.
pub(super) fn find_steps(mesh: &NavMesh, corridor: &[PolyRef], steps: &mut Vec<CorridorStep>) {
    steps.clear();
    let Some((&first, others)) = corridor.split_first() else { return };
    let Some(mut from) = mesh.number(first) else { return };
    let (graph, portals) = (mesh.graph(), mesh.portals());
    let mut here = graph.marks(from);
    for &poly in others {
        let Some((to, portal)) = portals.between(from, poly) else { return };
        let there = graph.marks(to);
        steps.push(CorridorStep::new(portal, here, there));
        (from, here) = (to, there);
    }
}

/// The portals and off-mesh links that a path crosses, in order.
trait Steps {
    /// Returns the step with this index; `None` if the corridor ends before it.
    fn step(&mut self, index: usize) -> Option<CorridorStep>;

    /// Returns the number of all requested steps, and possibly of more.
    fn n_known(&self) -> usize;

    /// Returns the step with this index if it is known.
    fn known(&self, index: usize) -> Option<&CorridorStep>;
}

impl Steps for &[CorridorStep] {
    fn step(&mut self, index: usize) -> Option<CorridorStep> {
        self.get(index).copied()
    }

    fn n_known(&self) -> usize {
        self.len()
    }

    fn known(&self, index: usize) -> Option<&CorridorStep> {
        self.get(index)
    }
}

/// Steps that are found on request.
struct StepsAhead<'a> {
    mesh: &'a NavMesh,
    corridor: &'a [PolyRef],
    /// The first steps, some of which may be known from an earlier path, and the maximum number of them.
    first: &'a mut Vec<CorridorStep>,
    max_first: usize,
    /// The steps after them.
    further: &'a mut Vec<CorridorStep>,
    /// Number and marks of the polygon after the last known step, if they have been looked up.
    here: Option<(u32, Marks)>,
}

impl<'a> StepsAhead<'a> {
    fn new(
        mesh: &'a NavMesh,
        corridor: &'a [PolyRef],
        (first, max_first): (&'a mut Vec<CorridorStep>, usize),
        further: &'a mut Vec<CorridorStep>,
    ) -> Self {
        further.clear();
        Self { mesh, corridor, first, max_first, further, here: None }
    }

    fn find_next(&mut self) -> Option<()> {
        let place = self.n_known();
        let next = *self.corridor.get(place + 1)?;
        let graph = self.mesh.graph();
        let (from, here) = if let Some(here) = self.here {
            here
        } else {
            let number = self.mesh.number(*self.corridor.get(place)?)?;
            (number, graph.marks(number))
        };
        let (to, portal) = self.mesh.portals().between(from, next)?;
        let there = graph.marks(to);
        let step = CorridorStep::new(portal, here, there);
        if self.first.len() < self.max_first {
            self.first.push(step);
        } else {
            self.further.push(step);
        }
        self.here = Some((to, there));
        Some(())
    }
}

impl Steps for StepsAhead<'_> {
    #[inline]
    fn step(&mut self, index: usize) -> Option<CorridorStep> {
        if let Some(step) = self.first.get(index) {
            return Some(*step);
        }
        while self.n_known() <= index {
            self.find_next()?;
        }
        self.known(index).copied()
    }

    fn n_known(&self) -> usize {
        self.first.len() + self.further.len()
    }

    fn known(&self, index: usize) -> Option<&CorridorStep> {
        let after = || self.further.get(index.checked_sub(self.first.len())?);
        self.first.get(index).or_else(after)
    }
}

/// What is known about the path through a corridor, as long as neither the corridor nor the navmesh changes.
#[derive(Clone, Debug, Default)]
pub(super) struct CorridorCache {
    /// The state of the navmesh.
    state: Option<Revision>,
    /// The first steps.
    steps: Vec<CorridorStep>,
    /// The point of the last polygon nearest to the target.
    goal: Option<Vec3>,
    /// A polygon inside which the start lies.
    around: Option<PolyRef>,
}

impl CorridorCache {
    /// Maximum number of steps that are kept.
    pub(super) const MAX_STEPS: usize = 64;

    /// Reserves memory for all steps that are kept.
    pub(super) fn reserve(&mut self) {
        self.steps.reserve_exact(Self::MAX_STEPS);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.goal = None;
        self.around = None;
    }

    /// Stores the polygon in which the start lies, if it is known.
    pub(super) fn set_around(&mut self, mesh: &NavMesh, around: Option<PolyRef>) {
        self.prepare(mesh);
        self.around = around;
    }

    /// Removes the first `n` steps, because as many polygons were removed.
    pub(super) fn pass(&mut self, n: usize) {
        self.steps.drain(..n.min(self.steps.len()));
    }

    fn prepare(&mut self, mesh: &NavMesh) {
        if !self.state.as_ref().is_some_and(|state| state.is(mesh.state())) {
            self.clear();
            self.state = Some(mesh.state().clone());
        }
    }
}

/// Finds the first `room` points of the line from `start` to `end` through `corridor`. If a polygon of the corridor
/// does not exist any more, the last point is the one nearest to the end on the polygon before it.
///
/// # Errors
/// Returns a [`QueryError`] if the first or last polygon is stale, or a point is not finite.
///
/// Source: `dtNavMeshQuery::findStraightPath` with a maximum number of points.
pub(super) fn find_first_points(
    mesh: &NavMesh,
    [start, end]: [Vec3; 2],
    corridor: &[PolyRef],
    room: usize,
    (steps, points): (&mut Vec<CorridorStep>, &mut Vec<PathPoint>),
) -> Result<(), QueryError> {
    let cache = &mut CorridorCache::default();
    find_points_ahead(mesh, ([start, end], corridor), (room, 0), (cache, steps, points))
}

/// Like [`find_first_points`], but uses and extends what is known about the path ahead, up to `max_kept` steps.
pub(super) fn find_points_ahead(
    mesh: &NavMesh,
    ([start, end], corridor): ([Vec3; 2], &[PolyRef]),
    (room, max_kept): (usize, usize),
    (cache, steps, points): (&mut CorridorCache, &mut Vec<CorridorStep>, &mut Vec<PathPoint>),
) -> Result<(), QueryError> {
    points.clear();
    check_finite("the start", start)?;
    check_finite("the end", end)?;
    let [Some(&first), Some(&last)] = [corridor.first(), corridor.last()] else {
        return Err(QueryError::BadNumber { what: "a corridor without polygons" });
    };
    cache.prepare(mesh);
    let start = if cache.around == Some(first) {
        start
    } else {
        super::closest_on_boundary(mesh, first, start)?
    };
    let goal = match cache.goal {
        Some(goal) => goal,
        None => super::closest_on_boundary(mesh, last, end)?,
    };
    cache.goal = Some(goal);
    let ahead = StepsAhead::new(mesh, corridor, (&mut cache.steps, max_kept), steps);
    let mut funnel = Funnel::new(start, corridor, Crossings::None, ahead, points);
    funnel.room = room.max(1);
    funnel.append(start, PointKind::Start, Some(first));
    if funnel.is_full() || !funnel.run(goal) {
        return Ok(());
    }
    let n_steps = funnel.steps.n_known();
    if n_steps + 1 == corridor.len() {
        funnel.append(goal, PointKind::End, None);
    } else {
        let before = corridor[n_steps];
        let near = super::closest_on_boundary(mesh, before, end)?;
        funnel.append(near, PointKind::Turn, Some(before));
    }
    Ok(())
}

/// Like [`straight_path`], with known steps through the corridor.
pub(super) fn funnel(
    mesh: &NavMesh,
    [start, end]: [Vec3; 2],
    corridor: &[PolyRef],
    crossings: Crossings,
    steps: &[CorridorStep],
    points: &mut Vec<PathPoint>,
) -> Result<(), QueryError> {
    points.clear();
    check_finite("the start", start)?;
    check_finite("the end", end)?;
    let corridor = &corridor[..corridor.len().min(steps.len() + 1)];
    let [Some(&first), Some(&last)] = [corridor.first(), corridor.last()] else {
        return Err(QueryError::BadNumber { what: "a corridor without polygons" });
    };
    let start = super::closest_on_boundary(mesh, first, start)?;
    let end = super::closest_on_boundary(mesh, last, end)?;
    pull_string([start, end], corridor, crossings, steps, points);
    Ok(())
}

/// Finds the points of the shortest line through a corridor with these steps. The ends must lie in its first and last
/// polygon; an empty corridor has no points.
pub(super) fn pull_string(
    [start, end]: [Vec3; 2],
    corridor: &[PolyRef],
    crossings: Crossings,
    steps: &[CorridorStep],
    points: &mut Vec<PathPoint>,
) {
    points.clear();
    let Some(&first) = corridor.first() else { return };
    let mut funnel = Funnel::new(start, corridor, crossings, steps, points);
    funnel.append(start, PointKind::Start, Some(first));
    if funnel.run(end) {
        funnel.append_crossings(steps.len(), end);
    }
    funnel.append(end, PointKind::End, None);
}

/// One side of the funnel.
#[derive(Clone, Copy)]
struct Side {
    point: Vec3,
    /// The step whose portal the side ends at.
    step: usize,
    /// Index in the corridor of the polygon behind that portal; `None` behind the end of the path.
    enters: Option<usize>,
}

impl Side {
    fn new(point: Vec3, step: usize, enters: Option<usize>) -> Self {
        Self { point, step, enters }
    }
}

/// A side of the funnel. The computations of one side mirror those of the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hand {
    Left,
    Right,
}

struct Funnel<'a, S> {
    corridor: &'a [PolyRef],
    crossings: Crossings,
    steps: S,
    points: &'a mut Vec<PathPoint>,
    /// Maximum number of points.
    room: usize,
    /// The last corner.
    apex: Vec3,
    apex_step: usize,
    left: Side,
    right: Side,
}

impl<'a, S: Steps> Funnel<'a, S> {
    fn new(
        start: Vec3,
        corridor: &'a [PolyRef],
        crossings: Crossings,
        steps: S,
        points: &'a mut Vec<PathPoint>,
    ) -> Self {
        let [left, right] = [Side::new(start, 0, Some(0)); 2];
        let (room, apex, apex_step) = (usize::MAX, start, 0);
        Self { corridor, crossings, steps, points, room, apex, apex_step, left, right }
    }

    /// Appends all corners. Returns `false` if one of them was the end, or the last for which there is room.
    fn run(&mut self, end: Vec3) -> bool {
        let n_steps = self.corridor.len().saturating_sub(1);
        let mut step = 0;
        // Each corner is at a later step than the one before, unless sizes are so extreme that rounding matters.
        let mut corners_left = n_steps + 2;
        while n_steps > 0 && step <= n_steps && corners_left > 0 {
            let is_last = step == n_steps;
            let portal = match self.steps.step(step) {
                Some(step) => step.portal,
                None if is_last => Portal { left: end, right: end },
                // The corridor has polygons that do not exist any more.
                None => return true,
            };
            if step == 0 && self.starts_at(&portal) {
                step += 1;
                continue;
            }
            let enters = (!is_last).then_some(step + 1);
            let right = Side::new(portal.right, step, enters);
            let left = Side::new(portal.left, step, enters);
            let corner = match self.narrow(Hand::Right, right) {
                None => self.narrow(Hand::Left, left),
                corner => corner,
            };
            match corner {
                None => step += 1,
                Some(corner) => {
                    corners_left -= 1;
                    if !self.turn(corner) {
                        return false;
                    }
                    step = self.apex_step + 1;
                }
            }
        }
        true
    }

    fn starts_at(&self, portal: &Portal) -> bool {
        nearest_on_segment(self.apex, portal.left, portal.right).distance_sqr < AT_PORTAL_SQR
    }

    /// Moves one side of the funnel inward to `side`. If that would cross the other side, leaves the funnel unchanged
    /// and returns the end of the other side, which is a corner.
    fn narrow(&mut self, hand: Hand, side: Side) -> Option<Side> {
        let (own, other) = match hand {
            Hand::Left => (self.left, self.right),
            Hand::Right => (self.right, self.left),
        };
        let inward = |from: Vec3| {
            let area = doubled_area(self.apex, from, side.point);
            if hand == Hand::Left { area } else { -area }
        };
        // With this comparison, a NaN area leaves the funnel unchanged.
        let is_narrower = inward(own.point) >= 0.0;
        if !is_narrower {
            return None;
        }
        let is_still_open = is_same(self.apex, own.point) || inward(other.point) < 0.0;
        if !is_still_open {
            return Some(other);
        }
        match hand {
            Hand::Left => self.left = side,
            Hand::Right => self.right = side,
        }
        None
    }

    /// Adds a corner and begins a new funnel there; returns `false` if it is the end of the path.
    fn turn(&mut self, corner: Side) -> bool {
        self.append_crossings(corner.step, corner.point);
        let kind = match corner.enters {
            None => PointKind::End,
            Some(_) if self.leads_onto_connection(corner.step) => PointKind::Connection,
            Some(_) => PointKind::Turn,
        };
        let poly = corner.enters.map(|place| self.corridor[place]);
        self.apex = corner.point;
        self.apex_step = corner.step;
        self.left = Side { point: corner.point, step: corner.step, ..self.left };
        self.right = Side { point: corner.point, step: corner.step, ..self.right };
        !self.append(corner.point, kind, poly) || kind != PointKind::End && !self.is_full()
    }

    fn leads_onto_connection(&self, step: usize) -> bool {
        self.steps.known(step).is_some_and(|step| step.onto_connection)
    }

    fn is_full(&self) -> bool {
        self.points.len() >= self.room
    }

    /// Appends a point, or changes the last one if they are the same. Returns whether it was appended.
    fn append(&mut self, position: Vec3, kind: PointKind, poly: Option<PolyRef>) -> bool {
        match self.points.last_mut() {
            Some(last) if is_same(last.position, position) => {
                last.kind = kind;
                last.poly = poly;
                false
            }
            _ => {
                self.points.push(PathPoint { position, kind, poly });
                true
            }
        }
    }

    /// Appends the points at which the line from the last point to `to` crosses portals before `until`.
    fn append_crossings(&mut self, until: usize, to: Vec3) {
        let only_areas = match self.crossings {
            Crossings::None => return,
            Crossings::Areas => true,
            Crossings::All => false,
        };
        let Some(&PathPoint { position: from, .. }) = self.points.last() else { return };
        for step in self.apex_step..until {
            let Some(&CorridorStep { portal, changes_area, .. }) = self.steps.known(step) else {
                return;
            };
            let is_wanted = changes_area || !only_areas;
            if is_wanted && let Some([_, t]) = crossing([from, to], [portal.left, portal.right]) {
                let poly = self.corridor[step + 1];
                let position = point_between(portal.left, portal.right, t);
                self.append(position, PointKind::Turn, Some(poly));
            }
        }
    }
}

/// Returns whether two points of a path are the same.
pub(super) fn is_same(a: Vec3, b: Vec3) -> bool {
    a.distance_squared(b) < SAME_POINT_SQR
}
