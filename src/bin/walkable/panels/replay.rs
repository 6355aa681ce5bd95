//! The search played back: step, play, scrub, and the figures of the node just expanded.

use eframe::egui::{self, accesskit::Role};
use egui_material_icons::{MaterialIcon, icons};

use crate::{
    command::{Commands, PathCommand, ProbeCommand},
    session::{PathAnswer, ProbeAnswer, Replay},
    widgets::{
        buttons, format,
        legend::{fact, heading},
    },
};

/// Draws the controls; nothing to play where the search expanded no node.
pub(crate) fn replay_ui(
    ui: &mut egui::Ui,
    answer: &PathAnswer,
    replay: Replay,
    out: &mut Commands,
) {
    let nodes = &answer.path.expanded;
    let n_nodes = nodes.len();
    let shown = replay.step.unwrap_or(n_nodes).min(n_nodes);
    heading(ui, "Search, node by node");
    let next = controls_ui(ui, "search", replay, n_nodes);
    fact(ui, "Nodes", &format!("{} of {}", format::count(shown), format::count(n_nodes)));
    if let Some(node) = shown.checked_sub(1).and_then(|last| nodes.get(last)) {
        fact(ui, "Cost so far, g", &format::number(f64::from(node.g)));
        fact(ui, "Estimated rest, h", &format::number(f64::from(node.f - node.g)));
        fact(ui, "Whole path, f", &format::number(f64::from(node.f)));
    }
    if next != replay {
        out.push(PathCommand::ShowSearch(next));
    }
}

/// The same for the search behind a query.
pub(crate) fn query_ui(
    ui: &mut egui::Ui,
    answer: &ProbeAnswer,
    replay: Replay,
    out: &mut Commands,
) {
    let n_nodes = answer.expanded.len();
    let shown = replay.step.unwrap_or(n_nodes).min(n_nodes);
    heading(ui, "Its search, node by node");
    let next = controls_ui(ui, "query", replay, n_nodes);
    fact(ui, "Nodes", &format!("{} of {}", format::count(shown), format::count(n_nodes)));
    if let Some(node) = shown.checked_sub(1).and_then(|last| answer.expanded.get(last)) {
        fact(ui, "Cost so far, g", &format::number(f64::from(node.g)));
    }
    if next != replay {
        out.push(ProbeCommand::ShowSearch(next));
    }
}

/// Buttons and a slider for a search of `n_nodes` expansions; what the user made of `replay`.
pub(crate) fn controls_ui(ui: &mut egui::Ui, what: &str, replay: Replay, n_nodes: usize) -> Replay {
    let shown = replay.step.unwrap_or(n_nodes).min(n_nodes);
    let mut next = replay;
    ui.add_enabled_ui(n_nodes > 0, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let [pause, play] = ["Pause", "Play"].map(|verb| format!("{verb} the {what}"));
            let play = if replay.playing {
                (icons::ICON_PAUSE, &*pause, replay.toggled(n_nodes))
            } else {
                (icons::ICON_PLAY_ARROW, &*play, replay.toggled(n_nodes))
            };
            let buttons: [(MaterialIcon, &str, Replay); 4] = [
                (icons::ICON_SKIP_PREVIOUS, "Before the first node", Replay::at(0)),
                (icons::ICON_CHEVRON_LEFT, "One node back", Replay::at(shown.saturating_sub(1))),
                play,
                (icons::ICON_CHEVRON_RIGHT, "One node on", Replay::at((shown + 1).min(n_nodes))),
            ];
            for (icon, name, wanted) in buttons {
                if buttons::icon(ui, icon, name).clicked() {
                    next = wanted;
                }
            }
            let outcome = buttons::icon(ui, icons::ICON_SKIP_NEXT, "Show the outcome");
            if outcome.clicked() {
                next = Replay::default();
            }
        });
        let mut step = shown;
        ui.spacing_mut().slider_width = ui.available_width() - 8.0;
        let slider = ui.add(egui::Slider::new(&mut step, 0..=n_nodes.max(1)).show_value(false));
        slider.widget_info(|| egui::WidgetInfo::labeled(Role::Slider, true, "Search step"));
        if slider.changed() {
            next = Replay::at(step.min(n_nodes));
        }
    });
    next
}
