use super::{Graph, MinQueue, SearchStep, Side, StepKind, Watch, is_over};

/// An error of an edge of a graph.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EdgeError {
    /// An end of the edge is not a vertex of the graph.
    #[error("edge {index} leads from {from} to {to}; there are {n} vertices")]
    NoVertex {
        /// Index of the edge.
        index: usize,
        /// Start of the edge.
        from: u32,
        /// End of the edge.
        to: u32,
        /// Number of vertices.
        n: u32,
    },
    /// The cost is negative or not finite.
    #[error("edge {index} from {from} to {to} costs {cost}; costs are finite and at least 0")]
    Cost {
        /// Index of the edge.
        index: usize,
        /// Start of the edge.
        from: u32,
        /// End of the edge.
        to: u32,
        /// Cost of the edge.
        cost: f64,
    },
    /// The graph has more than 2³² edges.
    #[error("{n} edges are too many; at most 4294967295")]
    TooMany {
        /// Number of edges.
        n: usize,
    },
}

/// A directed graph whose edges have costs.
#[derive(Clone, Debug)]
pub struct WeightedGraph {
    graph: Graph,
    /// Costs by edge, in the order of the graph.
    costs: Vec<f64>,
    /// Index of the first edge of each vertex.
    starts: Vec<usize>,
}

impl WeightedGraph {
    /// Creates a graph of `n` vertices with the edges `(from, to, cost)`.
    ///
    /// # Errors
    /// Returns an error if an end of an edge is not a vertex, or if a cost is negative or not finite.
    pub fn new(n: u32, edges: &[(u32, u32, f64)]) -> Result<Self, EdgeError> {
        if u32::try_from(edges.len()).is_err() {
            return Err(EdgeError::TooMany { n: edges.len() });
        }
        let mut starts = vec![0; n as usize + 1];
        for (index, &(from, to, cost)) in edges.iter().enumerate() {
            if from >= n || to >= n {
                return Err(EdgeError::NoVertex { index, from, to, n });
            }
            if !(cost.is_finite() && cost >= 0.0) {
                return Err(EdgeError::Cost { index, from, to, cost });
            }
            starts[from as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut sorted = vec![(0, 0.0); edges.len()];
        let mut next = starts.clone();
        for &(from, to, cost) in edges {
            sorted[next[from as usize]] = (to, cost);
            next[from as usize] += 1;
        }
        let graph = Graph::new(n, |vertex, out| {
            let own = starts[vertex as usize]..starts[vertex as usize + 1];
            out.extend(sorted[own].iter().map(|&(to, _)| to));
        });
        let costs = sorted.into_iter().map(|(_, cost)| cost).collect();
        Ok(Self { graph, costs, starts })
    }

    /// Returns the graph without costs.
    pub const fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the ends and costs of the edges of a vertex.
    pub fn edges(&self, vertex: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        let costs = &self.costs[self.starts[vertex as usize]..];
        self.graph.edges(vertex).iter().copied().zip(costs.iter().copied())
    }
}

/// The cheapest paths from one vertex to others, as a tree: each vertex that was reached has a parent.
#[derive(Clone, Debug)]
pub struct ShortestPathTree {
    costs: Vec<f64>,
    parents: Vec<u32>,
}

impl ShortestPathTree {
    /// Returns the cost of the cheapest path to a vertex; `None` if it was not reached.
    pub fn cost(&self, to: u32) -> Option<f64> {
        self.costs.get(to as usize).copied().filter(|cost| cost.is_finite())
    }

    /// Returns the vertices of the cheapest path to a vertex, including both ends; `None` if it was not reached.
    pub fn path(&self, to: u32) -> Option<Vec<u32>> {
        self.cost(to)?;
        let mut path = vec![to];
        let mut at = to;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
            path.push(at);
        }
        path.reverse();
        Some(path)
    }
}

/// A cost with a total order: finite and not negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// The bits of such numbers have the same order as the numbers.
    cost: u64,
    vertex: u32,
}

/// Finds the cheapest paths from a vertex to all others, or to those that cost at most as much as the first vertex for
/// which `is_enough` returns `true`.
///
/// Source: Dijkstra, "A note on two problems in connexion with graphs", 1959.
pub fn dijkstra<W: Watch>(
    graph: &WeightedGraph,
    from: u32,
    mut is_enough: impl FnMut(u32) -> bool,
    watch: &mut W,
) -> ShortestPathTree {
    let n = graph.graph.len();
    let mut best = vec![f64::INFINITY; n as usize];
    let mut tree =
        ShortestPathTree { costs: vec![f64::INFINITY; n as usize], parents: (0..n).collect() };
    if from >= n {
        return tree;
    }
    let mut open = MinQueue::default();
    best[from as usize] = 0.0;
    open.push(Key { cost: 0, vertex: from });
    let mut n_expanded = 0;
    while let Some(Key { cost, vertex }) = open.pop() {
        let cost = f64::from_bits(cost);
        if tree.costs[vertex as usize].is_finite() {
            continue;
        }
        if is_over(watch, n_expanded) {
            break;
        }
        n_expanded += 1;
        tree.costs[vertex as usize] = cost;
        report_step(watch, StepKind::Expanded, vertex, tree.parents[vertex as usize], cost);
        if is_enough(vertex) {
            break;
        }
        for (next, step) in graph.edges(vertex) {
            let g = cost + step;
            let known = best[next as usize];
            if g < known {
                best[next as usize] = g;
                tree.parents[next as usize] = vertex;
                open.push(Key { cost: g.to_bits(), vertex: next });
                let is_new = known.is_infinite();
                let kind = if is_new { StepKind::Opened } else { StepKind::Lowered };
                report_step(watch, kind, next, vertex, g);
            }
        }
    }
    tree
}

fn report_step(watch: &mut impl Watch, kind: StepKind, vertex: u32, parent: u32, g: f64) {
    watch.step(|| SearchStep {
        kind,
        place: u64::from(vertex),
        parent: Some(parent).filter(|&parent| parent != vertex).map(u64::from),
        side: Side::Start,
        g,
        h: 0.0,
        f: g,
    });
}
