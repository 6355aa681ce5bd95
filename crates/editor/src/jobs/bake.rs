//! Bakes in the background: plans the bake, then bakes tile by tile, those near the camera first.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use glam::Vec3;
use walkable::{
    bake::{BakeError, BakeEstimate, BakeInput, BakeOutput, BakePlan, GroundRemoval, dirty_tiles},
    ids::TileCoord,
    monitor::Monitor,
    stage::Stage,
    tile_cache::Obstacle,
};
use walkable_workspace::{
    bake_cache::{BakeCache, CacheTally},
    layered::Layered,
    limits,
    runner::{self, Listener, TileOutcome},
};
use web_time::Instant;

use crate::{
    jobs::{
        bake_end::{BakeEndMessage, BakeEndRequest},
        bake_workers::{self, BakeWorkers},
        job_workers::{JobKind, JobWorkers, WorkerJob},
        slot::{JobEvent, JobSlot, JobStep, Reporter, Wake},
    },
    session::{BLOCK, BakeProgress, Base, MANY_TILES, Prepared, Revision, TileResult},
};

/// Capacity of the queue of results: those of a second or two, so that the window can handle them in batches.
const WAITING: usize = 8192;

/// Bakes with fewer tiles are shown tile by tile.
const FEW_TILES: usize = 64;

#[derive(Clone, Debug)]
pub struct BakeRequest {
    pub input: BakeInput,
    /// The revision that the input is a snapshot of.
    pub revision: Revision,
    /// Where the camera looks: tiles near it come first.
    pub near: Vec3,
    /// The obstacles on the navmesh; `None` if the level is not prepared for obstacles.
    pub obstacles: Option<Vec<Obstacle>>,
    /// Memory for the stages that are sent along with the tiles near the camera, in bytes.
    pub stage_room: usize,
    /// An earlier bake, whose unchanged tiles are not baked again.
    pub base: Option<Base>,
    /// Whether tiles are read from the cache once there is no memory left for stages, and stored there.
    pub uses_cache: bool,
}

#[derive(Debug)]
pub enum BakeMessage {
    /// The settings are valid; tiles will follow.
    Planned {
        plan: Arc<BakePlan>,
        /// Tiles that are unchanged and need no bake.
        kept: Vec<TileCoord>,
        revision: Revision,
        /// Whether layers will follow.
        prepared: Prepared,
    },
    Layers(Result<Box<Layered>, String>),
    Refused {
        error: BakeError,
    },
    Tile(Box<TileResult>),
    /// No tile has walkable ground; this step removed the most.
    NoGround(GroundRemoval),
    /// What the cache was used for, or why it cannot be used.
    Cache(Result<CacheTally, String>),
    Done(Duration),
}

#[derive(Debug)]
pub struct BakeJob {
    slot: JobSlot<BakeMessage>,
    gauge: Arc<Gauge>,
    /// Workers that bake the tiles; without them, this program does.
    workers: Option<Arc<dyn BakeWorkers>>,
    /// Workers for the work after the last tile; without them, this program does it.
    end_workers: Option<Arc<dyn JobWorkers>>,
    cache: Option<PathBuf>,
}

/// Counters written by the worker threads and read by the window.
#[derive(Debug)]
struct Gauge {
    started: Instant,
    n_tiles: AtomicUsize,
    n_done: AtomicUsize,
    /// Index in [`Stage::ALL`] of the stage entered last, plus one.
    stage: AtomicUsize,
    estimate: OnceLock<BakeEstimate>,
}

impl Gauge {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            n_tiles: AtomicUsize::new(0),
            n_done: AtomicUsize::new(0),
            stage: AtomicUsize::new(0),
            estimate: OnceLock::new(),
        }
    }

    fn read(&self) -> BakeProgress {
        let n_done = self.n_done.load(Ordering::Relaxed);
        let n_tiles = self.n_tiles.load(Ordering::Relaxed);
        let stage = self.stage.load(Ordering::Relaxed);
        let elapsed = self.started.elapsed();
        let left = (n_done > 0 && n_tiles > n_done).then(|| {
            #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
            let share = (n_tiles - n_done) as f64 / n_done as f64;
            elapsed.mul_f64(share)
        });
        let stage = stage.checked_sub(1).and_then(|index| Stage::ALL.get(index).copied());
        let estimate = self.estimate.get().copied();
        BakeProgress { n_done, n_tiles, stage, elapsed, left, estimate }
    }
}

impl BakeJob {
    pub fn new(wake: Wake) -> Self {
        let slot = JobSlot::new("bake", wake).with_capacity(WAITING);
        Self { slot, gauge: Arc::new(Gauge::new()), workers: None, end_workers: None, cache: None }
    }

    /// Sets the folder of the cache. Without it, bakes use none.
    #[must_use]
    pub fn with_cache(self, folder: Option<PathBuf>) -> Self {
        Self { cache: folder, ..self }
    }

    /// Sets the workers that bake the tiles. No other job may use them.
    #[must_use]
    pub fn with_workers(mut self, workers: Option<Arc<dyn BakeWorkers>>) -> Self {
        self.workers = workers;
        self
    }

    #[must_use]
    pub fn with_end_workers(self, end_workers: Option<Arc<dyn JobWorkers>>) -> Self {
        Self { end_workers, ..self }
    }

    pub fn start(&mut self, request: BakeRequest) {
        let gauge = Arc::new(Gauge::new());
        self.gauge = Arc::clone(&gauge);
        let (workers, end_workers) = (self.workers.clone(), self.end_workers.clone());
        let cache = self.cache.clone().filter(|_| request.uses_cache);
        let (mut request, mut bake) = (Some(request), None);
        self.slot.request_steps(move |report| {
            if let Some(request) = request.take() {
                bake = begin(request, cache.as_deref(), &gauge, report);
                if let (Some(workers), Some(bake)) = (&workers, &bake) {
                    workers.start(bake.plan.input(), &bake.order, bake.keeps());
                }
                return if bake.is_some() { JobStep::Next } else { JobStep::Done };
            }
            let Some(bake) = &mut bake else { return JobStep::Done };
            bake.step((workers.as_deref(), end_workers.as_ref()), &gauge, report)
        });
    }

    pub fn cancel(&mut self) {
        self.slot.cancel();
    }

    pub fn progress(&self) -> Option<BakeProgress> {
        self.slot.is_busy().then(|| self.gauge.read())
    }

    /// Returns whether the running bake produces tiles so fast that they should be handled in batches.
    pub fn is_long(&self) -> bool {
        let goes_on = |now: BakeProgress| now.n_tiles > FEW_TILES && now.n_done < now.n_tiles;
        self.progress().is_some_and(goes_on)
    }

    pub fn poll(&mut self) -> Vec<JobEvent<BakeMessage>> {
        self.slot.poll()
    }
}

struct RunningBake {
    plan: Arc<BakePlan>,
    revision: Revision,
    obstacles: Option<Vec<Obstacle>>,
    order: Vec<TileCoord>,
    /// Number of tiles of `order` that were begun here, or that workers have baked.
    n_taken: usize,
    stage_room: AtomicUsize,
    /// Whether the stages of a tile did not fit.
    is_room_used_up: AtomicBool,
    cache: Option<BakeCache>,
    /// Whether a tile has walkable ground, or failed, which leaves it unknown.
    has_ground: AtomicBool,
    /// The worker that does the work after the last tile.
    end_job: Option<WorkerJob>,
}

/// Plans the bake; returns `None` if there is nothing to bake.
fn begin(
    request: BakeRequest,
    cache: Option<&Path>,
    gauge: &Gauge,
    report: &Reporter<BakeMessage>,
) -> Option<RunningBake> {
    let BakeRequest { input, revision, near, obstacles, stage_room, base, .. } = request;
    let plan = match &base {
        Some(base) => base.plan.renewed(input),
        None => BakePlan::new(input),
    };
    let estimated = plan.and_then(|plan| limits::admit(&plan).map(|estimate| (plan, estimate)));
    let (plan, estimate) = match estimated {
        Ok((plan, estimate)) => (Arc::new(plan), estimate),
        Err(error) => {
            report.send(BakeMessage::Refused { error });
            return None;
        }
    };
    gauge.estimate.set(estimate).ok();
    let mut order = nearest_first(&plan, near);
    let (mut kept, mut has_ground) = (Vec::new(), AtomicBool::new(false));
    if let Some(base) = base {
        let Ok(dirty) = dirty_tiles(&base.plan, &plan, report) else { return None };
        let dirty: BTreeSet<_> = dirty.changed.into_iter().chain(base.except).collect();
        (order, kept) = order.into_iter().partition(|tile| dirty.contains(tile));
        *has_ground.get_mut() = kept.iter().any(|tile| base.with_ground.contains(tile));
    }
    let prepared = if obstacles.is_some() { Prepared::ForObstacles } else { Prepared::No };
    report.send(BakeMessage::Planned { plan: Arc::clone(&plan), kept, revision, prepared });
    gauge.n_tiles.store(order.len(), Ordering::Relaxed);
    Some(RunningBake {
        plan,
        revision,
        obstacles,
        order,
        n_taken: 0,
        stage_room: AtomicUsize::new(stage_room),
        is_room_used_up: AtomicBool::new(false),
        cache: cache.and_then(|folder| sent_if_failed(BakeCache::open(folder), report)),
        has_ground,
        end_job: None,
    })
}

fn sent_if_failed<T>(result: anyhow::Result<T>, report: &Reporter<BakeMessage>) -> Option<T> {
    result.map_err(|error| report.send(BakeMessage::Cache(Err(format!("{error:#}"))))).ok()
}

impl RunningBake {
    /// Bakes tiles, all at once if this program has threads. After the last tile, does the work that needs all of them.
    fn step(
        &mut self,
        (workers, end_workers): (Option<&dyn BakeWorkers>, Option<&Arc<dyn JobWorkers>>),
        gauge: &Gauge,
        report: &Reporter<BakeMessage>,
    ) -> JobStep {
        if report.is_cancelled() {
            workers.inspect(|workers| workers.stop());
            return JobStep::Done;
        }
        if self.n_taken < self.order.len() {
            return match workers {
                Some(workers) => self.take_baked(workers, gauge, report),
                None => self.bake_here(gauge, report),
            };
        }
        let step = self.finish(end_workers, report);
        if step == JobStep::Done {
            if let Some(cache) = &self.cache {
                report_cache(cache, report);
            }
            if !report.is_cancelled() {
                report.send(BakeMessage::Done(gauge.started.elapsed()));
            }
        }
        step
    }

    /// Returns whether workers send stages along with tiles: if there are few tiles. The window reads what is sent
    /// between frames, and of many tiles, most are not looked at stage by stage.
    fn keeps(&self) -> BakeOutput {
        let has_room = self.stage_room.load(Ordering::Relaxed) > 0;
        if has_room && self.order.len() <= FEW_TILES {
            BakeOutput::Stages
        } else {
            BakeOutput::Tile
        }
    }

    fn sender<'a>(&'a self, gauge: &'a Gauge, report: &'a Reporter<BakeMessage>) -> Sender<'a> {
        Sender { gauge, report, bake: self }
    }

    fn take_baked(
        &mut self,
        workers: &dyn BakeWorkers,
        gauge: &Gauge,
        report: &Reporter<BakeMessage>,
    ) -> JobStep {
        let results = workers.take();
        if results.is_empty() {
            return JobStep::Wait;
        }
        for result in &results {
            self.n_taken += 1;
            if let Some(outcome) = bake_workers::read_result(result, &self.plan) {
                self.sender(gauge, report).tile_done(outcome);
            }
        }
        JobStep::Next
    }

    fn bake_here(&mut self, gauge: &Gauge, report: &Reporter<BakeMessage>) -> JobStep {
        let rest = &self.order[self.n_taken..];
        let piece = runner::piece(rest).len();
        // Stages are counted even if there is no memory to keep them.
        let with_stages = runner::from_memory(&self.plan, BakeOutput::Stages);
        let bake_one = |coord, monitor: &dyn Monitor| match &self.cache {
            Some(cache) if self.is_room_used_up.load(Ordering::Relaxed) => {
                cache.bake(&self.plan, coord, monitor)
            }
            _ => with_stages(coord, monitor),
        };
        let (threads, cancel) = (runner::default_threads(), report.cancel_flag());
        let listener = self.sender(gauge, report);
        let tiles = rest[..piece].iter().copied();
        runner::run(tiles, &bake_one, threads, cancel, &listener);
        self.n_taken += piece;
        JobStep::Next
    }

    /// Reports what is known once all tiles are baked.
    fn finish(
        &mut self,
        workers: Option<&Arc<dyn JobWorkers>>,
        report: &Reporter<BakeMessage>,
    ) -> JobStep {
        if self.end_job.is_none() {
            let request = BakeEndRequest {
                plan: Arc::clone(&self.plan),
                explains_no_ground: !*self.has_ground.get_mut(),
                obstacles: self.obstacles.clone(),
            };
            if !request.has_work() {
                return JobStep::Done;
            }
            self.end_job =
                workers.and_then(|workers| WorkerJob::start(workers, JobKind::BakeEnd, &request));
            if self.end_job.is_none() {
                if let Some(removal) = request.ground_removal(report) {
                    report.send(BakeMessage::NoGround(removal));
                }
                if let Some(layers) = request.layers(report) {
                    report.send(BakeMessage::Layers(layers.map(Box::new)));
                }
                return JobStep::Done;
            }
        }
        let Some(job) = &self.end_job else { return JobStep::Done };
        job.take(|message| {
            report.send(match message {
                BakeEndMessage::NoGround(removal) => BakeMessage::NoGround(removal),
                BakeEndMessage::Layers(layers) => BakeMessage::Layers(layers),
            });
        })
    }
}

/// Reports what the cache was used for, and limits its size if tiles were stored.
fn report_cache(cache: &BakeCache, report: &Reporter<BakeMessage>) {
    let tally = cache.tally();
    if tally.baked > 0 {
        sent_if_failed(cache.trim(BakeCache::MAX_BYTES), report);
    }
    if tally.is_used() {
        report.send(BakeMessage::Cache(Ok(tally)));
    }
}

struct Sender<'a> {
    gauge: &'a Gauge,
    report: &'a Reporter<BakeMessage>,
    bake: &'a RunningBake,
}

impl Sender<'_> {
    /// Reserves `n_bytes` for stages; returns false if they do not fit.
    fn takes(&self, n_bytes: usize) -> bool {
        let taken = |room: usize| room.checked_sub(n_bytes);
        let room = &self.bake.stage_room;
        let fits = room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).is_ok();
        self.bake.is_room_used_up.fetch_or(!fits, Ordering::Relaxed);
        fits
    }
}

impl Listener for Sender<'_> {
    fn tile_done(&self, outcome: TileOutcome) {
        let TileOutcome { coord, result, times } = outcome;
        let revision = self.bake.revision;
        let mut result = match result {
            Ok(bake) => TileResult::baked(bake, times, revision),
            Err(why) => TileResult::failed(coord, why.to_string(), times, revision),
        };
        self.bake
            .has_ground
            .fetch_or(result.baked.is_some() || result.error.is_some(), Ordering::Relaxed);
        // All later tiles are farther away. If the level is a single tile, its stages are always kept.
        let is_alone = self.gauge.n_tiles.load(Ordering::Relaxed) == 1;
        result.stages = result.stages.filter(|stages| self.takes(stages.n_bytes()) || is_alone);
        self.gauge.n_done.fetch_add(1, Ordering::Relaxed);
        self.report.send(BakeMessage::Tile(Box::new(result)));
    }

    fn stage_entered(&self, stage: Stage) {
        self.gauge.stage.store(stage as usize + 1, Ordering::Relaxed);
    }
}

/// Returns all tiles, those nearest to `near` first, seen from above. Large bakes go block by block, since blocks are
/// drawn as a whole.
fn nearest_first(plan: &BakePlan, near: Vec3) -> Vec<TileCoord> {
    let block = |tile: TileCoord| [tile.x / BLOCK, tile.z / BLOCK];
    let distance = |tile: TileCoord| {
        let away = plan.tile_bounds(tile).center() - near;
        away.x * away.x + away.z * away.z
    };
    let mut tiles: Vec<_> = plan.tiles().map(|tile| (distance(tile), tile)).collect();
    tiles.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    if tiles.len() > MANY_TILES {
        // Blocks, in the order of their nearest tiles.
        let mut order: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        for (number, (_, tile)) in tiles.iter().enumerate() {
            order.entry(block(*tile)).or_insert(number);
        }
        tiles.sort_by_key(|(_, tile)| order.get(&block(*tile)).copied());
    }
    tiles.into_iter().map(|(_, tile)| tile).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, sync_channel};

    use walkable::{
        bake::{AreaVolume, RawArea, VolumeShape},
        geom::Aabb,
        level::{LevelKind, generate},
    };

    use super::*;
    use crate::jobs::{bake_workers::testing::TestBakeWorkers, job_worker::testing::TestWorkers};

    /// Creates a job and a channel of its wake-ups, so that tests wait without sleeping.
    fn job() -> (BakeJob, Receiver<()>) {
        let (sender, wakes) = sync_channel(10_000);
        (BakeJob::new(Arc::new(move || sender.try_send(()).unwrap_or_default())), wakes)
    }

    /// Requests a bake of hills with this side length, in tiles.
    fn request(side: f32, document: u64) -> BakeRequest {
        let level = generate(LevelKind::Terrain, 7, side).unwrap();
        let mut settings = level.config.settings;
        settings.tile_size = 32;
        let mesh = Arc::new(level.mesh);
        let input = BakeInput::new(mesh, settings);
        BakeRequest {
            input,
            revision: Revision { document, level: 1 },
            near: Vec3::ZERO,
            obstacles: None,
            stage_room: 1 << 30,
            base: None,
            uses_cache: true,
        }
    }

    fn drain(job: &mut BakeJob, wakes: &Receiver<()>) -> Vec<JobEvent<BakeMessage>> {
        let mut events = job.poll();
        while job.slot.has_thread() {
            wakes.recv().unwrap();
            events.extend(job.poll());
        }
        events
    }

    #[test]
    fn a_bake_reports_its_plan_each_tile_once_and_its_end() {
        let (mut job, wakes) = job();
        job.start(request(32.0, 1));
        let events = drain(&mut job, &wakes);
        let mut landed = Vec::new();
        let mut n_tiles = None;
        let mut done = false;
        for event in events {
            match event {
                JobEvent::Message(BakeMessage::Planned { plan, .. }) => {
                    n_tiles = Some(plan.tiles().count());
                }
                JobEvent::Message(BakeMessage::Tile(tile)) => landed.push(tile.coord),
                JobEvent::Message(BakeMessage::Done(_)) => done = true,
                JobEvent::Finished => {}
                other => panic!("{other:?}"),
            }
        }
        assert!(done);
        assert_eq!(Some(landed.len()), n_tiles);
        assert_eq!(landed.iter().collect::<BTreeSet<_>>().len(), landed.len());
        assert_eq!(job.progress(), None);
    }

    #[test]
    fn a_change_bakes_the_tiles_that_it_touches_and_those_left_over() {
        let (mut job, wakes) = job();
        let old = request(96.0, 1);
        let plan = Arc::new(BakePlan::new(old.input.clone()).unwrap());
        let with_ground = BTreeSet::new();
        let base = |except| {
            Some(Base { plan: Arc::clone(&plan), except, with_ground: with_ground.clone() })
        };
        let landed = |job: &mut BakeJob, request: BakeRequest| -> BTreeSet<TileCoord> {
            job.start(request);
            let events = drain(job, &wakes).into_iter();
            let tiles = events.filter_map(|event| match event {
                JobEvent::Message(BakeMessage::Tile(tile)) => Some(tile.coord),
                _ => None,
            });
            tiles.collect()
        };
        let same = BakeRequest { base: base(BTreeSet::new()), ..old.clone() };
        assert_eq!(landed(&mut job, same), BTreeSet::new());
        let last = plan.tiles().last().unwrap();
        let left_over = BakeRequest { base: base(BTreeSet::from([last])), ..old.clone() };
        assert_eq!(landed(&mut job, left_over), BTreeSet::from([last]));
        let mut painted = BakeRequest { base: base(BTreeSet::new()), ..old };
        let bounds = plan.tile_bounds(TileCoord::new(1, 1));
        let middle = Aabb::new(bounds.center() - 0.5, bounds.center() + 0.5);
        let shape = VolumeShape::Box(middle);
        painted.input.volumes.push(AreaVolume::new(RawArea(1), shape));
        assert_eq!(landed(&mut job, painted), BTreeSet::from([TileCoord::new(1, 1)]));
    }

    #[test]
    fn workers_bake_the_same_with_stages_and_layers() {
        let base = Vec3::new(20.0, 0.0, 20.0);
        let obstacles = vec![Obstacle::Cylinder { base, radius: 2.0, height: 20.0 }];
        let mut without_ground = request(32.0, 1);
        without_ground.input.settings.agent_radius = 60.0;
        let few = BakeRequest { obstacles: Some(obstacles), ..request(32.0, 1) };
        let many = request(128.0, 1);
        let messages = |job: &mut BakeJob, wakes: &Receiver<()>, request: &BakeRequest| {
            job.start(request.clone());
            let (mut tiles, mut others) = (BTreeMap::new(), Vec::new());
            for event in drain(job, wakes) {
                match event {
                    JobEvent::Message(BakeMessage::Tile(tile)) => {
                        let TileResult { baked, stages, error, .. } = *tile;
                        tiles.insert(tile.coord, (baked, stages, error));
                    }
                    JobEvent::Message(BakeMessage::Layers(layers)) => {
                        // The times differ.
                        let mut layered = layers.unwrap();
                        layered.forget_times();
                        others.push(format!("{layered:?}"));
                    }
                    JobEvent::Message(BakeMessage::NoGround(why)) => others.push(why.to_string()),
                    JobEvent::Message(BakeMessage::Done(_)) => others.push("done".to_owned()),
                    JobEvent::Message(BakeMessage::Planned { .. }) | JobEvent::Finished => {}
                    other => panic!("{other:?}"),
                }
            }
            (tiles, others)
        };
        let own = Arc::new(TestBakeWorkers::default());
        let (mut job_here, wakes_here) = job();
        let (job_there, wakes_there) = job();
        let mut job_there = job_there
            .with_workers(Some(Arc::<TestBakeWorkers>::clone(&own)))
            .with_end_workers(Some(Arc::new(TestWorkers::default())));
        for request in [&few, &without_ground, &many] {
            let (mut tiles, others) = messages(&mut job_here, &wakes_here, request);
            let (there, others_there) = messages(&mut job_there, &wakes_there, request);
            if tiles.len() > FEW_TILES {
                for (_, stages, _) in tiles.values_mut() {
                    *stages = None;
                }
            }
            assert!(tiles == there, "the same tiles");
            assert_eq!(others, others_there);
            assert_eq!(others.len(), if tiles.len() > FEW_TILES { 1 } else { 2 });
        }
        let keep = own.bakes.lock().unwrap().iter().map(|(keep, _)| *keep).collect::<Vec<_>>();
        assert_eq!(keep, [BakeOutput::Stages, BakeOutput::Stages, BakeOutput::Tile]);
    }

    #[test]
    fn tiles_near_the_camera_come_first() {
        let plan = BakePlan::new(request(64.0, 1).input).unwrap();
        let last = plan.tiles().last().unwrap();
        let order = nearest_first(&plan, plan.tile_bounds(last).center());
        assert_eq!(order[0], last);
        assert_eq!(order.last(), Some(&TileCoord::new(0, 0)));
        assert_eq!(order.len(), plan.tiles().count());
    }

    #[test]
    fn many_tiles_are_ordered_block_by_block() {
        let plan = BakePlan::new(request(400.0, 1).input).unwrap();
        assert!(plan.tiles().count() > MANY_TILES);
        let order = nearest_first(&plan, Vec3::ZERO);
        assert_eq!(order[0], TileCoord::new(0, 0));
        assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), plan.tiles().count());
        let mut blocks: Vec<_> =
            order.iter().map(|tile| [tile.x / BLOCK, tile.z / BLOCK]).collect();
        blocks.dedup();
        let n_runs = blocks.len();
        blocks.sort_unstable();
        blocks.dedup();
        assert_eq!(n_runs, blocks.len(), "no block is left and come back to");
    }

    #[test]
    fn stages_are_sent_while_there_is_room() {
        let (mut job, wakes) = job();
        let mut sent = |stage_room| -> usize {
            job.start(BakeRequest { stage_room, ..request(64.0, 1) });
            let events = drain(&mut job, &wakes).into_iter();
            let stages = events.filter_map(|event| match event {
                JobEvent::Message(BakeMessage::Tile(tile)) => tile.stages,
                _ => None,
            });
            stages.map(|stages| stages.n_bytes()).sum()
        };
        let all = sent(usize::MAX);
        let half = sent(all / 2);
        assert!((all / 4..=all / 2).contains(&half), "{half} of {all}");
        assert_eq!(sent(0), 0);
    }

    #[test]
    fn tiles_without_room_for_stages_are_read_from_the_cache() {
        let folder = tempfile::tempdir().unwrap();
        let (job, wakes) = job();
        let mut job = job.with_cache(Some(folder.path().join("tiles")));
        let mut tally = |request: BakeRequest| {
            job.start(request);
            drain(&mut job, &wakes).into_iter().find_map(|event| match event {
                JobEvent::Message(BakeMessage::Cache(tally)) => Some(tally),
                _ => None,
            })
        };
        assert!(tally(request(64.0, 1)).is_none(), "there is room for the stages of all tiles");
        let little = BakeRequest { stage_room: 1, ..request(64.0, 1) };
        assert!(tally(BakeRequest { uses_cache: false, ..little.clone() }).is_none());
        let first = tally(little.clone()).unwrap().unwrap();
        assert!(first.n_read() == 0 && first.baked > 0, "{first:?}");
        // Which tiles are baked before the first one has been reported depends on the threads.
        let again = tally(little.clone()).unwrap().unwrap();
        assert!(again.n_read() > 0, "{again:?}");
        std::fs::remove_dir_all(folder.path()).unwrap();
        std::fs::write(folder.path(), "not a folder").unwrap();
        let error = tally(little).unwrap().unwrap_err();
        assert!(error.contains("cannot create the cache folder"), "{error}");
    }

    #[test]
    fn the_newest_bake_wins() {
        let (mut job, wakes) = job();
        job.start(request(128.0, 1));
        wakes.recv().unwrap();
        job.start(request(32.0, 2));
        let tiles = drain(&mut job, &wakes).into_iter().filter_map(|event| match event {
            JobEvent::Message(BakeMessage::Tile(tile)) => Some(tile.revision.document),
            _ => None,
        });
        let documents: BTreeSet<_> = tiles.collect();
        assert_eq!(documents, BTreeSet::from([2]));
    }

    #[test]
    fn a_stopped_bake_ends_soon() {
        let (mut job, wakes) = job();
        job.start(request(256.0, 1));
        while !job.poll().iter().any(|e| matches!(e, JobEvent::Message(BakeMessage::Tile(_)))) {
            wakes.recv().unwrap();
        }
        assert!(job.progress().is_some_and(|progress| progress.n_done < progress.n_tiles));
        let clock = Instant::now();
        job.cancel();
        assert_eq!(job.progress(), None, "for the user it has stopped at once");
        drain(&mut job, &wakes);
        // The goal is a tenth of a second; a slow build on a busy machine gets ten times that.
        assert!(clock.elapsed() < Duration::from_secs(1), "{:?}", clock.elapsed());
    }

    /// Returns the error of a request that cannot be baked.
    fn refusal(request: BakeRequest) -> String {
        let (mut job, wakes) = job();
        job.start(request);
        let refused = drain(&mut job, &wakes).into_iter().find_map(|event| match event {
            JobEvent::Message(BakeMessage::Refused { error }) => Some(error.to_string()),
            _ => None,
        });
        refused.unwrap_or_default()
    }

    #[test]
    fn settings_out_of_range_are_refused_by_name() {
        let mut request = request(32.0, 1);
        request.input.settings.cell_size = 0.0;
        assert!(refusal(request).contains("cell_size"));
    }

    #[test]
    fn a_bake_that_needs_too_much_memory_is_refused_before_it_starts() {
        // Almost the maximum number of tiles.
        let far = 4800.0;
        let vertices = vec![Vec3::ZERO, Vec3::Z * far, Vec3::X * far];
        let mesh = walkable::mesh::TriMesh::new(vertices, vec![[0, 1, 2]]).unwrap();
        let mut request = request(32.0, 1);
        request.input.mesh = Arc::new(mesh);
        request.input.settings.tile_size = 1;
        let why = refusal(request);
        assert!(why.contains("more than the limit of 1.0 GB; set tile_size="), "{why}");
    }

    /// Returns the message about the removed ground; empty if there is none.
    fn ground_removal(job: &mut BakeJob, wakes: &Receiver<()>, request: BakeRequest) -> String {
        job.start(request);
        let removal = drain(job, wakes).into_iter().find_map(|event| match event {
            JobEvent::Message(BakeMessage::NoGround(removal)) => Some(removal.to_string()),
            _ => None,
        });
        removal.unwrap_or_default()
    }

    #[test]
    fn if_nothing_is_walkable_the_stage_that_removed_the_ground_is_named() {
        let (mut job, wakes) = job();
        let mut removal = |request| ground_removal(&mut job, &wakes, request);
        assert_eq!(removal(request(96.0, 1)), "");
        let mut wide = request(96.0, 1);
        wide.input.settings.agent_radius = 60.0;
        let why = removal(wide.clone());
        assert!(why.contains(" walkable spans, erosion by agent_radius removed "), "{why}");
        // If an unchanged tile has ground, there is no message; otherwise the message is about the whole level.
        let plan = Arc::new(BakePlan::new(wide.input.clone()).unwrap());
        let (last, except) = (plan.tiles().last().unwrap(), BTreeSet::from([TileCoord::new(0, 0)]));
        for (with_ground, says_so) in [(BTreeSet::from([last]), false), (BTreeSet::new(), true)] {
            let base = Base { plan: Arc::clone(&plan), except: except.clone(), with_ground };
            let said = removal(BakeRequest { base: Some(base), ..wide.clone() });
            assert_eq!(said, if says_so { &*why } else { "" });
        }
    }

    #[test]
    fn the_estimate_of_a_bake_is_known_from_its_start() {
        let (mut job, wakes) = job();
        job.start(request(256.0, 1));
        while !job
            .poll()
            .iter()
            .any(|e| matches!(e, JobEvent::Message(BakeMessage::Planned { .. })))
        {
            wakes.recv().unwrap();
        }
        let estimate = job.progress().and_then(|progress| progress.estimate);
        assert!(estimate.is_some_and(|estimate| estimate.n_bytes > 100_000), "{estimate:?}");
        job.cancel();
        drain(&mut job, &wakes);
    }
}
