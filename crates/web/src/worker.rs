//! The functions that a Web Worker calls.

use std::cell::RefCell;

use walkable::{bake::BakeOutput, ids::TileCoord};
use walkable_editor::jobs::{
    bake_workers::TileWorker, job_worker::run_in_worker, job_workers::failure,
};
use wasm_bindgen::prelude::*;

use crate::js;

thread_local! {
    static WORKER: RefCell<TileWorker> = RefCell::default();
}

/// Sets the level.
///
/// # Errors
/// Returns an error if the bytes are damaged.
#[wasm_bindgen]
pub fn worker_level(bytes: &[u8]) -> Result<(), JsValue> {
    console_error_panic_hook::set_once();
    WORKER.with_borrow_mut(|worker| worker.set_level(bytes)).map_err(JsValue::from)
}

/// Sets the settings and all other inputs except the level.
///
/// # Errors
/// Returns an error if the text is damaged.
#[wasm_bindgen]
pub fn worker_input(text: &str) -> Result<(), JsValue> {
    WORKER.with_borrow_mut(|worker| worker.set_input(text)).map_err(JsValue::from)
}

/// Bakes a tile. Returns its result for the page, with its stages if they are wanted.
#[wasm_bindgen]
pub fn worker_bake(x: u32, z: u32, with_stages: bool) -> Vec<u8> {
    let keep = if with_stages { BakeOutput::Stages } else { BakeOutput::Tile };
    WORKER.with_borrow(|worker| worker.bake(TileCoord::new(x, z), keep))
}

/// Runs the job of a request, and sends its messages to the page.
#[wasm_bindgen]
pub fn worker_job(request: &[u8]) {
    console_error_panic_hook::set_once();
    run_in_worker(request, |message| js::send(&message));
}

/// Returns the message of a job whose worker failed.
#[wasm_bindgen]
pub fn job_failure(why: &str) -> Vec<u8> {
    failure(why)
}

/// Returns the number of times in a result.
#[wasm_bindgen]
pub fn n_stages() -> usize {
    walkable::bake::Stage::ALL.len()
}
