//! Best-first search for corridors, shared by the searches from the start and from the end.

use glam::Vec3;

use super::{
    CorridorOutcome, Filter, HeldBack, MeshPoint, QueryError, Scratch,
    error::check_finite,
    node::{Node, Status},
    rules::{AsDetour, Extended, Rules},
    trace::{NoTrace, Observer, Trace},
    why,
};
use crate::{
    ids::AreaId,
    navmesh::{Graph, NavMesh, PolyRef, Portal, Portals},
    search::{NodeIdx, NodePool, OpenList},
};

/// A value that is no polygon's number.
const NO_POLY: u32 = u32::MAX;

/// The validated input of a search.
pub(super) struct SearchInput<'a> {
    pub(super) filter: &'a Filter,
    max_nodes: usize,
    is_backwards: bool,
    /// Start of the search.
    from: MeshPoint,
    /// Number of the polygon of the start.
    from_at: u32,
    /// Goal of the search.
    pub(super) goal: MeshPoint,
    /// Number of the polygon of the goal, if the search can reach it.
    pub(super) goal_at: u32,
}

impl<'a> SearchInput<'a> {
    pub(super) fn new(
        mesh: &NavMesh,
        [start, end]: [MeshPoint; 2],
        filter: &'a Filter,
        max_nodes: usize,
    ) -> Result<Self, QueryError> {
        check_finite("the start", start.point)?;
        check_finite("the end", end.point)?;
        filter.check()?;
        let at = |poly| mesh.number(poly).ok_or(QueryError::StalePolygon { poly });
        let (from_at, goal_at) = (at(start.poly)?, at(end.poly)?);
        let (from, goal) = (start, end);
        Ok(Self { filter, max_nodes, is_backwards: false, from, from_at, goal, goal_at })
    }

    /// Returns the same query, searched from the end.
    pub(super) fn backwards(self) -> Self {
        Self {
            is_backwards: !self.is_backwards,
            from: self.goal,
            from_at: self.goal_at,
            goal: self.from,
            goal_at: self.from_at,
            ..self
        }
    }

    /// Drops the goal polygon; the search approaches the goal point instead.
    pub(super) fn without_goal(self) -> Self {
        Self { goal_at: NO_POLY, ..self }
    }
}

/// Finds the corridor between the start and the goal of `input` and stores it in `corridor`.
pub(super) fn search(
    mesh: &NavMesh,
    input: &SearchInput<'_>,
    (scratch, trace): (&mut Scratch, Option<&mut Trace>),
    corridor: &mut Vec<PolyRef>,
) -> Result<CorridorOutcome, QueryError> {
    match trace {
        Some(trace) => observed(mesh, input, trace, scratch, corridor),
        None => observed(mesh, input, &mut NoTrace, scratch, corridor),
    }
}

fn observed(
    mesh: &NavMesh,
    input: &SearchInput<'_>,
    observer: &mut impl Observer,
    scratch: &mut Scratch,
    corridor: &mut Vec<PolyRef>,
) -> Result<CorridorOutcome, QueryError> {
    corridor.clear();
    let marks = mesh.graph().marks(input.from_at);
    if input.from_at == input.goal_at {
        corridor.push(input.from.poly);
        let cost = input.from.point.distance(input.goal.point) * input.filter.cost_in(marks.area);
        return Ok(CorridorOutcome { is_complete: true, held_back: None, cost, n_expanded: 0 });
    }
    // An agent may leave an excluded polygon, but not enter one.
    if input.is_backwards && !input.filter.passes_flags(marks.flags) {
        let held_back = Some(HeldBack::Filter);
        return Ok(CorridorOutcome { is_complete: false, held_back, cost: 0.0, n_expanded: 0 });
    }
    scratch.reset(mesh, input.max_nodes.max(1));
    if input.filter.is_as_detour() {
        run(mesh, input, AsDetour, observer, scratch, corridor)
    } else {
        run(mesh, input, Extended::new(input.filter), observer, scratch, corridor)
    }
}

fn run<R: Rules>(
    mesh: &NavMesh,
    input: &SearchInput<'_>,
    rules: R,
    observer: &mut impl Observer,
    Scratch { nodes, open, .. }: &mut Scratch,
    corridor: &mut Vec<PolyRef>,
) -> Result<CorridorOutcome, QueryError> {
    let Some(best) = add_start(input.from_at, [input.from, input.goal], rules, (nodes, open))
    else {
        return Err(QueryError::StalePolygon { poly: input.from.poly });
    };
    let least_estimate = nodes[best].total;
    let mut search = BestFirstSearch {
        mesh,
        graph: mesh.graph(),
        portals: mesh.portals(),
        input,
        rules,
        nodes,
        open,
        best,
        least_estimate,
        held_back: None,
        n_expanded: 0,
    };
    if input.is_backwards {
        search.run(observer, BestFirstSearch::expand_backwards);
    } else {
        search.run(observer, BestFirstSearch::expand);
    }
    Ok(search.finish(corridor))
}

/// Creates the start node, in polygon `poly`, and adds it to the open list.
pub(super) fn add_start(
    poly: u32,
    [start, end]: [MeshPoint; 2],
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

/// A search in progress.
pub(super) struct BestFirstSearch<'a, R> {
    pub(super) mesh: &'a NavMesh,
    pub(super) graph: &'a Graph,
    pub(super) portals: Portals<'a>,
    pub(super) input: &'a SearchInput<'a>,
    pub(super) rules: R,
    nodes: &'a mut NodePool<Node>,
    open: &'a mut OpenList,
    /// The node with the smallest estimated distance to the goal.
    best: NodeIdx,
    least_estimate: f32,
    held_back: Option<HeldBack>,
    n_expanded: usize,
}

/// The node that is being expanded.
pub(super) struct Current {
    node: NodeIdx,
    pub(super) poly: u32,
    /// Number of the polygon from which it was reached.
    pub(super) before: Option<u32>,
    pub(super) area: AreaId,
    pub(super) position: Vec3,
    pub(super) cost: f32,
    pub(super) cost_per_meter: f32,
}

/// A path to a neighbor: the point at which it enters the neighbor, the cost to this point, and the estimated remaining
/// cost.
pub(super) struct NeighborEntry {
    pub(super) position: Vec3,
    pub(super) cost: f32,
    pub(super) estimate: f32,
    /// Whether a corridor may end at the neighbor.
    pub(super) may_be_last: bool,
}

impl<R: Rules> BestFirstSearch<'_, R> {
    fn run(&mut self, observer: &mut impl Observer, expand: impl Fn(&mut Self, &Current)) {
        while let Some(node) = self.open.pop() {
            if self.n_expanded >= self.rules.max_expansions() {
                self.note(HeldBack::LoopBound);
                return;
            }
            self.n_expanded += 1;
            observer.expanded(self.mesh, self.nodes, node);
            self.nodes[node].status = Status::Closed;
            let Node { poly, position, cost, parent, .. } = self.nodes[node];
            if poly == self.input.goal_at {
                self.best = node;
                return;
            }
            let before = parent.map(|parent| self.nodes[parent].poly);
            let area = self.graph.marks(poly).area;
            let cost_per_meter = self.input.filter.cost_in(area);
            expand(self, &Current { node, poly, before, area, position, cost, cost_per_meter });
        }
    }

    /// Records why a polygon was skipped.
    pub(super) fn note(&mut self, held_back: HeldBack) {
        self.held_back = self.held_back.max(Some(held_back));
    }

    /// Returns the node of a neighbor in `state`, and the point at which the path to it enters; `None` if no path from
    /// the current node can be better than its current one.
    #[expect(clippy::inline_always, reason = "a call costs a twelfth of the search")]
    #[inline(always)]
    pub(super) fn meet(
        &mut self,
        current: &Current,
        poly: u32,
        state: u8,
        portal: &Portal,
    ) -> Option<(NodeIdx, Vec3)> {
        let Some(neighbor) = self.nodes.find_or_add(poly, state, || Node::new(poly)) else {
            self.note(HeldBack::NodeLimit);
            return None;
        };
        let node = &self.nodes[neighbor];
        if node.status == Status::Closed && self.rules.skips_closed() {
            return None;
        }
        if node.status == Status::New || self.rules.moves_entries() {
            let is_open = node.status == Status::New || current.cost < node.cost;
            return is_open.then(|| (neighbor, portal.midpoint()));
        }
        // Costs increase along a path, so it cannot become cheaper than one that is already cheaper.
        (current.cost < node.cost).then_some((neighbor, node.position))
    }

    /// Stores a path to a neighbor if it is the cheapest so far.
    #[expect(clippy::inline_always, reason = "a call costs a twelfth of the search")]
    #[inline(always)]
    pub(super) fn keep(
        &mut self,
        current: &Current,
        neighbor: NodeIdx,
        NeighborEntry { position, cost, estimate, may_be_last }: NeighborEntry,
    ) {
        let node = &mut self.nodes[neighbor];
        let (was, total) = (node.status, cost + estimate);
        // If entry points move, only a decreasing cost prevents a polygon from becoming its own ancestor.
        let is_better = total < node.total && (cost < node.cost || !self.rules.moves_entries());
        if was != Status::New && !is_better {
            return;
        }
        if self.rules.exceeds_cost_limit(total) {
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
        if may_be_last && estimate < self.least_estimate {
            self.least_estimate = estimate;
            self.best = neighbor;
        }
    }

    /// Stores the polygons from the start of the path to its end, by the parents of the best node.
    fn finish(&self, corridor: &mut Vec<PolyRef>) -> CorridorOutcome {
        let mut at = Some(self.best);
        while let Some(node) = at {
            let Node { poly, parent, .. } = self.nodes[node];
            corridor.push(self.mesh.ref_of(poly));
            at = parent;
        }
        if !self.input.is_backwards {
            corridor.reverse();
        }
        let is_complete = self.nodes[self.best].poly == self.input.goal_at;
        let held_back = if is_complete {
            self.held_back
        } else {
            why::held_back_at_edge(self.mesh, self.nodes, self.held_back)
        };
        CorridorOutcome {
            is_complete,
            held_back,
            cost: self.nodes[self.best].cost,
            n_expanded: self.n_expanded,
        }
    }
}
