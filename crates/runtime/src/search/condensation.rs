use super::Graph;

/// A graph with each strongly connected component drawn together to one vertex. It has no cycles, and
/// tells what can be reached over one-way edges before any search for a path.
#[derive(Clone, Debug)]
pub struct Condensation {
    /// Per vertex, its component.
    component: Vec<u32>,
    /// Edges between components, each once, lead to smaller numbers.
    graph: Graph,
}

impl Condensation {
    /// Draws the components of a graph together.
    pub fn new(graph: &Graph) -> Self {
        let (component, n) = graph.components();
        // Vertices by component, so that each component's edges are gathered at once.
        let mut starts = vec![0_usize; n as usize + 1];
        for &of in &component {
            starts[of as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut members = vec![0_u32; component.len()];
        let mut next = starts.clone();
        for (vertex, &of) in (0..).zip(&component) {
            members[next[of as usize]] = vertex;
            next[of as usize] += 1;
        }
        let condensed = Graph::new(n, |of, edges| {
            let first = edges.len();
            for &vertex in &members[starts[of as usize]..starts[of as usize + 1]] {
                let targets = graph.edges(vertex).iter().map(|&to| component[to as usize]);
                edges.extend(targets.filter(|&to| to != of));
            }
            edges[first..].sort_unstable();
            let mut kept = first;
            for at in first..edges.len() {
                if at == first || edges[at] != edges[kept - 1] {
                    edges[kept] = edges[at];
                    kept += 1;
                }
            }
            edges.truncate(kept);
        });
        Self { component, graph: condensed }
    }

    /// Per vertex of the graph, the number of its component.
    pub fn components(&self) -> &[u32] {
        &self.component
    }

    /// The graph of components. Its edges lead to smaller numbers.
    pub const fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether a row of edges leads from one vertex to another; each reaches itself. Vertices that the
    /// graph lacks reach nothing.
    ///
    /// Looks at components numbered between the two only; most answers need none.
    pub fn reaches(&self, from: u32, to: u32) -> bool {
        let component = |vertex: u32| self.component.get(vertex as usize).copied();
        let (Some(from), Some(to)) = (component(from), component(to)) else { return false };
        if from <= to {
            return from == to;
        }
        let mut seen = vec![false; (from - to) as usize + 1];
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for &next in self.graph.edges(at) {
                if next == to {
                    return true;
                }
                if next > to && !std::mem::replace(&mut seen[(next - to) as usize], true) {
                    open.push(next);
                }
            }
        }
        false
    }
}
