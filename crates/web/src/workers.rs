//! The Web Workers of the page, as implementations of the editor's [`BakeWorkers`] and [`JobWorkers`].

use std::{
    cell::RefCell,
    sync::{Arc, Weak},
};

use js_sys::Uint8Array;
use walkable::{bake::BakeInput, ids::TileCoord, mesh::TriMesh};
use walkable_editor::jobs::{
    bake_workers::{BakeWorkers, input_to_text, level_to_bytes},
    job_workers::JobWorkers,
};

use crate::js;

thread_local! {
    /// The level that the workers have received.
    static LEVEL: RefCell<Weak<TriMesh>> = const { RefCell::new(Weak::new()) };
}

/// The workers that `page/page.js` starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageWorkers;

impl BakeWorkers for PageWorkers {
    fn start(&self, input: &BakeInput, order: &[TileCoord]) {
        let level = LEVEL.with_borrow_mut(|known| {
            let is_known = known.upgrade().is_some_and(|known| Arc::ptr_eq(&known, &input.mesh));
            *known = Arc::downgrade(&input.mesh);
            (!is_known).then(|| Uint8Array::from(&level_to_bytes(&input.mesh)[..]))
        });
        let tiles: Vec<u32> = order.iter().flat_map(|tile| [tile.x, tile.z]).collect();
        js::start_bake(level, &input_to_text(input), &tiles);
    }

    fn take(&self) -> Vec<Vec<u8>> {
        js::take_baked().iter().map(|result| Uint8Array::new(&result).to_vec()).collect()
    }

    fn stop(&self) {
        js::stop_bake();
    }
}

impl JobWorkers for PageWorkers {
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
