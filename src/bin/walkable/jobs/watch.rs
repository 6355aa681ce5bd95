//! Watches the open level's files for changes made by other programs.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

use crate::jobs::slot::{JobEvent, JobSlot, Reporter, Wake};

/// Between two looks at the files.
const PAUSE: Duration = Duration::from_millis(500);

/// Looks after the files of one level at a time.
#[derive(Debug)]
pub(crate) struct Watch {
    slot: JobSlot<Changed>,
    /// Its own file and those beside it.
    files: Vec<PathBuf>,
}

/// A file is another one than when watching began, and none is being written any longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Changed;

/// What tells one state of files from another; none while one is gone.
type Stamps = Option<Vec<(SystemTime, u64)>>;

impl Watch {
    /// Watches nothing yet.
    pub(crate) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("watch", wake), files: Vec::new() }
    }

    /// Watches `file` and those `beside` it from now on, as they are now; the same files again change
    /// nothing.
    pub(crate) fn look_after(&mut self, file: Option<&Path>, beside: &[PathBuf]) {
        let files = file.into_iter().chain(beside.iter().map(PathBuf::as_path));
        if files.clone().eq(self.files.iter()) {
            return;
        }
        self.files = files.map(Path::to_owned).collect();
        let files = self.files.clone();
        self.slot.request(move |report| {
            if !files.is_empty() {
                watch(&files, report);
            }
        });
    }

    /// Whether a file has changed since the last poll.
    pub(crate) fn poll(&mut self) -> bool {
        self.slot.poll().contains(&JobEvent::Message(Changed))
    }
}

fn stamps(files: &[PathBuf]) -> Stamps {
    let stamp = |file: &PathBuf| {
        let found = fs::metadata(file).ok()?;
        Some((found.modified().ok()?, found.len()))
    };
    files.iter().map(stamp).collect()
}

/// Reports each change once two looks in a row see the same: whoever writes has finished by then.
fn watch(files: &[PathBuf], report: &Reporter<Changed>) {
    let mut known = stamps(files);
    let mut last = known.clone();
    while !report.is_cancelled() {
        thread::park_timeout(PAUSE);
        let now = stamps(files);
        // A file that is gone may be on its way to be replaced.
        if now.is_some() && now != known && now == last {
            known.clone_from(&now);
            report.send(Changed);
        }
        last = now;
    }
}
