use std::collections::VecDeque;

use super::{Graph, SearchStep, Side, StepKind, Watch, is_over};

/// The vertices that a search has visited from a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visits {
    /// The vertices in the order in which they were visited, beginning with the start.
    pub order: Vec<u32>,
    /// Per vertex of the graph: the vertex from which it was visited; the start is its own parent.
    parents: Vec<Option<u32>>,
}

impl Visits {
    /// Returns whether a vertex was visited.
    pub fn contains(&self, vertex: u32) -> bool {
        self.parents.get(vertex as usize).is_some_and(Option::is_some)
    }

    /// Returns the vertices from the start to a vertex, or `None` if it was not visited.
    pub fn path(&self, to: u32) -> Option<Vec<u32>> {
        let parent = |vertex: u32| self.parents.get(vertex as usize).copied().flatten();
        let mut path = vec![to];
        let mut at = to;
        loop {
            let next = parent(at)?;
            if next == at {
                break;
            }
            path.push(next);
            at = next;
        }
        path.reverse();
        Some(path)
    }

    fn new(graph: &Graph) -> Self {
        Self { order: Vec::new(), parents: vec![None; graph.len() as usize] }
    }
}

/// Visits all vertices that can be reached from a vertex in breadth-first order: the path to each has the fewest edges.
/// Nothing is visited if the graph has no such vertex.
pub fn breadth_first<W: Watch>(graph: &Graph, from: u32, watch: &mut W) -> Visits {
    let mut visits = Visits::new(graph);
    if from >= graph.len() {
        return visits;
    }
    let mut depths = vec![0_u32; graph.len() as usize];
    let mut open = VecDeque::from([from]);
    visits.parents[from as usize] = Some(from);
    report_step(watch, StepKind::Opened, from, None, 0);
    while let Some(vertex) = open.pop_front() {
        if is_over(watch, visits.order.len() as u64) {
            break;
        }
        visits.order.push(vertex);
        let depth = depths[vertex as usize];
        report_step(watch, StepKind::Expanded, vertex, visits.parents[vertex as usize], depth);
        for &next in graph.edges(vertex) {
            if visits.parents[next as usize].is_none() {
                visits.parents[next as usize] = Some(vertex);
                depths[next as usize] = depth + 1;
                open.push_back(next);
                report_step(watch, StepKind::Opened, next, Some(vertex), depth + 1);
            }
        }
    }
    visits
}

/// Visits all vertices that can be reached from a vertex in depth-first preorder; edges in their order. Uses a stack of
/// its own in place of recursion, so that the length of a path is not limited.
pub fn depth_first<W: Watch>(graph: &Graph, from: u32, watch: &mut W) -> Visits {
    let mut visits = Visits::new(graph);
    if from >= graph.len() {
        return visits;
    }
    // The vertices of the current path, each with its next edge.
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut enter = |vertex: u32, parent: Option<u32>, path: &mut Vec<(u32, usize)>| {
        if is_over(watch, visits.order.len() as u64) {
            path.clear();
            return;
        }
        visits.parents[vertex as usize] = Some(parent.unwrap_or(vertex));
        visits.order.push(vertex);
        let depth = u32::try_from(path.len()).unwrap_or(u32::MAX);
        report_step(watch, StepKind::Opened, vertex, parent, depth);
        report_step(watch, StepKind::Expanded, vertex, parent, depth);
        path.push((vertex, 0));
    };
    enter(from, None, &mut path);
    let mut seen = vec![false; graph.len() as usize];
    seen[from as usize] = true;
    while let Some((vertex, next)) = path.last_mut() {
        let vertex = *vertex;
        let Some(&target) = graph.edges(vertex).get(*next) else {
            path.pop();
            continue;
        };
        *next += 1;
        if !std::mem::replace(&mut seen[target as usize], true) {
            enter(target, Some(vertex), &mut path);
        }
    }
    visits
}

fn report_step(
    watch: &mut impl Watch,
    kind: StepKind,
    vertex: u32,
    parent: Option<u32>,
    depth: u32,
) {
    watch.step(|| SearchStep {
        kind,
        place: u64::from(vertex),
        parent: parent.filter(|&parent| parent != vertex).map(u64::from),
        side: Side::Start,
        g: f64::from(depth),
        h: 0.0,
        f: f64::from(depth),
    });
}
