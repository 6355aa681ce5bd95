//! Asks the desktop for a file, without holding up the window.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use crate::{
    command::ExportKind,
    jobs::slot::{JobEvent, JobSlot, Wake},
    level_files::LEVEL_ENDINGS,
};

/// A dialog that ends sooner was not seen by anyone: there is no portal that could show it.
const TOO_QUICK: Duration = Duration::from_millis(300);

/// Endings of what can be opened beside levels.
const OTHER_ENDINGS: &[&str] =
    &["walkable", "gset", "bin", "cfg", "map", "scen", "3dmap", "3dscen"];

/// What the file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be opened.
    Open,
    /// To be written.
    Export(ExportKind),
}

/// How asking ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// With this file.
    File(Purpose, PathBuf),
    /// With nothing: the user thought better of it.
    Cancelled,
    /// No dialog could be shown.
    NoDialog(Purpose),
}

/// The one file dialog.
#[derive(Debug)]
pub struct AskFile {
    slot: JobSlot<Answer>,
}

impl AskFile {
    /// No dialog yet.
    pub fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("file dialog", wake) }
    }

    /// Shows a dialog that proposes `name`, unless one is shown.
    pub fn start(&mut self, purpose: Purpose, name: String) {
        if !self.slot.has_thread() {
            self.slot.request(move |report| report.send(ask(purpose, &name)));
        }
    }

    /// Whether a dialog is shown.
    pub fn is_busy(&self) -> bool {
        self.slot.has_thread()
    }

    /// How asking ended, once it did.
    pub fn poll(&mut self) -> Option<Answer> {
        self.slot.poll().into_iter().find_map(|event| match event {
            JobEvent::Message(answer) => Some(answer),
            JobEvent::Finished | JobEvent::Panicked(_) => None,
        })
    }
}

fn ask(purpose: Purpose, name: &str) -> Answer {
    let dialog = rfd::FileDialog::new();
    let clock = Instant::now();
    let file = match purpose {
        Purpose::Open => dialog
            .set_title("Open a project, level or navmesh")
            .add_filter(
                "Projects, levels, navmeshes, settings, maps",
                &[OTHER_ENDINGS, &LEVEL_ENDINGS].concat(),
            )
            .pick_file(),
        Purpose::Export(kind) => dialog
            .set_title(kind.title())
            .add_filter(kind.ending(), &[kind.ending()])
            .set_file_name(name)
            .save_file(),
    };
    match file {
        Some(file) => Answer::File(purpose, file),
        None if clock.elapsed() < TOO_QUICK => Answer::NoDialog(purpose),
        None => Answer::Cancelled,
    }
}
