//! The search lab: a table of searches between the path's two ends, and how they compare.

use eframe::egui::{self, RichText};
use egui_plot::{Bar, BarChart, Plot};

use crate::{
    command::{Command, Commands, ExportKind, LabCommand},
    session::{LabRow, LabSettings, LabState, SessionView},
    theme::Theme,
    widgets::{
        format,
        legend::{empty, heading},
        numeric::{self, NumberSpec},
        property_row::PropertyRow,
    },
};

const VOXEL: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.05, 2.0], limits: [0.02, 100.0], step: 0.05 };
const RADIUS: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.0, 3.0], limits: [0.0, 100.0], step: 0.05 };

/// Draws the panel.
pub(crate) fn lab_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 24.0;
            ui.vertical(|ui| {
                ui.set_width(300.0);
                settings_ui(ui, view, out);
            });
            ui.vertical(|ui| {
                ui.set_width(640.0);
                if view.lab.rows.is_empty() {
                    empty(
                        ui,
                        "Place both ends of a path, then compare ways to search between them.",
                    );
                } else {
                    table_ui(ui, &view.lab, out);
                }
            });
            if !view.lab.rows.is_empty() {
                ui.vertical(|ui| chart_ui(ui, &view.lab));
            }
        });
    });
}

fn settings_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let lab = &view.lab;
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal(|ui| {
        if ui.button("Compare").on_hover_text(Command::Lab(LabCommand::Run).tooltip()).clicked() {
            out.push(LabCommand::Run);
        }
        let export = Command::Export(ExportKind::Lab);
        let button = ui.add_enabled(!lab.rows.is_empty(), egui::Button::new("Export CSV…"));
        if button.on_hover_text(export.tooltip()).clicked() {
            out.push(export);
        }
        if lab.is_busy {
            ui.spinner();
        }
    });
    if let Some(why) = &lab.error {
        ui.add(egui::Label::new(RichText::new(why).color(theme.warning)).wrap());
    }
    heading(ui, "Flyers");
    let LabSettings { voxel_size, flyer_radius } = lab.settings;
    let (mut voxel, mut radius) = (f64::from(voxel_size), f64::from(flyer_radius));
    let tooltip = "Side of the smallest cube of the sparse octree, in metres";
    let row = PropertyRow { label: "Voxel size", tooltip, ..PropertyRow::default() };
    row.show(ui, |ui, label| numeric::slider(ui, label, &mut voxel, &VOXEL));
    let tooltip = "How far flyers keep from everything, in metres";
    let row = PropertyRow { label: "Flyer radius", tooltip, ..PropertyRow::default() };
    row.show(ui, |ui, label| numeric::slider(ui, label, &mut radius, &RADIUS));
    let next = LabSettings { voxel_size: narrowed(voxel), flyer_radius: narrowed(radius) };
    if next != lab.settings {
        out.push(LabCommand::Set(next));
    }
}

fn table_ui(ui: &mut egui::Ui, lab: &LabState, out: &mut Commands) {
    let shortest = lab.shortest();
    egui::Grid::new("lab").striped(true).num_columns(6).spacing([18.0, 4.0]).show(ui, |ui| {
        for title in ["Search", "Length", "Longer by", "Expanded", "Time", "Memory"] {
            ui.label(RichText::new(title).small());
        }
        ui.end_row();
        for row in &lab.rows {
            let chosen = lab.chosen == Some(row.searcher);
            let name = ui.selectable_label(chosen, row.searcher.name());
            if name.on_hover_text(row.searcher.what()).clicked() {
                out.push(LabCommand::Choose((!chosen).then_some(row.searcher)));
            }
            row_ui(ui, row, shortest);
            ui.end_row();
        }
    });
    if let Some(made_in) = lab.rows.iter().find_map(|row| row.made_in) {
        let text = format!("The octree was made in {}.", format::time(made_in));
        ui.label(RichText::new(text).small().weak());
    }
}

fn row_ui(ui: &mut egui::Ui, row: &LabRow, shortest: Option<f64>) {
    if row.points.is_empty() {
        ui.label("–");
        ui.label(row.why.as_deref().unwrap_or("no path"));
    } else {
        ui.label(format!("{:.2} m", row.length));
        match (shortest, &row.why) {
            (_, Some(why)) => ui.label(why),
            (Some(shortest), None) if shortest > 0.0 => {
                ui.label(format!("{:.1} %", (row.length / shortest - 1.0) * 100.0))
            }
            _ => ui.label("–"),
        };
    }
    ui.label(format::count(usize::try_from(row.n_expanded).unwrap_or(usize::MAX)));
    ui.label(format::time(row.time));
    ui.label(format::bytes(row.n_bytes));
}

/// Nodes expanded by each search, as bars.
fn chart_ui(ui: &mut egui::Ui, lab: &LabState) {
    heading(ui, "Nodes expanded, powers of ten");
    let theme = Theme::of(ui.ctx().theme());
    let mut position = 0.0;
    let bars = lab.rows.iter().map(|row| {
        position += 1.0;
        let n = u32::try_from(row.n_expanded.max(1)).unwrap_or(u32::MAX);
        Bar::new(position, f64::from(n).log10()).name(row.searcher.name()).fill(theme.accent)
    });
    let chart = BarChart::new("Nodes", bars.collect()).width(0.6);
    let plot =
        Plot::new("lab nodes").height(120.0).width(220.0).show_x(false).show_axes([false, true]);
    plot.allow_drag(false).allow_zoom(false).allow_scroll(false).show(ui, |plot| {
        plot.bar_chart(chart);
    });
}

#[expect(clippy::cast_possible_truncation, reason = "limited to a hundred metres")]
fn narrowed(value: f64) -> f32 {
    value as f32
}
