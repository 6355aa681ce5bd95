//! Choices of areas and flags by their names.

use eframe::egui::{self, WidgetInfo, accesskit::Role};
use walkable::{debug_draw::Paint, ids::AreaId};
use walkable_editor::document::AreaTable;

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, legend::swatch},
};

/// Draws a choice of areas, each with its name and color.
pub fn area_choice_ui(
    ui: &mut egui::Ui,
    areas: &AreaTable,
    choices: &[AreaId],
    name: impl Fn(AreaId) -> String,
    area: &mut AreaId,
) {
    let theme = Theme::of(ui.ctx().theme()).with_areas(areas);
    let combo = egui::ComboBox::from_id_salt("area").selected_text(name(*area));
    let shown = combo.show_ui(ui, |ui| {
        for &choice in choices {
            ui.horizontal(|ui| {
                let paint = match choice {
                    AreaId::NULL if choices.contains(&AreaId::WALKABLE) => Paint::Problem,
                    AreaId::WALKABLE => Paint::Area(0),
                    AreaId(number) => Paint::Area(number),
                };
                swatch(ui, theme.paint(paint));
                let entry = ui.selectable_value(area, choice, name(choice));
                entry.author_id(format_args!("area.{}", choice.0));
            });
        }
    });
    let combo = shown.response.author_id("area");
    combo.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Area"));
}

/// Draws a check box for each flag with a name.
pub fn flags_ui(ui: &mut egui::Ui, areas: &AreaTable, flags: &mut u16) {
    ui.horizontal_wrapped(|ui| {
        for flag in areas.flags() {
            let mut on = *flags & flag.bit != 0;
            let check = ui.checkbox(&mut on, &flag.name);
            let check = check.author_id(format_args!("flags.{}", flag.number));
            if check.on_hover_text(flag.what).changed() {
                *flags ^= flag.bit;
            }
        }
    });
}

/// Like [`flags_ui`], for flags that exclude ground.
pub fn forbidden_flags_ui(ui: &mut egui::Ui, areas: &AreaTable, flags: &mut u16) {
    ui.horizontal_wrapped(|ui| {
        for flag in areas.flags() {
            let mut on = *flags & flag.bit != 0;
            let check = ui.checkbox(&mut on, &flag.name);
            let name = format!("Keep out {}", flag.name);
            let check = check.author_id(format_args!("excluded-flags.{}", flag.number));
            check.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &name));
            if check.on_hover_text(flag.what).changed() {
                *flags ^= flag.bit;
            }
        }
    });
}
