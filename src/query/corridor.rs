//! The cheapest row of polygons between two points: A* over polygons.

use super::{
    Filter, PathEnd, QueryError, Scratch, backwards,
    error::check_finite,
    rules::{AsDetour, Extended, Rules},
    scratch::{Node, Status},
    trace::{NoTrace, Observer},
};
use crate::{
    navmesh::{Graph, INSIDE, Link, Marks, NavMesh, PolyRef, Portal, Portals},
    search::{NodeIdx, NodePool, OpenList},
};

/// How far a corridor leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorridorOutcome {
    /// Whether its last polygon is that of the end; else it is the nearest that can be reached.
    pub is_complete: bool,
    /// What kept the search from looking at more polygons, if anything did.
    pub held_back: Option<HeldBack>,
    /// Cost to the end, or to where the last polygon is entered.
    pub cost: f32,
    /// Nodes taken from the open list.
    pub n_expanded: usize,
}

/// What keeps a search from looking at a polygon. Where several do, the last of these is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum HeldBack {
    /// The filter does not let it pass, or its rules refuse the link.
    Filter,
    /// It can only be reached for more than [`SearchRules::cost_limit`](super::SearchRules).
    CostLimit,
    /// All nodes are used.
    NodeLimit,
    /// [`SearchRules::max_expansions`](super::SearchRules) polygons were expanded.
    LoopBound,
}

/// Finds the cheapest corridor from `start` to `end` and puts its polygons into `corridor`.
///
/// The search measures from midpoint to midpoint of the edges crossed. A polygon keeps the midpoint over
/// which it was met first, even where a cheaper way into it is found later, as in Detour; so the
/// corridor is nearly the cheapest, and its cost can be a little less than the length of a path in it.
///
/// # Errors
/// [`QueryError`] where a polygon is stale, a point not finite, or a cost of the filter negative or not
/// finite.
///
/// Source: `dtNavMeshQuery::findPath`.
pub fn find_corridor(
    mesh: &NavMesh,
    [start, end]: [PathEnd; 2],
    filter: &Filter,
    max_nodes: usize,
    scratch: &mut Scratch,
    corridor: &mut Vec<PolyRef>,
) -> Result<CorridorOutcome, QueryError> {
    find(mesh, &Ends::new(mesh, [start, end], filter, max_nodes)?, scratch, corridor)
}

/// Searches, with a trace where `scratch` keeps one.
pub(super) fn find(
    mesh: &NavMesh,
    ends: &Ends<'_>,
    scratch: &mut Scratch,
    corridor: &mut Vec<PolyRef>,
) -> Result<CorridorOutcome, QueryError> {
    let Some(mut trace) = scratch.take_trace() else {
        return search(mesh, ends, &mut NoTrace, scratch, corridor);
    };
    let outcome = search(mesh, ends, &mut trace, scratch, corridor);
    scratch.keep_trace(trace);
    outcome
}

/// The number of no polygon.
const NO_POLY: u32 = u32::MAX;

/// What a search is asked, checked.
pub(super) struct Ends<'a> {
    pub(super) filter: &'a Filter,
    max_nodes: usize,
    is_backwards: bool,
    pub(super) start: PathEnd,
    /// Number of its polygon, if the search can meet it.
    pub(super) start_at: u32,
    pub(super) end: PathEnd,
    /// Number of its polygon, if the search can meet it.
    pub(super) end_at: u32,
}

impl<'a> Ends<'a> {
    pub(super) fn new(
        mesh: &NavMesh,
        [start, end]: [PathEnd; 2],
        filter: &'a Filter,
        max_nodes: usize,
    ) -> Result<Self, QueryError> {
        check_finite("the start", start.point)?;
        check_finite("the end", end.point)?;
        filter.check()?;
        let at = |poly| mesh.number(poly).ok_or(QueryError::StalePolygon { poly });
        let (start_at, end_at) = (at(start.poly)?, at(end.poly)?);
        Ok(Self { filter, max_nodes, is_backwards: false, start, start_at, end, end_at })
    }

    /// To be searched from the end.
    pub(super) fn backwards(self) -> Self {
        Self { is_backwards: true, ..self }
    }

    /// To come as near as possible to the point of what is sought, which lies on no polygon.
    pub(super) fn without_goal(mut self) -> Self {
        *(if self.is_backwards { &mut self.start_at } else { &mut self.end_at }) = NO_POLY;
        self
    }
}

/// [`find`], watched by `observer`.
pub(super) fn search(
    mesh: &NavMesh,
    ends: &Ends<'_>,
    observer: &mut impl Observer,
    scratch: &mut Scratch,
    corridor: &mut Vec<PolyRef>,
) -> Result<CorridorOutcome, QueryError> {
    corridor.clear();
    if ends.start_at == ends.end_at {
        corridor.push(ends.start.poly);
        let area = mesh.graph().marks(ends.start_at).area;
        let cost = ends.start.point.distance(ends.end.point) * ends.filter.cost_in(area);
        return Ok(CorridorOutcome { is_complete: true, held_back: None, cost, n_expanded: 0 });
    }
    scratch.reset(mesh, ends.max_nodes.max(1));
    match (ends.is_backwards, ends.filter.is_as_detour()) {
        (false, true) => run(mesh, ends, AsDetour, observer, scratch, corridor),
        (false, false) => run(mesh, ends, Extended::new(ends.filter), observer, scratch, corridor),
        (true, true) => backwards::run(mesh, ends, AsDetour, observer, scratch, corridor),
        (true, false) => {
            backwards::run(mesh, ends, Extended::new(ends.filter), observer, scratch, corridor)
        }
    }
}

fn run<R: Rules>(
    mesh: &NavMesh,
    ends: &Ends<'_>,
    rules: R,
    observer: &mut impl Observer,
    Scratch { nodes, open, .. }: &mut Scratch,
    corridor: &mut Vec<PolyRef>,
) -> Result<CorridorOutcome, QueryError> {
    let path_ends = [ends.start, ends.end];
    let Some(best) = add_start(ends.start_at, path_ends, rules, (nodes, open)) else {
        return Err(QueryError::StalePolygon { poly: ends.start.poly });
    };
    let least_estimate = nodes[best].total;
    let mut search = Search {
        mesh,
        graph: mesh.graph(),
        portals: mesh.portals(),
        ends,
        rules,
        nodes,
        open,
        best,
        least_estimate,
        held_back: None,
        n_expanded: 0,
    };
    search.run(observer);
    Ok(search.finish(corridor))
}

/// Makes the node where a search starts, in polygon `poly`, and opens it.
pub(super) fn add_start(
    poly: u32,
    [start, end]: [PathEnd; 2],
    rules: impl Rules,
    (nodes, open): (&mut NodePool<Node>, &mut OpenList),
) -> Option<NodeIdx> {
    let first = nodes.find_or_add(poly, 0, || Node::new(poly))?;
    let node = &mut nodes[first];
    node.position = start.point;
    node.total = rules.estimate(start.point.distance(end.point));
    node.status = Status::Open;
    open.push(first, node.total);
    Some(first)
}

struct Search<'a, R> {
    mesh: &'a NavMesh,
    graph: &'a Graph,
    portals: Portals<'a>,
    ends: &'a Ends<'a>,
    rules: R,
    nodes: &'a mut NodePool<Node>,
    open: &'a mut OpenList,
    /// The node from which the end seemed nearest.
    best: NodeIdx,
    least_estimate: f32,
    held_back: Option<HeldBack>,
    n_expanded: usize,
}

/// The node that is being expanded.
struct Current {
    node: NodeIdx,
    area: u8,
    position: glam::Vec3,
    cost: f32,
    cost_per_metre: f32,
}

impl<R: Rules> Search<'_, R> {
    fn run(&mut self, observer: &mut impl Observer) {
        while let Some(node) = self.open.pop() {
            if self.n_expanded >= self.rules.max_expansions() {
                self.note(HeldBack::LoopBound);
                return;
            }
            self.n_expanded += 1;
            observer.expanded(self.mesh, self.nodes, node);
            self.nodes[node].status = Status::Closed;
            if self.nodes[node].poly == self.ends.end_at {
                self.best = node;
                return;
            }
            self.expand(node);
        }
    }

    fn note(&mut self, held_back: HeldBack) {
        self.held_back = self.held_back.max(Some(held_back));
    }

    fn expand(&mut self, node: NodeIdx) {
        let Node { poly, position, cost, parent, .. } = self.nodes[node];
        let parent = parent.map(|parent| self.nodes[parent].poly);
        let graph = self.graph;
        let area = graph.marks(poly).area;
        let cost_per_metre = self.ends.filter.cost_in(area);
        let current = Current { node, area, position, cost, cost_per_metre };
        for (&link, portal) in graph.links(poly).iter().zip(self.portals.of(poly)) {
            if parent != Some(link.to) {
                self.follow(&current, link, portal);
            }
        }
    }

    /// Reaches a neighbour over a link, and keeps the way if it is the cheapest so far.
    #[inline]
    fn follow(&mut self, current: &Current, link: Link, portal: &Portal) {
        let Marks { flags, area, .. } = self.graph.marks(link.to);
        let filter = self.ends.filter;
        if !filter.passes_flags(flags) || !self.rules.admits(self.mesh, link) {
            self.note(HeldBack::Filter);
            return;
        }
        // A polygon has a node for each pair of tile borders over which it is entered.
        let state = if link.side == INSIDE { 0 } else { link.side >> 1 };
        let Some(neighbor) = self.nodes.find_or_add(link.to, state, || Node::new(link.to)) else {
            self.note(HeldBack::NodeLimit);
            return;
        };
        let node = &mut self.nodes[neighbor];
        let was = node.status;
        if was == Status::Closed && self.rules.skips_closed() {
            return;
        }
        // Costs only grow along a way: it cannot end cheaper than one that was cheaper before.
        if was != Status::New && current.cost >= node.cost {
            return;
        }
        let position = if was == Status::New || self.rules.moves_entries() {
            portal.midpoint()
        } else {
            node.position
        };
        if was == Status::New {
            node.position = position;
        }
        let here = current.cost + current.position.distance(position) * current.cost_per_metre;
        let here = self.rules.entered(here, current.area, area);
        let to_end = position.distance(self.ends.end.point);
        let (cost, estimate) = if link.to == self.ends.end_at {
            (here + to_end * filter.cost_in(area), 0.0)
        } else {
            (here, self.rules.estimate(to_end))
        };
        let total = cost + estimate;
        if was != Status::New && total >= node.total {
            return;
        }
        // Where entries move, only a falling cost keeps a polygon from becoming its own ancestor.
        if self.rules.moves_entries() && was != Status::New && cost >= node.cost {
            return;
        }
        if self.rules.is_too_dear(total) {
            self.note(HeldBack::CostLimit);
            return;
        }
        node.position = position;
        node.parent = Some(current.node);
        node.cost = cost;
        node.total = total;
        node.status = Status::Open;
        if was == Status::Open {
            self.open.lower(neighbor, total);
        } else {
            self.open.push(neighbor, total);
        }
        if estimate < self.least_estimate {
            self.least_estimate = estimate;
            self.best = neighbor;
        }
    }

    /// Walks back from the best node.
    fn finish(&self, corridor: &mut Vec<PolyRef>) -> CorridorOutcome {
        let mut at = Some(self.best);
        while let Some(node) = at {
            let Node { poly, parent, .. } = self.nodes[node];
            corridor.push(self.mesh.ref_of(poly));
            at = parent;
        }
        corridor.reverse();
        CorridorOutcome {
            is_complete: self.nodes[self.best].poly == self.ends.end_at,
            held_back: self.held_back,
            cost: self.nodes[self.best].cost,
            n_expanded: self.n_expanded,
        }
    }
}
