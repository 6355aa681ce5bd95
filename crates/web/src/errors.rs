//! The error messages of `page/page.js`. They are here, not in JavaScript, so that the catalogs translate them.

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

/// Returns the error for a response with an HTTP status that is not success.
#[wasm_bindgen]
pub fn http_error(url: &str, status: u16) -> String {
    anyhow!("{url}: the server answers with status {status}").to_string()
}

/// Returns the error for a file of more than `max` bytes.
#[wasm_bindgen]
pub fn size_error(name: &str, max: f64) -> String {
    let max_mib = max / f64::from(1 << 20);
    anyhow!("{name}: it has more than {max_mib} MiB").to_string()
}

/// Returns the error for a file that refers to more than `max` others.
#[wasm_bindgen]
pub fn file_count_error(url: &str, max: u32) -> String {
    anyhow!("{url}: it refers to more than {max} files").to_string()
}

/// Returns the error for a file of a link that refers to a file on another server.
#[wasm_bindgen]
pub fn server_error(url: &str) -> String {
    anyhow!("{url}: it is on another server than the file that refers to it").to_string()
}

/// Returns the error for a link with a scheme that the page does not open.
#[wasm_bindgen]
pub fn scheme_error(link: &str) -> String {
    anyhow!("{link}: only http and https links can be opened, and data: links to repro files")
        .to_string()
}

/// Returns the error for a link whose `data:` URL cannot be decoded.
#[wasm_bindgen]
pub fn damaged_link_error() -> String {
    anyhow!("the link is damaged or incomplete").to_string()
}

/// Returns the error for a worker that failed with the message `why`, which is empty if the browser gives none.
#[wasm_bindgen]
pub fn worker_error(why: &str) -> String {
    if why.is_empty() {
        anyhow!("the worker ended: memory is exhausted, or the server of the page does not answer")
            .to_string()
    } else {
        anyhow!("the worker ended: {why}").to_string()
    }
}
