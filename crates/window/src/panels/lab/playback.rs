//! Playback of one search, or of two in sync.

use eframe::egui::{self, RichText};
use egui_plot::{Line, Plot, PlotPoints, VLine};
use walkable::debug_draw::Paint;
use walkable_editor::{
    command::{Command, Commands, LabCommand, variant_id},
    session::{LabRow, LabState, Medium, Searcher, SessionView, Speed},
};
use walkable_workspace::{format, lang::tr};

use super::column;
use crate::{
    panels::path::replay,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        legend::{dense_row, empty, fact, heading, swatch},
    },
};

const MOST_POINTS: usize = 600;

pub(super) fn playback_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let lab = &view.lab;
    if lab.rows.is_empty() {
        column(ui, "lab no playback", 400.0, |ui| {
            empty(ui, tr!("Compare searches first; then play each of them back here."));
        });
        return;
    }
    column(ui, "lab replay", 270.0, |ui| {
        which_ui(ui, lab, out);
        if lab.row(lab.chosen).is_none() {
            empty(ui, tr!("Choose a search to play it back node by node."));
            return;
        }
        heading(ui, tr!("Node by node"));
        let next = replay::controls_ui(ui, "lab.replay", lab.replay, lab.n_steps());
        if next != lab.replay {
            out.push(LabCommand::Show(next));
        }
        speed_ui(ui, lab, out);
    });
    for (number, row) in (0..).zip(lab.drawn()) {
        column(ui, ["lab first", "lab second"][usize::from(number > 0)], 220.0, |ui| {
            figures_ui(ui, lab, row, number);
        });
    }
    if lab.drawn().any(|row| !row.recording.frontier.is_empty()) {
        column(ui, "lab frontier", 380.0, |ui| frontier_ui(ui, lab));
    }
}

fn which_ui(ui: &mut egui::Ui, lab: &LabState, out: &mut Commands) {
    let (mut chosen, mut other) = (lab.chosen, lab.other);
    pick_ui(ui, ["lab.search", tr!("Search")], tr!("Choose one"), &mut chosen, lab);
    ui.add_enabled_ui(lab.chosen.is_some(), |ui| {
        pick_ui(ui, ["lab.compare-with", tr!("Compare with")], tr!("None"), &mut other, lab);
    });
    if (chosen, other) != (lab.chosen, lab.other) {
        out.push(LabCommand::Choose(chosen, other));
    }
    ui.add_enabled_ui(lab.drawn().count() > 1, |ui| arrangement_ui(ui, lab, out));
}

fn pick_ui(
    ui: &mut egui::Ui,
    [id, label]: [&str; 2],
    nothing: &'static str,
    picked: &mut Option<Searcher>,
    lab: &LabState,
) {
    ui.horizontal(|ui| {
        let name = picked.map_or(nothing, Searcher::name);
        let combo = egui::ComboBox::new(label, label).width(170.0).selected_text(name);
        let shown = combo.show_ui(ui, |ui| {
            let none = ui.selectable_value(picked, None, nothing);
            none.author_id(format_args!("{id}.none"));
            for row in &lab.rows {
                let (searcher, name) = (row.searcher, row.searcher.name());
                let entry = ui.selectable_value(picked, Some(searcher), name);
                entry.author_id(format_args!("{id}.{}", variant_id(searcher)));
            }
        });
        shown.response.author_id(id);
    });
}

fn arrangement_ui(ui: &mut egui::Ui, lab: &LabState, out: &mut Commands) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (id, name, what, is_overlaid) in [
            (
                "lab.side-by-side",
                tr!("Side by side"),
                tr!("Each has half of the view, with the same camera"),
                false,
            ),
            ("lab.overlay", tr!("Overlay"), tr!("Both are drawn in the same view"), true),
        ] {
            let label = ui.selectable_label(lab.is_overlaid == is_overlaid, name).author_id(id);
            if label.on_hover_text(what).clicked() && lab.is_overlaid != is_overlaid {
                out.push(LabCommand::ToggleOverlaid);
            }
        }
    });
}

fn speed_ui(ui: &mut egui::Ui, lab: &LabState, out: &mut Commands) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for speed in Speed::ALL {
            let command = Command::from(LabCommand::Speed(speed));
            let label = ui.selectable_label(lab.speed == speed, speed.name());
            if label.author_id(command.id()).on_hover_text(command.tooltip()).clicked() {
                out.push(command);
            }
        }
    });
}

fn figures_ui(ui: &mut egui::Ui, lab: &LabState, row: &LabRow, number: u8) {
    let theme = Theme::of(ui.ctx().theme());
    let recording = &row.recording;
    let (n, shown) = (recording.n_expansions(), lab.shown(row));
    ui.label(RichText::new(row.searcher.name()).strong());
    fact(ui, tr!("Nodes"), &tr!("{} of {}", format::count(shown), format::count(n)));
    if let Some(event) = shown.checked_sub(1).and_then(|last| recording.expansion(last)) {
        let [g, h, f] = event.costs.map(|cost| format::number(f64::from(cost)));
        fact(ui, tr!("Cost so far, g"), &g);
        fact(ui, tr!("Heuristic, h"), &h);
        fact(ui, tr!("Priority, f"), &f);
    }
    if let Some(&open) = shown.checked_sub(1).and_then(|last| recording.frontier.get(last)) {
        fact(ui, tr!("Open nodes"), &format::count(open as usize));
    }
    legend_ui(ui, row, number);
    if recording.is_cut {
        let text = tr!("The search is longer than its recording.");
        ui.add(egui::Label::new(RichText::new(text).small().color(theme.warning)).wrap());
    }
}

pub fn legend_ui(ui: &mut egui::Ui, row: &LabRow, number: u8) {
    let theme = Theme::of(ui.ctx().theme());
    let entry = |ui: &mut egui::Ui, paint: Paint, text: &str| {
        dense_row(ui, |ui| {
            swatch(ui, theme.paint(paint));
            ui.label(RichText::new(text).small());
        });
    };
    let by_layer = matches!(row.searcher.medium(), Medium::Air | Medium::Water) && number == 0;
    let is_route = row.searcher == Searcher::Route;
    if is_route {
        for (level, size) in (0..).zip(["4 × 4", "16 × 16", "64 × 64"]) {
            entry(ui, Paint::Hue(level), &tr!("Searched cell of {size} tiles"));
        }
        entry(ui, Paint::Path, tr!("Path"));
        return;
    }
    if by_layer {
        ui.label(RichText::new(tr!("Expanded: one color per layer of the octree")).small());
    } else {
        entry(ui, Paint::Closed(number), tr!("Expanded"));
    }
    entry(ui, Paint::Frontier(number), tr!("On the open list"));
    entry(ui, Paint::Path, tr!("Path to the node just expanded"));
}

/// Plots the number of open nodes over time.
fn frontier_ui(ui: &mut egui::Ui, lab: &LabState) {
    heading(ui, tr!("Nodes on the open list, over nodes expanded"));
    let theme = Theme::of(ui.ctx().theme());
    let count = |value: f64| format::short_count(rounded(value));
    let plot = Plot::new("lab frontier")
        .height((ui.available_height() - 8.0).max(80.0))
        .include_y(0.0)
        .include_x(0.0)
        .x_axis_formatter(move |mark, _| count(mark.value))
        .y_axis_formatter(move |mark, _| count(mark.value))
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false);
    let step = lab.replay.step;
    plot.show(ui, |plot| {
        for (number, row) in (0..).zip(lab.drawn()) {
            let frontier = &row.recording.frontier;
            let stride = frontier.len().div_ceil(MOST_POINTS).max(1);
            let points = frontier.iter().enumerate().step_by(stride);
            let points: Vec<[f64; 2]> =
                points.map(|(at, &open)| [as_number(at + 1), f64::from(open)]).collect();
            let color = theme.paint(Paint::Closed(number));
            let line = Line::new(row.searcher.name(), PlotPoints::from(points));
            plot.line(line.color(color).width(2.0));
        }
        if let Some(step) = step {
            plot.vline(VLine::new(tr!("Now"), as_number(step)).color(theme.path).width(1.5));
        }
    });
}

#[expect(clippy::cast_precision_loss, reason = "a plot has some hundred pixels")]
fn as_number(n: usize) -> f64 {
    n as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a tick of a count")]
fn rounded(value: f64) -> usize {
    value.max(0.0).round() as usize
}
