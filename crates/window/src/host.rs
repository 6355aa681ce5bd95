//! What the window needs of the system in which it runs.

use std::{path::PathBuf, sync::Arc};

use walkable_editor::jobs::{ask_file::ShowDialog, bake_workers::BakeWorkers};

/// A desktop, or a web page.
#[derive(Clone, Debug)]
pub struct Host {
    /// Folder of the preferences; `None` if there is none, or if none should be used.
    pub folder: Option<PathBuf>,
    /// Folder of unsaved work, which no other window uses at the same time unless it is locked.
    pub unsaved: Option<PathBuf>,
    /// Shows file dialogs.
    pub show: ShowDialog,
    /// Workers that bake tiles; without them, this program bakes.
    pub workers: Option<Arc<dyn BakeWorkers>>,
}

#[cfg(not(target_family = "wasm"))]
impl Host {
    /// The desktop, with the folders of the user if `keeps_files`.
    pub fn desktop(keeps_files: bool) -> Self {
        let folder = keeps_files.then(|| eframe::storage_dir("walkable")).flatten();
        let unsaved = folder.as_ref().map(|folder| folder.join("unsaved"));
        Self { folder, unsaved, show: crate::file_dialog::show, workers: None }
    }
}
