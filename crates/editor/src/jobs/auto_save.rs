//! Keeps unsaved work on disk while it is unsaved.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use crate::{
    jobs::slot::JobSlot,
    project::{Project, Recovery},
    session::Session,
};

/// Work is kept when nothing has changed for this long.
const REST: Duration = Duration::from_secs(1);

/// When to look again whether a write has ended.
const SOON: Duration = Duration::from_millis(100);

/// Writes unsaved work in the background.
#[derive(Debug)]
pub struct AutoSave {
    place: Recovery,
    slot: JobSlot<()>,
    /// Revision of the document that was kept last; `None` where nothing is kept.
    kept: Option<u64>,
}

impl AutoSave {
    /// Takes a place in `folder`; the path of what a run that did not end well left there.
    ///
    /// # Errors
    /// Where the folder cannot be written.
    pub fn start(folder: &Path) -> anyhow::Result<(Self, Option<PathBuf>)> {
        let (place, found) = Recovery::start(folder)?;
        // Nothing is shown when it is done, so nobody need be woken.
        let slot = JobSlot::new("keep work", Arc::new(|| ()));
        Ok((Self { place, slot, kept: None }, found))
    }

    /// Keeps the work of `session` or forgets it, as is due; `rest` is how long nothing has changed.
    /// Tells when to be asked again.
    pub fn tend(&mut self, session: &Session, rest: Duration) -> Option<Duration> {
        // What could not be kept is tried again at the next change.
        drop(self.slot.poll());
        if !session.is_unsaved() {
            // What is being written would come back after it was removed.
            if self.slot.has_thread() {
                return Some(SOON);
            }
            if self.kept.take().is_some() {
                self.forget();
            }
            return None;
        }
        let revision = session.history.revision();
        if self.kept == Some(revision) {
            return None;
        }
        if rest < REST {
            return Some(REST.saturating_sub(rest));
        }
        let unsaved_of = session.project.clone();
        let project = session.to_project()?;
        let project = Project { unsaved_of, is_recovered: true, ..project };
        let file = self.place.file().to_owned();
        let old = session.recovered.clone();
        self.slot.request(move |_| {
            if Recovery::keep(&file, &project).is_ok()
                && let Some(old) = old
            {
                // Where it cannot be removed, it is offered once more.
                std::fs::remove_file(old).ok();
            }
        });
        self.kept = Some(revision);
        None
    }

    /// Removes what was kept.
    pub fn forget(&self) {
        self.place.forget();
    }
}
