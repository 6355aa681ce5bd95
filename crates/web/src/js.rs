//! The functions of `page/page.js` and `page/worker.js`.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_namespace = walkablePage)]
extern "C" {
    /// Stores a file of the program in the browser; without `bytes`, removes it.
    #[wasm_bindgen(catch, js_name = programFile)]
    pub(crate) fn program_file(name: &str, bytes: Option<&[u8]>) -> Result<(), JsValue>;

    /// Downloads a file of the user, and stores it in the browser if it is a project.
    #[wasm_bindgen(catch)]
    pub(crate) fn written(name: &str, bytes: &[u8]) -> Result<(), JsValue>;

    /// Stores a file of the user in the browser.
    #[wasm_bindgen(catch)]
    pub(crate) fn stored(name: &str, bytes: &[u8]) -> Result<(), JsValue>;

    #[wasm_bindgen(catch)]
    pub(crate) fn removed(name: &str) -> Result<(), JsValue>;

    /// Stores a file of a link in the browser, for unsaved work.
    #[wasm_bindgen(catch, js_name = linkFile)]
    pub(crate) fn link_file(link: &str, name: &str, bytes: &[u8]) -> Result<(), JsValue>;

    /// Shows the file picker for files with these endings, separated by commas.
    pub(crate) fn pick(endings: &str);

    /// Stops the current bake of a pool of workers and bakes `tiles`, pairs of coordinates. Without `level`, the level of
    /// the pool's previous bake is used.
    #[wasm_bindgen(js_name = startBake)]
    pub(crate) fn start_bake(
        pool: &str,
        level: Option<Uint8Array>,
        input: &str,
        tiles: &[u32],
        with_stages: bool,
    );

    /// Returns the results of a pool since the last call, each a `Uint8Array`.
    #[wasm_bindgen(js_name = takeBaked)]
    pub(crate) fn take_baked(pool: &str) -> Array;

    #[wasm_bindgen(js_name = stopBake)]
    pub(crate) fn stop_bake(pool: &str);

    /// Runs the job of a request in a worker of its own; returns its number.
    #[wasm_bindgen(js_name = startJob)]
    pub(crate) fn start_job(request: &[u8]) -> u32;

    /// Returns the messages of a job since the last call, each a `Uint8Array`.
    #[wasm_bindgen(js_name = takeMessages)]
    pub(crate) fn take_messages(job: u32) -> Array;

    #[wasm_bindgen(js_name = stopJob)]
    pub(crate) fn stop_job(job: u32);
}

#[wasm_bindgen(js_namespace = walkableWorker)]
extern "C" {
    pub(crate) fn send(message: &[u8]);
}
