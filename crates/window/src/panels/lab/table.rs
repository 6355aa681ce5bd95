//! The table of all searches.

use eframe::egui::{self, RichText, accesskit::Role};
use walkable::debug_draw::Paint;
use walkable_editor::{
    command::{Commands, LabCommand, variant_id},
    session::{LabRow, LabState},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
    text,
};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, legend::swatch},
};

/// Columns: title, tooltip, and width.
const COLUMNS: [(&str, &str, f32); 9] = [
    (text!("Search"), text!("Click to see its search in the 3D view"), 160.0),
    (text!("Length"), text!("Length of the path"), 58.0),
    (
        text!("Suboptimality"),
        text!(
            "Cost over the optimum of this kind of graph; negative if the path may go in any \
        direction and the optimum may not"
        ),
        82.0,
    ),
    (
        text!("Expanded"),
        text!("Nodes taken from the open list, whose neighbors were visited"),
        56.0,
    ),
    (
        text!("Opened"),
        text!("Entries put on the open list, with one more for each cheaper path to a node"),
        52.0,
    ),
    (text!("Peak"), text!("Largest number of entries on the open list"), 44.0),
    (text!("Time"), text!("Time of the search alone"), 54.0),
    (text!("Preprocessing"), text!("Time to build the graph and the precomputed tables"), 80.0),
    (text!("Memory"), text!("Memory of the graph and the precomputed tables"), 58.0),
];
/// Largest space between columns, and space between rows.
const SPACING: [f32; 2] = [8.0, 2.0];
const LEAST_SPACING: f32 = 3.0;
/// Height of a row, small so that many searches are visible.
const ROW: f32 = 17.0;
const SCROLLBAR: f32 = 12.0;
const INDENT: f32 = 21.0;
/// Width of the table with the largest spaces, including its scrollbar.
pub(super) const WIDTH: f32 = columns_width() + 8.0 * SPACING[0] + SCROLLBAR;
/// Width of the table with the smallest spaces, including its scrollbar.
pub(super) const LEAST_WIDTH: f32 = columns_width() + 8.0 * LEAST_SPACING + SCROLLBAR;

const fn columns_width() -> f32 {
    let (mut sum, mut place) = (0.0, 0);
    while place < COLUMNS.len() {
        sum += COLUMNS[place].2;
        place += 1;
    }
    sum
}

pub(super) fn table_ui(
    ui: &mut egui::Ui,
    width: f32,
    lab: &LabState,
    out: &mut Commands,
    below: impl FnOnce(&mut egui::Ui, &mut Commands),
) {
    let theme = Theme::of(ui.ctx().theme());
    let gap = ((width - SCROLLBAR - columns_width()) / 8.0).clamp(LEAST_SPACING, SPACING[0]);
    ui.spacing_mut().interact_size.y = ROW;
    ui.spacing_mut().button_padding.y = 0.0;
    grid("lab titles", gap).show(ui, |ui| {
        for (place, (title, what, width)) in COLUMNS.into_iter().enumerate() {
            let title = RichText::new(tr(title)).small().color(theme.text_weak);
            cell_ui(ui, place, width, |ui| ui.label(title)).on_hover_text(tr(what));
        }
        ui.end_row();
    });
    egui::ScrollArea::vertical().id_salt("lab table").auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(width - SCROLLBAR);
        grid("lab", gap).striped(true).show(ui, |ui| {
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
                if let Some(why) = &row.why {
                    why_ui(ui, &lang::phrase(why), width - SCROLLBAR, &theme);
                    ui.end_row();
                }
            }
        });
        below(ui, out);
    });
}

fn grid(id: &str, gap: f32) -> egui::Grid {
    let spacing = [gap, SPACING[1]];
    egui::Grid::new(id).num_columns(COLUMNS.len()).spacing(spacing).min_row_height(ROW)
}

fn why_ui(ui: &mut egui::Ui, why: &str, width: f32, theme: &Theme) {
    let text = RichText::new(why).small().color(theme.warning);
    let wrap = Some(egui::TextWrapMode::Wrap);
    let text = egui::WidgetText::from(text);
    let galley = text.into_galley(ui, wrap, width - INDENT, egui::TextStyle::Small);
    let size = galley.size();
    // Only the width of the first column is allocated; it would otherwise become as wide as the text.
    let (row, _) = ui.allocate_exact_size(egui::vec2(COLUMNS[0].2, size.y), egui::Sense::hover());
    let rect = egui::Rect::from_min_size(row.min + egui::vec2(INDENT, 0.0), size);
    let label = ui.interact(rect, ui.next_auto_id().with("why"), egui::Sense::hover());
    label.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, why));
    ui.painter().galley(rect.min, galley, theme.warning);
}

fn name_ui(ui: &mut egui::Ui, row: &LabRow, lab: &LabState, theme: &Theme, out: &mut Commands) {
    let chosen = lab.chosen == Some(row.searcher);
    cell_ui(ui, 0, COLUMNS[0].2, |ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        swatch(ui, theme.paint(Paint::Hue(row.searcher as u32)));
        let name = egui::Button::selectable(chosen, row.searcher.name()).truncate();
        let name = ui.add(name).author_id(format_args!("lab.row.{}", variant_id(row.searcher)));
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
    let over = row.over_optimum().filter(|_| row.why.is_none()).map_or_else(
        || "–".to_owned(),
        |over| format!("{:.1} %", (over * 1000.0).round() / 10.0 + 0.0),
    );
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
