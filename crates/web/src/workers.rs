//! The Web Workers of the page, as implementations of the editor's [`BakeWorkers`] and [`JobWorkers`].

use std::sync::{Arc, Mutex, PoisonError, Weak};

use js_sys::Uint8Array;
use walkable::{
    bake::{BakeInput, BakeOutput},
    ids::TileCoord,
    mesh::TriMesh,
};
use walkable_editor::jobs::{
    bake_workers::{BakePools, BakeWorkers, input_to_text, level_to_bytes},
    job_workers::JobWorkers,
};

use crate::js;

pub(crate) fn bake_pools() -> BakePools {
    let pool = |name| Arc::new(Pool { name, level: Mutex::default() });
    BakePools { bake: pool("bake"), preview: pool("preview"), stages: pool("stages") }
}

#[derive(Debug)]
struct Pool {
    name: &'static str,
    level: Mutex<Weak<TriMesh>>,
}

impl BakeWorkers for Pool {
    fn start(&self, input: &BakeInput, order: &[TileCoord], keep: BakeOutput) {
        let mut known = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = known.upgrade().is_some_and(|known| Arc::ptr_eq(&known, &input.mesh));
        let level = (!is_known).then(|| Uint8Array::from(&level_to_bytes(&input.mesh)[..]));
        *known = Arc::downgrade(&input.mesh);
        let tiles: Vec<u32> = order.iter().flat_map(|tile| [tile.x, tile.z]).collect();
        let with_stages = keep == BakeOutput::Stages;
        js::start_bake(self.name, level, &input_to_text(input), &tiles, with_stages);
    }

    fn take(&self) -> Vec<Vec<u8>> {
        js::take_baked(self.name).iter().map(|result| Uint8Array::new(&result).to_vec()).collect()
    }

    fn stop(&self) {
        js::stop_bake(self.name);
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct JobsOfPage;

impl JobWorkers for JobsOfPage {
    fn start(&self, request: &[u8]) -> u32 {
        js::start_job(request)
    }

    fn take(&self, job: u32) -> Vec<Vec<u8>> {
        js::take_messages(job).iter().map(|message| Uint8Array::new(&message).to_vec()).collect()
    }

    fn stop(&self, job: u32) {
        js::stop_job(job);
    }
}
