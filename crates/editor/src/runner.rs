//! Bakes many tiles on all cores and times each stage of each.

use std::{
    num::NonZeroUsize,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rayon::prelude::*;
use walkable::{
    bake::{BakeError, BakePlan, GroundLeft, GroundTaken, Keep, Stage, TileBake, bake_tile},
    ids::TileCoord,
    monitor::Monitor,
};

/// Most threads for each core.
const MAX_THREADS_PER_CORE: usize = 4;

/// Time spent in each stage of one tile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageTimes {
    times: [Duration; Stage::ALL.len()],
}

impl StageTimes {
    /// Time spent in `stage`.
    pub fn of(&self, stage: Stage) -> Duration {
        self.times[stage as usize]
    }

    /// Time of all stages together.
    pub fn total(&self) -> Duration {
        self.times.iter().sum()
    }

    /// Adds the times of another tile.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.times.iter_mut().zip(&other.times) {
            *mine += *theirs;
        }
    }
}

/// Why a tile has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TileFailure {
    /// The bake refused it.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// Its triangles could not be read.
    #[error("{0}")]
    Unread(String),
    /// The bake has a bug: it panicked. The other tiles are not touched.
    #[error("tile {tile}: internal error: {message}")]
    Panicked {
        /// Which tile.
        tile: TileCoord,
        /// What the panic said.
        message: String,
    },
}

/// What became of one tile.
#[derive(Clone, Debug)]
pub struct TileOutcome {
    /// Which tile.
    pub coord: TileCoord,
    /// Its result.
    pub result: Result<TileBake, TileFailure>,
    /// Time spent in each stage.
    pub times: StageTimes,
}

/// Number of threads to use where nobody says otherwise.
pub fn default_threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Threads to use where somebody asks for `wanted`: more than a few for each core only take memory.
pub fn at_most(wanted: usize) -> usize {
    wanted.clamp(1, MAX_THREADS_PER_CORE * default_threads())
}

/// How one tile is baked.
pub type BakeOne<'a> = dyn Fn(TileCoord, &dyn Monitor) -> Result<TileBake, TileFailure> + Sync + 'a;

/// Bakes tiles of a level that is in memory.
pub fn from_memory(
    plan: &BakePlan,
    keep: Keep,
) -> impl Fn(TileCoord, &dyn Monitor) -> Result<TileBake, TileFailure> + Sync {
    move |coord, monitor| Ok(bake_tile(plan, coord, keep, monitor)?)
}

/// What took the ground of a level none of whose tiles has any, told by baking them again with all stages, with
/// `again`. `None` where nothing was taken, or `monitor` cancels.
pub fn ground_taken(
    plan: &BakePlan,
    again: &BakeOne<'_>,
    monitor: &dyn Monitor,
) -> Option<GroundTaken> {
    let of_tile = |coord| {
        let baked = again(coord, monitor).ok()?;
        GroundLeft::of(baked.stages.as_deref()?, plan, monitor).ok()
    };
    let tiles: Vec<_> = plan.tiles().collect();
    let left = tiles.into_par_iter().filter_map(of_tile);
    let all = left.reduce(GroundLeft::default, |mut sum, left| {
        sum += left;
        sum
    });
    all.taken().filter(|_| !monitor.is_cancelled())
}

/// Bakes the tiles of `order`, the first ones first, on `threads` threads and hands over each as it
/// is done, from the thread that baked it. Returns once all are done or `cancel` is set; cancelled
/// tiles are not handed over.
pub fn run(
    order: &[TileCoord],
    bake: &BakeOne<'_>,
    threads: usize,
    cancel: &AtomicBool,
    listener: &dyn Listener,
) {
    let next = AtomicUsize::new(0);
    let work = || {
        while !cancel.load(Ordering::Relaxed) {
            let Some(&coord) = order.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let outcome = bake_one(coord, bake, cancel, listener);
            if !matches!(outcome.result, Err(TileFailure::Bake(BakeError::Cancelled(_)))) {
                listener.tile_done(outcome);
            }
        }
    };
    thread::scope(|scope| {
        for n in 1..at_most(threads).min(order.len().max(1)) {
            let named = thread::Builder::new().name(format!("bake {n}"));
            // A machine that has no thread to give bakes with those it gave.
            if named.spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Hears how a bake goes, from its worker threads.
pub trait Listener: Sync {
    /// A tile is done, or failed.
    fn tile_done(&self, outcome: TileOutcome);

    /// Some tile enters `stage`.
    fn stage_entered(&self, stage: Stage) {
        let _ = stage;
    }
}

impl<F: Fn(TileOutcome) + Sync> Listener for F {
    fn tile_done(&self, outcome: TileOutcome) {
        self(outcome);
    }
}

fn bake_one(
    coord: TileCoord,
    bake: &BakeOne<'_>,
    cancel: &AtomicBool,
    listener: &dyn Listener,
) -> TileOutcome {
    let clock = TileClock { cancel, listener, running: Mutex::new(Running::default()) };
    let bake = || bake(coord, &clock);
    let result = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(bake)) {
        Ok(result) => result,
        Err(panic) => Err(TileFailure::Panicked { tile: coord, message: panic_text(&*panic) }),
    };
    TileOutcome { coord, result, times: clock.finish() }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// Times the stages of one tile by when each is entered.
struct TileClock<'a> {
    cancel: &'a AtomicBool,
    listener: &'a dyn Listener,
    running: Mutex<Running>,
}

#[derive(Default)]
struct Running {
    current: Option<(Stage, Instant)>,
    times: StageTimes,
}

impl Running {
    fn switch(&mut self, next: Option<Stage>) {
        let now = Instant::now();
        if let Some((stage, since)) = self.current.take() {
            self.times.times[stage as usize] += now - since;
        }
        self.current = next.map(|stage| (stage, now));
    }
}

impl TileClock<'_> {
    fn finish(self) -> StageTimes {
        let mut running = self.running.into_inner().unwrap_or_else(PoisonError::into_inner);
        running.switch(None);
        running.times
    }
}

impl Monitor for TileClock<'_> {
    fn enter(&self, stage: Stage) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).switch(Some(stage));
        self.listener.stage_entered(stage);
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}
