//! The dialog that lists the saved layouts.

use eframe::egui::{
    self, Button, Id, Key, Modal, RichText, ScrollArea, WidgetInfo, accesskit::Role,
};
use walkable_editor::{
    command::{Command, Commands, LayoutCommand},
    layouts::{Layouts, OwnLayout},
};
use walkable_workspace::lang::tr;

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, dialog, legend::empty, text_field::text_field},
};

/// Width of the dialog and maximum height of its list, in points.
const SIZE: [f32; 2] = [420.0, 300.0];

#[derive(Debug, Default)]
pub struct LayoutDialog {
    name: Option<String>,
}

impl LayoutDialog {
    pub fn open(&mut self) {
        self.name = Some(String::new());
    }

    pub fn close(&mut self) -> bool {
        self.name.take().is_some()
    }

    /// Draws the dialog. `panels` returns the current layout as text.
    pub fn ui(
        &mut self,
        ctx: &egui::Context,
        layouts: &Layouts,
        panels: impl Fn() -> Option<String>,
        out: &mut Commands,
    ) {
        let Some(name) = &mut self.name else { return };
        let mut closed = false;
        let modal = Modal::new(Id::unique("layouts")).show(ctx, |ui| {
            dialog::set_width(ui, SIZE[0]);
            ui.label(RichText::new(tr!("Layouts")).heading());
            if save_ui(ui, name, layouts)
                && let Some(panels) = panels()
            {
                out.push(LayoutCommand::Save { name: std::mem::take(name), panels });
            }
            ui.add_space(4.0);
            if layouts.own().is_empty() {
                empty(ui, tr!("No layouts are saved. The menu View, Layout lists them."));
            }
            let height = dialog::list_height(ui, SIZE[1], dialog::buttons_height(ui, 8.0));
            let list = ScrollArea::vertical().max_height(height).auto_shrink([false, true]);
            list.show(ui, |ui| {
                for (number, layout) in layouts.own().iter().enumerate() {
                    row_ui(ui, number, layout, layouts, out);
                }
            });
            ui.add_space(8.0);
            closed = ui.button(tr!("Done")).author_id("layouts.done").clicked();
        });
        if closed || modal.should_close() {
            self.name = None;
        }
    }
}

fn save_ui(ui: &mut egui::Ui, name: &mut String, layouts: &Layouts) -> bool {
    let error = layouts.name_error(name, None);
    let saves = ui.horizontal(|ui| {
        let field = egui::TextEdit::singleline(name).char_limit(60).desired_width(250.0);
        let field = ui.add(field.hint_text(tr!("Name of the current layout")));
        field.widget_info(|| {
            WidgetInfo::labeled(Role::TextInput, true, tr!("Name of the current layout"))
        });
        let field = field.author_id("layouts.name");
        let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let save = ui.add_enabled(error.is_none(), Button::new(tr!("Save")));
        let save = save.author_id("layouts.save");
        error.is_none() && (save.clicked() || enter)
    });
    if let Some(why) = error.filter(|_| !name.trim().is_empty()) {
        let theme = Theme::of(ui.ctx().theme());
        ui.label(RichText::new(why).small().color(theme.warning));
    }
    saves.inner
}

fn row_ui(
    ui: &mut egui::Ui,
    number: usize,
    layout: &OwnLayout,
    layouts: &Layouts,
    out: &mut Commands,
) {
    ui.horizontal(|ui| {
        let id = format!("layouts.{number}.name");
        let old = &layout.name;
        let typed = text_field(ui, &id, tr!("Name"), old, |field| field.desired_width(200.0));
        if let Some(new) = typed.filter(|new| layouts.name_error(new, Some(old)).is_none()) {
            out.push(LayoutCommand::Rename { old: old.clone(), new });
        }
        let is_chosen = layouts.chosen() == Some(layout);
        let show = Command::from(LayoutCommand::Show(Some(old.clone())));
        let button = ui.selectable_label(is_chosen, tr!("Show"));
        let button = button.author_id(format_args!("layouts.{number}.show"));
        if button.on_hover_text(show.tooltip()).clicked() {
            out.push(show);
        }
        let delete = Command::from(LayoutCommand::Delete(old.clone()));
        let button = ui.button(tr!("Delete")).author_id(format_args!("layouts.{number}.delete"));
        if button.on_hover_text(delete.tooltip()).clicked() {
            out.push(delete);
        }
    });
}
