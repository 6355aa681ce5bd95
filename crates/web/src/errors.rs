//! Errors of the page, which `page/page.js` and `page/worker.js` detect. Their texts are here to be translated.

use anyhow::anyhow;
use walkable::phrase;
use wasm_bindgen::prelude::*;

use crate::with_app;

/// Shows that the link in the address of the page cannot be opened.
#[wasm_bindgen]
pub fn show_link_error(why: String) {
    with_app(|app| app.show_error(phrase!("The link cannot be opened"), phrase!("{why}.", why)));
}

/// Shows that a file that the user passed to the page cannot be read.
#[wasm_bindgen]
pub fn show_file_error(name: String, why: String) {
    with_app(|app| app.show_error(phrase!("Cannot read {name}", name), phrase!("{why}.", why)));
}

/// The server does not send the file.
#[wasm_bindgen]
pub fn answer_of_server(url: &str, status: u16) -> String {
    anyhow!("{url}: the server answers with status {status}").to_string()
}

/// The file has more than `max` bytes.
#[wasm_bindgen]
pub fn too_large(name: &str, max: f64) -> String {
    let max_mib = max / f64::from(1 << 20);
    anyhow!("{name}: it has more than {max_mib} MiB").to_string()
}

/// The file refers to more than `max` others.
#[wasm_bindgen]
pub fn too_many_files(url: &str, max: u32) -> String {
    anyhow!("{url}: it refers to more than {max} files").to_string()
}

/// The link has a protocol that the page does not fetch.
#[wasm_bindgen]
pub fn unknown_protocol(link: &str) -> String {
    anyhow!("{link}: only http and https links can be opened, and data: links to repro files")
        .to_string()
}

/// The bytes in a link are damaged.
#[wasm_bindgen]
pub fn damaged_link() -> String {
    anyhow!("the link is damaged or incomplete").to_string()
}

/// The worker ended without a result.
#[wasm_bindgen]
pub fn ended_worker(why: &str) -> String {
    if why.is_empty() {
        anyhow!("the worker ended, probably because memory was exhausted").to_string()
    } else {
        anyhow!("the worker ended: {why}").to_string()
    }
}
