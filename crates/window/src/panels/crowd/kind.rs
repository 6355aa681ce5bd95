//! The kind of agents, and how they avoid others.

use eframe::egui::{self, RichText};
use walkable_editor::{
    command::{Command, Commands, CrowdCommand},
    session::{Avoidance, SceneAgent, SessionView},
};
use walkable_workspace::lang::tr;

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, combo::combo_ui},
};

pub(super) fn kind_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        if has_kinds(view) {
            ui.label(tr!("Kind"));
            kind_choice_ui(ui, view, out);
        }
        ui.label(tr!("Avoidance"));
        avoidance_choice_ui(ui, view, out);
    });
    if view.has_other_kinds() {
        let agents = &view.document().agents;
        let name = agents.active().map_or("", |agent| &agent.name);
        let text = tr!("All agents walk on the navmesh of {name}, also those of other kinds.");
        let theme = Theme::of(ui.ctx().theme());
        let text = RichText::new(text).small().color(theme.text_weak);
        ui.add(egui::Label::new(text).wrap());
    }
}

pub(super) fn has_kinds(view: &SessionView<'_>) -> bool {
    let document = view.document();
    !document.agents.list.is_empty() || document.crowd.iter().any(|agent| agent.kind.is_some())
}

pub(super) fn kind_name(view: &SessionView<'_>, kind: Option<&str>) -> String {
    match kind {
        None => tr!("Active agent").to_owned(),
        Some(name) if view.document().agents.list.iter().any(|agent| agent.name == name) => {
            name.to_owned()
        }
        Some(name) => tr!("{name} (removed)"),
    }
}

/// Returns the value that all chosen agents have, or `next` if none is chosen; `None` if their values differ.
fn common<T: PartialEq>(
    view: &SessionView<'_>,
    next: T,
    of: impl Fn(&SceneAgent) -> T,
) -> Option<T> {
    let scene = &view.document().crowd;
    let mut values =
        view.chosen_sources().into_iter().filter_map(|number| scene.get(number)).map(of);
    let Some(first) = values.next() else { return Some(next) };
    values.all(|value| value == first).then_some(first)
}

fn kind_choice_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let now = common(view, view.next_kind().map(str::to_owned), |agent| agent.kind.clone());
    let selected = now.as_ref().map(|kind| kind_name(view, kind.as_deref()));
    let selected = selected.unwrap_or_else(|| tr!("several").to_owned());
    let list = view.document().agents.list.iter().enumerate();
    let named = list.map(|(number, agent)| (Some(number), Some(agent.name.clone())));
    let name = tr!("Kind of agents: {selected}");
    combo_ui(ui, ["crowd.kind", &name], &selected, |ui| {
        for (number, kind) in std::iter::once((None, None)).chain(named) {
            let name = kind_name(view, kind.as_deref());
            entry_ui(ui, (now.as_ref() == Some(&kind), &name), CrowdCommand::Kind(number), out);
        }
    });
}

fn avoidance_choice_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let now = common(view, view.crowd.avoidance, |agent| agent.avoidance);
    let selected = now.map_or_else(|| tr!("several"), Avoidance::name);
    let name = tr!("Avoidance of agents: {selected}");
    combo_ui(ui, ["crowd.avoid", &name], selected, |ui| {
        for avoidance in Avoidance::ALL {
            let (is_on, name) = (now == Some(avoidance), avoidance.name());
            entry_ui(ui, (is_on, name), CrowdCommand::Avoid(avoidance), out);
        }
    });
}

fn entry_ui(
    ui: &mut egui::Ui,
    (is_on, name): (bool, &str),
    command: CrowdCommand,
    out: &mut Commands,
) {
    let command = Command::from(command);
    let label = ui.selectable_label(is_on, name).author_id(command.id());
    if label.on_hover_text(command.tooltip()).clicked() {
        out.push(command);
    }
}
