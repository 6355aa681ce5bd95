//! The services of the system that the window uses.

use std::{path::PathBuf, sync::Arc};

use walkable_editor::jobs::{
    ask_file::ShowDialog, bake_workers::BakePools, job_workers::JobWorkers,
};

use crate::fonts::FindFont;

#[derive(Clone, Debug)]
pub struct Host {
    /// Folder of the preferences; `None` if there is none, or if none should be used.
    pub folder: Option<PathBuf>,
    /// Folder of unsaved work. Must not be shared with other windows on a system without file locks.
    pub unsaved: Option<PathBuf>,
    pub tile_cache: Option<PathBuf>,
    pub overviews: Option<PathBuf>,
    pub routes: Option<PathBuf>,
    pub levels: Option<PathBuf>,
    /// Locale of the system, such as `zh-CN`.
    pub locale: Option<String>,
    /// Address of the web page in which the editor runs, if it does.
    pub page: Option<String>,
    pub find_font: FindFont,
    pub show: ShowDialog,
    /// Workers that bake tiles; without them, this program bakes.
    pub bake_workers: Option<BakePools>,
    /// Workers for other long jobs; without them, this program runs these jobs.
    pub job_workers: Option<Arc<dyn JobWorkers>>,
}

#[cfg(not(target_family = "wasm"))]
impl Host {
    pub fn desktop() -> Self {
        let folder = eframe::storage_dir("walkable");
        let unsaved = folder.as_ref().map(|folder| folder.join("unsaved"));
        let tile_cache = folder.as_ref().map(|folder| folder.join("tiles"));
        let overviews = folder.as_ref().map(|folder| folder.join("overviews"));
        let routes = folder.as_ref().map(|folder| folder.join("routes"));
        let levels = folder.as_ref().map(|folder| folder.join("levels"));
        Self {
            folder,
            unsaved,
            tile_cache,
            overviews,
            routes,
            levels,
            locale: sys_locale::get_locale(),
            ..Self::without_folders()
        }
    }

    /// Returns the host of a desktop program that stores no preferences and no unsaved work.
    pub fn without_folders() -> Self {
        Self {
            folder: None,
            unsaved: None,
            tile_cache: None,
            overviews: None,
            routes: None,
            levels: None,
            locale: None,
            page: None,
            find_font: crate::fonts::find,
            show: crate::file_dialog::show,
            bake_workers: None,
            job_workers: None,
        }
    }
}
