//! Choices of areas and flags by their names.

use eframe::egui::{self, WidgetInfo, accesskit::Role};
use walkable::{bake::RawArea, debug_draw::Paint, ids::AreaId};
use walkable_editor::area_names::{area_name, flag_name, painted_name};
use walkable_workspace::{document::AreaTable, lang::tr};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, legend::swatch},
};

/// Draws a combo box with the areas that polygons can have. Returns whether the user chose one, even the same as
/// before.
pub fn area_choice_ui(ui: &mut egui::Ui, areas: &AreaTable, area: &mut AreaId) -> bool {
    let choices: Vec<_> = areas.listed().into_iter().map(AreaId).collect();
    let entry = |area: AreaId| (area.0, area_name(areas, area.0), Paint::Area(area));
    choice_ui(ui, areas, &choices, entry, area)
}

/// Draws a combo box with the areas that a bake can assign to ground. Returns whether the user chose one, even the same
/// as before.
pub fn raw_area_choice_ui(ui: &mut egui::Ui, areas: &AreaTable, area: &mut RawArea) -> bool {
    let entry = |area: RawArea| {
        let paint = if area.is_walkable() { Paint::Area(area.in_tile()) } else { Paint::Problem };
        (area.0, painted_name(areas, area), paint)
    };
    choice_ui(ui, areas, &areas.paintable(), entry, area)
}

fn choice_ui<T: Copy + PartialEq>(
    ui: &mut egui::Ui,
    areas: &AreaTable,
    choices: &[T],
    entry: impl Fn(T) -> (u8, String, Paint),
    area: &mut T,
) -> bool {
    let theme = Theme::of(ui.ctx().theme()).with_areas(areas);
    let (_, selected, _) = entry(*area);
    let combo = egui::ComboBox::from_id_salt("area").selected_text(selected);
    let mut is_chosen = false;
    let shown = combo.show_ui(ui, |ui| {
        for &choice in choices {
            ui.horizontal(|ui| {
                let (number, name, paint) = entry(choice);
                swatch(ui, theme.paint(paint));
                let entry = ui.selectable_value(area, choice, name);
                is_chosen |= entry.author_id(format_args!("area.{number}")).clicked();
            });
        }
    });
    let combo = shown.response.author_id("area");
    combo.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, tr!("Area")));
    is_chosen
}

pub fn flags_ui(ui: &mut egui::Ui, areas: &AreaTable, flags: &mut u16) {
    ui.horizontal_wrapped(|ui| {
        for flag in areas.flags() {
            let mut on = *flags & flag.bit != 0;
            let check = ui.checkbox(&mut on, flag_name(&flag));
            let check = check.author_id(format_args!("flags.{}", flag.number));
            if check.on_hover_text(tr(flag.what)).changed() {
                *flags ^= flag.bit;
            }
        }
    });
}

pub fn forbidden_flags_ui(ui: &mut egui::Ui, areas: &AreaTable, flags: &mut u16) {
    ui.horizontal_wrapped(|ui| {
        for flag in areas.flags() {
            let mut on = *flags & flag.bit != 0;
            let name = flag_name(&flag);
            let check = ui.checkbox(&mut on, &name);
            let name = tr!("Exclude {}", name);
            let check = check.author_id(format_args!("excluded-flags.{}", flag.number));
            check.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &name));
            if check.on_hover_text(tr(flag.what)).changed() {
                *flags ^= flag.bit;
            }
        }
    });
}
