//! Walkable's editor as a web page: starts the window on a canvas, and bakes tiles in Web Workers.
//!
//! `page/page.js` calls the exported functions, and `page/worker.js` calls the functions of `worker`.

#![cfg(target_family = "wasm")]

pub mod errors;
pub mod hooks;
mod js;
pub mod worker;
mod workers;

use std::{
    cell::RefCell,
    path::{Path, PathBuf},
    sync::Arc,
};

use eframe::{WebOptions, WebRunner, egui};
use walkable_editor::{
    command::Command,
    files::{
        FileKind,
        beside::{self, FileReference},
        page,
    },
    jobs::ask_file::{Dialog, DialogEnd},
    session::LevelSource,
};
use walkable_window::{app::App, host::Host};
use wasm_bindgen::prelude::*;

thread_local! {
    /// The window of the page, and the context that repaints it.
    static WINDOW: RefCell<Option<(WebRunner, egui::Context)>> = const { RefCell::new(None) };
}

/// Adds a file that the user passed to the page. Names start with `/`.
#[wasm_bindgen]
pub fn add_file(path: &str, bytes: &[u8]) {
    page::add(Path::new(path), bytes);
}

/// Returns the files that a file refers to, as pairs of a URI relative to the file and whether the file is required.
#[wasm_bindgen]
pub fn references(path: &str, bytes: &[u8]) -> js_sys::Array {
    let found = beside::references(Path::new(path), bytes).into_iter();
    let pair = |one: FileReference| js_sys::Array::of2(&one.uri.into(), &one.is_required.into());
    found.map(pair).collect()
}

/// Opens the window on `canvas`, with the file `first` if one is given. `tab` is the number of this page among the
/// open pages of the editor.
///
/// # Errors
/// Returns an error if the browser has neither WebGPU nor WebGL 2.
#[wasm_bindgen]
pub async fn start(
    canvas: web_sys::HtmlCanvasElement,
    tab: u32,
    first: Option<String>,
) -> Result<(), JsValue> {
    page::listen(|path, bytes| {
        let path = path.to_string_lossy();
        match bytes {
            Some(bytes) => js::written(&path, bytes),
            None => js::removed(&path),
        }
        .map_err(|why| why.as_string().unwrap_or_else(|| "the browser refused it".to_owned()))
    });
    let host = Host {
        folder: Some("/.walkable".into()),
        unsaved: Some(format!("/.walkable/unsaved-{tab}").into()),
        tile_cache: None,
        overviews: None,
        routes: None,
        levels: None,
        locale: web_sys::window().and_then(|window| window.navigator().language()),
        page: address(),
        find_font: walkable_window::fonts::find,
        show,
        bake_workers: Some(workers::bake_pools()),
        job_workers: Some(Arc::new(workers::JobsOfPage)),
    };
    let first = first.map(|path| LevelSource::File(path.into()));
    let runner = WebRunner::new();
    let for_app = runner.clone();
    let create = move |cc: &eframe::CreationContext<'_>| {
        let window = (for_app, cc.egui_ctx.clone());
        WINDOW.with(|place| *place.borrow_mut() = Some(window));
        // The window library has read it from the browser's storage, whose numbers nothing checks.
        cc.egui_ctx.memory_mut(|memory| *memory = egui::Memory::default());
        let app: Box<dyn eframe::App> = Box::new(App::on(cc, first, &host));
        Ok(app)
    };
    runner.start(canvas, WebOptions::default(), Box::new(create)).await
}

/// Opens the one of these added files that refers to the others.
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "JavaScript passes a list of its own")]
pub fn open_files(paths: Vec<String>) {
    let paths: Vec<_> = paths.iter().map(PathBuf::from).collect();
    let Some(path) = FileKind::first_to_open(&paths) else { return };
    with_app(|app| app.trigger(Command::Load(LevelSource::File(path.clone()))));
}

/// Returns the address of the page, without what follows `#`.
fn address() -> Option<String> {
    let address = web_sys::window()?.location().href().ok()?;
    address.split('#').next().map(str::to_owned)
}

/// Requests a frame. Called when a worker has news.
#[wasm_bindgen]
pub fn wake() {
    WINDOW.with_borrow(|window| {
        if let Some((_, ctx)) = window {
            ctx.request_repaint();
        }
    });
}

/// Calls `of_app` with the window's application, and requests a frame. Returns `None` before the window is open.
fn with_app<R>(of_app: impl FnOnce(&mut App) -> R) -> Option<R> {
    WINDOW.with_borrow(|window| {
        let (runner, ctx) = window.as_ref()?;
        let result = of_app(&mut *runner.app_mut::<App>()?);
        ctx.request_repaint();
        Some(result)
    })
}

/// Shows the browser's file picker. Files are written as downloads, which need no dialog.
fn show(dialog: &Dialog) -> DialogEnd {
    match dialog {
        Dialog::Pick(text, _) => {
            let endings: Vec<_> = text.endings.iter().map(|ending| format!(".{ending}")).collect();
            js::pick(&endings.join(","));
            DialogEnd::OpensLater
        }
        // Browsers pass no folders to pages; no command asks for one.
        Dialog::PickFolder(..) => DialogEnd::OpensLater,
        Dialog::Save(_, proposal) => DialogEnd::File(Path::new("/").join(&proposal.name)),
    }
}
