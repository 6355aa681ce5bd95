//! Choices of areas and flags by their names.

use eframe::egui;
use walkable::{debug_draw::Paint, ids::AreaId};

use crate::{document::AreaTable, theme::Theme, widgets::legend::swatch};

/// A choice of `choices`, each called `name` and shown with its colour.
pub(crate) fn area_choice_ui(
    ui: &mut egui::Ui,
    areas: &AreaTable,
    choices: &[AreaId],
    name: impl Fn(AreaId) -> String,
    area: &mut AreaId,
) {
    let theme = Theme::of(ui.ctx().theme()).with_areas(areas);
    egui::ComboBox::from_id_salt("area").selected_text(name(*area)).show_ui(ui, |ui| {
        for &choice in choices {
            ui.horizontal(|ui| {
                let paint = match choice {
                    AreaId::NULL if choices.contains(&AreaId::WALKABLE) => Paint::Problem,
                    AreaId::WALKABLE => Paint::Area(0),
                    AreaId(number) => Paint::Area(number),
                };
                swatch(ui, theme.paint(paint));
                ui.selectable_value(area, choice, name(choice));
            });
        }
    });
}

/// A box for each flag with a name.
pub(crate) fn flags_ui(ui: &mut egui::Ui, areas: &AreaTable, flags: &mut u16) {
    ui.horizontal_wrapped(|ui| {
        for flag in areas.flags() {
            let mut on = *flags & flag.bit != 0;
            if ui.checkbox(&mut on, &flag.name).on_hover_text(flag.what).changed() {
                *flags ^= flag.bit;
            }
        }
    });
}
