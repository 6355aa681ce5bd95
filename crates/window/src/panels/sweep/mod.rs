//! The sweep over settings: the varied settings, and the results as a table and as plots.

mod parallel;
mod pareto;
mod plan;
mod table;

#[cfg(test)]
mod tests;

use eframe::egui::{self, Button, RichText};
use walkable::{
    bake::{Param, ParamValue},
    sweep::{SweepMeasure, SweepOutcome},
};
use walkable_editor::{
    command::{Command, Commands, ExportKind, SweepCommand, variant_id},
    session::{SessionView, SweepColumn, SweepShow, SweepState, SweepTab},
    task::TaskId,
};
use walkable_workspace::{
    format,
    lang::{self, tr},
    units,
};

use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        busy::busy,
        command_button::{add_button, command_button},
        legend::{empty, fact},
    },
};

const PLAN_WIDTH: f32 = 356.0;
const RESULTS_WIDTH: f32 = 420.0;

pub fn sweep_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    bar_ui(ui, view, out);
    egui::ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 20.0;
            column(ui, PLAN_WIDTH, |ui| {
                let area = egui::ScrollArea::vertical().id_salt("sweep plan");
                area.auto_shrink(false).show(ui, |ui| {
                    // Leaves space for the scrollbar.
                    ui.set_max_width(PLAN_WIDTH - 12.0);
                    plan::plan_ui(ui, view, out);
                });
            });
            let min = if view.sweep.entries.is_empty() { 0.0 } else { RESULTS_WIDTH };
            let width = ui.available_width().max(min);
            column(ui, width, |ui| results_ui(ui, view, out));
        });
    });
}

fn column(ui: &mut egui::Ui, width: f32, content: impl FnOnce(&mut egui::Ui)) {
    let size = egui::vec2(width, ui.available_height());
    ui.allocate_ui_with_layout(size, egui::Layout::top_down(egui::Align::Min), |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.x = 8.0;
        content(ui);
    });
}

fn bar_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let sweep = &view.sweep;
    ui.horizontal(|ui| {
        if view.runs(TaskId::Sweep) {
            command_button(ui, view, SweepCommand::Cancel, out);
            busy(ui);
        } else {
            command_button(ui, view, SweepCommand::Run, out);
        }
        let n = sweep.entries.len();
        if n > 0 {
            ui.label(tr!("{} of {}", sweep.n_done(), format::counted(n, "bake", "bakes")));
        }
        ui.separator();
        for tab in SweepTab::ALL {
            let id = format!("sweep.tab.{}", variant_id(tab));
            let label = ui.selectable_label(sweep.show.tab == tab, tab.name()).author_id(id);
            if label.on_hover_text(tab.tooltip()).clicked() {
                out.push(SweepCommand::Show(SweepShow { tab, ..sweep.show }));
            }
        }
        ui.separator();
        let apply = Command::from(SweepCommand::Apply);
        let text = match sweep.chosen {
            Some(row) => tr!("Apply row {}", row + 1),
            None => apply.text().into_owned(),
        };
        add_button(ui, Button::new(text), view, apply, out);
        let export = Command::Export(ExportKind::Sweep);
        add_button(ui, Button::new(tr!("Export CSV…")), view, export, out);
    });
}

fn results_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let (sweep, theme) = (&view.sweep, Theme::of(ui.ctx().theme()));
    if sweep.entries.is_empty() {
        return empty(
            ui,
            tr!(
                "Choose settings and their ranges, and run the sweep: the level is baked with each combination, and each \
            bake is measured. The path tests run on each bake."
            ),
        );
    }
    if view.is_sweep_stale() {
        let text = tr!("The level or another setting has changed since the sweep.");
        ui.label(RichText::new(text).small().color(theme.warning));
    }
    match sweep.show.tab {
        SweepTab::Table => table::table_ui(ui, view, out),
        SweepTab::Pareto => pareto::pareto_ui(ui, sweep, out),
        SweepTab::Parallel => parallel::parallel_ui(ui, sweep, out),
    }
}

fn title(sweep: &SweepState, column: SweepColumn) -> String {
    match column {
        SweepColumn::Number => tr!("Row").to_owned(),
        SweepColumn::Setting(index) => {
            let param = sweep.keys.get(index).and_then(|key| Param::find(key).ok());
            param.map(setting_title).unwrap_or_default()
        }
        SweepColumn::Measure(measure) => measure_title(measure),
    }
}

/// Returns the name of a measure, with the unit in which it is shown.
fn measure_title(measure: SweepMeasure) -> String {
    let (name, unit) = (measure.name(), units::shown(measure.unit()));
    if unit.symbol.is_empty() { name.to_owned() } else { format!("{name} ({})", unit.symbol) }
}

/// Returns the size of the unit in which the values of a column are shown.
fn size_of_unit(sweep: &SweepState, column: SweepColumn) -> f64 {
    let unit = match column {
        SweepColumn::Number => "",
        SweepColumn::Setting(index) => {
            let param = sweep.keys.get(index).and_then(|key| Param::find(key).ok());
            param.map_or("", |param| param.unit)
        }
        SweepColumn::Measure(measure) => measure.unit(),
    };
    units::shown(unit).size
}

fn setting_title(param: &Param) -> String {
    let unit = if param.unit == "voxels" { "vx" } else { units::shown(param.unit).symbol };
    if unit.is_empty() {
        tr(param.label).to_owned()
    } else {
        format!("{} ({unit})", tr(param.label))
    }
}

fn columns(sweep: &SweepState) -> Vec<SweepColumn> {
    let settings = (0..sweep.keys.len()).map(SweepColumn::Setting);
    settings.chain(sweep.measures().map(SweepColumn::Measure)).collect()
}

/// Returns the value of a row in a column as text; empty if it is not known.
fn text(sweep: &SweepState, index: usize, column: SweepColumn) -> String {
    let Some(entry) = sweep.entries.get(index) else { return String::new() };
    match column {
        SweepColumn::Number => (index + 1).to_string(),
        SweepColumn::Setting(setting) => {
            let value = entry.values.get(setting).cloned().unwrap_or_default();
            let param = sweep.keys.get(setting).and_then(|key| Param::find(key).ok());
            match param.and_then(|param| param.parse(&value).ok()) {
                Some(ParamValue::Switch(is_on)) => if is_on { "on" } else { "off" }.to_owned(),
                Some(ParamValue::Float(number)) => {
                    let unit = param.map_or("", |param| param.unit);
                    format::exact_number(number, unit)
                }
                Some(ParamValue::Integer(_) | ParamValue::Choice(_) | ParamValue::Place(_))
                | None => value,
            }
        }
        SweepColumn::Measure(measure) => {
            let value = entry.result().and_then(|result| result.get(measure));
            let size = size_of_unit(sweep, column);
            value.map(|value| format::number(value / size)).unwrap_or_default()
        }
    }
}

fn row_ui(ui: &mut egui::Ui, sweep: &SweepState, index: usize) {
    ui.set_width(220.0);
    ui.strong(tr!("Row {}", index + 1));
    for column in columns(sweep) {
        fact(ui, &title(sweep, column), &text(sweep, index, column));
    }
    if let Some(why) = failure(sweep, index) {
        ui.label(why);
    }
    if sweep.front().get(index).copied().unwrap_or(false) {
        let [x, y] = sweep.show.axes.map(|measure| format::within(&measure_title(measure)));
        ui.label(tr!("On the Pareto front of {x} and {y}"));
    }
    if sweep.best_for_suite() == Some(index) {
        ui.label(tr!("Best for the path tests"));
    }
}

fn failure(sweep: &SweepState, index: usize) -> Option<String> {
    match sweep.entries.get(index)?.outcome.as_ref()? {
        SweepOutcome::Measured(_) => None,
        SweepOutcome::Failed(why) => Some(lang::phrase(why)),
    }
}

/// Pushes the selection of a row. Clears the selection if the row is already selected.
fn choose(sweep: &SweepState, index: usize, out: &mut Commands) {
    let is_chosen = sweep.chosen == Some(index);
    out.push(SweepCommand::Choose((!is_chosen).then_some(index)));
}
