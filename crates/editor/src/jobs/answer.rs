//! Bakes tiles again in the background if their stages are needed but were evicted.

use std::{collections::BTreeMap, sync::Arc};

use walkable::{
    bake::{BakeOutput, BakePlan, Intermediates},
    ids::TileCoord,
};
use walkable_workspace::runner::{self, TileOutcome};

use crate::{
    jobs::{
        bake_workers::{self, BakeWorkers},
        slot::{JobEvent, JobSlot, JobStep, Reporter, Wake},
    },
    session::TileKey,
};

/// A tile and its stages; `None` if it could not be baked.
pub type AnswerStages = (TileKey, Option<Arc<Intermediates>>);

/// Handles one request at a time.
#[derive(Debug)]
pub struct AnswerJob {
    slot: JobSlot<AnswerStages>,
    tiles: Vec<TileKey>,
    /// Workers that bake the tiles; without them, this program does.
    workers: Option<Arc<dyn BakeWorkers>>,
}

impl AnswerJob {
    pub fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("answer", wake), tiles: Vec::new(), workers: None }
    }

    /// Sets the workers that bake the tiles. No other job may use them.
    #[must_use]
    pub fn with_workers(self, workers: Option<Arc<dyn BakeWorkers>>) -> Self {
        Self { workers, ..self }
    }

    /// Bakes the tiles in `wanted`, the most urgent first. Does nothing if the first one is already being baked;
    /// otherwise cancels the current request. Skips tiles of another bake than that of the first tile: a later request
    /// bakes them.
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
        let send = move |report: &Reporter<AnswerStages>, outcome: TileOutcome| {
            let Some(key) = keys.get(&outcome.coord) else { return };
            let stages = outcome.result.ok().and_then(|bake| bake.stages);
            report.send((*key, stages.map(|stages| Arc::new(*stages))));
        };
        let mut n_baked = 0;
        let Some(workers) = self.workers.clone() else {
            return self.slot.request_steps(move |report| {
                let bake_one = runner::from_memory(&plan, BakeOutput::Stages);
                let threads = runner::default_threads();
                let piece = runner::piece(&order[n_baked..]);
                let done = |outcome| send(report, outcome);
                runner::run(piece.iter().copied(), &bake_one, threads, report.cancel_flag(), &done);
                n_baked += piece.len();
                if n_baked < order.len() { JobStep::Next } else { JobStep::Done }
            });
        };
        let mut is_started = false;
        self.slot.request_steps(move |report| {
            if report.is_cancelled() {
                workers.stop();
                return JobStep::Done;
            }
            if !std::mem::replace(&mut is_started, true) {
                workers.start(plan.input(), &order, BakeOutput::Stages);
            }
            let results = workers.take();
            n_baked += results.len();
            let outcomes = results.iter().map(|result| bake_workers::read_result(result, &plan));
            outcomes.flatten().for_each(|outcome| send(report, outcome));
            if n_baked < order.len() { JobStep::Wait } else { JobStep::Done }
        });
    }

    pub fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    pub fn poll(&mut self) -> Vec<JobEvent<AnswerStages>> {
        self.slot.poll()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use super::*;
    use crate::{jobs::bake_workers::testing::TestBakeWorkers, testing::baked};

    #[test]
    fn workers_return_the_same_stages() {
        let session = baked();
        let plan = session.bake.plan.as_ref().unwrap();
        let wanted: Vec<_> =
            plan.tiles().map(|coord| (Arc::clone(plan), TileKey { coord, bake: 3 })).collect();
        let answers = |workers: Option<Arc<dyn BakeWorkers>>| {
            let (sender, wakes) = sync_channel(1000);
            let wake: Wake = Arc::new(move || sender.try_send(()).unwrap_or_default());
            let mut job = AnswerJob::new(wake).with_workers(workers);
            job.start(&wanted);
            let mut answers = Vec::new();
            while job.slot.has_thread() {
                wakes.recv().unwrap();
                for event in job.poll() {
                    match event {
                        JobEvent::Message((key, stages)) => answers.push((key.coord, stages)),
                        JobEvent::Finished => {}
                        JobEvent::Panicked(why) => panic!("{why}"),
                    }
                }
            }
            answers.sort_by_key(|(coord, _)| *coord);
            answers
        };
        let (here, there) = (answers(None), answers(Some(Arc::new(TestBakeWorkers::default()))));
        assert!(here == there && here.len() == wanted.len(), "the same stages");
        assert!(here.iter().all(|(_, stages)| stages.is_some()));
    }
}
