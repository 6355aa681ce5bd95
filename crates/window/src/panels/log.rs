//! The log: past messages, and warnings about the level's file.

use eframe::egui::{self, Label, RichText};
use walkable_editor::{
    lang::tr,
    session::{LogEntry, SessionView, Severity},
};

use crate::{
    theme::Theme,
    widgets::{legend, notice},
};

/// The log's tab and its filter.
#[derive(Debug)]
pub struct LogPanel {
    /// Lines below this are hidden.
    least: Severity,
    search: String,
}

impl Default for LogPanel {
    fn default() -> Self {
        Self { least: Severity::Info, search: String::new() }
    }
}

impl LogPanel {
    /// Draws the tab.
    pub fn ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>) {
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
        let theme = Theme::of(ui.ctx().theme());
        let height = ui.text_style_height(&egui::TextStyle::Body);
        ui.spacing_mut().interact_size.y = height;
        ui.spacing_mut().item_spacing.y = 3.0;
        let scroll = egui::ScrollArea::vertical().auto_shrink(false).stick_to_bottom(true);
        scroll.show_rows(ui, height, lines.len(), |ui, rows| {
            for entry in &lines[rows] {
                line_ui(ui, &theme, entry);
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
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::accesskit::Role::TextInput, true, tr!("Find in log"))
        });
    }
}

fn line_ui(ui: &mut egui::Ui, theme: &Theme, entry: &LogEntry) {
    let (icon, color) = notice::look(entry.severity, theme);
    ui.horizontal(|ui| {
        ui.label(RichText::new(icon.codepoint).color(color));
        ui.add(Label::new(&entry.text).selectable(true).truncate()).on_hover_text(&entry.text);
    });
}
