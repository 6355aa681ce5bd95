//! Autosave: keeps unsaved work in a recovery file.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use walkable_workspace::{
    lang::tr,
    project::{LeftBehind, Project, Recovery},
};
use web_time::Instant;

use crate::{
    jobs::slot::{JobEvent, JobSlot},
    session::{LevelSource, Session},
};

/// Work is saved when nothing has changed for this time.
const REST: Duration = Duration::from_secs(1);

/// Time until the next check whether a write has ended.
const SOON: Duration = Duration::from_millis(100);

/// After a failure, the next attempt is made after this time or at the next change.
const AGAIN: Duration = Duration::from_secs(30);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AutoSaveRule {
    pub is_on: bool,
    /// Minimum time between two writes, in seconds.
    pub every_secs: u16,
}

impl Default for AutoSaveRule {
    fn default() -> Self {
        Self { is_on: true, every_secs: 0 }
    }
}

impl AutoSaveRule {
    /// Intervals to choose from, in seconds; 0 writes after each change.
    pub const INTERVALS: [u16; 5] = [0, 30, 60, 300, 600];

    pub fn interval(self) -> Duration {
        Duration::from_secs(self.every_secs.into())
    }

    pub fn interval_text(seconds: u16) -> String {
        match seconds {
            0 => tr!("After each change").to_owned(),
            60 => tr!("Every minute").to_owned(),
            1..60 => tr!("Every {seconds} s"),
            more => tr!("Every {} minutes", more / 60),
        }
    }
}

#[derive(Debug)]
pub struct AutoSave {
    place: Recovery,
    slot: JobSlot<Result<u64, String>>,
    /// Latest revision of the document in the recovery file; `None` if there is no file.
    kept: Option<u64>,
    /// The revision that could not be saved, the time of the attempt and the error.
    failed: Option<(u64, Instant, String)>,
    is_reported: bool,
    /// The file that work was recovered from, once it is no longer needed.
    removed: Option<PathBuf>,
    open: Vec<LevelSource>,
    written: Option<Instant>,
}

impl AutoSave {
    /// Reserves a slot in `folder`, and returns what crashed runs left there.
    pub fn start(folder: &Path) -> anyhow::Result<(Self, LeftBehind)> {
        let (place, left) = Recovery::start(folder)?;
        // The window does not show the end of a write, so it need not be woken.
        let slot = JobSlot::new("keep work", Arc::new(|| ()));
        let auto_save = Self {
            place,
            slot,
            kept: None,
            failed: None,
            is_reported: false,
            removed: None,
            open: Vec::new(),
            written: None,
        };
        Ok((auto_save, left))
    }

    /// Saves the work of `session`, or removes the recovery file, if it is time. `rest` is the time since the last
    /// change. Returns the time until the next call.
    pub fn tend(
        &mut self,
        session: &Session,
        rest: Duration,
        rule: AutoSaveRule,
    ) -> Option<Duration> {
        self.note_open(session);
        self.poll(session);
        // One write at a time: a file that is still being written would reappear after its removal.
        if self.slot.has_thread() {
            return Some(SOON);
        }
        if !rule.is_on && session.is_unsaved() {
            if self.kept.take().is_some() {
                self.forget();
            }
            self.failed = None;
            return None;
        }
        if !session.is_unsaved() {
            if self.kept.take().is_some() {
                self.forget();
            }
            self.failed = None;
            // The user saved the project: the file that it was recovered from is no longer needed.
            if session.project.path.is_some() {
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
        let wait = self.written.map(|at| rule.interval().saturating_sub(at.elapsed()));
        let wait = wait.unwrap_or_default().max(REST.saturating_sub(rest));
        if !wait.is_zero() {
            return Some(wait);
        }
        let project = session.to_project()?;
        let (unsaved_of, on_disk) = (session.project.path.clone(), session.project.on_disk);
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
                    (self.kept, self.written) = (Some(revision), Some(Instant::now()));
                    (self.failed, self.is_reported) = (None, false);
                    self.remove_recovered(session);
                }
                JobEvent::Message(Err(why)) | JobEvent::Panicked(why) => {
                    self.failed = Some((session.history.revision(), Instant::now(), why));
                }
                JobEvent::Finished => {}
            }
        }
    }

    /// Removes the recovery file from which the work was recovered, once. A project file elsewhere is not removed, even
    /// if it claims to be unsaved work.
    fn remove_recovered(&mut self, session: &Session) {
        if let Some(file) = &session.project.recovered
            && self.removed.as_ref() != Some(file)
        {
            // If it cannot be removed, it is offered again.
            self.place.discard(file).ok();
            self.removed = Some(file.clone());
        }
    }

    /// Records what is open, in case this run crashes.
    fn note_open(&mut self, session: &Session) {
        let level = session.opened.level.as_ref().map(|level| level.source.clone());
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
        (!std::mem::replace(&mut self.is_reported, true)).then(|| why.clone())
    }

    /// Removes a recovery file of a crashed run.
    pub fn discard(&self, file: &Path) -> anyhow::Result<()> {
        self.place.discard(file)
    }

    pub fn forget(&self) {
        self.place.forget();
    }

    pub fn end(&self) {
        self.place.end();
    }
}

#[cfg(test)]
mod tests {
    use walkable::{
        diagnostic::Phrase,
        level::{LevelKind, generate},
        mesh::ImportOptions,
    };

    use super::*;
    use crate::jobs::open::prepared;

    fn change(session: &mut Session) {
        session
            .history
            .change(Phrase::verbatim("Edit"), |document| document.settings.agent_radius += 0.1);
    }

    /// Calls [`AutoSave::tend`] until nothing is being written; returns the time until the next call.
    fn tend(auto_save: &mut AutoSave, session: &Session, rule: AutoSaveRule) -> Option<Duration> {
        loop {
            let next = auto_save.tend(session, REST, rule);
            if next != Some(SOON) {
                return next;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn work_is_written_at_most_once_per_interval_and_only_if_the_user_wants_that() {
        let folder = tempfile::tempdir().unwrap();
        let (mut auto_save, _) = AutoSave::start(folder.path()).unwrap();
        let file = auto_save.place.file().to_owned();
        let level = generate(LevelKind::Sample, 1, 30.0).unwrap();
        let source = LevelSource::Builtin("sample".to_owned());
        let level = prepared(level.mesh, ImportOptions::default(), &source, Vec::new());
        let mut session = Session::default();
        session.open(level, None);
        change(&mut session);
        let off = AutoSaveRule { is_on: false, every_secs: 0 };
        assert_eq!(tend(&mut auto_save, &session, off), None);
        assert!(!file.exists());
        let seldom = AutoSaveRule { is_on: true, every_secs: 600 };
        assert_eq!(tend(&mut auto_save, &session, seldom), None);
        let first = std::fs::read(&file).expect("the first change is written at once");
        change(&mut session);
        let next = tend(&mut auto_save, &session, seldom).expect("the next change has to wait");
        assert!(next > Duration::from_secs(500), "{next:?}");
        assert_eq!(std::fs::read(&file).unwrap(), first);
        let often = AutoSaveRule::default();
        assert_eq!(tend(&mut auto_save, &session, often), None);
        assert_ne!(std::fs::read(&file).unwrap(), first);
        assert_eq!(tend(&mut auto_save, &session, off), None);
        assert!(!file.exists(), "the user wants no recovery file");
    }
}
