//! Watches the open level's file for changes made by other programs.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

use crate::jobs::slot::{JobEvent, JobSlot, Reporter, Wake};

/// Between two looks at the file.
const PAUSE: Duration = Duration::from_millis(500);

/// Looks after one file at a time.
#[derive(Debug)]
pub(crate) struct Watch {
    slot: JobSlot<Changed>,
    file: Option<PathBuf>,
}

/// The file is another one than when watching began, and no longer being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Changed;

/// What tells one state of a file from another.
type Stamp = Option<(SystemTime, u64)>;

impl Watch {
    /// Watches nothing yet.
    pub(crate) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("watch", wake), file: None }
    }

    /// Watches `file` from now on, as it is now; the same file again changes nothing.
    pub(crate) fn look_after(&mut self, file: Option<&Path>) {
        if self.file.as_deref() == file {
            return;
        }
        self.file = file.map(Path::to_owned);
        let file = self.file.clone();
        self.slot.request(move |report| {
            if let Some(file) = file {
                watch(&file, report);
            }
        });
    }

    /// Whether the file has changed since the last poll.
    pub(crate) fn poll(&mut self) -> bool {
        self.slot.poll().contains(&JobEvent::Message(Changed))
    }
}

fn stamp(file: &Path) -> Stamp {
    let found = fs::metadata(file).ok()?;
    Some((found.modified().ok()?, found.len()))
}

/// Reports each change once two looks in a row see the same: whoever writes has finished by then.
fn watch(file: &Path, report: &Reporter<Changed>) {
    let mut known = stamp(file);
    let mut last = known;
    while !report.is_cancelled() {
        thread::park_timeout(PAUSE);
        let now = stamp(file);
        // A file that is gone may be on its way to be replaced.
        if now.is_some() && now != known && now == last {
            known = now;
            report.send(Changed);
        }
        last = now;
    }
}
