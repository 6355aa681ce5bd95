//! The undo history: a click on a step undoes or redoes up to it.

use eframe::egui::{self, RichText};
use walkable_editor::{
    command::{Command, Commands},
    session::SessionView,
};
use walkable_workspace::lang::tr;

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, legend::empty},
};

pub fn history_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let history = &view.history;
    let (n_undone, n_done) = (history.future().len(), history.past().len());
    if n_undone + n_done == 0 {
        return empty(
            ui,
            tr!("No changes yet. Each change is listed here; click one to return to it."),
        );
    }
    let theme = Theme::of(ui.ctx().theme());
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        // The newest step is on top. The step that was undone last is the next one to redo.
        let undone: Vec<_> = history.future().collect();
        for (steps, label) in undone.iter().enumerate().rev() {
            let text = RichText::new(label).color(theme.text_weak).italics();
            let row = ui.selectable_label(false, text);
            let row = row.author_id(format_args!("history.undone.{steps}"));
            if row.on_hover_text(tr!("Undone. Click to redo it")).clicked() {
                out.push_all((0..=steps).map(|_| Command::Redo));
            }
        }
        for (steps, label) in history.past().enumerate() {
            let row = ui.selectable_label(steps == 0, label);
            let row = row.author_id(format_args!("history.done.{steps}"));
            if row.on_hover_text(tr!("Click to return to this step")).clicked() {
                out.push_all((0..steps).map(|_| Command::Undo));
            }
        }
        let opened = ui.selectable_label(n_done == 0, tr!("As opened")).author_id("history.opened");
        if opened.clicked() {
            out.push_all((0..n_done).map(|_| Command::Undo));
        }
    });
}
