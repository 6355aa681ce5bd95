//! The list of what was placed in the level.

use eframe::egui::{self, RichText};
use egui_material_icons::icons;

use crate::{
    command::{Command, Commands},
    panels::volume_form::painted_name,
    session::{SessionView, Thing},
    theme::Theme,
    widgets::{format, legend::heading},
};

/// Draws the list; nothing where nothing was placed.
pub(crate) fn things_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let document = view.document();
    if document.off_mesh.is_empty() && document.volumes.is_empty() {
        return;
    }
    let room = ui.available_height() * 0.6;
    let scroll = egui::ScrollArea::vertical().id_salt("things").max_height(room);
    scroll.show(ui, |ui| lists_ui(ui, view, out));
    heading(ui, "Objects");
}

fn lists_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.spacing_mut().interact_size.y = ui.text_style_height(&egui::TextStyle::Body);
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.spacing_mut().button_padding.y = 1.0;
    let document = view.document();
    if !document.volumes.is_empty() {
        heading(ui, "Volumes");
    }
    for (number, volume) in document.volumes.iter().enumerate() {
        let note = painted_name(volume.area);
        row_ui(ui, Thing::Volume(number), &note, view, out);
    }
    if !document.off_mesh.is_empty() {
        heading(ui, "Links");
    }
    for (number, link) in document.off_mesh.iter().enumerate() {
        let note = format::metres(link.start.distance(link.end));
        row_ui(ui, Thing::Link(number), &note, view, out);
    }
}

fn row_ui(ui: &mut egui::Ui, thing: Thing, note: &str, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let icon = match thing {
        Thing::Volume(_) => icons::ICON_PENTAGON,
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

/// What can be done to the chosen thing as a whole.
pub(crate) fn thing_buttons_ui(ui: &mut egui::Ui, out: &mut Commands) {
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        for command in [Command::DuplicateThing, Command::DeleteThing] {
            let button = ui.button(command.text().into_owned());
            if button.on_hover_text(command.tooltip()).clicked() {
                out.push(command);
            }
        }
    });
}
