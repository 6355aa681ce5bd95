//! Plays a search back: step, play, scrub, and the values of the node that was just expanded.

use eframe::egui;
use walkable::query::Footing;
use walkable_editor::{
    command::{Commands, PathCommand, QueryCommand},
    session::{PathAnswer, Played, Replay},
};
use walkable_workspace::{format, lang::tr};

use crate::widgets::{
    legend::{fact, heading, position_fact},
    player::Player,
};

/// Draws the controls. Draws nothing if the search expanded no node.
pub fn replay_ui(ui: &mut egui::Ui, answer: &PathAnswer, replay: Replay, out: &mut Commands) {
    let nodes = &answer.expanded;
    let n_nodes = nodes.len();
    let shown = player("search", n_nodes).shown(replay);
    let next = controls_ui(ui, "path.replay", replay, n_nodes);
    fact(ui, tr!("Nodes"), &tr!("{} of {}", format::count(shown), format::count(n_nodes)));
    if let Some(node) = shown.checked_sub(1).and_then(|last| nodes.get(last)) {
        fact(ui, tr!("Cost so far, g"), &format::number(f64::from(node.g)));
        fact(ui, tr!("Heuristic, h"), &format::number(f64::from(node.f - node.g)));
        fact(ui, tr!("Estimated total, f"), &format::number(f64::from(node.f)));
    }
    if next != replay {
        out.push(PathCommand::ShowSearch(next));
    }
}

pub fn query_ui(ui: &mut egui::Ui, played: &Played, replay: Replay, out: &mut Commands) {
    let n_steps = played.n_steps();
    let (title, step, counted) = match played {
        Played::Nothing => return,
        Played::Nodes(_) => (tr!("Search, node by node"), tr!("node"), tr!("Nodes")),
        Played::Strides(_) => (tr!("Stride by stride"), tr!("stride"), tr!("Points")),
        Played::Slices(_) => (tr!("Step by step"), tr!("slice"), tr!("Steps")),
    };
    if n_steps == 0 {
        return;
    }
    let player = Player {
        id: "query.replay",
        whole: tr!("query"),
        step,
        end: tr!("Show the outcome"),
        n_steps,
    };
    let shown = player.shown(replay);
    heading(ui, title);
    let next = player_ui(ui, &player, replay);
    fact(ui, counted, &tr!("{} of {}", format::count(shown), format::count(n_steps)));
    let last = shown.checked_sub(1);
    match played {
        Played::Nodes(nodes) => {
            if let Some(node) = last.and_then(|last| nodes.get(last)) {
                fact(ui, tr!("Cost so far, g"), &format::number(f64::from(node.g)));
            }
        }
        Played::Strides(strides) => {
            if let Some(print) = last.and_then(|last| strides.get(last)) {
                position_fact(ui, print.position);
                fact(ui, tr!("Does"), footing(print.footing));
                fact(ui, tr!("On polygon"), &print.poly.to_string());
            }
        }
        Played::Slices(_) | Played::Nothing => {}
    }
    if next != replay {
        out.push(QueryCommand::ShowSteps(next));
    }
}

fn footing(footing: Footing) -> &'static str {
    match footing {
        Footing::Walks => tr!("walks"),
        Footing::TakesOff => tr!("takes off"),
        Footing::Lands => tr!("lands"),
        Footing::Arrives => tr!("arrives"),
    }
}

/// Draws buttons and a slider for a search of `n_nodes` expansions. Returns `replay` as changed by the user.
pub fn controls_ui(ui: &mut egui::Ui, id: &str, replay: Replay, n_nodes: usize) -> Replay {
    player_ui(ui, &player(id, n_nodes), replay)
}

fn player_ui(ui: &mut egui::Ui, player: &Player<'_>, replay: Replay) -> Replay {
    let mut next = replay;
    ui.add_enabled_ui(player.n_steps > 0, |ui| {
        next = player.buttons_ui(ui, replay);
        let width = ui.available_width() - 8.0;
        next = player.slider_ui(ui, next, width);
    });
    next
}

fn player(id: &str, n_nodes: usize) -> Player<'_> {
    Player {
        id,
        whole: tr!("search"),
        step: tr!("node"),
        end: tr!("Show the outcome"),
        n_steps: n_nodes,
    }
}
