//! Asks what to do with unsaved work before it would be lost.

use eframe::egui::{self, Id, Key, Modal, RichText};
use walkable_editor::{
    command::{Command, Commands},
    session::SessionView,
};
use walkable_workspace::lang::tr;

use crate::widgets::{author_id::AuthorId as _, dialog};

#[derive(Debug, Default)]
pub struct Unsaved {
    asking: Option<(Command, UnsavedStep)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saving {
    Not,
    UnderWay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnsavedStep {
    Asked,
    Saving,
    /// The user allowed losing the work.
    Allowed,
}

impl Unsaved {
    pub fn ask(&mut self, command: Command) {
        self.asking = Some((command, UnsavedStep::Asked));
    }

    /// Allows `command` to lose the work, without asking.
    pub fn allow(&mut self, command: Command) {
        self.asking = Some((command, UnsavedStep::Allowed));
    }

    /// Returns whether the user allowed `command` to lose the work; the permission is valid once.
    pub fn take_leave(&mut self, command: &Command) -> bool {
        let leave = (command.clone(), UnsavedStep::Allowed);
        self.asking.take_if(|asking| *asking == leave).is_some()
    }

    pub fn close(&mut self) -> bool {
        self.asking.take_if(|(_, step)| *step != UnsavedStep::Allowed).is_some()
    }

    /// Draws the dialog. If a save is no longer `under_way` and the work is still unsaved, the save was canceled or
    /// failed; the dialog then closes without carrying out the command.
    pub fn ui(
        &mut self,
        ctx: &egui::Context,
        view: &SessionView<'_>,
        under_way: Saving,
        out: &mut Commands,
    ) {
        let Some((command, step)) = &mut self.asking else { return };
        match step {
            UnsavedStep::Allowed => return,
            UnsavedStep::Saving if view.is_unsaved() => {
                if under_way == Saving::Not && out.is_empty() {
                    self.asking = None;
                }
                return;
            }
            UnsavedStep::Saving => {
                out.push(command.clone());
                *step = UnsavedStep::Allowed;
                return;
            }
            UnsavedStep::Asked => {}
        }
        let mut cancelled = false;
        let modal = Modal::new(Id::unique("unsaved")).show(ctx, |ui| {
            dialog::set_width(ui, 400.0);
            let name = view.project_name().unwrap_or_else(|| tr!("this level").to_owned());
            ui.label(RichText::new(tr!("Save what you changed in {name}?")).heading());
            ui.label(tr!(
                "Otherwise volumes, off-mesh links, settings and all other changes are lost."
            ));
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                let save = ui.button(tr!("Save")).author_id("unsaved.save");
                if save.clicked() || ui.input(|input| input.key_pressed(Key::Enter)) {
                    out.push(Command::Save);
                    *step = UnsavedStep::Saving;
                }
                if ui.button(tr!("Do not save")).author_id("unsaved.discard").clicked() {
                    out.push(command.clone());
                    *step = UnsavedStep::Allowed;
                }
                cancelled = ui.button(tr!("Cancel")).author_id("unsaved.cancel").clicked();
            });
        });
        if cancelled || (*step == UnsavedStep::Asked && modal.should_close()) {
            self.asking = None;
        }
    }
}
