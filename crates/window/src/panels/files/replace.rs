//! Asks before a file is replaced.

use eframe::egui::{self, Id, Modal, RichText};
use walkable_editor::{
    command::{Command, Commands, ExportKind},
    jobs::export::Clash,
};
use walkable_workspace::lang::tr;

use crate::widgets::{author_id::AuthorId as _, dialog};

#[derive(Debug, Default)]
pub struct Replace {
    asking: Option<Clash>,
}

impl Replace {
    pub fn ask(&mut self, clash: Clash) {
        self.asking = Some(clash);
    }

    pub fn is_open(&self) -> bool {
        self.asking.is_some()
    }

    pub fn close(&mut self) -> bool {
        self.asking.take().is_some()
    }

    pub fn ui(&mut self, ctx: &egui::Context, out: &mut Commands) {
        let Some(Clash { kind, path, of, has_changed }) = &self.asking else { return };
        let (mut chosen, mut cancelled) = (None, false);
        let modal = Modal::new(Id::unique("replace")).show(ctx, |ui| {
            dialog::set_width(ui, 460.0);
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            ui.label(RichText::new(tr!("Replace {name}?")).heading());
            ui.label(if *has_changed {
                tr!("It was changed on disk since it was opened here, perhaps by another editor. If you \
                 replace it, those changes are lost.")
            } else {
                tr!("A file with this name exists. If you replace it, its content is lost.")
            });
            ui.label(path.display().to_string());
            if path != of {
                ui.label(tr!("This and the files of the other agents are replaced."));
            }
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                if ui.button(tr!("Replace")).author_id("replace.replace").clicked() {
                    chosen = Some(Command::Replace(*kind, of.clone()));
                }
                if *kind == ExportKind::Project && ui.button(tr!("Save as…")).author_id("replace.save-as").clicked() {
                    chosen = Some(Command::SaveAs);
                }
                cancelled = ui.button(tr!("Cancel")).author_id("replace.cancel").clicked();
            });
        });
        if chosen.is_some() || cancelled || modal.should_close() {
            self.asking = None;
        }
        if let Some(command) = chosen {
            out.push(command);
        }
    }
}
