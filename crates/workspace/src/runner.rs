//! Bakes many tiles on all cores and times the stages of each tile.

use std::{
    num::NonZeroUsize,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use walkable::{
    bake::{BakeError, BakeOutput, BakePlan, GroundRemoval, Stage, TileBake, bake_tile},
    ids::TileCoord,
    monitor::{Cancelled, Monitor},
    navmesh::Tile,
};
use web_time::Instant;

use crate::time_limit::InTime;

const MAX_THREADS_PER_CORE: usize = 4;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageTimes {
    times: [Duration; Stage::ALL.len()],
}

impl StageTimes {
    pub const fn of_all(times: [Duration; Stage::ALL.len()]) -> Self {
        Self { times }
    }

    pub fn of(&self, stage: Stage) -> Duration {
        self.times[stage as usize]
    }

    pub fn total(&self) -> Duration {
        self.times.iter().sum()
    }

    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.times.iter_mut().zip(&other.times) {
            *mine += *theirs;
        }
    }
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TileFailure {
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// Its triangles could not be read.
    #[error("{0}")]
    Unread(String),
    /// The bake panicked because of a bug. Other tiles are not affected.
    #[error("tile {tile}: internal error: {message}")]
    Panicked { tile: TileCoord, message: String },
}

#[derive(Clone, Debug)]
pub struct TileOutcome {
    pub coord: TileCoord,
    pub result: Result<TileBake, TileFailure>,
    pub times: StageTimes,
}

pub fn baked_tiles(outcomes: &[TileOutcome]) -> Vec<(TileCoord, Arc<Tile>)> {
    let baked =
        outcomes.iter().filter_map(|outcome| Some((outcome.coord, outcome.result.as_ref().ok()?)));
    baked.filter_map(|(coord, baked)| Some((coord, Arc::new(baked.tile.clone()?)))).collect()
}

pub fn default_threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Returns the number of threads to use if `wanted` are requested: more than a few per core only waste memory.
pub fn at_most(wanted: usize) -> usize {
    wanted.clamp(1, MAX_THREADS_PER_CORE * default_threads())
}

/// Returns the tiles of `order` that are baked before a web page draws a frame; elsewhere, all.
pub fn piece(order: &[TileCoord]) -> &[TileCoord] {
    let n = if cfg!(target_family = "wasm") { order.len().min(1) } else { order.len() };
    &order[..n]
}

pub type BakeOne<'a> = dyn Fn(TileCoord, &dyn Monitor) -> Result<TileBake, TileFailure> + Sync + 'a;

pub fn from_memory(
    plan: &BakePlan,
    keep: BakeOutput,
) -> impl Fn(TileCoord, &dyn Monitor) -> Result<TileBake, TileFailure> + Sync {
    move |coord, monitor| Ok(bake_tile(plan, coord, keep, monitor)?)
}

/// Finds what removed the ground of a level that has no ground left. Bakes all tiles again with `again`, which keeps
/// the stages.
pub fn ground_removal(
    plan: &BakePlan,
    again: &BakeOne<'_>,
    monitor: &dyn Monitor,
) -> Result<Option<GroundRemoval>, Cancelled> {
    walkable::bake::ground_removal(plan, &|coord| again(coord, monitor).ok(), monitor)
}

/// Tiles in the order in which they are baked.
pub trait TileOrder: ExactSizeIterator<Item = TileCoord> + Send {}

impl<I: ExactSizeIterator<Item = TileCoord> + Send> TileOrder for I {}

/// Bakes the tiles of `order` on `threads` threads, and passes each result to `listener` on the thread that baked it.
/// Returns once all tiles are done, `cancel` is set, or the time is over (see [`InTime`]). Cancelled tiles are not
/// passed on.
pub fn run(
    order: impl TileOrder,
    bake: &BakeOne<'_>,
    threads: usize,
    cancel: &AtomicBool,
    listener: &dyn Listener,
) {
    let n_tiles = order.len();
    let order = Mutex::new(order);
    let next = || order.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while !cancel.load(Ordering::Relaxed) && !InTime.is_cancelled() {
            let Some(coord) = next() else { return };
            let outcome = bake_one(coord, bake, cancel, listener);
            if !matches!(outcome.result, Err(TileFailure::Bake(BakeError::Cancelled(_)))) {
                listener.tile_done(outcome);
            }
        }
    };
    thread::scope(|scope| {
        for n in 1..at_most(threads).min(n_tiles.max(1)) {
            let named = thread::Builder::new().name(format!("bake {n}"));
            // If the system cannot start more threads, the bake goes on with those it has.
            if named.spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Receives the progress of a bake, on its worker threads.
pub trait Listener: Sync {
    fn tile_done(&self, outcome: TileOutcome);

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
        self.cancel.load(Ordering::Relaxed) || InTime.is_cancelled()
    }
}
