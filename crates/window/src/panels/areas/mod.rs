//! The table of areas and flags: names, colors, costs.

pub mod brush;
pub mod choice;

use eframe::egui::{self, RichText, vec2};
use walkable::{debug_draw::Paint, diagnostic::Phrase, ids::AreaId, phrase};
use walkable_editor::{
    area_names::{area_name, area_phrase, flag_name, flag_names, flag_phrase},
    command::{Command, Commands},
    session::{Edit, SessionView},
};
use walkable_workspace::{
    document::{Area, AreaTable, COSTS, ENTERING_COSTS, FlagName},
    lang::{self, tr},
};

use self::choice::flags_ui;
use crate::{
    icons,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        color_menu::color_menu_ui,
        edited::Edited,
        legend::{column, heading},
        numeric::{self, NumberSpec},
        text_field::text_field,
    },
};

/// Minimum width of the panel at which an area has one row of a table, in points.
const NARROW: f32 = 520.0;

pub fn areas_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    egui::ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
        if ui.available_width() < NARROW {
            list_ui(ui, view, out);
            return flag_names_ui(ui, &view.document().areas, out);
        }
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 32.0;
            ui.vertical(|ui| table_ui(ui, view, out));
            ui.vertical(|ui| flag_names_ui(ui, &view.document().areas, out));
        });
    });
}

fn table_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let areas = &view.document().areas;
    ui.spacing_mut().item_spacing = vec2(12.0, 4.0);
    let is_new = add_ui(ui, areas, out);
    egui::Grid::new("areas").num_columns(7).show(ui, |ui| {
        for (title, what) in [
            ("", ""),
            (tr!("Number"), tr!("Number in tile data, 0 to 62")),
            (tr!("Name"), tr!("Name of the area")),
            (tr!("Cost per meter"), tr!("Cost of a path over it; 1 is plain ground")),
            (tr!("Entering cost"), tr!("Cost added once when a path enters it from another area")),
            (tr!("Flags"), tr!("Flags of its polygons, for query filters")),
            ("", ""),
        ] {
            let title = column(ui, title);
            if !what.is_empty() {
                title.on_hover_text(what);
            }
        }
        ui.end_row();
        for id in areas.listed() {
            name_ui(ui, id, areas, out);
            costs_ui(ui, id, areas, out);
            area_flags_ui(ui, id, areas, 120.0, out);
            reset_ui(ui, id, areas, out);
            ui.end_row();
        }
    });
    // The new row appears in the next frame.
    if is_new {
        ui.scroll_to_cursor(Some(egui::Align::BOTTOM));
    }
}

fn list_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let areas = &view.document().areas;
    ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
    let is_new = add_ui(ui, areas, out);
    column(ui, tr!("Cost per meter, entering cost, flags"));
    for id in areas.listed() {
        ui.horizontal(|ui| {
            name_ui(ui, id, areas, out);
            reset_ui(ui, id, areas, out);
        });
        ui.horizontal(|ui| {
            costs_ui(ui, id, areas, out);
            area_flags_ui(ui, id, areas, 96.0, out);
        });
        ui.add_space(4.0);
    }
    if is_new {
        ui.scroll_to_cursor(Some(egui::Align::BOTTOM));
    }
}

/// Draws a button that adds an area; returns whether it was clicked in the previous frame.
fn add_ui(ui: &mut egui::Ui, areas: &AreaTable, out: &mut Commands) -> bool {
    let id = ui.scope_id().with("new area");
    let is_new = ui.data_mut(|data| data.remove_temp::<bool>(id)).is_some();
    let free = areas.first_free();
    let add = ui.add_enabled(free.is_some(), egui::Button::new(tr!("Add area")));
    let add = add.author_id("areas.add");
    let add = add.on_hover_text(tr!("Names the next area: up to 63, numbered 0 to 62"));
    if let Some(number) = free.filter(|_| add.clicked()) {
        send(phrase!("Add area"), areas.with(number, areas.area(number)), out);
        ui.data_mut(|data| data.insert_temp(id, true));
    }
    is_new
}

fn send(label: Phrase, areas: AreaTable, out: &mut Commands) {
    out.push(Command::Change(label, Edit::Areas(areas)));
}

fn name_ui(ui: &mut egui::Ui, id: u8, areas: &AreaTable, out: &mut Commands) {
    let area = areas.area(id);
    color_ui(ui, id, areas, out);
    let theme = Theme::of(ui.ctx().theme());
    ui.label(RichText::new(id.to_string()).color(theme.text_weak));
    let label = tr!("Name of area {id}");
    let shown = area_name(areas, id);
    let typed = text_field(ui, &format!("areas.{id}.name"), &label, &shown, |edit| {
        edit.desired_width(130.0).min_size(vec2(130.0, 0.0))
    });
    if let Some(name) = typed.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()) {
        let (before, after) = (area_phrase(areas, id), name.as_str());
        let change = phrase!("Rename {before} to {after}", before, after);
        send(change, areas.with(id, Area { name, ..area }), out);
    }
}

fn costs_ui(ui: &mut egui::Ui, id: u8, areas: &AreaTable, out: &mut Commands) {
    let area = areas.area(id);
    let mut next = area.clone();
    let cost = cost_ui(
        ui,
        [&format!("areas.{id}.cost"), &tr!("Cost of {}", area_name(areas, id))],
        &mut next.cost,
        COSTS,
    );
    let change = phrase!("Change cost of {area}", area = area_phrase(areas, id));
    cost.send(change, Edit::Areas(areas.with(id, next.clone())), out);
    let label = tr!("Entering cost of {}", area_name(areas, id));
    let entering = cost_ui(
        ui,
        [&format!("areas.{id}.entering-cost"), &label],
        &mut next.entering_cost,
        ENTERING_COSTS,
    );
    let change = phrase!("Change entering cost of {area}", area = area_phrase(areas, id));
    entering.send(change, Edit::Areas(areas.with(id, next)), out);
}

/// Draws the button that resets or removes an area, if it was changed.
fn reset_ui(ui: &mut egui::Ui, id: u8, areas: &AreaTable, out: &mut Commands) {
    if areas.is_changed(id) {
        let known = areas.without(id).listed().contains(&id);
        let area = area_phrase(areas, id);
        let (icon, label) = if known {
            (icons::ICON_UNDO, phrase!("Reset area {area}", area))
        } else {
            (icons::ICON_DELETE, phrase!("Remove area {area}", area))
        };
        let button = buttons::icon(ui, icon, &lang::phrase(&label));
        if button.author_id(format_args!("areas.{id}.reset")).clicked() {
            send(label, areas.without(id), out);
        }
    } else {
        ui.label("");
    }
}

fn color_ui(ui: &mut egui::Ui, id: u8, areas: &AreaTable, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme()).with_areas(areas);
    let area = areas.area(id);
    let name = tr!("Color of {}", area_name(areas, id));
    if let Some(color) = color_menu_ui(
        ui,
        theme.paint(Paint::Area(AreaId(id))),
        [&format!("areas.{id}.color"), &name],
        area.color,
    ) {
        let change = phrase!("Color {name}", name = area_phrase(areas, id));
        send(change, areas.with(id, Area { color, ..area }), out);
    }
}

fn cost_ui(
    ui: &mut egui::Ui,
    [id, label]: [&str; 2],
    cost: &mut f32,
    [least, most]: [f32; 2],
) -> Edited {
    let limits = [f64::from(least), f64::from(most)];
    let spec = NumberSpec { unit: "", slider: limits, limits, step: 0.5 };
    let mut value = f64::from(*cost);
    let edited =
        Edited::of(&numeric::named_field(ui, label, &mut value, &spec, 70.0).author_id(id));
    if edited.changed {
        #[expect(clippy::cast_possible_truncation, reason = "limited to what a cost may be")]
        let narrow = value as f32;
        *cost = narrow;
    }
    edited
}

/// Draws the flags of an area's polygons in a button of at least `width`, with a menu to change them.
fn area_flags_ui(ui: &mut egui::Ui, id: u8, areas: &AreaTable, width: f32, out: &mut Commands) {
    let area = areas.area(id);
    let button = egui::Button::new(flag_names(areas, area.flags)).min_size(vec2(width, 0.0));
    let (response, _) = egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
        let mut flags = area.flags;
        ui.set_max_width(260.0);
        flags_ui(ui, areas, &mut flags);
        if flags != area.flags {
            let change = phrase!("Change flags of {area}", area = area_phrase(areas, id));
            send(change, areas.with(id, Area { flags, ..area.clone() }), out);
        }
    });
    let name = tr!("Flags of {}", area_name(areas, id));
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, name.clone())
    });
    response.author_id(format_args!("areas.{id}.flags")).on_hover_text(name);
}

fn flag_names_ui(ui: &mut egui::Ui, areas: &AreaTable, out: &mut Commands) {
    ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
    heading(ui, tr!("Names of the 16 flags"));
    let flags: Vec<_> = areas.all_flags().collect();
    let half = flags.len() / 2;
    egui::Grid::new("flags").num_columns(4).show(ui, |ui| {
        for (left, right) in flags[..half].iter().zip(&flags[half..]) {
            flag_name_ui(ui, left, areas, out);
            flag_name_ui(ui, right, areas, out);
            ui.end_row();
        }
    });
}

fn flag_name_ui(ui: &mut egui::Ui, flag: &FlagName, areas: &AreaTable, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let bit = RichText::new(format!("0x{:04x}", flag.bit)).monospace().color(theme.text_weak);
    ui.label(bit).on_hover_text(tr(flag.what));
    let label = tr!("Name of flag {}", flag.number);
    let typed =
        text_field(ui, &format!("flags.{}.name", flag.number), &label, &flag_name(flag), |edit| {
            edit.desired_width(100.0).min_size(vec2(100.0, 0.0))
        });
    if let Some(name) = typed {
        let change = phrase!("Rename flag {flag}", flag = flag_phrase(flag));
        send(change, areas.with_flag(flag.number, name.trim()), out);
    }
}
