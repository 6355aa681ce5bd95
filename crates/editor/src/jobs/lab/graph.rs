//! Searches of the graph of all walkable cells.

use glam::Vec3;
use walkable::{
    diagnostic::Phrase,
    geom::Aabb,
    phrase,
    search::{
        SearchStats, SearchStep, StepKind, Watch, WeightedGraph, breadth_first, cancellable,
        depth_first, dijkstra,
    },
};

use super::{Lab, RepeatableSearch, effort, length, searched, timed, verbatim};
use crate::session::{GraphSearch, LabRow, Searcher, Shape};

pub(super) fn run(lab: &Lab<'_>, wanted: &[(Searcher, GraphSearch)]) -> Result<(), Phrase> {
    let (ground, preprocessing_time) = lab.ground()?;
    let [start, end] = lab.request.ends.map(|end| ground.span_near(end));
    let (start, _) = start.ok_or_else(|| phrase!("No walkable cell is near the start."))?;
    let (end, _) = end.ok_or_else(|| phrase!("No walkable cell is near the end."))?;
    let (graph, time) = timed(|| ground.ground.graph(&ground.field));
    let graph = graph.map_err(verbatim)?;
    let preprocessing_time = preprocessing_time + time;
    let number = |span: usize| u32::try_from(span).unwrap_or(u32::MAX);
    let ends = [number(start), number(end)];
    let tree = lab.search(|watch| dijkstra(&graph, ends[0], |vertex| vertex == ends[1], watch))?;
    let least = tree.cost(ends[1]);
    let half = Vec3::new(0.5, 0.0, 0.5) * ground.field.frame.cell_size;
    let middle = |vertex: u32| ground.middle(vertex as usize, ground.column(vertex as usize));
    let shape = |place: u64| {
        let middle = middle(u32::try_from(place).unwrap_or(u32::MAX));
        Shape::Cell(Aabb::new(middle - half, middle + half))
    };
    for &(searcher, search) in wanted {
        let question = GraphQuestion { graph: &graph, search, ends };
        let (path, time, recording) = searched(lab.report, question, shape)?;
        let mut count = Count::default();
        let mut question = GraphQuestion { graph: &graph, search, ends };
        let counted = cancellable(lab.report, &mut count, |watch| question.search(watch));
        counted.map_err(verbatim)?;
        let points: Vec<Vec3> = path.iter().flatten().map(|&vertex| middle(vertex)).collect();
        let length = length(&points);
        lab.send(LabRow {
            searcher,
            points,
            length,
            cost: least.map(|least| (length, least)),
            why: path.is_none().then(|| phrase!("no path")),
            effort: effort(count.0),
            time,
            preprocessing_time: Some(preprocessing_time),
            n_bytes: n_bytes(&graph),
            recording,
        });
        if lab.is_cancelled() {
            break;
        }
    }
    Ok(())
}

/// Returns the memory of the graph: targets, costs and first edge per vertex, for both directions.
fn n_bytes(graph: &WeightedGraph) -> usize {
    let n = graph.graph().len();
    let n_edges: usize = (0..n).map(|vertex| graph.graph().edges(vertex).len()).sum();
    n_edges * 12 + n as usize * 12
}

struct GraphQuestion<'a> {
    graph: &'a WeightedGraph,
    search: GraphSearch,
    ends: [u32; 2],
}

impl RepeatableSearch for GraphQuestion<'_> {
    type Output = Option<Vec<u32>>;

    fn search<W: Watch>(&mut self, watch: &mut W) -> Option<Vec<u32>> {
        let [start, end] = self.ends;
        match self.search {
            GraphSearch::BreadthFirst => breadth_first(self.graph.graph(), start, watch).path(end),
            GraphSearch::DepthFirst => depth_first(self.graph.graph(), start, watch).path(end),
            GraphSearch::Dijkstra => {
                dijkstra(self.graph, start, |vertex| vertex == end, watch).path(end)
            }
        }
    }
}

#[derive(Default)]
struct Count(SearchStats);

impl Watch for Count {
    fn step(&mut self, step: impl FnOnce() -> SearchStep) {
        let stats = &mut self.0;
        match step().kind {
            StepKind::Opened => stats.n_opened += 1,
            StepKind::Expanded => stats.n_expanded += 1,
            StepKind::Lowered | StepKind::Scanned => {}
        }
        let n_open = stats.n_opened.saturating_sub(stats.n_expanded);
        stats.open_peak = stats.open_peak.max(usize::try_from(n_open).unwrap_or(usize::MAX));
    }
}
