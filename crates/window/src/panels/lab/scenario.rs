//! A benchmark scenario, run as a batch and compared with the lengths in its file.

use eframe::egui::{self, RichText};
use walkable_editor::{
    command::{Command, Commands, LabCommand, variant_id},
    session::{BatchRow, Mismatch, OpenMap, SessionView},
    task::TaskId,
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use super::column;
use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        busy::busy,
        command_button::{add_button, command_button},
        legend::{empty, fact, heading},
        numeric::{self, NumberSpec},
        property_row::PropertyRow,
    },
};

const EVERY: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [1.0, 100.0], limits: [1.0, 10_000.0], step: 1.0 };
const MOST: usize = 30;

pub(super) fn scenario_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let map = view.opened.level.as_ref().and_then(|level| level.map.as_deref());
    let Some(map) = map.filter(|map| !map.queries.is_empty()) else {
        column(ui, "lab no scenario", 460.0, |ui| {
            empty(
                ui,
                tr!(
                    "Open a scenario of Moving AI's benchmarks (.scen or .3dscen, next to its map) to \
                run its queries and compare with its path lengths."
                ),
            );
        });
        return;
    };
    column(ui, "lab scenario", 300.0, |ui| controls_ui(ui, view, map, out));
    column(ui, "lab batch", 520.0, |ui| table_ui(ui, view));
    let odd: Vec<(&BatchRow, &Mismatch)> = view
        .lab
        .batch
        .rows
        .iter()
        .flat_map(|row| row.mismatches.iter().map(move |mismatch| (row, mismatch)))
        .collect();
    if !odd.is_empty() {
        column(ui, "lab mismatches", 420.0, |ui| mismatches_ui(ui, map, &odd, out));
    }
}

fn controls_ui(ui: &mut egui::Ui, view: &SessionView<'_>, map: &OpenMap, out: &mut Commands) {
    let batch = &view.lab.batch;
    ui.horizontal(|ui| {
        if view.runs(TaskId::Scenario) {
            let stop = egui::Button::new(tr!("Stop the scenario"));
            add_button(ui, stop, view, LabCommand::Cancel.into(), out);
            busy(ui);
        } else {
            command_button(ui, view, LabCommand::RunScenario, out);
        }
    });
    let size: Vec<String> = map.map.size().iter().map(u32::to_string).collect();
    fact(ui, tr!("Map"), &size.join(" × "));
    fact(ui, tr!("Queries"), &format::count(map.queries.len()));
    let mut every = f64::from(batch.every);
    let tooltip = tr!("Runs only every nth query, from the first");
    let row = PropertyRow {
        id: "lab.every",
        label: tr!("One query in"),
        tooltip,
        ..PropertyRow::default()
    };
    row.show(ui, |ui, label| numeric::slider(ui, label, &mut every, &EVERY));
    if (every - f64::from(batch.every)).abs() > 0.5 {
        out.push(LabCommand::Every(rounded(every)));
    }
    heading(ui, tr!("Place path ends of a query"));
    let n = map.queries.len();
    let longest = (1..=4).map(|part| (part * n / 4).saturating_sub(1));
    ui.horizontal(|ui| {
        for (query, name) in longest.zip([tr!("Short"), tr!("Middle"), tr!("Long"), tr!("Longest")])
        {
            let what = tr!("Query {} of {n}, line {}", query + 1, map.queries[query].line);
            let command = Command::from(LabCommand::Query(query));
            if ui.button(name).author_id(command.id()).on_hover_text(what).clicked() {
                out.push(command);
            }
        }
    });
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 10,000")]
fn rounded(value: f64) -> u32 {
    value.round() as u32
}

fn table_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    let theme = Theme::of(ui.ctx().theme());
    let batch = &view.lab.batch;
    if let Some(why) = &batch.error {
        ui.add(egui::Label::new(RichText::new(lang::phrase(why)).color(theme.warning)).wrap());
    }
    if batch.rows.is_empty() {
        empty(ui, tr!("Every path length is compared with the length in the file."));
        return;
    }
    egui::Grid::new("lab scenario").striped(true).num_columns(5).spacing([16.0, 3.0]).show(
        ui,
        |ui| {
            for title in [
                tr!("Search"),
                tr!("Queries"),
                tr!("Mismatches"),
                tr!("Expanded, mean"),
                tr!("Time, mean"),
            ] {
                ui.label(RichText::new(title).small().color(theme.text_weak));
            }
            ui.end_row();
            for row in &batch.rows {
                ui.label(row.searcher.name()).on_hover_text(row.searcher.what());
                let [done, all] = row.n_queries.map(format::count);
                ui.label(if done == all { all } else { tr!("{done} of {all}") });
                let n = row.mismatches.len();
                let color = if n == 0 { theme.good } else { theme.error };
                ui.label(RichText::new(format::count(n)).color(color));
                let [us, expanded] = row.means();
                ui.label(format::number(expanded));
                ui.label(format::time(std::time::Duration::from_secs_f64(us * 1e-6)));
                ui.end_row();
            }
        },
    );
}

fn mismatches_ui(
    ui: &mut egui::Ui,
    map: &OpenMap,
    odd: &[(&BatchRow, &Mismatch)],
    out: &mut Commands,
) {
    heading(ui, tr!("Paths whose lengths differ from the file's"));
    let say =
        |cost: Option<f64>| cost.map_or_else(|| tr!("no path").to_owned(), |c| format!("{c:.4}"));
    for (row, mismatch) in odd.iter().take(MOST) {
        let line = map.queries.get(mismatch.query).map_or(0, |query| query.line);
        let (name, cost, optimum) =
            (row.searcher.name(), say(mismatch.cost), say(mismatch.optimum));
        let text = tr!("Line {line}, {name}: {cost}, the file has {optimum}");
        let link = ui.link(text);
        let key = variant_id(row.searcher);
        let link = link.author_id(format_args!("lab.mismatch.{key}.{}", mismatch.query));
        if link.on_hover_text(tr!("Places the path's ends there")).clicked() {
            out.push(LabCommand::Query(mismatch.query));
        }
    }
    if odd.len() > MOST {
        ui.label(tr!("and {} more", format::count(odd.len() - MOST)));
    }
}
