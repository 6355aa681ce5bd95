//! The log: past messages, and warnings about the level's file.

#[cfg(test)]
mod tests;

use std::ops::Range;

use eframe::egui::{self, Label, RichText, Sense, WidgetInfo, accesskit::Role};
use walkable_editor::{
    command::{Command, Commands, LogCommand},
    destination::place_in_level,
    session::{LogEntry, LogPlace, SessionView, Severity},
};
use walkable_workspace::{format, lang::tr};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, legend, notice},
};

const LINE_GAP: f32 = 3.0;

#[derive(Debug)]
pub struct LogPanel {
    least: Severity,
    search: String,
    /// How many requests to show lines were carried out.
    n_shown: u64,
}

impl Default for LogPanel {
    fn default() -> Self {
        Self { least: Severity::Info, search: String::new(), n_shown: 0 }
    }
}

impl LogPanel {
    pub fn ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let (shown, n_shown) = view.log.shown();
        let is_asked = *n_shown != self.n_shown;
        if is_asked {
            *self = Self { n_shown: *n_shown, ..Self::default() };
        }
        ui.horizontal(|ui| self.filter_ui(ui));
        let wanted = self.search.to_lowercase();
        let matches = |entry: &&LogEntry| entry.severity >= self.least && entry.contains(&wanted);
        let lines: Vec<_> = view.log.iter().filter(matches).collect();
        if view.log.n_dropped() > 0 {
            legend::empty(ui, &tr!("{} older lines were dropped.", view.log.n_dropped()));
        }
        if lines.is_empty() {
            legend::empty(ui, tr!("Nothing to report."));
            return;
        }
        let height = ui.text_style_height(&egui::TextStyle::Body);
        ui.spacing_mut().interact_size.y = height;
        ui.spacing_mut().item_spacing.y = LINE_GAP;
        let mut scroll = egui::ScrollArea::vertical().auto_shrink(false).stick_to_bottom(true);
        let first = lines.iter().position(|entry| shown.contains(&entry.serial));
        if let Some(first) = first.filter(|_| is_asked) {
            scroll = scroll.vertical_scroll_offset(offset_of(first, height));
        }
        scroll.show_rows(ui, height, lines.len(), |ui, rows| {
            for entry in &lines[rows] {
                line_ui(ui, entry, view, shown, out);
            }
        });
    }

    fn filter_ui(&mut self, ui: &mut egui::Ui) {
        let levels = [
            (Severity::Info, tr!("All")),
            (Severity::Warning, tr!("Warnings")),
            (Severity::Error, tr!("Errors")),
        ];
        for (severity, name) in levels {
            ui.selectable_value(&mut self.least, severity, name);
        }
        let field = egui::TextEdit::singleline(&mut self.search).hint_text(tr!("Find in log"));
        let response = ui.add(field.desired_width(200.0));
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, tr!("Find in log")));
    }
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand lines")]
fn offset_of(line: usize, height: f32) -> f32 {
    line as f32 * (height + LINE_GAP)
}

fn line_ui(
    ui: &mut egui::Ui,
    entry: &LogEntry,
    view: &SessionView<'_>,
    shown: &Range<u64>,
    out: &mut Commands,
) {
    let theme = Theme::of(ui.ctx().theme());
    let (icon, color) = notice::look(entry.severity, &theme);
    let row = ui.horizontal(|ui| {
        if let Some(time) = entry.at.and_then(format::time_of_day) {
            ui.label(RichText::new(time).monospace().color(theme.text_weak));
        }
        ui.label(RichText::new(icon.codepoint).color(color));
        if entry.count > 1 {
            let times = RichText::new(format!("× {}", entry.count)).color(theme.text_weak);
            ui.label(times).on_hover_text(tr!("How often this happened; the time is the last one"));
        }
        match &entry.place {
            Some(place) if is_there(place, view) => place_ui(ui, entry, place, out),
            _ => {
                let text = entry.text();
                let label = Label::new(&text).selectable(true).truncate();
                ui.add(label).on_hover_text(text);
            }
        }
    });
    if shown.contains(&entry.serial) {
        let rect = row.response.rect;
        ui.painter().rect_filled(rect.with_max_x(rect.left() + 2.0), 0.0, theme.accent);
    }
}

fn is_there(place: &LogPlace, view: &SessionView<'_>) -> bool {
    matches!(place, LogPlace::File(_)) || place_in_level(place, view).is_some()
}

fn place_ui(ui: &mut egui::Ui, entry: &LogEntry, place: &LogPlace, out: &mut Commands) {
    let text = entry.text();
    let words = RichText::new(&text).color(ui.visuals().hyperlink_color);
    let link = ui.add(Label::new(words).selectable(false).truncate().sense(Sense::click()));
    link.widget_info(|| WidgetInfo::labeled(Role::Link, true, &text));
    let link = link.author_id(format_args!("log.line.{}", entry.serial));
    if link.hovered() || link.has_focus() {
        let [left, right] = [link.rect.left_bottom(), link.rect.right_bottom()];
        let stroke = egui::Stroke::new(1.0, ui.visuals().hyperlink_color);
        ui.painter().line_segment([left, right], stroke);
    }
    let command = Command::from(LogCommand::GoTo(place.clone()));
    let link = link.on_hover_cursor(egui::CursorIcon::PointingHand);
    if link.on_hover_text(format!("{text}\n{}", command.tooltip())).clicked() {
        out.push(command);
    }
}
