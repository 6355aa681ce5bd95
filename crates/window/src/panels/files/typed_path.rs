//! Asks for the path of a file if the desktop cannot show a dialog.

use eframe::egui::{self, Id, Key, Modal, RichText, WidgetInfo, accesskit::Role};
use walkable_editor::{
    command::{Command, Commands},
    jobs::ask_file::Purpose,
    lang::tr,
};

use crate::{theme::Theme, widgets::author_id::AuthorId as _};

/// The field, while it is open.
#[derive(Debug, Default)]
pub struct PathField {
    asking: Option<(Purpose, String)>,
}

impl PathField {
    /// Opens the field with a proposed path.
    pub fn open(&mut self, purpose: Purpose, proposal: String) {
        self.asking = Some((purpose, proposal));
    }

    /// Returns whether the field is open.
    pub fn is_open(&self) -> bool {
        self.asking.is_some()
    }

    /// Closes the field; returns whether it was open.
    pub fn close(&mut self) -> bool {
        self.asking.take().is_some()
    }

    /// Draws the field.
    pub fn ui(&mut self, ctx: &egui::Context, out: &mut Commands) {
        let Some((purpose, path)) = &mut self.asking else { return };
        let mut accepted = false;
        let mut closed = false;
        let modal = Modal::new(Id::unique("path field")).show(ctx, |ui| {
            ui.set_width(460.0);
            let title = match purpose {
                Purpose::Open => tr!("Open a project, level or navmesh"),
                Purpose::Export(kind) => kind.title(),
            };
            ui.label(RichText::new(title).heading());
            let theme = Theme::of(ui.ctx().theme());
            let why = tr!("No file dialog is available on this desktop: type or paste the path.");
            ui.label(RichText::new(why).color(theme.text_weak));
            let field = egui::TextEdit::singleline(path).desired_width(f32::INFINITY);
            let response = ui.add(field.hint_text(tr!("Path of the file")));
            response.widget_info(|| {
                WidgetInfo::labeled(Role::TextInput, true, tr!("Path of the file"))
            });
            let response = response.author_id("typed-path.path");
            if ui.memory(|memory| memory.focused().is_none()) {
                response.request_focus();
            }
            ui.horizontal(|ui| {
                let verb = if *purpose == Purpose::Open { tr!("Open") } else { tr!("Write") };
                let button = ui.add_enabled(!path.trim().is_empty(), egui::Button::new(verb));
                let button = button.author_id("typed-path.accept");
                let enter = ui.input(|input| input.key_pressed(Key::Enter));
                accepted = button.clicked() || (enter && !path.trim().is_empty());
                closed = ui.button(tr!("Cancel")).author_id("typed-path.cancel").clicked();
            });
        });
        if accepted {
            let path = path.trim().to_owned();
            out.push(match *purpose {
                Purpose::Open => Command::LoadText(path),
                Purpose::Export(kind) => Command::ExportTo(kind, path.into()),
            });
        }
        if accepted || closed || modal.should_close() {
            self.asking = None;
        }
    }
}
