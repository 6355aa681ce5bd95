//! Connected components of a directed graph.

/// A directed graph: the targets of the edges of each vertex.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Index of the first edge of each vertex, and the number of edges as the last element.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// Creates a graph of `n` vertices. `edges_of` appends the targets of a vertex's edges. Edges to vertices that do
    /// not exist are ignored.
    pub fn new(n: u32, mut edges_of: impl FnMut(u32, &mut Vec<u32>)) -> Self {
        let mut graph = Self { starts: vec![0], targets: Vec::new() };
        for vertex in 0..n {
            let start = graph.targets.len();
            edges_of(vertex, &mut graph.targets);
            let mut kept = start;
            for at in start..graph.targets.len() {
                if graph.targets[at] < n {
                    graph.targets[kept] = graph.targets[at];
                    kept += 1;
                }
            }
            graph.targets.truncate(kept);
            graph.starts.push(u32::try_from(kept).unwrap_or(u32::MAX));
        }
        graph
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> u32 {
        u32::try_from(self.starts.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// Returns whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the targets of the edges of a vertex.
    pub fn edges(&self, vertex: u32) -> &[u32] {
        let [start, end] =
            [vertex as usize, vertex as usize + 1].map(|at| self.starts[at] as usize);
        &self.targets[start..end]
    }

    /// Returns the island of each vertex and the number of islands: the connected components if edges are undirected.
    /// Islands are numbered in the order of their first vertices.
    pub fn islands(&self) -> (Vec<u32>, u32) {
        let mut above: Vec<u32> = (0..self.len()).collect();
        for vertex in 0..self.len() {
            for &target in self.edges(vertex) {
                let [a, b] = [root(&mut above, vertex), root(&mut above, target)];
                // The smaller number is the root, so that the root is the island's first vertex.
                above[a.max(b) as usize] = a.min(b);
            }
        }
        let mut n = 0;
        let mut numbers = vec![0; above.len()];
        for vertex in 0..self.len() {
            let first = root(&mut above, vertex);
            if first == vertex {
                numbers[vertex as usize] = n;
                n += 1;
            } else {
                numbers[vertex as usize] = numbers[first as usize];
            }
        }
        (numbers, n)
    }

    /// Returns the strongly connected component of each vertex and the number of components: vertices that can all
    /// reach one another. Edges between components lead to smaller numbers.
    ///
    /// Source: Tarjan, "Depth-first search and linear graph algorithms", 1972; with a stack of its own, because
    /// recursion would overflow on long paths.
    pub fn components(&self) -> (Vec<u32>, u32) {
        let mut tarjan = Tarjan {
            graph: self,
            order: vec![UNSEEN; self.len() as usize],
            low: vec![0; self.len() as usize],
            component: vec![UNSEEN; self.len() as usize],
            open: Vec::new(),
            way: Vec::new(),
            n_seen: 0,
            n_components: 0,
        };
        for vertex in 0..self.len() {
            if tarjan.order[vertex as usize] == UNSEEN {
                tarjan.search_from(vertex);
            }
        }
        (tarjan.component, tarjan.n_components)
    }
}

const UNSEEN: u32 = u32::MAX;

/// Returns the root of a vertex in the forest `above`, and shortens the path to it.
fn root(above: &mut [u32], vertex: u32) -> u32 {
    let mut at = vertex;
    while above[at as usize] != at {
        let next = above[above[at as usize] as usize];
        above[at as usize] = next;
        at = next;
    }
    at
}

struct Tarjan<'a> {
    graph: &'a Graph,
    /// Per vertex: the order in which it was first visited.
    order: Vec<u32>,
    /// Per vertex: the earliest vertex without a component that it can reach, as far as known.
    low: Vec<u32>,
    component: Vec<u32>,
    /// Visited vertices that have no component yet.
    open: Vec<u32>,
    /// The vertices of the current path, each with its next edge.
    way: Vec<(u32, usize)>,
    n_seen: u32,
    n_components: u32,
}

impl Tarjan<'_> {
    fn search_from(&mut self, first: u32) {
        self.enter(first);
        while let Some((vertex, next)) = self.way.last_mut() {
            let vertex = *vertex;
            let Some(&target) = self.graph.edges(vertex).get(*next) else {
                self.leave(vertex);
                continue;
            };
            *next += 1;
            if self.order[target as usize] == UNSEEN {
                self.enter(target);
            } else if self.component[target as usize] == UNSEEN {
                let seen = self.order[target as usize];
                self.low[vertex as usize] = self.low[vertex as usize].min(seen);
            }
        }
    }

    fn enter(&mut self, vertex: u32) {
        self.order[vertex as usize] = self.n_seen;
        self.low[vertex as usize] = self.n_seen;
        self.n_seen += 1;
        self.open.push(vertex);
        self.way.push((vertex, 0));
    }

    /// Called when all edges of `vertex` were followed.
    fn leave(&mut self, vertex: u32) {
        self.way.pop();
        let low = self.low[vertex as usize];
        if let Some(&(before, _)) = self.way.last() {
            self.low[before as usize] = self.low[before as usize].min(low);
        }
        if low != self.order[vertex as usize] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member as usize] = self.n_components;
            if member == vertex {
                break;
            }
        }
        self.n_components += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn graph(n: u32, edges: &[(u32, u32)]) -> Graph {
        Graph::new(n, |from, out| {
            out.extend(edges.iter().filter(|edge| edge.0 == from).map(|edge| edge.1));
        })
    }

    #[test]
    fn one_way_edges_part_components_but_not_islands() {
        // Two rings, an edge from the first to the second, and an isolated vertex.
        let graph = graph(6, &[(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2), (5, 9)]);
        assert_eq!(graph.islands(), (vec![0, 0, 0, 0, 0, 1], 2));
        let (component, n) = graph.components();
        assert_eq!((component, n), (vec![1, 1, 0, 0, 0, 2], 3));
    }

    #[test]
    fn a_long_way_does_not_overflow() {
        let n = 300_000;
        let graph = Graph::new(n, |from, out| out.push(from + 1));
        assert_eq!(graph.components().1, n);
        assert_eq!(graph.islands().1, 1);
    }

    proptest! {
        #[test]
        fn components_are_what_reaches_one_another(
            edges in prop::collection::vec((0u32..12, 0u32..12), 0..30),
        ) {
            let graph = graph(12, &edges);
            let mut reaches = [[false; 12]; 12];
            for (v, row) in reaches.iter_mut().enumerate() {
                row[v] = true;
            }
            for &(a, b) in &edges {
                reaches[a as usize][b as usize] = true;
            }
            for via in 0..12 {
                for a in 0..12 {
                    for b in 0..12 {
                        reaches[a][b] |= reaches[a][via] && reaches[via][b];
                    }
                }
            }
            let (component, n) = graph.components();
            let (island, _) = graph.islands();
            for a in 0..12 {
                prop_assert!(component[a] < n);
                for b in 0..12 {
                    prop_assert_eq!(component[a] == component[b], reaches[a][b] && reaches[b][a]);
                    prop_assert!(!reaches[a][b] || component[a] >= component[b] && island[a] == island[b]);
                }
            }
        }
    }
}
