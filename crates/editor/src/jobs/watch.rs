//! Watches the open level's files for changes made by other programs.

use std::{
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Reporter, Wake},
    watched::Watched,
};

/// Between two looks at the files.
const PAUSE: Duration = Duration::from_millis(500);

/// Looks after the files of one level at a time.
#[derive(Debug)]
pub struct Watch {
    slot: JobSlot<Changed>,
    /// Its own file and those beside it.
    files: Vec<PathBuf>,
}

/// A file is another one than when watching began, and none is being written any longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed;

impl Watch {
    /// Watches nothing yet.
    pub fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("watch", wake), files: Vec::new() }
    }

    /// Watches `file` and those `beside` it from now on, as they are now; the same files again change
    /// nothing.
    pub fn look_after(&mut self, file: Option<&Path>, beside: &[PathBuf]) {
        let files = file.into_iter().chain(beside.iter().map(PathBuf::as_path));
        if files.clone().eq(self.files.iter()) {
            return;
        }
        self.files = files.map(Path::to_owned).collect();
        let files = self.files.clone();
        self.slot.request(move |report| {
            if !files.is_empty() {
                watch(Watched::known(files), report);
            }
        });
    }

    /// Whether a file has changed since the last poll.
    pub fn poll(&mut self) -> bool {
        self.slot.poll().contains(&JobEvent::Message(Changed))
    }
}

/// Reports each change.
fn watch(mut files: Watched, report: &Reporter<Changed>) {
    while !report.is_cancelled() {
        thread::park_timeout(PAUSE);
        if files.has_changed() {
            report.send(Changed);
        }
    }
}
