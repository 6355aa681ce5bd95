//! The search played back: step, play, scrub, and the figures of the node just expanded.

use eframe::egui;

use crate::{
    command::{Commands, PathCommand, ProbeCommand},
    session::{PathAnswer, ProbeAnswer, Replay},
    widgets::{
        format,
        legend::{fact, heading},
        player::Player,
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
    let shown = player("search", n_nodes).shown(replay);
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
    let (player, mut next) = (player(what, n_nodes), replay);
    ui.add_enabled_ui(n_nodes > 0, |ui| {
        next = player.buttons_ui(ui, replay);
        let width = ui.available_width() - 8.0;
        next = player.slider_ui(ui, next, width);
    });
    next
}

fn player(whole: &str, n_nodes: usize) -> Player<'_> {
    Player { whole, step: "node", end: "Show the outcome", n_steps: n_nodes }
}
