//! Budgets of the bake, and which ones are exceeded.

use eframe::egui::{self, RichText};
use walkable_editor::{
    command::{Commands, ViewCommand},
    lang::tr,
    session::{Budgets, Edit, SessionView},
    text,
};

use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        author_id::Labeled,
        edited::Edited,
        numeric::{self, NumberSpec},
    },
};

/// A budget in the form.
struct Row {
    id: &'static str,
    label: &'static str,
    tooltip: &'static str,
    unit: &'static str,
    /// Initial value when the budget is switched on.
    first: f64,
    of: fn(&mut Budgets) -> &mut Option<f64>,
}

const ROWS: [Row; 5] = [
    Row {
        id: "budgets.tile_ms",
        label: text!("Bake of a tile"),
        tooltip: text!("Longest time that the bake of one tile may take, in milliseconds"),
        unit: "ms",
        first: 50.0,
        of: |budgets| &mut budgets.tile_ms,
    },
    Row {
        id: "budgets.bake_s",
        label: text!("Whole bake"),
        tooltip: text!("Longest time that a whole bake may take, in seconds"),
        unit: "s",
        first: 10.0,
        of: |budgets| &mut budgets.bake_s,
    },
    Row {
        id: "budgets.tile_kib",
        label: text!("Data of a tile"),
        tooltip: text!("Largest size of the data of one tile, in KiB"),
        unit: "KiB",
        first: 64.0,
        of: |budgets| &mut budgets.tile_kib,
    },
    Row {
        id: "budgets.navmesh_mib",
        label: text!("Data of all tiles"),
        tooltip: text!("Largest size of the navmesh's data, in MiB"),
        unit: "MiB",
        first: 16.0,
        of: |budgets| &mut budgets.navmesh_mib,
    },
    Row {
        id: "budgets.path_ms",
        label: text!("Path"),
        tooltip: text!("Longest time that the path tool's search may take, in milliseconds"),
        unit: "ms",
        first: 1.0,
        of: |budgets| &mut budgets.path_ms,
    },
];

/// Draws the budgets, with the exceeded ones on top.
pub(super) fn budgets_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let budgets = view.document().budgets;
    for excess in budgets.exceeded(&view.bake, view.path.answer.as_ref()) {
        let text = RichText::new(tr!("Over budget: {}", excess.text)).color(theme.warning);
        ui.horizontal_wrapped(|ui| {
            ui.label(text);
            if let Some(tile) = excess.tile
                && ui
                    .small_button(tr!("Show"))
                    .author_id("budgets.look")
                    .on_hover_text(tr!("Show only this tile"))
                    .clicked()
            {
                out.push(ViewCommand::Tile(Some(tile)));
            }
        });
    }
    for row in &ROWS {
        row_ui(ui, row, budgets, out);
    }
}

/// Draws a check box that switches the budget on, and its value.
fn row_ui(ui: &mut egui::Ui, row: &Row, budgets: Budgets, out: &mut Commands) {
    let mut next = budgets;
    let limit = (row.of)(&mut next);
    let mut edited = Edited::default();
    ui.horizontal(|ui| {
        let mut on = limit.is_some();
        let check =
            ui.checkbox(&mut on, tr(row.label)).author_id(row.id).on_hover_text(tr(row.tooltip));
        if check.changed() {
            *limit = on.then_some(row.first);
            edited = Edited::at_once();
        }
        if let Some(limit) = limit {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let unit = row.unit;
                let limits = [0.0, 1e9];
                let spec = NumberSpec { unit, slider: [0.0, 100.0], limits, step: 1.0 };
                let labeled = Labeled { label: check.id, id: &format!("{}.limit", row.id) };
                let field = numeric::field(ui, labeled, limit, &spec, numeric::FIELD_WIDTH);
                edited = edited.or(Edited::of(&field));
            });
        }
    });
    edited.send(tr!("Change budget"), Edit::Budgets(next), out);
}
