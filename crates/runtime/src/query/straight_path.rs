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
    navmesh::{Marks, NavMesh, Numbers, PolyKind, PolyRef, Portal},
};

/// Points at a smaller distance are the same. Squared, in square meters.
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
    let mut ahead = StepsAhead::new(mesh, corridor, steps);
    for step in 0..corridor.len() {
        if ahead.step(step).is_none() {
            return;
        }
    }
}

/// The portals and off-mesh links that a path crosses, in order.
trait Steps {
    /// Returns the step with this index; `None` if the corridor ends before it.
    fn step(&mut self, index: usize) -> Option<CorridorStep>;

    /// Returns all requested steps, and possibly more.
    fn known(&self) -> &[CorridorStep];
}

impl Steps for &[CorridorStep] {
    fn step(&mut self, index: usize) -> Option<CorridorStep> {
        self.get(index).copied()
    }

    fn known(&self) -> &[CorridorStep] {
        self
    }
}

/// Steps that are found on request.
struct StepsAhead<'a> {
    mesh: &'a NavMesh,
    numbers: Numbers<'a>,
    corridor: &'a [PolyRef],
    found: &'a mut Vec<CorridorStep>,
    /// Number and marks of the polygon after the last found step.
    here: Option<(u32, Marks)>,
}

impl<'a> StepsAhead<'a> {
    fn new(mesh: &'a NavMesh, corridor: &'a [PolyRef], found: &'a mut Vec<CorridorStep>) -> Self {
        found.clear();
        let mut numbers = mesh.numbers();
        let first = corridor.first().and_then(|&poly| numbers.of(poly));
        let here = first.map(|number| (number, mesh.graph().marks(number)));
        Self { mesh, numbers, corridor, found, here }
    }

    fn find_next(&mut self) -> Option<()> {
        let graph = self.mesh.graph();
        let (from, here) = self.here?;
        let to = self.numbers.of(*self.corridor.get(self.found.len() + 1)?)?;
        let mut links = graph.links(from).iter();
        let place = links.position(|link| link.to == to)?;
        let there = graph.marks(to);
        self.found.push(CorridorStep {
            portal: self.mesh.portals().of(from)[place],
            changes_area: here.area != there.area,
            onto_connection: there.kind == PolyKind::OffMesh,
        });
        self.here = Some((to, there));
        Some(())
    }
}

impl Steps for StepsAhead<'_> {
    fn step(&mut self, index: usize) -> Option<CorridorStep> {
        while self.found.len() <= index {
            self.find_next()?;
        }
        self.found.get(index).copied()
    }

    fn known(&self) -> &[CorridorStep] {
        self.found
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
    points.clear();
    check_finite("the start", start)?;
    check_finite("the end", end)?;
    let [Some(&first), Some(&last)] = [corridor.first(), corridor.last()] else {
        return Err(QueryError::BadNumber { what: "a corridor without polygons" });
    };
    let start = super::closest_on_boundary(mesh, first, start)?;
    let goal = super::closest_on_boundary(mesh, last, end)?;
    let ahead = StepsAhead::new(mesh, corridor, steps);
    let mut funnel = Funnel::new(start, corridor, Crossings::None, ahead, points);
    funnel.room = room.max(1);
    funnel.append(start, PointKind::Start, Some(first));
    if funnel.is_full() || !funnel.run(goal) {
        return Ok(());
    }
    let n_steps = funnel.steps.known().len();
    if n_steps + 1 == corridor.len() {
        funnel.append(goal, PointKind::End, None);
    } else {
        let before = corridor[n_steps];
        let near = super::closest_on_boundary(mesh, before, end)?;
        funnel.append(near, PointKind::Turn, Some(before));
    }
    Ok(())
}

/// As [`straight_path`], with known steps through the corridor.
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
        self.steps.known().get(step).is_some_and(|step| step.onto_connection)
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
        let Some(&PathPoint { position: from, .. }) = self.points.last() else { return };
        for step in self.apex_step..until.min(self.steps.known().len()) {
            let CorridorStep { portal, changes_area, .. } = self.steps.known()[step];
            let is_wanted = match self.crossings {
                Crossings::None => return,
                Crossings::Areas => changes_area,
                Crossings::All => true,
            };
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
