//! The query tool's question and its answer.

use eframe::egui::{self, RichText};

use crate::{
    command::{Commands, ProbeCommand},
    panels::replay,
    session::{ProbeMode, SessionView},
    theme::Theme,
    widgets::{
        format,
        legend::{empty, fact, heading},
        numeric::{self, NumberSpec},
        property_row::PropertyRow,
    },
};

const RADIUS: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.5, 20.0], limits: [0.0, 1000.0], step: 0.1 };
const POINTS: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [1.0, 1000.0], limits: [1.0, 10_000.0], step: 1.0 };

/// Draws the form.
pub(crate) fn probe_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.label(RichText::new("Query").strong());
    let probe = &view.probe;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        for mode in ProbeMode::ALL {
            let label = ui.selectable_label(mode == probe.mode, mode.name());
            if label.on_hover_text(mode.what()).clicked() && mode != probe.mode {
                out.push(ProbeCommand::By(mode));
            }
        }
    });
    let theme = Theme::of(ui.ctx().theme());
    ui.add(egui::Label::new(RichText::new(probe.mode.what()).color(theme.text_weak)).wrap());
    if !probe.mode.has_end() {
        let mut radius = f64::from(probe.radius);
        let tooltip = "How far around the start, in metres";
        let row = PropertyRow { label: "Radius", tooltip, ..PropertyRow::default() };
        row.show(ui, |ui, label| numeric::slider(ui, label, &mut radius, &RADIUS));
        let mut points = f64::from(probe.n_points);
        if probe.mode == ProbeMode::Random {
            let tooltip = "How many points; the same ones every time";
            let row = PropertyRow { label: "Points", tooltip, ..PropertyRow::default() };
            row.show(ui, |ui, label| numeric::slider(ui, label, &mut points, &POINTS));
        }
        let (radius, points) = (as_length(radius), as_count(points));
        if (radius - probe.radius).abs() > 0.0 || points != probe.n_points {
            out.push(ProbeCommand::Within(radius, points));
        }
    }
    heading(ui, "Answer");
    match &probe.answer {
        Some(answer) => {
            for (name, value) in &answer.facts {
                fact(ui, name, value);
            }
            fact(ui, "Time", &format::time(answer.time));
            if !answer.expanded.is_empty() {
                replay::query_ui(ui, answer, probe.replay, out);
            }
        }
        None if view.bake.navmesh.is_none() => empty(ui, "There is no navmesh yet."),
        None => empty(ui, "Click a place on the level to ask from there."),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "limited to a thousand metres")]
fn as_length(value: f64) -> f32 {
    value as f32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 10,000")]
fn as_count(value: f64) -> u32 {
    value as u32
}
