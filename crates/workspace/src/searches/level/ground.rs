//! The ground of a level, baked in one piece, from which grids and graphs are built. Also contains the searches of the
//! graph.

use std::time::Duration;

use glam::Vec3;
use walkable::{
    bake::{BakeInput, BakePlan, BakeSettings, CompactField, bake_ground},
    diagnostic::Phrase,
    geom::Aabb,
    ground::{Ground, GroundPlace},
    monitor::Monitor,
    phrase,
    search::{
        SearchStats, SearchStep, StepKind, Watch, WeightedGraph, breadth_first, cancellable,
        depth_first, dijkstra,
    },
};

use super::{
    LevelAnswer, LevelQuestion, LevelSearch, LevelSpaces, Search, Way, length, prepared, recorded,
    side_that_does, verbatim,
};
use crate::{
    format::{exact_quantity, fixed_length},
    limits,
    searches::{GraphAlgorithm, Recording, Shape},
};

/// Maximum number of columns of a level that is searched as a grid or graph.
const MAX_COLUMNS: u64 = 6_000_000;
/// Maximum distance between an end of the path and its cell: in cells horizontally, in meters vertically.
const NEAR: (i32, f32) = (6, 3.0);

/// The walkable cells of a level.
pub(super) struct GroundWorld {
    pub(super) field: CompactField,
    pub(super) ground: Ground,
}

impl GroundWorld {
    fn new(question: &LevelQuestion<'_>, monitor: &dyn Monitor) -> Result<Self, Phrase> {
        let cell_size = question.sides.cell;
        let settings = BakeSettings { cell_size, tile_size: 0, ..question.input.settings.clone() };
        // If only a part of a larger level is loaded, the part is searched like a level of its own.
        let input = BakeInput { settings, part: None, ..question.input.clone() };
        let size = input.mesh.bounds().size() / cell_size;
        let n = columns(size);
        if n > MAX_COLUMNS {
            let wider = side_that_does(cell_size, n, MAX_COLUMNS, 2.0);
            let n = (n / 1_000_000).to_string();
            let (cell, wider) = (exact_quantity(cell_size, "m"), fixed_length(wider));
            return Err(phrase!(
                "A grid of the level has {n} million cells of {cell}; choose cells of {wider} or more.",
                n,
                cell,
                wider
            ));
        }
        let plan = BakePlan::new(input).map_err(verbatim)?;
        limits::admit_in_one_piece(&plan).map_err(verbatim)?;
        let tile = plan.tiles().next().ok_or_else(|| phrase!("The level is empty."))?;
        let (field, areas) = bake_ground(&plan, tile, monitor).map_err(verbatim)?;
        let ground = Ground::new(&field, &areas).map_err(verbatim)?;
        Ok(Self { field, ground })
    }

    /// Returns the span and place of the walkable cell nearest to each end.
    pub(super) fn ends(&self, ends: [Vec3; 2]) -> Result<[(usize, GroundPlace); 2], Phrase> {
        let [start, end] = ends.map(|end| self.span_near(end));
        let start = start.ok_or_else(|| phrase!("No walkable cell is near the start."))?;
        Ok([start, end.ok_or_else(|| phrase!("No walkable cell is near the end."))?])
    }

    fn span_near(&self, place: Vec3) -> Option<(usize, GroundPlace)> {
        let frame = &self.field.frame;
        let (radius, reach) = NEAR;
        let [x, z] = [place.x - frame.bounds.min.x, place.z - frame.bounds.min.z]
            .map(|along| floor(along / frame.cell_size));
        let mut best: Option<(f32, usize, GroundPlace)> = None;
        for (dz, dx) in (-radius..=radius).flat_map(|dz| (-radius..=radius).map(move |dx| (dz, dx)))
        {
            let at = u32::try_from(x + dx).ok().zip(u32::try_from(z + dz).ok());
            let Some((x, z)) = at.filter(|&(x, z)| x < frame.n_x && z < frame.n_z) else {
                continue;
            };
            for span in self.field.cell(frame.cell_index(x, z)) {
                let Some(ground) = self.ground.place(span) else { continue };
                let middle = self.middle(span, (x, z));
                let distance = middle.distance_squared(place);
                let is_near = (middle.y - place.y).abs() <= reach;
                if is_near && best.is_none_or(|(least, ..)| distance < least) {
                    best = Some((distance, span, ground));
                }
            }
        }
        best.map(|(_, span, place)| (span, place))
    }

    fn column(&self, span: usize) -> (u32, u32) {
        let is_before = |start: &u32| *start as usize <= span;
        let cell = self.field.starts.partition_point(is_before).saturating_sub(1);
        let n_x = self.field.frame.n_x as usize;
        let [x, z] = [cell % n_x, cell / n_x].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        (x, z)
    }

    #[expect(clippy::cast_precision_loss, reason = "levels have at most 65535 cells along a side")]
    fn middle(&self, span: usize, (x, z): (u32, u32)) -> Vec3 {
        let height = f32::from(self.field.spans[span].floor_vx);
        self.field.frame.world_from_grid(x as f32 + 0.5, height, z as f32 + 0.5)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "such casts saturate")]
fn columns(size: Vec3) -> u64 {
    (size.x.ceil() as u64).saturating_mul(size.z.ceil() as u64)
}

#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn floor(along: f32) -> i32 {
    (along.floor() as i32).clamp(-1_000_000, 1_000_000)
}

impl LevelSpaces<'_> {
    /// Returns the walkable cells of the level, and the time it took to build them.
    pub(super) fn ground(&self) -> Result<(&GroundWorld, Duration), Phrase> {
        prepared(&self.ground, || GroundWorld::new(&self.question, self.monitor))
    }

    pub(super) fn search_graph(
        &self,
        algorithm: GraphAlgorithm,
    ) -> Result<LevelSearch<'_>, Phrase> {
        let (ground, in_ground) = self.ground()?;
        let ends = ground.ends(self.question.ends)?;
        let (graph, in_graph) =
            prepared(&self.graph, || ground.ground.graph(&ground.field).map_err(verbatim))?;
        let ends = ends.map(|(span, _)| u32::try_from(span).unwrap_or(u32::MAX));
        Ok(LevelSearch {
            n_bytes: n_bytes(graph),
            preprocessing_time: Some(in_ground + in_graph),
            way: Way::Graph(GraphSearch { ground, graph, algorithm, ends }),
            monitor: self.monitor,
        })
    }
}

/// Returns the memory of the graph, in bytes: the targets and costs of its edges, and the first edge of each vertex, in
/// both directions.
fn n_bytes(graph: &WeightedGraph) -> usize {
    let n = graph.graph().len();
    let n_edges: usize = (0..n).map(|vertex| graph.graph().edges(vertex).len()).sum();
    n_edges * 12 + n as usize * 12
}

/// A search of the graph of all walkable cells.
#[derive(Clone, Copy)]
pub(super) struct GraphSearch<'s> {
    ground: &'s GroundWorld,
    graph: &'s WeightedGraph,
    algorithm: GraphAlgorithm,
    ends: [u32; 2],
}

impl GraphSearch<'_> {
    fn middle(&self, vertex: u32) -> Vec3 {
        self.ground.middle(vertex as usize, self.ground.column(vertex as usize))
    }
}

impl Search for GraphSearch<'_> {
    type Found = Option<Vec<u32>>;

    fn find<W: Watch>(&mut self, watch: &mut W) -> Option<Vec<u32>> {
        let [start, end] = self.ends;
        match self.algorithm {
            GraphAlgorithm::BreadthFirst => {
                breadth_first(self.graph.graph(), start, watch).path(end)
            }
            GraphAlgorithm::DepthFirst => depth_first(self.graph.graph(), start, watch).path(end),
            GraphAlgorithm::Dijkstra => {
                dijkstra(self.graph, start, |vertex| vertex == end, watch).path(end)
            }
        }
    }

    fn answer(&self, path: Option<Vec<u32>>, monitor: &dyn Monitor) -> Result<LevelAnswer, Phrase> {
        let mut count = Count::default();
        let mut search = *self;
        cancellable(monitor, &mut count, |watch| search.find(watch)).map_err(verbatim)?;
        let points: Vec<Vec3> = path.iter().flatten().map(|&vertex| self.middle(vertex)).collect();
        let length = length(&points);
        Ok(LevelAnswer {
            points,
            length,
            cost: path.is_some().then_some(length),
            why: path.is_none().then(|| phrase!("no path")),
            effort: count.0.into(),
        })
    }

    fn record(&mut self, monitor: &dyn Monitor) -> Result<Recording, Phrase> {
        let search = *self;
        let half = Vec3::new(0.5, 0.0, 0.5) * search.ground.field.frame.cell_size;
        recorded(self, monitor, |place| {
            let middle = search.middle(u32::try_from(place).unwrap_or(u32::MAX));
            Shape::Cell(Aabb::new(middle - half, middle + half))
        })
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
