//! The cheapest row of polygons between two points: A* over polygons.

use super::{
    Filter, PathEnd, QueryError, Scratch,
    error::check_finite,
    scratch::{Node, Status},
    trace::{NoTrace, Observer},
};
use crate::{
    navmesh::{INSIDE, Link, LiveTile, NavMesh, PolyAt, PolyRef},
    search::{NodeIdx, NodePool, OpenList},
};

/// Share of the straight distance that a search expects of the way still to go. A little less than
/// all of it, as in Detour: rounding must not make the estimate larger than the way.
const HEURISTIC_SCALE: f32 = 0.999;

/// How far a corridor leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorridorOutcome {
    /// Whether its last polygon is that of the end; else it is the nearest that can be reached.
    pub is_complete: bool,
    /// Whether some polygon was passed over because all nodes were used.
    pub ran_out_of_nodes: bool,
    /// Cost to the end, or to where the last polygon is entered.
    pub cost: f32,
    /// Nodes taken from the open list.
    pub n_expanded: usize,
}

/// Finds the cheapest corridor from `start` to `end` and puts its polygons into `corridor`.
///
/// The search measures from midpoint to midpoint of the edges crossed. A polygon keeps the midpoint over
/// which it was met first, even where a cheaper way into it is found later, as in Detour; so the
/// corridor is nearly the cheapest, and its cost can be a little less than the length of a path in it.
///
/// # Errors
/// [`QueryError`] where a polygon is stale or a point not finite.
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
        return Ok(CorridorOutcome {
            is_complete: true,
            ran_out_of_nodes: false,
            cost,
            n_expanded: 0,
        });
    }
    scratch.reset(mesh, ends.max_nodes.max(1));
    let Scratch { nodes, open, .. } = scratch;
    let Some(best) = add_start(mesh, ends, nodes, open) else {
        return Err(QueryError::StalePolygon { poly: ends.start.poly });
    };
    let least_estimate = nodes[best].total;
    let mut search = Search {
        mesh,
        ends,
        nodes,
        open,
        best,
        least_estimate,
        ran_out_of_nodes: false,
        n_expanded: 0,
    };
    search.run(observer);
    Ok(search.finish(corridor))
}

fn add_start(
    mesh: &NavMesh,
    ends: &Ends<'_>,
    nodes: &mut NodePool<Node>,
    open: &mut OpenList,
) -> Option<NodeIdx> {
    let at = ends.start_at;
    let vertex = mesh.live(at.tile).first_node + at.poly;
    let start = nodes.find_or_add(vertex, 0, || Node::new(at))?;
    let node = &mut nodes[start];
    node.position = ends.start.point;
    node.total = ends.start.point.distance(ends.end.point) * HEURISTIC_SCALE;
    node.status = Status::Open;
    open.push(start, node.total);
    Some(start)
}

struct Search<'a> {
    mesh: &'a NavMesh,
    ends: &'a Ends<'a>,
    nodes: &'a mut NodePool<Node>,
    open: &'a mut OpenList,
    /// The node from which the end seemed nearest.
    best: NodeIdx,
    least_estimate: f32,
    ran_out_of_nodes: bool,
    n_expanded: usize,
}

/// The node that is being expanded.
struct Current<'a> {
    node: NodeIdx,
    live: &'a LiveTile,
    at: PolyAt,
    position: glam::Vec3,
    cost: f32,
    cost_per_metre: f32,
}

impl Search<'_> {
    fn run(&mut self, observer: &mut impl Observer) {
        while let Some(node) = self.open.pop() {
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

    fn expand(&mut self, node: NodeIdx) {
        let Node { at, position, cost, parent, .. } = self.nodes[node];
        let parent_at = parent.map(|parent| self.nodes[parent].at);
        let live = self.mesh.live(at.tile);
        let poly = &live.tile.polys[at.poly as usize];
        let cost_per_metre = self.ends.filter.cost_per_metre(poly);
        let current = Current { node, live, at, position, cost, cost_per_metre };
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
        if !filter.passes(poly) {
            return;
        }
        // A polygon has a node for each pair of tile borders over which it is entered.
        let state = if link.side == INSIDE { 0 } else { link.side >> 1 };
        let vertex = live.first_node + at.poly;
        let Some(neighbor) = self.nodes.find_or_add(vertex, state, || Node::new(at)) else {
            self.ran_out_of_nodes = true;
            return;
        };
        let node = &mut self.nodes[neighbor];
        if node.status == Status::New {
            node.position = link.portal.midpoint();
        }
        let here = current.cost + current.position.distance(node.position) * current.cost_per_metre;
        let to_end = node.position.distance(self.ends.end.point);
        let (cost, estimate) = if at == self.ends.end_at {
            (here + to_end * filter.cost_per_metre(poly), 0.0)
        } else {
            (here, to_end * HEURISTIC_SCALE)
        };
        let total = cost + estimate;
        let was = node.status;
        if was != Status::New && total >= node.total {
            return;
        }
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
            ran_out_of_nodes: self.ran_out_of_nodes,
            cost: self.nodes[self.best].cost,
            n_expanded: self.n_expanded,
        }
    }
}
