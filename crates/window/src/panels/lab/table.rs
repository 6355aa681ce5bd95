//! The table of all searches.

use eframe::egui::{self, RichText};
use walkable::debug_draw::Paint;
use walkable_editor::{
    command::{Commands, LabCommand, variant_id},
    format,
    lang::{self, tr},
    session::{LabRow, LabState},
    text,
};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, legend::swatch},
};

/// Columns: title, tooltip, and width.
const COLUMNS: [(&str, &str, f32); 9] = [
    (text!("Search"), text!("Click to see its search in the 3D view"), 176.0),
    (text!("Length"), text!("Length of the path"), 62.0),
    (
        text!("Suboptimality"),
        text!(
            "Cost over the optimum of this kind of graph; negative if the path may go in any \
        direction and the optimum may not"
        ),
        88.0,
    ),
    (
        text!("Expanded"),
        text!("Nodes taken from the open list, whose neighbors were visited"),
        62.0,
    ),
    (
        text!("Opened"),
        text!("Entries put on the open list, with one more for each cheaper path to a node"),
        62.0,
    ),
    (text!("Peak"), text!("Largest number of entries on the open list"), 52.0),
    (text!("Time"), text!("Time of the search alone"), 56.0),
    (text!("Preprocessing"), text!("Time to build the graph and the precomputed tables"), 84.0),
    (text!("Memory"), text!("Memory of the graph and the precomputed tables"), 62.0),
];
/// Space between columns, and between rows.
const SPACING: [f32; 2] = [8.0, 2.0];
/// Height of a row, small so that many searches are visible.
const ROW: f32 = 17.0;
/// Width of the table, including its scrollbar.
pub(super) const WIDTH: f32 = 760.0;

/// Draws the table: a fixed header and scrollable rows.
pub(super) fn table_ui(ui: &mut egui::Ui, lab: &LabState, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    ui.spacing_mut().interact_size.y = ROW;
    ui.spacing_mut().button_padding.y = 0.0;
    grid("lab titles").show(ui, |ui| {
        for (place, (title, what, width)) in COLUMNS.into_iter().enumerate() {
            let title = RichText::new(tr(title)).small().color(theme.text_weak);
            cell_ui(ui, place, width, |ui| ui.label(title)).on_hover_text(tr(what));
        }
        ui.end_row();
    });
    egui::ScrollArea::vertical().id_salt("lab table").auto_shrink(false).show(ui, |ui| {
        grid("lab").striped(true).show(ui, |ui| {
            let mut medium = None;
            for row in &lab.rows {
                let own = row.searcher.medium();
                if medium.replace(own) != Some(own) {
                    let name = RichText::new(own.name()).small().strong().color(theme.text_weak);
                    ui.label(name).on_hover_text(own.what());
                    ui.end_row();
                }
                name_ui(ui, row, lab, &theme, out);
                figures_ui(ui, row);
                ui.end_row();
            }
        });
    });
}

fn grid(id: &str) -> egui::Grid {
    egui::Grid::new(id).num_columns(COLUMNS.len()).spacing(SPACING).min_row_height(ROW)
}

fn name_ui(ui: &mut egui::Ui, row: &LabRow, lab: &LabState, theme: &Theme, out: &mut Commands) {
    let chosen = lab.chosen == Some(row.searcher);
    cell_ui(ui, 0, COLUMNS[0].2, |ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        swatch(ui, theme.paint(Paint::Hue(row.searcher as u32)));
        let name = ui.selectable_label(chosen, row.searcher.name());
        let name = name.author_id(format_args!("lab.row.{}", variant_id(row.searcher)));
        if name.clicked() {
            out.push(LabCommand::Choose((!chosen).then_some(row.searcher), lab.other));
        }
        name.on_hover_text(row.searcher.what())
    });
}

fn figures_ui(ui: &mut egui::Ui, row: &LabRow) {
    let count = |n: u64| format::count(usize::try_from(n).unwrap_or(usize::MAX));
    let known = |n: Option<u64>| n.map_or_else(|| "–".to_owned(), count);
    let length =
        if row.points.is_empty() { "–".to_owned() } else { format::fixed_length(row.length) };
    let over = match (&row.why, row.over_optimum()) {
        (Some(why), _) => lang::phrase(why),
        (None, Some(over)) => format!("{:.1} %", (over * 1000.0).round() / 10.0 + 0.0),
        (None, None) => "–".to_owned(),
    };
    let made = row.preprocessing_time.map_or_else(|| "–".to_owned(), format::time);
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
    for (place, (figure, (_, _, width))) in figures.into_iter().zip(&COLUMNS[1..]).enumerate() {
        cell_ui(ui, place + 1, *width, |ui| ui.add(egui::Label::new(figure).truncate()));
    }
}

/// Draws a cell of the column at `place` with this width. The first column is aligned left, the others right.
fn cell_ui(
    ui: &mut egui::Ui,
    place: usize,
    width: f32,
    content: impl FnOnce(&mut egui::Ui) -> egui::Response,
) -> egui::Response {
    let align = egui::Align::Center;
    let layout = match place {
        0 => egui::Layout::left_to_right(align),
        _ => egui::Layout::right_to_left(align),
    };
    let size = egui::vec2(width, ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(width);
        content(ui)
    })
    .inner
}
