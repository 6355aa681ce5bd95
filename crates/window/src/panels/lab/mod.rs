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
    session::{LabTab, SessionView},
    task::TaskId,
};
use walkable_workspace::lang::{self, tr};

use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _, busy::busy, command_button::add_button, dialog, legend::empty,
    },
};

pub fn lab_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let room = ui.available_width();
    bar_ui(ui, Columns::in_room(room), view, out);
    egui::ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            match view.lab.tab {
                LabTab::Compare => compare_ui(ui, room, view, out),
                LabTab::Playback => playback::playback_ui(ui, view, out),
                LabTab::Weights => weights::weights_ui(ui, view, out),
                LabTab::Scenario => scenario::scenario_ui(ui, view, out),
            }
        });
    });
}

const GAP: f32 = 20.0;
const CHOICE_WIDTH: f32 = 290.0;
const PLOTS_WIDTH: f32 = 320.0;
const MENU_HEIGHT: f32 = 420.0;

/// What stands beside the table, so that nothing is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Columns {
    All,
    /// The choice of searches. The plots are below the rows.
    WithChoice,
    /// Nothing. The plots are below the rows, and the choice is a menu.
    Table,
}

impl Columns {
    fn in_room(room: f32) -> Self {
        let beside = room - CHOICE_WIDTH - GAP;
        if beside >= table::WIDTH + GAP + PLOTS_WIDTH {
            Self::All
        } else if beside >= table::LEAST_WIDTH {
            Self::WithChoice
        } else {
            Self::Table
        }
    }
}

fn bar_ui(ui: &mut egui::Ui, columns: Columns, view: &SessionView<'_>, out: &mut Commands) {
    let lab = &view.lab;
    ui.horizontal(|ui| {
        if view.runs(TaskId::Lab) {
            let stop = ui.button(tr!("Stop")).author_id(Command::from(LabCommand::Cancel).id());
            if stop.on_hover_text(Command::from(LabCommand::Cancel).tooltip()).clicked() {
                out.push(LabCommand::Cancel);
            }
            busy(ui);
        } else {
            let compare = ui.button(tr!("Compare")).author_id(Command::from(LabCommand::Run).id());
            if compare.on_hover_text(Command::from(LabCommand::Run).tooltip()).clicked() {
                out.push(LabCommand::Run);
            }
        }
        let mut live = lab.is_live;
        let what = Command::from(LabCommand::Live(!live)).tooltip();
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
        if lab.tab == LabTab::Compare && columns == Columns::Table {
            let menu = ui.menu_button(tr!("Searches"), |ui| {
                let height = dialog::menu_height(ui, MENU_HEIGHT);
                egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                    ui.set_width(CHOICE_WIDTH);
                    choice::choice_ui(ui, lab, out);
                });
            });
            menu.response
                .author_id("lab.searches")
                .on_hover_text(tr!("Chooses which searches run"));
        }
        let export = Command::Export(ExportKind::Lab);
        add_button(ui, egui::Button::new(tr!("Export CSV…")), view, export, out);
    });
}

fn compare_ui(ui: &mut egui::Ui, room: f32, view: &SessionView<'_>, out: &mut Commands) {
    let (columns, lab) = (Columns::in_room(room), &view.lab);
    let mut width = room;
    if columns != Columns::Table {
        column(ui, "lab choice", CHOICE_WIDTH, |ui| choice::choice_ui(ui, lab, out));
        width -= CHOICE_WIDTH + GAP;
    }
    // The table scrolls its rows below its header.
    fixed_column(ui, width.min(table::WIDTH), |ui| {
        outcome_ui(ui, view);
        if !lab.rows.is_empty() {
            let width = ui.available_width();
            table::table_ui(ui, width, lab, out, |ui, out| {
                if columns != Columns::All {
                    ui.add_space(8.0);
                    plots::plots_ui(ui, lab, out);
                }
            });
        }
    });
    if columns == Columns::All && !lab.rows.is_empty() {
        column(ui, "lab plots", PLOTS_WIDTH, |ui| plots::plots_ui(ui, lab, out));
    }
}

fn outcome_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    let lab = &view.lab;
    let theme = Theme::of(ui.ctx().theme());
    if let Some(why) = &lab.error {
        ui.add(egui::Label::new(RichText::new(lang::phrase(why)).color(theme.warning)).wrap());
    } else if lab.rows.is_empty() && lab.refused.is_empty() && !view.runs(TaskId::Lab) {
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
    if !lab.rows.is_empty() && !view.runs(TaskId::Lab) && lab.is_stale(view.lab_question()) {
        let text = tr!("An end of the path or the navmesh has changed since the comparison.");
        ui.add(egui::Label::new(RichText::new(text).small().color(theme.warning)).wrap());
    }
    for (medium, why) in &lab.refused {
        let text = format!("{}: {}", medium.name(), lang::phrase(why));
        ui.add(egui::Label::new(RichText::new(text).color(theme.warning)).wrap());
    }
}

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

fn fixed_column(ui: &mut egui::Ui, width: f32, content: impl FnOnce(&mut egui::Ui)) {
    let height = ui.available_height();
    ui.allocate_ui(egui::vec2(width, height), |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.vertical(content);
    });
}
