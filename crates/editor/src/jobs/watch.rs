//! Watches the open level's files for changes made by other programs.

use std::{path::PathBuf, thread, time::Duration};

use walkable_workspace::watched::Watched;

use crate::jobs::slot::{JobEvent, JobSlot, Reporter, Wake};

/// Time between two checks of the files.
const PAUSE: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Watch {
    slot: JobSlot<Changed>,
}

/// A file has changed since watching began, and no file is still being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Changed;

impl Watch {
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("watch", wake) }
    }

    pub(super) fn look_after(&mut self, files: Vec<PathBuf>) {
        self.slot.request(move |report| {
            // Nothing changes the files of a web page.
            if !files.is_empty() && !cfg!(target_family = "wasm") {
                watch(Watched::known(files), report);
            }
        });
    }

    pub(super) fn poll(&mut self) -> bool {
        self.slot.poll().contains(&JobEvent::Message(Changed))
    }
}

fn watch(mut files: Watched, report: &Reporter<Changed>) {
    while !report.is_cancelled() {
        thread::park_timeout(PAUSE);
        if files.has_changed() {
            report.send(Changed);
        }
    }
}
