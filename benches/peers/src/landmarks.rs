//! A* with landmarks (ALT) on the links of a navmesh, to compare routes with.
//!
//! The vertices are links at the midpoints of their portals, and arcs lead from each link to the links out of its target:
//! the graph in which routes are shortest paths. Costs are integers, as in routes, so both must be equal.
//!
//! Source: Goldberg and Harrelson, "Computing the shortest path: A* search meets graph theory", 2005. As there, a landmark
//! has the costs from it and to it, and a search uses the few with the best bounds at its start. Landmarks are the links
//! farthest from the earlier ones.

use std::{cmp::Reverse, collections::BinaryHeap};

use glam::Vec3;
use walkable::{
    navmesh::{NavMesh, PolyRef},
    query::{Filter, MeshPoint},
};

/// Costs per meter.
const PER_METER: f64 = 1024.0;
/// Cost of links that are not reached.
const UNREACHED: u32 = u32::MAX;
/// Number of columns that a search uses.
const N_USED: usize = 4;

/// The links of a navmesh.
#[derive(Debug)]
pub struct LinkGraph {
    /// Per slot, the number of its first polygon.
    first_polys: Vec<u32>,
    /// Index of the first link of each polygon, then the number of links.
    first_links: Vec<u32>,
    /// Per link, its target polygon.
    targets: Vec<u32>,
    /// Per link, the midpoint of its portal.
    points: Vec<Vec3>,
    /// Per link, its first arc.
    first_arcs: Vec<u32>,
    /// Costs of the arcs.
    arcs: Vec<u32>,
}

impl LinkGraph {
    /// Creates the graph of the links that pass `filter`. All areas must cost 1.
    ///
    /// # Panics
    /// Panics if an area has another cost.
    pub fn new(mesh: &NavMesh, filter: &Filter) -> Self {
        assert!(filter.area_cost.iter().all(|&cost| cost == 1.0), "areas cost 1");
        let mut first_polys = Vec::new();
        let mut n_polys = 0;
        for (slot, tile) in mesh.slots() {
            first_polys.resize(slot + 1, n_polys);
            n_polys += count(tile.polys.len());
        }
        let (first_arcs, arcs) = (Vec::new(), Vec::new());
        let (first_links, targets, points) = (vec![0], Vec::new(), Vec::new());
        let mut graph = Self { first_polys, first_links, targets, points, first_arcs, arcs };
        for (slot, tile) in mesh.slots() {
            for poly in 0..tile.polys.len() {
                let poly = mesh.poly_ref(slot, poly).expect("the tile has it");
                for link in mesh.links(poly) {
                    let (tile, at) = mesh.resolve(link.to).expect("links lead to polygons");
                    if filter.passes(&tile.polys[at]) {
                        graph.targets.push(graph.poly(mesh, link.to));
                        graph.points.push(link.portal.midpoint());
                    }
                }
                graph.first_links.push(count(graph.targets.len()));
            }
        }
        for link in 0..graph.targets.len() {
            graph.first_arcs.push(count(graph.arcs.len()));
            for next in graph.links_of(graph.targets[link]) {
                graph.arcs.push(line_cost(graph.points[link], graph.points[next as usize]));
            }
        }
        graph
    }

    /// Returns the number of links.
    pub fn n_links(&self) -> usize {
        self.targets.len()
    }

    /// Returns the number of a polygon.
    fn poly(&self, mesh: &NavMesh, poly: PolyRef) -> u32 {
        let (slot, at) = mesh.slot_of(poly).zip(mesh.tile_poly(poly)).expect("it is not stale");
        self.first_polys[slot] + at.poly
    }

    fn links_of(&self, poly: u32) -> std::ops::Range<u32> {
        self.first_links[poly as usize]..self.first_links[poly as usize + 1]
    }

    /// Returns the links out of the target of a link, with the costs of the arcs.
    fn next(&self, link: u32) -> impl Iterator<Item = (u32, u32)> {
        let arcs = &self.arcs[self.first_arcs[link as usize] as usize..];
        self.links_of(self.targets[link as usize]).zip(arcs.iter().copied())
    }

    /// Returns the costs from `start` to all links.
    fn costs_from(&self, start: u32) -> Vec<u32> {
        spread(self.n_links(), start, |link, offer| {
            self.next(link).for_each(|(next, cost)| offer(next, cost));
        })
    }

    /// Returns the costs from all links to `end`.
    fn costs_to(&self, end: u32, incoming: &Incoming) -> Vec<u32> {
        spread(self.n_links(), end, |link, offer| {
            // The link leads out of this polygon.
            let poly = incoming.sources[link as usize];
            let nth = (link - self.first_links[poly as usize]) as usize;
            for &before in incoming.of(poly) {
                offer(before, self.arcs[self.first_arcs[before as usize] as usize + nth]);
            }
        })
    }
}

/// Returns the lowest costs from `start`; `follow` passes the links next to a link.
fn spread(n: usize, start: u32, follow: impl Fn(u32, &mut dyn FnMut(u32, u32))) -> Vec<u32> {
    let mut costs = vec![UNREACHED; n];
    costs[start as usize] = 0;
    let mut queue = BinaryHeap::from([Reverse((0, start))]);
    while let Some(Reverse((cost, link))) = queue.pop() {
        if costs[link as usize] == cost {
            follow(link, &mut |next, arc| {
                let next_cost = cost + arc;
                if next_cost < costs[next as usize] {
                    costs[next as usize] = next_cost;
                    queue.push(Reverse((next_cost, next)));
                }
            });
        }
    }
    costs
}

/// The links into each polygon.
#[derive(Debug)]
struct Incoming {
    firsts: Vec<u32>,
    links: Vec<u32>,
    /// Per link, its source polygon.
    sources: Vec<u32>,
}

impl Incoming {
    fn new(graph: &LinkGraph) -> Self {
        let n_polys = graph.first_links.len() - 1;
        let mut firsts = vec![0; n_polys + 2];
        graph.targets.iter().for_each(|&poly| firsts[poly as usize + 2] += 1);
        for at in 2..firsts.len() {
            firsts[at] += firsts[at - 1];
        }
        let mut links = vec![0; graph.n_links()];
        for (link, &poly) in graph.targets.iter().enumerate() {
            let at = &mut firsts[poly as usize + 1];
            links[*at as usize] = count(link);
            *at += 1;
        }
        let sources =
            (0..count(n_polys)).flat_map(|poly| graph.links_of(poly).map(move |_| poly)).collect();
        Self { firsts, links, sources }
    }

    fn of(&self, poly: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|next| self.firsts[poly as usize + next] as usize);
        &self.links[start..end]
    }
}

/// Costs from and to landmarks.
#[derive(Debug)]
pub struct Landmarks {
    /// Number of columns: for each landmark, the costs from it and to it.
    n_columns: usize,
    /// The columns of each link.
    costs: Vec<u32>,
    incoming: Incoming,
}

impl Landmarks {
    /// Chooses `n` landmarks among the links reachable from a point.
    pub fn new(graph: &LinkGraph, mesh: &NavMesh, at: MeshPoint, n: usize) -> Self {
        let mut incoming = Incoming::new(graph);
        let n_columns = 2 * n;
        let mut costs = vec![UNREACHED; graph.n_links() * n_columns];
        let any = graph.links_of(graph.poly(mesh, at.poly)).start;
        let mut nearest = graph.costs_from(any);
        let mut landmark = farthest(&nearest);
        nearest.fill(UNREACHED);
        for column in 0..n {
            let from = graph.costs_from(landmark);
            let to = graph.costs_to(landmark, &incoming);
            for (link, (from, to)) in from.iter().zip(to).enumerate() {
                costs[link * n_columns + 2 * column] = *from;
                costs[link * n_columns + 2 * column + 1] = to;
                nearest[link] = nearest[link].min(*from);
            }
            landmark = farthest(&nearest);
        }
        incoming.sources = Vec::new();
        Self { n_columns, costs, incoming }
    }

    fn of(&self, link: u32) -> &[u32] {
        &self.costs[link as usize * self.n_columns..][..self.n_columns]
    }

    /// Returns the costs from all landmarks to a point, and from it to all landmarks.
    fn of_point(&self, graph: &LinkGraph, (poly, point): (u32, Vec3)) -> Vec<u32> {
        let mut least = vec![UNREACHED; self.n_columns];
        let mut note = |link: u32, parity| {
            let step = line_cost(graph.points[link as usize], point);
            for (column, &cost) in self.of(link).iter().enumerate() {
                if column % 2 == parity {
                    least[column] = least[column].min(cost.saturating_add(step));
                }
            }
        };
        self.incoming.of(poly).iter().for_each(|&link| note(link, 0));
        graph.links_of(poly).for_each(|link| note(link, 1));
        least
    }
}

/// Returns the reachable link with the highest cost.
fn farthest(costs: &[u32]) -> u32 {
    let reached = (0..).zip(costs).filter(|(_, cost)| **cost != UNREACHED);
    reached.max_by_key(|(_, cost)| **cost).map_or(0, |(link, _)| link)
}

/// A lower bound of the cost to the end.
#[derive(Clone, Copy, Debug)]
pub enum Bound<'a> {
    /// None: Dijkstra's algorithm.
    None,
    /// The straight distance.
    Straight,
    /// The larger of the straight distance and the bounds of landmarks.
    Landmarks(&'a Landmarks),
}

#[derive(Clone, Copy, Debug, Default)]
struct Label {
    search: u32,
    cost: u32,
    rest: u32,
}

/// Memory of searches.
#[derive(Debug)]
pub struct LinkSearch {
    number: u32,
    labels: Vec<Label>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// Number of links that the last search expanded.
    pub n_expanded: usize,
}

impl LinkSearch {
    /// Creates the memory for searches in a graph.
    pub fn new(graph: &LinkGraph) -> Self {
        let labels = vec![Label::default(); graph.n_links()];
        Self { number: 0, labels, queue: BinaryHeap::new(), n_expanded: 0 }
    }

    /// Returns the cost of the cheapest path between two points of different polygons, in 1024ths of a meter.
    pub fn cost(
        &mut self,
        mesh: &NavMesh,
        graph: &LinkGraph,
        ends: [MeshPoint; 2],
        bound: Bound<'_>,
    ) -> Option<u32> {
        let [(first, start), (last, end)] = ends.map(|end| (graph.poly(mesh, end.poly), end.point));
        let used = match bound {
            Bound::Landmarks(landmarks) => {
                let [from, to] =
                    [(first, start), (last, end)].map(|at| landmarks.of_point(graph, at));
                best(&from, &to)
            }
            Bound::None | Bound::Straight => Vec::new(),
        };
        let rest = |link: u32| match bound {
            Bound::None => 0,
            Bound::Straight => least_line_cost(graph.points[link as usize], end),
            Bound::Landmarks(landmarks) => {
                let straight = least_line_cost(graph.points[link as usize], end);
                let costs = landmarks.of(link);
                used.iter().fold(straight, |most, &(column, to)| {
                    most.max(column_bound(column, costs[column], to))
                })
            }
        };
        self.number += 1;
        self.queue.clear();
        self.n_expanded = 0;
        for link in graph.links_of(first) {
            self.offer(link, line_cost(start, graph.points[link as usize]), rest);
        }
        let mut least = UNREACHED;
        while let Some(Reverse((total, link))) = self.queue.pop() {
            if total >= least {
                break;
            }
            let Label { cost, rest: known, .. } = self.labels[link as usize];
            if cost + known != total {
                continue;
            }
            self.n_expanded += 1;
            if graph.targets[link as usize] == last {
                least = least.min(cost + line_cost(graph.points[link as usize], end));
            }
            for (next, arc) in graph.next(link) {
                self.offer(next, cost + arc, rest);
            }
        }
        (least != UNREACHED).then_some(least)
    }

    fn offer(&mut self, link: u32, cost: u32, rest: impl Fn(u32) -> u32) {
        let label = &mut self.labels[link as usize];
        if label.search != self.number {
            *label = Label { search: self.number, cost: UNREACHED, rest: rest(link) };
        }
        if cost < label.cost {
            label.cost = cost;
            self.queue.push(Reverse((cost + label.rest, link)));
        }
    }
}

/// Returns the columns with the best bounds from one point to another, with their costs at the latter.
fn best(from: &[u32], to: &[u32]) -> Vec<(usize, u32)> {
    let bound = |column: usize| column_bound(column, from[column], to[column]);
    let mut columns: Vec<usize> = (0..from.len()).collect();
    columns.sort_by_key(|&column| Reverse(bound(column)));
    columns.iter().take(N_USED).map(|&column| (column, to[column])).collect()
}

/// Returns the lower bound that the triangle inequality gives for the costs of a column.
fn column_bound(column: usize, here: u32, end: u32) -> u32 {
    if here == UNREACHED || end == UNREACHED {
        0
    } else if column.is_multiple_of(2) {
        end.saturating_sub(here)
    } else {
        here.saturating_sub(end)
    }
}

/// Returns the cost between two points of a polygon, as in routes.
fn line_cost(from: Vec3, to: Vec3) -> u32 {
    ((distance(from, to) * PER_METER).ceil() as u32).max(1)
}

/// Returns a lower bound of the cost between two points.
fn least_line_cost(from: Vec3, to: Vec3) -> u32 {
    (distance(from, to) * PER_METER * (1.0 - 1e-9)) as u32
}

fn distance(from: Vec3, to: Vec3) -> f64 {
    from.as_dvec3().distance(to.as_dvec3())
}

/// Converts a count. It fits in 32 bits, because memory would be exhausted before.
fn count(n: usize) -> u32 {
    u32::try_from(n).expect("fewer than 2^32")
}
