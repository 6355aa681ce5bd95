//! Bakes tiles in workers that have memory of their own, as the Web Workers of a page have. The level, the input of the
//! bake and each baked tile, if wanted with its stages, are sent as bytes.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::Duration,
};

use walkable::{
    bake::{BakeInput, BakeOutput, BakePlan, Stage, TileBake, TileEntry, TileKey},
    ids::TileCoord,
    mesh::TriMesh,
    monitor::Unmonitored,
};
use walkable_workspace::{
    runner::{self, StageTimes, TileFailure, TileOutcome},
    wire,
};

/// Workers that do one bake at a time.
pub trait BakeWorkers: fmt::Debug + Send + Sync {
    /// Stops the running bake and bakes the tiles of `order`. The job is polled when there are results.
    fn start(&self, input: &BakeInput, order: &[TileCoord], keep: BakeOutput);

    /// Returns the results since the last call, as [`TileWorker::bake`] made them.
    fn take(&self) -> Vec<Vec<u8>>;

    fn stop(&self);
}

/// The workers of each job that bakes tiles of the level in the view.
#[derive(Clone, Debug)]
pub struct BakePools {
    pub bake: Arc<dyn BakeWorkers>,
    pub preview: Arc<dyn BakeWorkers>,
    /// For tiles that are baked again for their stages.
    pub stages: Arc<dyn BakeWorkers>,
}

#[derive(Debug, Default)]
pub struct TileWorker {
    level: Option<Arc<TriMesh>>,
    plan: Option<BakePlan>,
}

/// The state of a result.
const BAKED: u8 = 0;
const FAILED: u8 = 1;

impl TileWorker {
    /// Sets the level from the bytes that [`level_to_bytes`] returned. Fails if they are damaged.
    pub fn set_level(&mut self, bytes: &[u8]) -> Result<(), String> {
        let level = wire::from_bytes(bytes).map_err(|error| format!("the level: {error:#}"))?;
        (self.level, self.plan) = (Some(level), None);
        Ok(())
    }

    /// Sets the rest of the input from the text that [`input_to_text`] returned. Fails if the level is not set, if the
    /// text is damaged, or if the input cannot be baked.
    pub fn set_input(&mut self, text: &str) -> Result<(), String> {
        let input = input_from(self.level.clone().ok_or("there is no level")?, text)?;
        let plan = match &self.plan {
            Some(before) => before.renewed(input),
            None => BakePlan::new(input),
        };
        self.plan = Some(plan.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Bakes a tile; returns its result as bytes for [`read_result`], with the stages if `keep` says so.
    pub fn bake(&self, tile: TileCoord, keep: BakeOutput) -> Vec<u8> {
        let Some(plan) = &self.plan else {
            return result(tile, FAILED, &StageTimes::default(), &[b"the worker has no input"]);
        };
        let outcome = Mutex::new(None);
        let done = |baked: TileOutcome| {
            *outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(baked);
        };
        // Stages are counted even if they are not sent.
        let bake_one = runner::from_memory(plan, BakeOutput::Stages);
        runner::run([tile].into_iter(), &bake_one, 1, &AtomicBool::new(false), &done);
        let Some(outcome) = outcome.into_inner().unwrap_or_else(PoisonError::into_inner) else {
            return result(tile, FAILED, &StageTimes::default(), &[b"the bake was cancelled"]);
        };
        match outcome.result.map_err(|why| why.to_string()).and_then(|bake| sent(&bake, plan, keep))
        {
            Ok([entry, stages]) => {
                let length = u32::try_from(entry.len()).unwrap_or(u32::MAX).to_le_bytes();
                result(tile, BAKED, &outcome.times, &[&length, &entry, &stages])
            }
            Err(why) => result(tile, FAILED, &outcome.times, &[why.as_bytes()]),
        }
    }
}

/// Returns a tile and its stages as bytes; no bytes for stages that are not to be kept.
fn sent(bake: &TileBake, plan: &BakePlan, keep: BakeOutput) -> Result<[Vec<u8>; 2], String> {
    let key = plan.tile_key(bake.coord, &Unmonitored).map_err(|cancelled| cancelled.to_string())?;
    let entry = TileEntry::of(bake).to_bytes(key);
    let stages = bake.stages.as_deref().filter(|_| keep == BakeOutput::Stages);
    let stages = stages.map(wire::to_bytes).transpose().map_err(|error| format!("{error:#}"))?;
    Ok([entry, stages.unwrap_or_default()])
}

fn result(tile: TileCoord, state: u8, times: &StageTimes, parts: &[&[u8]]) -> Vec<u8> {
    let n_bytes: usize = parts.iter().map(|part| part.len()).sum();
    let mut bytes = Vec::with_capacity(128 + n_bytes);
    bytes.extend(tile.x.to_le_bytes());
    bytes.extend(tile.z.to_le_bytes());
    bytes.push(state);
    for stage in Stage::ALL {
        let nanos = u64::try_from(times.of(stage).as_nanos()).unwrap_or(u64::MAX);
        bytes.extend(nanos.to_le_bytes());
    }
    for part in parts {
        bytes.extend(*part);
    }
    bytes
}

/// Reads a result of [`TileWorker::bake`]. A result that was not baked from exactly the input of `plan` is a failure.
/// Returns `None` if it does not even name a tile.
pub fn read_result(bytes: &[u8], plan: &BakePlan) -> Option<TileOutcome> {
    let mut bytes = Bytes(bytes);
    let coord = TileCoord::new(bytes.u32()?, bytes.u32()?);
    let [state] = bytes.take::<1>()?;
    let mut times = [Duration::ZERO; Stage::ALL.len()];
    for time in &mut times {
        *time = Duration::from_nanos(u64::from_le_bytes(bytes.take()?));
    }
    let result = if state == BAKED {
        let key = plan.tile_key(coord, &Unmonitored).ok()?;
        read_tile(bytes, coord, key)
            .map_err(|error| format!("its result from a worker cannot be used: {error}"))
            .map_err(|why| TileFailure::Unread(format!("tile {coord}: {why}")))
    } else {
        Err(TileFailure::Unread(String::from_utf8_lossy(bytes.0).into_owned()))
    };
    Some(TileOutcome { coord, result, times: StageTimes::of_all(times) })
}

fn read_tile(mut bytes: Bytes<'_>, coord: TileCoord, key: TileKey) -> Result<TileBake, String> {
    let entry = bytes.part().ok_or("it is cut off")?;
    let entry = TileEntry::from_bytes(entry, key).map_err(|error| error.to_string())?;
    let TileEntry { tile, warnings, counts } = entry;
    let stages = (!bytes.0.is_empty()).then(|| wire::from_bytes(bytes.0)).transpose();
    let stages = stages.map_err(|error| format!("{error:#}"))?.map(Box::new);
    Ok(TileBake { coord, tile, stages, warnings, counts })
}

/// Returns everything except the level that a bake depends on, as text.
pub fn input_to_text(input: &BakeInput) -> String {
    // The flags of areas are given to polygons after the bake.
    let BakeInput {
        mesh: _,
        part,
        settings,
        volumes,
        off_mesh,
        surfaces,
        bounds,
        area_flags: _,
        agents,
    } = input;
    let all = (part, settings, volumes, off_mesh, surfaces, bounds, agents);
    serde_json::to_string(&all).unwrap_or_default()
}

fn input_from(level: Arc<TriMesh>, text: &str) -> Result<BakeInput, String> {
    let (part, settings, volumes, off_mesh, surfaces, bounds, agents) =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let input = BakeInput::new(level, settings);
    Ok(BakeInput { part, volumes, off_mesh, surfaces, bounds, agents, ..input })
}

pub fn level_to_bytes(level: &TriMesh) -> Vec<u8> {
    wire::to_bytes(level).unwrap_or_default()
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// Takes bytes that are preceded by their number.
    fn part(&mut self) -> Option<&'a [u8]> {
        let n_bytes = usize::try_from(self.u32()?).ok()?;
        let (part, rest) = self.0.split_at_checked(n_bytes)?;
        self.0 = rest;
        Some(part)
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// Workers that do the whole work when a bake starts.
    #[derive(Debug, Default)]
    pub(in crate::jobs) struct TestBakeWorkers {
        results: Mutex<Vec<Vec<u8>>>,
        /// What each bake kept, and its number of tiles.
        pub(in crate::jobs) bakes: Mutex<Vec<(BakeOutput, usize)>>,
    }

    impl BakeWorkers for TestBakeWorkers {
        fn start(&self, input: &BakeInput, order: &[TileCoord], keep: BakeOutput) {
            let mut worker = TileWorker::default();
            worker.set_level(&level_to_bytes(&input.mesh)).unwrap();
            worker.set_input(&input_to_text(input)).unwrap();
            let results = order.iter().map(|tile| worker.bake(*tile, keep));
            *self.results.lock().unwrap() = results.collect();
            self.bakes.lock().unwrap().push((keep, order.len()));
        }

        fn take(&self) -> Vec<Vec<u8>> {
            std::mem::take(&mut *self.results.lock().unwrap())
        }

        fn stop(&self) {
            self.results.lock().unwrap().clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use walkable::level::builtin;

    use super::*;

    /// Returns the plan of a built-in level, and a worker with the same input.
    fn worker_of(name: &str) -> (BakePlan, TileWorker) {
        let level = builtin(name).unwrap().read().unwrap();
        let mut config = level.config;
        config.settings.tile_size = 32;
        let plan = BakePlan::new(config.with_mesh(Arc::new(level.mesh))).unwrap();
        let mut worker = TileWorker::default();
        worker.set_level(&level_to_bytes(&plan.input().mesh)).unwrap();
        worker.set_input(&input_to_text(plan.input())).unwrap();
        (plan, worker)
    }

    #[test]
    fn workers_bake_the_same_tiles() {
        let (plan, worker) = worker_of("sample");
        for coord in plan.tiles() {
            let here = runner::from_memory(&plan, BakeOutput::Stages)(coord, &Unmonitored).unwrap();
            for keep in [BakeOutput::Stages, BakeOutput::Tile] {
                let outcome = read_result(&worker.bake(coord, keep), &plan).unwrap();
                let there = outcome.result.unwrap();
                assert_eq!(outcome.coord, coord);
                assert_eq!(there.tile, here.tile);
                let stages = here.stages.clone().filter(|_| keep == BakeOutput::Stages);
                assert_eq!(there.stages, stages);
                assert_eq!((there.warnings, &there.counts), (here.warnings.clone(), &here.counts));
                assert!(outcome.times.total() > Duration::ZERO);
            }
        }
    }

    #[test]
    fn results_of_another_input_and_damaged_ones_are_failures() {
        let (plan, _) = worker_of("sample");
        let (_, other) = worker_of("tower");
        let tile = plan.tiles().next().unwrap();
        let bytes = other.bake(tile, BakeOutput::Stages);
        let why = read_result(&bytes, &plan).unwrap().result.unwrap_err().to_string();
        assert!(why.contains("cannot be used: it is the tile with key"), "{why}");
        for n in 0..bytes.len().min(200) {
            let read = read_result(&bytes[..n], &plan);
            assert!(read.is_none_or(|outcome| outcome.result.is_err()));
        }
        let why = TileWorker::default().bake(tile, BakeOutput::Tile);
        let why = read_result(&why, &plan).unwrap().result.unwrap_err().to_string();
        assert_eq!(why, "the worker has no input");
        let level = level_to_bytes(&plan.input().mesh);
        let mut worker = TileWorker::default();
        assert_eq!(worker.set_level(&level), Ok(()));
        assert_eq!(worker.level.as_ref(), Some(&plan.input().mesh));
        for n in [0, 3, 11, 12, 100, level.len() - 1] {
            assert!(worker.set_level(&level[..n]).is_err(), "{n} bytes");
        }
    }
}
