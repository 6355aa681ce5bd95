//! The cheapest row of polygons between two points: A* over polygons.

use super::{
    Filter, PathEnd, QueryError, Scratch,
    error::check_finite,
    rules::{AsDetour, Extended, Rules},
    scratch::{Node, Status},
    trace::{NoTrace, Observer},
};
use crate::{
    navmesh::{INSIDE, Link, LiveTile, NavMesh, Poly, PolyAt, PolyRef},
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
    search(
        mesh,
        &Ends::new(mesh, [start, end], filter, max_nodes)?,
        &mut NoTrace,
        scratch,
        corridor,
    )
}

/// What a search is asked, checked.
pub(super) struct Ends<'a> {
    filter: &'a Filter,
    max_nodes: usize,
    start: PathEnd,
    start_at: PolyAt,
    end: PathEnd,
    end_at: PolyAt,
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
        let at = |poly| mesh.locate(poly).ok_or(QueryError::StalePolygon { poly });
        let (start_at, end_at) = (at(start.poly)?, at(end.poly)?);
        Ok(Self { filter, max_nodes, start, start_at, end, end_at })
    }
}

/// [`find_corridor`], watched by `observer`.
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
        let poly = &mesh.live(ends.start_at.tile).tile.polys[ends.start_at.poly as usize];
        let cost = ends.start.point.distance(ends.end.point) * ends.filter.cost_per_metre(poly);
        return Ok(CorridorOutcome { is_complete: true, held_back: None, cost, n_expanded: 0 });
    }
    scratch.reset(mesh, ends.max_nodes.max(1));
    if ends.filter.is_as_detour() {
        run(mesh, ends, AsDetour, observer, scratch, corridor)
    } else {
        run(mesh, ends, Extended::new(ends.filter), observer, scratch, corridor)
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
    let Some(best) = add_start(mesh, ends.start_at, path_ends, rules, (nodes, open)) else {
        return Err(QueryError::StalePolygon { poly: ends.start.poly });
    };
    let least_estimate = nodes[best].total;
    let mut search = Search {
        mesh,
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

/// Makes the node of the start, at `at`, and opens it.
pub(super) fn add_start(
    mesh: &NavMesh,
    at: PolyAt,
    [start, end]: [PathEnd; 2],
    rules: impl Rules,
    (nodes, open): (&mut NodePool<Node>, &mut OpenList),
) -> Option<NodeIdx> {
    let vertex = mesh.live(at.tile).first_node + at.poly;
    let first = nodes.find_or_add(vertex, 0, || Node::new(at))?;
    let node = &mut nodes[first];
    node.position = start.point;
    node.total = rules.estimate(start.point.distance(end.point));
    node.status = Status::Open;
    open.push(first, node.total);
    Some(first)
}

struct Search<'a, R> {
    mesh: &'a NavMesh,
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
struct Current<'a> {
    node: NodeIdx,
    live: &'a LiveTile,
    poly: &'a Poly,
    at: PolyAt,
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
            if self.nodes[node].at == self.ends.end_at {
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
        let Node { at, position, cost, parent, .. } = self.nodes[node];
        let parent_at = parent.map(|parent| self.nodes[parent].at);
        let live = self.mesh.live(at.tile);
        let poly = &live.tile.polys[at.poly as usize];
        let cost_per_metre = self.ends.filter.cost_per_metre(poly);
        let current = Current { node, live, poly, at, position, cost, cost_per_metre };
        for link in live.links.of(at.poly as usize) {
            if parent_at != Some(PolyAt::from(link)) {
                self.follow(&current, link);
            }
        }
    }

    /// Reaches a neighbour over a link, and keeps the way if it is the cheapest so far.
    #[inline]
    fn follow(&mut self, current: &Current<'_>, link: &Link) {
        let at = PolyAt::from(link);
        let live = if at.tile == current.at.tile { current.live } else { self.mesh.live(at.tile) };
        let poly = &live.tile.polys[at.poly as usize];
        let filter = self.ends.filter;
        if !filter.passes(poly) || !self.rules.admits(link, live) {
            self.note(HeldBack::Filter);
            return;
        }
        // A polygon has a node for each pair of tile borders over which it is entered.
        let state = if link.side == INSIDE { 0 } else { link.side >> 1 };
        let vertex = live.first_node + at.poly;
        let Some(neighbor) = self.nodes.find_or_add(vertex, state, || Node::new(at)) else {
            self.note(HeldBack::NodeLimit);
            return;
        };
        let node = &mut self.nodes[neighbor];
        let was = node.status;
        if was == Status::Closed && self.rules.skips_closed() {
            return;
        }
        let position = if was == Status::New || self.rules.moves_entries() {
            link.portal.midpoint()
        } else {
            node.position
        };
        if was == Status::New {
            node.position = position;
        }
        let here = current.cost + current.position.distance(position) * current.cost_per_metre;
        let here = self.rules.entered(here, current.poly, poly);
        let to_end = position.distance(self.ends.end.point);
        let (cost, estimate) = if at == self.ends.end_at {
            (here + to_end * filter.cost_per_metre(poly), 0.0)
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
            let Node { at: PolyAt { tile, poly }, parent, .. } = self.nodes[node];
            corridor.push(self.mesh.live(tile).poly_ref(poly));
            at = parent;
        }
        corridor.reverse();
        CorridorOutcome {
            is_complete: self.nodes[self.best].at == self.ends.end_at,
            held_back: self.held_back,
            cost: self.nodes[self.best].cost,
            n_expanded: self.n_expanded,
        }
    }
}
