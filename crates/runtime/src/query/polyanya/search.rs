//! The search itself, over any [`Polygons`].

use std::{cmp::Reverse, collections::BinaryHeap};

use glam::DVec2;

use super::{
    cone::{Cone, Interval},
    roots::Roots,
    surface::{GateEnd, PlanePoint, Polygons},
};
use crate::query::QueryError;

/// Points within this many tolerances of each other may be the same.
const NEARBY: f64 = 4.0;

/// Parameters of [`shortest_in_plane`].
#[derive(Clone, Copy, Debug)]
pub struct PlaneRequest<P> {
    /// Start of the path.
    pub start: PlanePoint<P>,
    /// End of the path.
    pub end: PlanePoint<P>,
    /// Maximum number of nodes of the search.
    pub max_nodes: usize,
}

impl<P> PlaneRequest<P> {
    /// Requests the shortest path from `start` to `end`, with any number of nodes.
    pub fn new(start: PlanePoint<P>, end: PlanePoint<P>) -> Self {
        Self { start, end, max_nodes: usize::MAX }
    }
}

/// The shortest path between two points, seen from above.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanePath<P> {
    /// How the search ended.
    pub outcome: PlaneOutcome,
    /// Length of the path; infinite if there is none.
    pub length: f64,
    /// Start, the corners at which it turns, and end; empty if there is no path.
    pub points: Vec<DVec2>,
    /// The polygons that the path passes.
    pub corridor: Vec<P>,
    /// Number of nodes that were expanded.
    pub n_expanded: usize,
}

impl<P> Default for PlanePath<P> {
    /// Returns the result of a search without a path, without allocations.
    fn default() -> Self {
        let (points, corridor) = (Vec::new(), Vec::new());
        Self {
            outcome: PlaneOutcome::Unreachable,
            length: f64::INFINITY,
            points,
            corridor,
            n_expanded: 0,
        }
    }
}

impl<P> PlanePath<P> {
    /// Clears the result but keeps its allocations.
    fn clear(&mut self) {
        self.points.clear();
        self.corridor.clear();
        (self.outcome, self.length, self.n_expanded) =
            (PlaneOutcome::Unreachable, f64::INFINITY, 0);
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaneOutcome {
    /// There is a path, and none is shorter.
    Found,
    /// There is no path.
    Unreachable,
    /// The search used all its nodes.
    OutOfNodes,
}

/// An expanded node: the part of an edge that is visible from the last turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneExpansion<P> {
    /// The entered polygon.
    pub poly: P,
    /// Left and right end of the part of the edge over which it was entered.
    pub interval: [DVec2; 2],
    /// The last turn.
    pub root: DVec2,
    /// Length of the path to the last turn.
    pub g: f64,
    /// Minimum length of the path from the last turn over the interval to the end.
    pub h: f64,
    /// Index in the list of the node from which it was reached.
    pub parent: Option<u32>,
}

/// Memory that searches reuse; once warm, it does not allocate. A scratch created by [`PlaneScratch::traced`] also keeps
/// a trace.
#[derive(Clone, Debug)]
pub struct PlaneScratch<P> {
    nodes: Vec<Node<P>>,
    /// Nodes by minimum length of a path, as bits, which have the same order; of equal ones, the newest first.
    open: BinaryHeap<Reverse<(u64, Reverse<u32>)>>,
    roots: Roots,
    successors: Vec<Node<P>>,
    trace: Option<PlaneTrace<P>>,
}

impl<P> Default for PlaneScratch<P> {
    fn default() -> Self {
        let (nodes, successors) = (Vec::new(), Vec::new());
        Self { nodes, open: BinaryHeap::new(), roots: Roots::default(), successors, trace: None }
    }
}

impl<P> PlaneScratch<P> {
    /// Creates a scratch that also keeps a trace of the last search.
    pub fn traced() -> Self {
        Self { trace: Some(PlaneTrace::default()), ..Self::default() }
    }

    /// Returns what the last search expanded, in order; empty if no trace is kept.
    pub fn expanded(&self) -> &[PlaneExpansion<P>] {
        self.trace.as_ref().map_or(&[], |trace| &trace.expanded)
    }
}

/// Receives every expansion.
trait Watcher<P> {
    fn expanded(&mut self, nodes: &[Node<P>], at: u32, target: DVec2);
}

/// Ignores expansions.
struct NoWatcher;

impl<P> Watcher<P> for NoWatcher {
    fn expanded(&mut self, _: &[Node<P>], _: u32, _: DVec2) {}
}

/// Stores every expansion.
#[derive(Clone, Debug)]
struct PlaneTrace<P> {
    expanded: Vec<PlaneExpansion<P>>,
    /// The expansion of each node.
    places: Vec<Option<u32>>,
}

impl<P> Default for PlaneTrace<P> {
    fn default() -> Self {
        Self { expanded: Vec::new(), places: Vec::new() }
    }
}

impl<P: Copy> Watcher<P> for PlaneTrace<P> {
    fn expanded(&mut self, nodes: &[Node<P>], at: u32, target: DVec2) {
        self.places.resize(nodes.len(), None);
        let node = &nodes[at as usize];
        self.places[at as usize] = u32::try_from(self.expanded.len()).ok();
        let Interval { left, right } = node.interval;
        let parent = (node.parent != at).then(|| self.places[node.parent as usize]).flatten();
        let (poly, root, g) = (node.poly, node.root, node.g);
        let (h, _) = node.interval.path_over(root, target);
        let interval = [left.at, right.at];
        self.expanded.push(PlaneExpansion { poly, interval, root, g, h, parent });
    }
}

/// The part of an edge that is visible from the last turn of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<P> {
    interval: Interval,
    /// The last turn.
    root: DVec2,
    /// Length of the path to the last turn.
    g: f64,
    /// The polygon behind the edge.
    poly: P,
    /// Number of the last turn.
    root_number: u32,
    /// The node from which it was reached; the start refers to itself.
    parent: u32,
}

/// Finds the shortest path between two points of `surface`.
///
/// # Errors
/// Returns [`QueryError::BadNumber`] if a point is not finite.
pub fn shortest_in_plane<S: Polygons>(
    surface: &S,
    request: &PlaneRequest<S::Poly>,
    scratch: &mut PlaneScratch<S::Poly>,
) -> Result<PlanePath<S::Poly>, QueryError> {
    let mut path = PlanePath::default();
    shortest_in_plane_into(surface, request, scratch, &mut path)?;
    Ok(path)
}

/// Like [`shortest_in_plane`], but reuses the memory of an earlier path: if both were used before, nothing is
/// allocated.
///
/// # Errors
/// See [`shortest_in_plane`].
pub fn shortest_in_plane_into<S: Polygons>(
    surface: &S,
    request: &PlaneRequest<S::Poly>,
    scratch: &mut PlaneScratch<S::Poly>,
    path: &mut PlanePath<S::Poly>,
) -> Result<(), QueryError> {
    path.clear();
    let PlaneScratch { nodes, open, roots, successors, trace } = scratch;
    nodes.clear();
    open.clear();
    roots.reset();
    if let Some(PlaneTrace { expanded, places }) = trace {
        expanded.clear();
        places.clear();
    }
    let &PlaneRequest { start, end: target, max_nodes } = request;
    for (what, place) in [("the start", start), ("the end", target)] {
        if !place.point.is_finite() {
            return Err(QueryError::BadNumber { what });
        }
    }
    let mut search = PolyanyaSearch { surface, target, max_nodes, nodes, open, roots, successors };
    search.nodes.push(Node {
        interval: Interval::at(start.point),
        root: start.point,
        g: 0.0,
        poly: start.poly,
        root_number: 0,
        parent: 0,
    });
    let found = match trace {
        Some(trace) => search.run(&mut path.n_expanded, trace),
        None => search.run(&mut path.n_expanded, &mut NoWatcher),
    };
    path.outcome = match found {
        Ok(Some(last)) => {
            search.draw(last, path);
            PlaneOutcome::Found
        }
        Ok(None) => PlaneOutcome::Unreachable,
        Err(OutOfNodes) => PlaneOutcome::OutOfNodes,
    };
    Ok(())
}

struct OutOfNodes;

struct PolyanyaSearch<'a, S: Polygons> {
    surface: &'a S,
    target: PlanePoint<S::Poly>,
    max_nodes: usize,
    nodes: &'a mut Vec<Node<S::Poly>>,
    open: &'a mut BinaryHeap<Reverse<(u64, Reverse<u32>)>>,
    roots: &'a mut Roots,
    successors: &'a mut Vec<Node<S::Poly>>,
}

impl<S: Polygons> PolyanyaSearch<'_, S> {
    /// Expands nodes until one lies in the target's polygon.
    fn run(
        &mut self,
        n_expanded: &mut usize,
        watcher: &mut impl Watcher<S::Poly>,
    ) -> Result<Option<u32>, OutOfNodes> {
        if self.nodes[0].poly == self.target.poly {
            return Ok(Some(0));
        }
        self.open(0);
        while let Some(Reverse((_, Reverse(mut at)))) = self.open.pop() {
            let node = &self.nodes[at as usize];
            if node.poly == self.target.poly {
                return Ok(Some(at));
            }
            if self.roots.is_outdone(node.root_number, node.g) {
                continue;
            }
            // A single successor is expanded at once, without the open list.
            loop {
                *n_expanded += 1;
                watcher.expanded(self.nodes, at, self.target.point);
                self.expand(at);
                match self.successors[..] {
                    [only] if only.poly != self.target.poly => at = self.keep(only)?,
                    _ => break,
                }
            }
            for index in 0..self.successors.len() {
                let kept = self.keep(self.successors[index])?;
                self.open(kept);
            }
        }
        Ok(None)
    }

    fn keep(&mut self, node: Node<S::Poly>) -> Result<u32, OutOfNodes> {
        let index = u32::try_from(self.nodes.len()).map_err(|_too_many| OutOfNodes)?;
        if self.nodes.len() >= self.max_nodes {
            return Err(OutOfNodes);
        }
        self.nodes.push(node);
        Ok(index)
    }

    fn open(&mut self, at: u32) {
        let node = &self.nodes[at as usize];
        let (h, _) = node.interval.path_over(node.root, self.target.point);
        // Lengths are not negative, so their bits have the same order.
        self.open.push(Reverse(((node.g + h).to_bits(), Reverse(at))));
    }

    /// Finds the successors: those visible straight on, and those visible after a turn at an end of the interval.
    fn expand(&mut self, at: u32) {
        let Self { surface, target, nodes, roots, successors, .. } = self;
        let node = nodes[at as usize];
        let came_from = nodes[node.parent as usize].poly;
        let tolerance = surface.tolerance();
        let cone = Cone::new(node.root, &node.interval, tolerance);
        let mut left_turn = Turn::new(&node, node.interval.left);
        let mut right_turn = Turn::new(&node, node.interval.right);
        successors.clear();
        surface.for_each_gate(node.poly, |gate| {
            let is_useless = gate.is_dead_end && gate.to != target.poly;
            if is_useless || gate.to == came_from {
                return;
            }
            // A shortest path enters a polygon once. Without this check, paths around their last turn would never end.
            let near = Around { root: node.root, reach: NEARBY * tolerance };
            let is_at_root = near.has(gate.left.at) || near.has(gate.right.at);
            if is_at_root && near.has_turned_through(nodes, at, gate.to) {
                return;
            }
            let ahead = Node { poly: gate.to, parent: at, ..node };
            if gate.left.at == gate.right.at {
                successors.extend(through_point(&node, &gate.left, roots).map(
                    |(root, g, root_number)| {
                        let interval = Interval::at(root);
                        Node { interval, root, g, root_number, ..ahead }
                    },
                ));
                return;
            }
            let parts = cone.split(gate);
            if let Some(interval) = parts.right
                && let Some((root, g, root_number)) = right_turn.take(roots)
            {
                successors.push(Node { interval, root, g, root_number, ..ahead });
            }
            if let Some(interval) = parts.seen {
                successors.push(Node { interval, ..ahead });
            }
            if let Some(interval) = parts.left
                && let Some((root, g, root_number)) = left_turn.take(roots)
            {
                successors.push(Node { interval, root, g, root_number, ..ahead });
            }
        });
    }

    /// Walks back from the last node.
    fn draw(&self, last: u32, path: &mut PlanePath<S::Poly>) {
        let node = &self.nodes[last as usize];
        let end = self.target.point;
        path.points.push(end);
        let (length, bend) = if last == 0 {
            (node.root.distance(end), None)
        } else {
            node.interval.path_over(node.root, end)
        };
        path.length = node.g + length;
        add_new(&mut path.points, bend);
        let mut at = last;
        loop {
            let node = &self.nodes[at as usize];
            path.corridor.push(node.poly);
            add_new(&mut path.points, Some(node.root));
            if at == node.parent {
                break;
            }
            at = node.parent;
            let before = &self.nodes[at as usize];
            // A turn at a point inside a polygon may be behind another turn. Other turns are straight ahead, although
            // rounding may suggest otherwise.
            if node.g > before.g + before.root.distance(node.root) {
                add_new(&mut path.points, before.interval.path_over(before.root, node.root).1);
            }
        }
        if let [only] = path.points[..] {
            path.points.push(only);
        }
        path.points.reverse();
        path.corridor.reverse();
    }
}

/// Returns the successor through a gate that is a point. The point is a turn, even if the path continues straight.
fn through_point<P>(
    node: &Node<P>,
    point: &GateEnd,
    roots: &mut Roots,
) -> Option<(DVec2, f64, u32)> {
    let (length, _) = node.interval.path_over(node.root, point.at);
    let g = node.g + length;
    Some((point.at, g, roots.reach(point.corner?, g)?))
}

/// The surroundings of a turn, in which paths that go in a circle are detected. At tile borders, one corner can have
/// several positions.
struct Around {
    root: DVec2,
    reach: f64,
}

impl Around {
    fn has(&self, point: DVec2) -> bool {
        self.root.distance_squared(point) <= self.reach * self.reach
    }

    /// Returns whether a path has entered `poly` since the turn, within its surroundings.
    fn has_turned_through<P: Copy + PartialEq>(
        &self,
        nodes: &[Node<P>],
        mut at: u32,
        poly: P,
    ) -> bool {
        loop {
            let node = &nodes[at as usize];
            let Interval { left, right } = node.interval;
            let is_here = self.has(node.root) && (self.has(left.at) || self.has(right.at));
            if !is_here || node.poly == poly || node.parent == at {
                return is_here && node.poly == poly;
            }
            at = node.parent;
        }
    }
}

/// Adds a point unless it equals the last one.
fn add_new(points: &mut Vec<DVec2>, point: Option<DVec2>) {
    points.extend(point.filter(|point| points.last() != Some(point)));
}

/// A turn at an end of an interval, evaluated on first use.
enum Turn {
    Unknown { at: GateEnd, g: f64, root: DVec2 },
    Useless,
    Known { root: DVec2, g: f64, root_number: u32 },
}

impl Turn {
    fn new<P>(node: &Node<P>, at: GateEnd) -> Self {
        Self::Unknown { at, g: node.g, root: node.root }
    }

    /// Returns the new root, the length of the path to it, and its number; `None` if a turn there is useless.
    fn take(&mut self, roots: &mut Roots) -> Option<(DVec2, f64, u32)> {
        if let Self::Unknown { at, g, root } = *self {
            let g = g + root.distance(at.at);
            let number = at.corner.and_then(|corner| roots.reach(corner, g));
            *self = match number {
                Some(root_number) => Self::Known { root: at.at, g, root_number },
                None => Self::Useless,
            };
        }
        match *self {
            Self::Known { root, g, root_number } => Some((root, g, root_number)),
            Self::Unknown { .. } | Self::Useless => None,
        }
    }
}
