//! Bakes tiles again in the background if their stages are needed but were evicted.

use std::{collections::BTreeMap, sync::Arc};

use walkable::{
    bake::{BakeOutput, BakePlan, Intermediates},
    ids::TileCoord,
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, JobStep, Wake},
    runner::{self, TileOutcome},
    session::TileKey,
};

/// A tile and its stages; `None` if it could not be baked.
pub type AnswerStages = (TileKey, Option<Arc<Intermediates>>);

/// Handles one request at a time.
#[derive(Debug)]
pub struct AnswerJob {
    slot: JobSlot<AnswerStages>,
    /// The tiles of the current or latest request.
    tiles: Vec<TileKey>,
}

impl AnswerJob {
    /// Creates an idle job.
    pub fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("answer", wake), tiles: Vec::new() }
    }

    /// Bakes the tiles of `wanted`, the most urgent first. Does nothing if the first tile is being baked already;
    /// otherwise cancels the current request. Tiles of bakes other than that of the first tile are left for a later
    /// request.
    pub fn start(&mut self, wanted: &[(Arc<BakePlan>, TileKey)]) {
        let Some((plan, first)) = wanted.first() else { return };
        if self.slot.is_busy() && self.tiles.contains(first) {
            return;
        }
        let of_plan = wanted.iter().filter(|(other, _)| Arc::ptr_eq(other, plan));
        self.tiles = of_plan.map(|(_, key)| *key).collect();
        let order: Vec<TileCoord> = self.tiles.iter().map(|key| key.coord).collect();
        let keys: BTreeMap<TileCoord, TileKey> =
            self.tiles.iter().map(|key| (key.coord, *key)).collect();
        let plan = Arc::clone(plan);
        let mut n_baked = 0;
        self.slot.request_steps(move |report| {
            let done = |outcome: TileOutcome| {
                let Some(key) = keys.get(&outcome.coord) else { return };
                let stages = outcome.result.ok().and_then(|bake| bake.stages);
                report.send((*key, stages.map(|stages| Arc::new(*stages))));
            };
            let bake_one = runner::from_memory(&plan, BakeOutput::Stages);
            let threads = runner::default_threads();
            let piece = runner::piece(&order[n_baked..]);
            runner::run(piece.iter().copied(), &bake_one, threads, report.cancel_flag(), &done);
            n_baked += piece.len();
            if n_baked < order.len() { JobStep::Next } else { JobStep::Done }
        });
    }

    /// Returns whether tiles are being baked.
    pub fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Returns the results since the last poll.
    pub fn poll(&mut self) -> Vec<JobEvent<AnswerStages>> {
        self.slot.poll()
    }
}
