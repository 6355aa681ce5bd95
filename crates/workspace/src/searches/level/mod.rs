//! Searches on a level: over its navmesh, over the cells of its ground, and through its air and water.

mod air;
mod grid;
mod ground;
mod navmesh;

use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
    time::Duration,
};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::BakeInput,
    diagnostic::Phrase,
    geom::total,
    monitor::Monitor,
    navmesh::NavMesh,
    query::{Filter, RouteOverlay},
    search::{SearchStats, Unwatched, Watch, WeightedGraph, cancellable},
    voxel::Volume,
};
use web_time::Instant;

use self::{
    air::{AirSearch, AirWorld},
    grid::GridSearch,
    ground::{GraphSearch, GroundWorld},
    navmesh::NavmeshSearch,
};
use super::{Algorithm, Map, Options, Recorder, Recording, Shape};

/// Searches faster than this are run again and timed with warm caches, as in a game.
const QUICK: Duration = Duration::from_millis(30);

/// The input of searches for a path between two ends in a level.
#[derive(Clone, Copy, Debug)]
pub struct LevelQuestion<'a> {
    pub input: &'a BakeInput,
    /// The navmesh. Only searches of the navmesh need it.
    pub navmesh: Option<&'a NavMesh>,
    pub filter: &'a Filter,
    /// The map from which the level was built.
    pub map: Option<&'a Map>,
    pub ends: [Vec3; 2],
    pub sides: Sides,
    /// Maximum number of voxels to search one by one.
    pub max_voxels: u64,
}

/// The sizes of cells and voxels, and the radius of flyers, in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sides {
    /// Side of a cell of grids and graphs.
    pub cell: f32,
    pub voxel: f32,
    /// Distance that flyers and swimmers keep from all obstacles.
    pub flyer_radius: f32,
}

/// Result of a search. Lengths and costs are in meters.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelAnswer {
    /// Corners of the path; empty if there is none.
    pub points: Vec<Vec3>,
    pub length: f64,
    /// Cost of the path, if it reaches the end.
    pub cost: Option<f64>,
    /// Why there is no path, or only a partial one.
    pub why: Option<Phrase>,
    pub effort: Effort,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    pub n_expanded: u64,
    /// Number of entries put on the open list, if known.
    pub n_opened: Option<u64>,
    /// Maximum number of open nodes, if known.
    pub open_peak: Option<u64>,
}

impl From<SearchStats> for Effort {
    fn from(stats: SearchStats) -> Self {
        Self {
            n_expanded: stats.n_expanded,
            n_opened: Some(stats.n_opened),
            open_peak: u64::try_from(stats.open_peak).ok(),
        }
    }
}

/// A value that is built on first use, with the time that took, or the reason why it could not be built.
type Prepared<T> = OnceCell<Result<(T, Duration), Phrase>>;

/// The search spaces of a level. Each is built when a search first needs it.
pub struct LevelSpaces<'a> {
    question: LevelQuestion<'a>,
    monitor: &'a dyn Monitor,
    overlay: Prepared<Option<RouteOverlay>>,
    ground: Prepared<GroundWorld>,
    graph: Prepared<WeightedGraph>,
    air: Prepared<AirWorld>,
    volume: Prepared<Volume>,
    water: Prepared<AirWorld>,
    /// Costs of the optima that were found.
    optima: RefCell<BTreeMap<Algorithm, Option<f64>>>,
}

impl std::fmt::Debug for LevelSpaces<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LevelSpaces").field("question", &self.question).finish_non_exhaustive()
    }
}

impl<'a> LevelSpaces<'a> {
    /// Creates the search spaces. All work on them ends when `monitor` cancels.
    pub fn new(question: LevelQuestion<'a>, monitor: &'a dyn Monitor) -> Self {
        Self {
            question,
            monitor,
            overlay: OnceCell::new(),
            ground: OnceCell::new(),
            graph: OnceCell::new(),
            air: OnceCell::new(),
            volume: OnceCell::new(),
            water: OnceCell::new(),
            optima: RefCell::default(),
        }
    }

    /// Prepares a search.
    ///
    /// # Errors
    /// Returns an error if the search space cannot be built, with a remedy; if nothing near an end can be searched; if
    /// the search does not support the options; or if `monitor` has cancelled.
    pub fn search(
        &self,
        algorithm: Algorithm,
        options: Options,
    ) -> Result<LevelSearch<'_>, Phrase> {
        match algorithm {
            Algorithm::Navmesh(algorithm) => self.search_navmesh(algorithm),
            Algorithm::Grid(algorithm) => self.search_grid(algorithm, options),
            Algorithm::Graph(algorithm) => self.search_graph(algorithm),
            Algorithm::Walk => self.walk(),
            Algorithm::Volume(algorithm) => self.search_volume(algorithm, options),
            Algorithm::Swim => self.swim(options),
        }
    }

    /// Returns the cost of the optimum to compare with `answer`, if it is known.
    ///
    /// # Errors
    /// Returns an error if the search for the optimum cannot be prepared, or if `monitor` has cancelled it.
    pub fn optimum(&self, of: Algorithm, answer: &LevelAnswer) -> Result<Option<f64>, Phrase> {
        let Some(best) = of.optimal() else { return Ok(None) };
        if best == of {
            return Ok(answer.cost);
        }
        // The optimum for octrees is a search of all voxels, which is too slow if there are many.
        if best.medium() != of.medium() && self.are_many_voxels()? {
            return Ok(None);
        }
        if let Some(&known) = self.optima.borrow().get(&best) {
            return Ok(known);
        }
        let least = self.search(best, Options::default())?.timed()?.0.cost;
        self.optima.borrow_mut().insert(best, least);
        Ok(least)
    }
}

/// A prepared search, which can be run any number of times.
pub struct LevelSearch<'s> {
    way: Way<'s>,
    monitor: &'s dyn Monitor,
    /// How long it took to build the search space; `None` if nothing had to be built.
    pub preprocessing_time: Option<Duration>,
    /// Memory of the search space, in bytes.
    pub n_bytes: usize,
}

enum Way<'s> {
    Navmesh(Box<NavmeshSearch<'s>>),
    Grid(Box<GridSearch<'s>>),
    Graph(GraphSearch<'s>),
    Air(Box<AirSearch<'s>>),
}

impl std::fmt::Debug for LevelSearch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LevelSearch").field("n_bytes", &self.n_bytes).finish_non_exhaustive()
    }
}

impl LevelSearch<'_> {
    /// Returns the answer and the time of the search alone. A quick search is run once more, with warm caches and memory,
    /// as in a game.
    ///
    /// # Errors
    /// Returns an error if the monitor has cancelled.
    pub fn run(&mut self) -> Result<(LevelAnswer, Duration), Phrase> {
        let (answer, time) = self.timed()?;
        if time < QUICK { self.timed() } else { Ok((answer, time)) }
    }

    fn timed(&mut self) -> Result<(LevelAnswer, Duration), Phrase> {
        match &mut self.way {
            Way::Navmesh(search) => run(&mut **search, self.monitor),
            Way::Grid(search) => run(&mut **search, self.monitor),
            Way::Graph(search) => run(search, self.monitor),
            Way::Air(search) => run(&mut **search, self.monitor),
        }
    }

    /// Runs the search once more and records its steps.
    ///
    /// # Errors
    /// Returns an error if the monitor has cancelled.
    pub fn record(&mut self) -> Result<Recording, Phrase> {
        match &mut self.way {
            Way::Navmesh(search) => search.record(self.monitor),
            Way::Grid(search) => search.record(self.monitor),
            Way::Graph(search) => search.record(self.monitor),
            Way::Air(search) => search.record(self.monitor),
        }
    }
}

trait Search {
    /// The result, in the units of the search.
    type Found;

    fn find<W: Watch>(&mut self, watch: &mut W) -> Self::Found;

    fn answer(&self, found: Self::Found, monitor: &dyn Monitor) -> Result<LevelAnswer, Phrase>;

    fn record(&mut self, monitor: &dyn Monitor) -> Result<Recording, Phrase>;
}

fn run(search: &mut impl Search, monitor: &dyn Monitor) -> Result<(LevelAnswer, Duration), Phrase> {
    let (found, time) = timed(|| cancellable(monitor, &mut Unwatched, |watch| search.find(watch)));
    Ok((search.answer(found.map_err(verbatim)?, monitor)?, time))
}

/// Records a search; `shape` returns the shape of a node.
fn recorded(
    search: &mut impl Search,
    monitor: &dyn Monitor,
    shape: impl Fn(u64) -> Shape,
) -> Result<Recording, Phrase> {
    let mut recorder = Recorder::new(shape);
    cancellable(monitor, &mut recorder, |watch| search.find(watch)).map_err(verbatim)?;
    Ok(recorder.finish())
}

fn prepared<T>(
    cell: &Prepared<T>,
    make: impl FnOnce() -> Result<T, Phrase>,
) -> Result<(&T, Duration), Phrase> {
    let result = cell.get_or_init(|| {
        let (prepared, time) = timed(make);
        prepared.map(|prepared| (prepared, time))
    });
    result.as_ref().map(|(prepared, time)| (prepared, *time)).map_err(Clone::clone)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let clock = Instant::now();
    let result = work();
    (result, clock.elapsed())
}

/// Returns the text of an error as a phrase.
#[expect(clippy::needless_pass_by_value, reason = "errors are passed on by `map_err`")]
fn verbatim(error: impl ToString) -> Phrase {
    Phrase::verbatim(error.to_string())
}

/// Returns the length of the line through `points`, in meters.
fn length(points: &[Vec3]) -> f64 {
    total(points.windows(2).map(|leg| leg[0].as_dvec3().distance(leg[1].as_dvec3())))
}

/// Returns a side length of cells or voxels, in meters, with which there are at most `limit` of them; with `side`,
/// there are `n`.
#[expect(clippy::cast_precision_loss, reason = "a proposal")]
fn side_that_does(side: f32, n: u64, limit: u64, dimensions: f64) -> f64 {
    let factor = (n as f64 / limit as f64).powf(1.0 / dimensions);
    (f64::from(side) * factor * 20.0).ceil() / 20.0
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use walkable::{bake::BakeSettings, mesh::TriMesh, monitor::Unmonitored};

    use super::{
        super::{GraphAlgorithm, GridAlgorithm, VolumeAlgorithm},
        *,
    };

    fn floor() -> BakeInput {
        let corners = [[0.0, 0.0], [30.0, 0.0], [30.0, 30.0], [0.0, 30.0]];
        let vertices = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
        let mesh = TriMesh::new(vertices, vec![[0, 2, 1], [0, 3, 2]]).unwrap();
        BakeInput::new(mesh.into(), BakeSettings::default())
    }

    fn question<'a>(input: &'a BakeInput, filter: &'a Filter) -> LevelQuestion<'a> {
        let ends = [Vec3::new(2.0, 0.0, 2.0), Vec3::new(28.0, 0.0, 21.0)];
        let sides = Sides { cell: 0.3, voxel: 0.5, flyer_radius: 0.3 };
        LevelQuestion { input, navmesh: None, filter, map: None, ends, sides, max_voxels: 1 << 24 }
    }

    /// Cancels after it was asked n times.
    struct Limited(AtomicU32);

    impl Monitor for Limited {
        fn is_cancelled(&self) -> bool {
            let left = |n: u32| n.checked_sub(1);
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_err()
        }
    }

    #[test]
    fn stopping_ends_the_search_under_way() {
        let (input, filter) = (floor(), Filter::default());
        let monitor = Limited(AtomicU32::new(u32::MAX));
        let spaces = LevelSpaces::new(question(&input, &filter), &monitor);
        let searches = [
            Algorithm::Grid(GridAlgorithm::Dijkstra),
            Algorithm::Graph(GraphAlgorithm::Dijkstra),
            Algorithm::Volume(VolumeAlgorithm::Dense6),
        ];
        for algorithm in searches {
            monitor.0.store(u32::MAX, Ordering::Relaxed);
            let mut search = spaces.search(algorithm, Options::default()).unwrap();
            assert!(search.run().is_ok_and(|(answer, _)| answer.cost.is_some()), "{algorithm:?}");
            monitor.0.store(1, Ordering::Relaxed);
            let cancelled = search.run().err().map(|why| why.to_string());
            assert_eq!(cancelled.as_deref(), Some("cancelled"), "{algorithm:?}");
            assert!(search.record().is_err());
        }
    }

    #[test]
    fn costs_are_compared_with_the_optimum_of_their_kind() {
        let (input, filter) = (floor(), Filter::default());
        let spaces = LevelSpaces::new(question(&input, &filter), &Unmonitored);
        let searches = [
            (Algorithm::Grid(GridAlgorithm::AStar), true),
            (Algorithm::Grid(GridAlgorithm::JpsPruned), true),
            (Algorithm::Graph(GraphAlgorithm::BreadthFirst), true),
            (Algorithm::Graph(GraphAlgorithm::DepthFirst), false),
            (Algorithm::Walk, true),
            (Algorithm::Volume(VolumeAlgorithm::Dense6), true),
            (Algorithm::Volume(VolumeAlgorithm::Dense26), true),
        ];
        for (algorithm, is_optimal) in searches {
            let mut search = spaces.search(algorithm, Options::default()).unwrap();
            let (answer, _) = search.run().unwrap();
            let (cost, least) = (answer.cost.unwrap(), spaces.optimum(algorithm, &answer).unwrap());
            assert_eq!((cost / least.unwrap() - 1.0).abs() < 1e-6, is_optimal, "{algorithm:?}");
            assert!(search.record().unwrap().n_expansions() > 0, "{algorithm:?}");
        }
    }

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    fn proposed_sides_stay_within_the_limit() {
        for (side, n, dimensions) in [(0.3_f32, 9_000_000_u64, 2), (0.25, 1_000_000_000, 3)] {
            let limit = 4_000_000;
            let wider = side_that_does(side, n, limit, f64::from(dimensions));
            let fewer = n as f64 / (wider / f64::from(side)).powi(dimensions);
            assert!(fewer <= limit as f64 * 1.000_001, "{wider}: {fewer}");
            assert!(wider < f64::from(side) * 10.0);
        }
    }
}
