//! Protects unsaved work: asks before it would be lost, and keeps recovery files.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use eframe::egui;
use walkable::{diagnostic::Phrase, phrase};
use walkable_editor::{
    command::Command,
    habits::{Habits, WindowState},
    jobs::AutoSave,
    prefs::Prefs,
    ranges::Corrected,
    recovered_work::RecoveredWork,
    reducer::Event,
    session::{LevelSource, Severity},
};
use walkable_workspace::{
    files::{FileKind, Format, is_of_link},
    lang,
};

use super::{App, FirstPicture};
use crate::widgets::group::closed_groups;

const MAX_OFFERS: usize = 4;
const MAX_LISTED: usize = 50;

impl App {
    pub(super) fn keep_work_in(&mut self, folder: &Path) {
        match AutoSave::start(folder) {
            Ok((recovery, left)) => {
                self.recovery = Some(recovery);
                self.offer(&left.files, folder);
                self.suspects = left.open;
            }
            Err(why) => {
                let title = phrase!("Unsaved work cannot be kept");
                self.notify(Severity::Warning, title, lang::error(&why), None);
            }
        }
    }

    /// Offers recovery files. The newest comes last, in the most visible position.
    fn offer(&mut self, files: &[PathBuf], folder: &Path) {
        let n_hidden = files.len().saturating_sub(MAX_OFFERS);
        if n_hidden > 0 {
            let n_unlisted = files.len().saturating_sub(MAX_LISTED);
            let folder = folder.display().to_string();
            let why = match n_unlisted {
                0 => phrase!("File, Unsaved work lists {n_hidden} older ones.", n_hidden),
                n => phrase!(
                    "File, Unsaved work lists {n_hidden} older ones; {n} more are in {folder}.",
                    n_hidden,
                    n,
                    folder
                ),
            };
            let list = Some(Command::RecoverWork);
            self.notify(Severity::Warning, phrase!("More unsaved work was found"), why, list);
        }
        let newest = files.iter().rev().take(MAX_LISTED);
        let found: Vec<_> = newest.map(|file| RecoveredWork::read(file)).collect();
        for work in found.iter().take(MAX_OFFERS).rev() {
            let open = Command::Load(LevelSource::File(work.file.clone()));
            let name = &*work.name;
            let why = if let Some(age) = work.age() {
                phrase!(
                    "The program ended before {name} (kept {age}) was saved. File, Unsaved work lists the changes.",
                    name,
                    age
                )
            } else {
                phrase!(
                    "The program ended before {name} was saved. File, Unsaved work lists the changes.",
                    name
                )
            };
            self.notify(Severity::Warning, phrase!("Unsaved work was found"), why, Some(open));
        }
        self.panels.recovery.list(found);
    }

    pub(super) fn discard_work(&mut self, file: &Path) {
        let discarded = self.recovery.as_ref().map_or(Ok(()), |recovery| recovery.discard(file));
        match discarded {
            Ok(()) => self.dismiss(&Command::Load(LevelSource::File(file.to_owned()))),
            Err(why) => {
                let why = phrase!("{why}.", why = lang::error(&why));
                self.notify(Severity::Warning, phrase!("Unsaved work stays"), why, None);
            }
        }
        self.panels.recovery.refresh();
    }

    /// Closes the messages with this remedy, which is no longer needed.
    pub(super) fn dismiss(&mut self, remedy: &Command) {
        let notices = self.editor.notices().list().iter();
        let with_remedy = notices.filter(|notice| notice.remedy.as_ref() == Some(remedy));
        for id in with_remedy.map(|notice| notice.id).collect::<Vec<_>>() {
            // Closing a message has no effects outside the editor.
            self.editor.reduce(Event::Dismissed(id));
        }
    }

    /// Notifies the user once if recovery files cannot be written.
    pub(super) fn notify_of_recovery(&mut self) {
        if let Some(why) = self.recovery.as_mut().and_then(AutoSave::news) {
            let title = phrase!("Unsaved work is not backed up");
            let text = phrase!("{why}. If the program ends, it is lost: save the project.", why);
            self.notify(Severity::Error, title, text, Some(Command::Save));
        }
    }

    pub(super) fn notify_of_unread_habits(&mut self, why: &anyhow::Error) {
        let text = phrase!(
            "{why}. Walkable starts with the default preferences and overwrites the file.",
            why = lang::error(why)
        );
        self.notify(Severity::Warning, phrase!("Preferences cannot be read"), text, None);
    }

    pub(super) fn notify_of_corrected(&mut self, corrected: &Corrected) {
        if !corrected.is_empty() {
            let title = phrase!("Preferences were out of range");
            self.notify(Severity::Warning, title, corrected.phrase(), None);
        }
    }

    /// Notes the size of the window and the closed groups, for the next start.
    pub(super) fn note_window(&mut self, ctx: &egui::Context) {
        self.closed_groups = closed_groups(ctx);
        let (inner, maximized) =
            ctx.input(|input| (input.viewport().inner_rect, input.viewport().maximized));
        let Some(inner) = inner else { return };
        let is_maximized = maximized == Some(true);
        let size = (inner.size() * ctx.zoom_factor()).into();
        let known = self.window.filter(|_| is_maximized).map_or(size, |window| window.size);
        self.window = Some(WindowState { size: known, is_maximized });
    }

    pub(super) fn remember(&mut self) {
        let session = self.editor.session();
        let prefs = self.editor.prefs().clone();
        let last = match session.source() {
            // A file that cannot be opened, or one of a link, does not replace what was open last.
            None if !prefs.starts_empty => prefs.last,
            Some(source) if source.path().is_some_and(is_of_link) => prefs.last,
            source => source.map(|source| (source, session.shown.look)),
        };
        let prefs = Prefs { last, ..prefs };
        let (layout, window) = (self.panels.dock.to_text(), self.window);
        let closed_groups = BTreeSet::clone(&self.closed_groups);
        let habits = Habits { prefs, layout, window, closed_groups };
        if let Some(why) = self.habits.as_mut().and_then(|file| file.write(&habits)) {
            let title = phrase!("Preferences cannot be saved");
            self.notify(Severity::Warning, title, phrase!("{why}.", why), None);
        }
    }

    /// Returns the level whose picture can be kept: it is among the recent ones, and was drawn.
    fn pictured(&self) -> Option<LevelSource> {
        let is_recent = |source: &LevelSource| {
            self.editor.prefs().recent.iter().any(|recent| recent.source == *source)
        };
        let source = self.editor.session().source().filter(is_recent)?;
        (self.thumbnails.are_kept() && self.view.shows_level).then_some(source)
    }

    /// Stores the last drawn picture of the open level for the start page, if there is one.
    pub(super) fn keep_thumbnail(&mut self) {
        let Some(source) = self.pictured() else { return };
        let Some(picture) = self.view.viewport.read_last_picture() else { return };
        self.view.first_picture = FirstPicture::Taken;
        let recent = &self.editor.prefs().recent;
        let recent = recent.iter().map(|recent| recent.source.clone()).collect();
        self.thumbnails.keep(source, picture, recent);
    }

    /// Takes the first picture of a level for the start page, and writes pictures that have been read back.
    pub(super) fn tend_thumbnails(&mut self, ctx: &egui::Context) {
        if self.view.first_picture == FirstPicture::Due {
            self.keep_thumbnail();
        }
        let why = self.thumbnails.poll();
        if self.thumbnails.is_reading() {
            ctx.request_repaint();
        }
        if let Some(why) = why {
            let title = phrase!("The picture for the start page cannot be saved");
            self.notify(Severity::Warning, title, phrase!("{why}.", why), None);
        }
    }

    pub(super) fn notify(
        &mut self,
        severity: Severity,
        title: Phrase,
        detail: Phrase,
        remedy: Option<Command>,
    ) {
        // A message has no effects outside the editor.
        self.editor.reduce(Event::Message { severity, title, detail, remedy });
    }

    /// Closes the window once all requested files are written, without asking again.
    pub fn leave(&mut self, ctx: &egui::Context) {
        if !self.leaving_soon {
            self.keep_thumbnail();
        }
        self.leaving_soon = true;
        self.leave_if_written(ctx);
    }

    /// Closes the window if that was requested and no file is being written.
    pub(super) fn leave_if_written(&mut self, ctx: &egui::Context) {
        let writes = self.jobs.status().writes || self.thumbnails.is_writing();
        if !self.leaving_soon || self.leaving || writes {
            return;
        }
        self.leaving = true;
        ctx.send_viewport_cmd(egui::ViewportCommand::Close);
    }

    /// Returns whether `command` replaces the open level while there is unsaved work. Reloading the same level keeps
    /// the work. Importing settings or path tests keeps it too, because that is a change of the document.
    pub(super) fn would_lose_work(&self, command: &Command) -> bool {
        let is_change = |path: &Path| {
            FileKind::read(path)
                .is_ok_and(|kind| matches!(kind.format(), Format::Settings | Format::Suite))
        };
        let replaces = |source: &LevelSource| {
            let is_open = self
                .editor
                .session()
                .opened
                .level
                .as_ref()
                .is_some_and(|level| level.source == *source);
            !is_open && !matches!(source, LevelSource::File(path) if is_change(path))
        };
        let loses = matches!(command, Command::Quit | Command::CloseLevel)
            || matches!(command, Command::Load(source) if replaces(source));
        loses && self.editor.session().is_unsaved()
    }

    /// Asks before closing a window with unsaved work.
    pub(super) fn hold_close(&mut self, ctx: &egui::Context) {
        let closing = ctx.input(|input| input.viewport().close_requested());
        if closing
            && !self.leaving
            && (self.editor.session().is_unsaved()
                || self.jobs.status().writes
                || self.pictured().is_some())
        {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.commands.push(Command::Quit);
        }
    }
}
