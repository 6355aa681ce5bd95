//! The rows of a sweep as a table.

use eframe::egui::{self, Align2, Color32, FontId, Rect, RichText, Sense, pos2, vec2};
use walkable::sweep::SweepMeasure;
use walkable_editor::{
    command::{Commands, SweepCommand},
    session::{SessionView, SweepColumn, SweepShow, SweepState},
};
use walkable_workspace::lang::tr;

use super::{choose, columns, failure, row_ui, text, title};
use crate::{
    icons,
    theme::{BASE_SIZE, CAPTION_SIZE, Theme},
    widgets::author_id::AuthorId as _,
};

const NUMBER_WIDTH: f32 = 56.0;
/// Width of the other columns.
const WIDTH: f32 = 98.0;
const PADDING: f32 = 6.0;
const ROW: f32 = 20.0;

pub(super) fn table_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let (sweep, theme) = (&view.sweep, Theme::of(ui.ctx().theme()));
    let columns: Vec<_> = [SweepColumn::Number].into_iter().chain(columns(sweep)).collect();
    let width: f32 = columns.iter().map(|column| width_of(*column)).sum();
    egui::ScrollArea::horizontal().id_salt("sweep columns").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        header_ui(ui, sweep, &columns, out);
        let (order, front) = (sweep.sorted(), sweep.front());
        let best = sweep.best_for_suite();
        let area = egui::ScrollArea::vertical().id_salt("sweep rows").auto_shrink(false);
        area.show_rows(ui, ROW, order.len(), |ui, rows| {
            for place in rows {
                let Some(&index) = order.get(place) else { continue };
                let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::click());
                let response = response.author_id(format_args!("sweep.row.{index}"));
                let texts: Vec<_> =
                    columns.iter().map(|column| text(sweep, index, *column)).collect();
                let label = tr!("Row {}", texts.join(" "));
                let is_chosen = sweep.chosen == Some(index);
                response.widget_info(|| {
                    let role = egui::accesskit::Role::Row;
                    egui::WidgetInfo::selected(role, true, is_chosen, label.as_str())
                });
                let fill = match (is_chosen, response.hovered(), place % 2 == 1) {
                    (true, ..) => theme.selection,
                    (false, true, _) => theme.control_hover,
                    (false, false, true) => theme.raised,
                    (false, false, false) => Color32::TRANSPARENT,
                };
                let row = Row {
                    sweep,
                    index,
                    fill,
                    is_on_front: front.get(index).copied().unwrap_or(false),
                    is_best_for_suite: best == Some(index),
                };
                row.paint(ui, rect, &columns, &texts);
                if response.double_clicked() {
                    out.push(SweepCommand::Choose(Some(index)));
                    out.push(SweepCommand::Apply);
                } else if response.clicked() {
                    choose(sweep, index, out);
                }
                response.on_hover_ui(|ui| row_ui(ui, sweep, index));
            }
        });
    });
}

const fn width_of(column: SweepColumn) -> f32 {
    match column {
        SweepColumn::Number => NUMBER_WIDTH,
        SweepColumn::Setting(_) | SweepColumn::Measure(_) => WIDTH,
    }
}

fn header_ui(ui: &mut egui::Ui, sweep: &SweepState, columns: &[SweepColumn], out: &mut Commands) {
    let (theme, show) = (Theme::of(ui.ctx().theme()), sweep.show);
    ui.horizontal(|ui| {
        for column in columns {
            let is_sorted = show.sort == *column;
            let arrow = match (is_sorted, show.is_descending) {
                (false, _) => "",
                (true, false) => icons::ICON_ARROW_UPWARD.codepoint,
                (true, true) => icons::ICON_ARROW_DOWNWARD.codepoint,
            };
            let color = if is_sorted { theme.text } else { theme.text_weak };
            let words = RichText::new(format!("{}{arrow}", title(sweep, *column)));
            let words = words.small().strong().color(color);
            let size = vec2(width_of(*column), ROW);
            let layout = egui::Layout::right_to_left(egui::Align::Center);
            let cell = ui.allocate_ui_with_layout(size, layout, |ui| {
                ui.set_min_size(size);
                ui.add_space(PADDING);
                ui.add(egui::Label::new(words).truncate().sense(Sense::click()))
            });
            let label = cell.inner.author_id(format_args!("sweep.sort.{}", key_of(sweep, *column)));
            let label = label.on_hover_cursor(egui::CursorIcon::PointingHand);
            let label = label.on_hover_text(tooltip(*column));
            if label.clicked() {
                let is_descending = is_sorted && !show.is_descending;
                out.push(SweepCommand::Show(SweepShow { sort: *column, is_descending, ..show }));
            }
        }
    });
}

fn key_of(sweep: &SweepState, column: SweepColumn) -> &'static str {
    match column {
        SweepColumn::Number => "number",
        SweepColumn::Setting(index) => sweep.keys.get(index).copied().unwrap_or_default(),
        SweepColumn::Measure(measure) => measure.key(),
    }
}

fn tooltip(column: SweepColumn) -> &'static str {
    match column {
        SweepColumn::Number | SweepColumn::Setting(_) => tr!("Click to sort"),
        SweepColumn::Measure(measure) => SweepMeasure::tooltip(measure),
    }
}

struct Row<'a> {
    sweep: &'a SweepState,
    index: usize,
    fill: Color32,
    is_on_front: bool,
    is_best_for_suite: bool,
}

impl Row<'_> {
    fn paint(&self, ui: &egui::Ui, rect: Rect, columns: &[SweepColumn], texts: &[String]) {
        let theme = Theme::of(ui.ctx().theme());
        let painter = ui.painter();
        painter.rect_filled(rect, 0.0, self.fill);
        let font = FontId::proportional(BASE_SIZE);
        let mut left = rect.left();
        for (column, words) in columns.iter().zip(texts) {
            let right = left + width_of(*column);
            let cell = Rect::from_min_max(pos2(left, rect.top()), pos2(right, rect.bottom()));
            let at = pos2(right - PADDING, rect.center().y);
            let clip = painter.with_clip_rect(cell.intersect(ui.clip_rect()));
            clip.text(at, Align2::RIGHT_CENTER, words, font.clone(), theme.text);
            left = right;
        }
        let marks = [
            (self.is_best_for_suite, icons::ICON_STAR.codepoint, theme.good),
            (self.is_on_front, icons::ICON_SCATTER_PLOT.codepoint, theme.accent),
        ];
        let mut at = pos2(rect.left() + 3.0, rect.center().y);
        for (_, mark, color) in marks.into_iter().filter(|(is_marked, ..)| *is_marked) {
            let font = FontId::proportional(CAPTION_SIZE);
            at.x = painter.text(at, Align2::LEFT_CENTER, mark, font, color).right() + 1.0;
        }
        if let Some(why) = failure(self.sweep, self.index) {
            let start = rect.left() + NUMBER_WIDTH + WIDTH * n_settings(columns);
            let at = pos2(start + PADDING, rect.center().y);
            let text = tr!("failed: {why}");
            let clip = painter.with_clip_rect(rect.intersect(ui.clip_rect()));
            clip.text(at, Align2::LEFT_CENTER, text, font, theme.warning);
        }
    }
}

fn n_settings(columns: &[SweepColumn]) -> f32 {
    let settings = columns.iter().filter(|column| matches!(column, SweepColumn::Setting(_)));
    settings.map(|_| 1.0).sum()
}
