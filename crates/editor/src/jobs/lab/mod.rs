//! Runs the searches of the lab in the background.

mod air;
mod graph;
mod grid;
mod ground;
mod navmesh;
mod voxels;

use std::{cell::OnceCell, collections::BTreeSet, sync::Arc, time::Duration};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::BakeInput,
    diagnostic::Phrase,
    geom::total,
    monitor::Monitor,
    navmesh::NavMesh,
    phrase,
    query::Filter,
    search::{Cancellable, SearchStats, Unwatched, Watch, cancellable},
    voxel::Volume,
};
use walkable_workspace::{searches::VolumeAlgorithm, text};
use web_time::Instant;

use self::{air::AirWorld, ground::GroundWorld, voxels::VoxelQuestion};
use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::{
        Effort, GraphSearch, LabRow, LabSettings, Medium, NavmeshSearch, OpenMap, Recorder,
        Recording, SearchKind, Searcher, Session, Shape, SweepPoint,
    },
};

/// Searches faster than this are run once more, with warm caches and memory, as in a game.
const QUICK: Duration = Duration::from_millis(30);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LabRequest {
    navmesh: Option<Arc<NavMesh>>,
    ends: [Vec3; 2],
    filter: Filter,
    settings: LabSettings,
    wanted: BTreeSet<Searcher>,
    input: BakeInput,
    /// The map from which the level was built.
    map: Option<Arc<OpenMap>>,
    tries_weights: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum LabMessage {
    Row(Box<LabRow>),
    /// The results of A* with several heuristic weights.
    Sweep(Vec<SweepPoint>),
    /// A search space could not be built, with a remedy.
    Refused(Medium, Phrase),
}

/// What is missing without a level.
const NO_LEVEL: &str = text!("Open a level first.");

impl LabRequest {
    /// Returns the request of `session`, or the reason why nothing can be compared, as a template of a phrase.
    pub fn of(session: &Session) -> Result<Self, &'static str> {
        let level = session.level.as_ref().ok_or(NO_LEVEL)?;
        let ends = session.path.start.zip(session.path.end);
        let (start, end) =
            ends.ok_or(text!("Place a path's start and end to compare searches."))?;
        let input = session.bake_input().ok_or(NO_LEVEL)?;
        if session.lab.wanted.is_empty() {
            return Err(text!("Choose at least one search."));
        }
        Ok(Self {
            navmesh: session.bake.navmesh.clone(),
            ends: [start, end],
            filter: session.path.filter.clone(),
            settings: session.lab.settings,
            wanted: session.lab.wanted.clone(),
            input,
            map: level.map.clone(),
            tries_weights: false,
        })
    }

    /// Compares the weighted A* of `session` with all other weights.
    pub fn sweep_of(session: &Session) -> Result<Self, &'static str> {
        let wanted = BTreeSet::from([Searcher::AStarWeighted]);
        Ok(Self { wanted, tries_weights: true, ..Self::of(session)? })
    }
}

impl Job for LabRequest {
    type Message = LabMessage;

    fn carry_out(self, report: &Reporter<LabMessage>) {
        Lab::new(&self, report).run();
    }

    fn can_be_sent(&self) -> bool {
        // A navmesh file does not store which part of the level is loaded.
        self.input.part.is_none()
    }
}

impl Task for LabRequest {
    const THREAD: &'static str = "lab";

    fn what() -> Phrase {
        phrase!("Comparing")
    }

    fn apply(session: &mut Session, message: LabMessage) -> Option<FollowUp> {
        match message {
            LabMessage::Row(row) => session.lab.land(*row),
            LabMessage::Refused(medium, why) => {
                session.lab.refused.push((medium, why));
            }
            LabMessage::Sweep(sweep) => session.lab.sweep = sweep,
        }
        None
    }
}

/// A search space that is built on first use, with the time it took, or the reason why it could not be built.
type Prepared<T> = OnceCell<Result<(T, Duration), Phrase>>;

struct Lab<'a> {
    request: &'a LabRequest,
    report: &'a Reporter<LabMessage>,
    ground: Prepared<GroundWorld>,
    air: Prepared<AirWorld>,
    volume: Prepared<Volume>,
}

#[derive(Default)]
struct SearchesByMedium {
    navmesh: Vec<(Searcher, NavmeshSearch)>,
    grid: Vec<(Searcher, grid::GridSearch)>,
    graph: Vec<(Searcher, GraphSearch)>,
    floors: Vec<(Searcher, VoxelQuestion)>,
    voxels: Vec<(Searcher, VoxelQuestion)>,
    air: Vec<(Searcher, (VolumeAlgorithm, f64))>,
    water: Vec<(Searcher, f64)>,
}

impl SearchesByMedium {
    fn push(&mut self, searcher: Searcher) {
        match searcher.kind() {
            SearchKind::Navmesh(search) => self.navmesh.push((searcher, search)),
            SearchKind::Grid(algorithm, options) => {
                self.grid.push((searcher, (algorithm, options)));
            }
            SearchKind::Graph(search) => self.graph.push((searcher, search)),
            SearchKind::Walk => self.floors.push((searcher, VoxelQuestion::Walk)),
            SearchKind::Voxels(search) => self.voxels.push((searcher, VoxelQuestion::Of(search))),
            SearchKind::Air(tree, weight) => self.air.push((searcher, (tree, weight))),
            SearchKind::Swim(weight) => self.water.push((searcher, weight)),
        }
    }
}

impl<'a> Lab<'a> {
    fn new(request: &'a LabRequest, report: &'a Reporter<LabMessage>) -> Self {
        let (ground, air, volume) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { request, report, ground, air, volume }
    }

    fn run(&self) {
        let mut wanted = SearchesByMedium::default();
        for &searcher in &self.request.wanted {
            wanted.push(searcher);
        }
        for medium in Medium::ALL {
            let done = match medium {
                Medium::Navmesh => self.with(navmesh::run, &wanted.navmesh),
                Medium::Grid => self.with(grid::run, &wanted.grid),
                Medium::Graph => self.with(graph::run, &wanted.graph),
                Medium::Floors => self.with(voxels::run, &wanted.floors),
                Medium::Voxels => self.with(voxels::run, &wanted.voxels),
                Medium::Air => self.with(air::run_in_air, &wanted.air),
                Medium::Water => self.with(air::run_in_water, &wanted.water),
            };
            if let Err(why) = done {
                self.report.send(LabMessage::Refused(medium, why));
            }
            if self.is_cancelled() {
                return;
            }
        }
    }

    /// Runs searches of one medium, if there are any.
    fn with<T>(
        &self,
        run: impl FnOnce(&Self, &[(Searcher, T)]) -> Result<(), Phrase>,
        wanted: &[(Searcher, T)],
    ) -> Result<(), Phrase> {
        if wanted.is_empty() { Ok(()) } else { run(self, wanted) }
    }

    fn is_cancelled(&self) -> bool {
        self.report.is_cancelled()
    }

    /// Runs a search without recording it.
    ///
    /// # Errors
    /// If the lab was stopped meanwhile; the error is not shown.
    fn search<A>(
        &self,
        search: impl FnOnce(&mut Cancellable<'_, Unwatched, Reporter<LabMessage>>) -> A,
    ) -> Result<A, Phrase> {
        cancellable(self.report, &mut Unwatched, search).map_err(verbatim)
    }

    fn send(&self, row: LabRow) {
        self.report.send(LabMessage::Row(Box::new(row)));
    }

    /// Returns the ground of the level, walkable cell by walkable cell.
    fn ground(&self) -> Result<(&GroundWorld, Duration), Phrase> {
        prepared(&self.ground, || GroundWorld::new(self.request, self.report))
    }

    /// Returns the space around the level.
    fn air(&self) -> Result<(&AirWorld, Duration), Phrase> {
        prepared(&self.air, || AirWorld::new(self.request, self.report))
    }

    /// Returns the same, with one bit per voxel.
    fn volume(&self) -> Result<(&Volume, Duration), Phrase> {
        let (air, _) = self.air()?;
        prepared(&self.volume, || air.volume(&self.request.settings))
    }
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

trait RepeatableSearch {
    type Output;

    fn search<W: Watch>(&mut self, watch: &mut W) -> Self::Output;
}

/// Returns the result, its time, and each step of the search.
///
/// # Errors
/// If `monitor` has stopped it.
fn searched<A: RepeatableSearch>(
    monitor: &impl Monitor,
    mut question: A,
    shape: impl Fn(u64) -> Shape,
) -> Result<(A::Output, Duration, Arc<Recording>), Phrase> {
    let mut search =
        || timed(|| cancellable(monitor, &mut Unwatched, |watch| question.search(watch)));
    let (mut answer, mut time) = search();
    if time < QUICK {
        (answer, time) = search();
    }
    let answer = answer.map_err(verbatim)?;
    let mut recorder = Recorder::new(shape);
    cancellable(monitor, &mut recorder, |watch| question.search(watch)).map_err(verbatim)?;
    Ok((answer, time, Arc::new(recorder.finish())))
}

/// Returns the text of an error, which is the same in each language.
#[expect(clippy::needless_pass_by_value, reason = "errors are passed on by `map_err`")]
fn verbatim(error: impl ToString) -> Phrase {
    Phrase::verbatim(error.to_string())
}

fn effort(stats: SearchStats) -> Effort {
    Effort {
        n_expanded: stats.n_expanded,
        n_opened: Some(stats.n_opened),
        open_peak: u64::try_from(stats.open_peak).ok(),
    }
}

/// Returns the length of a line from corner to corner, in meters.
fn length(points: &[Vec3]) -> f64 {
    total(points.windows(2).map(|leg| leg[0].as_dvec3().distance(leg[1].as_dvec3())))
}

/// Returns a side length of cells or voxels, in meters, at which their number falls from `n` to `limit`.
#[expect(clippy::cast_precision_loss, reason = "a proposal")]
fn side_that_does(side: f32, n: u64, limit: u64, dimensions: f64) -> f64 {
    let factor = (n as f64 / limit as f64).powf(1.0 / dimensions);
    (f64::from(side) * factor * 20.0).ceil() / 20.0
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use walkable::voxel::Fill;
    use walkable_workspace::searches::Map;

    use super::*;
    use crate::{
        jobs::{
            job_worker::testing::here_and_in_worker,
            slot::{JobSlot, Wake},
        },
        task::TaskId,
        testing::baked,
    };

    /// Returns the messages of a comparison here and in a worker, without times.
    fn compared(request: impl Fn() -> LabRequest) -> [Vec<String>; 2] {
        let without_times = |message: LabMessage| match message {
            LabMessage::Row(row) => {
                let preprocessing_time = row.preprocessing_time.map(|_| Duration::ZERO);
                format!("{:?}", LabRow { time: Duration::ZERO, preprocessing_time, ..*row })
            }
            message => format!("{message:?}"),
        };
        here_and_in_worker(TaskId::Lab, request)
            .map(|messages| messages.into_iter().map(without_times).collect::<Vec<_>>())
    }

    #[test]
    fn a_worker_compares_the_same() {
        let session = baked();
        let input = session.bake.plan.as_ref().unwrap().input();
        let request = |map: Option<&Arc<OpenMap>>| LabRequest {
            navmesh: session.bake.navmesh.clone(),
            ends: [Vec3::new(3.0, 0.0, 20.0), Vec3::new(20.0, 0.0, 20.0)],
            filter: Filter::default(),
            settings: LabSettings::default(),
            wanted: Searcher::all().collect(),
            input: input.clone(),
            map: map.cloned(),
            tries_weights: true,
        };
        let [here, there] = compared(|| request(None));
        assert!(here == there, "the same rows");
        assert!(here.len() >= Searcher::all().count() - 1, "{} messages", here.len());
        let mut volume = Volume::new([24, 4, 24]).unwrap();
        for z in 0..23 {
            volume.set(volume.voxel(12 + 24 * 4 * z), Fill::Blocked);
        }
        let map = Arc::new(OpenMap { map: Map::Volume(volume), queries: Vec::new() });
        let [on_map, there] = compared(|| request(Some(&map)));
        assert!(on_map == there, "the same rows on a map");
        assert!(on_map != here, "flyers search the map");
    }

    /// Runs until it is cancelled.
    struct EndlessSearch;

    impl RepeatableSearch for EndlessSearch {
        type Output = ();

        fn search<W: Watch>(&mut self, watch: &mut W) {
            while watch.goes_on() {
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn stopping_ends_the_search_under_way() {
        let (sender, wakes) = sync_channel(10);
        let wake: Wake = Arc::new(move || sender.try_send(()).unwrap_or_default());
        let mut slot = JobSlot::new("lab", wake);
        slot.request(move |report| {
            report.send("searching");
            let found = searched(report, EndlessSearch, |_| Shape::Voxel(Vec3::ZERO));
            assert_eq!(found.err().map(|why| why.to_string()).as_deref(), Some("cancelled"));
        });
        while slot.poll().is_empty() {
            wakes.recv().unwrap();
        }
        slot.cancel();
        while slot.has_thread() {
            wakes.recv().unwrap();
            assert_eq!(slot.poll(), []);
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
