//! The effect of the heuristic weight, live: from Dijkstra over A* to greedy search.

use eframe::egui::{self, RichText};
use egui_plot::{Line, Plot, PlotPoints, VLine};
use walkable_editor::{
    command::{Commands, LabCommand, variant_id},
    session::{LabSettings, Searcher, SessionView, SweepPoint},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
    searches::EstimateArg,
    text,
};

use super::column;
use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        legend::{empty, fact, heading},
        numeric::{self, NumberSpec},
        property_row::PropertyRow,
    },
};

const WEIGHT: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [0.0, 5.0], limits: [0.0, 100.0], step: 0.05 };
const NAMED: [(&str, f32, &str); 3] = [
    (text!("Dijkstra"), 0.0, text!("No heuristic: searches in every direction")),
    ("A*", 1.0, text!("The heuristic as it is: the least work that still finds the cheapest path")),
    (
        text!("Greedy"),
        100.0,
        text!("Almost only the heuristic: goes straight for the goal, whatever it costs"),
    ),
];
const ESTIMATES: [(EstimateArg, &str); 6] = [
    (EstimateArg::Octile, text!("Octile")),
    (EstimateArg::Euclidean, text!("Euclid")),
    (EstimateArg::Chebyshev, text!("Chebyshev")),
    (EstimateArg::Manhattan, text!("Manhattan")),
    (EstimateArg::SquaredEuclidean, text!("Euclid squared")),
    (EstimateArg::Zero, text!("Zero")),
];

pub(super) fn weights_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    column(ui, "lab weight", 330.0, |ui| {
        controls_ui(ui, view.lab.settings, out);
        outcome_ui(ui, view);
    });
    if !view.lab.sweep.is_empty() {
        let nodes = |point: &SweepPoint| as_number(point.n_expanded);
        column(ui, "lab sweep", 330.0, |ui| {
            heading(ui, tr!("Nodes expanded, over the weight"));
            plot_ui(ui, "lab sweep nodes", view, &nodes, &|value| {
                format::short_count(rounded(value))
            });
        });
        column(ui, "lab price of weight", 330.0, |ui| {
            heading(ui, tr!("Suboptimality, over the weight"));
            plot_ui(ui, "lab sweep cost", view, &|point| point.over * 100.0, &|value| {
                format!("{} %", format::number(value))
            });
        });
    }
}

fn controls_ui(ui: &mut egui::Ui, settings: LabSettings, out: &mut Commands) {
    let (mut weight, mut estimate) = (f64::from(settings.weight), settings.estimate);
    ui.horizontal(|ui| {
        for (name, value, what) in NAMED {
            let button = ui.button(tr(name)).author_id(format_args!("lab.weight.{value}"));
            if button.on_hover_text(tr(what)).clicked() {
                weight = f64::from(value);
            }
        }
    });
    let tooltip = tr!("Factor of the heuristic h; the cost so far g has factor 1");
    let row = PropertyRow {
        id: "lab.heuristic-weight",
        label: tr!("Heuristic weight"),
        tooltip,
        ..PropertyRow::default()
    };
    row.show(ui, |ui, label| numeric::slider(ui, label, &mut weight, &WEIGHT));
    let tooltip = tr!("Lower bound of the remaining cost");
    let row = PropertyRow {
        id: "lab.estimate",
        label: tr!("Heuristic"),
        tooltip,
        ..PropertyRow::default()
    };
    row.show(ui, |ui, labeled| {
        let name =
            ESTIMATES.iter().find(|(own, _)| *own == estimate).map_or("", |(_, name)| tr(name));
        let combo = egui::ComboBox::new("lab estimate", "").width(150.0).selected_text(name);
        let shown = combo.show_ui(ui, |ui| {
            for (own, name) in ESTIMATES {
                let entry = ui.selectable_value(&mut estimate, own, tr(name));
                entry.author_id(format_args!("lab.estimate.{}", variant_id(own)));
            }
        });
        labeled.name(shown.response);
    });
    let next = LabSettings { weight: numeric::narrow(weight), estimate, ..settings };
    if next != settings {
        out.push(LabCommand::Weigh(next.weight, next.estimate));
    }
}

fn outcome_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    let lab = &view.lab;
    let theme = Theme::of(ui.ctx().theme());
    let Some(row) = lab.row(Some(Searcher::AStarWeighted)) else {
        let why = lab.error.as_ref().or_else(|| lab.refused.first().map(|(_, why)| why));
        match why {
            Some(why) => {
                ui.add(
                    egui::Label::new(RichText::new(lang::phrase(why)).color(theme.warning)).wrap(),
                );
            }
            None => empty(ui, tr!("Place a path's start and end to compare searches.")),
        }
        return;
    };
    heading(ui, tr!("On the grid of the floor"));
    let count = |n: u64| format::count(usize::try_from(n).unwrap_or(usize::MAX));
    fact(ui, tr!("Nodes expanded"), &count(row.effort.n_expanded));
    let length = if row.why.is_some() {
        tr!("no path").to_owned()
    } else {
        format::fixed_length(row.length)
    };
    fact(ui, tr!("Length"), &length);
    if let Some(over) = row.over_optimum() {
        fact(ui, tr!("Suboptimality"), &format!("{:.2} %", over * 100.0 + 0.0));
    }
    let weight = f64::from(lab.settings.weight);
    let sure = lab.settings.estimate.is_never_too_high();
    let text = match () {
        () if !sure => {
            tr!("This heuristic can overestimate: the path may be longer than the optimum.")
                .to_owned()
        }
        () if weight <= 1.0 => tr!("The path is the cheapest.").to_owned(),
        () => tr!("The path costs at most {} times the optimum.", format::number(weight)),
    };
    ui.add(egui::Label::new(RichText::new(text).color(theme.text_weak)).wrap());
}

fn plot_ui(
    ui: &mut egui::Ui,
    id: &str,
    view: &SessionView<'_>,
    value: &dyn Fn(&SweepPoint) -> f64,
    say: &dyn Fn(f64) -> String,
) {
    let theme = Theme::of(ui.ctx().theme());
    let points: Vec<[f64; 2]> =
        view.lab.sweep.iter().map(|point| [point.weight, value(point)]).collect();
    let largest = points.last().map_or(5.0, |last| last[0]);
    let weight = f64::from(view.lab.settings.weight).min(largest);
    Plot::new(id)
        .height((ui.available_height() - 8.0).max(80.0))
        .include_y(0.0)
        .y_axis_formatter(|mark, _| say(mark.value))
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show(ui, |plot| {
            plot.line(
                Line::new(tr!("All weights"), PlotPoints::from(points))
                    .color(theme.accent)
                    .width(2.0),
            );
            plot.vline(VLine::new(tr!("Chosen"), weight).color(theme.path).width(1.5));
        });
}

#[expect(clippy::cast_precision_loss, reason = "a plot has some hundred pixels")]
fn as_number(n: u64) -> f64 {
    n as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a tick of a count")]
fn rounded(value: f64) -> usize {
    value.max(0.0).round() as usize
}
