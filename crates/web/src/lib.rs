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
    jobs::ask_file::{Dialog, DialogEnd},
    session::LevelSource,
};
use walkable_window::{app::App, host::Host};
use walkable_workspace::files::{
    FileKind,
    beside::{self, FileReference},
    page::{self, Change},
    space::{self, PageFile, Space},
};
use wasm_bindgen::prelude::*;

thread_local! {
    static WINDOW: RefCell<Option<(WebRunner, egui::Context)>> = const { RefCell::new(None) };
}

/// Sets the random number, in hexadecimal digits, that names the folder of the program's files.
///
/// # Errors
/// Returns an error if `number` is not one.
#[wasm_bindgen]
pub fn set_program_number(number: &str) -> Result<(), JsValue> {
    space::set_program_number(parsed(number)?);
    Ok(())
}

/// Adds a file of the program itself, such as its preferences, that the page has stored.
#[wasm_bindgen]
pub fn add_program_file(name: &str, bytes: &[u8]) {
    page::add(PageFile::named(Space::Program, Path::new(name)), bytes);
}

/// Adds a file of the user, and returns its path.
#[wasm_bindgen]
pub fn add_file(name: &str, bytes: &[u8]) -> String {
    let file = PageFile::named(Space::User, Path::new(name));
    page::add(file.clone(), bytes);
    file.path().to_string_lossy().into_owned()
}

/// Adds a file of the user as [`add_file`], and stores it in the browser.
///
/// # Errors
/// Returns an error if the browser refuses it.
#[wasm_bindgen]
pub fn store_file(name: &str, bytes: &[u8]) -> Result<String, JsValue> {
    let path = add_file(name, bytes);
    page::store(Path::new(&path), bytes).map_err(|error| format!("{error:#}"))?;
    Ok(path)
}

/// Adds a file of the link with this number, in hexadecimal digits, and returns its path.
///
/// # Errors
/// Returns an error if `link` is not a number.
#[wasm_bindgen]
pub fn add_link_file(link: &str, name: &str, bytes: &[u8]) -> Result<String, JsValue> {
    let file = PageFile::named(Space::Link(parsed(link)?), Path::new(name));
    page::add(file.clone(), bytes);
    Ok(file.path().to_string_lossy().into_owned())
}

fn parsed(number: &str) -> Result<u128, JsValue> {
    u128::from_str_radix(number, 16).map_err(|error| error.to_string().into())
}

/// Returns the name, in the space of a link, of the file that its file `name` calls `other`.
#[wasm_bindgen]
pub fn name_beside(name: &str, other: &str) -> String {
    space::name_beside(Path::new(name), Path::new(other)).to_string_lossy().into_owned()
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
    page::listen(tell_page);
    let own = |name: &str| PageFile::named(Space::Program, Path::new(name)).path();
    let host = Host {
        folder: Some(own("")),
        unsaved: Some(own(&format!("unsaved-{tab}"))),
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

/// Passes a change of a file to `page/page.js`, which stores each space separately.
fn tell_page(file: &PageFile, change: Change<'_>) -> Result<(), String> {
    let name = file.name().to_string_lossy();
    let told = match (file.space(), change) {
        (Space::Program, Change::Written(bytes) | Change::Stored(bytes)) => {
            js::program_file(&name, Some(bytes))
        }
        (Space::Program, Change::Removed) => js::program_file(&name, None),
        (Space::User, Change::Written(bytes)) => js::written(&name, bytes),
        (Space::User, Change::Stored(bytes)) => js::stored(&name, bytes),
        (Space::User, Change::Removed) => js::removed(&name),
        (Space::Link(link), Change::Written(bytes) | Change::Stored(bytes)) => {
            js::link_file(&format!("{link:032x}"), &name, bytes)
        }
        // The page removes them when no unsaved work refers to them.
        (Space::Link(_), Change::Removed) => Ok(()),
    };
    told.map_err(|why| why.as_string().unwrap_or_else(|| "the browser refused it".to_owned()))
}

/// Returns whether something would be lost if the page were closed.
#[wasm_bindgen]
pub fn is_unsaved() -> bool {
    with_app(|app| app.editor().session().is_unsaved()).unwrap_or(false)
}

/// Opens the one of these added files that refers to the others.
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "JavaScript passes a list of its own")]
pub fn open_files(paths: Vec<String>) {
    let paths: Vec<_> = paths.iter().map(PathBuf::from).collect();
    let Some(path) = FileKind::first_to_open(&paths) else { return };
    with_app(|app| app.trigger(Command::Load(LevelSource::File(path.clone()))));
}

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
        Dialog::Save(_, proposal) => DialogEnd::File(page::path_to_save(Path::new(&proposal.name))),
    }
}
