//! Autosave: keeps unsaved work in a recovery file.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use web_time::Instant;

use crate::{
    files,
    jobs::slot::{JobEvent, JobSlot},
    project::{LeftBehind, Project, Recovery},
    session::{LevelSource, Session},
};

/// Work is saved when nothing has changed for this time.
const REST: Duration = Duration::from_secs(1);

/// Time until the next check whether a write has ended.
const SOON: Duration = Duration::from_millis(100);

/// After a failure, the next attempt is made after this time or at the next change.
const AGAIN: Duration = Duration::from_secs(30);

/// Writes unsaved work in the background.
#[derive(Debug)]
pub struct AutoSave {
    place: Recovery,
    slot: JobSlot<Result<u64, String>>,
    /// Latest revision of the document in the recovery file; `None` if there is no file.
    kept: Option<u64>,
    /// The revision that could not be saved, the time of the attempt and the error.
    failed: Option<(u64, Instant, String)>,
    /// Whether the user was notified of the failure.
    is_told: bool,
    /// The file that work was recovered from, once it is no longer needed.
    removed: Option<PathBuf>,
    /// The levels that were recorded as open.
    open: Vec<LevelSource>,
}

impl AutoSave {
    /// Reserves a slot in `folder`, and returns what crashed runs left there.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn start(folder: &Path) -> anyhow::Result<(Self, LeftBehind)> {
        let (place, left) = Recovery::start(folder)?;
        // The window does not show the end of a write, so it need not be woken.
        let slot = JobSlot::new("keep work", Arc::new(|| ()));
        let auto_save = Self {
            place,
            slot,
            kept: None,
            failed: None,
            is_told: false,
            removed: None,
            open: Vec::new(),
        };
        Ok((auto_save, left))
    }

    /// Saves the work of `session`, or removes the recovery file, if it is time. `rest` is the time since the last
    /// change. Returns the time until the next call.
    pub fn tend(&mut self, session: &Session, rest: Duration) -> Option<Duration> {
        self.note_open(session);
        self.poll(session);
        // One write at a time: a file that is still being written would reappear after its removal.
        if self.slot.has_thread() {
            return Some(SOON);
        }
        if !session.is_unsaved() {
            if self.kept.take().is_some() {
                self.forget();
            }
            self.failed = None;
            // The user saved the project: the file that it was recovered from is no longer needed.
            if session.project.is_some() {
                self.remove_recovered(session);
            }
            return None;
        }
        let revision = session.history.revision();
        if self.kept == Some(revision) {
            return None;
        }
        if let Some((failed, at, _)) = &self.failed
            && *failed == revision
            && at.elapsed() < AGAIN
        {
            return Some(AGAIN.saturating_sub(at.elapsed()));
        }
        if rest < REST {
            return Some(REST.saturating_sub(rest));
        }
        let project = session.to_project()?;
        let (unsaved_of, on_disk) = (session.project.clone(), session.on_disk);
        let project = Project { unsaved_of, on_disk, is_recovered: true, ..project };
        let file = self.place.file().to_owned();
        self.slot.request(move |report| {
            let kept = Recovery::keep(&file, &project);
            report.send(kept.map(|()| revision).map_err(|error| format!("{error:#}")));
        });
        Some(SOON)
    }

    fn poll(&mut self, session: &Session) {
        for event in self.slot.poll() {
            match event {
                JobEvent::Message(Ok(revision)) => {
                    self.kept = Some(revision);
                    (self.failed, self.is_told) = (None, false);
                    self.remove_recovered(session);
                }
                JobEvent::Message(Err(why)) | JobEvent::Panicked(why) => {
                    self.failed = Some((session.history.revision(), Instant::now(), why));
                }
                JobEvent::Finished => {}
            }
        }
    }

    /// Removes the file that the work of `session` was recovered from, once.
    fn remove_recovered(&mut self, session: &Session) {
        if let Some(file) = &session.recovered
            && self.removed.as_ref() != Some(file)
        {
            // If it cannot be removed, it is offered again.
            files::remove(file).ok();
            self.removed = Some(file.clone());
        }
    }

    /// Records what is open, in case this run crashes.
    fn note_open(&mut self, session: &Session) {
        let level = session.level.as_ref().map(|level| level.source.clone());
        let mut open: Vec<_> = session.source().into_iter().chain(level).collect();
        open.dedup();
        if open != self.open {
            self.place.note_open(&open);
            self.open = open;
        }
    }

    /// Returns why the work cannot be saved, if the user was not notified yet.
    pub fn news(&mut self) -> Option<String> {
        let (_, _, why) = self.failed.as_ref()?;
        (!std::mem::replace(&mut self.is_told, true)).then(|| why.clone())
    }

    /// Removes the recovery file.
    pub fn forget(&self) {
        self.place.forget();
    }

    /// Records that the program ends normally.
    pub fn end(&self) {
        self.place.end();
    }
}
