//! Budgets of the bake, and which ones are exceeded.

use eframe::egui::{self, RichText};
use walkable::phrase;
use walkable_editor::{
    command::{Commands, ViewCommand},
    session::{BUDGETS, Budget, Budgets, Edit, SessionView, exceeded},
};
use walkable_workspace::lang::{self, tr};

use crate::{
    theme::Theme,
    widgets::{
        author_id::{AuthorId as _, Labeled},
        edited::Edited,
        numeric::{self, NumberSpec},
    },
};

pub(super) fn budgets_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let budgets = view.document().budgets;
    for excess in exceeded(&budgets, &view.bake, view.path.answer.as_ref()) {
        let text = RichText::new(tr!("Over budget: {excess}", excess = lang::phrase(&excess.text)))
            .color(theme.warning);
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
    for row in &BUDGETS {
        row_ui(ui, row, budgets, out);
    }
}

fn row_ui(ui: &mut egui::Ui, row: &Budget, budgets: Budgets, out: &mut Commands) {
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
    edited.send(phrase!("Change budget"), Edit::Budgets(next), out);
}
