//! The list of what was placed in the level.

use eframe::egui::{self, RichText};
use egui_material_icons::icons;

use crate::{
    command::{Command, Commands},
    session::{SessionView, Thing},
    theme::Theme,
    widgets::{format, legend::heading},
};

/// Draws the list; nothing where nothing was placed.
pub(crate) fn things_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let document = view.document();
    if document.off_mesh.is_empty() {
        return;
    }
    heading(ui, "Links");
    for (number, link) in document.off_mesh.iter().enumerate() {
        let note = format::metres(link.start.distance(link.end));
        row_ui(ui, Thing::Link(number), &note, view, out);
    }
    heading(ui, "Objects");
}

fn row_ui(ui: &mut egui::Ui, thing: Thing, note: &str, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let icon = match thing {
        Thing::Link(_) => icons::ICON_LINK,
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new(icon.codepoint).color(theme.text_weak));
        let chosen = view.thing() == Some(thing);
        if ui.selectable_label(chosen, thing.name()).clicked() {
            out.push(Command::ChooseThing((!chosen).then_some(thing)));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(note).small().color(theme.text_weak));
        });
    });
}
