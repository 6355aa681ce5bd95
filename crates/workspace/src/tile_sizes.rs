//! Measures a sample of tiles for several tile sizes, to find the best one of a level.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde::{Deserialize, Serialize};
use walkable::{
    bake::{BakeError, BakeInput, BakeLimits, BakeOutput, BakePlan, BakeSettings, Stage},
    check::{TILE_SIZES, TileMeasurement, TileSizeRow, best_tile_size, tile_sample},
    diagnostic::Phrase,
    ids::TileCoord,
    monitor::Monitor,
    phrase,
};
use web_time::Instant;

use crate::{
    format,
    lang::tr,
    runner::{self, Listener, TileOutcome},
    text,
};

const MAX_SAMPLE: usize = 48;
/// Number of bakes per tile, if there is time. The fastest one counts, because others may have been interrupted.
const N_TIMED: usize = 3;
const SEED: u64 = 1;
/// Time for all tile sizes. The tiles that are being baked when it is over are cancelled.
pub const PATIENCE: Duration = Duration::from_secs(16);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedTileSize {
    pub tile_size: u32,
    pub why: Phrase,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TileSizeAdvice {
    /// The tile size of the settings, in voxels; 0 for one tile.
    pub current: u32,
    /// The best tile size; `None` if none fits.
    pub best: Option<u32>,
    /// Number of threads of the bake whose time is estimated.
    pub n_threads: usize,
    pub rows: Vec<TileSizeRow>,
    pub skipped: Vec<SkippedTileSize>,
}

impl TileSizeAdvice {
    pub const TITLES: [&'static str; 7] = [
        text!("Tile size"),
        text!("Tiles"),
        text!("Time"),
        text!("Time per tile"),
        text!("Memory per tile"),
        text!("Tile data"),
        text!("Polygons per tile"),
    ];

    pub fn cells(&self) -> Vec<[String; 7]> {
        let seconds = |seconds: f64| format::time(Duration::from_secs_f64(seconds.max(0.0)));
        let row = |row: &TileSizeRow| {
            [
                row.tile_size.to_string(),
                format::count(row.n_tiles),
                seconds(row.seconds),
                seconds(row.tile_seconds),
                format::bytes(row.tile_memory),
                format::bytes(row.bytes),
                format!("{} of {}", format::count(row.max_polys), format::count(row.poly_limit)),
            ]
        };
        self.rows.iter().map(row).collect()
    }

    pub fn best_text(&self) -> String {
        match self.best {
            Some(best) if best == self.current => {
                tr!("The tile size of {best} voxels is the best")
            }
            Some(best) => tr!("Best tile size: {best} voxels"),
            None => tr!("No tile size fits into references of 32 bits").to_owned(),
        }
    }
}

/// Bakes a sample of tiles with each of [`TILE_SIZES`], up to one that makes the level a single tile. Calls `entered`
/// with each tile size before its tiles are baked. Fails if no tile size can be baked.
pub fn measure_tile_sizes(
    input: &BakeInput,
    limits: BakeLimits,
    entered: &mut dyn FnMut(u32),
    monitor: &dyn Monitor,
) -> Result<TileSizeAdvice, BakeError> {
    let started = Instant::now();
    let n_threads = runner::default_threads();
    let (mut rows, mut skipped, mut failed) = (Vec::new(), Vec::new(), None);
    for (tile_size, n_left) in TILE_SIZES.into_iter().zip((1..=TILE_SIZES.len()).rev()) {
        entered(tile_size);
        let n_left = u32::try_from(n_left).unwrap_or(1);
        let share = PATIENCE.saturating_sub(started.elapsed()) / n_left;
        match measure(input, (tile_size, share), (n_threads, limits), monitor) {
            Ok(Some(row)) => {
                let is_whole_level = row.n_tiles == 1;
                rows.push(row);
                if is_whole_level {
                    // Larger tiles would contain the same.
                    break;
                }
            }
            Ok(None) => {
                let why = phrase!("no tile was baked in its share of the time");
                skipped.push(SkippedTileSize { tile_size, why });
            }
            Err(error) if monitor.is_cancelled() => return Err(error),
            Err(error) => {
                skipped.push(SkippedTileSize { tile_size, why: error.to_string().into() });
                failed = Some(error);
            }
        }
    }
    if let Some(error) = failed.filter(|_| rows.is_empty()) {
        return Err(error);
    }
    let (current, best) = (input.settings.tile_size, best_tile_size(&rows));
    Ok(TileSizeAdvice { current, best, n_threads, rows, skipped })
}

/// Measures one tile size; returns `None` if no tile was baked in time.
fn measure(
    input: &BakeInput,
    (tile_size, time): (u32, Duration),
    (n_threads, limits): (usize, BakeLimits),
    monitor: &dyn Monitor,
) -> Result<Option<TileSizeRow>, BakeError> {
    monitor.check()?;
    let settings = BakeSettings { tile_size, ..input.settings.clone() };
    let plan = BakePlan::new(BakeInput { settings, ..input.clone() })?;
    // Only the memory counts: the time of the whole bake is not spent here.
    plan.check_limits(n_threads, BakeLimits { secs: f64::INFINITY, ..limits })?;
    let sampler = Sampler {
        monitor,
        end: Instant::now() + time,
        is_over: AtomicBool::new(false),
        results: Mutex::default(),
    };
    let sample = tile_sample(&plan, MAX_SAMPLE, SEED);
    let bake = runner::from_memory(&plan, BakeOutput::Stages);
    for _ in 0..N_TIMED {
        runner::run(sample.iter().copied(), &bake, n_threads, &sampler.is_over, &sampler);
    }
    monitor.check()?;
    let results = sampler.results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let results: Vec<_> = results.into_values().collect();
    Ok(TileSizeRow::new(&plan, &results, n_threads))
}

/// Collects measurements, and stops when the time is over or the user cancels.
struct Sampler<'a> {
    monitor: &'a dyn Monitor,
    end: Instant,
    is_over: AtomicBool,
    results: Mutex<BTreeMap<TileCoord, TileMeasurement>>,
}

impl Sampler<'_> {
    fn look_at_the_clock(&self) {
        if self.monitor.is_cancelled() || Instant::now() >= self.end {
            self.is_over.store(true, Ordering::Relaxed);
        }
    }
}

impl Listener for Sampler<'_> {
    fn tile_done(&self, outcome: TileOutcome) {
        if let Ok(bake) = &outcome.result {
            let measured = TileMeasurement::of(bake, outcome.times.total().as_secs_f64());
            let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
            let known = results.entry(outcome.coord).or_insert(measured);
            known.seconds = known.seconds.min(measured.seconds);
        }
        self.look_at_the_clock();
    }

    fn stage_entered(&self, _stage: Stage) {
        self.look_at_the_clock();
    }
}
