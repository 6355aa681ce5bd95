//! The search lab: runs searches, compares them, and plays them back.

mod choice;
pub mod playback;
mod plots;
mod scenario;
mod table;
pub mod twins;
mod weights;

#[cfg(test)]
mod tests;

use eframe::egui::{self, RichText};
use walkable_editor::{
    command::{Command, Commands, ExportKind, LabCommand},
    lang::{self, tr},
    session::{LabTab, SessionView},
};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, busy::busy, command_button::add_button, legend::empty},
};

/// Draws the panel.
pub fn lab_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    bar_ui(ui, view, out);
    egui::ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 20.0;
            match view.lab.tab {
                LabTab::Compare => compare_ui(ui, view, out),
                LabTab::Playback => playback::playback_ui(ui, view, out),
                LabTab::Weights => weights::weights_ui(ui, view, out),
                LabTab::Scenario => scenario::scenario_ui(ui, view, out),
            }
        });
    });
}

/// Draws the tabs and the button that runs the searches.
fn bar_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let lab = &view.lab;
    ui.horizontal(|ui| {
        if lab.is_busy {
            let stop = ui.button(tr!("Stop")).author_id(Command::Lab(LabCommand::Cancel).id());
            if stop.on_hover_text(Command::Lab(LabCommand::Cancel).tooltip()).clicked() {
                out.push(LabCommand::Cancel);
            }
            busy(ui);
        } else {
            let compare = ui.button(tr!("Compare")).author_id(Command::Lab(LabCommand::Run).id());
            if compare.on_hover_text(Command::Lab(LabCommand::Run).tooltip()).clicked() {
                out.push(LabCommand::Run);
            }
        }
        let mut live = lab.is_live;
        let what = Command::Lab(LabCommand::Live(!live)).tooltip();
        if ui.checkbox(&mut live, tr!("Live")).author_id("lab.live").on_hover_text(what).changed() {
            out.push(LabCommand::Live(live));
        }
        ui.separator();
        for tab in LabTab::ALL {
            let command = Command::from(LabCommand::Tab(tab));
            let label = ui.selectable_label(lab.tab == tab, tab.name()).author_id(command.id());
            if label.on_hover_text(tab.what()).clicked() {
                out.push(command);
            }
        }
        ui.separator();
        let export = Command::Export(ExportKind::Lab);
        add_button(ui, egui::Button::new(tr!("Export CSV…")), view, export, out);
    });
}

fn compare_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    column(ui, "lab choice", 290.0, |ui| choice::choice_ui(ui, &view.lab, out));
    // The table scrolls its rows below its header.
    fixed_column(ui, table::WIDTH, |ui| {
        outcome_ui(ui, view);
        if !view.lab.rows.is_empty() {
            table::table_ui(ui, &view.lab, out);
        }
    });
    if !view.lab.rows.is_empty() {
        column(ui, "lab plots", 320.0, |ui| plots::plots_ui(ui, &view.lab, out));
    }
}

/// Shows what is missing, or what to do first.
fn outcome_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    let lab = &view.lab;
    let theme = Theme::of(ui.ctx().theme());
    if let Some(why) = &lab.error {
        ui.add(egui::Label::new(RichText::new(lang::phrase(why)).color(theme.warning)).wrap());
    } else if lab.rows.is_empty() && lab.refused.is_empty() && !lab.is_busy {
        let has_ends = view.path.start.is_some() && view.path.end.is_some();
        empty(
            ui,
            if has_ends {
                tr!("Compare the chosen searches between the path's two ends.")
            } else {
                tr!("Place a path's start and end to compare searches.")
            },
        );
    }
    for (medium, why) in &lab.refused {
        let text = format!("{}: {}", medium.name(), lang::phrase(why));
        ui.add(egui::Label::new(RichText::new(text).color(theme.warning)).wrap());
    }
}

/// Draws a column with its own width and scrollbar.
fn column(ui: &mut egui::Ui, id: &str, width: f32, content: impl FnOnce(&mut egui::Ui)) {
    fixed_column(ui, width, |ui| {
        egui::ScrollArea::vertical().id_salt(id).auto_shrink(false).show(ui, |ui| {
            // Leaves space for the scrollbar.
            ui.set_max_width(width - 12.0);
            ui.spacing_mut().item_spacing.x = 8.0;
            ui.vertical(content);
        });
    });
}

/// Draws a column with its own width.
fn fixed_column(ui: &mut egui::Ui, width: f32, content: impl FnOnce(&mut egui::Ui)) {
    let height = ui.available_height();
    ui.allocate_ui(egui::vec2(width, height), |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.vertical(content);
    });
}
