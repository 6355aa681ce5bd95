//! Bakes a tile once more in the background, for an answer about a place in it.

use std::sync::Arc;

use walkable::bake::{BakePlan, Intermediates, Keep, bake_tile};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    session::TileKey,
};

/// A tile and its stages; `None` where it could not be baked.
pub type AnswerStages = (TileKey, Option<Arc<Intermediates>>);

/// The one such job.
#[derive(Debug)]
pub struct AnswerJob {
    slot: JobSlot<AnswerStages>,
    /// What it bakes, or baked last.
    tile: Option<TileKey>,
}

impl AnswerJob {
    /// Nothing to bake yet.
    pub fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("answer", wake), tile: None }
    }

    /// Bakes `tile` unless it is being baked already; what else is being baked is given up.
    pub fn start(&mut self, plan: Arc<BakePlan>, tile: TileKey) {
        if self.tile == Some(tile) && self.slot.is_busy() {
            return;
        }
        self.tile = Some(tile);
        self.slot.request(move |report| {
            let baked = bake_tile(&plan, tile.coord, Keep::Stages, report).ok();
            let stages = baked.and_then(|baked| baked.stages).map(|stages| Arc::new(*stages));
            report.send((tile, stages));
        });
    }

    /// Whether it bakes.
    pub fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// What was baked since the last poll.
    pub fn poll(&mut self) -> Vec<JobEvent<AnswerStages>> {
        self.slot.poll()
    }
}
