use super::Graph;

/// The condensation of a graph: each strongly connected component becomes one vertex. It has no cycles, and determines
/// which vertices are reachable over one-way edges without a path search.
#[derive(Clone, Debug)]
pub struct Condensation {
    /// The component of each vertex.
    component: Vec<u32>,
    /// Edges between components without duplicates; they lead to smaller numbers.
    graph: Graph,
}

impl Condensation {
    /// Creates the condensation of a graph.
    pub fn new(graph: &Graph) -> Self {
        let (component, n) = graph.components();
        // Vertices grouped by component, so that the edges of a component are collected together.
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

    /// Returns the component of each vertex of the graph.
    pub fn components(&self) -> &[u32] {
        &self.component
    }

    /// Returns the graph of components. Its edges lead to smaller numbers.
    pub const fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns whether `to` is reachable from `from`; each vertex reaches itself. Vertices that do not exist reach
    /// nothing.
    ///
    /// Visits only components with numbers between the two; mostly none.
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
