//! No work is lost: what is asked before it would be, and what is kept in case it is.

use std::path::Path;

use eframe::egui;
use walkable_editor::{
    command::Command,
    jobs::AutoSave,
    reducer::Event,
    session::{LevelSource, Severity},
};

use super::App;

impl App {
    /// Keeps unsaved work in `folder`, and offers what is found there.
    pub(super) fn keep_work_in(&mut self, folder: &Path) {
        match AutoSave::start(folder) {
            Ok((recovery, found)) => {
                self.recovery = Some(recovery);
                if let Some(file) = found {
                    let open = Command::Load(LevelSource::File(file));
                    let why = "The program ended before it was saved. It stays until you open it.";
                    self.tell("Unsaved work was found", why.to_owned(), Some(open));
                }
            }
            Err(why) => {
                let title = "Unsaved work cannot be kept";
                self.tell(title, format!("{why:#}"), None);
            }
        }
    }

    /// Warns the user.
    fn tell(&mut self, title: &str, detail: String, remedy: Option<Command>) {
        let (severity, title) = (Severity::Warning, title.to_owned());
        // A message asks for nothing beyond the editor.
        self.editor.reduce(Event::Message { severity, title, detail, remedy });
    }

    /// Closes the window, and asks no more.
    pub fn leave(&mut self, ctx: &egui::Context) {
        self.leaving = true;
        ctx.send_viewport_cmd(egui::ViewportCommand::Close);
    }

    /// Whether `command` replaces what is open while there is unsaved work. Reading the same level
    /// again keeps it, and so do settings, which are a change of the document.
    pub(super) fn would_lose_work(&self, command: &Command) -> bool {
        let is_settings =
            |path: &Path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("cfg"));
        let replaces = |source: &LevelSource| {
            let is_open =
                self.editor.session().level.as_ref().is_some_and(|level| level.source == *source);
            !is_open && !matches!(source, LevelSource::File(path) if is_settings(path))
        };
        let loses = match command {
            Command::Quit => true,
            Command::Load(source) => replaces(source),
            Command::LoadText(path) => replaces(&LevelSource::File(path.into())),
            _ => false,
        };
        loses && self.editor.session().is_unsaved()
    }

    /// Asks before a window with unsaved work is closed.
    pub(super) fn hold_close(&mut self, ctx: &egui::Context) {
        let closing = ctx.input(|input| input.viewport().close_requested());
        if closing && !self.leaving && self.editor.session().is_unsaved() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.commands.push(Command::Quit);
        }
    }
}
