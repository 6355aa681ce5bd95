//! Searches of graphs, compared with `petgraph` and with the definitions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use petgraph::{
    algo,
    graph::{DiGraph, NodeIndex},
};
use proptest::prelude::*;
use walkable::search::{
    Condensation, EdgeError, Graph, Trace, Unwatched, WeightedGraph, breadth_first, depth_first,
    dijkstra,
};

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(n)).unwrap()
    }
}

/// Returns a random graph with loops, edges in both directions and duplicate edges; and its edges.
fn random(seed: u64) -> (Graph, Vec<(u32, u32)>, u32) {
    let mut numbers = Numbers(seed);
    let n = 1 + numbers.below(300);
    let n_edges = numbers.below(3 * n);
    let mut edges = Vec::new();
    for _ in 0..n_edges {
        let (a, b) = (numbers.below(n), numbers.below(n));
        edges.push((a, b));
        match numbers.below(8) {
            0 => edges.push((b, a)),
            1 => edges.push((a, a)),
            2 => edges.push((a, b)),
            _ => {}
        }
    }
    (graph(n, &edges), edges, n)
}

fn graph(n: u32, edges: &[(u32, u32)]) -> Graph {
    let mut sorted = edges.to_vec();
    sorted.sort_by_key(|edge| edge.0);
    Graph::new(n, |from, out| {
        let first = sorted.partition_point(|edge| edge.0 < from);
        out.extend(sorted[first..].iter().take_while(|edge| edge.0 == from).map(|edge| edge.1));
    })
}

#[test]
fn components_are_those_of_petgraph() {
    for seed in 0..200 {
        let (ours, edges, n) = random(seed);
        let mut theirs = DiGraph::<(), ()>::from_edges(&edges);
        while theirs.node_count() < n as usize {
            theirs.add_node(());
        }
        let expected: BTreeSet<BTreeSet<u32>> = algo::tarjan_scc(&theirs)
            .into_iter()
            .map(|members| {
                members.into_iter().map(|at| u32::try_from(at.index()).unwrap()).collect()
            })
            .collect();
        let (component, n_components) = ours.components();
        let mut found = vec![BTreeSet::new(); n_components as usize];
        for (vertex, &of) in (0..).zip(&component) {
            found[of as usize].insert(vertex);
        }
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "seed {seed}");
    }
}

#[test]
fn reachability_agrees_with_visited_vertices() {
    for seed in 0..60 {
        let (graph, _, n) = random(seed);
        let condensed = Condensation::new(&graph);
        for (of, vertex) in (0..condensed.graph().len()).map(|of| (of, condensed.graph().edges(of)))
        {
            assert!(vertex.iter().all(|&to| to < of), "no cycles");
            assert!(vertex.is_sorted_by(|a, b| a < b), "each edge once");
        }
        let (island, _) = graph.islands();
        for from in 0..n {
            let visits = breadth_first(&graph, from, &mut Unwatched);
            let deep = depth_first(&graph, from, &mut Unwatched);
            for to in 0..n {
                assert_eq!(condensed.reaches(from, to), visits.contains(to), "{seed}: {from} {to}");
                assert_eq!(deep.contains(to), visits.contains(to));
                assert!(!visits.contains(to) || island[from as usize] == island[to as usize]);
            }
        }
    }
}

/// Islands consist of the vertices that can be reached if every edge can be followed in both directions.
#[test]
fn islands_are_connected_components() {
    for seed in 0..60 {
        let (ours, mut edges, n) = random(seed);
        edges.extend(edges.clone().iter().map(|&(a, b)| (b, a)));
        let both = graph(n, &edges);
        let (island, _) = ours.islands();
        for from in 0..n {
            let visits = breadth_first(&both, from, &mut Unwatched);
            for to in 0..n {
                let same = island[from as usize] == island[to as usize];
                assert_eq!(same, visits.contains(to));
            }
        }
    }
}

#[test]
fn a_million_in_a_row_is_not_too_long() {
    let n = 1_000_000;
    let row = Graph::new(n, |from, out| out.push(from + 1));
    assert_eq!(row.components().1, n);
    assert_eq!(depth_first(&row, 0, &mut Unwatched).order.len(), n as usize);
    let visits = breadth_first(&row, 0, &mut Unwatched);
    assert_eq!(visits.path(n - 1).map(|path| path.len()), Some(n as usize));
    let condensed = Condensation::new(&row);
    assert!(condensed.reaches(0, n - 1) && !condensed.reaches(n - 1, 0));
    let ring = Graph::new(n, |from, out| out.push((from + 1) % n));
    assert_eq!(ring.components().1, 1);
}

#[test]
fn cheapest_ways_are_those_of_petgraph() {
    for seed in 0..100 {
        let (_, edges, n) = random(seed);
        let mut numbers = Numbers(seed + 7777);
        let edges: Vec<(u32, u32, f64)> =
            edges.into_iter().map(|(a, b)| (a, b, f64::from(numbers.below(50)))).collect();
        let ours = WeightedGraph::new(n, &edges).unwrap();
        let mut theirs = DiGraph::<(), f64>::from_edges(&edges);
        while theirs.node_count() < n as usize {
            theirs.add_node(());
        }
        let expected = algo::dijkstra(&theirs, NodeIndex::new(0), None, |edge| *edge.weight());
        let found = dijkstra(&ours, 0, |_| false, &mut Unwatched);
        for to in 0..n {
            let cost = expected.get(&NodeIndex::new(to as usize)).copied();
            assert_eq!(found.cost(to), cost, "seed {seed}: to {to}");
            let Some(path) = found.path(to) else { continue };
            let step = |a: u32, b: u32| {
                let costs = ours.edges(a).filter(|&(to, _)| to == b).map(|(_, cost)| cost);
                costs.fold(f64::INFINITY, f64::min)
            };
            let sum: f64 = path.windows(2).map(|step_| step(step_[0], step_[1])).sum();
            assert_eq!((path[0], Some(sum)), (0, cost));
        }
        // Stopping early does not change what was found by then.
        let early = dijkstra(&ours, 0, |vertex| vertex == n - 1, &mut Unwatched);
        assert_eq!(early.cost(n - 1), found.cost(n - 1));
        assert!((0..n).all(|to| early.cost(to).is_none_or(|cost| found.cost(to) == Some(cost))));
    }
}

#[test]
fn bad_edges_are_named() {
    let n = 3;
    let check = |edge: (u32, u32, f64)| WeightedGraph::new(n, &[(0, 1, 1.0), edge]).unwrap_err();
    assert_eq!(check((1, 3, 1.0)), EdgeError::NoVertex { index: 1, from: 1, to: 3, n });
    for cost in [-1.0, f64::NAN, f64::INFINITY] {
        let text = check((1, 2, cost)).to_string();
        assert!(text.starts_with("edge 1 from 1 to 2 costs"), "{text}");
    }
    let graph = WeightedGraph::new(n, &[]).unwrap();
    assert_eq!(dijkstra(&graph, 9, |_| false, &mut Unwatched).cost(0), None);
    assert!(breadth_first(graph.graph(), 9, &mut Unwatched).order.is_empty());
    assert!(!Condensation::new(graph.graph()).reaches(0, 9));
}

proptest! {
    #[test]
    fn breadth_first_paths_have_the_fewest_edges(
        edges in prop::collection::vec((0_u32..15, 0_u32..15), 0..40),
    ) {
        let graph = graph(15, &edges);
        let mut trace = Trace::default();
        let visits = breadth_first(&graph, 0, &mut trace);
        // By adding one edge at a time.
        let mut fewest = [usize::MAX; 15];
        fewest[0] = 0;
        for n in 0..15 {
            for &(a, b) in &edges {
                if fewest[a as usize] == n && fewest[b as usize] > n {
                    fewest[b as usize] = n + 1;
                }
            }
        }
        for to in 0..15 {
            let n = visits.path(to).map_or(usize::MAX, |path| path.len() - 1);
            prop_assert_eq!(n, fewest[to as usize]);
        }
        let expanded: Vec<u64> = trace.expanded().map(|step| step.place).collect();
        let order: Vec<u64> = visits.order.iter().map(|&vertex| u64::from(vertex)).collect();
        prop_assert_eq!(expanded, order);
    }
}
