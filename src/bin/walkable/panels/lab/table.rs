//! All searches as a table.

use eframe::egui::{self, RichText};
use walkable::debug_draw::Paint;

use crate::{
    command::{Commands, LabCommand},
    session::{LabRow, LabState},
    theme::Theme,
    widgets::{format, legend::swatch},
};

/// Columns: title, what stands in it, and its width where it holds figures.
const COLUMNS: [(&str, &str, f32); 9] = [
    ("Search", "Click to see what it did in the 3D view", 0.0),
    ("Length", "Of the path, in metres", 62.0),
    ("Over least", "Cost above the least that any path costs in what was searched", 88.0),
    ("Expanded", "Nodes taken from the open list whose neighbours were looked at", 62.0),
    ("Opened", "Entries put on the open list, once more for each cheaper way", 62.0),
    ("Peak", "Most entries on the open list at a time", 52.0),
    ("Time", "Of the search alone", 56.0),
    ("Made in", "Time to make what is searched and what is computed beforehand", 58.0),
    ("Memory", "Of what is searched, and of what is computed beforehand", 62.0),
];

/// Draws the table.
pub(super) fn table_ui(ui: &mut egui::Ui, lab: &LabState, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    egui::Grid::new("lab").striped(true).num_columns(COLUMNS.len()).spacing([8.0, 3.0]).show(
        ui,
        |ui| {
            for (title, what, width) in COLUMNS {
                let title = RichText::new(title).small().color(theme.text_weak);
                figure_ui(ui, width, title).on_hover_text(what);
            }
            ui.end_row();
            let mut medium = None;
            for row in &lab.rows {
                if medium.replace(row.searcher.medium()) != Some(row.searcher.medium()) {
                    let own = row.searcher.medium();
                    let name = RichText::new(own.name()).small().strong().color(theme.text_weak);
                    ui.label(name).on_hover_text(own.what());
                    ui.end_row();
                }
                name_ui(ui, row, lab, &theme, out);
                figures_ui(ui, row);
                ui.end_row();
            }
        },
    );
}

fn name_ui(ui: &mut egui::Ui, row: &LabRow, lab: &LabState, theme: &Theme, out: &mut Commands) {
    let chosen = lab.chosen == Some(row.searcher);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        swatch(ui, theme.paint(Paint::Hue(row.searcher as u32)));
        let name = ui.selectable_label(chosen, row.searcher.name());
        if name.on_hover_text(row.searcher.what()).clicked() {
            out.push(LabCommand::Choose((!chosen).then_some(row.searcher), lab.other));
        }
    });
}

fn figures_ui(ui: &mut egui::Ui, row: &LabRow) {
    let count = |n: u64| format::count(usize::try_from(n).unwrap_or(usize::MAX));
    let known = |n: Option<u64>| n.map_or_else(|| "–".to_owned(), count);
    let length =
        if row.points.is_empty() { "–".to_owned() } else { format!("{:.2} m", row.length) };
    let over = match (&row.why, row.over_optimum()) {
        (Some(why), _) => why.clone(),
        (None, Some(over)) => format!("{:.1} %", over * 100.0 + 0.0),
        (None, None) => "–".to_owned(),
    };
    let made = row.made_in.map_or_else(|| "–".to_owned(), format::time);
    let figures = [
        length,
        over,
        count(row.effort.n_expanded),
        known(row.effort.n_opened),
        known(row.effort.open_peak),
        format::time(row.time),
        made,
        format::bytes(row.n_bytes),
    ];
    for (figure, (_, _, width)) in figures.into_iter().zip(&COLUMNS[1..]) {
        figure_ui(ui, *width, RichText::new(figure));
    }
}

/// A text at the right edge of a column of this width, shortened where it is too long; at the left edge
/// where it has none.
fn figure_ui(ui: &mut egui::Ui, width: f32, text: RichText) -> egui::Response {
    if width <= 0.0 {
        return ui.label(text);
    }
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    let size = egui::vec2(width, ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(width);
        ui.add(egui::Label::new(text).truncate())
    })
    .inner
}
